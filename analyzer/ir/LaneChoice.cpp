//===- analyzer/ir/LaneChoice.cpp - Comparisons, selections and merges ----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/LaneOperations.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>
#include <utility>

namespace cudalint {

static bool isUnsigned(LaneArithmetic::Predicate P) {
  using enum LaneArithmetic::Predicate;
  return P == ULT || P == ULE || P == UGT || P == UGE;
}

static bool holds(LaneArithmetic::Predicate P, std::int64_t A, std::int64_t B,
                  unsigned Bits) {
  using enum LaneArithmetic::Predicate;
  std::uint64_t UA = unsignedOf(A, Bits), UB = unsignedOf(B, Bits);
  switch (P) {
  case EQ:
    return A == B;
  case NE:
    return A != B;
  case ULT:
    return UA < UB;
  case ULE:
    return UA <= UB;
  case UGT:
    return UA > UB;
  case UGE:
    return UA >= UB;
  case SLT:
    return A < B;
  case SLE:
    return A <= B;
  case SGT:
    return A > B;
  case SGE:
    return A >= B;
  }
  return false;
}

/// Whether `P` is decided by the interval of A - B: yes, no or not decided.
static std::optional<bool> decide(LaneArithmetic::Predicate P, Range D) {
  using enum LaneArithmetic::Predicate;
  switch (P) {
  case EQ:
  case NE:
    if (D.Min > 0 || D.Max < 0)
      return P == NE;
    if (D.Min == 0 && D.Max == 0)
      return P == EQ;
    return std::nullopt;
  case ULT:
  case SLT:
    return D.Max < 0    ? std::optional(true)
           : D.Min >= 0 ? std::optional(false)
                        : std::nullopt;
  case ULE:
  case SLE:
    return D.Max <= 0  ? std::optional(true)
           : D.Min > 0 ? std::optional(false)
                       : std::nullopt;
  case UGT:
  case SGT:
    return D.Min > 0    ? std::optional(true)
           : D.Max <= 0 ? std::optional(false)
                        : std::nullopt;
  case UGE:
  case SGE:
    return D.Min >= 0  ? std::optional(true)
           : D.Max < 0 ? std::optional(false)
                       : std::nullopt;
  }
  return std::nullopt;
}

/// The value with its constants as unsigned integers, where they are all there
/// is; those of 64 bits have no room for that.
static LaneValue withUnsignedConstants(LaneValue V) {
  for (unsigned L = 0; L < WarpSize && V.Bits < 64; ++L)
    if (LaneMask Bit = LaneMask(1) << L;
        V.Constant[L] < 0 && V.isConstantIn(Bit))
      V.Constant = Lanes::blend(
          Bit,
          Lanes(static_cast<std::int64_t>(unsignedOf(V.Constant[L], V.Bits))),
          V.Constant);
  return V;
}

/// As an unsigned integer, what is negative in a lane is so much more; nothing
/// where some of its values are negative and others are not.
static std::optional<__int128> moreAsUnsigned(const std::optional<Range> &R,
                                              unsigned Bits) {
  if (!R || R->Min >= 0)
    return 0;
  if (R->Max < 0)
    return __int128(1) << Bits;
  return std::nullopt;
}

static bool isHuge(std::int64_t V) {
  return magnitude(V) > std::uint64_t(1) << 61;
}

namespace {
/// Two values that are compared, as integers, which do not wrap.
struct Comparison {
  LaneArithmetic::Predicate P;
  const LaneValue &A, &B;
  LaneValue X, Y, Difference;
  /// Both polynomials are the integers that are compared; equality needs that
  /// only where a range decides it.
  bool IsFaithful;
  /// Of sizes, the type alone says that they may be negative.
  bool AreIndices = false;
  /// A power of two that divides the difference but for its constant.
  std::uint64_t Power = 1;

