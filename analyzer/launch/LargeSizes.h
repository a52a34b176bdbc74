//===- analyzer/launch/LargeSizes.h - Where n is large ----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What host code computes if the sizes that it is not told are large: 128 of
/// `min(n, 128)`. An assumption to state, never a fact; with it, blocks keep to
/// what their own expressions bound them to.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_LARGESIZES_H
#define CUDA_LINT_ANALYZER_LAUNCH_LARGESIZES_H

#include "analyzer/launch/HostValue.h"

#include <set>

namespace cudalint {

class LargeSizes {
public:
  explicit LargeSizes(ValueFactory &Values) : Values(Values) {}

  /// \p V with each choice made that a comparison of something large and a
  /// number decides; a number, where that is all.
  Value of(Value V) { return of(V, 0); }

  /// What has been taken to be large so far: "'n'". Not of what only has to be
  /// 1 at least.
  const std::set<std::string> &names() const { return Names; }

private:
  Value of(Value V, unsigned Depth);
  bool isLarge(Value V, unsigned Depth = 0);
  std::optional<bool> truthOf(Value Condition, unsigned Depth);
  std::optional<bool> isLess(Value Left, Value Right, bool OrEqual);

  ValueFactory &Values;
  Knowledge Done;
  std::set<std::string> Names;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_LARGESIZES_H
