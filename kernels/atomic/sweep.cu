//===- kernels/atomic/sweep.cu - Atomics on shared and global memory ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// atomicAdd whose result is not used, strided and by groups of lanes at one
/// word, adding 1, another constant or what differs from lane to lane. Words of
/// 8 bytes on global memory only: on shared memory an atomicAdd of 8 bytes is a
/// loop of several instructions.
///
//===----------------------------------------------------------------------===//

#include "kernels/trial/Access.cuh"

namespace cudalint {

/// What is added: the compiler has an instruction of its own that counts lanes
/// where all add 1.
enum class Addend { One, Uniform, Lane };

static const char *nameOf(Addend What) {
  switch (What) {
  case Addend::One:
    return "one";
  case Addend::Uniform:
    return "uniform";
  case Addend::Lane:
    return "lane";
  }
  return "?";
}

template <typename T, Addend What>
static __device__ void add(T *P, const TrialMemory &Memory) {
  if constexpr (What == Addend::One)
    atomicAdd(P, T(1));
  else if constexpr (What == Addend::Uniform)
    atomicAdd(P, T(Memory.Never));
  else
    atomicAdd(P, T(threadIdx.x + 1));
}

template <typename T, Addend What>
static __global__ void atomicGlobal(TrialMemory Memory, unsigned Group,
                                    unsigned Stride, unsigned Lanes) {
  T *Elements = reinterpret_cast<T *>(Memory.Global);
  if (threadIdx.x < Lanes)
    add<T, What>(&Elements[threadIdx.x / Group * Stride], Memory);
}

template <Addend What>
static __global__ void atomicShared(TrialMemory Memory, unsigned Group,
                                    unsigned Stride, unsigned Lanes) {
  extern __shared__ unsigned Elements[];
  if (threadIdx.x < Lanes)
    add<unsigned, What>(&Elements[threadIdx.x / Group * Stride], Memory);
}

template <Addend What>
static void addAtomics(Sweep &S, const Architecture &Arch) {
  constexpr RequestKind Atomic = RequestKind::Atomic;
  for (unsigned Stride = 0; Stride <= 33; ++Stride) {
    for (unsigned Group : {1u, 2u, 4u, 16u}) {
      for (unsigned Lanes : {32u, 16u, 10u, 1u}) {
        auto Name = [=](const char *Space, unsigned Bytes) {
          return words(Space, Bytes, "B adds", nameOf(What), "stride", Stride,
                       "group", Group, "lanes", Lanes);
        };
        auto AddressOfBytes = [=](unsigned Bytes) {
          return [=](unsigned X, unsigned) {
            std::uint64_t Word = (X - X % Group) / Group * Stride;
            return X < Lanes ? std::optional(Word * Bytes) : std::nullopt;
          };
        };
        S.Points.push_back(
            {Name("global", 4),
             predictGlobal(Arch, {32, 1}, 4, Atomic, AddressOfBytes(4)),
             [=](const TrialMemory &Memory) {
               atomicGlobal<unsigned, What>
                   <<<1, 32>>>(Memory, Group, Stride, Lanes);
             }});
        S.Points.push_back(
            {Name("global", 8),
             predictGlobal(Arch, {32, 1}, 8, Atomic, AddressOfBytes(8)),
             [=](const TrialMemory &Memory) {
               atomicGlobal<unsigned long long, What>
                   <<<1, 32>>>(Memory, Group, Stride, Lanes);
             }});
        S.Points.push_back(
            {Name("shared", 4),
             predictShared(Arch, {32, 1}, 4,
                           What == Addend::One ? RequestKind::Increment
                                               : Atomic,
                           AddressOfBytes(4)),
             [=](const TrialMemory &Memory) {
               atomicShared<What><<<1, 32, TrialMemory::SharedBytes>>>(
                   Memory, Group, Stride, Lanes);
             }});
      }
    }
  }
}

Sweep atomicSweep(const Architecture &Arch) {
  Sweep S = {"atomic", "sectors and wavefronts of atomics", {}};
  addAtomics<Addend::One>(S, Arch);
  addAtomics<Addend::Uniform>(S, Arch);
  addAtomics<Addend::Lane>(S, Arch);
  return S;
}

} // namespace cudalint
