//===- tests/gpu/GpuProgram.h - What test programs share --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_GPU_GPUPROGRAM_H
#define CUDA_LINT_TESTS_GPU_GPUPROGRAM_H

#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <cuda_runtime.h>

/// A launch of all blocks: 64 of 4 warps.
constexpr int Threads = 128;
constexpr int Blocks = 64;
constexpr int Elements = Threads * Blocks;

inline void check(cudaError_t Error) {
  if (Error == cudaSuccess)
    return;
  std::fprintf(stderr, "cuda: %s\n", cudaGetErrorString(Error));
  std::_Exit(99);
}

inline void check(CUresult Error) {
  if (Error == CUDA_SUCCESS)
    return;
  std::fprintf(stderr, "driver: error %d\n", static_cast<int>(Error));
  std::_Exit(98);
}

#endif // CUDA_LINT_TESTS_GPU_GPUPROGRAM_H
