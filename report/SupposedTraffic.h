//===- report/SupposedTraffic.h - What is not counted -----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The share of some accesses in what a kernel moves, where nobody knows how
/// often each is made: that of a loop without a bound weighs nothing beside one
/// that turns a million times, or all. So something is supposed of each loop of
/// which it is not known how often it turns, and then something else: a share
/// that stays what it is may be told.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_SUPPOSEDTRAFFIC_H
#define CUDA_LINT_REPORT_SUPPOSEDTRAFFIC_H

#include "report/Document.h"

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace cudalint {

/// What the access is known to do in that block; null where it stands for none
/// such, or nothing is known.
const BlockCount *countOf(const AccessRecord &A, const BlockShape &Block);

/// Which branch AccessRecord::Undecided is of, and which of its two ways.
constexpr unsigned branchOf(unsigned Undecided) { return (Undecided - 1) / 2; }
constexpr unsigned sideOf(unsigned Undecided) { return (Undecided - 1) % 2; }

class SupposedTraffic {
public:
  /// Of all accesses in \p Unit, of that block or, without one, of all.
  SupposedTraffic(const KernelRecord &Kernel, std::string_view Unit,
                  const std::optional<BlockShape> &Told);

  struct Share {
    double Usual = 0;   ///< If each loop makes a hundred turns, about.
    bool Hangs = false; ///< By the turns of some loop.
    double IfMany = 0;  ///< If each loop makes many more.
    /// By what accesses cost that are not predicted, or where a loop turns once
    /// or few times: Usual is the most.
    bool IsMost = false;
  };

  /// What \p Its waste of all of it; nothing where nothing is moved, or none of
  /// them is predicted.
  std::optional<Share>
  wastedBy(const std::vector<const AccessRecord *> &Its) const;

  /// All of it, if each loop makes a hundred turns.
  double usual() const { return Sums.front(); }

private:
  /// A loop, by what its number is of.
  using LoopKey = std::pair<unsigned, std::uint64_t>;
  struct Part {
    double Times = 0;
    std::vector<std::size_t> Loops; ///< Of Loops.
  };
  struct Counted {
    const AccessRecord *Of = nullptr;
    std::vector<Part> Parts;
    bool IsRare = false;        ///< It is made at most as often as that.
    unsigned Undecided = 0;     ///< As AccessRecord, unless it is counted.
    bool IsOfFewBlocks = false; ///< Likewise.
  };

  const std::optional<BlockShape> Told;
  std::vector<Counted> All;
  std::map<const AccessRecord *, std::size_t> Place; ///< In All.
  std::map<LoopKey, std::size_t> Loops;
  std::vector<bool> HasFew; ///< Of Loops: one turn is what is usual.
  std::vector<double> Sums; ///< For each supposition.
  double SumAtMost = 0;     ///< The usual one, if what is unknown costs most.

  /// Which of All a warp does not come to.
  struct LeftOut {
    std::set<std::size_t> OfOwn;    ///< By branches that decide about some.
    std::set<std::size_t> OfOthers; ///< By other branches.

    bool has(std::size_t I) const {
      return OfOwn.contains(I) || OfOthers.contains(I);
    }
  };
  LeftOut onOtherSides(const std::vector<const AccessRecord *> &Its) const;

  /// What others cost under the sizes that are supposed of them, beyond what
  /// they cost at least: by these sums, too much is supposed.
  double beyondIdeal(const std::vector<const AccessRecord *> &Its,
                     const LeftOut &Sides) const;
  /// What others cost that few blocks make, as if all made them.
  double ofFewBlocks(const std::vector<const AccessRecord *> &Its,
                     const LeftOut &Sides) const;
  /// What they waste of all if what the conditions decide by which they are
  /// made is seldom so.
  double wastedIfSeldom(const std::vector<const AccessRecord *> &Its) const;

  static constexpr std::size_t Kinds = 3; ///< Of turns: few, many, and one.
  static constexpr std::size_t IsMany = 1;
  std::size_t suppositions() const { return Kinds * (HasFew.size() + 1) + 1; }
  static bool isOfOneTurn(std::size_t Supposed) {
    return Supposed != 0 && Supposed % Kinds == 0;
  }
  double turnsOf(std::size_t Loop, std::size_t Supposed) const;
  double timesOf(const Counted &Each, std::size_t Supposed) const;
  void addPart(Counted &To, double Times, const std::vector<LoopKey> &Of);
  void addParts(Counted &To, const BlockCount &Of, const KernelRecord &Kernel);
  void addNested(Counted &To);
  bool isOnSlowWay(const AccessRecord &A) const;
  bool addAsNeighbour(Counted &To);
};

} // namespace cudalint

#endif // CUDA_LINT_REPORT_SUPPOSEDTRAFFIC_H
