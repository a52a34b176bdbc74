//===- analyzer/ir/RequestCost.h - What a request costs ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Asks the hardware model about one request of the evaluator.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_REQUESTCOST_H
#define CUDA_LINT_ANALYZER_IR_REQUESTCOST_H

#include "analyzer/ir/AddressVariants.h"
#include "analyzer/ir/WarpInterpreter.h"
#include "hardware/Architecture.h"

#include <bit>

namespace cudalint {

/// Cost of one request, or of several that are one instruction.
struct RequestCost {
  double PerRequest = 0, Ideal = 0, BytesUsed = 0;
  unsigned Ways = 0;
};

/// Bytes of one request: what is wider than its alignment, or than 16 bytes,
/// is several.
unsigned pieceOf(const Request &R);

/// What the addresses of an instruction of \p Piece bytes are multiples of: it
/// faults elsewhere.
inline unsigned alignedBytes(unsigned Piece) {
  return std::has_single_bit(Piece) ? Piece : 1;
}

/// What the hardware model is asked about. Increment where nvcc makes
/// ATOMS.POPC.INC of an atomic on shared memory: from 8.0 on, for words of 4
/// bytes that grow by the constant 1 and whose old value nobody uses.
RequestKind kindOf(const Architecture &Arch, const Request &R);

/// What `Piece` bytes of each lane cost at these offsets from a base that is
/// aligned to 256 bytes, in the space and with the lanes of `R`.
RequestCost costOf(const Architecture &Arch, const Request &R, unsigned Piece,
                   const LaneOffsets &O);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_REQUESTCOST_H
