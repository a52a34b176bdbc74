//===- analyzer/ir/LoopSample.cpp - Some turns for all of a long loop -----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/LaneOperations.h"
#include "analyzer/ir/WarpRun.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

#include <cmath>
#include <numeric>
#include <vector>

using namespace llvm;

namespace cudalint {

/// Turns that are run for the rest of a long loop, at least; more where there
/// is work for them, and all of them where that is enough.
static constexpr std::int64_t SampledTurns = 64;
static constexpr std::int64_t SampledOuterTurns = 32;
static constexpr std::int64_t MostSampledTurns = 16384;
/// Work for an outer turn, at least: of its inner loops, the first turns and
/// some of the others.
static constexpr std::size_t OuterTurnWork = 2048;
/// Of the work that is left, this part is for one loop; that of a loop that is
/// run again in each turn of another one is for many.
static constexpr std::size_t PartForLoop = 4;
static constexpr std::size_t PartForInnerLoop = 32;
/// Work for each of those turns, at least: what is left would not do for all.
static constexpr std::size_t SampledTurnWork = 8;

/// Whether every phi grows by `Step` from `Any` to `Next` in the lanes in which
/// it is followed, and takes nothing new for granted but what is `Granted`.
static bool growsBy(LaneArithmetic &A, const PhiValues &Any,
                    const PhiValues &Next, const PhiValues &Step,
                    LaneMask Active, std::uint32_t Granted = 0) {
  if (Next.size() != Any.size())
    return false;
  for (std::size_t K = 0; K < Any.size(); ++K) {
    const LaneMask Followed = Active & ~Any[K].Unknown;
    if (!Followed)
      continue;
    LaneValue D = A.sub(Next[K], Any[K], true);
    if (A.dependsOnWarp(D))
      A.tellWarpsApart();
    if (D.Assumes & ~(Any[K].Assumes | Step[K].Assumes | Granted) ||
        !A.blend(Followed, D, Step[K]).sameAs(Step[K]))
      return false;
  }
  return true;
}

/// What each phi of the header grows by in every turn from `Now` on, zero for
/// data, if that can be shown of all that are followed.
std::optional<WarpInterpreter::ClosedForm>
WarpInterpreter::closedForm(const Region &R, PathMask Mask,
                            const PhiValues &Before, const PhiValues &Now) {
  PhiValues Step(Now.size());
  for (std::size_t K = 0; K < Now.size(); ++K) {
    LaneMask Followed = Mask.May & ~(Now[K].Unknown | Before[K].Unknown);
    Step[K] = A.blend(Followed, A.sub(Now[K], Before[K], true),
                      LaneValue::constant(Now[K].Bits, 0));
  }
  // If it holds for a turn of which nothing is known, it holds for all. Where a
  // lane leaves the loop is not known of such a turn; those that are run are
  // asked again.
  Symbol Turn = A.makeSymbol({.Kind = SymbolKind::Counter, .Min = 0});
  PhiValues Any = Now;
  for (std::size_t K = 0; K < Now.size(); ++K)
    Any[K] =
        A.add(Now[K],
              A.mul(LaneValue::symbol(Now[K].Bits, Turn), Step[K], true), true);
  const PhiValues Next = tryLaterTurn(R, Mask, Any).Next;
  if (!growsBy(A, Any, Next, Step, Mask.May, AssumesAllLanes))
    return std::nullopt;
  const bool IsLeftByLane = !growsBy(A, Any, Next, Step, Mask.May);
  return ClosedForm{std::move(Step), IsLeftByLane};
}

PhiValues WarpInterpreter::afterTurns(const PhiValues &Now,
                                      const PhiValues &Step,
                                      std::int64_t Turns) {
  PhiValues Then = Now;
  for (std::size_t K = 0; K < Now.size(); ++K)
    Then[K] = A.add(
        Now[K], A.mul(LaneValue::constant(Now[K].Bits, Turns), Step[K], true),
        true);
  return Then;
}

/// The phis in turn `Turn` from `Now` on.
static PhiValues inTurn(LaneArithmetic &A, const PhiValues &Now,
                        const PhiValues &Step, Symbol Turn) {
  PhiValues Then = Now;
  for (std::size_t K = 0; K < Now.size(); ++K)
    Then[K] =
        A.add(Now[K], A.mul(LaneValue::symbol(Now[K].Bits, Turn), Step[K]));
  return Then;
}

/// Turns from `Now` on of which it can be shown that no lane leaves in them:
/// a turn that stands for any of them takes no exit. Looks in doubling
/// distances for how many those are; empty if there is no end to them.
std::optional<std::int64_t>
WarpInterpreter::turnsUntilExit(const Region &R, PathMask Mask,
                                const PhiValues &Now, const PhiValues &Step) {
  const std::size_t WorkBefore = Work;
  const PathMask First = tryLaterTurn(R, Mask, Now).Back;
  auto Stays = [&](std::int64_t Turns) {
    const Symbol Turn =
        A.makeSymbol({.Kind = SymbolKind::Counter, .Min = 0, .Max = Turns - 1});
    const PhiValues Any = inTurn(A, Now, Step, Turn);
    const Trial Each = tryLaterTurn(R, Mask, Any);
    return Each.Back.May == Mask.May && !Each.Left.May &&
           growsBy(A, Any, Each.Next, Step, Mask.May) &&
           !(Each.Back.Assumes & ~(First.Assumes | Mask.Assumes));
  };
  constexpr std::int64_t Never = std::int64_t(1) << 31;
  std::int64_t Low = 0, High = 1;
  for (; High <= Never && Stays(High); High *= 2)
    Low = High;
  if (High <= Never)
    while (High - Low > 1) {
      const std::int64_t Middle = Low + (High - Low) / 2;
      (Stays(Middle) ? Low : High) = Middle;
    }
  // Those that run for all are not to want for work that this took.
  Work = std::max(
      Work, std::min<std::size_t>(WorkBefore, SampledTurns * SampledTurnWork));
  return High <= Never ? std::optional(Low) : std::nullopt;
}

static bool isPrime(std::int64_t N) {
  for (std::int64_t D = 2; D * D <= N; ++D)
    if (N % D == 0)
      return false;
  return N > 1;
}

namespace {
/// A turn that is run for so many, itself among them.
struct SampleTurn {
  std::int64_t Turn = 0;
  double Weight = 1;
};
} // namespace

/// About `Wanted` of `Turns` turns, ascending, that stand for all: as many from
/// each part of the loop, and of what repeats after any number of turns that is
/// below 37, or a power of two, as many of each. So they are a prime number of
/// turns apart, or else several of every 37. `Phase`, below 1, moves them all:
/// what is a little more than its share in one warp is a little less in others.
static std::vector<SampleTurn> turnsForAll(std::int64_t Turns,
                                           std::int64_t Wanted, double Phase) {
  constexpr std::int64_t LeastPrime = 37;
  std::int64_t Distance = std::max(LeastPrime, Turns / Wanted);
  while (!isPrime(Distance))
    ++Distance;
  std::vector<SampleTurn> Sample;
  for (std::int64_t First = 0; First < Turns; First += Distance) {
    // The last of these parts may be short.
    const std::int64_t Size = std::min(Distance, Turns - First);
    const std::int64_t Count = std::max<std::int64_t>(Wanted * Size / Turns, 1);
    for (std::int64_t K = 0; K < Count; ++K)
      Sample.push_back(
          {First + static_cast<std::int64_t>((static_cast<double>(K) + Phase) *
                                             static_cast<double>(Size) /
                                             static_cast<double>(Count)),
           static_cast<double>(Size) / static_cast<double>(Count)});
  }
  return Sample;
}

/// The address without the part that grows with the turn, moved by `Bytes`.
static LaneValue movedBy(const LaneValue &Address, Symbol Turn,
                         std::uint64_t Bytes) {
  LaneValue R = Address;
  llvm::erase_if(R.Terms, [&](const Term &T) { return T.S == Turn; });
  R.Constant = R.Constant.map([=](std::int64_t X) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(X) + Bytes);
  });
  return R;
}

