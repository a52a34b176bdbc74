//===- analyzer/remedy/StructAlignment.cpp - Fewer words ------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/remedy/StructAlignment.h"

#include "analyzer/model/LanePattern.h"

#include <bit>
#include <cmath>
#include <cstdlib>

namespace cudalint {

bool stepsOverStructs(const RequestSample &S, std::int64_t Size) {
  const int First = std::countr_zero(S.ActiveMask);
  for (int Lane = First; Lane < static_cast<int>(WarpSize); ++Lane)
    if (S.ActiveMask >> Lane & 1 &&
        (S.Offset[Lane] - S.Offset[First]) % Size != 0)
      return false;
  return true;
}

std::uint64_t usefulAlignment(const FieldFact &Field) {
  const std::uint64_t Size = Field.StructBytes;
  const std::uint64_t Align = Size == 12 || Size % 16 == 0 ? 16
                              : Size % 8 == 0              ? 8
                                                           : 0;
  return Align > Field.StructAlign ? Align : 0;
}

std::uint64_t roundUp(std::uint64_t Value, std::uint64_t Unit) {
  return (Value + Unit - 1) / Unit * Unit;
}

double growth(const FieldFact &Field, std::uint64_t Align) {
  return static_cast<double>(roundUp(Field.StructBytes, Align)) /
         static_cast<double>(Field.StructBytes);
}

Phrase alignmentEffect(const FieldFact &Field, std::uint64_t Align,
                       std::size_t Requests, std::size_t Then) {
  const bool IsSameSize =
      roundUp(Field.StructBytes, Align) == Field.StructBytes;
  Phrase Said{"align-struct",
              "'__align__({alignment})' on '{struct}' makes {requests_then "
              "request} of the {requests}, ",
              {{"alignment", Align},
               {"struct", Field.Struct},
               {"requests_then", Then},
               {"requests", Requests}}};
  Said.Text +=
      IsSameSize ? "at the same size" : "but moves {percent_more} % more bytes";
  if (!IsSameSize)
    Said.Values.emplace_back("percent_more",
                             std::round(100 * growth(Field, Align) - 100));
  return Said;
}

/// The requests of a copy of a whole struct in pieces of \p Bytes.
static std::size_t copyRequests(const Access &A, std::uint64_t Bytes) {
  return (A.Source.Whole->StructBytes + Bytes - 1) / Bytes;
}

std::uint64_t alignmentOfCopy(const Access &A) {
  const std::optional<FieldFact> &Whole = A.Source.Whole;
  if (A.Source.Field || !Whole || Whole->StructBytes == 0 ||
      A.Op == AccessOp::Atomic || Whole->CopiesItself ||
      Whole->AlignPoint.File.empty() || A.Samples.empty())
    return 0;
  const RequestSample &S = A.Samples.front();
  const std::uint64_t Align = usefulAlignment(*Whole);
  // What grows moves more bytes (docs/validation/remedies-h200.md).
  return Align > A.Bytes && S.ActiveMask != 0 &&
                 Whole->StructBytes % Align == 0 &&
                 stepsOverStructs(
                     S, static_cast<std::int64_t>(Whole->StructBytes)) &&
                 3 * copyRequests(A, Align) <= 2 * copyRequests(A, A.Bytes)
             ? Align
             : 0;
}

/// Whether lanes take structs side by side, each of them in several pieces.
static bool isPieceOfCopy(const Access &A) {
  const std::optional<FieldFact> &Whole = A.Source.Whole;
  if (A.Source.Field || !Whole || A.Op == AccessOp::Atomic || Whole->IsFixed ||
      A.Samples.empty() || Whole->StructBytes <= A.Bytes)
    return false;
  const LanePattern P = lanePattern(A.Samples.front());
  return !P.StrideMadeUp.Is &&
         static_cast<std::uint64_t>(std::abs(P.Stride)) == Whole->StructBytes;
}

std::optional<GroupRemedy> copyRemedy(const Access &A) {
  const std::uint64_t Align = alignmentOfCopy(A);
  if (Align == 0 && isPieceOfCopy(A)) {
    GroupRemedy Apart = {
        .Said = {"fields-apart",
                 "keep the fields of '{struct}' in arrays of their own, or "
                 "copy through shared memory with neighbouring lanes on "
                 "neighbouring words",
                 {{"struct", A.Source.Whole->Struct}}},
        .MaySaveNothing = A.Op == AccessOp::Load};
    if (Apart.MaySaveNothing)
      Apart.Said.Text += ", which may save no time";
    return Apart;
  }
  if (Align == 0)
    return std::nullopt;
  const std::size_t Now = copyRequests(A, A.Bytes);
  GroupRemedy R = {
      .Said =
          alignmentEffect(*A.Source.Whole, Align, Now, copyRequests(A, Align)),
      .Effect =
          RemedyEffect{.Object = A.Source.Object,
                       .Unit = "requests_per_warp",
                       .Before = static_cast<double>(Now),
                       .After = static_cast<double>(copyRequests(A, Align)),
                       .BlocksPerSMBefore = std::nullopt,
                       .BlocksPerSMAfter = std::nullopt},
      .MaySaveNothing = A.Op == AccessOp::Load};
  // What one of them fetches is what the next one takes.
  if (R.MaySaveNothing)
    R.Said.Text += ", which may save no time";
  return R;
}

} // namespace cudalint
