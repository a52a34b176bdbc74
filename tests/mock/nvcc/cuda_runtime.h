//===- tests/mock/nvcc/cuda_runtime.h - What a kernel needs -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// In a folder of the include path, this is what nvcc includes before a file:
/// for the device, no more of the toolkit's headers than plain kernels use,
/// which takes a third of the time. For the host, it is the toolkit's.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_MOCK_NVCC_CUDA_RUNTIME_H
#define CUDA_LINT_TESTS_MOCK_NVCC_CUDA_RUNTIME_H

#if defined(__NVCC__) && defined(__CUDA_ARCH__)
#include <vector_types.h>

#include <device_launch_parameters.h>

typedef __SIZE_TYPE__ size_t;
enum cudaError_t { cudaSuccess };
template <class T> cudaError_t cudaMalloc(T **Pointer, size_t Bytes);
extern "C" {
__device__ void __syncthreads();
cudaError_t cudaDeviceSynchronize();
unsigned __cudaPushCallConfiguration(dim3 Grid, dim3 Block, size_t Shared = 0,
                                     struct CUstream_st *Stream = nullptr);
}
#else
#include_next <cuda_runtime.h>
#endif

#endif // CUDA_LINT_TESTS_MOCK_NVCC_CUDA_RUNTIME_H
