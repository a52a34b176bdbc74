//===- analyzer/remedy/LayoutEdit.cpp - A layout in the source ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/remedy/LayoutEdit.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cudalint {

using Subscripts = std::vector<SubscriptText>;

static std::string inParentheses(const ExpressionText &E) {
  return E.IsOperand ? E.Text : "(" + E.Text + ")";
}

/// `Text` becomes `Text` and what \p Behind it.
static void putBehind(const ExpressionText &At, std::string_view Behind,
                      std::vector<Edit> &Edits) {
  if (!At.IsOperand)
    Edits.push_back({At.Begin.File, At.Begin.Offset, 0, "("});
  Edits.push_back({At.Begin.File, At.End, 0,
                   fmt::format("{}{}", At.IsOperand ? "" : ")", Behind)});
}

/// Of declarations with so many dimensions, the text of all subscripts.
static const Subscripts *subscriptsOf(const SharedArray &Array,
                                      std::size_t Dimensions) {
  const ArrayFact &Declared = *Array.Declared;
  if (!Declared.Subscripts || Declared.Dimensions.size() != Dimensions)
    return nullptr;
  for (const SharedArray::User &User : Array.Users)
    for (const Access *Each : User.Accesses)
      if (!declarationOf(*Each))
        return nullptr;
  return Declared.Subscripts.get();
}

namespace {
/// Makes the edit of one kind of change.
struct Writer {
  const SharedArray &Array;
  const LayoutRemedy &R;

  std::optional<Fix> operator()(std::monostate) const { return std::nullopt; }
  std::optional<Fix> operator()(const PaddedRows &Rows) const;
  std::optional<Fix> operator()(const SkippedElements &Skipped) const;
  std::optional<Fix> operator()(const SwizzledColumns &Swizzled) const;
};
} // namespace

std::optional<Fix> Writer::operator()(const PaddedRows &Rows) const {
  if (!Array.IsNamedInFull)
    return std::nullopt;
  return Fix{fmt::format("pad the rows of '{}' by {}, {} more bytes of shared "
                         "memory per block",
                         Array.Name, countOf(Rows.Elements, "element"),
                         R.Effect.MoreSharedBytes),
             Array.RestsOnBlock ? FixSafety::Layout : FixSafety::Safe,
             {{Array.Declared->PadPoint.File, Array.Declared->PadPoint.Offset,
               0, fmt::format(" + {}", Rows.Elements)}}};
}

/// `x` becomes `x + x / 32`, or `x + (x >> 5)` where the quotient has to be
/// rounded down: one before a pointer is in the run before its.
static void skip(const ExpressionText &At, const SkippedElements &Skipped,
                 std::vector<Edit> &Edits,
                 IndexSign Sign = IndexSign::NeverNegative) {
  std::string Runs = fmt::format("{} / {}", inParentheses(At), Skipped.Run);
  if (Sign != IndexSign::NeverNegative)
    Runs =
        fmt::format("({} >> {})",
                    Sign == IndexSign::Signed ? inParentheses(At)
                                              : fmt::format("int({})", At.Text),
                    std::countr_zero(Skipped.Run));
  std::string Behind = " + " + Runs;
  if (Skipped.Free > 1)
    Behind += fmt::format(" * {}", Skipped.Free);
  putBehind(At, Behind, Edits);
}

/// What the pointers that carve up \p Array add to where it begins; false where
/// no plain text says so.
static bool skipOffsets(const SharedArray &Array,
                        const SkippedElements &Skipped,
                        std::vector<Edit> &Edits) {
  if (!Array.Declared->Offsets)
    return true;
  for (const OffsetText &Each : *Array.Declared->Offsets) {
    if (!Each.Text.IsRepeatable)
      return false;
    skip(Each.Text, Skipped, Edits, Each.Sign);
  }
  return Array.suits(Skipped.Run);
}

/// Whether the dynamic memory of \p User's kernel is this array alone, under
/// this declaration alone, and no other kernel's.
static bool isAlone(const SharedArray &Array, const SharedArray::User &User) {
  // What no evaluated block comes to may be a function with a declaration of
  // its own.
  if (!Array.IsNamedInFull)
    return false;
  const KernelModel &Own = *User.Kernel;
  const std::string &Variable = User.Accesses.front()->Variable;
  if (std::ranges::count(Own.Shared, std::uint64_t{0},
                         &SharedVariable::Bytes) != 1)
    return false;
  const auto isOfThis = [&](const Access &Each) {
    const ArrayFact *Its = declarationOf(Each);
    return Its && Its->Where == Array.Declared->Where;
  };
  for (const Access &Each : Own.Accesses)
    if (Each.Variable == Variable && !isOfThis(Each))
      return false;
  for (const KernelModel *Other : Own.Unit)
    if (Other != &Own &&
        std::ranges::find(Other->Shared, Variable, &SharedVariable::Name) !=
            Other->Shared.end())
      for (const Access &Each : Other->Accesses)
        if (Each.Variable == Variable &&
            (!declarationOf(Each) || isOfThis(Each)))
          return false;
  return true;
}