/// Adds what the loop itself accesses at addresses that move by the same number
/// of bytes in each of the next `Turns` turns, in which no lane leaves: as the
/// cost depends on the remainder by 256 bytes alone, it is as often what it is
/// in a few turns as those remainders come up. Nothing is left out by that.
/// Whether that was all that these turns do to memory.
bool WarpInterpreter::addPeriodic(const Region &R, PathMask Mask,
                                  const PhiValues &Now, const PhiValues &Step,
                                  std::int64_t Turns) {
  const Symbol Turn =
      A.makeSymbol({.Kind = SymbolKind::Counter, .Min = 0, .Max = Turns - 1});
  const PhiValues Any = inTurn(A, Now, Step, Turn);
  TurnProbe Found{.Loop = R.Loop, .Mask = Mask};
  RunContext As = Context;
  As.For = RunPurpose::Values;
  As.Probed = &Found;
  tryLaterTurn(R, Mask, Any, As);

  std::uint32_t Assumed = Mask.Assumes | State.MeetLater;
  for (const LaneValue &V : Now)
    Assumed |= V.Assumes;
  // What is computed from the turn, but is no multiple of it, is made after it.
  auto IsUneven = [&](const Term &T, LaneMask Active) {
    if (T.S > Turn && A.info(T.S).ByWarp)
      A.tellWarpsApart();
    return T.S == Turn ? !T.Coefficient.isUniformIn(Active)
                       : T.S > Turn && A.info(T.S).Kind != SymbolKind::Object;
  };
  for (const Request &Each : Found.Requests)
    if (Each.Address.Unknown & Each.Active || Each.Address.Assumes & ~Assumed ||
        std::ranges::any_of(Each.Address.Terms, [&](const Term &T) {
          return IsUneven(T, Each.Active);
        }))
      Found.Uneven.insert(Each.Inst);
  for (Request &Each : Found.Requests) {
    if (Found.Uneven.contains(Each.Inst))
      continue;
    AddedForAll.insert(Each.Inst);
    constexpr std::uint64_t Line = 256;
    std::int64_t Move = 0;
    for (const Term &T : Each.Address.Terms)
      if (T.S == Turn)
        Move = T.Coefficient[static_cast<unsigned>(countr_zero(Each.Active))];
    const std::int64_t Period = std::min(
        Turns,
        static_cast<std::int64_t>(Line / std::gcd(Line, magnitude(Move))));
    Work -= std::min(Work, static_cast<std::size_t>(Period));
    const LaneValue Address = Each.Address;
    const double Whole = Each.Weight;
    for (std::int64_t K = 0; K < Period; ++K) {
      Each.Address = movedBy(Address, Turn,
                             static_cast<std::uint64_t>(K) *
                                 static_cast<std::uint64_t>(Move));
      Each.Repeated = {K, Period, Turns, Move};
      Each.Weight =
          Whole * static_cast<double>((Turns - K + Period - 1) / Period);
      Sink(Each);
    }
  }
  // What a turn that stands for any of them does not come to, none does.
  std::set<const Instruction *> Reached;
  for (const Request &Each : Found.Requests)
    Reached.insert(Each.Inst);
  for (const BasicBlock *Block : R.Loop->blocks())
    if (Kernel.loopOf(Block) == R.Loop)
      for (const Instruction &Each : *Block)
        if (Each.mayReadOrWriteMemory() && !Reached.contains(&Each))
          AddedForAll.insert(&Each);
  Outcome.Operations.add(Found.Operations, static_cast<double>(Turns));
  AddedForAll.insert(Found.Counted.begin(), Found.Counted.end());
  const bool IsAll = Found.Uneven.empty() && !R.hasLoops();
  if (IsAll && Found.HasMoreOperations)
    Outcome.WhyNotCounted =
        "a condition decides whether some of them run that is not known";
  return IsAll;
}

