//===- analyzer/ir/InstructionCounts.cpp - Executions of code -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/InstructionCounts.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace cudalint {

/// Means of many blocks do not add up to the last bit.
static constexpr double Tolerance = 1e-6;

/// A chain of sums, each of which needs the one before it, is not followed
/// further.
static constexpr unsigned MostRounds = 64;

InstructionCounts::Key InstructionCounts::keyOf(const MachineInstruction &I) {
  if (I.IsInEachTurn && !I.Predicated)
    return {I.CopyOfLoop, I.Loops, std::nullopt, 0};
  const bool IsAsBlock = I.Block && !I.Predicated;
  return {I.Copy, I.Loops, I.Block, IsAsBlock ? 0 : I.Offset + 1};
}

std::size_t InstructionCounts::numberOf(const MachineInstruction &I) {
  const auto [Found, IsNew] = Numbers.try_emplace(keyOf(I), Classes.size());
  if (IsNew)
    Classes.push_back({.IsInLoop = !I.Loops.empty(),
                       .IsInEachTurn = I.IsInEachTurn && !I.Predicated,
                       .Executions = std::nullopt});
  return Found->second;
}

const InstructionCounts::Class *
InstructionCounts::find(const MachineInstruction &I) const {
  const auto Found = Numbers.find(keyOf(I));
  if (Found == Numbers.end() || !Classes[Found->second].Executions)
    return nullptr;
  return &Classes[Found->second];
}

std::optional<double> InstructionCounts::of(const MachineInstruction &I) const {
  const Class *Found = find(I);
  return Found ? Found->Executions : std::nullopt;
}

std::optional<double>
InstructionCounts::of(const std::vector<MachineInstruction> &All) const {
  double Sum = 0;
  for (const MachineInstruction &I : All) {
    const Class *Found = find(I);
    if (!Found)
      return std::nullopt;
    Sum += *Found->Executions;
  }
  return Sum;
}

bool InstructionCounts::isDisputed(
    const std::vector<MachineInstruction> &All) const {
  return std::ranges::any_of(All, [&](const MachineInstruction &I) {
    const auto Found = Numbers.find(keyOf(I));
    return Found != Numbers.end() && Classes[Found->second].IsDisputed &&
           !Classes[Found->second].Executions;
  });
}

bool InstructionCounts::isByOrder(
    const std::vector<MachineInstruction> &All) const {
  return std::ranges::any_of(All, [&](const MachineInstruction &I) {
    const Class *Found = find(I);
    return Found && Found->IsByOrder;
  });
}

InstructionCounts::Sum InstructionCounts::restOf(const Sum &Of) const {
  Sum Out = {.Instructions = {}, .Executions = Of.Executions};
  for (const auto &[Class, Number] : Of.Instructions)
    if (const std::optional<double> Each = Classes[Class].Executions)
      Out.Executions -= *Each * Number;
    else
      Out.Instructions[Class] = Number;
  return Out;
}

/// Of numbers, the one that is most frequent; nothing: there are two.
static std::optional<double> mostFrequent(std::vector<double> Values) {
  std::ranges::sort(Values);
  std::optional<double> Best;
  std::ptrdiff_t Votes = 0;
  for (auto At = Values.begin(); At != Values.end();) {
    const auto End = std::find_if(At, Values.end(), [&](double V) {
      return V > *At + Tolerance * std::max(1.0, *At);
    });
    if (End - At == Votes)
      Best.reset();
    if (End - At > Votes) {
      Votes = End - At;
      Best = *At;
    }
    At = End;
  }
  return Best;
}

/// What a sum with one unknown says of it. Where sums contradict each other,
/// most of them are right, or it stays unknown.
bool InstructionCounts::solveSingle(const std::vector<Sum> &Sums) {
  std::map<std::size_t, std::vector<double>> Said;
  for (const Sum &Each : Sums) {
    const Sum Rest = restOf(Each);
    if (Rest.Instructions.size() != 1)
      continue;
    const auto [Class, Number] = *Rest.Instructions.begin();
    const double Times = Rest.Executions / Number;
    if (Times >= -Tolerance &&
        (Classes[Class].IsInLoop || Times <= 1 + Tolerance))
      Said[Class].push_back(std::max(Times, 0.0));
  }
  bool IsAny = false;
  for (auto &[Class, Values] : Said)
    if (const std::optional<double> Times = mostFrequent(std::move(Values))) {
      Classes[Class].Executions = Times;
      IsAny = true;
    } else {
      Classes[Class].IsDisputed = true;
    }
  return IsAny;
}

/// The copies of an unrolled loop: as many turns as fit are made by the largest
/// one, and so on.
bool InstructionCounts::solveByOrder(const std::vector<Sum> &Sums) {
  for (const Sum &Each : Sums) {
    const Sum Rest = restOf(Each);
    std::vector<std::pair<unsigned, std::size_t>> Copies;
    for (const auto &[Class, Number] : Rest.Instructions)
      Copies.emplace_back(Number, Class);
    std::ranges::sort(Copies, std::greater());
    const bool AllDiffer =
        std::ranges::adjacent_find(
            Copies, {}, [](const auto &C) { return C.first; }) == Copies.end();
    // Not the branches of a condition.
    const bool AreCopies =
        std::ranges::any_of(
            Copies,
            [&](const auto &C) { return Classes[C.second].IsInLoop; }) &&
        std::ranges::all_of(Copies, [&](const auto &C) {
          const Class &Of = Classes[C.second];
          return !Of.IsInLoop || Of.IsInEachTurn;
        });
    if (Copies.size() < 2 || !AllDiffer || !AreCopies ||
        Rest.Executions < -Tolerance)
      continue;
    double Left = std::max(Rest.Executions, 0.0);
    std::vector<double> Times;
    for (const auto &[Number, Class] : Copies) {
      double Now = std::floor(Left / Number + Tolerance);
      if (!Classes[Class].IsInLoop)
        Now = std::min(Now, 1.0);
      else if (Number == 1)
        Now = Left;
      Times.push_back(Now);
      Left -= Now * Number;
    }
    if (std::abs(Left) > Tolerance)
      continue;
    for (std::size_t I = 0; I != Copies.size(); ++I) {
      Classes[Copies[I].second].Executions = Times[I];
      Classes[Copies[I].second].IsByOrder = true;
    }
    return true;
  }
  return false;
}

InstructionCounts::InstructionCounts(const std::vector<InstructionSum> &Sums) {
  std::vector<Sum> Numbered;
  for (const InstructionSum &Each : Sums) {
    Sum &Into = Numbered.emplace_back();
    Into.Executions = Each.Executions;
    for (const MachineInstruction &I : Each.Instructions)
      ++Into.Instructions[numberOf(I)];
  }
  MachineInstruction Once;
  Once.IsInEachTurn = true;
  Classes[numberOf(Once)].Executions = 1;
  for (unsigned Round = 0; Round != MostRounds; ++Round)
    if (!solveSingle(Numbered) && !solveByOrder(Numbered))
      break;
}

} // namespace cudalint
