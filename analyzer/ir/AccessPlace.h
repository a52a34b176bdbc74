//===- analyzer/ir/AccessPlace.h - Where an access is written ---*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// From the debug information of an instruction to places in the source.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_ACCESSPLACE_H
#define CUDA_LINT_ANALYZER_IR_ACCESSPLACE_H

#include "analyzer/frontend/SystemHeaders.h"
#include "analyzer/ir/Access.h"
#include "analyzer/ir/CodePlace.h"

#include "llvm/ADT/StringRef.h"

namespace llvm {
class DILocation;
class Instruction;
} // namespace llvm

namespace cudalint {

/// Of an instruction that need not be an access.
CodePlace codePlaceOf(const llvm::Instruction &Inst, const SourceFacts &Facts);

/// A line of code and the calls through which it was inlined, innermost first.
struct CodeFrame {
  Location Where;
  std::string Function; ///< That it is in: its linkage name.
};
std::vector<CodeFrame> framesOf(const llvm::DILocation *Place);

/// The same of such a place.
CodePlace codePlaceOf(const std::vector<CodeFrame> &Frames,
                      const SourceFacts &Facts);

/// Fills in where `Inst` stands, through which calls it was inlined, and what
/// the user wrote there; `A.Op` is set already.
void locate(Access &A, const llvm::Instruction &Inst, const SourceFacts &Facts);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_ACCESSPLACE_H