/// Runs the next `Turns` turns, in which no lane leaves: those that cost what
/// can be told of all at once that way, of the others as many as there is work
/// for, which stand for all. `TurnWork` is that of one turn. False, and nothing
/// is run, if there is not enough of it.
bool WarpInterpreter::runSample(const Region &R, PathMask Mask,
                                const PhiValues &Now, const ClosedForm &Form,
                                std::int64_t Turns, std::size_t TurnWork) {
  const std::int64_t Least =
      std::min(Turns, R.hasLoops() ? SampledOuterTurns : SampledTurns);
  if (Work < static_cast<std::size_t>(Least) * SampledTurnWork)
    return false;
  auto AddedOutside = AddedForAll;
  if (!Context.IsDoubling && addPeriodic(R, Mask, Now, Form.Step, Turns)) {
    AddedForAll = std::move(AddedOutside);
    if (R.StoresToLocals)
      State.Locals.clear();
    return true;
  }
  const std::size_t Affordable =
      Work / (R.Loop->getParentLoop() ? PartForInnerLoop : PartForLoop) /
      std::max<std::size_t>(TurnWork, R.hasLoops() ? OuterTurnWork : 1);
  const std::int64_t Wanted = std::max(
      Least, std::min(MostSampledTurns, static_cast<std::int64_t>(Affordable)));
  const bool IsSampled = Wanted < Turns;
  llvm::SaveAndRestore Saved(Context);
  const bool IsOutermost = IsSampled && !Context.IsSampled;
  Context.IsSampled |= IsSampled;
  std::vector<SampleTurn> Sample;
  if (IsSampled) {
    Outcome.Sampled.insert(R.Loop);
    for (const llvm::BasicBlock *Block : R.Loop->blocks())
      for (const llvm::Instruction &Each : *Block)
        if (Each.mayReadOrWriteMemory() && !AddedForAll.contains(&Each))
          Outcome.SampledAccesses.insert({R.Loop, &Each});
    // In the middle for the first warp, and where there are few.
    if (!R.hasLoops() && A.areSeveralWarps())
      A.tellWarpsApart(); // Each warp's turns are others.
    constexpr double GoldenRatio = 0.6180339887498949;
    const double Phase = 0.5 + (R.hasLoops() ? 0 : Warp * GoldenRatio);
    Sample = turnsForAll(Turns, Wanted, Phase - std::floor(Phase));
  } else {
    for (std::int64_t Turn = 0; Turn < Turns; ++Turn)
      Sample.push_back({Turn});
  }
  const double Whole = Context.Weight;
  std::size_t Done = 0;
  bool Stayed = true;
  // The turns in which lanes leave come after these. Half is chosen.
  const std::size_t Kept = Form.IsLeftByLane ? Work / 2 : 0;
  for (; Done < Sample.size() && Stayed && Work; ++Done) {
    // Loops inside may not use up what later turns need.
    std::size_t Share =
        (Work - std::min(Work, Kept)) / (Sample.size() - Done + 1) + 1;
    std::size_t Later = Work - std::min(Work, Share);
    Work = std::min(Work, Share);
    Context.Weight = Whole * Sample[Done].Weight;
    if (IsOutermost)
      Context.SampledTurn = Sample[Done].Turn;
    PhiValues Phis = afterTurns(Now, Form.Step, Sample[Done].Turn);
    // Turns that are left out may change what private arrays hold.
    if (R.StoresToLocals && IsSampled)
      State.Locals.clear();
    runItems(R, R.Loop->getHeader(), Mask, &Phis);
    PhiValues Next;
    Stayed = takeIncoming(R.Loop->getHeader(), Next, R.Latches).May == Mask.May;
    Work += Later;
  }
  AddedForAll = std::move(AddedOutside);
  if (R.StoresToLocals && IsSampled)
    State.Locals.clear();
  // Neither is to be; what was run is what is known, then.
  if (Done < Sample.size() || !Stayed)
    Outcome.CutShort.insert(R.Loop);
  return true;
}

} // namespace cudalint
