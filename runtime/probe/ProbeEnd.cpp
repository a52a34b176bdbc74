//===- runtime/probe/ProbeEnd.cpp - When and what is written --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/Injection.h"
#include "runtime/probe/Probe.h"
#include "runtime/probe/ProcessName.h"
#include "runtime/probe/ProfileWriter.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace cudalint::probe {

using namespace std::chrono_literals;

// A snapshot may cost a fiftieth of the time, and comes once a second at most.
static constexpr int SnapshotShare = 50;

void Probe::synchronized(CUcontext Handle, std::optional<CUstream> Stream,
                         std::uint64_t LaunchesBefore) noexcept {
  if (Set.filters()) {
    if (!Stream && Started.load() == LaunchesBefore) {
      std::lock_guard<std::mutex> Lock(State);
      if (auto Found = Contexts.find(Handle); Found != Contexts.end())
        Found->second.MayRunUnseen = false;
    }
    closeLeftWindow(0s);
  } else if (Stream &&
             OnlyStream.load() != reinterpret_cast<std::uintptr_t>(*Stream)) {
    return;
  }
  auto Start = std::chrono::steady_clock::now();
  {
    std::lock_guard<std::mutex> Lock(Writing);
    if (Finished || Start < NextSnapshot || !LaunchesBefore)
      return;
    NextSnapshot = Start + 1s; // nobody else tries meanwhile
  }
  if (!Set.filters()) {
    if (!Gate.close(50ms))
      return;
    // A kernel that was launched meanwhile may run until the program lets it
    // end, and to read waits for all kernels.
    if (Started.load() == LaunchesBefore)
      readCounts(Handle);
    Gate.open();
  }
  if (WantsStalls)
    Stalls.readAll();
  write("killed", {});
  auto End = std::chrono::steady_clock::now();
  std::lock_guard<std::mutex> Lock(Writing);
  NextSnapshot = End + std::max<std::chrono::steady_clock::duration>(
                           1s, (End - Start) * SnapshotShare);
}

void Probe::finish(EndKind How) noexcept {
  const char *End = How == EndKind::Exit ? "exit" : "signal";
  Ended = true;
  bool Counting = WantsStalls && Stalls.isRunning();
  {
    std::lock_guard<std::mutex> Lock(State);
    for (const auto &[Handle, C] : Contexts)
      Counting |= C.Counting;
  }
  // A kernel may never end, and then neither does the reading below: this file
  // stays.
  std::vector<Problem> Unfinished = {
      loss("unfinished", "kernels were still running when the program ended: "
                         "their counts are missing; let the program wait for "
                         "them")};
  if (WantsStalls)
    Stalls.readAll();
  if (Counting)
    write(End, Unfinished);
  if (WantsStalls)
    Stalls.finish();
  if (readAll(2s))
    Unfinished.clear();
  if (CollectsTimes)
    Cupti.cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  write(End, Unfinished, /*IsLast=*/true);
}

/// Without what the user's filter leaves out: it was counted in between.
static void eraseUnwanted(const LaunchTable &Launches, Profile &P) {
  auto Unwanted = [&](const std::string &Kernel, unsigned Device) {
    const LaunchTable::Kernel *Found = Launches.find({Kernel, Device});
    return Found && !Found->Wanted;
  };
  std::erase_if(P.Lines, [&](const auto &Each) {
    return Unwanted(Each.first.Kernel, Each.first.Device);
  });
  std::erase_if(P.Code, [&](const FunctionRows &Each) {
    return Unwanted(Each.Kernel, Each.Device);
  });
  std::erase_if(P.Stalls, [&](const auto &Each) {
    return Unwanted(Each.first.Kernel, Each.first.Device);
  });
  std::erase_if(P.Branches, [&](const auto &Each) {
    return Unwanted(Each.first.Kernel, Each.first.Device);
  });
}

/// What a program with a profiler of its own does to us, which nothing reports.
static void checkCounts(bool AnyCounts, bool WantsTimes, Profile &P) {
  std::uint64_t Launches = 0, Measured = 0, Times = 0;
  for (const auto &[Key, Each] : P.Kernels) {
    Launches += Each.Launches;
    Measured += Each.Measured;
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
}

/// Not into a file of the program: a program that closes its streams may have
/// opened one that got the number, before the probe came or since.
void Probe::complain(int Error) const noexcept {
  struct stat Now = {};
  if (!HasErrors || S_ISREG(Errors.st_mode) ||
      ::fstat(STDERR_FILENO, &Now) != 0 || Now.st_dev != Errors.st_dev ||
      Now.st_ino != Errors.st_ino)
    return;
  std::fprintf(stderr,
               "cuda-lint probe: cannot write a profile to '%s': %s; make "
               "the folder, or free some space\n",
               Set.Folder.c_str(), std::strerror(Error));
}

/// Nothing is written after the last, such as the snapshot of a thread that
/// still runs at exit.
void Probe::write(const char *End, const std::vector<Problem> &Extra,
                  bool IsLast) noexcept {
  Profile P;
  P.Pid = ::getpid();
  P.Parent = ::getppid();
  P.Host = hostName();
  P.Rank = rankOf([](const char *Name) { return std::getenv(Name); });
  P.Command = Command;
  P.End = End;
  P.Collect = nameOf(Set.Collect);
  MetricSet Available = Sass.available();
  P.Problems = Sass.problems();
  {
    std::lock_guard<std::mutex> Lock(State);
    P.Counted = Counted;
    P.Samples = Set.samples();
    P.Devices = Devices;
    P.Problems.insert(P.Problems.end(), Problems.begin(), Problems.end());
    P.Problems.insert(P.Problems.end(), Extra.begin(), Extra.end());
    Launches.summarize(P);
    Instructions.summarize(Available, P);
    if (WantsStalls)
      Stalls.summarize(P, IsLast);
    if (IsLast && Set.selects() && Started.load() &&
        std::ranges::all_of(P.Kernels, [&](const auto &Each) {
          const LaunchTable::Kernel *Its = Launches.find(Each.first);
          return Each.second.Launches == 0 || (Its && !Its->Wanted);
        }))
      P.Problems.push_back(
          Set.Range.empty()
              ? loss("all-skipped",
                     "no kernel was launched more often than was to be "
                     "skipped: skip fewer launches")
              : loss("nothing-in-range",
                     "nothing was launched in a range named '" + Set.Range +
                         "', or no more than was to be skipped: is it the name "
                         "of an NVTX range, exactly?"));
    if (IsLast)
      checkCounts(Instructions.anyExecuted(), CollectsTimes, P);
    eraseUnwanted(Launches, P);
  }
  boundProblems(P.Problems);
  std::string Text = profileText(P);
  std::lock_guard<std::mutex> Lock(Writing);
  if (Finished)
    return;
  Finished = IsLast;
  int Error = File.write(Text);
  if (Error && std::strcmp(End, "killed") != 0 && IsLast)
    complain(Error);
}

} // namespace cudalint::probe
