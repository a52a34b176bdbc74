//===- analyzer/ir/AddressNotes.h - What else addresses tell ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the address of a request tells beside what the request costs: where in
/// the rows of its array the lanes are, and what other blocks take beside them.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_ADDRESSNOTES_H
#define CUDA_LINT_ANALYZER_IR_ADDRESSNOTES_H

#include "analyzer/ir/Access.h"
#include "analyzer/ir/WarpInterpreter.h"

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cudalint {

/// How far apart the warps are of which one's request stands for others'.
class WarpShifts {
public:
  /// Whether the access is in a row with a constant number; empty: not seen.
  std::optional<bool> AreAskedFor;

  /// The requests of the warps from \p First to \p Last, of which \p R is.
  void add(LaneArithmetic &A, const Request &R, unsigned First, unsigned Last);

  /// How far behind \p R's address those are that it stands for, its own too;
  /// empty: that is not known.
  std::vector<std::int64_t> placesOf(const Request &R) const;

private:
  unsigned First = 0;
  /// Bytes behind the first warp, of each.
  std::vector<std::int64_t> Behind;
  bool IsKnown = true;
};

/// Adds to Access::LastInRow and Access::StaysInRow. \p A holds the symbols of
/// the request's address.
void noteRows(Access &Of, const LaneArithmetic &A, const Request &R,
              const WarpShifts &Others);

/// Adds to Access::Reach, likewise.
void noteReach(Access &Of, const LaneArithmetic &A, const Request &R);

/// Numbers for addresses, equal for those that differ by a constant only.
class AddressGroups {
public:
  /// 0: the address is not known. Requests of another \p Start have others.
  std::uint64_t keyOf(const Request &R, unsigned Start);

private:
  std::map<std::vector<std::int64_t>, std::uint64_t> Groups;
};

/// What the pointer is called that all addresses of an access are based on.
class BaseName {
public:
  void add(const LaneArithmetic &A, const Request &R);

  /// Empty where there are several, or it has no name.
  const std::string &name() const { return Name; }

private:
  bool IsSet = false;
  std::optional<Symbol> Last;
  std::string Name;
};

/// Adds to Access::BlockStep. Where requests differ in it, the least holds.
void noteBlocks(Access &Of, const LaneArithmetic &A, const Request &R);

/// How an access moves from turn to turn of the innermost loop around it.
class TurnSteps {
public:
  /// The next request of the warp that run number \p Run is of.
  void add(const LaneArithmetic &A, const Request &R, unsigned Run);

  /// As Access::TurnStep has it.
  std::int64_t step() const { return IsOne ? Step.value_or(0) : 0; }

private:
  using Place = llvm::SmallVector<std::pair<Symbol, std::int64_t>, 4>;
  struct Seen {
    unsigned Run, Turn;
    Place Base;      ///< Of the first active lane.
    std::int64_t At; ///< Bytes behind it.
  };
  std::optional<Seen> Last;
  std::optional<std::int64_t> Step;
  bool IsOne = true;

  void note(std::int64_t Bytes);
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_ADDRESSNOTES_H
