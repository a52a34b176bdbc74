//===- analyzer/frontend/AstEdits.h - Changes that are undone ---*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// nvcc compiles some code otherwise than Clang's code generator, which can be
/// told only by the tree that it reads. The tree may be somebody else's, and
/// read again: all that is changed for one generation is put back.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FRONTEND_ASTEDITS_H
#define CUDA_LINT_ANALYZER_FRONTEND_ASTEDITS_H

#include <functional>
#include <utility>
#include <vector>

namespace cudalint {

/// The changes to one tree; its end undoes them, the last one first.
class AstEdits {
public:
  AstEdits() = default;
  AstEdits(const AstEdits &) = delete;
  AstEdits &operator=(const AstEdits &) = delete;
  ~AstEdits() {
    while (!Undo.empty()) {
      Undo.back()();
      Undo.pop_back();
    }
  }

  /// Whoever changes the tree says how the change is undone.
  void add(std::function<void()> UndoIt) { Undo.push_back(std::move(UndoIt)); }

private:
  std::vector<std::function<void()>> Undo;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FRONTEND_ASTEDITS_H
