//===- runtime/tool/Measuring.cpp - Runs for a report ---------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/tool/Measuring.h"

#include "report/InputFile.h"
#include "report/OutputFile.h"
#include "report/Terminal.h"
#include "report/TerminalText.h"
#include "runtime/measure/RepeatedInput.h"
#include "runtime/measure/ScratchFolder.h"
#include "runtime/ncu/NcuReport.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <unistd.h>
#include <utility>

namespace cudalint {

void complain(std::string_view Message) {
  // It may hold names of files and words of foreign profiles.
  fmt::print(stderr, "cuda-lint: error: {}\n", printable(Message));
}

void progress(const Options &Run, const std::string &Message) {
  if (!Run.Quiet && ::isatty(STDERR_FILENO))
    fmt::print(stderr, "cuda-lint: {}\n", Message);
}

/// Gives each of several runs the same standard input.
static void rewindInput(const Options &Run) {
  const bool IsOnce = !Run.Compare && !Run.Occupancy && !Run.Stalls &&
                      (!Run.isHotspots() || Run.Once || Run.NoCounters);
  if (IsOnce)
    return;
  static const RepeatedInput Input;
  static bool IsSaid = false;
  if (!Input.why().empty() && !std::exchange(IsSaid, true))
    fmt::print(stderr, "cuda-lint: note: {}\n", Input.why());
  Input.rewind();
}

void runAndRead(const Options &Run, const std::vector<std::string> &Command,
                Purpose What, Measured &Out, unsigned Number) {
  const std::string Probe = findProbe(Run.Probe, Out.Failure);
  if (Probe.empty())
    return;
  ScratchFolder Folder;
  if (!Folder.error().empty()) {
    Out.Failure = Folder.error();
    return;
  }
  const char *Injected = std::getenv("CUDA_INJECTION64_PATH");
  if (Injected && *Injected && What == Purpose::Counters)
    fmt::print(stderr,
               "cuda-lint: note: the driver loads one library into a program: "
               "the probe, not '{}' of CUDA_INJECTION64_PATH\n",
               printable(Injected));
  static constexpr const char *Reasons[] = {"", " for its times",
                                            " for its achieved occupancy",
                                            " for its stall reasons"};
  progress(Run, fmt::format("running {}{}", Command[0],
                            Reasons[static_cast<std::size_t>(What)]));
  const std::size_t Before = Out.Read.Paths.size();
  rewindInput(Run);
  ProbedEnd Probed =
      runProbed({.Program = {.Command = Command, .Timeout = Run.Timeout},
                 .What = What,
                 .Probe = Probe,
                 .Cupti = Run.Cupti,
                 .Kernel = Run.Kernel,
                 .Launches = Run.Launches,
                 .AllLaunches = Run.AllLaunches,
                 .Skip = Run.Skip,
                 .NoArguments = Run.NoArguments,
                 .Range = Run.Range,
                 .Overhead = Run.Overhead},
                Folder.path(), Out.Read);
  Out.Failure = std::move(Probed.Failure);
  if (!Probed.End.NotStarted.empty())
    return;
  progress(Run, fmt::format("{} {} after {:.1f} s", Command[0],
                            describe(Probed.End), Probed.End.Seconds));
  Out.Programs.push_back(
      {Run.NoArguments ? std::vector{Command[0]} : Command, Probed.End});
  if (!Out.Failure.empty())
    return;
  const std::vector<std::string> New(Out.Read.Paths.begin() +
                                         static_cast<std::ptrdiff_t>(Before),
                                     Out.Read.Paths.end());
  for (std::size_t I = Before; I != Out.Read.Profiles.size(); ++I)
    Out.Read.Profiles[I].Run = Number;
  if (!Run.SaveProfile.empty())
    if (std::string Why =
            saveProfiles(New, Run.SaveProfile, Number ? runPrefix(Number) : "");
        !Why.empty())
      Out.Read.Errors.push_back(Why);
}

void readRecorded(const Options &Run, Measured &Out) {
  for (const std::string &Path : Run.Profiles)
    readProfiles(Path, Out.Read);
  std::vector<NcuPage> Pages;
  for (const std::string &Path : Run.Ncu) {
    std::string Error;
    if (auto Text = readWholeFile(Path, MostNcuBytes, Error))
      Pages.push_back({Path, std::move(*Text)});
    else
      Out.Read.Errors.push_back(std::move(Error));
  }
  NcuRead Read = readNcu(Pages);
  std::ranges::move(Read.Errors, std::back_inserter(Out.Read.Errors));
  if (!Read.Value)
    return;
  Out.Read.Profiles.push_back(std::move(*Read.Value));
  Out.Read.Paths.push_back(Run.Ncu.front());
}

bool anyFailed(const Measured &What) {
  return std::ranges::any_of(What.Programs, [](const ProgramReport &Each) {
    return !Each.End.isSuccess();
  });
}

bool isComplete(const Measured &What) {
  return What.Read.Errors.empty() && !anyFailed(What);
}

int codeOfNothing(const Measured &What) {
  return anyFailed(What) ? PartlyDone : NothingDone;
}

int writeReport(const Options &Run, const std::string &Text) {
  if (std::optional<std::string> Error = writeOutputFile(Run.Output, Text)) {
    complain(*Error);
    return NothingDone;
  }
  return NothingFound;
}

unsigned textWidth(const Options &Run) {
  unsigned Width = Run.Output == "-" ? widthOf(STDOUT_FILENO) : 0;
  return Width ? Width : 80;
}

} // namespace cudalint
