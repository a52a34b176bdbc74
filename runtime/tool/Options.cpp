//===- runtime/tool/Options.cpp - The command line of confirm -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/tool/Options.h"

#include "report/CommandLine.h"
#include "report/HelpFormatter.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <regex.h>

namespace cudalint {

namespace {
/// What the options hold before they are understood.
struct RawOptions {
  Options Run;
  std::string Launches;
  std::string Skip;
  std::string Overhead;
  std::string Timeout;
  std::string Tolerance;
  std::string Top;
  std::string FailOn = "never";
  std::string Threshold;
  std::string Runs;
  std::string MinCoverage;
  std::string Format = "text";
  std::string Colour = "auto";
};

} // namespace

static constexpr const char *Usage =
    "Usage: cuda-lint confirm [options] --predictions FILE -- PROGRAM "
    "[ARGUMENT...]\n"
    "       cuda-lint confirm [options] SOURCE... -- PROGRAM "
    "[ARGUMENT...]\n"
    "       cuda-lint confirm [options] --predictions FILE --profile "
    "FILE\n"
    "       cuda-lint confirm [options] -- PROGRAM [ARGUMENT...]\n"
    "       cuda-lint confirm [options] --profile FILE\n"
    "       cuda-lint confirm [options] [--predictions FILE] --ncu FILE...\n"
    "       cuda-lint confirm --compare [options] BEFORE AFTER\n"
    "       cuda-lint confirm --compare [options] -- PROGRAM... -- "
    "PROGRAM...\n";

static constexpr const char *Description =
    "Runs a CUDA program, built with nvcc -lineinfo, and says of every\n"
    "prediction what the GPU's own counters say: confirmed, refuted,\n"
    "inconclusive or not measured; and which bad lines were missed.\n"
    "Without predictions or sources: which kernels take the time, and which\n"
    "lines of any of them waste requests.\n";

static constexpr const char *Footer =
    R"(The program needs no change and runs as always: its input and output are its
own. With --format=json, name a file by --output.

Exit codes: 0 nothing that --fail-on names, 1 something, 2 bad usage or nothing
could be joined, 3 the program failed or some of it was not measured.

Examples:
  cuda-lint --gpu h200 --format=json -o result.json src/*.cu
  cuda-lint confirm --predictions result.json -- ./app 4096
  cuda-lint confirm -- python3 train.py
  cuda-lint confirm --compare -- ./before -- ./after)";

static ParsedOptions refuse(std::string_view Message) {
  ParsedOptions Result;
  Result.Err = fmt::format("cuda-lint: error: {}\n", Message);
  Result.Code = NothingDone;
  return Result;
}

static void declare(CLI::App &App, RawOptions &Raw) {
  Options &Run = Raw.Run;
  App.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  auto several = [](CLI::Option *Option) {
    Option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false);
  };
  App.set_help_flag("-h,--help", "Print this and exit");
  App.set_version_flag("--version", "cuda-lint " CUDA_LINT_VERSION,
                       "Print the version and exit");
  App.add_option("SOURCE", Run.Sources, "Sources")->type_name("");
  several(App.add_option("--predictions", Run.Predictions,
                         "What cuda-lint --format=json wrote; may be repeated")
              ->type_name("FILE"));
  several(App.add_option("--extra-arg", Run.ExtraArguments,
                         "Compiler argument to lint SOURCE with; may be "
                         "repeated")
              ->type_name("ARG"));
  several(App.add_option("--profile", Run.Profiles,
                         "Profile that was saved, or a folder of them, instead "
                         "of a program; may be repeated")
              ->type_name("PATH"));
  several(App.add_option("--ncu", Run.Ncu,
                         "Page that Nsight Compute exported (ncu --csv --page "
                         "source or raw), instead of a program; may be "
                         "repeated for the pages of one report")
              ->type_name("FILE"));
  App.add_flag("--compare", Run.Compare,
               "What changed from one program, or its profiles, or a result of "
               "confirm --format=json, to another");
  App.add_flag("--occupancy", Run.Occupancy,
               "Run the program once more, for its achieved occupancy and the "
               "bytes of DRAM; kernels run one after the other then");
  App.add_flag("--no-counters", Run.NoCounters,
               "Launches, registers, occupancy and times alone, which needs no "
               "permission");
  App.add_flag(
      "--once", Run.Once,
      "Without predictions: no second run, so that there are no times");
  App.add_option("--save-profile", Run.SaveProfile,
                 "Keep the profiles in this folder")
      ->type_name("DIR");
  App.add_option("--kernel", Run.Kernel,
                 "Measure only kernels whose name, mangled or not, matches "
                 "this extended regular expression")
      ->type_name("REGEX");
  App.add_option("--launches", Raw.Launches,
                 "Measure the first N launches of each kernel, or all, however "
                 "long that takes; without it a few, spread over the run")
      ->type_name("N");
  App.add_option("--skip", Raw.Skip,
                 "Leave the first N launches of each kernel out: what warms up")
      ->type_name("N");
  App.add_option("--range", Run.Range,
                 "Only what is launched in NVTX ranges of this name; with "
                 "cudaProfilerApi, between cudaProfilerStart and Stop")
      ->type_name("NAME");
  App.add_option("--overhead", Raw.Overhead,
                 "How much longer the program may take for these few launches, "
                 "in per cent; 30 by default, and always a second")
      ->type_name("PCT");
  App.add_option("--timeout", Raw.Timeout,
                 "End the program and all it started after this time")
      ->type_name("SECONDS");
  App.add_option("--tolerance", Raw.Tolerance,
                 "How far a measured number may be from the predicted one, in "
                 "per cent; 5 by default, and never more than 1 where the "
                 "prediction is exact")
      ->type_name("PCT");
  App.add_option("--fail-on", Raw.FailOn,
                 "What makes the exit code 1: never (the default), refuted, "
                 "missed (which includes refuted); with --compare some of "
                 "slower, more-sectors, more-wavefronts, lower-occupancy, with "
                 "commas between them")
      ->type_name("WHAT");
  App.add_option("--min-coverage", Raw.MinCoverage,
                 "How many of the predicted lines of the kernels that ran must "
                 "have counts, in per cent, or the exit code is 3; 50 by "
                 "default")
      ->type_name("PCT");
  App.add_option("--threshold", Raw.Threshold,
                 "How much worse --fail-on allows with --compare, in per cent; "
                 "0 by default")
      ->type_name("PCT");
  App.add_option("--runs", Raw.Runs,
                 fmt::format("How often --compare runs each program for its "
                             "times, in turns; {} by default, and fewer than "
                             "{} say nothing of speed",
                             LeastPairs + 1, LeastPairs))
      ->type_name("N");
  App.add_option("--format", Raw.Format, "text (the default) or json")
      ->type_name("FORMAT");
  App.add_option("-o,--output", Run.Output,
                 "File to write the report to; - is standard output")
      ->type_name("FILE");
  App.add_flag("--all", Run.ShowAll,
               "Show lines that are as good as predicted, too; without "
               "predictions, all kernels and lines");
  App.add_option("--top", Raw.Top,
                 "Without predictions: show N kernels, and N lines of each; 5 "
                 "by default, --all shows all")
      ->type_name("N");
  App.add_option("--source-root", Run.SourceRoot,
                 "Quote only files below this folder; without predictions, by "
                 "default the working folder")
      ->type_name("DIR");
  App.add_option("--probe", Run.Probe,
                 "The probe's library; by default the one beside this program")
      ->type_name("FILE");
  App.add_option("--cupti", Run.Cupti,
                 "libcupti.so to use; by default that of the toolkit")
      ->type_name("FILE");
  App.add_option("--color,--colour", Raw.Colour,
                 "auto (the default), always or never")
      ->type_name("WHEN");
  App.add_flag("-q,--quiet", Run.Quiet, "No progress");
}

//===----------------------------------------------------------------------===//
// From words to values
//===----------------------------------------------------------------------===//

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
  if (!Run.Kernel.empty()) {
    regex_t Compiled;
    int Code = ::regcomp(&Compiled, Run.Kernel.c_str(), REG_EXTENDED);
    if (Code != 0) {
      char Why[128] = {};
      ::regerror(Code, &Compiled, Why, sizeof(Why));
      return fmt::format("--kernel '{}' is not a regular expression: {}",
                         Run.Kernel, Why);
    }
    ::regfree(&Compiled);
  }
  return {};
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

static std::string checkHotspots(const Options &Run) {
  if (!hasMeasurement(Run))
    return "nothing to do: write a program to run behind --, or give --profile "
           "FILE or --ncu FILE; and, to confirm them, the predictions "
           "(--predictions FILE) "
           "or the sources";
  if (std::string Error = checkSources(Run); !Error.empty())
    return Error;
  if (Run.Gate != FailOn::Never)
    return "--fail-on goes with predictions: name them by --predictions FILE";
  if (Run.Once && Run.NoCounters)
    return "--once runs with counters alone: leave --no-counters out";
  if (Run.Once && Run.Commands.empty())
    return "--once needs a program to run";
  return {};
}

static std::string checkConfirm(const Options &Run) {
  if (!Run.Predictions.empty() && !Run.Sources.empty() && !hasMeasurement(Run))
    return fmt::format("'{}' is no option: write the program to run behind --",
                       Run.Sources[0]);
  if (!Run.Predictions.empty() && !Run.Sources.empty())
    return "name either predictions or sources, not both";
  if (!hasMeasurement(Run))
    return "no program to run: write it behind --, or give --profile FILE or "
           "--ncu FILE";
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
       Run.Skip || !Run.Range.empty()))
    return "--save-profile, --timeout, --kernel, --launches, --skip, --range, "
           "--overhead and --occupancy need a program to run";
  if (Run.NoCounters && Run.Commands.empty())
    return "--no-counters needs a program to run";
  if (Run.NoCounters &&
      (Run.Launches || Run.AllLaunches || Run.Overhead || Run.Occupancy))
    return "--launches, --overhead and --occupancy need counters: leave "
           "--no-counters out";
  if (!Run.isHotspots() && (Run.Top || Run.Once))
    return "--top and --once are for a program without predictions";
  if (Run.isHotspots())
    return checkHotspots(Run);
  return Run.Compare ? checkCompare(Run) : checkConfirm(Run);
}

ParsedOptions parseOptions(const std::vector<std::string> &Arguments) {
  if (std::optional<std::string> Why = whyValueIsMissing(Arguments))
    return refuse(*Why);
  auto Dashes = std::ranges::find(Arguments, "--");
  std::vector<std::string> Ours(Arguments.begin(), Dashes);
  CLI::App App(Description, "cuda-lint confirm");
  App.formatter(makeHelpFormatter(Usage));
  App.allow_extras();
  App.footer(Footer);
  RawOptions Raw;
  declare(App, Raw);
  ParsedOptions Parsed;
  try {
    // CLI11 takes them last first.
    App.parse(std::vector<std::string>(Ours.rbegin(), Ours.rend()));
  } catch (const CLI::CallForHelp &) {
    Parsed.Out = App.help();
    return Parsed;
  } catch (const CLI::CallForVersion &) {
    Parsed.Out = "cuda-lint " CUDA_LINT_VERSION "\n";
    return Parsed;
  } catch (const CLI::Error &E) {
    return refuse(fmt::format("{}; 'cuda-lint confirm --help' lists the "
                              "options",
                              whyRefused(E.what())));
  }
  for (const std::string &Extra : App.remaining())
    return refuse(fmt::format("unknown option '{}'; the program to run goes "
                              "behind --, 'cuda-lint confirm --help' lists the "
                              "options",
                              Extra));
  Options Run = Raw.Run;
  // A program may have a -- of its own, but where two are to be compared.
  while (Dashes != Arguments.end()) {
    auto Next = Run.Compare && Run.Commands.empty()
                    ? std::find(Dashes + 1, Arguments.end(), "--")
                    : Arguments.end();
    Run.Commands.emplace_back(Dashes + 1, Next);
    Dashes = Next;
  }
  for (auto *Read : {readNumbers, readWords})
    if (std::string Error = Read(Raw, Run); !Error.empty())
      return refuse(Error);
  for (std::string Error : {checkAll(Run), checkRaw(Raw, Run)})
    if (!Error.empty())
      return refuse(Error);
  Parsed.Run = std::move(Run);
  return Parsed;
}

} // namespace cudalint
