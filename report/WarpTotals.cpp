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
  if (!isLaunched(T.Source))
    Text += T.Source == LaunchSource::Usual ? " unless input changes it"
                                            : " (assumed)";
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

static std::string_view inWords(Resource What) {
  switch (What) {
  case Resource::L1:
    return "L1";
  case Resource::L2:
    return "L2";
  case Resource::Dram:
    return "DRAM";
  default:
    return nameOf(What);
  }
}

/// The roofline row: what would limit the kernel if nothing waited.
static std::string boundsInWords(const WarpTotals &T) {
  if (T.Bounds.empty())
    return {};
  std::string Text;
  for (const ResourceBound &Each : T.Bounds)
    Text += fmt::format("{}{} {}", Text.empty() ? "" : ", ", inWords(Each.What),
                        figure(Each.Clocks));
  // What is not known may be more.
  const bool IsAll =
      T.Operations && std::ranges::all_of(T.Spaces, [](const SpaceTotals &S) {
        return S.Traffic.has_value();
      });
  auto ofSMs = [](const ResourceBound &B) {
    return B.What != Resource::Dram && B.What != Resource::L2;
  };
  std::string By = fmt::format("{}", inWords(T.Bounds.front().What));
  if (const auto Own = std::ranges::find_if(T.Bounds, ofSMs);
      Own != T.Bounds.begin())
    By += Own == T.Bounds.end()
              ? " if no cache helps"
              : fmt::format(" if no cache helps, by {} if caches keep all",
                            inWords(Own->What));
  return fmt::format("  bound by {}{}, if nothing waits; clocks of an SM for "
                     "each warp: {}\n",
                     By, IsAll ? "" : ", or by what is not known", Text);
}

/// "loads 4096 bytes, 1024 distinct (each 4 times) in 32 sectors"
static std::string inWords(std::string_view Verb, const DistinctBytes &D) {
  std::string Text = fmt::format("{} {} bytes, {} distinct", Verb,
                                 figure(D.Requested), figure(D.Bytes));
  if (D.Requested && D.Bytes && *D.Requested > *D.Bytes * 1.005)
    Text += fmt::format(" (each {:.3g} times)", *D.Requested / *D.Bytes);
  if (D.Bytes)
    Text += fmt::format(" in {} sectors", figure(D.Sectors));
  if (!D.WhyNotKnown.empty())
    Text += fmt::format(" ({})", printable(D.WhyNotKnown));
  return Text;
}

/// Nothing is known, as the rows above say, or there is nothing.
static bool isNothing(const DistinctBytes &D) {
  return D.Requested.value_or(0) == 0 && D.Bytes.value_or(0) == 0;
}

/// What a block accesses of global memory, and how often.
static std::string footprintInWords(const BlockFootprint &F) {
  std::string Text;
  for (const auto &[Verb, Each] :
       {std::pair("loads", &F.Loads), std::pair("stores", &F.Stores)})
    if (!isNothing(*Each))
      Text += (Text.empty() ? "  a block " : "; ") + inWords(Verb, *Each);
  return Text.empty() ? Text : Text + "\n";
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
  if (T.Footprint)
    Text += footprintInWords(*T.Footprint);
  if (!T.Operations) {
    Text += fmt::format("  floating-point operations are not known: {}\n",
                        printable(T.WhyNotCounted));
  } else if (T.Operations->all() > 0) {
    Text +=
        fmt::format("  floating-point operations: {}", inWords(*T.Operations));
    if (const std::optional<double> Intensity = intensityOf(T))
      Text +=
          fmt::format("; {:.3g} for each byte of global sectors", *Intensity);
    Text += "\n";
  }
  return Text + boundsInWords(T);
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
