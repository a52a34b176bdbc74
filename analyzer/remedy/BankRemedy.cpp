//===- analyzer/remedy/BankRemedy.cpp - What removes a bank conflict ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/remedy/BankRemedy.h"

#include "analyzer/model/AccessWords.h"
#include "analyzer/model/LanePattern.h"
#include "analyzer/remedy/LayoutEdit.h"
#include "analyzer/remedy/Reductions.h"
#include "analyzer/remedy/SharedLayout.h"
#include "analyzer/remedy/VectorRemedy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace cudalint {

unsigned lanesThatTakeTurns(const Access &A) {
  if (A.Op != AccessOp::Atomic || A.Kind == RequestKind::Increment)
    return 1;
  unsigned Most = 1;
  for (const RequestSample &S : A.Samples) {
    std::map<std::int64_t, unsigned> Lanes;
    for (unsigned Lane = 0; Lane < WarpSize; ++Lane)
      if (S.ActiveMask >> Lane & 1)
        Most = std::max(Most, ++Lanes[S.Offset[Lane]]);
  }
  return Most;
}

/// What is left, in words that follow a colon.
static Phrase effect(const LayoutRemedy &R, const SharedArray &Array,
                     const Access &A) {
  const RemedyEffect &E = R.Effect;
  Phrase Said;
  if (R.IsTrade)
    return {"less-in-loops",
            "what loops save is more than other accesses to it lose",
            {}};
  if (R.IsComplete)
    Said = {"no-conflict-then",
            Array.HasUnknown
                ? "no access to it whose address is known conflicts then"
                : "no access to it conflicts then",
            {}};
  if (E.Unit == "wavefronts_per_block")
    Said.append(", ", {"fewer-wavefronts-then",
                       "{before wavefront} of a block become {after}",
                       {{"before", std::round(E.Before)},
                        {"after", std::round(E.After)}}});
  else if (!R.IsComplete)
    Said = {"fewer-wavefronts-then",
            "its accesses take {wavefronts_percent} % of the wavefronts then",
            {{"wavefronts_percent", std::round(100 * E.After / E.Before)}}};
  const auto Element = static_cast<std::int64_t>(
      Array.Declared ? Array.Declared->ElementBytes : A.Bytes);
  if (Array.Widest > Element && R.Change.Growth != 1)
    Said.append(", ", {"stays-aligned",
                       "accesses of {widest} bytes stay aligned",
                       {{"widest", Array.Widest}}});
  return Said;
}

static BankRemedy told(const SharedArray &Array, const Access &A,
                       LayoutRemedy R) {
  BankRemedy Result;
  Result.Edit = editOf(Array, R);
  Result.New = R.Change.New(Array.Users.front(), A);
  // Measured: docs/validation/applied-remedies-h100.md.
  Result.MayCostMore = R.Change.AddsToIndex;
  if (Result.MayCostMore)
    R.Change.Said.append(
        ", ",
        {"may-cost-registers", "where the index costs no more registers", {}});
  if (Array.HasMatrices)
    R.Change.Said.append(
        " and ", {"tell-wmma", "tell wmma that its rows are as long", {}});
  const Phrase Effect = effect(R, Array, A);
  // Whoever makes the array longer does so for all instances of it.
  const std::uint64_t More = R.MostMoreBytes;
  if (R.Change.Growth > 1 && Array.IsDynamic)
    R.Change.Said.append(
        ", ", {"more-dynamic-memory",
               fmt::format("{}and let the launch pass {} more",
                           Array.Pointers.empty()
                               ? "what lies behind it as much further, "
                               : "",
                           More ? "up to {more_bytes byte}" : "as many bytes"),
               {{"more_bytes", More}}});
  else if (More != 0 && R.Change.padElements() == 0)
    R.Change.Said.append(", ", {"more-elements",
                                R.LeastMoreBytes == More
                                    ? "in an array of {more_bytes byte} more"
                                    : "in an array of up to {more_bytes byte} "
                                      "more",
                                {{"more_bytes", More}}});
  if (Array.IsPart && R.Change.Growth > 1)
    R.Change.Said.append(", ", {"move-the-rest",
                                "and what lies behind '{part}' as much further",
                                {{"part", Array.Name}}});
  if (R.Change.padElements() == 0)
    for (const std::string &Name : Array.OtherNames)
      R.Change.Said.append(Name == Array.OtherNames.front() ? ", also through "
                                                            : ", ",
                           {"other-name", "'{name}'", {{"name", Name}}});
  for (const std::string &Name : Array.Pointers)
    R.Change.Said.append(Name == Array.Pointers.front() ? ", also through "
                                                        : ", ",
                         {"other-name", "'{name}'", {{"name", Name}}});
  if (!Array.Pointers.empty())
    R.Change.Said.append(" ",
                         {"begin-further",
                          Array.Pointers.size() == 1 ? "and where it begins"
                                                     : "and where they begin",
                          {}});
  for (const std::string &Name : Array.OtherDeclarations)
    R.Change.Said.append(Name == Array.OtherDeclarations.front()
                             ? ", also in the type of "
                             : ", ",
                         {"other-name", "'{name}'", {{"name", Name}}});
  Result.Said = std::move(R.Change.Said);
  Result.Said.append(": ", Effect);
  if (!R.IsTrade)
    Result.Effect = std::move(R.Effect);
  return Result;
}

