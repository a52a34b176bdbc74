//===- runtime/probe/FunctionShapes.h - Shapes set beforehand ---*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_FUNCTIONSHAPES_H
#define CUDA_LINT_RUNTIME_PROBE_FUNCTIONSHAPES_H

#include "runtime/probe/LockOrder.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <optional>
#include <unordered_map>

namespace cudalint::probe {

/// What a program says of a function before it launches it by cuLaunch,
/// cuLaunchGrid or cuLaunchGridAsync: the driver keeps the shape of a block and
/// the dynamic shared memory with the function, and has no call that tells
/// them. Handles are those of the driver.
class FunctionShapes {
public:
  using Handle = const void *;
  /// Of further functions nothing is kept.
  static constexpr std::size_t MostFunctions = 16384;

  struct Shape {
    std::array<unsigned, 3> Block = {1, 1, 1};
    unsigned DynamicSharedBytes = 0;
  };

  /// cuFuncSetBlockShape and cuFuncSetSharedSize have succeeded.
  void setBlock(Handle Context, Handle Function, std::array<unsigned, 3> Block);
  void setSharedBytes(Handle Context, Handle Function, unsigned Bytes);

  /// It is launched by a newer call, after which what was set before does not
  /// hold: see cuLaunchGrid in cuda.h.
  void launchedOtherwise(Handle Function);

  /// Whether it is here, and setModule() was not called: a driver may be asked
  /// for the module only while the function is certain to be there.
  bool lacksModule(Handle Function) const;
  void setModule(Handle Function, Handle Module);

  /// Others may get the handles. Functions of which the module is not known
  /// stay: they were not launched, and a new one of that handle has to be given
  /// a block before it is.
  void moduleGone(Handle Module);
  void contextGone(Handle Context);
  void allGone();

  /// Absent where the shape of a block is not known.
  std::optional<Shape> of(Handle Function) const;

private:
  struct State {
    Handle Context = nullptr, Module = nullptr;
    std::optional<std::array<unsigned, 3>> Block;
    unsigned DynamicSharedBytes = 0; // a new function has none
  };
  State *place(Handle Context, Handle Function);

  std::atomic<bool> HasAny = false; // for programs that never do this
  mutable RankedMutex<LockRank::Functions> Mutex;
  std::unordered_map<Handle, State> All;
};

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_FUNCTIONSHAPES_H
