//===- occupancy/Options.cpp - The options of cuda-lint occupancy ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "occupancy/Options.h"

#include "hardware/UnknownTarget.h"
#include "report/CommandLine.h"
#include "report/HelpFormatter.h"
#include "report/TerminalText.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace cudalint {

/// What the options hold before they are understood; empty is not given.
namespace {
struct RawOptions {
  std::vector<std::string> Files;
  std::vector<std::string> Gpus;
  std::optional<std::string> Block, Registers;
  GivenOptionWords Given;
  std::string Format = "text";
  std::string Output = "-";
  std::string Colour = "auto";
};
} // namespace

static constexpr const char *Usage =
    "Usage: cuda-lint occupancy --gpu NAME --block N [options]\n"
    "       cuda-lint occupancy [options] FILE... [-- compiler "
    "arguments]\n";

static constexpr const char *Description =
    "Tells how many blocks of a launch fit an SM, what limits them, how many\n"
    "rounds its grid takes, and the smallest change that gains.\n";

static constexpr const char *Footer =
    R"(Exit codes: 0 the launch runs, 1 it fails (the text says why), 2 bad usage or
nothing could be analysed, 3 some file could not be analysed.

Examples:
  cuda-lint occupancy --gpu gtx-1080-ti --registers 48 --block 641 --grid 29
  cuda-lint occupancy --gpu sm_61 --sms 28 --shared 36K --block 1 --grid 57
  cuda-lint occupancy --gpu h200 --registers 80 --sweep block
  cuda-lint occupancy --gpu h200 --registers 80 --sweep block --output plot.svg
  cuda-lint occupancy --gpu h200 kernel.cu -- -Iinclude)";

void addGivenOptions(CLI::App &App, GivenOptionWords &Words) {
  App.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  auto add = [&](const char *Name, auto &Value, const char *Type,
                 const char *Text) {
    App.add_option(Name, Value, Text)->type_name(Type);
  };
  add("--sms", Words.SMs, "N",
      "SMs of the GPU, for an architecture or a part of a product");
  add("--grid", Words.Grid, "X[,Y[,Z]]", "Blocks of the launch");
  add("--shared", Words.Shared, "BYTES",
      "Static shared memory of a block, such as 36864 or 36K; 0 if not given");
  add("--dynamic-shared", Words.DynamicShared, "BYTES",
      "Dynamic shared memory: the third launch argument");
  add("--barriers", Words.Barriers, "N", "Barriers that the kernel uses");
  add("--carve-out", Words.CarveOut, "PCT",
      "Share of the unified cache that is shared memory; by default what the "
      "driver chooses");
  add("--sweep", Words.Sweep, "WHAT",
      "A table and a plot over block, registers or shared, with the cliffs "
      "marked");
  add("--elements", Words.Elements, "N",
      "Work of all threads together, for relative times in the sweep");
  App.add_flag("--rank", Words.Rank,
               "With --elements: block sizes and grids, the fastest first");
  add("--model", Words.Model, "L,I[,W[,P]]",
      "Time of a step of one warp, its issue, per warp, per launch; by "
      "default those of dependent instructions in cycles");
  add("--fit", Words.Fit, "FILE",
      "CSV of measured launches of this work: lines of blocks, threads, time; "
      "the model is fitted to them");
}

static void declare(CLI::App &App, RawOptions &Raw) {
  App.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  App.set_help_flag("-h,--help", "Print this and exit");
  App.add_option("FILE", Raw.Files, "")->type_name("");
  App.add_option("--gpu", Raw.Gpus,
                 "A product (h200, rtx-4090) or an architecture (sm_90, the "
                 "default); may be repeated")
      ->type_name("NAME")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
  auto add = [&](const char *Name, auto &Value, const char *Type,
                 const char *Text) {
    App.add_option(Name, Value, Text)->type_name(Type);
  };
  add("--block", Raw.Block, "X[,Y[,Z]]", "Threads of a block");
  add("--registers", Raw.Registers, "N",
      "Registers per thread, as 'nvcc -Xptxas -v' prints them");
  addGivenOptions(App, Raw.Given);
  add("--format", Raw.Format, "FORMAT", "text (the default), json or csv");
  add("-o,--output", Raw.Output, "FILE",
      "File to write to; - is standard output; with --sweep a name in .svg "
      "gets a plot");
  add("--color,--colour", Raw.Colour, "WHEN",
      "auto (the default), always or never");
}

