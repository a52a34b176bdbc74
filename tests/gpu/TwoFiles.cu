//===- tests/gpu/TwoFiles.cu - A program of two files ---------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Its module and that of the other file differ in one number, which CUPTI does
// not look at. The other's is loaded when this one has been waited for.
//
//===----------------------------------------------------------------------===//

#include <cstdio>

void runOther(const float *In, float *Out);

static __global__ void same(const float *In, float *Out) {
  Out[threadIdx.x] = In[threadIdx.x * 4]; // first file
}

int main() {
  float *In = nullptr, *Out = nullptr;
  cudaMalloc(&In, 65536 * sizeof(float));
  cudaMalloc(&Out, 65536 * sizeof(float));
  same<<<1, 256>>>(In, Out);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 1;
  runOther(In, Out);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 1;
  std::puts("done");
  return 0;
}
