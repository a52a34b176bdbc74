//===- runtime/join/ChosenAccesses.cpp - Of the blocks that ran -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/join/ChosenAccesses.h"

#include "runtime/join/LaunchJudge.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>
#include <tuple>

namespace cudalint {

static Shape blockOf(const AccessRecord &Access) {
  Shape Out = {};
  for (std::size_t I = 0; I != 3; ++I)
    Out[I] = static_cast<std::uint64_t>(Access.Block[I]);
  return Out;
}

static std::string formatShapes(const std::set<Shape> &Shapes) {
  std::string Out;
  for (const Shape &Each : Shapes)
    Out += (Out.empty() ? "" : ", ") + formatShape(Each);
  return Out;
}

/// The blocks of the launches that the analyzer knew of.
static void addLaunchBlocks(const KernelRecord &Record, std::set<Shape> &Out) {
  for (const LaunchRecord &Launch : Record.Launches) {
    Shape Block = {};
    bool IsKnown = true;
    for (std::size_t I = 0; I != 3; ++I) {
      IsKnown &= Launch.Block[I].has_value();
      Block[I] = static_cast<std::uint64_t>(Launch.Block[I].value_or(0));
    }
    if (IsKnown)
      Out.insert(Block);
  }
}

/// Whether a launch may be of the shape; what is not known of that may be any.
static bool mayBeOf(const ProfileLaunch &Launch, const WarpTotals &Shape) {
  for (std::size_t I = 0; I != 3; ++I)
    if (static_cast<std::uint64_t>(Shape.Block[I]) != Launch.Block[I] ||
        static_cast<std::uint64_t>(Shape.Grid[I].value_or(
            static_cast<std::int64_t>(Launch.Grid[I]))) != Launch.Grid[I])
      return false;
  return true;
}

/// Of all launches that were measured; nothing unless all launches have one
/// shape, which is the one that was evaluated: an access has one number of
/// executions for all shapes.
static std::optional<double> measuredWarps(const PredictedKernel &Predicted,
                                           const MeasuredKernel &Measured) {
  if (Measured.Launched.empty())
    return std::nullopt;
  const ProfileLaunch &First = Measured.Launched.front();
  for (const ProfileLaunch &Each : Measured.Launched)
    if (Each.Grid != First.Grid || Each.Block != First.Block)
      return std::nullopt;
  for (const KernelRecord *Record : Predicted.Records)
    if (Record->Totals.empty() ||
        !std::ranges::all_of(Record->Totals, [&](const WarpTotals &Each) {
          return mayBeOf(First, Each);
        }))
      return std::nullopt;
  auto Volume = [](const Shape &Of) {
    return static_cast<double>(Of[0]) * static_cast<double>(Of[1]) *
           static_cast<double>(Of[2]);
  };
  return static_cast<double>(Measured.MeasuredLaunches) * Volume(First.Grid) *
         std::ceil(Volume(First.Block) / 32);
}

ChosenAccesses chooseAccesses(const PredictedKernel &Predicted,
                              const MeasuredKernel &Measured) {
  ChosenAccesses Out;
  using Kernel = std::tuple<std::string, unsigned, Shape>;
  auto kernelOf = [](const KernelRecord &Record, const AccessRecord &Access) {
    return Kernel{Record.Where.File, Record.Where.Line, blockOf(Access)};
  };
  std::map<Kernel, const KernelRecord *> Speaker;
  std::set<Shape> Launched, Known, Analysed;
  for (const KernelRecord *Record : Predicted.Records) {
    addLaunchBlocks(*Record, Analysed);
    for (const AccessRecord &Access : Record->Accesses) {
      Speaker.try_emplace(kernelOf(*Record, Access), Record);
      Known.insert(blockOf(Access));
    }
  }
  for (const ProfileLaunch &Launch : Measured.Launched)
    Launched.insert(Launch.Block);
  std::set<Shape> Other = Launched;
  std::erase_if(Other, [&](const Shape &Each) {
    return Known.contains(Each) || Analysed.contains(Each);
  });
  if (!Other.empty())
    Out.Launches = {
        .Holds = false,
        .Why = fmt::format("it was launched with blocks of {}, predicted "
                           "for {}",
                           formatShapes(Other), formatShapes(Known))};

  Out.Launches.Warps = measuredWarps(Predicted, Measured);

  using Static =
      std::tuple<Location, MemorySpace, AccessOp, std::vector<Location>>;
  auto staticOf = [](const AccessRecord &Access) {
    return Static{Access.Where, Access.Space, Access.Op, Access.InlinedAt};
  };
  auto isLaunched = [&](const AccessRecord &Access) {
    return Launched.contains(blockOf(Access));
  };
  std::set<Static> HasLaunched;
  for (const KernelRecord *Record : Predicted.Records)
    for (const AccessRecord &Access : Record->Accesses)
      if (isLaunched(Access))
        HasLaunched.insert(staticOf(Access));
  for (const KernelRecord *Record : Predicted.Records)
    for (const AccessRecord &Access : Record->Accesses)
      if (Speaker[kernelOf(*Record, Access)] == Record &&
          (isLaunched(Access) || !HasLaunched.contains(staticOf(Access))))
        Out.Accesses.push_back(&Access);
  return Out;
}

} // namespace cudalint