static ParsedOccupancy refused(std::string_view Message) {
  ParsedOccupancy Result;
  Result.Err = fmt::format("cuda-lint: error: {}\n", Message);
  Result.Code = 2;
  return Result;
}

//===----------------------------------------------------------------------===//
// From words to values: a message when they mean nothing, else empty
//===----------------------------------------------------------------------===//

static std::string readGpus(const RawOptions &Raw, OccupancyOptions &Result) {
  std::vector<std::string> Names = Raw.Gpus;
  if (Names.empty())
    Names = {"sm_90"};
  for (const std::string &Name : Names) {
    std::optional<Target> Gpu = parseTarget(Name);
    if (!Gpu)
      return fmt::format("unknown GPU '{}' for --gpu; {}", printable(Name),
                         adviceOnTarget(Name));
    auto same = [&](const Target &Other) { return Other.Name == Gpu->Name; };
    if (std::ranges::none_of(Result.Gpus, same))
      Result.Gpus.push_back(*Gpu);
  }
  return {};
}

template <typename T>
static std::string readCount(const char *Name,
                             const std::optional<std::string> &Text,
                             std::uint64_t Most, std::optional<T> &Value) {
  if (!Text)
    return {};
  std::string Error;
  std::optional<std::uint64_t> Read = parseCount(*Text, 0, Most, Error);
  if (!Read)
    return fmt::format("{} {}", Name, Error);
  Value = static_cast<T>(*Read);
  return {};
}

static std::string readBytes(const char *Name,
                             const std::optional<std::string> &Text,
                             std::optional<std::uint64_t> &Value) {
  if (!Text)
    return {};
  std::string Error;
  Value = parseBytes(*Text, Error);
  return Value ? std::string() : fmt::format("{} {}", Name, Error);
}

static std::string readShape(const char *Name,
                             const std::optional<std::string> &Text,
                             std::optional<Shape> &Value) {
  if (!Text)
    return {};
  std::string Error;
  Value = parseShape(*Text, Error);
  return Value ? std::string() : fmt::format("{} {}", Name, Error);
}

static constexpr std::uint64_t MostOfAnything = 2147483647;

static std::string readSMs(const std::optional<std::string> &Text,
                           std::optional<int> &Value) {
  if (!Text)
    return {};
  std::string Error;
  std::optional<std::uint64_t> SMs = parseCount(*Text, 1, 4096, Error);
  if (!SMs)
    return "--sms " + Error;
  Value = static_cast<int>(*SMs);
  return {};
}

static std::string readSweepOver(const std::optional<std::string> &Text,
                                 std::optional<SweepOver> &Value) {
  if (!Text)
    return {};
  for (SweepOver What :
       {SweepOver::Block, SweepOver::Registers, SweepOver::Shared})
    if (*Text == nameOf(What))
      Value = What;
  return Value ? std::string()
               : fmt::format("unknown quantity '{}' for --sweep; use block, "
                             "registers or shared",
                             printable(*Text));
}

std::optional<GivenNumbers> readGivenOptions(const GivenOptionWords &Words,
                                             std::string &Error) {
  GivenNumbers Given;
  LaunchInput &Launch = Given.Launch;
  for (std::string Each :
       {readSMs(Words.SMs, Given.SMs),
        readBytes("--shared", Words.Shared, Launch.StaticShared),
        readBytes("--dynamic-shared", Words.DynamicShared,
                  Launch.DynamicShared),
        readCount("--barriers", Words.Barriers, MostOfAnything,
                  Launch.Barriers),
        readCount("--carve-out", Words.CarveOut, 100, Launch.CarveOut),
        readShape("--grid", Words.Grid, Launch.Grid),
        readSweepOver(Words.Sweep, Given.Sweep)})
    if (Error.empty())
      Error = std::move(Each);
  if (!Error.empty())
    return std::nullopt;
  return Given;
}

