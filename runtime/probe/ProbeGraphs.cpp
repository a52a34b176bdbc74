//===- runtime/probe/ProbeGraphs.cpp - Graphs, and what is captured -------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/Probe.h"

#include <algorithm>
#include <utility>

namespace cudalint::probe {

// For another thread to close its window before a graph is made or launched.
// Chosen: what is counted ends by itself, and the graph would run wrong.
static constexpr std::chrono::seconds PatienceOfGraphs{60};

/// Enters the gate; where only some launches are counted, at a moment when none
/// is in any of \p List. False: there was none within \p Patience.
bool Probe::enterUncounted(std::span<const CUcontext> List,
                           std::chrono::milliseconds Patience) noexcept {
  using Clock = std::chrono::steady_clock;
  const auto Until = Clock::now() + Patience;
  for (;;) {
    const bool Avoids = Counter.isWanted() && Set.filters() && !Ended;
    for (CUcontext Each : List)
      if (Avoids && Clock::now() < Until)
        Window.prepare(Each);
    Gate.enter();
    // Nobody starts to count while this thread is inside.
    if (!Avoids || std::ranges::none_of(List, [&](CUcontext Each) {
          return Counter.isCounting(Each);
        }))
      return true;
    if (Clock::now() >= Until)
      return false;
    Gate.leave();
  }
}

/// Enters the gate, where only some launches are counted at a moment when none
/// is: otherwise kernels of a graph that is made or launched would not run.
void Probe::enterWithGraph(CUcontext Context) noexcept {
  if (!enterUncounted({&Context, 1}, PatienceOfGraphs))
    Problems.add(loss("graph-spoilt",
                      "a graph was made or launched while a kernel was counted "
                      "that did not end: what the program computed may be "
                      "wrong; leave that kernel out with --kernel"));
}

void Probe::graphCreated(CUcontext Context, CUgraph Graph,
                         CUgraphExec Executable) noexcept {
  unsigned Device = Contexts.deviceOf(Context).value_or(0);
  std::vector<LaunchTarget> Targets;
  const std::vector<GraphKernel> Kernels = Driver.kernels(Graph);
  for (const GraphKernel &Each : Kernels) {
    bool IsNew = false;
    LaunchTarget Target =
        Launches.target(Context, Device, Each.Name.c_str(), Each.Shape, IsNew);
    if (IsNew)
      Launches.setResources(Target, Driver.resources(Each.Shape));
    Targets.push_back(Target);
  }
  // The names do not outlive this function.
  Launches.forgetNames();
  Graphs.created(Executable, std::move(Targets));
}

void Probe::graphDestroyed(CUgraphExec Executable) noexcept {
  Graphs.destroyed(Executable);
}

void Probe::graphUploaded(CUgraphExec Executable) noexcept {
  Graphs.uploaded(Executable);
}

void Probe::graphChanging(CUcontext Context) noexcept {
  enterWithGraph(Context);
}

void Probe::graphChanged() noexcept { Gate.leave(); }

void Probe::captureBeginning(CUcontext Context, CUstream Stream) noexcept {
  // Nobody may read counts or ask about streams from here on.
  enterWithGraph(Context);
  Contexts.captureBegan(Stream);
  Gate.leave();
  // To wait for a kernel would end the capture, and a range waits.
  if (WantsRanges)
    Ranges.stopAll();
}

void Probe::captureEnded(CUstream Stream) noexcept {
  Contexts.captureEnded(Stream);
}

} // namespace cudalint::probe
