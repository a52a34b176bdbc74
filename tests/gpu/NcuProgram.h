//===- tests/gpu/NcuProgram.h - The kernels of two files --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_GPU_NCUPROGRAM_H
#define CUDA_LINT_TESTS_GPU_NCUPROGRAM_H

/// Inlined into kernels of both files, with the lines of this one.
inline __device__ float everyFourth(const float *In, int I) {
  return In[4 * I];
}

/// Launches the kernel of the other file.
void launchOther(const float *In, float *Out);

#endif // CUDA_LINT_TESTS_GPU_NCUPROGRAM_H
