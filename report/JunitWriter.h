//===- report/JunitWriter.h - Checks as test cases --------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// JUnit XML, as Jenkins and GitLab read it:
///
///   <testsuite name="src/a.cu" tests="3" failures="1" errors="0" skipped="1">
///    <testcase classname="cuda-lint.src/a_cu" name="analysis" .../>
///    <testcase classname="cuda-lint.src/a_cu" name="global-uncoalesced" ...>
///     <failure message="load touches ..." type="warning">...</failure>
///
/// A case is a check in a file, not a problem: so it has a name that stays when
/// lines change, by which Jenkins tells what is new and what is mended.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_JUNITWRITER_H
#define CUDA_LINT_REPORT_JUNITWRITER_H

#include "report/Document.h"
#include "report/SourceRoot.h"

#include <span>
#include <string>

namespace cudalint {

/// Returns the XML, with a newline at its end: a suite for each analysed file,
/// in the order of the documents, then for each other file that has problems.
///
/// The first case of an analysed file, `analysis`, is an error where the
/// compiler stopped; the others are the checks that ran, by name. One fails if
/// the file has problems of it that are errors or warnings; notes are in its
/// output. A check that could find nothing, for want of what it needs, is
/// skipped. A problem belongs to the file in which it is told.
///
/// All text is printable: no character that XML 1.0 has not, and no byte that
/// is not UTF-8, but their numbers.
std::string toJunit(std::span<const Document> Documents,
                    const ReportPlaces &Places);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_JUNITWRITER_H
