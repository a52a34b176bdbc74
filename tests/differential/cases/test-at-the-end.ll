; Lanes leave a loop that is tested at its end in different turns.
; launch block=128,1,1 grid=9,1,1 index=4,0,0 warp=3 arguments=0,0,576,64,160
; told grid=1,1,0 arguments=1,1,0,0,0
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @kernel(ptr %p0, ptr %p1, i32 %p2, i32 %p3, i16 %p4) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = trunc i32 %t to i16
  br label %loop

loop:
  %turns = phi i64 [ 0, %entry ], [ %n, %loop ]
  %i = phi i16 [ %s, %entry ], [ %j, %loop ]
  %m = getelementptr i64, ptr %p1, i64 %turns
  store volatile i32 1296126539, ptr %m, align 4
  store i32 11, ptr %p0, align 4
  %j = add i16 %i, 1
  %n = add i64 %turns, 1
  %c = icmp ult i16 %j, %p4
  br i1 %c, label %loop, label %exit

exit:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
