//===- runtime/probe/GraphTable.cpp - What graphs launch ------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/GraphTable.h"

#include <utility>

namespace cudalint::probe {

void GraphTable::created(CUgraphExec Graph, std::vector<LaunchTarget> Targets) {
  std::lock_guard Lock(Mutex);
  Graphs[Graph] = {.Targets = std::move(Targets)};
}

void GraphTable::destroyed(CUgraphExec Graph) {
  std::lock_guard Lock(Mutex);
  Graphs.erase(Graph);
}

void GraphTable::uploaded(CUgraphExec Graph) {
  std::lock_guard Lock(Mutex);
  const auto Found = Graphs.find(Graph);
  if (Found != Graphs.end() && !Found->second.WasLaunched)
    Found->second.IsPatched = false;
}

GraphTable::Launch GraphTable::launching(CUgraphExec Graph) {
  std::lock_guard Lock(Mutex);
  const auto Found = Graphs.find(Graph);
  if (Found == Graphs.end())
    return {};
  Found->second.WasLaunched = true;
  return {Found->second.Targets, Found->second.IsPatched};
}

} // namespace cudalint::probe
