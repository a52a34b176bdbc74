; A quotient that rounds, of a number that a float holds for its powers of two.
; launch block=8,3,5 grid=1496,1,1 index=1083,0,0 warp=3 arguments=0,0,1146,1271755818,3
; told grid=0,0,0 arguments=1,1,0,0,0
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @kernel(ptr %p0, ptr %p1, i32 %p2, i32 %p3, i64 %p4) {
entry:
  %0 = fdiv float 1.000000e+10, 3.300000e+01
  %1 = fptosi float %0 to i32
  %2 = zext i32 %1 to i64
  %3 = getelementptr i8, ptr %p0, i64 %2
  call void @cuda-lint.access(ptr %3, i32 0, i32 1, i32 1, i32 0, i32 0, i32 0)
  ret void
}

declare void @cuda-lint.access(ptr readnone captures(none), i32, i32, i32, i32, i32, i32) #2

attributes #0 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nofree nomerge nosync nounwind willreturn memory(inaccessiblemem: readwrite) }
