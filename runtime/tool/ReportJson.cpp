//===- runtime/tool/ReportJson.cpp - Verdicts for programs ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/JsonRecords.h"
#include "report/Names.h"
#include "runtime/measure/RunRecords.h"
#include "runtime/tool/Report.h"

#include <fmt/format.h>

namespace cudalint {

static Json toJson(const std::vector<MeasuredDevice> &Parts) {
  Json Out = Json::array();
  for (const MeasuredDevice &Each : Parts)
    Out.push_back({{"host", orNull(Each.Host)},
                   {"uuid", orNull(Each.Uuid)},
                   {"index", Each.Index},
                   {"processes", Each.Processes},
                   {"ranks", Each.Ranks},
                   {"launches", Each.Launches},
                   {"measured_launches", Each.MeasuredLaunches},
                   {"requests", Each.Requests}});
  return Out;
}

static Json toJson(const VerdictCounts &C) {
  return {{"confirmed", C.Confirmed},
          {"refuted", C.Refuted},
          {"inconclusive", C.Inconclusive},
          {"not_measured", C.NotMeasured},
          {"missed", C.Missed},
          {"measured", C.MeasuredOnly}};
}

static Json toJson(const LineVerdict &V) {
  return {{"kernel", V.Kernel},
          {"file", orNull(V.Where.File)},
          {"line", V.Where.Line ? Json(V.Where.Line) : Json()},
          {"whole_kernel", V.IsWholeKernel},
          {"space", nameOf(V.Space)},
          {"op", nameOf(V.Op)},
          {"unit", nameOf(V.Unit)},
          {"verdict", nameOf(V.Kind)},
          {"rule", orNull(std::string(V.Rule))},
          {"why", orNull(V.Why)},
          {"sums", nameOf(V.Sums)},
          {"predicted",
           {{"accesses", V.Accesses},
            {"per_request", orNull(V.PerRequest)},
            {"ideal", orNull(V.Ideal)},
            {"requests", orNull(V.PredictedRequests)},
            {"total", orNull(V.PredictedTotal)},
            {"certainty", V.Accesses ? Json(nameOf(V.Trust)) : Json()},
            {"assumptions", V.Assumptions}}},
          {"measured",
           {{"counter", orNull(std::string(V.Counter))},
            {"instructions", orNull(V.Instructions)},
            {"requests", orNull(V.Requests)},
            {"total", orNull(V.Total)},
            {"ideal_total", orNull(V.IdealTotal)},
            {"all_requests", orNull(V.AllRequests)},
            {"all_total", orNull(V.AllTotal)},
            {"per_request", orNull(V.MeasuredPerRequest)},
            {"ideal", orNull(V.MeasuredIdeal)},
            {"lanes", orNull(V.MeasuredLanes)}}}};
}

static Json toJson(const std::optional<ProfileDuration> &Time) {
  if (!Time)
    return nullptr;
  return {{"min", Time->Min},
          {"median", Time->Median},
          {"max", Time->Max},
          {"samples", Time->Samples}};
}

static Json toJson(const CheckedLaunch &V) {
  const ProfileLaunch &Launch = V.Launch;
  return {{"grid", Launch.Grid},
          {"block", Launch.Block},
          {"dynamic_shared_bytes", orNull(Launch.DynamicShared)},
          {"count", Launch.Number},
          {"verdict", nameOf(V.Kind)},
          {"why", orNull(V.Why)},
          {"predicted",
           {{"blocks_per_sm", orNull(V.PredictedBlocks)},
            {"warps_per_sm", orNull(V.PredictedWarps)},
            {"occupancy", orNull(V.PredictedOccupancy)},
            {"limiter", orNull(V.PredictedLimiter)},
            {"waves", orNull(V.PredictedWaves)}}},
          {"measured",
           {{"blocks_per_sm", orNull(Launch.BlocksPerSM)},
            {"warps_per_sm", orNull(V.MeasuredWarps)},
            {"waves", orNull(V.MeasuredWaves)},
            {"range_launches", Launch.Ranged},
            {"achieved_occupancy", orNull(Launch.Achieved)},
            {"dram_bytes", orNull(Launch.DramBytes)}}},
          {"duration_ns", toJson(Launch.Duration)},
          {"total_ns", orNull(Launch.Total)}};
}

static Json toJson(const CountedLine &Sum) {
  return {{"instructions", orNull(Sum.Instructions)},
          {"requests", orNull(Sum.Requests)},
          {"sectors", orNull(Sum.Sectors)},
          {"ideal_sectors", orNull(Sum.IdealSectors)},
          {"wavefronts", orNull(Sum.Wavefronts)},
          {"ideal_wavefronts", orNull(Sum.IdealWavefronts)}};
}

static Json toJson(const UnitSum &Sum) {
  return {{"space", nameOf(Sum.Space)},
          {"op", Sum.Op ? Json(nameOf(*Sum.Op)) : Json()},
          {"unit", nameOf(Sum.Unit)},
          {"counted", Sum.Counted},
          {"hardware", Sum.Hardware},
          {"scaled", Sum.IsScaled}};
}

static Json toJson(const KernelVerdict &Kernel) {
  Json Launches = Json::array(), Units = Json::array();
  for (const UnitSum &Each : Kernel.Units)
    Units.push_back(toJson(Each));
  for (const CheckedLaunch &Each : Kernel.Launched)
    Launches.push_back(toJson(Each));
  return {{"kernel", Kernel.Name},
          {"signature", orNull(Kernel.Signature)},
          {"predicted", Kernel.WasPredicted},
          {"launches", Kernel.Launches},
          {"measured_launches", Kernel.MeasuredLaunches},
          {"threads", Kernel.Threads},
          {"measured_threads", Kernel.MeasuredThreads},
          {"scale", Kernel.Scale},
          {"uncounted", orNull(Kernel.Uncounted)},
          {"has_lines", Kernel.HasLines},
          {"registers",
           {{"predicted", orNull(Kernel.PredictedRegisters)},
            {"measured", orNull(Kernel.MeasuredRegisters)},
            {"verdict", nameOf(Kernel.Registers)}}},
          {"traffic",
           {{"global", toJson(Kernel.Traffic[0])},
            {"shared", toJson(Kernel.Traffic[1])},
            {"local", toJson(Kernel.Traffic[2])},
            {"generic", toJson(Kernel.Traffic[3])}}},
          {"units", std::move(Units)},
          {"shapes", std::move(Launches)}};
}

static std::string dump(const Json &Value) {
  return Value.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string confirmJson(const ConfirmReport &Report) {
  Json Gpus = Json::array();
  for (const GpuVerdict &Gpu : Report.Result.Gpus) {
    Json Kernels = Json::array(), Lines = Json::array();
    for (const KernelVerdict &Each : Gpu.Kernels)
      Kernels.push_back(toJson(Each));
    for (const LineVerdict &Each : Gpu.Lines)
      Lines.push_back(toJson(Each));
    Gpus.push_back({{"name", orNull(Gpu.Name)},
                    {"compute_capability", orNull(Gpu.ComputeCapability)},
                    {"sms", orNull(Gpu.SMs)},
                    {"devices", Gpu.Devices},
                    {"parts", toJson(Gpu.Parts)},
                    {"target", orNull(Gpu.TargetName)},
                    {"counts",
                     {{"lines", toJson(Gpu.LineCounts)},
                      {"sums", toJson(Gpu.SumCounts)},
                      {"occupancy", toJson(Gpu.LaunchCounts)},
                      {"registers", toJson(Gpu.RegisterCounts)}}},
                    {"lines", std::move(Lines)},
                    {"kernels", std::move(Kernels)}});
  }
  return dump(
      {{"schema", "cuda-lint-confirm/1"},
       {"tool", {{"name", "cuda-lint"}, {"version", CUDA_LINT_VERSION}}},
       {"program", Report.Program ? toJson(*Report.Program) : Json()},
       {"tolerance",
        {{"assumed", Report.Allowed.Assumed}, {"exact", Report.Allowed.Exact}}},
       {"counters", Report.Result.HasCounters},
       {"problems", toJson(Report.Result.Problems)},
       {"notes", Report.Result.Notes},
       {"coverage",
        {{"wanted", Report.Result.coverage().Wanted},
         {"counted", Report.Result.coverage().Counted}}},
       {"gpus", std::move(Gpus)}});
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

static Json toJson(const KernelTotals &Kernel) {
  return {{"kernel", Kernel.Name},
          {"signature", orNull(Kernel.Signature)},
          {"launches", Kernel.Launches},
          {"measured_launches", Kernel.MeasuredLaunches},
          {"registers", orNull(Kernel.Registers)},
          {"warps_per_sm", orNull(Kernel.WarpsPerSM)},
          {"achieved_occupancy", orNull(Kernel.Achieved)},
          {"dram_bytes_per_launch", orNull(Kernel.DramBytes)},
          {"global", toJson(Kernel.Global)},
          {"shared", toJson(Kernel.Shared)},
          {"local", toJson(Kernel.Local)},
          {"duration_ns", toJson(Kernel.Time)}};
}

static const char *timeVerdictName(TimeVerdict Verdict) {
  switch (Verdict) {
  case TimeVerdict::Faster:
    return "faster";
  case TimeVerdict::Neutral:
    return "neutral";
  case TimeVerdict::Slower:
    return "slower";
  case TimeVerdict::Inconclusive:
    return "inconclusive";
  }
  return "";
}

static Json toJson(const TimeComparison &Times, std::size_t Pairs) {
  return {{"pairs", Pairs},
          {"ratio", Times.Ratio},
          {"low", Times.Low},
          {"high", Times.High}};
}

static Json toJson(const GateFault &Fault) {
  return {{"gate", nameOf(Fault.Gate)},
          {"signature", orNull(Fault.Signature)},
          {"verdict", Fault.IsUndecided ? "undecided" : "worse"},
          {"message", Fault.Message}};
}

std::string compareJson(const CompareReport &Report) {
  Json Kernels = Json::array(), Programs = Json::array();
  Json Faults = Json::array();
  for (const GateFault &Each : Report.Faults)
    Faults.push_back(toJson(Each));
  for (const ProgramReport &Each : Report.Programs)
    Programs.push_back(toJson(Each));
  for (const KernelPair &Pair : Report.Pairs) {
    Json Verdict, Times;
    if (Pair.Before && Pair.After) {
      const KernelTotals &Before = Report.Before[*Pair.Before];
      const KernelTotals &After = Report.After[*Pair.After];
      const std::optional<TimeComparison> Its = compareTimes(Before, After);
      Verdict = Its ? timeVerdictName(Its->Verdict) : "unknown";
      if (Its)
        Times = toJson(*Its, Before.Runs.size());
    }
    Kernels.push_back(
        {{"matched_because", orNull(Pair.Why)},
         {"time", std::move(Verdict)},
         {"times", std::move(Times)},
         {"before", Pair.Before ? toJson(Report.Before[*Pair.Before]) : Json()},
         {"after", Pair.After ? toJson(Report.After[*Pair.After]) : Json()}});
  }
  return dump(
      {{"schema", "cuda-lint-compare/1"},
       {"tool", {{"name", "cuda-lint"}, {"version", CUDA_LINT_VERSION}}},
       {"programs", std::move(Programs)},
       {"problems", toJson(Report.Problems)},
       {"faults", std::move(Faults)},
       {"sm_clocks_mhz",
        {{"before", Report.ClocksBefore}, {"after", Report.ClocksAfter}}},
       {"kernels", std::move(Kernels)}});
}

} // namespace cudalint
