//===- tests/probe/FakeState.h - What the fake CUPTI knows ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_PROBE_FAKESTATE_H
#define CUDA_LINT_TESTS_PROBE_FAKESTATE_H

#include "tests/probe/FakeDriver.h"

#include <cupti.h>
#include <cupti_pcsampling.h>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace fake {

/// The code that is loaded: one file, or as many as FAKE_MODULES says. All have
/// a kernel of the same name, as static kernels do, and the second has twice
/// the sectors of the first, and so on.
const std::vector<std::string> &cubins();

/// Waits for all of them, as CUPTI does.
void waitForKernels();

/// Of all that CUPTI does, for one subscriber. The driver tells it what the
/// program does, and it tells the subscriber.
struct Cupti final : Listener {
  std::mutex Mutex;
  CUpti_CallbackFunc Callback = nullptr;
  void *Data = nullptr;
  CUpti_BuffersCallbackRequestFunc WantBuffer = nullptr;
  CUpti_BuffersCallbackCompleteFunc BufferFull = nullptr;
  CUpti_ComputeCrcCallbackFunc NumberOf = nullptr;
  std::map<const std::string *, std::uint64_t> Numbers;
  bool TakesRecords = false;
  std::map<CUcontext, std::uint64_t> Launches;  // counted and not yet read
  std::map<CUcontext, std::uint64_t> Launched;  // all
  std::map<CUcontext, std::set<Which>> Patched; // since it was enabled
  std::map<CUcontext, bool> Counts;
  std::set<CUcontext> Loaded;       // their code is
  std::set<CUcontext> NeverPatched; // loaded in a callback while it counted
  // Graphs that were uploaded, and by whether counting was on when they were
  // made.
  std::set<CUgraphExec> UploadedGraphs;
  std::map<CUgraphExec, bool> CountedGraphs;
  struct LaunchRecord {
    unsigned Device = 0;
    std::uint32_t Call = 0; // its number
    const char *Name = nullptr;
  };
  std::vector<LaunchRecord> Records;

  void contextMade(CUcontext Context) override;
  void contextGone(CUcontext Context) override;
  void launch(CUcontext Context, const Launch &What, bool IsEnter) override;
  void launchTogether(const std::vector<CUcontext> &Contexts,
                      const Launch &What, bool IsEnter) override;
  void load(CUcontext Context, bool InCallback) override;
  void setBlockShape(CUcontext Context, unsigned Threads,
                     bool IsEnter) override;
  void setSharedSize(CUcontext Context, unsigned Bytes, bool IsEnter) override;
  void synchronize(CUcontext Context, bool IsEnter) override;
  void profile(bool Starts, bool IsEnter) override;
  void unload(CUcontext Context, bool ThenLoads, bool IsEnter) override;
  void capture(CUcontext Context, bool Begins, bool IsEnter) override;
  void streamGone(CUcontext Context, CUstream Stream) override;
  void graphMade(CUcontext Context, CUgraph Graph, CUgraphExec Executable,
                 bool Uploads) override;
  void uploadGraph(CUcontext Context, CUgraphExec Graph, bool IsEnter) override;
  void graphGone(CUcontext Context, CUgraphExec Executable) override;
  void launchGraph(CUcontext Context, CUgraphExec Graph, bool IsEnter) override;

private:
  void run(CUcontext Context, const Launch &What, std::uint32_t Call);
  void call(CUpti_CallbackDomain Domain, CUpti_CallbackId Id, const void *What);
  void resource(CUcontext Context, CUpti_CallbackId Id, void *What = nullptr);
  void modules(CUcontext Context, CUpti_CallbackId Id);
  std::uint32_t driverCall(CUcontext Context, CUpti_CallbackId Id, bool IsEnter,
                           const void *Params, const char *Name = nullptr,
                           CUresult Result = CUDA_SUCCESS);
};

Cupti &state();

} // namespace fake

#endif // CUDA_LINT_TESTS_PROBE_FAKESTATE_H
