; Lanes that read one address of their own arrays read different values.
; launch block=16,1,5 grid=1,1,1 index=0,0,0 warp=2 arguments=0,0,18,608
; told grid=1,1,1 arguments=1,1,1,1
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @kernel(ptr %p0, ptr %p1, i32 %p2, i32 %p3) {
entry:
  %a = alloca [2 x i32], align 4
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %t, ptr %a, align 4
  %b = getelementptr i32, ptr %a, i32 1
  store i32 7, ptr %b, align 4
  %h = and i32 %t, 1
  %q = getelementptr i32, ptr %a, i32 %h
  %v = load i32, ptr %q, align 4
  %p = getelementptr i32, ptr %p0, i32 %v
  store i32 0, ptr %p, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
