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
#include "hardware/RandomRequest.h"

#include <vector>

namespace llvm {
class Instruction;
class Value;
} // namespace llvm

namespace cudalint {

class ValueEvaluator;

struct RandomAddress {
  LaneValue Known;                   ///< The rest, in bytes.
  std::vector<RandomNumber> Numbers; ///< Independent of each other.
};

/// What \p Pointer is in the lanes \p Active of the access \p At, of \p Bytes
/// each, for which its value is \p Address. The numbers have the values that do
/// not lead out of an array of known size. No numbers: nothing of it is data,
/// or what data does with it is not followed, or those values are not as many
/// for all lanes.
RandomAddress randomAddress(const llvm::Value &Pointer,
                            const llvm::Instruction &At,
                            const LaneValue &Address, LaneMask Active,
                            unsigned Bytes, ValueEvaluator &Values,
                            LaneArithmetic &A);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_RANDOMADDRESS_H
