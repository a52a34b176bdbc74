; A bound that is negative as a signed number.
; launch block=64,1,1 grid=1,1,1 index=0,0,0 warp=1 arguments=0,0,5,9
; told grid=0,0,0 arguments=1,1,0,0
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @kernel(ptr %p0, ptr %p1, i32 %p2, i32 %p3) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %c = icmp ule i32 %x, -33
  br i1 %c, label %then, label %join

then:
  store i64 0, ptr %p0, align 8
  br label %join

join:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
