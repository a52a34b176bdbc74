//===- analyzer/ir/ExpectedCode.cpp - Where the code is not known ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/CompiledCode.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace cudalint {

static constexpr const char *Merges =
    "the compiler makes one access of neighbouring ones";
static constexpr const char *MergesTurns =
    "the compiler makes one access of neighbouring turns of a loop";
static constexpr const char *AddsUp =
    "the compiler adds up what the lanes of a warp add to one address";
static constexpr const char *KeepsTurnsApart =
    "the compiler makes no wider access of several turns of a loop";
static constexpr const char *KeepsApart =
    "the compiler makes no wider access of neighbouring ones";
static constexpr const char *MakesEach =
    "the compiler makes each of several accesses of the same bytes";
static constexpr const char *MakesInEachTurn =
    "the compiler makes an access in each turn whose address does not change";
static constexpr const char *MakesOnce =
    "the compiler makes a load once whose address stays in a loop";
static constexpr const char *MakesInEachBranch =
    "the compiler makes no one access of those of several branches";
static constexpr const char *NeedsWhatItLoads =
    "the compiler makes the load where the code has it";
static constexpr const char *KeepsInMemory =
    "the compiler keeps the array in memory";

static constexpr const char *KnownContents =
    "the compiler is taken to know what the table holds there";
static constexpr const char *IsNeverRead = "nothing reads what it writes";
static constexpr const char *IsNeverWritten = "nothing writes what it reads";
static constexpr const char *HasValue =
    "the compiler is taken to have the value in a register";
static constexpr const char *IsInRegisters =
    "the compiler is taken to keep the array in registers";

/// Loops of no more turns are taken to be written out where that frees an array
/// or a table. nvcc 13.0 writes out 300 turns of one statement, 256 of two
/// nested loops no more; bodies may be larger.
static constexpr unsigned MostWrittenOut = 64;

namespace {
/// What accesses have to do with each other.
class Others {
public:
  explicit Others(const std::vector<WrittenAccess> &Written) {
    for (const WrittenAccess &Each : Written) {
      Bytes[Each.Chain].push_back(
          {Each.ChainOffset, Each.ChainOffset + Each.Bytes});
      Taken.insert({Each.Op, Each.Chain, Each.ChainOffset});
      if (!Each.OfTurnsAlone || !Each.AddressTurns ||
          Each.AddressTurns > MostWrittenOut)
        InMemory.insert(Each.Variable);
      if (Each.Op != AccessOp::Load)
        StoresTo.insert({Each.Loop, Each.ObjectSpace});
    }
    for (auto &[Chain, Of] : Bytes)
      std::ranges::sort(Of);
  }

  bool hasNeighbour(const WrittenAccess &A) const {
    return Taken.contains({A.Op, A.Chain, A.ChainOffset - A.Bytes}) ||
           Taken.contains({A.Op, A.Chain, A.ChainOffset + A.Bytes});
  }

  /// Whether others access some of the same bytes; accesses are of 16 at most.
  bool sharesBytes(const WrittenAccess &A) const {
    constexpr std::int64_t Widest = 16;
    const auto &Of = Bytes.at(A.Chain);
    auto From = std::ranges::lower_bound(
        Of, std::pair(A.ChainOffset - Widest, std::int64_t(0)));
    const std::int64_t End = A.ChainOffset + A.Bytes;
    unsigned Number = 0;
    for (; From != Of.end() && From->first < End && Number < 2; ++From)
      Number += From->second > A.ChainOffset;
    return Number > 1;
  }

  /// Whether something in that loop, and in none within, may store to memory of
  /// that space.
  bool mayStore(unsigned Loop, MemorySpace To) const {
    return StoresTo.contains({Loop, To}) ||
           StoresTo.contains({Loop, MemorySpace::Generic});
  }

  /// Whether the compiler knows all addresses within the private array.
  bool isInRegisters(const WrittenAccess &A) const {
    return A.Space == MemorySpace::Local && A.Variable &&
           !InMemory.contains(A.Variable);
  }

private:
  std::map<unsigned, std::vector<std::pair<std::int64_t, std::int64_t>>> Bytes;
  std::set<std::tuple<AccessOp, unsigned, std::int64_t>> Taken;
  std::set<unsigned> InMemory;
  std::set<std::pair<unsigned, MemorySpace>> StoresTo;
};
} // namespace

/// Why the compiler is expected to leave it out; empty: it is not.
static const char *whyRemoved(const WrittenAccess &A, const Others &All) {
  if (A.Volatile)
    return "";
  if (A.OfKnownTable && A.AddressTurns <= MostWrittenOut)
    return KnownContents;
  if (A.IsUnread)
    return IsNeverRead;
  if (A.IsUnwritten)
    return IsNeverWritten;
  if (A.IsRedundant)
    return A.Op == AccessOp::Load ? HasValue : IsNeverRead;
  return All.isInRegisters(A) ? IsInRegisters : "";
}

