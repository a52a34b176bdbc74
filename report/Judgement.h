//===- report/Judgement.h - Of what silence tells ---------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where a run says nothing, is there nothing? Not of a file that was read in
/// part, nor of a check that did not run.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_JUDGEMENT_H
#define CUDA_LINT_REPORT_JUDGEMENT_H

#include "report/Document.h"

#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace cudalint {

using NameSet = std::set<std::string, std::less<>>;

/// The checks that ran for each target and could find all they can.
NameSet checksInFull(std::span<const Document> Documents);

/// The units that were analysed without errors for each target, and the others.
struct UnitsJudged {
  NameSet InFull, InPart;
};
UnitsJudged unitsJudged(std::span<const Document> Documents);

/// `a/b.cu` of `./a/x/../b.cu`: one name for each file, but for symbolic links.
std::string plainPath(std::string_view File);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_JUDGEMENT_H