static std::string readLaunch(const RawOptions &Raw, OccupancyOptions &Result) {
  std::string Error;
  std::optional<GivenNumbers> Given = readGivenOptions(Raw.Given, Error);
  if (!Given)
    return Error;
  if (Given->SMs && Result.Gpus.size() != 1)
    return "--sms is for one GPU, and --gpu names several";
  if (Given->SMs && !Raw.Given.Grid && !Raw.Given.Elements)
    return "--sms changes nothing without --grid: blocks of a grid are spread "
           "over the SMs";
  if (Given->SMs)
    Result.Gpus.front().SMs = Given->SMs;
  Result.Input = std::move(Given->Launch);
  Result.Sweep = Given->Sweep;
  LaunchInput &Input = Result.Input;
  // A kernel without shared memory is the usual one, and costs nothing to
  // state: what is not given is none.
  Input.StaticShared = Input.StaticShared.value_or(0);
  Input.DynamicShared = Input.DynamicShared.value_or(0);
  Error =
      readCount("--registers", Raw.Registers, MostOfAnything, Input.Registers);
  if (Error.empty() && Input.Registers == 0u)
    Error = "--registers '0' is too small; every kernel has some, leave it out "
            "when they are not known";
  if (Error.empty())
    Error = readShape("--block", Raw.Block, Input.Block);
  return Error;
}

std::string readFormat(const std::string &Text, OccupancyFormat &Value) {
  if (Text == "text")
    Value = OccupancyFormat::Text;
  else if (Text == "json")
    Value = OccupancyFormat::Json;
  else if (Text == "csv")
    Value = OccupancyFormat::Csv;
  else
    return fmt::format("unknown format '{}' for --format; use text, json or "
                       "csv",
                       printable(Text));
  return {};
}

static std::string readWords(const RawOptions &Raw, OccupancyOptions &Result) {
  if (std::string Error = readFormat(Raw.Format, Result.Format); !Error.empty())
    return Error;
  if (Raw.Colour == "auto")
    Result.Colour = ColourMode::Auto;
  else if (Raw.Colour == "always")
    Result.Colour = ColourMode::Always;
  else if (Raw.Colour == "never")
    Result.Colour = ColourMode::Never;
  else
    return fmt::format("unknown value '{}' for --color; use auto, always or "
                       "never",
                       printable(Raw.Colour));
  if (Raw.Output.empty())
    return "--output needs the name of a file, or - for standard output";
  Result.Output = Raw.Output;
  return {};
}

bool isSvg(std::string_view Output) {
  static constexpr std::string_view Ending = ".svg";
  if (Output.size() < Ending.size())
    return false;
  return std::ranges::equal(
      Output.substr(Output.size() - Ending.size()), Ending, [](char A, char B) {
        return (A >= 'A' && A <= 'Z' ? A - 'A' + 'a' : A) == B;
      });
}

static std::string readSweep(const RawOptions &Raw, OccupancyOptions &Result) {
  if (!Result.Input.Block && Result.Sweep != SweepOver::Block &&
      !Raw.Given.Rank)
    return "how many threads has a block? give --block N, or --sweep block for "
           "all sizes";
  if (!isSvg(Result.Output))
    return {};
  if (!Result.Sweep)
    return fmt::format("--output '{}': an SVG file is for the plot of a sweep; "
                       "add --sweep block, registers or shared",
                       printable(Result.Output));
  if (Result.Gpus.size() != 1)
    return "a plot is for one GPU, and --gpu names several";
  return {};
}

/// Numbers like `20`, `0.5`, `1e6`: a time, or 0.
static bool readTime(std::string_view Text, double &Value) {
  const char *End = Text.data() + Text.size();
  auto [Stop, Code] = std::from_chars(Text.data(), End, Value);
  return Code == std::errc() && Stop == End && (Value == 0 || isTime(Value));
}

