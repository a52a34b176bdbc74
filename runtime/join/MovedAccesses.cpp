//===- runtime/join/MovedAccesses.cpp - Not where they stand --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/join/MovedAccesses.h"

#include "report/Names.h"
#include "runtime/join/Names.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace cudalint {

/// How many lines an `if` and its `else` may be apart.
static constexpr unsigned NearBy = 16;

std::optional<MeasuredLine>
unusedOfToolkit(std::span<const MeasuredLine> Lines,
                const std::set<const MeasuredLine *> &Used, MemorySpace Space,
                AccessOp Op) {
  std::optional<MeasuredLine> Sum;
  for (const MeasuredLine &Row : Lines) {
    if (Row.Space != Space || Row.Op != Op || Used.contains(&Row) ||
        !isToolkitHeader(Row.File))
      continue;
    if (Sum)
      addCounts(*Sum, Row);
    else
      Sum = Row;
  }
  return Sum;
}

static bool isOfKind(const AbsentAccesses &Each, MemorySpace Space,
                     AccessOp Op) {
  return Each.front()->Space == Space && Each.front()->Op == Op;
}

void judgeInToolkit(std::span<const AccessRecord *const> Of,
                    std::span<const AbsentAccesses> Absent,
                    const MeasuredLine &Header, const LaunchPremise &Launches,
                    const Tolerance &Allowed, LineVerdict &Out) {
  std::string Name = Header.File.substr(Header.File.rfind('/') + 1);
  auto Callers = std::ranges::count_if(Absent, [&](const auto &Each) {
    return isOfKind(Each, Out.Space, Out.Op);
  });
  if (Callers != 1) {
    Out.Kind = VerdictKind::Inconclusive;
    Out.Why = fmt::format("no {} {} of this line was executed; its instruction "
                          "may stand in {}, which other lines call, too",
                          nameOf(Out.Space), nameOf(Out.Op), Name);
    return;
  }
  describeMeasurement(Header, Out.Unit, Out);
  judge(Of, Launches, Allowed, Out);
  if (Out.Kind == VerdictKind::Refuted)
    Out.Kind = VerdictKind::Inconclusive;
  Out.Why = fmt::format("measured in {}, which it calls{}{}", Name,
                        Out.Why.empty() ? "" : ": ", Out.Why);
}

void forgiveMerged(std::span<const AbsentAccesses> Absent,
                   const Tolerance &Allowed, std::vector<LineVerdict> &Lines) {
  for (LineVerdict &V : Lines)
    for (const AbsentAccesses &Of : Absent) {
      const Location &Where = Of.front()->Where;
      unsigned By = Where.Line > V.Where.Line ? Where.Line - V.Where.Line
                                              : V.Where.Line - Where.Line;
      if (V.Kind != VerdictKind::Refuted || !isOfKind(Of, V.Space, V.Op) ||
          Where.File != V.Where.File || By > NearBy)
        continue;
      double Most = *V.PerRequest;
      for (const AccessRecord *Access : Of)
        Most += Access->PerRequest.value_or(INFINITY);
      if (*V.MeasuredPerRequest > Most * (1 + Allowed.Assumed))
        continue;
      V.Kind = VerdictKind::Inconclusive;
      V.Why = fmt::format("no {} {} of line {} was executed: the compiler may "
                          "have merged it with this one",
                          nameOf(V.Space), nameOf(V.Op), Where.Line);
    }
}

bool isMoved(std::span<const AbsentAccesses> Absent, const LineVerdict &Found,
             const Tolerance &Allowed) {
  return std::ranges::any_of(Absent, [&](const AbsentAccesses &Of) {
    if (!isOfKind(Of, Found.Space, Found.Op))
      return false;
    if (isToolkitHeader(Found.Where.File))
      return true;
    LineVerdict There;
    describePrediction(Of, There);
    There.Requests = Found.Requests;
    There.MeasuredPerRequest = Found.MeasuredPerRequest;
    There.MeasuredIdeal = Found.MeasuredIdeal;
    judge(Of, {}, Allowed, There);
    return There.Kind == VerdictKind::Confirmed;
  });
}

} // namespace cudalint
