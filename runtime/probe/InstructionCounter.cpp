//===- runtime/probe/InstructionCounter.cpp - Counts of contexts ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/InstructionCounter.h"

namespace cudalint::probe {

void InstructionCounter::contextCreated(CUcontext Context, unsigned Device) {
  std::lock_guard Lock(Mutex);
  Contexts[Context] = {.Device = Device};
}

void InstructionCounter::contextGone(CUcontext Context) {
  std::lock_guard Lock(Mutex);
  Contexts.erase(Context);
}

void InstructionCounter::start(CUcontext Context) noexcept {
  unsigned Device = 0;
  {
    std::lock_guard Lock(Mutex);
    auto Found = Contexts.find(Context);
    if (Found == Contexts.end() || !IsWanted)
      return;
    State &Its = Found->second;
    if (Its.IsCounting || Its.IsStarting || Its.HasFailed)
      return;
    Its.IsStarting = true;
    Device = Its.Device;
  }
  CUptiResult Result = Sass.enable(Context, Device);
  bool OthersCount = false;
  {
    std::lock_guard Lock(Mutex);
    auto Found = Contexts.find(Context);
    if (Found == Contexts.end())
      return;
    OthersCount = EverCounted;
    State &Its = Found->second;
    Its.IsStarting = false;
    Its.IsCounting = Result == CUPTI_SUCCESS;
    Its.HasCounted |= Its.IsCounting;
    EverCounted |= Its.IsCounting;
    // The context may not be ready yet: its first module tries again.
    if (Its.IsCounting || Result == CUPTI_ERROR_INVALID_CONTEXT)
      return;
    Its.HasFailed = true;
  }
  // Times would set the counts of all GPUs to 0.
  if (OthersCount)
    return Problems.add(Cupti.problem(Result, "counters of GPU " +
                                                  std::to_string(Device) +
                                                  " are not available"));
  Problems.add(Cupti.problem(Result, "counters are not available"));
  // Times need no permission.
  IsWanted = false;
  Times.start();
}

bool InstructionCounter::isCounting(CUcontext Context) const {
  std::lock_guard Lock(Mutex);
  auto Found = Contexts.find(Context);
  return Found != Contexts.end() && Found->second.IsCounting;
}

bool InstructionCounter::hasCounted(CUcontext Context) const {
  std::lock_guard Lock(Mutex);
  auto Found = Contexts.find(Context);
  return Found != Contexts.end() && Found->second.HasCounted;
}

std::vector<CUcontext> InstructionCounter::counting() const {
  std::lock_guard Lock(Mutex);
  std::vector<CUcontext> Out;
  for (const auto &[Context, Its] : Contexts)
    if (Its.IsCounting)
      Out.push_back(Context);
  return Out;
}

double InstructionCounter::read(CUcontext Context) noexcept {
  unsigned Device = 0;
  {
    std::lock_guard Lock(Mutex);
    auto Found = Contexts.find(Context);
    if (Found == Contexts.end() || !Found->second.IsCounting)
      return 0;
    Device = Found->second.Device;
  }
  std::vector<InstructionCount> Counts;
  CUptiResult Result;
  std::string Error;
  {
    DriverApi::Current Current(Driver, Context);
    Result = Sass.read(Context, Counts);
    if (Result != CUPTI_SUCCESS)
      Error = Driver.stickyError();
  }
  if (!Error.empty())
    Problems.add(loss("kernel-failed",
                      "a kernel of the program failed (" + Error +
                          "): what was counted since the last wait is lost"));
  else if (Result != CUPTI_SUCCESS)
    Problems.add(Cupti.problem(Result, "counts were lost"));
  std::lock_guard Lock(Mutex);
  Launches.countsEnded(Context, /*AreRead=*/Result == CUPTI_SUCCESS);
  return merge(Device, Counts);
}

double InstructionCounter::stop(CUcontext Context,
                                std::size_t &Dropped) noexcept {
  double Traffic = read(Context);
  Sass.disable(Context, Dropped);
  giveUp(Context);
  return Traffic;
}

void InstructionCounter::giveUp(CUcontext Context) {
  std::lock_guard Lock(Mutex);
  if (auto Found = Contexts.find(Context); Found != Contexts.end())
    Found->second.IsCounting = false;
}

/// EXPECTS: the lock is held.
double InstructionCounter::merge(unsigned Device,
                                 const std::vector<InstructionCount> &Counts) {
  std::uint64_t Traffic = 0;
  InstructionKey Key = {.Device = Device};
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

/// Where an instruction stands and what it is. EXPECTS: the lock is held.
InstructionInfo InstructionCounter::describe(const InstructionKey &Key) {
  std::shared_ptr<const Cubin> Code = Modules.find(Key.Module, Key.Function);
  if (!Code)
    return {};
  InstructionInfo Out;
  Out.Word = Code->word(Key.Function, Key.Offset);
  if (auto At = Code->line(Key.Function, Key.Offset); At && Out.Word)
    Out.Where = {std::string(At->File), At->Line};
  if (!Out.Where.File && Code->hasUnknownLines())
    Problems.add({"unknown-lines",
                  "the line numbers of a module are of a kind that is "
                  "not known, so lines are missing; please report "
                  "the compiler that made it"});
  return Out;
}

void InstructionCounter::summarize(Profile &Out) const {
  MetricSet Available = Sass.available();
  std::vector<Problem> Missing = Sass.problems();
  Out.Problems.insert(Out.Problems.end(), Missing.begin(), Missing.end());
  std::lock_guard Lock(Mutex);
  Out.Counted = EverCounted;
  Launches.summarize(Out);
  Instructions.summarize(Available, Out);
}

bool InstructionCounter::anyExecuted() const {
  std::lock_guard Lock(Mutex);
  return Instructions.anyExecuted();
}

} // namespace cudalint::probe
