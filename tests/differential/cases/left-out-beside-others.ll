; Lanes that another way brings here are not all, if an assumption fails.
; launch block=8,4,4 grid=10,650,3 index=2,2,2 warp=3 arguments=0,0,-53,1593607575
; told grid=1,0,1 arguments=1,1,0,0
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @kernel(ptr %p0, ptr %p1, i32 %p2, i32 %p3) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %0 = icmp ne i32 %x, 0
  %1 = icmp ult i32 %p2, -2147483647
  br i1 %0, label %store, label %else

else:
  br i1 %1, label %return, label %store

store:
  store i32 1, ptr %p0, align 4
  br label %return

return:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
