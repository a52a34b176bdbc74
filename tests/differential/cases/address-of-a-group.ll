; Lanes that read from one address if borders are taken to be elsewhere.
; launch block=5,8,2 grid=11,1,14 index=6,0,2 warp=0 arguments=0,0,995,1247
; told grid=0,0,0 arguments=1,1,1,1
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@shared = internal addrspace(3) global [4096 x i8] undef, align 4

define ptx_kernel void @kernel(ptr %p0, ptr %p1, i32 %p2, i32 %p3) {
entry:
  %tid.x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %tid.y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %ctaid.y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %0 = xor i32 %ctaid.y, 24
  %1 = call i32 @llvm.umax.i32(i32 %tid.x, i32 %0)
  %2 = zext i32 %1 to i64
  %3 = getelementptr i32, ptr addrspace(3) @shared, i64 %2
  %4 = icmp ugt i32 %tid.y, 2
  %5 = zext i1 %4 to i64
  %6 = getelementptr i32, ptr addrspace(3) %3, i64 %5
  %7 = load i32, ptr addrspace(3) %6, align 4
  %8 = sext i32 %7 to i64
  %9 = getelementptr i32, ptr addrspace(1) null, i64 %8
  %10 = addrspacecast ptr addrspace(1) %9 to ptr
  call void @cuda-lint.access(ptr %10, i32 1, i32 4, i32 4, i32 0, i32 7, i32 0)
  ret void
}

declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #0

declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y() #0

declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #0

declare i32 @llvm.umax.i32(i32, i32) #1

declare void @cuda-lint.access(ptr readnone captures(none), i32, i32, i32, i32, i32, i32) #2

attributes #0 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nofree nomerge nosync nounwind willreturn memory(inaccessiblemem: readwrite) }

