//===- analyzer/ir/PowerValues.h - Costs by a power of two ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A parameter that is known to be a power of two, or to be the number of one
/// (`1 << n`), has few values. A kernel is evaluated with each of them, where
/// its launches do not say which it is; here it is decided for which parameters
/// that is, and what all of these evaluations say together.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_POWERVALUES_H
#define CUDA_LINT_ANALYZER_IR_POWERVALUES_H

#include "analyzer/ir/CollectedAccess.h"
#include "analyzer/ir/KernelEvaluator.h"

#include <cstdint>
#include <string>
#include <vector>

namespace cudalint {

struct PowerParameter {
  unsigned Index = 0;
  std::string Symbol; ///< The power, as in a formula: `n` or `1 << n`.
  /// It is shifted by: the power is 1 << parameter, whatever it is. Else the
  /// parameter is used as only a power of two would be, which proves nothing.
  bool IsExponent = false;
  bool IsPassed = false;  ///< As a power of two, by the launch.
  bool IsOfBlock = false; ///< It decides about the block, too.
};

/// Powers that are looked at: 1 to 32768. No distance between lanes that is a
/// larger one costs anything else.
inline constexpr unsigned MostExponent = 15;

/// Those of the kernel that decide about addresses, or which lanes take part,
/// but for the arguments that the launch gives; two at most.
std::vector<PowerParameter> powerParameters(const llvm::Function &Kernel,
                                            const LaunchShape &Launch);

/// That by which the sizes of the block of \p Launch go together, which has
/// such ones.
PowerParameter powerOfBlock(const llvm::Function &Kernel,
                            const LaunchShape &Launch);

/// \p Launch if it is \p Power.
LaunchShape withPower(const LaunchShape &Launch, const PowerParameter &Of,
                      std::int64_t Power);

/// The kernel with one value of the parameter.
struct PowerRun {
  std::int64_t Power = 0;
  std::vector<CollectedAccess> Accesses;
};

/// Adds to \p Found what the runs say, which are in order of their powers: a
/// number where an access costs the same in all of them; else what it costs by
/// value. A prediction that holds for none of them is none, and where the block
/// depends on it, one that does not hold for all of them.
void addByPower(std::vector<CollectedAccess> &Found, const PowerParameter &Of,
                const std::vector<PowerRun> &Runs);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_POWERVALUES_H
