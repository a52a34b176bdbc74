//===- runtime/hotspots/LintText.h - Findings for people --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_HOTSPOTS_LINTTEXT_H
#define CUDA_LINT_RUNTIME_HOTSPOTS_LINTTEXT_H

#include "runtime/hotspots/HotspotWriters.h"

#include <cstddef>
#include <map>
#include <span>
#include <string>

namespace cudalint {

/// Tells what the linter says of the lines of a GPU, each problem once.
class LintTeller {
public:
  explicit LintTeller(unsigned Width) : Width(Width) {}

  /// What stands below the line \p Number of \p File in \p Kernel. Of a problem
  /// that was told for another line, where; for this one, nothing.
  std::string tell(std::span<const LintedFinding> Findings,
                   const std::string &File, unsigned Number,
                   const HotKernel &Kernel);

  /// What was not told; empty where nothing is left.
  std::string rest(const LintSummary &Summary) const;

private:
  struct Place {
    const HotKernel *Kernel = nullptr;
    std::string File;
    unsigned Line = 0;
    bool operator==(const Place &) const = default;
  };

  unsigned Width;
  std::map<std::size_t, Place> Told; ///< By the number of the problem.
};

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_HOTSPOTS_LINTTEXT_H