/// What an access that is taken to stay as it is takes for granted: that the
/// compiler does nothing with it that it could.
static const char *staysAsItIs(const WrittenAccess &A, const Others &All) {
  if (A.Volatile)
    return "";
  if (A.Space == MemorySpace::Local)
    return KeepsInMemory;
  if (A.Alternative)
    return MakesInEachBranch;
  if (A.Invariant)
    return A.LeavesLoops ? MakesOnce : MakesInEachTurn;
  if (All.sharesBytes(A))
    return MakesEach;
  // Where its alignment allows that something becomes one with it.
  if (A.Bytes < 16 && A.BaseAlign > A.Bytes) {
    if (std::ranges::any_of(A.Steps, [&](std::int64_t Step) {
          return Step == A.Bytes || Step == -std::int64_t(A.Bytes);
        }))
      return KeepsTurnsApart;
    if (All.hasNeighbour(A))
      return KeepsApart;
  }
  return A.Op == AccessOp::Load ? NeedsWhatItLoads : "";
}

/// Vectors of machine code have four elements at most.
static constexpr unsigned MostElements = 4;

/// So many bytes from \p First on are one access: members of \p Chain, which
/// are sorted, from its front. Returns how many; 0 where that is none.
/// nvcc 13.0 loads a vector of four also where one of the last three is not
/// asked for.
static std::size_t mergeable(const std::vector<std::size_t> &Chain,
                             std::size_t First, unsigned Bytes,
                             const std::vector<WrittenAccess> &Written) {
  const WrittenAccess &Leader = Written[Chain[First]];
  if (Leader.Align < Bytes || Bytes > MostElements * Leader.Bytes)
    return 0;
  const bool MayHaveGap =
      Leader.Op == AccessOp::Load && Bytes == MostElements * Leader.Bytes;
  std::int64_t End = Leader.ChainOffset;
  std::size_t Count = 0;
  bool AreElements = true;
  unsigned Gaps = 0;
  for (std::size_t I = First; I != Chain.size(); ++I, ++Count) {
    const WrittenAccess &Each = Written[Chain[I]];
    const std::int64_t Gap = Each.ChainOffset - End;
    if (Gap < 0 || Each.ChainOffset + Each.Bytes - Leader.ChainOffset > Bytes)
      break;
    AreElements &= Each.Bytes == Leader.Bytes;
    Gaps += Gap != 0;
    End = Each.ChainOffset + Each.Bytes;
  }
  const bool IsWhole = Gaps == 0 && End - Leader.ChainOffset == Bytes;
  const bool LacksOne = MayHaveGap && AreElements && Count == MostElements - 1;
  return Count > 1 && (IsWhole || LacksOne) ? Count : 0;
}

/// Bytes of the accesses, 16 at most, that turns of its innermost loop become
/// where these are written out; those of one, where they stay as they are: nvcc
/// 13.0 loads nothing of an array together across a store to any other of that
/// memory, and no bytes of arrays of bytes.
static unsigned bytesOfTurns(const WrittenAccess &A, unsigned Bytes,
                             const Others &All) {
  if (A.Volatile || A.Op != AccessOp::Load || Bytes == 1 ||
      A.StepWrittenOut != Bytes || A.LoopTurns.front() > MostWrittenOut ||
      A.InEachTurn == 0 || A.StaysInLoops == 0 ||
      All.mayStore(A.Loop, A.ObjectSpace))
    return Bytes;
  unsigned Widest = Bytes;
  for (unsigned Wide = 2 * Bytes; Wide <= std::min(16u, MostElements * A.Bytes);
       Wide *= 2)
    if (A.FirstAlign >= Wide && A.LoopTurns.front() * Bytes % Wide == 0)
      Widest = Wide;
  return Widest;
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
                            .Assumptions = {}});
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
      Leader.Assumptions = {{Merges, AssumptionKind::Compiler}};
      for (std::size_t I = 1; I != Count; ++I)
        Out.Accesses[Chain[First + I]] = {
            .Parts = {},
            .WhyRemoved = "it is taken to be part of a wider access",
            .Assumptions = {}};
      First += Count;
    }
  }
  const Others All(Written);
  for (std::size_t A = 0; A != Written.size(); ++A) {
    CompiledAccess &Each = Out.Accesses[A];
    if (const std::string Why = whyRemoved(Written[A], All); !Why.empty()) {
      Each = {.Parts = {}, .WhyRemoved = Why, .Assumptions = {}};
    } else if (!Each.Parts.empty() && Each.Parts[0].IsAsWritten) {
      const std::string Stays = staysAsItIs(Written[A], All);
      if (!Stays.empty())
        Each.Assumptions.emplace(Stays, AssumptionKind::Compiler);
    }
    if (Each.Parts.empty())
      continue;
    CompiledPart &Part = Each.Parts.front();
    if (const unsigned Wide = bytesOfTurns(Written[A], Part.Bytes, All);
        Wide != Part.Bytes) {
      Each = {.Parts = {{.Bytes = Wide, .IsWider = true, .Pool = ~0u}},
              .WhyRemoved = {},
              .Assumptions = {{MergesTurns, AssumptionKind::Compiler}}};
    } else if (Written[A].AddsUp) {
      Part.OneLane = true;
      Part.IsAsWritten = false;
      Each.Assumptions.emplace(AddsUp, AssumptionKind::Compiler);
    } else if (Written[A].LeavesLoops) {
      Part.Hoisted = Written[A].LeavesLoops;
      Part.IsAsWritten = false;
      Each.Assumptions.emplace(MakesOnce, AssumptionKind::Compiler);
    }
  }
  return Out;
}

} // namespace cudalint
