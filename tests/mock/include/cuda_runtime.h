//===- tests/mock/include/cuda_runtime.h - CUDA, no toolkit -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// As much of CUDA's headers as the tests' own sources use, so that they are
/// read in milliseconds and without a toolkit. All tests read this one:
/// tests/mock is the toolkit of those that ask for a folder. What is computed
/// on the device has a body, over Clang's builtins; of the rest, the
/// declaration is all that the analysis looks at.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_MOCK_INCLUDE_CUDA_RUNTIME_H
#define CUDA_LINT_TESTS_MOCK_INCLUDE_CUDA_RUNTIME_H

// What the toolkit declares is not the user's.
#pragma clang system_header

#define __constant__ __attribute__((constant))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __host__ __attribute__((host))
#define __managed__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __grid_constant__ __attribute__((grid_constant))
#define __align__(Bytes) __attribute__((aligned(Bytes)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

#define MOCK_DEVICE                                                            \
  static __inline__ __attribute__((device, always_inline, nodebug, unused))

typedef __SIZE_TYPE__ size_t;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned X = 1, unsigned Y = 1,
                                     unsigned Z = 1)
      : x(X), y(Y), z(Z) {}
  __host__ __device__ constexpr dim3(uint3 V) : x(V.x), y(V.y), z(V.z) {}
  __host__ __device__ constexpr operator uint3() const {
    return uint3{x, y, z};
  }
};
#include <__clang_cuda_builtin_vars.h>

struct __align__(8) float2 {
  float x, y;
};
struct float3 {
  float x, y, z;
};
struct __align__(16) float4 {
  float x, y, z, w;
};
struct __align__(16) double2 {
  double x, y;
};
struct __align__(4) uchar4 {
  unsigned char x, y, z, w;
};
struct __align__(4) half2 {
  unsigned short x, y;
};

//===----------------------------------------------------------------------===//
// The runtime
//===----------------------------------------------------------------------===//

enum cudaError_t { cudaSuccess = 0, cudaErrorInvalidValue = 1 };
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
enum cudaMemcpyKind {
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3
};
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1,
  cudaDevAttrMaxSharedMemoryPerBlock = 8,
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76
};
enum cudaSharedMemConfig { cudaSharedMemBankSizeEightByte = 2 };
struct cudaDeviceProp {
  size_t sharedMemPerBlock;
  int multiProcessorCount;
  int maxThreadsPerBlock;
  int maxThreadsPerMultiProcessor;
  int maxGridSize[3];
  int warpSize;
  int major;
  int minor;
  int l2CacheSize;
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
int cudaConfigureCall(dim3 Grid, dim3 Block, size_t Shared = 0,
                      cudaStream_t Stream = 0);
unsigned __cudaPushCallConfiguration(dim3 Grid, dim3 Block, size_t Shared = 0,
                                     cudaStream_t Stream = 0);
cudaError_t cudaLaunchKernel(const void *Kernel, dim3 Grid, dim3 Block,
                             void **Arguments, size_t Shared,
                             cudaStream_t Stream);
cudaError_t cudaLaunchCooperativeKernel(const void *Kernel, dim3 Grid,
                                        dim3 Block, void **Arguments,
                                        size_t Shared, cudaStream_t Stream);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *Config,
                                const void *Kernel, void **Arguments);
cudaError_t cudaMalloc(void **Pointer, size_t Bytes);
cudaError_t cudaMemcpy(void *To, const void *From, size_t Bytes,
                       cudaMemcpyKind Kind);
cudaError_t cudaMemcpyAsync(void *To, const void *From, size_t Bytes,
                            cudaMemcpyKind Kind, cudaStream_t Stream = 0);
