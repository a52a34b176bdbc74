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
FunctionShapes::State *FunctionShapes::place(Handle Context, Handle Function) {
  auto Found = All.find(Function);
  if (Found == All.end()) {
    if (All.size() >= MostFunctions)
      return nullptr;
    Found = All.try_emplace(Function).first;
  }
  Found->second.Context = Context;
  HasAny = true;
  return &Found->second;
}

void FunctionShapes::setBlock(Handle Context, Handle Function,
                              std::array<unsigned, 3> Block) {
  std::lock_guard Lock(Mutex);
  if (State *Of = place(Context, Function))
    Of->Block = Block;
}

void FunctionShapes::setSharedBytes(Handle Context, Handle Function,
                                    unsigned Bytes) {
  std::lock_guard Lock(Mutex);
  if (State *Of = place(Context, Function))
    Of->DynamicSharedBytes = Bytes;
}

void FunctionShapes::launchedOtherwise(Handle Function) {
  if (!HasAny)
    return;
  std::lock_guard Lock(Mutex);
  All.erase(Function);
}

bool FunctionShapes::lacksModule(Handle Function) const {
  if (!HasAny)
    return false;
  std::lock_guard Lock(Mutex);
  auto Found = All.find(Function);
  return Found != All.end() && !Found->second.Module;
}

void FunctionShapes::setModule(Handle Function, Handle Module) {
  std::lock_guard Lock(Mutex);
  if (auto Found = All.find(Function); Found != All.end())
    Found->second.Module = Module;
}

void FunctionShapes::moduleGone(Handle Module) {
  if (!HasAny)
    return;
  std::lock_guard Lock(Mutex);
  std::erase_if(All,
                [&](const auto &Each) { return Each.second.Module == Module; });
}

void FunctionShapes::contextGone(Handle Context) {
  std::lock_guard Lock(Mutex);
  std::erase_if(
      All, [&](const auto &Each) { return Each.second.Context == Context; });
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
