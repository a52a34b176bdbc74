//===- analyzer/tool/ProveOptions.cpp - What is proved, and how -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/ProveOptions.h"

#include "report/CommandLine.h"
#include "report/HelpFormatter.h"
#include "runtime/prove/Proof.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace cudalint {

static constexpr const char *ProveUsage =
    "Usage: cuda-lint prove [options] FILE... [--build COMMAND...]\n"
    "                       [-- PROGRAM [ARGUMENT...]]\n";

static constexpr const char *ProveDescription =
    "Builds and runs a program without and with each fix that cuda-lint offers "
    "for\nthe files, in copies of the project, and says whether it pays.\n";

static constexpr const char *ProveFooter =
    R"(All options of 'cuda-lint FILE' hold as well, such as --gpu, --checks and -p.
Without a GPU, or without a program, it says what can be said: that the edited
project builds, what the analysis predicts, and the registers. Nothing in the
project itself is changed.

Exit codes: 0 no fix breaks or costs, 1 one does, 2 bad usage or nothing could
be analysed, 3 something could not be analysed, built, run or measured.

Examples:
  cuda-lint prove app.cu -- ./app 4096
  cuda-lint prove src/sum.cu --fix sum.cu:31 --build make app -- ./app)";

namespace {
struct RawProveOptions {
  ProveOptions Prove;
  std::vector<std::string> ExtraArguments;
  std::string Runs, Timeout, BuildTimeout = "3600", Measure = "auto",
                             Format = "text";
};
} // namespace

static void declare(CLI::App &App, RawProveOptions &Raw) {
  ProveOptions &Prove = Raw.Prove;
  App.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  const auto several = [](CLI::Option *Option) {
    Option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false);
  };
  App.set_help_flag("-h,--help", "Print this and exit");
  several(
      App.add_option("--fix", Prove.Fixes,
                     "A fix to prove: FILE:LINE of its finding, the name of "
                     "a check, or the beginning of a fingerprint; may be "
                     "repeated; by default all are, the 16 dearest")
          ->type_name("ID"));
  several(App.add_option("--extra-arg", Raw.ExtraArguments,
                         "Compiler argument of the files; may be repeated")
              ->type_name("ARG"));
  App.add_option("--compare-with", Prove.CompareWith,
                 "A program that gets the names of two files, the outputs "
                 "before and after, and exits with 0 if the results are equal; "
                 "by default every byte of the outputs counts")
      ->type_name("PROGRAM");
  App.add_option("--project", Prove.Project,
                 "The folder that is copied, at most 4 GB; by default the "
                 "repository, or this folder")
      ->type_name("DIR");
  App.add_option("--runs", Raw.Runs,
                 fmt::format("How often each program is run for its times, {} "
                             "to 1000; 7 by default",
                             LeastPairs))
      ->type_name("N");
  App.add_option("--timeout", Raw.Timeout,
                 "End a run of the program after this time")
      ->type_name("SECONDS");
  App.add_option("--build-timeout", Raw.BuildTimeout,
                 "End a build after this time; an hour by default")
      ->type_name("SECONDS");
  App.add_option("--measure", Raw.Measure,
                 "Run the program: auto (the default) where there is a GPU, on "
                 "or off")
      ->type_name("WHEN");
  App.add_option("--format", Raw.Format, "text (the default) or json")
      ->type_name("FORMAT");
  App.add_option("--probe", Prove.Probe,
                 "The probe's library; by default the one beside this program")
      ->type_name("FILE");
  App.add_option("--cupti", Prove.Cupti,
                 "libcupti.so to use; by default that of the toolkit")
      ->type_name("FILE");
}

/// A message where \p Text is no positive number of seconds.
static std::string readSeconds(const char *Name, const std::string &Text,
                               std::optional<double> &Seconds) {
  if (Text.empty())
    return {};
  double Value = 0;
  const char *End = Text.data() + Text.size();
  const auto [Stop, Code] = std::from_chars(Text.data(), End, Value);
  // A year is as good as none.
  if (Code != std::errc() || Stop != End || !(Value > 0) || Value > 3.2e7)
    return fmt::format("{} '{}' is not a positive number of seconds", Name,
                       Text);
  Seconds = Value;
  return {};
}

static std::string readProveWords(const RawProveOptions &Raw,
                                  ProveOptions &Prove) {
  if (!Raw.Runs.empty()) {
    const char *End = Raw.Runs.data() + Raw.Runs.size();
    const auto [Stop, Code] = std::from_chars(Raw.Runs.data(), End, Prove.Runs);
    if (Code != std::errc() || Stop != End || Prove.Runs < LeastPairs ||
        Prove.Runs > 1000)
      return fmt::format("--runs '{}' is not a number from {} to 1000: fewer "
                         "pairs of times prove nothing",
                         Raw.Runs, LeastPairs);
  }
  if (Raw.Measure != "auto" && Raw.Measure != "on" && Raw.Measure != "off")
    return fmt::format("unknown value '{}' for --measure; use auto, on or off",
                       Raw.Measure);
  if (Raw.Measure != "auto")
    Prove.Measures = Raw.Measure == "on";
  if (Raw.Format != "text" && Raw.Format != "json")
    return fmt::format("unknown format '{}' for --format; use text or json",
                       Raw.Format);
  Prove.AsJson = Raw.Format == "json";
  std::string Why = readSeconds("--timeout", Raw.Timeout, Prove.Timeout);
  if (Why.empty())
    Why = readSeconds("--build-timeout", Raw.BuildTimeout, Prove.BuildTimeout);
  return Why;
}

std::string takeProveOptions(std::vector<std::string> &Arguments,
                             ProveOptions &Prove, std::string &Help) {
  const auto Dashes = std::ranges::find(Arguments, "--");
  const auto Build = std::find(Arguments.begin(), Dashes, "--build");
  const std::vector<std::string> Ours(Arguments.begin(), Build);
  CLI::App App(ProveDescription, "cuda-lint prove");
  App.formatter(makeHelpFormatter(ProveUsage));
  App.footer(ProveFooter);
  App.allow_extras();
  RawProveOptions Raw;
  declare(App, Raw);
  try {
    // CLI11 takes them last first.
    App.parse(std::vector<std::string>(Ours.rbegin(), Ours.rend()));
  } catch (const CLI::CallForHelp &) {
    Help = App.help();
    return {};
  } catch (const CLI::Error &E) {
    return fmt::format("{}; 'cuda-lint prove --help' lists the options",
                       whyRefused(E.what()));
  }
  Prove = std::move(Raw.Prove);
  if (std::string Why = readProveWords(Raw, Prove); !Why.empty())
    return Why;
  if (Build != Dashes) {
    Prove.Build.assign(Build + 1, Dashes);
    if (Prove.Build.empty() || Prove.Build[0].empty())
      return "there is no command behind --build";
  }
  if (Dashes != Arguments.end()) {
    Prove.Program.assign(Dashes + 1, Arguments.end());
    if (Prove.Program.empty() || Prove.Program[0].empty())
      return "there is no program behind --";
  }
  std::vector<std::string> Rest = App.remaining();
  if (!Raw.ExtraArguments.empty()) {
    Rest.emplace_back("--");
    Rest.insert(Rest.end(), Raw.ExtraArguments.begin(),
                Raw.ExtraArguments.end());
  }
  Arguments = std::move(Rest);
  return {};
}

} // namespace cudalint
