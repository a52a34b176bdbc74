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
#include <numeric>
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
  Sum Out = Of;
  Out.Instructions.clear();
  for (const auto &[Number, Times] : Of.Instructions) {
    const Class &Each = Classes[Number];
    if (!Each.Executions) {
      Out.Instructions[Number] = Times;
      continue;
    }
    Out.Executions -= *Each.Executions * Times;
    Out.IsByOrder |= Each.IsByOrder;
    if (Each.ByRun.size() != Out.ByRun.size())
      Out.ByRun.clear();
    for (std::size_t Run = 0; Run != Out.ByRun.size(); ++Run)
      Out.ByRun[Run] -= Each.ByRun[Run] * Times;
  }
  return Out;
}

static bool isWhole(double Number) {
  return std::abs(Number - std::round(Number)) <=
         Tolerance * std::max(1.0, Number);
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
bool InstructionCounts::solveSingle(const std::vector<Sum> &Sums,
                                    bool WithGuesses) {
  std::map<std::size_t, std::vector<Sum>> Said;
  for (const Sum &Each : Sums) {
    Sum Rest = restOf(Each);
    if (Rest.Instructions.size() != 1 || (Rest.IsGuess && !WithGuesses))
      continue;
    const auto [Class, Number] = *Rest.Instructions.begin();
    Rest.Executions /= Number;
    for (double &OfRun : Rest.ByRun)
      OfRun /= Number;
    // Some are another's: a run does nothing by halves, nor more than once what
    // is in no loop.
    if (Rest.Executions < -Tolerance ||
        (!Classes[Class].IsInLoop && Rest.Executions > 1 + Tolerance) ||
        !std::ranges::all_of(Rest.ByRun, isWhole)) {
      Classes[Class].IsDisputed = true;
      continue;
    }
    Rest.Executions = std::max(Rest.Executions, 0.0);
    Said[Class].push_back(std::move(Rest));
  }
  bool IsAny = false;
  for (const auto &[Number, Sums] : Said) {
    Class &Of = Classes[Number];
    std::vector<double> Values;
    for (const Sum &Each : Sums)
      Values.push_back(Each.Executions);
    Of.Executions = mostFrequent(std::move(Values));
    if (!Of.Executions) {
      Of.IsDisputed = true;
      continue;
    }
    IsAny = true;
    const auto Like = std::ranges::find_if(Sums, [&](const Sum &Each) {
      return std::abs(Each.Executions - *Of.Executions) <=
             Tolerance * std::max(1.0, *Of.Executions);
    });
    Of.ByRun = Like->ByRun;
    Of.IsByOrder = Like->IsByOrder;
  }
  return IsAny;
}

/// The copies of an unrolled loop: as many turns as fit are made by the largest
/// one, and so on. Of a mean over warps that make more turns and fewer, that
/// says nothing.
bool InstructionCounts::solveByOrder(const std::vector<Sum> &Sums,
                                     bool WithGuesses) {
  for (const Sum &Each : Sums) {
    Sum Rest = restOf(Each);
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
    if (Copies.size() < 2 || !AllDiffer || !AreCopies || Rest.ByRun.empty() ||
        (Rest.IsGuess && !WithGuesses))
      continue;
    std::vector<std::vector<double>> Times;
    for (const auto &[Number, Class] : Copies) {
      std::vector<double> &Now = Times.emplace_back();
      for (double &Left : Rest.ByRun) {
        const double Fit = Classes[Class].IsInLoop && Number == 1
                               ? Left
                               : std::floor(Left / Number + Tolerance);
        Now.push_back(Classes[Class].IsInLoop ? Fit : std::min(Fit, 1.0));
        Left -= Now.back() * Number;
      }
    }
    if (std::ranges::any_of(
            Rest.ByRun, [](double Left) { return std::abs(Left) > Tolerance; }))
      continue;
    for (std::size_t I = 0; I != Copies.size(); ++I) {
      Class &Copy = Classes[Copies[I].second];
      Copy.Executions = std::inner_product(Times[I].begin(), Times[I].end(),
                                           Shares.begin(), 0.0);
      Copy.ByRun = std::move(Times[I]);
      Copy.IsByOrder = true;
    }
    return true;
  }
  return false;
}

InstructionCounts::InstructionCounts(const std::vector<InstructionSum> &Sums,
                                     std::vector<double> Shares)
    : Shares(std::move(Shares)) {
  std::vector<Sum> Numbered;
  for (const InstructionSum &Each : Sums) {
    Sum &Into = Numbered.emplace_back();
    Into.Executions = Each.Executions;
    if (Each.ByRun.size() == this->Shares.size())
      Into.ByRun = Each.ByRun;
    Into.IsGuess = Each.IsGuess;
    for (const MachineInstruction &I : Each.Instructions)
      ++Into.Instructions[numberOf(I)];
  }
  MachineInstruction Once;
  Once.IsInEachTurn = true;
  Class &OfOnce = Classes[numberOf(Once)];
  OfOnce.Executions = 1;
  OfOnce.ByRun.assign(this->Shares.size(), 1);
  for (const bool WithGuesses : {false, true})
    for (unsigned Round = 0; Round != MostRounds; ++Round)
      if (!solveSingle(Numbered, WithGuesses) &&
          !solveByOrder(Numbered, WithGuesses))
        break;
}

} // namespace cudalint
