//===- report/GithubWriter.h - Annotations in workflows ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Workflow commands, which a step of GitHub Actions prints and which become
/// annotations of the lines:
///
///   ::warning file=src/a.cu,line=6,endLine=6,col=10,endColumn=20,title=
///   global-uncoalesced::load touches 12 sectors per request, ideal 4
///
/// each on one line. Of a step, 10 errors, 10 warnings and 10 notices are
/// shown; the rest is in its log alone.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_GITHUBWRITER_H
#define CUDA_LINT_REPORT_GITHUBWRITER_H

#include "report/Document.h"
#include "report/SourceRoot.h"
#include "report/TextWriter.h"

#include <span>
#include <string>

namespace cudalint {

/// Returns one line for each problem, the dearest of each severity first, so
/// that what is shown is what matters; the compiler's errors behind those that
/// are problems. Empty where there is nothing to tell.
///
/// Columns are in UTF-16 code units, see inUtf16(); of what goes over several
/// lines they are left out, as GitHub wants it. Names and texts are printable,
/// and escaped as GitHub's own toolkit does it.
std::string toGithub(std::span<const Document> Documents,
                     const ReportPlaces &Places, const SourceText &Source);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_GITHUBWRITER_H
