//===- runtime/probe/Probe.cpp - What is measured, and when ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/Probe.h"

#include <algorithm>
#include <cstdio>
#include <unistd.h>

namespace cudalint::probe {

using namespace std::chrono_literals;

static constexpr std::size_t MostProblems = 100;

static std::vector<std::string> commandLine() {
  std::string All;
  // Without streams, which would double the size of the library.
  if (std::FILE *In = std::fopen("/proc/self/cmdline", "rb")) {
    char Part[4096];
    while (std::size_t Read = std::fread(Part, 1, sizeof Part, In))
      All.append(Part, Read);
    std::fclose(In);
  }
  std::vector<std::string> Out;
  for (std::size_t At = 0; At < All.size();) {
    std::size_t End = std::min(All.find('\0', At), All.size());
    Out.push_back(All.substr(At, End - At));
    At = End + 1;
  }
  return Out;
}

Probe::Probe(Settings &S)
    : Set(S), WantsRanges(S.Collect == CollectKind::Occupancy), Sass(Cupti),
      Ranges(Cupti), File(S.Folder), Command(commandLine()) {
  for (const std::string &Fault : S.Faults)
    Problems.push_back({"bad-setting", Fault});
  WantsCounts = S.Collect == CollectKind::Counters;
  HasErrors = ::fstat(STDERR_FILENO, &Errors) == 0;
}

bool Probe::load() {
  std::optional<Problem> Fault = Cupti.load(Set.CuptiPath);
  if (!Fault && WantsRanges && Cupti.MissingForRanges)
    Fault = Problem{"no-occupancy",
                    std::string("achieved occupancy is not available: the "
                                "CUPTI library lacks ") +
                        Cupti.MissingForRanges +
                        "; install that of CUDA 12.6 or newer"};
  if (Fault)
    addProblem(*Fault);
  return !Fault;
}

void Probe::addProblem(Problem P) noexcept {
  std::lock_guard<std::mutex> Lock(State);
  keep(std::move(P));
}

/// EXPECTS: State is held.
void Probe::keep(Problem P) {
  for (const Problem &Known : Problems)
    if (Known == P)
      return;
  if (Problems.size() < MostProblems)
    Problems.push_back(std::move(P));
}

//===----------------------------------------------------------------------===//
// Contexts and modules
//===----------------------------------------------------------------------===//

void Probe::contextCreated(CUcontext Handle) noexcept {
  std::uint32_t Index = 0;
  if (Cupti.cuptiGetDeviceId(Handle, &Index) != CUPTI_SUCCESS)
    return;
  Device D = Driver.device(Index);
  {
    std::lock_guard<std::mutex> Lock(State);
    Contexts[Handle] = {.Device = Index};
    Devices.try_emplace(Index, std::move(D));
  }
  if (!Set.filters())
    startCounting(Handle);
}

/// Does nothing where counting has begun or failed for good.
void Probe::startCounting(CUcontext Handle) noexcept {
  unsigned Index = 0;
  {
    std::lock_guard<std::mutex> Lock(State);
    auto Found = Contexts.find(Handle);
    if (Found == Contexts.end() || Found->second.Counting ||
        Found->second.IsStarting || Found->second.Failed || !WantsCounts)
      return;
    Found->second.IsStarting = true;
    Index = Found->second.Device;
  }
  CUptiResult Result = Sass.enable(Handle, Index);
  bool OthersCount = false;
  {
    std::lock_guard<std::mutex> Lock(State);
    OthersCount = Counted;
    Context &C = Contexts[Handle];
    C.IsStarting = false;
    C.Counting = Result == CUPTI_SUCCESS;
    Counted |= C.Counting;
    // The context may not be ready yet: its first module tries again.
    if (C.Counting || Result == CUPTI_ERROR_INVALID_CONTEXT)
      return;
    C.Failed = true;
  }
  // Times would set the counts of all GPUs to 0.
  if (OthersCount)
    return addProblem(Cupti.problem(Result, "counters of GPU " +
                                                std::to_string(Index) +
                                                " are not available"));
  addProblem(Cupti.problem(Result, "counters are not available"));
  // Times need no permission.
  WantsCounts = false;
  collectTimes();
}

void Probe::collectTimes() noexcept {
  if (CollectsTimes.exchange(true))
    return;
  CUptiResult Result =
      Cupti.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  if (Result == CUPTI_SUCCESS)
    return;
  CollectsTimes = false;
  addProblem(Cupti.problem(Result, "times are not available"));
}

void Probe::contextDestroyed(CUcontext Handle) noexcept {
  if (Gate.close(2s)) {
    readCounts(Handle);
    setCounting(Handle, false);
    if (WantsRanges)
      Ranges.forget(Handle);
    Gate.open();
  }
  std::lock_guard<std::mutex> Lock(State);
  Contexts.erase(Handle);
  Cache.clear();
}

std::uint32_t Probe::moduleNumber(std::string_view Cubin) noexcept {
  return Modules.number(Cubin);
}

void Probe::moduleLoaded(CUcontext Handle, std::string_view Cubin) noexcept {
  if (!WantsCounts)
    return;
  if (!Set.filters())
    startCounting(Handle);
  CUpti_GetCubinCrcParams P = {};
  P.size = CUpti_GetCubinCrcParamsSize;
  P.cubin = Cubin.data();
  P.cubinSize = Cubin.size();
  if (Cubin.empty())
    return;
  std::optional<std::uint32_t> CuptisNumber;
  // Records hold its lower half.
  if (Cupti.cuptiGetCubinCrc(&P) == CUPTI_SUCCESS)
    CuptisNumber = static_cast<std::uint32_t>(P.cubinCrc);
  Modules.loaded(Cubin, CuptisNumber);
}

void Probe::moduleUnloaded(std::string_view Cubin) noexcept {
  if (WantsCounts && !Cubin.empty())
    Modules.unloaded(Cubin);
  std::lock_guard<std::mutex> Lock(State);
  // A new function may get the handle of one that is gone.
  Cache.clear();
}

void Probe::unloading() noexcept {
  // The figures of a launch do not go with its code.
  if (!WantsRanges)
    readAll(2s);
}

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

/// Where an instruction stands and what it is. EXPECTS: State is held.
InstructionInfo Probe::describe(const InstructionKey &Key) {
  std::shared_ptr<const Cubin> Code = Modules.find(Key.Module, Key.Function);
  if (!Code)
    return {};
  InstructionInfo Out;
  Out.Word = Code->word(Key.Function, Key.Offset);
  if (auto At = Code->line(Key.Function, Key.Offset); At && Out.Word)
    Out.Where = {std::string(At->File), At->Line};
  if (!Out.Where.File && Code->hasUnknownLines())
    keep({"unknown-lines", "the line numbers of a module are of a kind that is "
                           "not known, so lines are missing; please report "
                           "the compiler that made it"});
  return Out;
}

void Probe::merge(CUcontext Handle,
                  const std::vector<InstructionCount> &Counts) {
  std::lock_guard<std::mutex> Lock(State);
  InstructionKey Key = {.Device = Contexts[Handle].Device};
  for (const InstructionCount &Each : Counts) {
    Key.Module = Each.Module;
    Key.Function = Each.Function;
    Key.Offset = Each.Offset;
    InstructionTable::Entry &Entry =
        Instructions.at(Key, [&] { return describe(Key); });
    Entry.Sums[static_cast<std::size_t>(Each.What)] += Each.Value;
  }
}

/// EXPECTS: nobody launches.
void Probe::readCounts(CUcontext Handle) noexcept {
  stopRanges(Handle);
  {
    std::lock_guard<std::mutex> Lock(State);
    auto Found = Contexts.find(Handle);
    if (Found == Contexts.end() || !Found->second.Counting)
      return;
  }
  std::vector<InstructionCount> Counts;
  CUptiResult Result;
  std::string Error;
  {
    DriverApi::Current Current(Driver, Handle);
    Result = Sass.read(Handle, Counts);
    if (Result != CUPTI_SUCCESS)
      Error = Driver.stickyError();
  }
  if (!Error.empty())
    addProblem({"kernel-failed", "a kernel of the program failed (" + Error +
                                     "): what was counted since the last wait "
                                     "is lost"});
  else if (Result != CUPTI_SUCCESS)
    addProblem(Cupti.problem(Result, "counts were lost"));
  merge(Handle, Counts);
}

void Probe::readAll(std::chrono::milliseconds Patience) noexcept {
  std::uint64_t Now = Started.load();
  if (Now == StartedAtRead.load())
    return;
  std::vector<CUcontext> Handles;
  {
    std::lock_guard<std::mutex> Lock(State);
    for (const auto &[Handle, C] : Contexts)
      Handles.push_back(Handle);
  }
  // To read while somebody launches can block for ever.
  if (!Gate.close(Patience)) {
    addProblem({"counts-lost", "a launch did not return for a while: the "
                               "counts before it are missing"});
    return;
  }
  for (CUcontext Handle : Handles)
    readCounts(Handle);
  StartedAtRead.store(Now);
  Gate.open();
}

/// Switches the counters of a context. Returns whether they are on.
bool Probe::setCounting(CUcontext Handle, bool Wanted) noexcept {
  bool Counting = false;
  {
    std::lock_guard<std::mutex> Lock(State);
    auto Found = Contexts.find(Handle);
    if (Found == Contexts.end())
      return false;
    Counting = Found->second.Counting;
  }
  if (Counting == Wanted)
    return Counting;
  if (Wanted) {
    startCounting(Handle);
    std::lock_guard<std::mutex> Lock(State);
    return Contexts[Handle].Counting;
  }
  // What is not read before is lost.
  readCounts(Handle);
  Sass.disable(Handle);
  std::lock_guard<std::mutex> Lock(State);
  return Contexts[Handle].Counting = false;
}

} // namespace cudalint::probe
