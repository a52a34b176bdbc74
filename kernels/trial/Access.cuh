//===- kernels/trial/Access.cuh - One access of a kernel ------- *- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the kernels of the sweeps share: one load, store or atomic of a chosen
/// width which the compiler can neither drop nor widen.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_KERNELS_TRIAL_ACCESS_CUH
#define CUDA_LINT_KERNELS_TRIAL_ACCESS_CUH

#include "kernels/trial/Sweep.h"

#include <cstdint>
#include <utility>

namespace cudalint {

template <typename T> __device__ unsigned fold(T V) { return V; }
template <> __device__ inline unsigned fold(uint2 V) { return V.x ^ V.y; }
template <> __device__ inline unsigned fold(uint4 V) {
  return V.x ^ V.y ^ V.z ^ V.w;
}

template <typename T> __device__ T fill(unsigned V) { return T(V); }
template <> __device__ inline uint2 fill(unsigned V) {
  return make_uint2(V, ~V);
}
template <> __device__ inline uint4 fill(unsigned V) {
  return make_uint4(V, ~V, V + 1, V + 2);
}

/// The one access of a kernel. What follows it never runs: it keeps the
/// compiler from dropping the access. \p Other is memory of the same space.
template <typename T, RequestKind Kind>
__device__ __forceinline__ void access(T *P, const T *Other,
                                       const TrialMemory &Memory) {
  if constexpr (Kind == RequestKind::Atomic) {
    atomicAdd(P, T(1));
  } else if constexpr (Kind == RequestKind::Store) {
    *P = fill<T>(threadIdx.x);
    if (threadIdx.x == Memory.Never)
      *Memory.Sink = fold(*Other);
  } else if (fold(*P) == Memory.Never) {
    *Memory.Sink = 1;
  }
}

inline const char *nameOf(RequestKind Kind) {
  switch (Kind) {
  case RequestKind::Load:
    return "load";
  case RequestKind::Store:
    return "store";
  case RequestKind::Atomic:
    return "atomic";
  case RequestKind::Increment:
    return "increment";
  case RequestKind::CompareAndSwap:
    return "compare and swap";
  }
  return "?";
}

/// Calls Visit.operator()<T, Kind>() for loads and stores of every width.
template <typename Function> void forEachAccess(Function Visit) {
  auto BothKinds = [&]<typename T>() {
    Visit.template operator()<T, RequestKind::Load>();
    Visit.template operator()<T, RequestKind::Store>();
  };
  BothKinds.template operator()<std::uint8_t>();
  BothKinds.template operator()<std::uint16_t>();
  BothKinds.template operator()<std::uint32_t>();
  BothKinds.template operator()<uint2>();
  BothKinds.template operator()<uint4>();
}

} // namespace cudalint

#endif // CUDA_LINT_KERNELS_TRIAL_ACCESS_CUH
