; The remainder of an unsigned division can be negative as a signed number.
; launch block=8,2,1 grid=1,12,1 index=0,0,0 warp=0 arguments=0,0,480,1766
; told grid=1,1,1 arguments=1,1,1,1
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @kernel(ptr %p0, ptr %p1, i32 %p2, i32 %p3) {
entry:
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %a = add i32 %y, -33
  %r = urem i32 %a, -3
  %p = getelementptr i32, ptr %p0, i32 %r
  store i32 0, ptr %p, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
