//===- occupancy/JsonReport.cpp - Occupancy for programs ------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "occupancy/Reports.h"

#include "report/JsonRecords.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace cudalint {

static Json inputOf(const LaunchInput &Input) {
  Json Out = {{"block", orNull(Input.Block)},
              {"grid", orNull(Input.Grid)},
              {"registers", orNull(Input.Registers)},
              {"shared_bytes", orNull(Input.StaticShared)},
              {"dynamic_shared_bytes", orNull(Input.DynamicShared)},
              {"barriers", orNull(Input.Barriers)},
              {"carve_out", orNull(Input.CarveOut)}};
  if (Input.Kernel.empty())
    return Out;
  Out["kernel"] = orNull(Input.LinkageName);
  Out["signature"] = Input.Kernel;
  Out["file"] = orNull(Input.Where.File);
  Out["line"] = Input.Where.Line ? Json(Input.Where.Line) : Json();
  return Out;
}

static bool knowsShared(const LaunchInput &Input) {
  return Input.StaticShared && Input.DynamicShared;
}

/// The members of an occupancy in docs/cuda-lint-1.schema.json.
static void addFigures(const LaunchFigures &Figures, Json &Out) {
  const OccupancyRecord Record = recordOf(Figures);
  Out["blocks_per_sm"] = orNull(Record.BlocksPerSM);
  Out["warps_per_sm"] = orNull(Record.WarpsPerSM);
  Out["ratio"] = orNull(Record.Ratio);
  Out["limiter"] = orNull(Record.Limiter);
  Out["limits"] = {{"warps", orNull(Record.Limits.Warps)},
                   {"blocks", orNull(Record.Limits.Blocks)},
                   {"registers", orNull(Record.Limits.Registers)},
                   {"shared", orNull(Record.Limits.Shared)},
                   {"barriers", orNull(Record.Limits.Barriers)}};
  Out["waves"] = orNull(Record.Waves);
  Out["rounds"] = orNull(Record.Rounds);
  Out["tail_waste"] = orNull(Record.TailWaste);
  Out["next"] = Json::array();
  for (const CliffRecord &Each : Record.Next)
    Out["next"].push_back({{"quantity", Each.Quantity},
                           {"value", Each.Value},
                           {"blocks_per_sm", Each.BlocksPerSM},
                           {"warps_per_sm", Each.WarpsPerSM},
                           {"ratio", Each.Ratio}});
}

static Json unusedOf(const LaunchFigures &Figures) {
  if (!Figures.Result || !Figures.Failures.empty() || Figures.IsAtMost)
    return nullptr;
  return {
      {"warps", Figures.Result->WarpsLeft},
      {"registers",
       Figures.Input.Registers ? Json(Figures.Result->RegistersLeft) : Json()},
      {"shared_bytes",
       knowsShared(Figures.Input) ? Json(Figures.Result->SharedLeft) : Json()}};
}

static Json rowsOf(const OccupancyAnswer &Answer) {
  Json Rows = Json::array();
  for (const SweepRow &Row : Answer.Rows) {
    OccupancyRecord Record = recordOf(Row.At);
    Rows.push_back({{"from", Row.From},
                    {"to", Row.To},
                    {"blocks_per_sm", orNull(Record.BlocksPerSM)},
                    {"warps_per_sm", orNull(Record.WarpsPerSM)},
                    {"ratio", orNull(Record.Ratio)},
                    {"limiter", orNull(Record.Limiter)},
                    {"waves", orNull(Record.Waves)},
                    {"rounds", orNull(Record.Rounds)},
                    {"tail_waste", orNull(Record.TailWaste)},
                    {"time", orNull(Row.At.Time)},
                    {"cliff", Row.At.IsAtMost ? Json() : Json(Row.IsCliff)},
                    {"yours", Row.Yours.has_value()}});
  }
  return {{"over", nameOf(*Answer.Sweep)}, {"rows", std::move(Rows)}};
}

static Json rankingOf(const OccupancyAnswer &Answer) {
  Json Rows = Json::array();
  for (const LaunchFigures &Each : Answer.Ranking)
    Rows.push_back({{"grid", orNull(Each.Input.Grid)},
                    {"block", orNull(Each.Input.Block)},
                    {"time", orNull(Each.Time)},
                    {"warps_per_sm", orNull(recordOf(Each).WarpsPerSM)}});
  return Rows;
}

