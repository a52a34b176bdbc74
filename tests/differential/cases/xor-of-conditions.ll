; A choice by a condition that is the run's in some lanes and its opposite in
; others.
; launch block=32,1,1 grid=1,14,1 index=0,7,0 warp=0 arguments=0,0,288,0
; told grid=0,0,0 arguments=1,1,0,0
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @kernel(ptr %p0, ptr %p1, i32 %p2, i32 %p3) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = icmp ult i32 %p3, 3
  %b = icmp ugt i32 %t, 6
  %c = xor i1 %a, %b
  %i = select i1 %c, i32 0, i32 1
  %p = getelementptr i32, ptr %p0, i32 %i
  store i32 35, ptr %p, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
