//===- analyzer/remedy/Reductions.h - Interleaved sums ----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The reduction that adds neighbours first, `a[i] += a[i + stride]` with a
/// stride that doubles: by threads that follow each other, or by every second,
/// fourth, eighth one. With a stride that halves, lanes are side by side.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_REMEDY_REDUCTIONS_H
#define CUDA_LINT_ANALYZER_REMEDY_REDUCTIONS_H

#include "analyzer/model/KernelModel.h"
#include "report/Phrase.h"

namespace cudalint {

/// Whether \p A is of one: all that its loop stores are sums of what is half a
/// stride apart. A wavelet stores the differences, too.
bool isReduction(const KernelModel &K, const Access &A);

/// The remedy where it is.
Phrase sequentialAddressing();

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_REMEDY_REDUCTIONS_H