cudaError_t cudaMemset(void *Pointer, int Value, size_t Bytes);
cudaError_t cudaFree(void *Pointer);
cudaError_t cudaMallocHost(void **Pointer, size_t Bytes, unsigned Flags = 0);
cudaError_t cudaMallocManaged(void **Pointer, size_t Bytes, unsigned Flags = 1);
cudaError_t cudaFreeHost(void *Pointer);
cudaError_t cudaHostRegister(void *Pointer, size_t Bytes, unsigned Flags);
cudaError_t cudaStreamCreate(cudaStream_t *Stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *Stream, unsigned Flags);
cudaError_t cudaStreamSynchronize(cudaStream_t Stream);
cudaError_t cudaEventCreate(cudaEvent_t *Event);
cudaError_t cudaEventRecord(cudaEvent_t Event, cudaStream_t Stream = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t Event);
cudaError_t cudaSetDevice(int Device);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaThreadSynchronize();
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char *cudaGetErrorString(cudaError_t Error);
cudaError_t cudaGetDevice(int *Device);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *Properties, int Device);
cudaError_t cudaDeviceGetAttribute(int *Value, cudaDeviceAttr Attribute,
                                   int Device);
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig Config);
cudaError_t cudaFuncSetAttribute(const void *Kernel,
                                 cudaFuncAttribute Attribute, int Value);
}

template <class T> cudaError_t cudaMalloc(T **Pointer, size_t Bytes) {
  return cudaMalloc((void **)(void *)Pointer, Bytes);
}
template <class T> cudaError_t cudaMallocHost(T **Pointer, size_t Bytes) {
  return cudaMallocHost((void **)(void *)Pointer, Bytes);
}
template <class T> cudaError_t cudaMallocManaged(T **Pointer, size_t Bytes) {
  return cudaMallocManaged((void **)(void *)Pointer, Bytes);
}
template <class T>
cudaError_t cudaLaunchKernel(T *Kernel, dim3 Grid, dim3 Block, void **Arguments,
                             size_t Shared = 0, cudaStream_t Stream = 0) {
  return cudaLaunchKernel((const void *)Kernel, Grid, Block, Arguments, Shared,
                          Stream);
}
template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *Config,
                               void (*Kernel)(Parameters...),
                               Arguments &&...All);
template <class T>
cudaError_t cudaFuncSetAttribute(T *Kernel, cudaFuncAttribute Attribute,
                                 int Value) {
  return cudaFuncSetAttribute((const void *)Kernel, Attribute, Value);
}
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *LeastGrid, int *Block,
                                               T Kernel, size_t Shared = 0,
                                               int Limit = 0);

//===----------------------------------------------------------------------===//
// The C and C++ libraries on the host
//===----------------------------------------------------------------------===//

extern "C" {
int atoi(const char *);
int rand();
int printf(const char *, ...);
int sscanf(const char *, const char *, ...);
void *malloc(size_t);
void *calloc(size_t, size_t);
void free(void *);
long clock();
void exit(int) __attribute__((noreturn));
double ceil(double);
float ceilf(float);
double floor(double);
double sqrt(double);
double log2(double);
double pow(double, double);
float powf(float, float);
}

namespace std {
template <class T> const T &min(const T &A, const T &B) {
  return B < A ? B : A;
}
template <class T> const T &max(const T &A, const T &B) {
  return A < B ? B : A;
}
template <class T> class initializer_list {
  const T *Begin;
  size_t Size;

public:
  constexpr const T *begin() const { return Begin; }
  constexpr const T *end() const { return Begin + Size; }
};
// As std::thread and std::function: what they are given is called later.
template <class F, class... A> void call_later(F Function, A... Arguments) {}
} // namespace std

//===----------------------------------------------------------------------===//
// The device
//===----------------------------------------------------------------------===//

__device__ void __syncthreads();

// Overloads, as in the toolkit's <cmath>.
#define MOCK_MATH(Name)                                                        \
  __device__ double Name(double);                                              \
  __device__ float Name(float);
MOCK_MATH(exp)
MOCK_MATH(fabs)
MOCK_MATH(floor)
MOCK_MATH(sqrt)
#undef MOCK_MATH
__device__ double fmax(double, double);
__device__ double pow(double, double);
__device__ float pow(float, float);
__device__ double pow(float, int);
__device__ double pow(double, int);
__device__ float powf(float, float);
namespace std {
using ::pow;
} // namespace std

