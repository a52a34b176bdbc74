//===- report/page/HtmlWriter.h - Findings as a page ------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One page for a person: the problems by what they cost, with the lines of the
/// source, what the lanes of a request touch as pictures, and of each kernel
/// its launches and how many warps other sizes of a block would keep resident.
///
/// The page is whole without its script, which only searches, filters and takes
/// keys. It asks for nothing of the network, and its policy lets nothing run or
/// load that is not in the page as it was built: whatever a name or a line of
/// source holds is text.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_PAGE_HTMLWRITER_H
#define CUDA_LINT_REPORT_PAGE_HTMLWRITER_H

#include "report/Document.h"
#include "report/Measurements.h"
#include "report/SourceRoot.h"
#include "report/TextWriter.h"

#include <span>
#include <string>

namespace cudalint {

/// Returns the page, in UTF-8. All text is printable: control characters and
/// bytes that are not UTF-8 are shown by their numbers.
///
/// What was \p Measured stands beside what was predicted for a target of the
/// same compute capability.
std::string toHtml(std::span<const Document> Documents,
                   const ReportPlaces &Places, const SourceText &Source,
                   std::span<const Measurements> Measured = {});

} // namespace cudalint

#endif // CUDA_LINT_REPORT_PAGE_HTMLWRITER_H
