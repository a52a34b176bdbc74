; A constant wraps although the value does not.
; launch block=2,8,1 grid=5,5,1 index=1,4,0 warp=0 arguments=0,0,3,17
; told grid=1,1,1 arguments=1,1,0,0
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @kernel(ptr %p0, ptr %p1, i32 %p2, i32 %p3) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %a = sub i32 0, %x
  %i = sub nsw i32 %a, -2147483648
  %p = getelementptr i32, ptr %p0, i32 %i
  store i32 0, ptr %p, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
