; Some lanes pass a condition that only the run knows, the others do not.
; launch block=64,1,1 grid=1,1,1 index=0,0,0 warp=1 arguments=0,0,448,-80,32
; told grid=1,0,0 arguments=1,1,0,0,1
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @kernel(ptr %p0, ptr %p1, i32 %p2, i32 %p3, i8 %p4) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = icmp ugt i32 %t, 40
  br i1 %a, label %then, label %join

then:
  %b = icmp uge i32 %p3, 8
  br i1 %b, label %return, label %join

return:
  ret void

join:
  store i32 1, ptr %p0, align 4
  br label %return
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
