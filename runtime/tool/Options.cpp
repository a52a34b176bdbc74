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
#include "runtime/tool/OptionValues.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>

namespace cudalint {

static constexpr const char *Usage =
    "Usage: cuda-lint confirm [options] --predictions FILE -- PROGRAM "
    "[ARGUMENT...]\n"
    "       cuda-lint confirm [options] SOURCE... -- PROGRAM "
    "[ARGUMENT...]\n"
    "       cuda-lint confirm [options] --predictions FILE --profile "
    "FILE\n"
    "       cuda-lint confirm [options] -- PROGRAM [ARGUMENT...]\n"
    "       cuda-lint confirm --hotspots [options] SOURCE... -- PROGRAM "
    "[ARGUMENT...]\n"
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
    "lines of any of them waste requests; with --hotspots, beside these lines\n"
    "what the linter says of them.\n";

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

/// What is compared with what.
static void declareInput(CLI::App &App, Options &Run) {
  auto several = [](CLI::Option *Option) {
    Option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false);
  };
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
}

/// What is measured, and of what.
static void declareMeasurement(CLI::App &App, RawOptions &Raw) {
  Options &Run = Raw.Run;
  App.add_flag("--compare", Run.Compare,
               "What changed from one program, or its profiles, or a result of "
               "confirm --format=json, to another");
  App.add_flag("--hotspots", Run.Hotspots,
               "With predictions or sources: which lines waste requests, as "
               "without them, and beside each the linter's cause and remedy, "
               "in place of verdicts");
  App.add_flag("--occupancy", Run.Occupancy,
               "Run the program once more, for its achieved occupancy and what "
               "L2 and DRAM did; kernels run one after the other then");
  App.add_flag("--stalls", Run.Stalls,
               "For hot spots: run the program once more, and sample at "
               "which lines its warps stand and why they do not issue");
  App.add_flag("--check-units", Run.CheckUnits,
               "With predictions: run the program a few times more, and show "
               "what the units of the hardware counted beside CUPTI's counts");
  App.add_flag("--no-counters", Run.NoCounters,
               "Launches, registers, occupancy and times alone, which needs no "
               "permission");
  App.add_flag("--once", Run.Once,
               "For hot spots: no second run, so that there are no times");
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
}

/// What is said of it.
static void declareResults(CLI::App &App, RawOptions &Raw) {
  Options &Run = Raw.Run;
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
               "Show lines that are as good as predicted, too; of hot spots, "
               "all kernels and lines");
  App.add_option("--top", Raw.Top,
                 "For hot spots: show N kernels, and N lines of each; 5 "
                 "by default, --all shows all")
      ->type_name("N");
  App.add_flag("--no-argv", Run.NoArguments,
               "Leave the arguments of programs out of what is written");
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

static void declare(CLI::App &App, RawOptions &Raw) {
  App.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  App.set_help_flag("-h,--help", "Print this and exit");
  App.set_version_flag("--version", "cuda-lint " CUDA_LINT_VERSION,
                       "Print the version and exit");
  // In this order they stand in --help.
  declareInput(App, Raw.Run);
  declareMeasurement(App, Raw);
  declareResults(App, Raw);
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
  if (std::string Error = readValues(Raw, Run); !Error.empty())
    return refuse(Error);
  Parsed.Run = std::move(Run);
  return Parsed;
}

} // namespace cudalint
