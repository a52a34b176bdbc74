//===- report/page/HtmlMarkdown.h - Pages of checks -------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_PAGE_HTMLMARKDOWN_H
#define CUDA_LINT_REPORT_PAGE_HTMLMARKDOWN_H

#include <string>
#include <string_view>

namespace cudalint {

/// The Markdown of a RuleRecord, of which it needs paragraphs, lists, tables
/// and code: all else is text.
std::string htmlOfMarkdown(std::string_view Text);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_PAGE_HTMLMARKDOWN_H