/// A block of 16x16 has two rows of a tile in each warp: 32 neighbours of one
/// row have a bank each.
static bool hasNarrowRows(const LanePattern &P, const Access &A) {
  return A.Block[0] < WarpSize && A.Block[1] > 1 &&
         P.Kind == LanePattern::Rows && P.RowLanes < WarpSize &&
         P.RowStride != 0 &&
         std::abs(P.Stride) == static_cast<std::int64_t>(A.Bytes);
}

static BankRemedy said(const char *Id, const char *Text) {
  return {{Id, Text, {}}};
}

/// \p New, of an array that begins so many bytes behind its variable.
static LayoutFor behind(std::int64_t Begin, LayoutFor New) {
  return [=](const SharedArray::User &User, const Access &A) -> Layout {
    const Layout Own = New(User, A);
    if (!Own)
      return Own;
    return [=](std::int64_t Offset) { return Begin + Own(Offset - Begin); };
  };
}

/// Of \p Changes those that all accesses to \p Array can follow.
static std::optional<LayoutRemedy>
bestPossible(const SharedArray &Array, std::vector<LayoutChange> Changes) {
  if (Array.Begin != 0)
    for (LayoutChange &Each : Changes)
      Each.New = behind(Array.Begin, std::move(Each.New));
  if (Array.HasMatrices)
    std::erase_if(Changes,
                  [](const LayoutChange &Each) { return !Each.KeepsRows; });
  return bestLayout(Array, std::move(Changes));
}

/// What is tried for the array: one kind of layout after the other, by what the
/// user has declared.
static std::optional<LayoutRemedy> searchedAnew(const SharedArray &Array) {
  if (std::optional<LayoutRemedy> R = bestPossible(Array, layoutsOfRows(Array)))
    return R;
  if (std::optional<LayoutRemedy> R =
          bestPossible(Array, layoutsOfStructs(Array)))
    return R;
  const bool HasRows = Array.Declared && Array.Declared->Dimensions.size() > 1;
  if (std::optional<LayoutRemedy> R = bestPossible(
          Array, HasRows ? layoutsWithinRows(Array) : layoutsOfFlat(Array)))
    return R;
  return bestPossible(Array, swizzlesOfFlat(Array));
}

std::optional<LayoutRemedy>
BankRemedies::searchLayouts(const SharedArray &Array) {
  for (const auto &[Before, Found] : Searched)
    if (Before == Array)
      return Found;
  return Searched.emplace_back(Array, searchedAnew(Array)).second;
}

/// Empty where no layout of \p Array was found that helps anybody.
std::optional<BankRemedy> BankRemedies::otherLayout(const SharedArray &Array,
                                                    const Access &A) {
  std::optional<LayoutRemedy> R = searchLayouts(Array);
  if (!R)
    return std::nullopt;
  if (helps(R->Change, Array, A))
    return told(Array, A, std::move(*R));
  return said("another-layout-helps-more",
              "no other layout is proposed, as the one that helps the other "
              "accesses to it most hardly helps this one");
}

/// Where nothing is in the way but addresses that are written as no elements:
/// of rows, if these addresses are where the rows lead.
static std::optional<BankRemedy> ifAddressesFollow(SharedArray Array,
                                                   const Access &A) {
  if (!Array.IsByAddress || !Array.OverRows.empty())
    return std::nullopt;
  Array.Obstacle.clear();
  Array.IsIndexedByRows = true;
  std::optional<LayoutRemedy> R = bestPossible(Array, layoutsOfRows(Array));
  if (!R || !helps(R->Change, Array, A))
    return std::nullopt;
  R->Change.Said.append(
      ", ", {"addresses-follow",
             "and let the addresses that are computed elsewhere follow",
             {}});
  BankRemedy Result = told(Array, A, std::move(*R));
  Result.Edit.reset();
  return Result;
}

