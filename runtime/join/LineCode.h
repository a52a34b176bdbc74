//===- runtime/join/LineCode.h - The instructions of a line -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_JOIN_LINECODE_H
#define CUDA_LINT_RUNTIME_JOIN_LINECODE_H

#include "runtime/join/Measurement.h"

#include <map>
#include <set>
#include <span>
#include <tuple>
#include <vector>

namespace cudalint {

using Instructions = std::vector<const MeasuredInstruction *>;

/// Where an access stands.
using LineKey = std::tuple<std::string, unsigned, MemorySpace, AccessOp>;

/// The compiler does not always see the space that the analyzer sees: those in
/// which an access to \p Space may be counted, the likeliest first.
std::span<const MemorySpace> measuredAs(MemorySpace Space);

/// Adds up what the instructions counted; none has no counts.
CountedLine sumOf(const Instructions &Of);

/// Those of them that were executed.
Instructions running(const Instructions &Of);

/// Finds the instructions of a kernel by the lines that they come from.
class LineCode {
public:
  /// \p Kernel outlives this.
  explicit LineCode(const MeasuredKernel &Kernel);

  /// Those that lines show there.
  Instructions shownAt(const LineKey &Key) const;

  /// Those whose counts \p Row is the sum of. None where it is not: then they
  /// say nothing about it.
  Instructions of(const CountedLine &Row) const;

  /// Gives each instruction that lines show somewhere else, and that is not in
  /// \p Used, to the innermost place of its frames that is one of \p Keys.
  std::map<LineKey, Instructions>
  inlinedAt(const std::set<LineKey> &Keys,
            const std::set<const MeasuredInstruction *> &Used) const;

  /// All files that some instruction comes from.
  const std::set<std::string, std::less<>> &files() const { return Files; }

  /// The line table tells where functions were inlined. False also where none
  /// was.
  bool hasFrames() const { return HasFrames; }

private:
  const MeasuredKernel &Kernel;
  std::map<MeasuredPlace, Instructions> Shown;
  std::set<std::string, std::less<>> Files;
  bool HasFrames = false;
};

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_JOIN_LINECODE_H
