//===- occupancy/Fit.cpp - A model from measured launches -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "occupancy/Fit.h"

#include "occupancy/Numbers.h"
#include "report/OccupancyWords.h"
#include "report/TerminalText.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <set>
#include <vector>

namespace cudalint {

/// More than any sweep that a person measures.
static constexpr std::size_t MostBytes = 1 << 20;

/// Of the slowest launch over the fastest: no GPU gains as much.
static constexpr double MostGain = 1e9;

static std::string_view trimmed(std::string_view Word) {
  while (!Word.empty() && Word.front() == ' ')
    Word.remove_prefix(1);
  while (!Word.empty() && (Word.back() == ' ' || Word.back() == '\r'))
    Word.remove_suffix(1);
  return Word;
}

/// Lines of data begin with a number, good or bad.
static bool isHeader(std::string_view Line) {
  std::string_view Word = trimmed(Line.substr(0, Line.find(',')));
  double Ignored = 0;
  const char *End = Word.data() + Word.size();
  auto [Stop, Code] = std::from_chars(Word.data(), End, Ignored);
  return Code == std::errc::invalid_argument || Stop != End;
}

/// The numbers of one line; empty when a word is none.
static std::optional<std::vector<double>> readLine(std::string_view Line) {
  std::vector<double> Numbers;
  for (std::string_view Rest = Line;;) {
    std::size_t Comma = Rest.find(',');
    std::string_view Word = trimmed(Rest.substr(0, Comma));
    double Value = 0;
    const char *End = Word.data() + Word.size();
    auto [Stop, Code] = std::from_chars(Word.data(), End, Value);
    if (Code != std::errc() || Stop != End || !std::isfinite(Value) ||
        Value <= 0)
      return std::nullopt;
    Numbers.push_back(Value);
    if (Comma == Rest.npos)
      return Numbers;
    Rest.remove_prefix(Comma + 1);
  }
}

/// The launch of one line; empty, with the reason, when there is none.
static std::optional<MeasuredLaunch>
launchOf(const std::vector<double> &Numbers, const Target &Gpu,
         LaunchInput Input, double Elements, std::string &Error) {
  double Grid = Numbers[0], Block = Numbers[1];
  if (Grid != std::floor(Grid) || Block != std::floor(Block) ||
      Grid > 2147483647 || Block > 2147483647) {
    Error = "blocks and threads are whole numbers";
    return std::nullopt;
  }
  auto [Least, Most] = std::minmax_element(Numbers.begin() + 2, Numbers.end());
  if (!isTime(*Least) || !isTime(*Most)) {
    Error = fmt::format("a time is from {:g} to {:g}; use another unit",
                        LeastTime, MostTime);
    return std::nullopt;
  }
  Input.Grid = Shape{static_cast<std::uint64_t>(Grid), 1, 1};
  Input.Block = Shape{static_cast<std::uint64_t>(Block), 1, 1};
  LaunchFigures Figures = figuresOf(Gpu, Input);
  if (!Figures.Failures.empty()) {
    Error = failureOf(Figures);
    return std::nullopt;
  }
  return MeasuredLaunch{.Work = {.Grid = sizeOf(*Input.Grid),
                                 .Block = Figures.Demand.Threads,
                                 .Steps = Elements / (Grid * Block),
                                 .BlocksPerSM = Figures.Result->BlocksPerSM,
                                 .IssueLanes = issueLanes(*Gpu.Arch)},
                        .Time = *Least};
}

static double medianError(const LatencyModel &Model,
                          const std::vector<MeasuredLaunch> &All, int SMs) {
  std::vector<double> Errors;
  for (const MeasuredLaunch &Each : All)
    Errors.push_back(std::abs(
        predictTime(Model, Each.Work, SMs).value_or(0) / Each.Time - 1));
  std::ranges::sort(Errors);
  std::size_t N = Errors.size();
  return (Errors[(N - 1) / 2] + Errors[N / 2]) / 2;
}

std::optional<Fit> fitFile(const std::string &Path, const Target &Gpu,
                           const LaunchInput &Input, double Elements,
                           std::string &Error) {
  auto refuse = [&](std::size_t Number, std::string_view Why) {
    Error = Number == 0 ? fmt::format("'{}': {}", printable(Path), Why)
                        : fmt::format("'{}', line {}: {}", printable(Path),
                                      Number, Why);
    return std::nullopt;
  };
  std::ifstream In(Path, std::ios::binary);
  std::string Text(MostBytes + 1, '\0');
  // A folder can be opened, but not read.
  if (!In ||
      (!In.read(Text.data(), static_cast<std::streamsize>(Text.size())) &&
       !In.eof()))
    return refuse(0, "cannot be read; name a CSV file of blocks, threads and "
                     "time");
  Text.resize(static_cast<std::size_t>(In.gcount()));
  if (Text.size() > MostBytes)
    return refuse(0, "is larger than 1 MB; measure fewer launches");

  std::vector<MeasuredLaunch> All;
  std::set<std::pair<std::uint64_t, std::uint64_t>> Shapes;
  std::size_t Number = 0;
  // Spreadsheets mark UTF-8.
  for (std::size_t At = Text.starts_with("\xef\xbb\xbf") ? 3 : 0;
       At < Text.size();) {
    std::size_t End = std::min(Text.find('\n', At), Text.size());
    std::string_view Line(Text.data() + At, End - At);
    At = End + 1;
    ++Number;
    if (Line.empty() || Line == "\r")
      continue;
    if (Number == 1 && isHeader(Line))
      continue;
    std::optional<std::vector<double>> Numbers = readLine(Line);
    if (!Numbers || Numbers->size() < 3)
      return refuse(Number, "is not blocks,threads,time with numbers above 0");
    std::string Why;
    std::optional<MeasuredLaunch> Launch =
        launchOf(*Numbers, Gpu, Input, Elements, Why);
    if (!Launch)
      return refuse(Number, Why);
    All.push_back(*Launch);
    Shapes.emplace(Launch->Work.Grid, Launch->Work.Block);
  }
  if (Shapes.size() < 4)
    return refuse(0, fmt::format("holds {} of {}, and a model takes at least 4 "
                                 "of different shapes",
                                 countOf(All.size(), "launch"),
                                 countOf(Shapes.size(), "shape")));
  auto [Fast, Slow] = std::ranges::minmax(
      All, {}, [](const MeasuredLaunch &Each) { return Each.Time; });
  if (Slow.Time / Fast.Time > MostGain)
    return refuse(0, fmt::format("its times are from {:g} to {:g}; are all in "
                                 "the same unit?",
                                 Fast.Time, Slow.Time));
  std::optional<LatencyModel> Model = fitLatencyModel(All, *Gpu.SMs);
  if (!Model || !(Model->Issue > 0))
    return refuse(0, "its times do not grow with the work of a thread, so a "
                     "step has no time; measure more work, or other shapes");
  return Fit{.Model = *Model,
             .Launches = All.size(),
             .MedianError = medianError(*Model, All, *Gpu.SMs),
             .Gain = Slow.Time / Fast.Time};
}

std::string modelInWords(const LatencyModel &Model) {
  std::string Text =
      fmt::format("a step of a warp takes {:.4g}, {:.4g} of it to issue",
                  Model.Latency, Model.Issue);
  if (Model.PerWarp > 0)
    Text += fmt::format(", a warp {:.4g}", Model.PerWarp);
  if (Model.PerLaunch > 0)
    Text += fmt::format(", a launch {:.4g}", Model.PerLaunch);
  // No SM holds more.
  constexpr double MostWarps = 64;
  if (Model.Issue > 0 && Model.Latency > MostWarps * Model.Issue)
    Text += ": the warps that an SM holds are too few to keep it busy";
  else if (Model.Issue > 0 && Model.Latency > Model.Issue)
    Text += fmt::format(": alone a warp waits {:.1f} % of the time, {:.1f} "
                        "warps on each SM keep it busy",
                        100 * (1 - Model.Issue / Model.Latency),
                        Model.Latency / Model.Issue);
  return Text;
}

std::string fitInWords(const Fit &Fitted) {
  return fmt::format("fitted to {} launches with a median error of {:.1f} %, "
                     "of which the fastest is {:.0f} times as fast as the "
                     "slowest",
                     Fitted.Launches, 100 * Fitted.MedianError, Fitted.Gain);
}

} // namespace cudalint
