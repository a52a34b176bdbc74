; A product that is no 16-bit number with a sign in some warps, and is extended
; as one behind a shift that changes nothing.
; launch block=128,1,1 grid=1,1,1 index=0,0,0 warp=2 arguments=0,0,608,4,11,416
; told grid=1,1,1 arguments=1,1,1,1,1,1
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@shared = internal addrspace(3) global [4096 x i8] undef, align 4
@tile = internal addrspace(3) global [32 x [33 x i32]] undef, align 4

define ptx_kernel void @kernel(ptr %p0, ptr %p1, i32 %p2, i32 %p3, i64 %p4, i64 %p5) {
entry:
  %tid.x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %0 = trunc i64 %p5 to i16
  %1 = trunc i32 %tid.x to i16
  %2 = mul i16 %0, %1
  %3 = lshr i16 %2, 0
  %4 = getelementptr i16, ptr addrspace(3) @shared, i16 %3
  %5 = addrspacecast ptr addrspace(3) %4 to ptr
  call void @cuda-lint.access(ptr %5, i32 1, i32 2, i32 2, i32 0, i32 0, i32 0)
  ret void
}

declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #0

declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y() #0

declare noundef range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.z() #0

declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #0

declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y() #0

declare noundef range(i32 1, 65) i32 @llvm.nvvm.read.ptx.sreg.ntid.z() #0

declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #0

declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #0

declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.z() #0

declare noundef range(i32 1, -2147483648) i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #0

declare noundef range(i32 1, 65536) i32 @llvm.nvvm.read.ptx.sreg.nctaid.y() #0

declare noundef range(i32 1, 65536) i32 @llvm.nvvm.read.ptx.sreg.nctaid.z() #0

declare void @cuda-lint.access(ptr readnone captures(none), i32, i32, i32, i32, i32, i32) #1

declare void @cuda-lint.fence(i32) #1

attributes #0 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { convergent nocallback nofree nomerge nosync nounwind willreturn memory(inaccessiblemem: readwrite) }
