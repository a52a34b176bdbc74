//===- analyzer/ir/InlinePtx.h - Memory instructions in asm -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reads the memory instruction out of an inline PTX template. The toolkit's
/// own headers write `__ldcg`, `__stcs`, cp.async and their kin this way.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_INLINEPTX_H
#define CUDA_LINT_ANALYZER_IR_INLINEPTX_H

#include "report/Document.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace cudalint {

/// One access of an inline PTX template.
/// What an atomic does, as far as shared memory does it in other ways.
enum class AtomicForm : std::uint8_t {
  Arithmetic, ///< Of integers: add, min, and, ...
  Exchange,
  CompareAndSwap,
  FloatingPoint ///< Arithmetic of floating-point numbers.
};

struct PtxAccess {
  AccessOp Op = AccessOp::Load;
  MemorySpace Space = MemorySpace::Generic;
  unsigned Bytes = 0;          ///< Per lane.
  unsigned AddressOperand = 0; ///< `$N` of the template.
  unsigned Matrices = 0;       ///< Of an ldmatrix or stmatrix; 0 for all else.
  AtomicForm Atomic = AtomicForm::Arithmetic; ///< Of an atom or red.
};

/// The accesses of a template that is a single ld, st, red, atom, cp.async,
/// ldmatrix or stmatrix instruction with a register address. Empty for
/// everything else: nothing is known of it. `CopyBytes` is what a cp.async
/// whose size is an operand copies, when the caller knows it.
std::vector<PtxAccess> parseInlinePtx(std::string_view Template,
                                      std::optional<unsigned> CopyBytes = {});

/// The special register that a template like `mov.u32 $0, %laneid;` reads;
/// empty when it is something else.
std::string_view specialRegister(std::string_view Template);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_INLINEPTX_H
