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
#include "runtime/join/VerdictRules.h"

#include <algorithm>
#include <fmt/format.h>

namespace cudalint {

std::optional<CountedLine>
unusedOfToolkit(std::span<const CountedLine> Lines,
                const std::set<const CountedLine *> &Used, MemorySpace Space,
                AccessOp Op) {
  std::optional<CountedLine> Sum;
  for (const CountedLine &Row : Lines) {
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

static bool areOfKind(const AbsentAccesses &Each, MemorySpace Space,
                      AccessOp Op) {
  return Each.front()->Space == Space && Each.front()->Op == Op;
}

void judgeInToolkit(std::span<const AccessRecord *const> Of,
                    std::span<const AbsentAccesses> Absent,
                    const CountedLine &Header, const LaunchPremise &Launches,
                    const Tolerance &Allowed, LineVerdict &Out) {
  std::string Name = Header.File.substr(Header.File.rfind('/') + 1);
  auto Callers = std::ranges::count_if(Absent, [&](const auto &Each) {
    return areOfKind(Each, Out.Space, Out.Op);
  });
  if (Callers != 1) {
    Out.Kind = VerdictKind::Inconclusive;
    Out.Rule = "toolkit";
    Out.Why = fmt::format("no {} {} of this line was executed; its instruction "
                          "may stand in {}, which other lines call, too",
                          nameOf(Out.Space), nameOf(Out.Op), Name);
    return;
  }
  describeMeasurement(Header, Out.Unit, Out);
  judge(Of, Launches, Allowed, Out);
  if (Out.Kind == VerdictKind::Refuted) {
    Out.Kind = VerdictKind::Inconclusive;
    Out.Rule = "toolkit";
  }
  Out.Why = fmt::format("measured in {}, which it calls{}{}", Name,
                        Out.Why.empty() ? "" : ": ", Out.Why);
}

void forgiveMerged(std::span<const AbsentAccesses> Gone, bool IsOfCode,
                   const Tolerance &Allowed, std::vector<LineVerdict> &Lines) {
  for (LineVerdict &V : Lines) {
    if (V.Kind != VerdictKind::Refuted)
      continue;
    for (const AbsentAccesses &Of : Gone) {
      if (!areOfKind(Of, V.Space, V.Op) ||
          Of.front()->Where.File != V.Where.File)
        continue;
      const MovedFacts F = {
          .V = V, .Gone = Of, .IsOfCode = IsOfCode, .Allowed = Allowed};
      const Rule<MovedFacts> &By = decide(movedRules(), F);
      if (By.Verdict == VerdictKind::Refuted)
        continue;
      std::string Why = By.Why(F);
      V.Kind = By.Verdict;
      V.Rule = By.Name;
      V.Why = std::move(Why);
      break;
    }
  }
}

bool isMoved(std::span<const AbsentAccesses> Absent, const LineVerdict &Found,
             const Tolerance &Allowed) {
  return std::ranges::any_of(Absent, [&](const AbsentAccesses &Of) {
    if (!areOfKind(Of, Found.Space, Found.Op))
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
