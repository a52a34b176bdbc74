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
    : Set(S), WantsRanges(S.Collect == CollectKind::Occupancy),
      WantsStalls(S.Collect == CollectKind::Stalls), Sass(Cupti, S.samples()),
      Ranges(Cupti), Stalls(Cupti, Driver, Modules), Spending(S.Overhead),
      File(S.Folder), Command(commandLine()) {
  for (const std::string &Fault : S.Faults)
    Problems.push_back({"bad-setting", Fault});
  if (S.NoArguments && Command.size() > 1)
    Command.resize(1);
  WantsCounts = S.Collect == CollectKind::Counters;
  HasErrors = ::fstat(STDERR_FILENO, &Errors) == 0;
}

bool Probe::load() {
  std::optional<Problem> Fault = Cupti.load(Set.CuptiPath);
  if (!Fault && WantsRanges && Cupti.MissingForRanges)
    Fault = loss("no-occupancy",
                 std::string("achieved occupancy is not available: the CUPTI "
                             "library lacks ") +
                     Cupti.MissingForRanges +
                     "; install that of CUDA 12.6 or newer");
  if (!Fault && WantsStalls && Cupti.MissingForSampling)
    Fault = loss("no-stalls", std::string("stall reasons are not available: "
                                          "the CUPTI library lacks ") +
                                  Cupti.MissingForSampling +
                                  "; install that of CUDA 12.4 or newer");
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
  // A loss takes the place of a note: what is missing must be said.
  if (Problems.size() < MostProblems) {
    Problems.push_back(std::move(P));
  } else if (P.IsLoss) {
    const auto Note = std::ranges::find(Problems, false, &Problem::IsLoss);
    if (Note != Problems.end())
      *Note = std::move(P);
  }
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
  if (WantsStalls)
    Stalls.contextCreated(Handle, Index);
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
    C.HasCounted |= C.Counting;
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
  if (WantsRanges && Gate.close(2s)) {
    stopRanges(Handle);
    Ranges.forget(Handle);
    Gate.open();
  }
  if (WantsStalls)
    Stalls.contextEnding(Handle);
  bool HasCounted = false;
  {
    std::lock_guard<std::mutex> Lock(State);
    if (auto Found = Contexts.find(Handle); Found != Contexts.end())
      HasCounted = Found->second.HasCounted;
  }
  // CUPTI crashes later where a context goes in which counting was switched off
  // before: seen with 13.0 and two contexts.
  if (HasCounted)
    startCounting(Handle);
  stopCounting(Handle);
  std::lock_guard<std::mutex> Lock(State);
  if (LeftOpen == Handle) {
    LeftOpen = nullptr;
    WindowTaken = false;
  }
  Contexts.erase(Handle);
  Cache.clear();
}

std::uint32_t Probe::moduleNumber(std::string_view Cubin) noexcept {
  return Modules.number(Cubin);
}

void Probe::moduleLoaded(CUcontext Handle, std::string_view Cubin) noexcept {
  if (WantsStalls)
    Stalls.start(Handle, /*Launches=*/false);
  else if (!WantsCounts)
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
  else if (WantsStalls && !Cubin.empty())
    Modules.unloaded(Cubin, StallCollector::KeptCodeBytes);
  std::lock_guard<std::mutex> Lock(State);
  // A new function may get the handle of one that is gone.
  Cache.clear();
}

void Probe::unloading() noexcept {
  if (WantsStalls)
    Stalls.readAll();
  // The figures of a launch do not go with its code.
  if (!WantsRanges && !readAll(2s))
    addProblem(loss("counts-lost",
                    "kernels were still running when a module was unloaded: "
                    "what was counted of it is missing; let the program wait "
                    "for them"));
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

/// Returns how much traffic there was, for the mean of several launches.
double Probe::merge(CUcontext Handle,
                    const std::vector<InstructionCount> &Counts) {
  std::uint64_t Traffic = 0;
  std::lock_guard<std::mutex> Lock(State);
  InstructionKey Key = {.Device = Contexts[Handle].Device};
  for (const InstructionCount &Each : Counts) {
    Key.Module = Each.Module;
    Key.Function = Each.Function;
    Key.Offset = Each.Offset;
    Instructions.readCode(Key, [&](std::size_t Most) {
      std::shared_ptr<const Cubin> Code =
          Modules.find(Key.Module, Key.Function);
      return Code ? Code->accesses(Key.Function, Most) : std::nullopt;
    });
    InstructionTable::Entry &Entry =
        Instructions.at(Key, [&] { return describe(Key); });
    Entry.Sums[static_cast<std::size_t>(Each.What)] += Each.Value;
    if (Each.What == Metric::GlobalSectors ||
        Each.What == Metric::LocalSectors ||
        Each.What == Metric::SharedWavefronts)
      Traffic += Each.Value;
  }
  return static_cast<double>(Traffic);
}

/// EXPECTS: nobody launches, and nothing runs that may wait for this thread.
double Probe::readCounts(CUcontext Handle) noexcept {
  stopRanges(Handle);
  {
    std::lock_guard<std::mutex> Lock(State);
    auto Found = Contexts.find(Handle);
    if (Found == Contexts.end() || !Found->second.Counting)
      return 0;
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
    addProblem(loss("kernel-failed",
                    "a kernel of the program failed (" + Error +
                        "): what was counted since the last wait is lost"));
  else if (Result != CUPTI_SUCCESS)
    addProblem(Cupti.problem(Result, "counts were lost"));
  {
    std::lock_guard<std::mutex> Lock(State);
    for (const auto &[Kernel, Sums] : Contexts[Handle].Unread)
      if (Result == CUPTI_SUCCESS) {
        Kernel->Unread -= Sums.first;
        Kernel->UnreadThreads -= Sums.second;
      }
    Contexts[Handle].Unread.clear();
  }
  return merge(Handle, Counts);
}

/// Returns whether that was possible in \p Patience.
bool Probe::readAll(std::chrono::milliseconds Patience) noexcept {
  std::uint64_t Now = Started.load();
  if (Now == StartedAtRead.load())
    return true;
  std::vector<CUcontext> Handles;
  {
    std::lock_guard<std::mutex> Lock(State);
    for (const auto &[Handle, C] : Contexts)
      if (C.Counting || C.Ranging)
        Handles.push_back(Handle);
  }
  // To read while somebody launches can block for ever, and kernels on several
  // GPUs may wait for each other.
  auto Until = Clock::now() + Patience;
  bool All = true;
  for (CUcontext Handle : Handles)
    All &= whenIdle(Handle, std::nullopt,
                    std::max<Clock::duration>(Until - Clock::now(), 0ms),
                    [&] { readCounts(Handle); });
  if (All)
    StartedAtRead.store(Now);
  return All;
}

/// Reads the counts of a context, and counts no more in it.
void Probe::stopCounting(CUcontext Handle) noexcept {
  {
    std::lock_guard<std::mutex> Lock(State);
    auto Found = Contexts.find(Handle);
    if (Found == Contexts.end() || !Found->second.Counting)
      return;
  }
  std::size_t Dropped = 0;
  bool Read = whenIdle(Handle, std::nullopt, 2s, [&] {
    readCounts(Handle);
    Sass.disable(Handle, Dropped);
  });
  if (!Read || Dropped)
    addProblem(loss("counts-lost",
                    "kernels of a context were still running when it was "
                    "destroyed: their counts are missing; let the program "
                    "wait for them"));
  std::lock_guard<std::mutex> Lock(State);
  Contexts[Handle].Counting = false;
}

} // namespace cudalint::probe
