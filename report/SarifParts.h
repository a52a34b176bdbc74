//===- report/SarifParts.h - What all of SARIF is made of -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Only for the .cpp files of writers: it includes a large header.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_SARIFPARTS_H
#define CUDA_LINT_REPORT_SARIFPARTS_H

#include "report/JsonRecords.h"
#include "report/SourceRegion.h"
#include "report/SourceRoot.h"

#include <string>
#include <string_view>

namespace cudalint {

/// Printable, and without what SARIF gives a meaning to: `[text](target)` and
/// `{0}` get a blank in their middle. It knows a way to escape them, which its
/// readers do not agree on.
std::string sarifText(std::string_view Text);

/// The same with a full stop: where room is short, the first sentence alone is
/// shown.
std::string sarifSentence(std::string_view Text);

/// Of a text that is fit for it.
Json sarifMessage(std::string Text);

/// An `artifactLocation`.
Json sarifFile(const ReportPlaces &Places, const std::string &File);

/// A `region`; what has no end is one unit wide. It has a line.
Json toSarif(const SourceRegion &Utf16);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_SARIFPARTS_H
