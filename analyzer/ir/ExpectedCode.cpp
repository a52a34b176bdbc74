//===- analyzer/ir/ExpectedCode.cpp - Where the code is not known ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/CompiledCode.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <tuple>

namespace cudalint {

static constexpr const char *Merges =
    "the compiler makes one access of neighbouring ones";
static constexpr const char *KeepsTurnsApart =
    "the compiler makes no wider access of several turns of a loop";
static constexpr const char *KeepsApart =
    "the compiler makes no wider access of neighbouring ones";

static constexpr const char *KnownContents =
    "the compiler is taken to know what the table holds there";
/// Loops of no more turns are taken to be written out.
static constexpr unsigned MostWrittenOut = 16;

/// Where accesses begin: operation, chain, and the distance within it.
using PlacesTaken = std::set<std::tuple<AccessOp, unsigned, std::int64_t>>;

/// What an access that is taken to stay as it is takes for granted: that
/// nothing becomes one with it that could, by its alignment.
static const char *staysApart(const WrittenAccess &A,
                              const PlacesTaken &Taken) {
  if (A.Op == AccessOp::Atomic || A.Bytes >= 16 || A.BaseAlign <= A.Bytes)
    return "";
  if (std::ranges::any_of(A.Steps, [&](std::int64_t Step) {
        return std::abs(Step) == A.Bytes;
      }))
    return KeepsTurnsApart;
  const bool HasNeighbour =
      Taken.contains({A.Op, A.Chain, A.ChainOffset - A.Bytes}) ||
      Taken.contains({A.Op, A.Chain, A.ChainOffset + A.Bytes});
  return HasNeighbour ? KeepsApart : "";
}

/// So many bytes from \p First on are one access: members of \p Chain, which
/// are sorted, from its front. Returns how many; 0 where that is none.
static std::size_t mergeable(const std::vector<std::size_t> &Chain,
                             std::size_t First, unsigned Bytes,
                             const std::vector<WrittenAccess> &Written) {
  const WrittenAccess &Leader = Written[Chain[First]];
  if (Leader.Align < Bytes)
    return 0;
  std::int64_t End = Leader.ChainOffset;
  std::size_t Count = 0;
  for (std::size_t I = First; I != Chain.size(); ++I, ++Count) {
    const WrittenAccess &Each = Written[Chain[I]];
    if (End - Leader.ChainOffset == Bytes || Each.ChainOffset != End)
      break;
    End += Each.Bytes;
  }
  return End - Leader.ChainOffset == Bytes && Count > 1 ? Count : 0;
}

CompiledKernel expectCompiled(const std::vector<WrittenAccess> &Written) {
  CompiledKernel Out;
  std::map<std::tuple<AccessOp, unsigned, unsigned>, std::vector<std::size_t>>
      Chains;
  for (std::size_t A = 0; A != Written.size(); ++A) {
    Out.Accesses.push_back({.Parts = {{.Bytes = Written[A].Bytes,
                                       .IsAsWritten = true,
                                       .Pool = ~0u}},
                            .WhyRemoved = {},
                            .Assumption = {}});
    if (Written[A].Op != AccessOp::Atomic)
      Chains[{Written[A].Op, Written[A].Run, Written[A].Chain}].push_back(A);
  }
  for (auto &[Key, Chain] : Chains) {
    std::ranges::stable_sort(
        Chain, {}, [&](std::size_t A) { return Written[A].ChainOffset; });
    for (std::size_t First = 0; First < Chain.size();) {
      std::size_t Count = 0;
      unsigned Bytes = 16;
      for (; Bytes > 1 && !Count; Bytes /= 2)
        Count = mergeable(Chain, First, Bytes, Written);
      if (!Count) {
        ++First;
        continue;
      }
      Bytes *= 2;
      CompiledAccess &Leader = Out.Accesses[Chain[First]];
      Leader.Parts = {{.Bytes = Bytes, .IsWider = true, .Pool = ~0u}};
      Leader.Assumption = Merges;
      for (std::size_t I = 1; I != Count; ++I)
        Out.Accesses[Chain[First + I]] = {
            .Parts = {},
            .WhyRemoved = "it is taken to be part of a wider access",
            .Assumption = {}};
      First += Count;
    }
  }
  for (std::size_t A = 0; A != Written.size(); ++A)
    if (Written[A].OfKnownTable && Written[A].Turns <= MostWrittenOut)
      Out.Accesses[A] = {
          .Parts = {}, .WhyRemoved = KnownContents, .Assumption = {}};
  PlacesTaken Taken;
  for (const WrittenAccess &Each : Written)
    Taken.insert({Each.Op, Each.Chain, Each.ChainOffset});
  for (std::size_t A = 0; A != Written.size(); ++A)
    if (CompiledAccess &Each = Out.Accesses[A];
        !Each.Parts.empty() && Each.Parts[0].IsAsWritten)
      Each.Assumption = staysApart(Written[A], Taken);
  return Out;
}

} // namespace cudalint
