//===- runtime/join/OtherSources.h - Analysed, and built --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Predictions are of the texts that were analysed. A program that was built
/// from others has other lines and other numbers, whatever its counters say.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_JOIN_OTHERSOURCES_H
#define CUDA_LINT_RUNTIME_JOIN_OTHERSOURCES_H

#include "runtime/join/Measurement.h"
#include "runtime/join/VerdictFacts.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cudalint {

/// The file of a name, as predictions or line tables have it; none where it is
/// not there, or must not be read.
using SourceLookup =
    std::function<std::optional<PresentSource>(const std::string &)>;

/// A file that was built from another text than was analysed.
struct OtherSource {
  std::string_view Rule; ///< Of sourceRules().
  std::string Why;       ///< Names the file; no full stop.
};

/// By their names in \p Doc.
std::map<std::string, OtherSource> otherSources(const Document &Doc,
                                                const Measurement &Measured,
                                                const SourceLookup &Look);

/// Adds to \p To a problem for each of \p Others, once; \p So: what follows.
void addProblems(const std::map<std::string, OtherSource> &Others,
                 std::string_view So, std::vector<ProfileProblem> &To);

/// All files that ran, as they were measured.
std::vector<std::string> measuredFiles(const Measurement &Measured);

/// Takes back what was concluded from the numbers of a kernel that comes, or
/// has accesses, from such a file.
void takeBack(const OtherSource &Of, LineVerdict &V);
void takeBack(const OtherSource &Of, KernelVerdict &V);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_JOIN_OTHERSOURCES_H
