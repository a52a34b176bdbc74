//===- runtime/prove/ProofWriters.h - How proofs are told -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROVE_PROOFWRITERS_H
#define CUDA_LINT_RUNTIME_PROVE_PROOFWRITERS_H

#include "runtime/prove/Proof.h"

#include <string>

namespace cudalint {

/// A block for each fix, and below them a table; words are wrapped at \p Width
/// columns, 0: not at all.
std::string proofText(const ProofReport &Report, unsigned Width);

/// `cuda-lint-prove/1`: docs/prove.md.
std::string proofJson(const ProofReport &Report);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_PROVE_PROOFWRITERS_H
