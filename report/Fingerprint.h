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

namespace cudalint {

/// Fills in Finding::Fingerprint: of the check, the file's name without its
/// folder, the kernel's without template arguments and parameters, what is
/// said, and what the source calls what it is said of, digits aside. Of those
/// that agree in all of it, the first, the second ... in the order of the
/// document, which must be sorted.
void addFingerprints(Document &Doc);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_FINGERPRINT_H
