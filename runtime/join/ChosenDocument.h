//===- runtime/join/ChosenDocument.h - Of which GPU -------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_JOIN_CHOSENDOCUMENT_H
#define CUDA_LINT_RUNTIME_JOIN_CHOSENDOCUMENT_H

#include "report/Document.h"
#include "runtime/join/Measurement.h"

#include <span>
#include <string>

namespace cudalint {

/// That of \p Predictions which was made for the compute capability of \p Gpu,
/// one of its product preferred; the only one for a GPU that is not known.
/// Null: there is none.
const Document *documentFor(std::span<const Document> Predictions,
                            const MeasuredGpu &Gpu);

/// That there is none, for the user.
std::string noDocument(std::span<const Document> Predictions,
                       const MeasuredGpu &Gpu);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_JOIN_CHOSENDOCUMENT_H
