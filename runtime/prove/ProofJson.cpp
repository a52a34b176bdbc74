//===- runtime/prove/ProofJson.cpp - Proofs for programs ------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/JsonRecords.h"
#include "report/Names.h"
#include "runtime/prove/ProofWriters.h"

namespace cudalint {

template <typename T> static Json toJson(const Change<T> &Both) {
  return {{"before", orNull(Both.Before)}, {"after", orNull(Both.After)}};
}

static Json toJson(const TimeSpread &Spread) {
  return {{"median_ns", Spread.Median},
          {"min_ns", Spread.Least},
          {"max_ns", Spread.Most}};
}

static Json toJson(const std::optional<TimeComparison> &Times) {
  if (!Times)
    return {};
  return {
      {"before", toJson(Times->Before)},
      {"after", toJson(Times->After)},
      {"ratio",
       {{"median", Times->Ratio}, {"low", Times->Low}, {"high", Times->High}}}};
}

static Json toJson(const ResourceChange &Each) {
  return {{"kernel", Each.Kernel},
          {"registers", toJson(Each.Registers)},
          {"shared_bytes", toJson(Each.SharedBytes)},
          {"local_bytes", toJson(Each.LocalBytes)},
          {"warps_per_sm", toJson(Each.Warps)}};
}

static const char *nameOf(ResultsKind Kind) {
  switch (Kind) {
  case ResultsKind::Unknown:
    return "unknown";
  case ResultsKind::Equal:
    return "equal";
  case ResultsKind::Differ:
    return "differ";
  }
  return "";
}

static Json toJson(const Proof &Each) {
  const ProofSubject &About = Each.About;
  Json Resources = Json::array();
  for (const ResourceChange &Of : Each.Resources)
    Resources.push_back(toJson(Of));
  return {{"file", orNull(About.Where.File)},
          {"line", placeOrNull(About.Where.Line)},
          {"column", placeOrNull(About.Where.Column)},
          {"check", About.Check},
          {"fingerprint", orNull(About.Fingerprint)},
          {"description", About.Description},
          {"kernels", About.Kernels},
          {"verdict", nameOf(Each.Verdict)},
          {"why", orNull(Each.Why)},
          {"analysis", orNull(Each.Analysis)},
          {"builds",
           Each.Verdict == ProofVerdict::Refused ? Json() : Json(Each.IsBuilt)},
          {"resources", std::move(Resources)},
          {"results", nameOf(Each.Results)},
          {"results_why", orNull(Each.ResultsWhy)},
          {"unit", About.Unit ? Json(nameOf(*About.Unit)) : Json()},
          {"predicted", toJson(Each.Predicted)},
          {"measured", toJson(Each.Measured)},
          {"lines", {{"confirmed", Each.Confirmed}, {"refuted", Each.Refuted}}},
          {"times", toJson(Each.Times)}};
}

std::string proofJson(const ProofReport &Report) {
  Json Fixes = Json::array();
  for (const Proof &Each : Report.Fixes)
    Fixes.push_back(toJson(Each));
  const Json Out = {
      {"schema", "cuda-lint-prove/1"},
      {"tool", {{"name", "cuda-lint"}, {"version", CUDA_LINT_VERSION}}},
      {"gpu", orNull(Report.Gpu)},
      {"build", Report.Build},
      {"program", Report.Program},
      {"runs", Report.Runs},
      {"fixes", std::move(Fixes)},
      {"notes", Report.Notes}};
  // Words of others may be no UTF-8.
  return Out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace cudalint
