//===- runtime/join/Pairing.h - As many pairs as can be ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_JOIN_PAIRING_H
#define CUDA_LINT_RUNTIME_JOIN_PAIRING_H

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace cudalint {

/// Pairs each of \p Size with one of as many others that it fits, so that there
/// are as many pairs as can be. Of each, the number of the other, or nothing.
std::vector<std::optional<std::size_t>>
pairUp(std::size_t Size,
       const std::function<bool(std::size_t, std::size_t)> &Fits);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_JOIN_PAIRING_H
