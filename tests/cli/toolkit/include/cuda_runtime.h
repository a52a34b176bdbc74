//===- tests/cli/toolkit/include/cuda_runtime.h - A mock --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// All of a CUDA toolkit that the tests of the command line need.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_CLI_TOOLKIT_INCLUDE_CUDA_RUNTIME_H
#define CUDA_LINT_TESTS_CLI_TOOLKIT_INCLUDE_CUDA_RUNTIME_H

#pragma clang system_header

#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __host__ __attribute__((host))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __shared__ __attribute__((shared))

struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned X = 1, unsigned Y = 1,
                                     unsigned Z = 1)
      : x(X), y(Y), z(Z) {}
};

#include <__clang_cuda_builtin_vars.h>

// What a launch needs of the host, under its older and its newer name.
extern "C" {
int cudaConfigureCall(dim3, dim3, decltype(sizeof(0)) = 0, void * = nullptr);
int __cudaPushCallConfiguration(dim3, dim3, decltype(sizeof(0)) = 0,
                                void * = nullptr);
int cudaLaunchKernel(const void *, dim3, dim3, void **, decltype(sizeof(0)),
                     void *);
}

enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8 };
template <class Kernel>
int cudaFuncSetAttribute(Kernel *, cudaFuncAttribute, int);

#endif // CUDA_LINT_TESTS_CLI_TOOLKIT_INCLUDE_CUDA_RUNTIME_H
