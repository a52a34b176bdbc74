//===- report/XmlText.h - Text as XML has it --------------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_XMLTEXT_H
#define CUDA_LINT_REPORT_XMLTEXT_H

#include <string>
#include <string_view>

namespace cudalint {

/// \p Text, which is printable, for an element or an attribute of XML.
std::string escapedForXml(std::string_view Text);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_XMLTEXT_H
