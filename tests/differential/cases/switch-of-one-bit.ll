; A switch of one bit: its case `true` is -1, and the value is 1.
; launch block=32,1,1 grid=1,1,1 index=0,0,0 warp=0 arguments=0,0,3,1,1,1
; told grid=0,1,0 arguments=1,1,0,0,0,0
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @kernel(ptr %p0, ptr %p1, i32 %p2, i32 %p3, i32 %p4, i16 %p5) {
entry:
  %is = icmp ne i32 %p2, 0
  switch i1 %is, label %none [
    i1 false, label %join
    i1 true, label %yes
  ]

yes:                                              ; preds = %entry
  store i32 1, ptr null, align 4
  br label %join

join:                                             ; preds = %yes, %entry
  ret void

none:                                             ; preds = %entry
  unreachable
}
