//===- analyzer/pipeline/AccessRecords.cpp - Accesses of all shapes -------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/pipeline/AccessRecords.h"

#include "analyzer/frontend/SystemHeaders.h"
#include "analyzer/ir/AssumptionNames.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

namespace cudalint {

/// How often the access is made in each shape that it stands for.
static std::vector<BlockCount> countsOf(const Access &A) {
  std::vector<BlockCount> Out = A.Counts;
  if (Out.empty())
    Out = {{A.Block, A.Executions, A.Frequencies}};
  std::erase_if(Out, [](const BlockCount &Each) {
    return !Each.Executions && Each.Frequencies.empty();
  });
  return Out;
}

AccessRecord recordOf(const Access &A) {
  AccessRecord Record{
      .Where = A.Where,
      .Space = A.Space,
      .Op = A.Op,
      .Bytes = A.Bytes,
      .Unit = unitOf(A.Space),
      .PerRequest = std::nullopt,
      .Ideal = std::nullopt,
      .Lanes = std::nullopt,
      .Trust = A.Trust,
      .Assumptions = {A.Assumptions.begin(), A.Assumptions.end()},
      .IsByData = assumes(A.Assumptions, ModelLimit::AllLanesByData),
      .Undecided = A.Undecided,
      .IsOfFewBlocks = A.IsOfFewBlocks,
      .SupposedLarge = A.Stride ? A.Stride->Symbol : std::string(),
      .Unknown = std::nullopt,
      .Block = A.Block,
      .Executions = A.Executions,
      .WhyNotCounted = A.WhyNotCounted,
      .LoopDepth = A.LoopDepth,
      .Counts = countsOf(A),
      .Shapes = A.Shapes,
      .LoopsAlike = A.LoopsAlike,
      .InlinedAt = A.InlinedAt,
      .Compiled = std::nullopt,
      .Written = std::nullopt};
  if (A.Trust == Certainty::Unknown)
    Record.Unknown = {A.Cause, A.WhyUnknown, A.CauseWhere};
  if (A.Expected) {
    Record.Trust = Certainty::Random;
    Record.PerRequest = A.Expected->PerRequest;
    Record.Ideal = A.Expected->Ideal;
    Record.Least = A.Expected->Least;
    Record.Most = A.Expected->Most;
    Record.Lanes = A.Expected->Lanes;
    Record.Random = {A.Expected->IsExact, A.Expected->StandardError,
                     A.Expected->IfEqual};
  }
  if (A.Predicted) {
    Record.PerRequest = A.Predicted->PerRequest;
    Record.Ideal = A.Predicted->Ideal;
    Record.Least = A.Predicted->Least;
    Record.Most = A.Predicted->Most;
    Record.Lanes = A.Predicted->Lanes;
  }
  if (A.ByPower) {
    Record.ByPower = A.ByPower;
    for (const PowerCost &Each : A.ByPower->Values) {
      Record.Least = std::min(Record.Least.value_or(INFINITY), Each.PerRequest);
      Record.Most = std::max(Record.Most.value_or(0), Each.PerRequest);
    }
  }
  return Record;
}

static bool isSameLine(const Location &A, const Location &B) {
  return A.Line == B.Line && baseName(A.File) == baseName(B.File);
}

/// Of the places of one inline chain, the compiler's line table names one, and
/// not always the innermost; what it sinks out of branches gets a line behind
/// them.
static void placeAsCompiled(AccessRecord &Record, const Access &A,
                            const MachineInstruction &By) {
  const Location &Compiled = By.Where;
  if (!Compiled.Line || isSameLine(Record.Where, Compiled))
    return;
  const bool IsHeader = By.IsInHeader;
  auto Found = std::ranges::find_if(Record.InlinedAt, [&](const Location &L) {
    return isSameLine(L, Compiled);
  });
  // Where the user has it: not in the header of a function of the toolkit.
  const auto User = std::ranges::find(Record.InlinedAt, A.UserWhere);
  const bool IsUsers =
      User != Record.InlinedAt.end() && A.UserWhere != Record.Where;
  const Location Place = IsUsers ? *User : Record.Where;
  if (Found == Record.InlinedAt.end() && !IsHeader &&
      baseName(Place.File) != baseName(Compiled.File))
    return;
  Record.Written = Found == Record.InlinedAt.end() ? Place : Record.Where;
  if (Found == Record.InlinedAt.end()) {
    // The toolkit's own function, which Clang has in its headers.
    if (IsHeader)
      Record.InlinedAt.insert(Record.InlinedAt.begin(), Record.Where);
    else if (IsUsers)
      Record.InlinedAt.erase(Record.InlinedAt.begin(), User + 1);
    Record.Where = Compiled;
    return;
  }
  Record.Where = *Found;
  Record.InlinedAt.erase(Record.InlinedAt.begin(), Found + 1);
}

/// How much of what the access does is of that instruction. Which turns of an
/// unrolled loop are whose may not be known.
static double shareOf(const Access &A, std::size_t Instruction) {
  const std::vector<double> &Each = A.InstructionExecutions;
  const double All = std::accumulate(Each.begin(), Each.end(), 0.0);
  return Each.size() == A.Instructions.size() && All > 0
             ? Each[Instruction] / All
             : 1 / static_cast<double>(A.Instructions.size());
}

void addRecords(const Access &A, std::vector<AccessRecord> &Out) {
  if (A.Instructions.empty()) {
    Out.push_back(recordOf(A));
    return;
  }
  // As many instructions as requests: the turns of a loop, one by one.
  const bool IsInOrder = A.InOrder.size() == A.Instructions.size();
  // The mean over unequal turns is that of all instructions together.
  const bool IsOnePlace =
      std::ranges::all_of(A.Instructions, [&](const MachineInstruction &Each) {
        return isSameLine(Each.Where, A.Instructions.front().Where);
      });
  for (std::size_t I = 0; I != A.Instructions.size(); ++I) {
    AccessRecord &Record = Out.emplace_back(recordOf(A));
    Record.Compiled = A.Instructions[I];
    const double Share = shareOf(A, I);
    if (A.Executions)
      Record.Executions = I < A.InstructionExecutions.size()
                              ? A.InstructionExecutions[I]
                              : *A.Executions * Share;
    for (BlockCount &Count : Record.Counts) {
      if (Count.Executions)
        *Count.Executions *= Share;
      for (Frequency &Each : Count.Frequencies)
        Each.Times *= Share;
    }
    if (IsInOrder) {
      Record.PerRequest = A.InOrder[I].PerRequest;
      Record.Ideal = A.InOrder[I].Ideal;
      Record.Lanes = A.InOrder[I].Lanes;
    }
    if (IsInOrder || IsOnePlace || A.InOrder.empty())
      placeAsCompiled(Record, A, A.Instructions[I]);
  }
}

std::vector<RowUse> rowsOf(const std::vector<Access> &Accesses) {
  std::map<std::string, RowUse> ByVariable;
  for (const Access &Each : Accesses) {
    if (!Each.LastInRow || !Each.Source.Array || Each.Variable.empty())
      continue;
    const ArrayFact &Array = *Each.Source.Array;
    const auto Most = static_cast<std::uint64_t>(*Each.LastInRow);
    const auto [At, IsNew] = ByVariable.try_emplace(
        Each.Variable,
        RowUse{.Variable = Each.Variable,
               .Name = Each.Source.Object,
               .RowBytes = Array.Dimensions.back() * Array.ElementBytes,
               .LastInRow = Most,
               .Where = Each.UserWhere});
    if (!IsNew && At->second.LastInRow < Most) {
      At->second.LastInRow = Most;
      At->second.Where = Each.UserWhere;
    }
  }
  std::vector<RowUse> Result;
  for (auto &[Variable, Use] : ByVariable)
    Result.push_back(std::move(Use));
  return Result;
}

/// What two block shapes must agree on for one record to stand for both.
using AccessKey =
    std::tuple<Location, std::vector<Location>, MemorySpace, AccessOp, unsigned,
               unsigned, Certainty, bool, double, double, double, unsigned,
               std::optional<double>, std::optional<double>, double, double,
               std::vector<std::tuple<std::int64_t, double, double>>>;

static AccessKey keyOf(const Access &A) {
  const Traffic T = A.Predicted.value_or(Traffic());
  const Expectation X = A.Expected.value_or(Expectation());
  std::vector<std::tuple<std::int64_t, double, double>> ByPower;
  if (A.ByPower)
    for (const PowerCost &Each : A.ByPower->Values)
      ByPower.push_back({Each.Power, Each.PerRequest, Each.Ideal});
  return {A.Where,           A.InlinedAt, A.Space,      A.Op,
          A.Bytes,           A.LoopDepth, A.Trust,      A.Predicted.has_value(),
          T.PerRequest,      T.Ideal,     T.Lanes,      T.Ways,
          T.Least,           T.Most,      X.PerRequest, X.Ideal,
          std::move(ByPower)};
}

/// Each shape keeps its own, by which findings weigh: the first of a block.
static void addCount(Access &Into, const Access &Other) {
  if (std::ranges::none_of(Into.Counts, [&](const BlockCount &Each) {
        return Each.Block == Other.Block;
      }))
    Into.Counts.push_back({Other.Block, Other.Executions, Other.Frequencies});
}

/// One entry for two shapes has a count only if it is that of both.
static void mergeInto(Access &Into, const Access &Other) {
  Into.LastInRow = std::max(Into.LastInRow, Other.LastInRow);
  if (Into.Reach && Other.Reach)
    Into.Reach = {std::min(Into.Reach->Begin, Other.Reach->Begin),
                  std::max(Into.Reach->End, Other.Reach->End)};
  Into.Undecided = std::max(Into.Undecided, Other.Undecided);
  Into.IsOfFewBlocks &= Other.IsOfFewBlocks;
  if (Into.StaysInRow)
    *Into.StaysInRow &=
        Other.StaysInRow.value_or(true) &&
        isLaunched(Other.BlockSource) == isLaunched(Into.BlockSource);
  addCount(Into, Into);
  addCount(Into, Other);
  Into.Shapes.insert(Into.Shapes.end(), Other.Shapes.begin(),
                     Other.Shapes.end());
  // Ten blocks that count a tenth each are one, but for the last bit.
  if (Into.Executions.has_value() == Other.Executions.has_value() &&
      std::abs(Into.Executions.value_or(0) - Other.Executions.value_or(0)) <=
          1e-9 * Into.Executions.value_or(0))
    return;
  if (Into.Executions)
    Into.WhyNotCounted =
        Other.Executions ? "launches differ in it" : Other.WhyNotCounted;
  Into.Executions.reset();
}

void addShape(std::vector<Access> &All, std::vector<Access> Fresh,
              std::uint64_t &NextGroup) {
  std::map<AccessKey, std::vector<std::size_t>> Known; // not taken yet
  for (std::size_t I = All.size(); I-- != 0;)
    Known[keyOf(All[I])].push_back(I);
  // An access without a group is one of its own.
  std::map<std::pair<std::uint64_t, std::size_t>, std::vector<std::size_t>>
      Groups;
  for (std::size_t I = 0; I != Fresh.size(); ++I) {
    std::uint64_t Group = Fresh[I].GroupKey;
    Groups[{Group, Group ? 0 : I}].push_back(I);
  }
  std::vector<bool> Keep(Fresh.size(), false);
  for (auto &[Group, Members] : Groups) {
    std::vector<std::size_t> Taken;
    for (std::size_t I : Members) {
      auto Found = Known.find(keyOf(Fresh[I]));
      if (Found == Known.end() || Found->second.empty())
        break;
      Taken.push_back(Found->second.back());
      Found->second.pop_back();
    }
    if (Taken.size() == Members.size()) {
      for (std::size_t K = 0; K != Taken.size(); ++K)
        mergeInto(All[Taken[K]], Fresh[Members[K]]);
      continue;
    }
    while (!Taken.empty()) {
      Known[keyOf(All[Taken.back()])].push_back(Taken.back());
      Taken.pop_back();
    }
    // Keys of different shapes must not meet.
    std::uint64_t Key = Group.first ? NextGroup++ : 0;
    for (std::size_t I : Members) {
      Keep[I] = true;
      Fresh[I].GroupKey = Key;
    }
  }
  for (std::size_t I = 0; I != Fresh.size(); ++I)
    if (Keep[I])
      All.push_back(std::move(Fresh[I]));
}

} // namespace cudalint
