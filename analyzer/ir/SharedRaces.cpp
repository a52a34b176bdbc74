//===- analyzer/ir/SharedRaces.cpp - Missing barriers ---------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/SharedRaces.h"

#include "analyzer/ir/AccessMarkers.h"
#include "analyzer/ir/AccessPlace.h"
#include "analyzer/ir/BarrierArrivals.h"
#include "analyzer/ir/KernelStructure.h"
#include "analyzer/ir/SymbolIdentity.h"
#include "analyzer/ir/WarpGroups.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

using namespace llvm;

namespace cudalint {

/// Words that lanes access, each time; a kernel with more is left out.
static constexpr std::size_t MostWords = 1 << 19;
static constexpr unsigned WordBytes = 4;

namespace {
/// A word between two barriers.
struct Word {
  std::size_t Barriers = 0;
  std::vector<std::int64_t> Array; ///< Equal for the same one.
  std::int64_t Number = 0;

  auto operator<=>(const Word &) const = default;
};

struct WordAccess {
  const Instruction *Inst = nullptr;
  unsigned Thread = 0;
  unsigned Turn = 0; ///< As in Request.

  unsigned warp() const { return Thread / WarpSize; }
};

/// Stores of a few threads, and loads of a few that have not stored there
/// themselves.
struct WordAccesses {
  std::vector<WordAccess> Stores, Loads;

