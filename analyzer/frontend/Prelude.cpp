//===- analyzer/frontend/Prelude.cpp - What nvcc declares besides ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/Prelude.h"

namespace cudalint {

// Every entry names what nvcc does in its place. Functions of ours have no
// debug information, so that their accesses are attributed to the caller.
static constexpr std::string_view Text = R"cuda(
#pragma GCC system_header

// cuda_runtime.h includes these for nvcc; Clang's wrapper keeps them out.
#include <assert.h>
#include <math.h>
#include <new>
#include <stdio.h>
#include <time.h>

// Clang's wrapper includes curand_mtgp32_kernel.h, nvcc does not. These of its
// macros have names that users give to variables.
#undef LARGE_SIZE
#undef MEXP
#undef QUALIFIERS
#undef TBL_SIZE
#undef THREAD_NUM

// nvcc's has a value: `#if __CUDACC__`.
#undef __CUDACC__
#define __CUDACC__ 1

// Clang knows managed variables of HIP only; here they are device variables
// that the host can name.
#undef __managed__
#define __managed__ __attribute__((device))

// A shared variable with a constructor; see Repairs.cpp.
#define __sharedI_                                                             \
  static __attribute__((device, annotate("cuda-lint-shared")))

// Shapes in the braces of a launch; see Repairs.cpp.
#define $(...) dim3(__VA_ARGS__)
#define $$(...) <<<dim3(__VA_ARGS__)

// nvcc predefines them. CCCL's headers tell compilers apart by __NVCC__ and
// must go on seeing Clang, so they decide first.
#if __has_include(<nv/target>)
#include <nv/target>
#endif
#if __has_include(<cuda/std/__cccl/compiler.h>)
#include <cuda/std/__cccl/compiler.h>
#define __NVCC__ 1
#endif
#define __CUDACC_VER_MAJOR__ (CUDA_VERSION / 1000)
#define __CUDACC_VER_MINOR__ (CUDA_VERSION % 1000 / 10)
#define __CUDACC_VER_BUILD__ 0
#define __CUDA_API_VER_MAJOR__ (CUDA_VERSION / 1000)
#define __CUDA_API_VER_MINOR__ (CUDA_VERSION % 1000 / 10)

// cooperative_groups.h offers clusters to nvcc; Clang has the intrinsics too.
#define _CG_CLUSTER_INTRINSICS_AVAILABLE

#define CUDA_LINT_HOST static inline __attribute__((host, nodebug))
#define CUDA_LINT_DEVICE                                                       \
  static inline __attribute__((device, always_inline, nodebug))

// crt/math_functions.hpp gives them to host and device; Clang reads that file
// for the device only.
#define CUDA_LINT_MIN_MAX(Result, A, B)                                        \
  CUDA_LINT_HOST constexpr Result min(A a, B b) {                              \
    return (Result)b < (Result)a ? (Result)b : (Result)a;                      \
  }                                                                            \
  CUDA_LINT_HOST constexpr Result max(A a, B b) {                              \
    return (Result)a < (Result)b ? (Result)b : (Result)a;                      \
  }
#define CUDA_LINT_MIN_MAX_INTEGER(T)                                           \
  CUDA_LINT_MIN_MAX(T, T, T)                                                   \
  CUDA_LINT_MIN_MAX(unsigned T, unsigned T, unsigned T)                        \
  CUDA_LINT_MIN_MAX(unsigned T, T, unsigned T)                                 \
  CUDA_LINT_MIN_MAX(unsigned T, unsigned T, T)
CUDA_LINT_MIN_MAX_INTEGER(int)
CUDA_LINT_MIN_MAX_INTEGER(long)
CUDA_LINT_MIN_MAX_INTEGER(long long)
CUDA_LINT_MIN_MAX(float, float, float)
CUDA_LINT_MIN_MAX(double, double, double)
CUDA_LINT_MIN_MAX(double, float, double)
CUDA_LINT_MIN_MAX(double, double, float)

// sm_32_intrinsics.h; Clang has the rest of that family. The hint to the cache
// does not matter here, the access does.
template <class T> struct __cuda_lint_same { typedef T type; };
#define CUDA_LINT_CACHE_LOAD(Name)                                             \
  template <class T> CUDA_LINT_DEVICE T Name(const T *p) { return *p; }
#define CUDA_LINT_CACHE_STORE(Name)                                            \
  template <class T>                                                           \
  CUDA_LINT_DEVICE void Name(T *p, typename __cuda_lint_same<T>::type v) {     \
    *p = v;                                                                    \
  }
CUDA_LINT_CACHE_LOAD(__ldca)
CUDA_LINT_CACHE_LOAD(__ldlu)
CUDA_LINT_CACHE_STORE(__stwb)
CUDA_LINT_CACHE_STORE(__stcg)
CUDA_LINT_CACHE_STORE(__stcs)

// Built into nvcc since 12.8. The order and the scope that may follow do not
// matter here, the access does.
#define __NV_ATOMIC_RELAXED 0
#define __NV_ATOMIC_CONSUME 1
#define __NV_ATOMIC_ACQUIRE 2
#define __NV_ATOMIC_RELEASE 3
#define __NV_ATOMIC_ACQ_REL 4
#define __NV_ATOMIC_SEQ_CST 5
#define __NV_THREAD_SCOPE_THREAD 0
#define __NV_THREAD_SCOPE_BLOCK 1
#define __NV_THREAD_SCOPE_CLUSTER 2
#define __NV_THREAD_SCOPE_DEVICE 3
#define __NV_THREAD_SCOPE_SYSTEM 4
#define __nv_atomic_load(p, r, ...) __atomic_load(p, r, __ATOMIC_RELAXED)
#define __nv_atomic_load_n(p, ...) __atomic_load_n(p, __ATOMIC_RELAXED)
#define __nv_atomic_store(p, v, ...) __atomic_store(p, v, __ATOMIC_RELAXED)
#define __nv_atomic_store_n(p, v, ...) __atomic_store_n(p, v, __ATOMIC_RELAXED)
#define __nv_atomic_exchange(p, v, r, ...)                                     \
  __atomic_exchange(p, v, r, __ATOMIC_RELAXED)
#define __nv_atomic_exchange_n(p, v, ...)                                      \
  __atomic_exchange_n(p, v, __ATOMIC_RELAXED)
#define __nv_atomic_compare_exchange(p, e, d, w, ...)                          \
  __atomic_compare_exchange(p, e, d, w, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
#define __nv_atomic_compare_exchange_n(p, e, d, w, ...)                        \
  __atomic_compare_exchange_n(p, e, d, w, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
#define __nv_atomic_fetch_add(p, v, ...)                                       \
  __atomic_fetch_add(p, v, __ATOMIC_RELAXED)
#define __nv_atomic_fetch_sub(p, v, ...)                                       \
  __atomic_fetch_sub(p, v, __ATOMIC_RELAXED)
#define __nv_atomic_fetch_and(p, v, ...)                                       \
  __atomic_fetch_and(p, v, __ATOMIC_RELAXED)
#define __nv_atomic_fetch_or(p, v, ...)                                        \
  __atomic_fetch_or(p, v, __ATOMIC_RELAXED)
#define __nv_atomic_fetch_xor(p, v, ...)                                       \
  __atomic_fetch_xor(p, v, __ATOMIC_RELAXED)
#define __nv_atomic_fetch_min(p, v, ...)                                       \
  __atomic_fetch_min(p, v, __ATOMIC_RELAXED)
#define __nv_atomic_fetch_max(p, v, ...)                                       \
  __atomic_fetch_max(p, v, __ATOMIC_RELAXED)
#define __nv_atomic_thread_fence(...) __threadfence()

#undef CUDA_LINT_HOST
#undef CUDA_LINT_DEVICE
#undef CUDA_LINT_MIN_MAX
#undef CUDA_LINT_MIN_MAX_INTEGER
#undef CUDA_LINT_CACHE_LOAD
#undef CUDA_LINT_CACHE_STORE
)cuda";

std::string_view preludeText() { return Text; }

} // namespace cudalint
