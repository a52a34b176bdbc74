//===- analyzer/ir/LaneOperations.h - Shared by the files ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the files of the lane arithmetic share and nobody else needs.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_LANEOPERATIONS_H
#define CUDA_LINT_ANALYZER_IR_LANEOPERATIONS_H

#include "analyzer/ir/LaneValue.h"

namespace cudalint {

/// Of more terms than this, those that are the same for all lanes become one.
inline constexpr std::size_t MaxTerms = 16;
/// What lanes say of themselves in two votes is not counted among them.
inline constexpr std::size_t MaxVoteTerms = 2 * WarpSize;

/// The canonical form of a Bits-wide integer: sign-extended, but 0 or 1 for a
/// truth value.
inline std::int64_t canonical(std::uint64_t V, unsigned Bits) {
  if (Bits == 1)
    return V & 1;
  if (Bits >= 64)
    return static_cast<std::int64_t>(V);
  std::uint64_t Shift = 64 - Bits;
  return static_cast<std::int64_t>(V << Shift) >> Shift;
}

inline std::uint64_t unsignedOf(std::int64_t V, unsigned Bits) {
  std::uint64_t U = static_cast<std::uint64_t>(V);
  return Bits >= 64 ? U : U & ((std::uint64_t(1) << Bits) - 1);
}

inline std::int64_t floorDiv(std::int64_t A, std::int64_t B) {
  std::int64_t Q = A / B;
  return Q - ((A % B != 0) && ((A < 0) != (B < 0)));
}

inline std::uint64_t magnitude(std::int64_t V) {
  return V < 0 ? 0 - static_cast<std::uint64_t>(V) : V;
}

/// The symbols whose product \p S is, sorted.
inline std::vector<Symbol> factorsOf(const SymbolInfo &I, Symbol S) {
  return I.Kind == SymbolKind::Product ? I.Factors : std::vector<Symbol>{S};
}

/// Every lane in canonical form.
Lanes reduce(const Lanes &V, unsigned Bits);

/// `A` plus `Sign` times `B`, term by term.
LaneValue combine(const LaneValue &A, const LaneValue &B, std::int64_t Sign);

/// `A` times a constant per lane.
LaneValue scale(const LaneValue &A, const Lanes &Factor);

/// Whether the polynomial of a truth value is one over the integers, too: a
/// single symbol or a constant in each lane.
bool isPlainTruth(const LaneValue &A);

/// `F` on constants, lane by lane; with `ZeroIsUnknown`, nothing is known where
/// `B` is zero.
template <typename Op>
LaneValue perLane(const LaneValue &A, const LaneValue &B, bool ZeroIsUnknown,
                  Op F) {
  LaneMask Bad = A.Unknown | B.Unknown;
  std::array<std::int64_t, WarpSize> R = {};
  for (unsigned L = 0; L < WarpSize; ++L) {
    if (ZeroIsUnknown && B.Constant[L] == 0)
      Bad |= LaneMask(1) << L;
    else
      R[L] = F(A.Constant[L], B.Constant[L]);
  }
  LaneValue V = LaneValue::constant(A.Bits, Lanes(R));
  V.Unknown = Bad;
  V.Assumes = A.Assumes | B.Assumes;
  return V;
}

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_LANEOPERATIONS_H
