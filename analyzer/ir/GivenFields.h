//===- analyzer/ir/GivenFields.h - What a launch passes ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Integers in objects that a launch passes by value: sizes and strides mostly.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_GIVENFIELDS_H
#define CUDA_LINT_ANALYZER_IR_GIVENFIELDS_H

#include "report/LaunchRecord.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace llvm {
class Function;
class Value;
} // namespace llvm

namespace cudalint {

/// Notes the parameters of \p Kernel that it writes to, as long as all its
/// stores are there.
void noteChangedParameters(llvm::Function &Kernel);

class GivenFields {
public:
  GivenFields() = default;
  /// Of the parameters of \p Kernel that it only reads, by these notes.
  GivenFields(const llvm::Function &Kernel, std::span<const PassedField> Known);

  /// What a load of \p Bits reads there, \p Offset bytes into the parameter
  /// \p Object. Empty: that is not known, or \p Object is something else.
  std::optional<std::int64_t> find(const llvm::Value *Object,
                                   std::int64_t Offset, unsigned Bits) const;

  /// Whether \p Object is a parameter and the kernel may write to those \p Bits
  /// of it, \p Offset bytes into it; empty: anywhere. Then what is read there
  /// is not what was passed.
  bool isChanged(const llvm::Value *Object, std::optional<std::int64_t> Offset,
                 unsigned Bits) const;

private:
  std::map<const llvm::Value *,
           std::vector<std::pair<std::int64_t, std::int64_t>>>
      Changed;
  std::map<std::tuple<const llvm::Value *, std::int64_t, unsigned>,
           std::int64_t>
      Values;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_GIVENFIELDS_H
