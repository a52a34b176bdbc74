//===- tests/unit/analyzer/MockCuda.h - A small CUDA toolkit ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// As much of the CUDA headers as tests need, written for them, so that tests
/// parse in milliseconds and need no toolkit.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_UNIT_ANALYZER_MOCKCUDA_H
#define CUDA_LINT_TESTS_UNIT_ANALYZER_MOCKCUDA_H

namespace cudalint::test {

/// Goes before the code under test. It counts as a system header.
inline constexpr char MockCuda[] = R"cuda(
#pragma clang system_header
#ifndef MOCK_CUDA_H
#define MOCK_CUDA_H
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ __inline__ __attribute__((always_inline))

typedef __SIZE_TYPE__ size_t;

struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned vx = 1, unsigned vy = 1,
                                     unsigned vz = 1)
      : x(vx), y(vy), z(vz) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const {
    return uint3{x, y, z};
  }
};
#include <__clang_cuda_builtin_vars.h>

enum cudaError_t { cudaSuccess = 0, cudaErrorInvalidValue = 1 };
typedef struct CUstream_st *cudaStream_t;
enum cudaMemcpyKind { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2 };
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
struct cudaDeviceProp {
  int multiProcessorCount;
  int maxThreadsPerBlock;
  int warpSize;
};
struct cudaLaunchAttribute {
  int id;
};
struct cudaLaunchConfig_t {
  dim3 gridDim;
  dim3 blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute *attrs;
  unsigned numAttrs;
};

extern "C" {
// What <<<>>> becomes, before and since CUDA 9.2.
int cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0,
                      cudaStream_t stream = 0);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0,
                                     cudaStream_t stream = 0);
cudaError_t cudaLaunchKernel(const void *func, dim3 gridDim, dim3 blockDim,
                             void **args, size_t sharedMem,
                             cudaStream_t stream);
cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 gridDim,
                                        dim3 blockDim, void **args,
                                        size_t sharedMem, cudaStream_t stream);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config,
                                const void *func, void **args);
cudaError_t cudaMalloc(void **pointer, size_t size);
cudaError_t cudaMemcpy(void *to, const void *from, size_t size,
                       cudaMemcpyKind kind);
cudaError_t cudaMemset(void *pointer, int value, size_t size);
cudaError_t cudaFree(void *pointer);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaGetLastError();
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *prop, int device);
cudaError_t cudaFuncSetAttribute(const void *func, cudaFuncAttribute attribute,
                                 int value);

int atoi(const char *);
int rand();
int printf(const char *, ...);
int sscanf(const char *, const char *, ...);
void *malloc(size_t);
void free(void *);
void exit(int) __attribute__((noreturn));
double ceil(double);
float ceilf(float);
double floor(double);
double sqrt(double);
double log2(double);
double pow(double, double);
}

__device__ void __syncthreads();

template <class T> cudaError_t cudaMalloc(T **pointer, size_t size) {
  return cudaMalloc((void **)(void *)pointer, size);
}
template <class T>
cudaError_t cudaLaunchKernel(T *func, dim3 gridDim, dim3 blockDim, void **args,
                             size_t sharedMem = 0, cudaStream_t stream = 0) {
  return cudaLaunchKernel((const void *)func, gridDim, blockDim, args,
                          sharedMem, stream);
}
template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                               void (*kernel)(Parameters...),
                               Arguments &&...arguments);
template <class T>
cudaError_t cudaFuncSetAttribute(T *func, cudaFuncAttribute attribute,
                                 int value) {
  return cudaFuncSetAttribute((const void *)func, attribute, value);
}
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *minGrid, int *block, T func,
                                               size_t shared = 0,
                                               int limit = 0);

namespace std {
template <class T> const T &min(const T &a, const T &b) {
  return b < a ? b : a;
}
template <class T> const T &max(const T &a, const T &b) {
  return a < b ? b : a;
}
template <class T> class initializer_list {
  const T *Begin;
  size_t Size;

public:
  constexpr const T *begin() const { return Begin; }
  constexpr const T *end() const { return Begin + Size; }
};
// As std::thread and std::function: what they are given is called later.
template <class F, class... A> void call_later(F f, A... arguments) {}
} // namespace std
#endif
)cuda";

} // namespace cudalint::test

#endif // CUDA_LINT_TESTS_UNIT_ANALYZER_MOCKCUDA_H
