//===- analyzer/tool/Options.cpp - The command line -----------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/Options.h"

#include "analyzer/pipeline/NearestWord.h"
#include "analyzer/tool/LaunchedBuild.h"
#include "analyzer/tool/OptionTable.h"
#include "analyzer/tool/OptionWords.h"
#include "occupancy/Options.h"
#include "report/CommandLine.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <llvm/Support/GlobPattern.h>
#include <llvm/Support/Regex.h>

namespace cudalint {

ParsedOptions refuse(std::string_view Message) {
  ParsedOptions Result;
  Result.Err = fmt::format("cuda-lint: error: {}\n", Message);
  Result.Code = NothingAnalysed;
  return Result;
}

/// The option that is most like \p Wrong, or an empty string.
static std::string nearestOption(const CLI::App &App, std::string Wrong) {
  Wrong = Wrong.substr(0, Wrong.find('='));
  std::vector<std::string> Names;
  for (const CLI::Option *Option : App.get_options())
    for (const std::string &Name : Option->get_lnames())
      Names.push_back("--" + Name);
  return nearestWord(Wrong, Names);
}

static std::string unknownOption(const CLI::App &App,
                                 const std::string &Wrong) {
  std::string Near = nearestOption(App, Wrong);
  return fmt::format(
      "unknown option '{}'; {}compiler arguments go behind --, "
      "'cuda-lint --help' lists the options",
      Wrong, Near.empty() ? "" : fmt::format("did you mean {}? ", Near));
}

/// `--explain-access`, `--diff` and `--fix` take a value only when it can be
/// one: the next argument is more likely a file to lint. CLI11 cannot tell them
/// apart.
static std::vector<std::string>
settleValues(std::vector<std::string> Arguments) {
  for (std::size_t I = 0; I != Arguments.size(); ++I) {
    std::string Next = I + 1 == Arguments.size() ? "" : Arguments[I + 1];
    if (Arguments[I] == "--diff" && Next != "-")
      Arguments[I] = "--diff=HEAD";
    if (Arguments[I] == "--fix")
      Arguments[I] = "--fix=safe";
    if (Arguments[I] != "--explain-access")
      continue;
    std::size_t Colon = Next.rfind(':');
    bool IsPlace =
        Colon != std::string::npos && Colon + 1 != Next.size() &&
        Next.find_first_not_of("0123456789", Colon + 1) == std::string::npos;
    if (!IsPlace)
      Arguments[I] = "--explain-access=findings";
  }
  return Arguments;
}

//===----------------------------------------------------------------------===//
// A run
//===----------------------------------------------------------------------===//

/// An option whose value is empty, as that of a variable that a script never
/// set: to go on without it could switch a gate off.
static std::string optionWithoutValue(const CLI::App &App) {
  for (const CLI::Option *Option : App.get_options())
    if (std::ranges::find(Option->results(), std::string()) !=
        Option->results().end())
      return fmt::format("the value of {} is empty; leave the option out, or "
                         "give it one",
                         Option->get_name());
  return {};
}

static ParsedOptions
understand(const CLI::App &App, const RawOptions &Raw,
           std::optional<std::vector<std::string>> CompilerArguments) {
  std::vector<std::string> Files;
  for (const std::string &File : Raw.Files) {
    if (File.empty())
      return refuse("the name of a file is empty");
    if (std::ranges::find(Files, File) == Files.end())
      Files.push_back(File);
  }
  for (const std::string &Extra : App.remaining())
    return refuse(unknownOption(App, Extra));
  Options Result;
  Result.Inputs = std::move(Files);
  Result.Build = Raw.Build;
  Result.Config = Raw.Config;
  Result.ConfigFile = Raw.ConfigFile;
  Result.DumpConfig = Raw.DumpConfig;
  Result.Diff = Raw.Diff;
  Result.Exclude = Raw.Exclude;
  for (const std::string &Each : Raw.Exclude)
    if (llvm::Expected<llvm::GlobPattern> Glob =
            llvm::GlobPattern::create(Each);
        !Glob)
      return refuse(fmt::format("--exclude '{}' is no glob: {}", Each,
                                llvm::toString(Glob.takeError())));
  Result.HeaderFilter = Raw.HeaderFilter;
  if (std::string Why;
      !Raw.HeaderFilter.empty() && !llvm::Regex(Raw.HeaderFilter).isValid(Why))
    return refuse(fmt::format("--header-filter '{}' is no regular expression: "
                              "{}",
                              Raw.HeaderFilter, Why));
  Result.Baseline = Raw.Baseline;
  Result.WriteBaseline = Raw.WriteBaseline;
  Result.UnusedNoLint = Raw.UnusedNoLint;
  if (!Raw.Baseline.empty() && !Raw.WriteBaseline.empty())
    return refuse("--baseline and --write-baseline exclude each other");
  if (!Raw.Config.empty() && !Raw.ConfigFile.empty())
    return refuse("--config and --config-file exclude each other");
  Result.HasCompilerArguments = CompilerArguments.has_value();
  if (CompilerArguments)
    Result.CompilerArguments = std::move(*CompilerArguments);
  Result.Output = Raw.Output;
  Result.Checks = Raw.Checks;
  Result.CudaPath = Raw.CudaPath;
  Result.LaunchesFrom = Raw.LaunchesFrom;
  Result.Quiet = Raw.Quiet;
  Result.AsWritten = Raw.AsWritten;
  Result.Summary = Raw.Summary;
  Result.ExplainAll = Raw.ExplainAll;
  if (Result.Output.empty())
    return refuse("--output needs the name of a file, or - for standard "
                  "output");
  if (std::string Error = optionWithoutValue(App); !Error.empty())
    return refuse(Error);
  if (std::string Error = readOptionWords(Raw, Result); !Error.empty())
    return refuse(Error);
  ParsedOptions Parsed;
  Parsed.Run = std::move(Result);
  return Parsed;
}

//===----------------------------------------------------------------------===//
// Sub-commands
//===----------------------------------------------------------------------===//

static ParsedOptions parseListChecks(const std::vector<std::string> &Rest) {
  if (!Rest.empty())
    return refuse("list-checks takes no arguments");
  ParsedOptions Parsed;
  Parsed.Run = Options{.What = Command::ListChecks};
  return Parsed;
}

static ParsedOptions parseExplain(const std::vector<std::string> &Rest) {
  ParsedOptions Parsed;
  if (Rest.size() == 2 && Rest[0] == "--all-markdown") {
    Parsed.Run = Options{.What = Command::WriteCheckPages, .Argument = Rest[1]};
    return Parsed;
  }
  if (Rest.size() == 1 && !Rest[0].starts_with("-")) {
    Parsed.Run = Options{.What = Command::Explain, .Argument = Rest[0]};
    return Parsed;
  }
  return refuse("usage: cuda-lint explain CHECK; 'cuda-lint list-checks' names "
                "the checks");
}

static ParsedOptions parseLint(const std::vector<std::string> &Arguments);

static ParsedOptions parseOccupancyOfFiles(std::vector<std::string> Rest) {
  OccupancyRequest Request;
  if (std::string Error = takeOccupancyOptions(Rest, Request); !Error.empty())
    return refuse(Error);
  ParsedOptions Parsed = parseLint(Rest);
  if (!Parsed.Run || Parsed.Run->What == Command::Version)
    return Parsed;
  if (isSvg(Parsed.Run->Output))
    return refuse("a plot is of bare numbers; give those of one launch instead "
                  "of files");
  if (Request.SMs) {
    if (Parsed.Run->Gpus.size() != 1)
      return refuse("--sms is for one GPU, and --gpu names several");
    Parsed.Run->Gpus.front().SMs = Request.SMs;
  }
  if (Parsed.Run->Fixes.areWished())
    return refuse(
        "occupancy finds nothing to fix; --fix is for cuda-lint FILE");
  Parsed.Run->What = Command::Occupancy;
  Parsed.Run->Occupancy = std::move(Request);
  return Parsed;
}

/// As far as they are of reports, the options are those of a run.
static ParsedOptions parseMerge(const std::vector<std::string> &Rest) {
  ParsedOptions Parsed = parseLint(Rest);
  if (!Parsed.Run || Parsed.Run->What == Command::Version)
    return Parsed;
  if (Parsed.Run->Fixes.areWished())
    return refuse("merge has no sources to fix; --fix is for cuda-lint FILE");
  if (Parsed.Run->Inputs.empty())
    return refuse("no report to merge; usage: cuda-lint merge [options] "
                  "FILE.json... , which --format=json has written, or their "
                  "folder");
  if (Parsed.Run->HasCompilerArguments || !Parsed.Run->Build.empty())
    return refuse("merge compiles nothing: -p and -- have no meaning for it");
  Parsed.Run->What = Command::Merge;
  return Parsed;
}

static ParsedOptions parseProve(std::vector<std::string> Rest) {
  ProveOptions Prove;
  ParsedOptions Parsed;
  if (std::string Error = takeProveOptions(Rest, Prove, Parsed.Out);
      !Error.empty())
    return refuse(Error);
  if (!Parsed.Out.empty())
    return Parsed;
  Parsed = parseLint(Rest);
  if (!Parsed.Run)
    return Parsed;
  Options &Run = *Parsed.Run;
  if (Run.Fixes.areWished())
    return refuse("prove edits nothing; 'cuda-lint --fix FILE' does");
  if (!Run.Outputs.empty() || !Run.WriteBaseline.empty())
    return refuse("prove has one report of its own: --format, --output");
  // Nothing of the project changes, so that nothing is left out.
  Run.Fixes.Most = FixSafety::Layout;
  Run.What = Command::Prove;
  Run.Prove = std::move(Prove);
  return Parsed;
}

ParsedOptions parseOptions(const std::vector<std::string> &Arguments) {
  if (std::optional<std::string> Why = whyValueIsMissing(Arguments))
    return refuse(*Why);
  // A file of such a name can be linted as ./explain.
  if (!Arguments.empty() && Arguments[0] == "occupancy")
    return parseOccupancyOfFiles({Arguments.begin() + 1, Arguments.end()});
  if (!Arguments.empty() && Arguments[0] == "launched")
    return parseLaunched({Arguments.begin() + 1, Arguments.end()});
  if (!Arguments.empty() && Arguments[0] == "discard")
    return parseDiscarded({Arguments.begin() + 1, Arguments.end()});
  if (!Arguments.empty() && Arguments[0] == "prove")
    return parseProve({Arguments.begin() + 1, Arguments.end()});
  if (!Arguments.empty() && Arguments[0] == "merge")
    return parseMerge({Arguments.begin() + 1, Arguments.end()});
  if (!Arguments.empty() && Arguments[0] == "list-checks")
    return parseListChecks({Arguments.begin() + 1, Arguments.end()});
  if (!Arguments.empty() && Arguments[0] == "explain")
    return parseExplain({Arguments.begin() + 1, Arguments.end()});
  return parseLint(Arguments);
}

static ParsedOptions parseLint(const std::vector<std::string> &Arguments) {
  auto Dashes = std::ranges::find(Arguments, "--");
  std::vector<std::string> Ours =
      settleValues(std::vector<std::string>(Arguments.begin(), Dashes));
  std::optional<std::vector<std::string>> Theirs;
  if (Dashes != Arguments.end())
    Theirs.emplace(Dashes + 1, Arguments.end());

  CLI::App App("", "cuda-lint");
  App.allow_extras();
  RawOptions Raw;
  declare(App, Raw);
  try {
    // CLI11 takes them last first.
    App.parse(std::vector<std::string>(Ours.rbegin(), Ours.rend()));
  } catch (const CLI::CallForHelp &) {
    ParsedOptions Parsed;
    Parsed.Out = App.help();
    return Parsed;
  } catch (const CLI::Error &E) {
    return refuse(fmt::format("{}; 'cuda-lint --help' lists the options",
                              whyRefused(E.what())));
  }
  if (Raw.Version) {
    ParsedOptions Parsed;
    Parsed.Run = Options{.What = Command::Version, .CudaPath = Raw.CudaPath};
    return Parsed;
  }
  return understand(App, Raw, std::move(Theirs));
}

} // namespace cudalint
