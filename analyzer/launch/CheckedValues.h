//===- analyzer/launch/CheckedValues.h - What was asked before --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What is known of a number of the host that is not known: from the conditions
/// that were met on the way. Pure.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_CHECKEDVALUES_H
#define CUDA_LINT_ANALYZER_LAUNCH_CHECKEDVALUES_H

#include "analyzer/launch/HostValue.h"

#include <cstdint>
#include <optional>

namespace cudalint {

/// What \p V is at most, as far as it was compared with numbers.
std::optional<std::int64_t> limitOf(Value V, const Knowledge &Known);

/// The power of two that \p V is a multiple of, as far as that was asked; 1:
/// nothing is known.
std::uint64_t divisorOf(Value V, const Knowledge &Known);

/// Whether \p V, a size that only the run knows, is not to be taken for a
/// multiple of 32: another remainder was found, or it is so many more or fewer
/// than another size.
bool isNotRound(Value V, const Knowledge &Known);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_CHECKEDVALUES_H
