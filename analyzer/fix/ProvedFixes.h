//===- analyzer/fix/ProvedFixes.h - Fixes that are tried --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Chooses the fixes of a run that may be applied: they do not meet, and the
/// edited text, analysed as the files were, bears each of them out.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FIX_PROVEDFIXES_H
#define CUDA_LINT_ANALYZER_FIX_PROVEDFIXES_H

#include "analyzer/fix/OfferedFixes.h"
#include "report/TextWriter.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cudalint {

/// Analyses the files of the run again, with texts in place of some of them.
using Reanalysis = std::function<std::vector<Document>(
    const std::map<std::string, std::string> &Texts)>;

enum class FixState : std::uint8_t {
  Proved,
  NotWished, ///< It changes more than was asked for.
  Refused,   ///< It meets another, or the analysis does not bear it out.
};

struct TriedFix {
  OfferedFix Offered;
  FixState State = FixState::Refused;
  /// What it gains, or why not; may be empty where it is proved.
  std::string Words;
};

struct ProvedFixes {
  std::vector<TriedFix> Fixes; ///< All that are offered, as offeredFixes() has.
  /// What the files of the proved ones become, by name.
  std::map<std::string, std::string> Texts;
  std::map<std::string, std::vector<Edit>> Edits; ///< Their edits, by offset.
  std::vector<Document> After; ///< The analysis of Texts, where there are any.
};

/// What may be edited.
struct FixScope {
  FixSafety Most = FixSafety::Safe; ///< What fixes may change besides the cost.
  SourceText Original;              ///< As FixedTexts has it.
  /// Why a file is not to be edited, with its name; empty: it may be.
  std::function<std::string(const std::string &File)> WhyNotOurs;
  /// The one of offeredFixes() that is tried; empty: all of them.
  std::optional<std::size_t> Only = {};
};

/// Tries the fixes of \p Before, which outlives the result: all at once and,
/// where that fails, one after the other, at most 16 of them. Each time all
/// files are analysed again.
ProvedFixes proveFixes(std::span<const Document> Before, const FixScope &Scope,
                       const Reanalysis &Again);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FIX_PROVEDFIXES_H
