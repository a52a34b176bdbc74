//===- report/page/HtmlText.h - Text as the page has it ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_PAGE_HTMLTEXT_H
#define CUDA_LINT_REPORT_PAGE_HTMLTEXT_H

#include "report/Finding.h"
#include "report/SourceRoot.h"

#include <string>
#include <string_view>

namespace cudalint {

/// \p Text, printable and escaped, for an element or an attribute in double
/// quotes.
std::string html(std::string_view Text);

/// The same for an element, with names in single quotes as code: `store to
/// 'tile'`.
std::string htmlWithNames(std::string_view Text);

/// Adds a line to a list of facts; \p Value is HTML.
void addFact(std::string &List, std::string_view Name, std::string_view Value);

/// 12345.6 as `12,346`, 0.25 as `0.25`.
std::string figure(double Value);

/// `src/a.cu:6`, escaped; empty where there is no file.
std::string placeText(const Location &Where, const ReportPlaces &Places);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_PAGE_HTMLTEXT_H
