//===- report/page/HtmlSource.h - Lines of the source -----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_PAGE_HTMLSOURCE_H
#define CUDA_LINT_REPORT_PAGE_HTMLSOURCE_H

#include "report/SourceRegion.h"

#include <string>

namespace cudalint {

/// The lines around \p Region of \p File, which is called \p Name, with what is
/// meant marked; empty where the text is not known. Tabs are columns of eight;
/// long lines are cut.
std::string sourceExcerpt(QuotedSources &Sources, const std::string &File,
                          const std::string &Name, const SourceRegion &Region);

/// One line of it, marked; empty where it is not known.
std::string sourceLine(QuotedSources &Sources, const std::string &File,
                       const SourceRegion &Region);

/// The lines that \p Edit changes, before and after; empty where the text is
/// not known, or it is long.
std::string editedLines(QuotedSources &Sources, const Edit &Edit);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_PAGE_HTMLSOURCE_H
