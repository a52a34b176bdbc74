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
#include <functional>
#include <optional>
#include <string>
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
/// everything else: nothing is known of it. \p Constant gives the value of an
/// operand, `$N`, that the caller knows, such as the size of a cp.async.
std::vector<PtxAccess> parseInlinePtx(
    std::string_view Template,
    const std::function<std::optional<unsigned>(unsigned N)> &Constant = {});

/// N of a template that gives operand `$N`, a generic address, as one of shared
/// memory in `$0`: cvta.to.shared and, for 32 bits, a cvt behind it; empty when
/// it is something else.
std::optional<unsigned> sharedAddressOperand(std::string_view Template);

/// One instruction that runs where an operand is not 0.
struct PredicatedPtx {
  unsigned Condition = 0;  ///< `$N` of the template.
  std::string Instruction; ///< A template of its own, of the same operands.
};

/// Of `setp.ne p, $N, 0` and `@p` with what follows; empty for all else.
std::optional<PredicatedPtx> predicatedInstruction(std::string_view Template);

/// The special register that a template like `mov.u32 $0, %laneid;` reads;
/// empty when it is something else.
std::string_view specialRegister(std::string_view Template);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_INLINEPTX_H
