//===- report/JsonReader.h - Reads cuda-lint/1 ------------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_JSONREADER_H
#define CUDA_LINT_REPORT_JSONREADER_H

#include "report/Document.h"

#include <string>
#include <string_view>
#include <vector>

namespace cudalint {

struct DocumentsRead {
  std::vector<Document> Documents; ///< Empty when there was an error.
  /// For the user, with the JSON pointer of what is wrong; empty when all is
  /// well. May hold text of the file: print it through printable().
  std::string Error;
};

/// Reads what toJson() wrote: one document, or an array of them. Whatever the
/// text holds, this returns: it is checked for size, depth, types and ranges.
/// Members that are not known are skipped, null is what is not known. What the
/// format does not hold (Finding::Detail and others) is empty.
DocumentsRead readDocuments(std::string_view Text);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_JSONREADER_H
