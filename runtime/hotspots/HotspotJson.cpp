//===- runtime/hotspots/HotspotJson.cpp - Hot spots for programs ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/JsonRecords.h"
#include "report/Names.h"
#include "runtime/hotspots/HotspotWriters.h"
#include "runtime/hotspots/StallReasons.h"

namespace cudalint {

static Json toJson(const UnitWork &Work) {
  const char *Counted = Work.What == Resource::L1       ? "sectors"
                        : Work.What == Resource::L2     ? "sectors"
                        : Work.What == Resource::Shared ? "wavefronts"
                                                        : "bytes";
  return {{"unit", nameOf(Work.What)},
          {"counted", Counted},
          {"amount", orNull(Work.Amount)},
          {"amount_at_least", orNull(Work.AtLeast)},
          {"busy_at_least_ns", orNull(Work.Busy)},
          {"peak_share", orNull(Work.PeakShare)}};
}

static Json textOrNull(const Phrase &Said) {
  return Said.isEmpty() ? Json() : Json(inWords(Said));
}

/// Null where nothing was linted.
static Json toJson(const std::vector<LintedFinding> &Findings, bool IsLinted) {
  if (!IsLinted)
    return {};
  Json Out = Json::array();
  for (const auto &[F, Problem] : Findings)
    Out.push_back({{"check", F.Check},
                   {"severity", nameOf(F.Level)},
                   {"file", orNull(F.Where.File)},
                   {"line", placeOrNull(F.Where.Line)},
                   {"what", textOrNull(F.What)},
                   {"cause", textOrNull(F.Cause)},
                   {"remedy", textOrNull(F.Remedy)},
                   {"problem", Problem},
                   {"fingerprint", orNull(F.Fingerprint)}});
  return Out;
}

static Json toJson(const HotLine &Hot, bool IsLinted) {
  return {{"file", orNull(Hot.Line.File)},
          {"line", placeOrNull(Hot.Line.Line)},
          {"space", nameOf(Hot.Line.Space)},
          {"op", nameOf(Hot.Line.Op)},
          {"unit", nameOf(Hot.Unit)},
          {"instructions", orNull(Hot.Instructions)},
          {"requests", orNull(Hot.Requests)},
          {"total", orNull(Hot.Total)},
          {"ideal", orNull(Hot.Ideal)},
          {"wasted", orNull(Hot.Wasted)},
          {"per_request", orNull(Hot.PerRequest)},
          {"ideal_per_request", orNull(Hot.IdealPerRequest)},
          {"wasted_share", orNull(Hot.ShareOfUnit)},
          {"waste_busy_at_least_ns", orNull(Hot.WasteBusy)},
          {"saves_at_most_ns", orNull(Hot.SavesAtMost)},
          {"findings", toJson(Hot.Findings, IsLinted)}};
}

static Json toJson(const SampleSums &Sums) {
  Json Reasons = Json::array();
  for (const ReasonCount &Each : Sums.Reasons)
    Reasons.push_back({{"reason", Each.Name},
                       {"meaning", orNull(std::string(meaningOf(Each.Name)))},
                       {"is_stall", isStall(Each.Name)},
                       {"samples", Each.Samples},
                       {"not_issued", Each.NotIssued},
                       {"share", Sums.share(Each.Samples)}});
  return {{"samples", Sums.Samples},
          {"not_issued", Sums.NotIssued},
          {"reasons", std::move(Reasons)}};
}

/// Null where nothing was sampled.
static Json toJson(const HotStalls &Stalls, bool IsLinted) {
  if (Stalls.Sums.Samples == 0)
    return {};
  Json Out = toJson(Stalls.Sums), Lines = Json::array();
  for (const HotSampledLine &Line : Stalls.Lines) {
    Json Each = toJson(Line.Sums);
    Each["file"] = orNull(Line.File);
    Each["line"] = placeOrNull(Line.Line);
    Each["share"] = Stalls.Sums.share(Line.Sums.Samples);
    Each["findings"] = toJson(Line.Findings, IsLinted);
    Lines.push_back(std::move(Each));
  }
  Out["lines"] = std::move(Lines);
  return Out;
}

static Json toJson(const std::optional<SamplingTotals> &Sampling) {
  if (!Sampling)
    return {};
  return {{"samples", Sampling->Samples},
          {"dropped_samples", Sampling->Dropped},
          {"other_samples", Sampling->Others},
          {"period_cycles",
           {{"least", orNull(Sampling->LeastPeriod)},
            {"most", orNull(Sampling->MostPeriod)}}}};
}

/// Null where nothing was linted for that GPU.
static Json toJson(const std::optional<LintSummary> &Lint) {
  if (!Lint)
    return {};
  return {{"target", Lint->Target},
          {"problems", Lint->Problems},
          {"problems_at_measured_lines", Lint->AtMeasured}};
}

static Json toJson(const HotKernel &Kernel, bool IsLinted) {
  Json Units = Json::array(), Lines = Json::array();
  for (const UnitWork &Each : Kernel.Units)
    Units.push_back(toJson(Each));
  for (const HotLine &Each : Kernel.Lines)
    Lines.push_back(toJson(Each, IsLinted));
  return {{"kernel", Kernel.Name},
          {"signature", Kernel.Signature},
          {"launches", Kernel.Launches},
          {"measured_launches", Kernel.Measured},
          {"uncounted", orNull(Kernel.Uncounted)},
          {"has_lines", Kernel.Measured ? Json(Kernel.HasLines) : Json()},
          {"time_ns", orNull(Kernel.Time)},
          {"time_share", orNull(Kernel.Share)},
          {"registers", orNull(Kernel.Registers)},
          {"warps_per_sm",
           {{"least", orNull(Kernel.LeastWarps)},
            {"most", orNull(Kernel.MostWarps)}}},
          {"achieved_occupancy", orNull(Kernel.Achieved)},
          {"busiest_unit",
           Kernel.Busiest ? Json(nameOf(Kernel.Units[*Kernel.Busiest].What))
                          : Json()},
          {"units", std::move(Units)},
          {"lines", std::move(Lines)},
          {"stalls", toJson(Kernel.Stalls, IsLinted)}};
}

std::string hotspotJson(const HotspotReport &Report) {
  Json Gpus = Json::array(), Runs = Json::array();
  for (const ProgramReport &Each : Report.Runs)
    Runs.push_back(toJson(Each));
  for (const HotGpu &Gpu : Report.Found.Gpus) {
    Json Kernels = Json::array();
    for (const HotKernel &Each : Gpu.Kernels)
      Kernels.push_back(toJson(Each, Gpu.Lint.has_value()));
    Gpus.push_back({{"name", orNull(Gpu.Name)},
                    {"compute_capability", orNull(Gpu.ComputeCapability)},
                    {"sms", orNull(Gpu.SMs)},
                    {"devices", Gpu.Devices},
                    {"boost_mhz", orNull(Gpu.BoostMHz)},
                    {"time_ns", orNull(Gpu.Time)},
                    {"kernels", std::move(Kernels)},
                    {"pc_sampling", toJson(Gpu.Sampling)},
                    {"linter", toJson(Gpu.Lint)}});
  }
  const Json Root = {
      {"schema", "cuda-lint-hotspots/1"},
      {"tool", {{"name", "cuda-lint"}, {"version", CUDA_LINT_VERSION}}},
      {"programs", std::move(Runs)},
      {"counters", Report.Found.HasCounters},
      {"times", Report.Found.HasTimes},
      {"stalls", Report.Found.HasSamples},
      {"problems", toJson(Report.Found.Problems)},
      {"notes", Report.Notes},
      {"gpus", std::move(Gpus)}};
  return Root.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace cudalint
