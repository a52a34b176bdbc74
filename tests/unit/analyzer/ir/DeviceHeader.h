//===- tests/unit/analyzer/ir/DeviceHeader.h - CUDA for kernels -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Not included by us but by the kernels that the tests evaluate: as much of
/// the device side of CUDA as they use, over Clang's builtins, so that the
/// tests need no toolkit.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_UNIT_ANALYZER_IR_DEVICEHEADER_H
#define CUDA_LINT_TESTS_UNIT_ANALYZER_IR_DEVICEHEADER_H

#pragma clang system_header

#define __constant__ __attribute__((constant))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __align__(Bytes) __attribute__((aligned(Bytes)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define DEVICE                                                                 \
  static __inline__                                                            \
      __attribute__((device, host, always_inline, nodebug, unused))
#define DEVICE_ONLY                                                            \
  static __inline__ __attribute__((device, always_inline, nodebug, unused))

typedef __SIZE_TYPE__ size_t;
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

DEVICE int min(int A, int B) { return A < B ? A : B; }
DEVICE int max(int A, int B) { return A > B ? A : B; }
DEVICE_ONLY float __ldg(const float *P) { return __nvvm_ldg_f(P); }
DEVICE_ONLY int __shfl_sync(unsigned Mask, int V, int Lane) {
  return __nvvm_shfl_sync_idx_i32(Mask, V, Lane, 0x1f);
}
DEVICE_ONLY int __shfl_xor_sync(unsigned Mask, int V, int Lane) {
  return __nvvm_shfl_sync_bfly_i32(Mask, V, Lane, 0x1f);
}
DEVICE_ONLY int __shfl_down_sync(unsigned Mask, int V, int Delta) {
  return __nvvm_shfl_sync_down_i32(Mask, V, Delta, 0x1f);
}
DEVICE_ONLY int __shfl_up_sync(unsigned Mask, int V, int Delta) {
  return __nvvm_shfl_sync_up_i32(Mask, V, Delta, 0);
}
DEVICE_ONLY int atomicAdd(int *P, int V) { return __nvvm_atom_add_gen_i(P, V); }
DEVICE_ONLY int atomicSub(int *P, int V) {
  return __nvvm_atom_add_gen_i(P, -V);
}
DEVICE_ONLY unsigned atomicInc(unsigned *P, unsigned Last) {
  return __nvvm_atom_inc_gen_ui(P, Last);
}
DEVICE_ONLY float atomicAdd(float *P, float V) {
  return __nvvm_atom_add_gen_f(P, V);
}
DEVICE_ONLY int atomicAdd_block(int *P, int V) {
  return __nvvm_atom_cta_add_gen_i(P, V);
}
DEVICE_ONLY int atomicMax_system(int *P, int V) {
  return __nvvm_atom_sys_max_gen_i(P, V);
}
DEVICE_ONLY int atomicExch_block(int *P, int V) {
  return __nvvm_atom_cta_xchg_gen_i(P, V);
}
DEVICE_ONLY int atomicCAS_block(int *P, int Old, int New) {
  return __nvvm_atom_cta_cas_gen_i(P, Old, New);
}
DEVICE_ONLY float atomicAdd_block(float *P, float V) {
  return __nvvm_atom_cta_add_gen_f(P, V);
}
DEVICE_ONLY int atomicCAS(int *P, int Old, int New) {
  return __nvvm_atom_cas_gen_i(P, Old, New);
}

#endif // CUDA_LINT_TESTS_UNIT_ANALYZER_IR_DEVICEHEADER_H
