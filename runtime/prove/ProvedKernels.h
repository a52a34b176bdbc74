//===- runtime/prove/ProvedKernels.h - Kernels of a fix ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROVE_PROVEDKERNELS_H
#define CUDA_LINT_RUNTIME_PROVE_PROVEDKERNELS_H

#include "runtime/prove/Prover.h"

namespace cudalint {

/// Whether what \p Kernel does counts for \p About. Linkage names.
bool counts(const ProofSubject &About, const std::string &Kernel);

/// The subject of \p Fix by the names that its kernels have with it: a fix that
/// gives them other parameters gives them other names.
ProofSubject subjectAfter(const FixToProve &Fix);

/// What the compiler makes of its kernels, of the first GPU.
std::vector<ResourceChange> resourcesOf(const FixToProve &Fix);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_PROVE_PROVEDKERNELS_H
