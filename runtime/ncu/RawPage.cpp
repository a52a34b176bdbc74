//===- runtime/ncu/RawPage.cpp - What ncu knows of launches ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/ncu/RawPage.h"

#include "runtime/ncu/ExportLine.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <utility>

namespace cudalint::ncu {

bool isRawHead(std::string_view Line) {
  return Line.starts_with("\"ID\",\"") || Line.starts_with("ID,");
}

namespace {
using Fields = std::vector<std::string_view>;

/// The rows of the page, asked by the names of columns.
class Row {
public:
  Row(const std::map<std::string_view, std::size_t> &Columns,
      const Fields &Units, const Fields &Values, std::size_t Line)
      : Columns(Columns), Units(Units), Values(Values), Line(Line) {}

  std::string_view text(std::string_view Column) const {
    const auto Found = Columns.find(Column);
    return Found == Columns.end() ? std::string_view() : Values[Found->second];
  }
  Count count(std::string_view Column) const {
    return countOf(text(Column), Column, Line);
  }
  /// In the base unit: bytes, nanoseconds, per cent.
  std::optional<double> figure(std::string_view Column) const {
    std::optional<double> Value = figureOf(text(Column), Column, Line);
    if (Value)
      *Value *= scaleOf(Column);
    return Value;
  }
  /// A figure that is whole in its base unit, below 1e18.
  Count whole(std::string_view Column) const {
    const std::optional<double> Value = figure(Column);
    return Value && *Value < 1e18
               ? Count(static_cast<std::uint64_t>(std::llround(*Value)))
               : std::nullopt;
  }
  /// `(32, 8, 1)` of \p Column; ncu 2022.3 has none, but a column of each
  /// dimension, which begin with \p Dimension.
  Shape shape(std::string_view Column, std::string_view Dimension) const;
  std::size_t line() const { return Line; }

private:
  double scaleOf(std::string_view Column) const;

