//===- report/WarpTotals.cpp - What a kernel does in all ------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/WarpTotals.h"

#include "report/Names.h"
#include "report/TerminalText.h"

#include <algorithm>
#include <fmt/format.h>

namespace cudalint {

std::optional<double> intensityOf(const WarpTotals &Totals) {
  constexpr double SectorBytes = 32;
  const auto Global = std::ranges::find(Totals.Spaces, MemorySpace::Global,
                                        &SpaceTotals::Space);
  if (!Totals.Operations || Global == Totals.Spaces.end() ||
      Global->Traffic.value_or(0) <= 0)
    return std::nullopt;
  return Totals.Operations->all() / (*Global->Traffic * SectorBytes);
}

static std::string figure(const std::optional<double> &Figure,
                          double Times = 1) {
  if (!Figure)
    return "?";
  const double Value = *Figure * Times;
  return Value < 1e6 ? fmt::format("{:.4g}", Value)
                     : fmt::format("{:.3g}", Value);
}

static std::string shapeOf(const WarpTotals &T) {
  std::string Text =
      fmt::format("block {}x{}x{}", T.Block[0], T.Block[1], T.Block[2]);
  if (T.Warps)
    Text += fmt::format(", {:.0f} warps", *T.Warps);
  return Text;
}

/// "12 float" or "12 float, 4 double"
static std::string inWords(const OperationCount &C) {
  std::string Text;
  for (const auto &[Name, Count] :
       {std::pair("half", C.Half), std::pair("float", C.Float),
        std::pair("double", C.Double)})
    if (Count != 0)
      Text +=
          fmt::format("{}{} {}", Text.empty() ? "" : ", ", figure(Count), Name);
  return Text.empty() ? "0" : Text;
}

static std::string rowsOf(const KernelRecord &Kernel, const WarpTotals &T) {
  std::string Text = fmt::format(
      "{}, {}\n",
      printable(Kernel.Signature.empty() ? Kernel.Name : Kernel.Signature),
      shapeOf(T));
  for (const SpaceTotals &S : T.Spaces) {
    Text +=
        fmt::format("  {:<8} {:>9} requests {:>9} {} {:>9} ideal {:>9} bytes",
                    nameOf(S.Space), figure(S.Requests), figure(S.Traffic),
                    nameOf(S.Unit), figure(S.Ideal), figure(S.Bytes));
    if (T.Warps && S.Traffic)
      Text += fmt::format("; of the launch {} {}", figure(S.Traffic, *T.Warps),
                          nameOf(S.Unit));
    if (S.Trust == Certainty::Random)
      Text += "; if the data is random";
    if (!S.WhyNotKnown.empty())
      Text += fmt::format("; {}", printable(S.WhyNotKnown));
    Text += "\n";
  }
  if (!T.Operations)
    return Text + fmt::format("  floating-point operations are not known: {}\n",
                              printable(T.WhyNotCounted));
  if (T.Operations->all() == 0)
    return Text;
  Text +=
      fmt::format("  floating-point operations: {}", inWords(*T.Operations));
  if (const std::optional<double> Intensity = intensityOf(T))
    Text += fmt::format("; {:.3g} for each byte of global sectors", *Intensity);
  return Text + "\n";
}

/// Each line of \p Rows, broken where it is too wide.
static std::string brokenAt(std::string_view Rows, unsigned Width) {
  std::string Out;
  while (!Rows.empty()) {
    const std::size_t End = Rows.find('\n');
    Out += wrapped(Rows.substr(0, End), 0, Width) + "\n";
    Rows.remove_prefix(End + 1);
  }
  return Out;
}

std::string totalsTable(const Document &Doc, unsigned Width) {
  std::string Text;
  for (const UnitRecord &Unit : Doc.Units)
    for (const KernelRecord &Kernel : Unit.Kernels)
      for (const WarpTotals &T : Kernel.Totals)
        if (!T.Spaces.empty())
          Text += brokenAt(rowsOf(Kernel, T), Width);
  return Text;
}

} // namespace cudalint
