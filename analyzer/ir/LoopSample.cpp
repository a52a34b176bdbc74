//===- analyzer/ir/LoopSample.cpp - Some turns for all of a long loop -----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/LaneOperations.h"
#include "analyzer/ir/WarpRun.h"

#include <numeric>

using namespace llvm;

namespace cudalint {

/// Turns that are run for the rest of a long loop: one or two of each remainder
/// by TurnPeriod.
static constexpr std::int64_t SampledTurns = 64;
static constexpr std::int64_t SampledOuterTurns = 32;
static constexpr std::int64_t TurnPeriod = 32;
/// Work for each of those turns, at least: what is left would not do for all.
static constexpr std::size_t SampledTurnWork = 8;

/// Whether every phi grows by `Step` from `Any` to `Next` in the lanes in which
/// it is followed, and takes nothing new for granted.
static bool growsBy(LaneArithmetic &A, const PhiValues &Any,
                    const PhiValues &Next, const PhiValues &Step,
                    LaneMask Active) {
  if (Next.size() != Any.size())
    return false;
  for (std::size_t K = 0; K < Any.size(); ++K) {
    const LaneMask Followed = Active & ~Any[K].Unknown;
    if (!Followed)
      continue;
    LaneValue D = A.sub(Next[K], Any[K], true);
    if (D.Assumes & ~(Any[K].Assumes | Step[K].Assumes) ||
        !A.blend(Followed, D, Step[K]).sameAs(Step[K]))
      return false;
  }
  return true;
}

/// What each phi of the header grows by in every turn from `Now` on, zero for
/// data, if that can be shown of all that are followed.
std::optional<PhiValues> WarpInterpreter::closedForm(const Region &R,
                                                     PathMask Mask,
                                                     const PhiValues &Before,
                                                     const PhiValues &Now) {
  PhiValues Step(Now.size());
  for (std::size_t K = 0; K < Now.size(); ++K) {
    LaneMask Followed = Mask.May & ~(Now[K].Unknown | Before[K].Unknown);
    Step[K] = A.blend(Followed, A.sub(Now[K], Before[K], true),
                      LaneValue::constant(Now[K].Bits, 0));
  }
  // If it holds for a turn of which nothing is known, it holds for all.
  Symbol Turn = A.makeSymbol({.Kind = SymbolKind::Counter, .Min = 0});
  PhiValues Any = Now;
  for (std::size_t K = 0; K < Now.size(); ++K)
    Any[K] =
        A.add(Now[K],
              A.mul(LaneValue::symbol(Now[K].Bits, Turn), Step[K], true), true);
  // Turns that are left out may change what private arrays hold.
  auto SavedLocals = Locals;
  if (R.StoresToLocals)
    Locals.clear();
  PhiValues Next = tryTurn(R, Mask, Any);
  Locals = std::move(SavedLocals);
  if (!growsBy(A, Any, Next, Step, Mask.May))
    return std::nullopt;
  return Step;
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
  auto SavedLocals = Locals;
  if (R.StoresToLocals)
    Locals.clear();
  PathMask First;
  tryTurn(R, Mask, Now, &First);
  auto Stays = [&](std::int64_t Turns) {
    const Symbol Turn =
        A.makeSymbol({.Kind = SymbolKind::Counter, .Min = 0, .Max = Turns - 1});
    const PhiValues Any = inTurn(A, Now, Step, Turn);
    PathMask Back, Left;
    const PhiValues Next = tryTurn(R, Mask, Any, &Back, &Left);
    return Back.May == Mask.May && !Left.May &&
           growsBy(A, Any, Next, Step, Mask.May) &&
           !(Back.Assumes & ~(First.Assumes | Mask.Assumes));
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
  Locals = std::move(SavedLocals);
  // Those that run for all are not to want for work that this took.
  Work = std::max(
      Work, std::min<std::size_t>(WorkBefore, SampledTurns * SampledTurnWork));
  return High <= Never ? std::optional(Low) : std::nullopt;
}

/// A turn of [From, To), of the wanted remainder by TurnPeriod if there is one:
/// alignments repeat, and each is to have its share.
static std::int64_t turnOfPart(std::int64_t From, std::int64_t To,
                               std::int64_t Wanted, std::int64_t Random) {
  std::int64_t Size = To - From;
  if (Size < TurnPeriod)
    return From + Random % Size;
  std::int64_t First = (Wanted - From) & (TurnPeriod - 1);
  std::int64_t Count = (Size - 1 - First) / TurnPeriod + 1;
  return From + First + Random % Count * TurnPeriod;
}

/// The address without the part that grows with the turn, moved by `Bytes`.
static LaneValue movedBy(const LaneValue &Address, Symbol Turn,
                         std::uint64_t Bytes) {
  LaneValue R = Address;
  std::erase_if(R.Terms, [&](const Term &T) { return T.S == Turn; });
  R.Constant = R.Constant.map([=](std::int64_t X) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(X) + Bytes);
  });
  return R;
}

