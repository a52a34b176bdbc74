//===- analyzer/ir/WarpVotes.cpp - Votes, matches and reductions ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the lanes of a warp tell each other but for shuffles. A number where
/// all that goes into it is known, who takes part among it; else, of a vote,
/// what lanes count in it.
///
//===----------------------------------------------------------------------===//

#include "analyzer/ir/DataOrigin.h"
#include "analyzer/ir/LaneOperations.h"
#include "analyzer/ir/ValueEvaluator.h"

#include "llvm/IR/IntrinsicInst.h"

#include <bit>

using namespace llvm;

namespace cudalint {

/// Calls `F` with each lane of the mask.
template <typename Function> static void forEach(LaneMask Mask, Function F) {
  for (; Mask; Mask &= Mask - 1)
    F(static_cast<unsigned>(std::countr_zero(Mask)));
}

/// The lanes that an operand names as those that take part, of those that are
/// there; empty where it is not known.
static std::optional<LaneMask> participants(const LaneValue &Named,
                                            LaneMask Active) {
  if (!Named.isConstantIn(Active) || !Named.Constant.isUniformIn(Active) ||
      !Active)
    return std::nullopt;
  return static_cast<LaneMask>(
             Named.Constant[static_cast<unsigned>(std::countr_zero(Active))]) &
         Active;
}

/// The lanes that surely say yes, and those that may.
static std::pair<LaneMask, LaneMask> votes(const LaneValue &Predicate,
                                           LaneMask Lanes, LaneMask Doubtful) {
  LaneMask Surely = 0, Maybe = 0;
  forEach(Lanes, [&](unsigned L) {
    const LaneMask Bit = LaneMask(1) << L;
    const bool IsKnown = Predicate.isConstantIn(Bit);
    if (IsKnown && !Predicate.Constant[L])
      return;
    Maybe |= Bit;
    if (IsKnown && !(Doubtful & Bit))
      Surely |= Bit;
  });
  return {Surely, Maybe};
}

/// `llvm.nvvm.vote.*`: over the lanes that the first operand names, with
/// ".sync", else over those that are there.
std::optional<LaneValue> ValueEvaluator::vote(const CallInst &I, StringRef Name,
                                              LaneMask Active,
                                              LaneMask Doubtful) {
  const bool IsSync = Name.contains(".sync");
  LaneValue Predicate = get(I.getArgOperand(IsSync));
  LaneMask Lanes = Active;
  std::uint32_t Assumes = Predicate.Assumes;
  if (IsSync) {
    const LaneValue Named = get(I.getArgOperand(0));
    const auto Known = participants(Named, Active);
    if (!Known)
      return std::nullopt;
    Lanes = *Known;
    Assumes |= Named.Assumes;
  }
  const auto [Yes, MaybeYes] = votes(Predicate, Lanes, Doubtful);
  LaneValue R = LaneValue::constant(bitsOf(I.getType()), 0);
  R.Assumes = Assumes;
  if (Name.starts_with("ballot")) {
    if (Yes != MaybeYes)
      return std::nullopt;
    R.Constant = reduce(cudalint::Lanes(std::int64_t(Yes)), R.Bits);
    return R;
  }
  if (Name.starts_with("any")) {
    if (!Yes && MaybeYes)
      return std::nullopt;
    R.Constant = cudalint::Lanes(Yes != 0);
    return R;
  }
  if (!Name.starts_with("all"))
    return std::nullopt;
  // Lanes that are not there do not object.
  const bool Objects = (Lanes & ~MaybeYes & ~Doubtful) != 0;
  const bool Agree = MaybeYes == Lanes && Predicate.isConstantIn(Lanes);
  if (!Objects && !Agree)
    return std::nullopt;
  R.Constant = cudalint::Lanes(Agree);
  return R;
}

/// `llvm.nvvm.match.any.sync`: in each lane, those that have the same value.
std::optional<LaneValue> ValueEvaluator::matchAny(const CallInst &I,
                                                  LaneMask Active,
                                                  LaneMask Doubtful) {
  const LaneValue Named = get(I.getArgOperand(0)), V = get(I.getArgOperand(1));
  const auto Known = participants(Named, Active);
  if (!Known || *Known & (Doubtful | V.Unknown) ||
      !std::ranges::all_of(V.Terms, [&](const Term &T) {
        return T.Coefficient.isUniformIn(*Known);
      }))
    return std::nullopt;
  std::array<std::int64_t, WarpSize> Same = {};
  forEach(*Known, [&](unsigned L) {
    forEach(*Known, [&](unsigned K) {
      if (V.Constant[L] == V.Constant[K])
        Same[L] |= std::int64_t(1) << K;
    });
  });
  LaneValue R = LaneValue::constant(bitsOf(I.getType()), Lanes(Same));
  R.Assumes = V.Assumes | Named.Assumes;
  return R;
}

/// `llvm.nvvm.redux.sync.*`
std::optional<LaneValue> ValueEvaluator::reduction(const CallInst &I,
                                                   StringRef Name,
                                                   LaneMask Active,
                                                   LaneMask Doubtful) {
  const LaneValue V = get(I.getArgOperand(0)), Named = get(I.getArgOperand(1));
  const auto Known = participants(Named, Active);
  if (!Known || !*Known || *Known & Doubtful || !V.isConstantIn(*Known) ||
      !I.getType()->isIntegerTy(32))
    return std::nullopt;
  std::optional<std::uint32_t> Sum;
  bool IsKnown = true;
  forEach(*Known, [&](unsigned L) {
    const auto X = static_cast<std::uint32_t>(V.Constant[L]);
    const std::uint32_t S = Sum.value_or(X);
    const auto Signed = [](std::uint32_t Y) {
      return static_cast<std::int32_t>(Y);
    };
    if (!Sum)
      Sum = X;
    else if (Name == "add")
      Sum = S + X;
    else if (Name == "and")
      Sum = S & X;
    else if (Name == "or")
      Sum = S | X;
    else if (Name == "xor")
      Sum = S ^ X;
    else if (Name == "umin")
      Sum = std::min(S, X);
    else if (Name == "umax")
      Sum = std::max(S, X);
    else if (Name == "min")
      Sum = Signed(X) < Signed(S) ? X : S;
    else if (Name == "max")
      Sum = Signed(X) > Signed(S) ? X : S;
    else
      IsKnown = false;
  });
  if (!IsKnown)
    return std::nullopt;
  LaneValue R = LaneValue::constant(32, std::int64_t(*Sum));
  R.Assumes = V.Assumes | Named.Assumes;
  return R;
}

std::optional<LaneValue> ValueEvaluator::exchange(const CallInst &I,
                                                  StringRef Name,
                                                  LaneMask Active,
                                                  LaneMask Doubtful) {
  if (!Name.consume_front("llvm.nvvm.") || !I.getType()->isIntegerTy())
    return std::nullopt;
  if (Name.consume_front("vote."))
    return vote(I, Name, Active, Doubtful);
  if (Name.starts_with("match.any.sync."))
    return matchAny(I, Active, Doubtful);
  if (Name.consume_front("redux.sync."))
    return reduction(I, Name, Active, Doubtful);
  if (Name == "activemask" && !Doubtful) {
    // Nothing but habit makes lanes that parted meet again.
    LaneValue R = LaneValue::constant(32, std::int64_t(Active));
    if (Active != Existing)
      R.Assumes = AssumesAllLanes;
    return R;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Votes that data decides
//===----------------------------------------------------------------------===//

/// The result of a vote that is not known: one number for all that take part.
LaneValue ValueEvaluator::openVote(const CallInst &I, StringRef Name,
                                   LaneMask Active, unsigned Picked) {
  const bool IsSync = Name.contains("vote") && Name.contains(".sync");
  std::optional<LaneMask> Named = Active;
  if (IsSync) {
    const LaneValue Mask = get(I.getArgOperand(0));
    // Groups of lanes that vote among themselves.
    if (!Mask.isUniformIn(Active))
      return LaneValue::unknown(bitsOf(I.getType()));
    Named = participants(Mask, Active);
  }
  if (I.getType()->isStructTy())
    return LaneValue::unknown(bitsOf(I.getType()));
  LaneValue R = uniform(I, SymbolKind::Opaque, {});
  if (!I.getType()->isIntegerTy(32) || Named != Active ||
      Picked == LaneChoice::Mixed)
    return R;
  LaneVote Vote = {.Told = &I, .Lanes = Active, .Set = Picked};
  const bool IsBallot = Name.contains("ballot");
  const Value *Predicate = IsBallot ? I.getArgOperand(IsSync) : nullptr;
  const LaneValue Says = Predicate ? get(Predicate) : LaneValue::constant(1, 1);
  if (Says.isConstantIn(Active)) {
    // Who is there says yes, as in an activemask; that data has not picked
    // these lanes is no vote.
    bool SayYes = Picked != 0;
    forEach(Active, [&](unsigned L) { SayYes &= Says.Constant[L] != 0; });
    if (!SayYes)
      return R;
  } else if ((Says.Unknown & Active) != Active ||
             !isByData(*Predicate, Active, I, *this)) {
    return R;
  } else {
    Vote.Predicate = Predicate;
  }
  Votes.addMask(R.Terms[0].S, std::move(Vote));
  return R;
}

/// Of a number of 32 bits whose bits are those of a vote, moved or masked: the
/// vote, and the bits that are left of it in each lane.
static std::optional<std::pair<Symbol, std::array<LaneMask, WarpSize>>>
bitsOfVote(const Value &V, const Instruction &At, LaneMask Active,
           ValueEvaluator &Values, bool MayShift) {
  if (!isKept(V, At) || !V.getType()->isIntegerTy(32))
    return std::nullopt;
  std::array<LaneMask, WarpSize> Of;
  const LaneValue Whole = Values.get(&V);
  if (!(Whole.Unknown & Active) && Whole.Terms.size() == 1 &&
      Whole.Terms[0].Coefficient == Lanes(1) && Whole.Constant.isZero() &&
      Values.laneVotes().isMask(Whole.Terms[0].S)) {
    Of.fill(AllLanes);
    return std::pair(Whole.Terms[0].S, Of);
  }
  auto *Op = dyn_cast<BinaryOperator>(&V);
  if (!Op || !isKept(*Op->getOperand(0), At) || !isKept(*Op->getOperand(1), At))
    return std::nullopt;
  const unsigned Code = Op->getOpcode();
  const bool IsShift = Code == Instruction::Shl || Code == Instruction::LShr;
  if (Code != Instruction::And && !(IsShift && MayShift))
    return std::nullopt;
  for (const unsigned K : {0u, 1u}) {
    const LaneValue Known = Values.get(Op->getOperand(K));
    if (!Known.isConstantIn(Active) || (IsShift && K == 0))
      continue;
    auto Bits = bitsOfVote(*Op->getOperand(1 - K), At, Active, Values,
                           /*MayShift=*/false);
    if (!Bits)
      return std::nullopt;
    forEach(Active, [&](unsigned L) {
      const auto By = static_cast<LaneMask>(Known.Constant[L]);
      // PTX shifts by 32 and more leave nothing.
      Bits->second[L] &= !IsShift                   ? By
                         : By >= WarpSize           ? 0
                         : Code == Instruction::Shl ? AllLanes >> By
                                                    : AllLanes << By;
    });
    return Bits;
  }
  return std::nullopt;
}

/// `__popc(mask & lanes_below)`, however that is spelt: how many of other lanes
/// say yes. Of all lanes it is one number as any other.
std::optional<LaneValue> ValueEvaluator::count(const CallInst &I,
                                               LaneMask Active) {
  if (I.getIntrinsicID() != Intrinsic::ctpop ||
      !I.getArgOperand(0)->getType()->isIntegerTy(32) || !Active)
    return std::nullopt;
  const auto Bits =
      bitsOfVote(*I.getArgOperand(0), I, Active, *this, /*MayShift=*/true);
  if (!Bits)
    return std::nullopt;
  const auto &Of = Bits->second;
  bool IsOne = true;
  const auto First = static_cast<unsigned>(std::countr_zero(Active));
  forEach(Active, [&](unsigned L) { IsOne &= Of[L] == Of[First]; });
  if (IsOne)
    return std::nullopt;
  std::optional<LaneValue> R =
      Votes.count(Bits->first, Of, bitsOf(I.getType()));
  if (!R)
    return std::nullopt;
  R->Unknown = ~Active;
  Counting.insert(&I);
  return R;
}

std::optional<LaneValue> ValueEvaluator::numbersOf(const Instruction &I,
                                                   LaneMask Active,
                                                   unsigned Picked) {
  if (!Kernel.isAddedUp(I) || Picked == LaneChoice::Mixed)
    return std::nullopt;
  const auto [Predicate, Wanted] = zeroOrOne(I);
  if ((get(Predicate).Unknown & Active) != Active || !Active ||
      !isByData(*Predicate, Active, I, *this))
    return std::nullopt;
  std::optional<LaneValue> R = Votes.numbers({.Predicate = Predicate,
                                              .Wanted = Wanted,
                                              .Lanes = Active,
                                              .Set = Picked},
                                             bitsOf(I.getType()));
  if (R)
    Counting.insert(&I);
  return R;
}

} // namespace cudalint