/// Rows of which \p A takes some at once, and that no declaration tells: longer
/// ones, where they help it. What the other accesses cost then is not tried.
/// \p Told: what is to be told of them besides.
static std::optional<BankRemedy>
longerRows(const SharedArray &Array, const Access &A, const std::string &Told) {
  const LanePattern P = lanePattern(A.Samples.front());
  const std::int64_t Pitch =
      std::max(std::abs(P.Stride), std::abs(P.RowStride));
  if (P.Kind != LanePattern::Rows || P.StrideMadeUp.Is || P.RowStrideMadeUp.Is)
    return std::nullopt;
  SharedArray Alone = Array;
  Alone.Obstacle.clear();
  Alone.Users.resize(1);
  Alone.Users.front().Accesses = {&A};
  std::vector<LayoutChange> Changes;
  // wmma takes rows of multiples of 16 bytes; all banks hold 128.
  for (std::int64_t More = 16; More < 128; More += 16)
    Changes.push_back({.Said = {"longer-rows",
                                "let the rows be {bytes} bytes longer, " + Told,
                                {{"bytes", More}}},
                       .New = [New = padded(Pitch, Pitch + More)](
                                  const SharedArray::User &, const Access &) {
                         return New;
                       }});
  std::optional<LayoutRemedy> Best = bestLayout(Alone, std::move(Changes));
  if (!Best)
    return std::nullopt;
  return BankRemedy{std::move(Best->Change.Said)};
}

BankRemedy BankRemedies::find(const Access &A) {
  if (lanesThatTakeTurns(A) > 1 && A.IsExchange)
    return said("one-lane-exchanges",
                "let one lane do it for the warp, or store plainly where "
                "nobody uses the old value");
  if (lanesThatTakeTurns(A) > 1)
    return said("combine-in-warp",
                "combine the values of the warp first, with shuffles or "
                "__reduce_add_sync and its like, let one lane update, and, "
                "where lanes need the old value, hand it on by a shuffle");
  if (isReduction(K, A))
    return {sequentialAddressing()};
  const LanePattern P = lanePattern(A.Samples.front());
  // Where the rows have room for 32 lanes, no array changes.
  const bool IsNarrow = hasNarrowRows(P, A);
  const bool HasRoom =
      IsNarrow &&
      std::abs(P.RowStride) >= static_cast<std::int64_t>(WarpSize * A.Bytes);
  const SharedArray Array = sharedArrayOf(K, A);
  const bool HasRows = Array.Declared && Array.Declared->Dimensions.size() > 1;
  if (HasRows || !HasRoom) {
    // One for all that pointers make of the memory; else, of this part alone.
    if (const std::optional<SharedArray> Whole = carvedArrayOf(K, A))
      if (std::optional<BankRemedy> R = otherLayout(*Whole, A))
        return std::move(*R);
    if (std::optional<BankRemedy> R = otherLayout(Array, A))
      return std::move(*R);
    if (!HasRows && !Array.OtherNames.empty())
      if (const std::optional<SharedArray> Part = sharedPartOf(K, A))
        if (std::optional<BankRemedy> R = otherLayout(*Part, A))
          return std::move(*R);
  }
  if (HasRoom)
    return said("widen-block",
                "make the block 32 wide in x, so that a warp is in one row");
  if (IsNarrow)
    return said("widen-block-and-rows",
                "make the block 32 wide in x, and the rows of the array with "
                "it, so that a warp is in one row");
  // 1.x serves wide accesses word by word.
  if (K.Gpu.Arch->CC.Major < 2 && A.Bytes > 4)
    return said("words-apart",
                "keep the words of the vector in arrays of their own");
  if (Array.Obstacle.empty() && Array.HasMatrices) {
    if (std::optional<BankRemedy> R = longerRows(Array, A, "and tell wmma so"))
      return std::move(*R);
    return said("layout-not-judged",
                "no other layout is proposed, as wmma takes matrices of it, "
                "whose rows are as long as it is told");
  }
  if (Array.Obstacle.empty() && HasRows && !Array.OverRows.empty())
    return {{"layout-not-judged",
             "no other layout is proposed, as '{access}' may run over its rows",
             {{"access", Array.OverRows}}}};
  if (Array.Obstacle.empty() && HasRows && !Array.IsIndexedByRows)
    return said("layout-not-judged",
                "no other layout is proposed, as it is also used as if it had "
                "no rows");
  if (std::optional<BankRemedy> R = ifAddressesFollow(Array, A))
    return std::move(*R);
  if (Array.IsByAddress && !HasRows)
    if (std::optional<BankRemedy> R =
            longerRows(Array, A, "and let all addresses in the array follow"))
      return std::move(*R);
  if (!Array.Obstacle.empty())
    return {{"layout-not-judged",
             "no other layout is proposed, as {why}",
             {{"why", Array.Obstacle}}}};
  if (!HasRows && !Array.OtherNames.empty())
    return {{"layout-not-judged",
             "no other layout is proposed, as it is also reached by '{name}', "
             "which may begin elsewhere in it",
             {{"name", Array.OtherNames.front()}}}};
  if (Phrase Said = runsAsVectors(*K.Gpu.Arch, A); !Said.isEmpty())
    return {std::move(Said)};
  return said("no-layout-helps", "no padding or swizzle that was tried helps "
                                 "it and costs its other accesses nothing");
}

} // namespace cudalint
