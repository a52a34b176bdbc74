; A multiple by the least of 64-bit integers less another: the difference of the
; two has a factor that is none.
; launch block=64,1,1 grid=7,2,9 index=3,1,3 warp=1 arguments=0,0,384,1170
; told grid=0,1,0 arguments=1,1,0,0
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@shared = internal addrspace(3) global [4096 x i8] undef, align 4
@tile = internal addrspace(3) global [32 x [33 x i32]] undef, align 4

define ptx_kernel void @kernel(ptr %p0, ptr %p1, i32 %p2, i32 %p3) {
entry:
  %ctaid.y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %0 = zext i32 %ctaid.y to i64
  %1 = mul i64 %0, -9223372036854775808
  %2 = sext i32 %ctaid.y to i64
  %3 = icmp slt i64 %1, %2
  br i1 %3, label %then, label %else

then:                                             ; preds = %entry
  call void @cuda-lint.access(ptr null, i32 1, i32 2, i32 2, i32 0, i32 5, i32 0)
  br label %join2

join2:                                            ; preds = %then, %else
  ret void

else:                                             ; preds = %entry
  br label %join2
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

declare noundef range(i32 0, 32) i32 @llvm.nvvm.read.ptx.sreg.laneid() #0

declare i64 @llvm.bswap.i64(i64) #1

declare void @cuda-lint.access(ptr readnone captures(none), i32, i32, i32, i32, i32, i32) #2

declare void @cuda-lint.fence(i32) #2

attributes #0 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nofree nomerge nosync nounwind willreturn memory(inaccessiblemem: readwrite) }
