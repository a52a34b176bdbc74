//===- analyzer/model/AccessWords.cpp - How messages name things ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/model/AccessWords.h"

#include "analyzer/ir/AssumptionNames.h"
#include "analyzer/model/RequestPicture.h"
#include "report/ExtentWords.h"
#include "report/Names.h"

#include <algorithm>
#include <fmt/format.h>

namespace cudalint {

std::string name(const Access &A) { return accessInWords(A.Op, A.Source.Text); }

std::string_view globalUnit(const Architecture &Arch) {
  return Arch.CC.Major >= 5 ? "sectors" : "transactions";
}

namespace {
/// A phrase about the pattern, in the making.
struct PatternWords {
  Phrase Said;
  bool InWords = false;

  /// `{stride_bytes byte}`, of which the value is entered. A number that was
  /// made up is nothing to tell.
  std::string distance(const std::string &Name, std::int64_t Bytes,
                       const LanePattern::MadeUp &MadeUp,
                       const std::string &Symbol) {
    if (MadeUp.Is && MadeUp.BytesPerUnit == 0)
      return "a run-time distance";
    const std::int64_t Size = std::abs(MadeUp.Is ? MadeUp.BytesPerUnit : Bytes);
    if (MadeUp.Is) {
      Said.Values.emplace_back(Name + "_bytes_per_unit", Size);
      Said.Values.emplace_back(Name + "_unit", Symbol);
      return fmt::format("{{{0}_bytes_per_unit}} * '{{{0}_unit}}' bytes", Name);
    }
    const bool Whole = InWords && Size != 0 && Size % 4 == 0;
    const char *const Unit = Whole ? "word" : "byte";
    Said.Values.emplace_back(fmt::format("{}_{}s", Name, Unit),
                             Whole ? Size / 4 : Size);
    return fmt::format("{{{0}_{1}s {1}}}", Name, Unit);
  }
};
} // namespace

static Phrase rowsInWords(const LanePattern &P, bool InWords) {
  PatternWords Words{{"rows-of-lanes", "", {{"row_lanes", P.RowLanes}}},
                     InWords};
  const std::string Apart =
      P.RowStride == 0
          ? "at the same addresses"
          : fmt::format("that are {} apart",
                        Words.distance("row_stride", P.RowStride,
                                       P.RowStrideMadeUp, P.Symbol));
  const std::string Within =
      P.Stride == 0 ? "at one address"
                    : fmt::format("{} from lane to lane",
                                  Words.distance("stride", P.Stride,
                                                 P.StrideMadeUp, P.Symbol));
  Words.Said.Text = fmt::format(
      "lanes form rows of {{row_lanes}} {}, {} within a row", Apart, Within);
  return Words.Said;
}

Phrase describe(const LanePattern &P, bool InWords) {
  switch (P.Kind) {
  case LanePattern::Lone:
    return {"lone-lane", "one lane is active", {}};
  case LanePattern::Same:
    return {"same-address", "all lanes are at one address", {}};
  case LanePattern::Strided: {
    PatternWords Words{{"strided-lanes", "", {}}, InWords};
    Words.Said.Text = fmt::format(
        "neighbouring {}lanes are {} apart", P.HasGaps ? "active " : "",
        Words.distance("stride", P.Stride, P.StrideMadeUp, P.Symbol));
    return Words.Said;
  }
  case LanePattern::Rows:
    return rowsInWords(P, InWords);
  case LanePattern::Scattered:
    return {"scattered-lanes", "the lanes are at irregular distances", {}};
  }
  return {};
}

std::string hedge(const Architecture &Arch, const Access &A) {
  static constexpr double NoMatter = 1.02;
  const bool IsOfSomeTurns = assumes(A.Assumptions, ModelLimit::FirstTurns) ||
                             assumes(A.Assumptions, ModelLimit::SomeTurns);
  const bool IsBound = assumes(A.Assumptions, ModelLimit::AllLanesByData);
  const auto Costliest =
      IsOfSomeTurns || IsBound ? exampleOf(Arch, A) : std::nullopt;
  const bool IsMean = Costliest && A.Predicted &&
                      Costliest->Cost > NoMatter * A.Predicted->PerRequest;
  if (IsMean && IsOfSomeTurns)
    return "about ";
  if (!IsBound)
    return "";
  return IsMean ? "on average up to " : "up to ";
}

std::string shapeNote(bool IsOfShape, const Access &A) {
  if (!IsOfShape)
    return {};
  return " in blocks of " + shape(A.Block);
}

std::string launchNote(bool IsOfLaunch) {
  return IsOfLaunch ? " in some launches" : "";
}

} // namespace cudalint
