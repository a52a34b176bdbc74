//===- analyzer/ir/SmallBounds.h - Code of few threads ----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A kernel may bound one index twice: by `rows * columns`, which there are
/// threads for, and by `rows`, for what is done once for each. How many threads
/// come to the latter, only the run knows, but they are few.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_SMALLBOUNDS_H
#define CUDA_LINT_ANALYZER_IR_SMALLBOUNDS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Dominators.h"

#include <optional>

namespace cudalint {

class SmallBounds {
public:
  explicit SmallBounds(const llvm::Function &Kernel);

  /// Whether \p Code is behind the smaller of two such bounds.
  bool isBehind(const llvm::BasicBlock &Code) const;

private:
  llvm::SmallVector<llvm::BasicBlockEdge> Edges; ///< Into such code.
  std::optional<llvm::DominatorTree> Dominators; ///< With Edges.
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_SMALLBOUNDS_H
