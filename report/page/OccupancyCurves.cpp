//===- report/page/OccupancyCurves.cpp - Warps over sizes -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/page/OccupancyCurves.h"

#include "report/Phrase.h"
#include "report/page/PlacedText.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <vector>

namespace cudalint {

namespace {
/// The warps that are resident up to a value, from the one before on.
struct Step {
  std::uint64_t To = 0;
  unsigned Warps = 0;
  bool IsCliff = false; ///< With one more, fewer warps are resident.
};

struct Curve {
  std::string_view Quantity; ///< `threads of a block`
  std::vector<Step> Steps = {};
  std::uint64_t Own = 0;
  unsigned MostWarps = 1;
  std::uint64_t Tick = 1; ///< Between two numbers at the axis.

  // In units of the picture.
  static constexpr double Width = 460, Height = 200;
  static constexpr double Left = 30, Right = 442, Top = 34, Bottom = 160;

  double x(std::uint64_t Value) const {
    return Left + (Right - Left) * static_cast<double>(Value) /
                      static_cast<double>(Steps.back().To);
  }
  double y(unsigned Warps) const {
    return Bottom - (Bottom - Top) * Warps / MostWarps;
  }
  unsigned ownWarps() const {
    const auto At = std::ranges::lower_bound(Steps, Own, {}, &Step::To);
    return At == Steps.end() ? 0 : At->Warps;
  }
  void markCliffs() {
    for (std::size_t I = 0; I + 1 < Steps.size(); ++I)
      Steps[I].IsCliff = Steps[I].Warps > Steps[I + 1].Warps;
  }
  std::string axes() const;
  std::string picture(Symbols &Known) const;
  std::string cliffs() const;
};
} // namespace

/// Of a digit, in units of the picture.
static constexpr double DigitAdvance = 5.8;

/// The same for each kernel of a target.
std::string Curve::axes() const {
  std::string Grid;
  PlacedText Numbers(DigitAdvance);
  for (unsigned I = 0; I <= 4; ++I) {
    const unsigned Warps = MostWarps * I / 4;
    Grid += fmt::format("M{} {:.0f}H{}", Left, y(Warps), Right);
    Numbers.addBefore(Left - 5, y(Warps) + 3, std::to_string(Warps));
  }
  for (std::uint64_t Value = 0; Value <= Steps.back().To; Value += Tick)
    Numbers.addCentred(x(Value), Bottom + 14, std::to_string(Value));
  return fmt::format("<path class=gl d=\"{}\"/>{}<text x={} y={}>{}</text>",
                     Grid, Numbers.text(), (Left + Right) / 2, Bottom + 32,
                     Quantity);
}

std::string Curve::picture(Symbols &Known) const {
  std::string Line = fmt::format("M{} {}", Left, Bottom), Cliffs;
  PlacedText Numbers(DigitAdvance);
  double LastLabel = -100;
  for (const Step &Each : Steps) {
    Line += fmt::format("V{:.0f}H{:.0f}", y(Each.Warps), x(Each.To));
    if (!Each.IsCliff)
      continue;
    // Of no length, with round ends: a dot.
    Cliffs += fmt::format("M{:.0f} {:.0f}h0", x(Each.To), y(Each.Warps));
    // Labels that would lie on each other are left to the words.
    const std::string Label = std::to_string(Each.To);
    if (x(Each.To) - LastLabel < 7.0 * static_cast<double>(Label.size()))
      continue;
    LastLabel = x(Each.To);
    Numbers.addCentred(LastLabel, y(Each.Warps) - 6, Label);
  }
  std::string Mine;
  if (Own && Own <= Steps.back().To)
    Mine =
        fmt::format("<path class=mine d=\"M{0:.0f} {1}V{2}\"/><path "
                    "class=own d=\"M{0:.0f} {3:.0f}h0\"/><text x={4:.0f} "
                    "y={5}>now {6}</text>",
                    x(Own), Top - 20, Bottom, y(ownWarps()),
                    std::clamp(x(Own), Left + 30, Right - 30), Top - 24, Own);
  return fmt::format("<svg class=curve viewBox=\"0 0 {} {}\" role=img "
                     "aria-label=\"curve over {}\">{}<path class=line "
                     "d=\"{}V{}z\"/><path class=cliff d=\"{}\"/>{}{}</svg>",
                     Width, Height, Quantity, Known.use(axes(), Width, Height),
                     Line, Bottom, Cliffs, Numbers.text(), Mine);
}

/// `now 256 with 48 of 64 warps; cliffs at 128 (64 warps), 640 (60 warps)`
std::string Curve::cliffs() const {
  static constexpr std::size_t MostCliffs = 8;
  std::string Text;
  if (Own)
    Text =
        fmt::format("now {} with {} of {} warps", Own, ownWarps(), MostWarps);
  std::vector<std::string> Said;
  for (const Step &Each : Steps)
    if (Each.IsCliff)
      Said.push_back(
          fmt::format("{} ({})", Each.To, countOf(Each.Warps, "warp")));
  const std::size_t Left =
      Said.size() > MostCliffs + 1 ? Said.size() - MostCliffs : 0;
  if (Left) {
    Said.resize(MostCliffs);
    Said.push_back(fmt::format("{} more", Left));
  }
  if (!Text.empty())
    Text += "; ";
  if (Said.empty())
    return Text + "no cliffs";
  return Text + fmt::format("cliffs behind {}", fmt::join(Said, ", "));
}

static unsigned warpsOf(const Architecture &Arch, const BlockDemand &Demand) {
  return occupancy(Arch, Demand).WarpsPerSM;
}

/// A step for each value that costs what no neighbour costs.
static void addStep(std::vector<Step> &Steps, std::uint64_t To,
                    unsigned Warps) {
  if (!Steps.empty() && Steps.back().Warps == Warps)
    Steps.back().To = To;
  else
    Steps.push_back({To, Warps});
}

std::string occupancyCurves(const Architecture &Arch, const BlockDemand &Demand,
                            Symbols &Known) {
  if (Demand.Threads == 0)
    return {};
  constexpr unsigned WarpSize = 32;
  Curve Blocks = {.Quantity = "threads of a block",
                  .Own = Demand.Threads,
                  .MostWarps = Arch.WarpsPerSM,
                  .Tick = 128};
  BlockDemand Other = Demand;
  for (Other.Threads = WarpSize; Other.Threads <= Arch.ThreadsPerBlock;
       Other.Threads += WarpSize)
    addStep(Blocks.Steps, Other.Threads, warpsOf(Arch, Other));
  Blocks.markCliffs();
  Curve Registers = {.Quantity = "registers of a thread",
                     .Own = Demand.Registers,
                     .MostWarps = Arch.WarpsPerSM,
                     .Tick = Arch.RegistersPerThread > 128 ? 32u : 16u};
  Other = Demand;
  for (Other.Registers = 1; Other.Registers <= Arch.RegistersPerThread;
       ++Other.Registers)
    addStep(Registers.Steps, Other.Registers, warpsOf(Arch, Other));
  Registers.markCliffs();
  std::string Out = "<div class=curves>";
  for (const Curve *Each : {&Blocks, &Registers})
    Out += fmt::format("<figure><figcaption>Resident warps of an SM over {}"
                       "</figcaption>{}<p class=key>{}</p></figure>\n",
                       Each->Quantity, Each->picture(Known), Each->cliffs());
  return Out + "</div>\n";
}

} // namespace cudalint
