; A case that the least of two values has in some lanes, where the evaluator takes
; the other one for all.
; launch block=64,1,1 grid=10,1,3 index=0,0,1 warp=1 arguments=0,0,6,-741127832
; told grid=1,0,0 arguments=1,1,0,1
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @kernel(ptr %p0, ptr %p1, i32 %p2, i32 %p3) {
entry:
  %tid.x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ctaid.x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %ctaid.y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %0 = add i32 %ctaid.x, %tid.x
  %1 = call i32 @llvm.smin.i32(i32 %0, i32 %ctaid.y)
  call void @cuda-lint.access(ptr %p0, i32 1, i32 4, i32 4, i32 1, i32 1, i32 0)
  switch i32 %1, label %default [
    i32 0, label %case
  ]

join1:                                            ; preds = %case, %default
  ret void

default:                                          ; preds = %entry
  br label %join1

case:                                             ; preds = %entry
  call void @cuda-lint.access(ptr null, i32 1, i32 4, i32 4, i32 1, i32 2, i32 0)
  br label %join1
}

declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #0

declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #0

declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #0

declare i32 @llvm.smin.i32(i32, i32) #1

declare void @cuda-lint.access(ptr readnone captures(none), i32, i32, i32, i32, i32, i32) #2

attributes #0 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nofree nomerge nosync nounwind willreturn memory(inaccessiblemem: readwrite) }
