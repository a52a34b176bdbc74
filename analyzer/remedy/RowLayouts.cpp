//===- analyzer/remedy/RowLayouts.cpp - What is tried for rows ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/remedy/LayoutSearch.h"
#include "analyzer/remedy/SharedLayout.h"

#include <fmt/format.h>

#include <algorithm>

namespace cudalint {

/// Of the rows that \p A's array is declared with; \p Otherwise where it is
/// accessed under no declaration.
static ArrayFact declaredAs(const Access &A, const ArrayFact &Otherwise) {
  return A.Source.Array ? *A.Source.Array : Otherwise;
}

static std::int64_t pitchOf(const ArrayFact &Array) {
  return static_cast<std::int64_t>(Array.Dimensions.back() *
                                   Array.ElementBytes);
}

static std::string dimensions(const ArrayFact &Array, std::uint64_t Pad) {
  std::string Text;
  for (std::size_t I = 0; I + 1 < Array.Dimensions.size(); ++I)
    Text += Array.Dimensions[I] == 0 ? "[]"
                                     : fmt::format("[{}]", Array.Dimensions[I]);
  return fmt::format("{}[{} + {}]", Text, Array.Dimensions.back(), Pad);
}

static void addPadding(const SharedArray &Array,
                       std::vector<LayoutChange> &To) {
  const ArrayFact &Declared = *Array.Declared;
  const std::uint64_t Columns = Declared.Dimensions.back();
  // One declaration has one pad, also where instances have other rows.
  std::uint64_t Fewest = Columns;
  for (const SharedArray::User &User : Array.Users)
    Fewest = std::min(
        Fewest, declaredAs(*User.Accesses.front(), Declared).Dimensions.back());
  // More than a quarter of a row is a high price for what a wider block or a
  // swizzle gives for nothing.
  const std::uint64_t Most = std::clamp<std::uint64_t>(
      Fewest / 4, 4, mostOfBanks(Declared.ElementBytes));
  const bool IsOneShape = Array.hasOneShape();
  for (std::uint64_t Pad = 1; Pad <= Most; ++Pad) {
    // Also what no evaluated block comes to must stay aligned.
    if (std::ranges::any_of(Array.Users, [&](const SharedArray::User &User) {
          const ArrayFact Its = declaredAs(*User.Accesses.front(), Declared);
          return Pad * Its.ElementBytes %
                     static_cast<std::uint64_t>(User.Widest) !=
                 0;
        }))
      continue;
    To.push_back(
        {.Said = IsOneShape
                     ? Phrase{"pad-rows",
                              "declare '{array}{dimensions}'",
                              {{"array", Array.Name},
                               {"dimensions", dimensions(Declared, Pad)},
                               {"pad_elements", Pad}}}
                     : Phrase{"pad-rows",
                              "pad the rows of '{array}' by {pad_elements "
                              "element}",
                              {{"array", Array.Name}, {"pad_elements", Pad}}},
         .New =
             [Pad, Declared](const SharedArray::User &, const Access &A) {
               const ArrayFact Its = declaredAs(A, Declared);
               return padded(pitchOf(Its),
                             pitchOf(Its) + static_cast<std::int64_t>(
                                                Pad * Its.ElementBytes));
             },
         .Growth =
             static_cast<double>(Columns + Pad) / static_cast<double>(Columns),
         .Written = PaddedRows{Pad},
         .KeepsRows = true});
  }
}

/// `[N | 1]`: one pad for all instances of a template makes even rows of odd
/// ones, in which a column then has conflicts.
static void addOddRows(const SharedArray &Array,
                       std::vector<LayoutChange> &To) {
  const ArrayFact &Declared = *Array.Declared;
  if (std::ranges::any_of(Array.Users, [&](const SharedArray::User &User) {
        return declaredAs(*User.Accesses.front(), Declared).ElementBytes %
                   static_cast<std::uint64_t>(User.Widest) !=
               0;
      }))
    return;
  To.push_back(
      {.Said = {"odd-rows",
                "make rows of '{array}' that have an even number of elements "
                "one longer, as '(N) | 1' does",
                {{"array", Array.Name}}},
       .New =
           [Declared](const SharedArray::User &, const Access &A) {
             const ArrayFact Its = declaredAs(A, Declared);
             const std::int64_t Pitch = pitchOf(Its);
             return padded(Pitch, Its.Dimensions.back() % 2 == 0
                                      ? Pitch + static_cast<std::int64_t>(
                                                    Its.ElementBytes)
                                      : Pitch);
           },
       .Growth = 1 + 1 / static_cast<double>(Declared.Dimensions.back()),
       .IsOfEvenRows = true});
}

/// Units of the widest access change places within a row: nothing is torn
/// apart, and no memory is needed.
static void addSwizzles(const SharedArray &Array,
                        std::vector<LayoutChange> &To) {
  const ArrayFact &Declared = *Array.Declared;
  const auto Element = static_cast<std::int64_t>(Declared.ElementBytes);
  const std::int64_t Unit = std::max(Element, Array.Widest);
  const std::int64_t Pitch = pitchOf(Declared);
  if (Unit % Element != 0 || Pitch % Unit != 0)
    return;
  // Places change within as many units as the 32 banks of 4 bytes hold, or
  // fewer where the row is no multiple of that.
  const std::int64_t InRow = Pitch / Unit;
  const std::int64_t Columns =
      std::min(InRow & -InRow, std::max<std::int64_t>(2, 128 / Unit));
  if (Columns < 2)
    return;
  // Short rows share the banks, and a lane may take several rows: those that
  // are read together move alike.
  for (const std::int64_t Rows : {1, 2, 4, 8}) {
    const std::string Row =
        Rows == 1 ? "row % {columns}" : "row / {rows} % {columns}";
    To.push_back(
        {.Said = {"swizzle-columns",
                  (Unit == Element
                       ? "keep element (row, col) of '{array}' at column col "
                         "^ ("
                       : "keep group col of {bytes} bytes in each row of "
                         "'{array}' at col ^ (") +
                      Row + ")",
                  {{"array", Array.Name},
                   {"columns", Columns},
                   {"rows", Rows},
                   {"bytes", Unit}}},
         .New =
             [=](const SharedArray::User &, const Access &) {
               return swizzled(Unit, InRow, Columns, Rows);
             },
         .Written = SwizzledColumns{static_cast<std::uint64_t>(Unit / Element),
                                    static_cast<std::uint64_t>(Columns),
                                    static_cast<std::uint64_t>(Rows)}});
  }
}

static bool hasKnownRows(const SharedArray &Array) {
  return Array.Declared && Array.Declared->ElementBytes != 0 &&
         Array.Declared->Dimensions.size() >= 2 &&
         Array.Declared->Dimensions.back() != 0 && Array.IsIndexedByRows;
}

std::vector<LayoutChange> layoutsOfRows(const SharedArray &Array) {
  std::vector<LayoutChange> Result;
  if (!hasKnownRows(Array))
    return Result;
  addPadding(Array, Result);
  if (Array.hasOneShape())
    addSwizzles(Array, Result);
  else
    addOddRows(Array, Result);
  return Result;
}

std::vector<LayoutChange> layoutsWithinRows(const SharedArray &Array) {
  std::vector<LayoutChange> Result;
  if (!hasKnownRows(Array))
    return Result;
  const ArrayFact &Declared = *Array.Declared;
  for (const std::int64_t Unit : gapsThatKeepWhole(
           Array, static_cast<std::int64_t>(Declared.ElementBytes)))
    for (const std::int64_t Run : gapDistances(Array, Unit))
      // A gap for each part of a row, so that all rows are alike.
      if (std::ranges::all_of(Array.Users, [&](const SharedArray::User &Each) {
            return pitchOf(declaredAs(*Each.Accesses.front(), Declared)) %
                       Run ==
                   0;
          }))
        Result.push_back(
            {.Said = {"skip-in-rows",
                      "leave {free} bytes free after every {run} bytes of each "
                      "row of '{array}'",
                      {{"free", Unit}, {"run", Run}, {"array", Array.Name}}},
             .New = [=](const SharedArray::User &,
                        const Access &) { return padded(Run, Run + Unit); },
             .Growth =
                 static_cast<double>(Run + Unit) / static_cast<double>(Run),
             .AddsToIndex = Unit < 16});
  return Result;
}

} // namespace cudalint
