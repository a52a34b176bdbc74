; An element that is one only under an assumption is read under it.
; launch block=8,16,1 grid=6,1,16 index=5,0,4 warp=3 arguments=0,0,-1850861170,512,160,-91
; told grid=0,0,0 arguments=1,1,0,0,0,0
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@shared = internal addrspace(3) global [4096 x i8] undef, align 16
@tile = internal addrspace(3) global [32 x [33 x i32]] undef, align 4

define ptx_kernel void @kernel(ptr %p0, ptr %p1, i32 %p2, i32 %p3, i16 %p4, i8 %p5) {
entry:
  %private = alloca [8 x i32], align 4
  %tid.x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ctaid.x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %0 = getelementptr [8 x i32], ptr %private, i32 0, i32 1
  store i32 0, ptr %0, align 4
  store i32 7, ptr %private, align 4
  %1 = udiv i32 %tid.x, %ctaid.x
  %2 = getelementptr [8 x i32], ptr %private, i32 0, i32 %1
  %3 = load i32, ptr %2, align 4
  %4 = getelementptr i64, ptr null, i32 %3
  call void @cuda-lint.access(ptr %4, i32 1, i32 8, i32 8, i32 0, i32 12, i32 0)
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

declare i32 @llvm.smax.i32(i32, i32) #1

declare void @cuda-lint.access(ptr readnone captures(none), i32, i32, i32, i32, i32, i32) #2

declare void @cuda-lint.fence(i32) #2

attributes #0 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nofree nomerge nosync nounwind willreturn memory(inaccessiblemem: readwrite) }
