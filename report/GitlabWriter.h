//===- report/GitlabWriter.h - Code Quality of GitLab -----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The Code Quality report of GitLab: a JSON array that a job leaves as its
/// artifact, of which a merge request shows what is new and what is gone.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_GITLABWRITER_H
#define CUDA_LINT_REPORT_GITLABWRITER_H

#include "report/Document.h"
#include "report/SourceRoot.h"

#include <span>
#include <string>

namespace cudalint {

/// Returns the JSON text, with a newline at its end: one entry for each
/// problem, the dearest first, then one for each of the compiler's errors, as
/// `not-analysed`.
///
/// An error is `critical`, a warning `major`, a note `info`; what could not be
/// analysed is `major`. `fingerprint` is that of the finding and its path: the
/// same in each run, and of one entry alone. The line of what has none is 1.
/// Bytes that are not UTF-8 become U+FFFD.
std::string toGitlab(std::span<const Document> Documents,
                     const ReportPlaces &Places);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_GITLABWRITER_H
