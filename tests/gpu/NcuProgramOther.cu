//===- tests/gpu/NcuProgramOther.cu - The second file of NcuProgram -------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NcuProgram.h"

/// Rows are read, columns written.
extern "C" __global__ void other(const float *In, float *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I % 64 * 64 + I / 64] = In[I] + everyFourth(In, I % 64);
}

void launchOther(const float *In, float *Out) { other<<<32, 128>>>(In, Out); }
