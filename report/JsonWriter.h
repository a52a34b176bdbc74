//===- report/JsonWriter.h - The JSON format cuda-lint/1 --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Writes documents in the format that docs/json.md describes and
/// docs/cuda-lint-1.schema.json checks. Kernels, launches, accesses and
/// findings stand one to a line, so that two results can be compared with
/// `diff` and searched with `grep`.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_JSONWRITER_H
#define CUDA_LINT_REPORT_JSONWRITER_H

#include "report/Document.h"

#include <span>
#include <string>

namespace cudalint {

/// Returns the JSON text, with a newline at its end: an object for one
/// document, an array for any other number of them. Equal documents give equal
/// bytes; nothing is sorted here, see sortDocument().
///
/// What is not known is null: an empty optional, a line or column 0, an empty
/// name, a number that is not finite, and the figures of an access whose
/// certainty is unknown. Bytes that are not UTF-8 become U+FFFD.
std::string toJson(std::span<const Document> Documents);

/// The same of one of its files alone, which is no document.
std::string unitToJson(const UnitRecord &Unit);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_JSONWRITER_H