/// Lets all launches of the user's kernel pass as many bytes more.
static bool growLaunches(const SharedArray &Array,
                         const SkippedElements &Skipped,
                         std::vector<Edit> &Edits) {
  const SharedArray::User &User = Array.Users.front();
  const KernelModel &Kernel = *User.Kernel;
  // Of a kernel in a header, each file has launches of its own.
  if (!isAlone(Array, User) || Kernel.Declaration.IsUsedOtherwise ||
      !Kernel.Declaration.Origin.IncludedFrom.empty() ||
      Kernel.Launches.empty())
    return false;
  std::set<EditPoint> Places;
  for (const Launch &Each : Kernel.Launches) {
    if (Each.Source != LaunchSource::Launch || !Each.DynamicSharedText ||
        !Each.DynamicSharedText->IsRepeatable ||
        !Each.Origin.IncludedFrom.empty())
      return false;
    // What is just allowed may be all that is, and more of it fails.
    if (!Each.DynamicSharedBytes || (Each.SharedMemoryOptIn && !Each.Raised))
      return false;
    // Bytes in place of elements: that is as many at least.
    if (Places.insert(Each.DynamicSharedText->Begin).second)
      skip(*Each.DynamicSharedText, Skipped, Edits);
  }
  return true;
}

std::optional<Fix> Writer::operator()(const SkippedElements &Skipped) const {
  const Subscripts *All = subscriptsOf(Array, 1);
  if (!All || !std::ranges::all_of(*All, [](const SubscriptText &Each) {
        return Each.Indices.front().IsRepeatable;
      }))
    return std::nullopt;
  Fix Result{fmt::format("leave {} of '{}' free after every {}",
                         countOf(Skipped.Free, "element"), Array.Name,
                         Skipped.Run),
             FixSafety::Safe,
             {}};
  if (R.Effect.MoreSharedBytes)
    Result.Description += fmt::format(
        ", {} more bytes of shared memory per block", R.Effect.MoreSharedBytes);
  // What an offset is for another build, nobody has looked at.
  if (Array.Declared->Offsets)
    Result.Safety = FixSafety::Layout;
  if (Array.IsDynamic) {
    // Whoever else launches it has to give as much.
    Result.Safety = FixSafety::Layout;
    Result.Description += ", and let its launches give the memory";
    if (!growLaunches(Array, Skipped, Result.Edits))
      return std::nullopt;
  } else {
    // As it is written: instances of a template, and who changes the number
    // later, have other extents.
    if (!Array.Declared->Extent)
      return std::nullopt;
    skip(*Array.Declared->Extent, Skipped, Result.Edits);
  }
  for (const SubscriptText &Each : *All)
    skip(Each.Indices.front(), Skipped, Result.Edits, Each.Sign);
  if (!skipOffsets(Array, Skipped, Result.Edits))
    return std::nullopt;
  return Result;
}

std::optional<Fix> Writer::operator()(const SwizzledColumns &Swizzled) const {
  const Subscripts *All = subscriptsOf(Array, 2);
  if (!All || !Array.hasOneShape() || !Array.IsNamedInFull ||
      !Array.IsIndexedByRows ||
      !std::ranges::all_of(*All, [](const SubscriptText &Each) {
        return Each.Indices.front().IsRepeatable;
      }))
    return std::nullopt;
  Fix Result{fmt::format("swizzle the columns of '{}' by the row", Array.Name),
             Array.RestsOnBlock ? FixSafety::Layout : FixSafety::Safe,
             {}};
  // With rows of an odd number of elements, more than twice as many, what is
  // behind a row is none of the next ones', wherever 32 lanes side by side are.
  Result.LongerRows = {
      {Array.Declared->PadPoint.File, Array.Declared->PadPoint.Offset, 0,
       fmt::format(" + {}", Array.Declared->Dimensions.back() + 1)}};
  for (const SubscriptText &Each : *All) {
    if (Each.Indices.front().Text == "0")
      continue; // In the first row, columns stay where they are.
    std::string Row = inParentheses(Each.Indices.front());
    if (Swizzled.Rows > 1)
      Row += fmt::format(" / {}", Swizzled.Rows);
    Row = fmt::format("({} & {})", Row, Swizzled.Columns - 1);
    if (Swizzled.Group > 1)
      Row = fmt::format("({} * {})", Row, Swizzled.Group);
    putBehind(Each.Indices.back(), " ^ " + Row, Result.Edits);
  }
  return Result;
}

std::optional<Fix> editOf(const SharedArray &Array, const LayoutRemedy &R) {
  if (!Array.Declared || !Array.OtherNames.empty() ||
      !Array.OtherDeclarations.empty())
    return std::nullopt;
  // wmma is told by a number of its own how long rows are. And several elements
  // are skipped to keep whole what the compiler takes at once, which it does
  // not do of such indices; where one is, it was tried with each taken alone.
  const auto *Skipped = std::get_if<SkippedElements>(&R.Change.Written);
  if (Array.HasMatrices ||
      (Skipped && Skipped->Free > 1 && Array.mergesElements()))
    return std::nullopt;
  // What pointers do with it has to be among what was tried.
  if (Array.Declared->Offsets && Array.Pointers.empty())
    return std::nullopt;
  // The launch gives the memory of what is declared without a size.
  if (Array.IsDynamic
          ? !std::holds_alternative<SkippedElements>(R.Change.Written)
          : Array.Declared->PadPoint.File.empty())
    return std::nullopt;
  return std::visit(Writer{Array, R}, R.Change.Written);
}

} // namespace cudalint