static Json toJson(const OccupancyAnswer &Answer) {
  const LaunchFigures &Figures = Answer.Figures;
  Json Out = {
      {"schema", "cuda-lint-occupancy/1"},
      {"target",
       {{"name", Figures.Gpu.Name},
        {"compute_capability", toString(Figures.Gpu.Arch->CC)},
        {"sms", orNull(Figures.Gpu.SMs)}}},
      {"input", inputOf(Figures.Input)},
      {"failure", orNull(failureOf(Figures))},
      {"verdict", toJson(Answer.Verdict)},
  };
  addFigures(Figures, Out);
  Out["unused"] = unusedOf(Figures);
  Out["remarks"] = Json::array();
  for (const Remark &Each : remarksOn(Figures))
    Out["remarks"].push_back({{"about", Each.Label}, {"text", Each.Words}});
  if (Answer.Sweep)
    Out["sweep"] = rowsOf(Answer);
  if (!Answer.Ranking.empty())
    Out["ranking"] = rankingOf(Answer);
  return Out;
}

std::string occupancyJson(std::span<const OccupancyAnswer> Answers,
                          bool AsArray) {
  Json Out = Json::array();
  for (const OccupancyAnswer &Each : Answers)
    Out.push_back(toJson(Each));
  if (Answers.size() == 1 && !AsArray)
    Out = Json(Out[0]);
  return Out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

//===----------------------------------------------------------------------===//
// CSV
//===----------------------------------------------------------------------===//

namespace {
/// Cells of one line; what is not known is empty.
class CsvLine {
public:
  CsvLine &cell(std::string_view Text) {
    if (!Line.empty() || !IsFirst)
      Line += ',';
    IsFirst = false;
    // A program that opens the file must not take a name for a formula.
    bool IsFormula = !Text.empty() && std::string_view("=+-@").find(Text[0]) !=
                                          std::string_view::npos;
    if (!IsFormula && Text.find_first_of("\",\r\n") == Text.npos) {
      Line += Text;
      return *this;
    }
    Line += IsFormula ? "\"'" : "\"";
    for (char C : Text)
      Line += C == '"' ? std::string("\"\"") : std::string(1, C);
    Line += '"';
    return *this;
  }

  template <typename T> CsvLine &cell(const std::optional<T> &Value) {
    return cell(Value ? fmt::format("{}", *Value) : std::string());
  }

  CsvLine &cell(const std::optional<Shape> &Value) {
    return cell(Value ? toString(*Value) : std::string());
  }

  std::string take() { return std::move(Line) + "\n"; }

private:
  std::string Line;
  bool IsFirst = true;
};
} // namespace

static constexpr const char *CsvHead =
    "gpu,compute_capability,sms,kernel,file,line,grid,block,registers,"
    "shared_bytes,dynamic_shared_bytes,barriers,carve_out,blocks_per_sm,"
    "warps_per_sm,ratio,limiter,limit_warps,limit_blocks,limit_registers,"
    "limit_shared,limit_barriers,waves,rounds,tail_waste,time,from,to,cliff,"
    "failure\n";

static std::string csvLine(const LaunchFigures &Figures, const SweepRow *Row) {
  const LaunchInput &Input = Figures.Input;
  const OccupancyRecord Record = recordOf(Figures);
  CsvLine Line;
  Line.cell(Figures.Gpu.Name)
      .cell(toString(Figures.Gpu.Arch->CC))
      .cell(Figures.Gpu.SMs)
      .cell(Input.Kernel)
      .cell(Input.Where.File)
      .cell(Input.Where.Line ? std::to_string(Input.Where.Line) : "")
      .cell(Input.Grid)
      .cell(Input.Block)
      .cell(Input.Registers)
      .cell(Input.StaticShared)
      .cell(Input.DynamicShared)
      .cell(Input.Barriers)
      .cell(Input.CarveOut)
      .cell(Record.BlocksPerSM)
      .cell(Record.WarpsPerSM)
      .cell(Record.Ratio)
      .cell(Record.Limiter)
      .cell(Record.Limits.Warps)
      .cell(Record.Limits.Blocks)
      .cell(Record.Limits.Registers)
      .cell(Record.Limits.Shared)
      .cell(Record.Limits.Barriers)
      .cell(Record.Waves)
      .cell(Record.Rounds)
      .cell(Record.TailWaste)
      .cell(Figures.Time)
      .cell(Row ? std::to_string(Row->From) : "")
      .cell(Row ? std::to_string(Row->To) : "")
      .cell(Row && !Figures.IsAtMost ? (Row->IsCliff ? "1" : "0") : "")
      .cell(failureOf(Figures));
  return Line.take();
}

std::string occupancyCsv(std::span<const OccupancyAnswer> Answers) {
  std::string Out = CsvHead;
  for (const OccupancyAnswer &Answer : Answers) {
    for (const SweepRow &Row : Answer.Rows)
      Out += csvLine(Row.At, &Row);
    for (const LaunchFigures &Each : Answer.Ranking)
      Out += csvLine(Each, nullptr);
    if (!Answer.Sweep && Answer.Ranking.empty())
      Out += csvLine(Answer.Figures, nullptr);
  }
  return Out;
}

} // namespace cudalint
