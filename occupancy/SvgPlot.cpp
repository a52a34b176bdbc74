//===- occupancy/SvgPlot.cpp - A sweep as a picture -----------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "occupancy/Reports.h"

#include "report/OccupancyWords.h"
#include "report/TerminalText.h"
#include "report/XmlText.h"

#include <algorithm>
#include <fmt/format.h>

namespace cudalint {

namespace {
/// Where things stand in the picture, in pixels.
struct Frame {
  static constexpr double Width = 760, Height = 420;
  static constexpr double Left = 70, Right = 740, Top = 70, Bottom = 350;

  double LastValue, MostWarps;

  double x(double Value) const {
    return Left + (Right - Left) * Value / LastValue;
  }
  double y(double Warps) const {
    return Bottom - (Bottom - Top) * Warps / MostWarps;
  }
};
} // namespace

static std::string escaped(std::string_view Text) {
  return escapedForXml(printable(Text));
}

static std::string textAt(double X, double Y, std::string_view Anchor,
                          std::string_view Text, std::string_view More = {}) {
  return fmt::format("  <text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>"
                     "{}</text>\n",
                     X, Y, Anchor, More, escaped(Text));
}

static std::string line(double X1, double Y1, double X2, double Y2,
                        std::string_view Class) {
  return fmt::format("  <line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" "
                     "x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
                     Class, X1, Y1, X2, Y2);
}

static std::string axes(const Frame &F, SweepOver What,
                        std::string_view Title) {
  std::string Out;
  for (unsigned I = 0; I <= 4; ++I) {
    double Warps = F.MostWarps * I / 4;
    Out += line(F.Left, F.y(Warps), F.Right, F.y(Warps), "grid");
    Out += textAt(F.Left - 8, F.y(Warps) + 4, "end", fmt::format("{}", Warps));
  }
  for (unsigned I = 0; I <= 8; ++I) {
    double Value = F.LastValue * I / 8;
    Out += line(F.x(Value), F.Bottom, F.x(Value), F.Bottom + 5, "axis");
    std::string Label = What == SweepOver::Shared
                            ? fmt::format("{:.4g} KB", Value / 1024)
                            : fmt::format("{:.0f}", Value);
    Out += textAt(F.x(Value), F.Bottom + 20, "middle", Label);
  }
  Out += line(F.Left, F.Bottom, F.Right, F.Bottom, "axis");
  Out += line(F.Left, F.Top, F.Left, F.Bottom, "axis");
  std::string Name = What == SweepOver::Block ? "threads of a block"
                     : What == SweepOver::Registers
                         ? "registers per thread"
                         : "shared memory of a block";
  Out += textAt((F.Left + F.Right) / 2, F.Bottom + 44, "middle", Name);
  double Middle = (F.Top + F.Bottom) / 2;
  Out += textAt(20, Middle, "middle", Title,
                fmt::format(" transform=\"rotate(-90 20 {:.1f})\"", Middle));
  return Out;
}

static std::string curve(const Frame &F, std::span<const SweepRow> Rows) {
  std::string Points;
  for (const SweepRow &Row : Rows) {
    double From = Row.From == 0 ? 0 : static_cast<double>(Row.From - 1);
    Points += fmt::format(
        "{:.1f},{:.1f} {:.1f},{:.1f} ", F.x(From), F.y(warpsOf(Row.At)),
        F.x(static_cast<double>(Row.To)), F.y(warpsOf(Row.At)));
  }
  Points.pop_back();
  return fmt::format("  <polyline class=\"curve\" points=\"{}\"/>\n", Points);
}

static std::string marks(const Frame &F, SweepOver What,
                         std::span<const SweepRow> Rows) {
  std::string Out;
  double LastLabel = -100;
  for (const SweepRow &Row : Rows) {
    double X = F.x(static_cast<double>(Row.To)), Y = F.y(warpsOf(Row.At));
    if (Row.IsCliff) {
      std::string Label = What == SweepOver::Shared ? bytesInWords(Row.To)
                                                    : std::to_string(Row.To);
      Out += fmt::format("  <circle class=\"cliff\" cx=\"{:.1f}\" cy=\"{:.1f}\""
                         " r=\"4\"><title>{}: {} of {} warps</title>"
                         "</circle>\n",
                         X, Y, escaped(Label), warpsOf(Row.At), F.MostWarps);
      // Labels that would lie on each other are left to the mouse.
      if (X - LastLabel > 8.0 * static_cast<double>(Label.size())) {
        Out += textAt(X, Y - 9, "middle", Label);
        LastLabel = X;
      }
    }
    if (!Row.Yours)
      continue;
    double Mine = F.x(static_cast<double>(*Row.Yours));
    Out += line(Mine, F.Top - 6, Mine, F.Bottom, "mine");
    Out += textAt(Mine, F.Top - 10, "middle",
                  fmt::format("yours: {}", *Row.Yours), " class=\"minetext\"");
  }
  return Out;
}

std::string sweepSvg(const Target &Gpu, SweepOver What,
                     const LaunchInput &Input, std::span<const SweepRow> Rows) {
  if (Rows.empty())
    return {};
  Frame F{.LastValue = static_cast<double>(Rows.back().To),
          .MostWarps = static_cast<double>(Gpu.Arch->WarpsPerSM)};
  std::string Title = fmt::format("{}: warps per SM over {}", Gpu.Name,
                                  What == SweepOver::Shared  ? "shared memory"
                                  : What == SweepOver::Block ? "block size"
                                                             : "registers");
  std::string Given;
  auto add = [&](std::string Part) {
    Given += (Given.empty() ? "" : ", ") + std::move(Part);
  };
  if (Input.Block && What != SweepOver::Block)
    add(fmt::format("block {}", toString(*Input.Block)));
  if (Input.Registers && What != SweepOver::Registers)
    add(countOf(*Input.Registers, "register"));
  std::uint64_t Bytes =
      Input.StaticShared.value_or(0) + Input.DynamicShared.value_or(0);
  if (Bytes != 0 && What != SweepOver::Shared)
    add(bytesInWords(Bytes) + " of shared memory");

  std::string Out = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\" role=\"img\">\n"
      "  <title>{2}</title>\n",
      Frame::Width, Frame::Height, escaped(Title));
  Out += "  <style>\n"
         "    text { font: 12px sans-serif; fill: #222 }\n"
         "    .axis { stroke: #222 }\n"
         "    .grid { stroke: #ddd }\n"
         "    .curve { fill: none; stroke: #1565c0; stroke-width: 2 }\n"
         "    .cliff { fill: #c62828 }\n"
         "    .mine { stroke: #2e7d32; stroke-dasharray: 4 3 }\n"
         "    .minetext { fill: #2e7d32 }\n"
         "    .head { font-size: 16px }\n"
         "  </style>\n"
         "  <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
  Out += textAt(Frame::Left, 26, "start", Title, " class=\"head\"");
  if (!Given.empty())
    Out += textAt(Frame::Left, 44, "start", Given);
  Out += axes(F, What, plotTitle(Rows)) + curve(F, Rows) + marks(F, What, Rows);
  Out += textAt(Frame::Right, Frame::Height - 8, "end",
                "red: a cliff, with one step more fewer warps are resident");
  return Out + "</svg>\n";
}

} // namespace cudalint
