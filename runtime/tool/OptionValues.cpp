//===- runtime/tool/OptionValues.cpp - From words to values ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/tool/OptionValues.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <regex.h>

namespace cudalint {

template <typename T>
static std::optional<T> readNumber(const std::string &Text) {
  T Value = {};
  const char *End = Text.data() + Text.size();
  auto [Stop, Code] = std::from_chars(Text.data(), End, Value);
  if (Code != std::errc() || Stop != End)
    return std::nullopt;
  return Value;
}

/// Each returns a message when the words mean nothing, else an empty string.
static std::string whyNoExpression(const std::string &Kernel) {
  regex_t Compiled;
  const int Code = ::regcomp(&Compiled, Kernel.c_str(), REG_EXTENDED);
  if (Code != 0) {
    char Why[128] = {};
    ::regerror(Code, &Compiled, Why, sizeof(Why));
    return fmt::format("--kernel '{}' is not a regular expression: {}", Kernel,
                       Why);
  }
  ::regfree(&Compiled);
  return {};
}

static std::string readNumbers(const RawOptions &Raw, Options &Run) {
  Run.AllLaunches = Raw.Launches == "all";
  if (!Raw.Launches.empty() && !Run.AllLaunches) {
    Run.Launches = readNumber<std::uint64_t>(Raw.Launches);
    if (!Run.Launches || *Run.Launches == 0)
      return fmt::format("--launches '{}' is not a positive number or 'all'",
                         Raw.Launches);
  }
  if (!Raw.Skip.empty()) {
    const std::optional<std::uint64_t> Skip =
        readNumber<std::uint64_t>(Raw.Skip);
    if (!Skip)
      return fmt::format("--skip '{}' is not a number", Raw.Skip);
    Run.Skip = *Skip;
  }
  if (!Raw.Overhead.empty()) {
    Run.Overhead = readNumber<double>(Raw.Overhead);
    if (!Run.Overhead || !(*Run.Overhead >= 0) || *Run.Overhead > 1e6)
      return fmt::format("--overhead '{}' is not a number of per cent from 0 "
                         "to 1000000",
                         Raw.Overhead);
    if (!Raw.Launches.empty())
      return "--overhead goes with a few launches: leave --launches out";
  }
  if (!Raw.Timeout.empty()) {
    Run.Timeout = readNumber<double>(Raw.Timeout);
    // A year is as good as none.
    if (!Run.Timeout || !(*Run.Timeout > 0) || *Run.Timeout > 3.2e7)
      return fmt::format("--timeout '{}' is not a positive number of seconds",
                         Raw.Timeout);
  }
  if (!Raw.Tolerance.empty()) {
    std::optional<double> Percent = readNumber<double>(Raw.Tolerance);
    if (!Percent || !(*Percent >= 0) || *Percent > 100)
      return fmt::format("--tolerance '{}' is not a number of per cent from 0 "
                         "to 100",
                         Raw.Tolerance);
    Run.Allowed.Assumed = *Percent / 100;
    Run.Allowed.Exact = std::min(Run.Allowed.Exact, Run.Allowed.Assumed);
  }
  const auto readPercent = [](std::string_view Option, const std::string &Word,
                              double Most, double &Share) -> std::string {
    if (Word.empty())
      return {};
    const std::optional<double> Percent = readNumber<double>(Word);
    if (!Percent || !(*Percent >= 0) || *Percent > Most)
      return fmt::format("{} '{}' is not a number of per cent from 0 to {}",
                         Option, Word, Most);
    Share = *Percent / 100;
    return {};
  };
  if (std::string Error = readPercent("--min-coverage", Raw.MinCoverage, 100,
                                      Run.LeastCoverage);
      !Error.empty())
    return Error;
  if (std::string Error =
          readPercent("--threshold", Raw.Threshold, 1e6, Run.Threshold);
      !Error.empty())
    return Error;
  if (!Raw.Runs.empty()) {
    const std::optional<unsigned> Runs = readNumber<unsigned>(Raw.Runs);
    if (!Runs || *Runs == 0 || *Runs > 999)
      return fmt::format("--runs '{}' is not a number from 1 to 999", Raw.Runs);
    Run.Runs = *Runs;
  }
  if (!Raw.Top.empty()) {
    Run.Top = readNumber<std::size_t>(Raw.Top);
    if (!Run.Top || *Run.Top == 0)
      return fmt::format("--top '{}' is not a positive number; --all shows all",
                         Raw.Top);
  }
  return Run.Kernel.empty() ? std::string() : whyNoExpression(Run.Kernel);
}

template <typename T>
static std::string
readWord(std::string_view Option, const std::string &Word,
         std::initializer_list<std::pair<const char *, T>> All, T &Value) {
  std::string Known;
  for (const auto &[Name, Each] : All) {
    if (Word == Name) {
      Value = Each;
      return {};
    }
    Known += (Known.empty() ? "" : ", ") + std::string(Name);
  }
  return fmt::format("unknown value '{}' for {}; use one of {}", Word, Option,
                     Known);
}

static std::string readGates(const RawOptions &Raw, Options &Run) {
  if (!Run.Compare)
    return readWord<FailOn>("--fail-on", Raw.FailOn,
                            {{"never", FailOn::Never},
                             {"refuted", FailOn::Refuted},
                             {"missed", FailOn::Missed}},
                            Run.Gate);
  if (Raw.FailOn == "never")
    return {};
  std::string_view Left = Raw.FailOn;
  while (true) {
    const std::size_t Comma = Left.find(',');
    CompareGate Gate = CompareGate::Slower;
    if (std::string Error = readWord<CompareGate>(
            "--fail-on with --compare", std::string(Left.substr(0, Comma)),
            {{"slower", CompareGate::Slower},
             {"more-sectors", CompareGate::MoreSectors},
             {"more-wavefronts", CompareGate::MoreWavefronts},
             {"lower-occupancy", CompareGate::LowerOccupancy}},
            Gate);
        !Error.empty())
      return Error;
    Run.Gates.insert(Gate);
    if (Comma == Left.npos)
      return {};
    Left.remove_prefix(Comma + 1);
  }
}

static std::string readWords(const RawOptions &Raw, Options &Run) {
  std::string Error = readGates(Raw, Run);
  if (Error.empty())
    Error = readWord<OutputFormat>(
        "--format", Raw.Format,
        {{"text", OutputFormat::Text}, {"json", OutputFormat::Json}},
        Run.Format);
  if (Error.empty())
    Error = readWord<ColourMode>("--color", Raw.Colour,
                                 {{"auto", ColourMode::Auto},
                                  {"always", ColourMode::Always},
                                  {"never", ColourMode::Never}},
                                 Run.Colour);
  return Error;
}

static std::string checkCompare(const Options &Run) {
  if (Run.Hotspots)
    return "--hotspots is a report on one program: leave --compare out";
  if (!Run.Predictions.empty() || !Run.Profiles.empty() || !Run.Ncu.empty())
    return "--compare takes neither --predictions nor --profile nor --ncu: "
           "name two profiles, or two programs behind --";
  if (Run.Commands.empty() && Run.Sources.size() != 2)
    return fmt::format("--compare needs two profiles or results of confirm, or "
                       "two programs: -- ./before -- ./after; {} given",
                       Run.Sources.size());
  if (!Run.Commands.empty() &&
      (Run.Commands.size() != 2 || !Run.Sources.empty()))
    return "--compare needs two programs, each behind --: -- ./before -- "
           "./after";
  return {};
}

static bool hasMeasurement(const Options &Run) {
  return !Run.Commands.empty() || !Run.Profiles.empty() || !Run.Ncu.empty();
}

/// Each counts the same launches, so that they do not add up.
static std::string checkSources(const Options &Run) {
  if (!Run.Commands.empty() && !Run.Profiles.empty())
    return "give either a program or --profile, not both";
  if (!Run.Commands.empty() && !Run.Ncu.empty())
    return "give either a program or --ncu, not both";
  if (!Run.Profiles.empty() && !Run.Ncu.empty())
    return "give either --profile or --ncu, not both";
  return {};
}

/// Of predictions and sources, which a report may or must have.
static std::string checkLinted(const Options &Run) {
  if (!Run.Predictions.empty() && !Run.Sources.empty() && !hasMeasurement(Run))
    return fmt::format("'{}' is no option: write the program to run behind --",
                       Run.Sources[0]);
  if (!Run.Predictions.empty() && !Run.Sources.empty())
    return "name either predictions or sources, not both";
  if (!hasMeasurement(Run))
    return "no program to run: write it behind --, or give --profile FILE or "
           "--ncu FILE";
  return {};
}

static std::string checkHotspots(const Options &Run) {
  if (Run.isLinted())
    if (std::string Error = checkLinted(Run); !Error.empty())
      return Error;
  if (!hasMeasurement(Run))
    return "nothing to do: write a program to run behind --, or give --profile "
           "FILE or --ncu FILE; and, to confirm them, the predictions "
           "(--predictions FILE) "
           "or the sources";
  if (std::string Error = checkSources(Run); !Error.empty())
    return Error;
  if (Run.Gate != FailOn::Never && Run.isLinted())
    return "--fail-on goes with verdicts: leave --hotspots out";
  if (Run.Gate != FailOn::Never)
    return "--fail-on goes with predictions: name them by --predictions FILE";
  if (Run.Once && Run.NoCounters)
    return "--once runs with counters alone: leave --no-counters out";
  if (Run.Once && Run.Commands.empty())
    return "--once needs a program to run";
  if (Run.Once && Run.Stalls)
    return "--stalls runs the program once more: leave --once out";
  if (Run.Stalls && (Run.Skip || !Run.Range.empty()))
    return "--stalls samples all launches: leave --skip and --range out";
  return {};
}

static std::string checkConfirm(const Options &Run) {
  if (std::string Error = checkLinted(Run); !Error.empty())
    return Error;
  if (std::string Error = checkSources(Run); !Error.empty())
    return Error;
  if (Run.NoCounters && Run.Gate == FailOn::Missed)
    return "--fail-on=missed needs counters: leave --no-counters out";
  return {};
}

/// Options that mean nothing as the others are.
static std::string checkRaw(const RawOptions &Raw, const Options &Run) {
  if (!Raw.Runs.empty() && (!Run.Compare || Run.Commands.empty()))
    return "--runs goes with --compare and two programs";
  if (!Raw.Threshold.empty() && Run.Gates.empty())
    return "--threshold goes with --compare and --fail-on";
  if (!Raw.MinCoverage.empty() && Run.Compare)
    return "--min-coverage goes with predictions, not with --compare";
  if (!Raw.MinCoverage.empty() && Run.isHotspots() && Run.isLinted())
    return "--min-coverage goes with verdicts: leave --hotspots out";
  if (!Raw.MinCoverage.empty() && Run.isHotspots())
    return "--min-coverage goes with predictions: name them by --predictions "
           "FILE";
  return {};
}

static std::string checkAll(const Options &Run) {
  if (Run.Output.empty())
    return "--output needs the name of a file, or - for standard output";
  for (const std::vector<std::string> &Command : Run.Commands)
    if (Command.empty() || Command[0].empty())
      return "there is no program behind --";
  if (Run.Commands.empty() &&
      (!Run.SaveProfile.empty() || Run.Timeout || !Run.Kernel.empty() ||
       Run.Launches || Run.AllLaunches || Run.Overhead || Run.Occupancy ||
       Run.Stalls || Run.CheckUnits || Run.Skip || !Run.Range.empty()))
    return "--save-profile, --timeout, --kernel, --launches, --skip, --range, "
           "--overhead, --occupancy, --stalls and --check-units need a program "
           "to run";
  if (Run.NoCounters && Run.Commands.empty())
    return "--no-counters needs a program to run";
  if (Run.NoCounters && (Run.Launches || Run.AllLaunches || Run.Overhead ||
                         Run.Occupancy || Run.Stalls || Run.CheckUnits))
    return "--launches, --overhead, --occupancy, --stalls and --check-units "
           "need counters: leave --no-counters out";
  if (Run.CheckUnits && (Run.isHotspots() || Run.Compare))
    return "--check-units goes with predictions, or with sources";
  if (!Run.isHotspots() && (Run.Top || Run.Once || Run.Stalls))
    return "--top, --once and --stalls are for a program without predictions, "
           "or for --hotspots";
  if (Run.isHotspots())
    return checkHotspots(Run);
  return Run.Compare ? checkCompare(Run) : checkConfirm(Run);
}

std::string readValues(const RawOptions &Raw, Options &Run) {
  for (auto *Read : {readNumbers, readWords})
    if (std::string Error = Read(Raw, Run); !Error.empty())
      return Error;
  if (std::string Error = checkAll(Run); !Error.empty())
    return Error;
  return checkRaw(Raw, Run);
}

} // namespace cudalint
