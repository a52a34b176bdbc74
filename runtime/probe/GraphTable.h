//===- runtime/probe/GraphTable.h - What graphs launch ----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_GRAPHTABLE_H
#define CUDA_LINT_RUNTIME_PROBE_GRAPHTABLE_H

#include "runtime/probe/DriverApi.h"
#include "runtime/probe/Launches.h"
#include "runtime/probe/LockOrder.h"

#include <map>
#include <vector>

namespace cudalint::probe {

/// Executable graphs, the kernels of each, and whether these can be counted.
///
/// An executable graph and CUPTI's patched code go together only if counting
/// was on when the graph was made, and is on whenever it is launched. Seen with
/// CUPTI 13.0 on an H200:
///  - one that was made while counting was off, and is launched while it is on,
///    loses kernels or ends the program with an illegal address;
///  - one that the program uploads itself runs without counters.
class GraphTable {
public:
  struct Launch {
    std::vector<LaunchTarget> Targets;
    bool IsPatched = true; // where counting was always on
  };

  void created(CUgraphExec Graph, std::vector<LaunchTarget> Targets);
  void destroyed(CUgraphExec Graph);
  /// By cuGraphUpload() or a flag, before its first launch or after.
  void uploaded(CUgraphExec Graph);
  /// It is launched now. Nothing where it is not known.
  Launch launching(CUgraphExec Graph);

private:
  struct Executable {
    std::vector<LaunchTarget> Targets;
    bool IsPatched = true, WasLaunched = false;
  };

  RankedMutex<LockRank::Graphs> Mutex;
  std::map<CUgraphExec, Executable> Graphs;
};

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_GRAPHTABLE_H