  const std::map<std::string_view, std::size_t> &Columns;
  const Fields &Units;
  const Fields &Values;
  std::size_t Line;
};
} // namespace

/// --print-units auto writes larger units, and versions have other words.
double Row::scaleOf(std::string_view Column) const {
  struct Unit {
    std::string_view Name;
    double Scale;
  };
  static constexpr Unit Known[] = {
      {"", 1},          {"%", 1},       {"byte", 1},      {"Kbyte", 1e3},
      {"Mbyte", 1e6},   {"Gbyte", 1e9}, {"Tbyte", 1e12},  {"ns", 1},
      {"nsecond", 1},   {"us", 1e3},    {"usecond", 1e3}, {"ms", 1e6},
      {"msecond", 1e6}, {"s", 1e9},     {"second", 1e9},  {"sector", 1}};
  // `Kbyte/block`
  std::string_view Name = Units[Columns.find(Column)->second];
  Name = Name.substr(0, Name.find('/'));
  const auto *Found = std::ranges::find(Known, Name, &Unit::Name);
  if (Found == std::end(Known))
    throw Fault(Line, fmt::format("the unit '{}' of '{}' is not known: export "
                                  "it with --print-units base",
                                  Name.substr(0, 40), Column));
  return Found->Scale;
}

Shape Row::shape(std::string_view Column, std::string_view Dimension) const {
  std::string_view Text = text(Column);
  std::string Parts;
  if (!Columns.contains(Column)) {
    for (std::string_view Letter : {"x", "y", "z"}) {
      const std::string Part = fmt::format("{}{}", Dimension, Letter);
      Parts += fmt::format(" {}", count(Part).value_or(0));
    }
    Text = std::string_view(Parts).substr(1);
    Column = Dimension;
  }
  const std::string_view Whole = Text.substr(0, 60);
  Shape Out = {};
  for (std::size_t I = 0; I != 3; ++I) {
    Text.remove_prefix(std::min(Text.find_first_of("0123456789"), Text.size()));
    const std::size_t End =
        std::min(Text.find_first_not_of("0123456789"), Text.size());
    const Count Value = countOf(Text.substr(0, End), Column, Line);
    if (!Value || *Value == 0 || *Value > UINT32_MAX)
      throw Fault(Line, fmt::format("column '{}' is '{}', not three numbers "
                                    "as in (32, 8, 1)",
                                    Column, Whole));
    Out[I] = *Value;
    Text.remove_prefix(End);
  }
  return Out;
}

static RawLaunch launchOf(const Row &In) {
  RawLaunch Out;
  ProfileLaunch &Launch = Out.Launch;
  Launch.Kernel = In.text("Kernel Name");
  if (Launch.Kernel.empty())
    throw Fault(In.line(), "the kernel has no name");
  Launch.Number = 1;
  Launch.Grid = In.shape("Grid Size", "launch__grid_dim_");
  Launch.Block = In.shape("Block Size", "launch__block_dim_");
  for (std::string_view Column : {"Device", "launch__device_id"})
    if (const Count Device = In.count(Column); Device && *Device < 1024) {
      Out.Device.Index = static_cast<unsigned>(*Device);
      break;
    }
  Launch.Device = Out.Device.Index;
  Out.Device.Name = In.text("device__attribute_display_name");
  Out.Device.ComputeCapability = In.text("CC");
  const Count Major = In.count("device__attribute_compute_capability_major");
  const Count Minor = In.count("device__attribute_compute_capability_minor");
  if (Out.Device.ComputeCapability.empty() && Major && Minor)
    Out.Device.ComputeCapability = fmt::format("{}.{}", *Major, *Minor);
  if (const Count SMs = In.count("device__attribute_multiprocessor_count");
      SMs && *SMs > 0 && *SMs < 100000)
    Out.Device.SMs = static_cast<int>(*SMs);
  Launch.Registers = In.count("launch__registers_per_thread");
  Launch.StaticShared = In.whole("launch__shared_mem_per_block_static");
  Launch.DynamicShared = In.whole("launch__shared_mem_per_block_dynamic");
  for (std::string_view Limit :
       {"launch__occupancy_limit_barriers", "launch__occupancy_limit_blocks",
        "launch__occupancy_limit_registers",
        "launch__occupancy_limit_shared_mem", "launch__occupancy_limit_warps"})
    if (const Count Blocks = In.count(Limit); Blocks && *Blocks < 1000000)
      Launch.BlocksPerSM = std::min(Launch.BlocksPerSM.value_or(1000000),
                                    static_cast<unsigned>(*Blocks));
  if (const auto Active =
          In.figure("sm__warps_active.avg.pct_of_peak_sustained_active")) {
    Launch.Ranged = 1;
    Launch.Achieved = std::min(*Active / 100, 1.0);
    const Count Read = In.whole("dram__bytes_read.sum");
    const Count Written = In.whole("dram__bytes_write.sum");
    if (Read && Written)
      Launch.DramBytes = *Read + *Written;
    Launch.L2Sectors = In.whole("lts__t_sectors.sum");
    if (const auto Share =
            In.figure("lts__t_sectors.avg.pct_of_peak_sustained_elapsed"))
      Launch.L2Share = std::min(*Share / 100, 1.0);
  }
  if (const auto Time = In.figure("gpu__time_duration.sum"))
    Launch.Duration = {
        .Min = *Time, .Median = *Time, .Max = *Time, .Samples = {*Time}};
  return Out;
}

std::vector<RawLaunch> readRawPage(std::string_view Text) {
  std::vector<RawLaunch> Out;
  std::map<std::string_view, std::size_t> Columns;
  Fields Units;
  bool HasUnits = false;
  Lines All(Text);
  while (std::optional<std::string_view> Line = All.next()) {
    if (Line->starts_with("==ERROR=="))
      throw Fault(All.number(), "ncu could not export this: " +
                                    std::string(Line->substr(9, 200)));
    const bool IsHead = isRawHead(*Line);
    // Words of ncu and of a program that ran under it.
    if (Line->empty() || Line->starts_with("==") ||
        (Columns.empty() && !IsHead))
      continue;
    if (Columns.empty()) {
      const Fields Names = fieldsOf(*Line, All.number());
      for (std::size_t I = 0; I != Names.size(); ++I)
        Columns.try_emplace(Names[I], I);
      // The default of --page, with a row for each metric.
      if (Columns.contains("Metric Name"))
        throw Fault(All.number(), "this is the details page; export "
                                  "'--page raw' instead");
      static constexpr std::pair<const char *, const char *> Needed[] = {
          {"Kernel Name", "Kernel Name"},
          {"Grid Size", "launch__grid_dim_x"},
          {"Block Size", "launch__block_dim_x"}};
      for (auto [Name, Older] : Needed)
        if (!Columns.contains(Name) && !Columns.contains(Older))
          throw Fault(All.number(),
                      fmt::format("there is no column '{}'", Name));
      Units.assign(Names.size(), {});
      continue;
    }
    const Fields Values = fieldsOf(*Line, All.number());
    if (Values.size() != Units.size())
      throw Fault(All.number(),
                  fmt::format("{} of {} fields: the file was cut off, or "
                              "edited",
                              Values.size(), Units.size()));
    if (!HasUnits && Values[Columns["ID"]].empty()) {
      Units = Values;
      HasUnits = true;
      continue;
    }
    Out.push_back(launchOf(Row(Columns, Units, Values, All.number())));
  }
  return Out;
}

} // namespace cudalint::ncu
