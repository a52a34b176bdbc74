//===- analyzer/checks/BankRemedy.h - Ways out of a conflict ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Remedies for one access to shared memory: each is another layout of the
/// data, and is proposed only after all accesses of the kernel to the same
/// array have been counted again under it. Errs towards saying nothing: an
/// edit is offered only where every access of the kernel names its array.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_CHECKS_BANKREMEDY_H
#define CUDA_LINT_ANALYZER_CHECKS_BANKREMEDY_H

#include "analyzer/checks/KernelModel.h"
#include "report/Finding.h"

#include <optional>

namespace cudalint {

struct BankRemedy {
  Phrase Said; ///< Empty when none is known.
  std::optional<Fix> Edit;
  bool IsComplete = false; ///< No access to the array conflicts then.
};

/// `A` is an access of `K` that conflicts, with samples.
BankRemedy findBankRemedy(const KernelModel &K, const Access &A);

/// The most lanes of one request that update one word in turns, whatever the
/// layout is; 1 where lanes share a word for free.
unsigned lanesThatTakeTurns(const Access &A);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_CHECKS_BANKREMEDY_H