  static void add(std::vector<WordAccess> &To, const WordAccess &A) {
    // Of many threads, those of two warps are enough to find a pair, and of
    // many turns, two.
    unsigned OfWarp = 0, OfOthers = 0;
    for (const WordAccess &Each : To) {
      if (Each.Inst != A.Inst)
        continue;
      if (Each.warp() == A.warp() && Each.Turn == A.Turn)
        return;
      ++(Each.warp() == A.warp() ? OfWarp : OfOthers);
    }
    if (OfWarp < 2 && OfWarp + OfOthers < 4)
      To.push_back(A);
  }
};

class RaceSearch {
public:
  void add(LaneArithmetic &A, const Request &R, unsigned Warp);
  void finish(unsigned Warp, const WarpOutcome &Outcome);
  bool isTooLong() const { return Words > MostWords; }
  void addTo(std::vector<SharedRace> &Out, const KernelStructure &Structure,
             const SourceFacts &Facts) const;

private:
  std::map<Word, WordAccesses> At;
  std::size_t Words = 0;
  /// Of the first warp; another that passes others ends the search.
  std::vector<const Instruction *> Barriers;
  bool HasBarriers = false, AreAlike = true;
  /// Threads that store to a word, and after how many barriers.
  std::set<std::pair<unsigned, Word>> Stored;
};
} // namespace

/// Both the lanes that make it and all of its addresses are known.
static bool isCertain(const Request &R) {
  return R.Space == MemorySpace::Shared && R.Op != AccessOp::Atomic &&
         !R.Volatile && !R.IsMatrix && !R.InCluster && R.IsSure &&
         !R.Doubtful && R.Barriers && R.Weight == 1 && !R.Repeated.Period &&
         !R.Sampled && !R.OpenLoops && R.Bytes % WordBytes == 0 &&
         !(R.Address.Assumes & ~AssumesMeeting) &&
         !(R.Address.Unknown & R.Active) && R.Address.Terms.size() == 1 &&
         R.Address.Terms[0].Coefficient == Lanes(1);
}

void RaceSearch::add(LaneArithmetic &A, const Request &R, unsigned Warp) {
  if (!isCertain(R) || isTooLong())
    return;
  Word At = {.Barriers = *R.Barriers, .Array = {}, .Number = 0};
  if (!addIdentity(A, R.Address.Terms[0].S, At.Array))
    return;
  for (unsigned L = 0; L != WarpSize; ++L) {
    if (!(R.Active >> L & 1) || R.Address.Constant[L] % WordBytes)
      continue;
    const WordAccess Each = {R.Inst, Warp * WarpSize + L, R.Turn};
    for (unsigned Part = 0; Part != R.Bytes / WordBytes; ++Part) {
      ++Words;
      At.Number = R.Address.Constant[L] / WordBytes + Part;
      WordAccesses &Of = this->At[At];
      if (R.Op == AccessOp::Store) {
        WordAccesses::add(Of.Stores, Each);
        Stored.emplace(Each.Thread, At);
      } else if (!Stored.contains({Each.Thread, At})) {
        // Who has just stored there has what it stored, which may well be what
        // all others store.
        WordAccesses::add(Of.Loads, Each);
      }
    }
  }
}

void RaceSearch::finish(unsigned Warp, const WarpOutcome &Outcome) {
  AreAlike &= !(Outcome.LeftOutUnder & ~AssumesMeeting);
  if (!std::exchange(HasBarriers, true)) {
    Barriers = Outcome.Barriers;
    return;
  }
  // Where one warp is at its last barrier that is known, another may be on.
  const std::size_t Common = std::min(Barriers.size(), Outcome.Barriers.size());
  AreAlike &= std::equal(Barriers.begin(),
                         Barriers.begin() + static_cast<std::ptrdiff_t>(Common),
                         Outcome.Barriers.begin());
  AreAlike &= Warp == 0 || Barriers.size() == Outcome.Barriers.size();
}

static Access placeOfAccess(const Instruction &I, AccessOp Op,
                            const KernelStructure &Structure,
                            const SourceFacts &Facts) {
  Access A;
  A.Op = Op;
  A.Place = Structure.placeOf(I);
  locate(A, I, Facts);
  A.Space = MemorySpace::Shared;
  A.Trust = Certainty::Exact;
  return A;
}

static bool areAlike(const SharedRace &A, const SharedRace &B) {
  return A.Load.UserWhere == B.Load.UserWhere &&
         A.Store.UserWhere == B.Store.UserWhere;
}

/// Turns are numbered as they begin, the same in warps that come to the same
/// loops: those of an inner loop behind the outer turn that they are part of.
static bool areInDifferentTurns(const KernelStructure &Structure,
                                const SharedRace &R, const WordAccess &S,
                                const WordAccess &L) {
  const Loop *OfStore = Structure.loopOf(S.Inst->getParent());
  const Loop *OfLoad = Structure.loopOf(L.Inst->getParent());
  if (!OfStore || !OfLoad)
    return false;
  if (OfStore == OfLoad)
    return S.Turn != L.Turn;
  if (OfStore->contains(OfLoad))
    return L.Turn < S.Turn;
  if (OfLoad->contains(OfStore))
    return S.Turn < L.Turn;
  // Of two loops beside each other, what is written first comes last only in
  // another turn of one around both.
  return R.Store.UserWhere.File == R.Load.UserWhere.File &&
         (R.Store.UserWhere < R.Load.UserWhere) == (L.Turn < S.Turn);
}

void RaceSearch::addTo(std::vector<SharedRace> &Out,
                       const KernelStructure &Structure,
                       const SourceFacts &Facts) const {
  if (!AreAlike || isTooLong())
    return;
  MapVector<std::pair<const Instruction *, const Instruction *>, SharedRace>
      Races;
  for (const auto &[At, Of] : At)
    for (const WordAccess &S : Of.Stores)
      for (const WordAccess &L : Of.Loads) {
        if (S.warp() == L.warp())
          continue;
        const auto [Found, IsFresh] = Races.try_emplace({S.Inst, L.Inst});
        SharedRace &Race = Found->second;
        if (IsFresh)
          Race = {.Store =
                      placeOfAccess(*S.Inst, AccessOp::Store, Structure, Facts),
                  .Load =
                      placeOfAccess(*L.Inst, AccessOp::Load, Structure, Facts),
                  .Storing = S.Thread,
                  .Loading = L.Thread};
        (areInDifferentTurns(Structure, Race, S, L) ? Race.BetweenTurns
                                                    : Race.OnTheWay) = true;
      }
  for (auto &[Insts, Race] : Races) {
    const auto Alike = llvm::find_if(
        Out, [&](const SharedRace &Other) { return areAlike(Other, Race); });
    if (Alike == Out.end()) {
      Out.push_back(std::move(Race));
      continue;
    }
    Alike->OnTheWay |= Race.OnTheWay;
    Alike->BetweenTurns |= Race.BetweenTurns;
  }
  std::ranges::stable_sort(Out, {}, [](const SharedRace &R) {
    return std::tie(R.Load.UserWhere, R.Store.UserWhere);
  });
}

/// Whether it both stores to shared memory and loads from it.
static bool mayRace(const KernelStructure &Structure) {
  bool Stores = false, Loads = false;
  for (const Instruction &I : instructions(Structure.function()))
    for (const StaticAccess &Each : Structure.accesses(I))
      if (Each.Space == MemorySpace::Shared ||
          Each.Space == MemorySpace::Generic) {
        Stores |= Each.Op == AccessOp::Store;
        Loads |= Each.Op == AccessOp::Load;
      }
  return Stores && Loads;
}

void addSharedRaces(const Function &Kernel, const LaunchShape &Shape,
                    const SourceFacts &Facts, std::vector<SharedRace> &Out) {
  const std::int64_t Threads = Shape.Block[0] * Shape.Block[1] * Shape.Block[2];
  if (!isLaunched(Shape.BlockSource) || Threads <= WarpSize ||
      !knowsAllBarriers(Kernel))
    return;
  const KernelStructure Structure(Kernel);
  if (!mayRace(Structure))
    return;
  const auto Warps = static_cast<unsigned>((Threads + WarpSize - 1) / WarpSize);
  struct RaceSink : WarpSink {
    RaceSearch &Search;
    LaneArithmetic &A;
    unsigned &Warp;
    RaceSink(RaceSearch &Search, LaneArithmetic &A, unsigned &Warp)
        : Search(Search), A(A), Warp(Warp) {}
    void add(const Request &) override {}
    void addOfWarps(const Request &R, unsigned First, unsigned Last) override {
      for (unsigned W = First; W <= Last; ++W) {
        Request Each = R;
        Each.Address = A.inWarp(R.Address, W);
        Search.add(A, Each, W);
      }
    }
    void finish(const WarpOutcome &Outcome) override {
      Search.finish(Warp++, Outcome);
    }
  };
  RaceSearch Search;
  unsigned Warp = 0;
  WarpGroups(Warps).run(Structure, Shape, BarrierWorkPerBlock / Warps,
                        [&](LaneArithmetic &A) {
                          return std::make_unique<RaceSink>(Search, A, Warp);
                        });
  Search.addTo(Out, Structure, Facts);
}

} // namespace cudalint
