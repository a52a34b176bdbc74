//===- report/Fingerprint.h - Which remark is the same ----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_FINGERPRINT_H
#define CUDA_LINT_REPORT_FINGERPRINT_H

#include "report/Document.h"

#include <string>
#include <string_view>

namespace cudalint {

/// 16 hexadecimal digits that stand for \p Text: the same everywhere and for
/// ever.
std::string fingerprintOf(std::string_view Text);

/// Fills in Finding::Fingerprint and Finding::Occurrence, which say what they
/// are. The findings of each unit must be sorted.
void addFingerprints(Document &Doc);

/// `rows2[i+#]` of `rows2[i+32]`: what a fingerprint takes of a name.
std::string withoutNumbers(std::string_view Text);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_FINGERPRINT_H
