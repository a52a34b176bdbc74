//===- report/SourceRecord.h - The text of a file ---------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_SOURCERECORD_H
#define CUDA_LINT_REPORT_SOURCERECORD_H

#include <cstdint>
#include <string>

namespace cudalint {

/// The text of a source file as it was analysed. One whose name a `#line` gave
/// has none.
struct SourceRecord {
  std::string File; ///< As places name it.
  std::uint64_t Bytes = 0;
  std::string Xxh3; ///< XXH3 of all bytes: 16 hexadecimal digits, lower case.

  bool operator==(const SourceRecord &) const = default;
};

} // namespace cudalint

#endif // CUDA_LINT_REPORT_SOURCERECORD_H
