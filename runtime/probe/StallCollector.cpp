//===- runtime/probe/StallCollector.cpp - When samples are read -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/StallCollector.h"

#include <algorithm>
#include <thread>
#include <utility>

namespace cudalint::probe {

using namespace std::chrono_literals;

// CUPTI adds the samples of an instruction up until somebody reads them, so
// that this is for a program that is killed.
static constexpr auto ReadEvery = 1s;

// For the end of the process to have done with a context that is to go. Its
// kernels may never end.
static constexpr auto UsePatience = 2s;

StallCollector::Sessions StallCollector::all() const {
  std::lock_guard Lock(Mutex);
  return Open;
}

std::shared_ptr<StallCollector::Session>
StallCollector::find(CUcontext Handle) const {
  std::lock_guard Lock(Mutex);
  auto Found = std::ranges::find_if(
      Open, [&](const auto &Each) { return Each->Handle == Handle; });
  return Found == Open.end() ? nullptr : *Found;
}

void StallCollector::contextCreated(CUcontext Handle,
                                    unsigned Device) noexcept {
  auto New = std::make_shared<Session>(Cupti, Handle, Device);
  std::lock_guard Lock(Mutex);
  Open.push_back(New);
}

/// Stops in another context of its GPU in which nothing was launched yet.
void StallCollector::makeRoomFor(const Session &S) noexcept {
  std::shared_ptr<Session> Other;
  {
    std::lock_guard Lock(Mutex);
    auto Found = Sampled.find(S.Device);
    if (Found == Sampled.end() || Found->second == S.Handle)
      return;
    for (const auto &Each : Open)
      if (Each->Handle == Found->second && !Each->HasLaunched)
        Other = Each;
  }
  if (!Other || !Other->Mutex.try_lock())
    return;
  std::lock_guard Own(Other->Mutex, std::adopt_lock);
  if (Other->At != Step::Started || Other->HasLaunched)
    return;
  stop(*Other);
  Other->At = Step::Created;
}

/// Whether \p S may be sampled now. EXPECTS: it is locked.
bool StallCollector::takeGpu(Session &S) {
  std::lock_guard Lock(Mutex);
  if (Sampled.try_emplace(S.Device, S.Handle).first->second == S.Handle)
    return true;
  if (S.HasLaunched && !std::exchange(S.IsToldOf, true))
    Problems.add(loss("one-context",
                      "the program launched in several contexts of GPU " +
                          std::to_string(S.Device) +
                          " at once, of which CUPTI samples one: the stall "
                          "reasons of the others are missing"));
  return false;
}

/// It launches, and nothing may begin.
void StallCollector::holdUp(Session &S) noexcept {
  if (!S.Mutex.try_lock())
    return;
  std::lock_guard Own(S.Mutex, std::adopt_lock);
  if (S.At != Step::Created || std::exchange(S.WasHeldUp, true))
    return;
  std::lock_guard Lock(Mutex);
  Problems.add(loss("samples-lost",
                    "GPU " + std::to_string(S.Device) +
                        " was launched to while a stream was captured, when "
                        "sampling cannot begin: samples are missing; let the "
                        "program launch something before it captures"));
}

void StallCollector::start(CUcontext Handle, Occasion On,
                           bool IsCapturing) noexcept {
  std::shared_ptr<Session> S = find(Handle);
  if (!S)
    return;
  if (On == Occasion::Launch)
    S->HasLaunched = true;
  if (IsCapturing)
    return On == Occasion::Launch ? holdUp(*S) : void();
  if (On == Occasion::Launch && !S->HasMadeRoom.exchange(true))
    makeRoomFor(*S);
  // To start may load code, whose callback comes here.
  if (!S->Mutex.try_lock())
    return;
  std::lock_guard Own(S->Mutex, std::adopt_lock);
  if (S->At != Step::Created || !takeGpu(*S))
    return;
  CUptiResult Result = S->Sampler.start();
  if (Result != CUPTI_SUCCESS) {
    std::lock_guard Lock(Mutex);
    Sampled.erase(S->Device);
  }
  if (Result == CUPTI_ERROR_INVALID_CONTEXT && !S->Sampler.isEnabled())
    return; // not yet
  S->At = Result == CUPTI_SUCCESS ? Step::Started : Step::Ended;
  SamplesRead Nothing;
  bool IsAbandoned = Result != CUPTI_SUCCESS && S->Sampler.isEnabled() &&
                     S->Sampler.stop(Nothing) != CUPTI_SUCCESS;
  std::lock_guard Lock(Mutex);
  if (IsAbandoned)
    Abandoned.push_back(S);
  if (Result != CUPTI_SUCCESS)
    return Problems.add(Cupti.problem(Result, "stall reasons of GPU " +
                                                  std::to_string(S->Device) +
                                                  " are not available"));
  WasStarted = true;
  if (auto Cycles = S->Sampler.periodCycles())
    Table.setPeriod(S->Device, *Cycles);
}

SourceLine StallCollector::lineOf(const SampledInstruction &Of) {
  std::shared_ptr<const Cubin> Code = Modules.find(Of.Module, Of.Function);
  if (!Code || !Code->word(Of.Function, Of.Offset)) {
    Problems.add(
        loss("code-not-found", "the code of " + Of.Function +
                                   " was not found, so its lines are not "
                                   "known; please report it"));
    return {};
  }
  if (auto At = Code->line(Of.Function, Of.Offset))
    return {std::string(At->File), At->Line};
  if (Code->hasUnknownLines())
    Problems.add({"unknown-lines",
                  "the line numbers of a module are of a kind that is "
                  "not known, so lines are missing; please report "
                  "the compiler that made it"});
  return {};
}

void StallCollector::add(unsigned Device, const SamplesRead &Read) {
  std::lock_guard Lock(Mutex);
  Table.addTotals(Device, {.Samples = Read.Samples,
                           .Dropped = Read.Dropped,
                           .Others = Read.Others});
  std::vector<StallCount> Counts;
  for (const SampledInstruction &Each : Read.Instructions) {
    Counts.clear();
    for (const ReasonSamples &Reason : Each.Reasons) {
      StallName Name = stallNameOf(Reason.Name);
      StallCount &Count = Counts.emplace_back();
      Count.Reason = Table.reason(Name.Reason);
      (Name.IsNotIssued ? Count.NotIssued : Count.Samples) = Reason.Samples;
    }
    if (Counts.empty())
      continue;
    HasSamples = true;
    Table.add({Each.Function, Device, lineOf(Each)}, Counts);
  }
  if (Read.Discarded)
    Problems.add(
        loss("samples-lost",
             "CUPTI had no room for the last samples of " +
                 std::to_string(Read.Discarded) +
                 " instructions; let the program wait for its kernels now "
                 "and then"));
}

/// EXPECTS: the session is locked.
void StallCollector::read(Session &S) {
  if (S.At != Step::Started)
    return;
  SamplesRead Read;
  CUptiResult Result;
  {
    DriverApi::Current Current(Driver, S.Handle);
    Result = S.Sampler.read(Read);
  }
  add(S.Device, Read);
  if (Result == CUPTI_SUCCESS)
    return;
  std::lock_guard Lock(Mutex);
  Problems.add(Read.IsHardwareFull
                   ? loss("samples-lost",
                          "the GPU's buffer for samples was full, and "
                          "those that came then are missing; measure a "
                          "shorter run")
                   : Cupti.problem(Result, "samples were lost"));
}

/// EXPECTS: the session is locked.
void StallCollector::stop(Session &S) {
  if (S.At == Step::Created && S.HasLaunched && !S.IsToldOf && !S.WasHeldUp) {
    std::lock_guard Lock(Mutex);
    Problems.add(Cupti.problem(CUPTI_ERROR_INVALID_CONTEXT,
                               "stall reasons of GPU " +
                                   std::to_string(S.Device) +
                                   " are not available"));
  }
  if (S.At != Step::Started)
    return;
  read(S);
  S.At = Step::Ended;
  SamplesRead Rest;
  CUptiResult Result;
  {
    DriverApi::Current Current(Driver, S.Handle);
    Result = S.Sampler.stop(Rest);
  }
  {
    std::lock_guard Lock(Mutex);
    Sampled.erase(S.Device);
  }
  if (Result == CUPTI_SUCCESS)
    return add(S.Device, Rest);
  std::lock_guard Lock(Mutex);
  Problems.add(Cupti.problem(Result, "the last samples were lost"));
  for (const auto &Each : Open)
    if (Each.get() == &S)
      Abandoned.push_back(Each);
}

bool StallCollector::isSampling(CUcontext Handle) const noexcept {
  std::shared_ptr<Session> S = find(Handle);
  return S && isStarted(*S);
}

void StallCollector::contextEnding(CUcontext Handle,
                                   std::optional<bool> HasEnded) noexcept {
  std::shared_ptr<Session> S = find(Handle);
  if (!S)
    return;
  std::unique_lock Use(S->Use, std::defer_lock);
  for (auto Until = std::chrono::steady_clock::now() + UsePatience;
       !Use.try_lock() && std::chrono::steady_clock::now() < Until;)
    std::this_thread::sleep_for(1ms);
  {
    std::lock_guard Own(S->Mutex);
    if (S->At == Step::Started && !HasEnded)
      Problems.add({"samples-not-awaited",
                    "whether kernels of a context still ran when it was "
                    "destroyed is not known, since they were launched to "
                    "streams of threads or a stream was captured: if they "
                    "did, their last samples are missing; let the program "
                    "wait for the whole device"});
    else if (S->At == Step::Started && !*HasEnded)
      Problems.add(loss("samples-lost",
                        "kernels of a context were still running when it was "
                        "destroyed: their last samples are missing; let the "
                        "program wait for them"));
    stop(*S);
  }
  std::lock_guard Lock(Mutex);
  std::erase(Open, S);
}

void StallCollector::readSometimes() noexcept {
  {
    auto Now = std::chrono::steady_clock::now();
    std::lock_guard Lock(Mutex);
    if (Now < NextRead)
      return;
    NextRead = Now + ReadEvery;
  }
  for (const auto &Each : all())
    if (std::unique_lock Own(Each->Mutex, std::try_to_lock); Own)
      read(*Each);
}

void StallCollector::readAll() noexcept {
  for (const auto &Each : all()) {
    std::lock_guard Own(Each->Mutex);
    read(*Each);
  }
}

bool StallCollector::isStarted(Session &S) {
  std::lock_guard Own(S.Mutex);
  return S.At == Step::Started;
}

bool StallCollector::isRunning() const noexcept {
  return std::ranges::any_of(all(),
                             [](const auto &Each) { return isStarted(*Each); });
}

void StallCollector::finish() noexcept {
  for (const auto &Each : all()) {
    std::string Error;
    std::lock_guard Use(Each->Use);
    if (isStarted(*Each)) {
      // CUPTI waits for nothing when it reads, and only this can wait for all
      // streams, those of other threads among them.
      DriverApi::Current Current(Driver, Each->Handle);
      Error = Driver.stickyError();
    }
    std::lock_guard Own(Each->Mutex);
    bool WasSampled = Each->At == Step::Started;
    stop(*Each);
    if (!WasSampled || Error.empty())
      continue;
    std::lock_guard Lock(Mutex);
    Problems.add(
        loss("kernel-failed", "a kernel of the program failed (" + Error +
                                  "): its last samples may be missing"));
  }
}

void StallCollector::summarize(Profile &Out, bool IsLast) const {
  std::lock_guard Lock(Mutex);
  Table.summarize(Out);
  const std::vector<Problem> Its = Problems.all();
  Out.Problems.insert(Out.Problems.end(), Its.begin(), Its.end());
  std::uint64_t Launches = 0;
  for (const auto &[Key, Kernel] : Out.Kernels)
    Launches += Kernel.Launches;
  if (IsLast && WasStarted && !HasSamples && Launches && Its.empty())
    Out.Problems.push_back(loss(
        "no-samples", "no sample fell into " + std::to_string(Launches) +
                          " launches, which are too short for that, or the "
                          "program uses CUPTI itself; measure more launches"));
}

} // namespace cudalint::probe
