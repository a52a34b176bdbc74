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
/// loop of several instructions. Then the other atomics on shared memory, and
/// those whose result is used.
///
//===----------------------------------------------------------------------===//

#include "kernels/trial/Access.cuh"

#include <iterator>
#include <utility>

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

/// The atomics that shared memory has instructions of.
enum class Operation {
  AddOneUsed,
  AddUsed,
  Sub,
  Min,
  Max,
  And,
  Or,
  Xor,
  Exchange,
  Increment,
  Decrement,
  CompareAndSwap
};

static constexpr std::pair<Operation, const char *> Operations[] = {
    {Operation::AddOneUsed, "add one, used"},
    {Operation::AddUsed, "add, used"},
    {Operation::Sub, "sub"},
    {Operation::Min, "min"},
    {Operation::Max, "max"},
    {Operation::And, "and"},
    {Operation::Or, "or"},
    {Operation::Xor, "xor"},
    {Operation::Exchange, "exchange"},
    {Operation::Increment, "inc"},
    {Operation::Decrement, "dec"},
    {Operation::CompareAndSwap, "cas"}};

template <Operation What>
static __global__ void otherAtomicShared(TrialMemory Memory, unsigned Group,
                                         unsigned Stride, unsigned Lanes) {
  extern __shared__ unsigned Elements[];
  if (threadIdx.x >= Lanes)
    return;
  unsigned *P = &Elements[threadIdx.x / Group * Stride];
  const unsigned V = Memory.Never;
  unsigned Old = 0;
  if constexpr (What == Operation::AddOneUsed)
    Old = atomicAdd(P, 1u);
  else if constexpr (What == Operation::AddUsed)
    Old = atomicAdd(P, V);
  else if constexpr (What == Operation::Sub)
    atomicSub(P, V);
  else if constexpr (What == Operation::Min)
    atomicMin(P, V);
  else if constexpr (What == Operation::Max)
    atomicMax(P, V);
  else if constexpr (What == Operation::And)
    atomicAnd(P, V);
  else if constexpr (What == Operation::Or)
    atomicOr(P, V);
  else if constexpr (What == Operation::Xor)
    atomicXor(P, V);
  else if constexpr (What == Operation::Exchange)
    atomicExch(P, V);
  else if constexpr (What == Operation::Increment)
    atomicInc(P, V);
  else if constexpr (What == Operation::Decrement)
    atomicDec(P, V);
  else
    atomicCAS(P, V, V + 1);
  if (Old == Memory.Never) // It is not.
    *Memory.Sink = Old;
}

template <Operation What>
static void addOther(Sweep &S, const Architecture &Arch, const char *Name) {
  for (unsigned Stride : {0u, 1u, 2u, 3u, 16u, 32u, 33u})
    for (unsigned Group : {1u, 2u, 3u, 4u, 8u, 16u, 32u})
      for (unsigned Lanes : {32u, 17u, 10u, 1u})
        S.Points.push_back(
            {words("shared", Name, "stride", Stride, "group", Group, "lanes",
                   Lanes),
             predictShared(
                 Arch, {32, 1}, 4,
                 What == Operation::CompareAndSwap ? RequestKind::CompareAndSwap
                                                   : RequestKind::Atomic,
                 [=](unsigned X, unsigned) {
                   std::uint64_t Word = X / Group * Stride;
                   return X < Lanes ? std::optional(Word * 4) : std::nullopt;
                 }),
             [=](const TrialMemory &Memory) {
               otherAtomicShared<What><<<1, 32, TrialMemory::SharedBytes>>>(
                   Memory, Group, Stride, Lanes);
             }});
}

template <std::size_t... Each>
static void addOthers(Sweep &S, const Architecture &Arch,
                      std::index_sequence<Each...>) {
  (addOther<Operations[Each].first>(S, Arch, Operations[Each].second), ...);
}

Sweep atomicSweep(const Architecture &Arch) {
  Sweep S = {"atomic", "sectors and wavefronts of atomics", {}};
  addAtomics<Addend::One>(S, Arch);
  addAtomics<Addend::Uniform>(S, Arch);
  addAtomics<Addend::Lane>(S, Arch);
  addOthers(S, Arch, std::make_index_sequence<std::size(Operations)>());
  return S;
}

} // namespace cudalint
