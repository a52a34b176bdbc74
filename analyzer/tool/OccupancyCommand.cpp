//===- analyzer/tool/OccupancyCommand.cpp - cuda-lint occupancy FILE ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/OccupancyCommand.h"

#include "analyzer/pipeline/LaunchShapes.h"
#include "analyzer/tool/Options.h"
#include "occupancy/Options.h"
#include "report/CommandLine.h"
#include "report/OccupancyRecord.h"
#include "report/OccupancyWords.h"
#include "report/OutputFile.h"
#include "report/TerminalText.h"
#include "report/WarpTotals.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <tuple>
#include <unistd.h>

namespace cudalint {

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

std::string takeOccupancyOptions(std::vector<std::string> &Arguments,
                                 OccupancyRequest &Request) {
  const auto Dashes = std::ranges::find(Arguments, "--");
  CLI::App App;
  App.set_help_flag(); // Linting has one.
  App.allow_extras();
  GivenOptionWords Words;
  addGivenOptions(App, Words);
  // Linting has this one, too, but not all of its values.
  std::optional<std::string> Format;
  App.add_option("--format", Format)->type_name("FORMAT");
  try {
    // CLI11 takes them last first.
    App.parse(std::vector<std::string>(std::reverse_iterator(Dashes),
                                       Arguments.rend()));
  } catch (const CLI::Error &E) {
    return fmt::format("{}; 'cuda-lint occupancy --help' lists the options",
                       whyRefused(E.what()));
  }
  for (const auto &[Name, IsGiven] :
       {std::pair("--elements", Words.Elements.has_value()),
        std::pair("--rank", Words.Rank),
        std::pair("--model", Words.Model.has_value()),
        std::pair("--fit", Words.Fit.has_value())})
    if (IsGiven)
      return std::string(Name) + " is for bare numbers, not for files";
  OccupancyFormat Written = OccupancyFormat::Text;
  std::string Error = Format ? readFormat(*Format, Written) : std::string();
  if (!Error.empty())
    return Error;
  std::optional<GivenNumbers> Given = readGivenOptions(Words, Error);
  if (!Given)
    return Error;
  Request.Given = std::move(Given->Launch);
  Request.SMs = Given->SMs;
  Request.Sweep = Given->Sweep;
  Request.AsCsv = Written == OccupancyFormat::Csv;
  std::vector<std::string> Rest = App.remaining();
  if (Format && !Request.AsCsv)
    Rest.push_back("--format=" + *Format);
  Rest.insert(Rest.end(), Dashes, Arguments.end());
  Arguments = std::move(Rest);
  return {};
}

//===----------------------------------------------------------------------===//
// From records to answers
//===----------------------------------------------------------------------===//

/// Empty unless all three are known and can be counted together.
static std::optional<Shape> shapeOf(const Extent &Dimensions) {
  Shape Result = {1, 1, 1};
  std::uint64_t Size = 1;
  for (std::size_t I = 0; I != 3; ++I) {
    if (!Dimensions[I] || *Dimensions[I] < 0)
      return std::nullopt;
    Result[I] = static_cast<std::uint64_t>(*Dimensions[I]);
    if (__builtin_mul_overflow(Size, Result[I], &Size))
      return std::nullopt;
  }
  return Result;
}

template <typename T, typename U>
static std::optional<T> first(const std::optional<U> &Told,
                              const std::optional<T> &Given) {
  return Told ? std::optional<T>(static_cast<T>(*Told)) : Given;
}

/// What the analysis judged; empty where it did not, or does not know, or \p
/// Given says more than it knew: then the numbers are all there is.
static std::optional<std::vector<std::string>>
judgementOf(const LaunchRecord &Launch, const LaunchInput &Given) {
  std::vector<std::string> Failures;
  if (!Launch.Verdict) {
    // Of an earlier version, whose figures tell.
    if (!Launch.Occupancy || Launch.Occupancy->BlocksPerSM != 0u)
      return std::nullopt;
    Failures.emplace_back("the launch fails: it breaks a limit of the GPU");
    return Failures;
  }
  const LaunchState State = Launch.Verdict->State;
  if (State == LaunchState::Unknown ||
      (State == LaunchState::Runs && Given != LaunchInput()))
    return std::nullopt;
  if (failsForCertain(Launch))
    for (const LaunchReason &Each : Launch.Verdict->Why)
      Failures.push_back(Each.Text);
  return Failures;
}

static bool fails(const std::optional<LaunchVerdictRecord> &Verdict) {
  return Verdict && Verdict->State == LaunchState::Fails;
}

static LaunchInput inputOf(const Target &Gpu, const KernelRecord &Kernel,
                           const LaunchRecord *Launch,
                           const LaunchInput &Given) {
  LaunchInput Input = Given;
  Input.Kernel = Kernel.Signature.empty() ? Kernel.Name : Kernel.Signature;
  Input.LinkageName = Kernel.Name;
  Input.Where = Launch ? Launch->Where : Kernel.Where;
  if (Kernel.Resources) {
    const ResourceRecord &Has = *Kernel.Resources;
    Input.Registers = first(Has.Registers, Given.Registers);
    Input.Barriers = first(Has.Barriers, Given.Barriers);
  }
  Input.StaticShared = first(Kernel.StaticSharedBytes, Given.StaticShared);
  if (!Launch)
    return Input;
  Input.Block = shapeOf(Launch->Block);
  Input.Judged = judgementOf(*Launch, Given);
  Input.SharedMemoryOptIn =
      Launch->SharedMemoryOptIn || (Input.Judged && !fails(Launch->Verdict));
  Input.BlockIsAssumed = !isLaunched(Launch->Source);
  Input.Grid = first(shapeOf(Launch->Grid), Given.Grid);
  if (!Launch->DynamicSharedBytes || *Launch->DynamicSharedBytes >= 0)
    Input.DynamicShared =
        first(Launch->DynamicSharedBytes, Given.DynamicShared);
  // Its occupancy is known, so that it uses none.
  if (!Input.DynamicShared && Launch->Occupancy && !Launch->DynamicSharedBytes)
    Input.DynamicShared = 0;
  if (const std::uint64_t More =
          unlimitedStatic(*Gpu.Arch, Input.StaticShared.value_or(0), *Launch)) {
    *Input.StaticShared -= More;
    Input.DynamicShared = Input.DynamicShared.value_or(0) + More;
  }
  return Input;
}

static OccupancyAnswer answerFor(const Target &Gpu, const LaunchInput &Input,
                                 const LaunchRecord *Launch,
                                 const OccupancyRequest &Request) {
  OccupancyAnswer Answer{.Figures = figuresOf(Gpu, Input),
                         .Verdict = Launch ? Launch->Verdict : std::nullopt};
  // Without a block there is nothing to sweep but the block itself.
  if (!Request.Sweep || (!Input.Block && Request.Sweep != SweepOver::Block))
    return Answer;
  Answer.Sweep = Request.Sweep;
  Answer.Rows = sweep(Gpu, Input, *Request.Sweep, std::nullopt);
  return Answer;
}

/// Whether both are the same launch of the same kernel, as far as is known:
/// units that include one header have a copy each of what is in it.
static bool isSame(const LaunchInput &A, const LaunchInput &B) {
  auto agree = [](const auto &One, const auto &Other) {
    return !One || !Other || *One == *Other;
  };
  return std::tie(A.LinkageName, A.Grid, A.Block, A.DynamicShared) ==
             std::tie(B.LinkageName, B.Grid, B.Block, B.DynamicShared) &&
         isSamePlace(A.Where, B.Where) &&
         agree(A.StaticShared, B.StaticShared) &&
         agree(A.Registers, B.Registers);
}

static int countKnown(const LaunchInput &Input) {
  return int{Input.StaticShared.has_value()} + int{Input.Registers.has_value()};
}

std::vector<OccupancyAnswer> answersFor(const Document &Doc, const Target &Gpu,
                                        const OccupancyRequest &Request) {
  std::vector<OccupancyAnswer> Answers;
  auto add = [&](const KernelRecord &Kernel, const LaunchRecord *Launch) {
    const LaunchInput Input = inputOf(Gpu, Kernel, Launch, Request.Given);
    auto Known =
        std::ranges::find_if(Answers, [&](const OccupancyAnswer &Each) {
          return isSame(Each.Figures.Input, Input);
        });
    if (Known == Answers.end())
      Answers.push_back(answerFor(Gpu, Input, Launch, Request));
    else if (countKnown(Input) > countKnown(Known->Figures.Input))
      *Known = answerFor(Gpu, Input, Launch, Request);
  };
  for (const UnitRecord &Unit : Doc.Units)
    for (const KernelRecord &Kernel : Unit.Kernels) {
      for (const LaunchRecord &Launch : Kernel.Launches)
        add(Kernel, &Launch);
      if (Kernel.Launches.empty())
        add(Kernel, nullptr);
    }
  return Answers;
}

std::string summaryText(std::span<const Document> Documents,
                        std::span<const Target> Gpus, unsigned Width) {
  std::string Text;
  for (std::size_t I = 0; I != Documents.size(); ++I) {
    std::vector<LaunchFigures> All;
    for (OccupancyAnswer &Each : answersFor(Documents[I], Gpus[I], {}))
      All.push_back(std::move(Each.Figures));
    if (!All.empty())
      Text += fmt::format("\nRegisters and occupancy on {}\n{}",
                          printable(Documents[I].Target.Name),
                          occupancyTable(All, Width));
    if (std::string Totals = totalsTable(Documents[I], Width); !Totals.empty())
      Text += fmt::format("\nWhat a warp does on {}, on average\n{}",
                          printable(Documents[I].Target.Name), Totals);
  }
  return Text;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string inputName(const LaunchInput &Input) {
  std::string Name = printable(Input.Kernel);
  if (!Input.Where.File.empty())
    Name = fmt::format("{}:{}: {}", printable(Input.Where.File),
                       Input.Where.Line, Name);
  // One line may launch in several shapes.
  if (Input.Grid)
    Name += fmt::format(", grid {}", toString(*Input.Grid));
  if (Input.Block)
    Name += fmt::format(", block {}", toString(*Input.Block));
  if (Input.DynamicShared.value_or(0) != 0)
    Name +=
        fmt::format(", {} dynamic shared", bytesInWords(*Input.DynamicShared));
  return Name;
}

std::string launchesText(std::span<const OccupancyAnswer> Answers,
                         const OccupancyTextOptions &Options) {
  if (Answers.empty())
    return "no kernels\n";
  std::vector<LaunchFigures> All;
  for (const OccupancyAnswer &Each : Answers)
    All.push_back(Each.Figures);
  const Target &Gpu = All.front().Gpu;
  std::string Out =
      gpuHeading(Gpu) + "\n\n" + occupancyTable(All, Options.Width);
  // What is missing is mostly missing everywhere: said once, at the end.
  std::vector<Remark> Notes;
  for (const OccupancyAnswer &Each : Answers) {
    std::vector<Remark> Remarks = remarksOn(Each.Figures);
    auto Missing = std::ranges::stable_partition(
        Remarks, [](const Remark &R) { return R.Label != "note"; });
    for (Remark &Note : Missing)
      if (std::ranges::find(Notes, Note.Words, &Remark::Words) == Notes.end())
        Notes.push_back(std::move(Note));
    Remarks.erase(Missing.begin(), Missing.end());
    if (!Remarks.empty() || Each.Sweep)
      Out += "\n" + inputName(Each.Figures.Input) + "\n" +
             remarksText(Remarks, Options);
    if (Each.Sweep)
      Out += "\n" + sweepText(Gpu, *Each.Sweep, Each.Rows, Options);
  }
  return Out + (Notes.empty() ? "" : "\n") + remarksText(Notes, Options);
}

//===----------------------------------------------------------------------===//
// Report
//===----------------------------------------------------------------------===//

int reportOccupancy(std::span<const Document> Documents, const Options &Run,
                    int FilesCode) {
  bool ToTerminal = Run.Output == "-";
  OccupancyTextOptions Text{
      .UseColour = ToTerminal ? useColour(Run.Colour, STDOUT_FILENO)
                              : Run.Colour == ColourMode::Always,
      .UseUtf8 = speaksUtf8(),
      .Width = ToTerminal ? widthOf(STDOUT_FILENO) : 0};
  std::vector<OccupancyAnswer> All;
  std::string Report;
  for (std::size_t I = 0; I != Documents.size(); ++I) {
    std::vector<OccupancyAnswer> Answers =
        answersFor(Documents[I], Run.Gpus[I], *Run.Occupancy);
    if (Run.Format == OutputFormat::Text && !Run.Occupancy->AsCsv)
      Report += (I == 0 ? "" : "\n") + launchesText(Answers, Text);
    All.insert(All.end(), std::make_move_iterator(Answers.begin()),
               std::make_move_iterator(Answers.end()));
  }
  if (Run.Occupancy->AsCsv)
    Report = occupancyCsv(All);
  else if (Run.Format == OutputFormat::Json)
    Report = occupancyJson(All, /*AsArray=*/true);
  if (std::optional<std::string> Error = writeOutputFile(Run.Output, Report)) {
    fmt::print(stderr, "cuda-lint: error: {}\n", *Error);
    return NothingAnalysed;
  }
  if (Run.Occupancy->SMs && !Run.Quiet &&
      std::ranges::none_of(All, [](const OccupancyAnswer &Each) {
        return Each.Figures.Input.Grid.has_value();
      }))
    fmt::print(stderr, "cuda-lint: warning: --sms changes nothing: the grid of "
                       "no launch is known; give it with --grid\n");
  if (FilesCode != NothingFound)
    return FilesCode;
  return std::ranges::any_of(All,
                             [](const OccupancyAnswer &Each) {
                               return fails(Each.Verdict) ||
                                      !Each.Figures.Failures.empty();
                             })
             ? SomethingFound
             : NothingFound;
}

} // namespace cudalint
