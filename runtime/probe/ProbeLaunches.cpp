//===- runtime/probe/ProbeLaunches.cpp - What is launched -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/Injection.h"
#include "runtime/probe/Probe.h"

#include <type_traits>
#include <utility>

namespace cudalint::probe {

namespace {
/// What launched() has to undo. A thread launches one thing at a time.
///
/// Nothing in it has a destructor: those of a thread's objects run before the
/// handlers of atexit() and the destructors of static objects, which may
/// launch.
struct CurrentLaunch {
  bool Active = false;
  bool IsRanged = false; // measured as a whole
  bool HasWindow = false;
  LaunchCall Call;
  CUstream Stream = nullptr;
  LaunchTarget One;                             // of a kernel
  std::vector<LaunchTarget> *OfGraph = nullptr; // owned until launched()
  // Set at the first launch of its shape.
  std::optional<LaunchShape> NewShape;

  std::span<const LaunchTarget> targets() const {
    return OfGraph ? std::span<const LaunchTarget>(*OfGraph)
                   : std::span(&One, 1);
  }
};
static_assert(std::is_trivially_destructible_v<CurrentLaunch>);
} // namespace

static constinit thread_local CurrentLaunch Current;

void Probe::launching(CUcontext Context, const char *Name,
                      const LaunchShape &Shape, CUstream Stream,
                      std::uint32_t Correlation) noexcept {
  // What is recorded into a graph runs when the graph is launched.
  if (Driver.isCapturing(Stream))
    return;
  bool IsNew = false;
  unsigned Device = Contexts.deviceOf(Context).value_or(0);
  Current.One = Launches.target(Context, Device, Name, Shape, IsNew);
  Current.NewShape.reset();
  if (IsNew)
    Current.NewShape = Shape;
  Current.Call = {.Context = Context, .Correlation = Correlation};
  begin(Stream);
}

void Probe::graphLaunching(CUcontext Context, CUgraphExec Graph,
                           CUstream Stream,
                           std::uint32_t Correlation) noexcept {
  if (Driver.isCapturing(Stream))
    return;
  // A graph has patched kernels only if counting was on when it was made.
  if (WantsRanges)
    Problems.add({"graph-not-measured",
                  std::string(LaunchRanges::nounOf(Set.Collect)) +
                      " is not measured of kernels in graphs: launch them "
                      "without a graph"});
  else if (Set.filters() && Counter.isWanted())
    Problems.add({"graph-not-measured",
                  "kernels of graphs are counted only where all launches are: "
                  "measure with --launches=all"});
  Current.OfGraph = new std::vector<LaunchTarget>(Launches.ofGraph(Graph));
  Current.NewShape.reset();
  Current.Call = {
      .Context = Context, .Correlation = Correlation, .IsGraph = true};
  begin(Stream);
}

/// EXPECTS: what is launched stands in Current.
void Probe::begin(CUstream Stream) noexcept {
  LaunchCall &Call = Current.Call;
  std::span<const LaunchTarget> Targets = Current.targets();
  Current.Active = true;
  Current.IsRanged = false;
  Current.HasWindow = false;
  Current.Stream = Stream;
  Call.IsSelected = !Set.selects() || (chosenRange().isInside() &&
                                       Launches.isPastSkipped(Targets));
  if (WantsRanges) {
    Ranges.begin();
    Current.IsRanged =
        Ranges.set(Call.Context, Call.IsSelected && !Call.IsGraph &&
                                     !Contexts.isCapturing() &&
                                     Launches.wantsRange(Targets));
  } else if (Counter.isWanted() && !Set.filters()) {
    Counter.start(Call.Context);
  } else if (Counter.isWanted() && !Ended) {
    Window.prepare(Call.Context);
    Current.HasWindow = !Call.IsGraph && Call.IsSelected && !Ended &&
                        Window.open(Call.Context, Current.One);
  } else if (WantsStalls) {
    startStalls(Call.Context, /*Launches=*/true);
  }
  Gate.enter();
  Call.IsCounted =
      Counter.isCounting(Call.Context) && !(Call.IsGraph && Set.filters());
  // What another thread's window counts is in the counts, asked for or not.
  Call.IsSelected |= Call.IsCounted;
  Launches.launching(Call, Targets, Times.areTaken());
  Contexts.launching(Call.Context, Stream, /*IsWaitedFor=*/Current.HasWindow);
}

void Probe::launched(bool Succeeded) noexcept {
  if (!Current.Active)
    return;
  Current.Active = false;
  CUcontext Context = Current.Call.Context;
  if (!Succeeded)
    Launches.failed(Current.Call, Current.targets());
  else if (Current.IsRanged)
    Ranges.measured(Context, Current.One);
  Gate.leave();
  if (WantsStalls && !Contexts.isCapturing())
    Stalls.readSometimes();
  if (Current.HasWindow)
    Window.close(Context, Current.One, Current.Stream);
  if (WantsRanges)
    Ranges.end();
  // Not before the first launch: the question would load the kernel's module,
  // and CUPTI does not patch what is loaded in a callback.
  if (Succeeded && Current.NewShape)
    Launches.setResources(Current.One, Driver.resources(*Current.NewShape));
  Current.NewShape.reset();
  delete std::exchange(Current.OfGraph, nullptr);
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
  Launches.graphCreated(Executable, std::move(Targets));
}

void Probe::graphDestroyed(CUgraphExec Executable) noexcept {
  Launches.graphDestroyed(Executable);
}

void Probe::ran(const LaunchKey &Key, std::uint64_t Nanoseconds,
                std::uint32_t Correlation) noexcept {
  Launches.ran(Key, Nanoseconds, Correlation);
}

} // namespace cudalint::probe
