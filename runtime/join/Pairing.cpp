//===- runtime/join/Pairing.cpp - As many pairs as can be -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/join/Pairing.h"

namespace cudalint {

/// A maximum matching of a bipartite graph, by augmenting paths.
std::vector<std::optional<std::size_t>>
pairUp(std::size_t Size,
       const std::function<bool(std::size_t, std::size_t)> &Fits) {
  std::vector<std::optional<std::size_t>> Owner(Size), Out(Size);
  std::vector<bool> Seen;
  std::function<bool(std::size_t)> place = [&](std::size_t I) {
    for (std::size_t J = 0; J != Size; ++J) {
      if (Seen[J] || !Fits(I, J))
        continue;
      Seen[J] = true;
      if (Owner[J] && !place(*Owner[J]))
        continue;
      Owner[J] = I;
      return true;
    }
    return false;
  };
  for (std::size_t I = 0; I != Size; ++I) {
    Seen.assign(Size, false);
    place(I);
  }
  for (std::size_t J = 0; J != Size; ++J)
    if (Owner[J])
      Out[*Owner[J]] = J;
  return Out;
}

} // namespace cudalint
