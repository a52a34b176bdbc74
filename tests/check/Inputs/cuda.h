//===- tests/check/Inputs/cuda.h - CUDA without a toolkit ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// As much of CUDA's headers as the tests of the checks use, so that they run
/// without a toolkit: the language's own words and a few declarations.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_CHECK_INPUTS_CUDA_H
#define CUDA_LINT_TESTS_CHECK_INPUTS_CUDA_H

// What the toolkit declares is not the user's.
#pragma clang system_header

#define __constant__ __attribute__((constant))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __align__(Bytes) __attribute__((aligned(Bytes)))
#define __forceinline__ __inline__ __attribute__((always_inline))

typedef __SIZE_TYPE__ size_t;
typedef struct CUstream_st *cudaStream_t;

struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned X = 1, unsigned Y = 1,
                                     unsigned Z = 1)
      : x(X), y(Y), z(Z) {}
};
struct __align__(8) float2 {
  float x, y;
};
struct float3 {
  float x, y, z;
};
struct __align__(16) float4 {
  float x, y, z, w;
};

#include <__clang_cuda_builtin_vars.h>

// What a launch needs of the host, under its older and its newer name.
extern "C" {
int cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0);
int __cudaPushCallConfiguration(dim3, dim3, size_t = 0, cudaStream_t = 0);
int cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t);
}

enum cudaError_t { cudaSuccess };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8 };
enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1,
  cudaDevAttrMaxSharedMemoryPerBlock = 8
};
struct cudaDeviceProp {
  size_t sharedMemPerBlock;
};
enum cudaSharedMemConfig { cudaSharedMemBankSizeEightByte = 2 };
extern "C" {
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig);
cudaError_t cudaDeviceGetAttribute(int *, cudaDeviceAttr, int);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *, int);
cudaError_t cudaThreadSynchronize();
}
template <class Kernel>
cudaError_t cudaFuncSetAttribute(Kernel *, cudaFuncAttribute, int);

__device__ int __mul24(int, int);
__device__ int __shfl_down(int, unsigned, int = 32);
__device__ int __shfl_down_sync(unsigned, int, unsigned, int = 32);
__device__ float atomicAdd(float *, float);

// The device side of <cmath>: overloads, as in the toolkit's headers.
#define MATH(Name)                                                             \
  __device__ double Name(double);                                              \
  __device__ float Name(float);
MATH(exp)
MATH(fabs)
MATH(floor)
MATH(sqrt)
#undef MATH
__device__ double pow(double, double);
__device__ float pow(float, float);
__device__ double pow(float, int);

#undef M_PI
#define M_PI 3.14159265358979323846

#endif // CUDA_LINT_TESTS_CHECK_INPUTS_CUDA_H
