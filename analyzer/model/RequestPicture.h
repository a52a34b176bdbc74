//===- analyzer/model/RequestPicture.h - A request to be shown --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_MODEL_REQUESTPICTURE_H
#define CUDA_LINT_ANALYZER_MODEL_REQUESTPICTURE_H

#include "analyzer/model/LanePattern.h"
#include "report/Finding.h"

#include <optional>

namespace cudalint {

/// The costliest request of \p A, and where its lanes are under \p Then. Empty
/// without samples, for other memory than global and shared, and for global
/// memory before compute capability 5.0, where sectors are not what counts.
std::optional<RequestExample> exampleOf(const Architecture &Arch,
                                        const Access &A,
                                        const Layout &Then = nullptr);

/// The same, where other threads take the place of the lanes: those of
/// \p Then, which is the same access.
std::optional<RequestExample> exampleOf(const Architecture &Arch,
                                        const Access &A, const Access &Then);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_MODEL_REQUESTPICTURE_H
