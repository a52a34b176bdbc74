//===- analyzer/tool/Options.cpp - The command line -----------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/Options.h"

#include "analyzer/frontend/CompilerArguments.h"
#include "analyzer/pipeline/NearestWord.h"
#include "analyzer/tool/LaunchedBuild.h"
#include "analyzer/tool/OptionTable.h"
#include "hardware/UnknownTarget.h"
#include "occupancy/Options.h"
#include "report/CommandLine.h"
#include "report/Names.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
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
// From words to values
//===----------------------------------------------------------------------===//

static void addGpu(const Target &Gpu, Options &Result) {
  const auto same = [&](const Target &Other) { return Other.Name == Gpu.Name; };
  if (std::ranges::none_of(Result.Gpus, same))
    Result.Gpus.push_back(Gpu);
}

void chooseGpus(const std::vector<std::string> &Architectures, Options &Run) {
  // A build for many GPUs may be for some that are too old, or too new.
  std::vector<std::string> Names, Unknown;
  for (const std::string &Name : Architectures)
    (parseTarget(Name) ? Names : Unknown).push_back(Name);
  if (Names.empty())
    Names = {"sm_90"};
  if (!Unknown.empty())
    Run.Notes.push_back(fmt::format(
        "note: not linted for {}, of which nothing is known here, but for {}; "
        "--gpu chooses others",
        fmt::join(Unknown, ", "), fmt::join(Names, ", ")));
  Run.Gpus.clear();
  for (const std::string &Name : Names)
    addGpu(*parseTarget(Name), Run);
}

/// Each returns a message when the words mean nothing, else an empty string.
static std::string readGpus(const RawOptions &Raw, Options &Result) {
  Result.HasGpus = !Raw.Gpus.empty();
  if (!Result.HasGpus)
    chooseGpus(translateArguments(Result.CompilerArguments).Architectures,
               Result);
  for (const std::string &Name : Raw.Gpus) {
    std::optional<Target> Gpu = parseTarget(Name);
    if (!Gpu)
      return fmt::format("unknown GPU '{}' for --gpu; {}", Name,
                         adviceOnTarget(Name));
    addGpu(*Gpu, Result);
  }
  return {};
}

static constexpr std::string_view FormatNames[] = {
    "text", "json", "sarif", "github", "gitlab", "rdjson", "junit", "html"};

std::span<const std::string_view> formatNames() { return FormatNames; }

static std::optional<OutputFormat> formatOf(std::string_view Name) {
  const auto *Found = std::ranges::find(FormatNames, Name);
  if (Found == std::end(FormatNames))
    return std::nullopt;
  return static_cast<OutputFormat>(Found - std::begin(FormatNames));
}

/// False for a word that is none.
static bool readFailOn(std::string_view Word, Options &Result) {
  if (Word == "never") {
    Result.FailOn.reset();
    return true;
  }
  for (const Severity Each :
       {Severity::Note, Severity::Warning, Severity::Error})
    if (Word == nameOf(Each)) {
      Result.FailOn = Each;
      return true;
    }
  return false;
}

static std::string readWords(const RawOptions &Raw, Options &Result) {
  const std::optional<OutputFormat> Format = formatOf(Raw.Format);
  if (!Format)
    return fmt::format("unknown format '{}' for --format; use {}", Raw.Format,
                       fmt::join(formatNames(), ", "));
  Result.Format = *Format;
  for (const auto &[Name, File] : Raw.Outputs)
    if (File == "-")
      return fmt::format("--output-{} needs a file; for standard output use "
                         "--format={}",
                         Name, Name);
    else if (!File.empty())
      Result.Outputs[*formatOf(Name)] = File;

  Result.HasFailOn = !Raw.FailOn.empty();
  if (Result.HasFailOn && !readFailOn(Raw.FailOn, Result))
    return fmt::format("unknown level '{}' for --fail-on; use error, warning, "
                       "note or never",
                       Raw.FailOn);

  if (Raw.Sort == "waste")
    Result.Sort = FindingOrder::Waste;
  else if (Raw.Sort == "line")
    Result.Sort = FindingOrder::Line;
  else
    return fmt::format("unknown order '{}' for --sort; use waste or line",
                       Raw.Sort);

  if (Raw.Colour == "auto")
    Result.Colour = ColourMode::Auto;
  else if (Raw.Colour == "always")
    Result.Colour = ColourMode::Always;
  else if (Raw.Colour == "never")
    Result.Colour = ColourMode::Never;
  else
    return fmt::format("unknown value '{}' for --color; use auto, always or "
                       "never",
                       Raw.Colour);
  return {};
}

static std::string readShapes(const RawOptions &Raw, Options &Result) {
  std::string Error;
  for (const std::string &Text : Raw.Launches) {
    std::optional<LaunchOption> Launch = parseLaunchOption(Text, Error);
    if (!Launch)
      return fmt::format("--launch '{}': {}; write KERNEL=GRID,BLOCK[,SMEM], "
                         "such as 'reduce=64,256' or 'transpose=?,32x8,4096'",
                         Text, Error);
    Result.Shapes.Launches.push_back(std::move(*Launch));
  }
  if (!Raw.Block.empty()) {
    Result.Shapes.Block = parseBlockOption(Raw.Block, Error);
    if (!Result.Shapes.Block)
      return fmt::format("--block '{}': {}; write X[,Y[,Z]], such as 256 or "
                         "32,8",
                         Raw.Block, Error);
  }
  for (const Target &Gpu : Result.Gpus)
    if (std::string Why = whyImpossible(Result.Shapes, Gpu); !Why.empty())
      return Why;
  return {};
}

