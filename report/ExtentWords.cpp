//===- report/ExtentWords.cpp - Grids and blocks in words -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/ExtentWords.h"

namespace cudalint {

std::string shape(const Extent &E) {
  std::size_t Last = E.size();
  while (Last > 1 && E[Last - 1] == 1)
    --Last;
  std::string Text;
  for (std::size_t I = 0; I < Last; ++I) {
    Text += I == 0 ? "" : "x";
    Text += E[I] ? std::to_string(*E[I]) : "?";
  }
  return Text;
}

std::string shape(const BlockShape &Block) {
  return shape(Extent{Block[0], Block[1], Block[2]});
}

} // namespace cudalint