static std::string readModel(std::string_view Text, LatencyModel &Model) {
  double *const Fields[] = {&Model.Latency, &Model.Issue, &Model.PerWarp,
                            &Model.PerLaunch};
  std::size_t Count = 0;
  for (std::string_view Rest = Text; Count != 4; ++Count) {
    std::size_t Comma = Rest.find(',');
    if (!readTime(Rest.substr(0, Comma), *Fields[Count]))
      break;
    if (Comma == Rest.npos) {
      if (Count == 0 || Model.Latency == 0 || Model.Issue == 0)
        break;
      return {};
    }
    Rest.remove_prefix(Comma + 1);
  }
  return fmt::format("--model '{}' is not L,I[,W[,P]]: the time of a step of "
                     "one warp and of its issue, per warp and per launch, such "
                     "as 24,1; each from {:g} to {:g}, the last two may be 0",
                     printable(Text), LeastTime, MostTime);
}

static std::string readWork(const RawOptions &Raw, OccupancyOptions &Result) {
  if (!Raw.Given.Elements) {
    if (Raw.Given.Rank || Raw.Given.Model || Raw.Given.Fit)
      return fmt::format("{} compares the time of equal work; say how much "
                         "with --elements N",
                         Raw.Given.Rank    ? "--rank"
                         : Raw.Given.Model ? "--model"
                                           : "--fit");
    return {};
  }
  std::string Error;
  // Up to 2^53 a double counts exactly.
  std::optional<std::uint64_t> Elements =
      parseCount(*Raw.Given.Elements, 1, 1ULL << 53, Error);
  if (!Elements)
    return "--elements " + Error;
  if (!Raw.Given.Rank && Result.Sweep != SweepOver::Block)
    return "--elements is for --sweep block, or for --rank";
  if (Raw.Given.Rank && Result.Sweep)
    return "--rank has a table of its own; leave --sweep out";
  for (const Target &Gpu : Result.Gpus)
    if (!Gpu.SMs)
      return fmt::format("--elements: '{}' is an architecture, and its SMs are "
                         "not known; name a product with --gpu, or its SMs "
                         "with --sms",
                         Gpu.Name);
  if (Raw.Given.Fit && Raw.Given.Model)
    return "--fit finds the model; leave --model out";
  if (Raw.Given.Fit && Raw.Given.Fit->empty())
    return "--fit needs the name of a file";
  if (Raw.Given.Fit && Result.Gpus.size() != 1)
    return "--fit is for one GPU, and --gpu names several";
  Result.FitFile = Raw.Given.Fit.value_or("");
  Result.Rank = Raw.Given.Rank;
  Result.Work = SweepWork{.Elements = static_cast<double>(*Elements)};
  if (!Raw.Given.Model)
    return {};
  Result.HasModel = true;
  return readModel(*Raw.Given.Model, Result.Work->Model);
}

static ParsedOccupancy understand(const CLI::App &App, const RawOptions &Raw) {
  for (const std::string &Extra : App.remaining())
    return refused(fmt::format("unknown option '{}'; 'cuda-lint occupancy "
                               "--help' lists the options",
                               printable(Extra)));
  OccupancyOptions Result;
  for (auto *Read : {readGpus, readLaunch, readWords, readSweep, readWork})
    if (std::string Error = Read(Raw, Result); !Error.empty())
      return refused(Error);
  ParsedOccupancy Parsed;
  Parsed.Run = std::move(Result);
  return Parsed;
}

ParsedOccupancy parseOccupancy(const std::vector<std::string> &Arguments) {
  if (std::optional<std::string> Why = whyValueIsMissing(Arguments))
    return refused(*Why);
  CLI::App App(Description, "cuda-lint occupancy");
  App.formatter(makeHelpFormatter(Usage));
  App.allow_extras();
  App.footer(Footer);
  RawOptions Raw;
  declare(App, Raw);
  ParsedOccupancy Parsed;
  if (std::ranges::find(Arguments, "--") != Arguments.end()) {
    Parsed.IsForFiles = true;
    return Parsed;
  }
  try {
    // CLI11 takes them last first.
    App.parse(std::vector<std::string>(Arguments.rbegin(), Arguments.rend()));
  } catch (const CLI::CallForHelp &) {
    Parsed.Out = App.help();
    return Parsed;
  } catch (const CLI::Error &E) {
    return refused(
        fmt::format("{}; 'cuda-lint occupancy --help' lists the options",
                    whyRefused(E.what())));
  }
  if (!Raw.Files.empty()) {
    Parsed.IsForFiles = true;
    return Parsed;
  }
  return understand(App, Raw);
}

} // namespace cudalint
