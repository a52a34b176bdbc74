//===- runtime/join/VerdictFacts.h - What the rules ask ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_JOIN_VERDICTFACTS_H
#define CUDA_LINT_RUNTIME_JOIN_VERDICTFACTS_H

#include "runtime/join/LineJudge.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cudalint {

/// The smallest and the largest of what several accesses predict.
struct NumberRange {
  double Least = std::numeric_limits<double>::infinity();
  double Most = -std::numeric_limits<double>::infinity();

  void add(double Value) {
    Least = std::min(Least, Value);
    Most = std::max(Most, Value);
  }
  bool isOne() const { return Most - Least <= 1e-9 * Most; }
  bool holds(double Value, double Allowed) const {
    return Value >= Least * (1 - Allowed) && Value <= Most * (1 + Allowed);
  }
};

/// `4.0`, `4.0 to 32.0`
std::string format(const NumberRange &R);

/// Whether \p Measured is \p Predicted, give or take so much of it.
bool agrees(double Measured, double Predicted, double Allowed);

/// Whether an access has a number that can be compared.
bool isKnown(const AccessRecord &Access);

/// What the numbers of a line, predicted and measured, say. The rules are made
/// of these. Those that speak of numbers may be asked only when `HasNumbers`.
class LineFacts {
public:
  /// Both halves of \p V are filled. What is given outlives the facts.
  LineFacts(std::span<const AccessRecord *const> Accesses,
            const LaunchPremise &Launches, const Tolerance &Allowed,
            const CodeEvidence &Code, const LineVerdict &V);

  std::span<const AccessRecord *const> Accesses;
  const LaunchPremise &Launches;
  const CodeEvidence &Code;
  const LineVerdict &V;
  double Allowed;          ///< The share that V.Trust allows.
  std::size_t Unknown = 0; ///< Accesses without a number.
  bool HasNumbers = false; ///< Measured per request, and all predicted.
  bool HasIdeals = false;  ///< One that a side does not know cannot disagree.
  NumberRange Totals, Ideals, Lanes;

  bool isExact() const { return V.Trust == Certainty::Exact; }
  /// All accesses predict the same.
  bool isUniform() const {
    return Totals.isOne() && (!HasIdeals || Ideals.isOne());
  }
  /// The total and the ideal of a request are as predicted.
  bool agreesAll() const;
  /// The total by the ideal is.
  bool agreesAsRatio() const;
  bool idealFits() const {
    return !HasIdeals || Ideals.holds(*V.MeasuredIdeal, Allowed);
  }
  bool idealIsLarger() const {
    return !idealFits() && *V.MeasuredIdeal > Ideals.Most;
  }
  bool lanesDiffer() const {
    return V.MeasuredLanes && Lanes.Most > 0 &&
           !Lanes.holds(*V.MeasuredLanes, Allowed);
  }
  /// Fewer lanes were active than assumed, as at the edge of the data, and the
  /// total is lower by no more than these lanes. Not very few: these are good
  /// whatever they do.
  bool hasFewerLanes() const;
  /// What was measured may come of the lanes that were active. A part of the
  /// lanes of a warp touches no more than all of them; those requests that ran
  /// may be the dearer ones, within BadRatio, or turns of a loop.
  bool lanesMayCause() const;
  bool isInLoop() const;
  /// How often the accesses run in all launches; empty: not known.
  std::optional<double> predictedRequests() const;
  /// It is known that the requests are as many as predicted, so that no turn of
  /// a loop is missing.
  bool hasAllRequests() const;
  /// A loop's turns of unequal cost have a mean that is no whole number. Had
  /// all of them been executed as predicted, the total would be one; where it
  /// would not, the compiler removed some.
  bool hasOtherTurns() const;
  /// What it has if sizes are no multiples of 32, which nobody can look up.
  std::optional<NumberRange> otherSizes() const;
  /// Each access says how often it runs.
  bool hasWeights() const;

  // In words.
  std::string_view units() const; ///< `sectors`
  /// What the ratio says when the numbers themselves cannot be compared; begins
  /// with a semicolon, or is empty.
  std::string ratioNote() const;
  std::string idealNote() const;
  std::string lanesNote() const;
};

/// What is known of a line of which nothing was measured.
struct AbsentFacts {
  const MeasuredKernel &Kernel;
  bool HasCounters = false;
  MemorySpace Space = MemorySpace::Global;
  AccessOp Op = AccessOp::Load;
  std::string File;                        ///< As predicted.
  std::span<const std::string> Candidates; ///< Files that it may be.
  bool HasFile = false;                    ///< Some instruction is of it.
  bool IsInCode = false;     ///< The code has such an instruction in that line.
  bool CodeIsClosed = false; ///< The whole code that may run is known.
  std::optional<unsigned> Near; ///< A line close by that has an unused one.
};

/// The sums of a line: both are known.
struct SumFacts {
  const LineFacts &Line;
  double Requests = 0, Total = 0; ///< As predicted.

  bool agreesAll() const;
};

/// A line that was refuted, and accesses of the same kind and file of which
/// nothing was executed.
struct MovedFacts {
  const LineVerdict &V;
  std::span<const AccessRecord *const> Gone;
  bool IsOfCode = false; ///< The code has none of them.
  const Tolerance &Allowed;

  /// How many lines an `if` and its `else` may be apart.
  static constexpr unsigned NearBy = 16;
  bool isNear() const;
  /// The number is no more than that of both.
  bool isOfBoth() const;
};

/// A file that is there now.
struct PresentSource {
  SourceVersion Version;
  std::string Xxh3; ///< As in SourceRecord.
};

/// What is known of the text of a file.
struct TextFacts {
  const SourceRecord &Analysed;
  /// As line tables have it; empty where none tells.
  std::set<SourceVersion> Built;
  std::optional<PresentSource> Present; ///< Where it is there.

  bool hasOtherSize() const;
  /// The file that is there is the one that the compiler read.
  bool isPresentBuilt() const;
  bool isPresentOther() const {
    return Present && Present->Xxh3 != Analysed.Xxh3;
  }
};

/// What is known of the launches of one shape.
struct OccupancyFacts {
  const CheckedLaunch &V;
  bool IsPredicted = false;     ///< There are predictions for this block.
  bool RegistersDiffer = false; ///< Of these launches.
  bool SharedDiffers = false;
};

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_JOIN_VERDICTFACTS_H
