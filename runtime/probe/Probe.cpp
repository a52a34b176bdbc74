//===- runtime/probe/Probe.cpp - What is measured, and when ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/Probe.h"

#include <algorithm>

namespace cudalint::probe {

using namespace std::chrono_literals;

Probe::Probe(const Settings &S)
    : Set(S), WantsRanges(S.Collect == CollectKind::Occupancy ||
                          S.Collect == CollectKind::Units),
      WantsStalls(S.Collect == CollectKind::Stalls),
      Idle(Gate, Contexts, Driver), Launches(S, Modules, Problems),
      Times(Cupti, Problems),
      Counter(Cupti, Driver, S, Modules, Launches, Times, Problems),
      Window(S, Idle, Counter, Launches, Problems),
      Ranges(Cupti, Driver, S, Gate, Launches, Problems),
      Stalls(Cupti, Driver, Modules), Snapshots(S) {
  for (const std::string &Fault : S.Faults)
    Problems.add({"bad-setting", Fault});
}

bool Probe::load() {
  std::optional<Problem> Fault = Cupti.load(Set.CuptiPath);
  if (!Fault && WantsRanges && Cupti.MissingForRanges)
    Fault = loss(
        Set.Collect == CollectKind::Units ? "no-units" : "no-occupancy",
        std::string(LaunchRanges::nounOf(Set.Collect)) +
            " cannot be had: the CUPTI library lacks " +
            Cupti.MissingForRanges + "; install that of CUDA 12.6 or newer");
  if (!Fault && WantsStalls && Cupti.MissingForSampling)
    Fault = loss("no-stalls", std::string("stall reasons are not available: "
                                          "the CUPTI library lacks ") +
                                  Cupti.MissingForSampling +
                                  "; install that of CUDA 12.4 or newer");
  if (Fault)
    Problems.add(*Fault);
  return !Fault;
}

//===----------------------------------------------------------------------===//
// Contexts and modules
//===----------------------------------------------------------------------===//

void Probe::contextCreated(CUcontext Context) noexcept {
  std::uint32_t Device = 0;
  if (Cupti.cuptiGetDeviceId(Context, &Device) != CUPTI_SUCCESS)
    return;
  Contexts.add(Context, Device, Driver.device(Device));
  Counter.contextCreated(Context, Device);
  Ranges.contextCreated(Context, Device);
  if (WantsStalls) {
    Stalls.contextCreated(Context, Device);
    startStalls(Context, StallCollector::Occasion::NoLaunch);
  }
  if (!Set.filters())
    Counter.start(Context);
}

void Probe::contextDestroyed(CUcontext Context) noexcept {
  if (WantsRanges)
    Ranges.contextEnding(Context);
  if (WantsStalls) {
    // Where streams cannot be asked, an answer does not come by waiting.
    const bool HasEnded = !Stalls.isSampling(Context) ||
                          (Contexts.streamsToAsk(Context) &&
                           Idle.act(Context, std::nullopt, 2s, [] {}));
    Stalls.contextEnding(Context, HasEnded || Contexts.streamsToAsk(Context)
                                      ? std::optional(HasEnded)
                                      : std::nullopt);
  }
  // CUPTI crashes later where a context goes in which counting was switched off
  // before: seen with 13.0 and two contexts.
  if (Counter.hasCounted(Context))
    Counter.start(Context);
  if (Counter.isCounting(Context)) {
    std::size_t Dropped = 0;
    bool IsRead = Idle.act(Context, std::nullopt, 2s,
                           [&] { Counter.stop(Context, Dropped); });
    if (!IsRead || Dropped)
      Problems.add(loss("counts-lost",
                        "kernels of a context were still running when it was "
                        "destroyed: their counts are missing; let the program "
                        "wait for them"));
  }
  Counter.contextGone(Context);
  Window.forget(Context);
  Launches.contextGone(Context);
  Functions.contextGone(Context);
  Contexts.remove(Context);
}

std::uint32_t Probe::moduleNumber(std::string_view Cubin) noexcept {
  return Modules.number(Cubin);
}

void Probe::startStalls(CUcontext Context,
                        StallCollector::Occasion On) noexcept {
  Stalls.start(Context, On, Contexts.isCapturing());
}

void Probe::moduleLoaded(CUcontext Context, std::string_view Cubin) noexcept {
  if (WantsStalls)
    startStalls(Context, StallCollector::Occasion::NoLaunch);
  else if (!Counter.isWanted())
    return;
  if (!Set.filters())
    Counter.start(Context);
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
  if (Counter.isWanted() && !Cubin.empty())
    Modules.unloaded(Cubin);
  else if (WantsStalls && !Cubin.empty())
    Modules.unloaded(Cubin, StallCollector::KeptCodeBytes);
  // A new function may get the handle of one that is gone.
  Launches.forgetNames();
}

void Probe::unloading() noexcept {
  if (WantsStalls)
    Stalls.readAll();
  // The figures of a launch do not go with its code.
  if (!WantsRanges && !readAll(2s))
    Problems.add(loss("counts-lost",
                      "kernels were still running when a module was unloaded: "
                      "what was counted of it is missing; let the program wait "
                      "for them"));
}

void Probe::unloaded(CUmodule Module) noexcept {
  if (Module)
    Functions.moduleGone(Module);
  else
    Functions.allGone();
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

void Probe::streamCreated(CUcontext Context, CUstream Stream) noexcept {
  Contexts.streamCreated(Context, Stream);
}

void Probe::streamDestroyed(CUcontext Context, CUstream Stream) noexcept {
  Contexts.streamDestroyed(Context, Stream);
}

/// Nobody asks about a stream while it goes: that is asked with the gate
/// closed. What it still has to do goes on.
void Probe::streamEnding(CUcontext Context, CUstream Stream) noexcept {
  if (!asksStreams())
    return;
  bool IsBusy = (Counter.isWanted() || WantsStalls) && Driver.isBusy(Stream);
  Gate.enter();
  if (IsBusy)
    Contexts.mayRunUnseen(Context);
}

void Probe::streamEnded() noexcept {
  if (asksStreams())
    Gate.leave();
}

//===----------------------------------------------------------------------===//
// What is read and written
//===----------------------------------------------------------------------===//

/// EXPECTS: the gate is closed, and nothing runs that may wait for this thread.
void Probe::read(CUcontext Context) noexcept {
  if (WantsRanges)
    Ranges.stop(Context);
  else
    Counter.read(Context);
}

/// Returns whether that was possible in \p Patience.
bool Probe::readAll(std::chrono::milliseconds Patience) noexcept {
  std::uint64_t Now = Launches.started();
  if (Now == LaunchesAtRead.load())
    return true;
  // To read while somebody launches can block for ever, and kernels on several
  // GPUs may wait for each other.
  using Clock = IdleMoments::Clock;
  auto Until = Clock::now() + Patience;
  bool All = true;
  for (CUcontext Context :
       WantsRanges ? Ranges.measuring() : Counter.counting())
    All &= Idle.act(Context, std::nullopt,
                    std::max<Clock::duration>(Until - Clock::now(), 0ms),
                    [&] { read(Context); });
  if (All)
    LaunchesAtRead.store(Now);
  return All;
}

void Probe::synchronized(CUcontext Context, std::optional<CUstream> Stream,
                         std::uint64_t LaunchesBefore) noexcept {
  if (asksStreams() && !Stream && Launches.started() == LaunchesBefore)
    Contexts.waitedForAll(Context);
  if (Set.filters()) {
    Window.closeLeft(0s);
  } else if (Stream && !Contexts.isOnlyStream(*Stream)) {
    return;
  }
  auto Begin = SnapshotWriter::Clock::now();
  if (!LaunchesBefore || !Snapshots.begins(Begin))
    return;
  if (!Set.filters()) {
    if (!Gate.close(50ms))
      return;
    // A kernel that was launched meanwhile may run until the program lets it
    // end, and to read waits for all kernels.
    if (Launches.started() == LaunchesBefore)
      read(Context);
    Gate.open();
  }
  if (WantsStalls)
    Stalls.readAll();
  write("killed", {});
  Snapshots.ended(Begin);
}

void Probe::finish(EndKind How) noexcept {
  const char *End = How == EndKind::Exit ? "exit" : "signal";
  Ended = true;
  // A kernel may never end, and then neither does the reading below: this file
  // stays.
  std::vector<Problem> Unfinished = {
      loss("unfinished", "kernels were still running when the program ended: "
                         "their counts are missing; let the program wait for "
                         "them")};
  bool IsMeasuring =
      WantsStalls ? Stalls.isRunning() : !Counter.counting().empty();
  if (WantsStalls)
    Stalls.readAll();
  if (IsMeasuring)
    write(End, Unfinished);
  if (WantsStalls)
    Stalls.finish();
  if (readAll(2s))
    Unfinished.clear();
  Times.flush();
  write(End, Unfinished, /*IsLast=*/true);
}

/// What a program with a profiler of its own does to us, which nothing reports.
static void checkCounts(bool AnyCounts, bool WantsTimes, Profile &P) {
  std::uint64_t Launches = 0, Measured = 0, Times = 0;
  // Of kernels that lack more than half of their records: the last launches may
  // still run when the program ends.
  std::uint64_t Owed = 0, Came = 0;
  for (const auto &[Key, Each] : P.Kernels) {
    Launches += Each.Launches;
    Measured += Each.Measured;
    if (2 * Each.Records >= Each.RecordsOwed)
      continue;
    Owed += Each.RecordsOwed;
    Came += Each.Records;
  }
  for (const auto &[Key, Each] : P.Launches)
    Times += Each.Duration.has_value();
  static const std::string Help =
      "; does the program use CUPTI itself, as a built-in profiler does? Run "
      "it without";
  if (Measured && !AnyCounts)
    P.Problems.push_back(loss(
        "nothing-counted", "CUPTI counted no instruction in " +
                               std::to_string(Measured) + " launches" + Help));
  if (WantsTimes && Launches && !Times)
    P.Problems.push_back(loss("times-lost", "CUPTI gave no time of " +
                                                std::to_string(Launches) +
                                                " launches" + Help));
  else if (Owed)
    P.Problems.push_back(
        loss("times-lost", "CUPTI gave times of " + std::to_string(Came) +
                               " of " + std::to_string(Owed) +
                               " launches of some kernels" + Help));
}

/// Where only some launches are asked for, and there was none of them.
static Problem nothingSelected(const Settings &S) {
  if (S.Range.empty())
    return loss("all-skipped",
                "no kernel was launched more often than was to be "
                "skipped: skip fewer launches");
  return loss("nothing-in-range",
              "nothing was launched in a range named '" + S.Range +
                  "', or no more than was to be skipped: is it the name "
                  "of an NVTX range, exactly?");
}

void Probe::write(const char *End, const std::vector<Problem> &Extra,
                  bool IsLast) noexcept {
  Profile P = Snapshots.ofThisProcess();
  P.End = End;
  P.Collect = nameOf(Set.Collect);
  P.Samples = Set.samples();
  P.Devices = Contexts.devices();
  P.Problems = Problems.all();
  P.Problems.insert(P.Problems.end(), Extra.begin(), Extra.end());
  Counter.summarize(P);
  P.UnitPart = Set.Part;
  P.UnitParts = Ranges.parts();
  if (WantsStalls)
    Stalls.summarize(P, IsLast);
  if (IsLast) {
    if (Set.selects() && Launches.started() && Launches.isAllUnwanted(P))
      P.Problems.push_back(nothingSelected(Set));
    checkCounts(Counter.anyExecuted(), Times.areTaken(), P);
  }
  Launches.eraseUnwanted(P);
  boundProblems(P.Problems);
  Snapshots.write(P, IsLast);
}

} // namespace cudalint::probe
