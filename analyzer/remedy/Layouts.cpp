//===- analyzer/remedy/Layouts.cpp - What is tried for an array -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/model/Thresholds.h"
#include "analyzer/remedy/LayoutSearch.h"
#include "analyzer/remedy/SharedLayout.h"
#include "analyzer/remedy/VectorRemedy.h"

#include <algorithm>
#include <bit>
#include <set>
#include <utility>

namespace cudalint {

std::uint64_t mostOfBanks(std::uint64_t Bytes) {
  return std::max<std::uint64_t>(32, 128 / std::max<std::uint64_t>(1, Bytes));
}

//===----------------------------------------------------------------------===//
// Flat arrays
//===----------------------------------------------------------------------===//

/// The same for all accesses.
static LayoutFor always(Layout New) {
  return [New = std::move(New)](const SharedArray::User &, const Access &) {
    return New;
  };
}

static Phrase otherPitch(std::int64_t Now, std::int64_t Step, bool HasRows) {
  if (Now >= threshold::FewestOfARow && HasRows)
    return {"change-pitch",
            "let the rows be {pitch} elements apart, not {pitch_now}",
            {{"pitch", Now + Step}, {"pitch_now", Now}}};
  return {"skip-elements",
          Step == 1 ? "leave one element free after every {run}, index i + i "
                      "/ {run} instead of i"
                    : "leave {free} elements free after every {run}, index i + "
                      "i / {run} * {free} instead of i",
          {{"free", Step}, {"run", Now}}};
}

/// `s[row * 16 + col]` becomes `s[row * 17 + col]`. Never the other way: what
/// is known of a request is the distance of its lanes, not how far the rows
/// reach.
static void addPitches(const SharedArray &Array, const Access &A,
                       std::int64_t Element, bool HasRows,
                       std::vector<LayoutChange> &To) {
  const LanePattern P = lanePattern(A.Samples.front());
  if ((P.Kind != LanePattern::Rows && P.Kind != LanePattern::Strided) ||
      P.StrideMadeUp.Is || P.RowStrideMadeUp.Is)
    return;
  const std::int64_t Pitch =
      std::max(std::abs(P.Stride), std::abs(P.RowStride));
  if (Pitch % Element != 0 || Pitch <= 2 * Element)
    return;
  const std::int64_t Now = Pitch / Element;
  // More than a quarter of a row is a high price.
  const auto Most = static_cast<std::int64_t>(
      mostOfBanks(static_cast<std::uint64_t>(Element)));
  for (std::int64_t Step = 1; Step <= std::min(Most, Now / 4); ++Step)
    if (Step * Element % Array.Widest == 0 &&
        Array.suits(static_cast<std::uint64_t>(Now)))
      To.push_back(
          {.Said = Array.Widest > Element || Array.IsPart
                       ? Phrase{"skip-bytes",
                                "leave {free} bytes free after every {run} "
                                "bytes",
                                {{"free", Step * Element}, {"run", Pitch}}}
                       : otherPitch(Now, Step, HasRows),
           .New = always(padded(Pitch, Pitch + Step * Element)),
           .Growth = static_cast<double>(Now + Step) / static_cast<double>(Now),
           .Written = SkippedElements{static_cast<std::uint64_t>(Now),
                                      static_cast<std::uint64_t>(Step)}});
}

/// `s[i]` becomes `s[i + i / 32]`, or what skips \p Unit bytes at a time: the
/// run that costs least.
static void addRunsOf(std::int64_t Unit, const SharedArray &Array,
                      const Access &A, std::int64_t Element,
                      std::vector<LayoutChange> &To) {
  const bool IsFlat = A.Source.Subscripts < 2;
  for (const std::int64_t Bytes : gapDistances(Array, Unit)) {
    const std::int64_t Run = Bytes / Unit;
    // An element must not be torn apart.
    if (Run * Unit % Element != 0 ||
        !Array.suits(static_cast<std::uint64_t>(Run * Unit / Element)))
      continue;
    // Where widths differ in the source, an index in elements would misalign
    // the wide ones.
    const bool AreElements = Unit % Element == 0 && Array.Widest <= Element &&
                             Element <= A.Bytes &&
                             (Array.Declared || Element <= 8);
    const std::int64_t Free = Unit / Element;
    To.push_back(
        {.Said = !AreElements
                     ? Phrase{"skip-bytes",
                              "leave {free} bytes free after every {run} bytes",
                              {{"free", Unit}, {"run", Run * Unit}}}
                 : Free > 1
                     ? Phrase{"skip-elements",
                              IsFlat ? "leave {free} elements free after every "
                                       "{run}: i + i / {run} * {free} instead "
                                       "of i, where i is the first of those "
                                       "that a lane takes at once"
                                     : "leave {free} elements free after every "
                                       "{run}",
                              {{"free", Free}, {"run", Run * Free}}}
                     : Phrase{"skip-elements",
                              IsFlat ? "leave one element free after every "
                                       "{run}, index i + i / {run} instead of i"
                                     : "leave one element free after every "
                                       "{run}",
                              {{"run", Run}}},
         .New = always(padded(Run * Unit, Run * Unit + Unit)),
         .Growth = static_cast<double>(Run + 1) / static_cast<double>(Run),
         .Written = AreElements ? LayoutText(SkippedElements{
                                      static_cast<std::uint64_t>(Run * Free),
                                      static_cast<std::uint64_t>(Free)})
                                : LayoutText(),
         .AddsToIndex = Unit < 16,
         .Period = Run * Unit});
  }
}

static void addRuns(const SharedArray &Array, const Access &A,
                    std::int64_t Element, std::vector<LayoutChange> &To) {
  for (const std::int64_t Unit : gapsThatKeepWhole(Array, Element))
    addRunsOf(Unit, Array, A, Element, To);
}

/// `s[i + i / 16]` becomes `s[i + i / 32]`: padding that was made for the 16
/// banks of old GPUs.
static void addWiderRuns(const SharedArray &Array, const Access &A,
                         std::vector<LayoutChange> &To) {
  const LanePattern P = lanePattern(A.Samples.front());
  const std::int64_t Bytes = A.Bytes;
  const Architecture &Arch = *Array.Users.front().Kernel->Gpu.Arch;
  const unsigned Banks = Arch.CC.Major < 2 ? 16 : 32;
  if (Bytes != 4 || Array.Widest > 4 || A.Block[1] > 1 ||
      P.Kind != LanePattern::Rows || std::abs(P.Stride) != Bytes ||
      P.RowLanes < 2 || P.RowLanes >= Banks ||
      std::abs(P.RowStride) != Bytes * (P.RowLanes + 1))
    return;
  const std::int64_t Run = P.RowLanes;
  To.push_back(
      {.Said = {"skip-elements",
                "leave one element free after every {run}, not after every "
                "{run_now}, as there are {run} banks",
                {{"run", Banks}, {"run_now", Run}}},
       .New = always([=](std::int64_t Offset) {
         const std::int64_t Row = floorDivide(Offset, (Run + 1) * Bytes);
         const std::int64_t In = Offset - Row * (Run + 1) * Bytes;
         const std::int64_t Index = Row * Run + In / Bytes;
         return (Index + floorDivide(Index, Banks)) * Bytes + In % Bytes;
       })});
}

/// Whether each lane has a row of its own: neighbours are as far apart in all
/// requests. In a scan, whose stride grows, they are in none.
static bool hasRowOfLane(const Access &A, std::int64_t Element) {
  const LanePattern First = lanePattern(A.Samples.front());
  const auto pitch = [](const LanePattern &P) {
    return std::max(std::abs(P.Stride), std::abs(P.RowStride));
  };
  return pitch(First) >= threshold::FewestOfARow * Element &&
         std::ranges::all_of(A.Samples, [&](const RequestSample &S) {
           return pitch(lanePattern(S)) == pitch(First);
         });
}

static void addFlat(const SharedArray &Array, const Access &A,
                    std::vector<LayoutChange> &Result) {
  const auto AsWritten = static_cast<std::int64_t>(A.Source.Bytes);
  const std::int64_t Element =
      Array.Declared && Array.Declared->ElementBytes > 0
          ? static_cast<std::int64_t>(Array.Declared->ElementBytes)
      : AsWritten != 0 ? AsWritten
                       : A.Bytes;
  addWiderRuns(Array, A, Result);
  // Of layouts that cost the same, the one that is nearer to the source: a row
  // of another length costs the index nothing.
  const bool HasRows = A.Block[1] > 1 || hasRowOfLane(A, Element);
  if (HasRows)
    addPitches(Array, A, Element, HasRows, Result);
  addRuns(Array, A, Element, Result);
  if (!HasRows)
    addPitches(Array, A, Element, HasRows, Result);
}

/// What \p add gives for each access that conflicts, without what was there
/// before: the same whichever of the users asks.
static std::vector<LayoutChange>
ofConflicts(const SharedArray &Array,
            void (*add)(const SharedArray &, const Access &,
                        std::vector<LayoutChange> &)) {
  std::vector<const SharedArray::User *> Users;
  for (const SharedArray::User &Each : Array.Users)
    Users.push_back(&Each);
  std::ranges::sort(Users, {}, [](const SharedArray::User *Each) {
    return std::pair(Each->Kernel->Declaration.Name,
                     Each->Accesses.front()->Block);
  });
  std::vector<const Access *> Conflicts;
  for (const SharedArray::User *Each : Users)
    for (const Access *A : Each->Accesses)
      if (A->Predicted && A->Predicted->PerRequest > A->Predicted->Ideal)
        Conflicts.push_back(A);
  std::ranges::stable_sort(Conflicts, {}, &Access::UserWhere);
  std::vector<LayoutChange> Result;
  std::set<Phrase> Seen;
  for (const Access *A : Conflicts) {
    std::vector<LayoutChange> More;
    add(Array, *A, More);
    for (LayoutChange &Each : More)
      if (Seen.insert(Each.Said).second)
        Result.push_back(std::move(Each));
  }
  return Result;
}

std::vector<LayoutChange> layoutsOfFlat(const SharedArray &Array) {
  // An index into `s + 1` is another one into `s`.
  if (!Array.OtherNames.empty())
    return {};
  return ofConflicts(Array, addFlat);
}

std::vector<LayoutChange> swizzlesOfFlat(const SharedArray &Array) {
  if (!Array.OtherNames.empty() || !Array.Declared ||
      Array.Declared->Dimensions.size() != 1 ||
      Array.Declared->ElementBytes == 0)
    return {};
  const auto Element = static_cast<std::int64_t>(Array.Declared->ElementBytes);
  const std::int64_t Unit = std::max(Element, Array.Widest);
  const std::int64_t Columns = 128 / Unit; // Units that all banks hold.
  if (Unit % Element != 0 || !std::has_single_bit(std::uint64_t(Unit)) ||
      Columns < 2)
    return {};
  // The last ones would leave the array otherwise.
  if (std::ranges::any_of(Array.Users, [](const SharedArray::User &Each) {
        return Each.Bytes == 0 || Each.Bytes % 128 != 0;
      }))
    return {};
  const std::string Kept =
      Unit == Element
          ? "keep element i of '{array}' at i ^ (i / {run} % {columns})"
          : "keep group i of {bytes} bytes of '{array}' at i ^ (i / {run} % "
            "{columns})";
  std::vector<LayoutChange> Result;
  for (std::int64_t Rows = 1; Rows <= Columns; Rows *= 2)
    Result.push_back({.Said = {"swizzle-elements",
                               Kept,
                               {{"array", Array.Name},
                                {"run", Columns * Rows},
                                {"columns", Columns},
                                {"bytes", Unit}}},
                      .New = always(swizzled(Unit, Columns, Columns, Rows)),
                      .AddsToIndex = true,
                      .Period = 128 * Columns * Rows});
  Result.push_back({.Said = {"swizzle-elements",
                             Kept + " ^ (i / {outer_run} % {columns})",
                             {{"array", Array.Name},
                              {"run", Columns},
                              {"columns", Columns},
                              {"outer_run", Columns * Columns},
                              {"bytes", Unit}}},
                    .New = always(folded(Unit, Columns)),
                    .AddsToIndex = true,
                    .Period = 128 * Columns * Columns});
  return Result;
}

//===----------------------------------------------------------------------===//
// Arrays of structs
//===----------------------------------------------------------------------===//

static void addStructs(const SharedArray &Array, const Access &A,
                       std::vector<LayoutChange> &Result) {
  if (!A.Source.Field || A.Source.Field->StructBytes <= A.Bytes ||
      A.Source.Field->IsFixed)
    return;
  const FieldFact &Field = *A.Source.Field;
  // What is aligned is so for a reason, and no user's to change in a header of
  // the toolkit; what lies in global memory, the host has as well.
  const bool IsOfThisAlone =
      Field.StructAlign <= 4 && !Field.AlignPoint.File.empty() &&
      std::ranges::none_of(Array.Users, [&](const SharedArray::User &User) {
        return std::ranges::any_of(User.Kernel->Accesses, [&](const Access &B) {
          return B.Space != MemorySpace::Shared && B.Source.Field &&
                 B.Source.Field->Struct == Field.Struct;
        });
      });
  const auto Size = static_cast<std::int64_t>(Field.StructBytes);
  // The smaller edit first. One more word takes structs of an even number of
  // words apart.
  if (Size % 4 == 0 && IsOfThisAlone)
    Result.push_back(
        {.Said = {"pad-struct",
                  "make '{struct}' {bytes} bytes with one more "
                  "word",
                  {{"struct", Field.Struct}, {"bytes", Size + 4}}},
         .New = always(padded(Size, Size + 4)),
         .Growth = static_cast<double>(Size + 4) / static_cast<double>(Size)});
  Result.push_back(
      {.Said = {"fields-apart",
                "keep the fields of '{struct}' in arrays of their own",
                {{"struct", Field.Struct}}},
       .New = [Whole = Field](const SharedArray::User &, const Access &B) {
         return fieldAlone(B.Source.Field ? *B.Source.Field : Whole);
       }});
}

std::vector<LayoutChange> layoutsOfStructs(const SharedArray &Array) {
  return ofConflicts(Array, addStructs);
}

} // namespace cudalint
