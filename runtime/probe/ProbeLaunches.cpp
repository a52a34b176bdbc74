//===- runtime/probe/ProbeLaunches.cpp - What is launched -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/Injection.h"
#include "runtime/probe/Probe.h"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace cudalint::probe {

namespace {
/// One kernel of a call that launches on several GPUs.
struct Part {
  LaunchCall Call;
  CUstream Stream = nullptr;
  LaunchTarget Target;
  std::optional<LaunchShape> NewShape; // at the first launch of it
};

/// What launched() has to undo. A thread launches one thing at a time.
///
/// Nothing in it has a destructor: those of a thread's objects run before the
/// handlers of atexit() and the destructors of static objects, which may
/// launch.
struct CurrentLaunch {
  bool Active = false;
  bool IsUnread = false; // of several GPUs, and nothing is known of it
  bool IsRanged = false; // measured as a whole
  bool HasWindow = false;
  bool LacksBlock = false;          // whose shape is not known
  CUfunction LacksModule = nullptr; // whose module is to be asked for
  LaunchCall Call;
  CUstream Stream = nullptr;
  LaunchTarget One; // of a kernel
  // Owned until launched(), both:
  std::vector<LaunchTarget> *OfGraph = nullptr;
  std::vector<Part> *Parts = nullptr; // instead of One
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

// For another thread to close its window, before kernels are launched that wait
// for each other. Chosen.
static constexpr std::chrono::milliseconds PatienceTogether{200};

void Probe::launching(CUcontext Context, const char *Name,
                      const LaunchShape &Shape, CUstream Stream,
                      std::uint32_t Correlation) noexcept {
  Functions.launchedOtherwise(Shape.Function);
  Current.LacksBlock = false;
  Current.LacksModule = nullptr;
  launchingOne(Context, Name, Shape, Stream, Correlation);
}

void Probe::gridLaunching(CUcontext Context, const char *Name,
                          LaunchShape Shape, CUstream Stream,
                          std::uint32_t Correlation) noexcept {
  const auto Its = Functions.of(Shape.Function);
  Current.LacksBlock = !Its;
  Current.LacksModule =
      Functions.lacksModule(Shape.Function) ? Shape.Function : nullptr;
  if (Its) {
    Shape.Block = Its->Block;
    Shape.DynamicSharedBytes = Its->DynamicSharedBytes;
  } else {
    Shape.Block = {0, 0, 0};
  }
  launchingOne(Context, Name ? Name : Driver.nameOf(Shape.Function), Shape,
               Stream, Correlation);
}

void Probe::blockShapeSet(CUcontext Context, CUfunction Function,
                          std::array<unsigned, 3> Block) noexcept {
  Functions.setBlock(Context, Function, Block);
}

void Probe::sharedSizeSet(CUcontext Context, CUfunction Function,
                          unsigned Bytes) noexcept {
  Functions.setSharedBytes(Context, Function, Bytes);
}

void Probe::launchingOne(CUcontext Context, const char *Name,
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
  begin(Stream, Shape.Function);
}

void Probe::graphLaunching(CUcontext Context, CUgraphExec Graph,
                           CUstream Stream,
                           std::uint32_t Correlation) noexcept {
  if (Driver.isCapturing(Stream))
    return;
  GraphTable::Launch Its = Graphs.launching(Graph);
  const bool MayBeCounted = Its.IsPatched && !Set.filters();
  if (WantsRanges)
    Problems.add({"graph-not-measured",
                  std::string(LaunchRanges::nounOf(Set.Collect)) +
                      " is not measured of kernels in graphs: launch them "
                      "without a graph"});
  else if (Counter.isWanted() && Set.filters())
    Problems.add({"graph-not-measured",
                  "kernels of graphs are counted only where all launches are: "
                  "measure with --launches=all"});
  else if (Counter.isWanted() && !MayBeCounted)
    Problems.add({"graph-not-measured",
                  "a graph that the program uploads before it launches it is "
                  "not counted: leave cudaGraphUpload out to measure it"});
  Current.LacksBlock = false;
  Current.LacksModule = nullptr;
  Current.OfGraph = new std::vector<LaunchTarget>(std::move(Its.Targets));
  Current.NewShape.reset();
  Current.Call = {.Context = Context,
                  .Correlation = Correlation,
                  .IsGraph = true,
                  .MayBeCounted = MayBeCounted,
                  .Otherwise = MayBeCounted ? Uncounted::No : Uncounted::Graph};
  begin(Stream, nullptr);
}

/// Whether a kernel may wait for launches after it is told by its code, which
/// its first launch loads: that is done here, while nothing is counted, since
/// CUPTI does not patch what is loaded in a callback while it counts. It would
/// end a capture. EXPECTS: what is launched stands in Current.
void Probe::loadCode(CUfunction Function) noexcept {
  CUcontext Context = Current.Call.Context;
  if (!Launches.needsCode(Current.One) || Contexts.isCapturing())
    return;
  // Nobody starts to count while this thread is inside.
  Gate.enter();
  if (!Counter.isCounting(Context)) {
    DriverApi::Current Its(Driver, Context);
    Driver.load(Function);
  }
  Gate.leave();
}

/// EXPECTS: what is launched stands in Current. \p Function may be absent.
void Probe::begin(CUstream Stream, CUfunction Function) noexcept {
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
    if (Function && Call.IsSelected)
      loadCode(Function);
    Current.HasWindow = !Call.IsGraph && Call.IsSelected && !Ended &&
                        Window.open(Call.Context, Current.One);
  } else if (WantsStalls) {
    startStalls(Call.Context, StallCollector::Occasion::Launch);
  }
  if (Call.IsGraph)
    enterWithGraph({&Call.Context, 1});
  else
    Gate.enter();
  Call.IsCounted = Counter.isCounting(Call.Context) && Call.MayBeCounted;
  // What another thread's window counts is in the counts, asked for or not.
  Call.IsSelected |= Call.IsCounted;
  Call.IsTimed = Times.areTaken();
  Launches.launching(Call, Targets);
  Contexts.launching(Call.Context, Stream, /*IsWaitedFor=*/Current.HasWindow);
}

//===----------------------------------------------------------------------===//
// On several GPUs at once
//===----------------------------------------------------------------------===//

void Probe::togetherLaunching(CUcontext Context, const char *Name,
                              std::span<const CUDA_LAUNCH_PARAMS> List,
                              std::uint32_t Correlation) noexcept {
  // The driver refuses more than one on a GPU: it may not even look at them.
  const unsigned Most = Driver.devices();
  Current.IsUnread = Most == 0;
  if (List.empty() || List.size() > Most)
    return;
  for (const CUDA_LAUNCH_PARAMS &Each : List)
    if (Driver.isCapturing(Each.hStream))
      return;
  auto *Parts = new std::vector<Part>;
  for (const CUDA_LAUNCH_PARAMS &Each : List) {
    Part &To = Parts->emplace_back();
    To.Stream = Each.hStream;
    To.Call = {.Context = Driver.contextOf(Each.hStream),
               .Correlation = Correlation};
    if (!To.Call.Context)
      To.Call.Context = Context;
    if (Counter.isWanted() && Set.filters())
      To.Call.Otherwise = Uncounted::Waits;
    Functions.launchedOtherwise(Each.function);
    const LaunchShape Shape = {
        .Function = Each.function,
        .Grid = {Each.gridDimX, Each.gridDimY, Each.gridDimZ},
        .Block = {Each.blockDimX, Each.blockDimY, Each.blockDimZ},
        .DynamicSharedBytes = Each.sharedMemBytes};
    bool IsNew = false;
    To.Target = Launches.target(
        To.Call.Context, Contexts.deviceOf(To.Call.Context).value_or(0),
        Name ? Name : Driver.nameOf(Each.function), Shape, IsNew);
    if (IsNew)
      To.NewShape = Shape;
  }
  Current.Parts = Parts;
  beginTogether();
}

/// Kernels that wait for each other are not counted where only some are: CUPTI
/// has a kernel wait for others before it counts it. EXPECTS: what is launched
/// stands in Current.
void Probe::beginTogether() noexcept {
  std::vector<Part> &Parts = *Current.Parts;
  std::vector<LaunchTarget> Targets;
  for (const Part &Each : Parts)
    Targets.push_back(Each.Target);
  const bool IsSelected = !Set.selects() || (chosenRange().isInside() &&
                                             Launches.isPastSkipped(Targets));
  Current.Active = true;
  if (WantsRanges) {
    Problems.add({"together-not-measured",
                  std::string(LaunchRanges::nounOf(Set.Collect)) +
                      " is not measured of kernels that are launched on "
                      "several GPUs at once: they may wait for each other"});
    Ranges.begin();
    // With the launches after it, it would be one range.
    Ranges.stopAll();
  }
  for (const Part &Each : Parts)
    if (Counter.isWanted() && !Set.filters())
      Counter.start(Each.Call.Context);
    else if (WantsStalls)
      startStalls(Each.Call.Context, StallCollector::Occasion::Launch);
  std::vector<CUcontext> Its;
  for (const Part &Each : Parts)
    Its.push_back(Each.Call.Context);
  if (!enterUncounted(Its, PatienceTogether))
    Problems.add({"together-counted",
                  "kernels were launched on several GPUs at once while another "
                  "launch was counted there, for which CUPTI has them wait: if "
                  "they wait for each other, they may never end; leave the "
                  "other out with --kernel"});
  for (Part &Each : Parts) {
    Each.Call.IsCounted = Counter.isCounting(Each.Call.Context);
    Each.Call.IsSelected = IsSelected || Each.Call.IsCounted;
    Each.Call.IsTimed = Times.areTaken();
    Launches.launching(Each.Call, std::span(&Each.Target, 1));
    Contexts.launching(Each.Call.Context, Each.Stream, /*IsWaitedFor=*/false);
  }
}

/// EXPECTS: what was launched stands in Current.
void Probe::launchedTogether(bool Succeeded) noexcept {
  std::vector<Part> *Parts = std::exchange(Current.Parts, nullptr);
  for (const Part &Each : *Parts)
    if (!Succeeded)
      Launches.failed(Each.Call, std::span(&Each.Target, 1));
  Gate.leave();
  if (WantsStalls && !Contexts.isCapturing())
    Stalls.readSometimes();
  if (WantsRanges)
    Ranges.end();
  for (const Part &Each : *Parts)
    if (Succeeded && Each.NewShape) {
      DriverApi::Current Own(Driver, Each.Call.Context);
      Launches.setResources(Each.Target, Driver.resources(*Each.NewShape));
    }
  delete Parts;
}

//===----------------------------------------------------------------------===//
// Afterwards
//===----------------------------------------------------------------------===//

void Probe::launched(bool Succeeded) noexcept {
  if (std::exchange(Current.IsUnread, false) && Succeeded)
    Problems.add(loss("launches-lost",
                      "kernels were launched on several GPUs at once, and the "
                      "driver does not say how many there are: they are not "
                      "among the launches; please report it"));
  if (!Current.Active)
    return;
  Current.Active = false;
  if (Current.Parts)
    return launchedTogether(Succeeded);
  CUcontext Context = Current.Call.Context;
  if (!Succeeded)
    Launches.failed(Current.Call, Current.targets());
  else if (Current.IsRanged)
    Ranges.measured(Context, Current.One);
  // Of a launch that is left out, or that the driver refuses, nothing is lost.
  if (Succeeded && Current.LacksBlock && Current.Call.IsSelected &&
      Launches.isWanted(Current.One))
    Problems.add(loss("unknown-block",
                      "kernels were launched by cuLaunch or cuLaunchGrid with "
                      "blocks of a shape that was set where it was not seen, "
                      "or that another launch has made void: their threads "
                      "are missing; launch them with cuLaunchKernel"));
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
  if (Succeeded && Current.LacksModule)
    Functions.setModule(Current.LacksModule,
                        Driver.moduleOf(Current.LacksModule));
  Current.NewShape.reset();
  delete std::exchange(Current.OfGraph, nullptr);
}

void Probe::ran(const LaunchKey &Key, std::uint64_t Nanoseconds,
                std::uint32_t Correlation) noexcept {
  Launches.ran(Key, Nanoseconds, Correlation);
}

} // namespace cudalint::probe
