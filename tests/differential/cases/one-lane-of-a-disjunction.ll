; One lane waits for a condition that all share, the others do not.
; launch block=128,1,1 grid=1105,1,6 index=171,0,4 warp=3 arguments=0,0,1076,1248
; told grid=1,0,1 arguments=1,1,0,0
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @kernel(ptr %p0, ptr %p1, i32 %p2, i32 %p3) {
entry:
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %l = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %a = icmp ugt i32 %y, 3
  %b = icmp ugt i32 %l, %y
  %c = or i1 %a, %b
  br i1 %c, label %then, label %join

then:
  store i16 1, ptr %p0, align 2
  br label %join

join:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
