//===- analyzer/checks/AccessWords.cpp - How messages name things --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/AccessWords.h"

#include <fmt/format.h>

#include <cmath>

namespace cudalint {

std::string number(double Value) {
  const double Tenths = std::round(Value * 10);
  if (std::fmod(Tenths, 10) == 0)
    return fmt::format("{:.0f}", Tenths / 10);
  return fmt::format("{:.1f}", Tenths / 10);
}

std::string counted(std::uint64_t Count, std::string_view Noun) {
  return fmt::format("{} {}{}", Count, Noun, Count == 1 ? "" : "s");
}

std::string_view operation(AccessOp Op) {
  switch (Op) {
  case AccessOp::Load:
    return "load";
  case AccessOp::Store:
    return "store";
  case AccessOp::Atomic:
    return "atomic";
  }
  return "access";
}

std::string name(const Access &A) {
  if (A.Source.Text.empty())
    return std::string(operation(A.Op));
  return fmt::format("{} {} '{}'", operation(A.Op),
                     A.Op == AccessOp::Load    ? "of"
                     : A.Op == AccessOp::Store ? "to"
                                               : "on",
                     A.Source.Text);
}

std::string_view globalUnit(const Architecture &Arch) {
  return Arch.CC.Major >= 5 ? "sectors" : "transactions";
}

static std::string distance(std::int64_t Bytes, bool InWords) {
  const std::uint64_t Size = static_cast<std::uint64_t>(std::abs(Bytes));
  if (InWords && Size != 0 && Size % 4 == 0)
    return counted(Size / 4, "word");
  return counted(Size, "byte");
}

/// A number that was made up is nothing to tell.
static std::string distance(std::int64_t Bytes, bool InWords,
                            const LanePattern::MadeUp &MadeUp,
                            const std::string &Symbol) {
  if (!MadeUp.Is)
    return distance(Bytes, InWords);
  if (MadeUp.BytesPerUnit == 0)
    return "a run-time distance";
  return fmt::format("{} * '{}' bytes", std::abs(MadeUp.BytesPerUnit), Symbol);
}

std::string describe(const LanePattern &P, bool InWords) {
  switch (P.Kind) {
  case LanePattern::Lone:
    return "one lane is active";
  case LanePattern::Same:
    return "all lanes are at one address";
  case LanePattern::Strided:
    return fmt::format("neighbouring {}lanes are {} apart",
                       P.HasGaps ? "active " : "",
                       distance(P.Stride, InWords, P.StrideMadeUp, P.Symbol));
  case LanePattern::Rows:
    return fmt::format(
        "lanes form rows of {} {}, {} within a row", P.RowLanes,
        P.RowStride == 0 ? std::string("at the same addresses")
                         : fmt::format("that are {} apart",
                                       distance(P.RowStride, InWords,
                                                P.RowStrideMadeUp, P.Symbol)),
        P.Stride == 0 ? std::string("at one address")
                      : fmt::format("{} from lane to lane",
                                    distance(P.Stride, InWords, P.StrideMadeUp,
                                             P.Symbol)));
  case LanePattern::Scattered:
    return "the lanes are at irregular distances";
  }
  return {};
}

std::string shape(const Extent &E) {
  // Trailing dimensions of 1 are what nobody writes.
  std::size_t Last = 3;
  while (Last > 1 && E[Last - 1] == 1)
    --Last;
  std::string Text;
  for (std::size_t I = 0; I < Last; ++I)
    Text += fmt::format("{}{}", I == 0 ? "" : "x",
                        E[I] ? std::to_string(*E[I]) : "?");
  return Text;
}

std::string shapeNote(bool HasSeveralShapes, const Access &A) {
  if (!HasSeveralShapes)
    return {};
  return fmt::format(" in blocks of {}",
                     shape({A.Block[0], A.Block[1], A.Block[2]}));
}

} // namespace cudalint
