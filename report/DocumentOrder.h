//===- report/DocumentOrder.h - One order for equal contents ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_DOCUMENTORDER_H
#define CUDA_LINT_REPORT_DOCUMENTORDER_H

#include "report/Document.h"

namespace cudalint {

/// Puts everything that may have been found in any order (units, kernels,
/// launches, accesses, findings) in an order that depends on their contents
/// alone. Errors, assumptions and fixes keep their order, which has a meaning.
void sortDocument(Document &Doc);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_DOCUMENTORDER_H