#undef M_PI
#define M_PI 3.14159265358979323846

// Obsolete.
__device__ int __mul24(int, int);
__device__ int __shfl_down(int, unsigned, int = 32);

// Functions of libdevice, as in Clang's headers.
extern "C" {
__device__ int __nv_min(int, int);
__device__ int __nv_max(int, int);
__device__ unsigned __nv_umin(unsigned, unsigned);
__device__ int __nv_popc(int);
__device__ float __nv_saturatef(float);
}
MOCK_DEVICE int min(int A, int B) { return __nv_min(A, B); }
MOCK_DEVICE int max(int A, int B) { return __nv_max(A, B); }
MOCK_DEVICE unsigned umin(unsigned A, unsigned B) { return __nv_umin(A, B); }
MOCK_DEVICE int __popc(unsigned X) { return __nv_popc(static_cast<int>(X)); }
MOCK_DEVICE float __saturatef(float X) { return __nv_saturatef(X); }

MOCK_DEVICE float __ldg(const float *P) { return __nvvm_ldg_f(P); }
MOCK_DEVICE int __shfl_sync(unsigned Mask, int V, int Lane, int Width = 32) {
  return __nvvm_shfl_sync_idx_i32(Mask, V, Lane, ((32 - Width) << 8) | 0x1f);
}
MOCK_DEVICE int __shfl_xor_sync(unsigned Mask, int V, int Of, int Width = 32) {
  return __nvvm_shfl_sync_bfly_i32(Mask, V, Of, ((32 - Width) << 8) | 0x1f);
}
MOCK_DEVICE int __shfl_down_sync(unsigned Mask, int V, unsigned Delta,
                                 int Width = 32) {
  return __nvvm_shfl_sync_down_i32(Mask, V, static_cast<int>(Delta),
                                   ((32 - Width) << 8) | 0x1f);
}
MOCK_DEVICE int __shfl_up_sync(unsigned Mask, int V, unsigned Delta,
                               int Width = 32) {
  return __nvvm_shfl_sync_up_i32(Mask, V, static_cast<int>(Delta),
                                 (32 - Width) << 8);
}
MOCK_DEVICE int atomicAdd(int *P, int V) { return __nvvm_atom_add_gen_i(P, V); }
MOCK_DEVICE int atomicMax(int *P, int V) { return __nvvm_atom_max_gen_i(P, V); }
MOCK_DEVICE float atomicAdd(float *P, float V) {
  return __nvvm_atom_add_gen_f(P, V);
}
MOCK_DEVICE int atomicSub(int *P, int V) {
  return __nvvm_atom_add_gen_i(P, -V);
}
MOCK_DEVICE unsigned atomicInc(unsigned *P, unsigned Last) {
  return __nvvm_atom_inc_gen_ui(P, Last);
}
MOCK_DEVICE int atomicExch(int *P, int V) {
  return __nvvm_atom_xchg_gen_i(P, V);
}
MOCK_DEVICE int atomicCAS(int *P, int Old, int New) {
  return __nvvm_atom_cas_gen_i(P, Old, New);
}
MOCK_DEVICE int atomicAdd_block(int *P, int V) {
  return __nvvm_atom_cta_add_gen_i(P, V);
}
MOCK_DEVICE float atomicAdd_block(float *P, float V) {
  return __nvvm_atom_cta_add_gen_f(P, V);
}
MOCK_DEVICE int atomicExch_block(int *P, int V) {
  return __nvvm_atom_cta_xchg_gen_i(P, V);
}
MOCK_DEVICE int atomicCAS_block(int *P, int Old, int New) {
  return __nvvm_atom_cta_cas_gen_i(P, Old, New);
}
MOCK_DEVICE int atomicMax_system(int *P, int V) {
  return __nvvm_atom_sys_max_gen_i(P, V);
}

#endif // CUDA_LINT_TESTS_MOCK_INCLUDE_CUDA_RUNTIME_H