/// Adds what the loop itself accesses at addresses that move by the same number
/// of bytes in each of the next `Turns` turns, in which no lane leaves: as the
/// cost depends on the remainder by 256 bytes alone, it is as often what it is
/// in a few turns as those remainders come up. Nothing is left out by that.
void WarpInterpreter::addPeriodic(const Region &R, PathMask Mask,
                                  const PhiValues &Now, const PhiValues &Step,
                                  std::int64_t Turns) {
  const Symbol Turn =
      A.makeSymbol({.Kind = SymbolKind::Counter, .Min = 0, .Max = Turns - 1});
  const PhiValues Any = inTurn(A, Now, Step, Turn);
  auto SavedLocals = Locals;
  if (R.StoresToLocals)
    Locals.clear();
  Probe Found{.Loop = R.Loop, .Mask = Mask};
  Probe *Outer = std::exchange(Probed, &Found);
  tryTurn(R, Mask, Any);
  Probed = Outer;
  Locals = std::move(SavedLocals);

  std::uint32_t Assumed = Mask.Assumes;
  for (const LaneValue &V : Now)
    Assumed |= V.Assumes;
  // What is computed from the turn, but is no multiple of it, is made after it.
  auto IsUneven = [&](const Term &T, LaneMask Active) {
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
}

/// Runs some of the next `Turns` turns, in which no lane leaves, for all of
/// them: one of each of as many equal parts. False, and nothing is run, if
/// there is not enough work for that.
bool WarpInterpreter::runSample(const Region &R, PathMask Mask,
                                const PhiValues &Now, const PhiValues &Step,
                                std::int64_t Turns) {
  const std::int64_t Parts = std::min<std::int64_t>(
      Turns, R.hasLoops() ? SampledOuterTurns : SampledTurns);
  if (Work < static_cast<std::size_t>(Parts) * SampledTurnWork)
    return false;
  const bool IsSampled = Parts < Turns;
  auto AddedOutside = AddedForAll;
  if (IsSampled) {
    Outcome.Sampled.insert(R.Loop);
    if (!DoublingDepth)
      addPeriodic(R, Mask, Now, Step, Turns);
    ++SampledDepth;
  }
  double Whole = std::exchange(Weight, Weight * static_cast<double>(Turns) /
                                           static_cast<double>(Parts));
  std::uint32_t Random = 1;
  std::int64_t Part = 0;
  bool Stayed = true;
  for (; Part < Parts && Stayed && Work; ++Part) {
    // Loops inside may not use up what later turns need.
    std::size_t Share = Work / static_cast<std::size_t>(Parts - Part + 1) + 1;
    std::size_t Later = Work - std::min(Work, Share);
    Work = std::min(Work, Share);
    Random = Random * 1664525 + 1013904223;
    PhiValues Phis =
        afterTurns(Now, Step,
                   turnOfPart(Turns * Part / Parts, Turns * (Part + 1) / Parts,
                              Part * 13, Random >> 8));
    if (R.StoresToLocals)
      Locals.clear();
    runItems(R, R.Loop->getHeader(), Mask, &Phis);
    PhiValues Next;
    Stayed = takeIncoming(R.Loop->getHeader(), Next, R.Latches).May == Mask.May;
    Work += Later;
  }
  Weight = Whole;
  SampledDepth -= IsSampled;
  AddedForAll = std::move(AddedOutside);
  if (R.StoresToLocals)
    Locals.clear();
  // Neither is to be; what was run is what is known, then.
  if (Part < Parts || !Stayed)
    Outcome.CutShort.insert(R.Loop);
  return true;
}

} // namespace cudalint
