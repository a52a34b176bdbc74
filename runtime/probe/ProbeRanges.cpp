//===- runtime/probe/ProbeRanges.cpp - Launches measured one by one -------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/Probe.h"

namespace cudalint::probe {

using namespace std::chrono_literals;

/// Whether the launch that follows is measured. EXPECTS: Filter is held.
bool Probe::setRanging(CUcontext Handle, std::span<const LaunchTarget> Targets,
                       bool IsGraph) {
  bool Wanted = false, Ranging = false, IsFull = false;
  unsigned Device = 0;
  {
    std::lock_guard<std::mutex> Lock(State);
    auto Found = Contexts.find(Handle);
    if (Found == Contexts.end())
      return false;
    const Context &C = Found->second;
    Device = C.Device;
    Ranging = C.Ranging;
    IsFull = C.Ranged.size() >= RangeProfiler::MostRanges;
    Wanted = !IsGraph && !Captures && !C.Failed && wanted(Targets);
  }
  if (Ranging == Wanted && !(Ranging && IsFull))
    return Ranging;
  // Without it what follows is measured or not as the launches before.
  if (!Gate.close(10s))
    return Ranging;
  stopRanges(Handle);
  if (Wanted)
    startRanges(Handle, Device);
  Gate.open();
  std::lock_guard<std::mutex> Lock(State);
  return Contexts[Handle].Ranging;
}

/// EXPECTS: the gate is closed.
void Probe::startRanges(CUcontext Handle, unsigned Device) noexcept {
  // CUPTI serves one context of a device at a time.
  std::vector<CUcontext> Others;
  {
    std::lock_guard<std::mutex> Lock(State);
    for (const auto &[Other, C] : Contexts)
      if (Other != Handle && C.Device == Device)
        Others.push_back(Other);
  }
  for (CUcontext Other : Others) {
    stopRanges(Other);
    Ranges.forget(Other);
  }
  CUptiResult Result = Ranges.start(Handle, Device);
  {
    std::lock_guard<std::mutex> Lock(State);
    Contexts[Handle].Ranging = Result == CUPTI_SUCCESS;
    Contexts[Handle].Failed = Result != CUPTI_SUCCESS;
  }
  if (Result != CUPTI_SUCCESS)
    addProblem(Cupti.problem(Result, "achieved occupancy is not available"));
}

/// Reads what was measured. EXPECTS: the gate is closed.
void Probe::stopRanges(CUcontext Handle) noexcept {
  std::vector<LaunchTable::Row *> Rows;
  {
    std::lock_guard<std::mutex> Lock(State);
    auto Found = Contexts.find(Handle);
    if (Found == Contexts.end() || !Found->second.Ranging)
      return;
    Found->second.Ranging = false;
    Rows.swap(Found->second.Ranged);
  }
  std::vector<RangeFigures> Figures;
  CUptiResult Result;
  {
    DriverApi::Current Current(Driver, Handle);
    Result = Ranges.stop(Handle, Figures);
  }
  if (Result != CUPTI_SUCCESS) {
    addProblem(Cupti.problem(Result, "achieved occupancy was lost"));
    return;
  }
  // Ranges have numbers and no names: which launch is which is known only if
  // there are as many.
  if (Figures.size() != Rows.size()) {
    addProblem(loss("occupancy-lost",
                    "CUPTI measured " + std::to_string(Figures.size()) +
                        " launches where the program made " +
                        std::to_string(Rows.size()) +
                        ": their achieved occupancy is missing; measure a "
                        "shorter run"));
    return;
  }
  std::lock_guard<std::mutex> Lock(State);
  for (std::size_t I = 0; I != Rows.size(); ++I)
    if (Rows[I])
      Rows[I]->Ranges.add(Figures[I].Occupancy, Figures[I].DramBytes);
}

void Probe::stopAllRanges() noexcept {
  std::vector<CUcontext> Handles;
  {
    std::lock_guard<std::mutex> Lock(State);
    for (const auto &[Handle, C] : Contexts)
      if (C.Ranging)
        Handles.push_back(Handle);
  }
  if (Handles.empty() || !Gate.close(10s))
    return;
  for (CUcontext Handle : Handles)
    stopRanges(Handle);
  Gate.open();
}

void Probe::captureBeginning() noexcept {
  {
    std::lock_guard<std::mutex> Lock(State);
    ++Captures;
  }
  if (!WantsRanges)
    return;
  // To wait for a kernel would end the capture, and a range waits.
  stopAllRanges();
}

void Probe::captureEnded() noexcept {
  std::lock_guard<std::mutex> Lock(State);
  if (Captures)
    --Captures;
}

} // namespace cudalint::probe
