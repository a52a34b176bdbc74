//===- runtime/probe/FunctionShapes.cpp - Shapes set beforehand -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/FunctionShapes.h"

namespace cudalint::probe {

/// Null where there is no room. EXPECTS: the lock is held.
FunctionShapes::State *FunctionShapes::place(Handle Function, Owner Its) {
  auto Found = All.find(Function);
  if (Found == All.end()) {
    if (All.size() >= MostFunctions)
      return nullptr;
    Found = All.try_emplace(Function).first;
  }
  Found->second.Its = Its;
  HasAny = true;
  return &Found->second;
}

void FunctionShapes::setBlock(Handle Function, Owner Its,
                              std::array<unsigned, 3> Block) {
  std::lock_guard Lock(Mutex);
  if (State *Of = place(Function, Its))
    Of->Block = Block;
}

void FunctionShapes::setSharedBytes(Handle Function, Owner Its,
                                    unsigned Bytes) {
  std::lock_guard Lock(Mutex);
  if (State *Of = place(Function, Its))
    Of->DynamicSharedBytes = Bytes;
}

void FunctionShapes::launchedOtherwise(Handle Function) {
  if (!HasAny)
    return;
  std::lock_guard Lock(Mutex);
  All.erase(Function);
}

void FunctionShapes::moduleGone(Handle Module) {
  std::lock_guard Lock(Mutex);
  std::erase_if(All, [&](const auto &Each) {
    Handle Its = Each.second.Its.Module;
    return !Its || Its == Module;
  });
}

void FunctionShapes::contextGone(Handle Context) {
  std::lock_guard Lock(Mutex);
  std::erase_if(All, [&](const auto &Each) {
    return Each.second.Its.Context == Context;
  });
}

void FunctionShapes::allGone() {
  std::lock_guard Lock(Mutex);
  All.clear();
}

std::optional<FunctionShapes::Shape> FunctionShapes::of(Handle Function) const {
  std::lock_guard Lock(Mutex);
  auto Found = All.find(Function);
  if (Found == All.end() || !Found->second.Block)
    return std::nullopt;
  return Shape{*Found->second.Block, Found->second.DynamicSharedBytes};
}

} // namespace cudalint::probe
