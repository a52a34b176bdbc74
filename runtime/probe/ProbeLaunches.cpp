//===- runtime/probe/ProbeLaunches.cpp - What is launched -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/Injection.h"
#include "runtime/probe/Probe.h"

#include <span>
#include <type_traits>
#include <utility>

namespace cudalint::probe {

using namespace std::chrono_literals;

// The cache only saves time, so it may be thrown away when it is full.
static constexpr std::size_t MostCached = 16384;

// Calls whose records are waited for. CUPTI hands them over by the megabyte:
// some thousands.
static constexpr std::size_t MostSelected = std::size_t{1} << 20;

// To measure a launch as a whole takes 14 ms on an H200, whatever it does.
static constexpr std::uint64_t MostOfShape = 32;

namespace {
/// What launched() has to undo. A thread launches one thing at a time.
///
/// Nothing in it has a destructor: those of a thread's objects run before the
/// handlers of atexit() and the destructors of static objects, which may
/// launch.
struct CurrentLaunch {
  bool Active = false;
  bool HoldsFilter = false;
  bool Measured = false;
  bool Ranged = false;
  bool HasWindow = false;
  bool IsSelected = true; // it is one of those that are asked for
  std::uint32_t Correlation = 0;
  CUcontext Context = nullptr;
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

std::size_t Probe::CacheHash::operator()(const CacheKey &Key) const {
  std::size_t Hash = 0;
  auto Mix = [&](std::size_t Value) {
    Hash = (Hash ^ Value) * 0x9e3779b97f4a7c15u;
    Hash ^= Hash >> 29;
  };
  Mix(reinterpret_cast<std::size_t>(Key.Context));
  Mix(reinterpret_cast<std::size_t>(Key.Name));
  Mix(reinterpret_cast<std::size_t>(Key.Shape.Function));
  for (unsigned Value : Key.Shape.Grid)
    Mix(Value);
  for (unsigned Value : Key.Shape.Block)
    Mix(Value);
  Mix(Key.Shape.DynamicSharedBytes);
  return Hash;
}

LaunchTarget Probe::target(CUcontext Handle, const char *Name,
                           const LaunchShape &Shape, bool &IsNew) {
  IsNew = false;
  CacheKey Key = {Handle, Name, Shape};
  unsigned Index = 0;
  {
    std::lock_guard<std::mutex> Lock(State);
    if (auto Found = Cache.find(Key); Found != Cache.end())
      return Found->second;
    if (auto Found = Contexts.find(Handle); Found != Contexts.end())
      Index = Found->second.Device;
  }
  LaunchKey Launch = {Name ? Name : "", Index, Shape.Grid, Shape.Block,
                      Shape.DynamicSharedBytes};
  bool Wanted = Set.Kernels.matches(Launch.Kernel);

  std::lock_guard<std::mutex> Lock(State);
  LaunchTarget Out;
  Out.Kernel = &Launches.kernel({Launch.Kernel, Index});
  Out.Kernel->Wanted = Wanted;
  if (Out.Kernel->Name.empty())
    Out.Kernel->Name = Launch.Kernel;
  Out.Row = Launches.row(Launch);
  Out.Threads = 1;
  for (std::size_t I = 0; I != 3; ++I)
    Out.Threads *= std::uint64_t{Shape.Grid[I]} * Shape.Block[I];
  if (Out.Row && !Out.Row->IsKnown) {
    Out.Row->IsKnown = true;
    Out.Row->Number = Out.Kernel->Shapes++;
  }
  IsNew = Out.Row && !Out.Row->Resources;
  if (Cache.size() >= MostCached)
    Cache.clear();
  Cache.emplace(Key, Out);
  return Out;
}

/// Whether one of the kernels has not been measured often enough. EXPECTS:
/// State is held.
bool Probe::wanted(std::span<const LaunchTarget> Targets) const {
  for (const LaunchTarget &Each : Targets) {
    const LaunchTable::Kernel &K = *Each.Kernel;
    if (!K.Wanted)
      continue;
    if (Set.Launches) {
      if ((WantsRanges ? K.Ranged : K.Measured) < *Set.Launches)
        return true;
    } else if (!WantsRanges || (Each.Row && Each.Row->Ranged < MostOfShape)) {
      return true;
    }
  }
  return false;
}

/// Whether it is in the range of the program that is asked for, and none of the
/// first launches that are to be skipped.
bool Probe::isSelected(std::span<const LaunchTarget> Targets) {
  if (!Set.selects())
    return true;
  if (!chosenRange().isInside())
    return false;
  std::lock_guard<std::mutex> Lock(State);
  bool IsSelected = Targets.empty();
  for (const LaunchTarget &Each : Targets)
    if (Each.Kernel->Skipped == Set.Skip)
      IsSelected = true;
    else
      ++Each.Kernel->Skipped;
  return IsSelected;
}

/// EXPECTS: what is launched stands in Current.
void Probe::begin(CUcontext Handle, CUstream Stream,
                  std::uint32_t Correlation) noexcept {
  bool IsGraph = Current.OfGraph;
  std::span<const LaunchTarget> Targets = Current.targets();
  Current.Active = true;
  Current.Context = Handle;
  Current.Ranged = false;
  Current.Stream = Stream;
  Current.HoldsFilter = WantsRanges;
  Current.HasWindow = false;
  Current.IsSelected = isSelected(Targets);
  Current.Correlation = Correlation;
  if (WantsRanges) {
    // Nobody else may launch until this launch is a range or not.
    Filter.lock();
    Current.Ranged = setRanging(
        Handle, Current.IsSelected ? Targets : std::span<const LaunchTarget>(),
        IsGraph);
  } else if (WantsCounts && Set.filters() && !Ended) {
    closeLeftWindow(20ms);
    avoidWindow(Handle);
    noteEnd(Handle);
    Current.HasWindow =
        !IsGraph && Current.IsSelected && openWindow(Handle, Current.One);
  } else if (WantsCounts) {
    startCounting(Handle);
  } else if (WantsStalls) {
    Stalls.start(Handle, /*Launches=*/true);
  }
  Gate.enter();
  Started.fetch_add(1);
  auto Id = reinterpret_cast<std::uintptr_t>(Stream);
  std::uintptr_t None = NoStream;
  // Each thread has another stream of that name.
  if (Stream == CU_STREAM_PER_THREAD ||
      (!OnlyStream.compare_exchange_strong(None, Id) && None != Id))
    OnlyStream.store(ManyStreams);

  std::lock_guard<std::mutex> Lock(State);
  auto Found = Contexts.find(Handle);
  Current.Measured = Found != Contexts.end() && Found->second.Counting &&
                     !(IsGraph && Set.filters());
  if (Stream == CU_STREAM_PER_THREAD && Found != Contexts.end())
    Found->second.MayRunUnseen |= !Current.HasWindow;
  // What another thread's window counts is in the counts, asked for or not.
  Current.IsSelected |= Current.Measured;
  if (Current.IsSelected && Set.selects() && CollectsTimes &&
      !Targets.empty()) {
    Selected[Correlation] = Targets.size();
    // Of a record that never comes, nobody is told.
    if (Selected.size() > MostSelected) {
      Selected.erase(Selected.begin());
      keep(loss("times-dropped",
                "the times of some launches came too late, and are missing; "
                "measure a shorter run"));
    }
  }
  for (const LaunchTarget &Each : Targets) {
    LaunchTable::Kernel &K = *Each.Kernel;
    if (K.MayWait.value_or(false) && !IsGraph) {
      Suspect = &K;
      SuspectLaunches = Started.load();
    }
    if (!Current.IsSelected)
      continue;
    ++K.Launches;
    K.Measured += Current.Measured;
    K.Threads += Each.Threads;
    if (Current.Measured) {
      K.MeasuredThreads += Each.Threads;
      ++K.Unread;
      K.UnreadThreads += Each.Threads;
      auto &[Unread, Threads] = Found->second.Unread[&K];
      ++Unread;
      Threads += Each.Threads;
    }
    if (IsGraph && K.Why == Uncounted::No)
      K.Why = Uncounted::Graph;
    if (Each.Row)
      ++Each.Row->Count;
  }
}

void Probe::launching(CUcontext Handle, const char *Name,
                      const LaunchShape &Shape, CUstream Stream,
                      std::uint32_t Correlation) noexcept {
  // What is recorded into a graph runs when the graph is launched.
  if (Driver.isCapturing(Stream))
    return;
  bool IsNew = false;
  Current.One = target(Handle, Name, Shape, IsNew);
  Current.NewShape.reset();
  if (IsNew)
    Current.NewShape = Shape;
  begin(Handle, Stream, Correlation);
}

void Probe::graphLaunching(CUcontext Handle, CUgraphExec Graph, CUstream Stream,
                           std::uint32_t Correlation) noexcept {
  if (Driver.isCapturing(Stream))
    return;
  Current.OfGraph = new std::vector<LaunchTarget>;
  {
    std::lock_guard<std::mutex> Lock(State);
    if (auto Found = Graphs.find(Graph); Found != Graphs.end())
      *Current.OfGraph = Found->second;
  }
  // A graph has patched kernels only if counting was on when it was made.
  if (WantsRanges)
    addProblem({"graph-not-measured",
                "achieved occupancy of kernels in graphs is not measured: "
                "launch them without a graph"});
  else if (Set.filters() && WantsCounts)
    addProblem({"graph-not-measured",
                "kernels of graphs are counted only where all launches are: "
                "measure with --launches=all"});
  Current.NewShape.reset();
  begin(Handle, Stream, Correlation);
}

void Probe::launched(bool Succeeded) noexcept {
  if (!Current.Active)
    return;
  Current.Active = false;
  if (!Succeeded && Current.IsSelected) {
    std::lock_guard<std::mutex> Lock(State);
    Selected.erase(Current.Correlation);
    for (const LaunchTarget &Each : Current.targets()) {
      LaunchTable::Kernel &K = *Each.Kernel;
      --K.Launches;
      K.Measured -= Current.Measured;
      K.Threads -= Each.Threads;
      if (Current.Measured)
        K.MeasuredThreads -= Each.Threads;
      if (auto Found = Contexts.find(Current.Context);
          Current.Measured && Found != Contexts.end()) {
        --K.Unread;
        K.UnreadThreads -= Each.Threads;
        auto &[Unread, Threads] = Found->second.Unread[&K];
        --Unread;
        Threads -= Each.Threads;
      }
      if (Each.Row)
        --Each.Row->Count;
    }
  } else if (Succeeded && Current.Ranged) {
    std::lock_guard<std::mutex> Lock(State);
    const LaunchTarget &Target = Current.One;
    ++Target.Kernel->Ranged;
    if (Target.Row)
      ++Target.Row->Ranged;
    if (auto Found = Contexts.find(Current.Context); Found != Contexts.end())
      Found->second.Ranged.push_back(Target.Row);
  }
  Gate.leave();
  if (WantsStalls)
    Stalls.readSometimes();
  if (Current.HasWindow)
    closeWindow(Current.Context, Current.One, Current.Stream);
  if (Current.HoldsFilter)
    Filter.unlock();
  if (Succeeded && Current.NewShape)
    setResources(Current.One, *Current.NewShape);
  Current.NewShape.reset();
  delete std::exchange(Current.OfGraph, nullptr);
}

/// Asks the driver. Not before the first launch: the question would load the
/// kernel's module, and CUPTI does not patch what is loaded in a callback.
void Probe::setResources(const LaunchTarget &Target, const LaunchShape &Shape) {
  LaunchResources Resources = Driver.resources(Shape);
  std::lock_guard<std::mutex> Lock(State);
  if (Target.Row)
    Target.Row->Resources = Resources;
}

void Probe::graphCreated(CUcontext Handle, CUgraph Graph,
                         CUgraphExec Executable) noexcept {
  std::vector<LaunchTarget> Targets;
  for (const GraphKernel &Each : Driver.kernels(Graph)) {
    bool IsNew = false;
    LaunchTarget Target = target(Handle, Each.Name.c_str(), Each.Shape, IsNew);
    if (IsNew)
      setResources(Target, Each.Shape);
    Targets.push_back(Target);
  }
  std::lock_guard<std::mutex> Lock(State);
  // The names do not outlive this function, and the cache goes by address.
  Cache.clear();
  Graphs[Executable] = std::move(Targets);
}

void Probe::graphDestroyed(CUgraphExec Executable) noexcept {
  std::lock_guard<std::mutex> Lock(State);
  Graphs.erase(Executable);
}

void Probe::ran(const LaunchKey &Key, std::uint64_t Nanoseconds,
                std::uint32_t Correlation) noexcept {
  std::lock_guard<std::mutex> Lock(State);
  if (Set.selects()) {
    auto Found = Selected.find(Correlation);
    if (Found == Selected.end())
      return;
    if (--Found->second == 0)
      Selected.erase(Found);
  }
  if (LaunchTable::Row *Row = Launches.row(Key))
    Row->Times.add(Nanoseconds);
}

} // namespace cudalint::probe
