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
/// all that goes into it is known, who takes part among it.
///
//===----------------------------------------------------------------------===//

#include "analyzer/ir/LaneOperations.h"
#include "analyzer/ir/ValueEvaluator.h"

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

} // namespace cudalint
