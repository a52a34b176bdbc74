//===- analyzer/pipeline/LaunchShapes.cpp - Shapes to evaluate ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/pipeline/LaunchShapes.h"

#include "analyzer/pipeline/AssumedBlock.h"
#include "analyzer/pipeline/KernelNames.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <set>
#include <tuple>

namespace cudalint {

using Block = std::array<std::int64_t, 3>;

//===----------------------------------------------------------------------===//
// Launches of one kernel
//===----------------------------------------------------------------------===//

static bool mayLaunch(const Launch &L, const KernelDeclaration &Kernel) {
  if (!L.Kernel.empty())
    return L.Kernel == Kernel.Name;
  return namesKernel(L.KernelAsWritten, Kernel);
}

bool isSamePlace(const Location &A, const Location &B) {
  if (std::tie(A.Line, A.Column) != std::tie(B.Line, B.Column))
    return false;
  return A.File == B.File ||
         std::filesystem::path(A.File).lexically_normal() ==
             std::filesystem::path(B.File).lexically_normal();
}

/// True when a function of \p Unit calls one that has no body in any of the
/// files, itself or by other functions.
static bool leadsOutOfSight(const UnitIndex &Unit,
                            std::span<const UnitIndex> Units) {
  std::set<std::string_view> Met;
  std::vector<const FunctionFacts *> Pending;
  for (const auto &[Name, Facts] : Unit.Program.Functions)
    Pending.push_back(&Facts);
  while (!Pending.empty()) {
    const FunctionFacts &Caller = *Pending.back();
    Pending.pop_back();
    for (const std::string &Name : Caller.Uses) {
      if (!Met.insert(Name).second)
        continue;
      bool HasBody = false;
      for (const UnitIndex &Each : Units)
        if (auto Found = Each.Program.Functions.find(Name);
            Found != Each.Program.Functions.end()) {
          HasBody = true;
          Pending.push_back(&Found->second);
        }
      if (!HasBody)
        return true;
    }
  }
  return false;
}

/// Adds what other files than \p From, which launches \p L, do about its limit
/// of shared memory. Whether they do it first is not known: it counts.
static void joinOptIns(Launch &L, const KernelDeclaration &Kernel,
                       const UnitIndex &From,
                       std::span<const UnitIndex> Units) {
  for (const UnitIndex &Unit : Units) {
    if (&Unit == &From)
      continue;
    auto Own =
        std::ranges::find(Unit.Kernels, Kernel.Name, &KernelDeclaration::Name);
    // Another kernel of that name: a static one.
    if (Own != Unit.Kernels.end() && !isSamePlace(Own->Where, Kernel.Where))
      continue;
    const bool IsNamed = Unit.SharedMemoryOptIns.contains(Kernel.Name);
    L.SharedMemoryOptIn |= IsNamed;
    if (IsNamed || Unit.SharedMemoryOptIns.contains(""))
      L.Raised.reset();
  }
  if (L.Raised)
    L.Raised->MayBeMore = leadsOutOfSight(From, Units);
}

std::vector<Launch> launchesOf(const KernelDeclaration &Kernel,
                               std::size_t Home,
                               std::span<const UnitIndex> Units) {
  std::vector<Launch> Result, OfCopies;
  auto addFrom = [&](const UnitIndex &Facts, std::vector<Launch> &To) {
    for (const Launch &L : Facts.Launches)
      if (mayLaunch(L, Kernel))
        joinOptIns(To.emplace_back(L), Kernel, Facts, Units);
  };
  addFrom(Units[Home], Result);
  const bool IsLaunchedAtHome =
      std::ranges::any_of(Result, [](const Launch &L) { return !L.NeverRuns; });
  for (std::size_t I = 0; I != Units.size(); ++I) {
    if (I == Home)
      continue;
    auto Own = std::ranges::find(Units[I].Kernels, Kernel.Name,
                                 &KernelDeclaration::Name);
    if (Own == Units[I].Kernels.end())
      addFrom(Units[I], Result);
    else if (isSamePlace(Own->Where, Kernel.Where))
      addFrom(Units[I], OfCopies);
  }
  if (!IsLaunchedAtHome)
    Result.insert(Result.end(), std::make_move_iterator(OfCopies.begin()),
                  std::make_move_iterator(OfCopies.end()));
  return Result;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static std::optional<Block> allKnown(const Extent &Shape) {
  if (!Shape[0] || !Shape[1] || !Shape[2])
    return std::nullopt;
  return Block{*Shape[0], *Shape[1], *Shape[2]};
}

/// A block that no GPU runs (0 threads, thousands of them) is invalid-launch's
/// to report; there is nothing to evaluate.
static bool isRunnable(const Block &B) {
  std::int64_t Threads = 1;
  for (std::int64_t Size : B) {
    if (Size < 1 || Size > 1024)
      return false;
    Threads *= Size;
  }
  return Threads <= 1024;
}

static std::pair<Block, LaunchSource>
fallbackBlock(const KernelDeclaration &Kernel, const Extent &Known,
              const ShapeOptions &Options) {
  if (Options.Block)
    return {*Options.Block, LaunchSource::User};
  if (std::optional<Block> Declared = allKnown(Kernel.BlockSize);
      Declared && isRunnable(*Declared))
    return {*Declared, LaunchSource::LaunchBounds};
  std::int64_t Bound = Kernel.MaxThreads.value_or(0);
  bool Bounded = Bound >= 1 && Bound <= 1024;
  // A found launch that breaks a limit is no help in assuming one that works.
  Extent Kept = Known;
  std::int64_t Product = 1;
  for (std::optional<std::int64_t> &Size : Kept) {
    if (Size && (*Size < 1 || *Size > 1024 || Product * *Size > 1024))
      Size = std::nullopt;
    Product *= Size.value_or(1);
  }
  return {assumeBlock(Kept, Kernel.DimensionsUsed, Bounded ? Bound : 256),
          Bounded ? LaunchSource::LaunchBounds : LaunchSource::Assumed};
}

/// Dimensions of a block that are assumed.
static std::array<bool, 3> openIn(const Extent &Known, LaunchSource Source) {
  std::array<bool, 3> Open = {};
  for (unsigned D = 0; D != 3; ++D)
    Open[D] = Source == LaunchSource::Assumed && !Known[D];
  return Open;
}

/// `--launch` for this kernel: one that names it beats `*`, the last one wins.
static const LaunchOption *optionFor(const KernelDeclaration &Kernel,
                                     const ShapeOptions &Options) {
  const LaunchOption *Best = nullptr;
  for (const LaunchOption &Option : Options.Launches) {
    if (namesKernel(Option.Kernel, Kernel))
      Best = &Option;
    else if (Option.Kernel == "*" && (!Best || Best->Kernel == "*"))
      Best = &Option;
  }
  return Best;
}

/// What the user gave replaces what was found, part by part.
static void overlay(Launch &L, const LaunchOption &Option) {
  for (unsigned I = 0; I != 3; ++I) {
    if (Option.Grid[I])
      L.Grid[I] = Option.Grid[I];
    if (Option.Block[I])
      L.Block[I] = Option.Block[I];
  }
  if (Option.DynamicSharedBytes)
    L.DynamicSharedBytes = Option.DynamicSharedBytes;
  L.Source = LaunchSource::User;
  L.NeverRuns = false;
}

static std::vector<Launch> withOption(std::vector<Launch> Found,
                                      const KernelDeclaration &Kernel,
                                      const LaunchOption &Option) {
  if (Found.empty()) {
    Launch L;
    L.Where = Kernel.Where;
    L.Origin = Kernel.Origin;
    L.Kernel = Kernel.Name;
    Found.push_back(std::move(L));
  }
  for (Launch &L : Found)
    overlay(L, Option);
  return Found;
}

static std::vector<Launch> eachOnce(std::vector<Launch> Launches) {
  auto key = [](const Launch &L) {
    return std::tie(L.Where, L.Grid, L.Block, L.DynamicSharedBytes, L.Arguments,
                    L.Fields, L.Nulls, L.Offsets, L.Powers, L.NotRound,
                    L.Limits, L.Multiples, L.Alignments, L.Paired);
  };
  std::vector<Launch> Result;
  for (Launch &L : Launches) {
    const auto Alike = std::ranges::find_if(
        Result, [&](const Launch &Other) { return key(L) == key(Other); });
    if (Alike == Result.end())
      Result.push_back(std::move(L));
    else
      Alike->HasOwnAllocations &= L.HasOwnAllocations;
  }
  return Result;
}

/// The first MaxShapes different ones: of each block its first comes before
/// any block's second.
static std::vector<LaunchShape> bounded(const std::vector<LaunchShape> &All) {
  auto key = [](const LaunchShape &S) {
    return std::tie(S.Block, S.Grid, S.Arguments, S.Fields, S.Nulls, S.Offsets,
                    S.Powers, S.NotRound, S.Limits, S.Multiples, S.Alignments,
                    S.Paired);
  };
  std::vector<LaunchShape> First, Second;
  std::set<Block> Blocks;
  for (const LaunchShape &Shape : All) {
    auto same = [&](const LaunchShape &S) { return key(S) == key(Shape); };
    if (std::ranges::any_of(First, same) || std::ranges::any_of(Second, same))
      continue;
    (Blocks.insert(Shape.Block).second ? First : Second).push_back(Shape);
  }
  First.insert(First.end(), Second.begin(), Second.end());
  First.resize(std::min(First.size(), MaxShapes));
  return First;
}

static void takeUsual(Launch &L) {
  L.Grid = L.Usual->Grid;
  L.Block = L.Usual->Block;
  L.DynamicSharedBytes = L.Usual->DynamicSharedBytes;
  L.Arguments = L.Usual->Arguments;
  L.Source = LaunchSource::Usual;
}

static std::string largeReason(const Launch &L) {
  // `'n', which changes in a loop`
  const std::string_view Comma = L.LargeName.ends_with("'") ? "" : ",";
  return fmt::format("as {}{} {} large", L.LargeName, Comma,
                     L.LargeName.find(" and ") == std::string::npos ? "is"
                                                                    : "are");
}

/// What is known of \p L if its block is \p Is.
static LaunchShape shapeOf(const Launch &L, const Block &Is,
                           LaunchSource Source) {
  LaunchShape Result{.Block = Is,
                     .BlockSource = Source,
                     .Grid = L.Grid,
                     .Blocks = {},
                     .Arguments = L.Arguments,
                     .Fields = L.Fields,
                     .Nulls = L.Nulls,
                     .Offsets = L.Offsets,
                     .Powers = L.Powers,
                     .NotRound = L.NotRound,
                     .Limits = L.Limits,
                     .Multiples = L.Multiples,
                     .Alignments = L.Alignments};
  for (const auto &[Position, Dimension] : L.BlockSizes)
    if (Position < Result.Arguments.size()) {
      const auto Times = L.TimesOfBlockSize.find(Position);
      Result.Arguments[Position] =
          Is[Dimension] * (Times == L.TimesOfBlockSize.end()
                               ? 1
                               : static_cast<std::int64_t>(Times->second));
    }
  return Result;
}

/// A block that its own expressions bound is as large as they allow.
static LaunchShape ifLarge(const Launch &L) {
  LaunchShape Result =
      shapeOf(L, *allKnown(L.IfLarge->Block), LaunchSource::Assumed);
  Result.BlockReason = largeReason(L);
  Result.Grid = L.IfLarge->Grid;
  return Result;
}

/// Of two sizes that go together, rows of whole warps.
static LaunchShape ofPair(const Launch &L) {
  const PairedSizes &Of = *L.Paired;
  PairedBlock Pair{.Threads = Of.Threads,
                   .Quotient = static_cast<unsigned>(Of.Quotient),
                   .Divisor = static_cast<unsigned>(Of.Divisor),
                   .Arguments = {}};
  for (const auto &[Position, Dimension] : L.BlockSizes)
    if (!L.TimesOfBlockSize.contains(Position))
      Pair.Arguments[Position] = static_cast<unsigned>(Dimension);
  Block Is = {1, 1, 1};
  for (unsigned D = 0; D != 3; ++D)
    Is[D] = L.Block[D].value_or(1);
  const unsigned Inner = std::min(Pair.Quotient, Pair.Divisor);
  const unsigned Outer = std::max(Pair.Quotient, Pair.Divisor);
  Is[Inner] = std::min<std::int64_t>(Of.Threads, 32);
  Is[Outer] = Of.Threads / Is[Inner];
  LaunchShape Result = shapeOf(L, Is, LaunchSource::Assumed);
  Result.Paired = std::move(Pair);
  return Result;
}

/// Lanes as many floats apart are each in a sector of its own, as with more.
static constexpr std::int64_t LeastOfLarge = 8;

/// What is not known in one launch may be as small as it is in another.
static void noteSmallArguments(std::vector<LaunchShape> &Shapes,
                               const std::vector<Launch> &Launches) {
  std::set<unsigned> Small;
  for (const Launch &L : Launches)
    for (unsigned I = 0; I != L.Arguments.size(); ++I)
      if (L.Arguments[I] && *L.Arguments[I] >= 0 &&
          *L.Arguments[I] < LeastOfLarge)
        Small.insert(I);
  for (LaunchShape &Shape : Shapes)
    for (unsigned I : Small)
      if (I >= Shape.Arguments.size() || !Shape.Arguments[I])
        Shape.SmallElsewhere.insert(I);
}

KernelShapes chooseShapes(const KernelDeclaration &Kernel,
                          std::span<const Launch> Found,
                          const ShapeOptions &Options) {
  KernelShapes Result;
  // One that never runs is a hint at the shape of a kernel without others.
  const bool HasAlive =
      !std::ranges::all_of(Found, [](const Launch &L) { return L.NeverRuns; });
  std::ranges::copy_if(
      Found, std::back_inserter(Result.Launches),
      [=](const Launch &L) { return !HasAlive || !L.NeverRuns; });
  if (const LaunchOption *Option = optionFor(Kernel, Options))
    Result.Launches = withOption(std::move(Result.Launches), Kernel, *Option);
  Result.NeverRuns = !Kernel.Template.empty() && !Kernel.IsUsedOtherwise &&
                     !Result.Launches.empty() &&
                     std::ranges::all_of(Result.Launches, &Launch::NeverRuns);

  std::vector<LaunchShape> Shapes;
  for (Launch &L : Result.Launches) {
    std::optional<Block> Known = allKnown(L.Block);
    if ((!Known || L.NeverRuns) && Options.Block) {
      L.Block = {(*Options.Block)[0], (*Options.Block)[1], (*Options.Block)[2]};
      L.Source = LaunchSource::User;
      Known = Options.Block;
    }
    if (!Known && L.Usual && L.Source == LaunchSource::Launch && !L.NeverRuns) {
      takeUsual(L);
      Known = allKnown(L.Block);
    }
    const bool IsLarge = L.Source == LaunchSource::Usual && L.IfLarge &&
                         L.IfLarge->Block == L.Block;
    if (Known && isRunnable(*Known)) {
      const bool IsHint = L.NeverRuns && L.Source == LaunchSource::Launch;
      Shapes.push_back(
          shapeOf(L, *Known, IsHint ? LaunchSource::Assumed : L.Source));
      if (IsLarge)
        Shapes.back().BlockReason = largeReason(L);
    }
  }
  Result.Launches = eachOnce(std::move(Result.Launches));
  // A launch that is only known in part still gives arguments and a grid.
  if (Shapes.empty())
    for (const Launch &L : Result.Launches) {
      if (L.IfLarge && !Options.Block && L.Source == LaunchSource::Launch) {
        Shapes.push_back(ifLarge(L));
        continue;
      }
      if (L.Paired && !Options.Block && L.Source == LaunchSource::Launch) {
        Shapes.push_back(ofPair(L));
        continue;
      }
      auto [Assumed, Source] = fallbackBlock(Kernel, L.Block, Options);
      Shapes.push_back(shapeOf(L, Assumed, Source));
      Shapes.back().IsOpen = openIn(L.Block, Source);
    }
  if (Shapes.empty()) {
    auto [Assumed, Source] = fallbackBlock(Kernel, Extent(), Options);
    Shapes.push_back({.Block = Assumed,
                      .BlockSource = Source,
                      .IsOpen = openIn(Extent(), Source),
                      .Grid = {},
                      .Arguments = {}});
  }
  noteSmallArguments(Shapes, Result.Launches);
  Result.Shapes = bounded(Shapes);
  std::erase_if(Result.Launches, [](const Launch &L) { return L.NeverRuns; });
  return Result;
}

std::vector<LaunchRecord> launchRecords(const KernelDeclaration &Kernel,
                                        const KernelShapes &Shapes) {
  std::vector<LaunchRecord> Records;
  for (const Launch &L : Shapes.Launches) {
    LaunchRecord Record{.Where = L.Where,
                        .Grid = L.Grid,
                        .Block = L.Block,
                        .DynamicSharedBytes = L.DynamicSharedBytes,
                        .Source = L.Source,
                        .Occupancy = std::nullopt,
                        .SharedMemoryOptIn = L.SharedMemoryOptIn};
    // Launches that differ in their arguments only are one here.
    auto same = [&](const LaunchRecord &Other) {
      return std::tie(Other.Where, Other.Grid, Other.Block,
                      Other.DynamicSharedBytes) ==
             std::tie(Record.Where, Record.Grid, Record.Block,
                      Record.DynamicSharedBytes);
    };
    if (std::ranges::none_of(Records, same))
      Records.push_back(std::move(Record));
  }
  if (!Records.empty())
    return Records;
  const LaunchShape &Used = Shapes.Shapes.front();
  Records.push_back({.Where = Kernel.Where,
                     .Grid = {},
                     .Block = {Used.Block[0], Used.Block[1], Used.Block[2]},
                     .DynamicSharedBytes = std::nullopt,
                     .Source = Used.BlockSource,
                     .Occupancy = std::nullopt});
  return Records;
}

} // namespace cudalint
