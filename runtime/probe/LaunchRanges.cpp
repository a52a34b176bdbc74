//===- runtime/probe/LaunchRanges.cpp - Launches, one by one --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/LaunchRanges.h"

namespace cudalint::probe {

using namespace std::chrono_literals;

void LaunchRanges::contextCreated(CUcontext Context, unsigned Device) {
  std::lock_guard Lock(Mutex);
  Contexts[Context] = {.Device = Device};
}

void LaunchRanges::contextEnding(CUcontext Context) noexcept {
  if (Gate.close(2s)) {
    stop(Context);
    Profiler.forget(Context);
    Gate.open();
  }
  bool IsLost = false;
  {
    std::lock_guard Lock(Mutex);
    IsLost = !Contexts[Context].Rows.empty();
    Contexts.erase(Context);
  }
  if (IsLost)
    Problems.add(loss(
        "occupancy-lost",
        "a context was destroyed while others launched: " + std::string(Noun) +
            " is missing of its last launches"));
}

bool LaunchRanges::set(CUcontext Context, bool IsWanted) noexcept {
  bool IsMeasuring = false, IsFull = false;
  unsigned Device = 0;
  {
    std::lock_guard Lock(Mutex);
    auto Found = Contexts.find(Context);
    if (Found == Contexts.end())
      return false;
    const State &Its = Found->second;
    Device = Its.Device;
    IsMeasuring = Its.IsMeasuring;
    IsFull = Its.Rows.size() >= RangeProfiler::MostRanges;
    IsWanted = IsWanted && !Its.HasFailed;
  }
  if (IsMeasuring == IsWanted && !(IsMeasuring && IsFull))
    return IsMeasuring;
  // Without it what follows is measured or not as the launches before.
  if (!Gate.close(10s))
    return IsMeasuring;
  stop(Context);
  if (IsWanted)
    start(Context, Device);
  Gate.open();
  std::lock_guard Lock(Mutex);
  return Contexts[Context].IsMeasuring;
}

void LaunchRanges::measured(CUcontext Context,
                            const LaunchTarget &Target) noexcept {
  Launches.ranged(Target);
  std::lock_guard Lock(Mutex);
  if (auto Found = Contexts.find(Context); Found != Contexts.end())
    Found->second.Rows.push_back(Target.Row);
}

/// EXPECTS: the gate is closed.
void LaunchRanges::start(CUcontext Context, unsigned Device) noexcept {
  std::vector<CUcontext> Others;
  {
    std::lock_guard Lock(Mutex);
    for (const auto &[Other, Its] : Contexts)
      if (Other != Context && Its.Device == Device)
        Others.push_back(Other);
  }
  for (CUcontext Other : Others) {
    stop(Other);
    Profiler.forget(Other);
  }
  CUptiResult Result = Profiler.start(Context, Device);
  {
    std::lock_guard Lock(Mutex);
    State &Its = Contexts[Context];
    Its.IsMeasuring = Result == CUPTI_SUCCESS;
    Its.HasFailed = Result != CUPTI_SUCCESS;
  }
  if (Result != CUPTI_SUCCESS)
    Problems.add(Cupti.problem(Result, std::string(Noun) + " cannot be had"));
  else if (!IsOfUnits && !Profiler.countsL2(Context))
    Problems.add({"l2-not-measured",
                  "this GPU does not count what its L2 does beside achieved "
                  "occupancy: that is not known"});
}

std::vector<CUcontext> LaunchRanges::measuring() const {
  std::lock_guard Lock(Mutex);
  std::vector<CUcontext> Out;
  for (const auto &[Context, Its] : Contexts)
    if (Its.IsMeasuring)
      Out.push_back(Context);
  return Out;
}

void LaunchRanges::stop(CUcontext Context) noexcept {
  std::vector<LaunchTable::Row *> Rows;
  {
    std::lock_guard Lock(Mutex);
    auto Found = Contexts.find(Context);
    if (Found == Contexts.end() || !Found->second.IsMeasuring)
      return;
    Found->second.IsMeasuring = false;
    Rows.swap(Found->second.Rows);
  }
  std::vector<RangeFigures> Figures;
  CUptiResult Result;
  {
    DriverApi::Current Current(Driver, Context);
    Result = Profiler.stop(Context, Figures);
  }
  if (Result != CUPTI_SUCCESS)
    return Problems.add(Cupti.problem(Result, std::string(Noun) + " was lost"));
  // Ranges have numbers and no names: which launch is which is known only if
  // there are as many.
  if (Figures.size() != Rows.size())
    return Problems.add(loss(
        "occupancy-lost", "CUPTI measured " + std::to_string(Figures.size()) +
                              " launches where the program made " +
                              std::to_string(Rows.size()) + ": " + Noun +
                              " is missing; measure a shorter run"));
  Launches.addFigures(Rows, Figures);
}

void LaunchRanges::stopAll() noexcept {
  std::vector<CUcontext> All = measuring();
  if (All.empty())
    return;
  if (!Gate.close(10s))
    // What is lost by that is told when it is read.
    return Problems.add(
        {"still-measuring",
         "a thread launched for 10 seconds, so that " + std::string(Noun) +
             " was still measured when a stream was captured, or when kernels "
             "were launched on several GPUs at once: either may fail or never "
             "end"});
  for (CUcontext Context : All)
    stop(Context);
  Gate.open();
}

} // namespace cudalint::probe
