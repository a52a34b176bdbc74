//===- analyzer/ir/CodePlace.h - A place in the code ------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_CODEPLACE_H
#define CUDA_LINT_ANALYZER_IR_CODEPLACE_H

#include "report/Finding.h"

#include <vector>

namespace cudalint {

/// Of what is no access.
struct CodePlace {
  Location Where;                  ///< In the user's code.
  std::vector<Location> InlinedAt; ///< Calls, innermost first.

  auto operator<=>(const CodePlace &) const = default;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_CODEPLACE_H
