//===- analyzer/ir/RandomAddress.h - Addresses from data ---*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Of an address that is computed from loaded data, what the code still says:
/// the part that is known, by how many bytes a number of the data moves it, and
/// how large that number can be: that of `hist[data[i] & 255]` is one of 256
/// words.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_RANDOMADDRESS_H
#define CUDA_LINT_ANALYZER_IR_RANDOMADDRESS_H

#include "analyzer/ir/LaneValue.h"

#include <cstdint>
#include <vector>

namespace llvm {
class Instruction;
class Value;
} // namespace llvm

namespace cudalint {

class ValueEvaluator;

/// A number from the data, and what it adds to an address.
struct RandomPart {
  Lanes Bytes;              ///< For each unit of the number.
  std::uint64_t Values = 0; ///< It is below this; 0: nothing says how large.
  bool PerLane = true;      ///< Each lane has one of its own.
};

struct RandomAddress {
  LaneValue Known; ///< The rest, in bytes.
  std::vector<RandomPart> Parts;
};

/// What \p Pointer is in the lanes \p Active of the access \p At, for which its
/// value is \p Address. No parts: nothing of it is data, or what data does with
/// it is not followed.
RandomAddress randomAddress(const llvm::Value &Pointer,
                            const llvm::Instruction &At,
                            const LaneValue &Address, LaneMask Active,
                            ValueEvaluator &Values, LaneArithmetic &A);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_RANDOMADDRESS_H
