//===- analyzer/ir/UnknownCause.h - Why an address is not known -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Follows an address back to where its lanes part in a way that nobody can
/// know before the program runs.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_UNKNOWNCAUSE_H
#define CUDA_LINT_ANALYZER_IR_UNKNOWNCAUSE_H

#include "analyzer/frontend/SourceFacts.h"
#include "report/Document.h"

namespace llvm {
class Instruction;
class Value;
} // namespace llvm

namespace cudalint {

class KernelStructure;

/// What makes \p Address unknown: of all that it is computed from, the nearest
/// that is not known by itself. `NotModelled` if there is nothing of the kind.
UnknownReason explainUnknown(const llvm::Value &Address,
                             const KernelStructure &Kernel,
                             const SourceFacts &Facts);

/// Where that comes from by which the access \p I at \p Address is unknown, of
/// causes that explainUnknown() does not find; no line: nowhere in particular.
Location whereUnknown(UnknownCause Cause, const llvm::Instruction &I,
                      const llvm::Value &Address, const KernelStructure &Kernel,
                      const SourceFacts &Facts);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_UNKNOWNCAUSE_H
