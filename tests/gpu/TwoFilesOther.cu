//===- tests/gpu/TwoFilesOther.cu - The other file ------------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

static __global__ void same(const float *In, float *Out) {
  Out[threadIdx.x] = In[threadIdx.x * 8]; // second file
}

void runOther(const float *In, float *Out) { same<<<1, 256>>>(In, Out); }
