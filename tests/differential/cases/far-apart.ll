; A choice between two constants whose difference wraps.
; launch block=1,8,8 grid=1,13,1 index=0,0,0 warp=0 arguments=0,0,12,-2082067351
; told grid=0,0,0 arguments=1,1,0,0
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @kernel(ptr %p0, ptr %p1, i32 %p2, i32 %p3) {
entry:
  %c = icmp slt i32 %p3, -633513863
  %i = select i1 %c, i32 1, i32 -2147483648
  %p = getelementptr i32, ptr %p0, i32 %i
  store i32 82, ptr %p, align 4
  ret void
}