static std::string readResources(const RawOptions &Raw, Options &Result) {
  Result.Resources.CudaPath = Result.CudaPath;
  return readResourceOptions(Raw.Resources, Result.Gpus, Result.Resources);
}

/// Empty for what is no whole number of per cent.
static std::optional<double> shareOf(std::string_view Text) {
  if (Text.ends_with('%'))
    Text.remove_suffix(1);
  unsigned PerCent = 0;
  auto [End, Code] =
      std::from_chars(Text.data(), Text.data() + Text.size(), PerCent);
  if (Code != std::errc() || End != Text.data() + Text.size() || PerCent == 0 ||
      PerCent > 100)
    return std::nullopt;
  return PerCent / 100.0;
}

static std::string readMinOccupancy(const RawOptions &Raw, Options &Result) {
  if (Raw.MinOccupancy.empty()) // It was not given.
    return {};
  Result.MinOccupancy = shareOf(Raw.MinOccupancy);
  if (!Result.MinOccupancy)
    return fmt::format("--min-occupancy '{}' is no whole number of per cent, 1 "
                       "to 100",
                       Raw.MinOccupancy);
  return {};
}

void configure(const Configuration &Its, Options &Run) {
  if (!Run.HasFailOn)
    readFailOn(Its.FailOn, Run);
  if (!Run.MinOccupancy)
    Run.MinOccupancy = shareOf(Its.MinOccupancy);
  if (Run.HasGpus || Its.Gpus.empty())
    return;
  Run.Gpus.clear();
  for (const std::string &Name : Its.Gpus)
    if (std::optional<Target> Gpu = parseTarget(Name))
      addGpu(*Gpu, Run);
  Run.HasGpus = true;
}

static std::string readNumbers(const RawOptions &Raw, Options &Result) {
  if (!Raw.Jobs.empty()) {
    const char *End = Raw.Jobs.data() + Raw.Jobs.size();
    auto [Stop, Code] = std::from_chars(Raw.Jobs.data(), End, Result.Jobs);
    if (Code != std::errc() || Stop != End || Result.Jobs == 0)
      return fmt::format("--jobs '{}' is not a positive number", Raw.Jobs);
  }
  if (!Raw.MaxFindings.empty()) {
    std::size_t Most = 0;
    const char *End = Raw.MaxFindings.data() + Raw.MaxFindings.size();
    auto [Stop, Code] = std::from_chars(Raw.MaxFindings.data(), End, Most);
    if (Code != std::errc() || Stop != End || Most == 0)
      return fmt::format("--max-findings '{}' is not a positive number",
                         Raw.MaxFindings);
    Result.MaxFindings = Most;
  }
  Result.Explain = !Raw.Explain.empty();
  if (Raw.Explain.empty() || Raw.Explain == "findings")
    return {};
  std::size_t Colon = Raw.Explain.rfind(':');
  unsigned Line = 0;
  if (Colon != std::string::npos && Colon != 0) {
    const char *End = Raw.Explain.data() + Raw.Explain.size();
    auto [Stop, Code] =
        std::from_chars(Raw.Explain.data() + Colon + 1, End, Line);
    if (Code != std::errc() || Stop != End)
      Line = 0;
  }
  if (Line == 0)
    return fmt::format("--explain-access '{}' is not FILE:LINE, such as "
                       "kernel.cu:42",
                       Raw.Explain);
  Result.ExplainAt =
      Location{.File = Raw.Explain.substr(0, Colon), .Line = Line};
  return {};
}

static std::string readFixes(const RawOptions &Raw, Options &Result) {
  FixOptions &Fixes = Result.Fixes;
  if (!Raw.Fix.empty()) {
    const auto Kind = std::ranges::find_if(
        FixSafeties, [&](FixSafety Each) { return nameOf(Each) == Raw.Fix; });
    if (Kind == std::end(FixSafeties) || *Kind == FixSafety::Advice)
      return fmt::format("unknown kind '{}' for --fix; use safe, rounding or "
                         "layout",
                         Raw.Fix);
    Fixes.Most = *Kind;
  }
  Fixes.Export = Raw.ExportFixes;
  Fixes.Show = Raw.FixDryRun;
  Fixes.Apply = !Raw.Fix.empty() && !Fixes.Show;
  if (!Fixes.areWished())
    return {};
  if (Fixes.Show && Result.Format != OutputFormat::Text && Result.Output == "-")
    return "--fix-dry-run prints a patch: name a file for the report, -o FILE";
  if (!Raw.WriteBaseline.empty())
    return "--write-baseline and fixes exclude each other: write it afterwards";
  return {};
}

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
  for (auto *Read : {readGpus, readWords, readShapes, readResources,
                     readMinOccupancy, readNumbers, readFixes})
    if (std::string Error = Read(Raw, Result); !Error.empty())
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