  std::optional<bool> inLane(const LaneArithmetic &Of, unsigned L,
                             std::uint32_t &Assumes) const;
};
} // namespace

/// The answer in a lane, if there is one, and what it takes for granted.
std::optional<bool> Comparison::inLane(const LaneArithmetic &Of, unsigned L,
                                       std::uint32_t &Assumes) const {
  using enum LaneArithmetic::Predicate;
  const LaneMask Bit = LaneMask(1) << L;
  if (A.isConstantIn(Bit) && B.isConstantIn(Bit))
    return holds(P, A.Constant[L], B.Constant[L], A.Bits);
  const bool Equality = P == EQ || P == NE;
  if (Equality && Power > 1 && (Difference.Constant[L] & (Power - 1)))
    return P == NE;
  const bool Same = Difference.isConstantIn(Bit);
  if (Equality && Same)
    return (canonical(static_cast<std::uint64_t>(Difference.Constant[L]),
                      A.Bits) == 0) == (P == EQ);
  // Of 64 bits, a factor of the difference may be none that fits, nor itself.
  if (A.Bits == 64 &&
      (Difference.MayWrap || isHuge(X.Constant[L]) || isHuge(Y.Constant[L])))
    return std::nullopt;
  std::optional<Range> Interval = Of.range(Difference, L);
  if (!Interval)
    return std::nullopt;
  // The range of a difference of symbols can exceed the width; that only makes
  // it less decisive.
  if (Same)
    Interval = Range{Difference.Constant[L], Difference.Constant[L]};
  bool Faithful = IsFaithful;
  if (isUnsigned(P)) {
    const auto MoreX = moreAsUnsigned(Of.range(X, L), A.Bits);
    const auto MoreY = moreAsUnsigned(Of.range(Y, L), A.Bits);
    const __int128 More = MoreX.value_or(0) - MoreY.value_or(0);
    Interval = Range{Interval->Min + More, Interval->Max + More};
    const bool IsEither = !MoreX || !MoreY;
    if (IsEither && AreIndices)
      return std::nullopt;
    Faithful |= !X.MayWrap && !Y.MayWrap && !IsEither;
  }
  const std::optional<bool> Answer = decide(P, *Interval);
  if (Answer && !Faithful)
    Assumes |= AssumesNoWrap;
  return Answer;
}

/// \p R with what is not decided in the lanes \p Open: the same in all of them,
/// or different from lane to lane.
static LaneValue withUndecided(LaneArithmetic &Of, LaneValue R,
                               const Comparison &C, LaneMask Open) {
  if (C.A.isUniformIn(Open) && C.B.isUniformIn(Open)) {
    unsigned First = std::countr_zero(Open);
    auto OfLane = [&](const LaneValue &V) {
      LaneValue U = LaneValue::constant(V.Bits, V.Constant[First]);
      for (const Term &T : V.Terms)
        if (T.Coefficient[First])
          U.Terms.push_back({T.S, Lanes(T.Coefficient[First])});
      return U;
    };
    LaneValue S = Of.opaque(1, 'c' + (static_cast<unsigned>(C.P) << 8),
                            OfLane(C.A), OfLane(C.B));
    std::array<std::int64_t, WarpSize> Coefficient = {};
    for (unsigned L = 0; L < WarpSize; ++L)
      Coefficient[L] = Open >> L & 1;
    R.Terms.push_back({S.Terms[0].S, Lanes(Coefficient)});
    return R;
  }
  R.Unknown |= Open;
  if (std::ranges::any_of(C.Difference.Terms,
                          [&](const Term &T) { return Of.isGathered(T.S); }))
    return R;
  // A bound, not data: most warps are on one side of it.
  R.Assumes |= Of.isOfKind(C.Difference, SymbolKind::BlockIndex)
                   ? AssumesBlockLanes
                   : AssumesAllLanes;
  return R;
}

LaneValue LaneArithmetic::compare(Predicate P, const LaneValue &A,
                                  const LaneValue &B) {
  LaneValue R = LaneValue::constant(1, 0);
  R.Unknown = A.Unknown | B.Unknown;
  R.Assumes = A.Assumes | B.Assumes;
  std::array<std::int64_t, WarpSize> Value = {};
  if (A.Terms.empty() && B.Terms.empty()) {
    for (unsigned L = 0; L < WarpSize; ++L)
      Value[L] = holds(P, A.Constant[L], B.Constant[L], A.Bits);
    R.Constant = Lanes(Value);
    return R;
  }

  LaneValue X = isUnsigned(P) ? withUnsignedConstants(A) : A;
  LaneValue Y = isUnsigned(P) ? withUnsignedConstants(B) : B;
  const bool IsFaithful = fits(X, !isUnsigned(P)) && fits(Y, !isUnsigned(P));
  X.Bits = Y.Bits = 64; // integers do not wrap
  const auto Wrap = std::pair(X.MayWrap, Y.MayWrap);
  X.MayWrap = Y.MayWrap = false;
  LaneValue D = combine(X, Y, -1);
  std::tie(X.MayWrap, Y.MayWrap) = Wrap;
  Comparison C = {P,         A, B, std::move(X), std::move(Y), std::move(D),
                  IsFaithful};
  std::uint64_t Common = 0;
  for (const Term &T : C.Difference.Terms)
    Common = std::gcd(Common, multipleOf(T));
  C.Power = std::min(Common & (0 - Common), std::uint64_t(1) << (A.Bits - 1));
  auto IsIndex = [&](const LaneValue &V) {
    return std::ranges::all_of(V.Terms, [&](const Term &T) {
      const SymbolKind Kind = info(T.S).Kind;
      return Kind == SymbolKind::BlockIndex || Kind == SymbolKind::Counter ||
             Kind == SymbolKind::Warp;
    });
  };
  C.AreIndices = isUnsigned(P) && IsIndex(C.X) && IsIndex(C.Y);

  LaneMask Open = 0;
  for (unsigned L = 0; L < WarpSize; ++L) {
    LaneMask Bit = LaneMask(1) << L;
    if (R.Unknown & Bit)
      continue;
    if (const std::optional<bool> Answer = C.inLane(*this, L, R.Assumes))
      Value[L] = *Answer;
    else
      Open |= Bit;
  }
  R.Constant = Lanes(Value);
  if (!Open)
    return R;
  return withUndecided(*this, std::move(R), C, Open);
}

static LaneMask undecided(const LaneValue &Condition) {
  LaneMask Lanes = Condition.Unknown;
  for (unsigned L = 0; L < WarpSize; ++L)
    if (!Condition.isConstantIn(LaneMask(1) << L))
      Lanes |= LaneMask(1) << L;
  return Lanes;
}

/// Of two values that may be equal, either is the extremum: what one of the
/// comparisons leaves open, as `16 * blockIdx.x > 0` in lane 0, the other may
/// decide.
LaneValue LaneArithmetic::extremum(Predicate Strict, Predicate Loose,
                                   const LaneValue &A, const LaneValue &B) {
  const LaneValue First = compare(Strict, A, B);
  const LaneMask Open = undecided(First);
  if (!Open)
    return select(First, A, B);
  const LaneValue Second = compare(Loose, A, B);
  const LaneMask StillOpen = undecided(Second);
  if (!StillOpen)
    return select(Second, A, B);
  return (Open & ~StillOpen) ? blend(Open & ~StillOpen, select(Second, A, B),
                                     select(First, A, B))
                             : select(First, A, B);
}

LaneValue LaneArithmetic::min(const LaneValue &A, const LaneValue &B,
                              bool Signed) {
  return Signed ? extremum(Predicate::SLT, Predicate::SLE, A, B)
                : extremum(Predicate::ULT, Predicate::ULE, A, B);
}

LaneValue LaneArithmetic::max(const LaneValue &A, const LaneValue &B,
                              bool Signed) {
  return Signed ? extremum(Predicate::SGT, Predicate::SGE, A, B)
                : extremum(Predicate::UGT, Predicate::UGE, A, B);
}

LaneValue LaneArithmetic::blend(LaneMask Mask, const LaneValue &A,
                                const LaneValue &B) {
  if (Mask == AllLanes)
    return A;
  if (!Mask)
    return B;
  LaneValue R;
  R.Bits = A.Bits;
  R.Unknown = (A.Unknown & Mask) | (B.Unknown & ~Mask);
  R.Assumes = A.Assumes | B.Assumes;
  R.MayWrap = A.MayWrap || B.MayWrap;
  R.Constant = Lanes::blend(Mask, A.Constant, B.Constant);
  auto I = A.Terms.begin(), J = B.Terms.begin();
  while (I != A.Terms.end() || J != B.Terms.end()) {
    Term T;
    if (J == B.Terms.end() || (I != A.Terms.end() && I->S < J->S)) {
      T = {I->S, Lanes::blend(Mask, I->Coefficient, 0)};
      ++I;
    } else if (I == A.Terms.end() || J->S < I->S) {
      T = {J->S, Lanes::blend(Mask, 0, J->Coefficient)};
      ++J;
    } else {
      T = {I->S, Lanes::blend(Mask, I->Coefficient, J->Coefficient)};
      ++I, ++J;
    }
    if (!T.Coefficient.isZero())
      R.Terms.push_back(std::move(T));
  }
  return limited(std::move(R));
}

/// Equal values that were come by in two ways: each may take something else
/// for granted.
static LaneValue bothWays(const LaneValue &A, const LaneValue &B,
                          std::uint32_t Assumes) {
  LaneValue R = A;
  R.Assumes |= B.Assumes | Assumes;
  R.MayWrap |= B.MayWrap;
  return R;
}

LaneValue LaneArithmetic::select(const LaneValue &C, const LaneValue &A,
                                 const LaneValue &B) {
  const LaneMask Undecided = undecided(C);
  LaneMask True = 0;
  for (unsigned L = 0; L < WarpSize; ++L)
    if (!(Undecided >> L & 1) && C.Constant[L])
      True |= LaneMask(1) << L;
  LaneValue R = blend(True, A, B);
  R.Assumes |= C.Assumes;
  if (!Undecided)
    return R;
  if (A.sameAs(B))
    return bothWays(A, B, C.Assumes);
  LaneValue M;
  bool Objects = false;
  for (const LaneValue *V : {&A, &B})
    for (const Term &T : V->Terms)
      Objects |= Symbols[T.S].Kind == SymbolKind::Object;
  if (!C.Unknown && isPlainTruth(C) && !Objects && A.Bits > 1) {
    // b + c · (a - b), with c in {0, 1}: still a polynomial.
    LaneValue Choice = zext(C, A.Bits);
    // Not sub(): a difference of constants that wraps matters here.
    LaneValue D = combine(A, B, -1);
    M = add(B, mul(Choice, D, true), /*NoWrap=*/!D.MayWrap);
  } else {
    M = merge(A, B, C.isUniformIn(Undecided));
    // `i < n ? step : 0`: beyond the bound nothing is done.
    const LaneValue Zero = LaneValue::constant(A.Bits, 0);
    const bool IsBound = C.Assumes & (AssumesAllLanes | AssumesBlockLanes);
    // Where data decides for each lane, neither side is a border.
    if (C.Unknown && !IsBound && M.Assumes & AssumesInterior) {
      const std::uint32_t Assumes = M.Assumes;
      M = LaneValue::unknown(A.Bits);
      M.Assumes = Assumes & ~AssumesInterior;
    }
    if (IsBound && A.Bits > 1 && M.Unknown & Undecided &&
        (A.sameAs(Zero) || B.sameAs(Zero))) {
      M = A.sameAs(Zero) ? B : A;
      M.Assumes |= A.Assumes | B.Assumes | AssumesInterior;
    }
  }
  M.Assumes |= C.Assumes;
  return blend(Undecided, M, R);
}

LaneValue LaneArithmetic::merge(const LaneValue &A, const LaneValue &B,
                                bool SameForAll) {
  if (A.sameAs(B))
    return bothWays(A, B, 0);
  LaneValue U = LaneValue::unknown(A.Bits);
  U.Assumes = A.Assumes | B.Assumes;
  // Addresses in two different objects: one object, which one is not known.
  auto WithoutObject = [&](const LaneValue &V, const SymbolInfo *&Object) {
    LaneValue R = V;
    llvm::erase_if(R.Terms, [&](const Term &T) {
      if (Symbols[T.S].Kind != SymbolKind::Object || !T.Coefficient.isUniform())
        return false;
      Object = &Symbols[T.S];
      return true;
    });
    return R;
  };
  const SymbolInfo *ObjectA = nullptr, *ObjectB = nullptr;
  LaneValue RestA = WithoutObject(A, ObjectA);
  LaneValue RestB = WithoutObject(B, ObjectB);
  if (ObjectA && ObjectB && ObjectA != ObjectB) {
    if (!SameForAll || ObjectA->Space != ObjectB->Space)
      return U;
    SymbolInfo Info = *ObjectA;
    Info.Origin = nullptr;
    Info.Fixed = {};
    Info.BeginsInFirstBank &= ObjectB->BeginsInFirstBank;
    Info.MultipleOf = std::gcd(ObjectA->MultipleOf, ObjectB->MultipleOf);
    Info.AssumedMultipleOf =
        std::gcd(ObjectA->AssumedMultipleOf, ObjectB->AssumedMultipleOf);
    LaneValue Base = fresh(A.Bits, std::move(Info));
    return add(Base, merge(RestA, RestB, true), true);
  }
  if (A.Unknown || B.Unknown)
    return U;
  // What lanes count is no border of anything, nor has one.
  for (const LaneValue *V : {&A, &B})
    if (std::ranges::any_of(
            V->Terms, [&](const Term &T) { return Symbols[T.S].Vote != 0; }))
      return U;
  if (A.Bits == 1) {
    if (SameForAll && A.isUniform() && B.isUniform())
      return fresh(1, {.Min = 0, .Max = 1});
    return U;
  }
  if (SameForAll) {
    // Either, for all lanes alike: b + t · (a - b) with t in {0, 1}.
    LaneValue T = fresh(A.Bits, {.Min = 0, .Max = 1});
    LaneValue D = combine(A, B, -1);
    return add(B, mul(T, D, true), /*NoWrap=*/!D.MayWrap);
  }
  // Lanes may differ in which one they have. Where one side varies with the
  // lane and the other does not, the latter is the border of the former.
  bool UniformA = A.isUniform(), UniformB = B.isUniform();
  if (UniformA && UniformB)
    return U;
  LaneValue R = UniformA ? B : A;
  R.Assumes = A.Assumes | B.Assumes | AssumesInterior;
  return R;
}

} // namespace cudalint
