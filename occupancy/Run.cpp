//===- occupancy/Run.cpp - Answers cuda-lint occupancy --------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "occupancy/Run.h"

#include "occupancy/Fit.h"
#include "report/CommandLine.h"
#include "report/OutputFile.h"

#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>

namespace cudalint {

static SweepWork workOn(const Target &Gpu, const OccupancyOptions &Run) {
  SweepWork Work = *Run.Work;
  if (!Run.HasModel)
    Work.Model = assumedModel(*Gpu.Arch);
  Work.ModelWords =
      fmt::format("{}: {}",
                  Run.HasModel ? "by the model" : "assumed, in cycles",
                  modelInWords(Work.Model)) +
      Work.ModelWords;
  return Work;
}

std::vector<LaunchFigures> rank(const Target &Gpu, const LaunchInput &Input,
                                const SweepWork &Work) {
  std::vector<std::uint64_t> Blocks, Grids;
  if (Input.Block)
    Blocks = {0};
  else
    for (std::uint64_t Threads = 32; Threads <= Gpu.Arch->ThreadsPerBlock;
         Threads += 32)
      Blocks.push_back(Threads);
  if (Input.Grid) {
    Grids = {0};
  } else {
    // Powers of two, and whole multiples of the SMs.
    std::uint64_t Most = std::min<std::uint64_t>(Gpu.Arch->GridX, 1 << 20);
    for (std::uint64_t Grid = 1; Grid <= Most; Grid *= 2)
      Grids.push_back(Grid);
    for (std::uint64_t Grid = static_cast<std::uint64_t>(*Gpu.SMs);
         Grid <= Most; Grid *= 2)
      Grids.push_back(Grid);
    std::ranges::sort(Grids);
    Grids.erase(std::unique(Grids.begin(), Grids.end()), Grids.end());
  }
  std::vector<LaunchFigures> All;
  for (std::uint64_t Threads : Blocks)
    for (std::uint64_t Grid : Grids) {
      LaunchInput Each = Input;
      if (Threads)
        Each.Block = Shape{Threads, 1, 1};
      if (Grid)
        Each.Grid = Shape{Grid, 1, 1};
      LaunchFigures Figures = figuresOf(Gpu, Each);
      Figures.Time = timeOf(Figures, Work);
      if (Figures.Time)
        All.push_back(std::move(Figures));
    }
  // Of equal times the smaller launch, which comes first, is the better one.
  std::ranges::stable_sort(All, {}, [](const LaunchFigures &F) {
    return std::pair(*F.Time, sizeOf(*F.Input.Grid) * sizeOf(*F.Input.Block));
  });
  return All;
}

std::vector<OccupancyAnswer> answer(const OccupancyOptions &Run) {
  std::vector<OccupancyAnswer> Answers;
  for (const Target &Gpu : Run.Gpus) {
    OccupancyAnswer Answer{.Figures = figuresOf(Gpu, Run.Input),
                           .Sweep = Run.Sweep};
    std::optional<SweepWork> Work;
    if (Run.Work)
      Work = workOn(Gpu, Run);
    if (Run.Sweep)
      Answer.Rows = sweep(Gpu, Run.Input, *Run.Sweep, Work);
    if (Run.Rank)
      Answer.Ranking = rank(Gpu, Run.Input, *Work);
    Answers.push_back(std::move(Answer));
  }
  return Answers;
}

/// What may change the figures of a sweep or a ranking. All block sizes are in
/// these, so that none is missed.
static std::string notesText(const LaunchFigures &Figures,
                             const OccupancyTextOptions &Text) {
  LaunchFigures Any = Figures;
  if (!Any.Input.Block)
    Any.Input.Block = Shape{1, 1, 1};
  std::vector<Remark> Notes;
  for (std::string &Words : assumptionsOf(Any))
    Notes.push_back({"note", std::move(Words)});
  return remarksText(Notes, Text);
}

static std::string textOf(const OccupancyAnswer &Answer,
                          const OccupancyOptions &Run,
                          const OccupancyTextOptions &Text) {
  const Target &Gpu = Answer.Figures.Gpu;
  std::string Time;
  if (Run.Work)
    Time = "\n" + modelText(workOn(Gpu, Run), Text);
  if (Run.Rank)
    return rankText(Gpu, Answer.Ranking, 20) + Time +
           notesText(Answer.Figures, Text);
  std::string Out;
  if (Answer.Sweep)
    Out = sweepText(Gpu, *Answer.Sweep, Answer.Rows, Text) + Time;
  if (!Answer.Figures.Result) {
    std::string Notes = notesText(Answer.Figures, Text);
    return Out + (Notes.empty() || Run.Work ? "" : "\n") + Notes;
  }
  return Out + (Out.empty() ? "" : "\n") + occupancyText(Answer.Figures, Text);
}

static std::string reportOf(std::span<const OccupancyAnswer> Answers,
                            const OccupancyOptions &Run) {
  if (isSvg(Run.Output))
    return sweepSvg(Answers[0].Figures.Gpu, *Run.Sweep, Run.Input,
                    Answers[0].Rows);
  if (Run.Format == OccupancyFormat::Json)
    return occupancyJson(Answers);
  if (Run.Format == OccupancyFormat::Csv)
    return occupancyCsv(Answers);
  bool ToTerminal = Run.Output == "-";
  OccupancyTextOptions Text{
      .UseColour = ToTerminal ? useColour(Run.Colour, STDOUT_FILENO)
                              : Run.Colour == ColourMode::Always,
      .UseUtf8 = speaksUtf8(),
      .Width = ToTerminal ? widthOf(STDOUT_FILENO) : 0};
  std::string Out;
  for (const OccupancyAnswer &Each : Answers)
    Out += (Out.empty() ? "" : "\n") + textOf(Each, Run, Text);
  return Out;
}

/// A sweep has rows that fail; what counts is the user's own launch, or whether
/// there is any that runs.
static bool fails(const OccupancyAnswer &Answer) {
  if (Answer.Figures.Result)
    return !Answer.Figures.Failures.empty();
  return Answer.Ranking.empty() &&
         std::ranges::none_of(Answer.Rows, [](const SweepRow &Row) {
           return Row.At.Failures.empty();
         });
}

static int refuse(std::string_view Message) {
  fmt::print(stderr, "cuda-lint: error: {}\n", Message);
  return 2;
}

int runOccupancy(const OccupancyOptions &Asked) {
  OccupancyOptions Run = Asked;
  if (!Run.FitFile.empty()) {
    if (std::optional<std::string> Why =
            whyOutputIsInput(Run.Output, std::span(&Run.FitFile, 1)))
      return refuse(*Why);
    std::string Error;
    std::optional<Fit> Fitted = fitFile(Run.FitFile, Run.Gpus.front(),
                                        Run.Input, Run.Work->Elements, Error);
    if (!Fitted)
      return refuse(fmt::format("--fit: {}", Error));
    Run.Work->Model = Fitted->Model;
    Run.Work->ModelWords = "; " + fitInWords(*Fitted);
    Run.HasModel = true;
  }
  std::vector<OccupancyAnswer> Answers = answer(Run);
  if (std::optional<std::string> Error =
          writeOutputFile(Run.Output, reportOf(Answers, Run)))
    return refuse(*Error);
  return std::ranges::any_of(Answers, fails) ? 1 : 0;
}

} // namespace cudalint
