//===- runtime/probe/ProbeGraphs.cpp - Graphs, and what is captured -------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/Probe.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace cudalint::probe {

// For other threads to close their windows before a graph is made or launched,
// in all. Chosen: what is counted ends by itself, and the graph would run
// wrong, but a kernel may wait for it after all.
static constexpr std::chrono::milliseconds PatienceOfGraphs{10'000};

// Before a thread that has waited in vain looks again.
static constexpr std::chrono::microseconds Pause{200};

/// Enters the gate; where only some launches are counted, at a moment when none
/// is in any of \p List. False: there was none within \p Patience.
bool Probe::enterUncounted(std::span<const CUcontext> List,
                           std::chrono::milliseconds Patience) noexcept {
  using Clock = std::chrono::steady_clock;
  const bool Avoids = Counter.isWanted() && Set.filters();
  if (Avoids && !Ended)
    for (CUcontext Each : List)
      Window.prepare(Each);
  const auto Until = Clock::now() + Patience;
  for (;;) {
    Gate.enter();
    // Nobody starts to count while this thread is inside.
    if (!Avoids || Ended || std::ranges::none_of(List, [&](CUcontext Each) {
          return Counter.isCounting(Each);
        }))
      return true;
    if (Clock::now() >= Until)
      return false;
    Gate.leave();
    std::this_thread::sleep_for(Pause);
    Window.closeLeft(Clock::duration::zero());
  }
}

/// Enters the gate, where only some launches are counted at a moment when none
/// is: otherwise kernels of a graph that is made or launched would not run.
void Probe::enterWithGraph(std::span<const CUcontext> List) noexcept {
  using std::chrono::milliseconds;
  const auto Start = std::chrono::steady_clock::now();
  const milliseconds Left = std::max(
      milliseconds(0), PatienceOfGraphs - milliseconds(WaitedForGraphs));
  const bool IsUncounted = enterUncounted(List, Left);
  WaitedForGraphs += std::chrono::duration_cast<milliseconds>(
                         std::chrono::steady_clock::now() - Start)
                         .count();
  if (!IsUncounted)
    Problems.add(loss("graph-spoilt",
                      "a graph was made or launched while a kernel was counted "
                      "of which nobody knew that it had ended: what the "
                      "program computed may be wrong; leave that kernel out "
                      "with --kernel"));
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
  enterWithGraph({&Context, 1});
}

void Probe::graphChanged() noexcept { Gate.leave(); }

void Probe::captureBeginning(CUcontext Context, CUstream Stream) noexcept {
  // Nobody may read counts or ask about streams from here on, of any context,
  // so nothing that is counted could come to its end.
  std::vector<CUcontext> All = Counter.counting();
  All.push_back(Context);
  enterWithGraph(All);
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
