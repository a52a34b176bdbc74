//===- runtime/join/Verdict.cpp - What the GPU says of predictions --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/join/Verdict.h"

namespace cudalint {

std::string_view whyUncounted(std::string_view Reason) {
  if (Reason == "overhead")
    return "what --overhead allows was spent on others; allow more, or choose "
           "by --kernel";
  if (Reason == "cost")
    return "to count one launch takes longer than --overhead allows; allow "
           "more, count --launches=1, or make the program's data smaller";
  if (Reason == "busy")
    return "the GPU was never idle before a launch, and to start counting has "
           "to wait for that; count --launches=all";
  if (Reason == "graph")
    return "kernels of graphs are counted only with --launches=all, and not if "
           "the program calls cudaGraphUpload";
  if (Reason == "waits")
    return "it may wait for launches after it, or for one on another GPU, "
           "which would hang while it is counted; if it does not, count "
           "--launches=all";
  if (Reason == "lost")
    return "the counts could not be read: the problems say why";
  return "none of its launches was chosen";
}

std::string_view nameOf(VerdictKind Kind) {
  switch (Kind) {
  case VerdictKind::Confirmed:
    return "confirmed";
  case VerdictKind::Refuted:
    return "refuted";
  case VerdictKind::Inconclusive:
    return "inconclusive";
  case VerdictKind::NotMeasured:
    return "not_measured";
  case VerdictKind::Missed:
    return "missed";
  case VerdictKind::MeasuredOnly:
    return "measured";
  }
  return {};
}

static std::optional<double> quotient(std::optional<double> A,
                                      std::optional<double> B) {
  if (!A || !B || *B == 0)
    return std::nullopt;
  return *A / *B;
}

std::optional<double> LineVerdict::predictedRatio() const {
  return quotient(PerRequest, Ideal);
}

std::optional<double> LineVerdict::measuredRatio() const {
  return quotient(MeasuredPerRequest, MeasuredIdeal);
}

void VerdictCounts::add(VerdictKind Kind) {
  switch (Kind) {
  case VerdictKind::Confirmed:
    ++Confirmed;
    break;
  case VerdictKind::Refuted:
    ++Refuted;
    break;
  case VerdictKind::Inconclusive:
    ++Inconclusive;
    break;
  case VerdictKind::NotMeasured:
    ++NotMeasured;
    break;
  case VerdictKind::Missed:
    ++Missed;
    break;
  case VerdictKind::MeasuredOnly:
    ++MeasuredOnly;
    break;
  }
}

} // namespace cudalint
