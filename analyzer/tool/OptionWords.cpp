//===- analyzer/tool/OptionWords.cpp - What options mean ------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/OptionWords.h"

#include "analyzer/frontend/CompilerArguments.h"
#include "hardware/UnknownTarget.h"
#include "report/Names.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace cudalint {

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

std::string readOptionWords(const RawOptions &Raw, Options &Result) {
  for (auto *Read : {readGpus, readWords, readShapes, readResources,
                     readMinOccupancy, readNumbers, readFixes})
    if (std::string Error = Read(Raw, Result); !Error.empty())
      return Error;
  return {};
}

} // namespace cudalint
