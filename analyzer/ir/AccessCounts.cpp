//===- analyzer/ir/AccessCounts.cpp - How often accesses happen -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/AccessCounts.h"

#include "analyzer/ir/AccessDoubts.h"
#include "analyzer/ir/CompiledMatching.h"
#include "analyzer/ir/InstructionCounts.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

namespace cudalint {

/// Means of many runs do not add up to the last bit.
static bool isAbout(double X, double Y) {
  return std::abs(X - Y) <= 1e-6 * std::max(1.0, Y);
}

namespace {
/// Puts together how often accesses happen and their instructions do.
class Counting {
public:
  Counting(std::vector<CollectedAccess> &Found, const AccessPlan &Plan,
           const Pools &Members)
      : Found(Found), Plan(Plan), Members(Members), Shares(sharesOf()),
        Sums(sums()), Counts(Sums, *Shares) {}

  void run();

private:
  std::vector<CollectedAccess> &Found;
  const AccessPlan &Plan;
  const Pools &Members;
  /// By the pools of an access that is split, those that share them.
  std::map<std::vector<unsigned>, std::set<std::size_t>> Split;
  std::map<unsigned, std::vector<std::size_t>> SumsOf; ///< Of split accesses.
  std::shared_ptr<const std::vector<double>> Shares;
  std::vector<InstructionSum> Sums;
  InstructionCounts Counts;

  std::vector<unsigned> partsOf(const CollectedAccess &A) const;
  std::vector<InstructionSum> sums();
  std::shared_ptr<const std::vector<double>> sharesOf() const;
  InstructionSum nothing() const;
  void add(InstructionSum &Out, const CollectedAccess &A) const;
  void addSplit(std::vector<InstructionSum> &Out);
  bool isSplitRight(unsigned Pool) const;
  void distribute(const std::vector<std::size_t> &Of, double Times);
  void explain(const std::vector<std::size_t> &Of, double Said, double Times);
};
} // namespace

/// The pools of an access that several instructions make together, some bytes
/// each; empty: one makes all of it.
std::vector<unsigned> Counting::partsOf(const CollectedAccess &A) const {
  const WrittenAccess *W = Plan.written(*A.Inst, A.Part);
  std::vector<unsigned> Out;
  unsigned Least = ~0u, Whole = W ? W->Bytes : 0;
  for (const CompiledPart &Each : Plan.find(*A.Inst, A.Part)->Parts) {
    if (Each.IsWider || !W)
      return {};
    Least = std::min(Least, Each.Bytes);
    Whole = std::max(Whole, Each.Bytes);
    Out.push_back(Each.Pool);
  }
  return Least < Whole ? Out : std::vector<unsigned>();
}

void Counting::add(InstructionSum &Out, const CollectedAccess &A) const {
  Out.Executions += A.Result.Executions.value_or(0);
  Out.IsGuess |= !Plan.find(*A.Inst, A.Part)->Assumptions.empty();
  if (A.Shares != Shares)
    Out.ByRun.clear();
  for (std::size_t Run = 0; Run != Out.ByRun.size(); ++Run)
    Out.ByRun[Run] += A.ByRun[Run];
}

/// A sum of nothing.
InstructionSum Counting::nothing() const {
  return {.Instructions = {},
          .Executions = 0,
          .ByRun = std::vector<double>(Shares->size())};
}

/// Each byte of a split access is accessed as often as the access happens.
void Counting::addSplit(std::vector<InstructionSum> &Out) {
  for (const auto &[Pools, Accesses] : Split) {
    const CollectedAccess &First = Found[*Accesses.begin()];
    const std::vector<CompiledPart> &Parts =
        Plan.find(*First.Inst, First.Part)->Parts;
    InstructionSum Whole = nothing();
    bool IsKnown = true;
    for (std::size_t A : Accesses) {
      IsKnown &= Found[A].Result.Executions.has_value();
      if (Found[A].Piece == 0)
        add(Whole, Found[A]);
    }
    if (!IsKnown)
      continue;
    std::set<std::vector<unsigned>> Covers;
    for (const CompiledPart &At : Parts) {
      std::vector<unsigned> Of;
      for (const CompiledPart &Each : Parts)
        if (Each.Offset <= At.Offset && At.Offset < Each.Offset + Each.Bytes)
          Of.push_back(Each.Pool);
      if (!Covers.insert(Of).second)
        continue;
      InstructionSum &Sum = Out.emplace_back(Whole);
      for (unsigned Pool : Of)
        SumsOf[Pool].push_back(Out.size() - 1);
      for (unsigned Pool : Of)
        Sum.Instructions.insert(Sum.Instructions.end(),
                                Plan.pools()[Pool].begin(),
                                Plan.pools()[Pool].end());
    }
  }
}

/// Of the runs that the accesses have in common.
std::shared_ptr<const std::vector<double>> Counting::sharesOf() const {
  for (const auto &[Pool, Of] : Members)
    for (std::size_t I : Of)
      if (Found[I].Shares)
        return Found[I].Shares;
  return std::make_shared<const std::vector<double>>();
}

std::vector<InstructionSum> Counting::sums() {
  std::vector<InstructionSum> Out;
  for (const auto &[Pool, Of] : Members) {
    InstructionSum Sum = nothing();
    Sum.Instructions = Plan.pools()[Pool];
    bool IsWhole = true;
    for (std::size_t I : Of) {
      const CollectedAccess &A = Found[I];
      if (const std::vector<unsigned> Parts = partsOf(A); !Parts.empty()) {
        Split[Parts].insert(I);
        IsWhole = false;
      }
      IsWhole &= A.Result.Executions.has_value();
      add(Sum, A);
    }
    if (IsWhole)
      Out.push_back(std::move(Sum));
  }
  addSplit(Out);
  return Out;
}

/// Whether the instructions access each byte as often as the source does.
bool Counting::isSplitRight(unsigned Pool) const {
  const auto Of = SumsOf.find(Pool);
  return Of != SumsOf.end() && std::ranges::all_of(Of->second, [&](auto S) {
           const std::optional<double> Times = Counts.of(Sums[S].Instructions);
           return Times && isAbout(*Times, Sums[S].Executions);
         });
}

/// The accesses happen so often together, each as often as before among them.
void Counting::distribute(const std::vector<std::size_t> &Of, double Times) {
  double Before = 0;
  for (std::size_t I : Of)
    Before += *Found[I].Result.Executions;
  for (std::size_t I : Of) {
    Access &A = Found[I].Result;
    A.Executions = Before == 0 ? 0 : *A.Executions / Before * Times;
    std::vector<double> Each;
    double Sum = 0;
    for (const MachineInstruction &Instruction : A.Instructions) {
      Each.push_back(*Counts.of(Instruction));
      Sum += Each.back();
    }
    if (isAbout(Sum, *A.Executions))
      A.InstructionExecutions = std::move(Each);
  }
}

/// The instructions happen so often, and the source says something else.
void Counting::explain(const std::vector<std::size_t> &Of, double Said,
                       double Times) {
  const bool IsSpared =
      Times < Said && std::ranges::all_of(
                          Of,
                          [&](std::size_t I) {
                            const Access &A = Found[I].Result;
                            return A.Op == AccessOp::Load && !A.Volatile;
                          });
  const bool IsOneCost =
      costTheSame(Found, Of) && std::ranges::none_of(Of, [&](std::size_t I) {
        return Found[I].IsUneven;
      });
  // Values that are in registers already are not loaded again.
  if (IsSpared && IsOneCost) {
    distribute(Of, Times);
    return;
  }
  for (std::size_t I : Of) {
    Access &A = Found[I].Result;
    assume(A, IsSpared ? Assumption("the compiled code leaves out of these "
                                    "accesses some of each cost",
                                    AssumptionKind::Compiler)
                       : OwnInstructions);
    A.Executions.reset();
    A.WhyNotCounted =
        Times < Said ? "the compiled code makes it less often than the source"
                     : "the compiled code makes it more often than the source";
  }
}

void Counting::run() {
  for (const auto &[Pool, Of] : Members) {
    const std::vector<MachineInstruction> &Instructions = Plan.pools()[Pool];
    const std::optional<double> Times = Counts.of(Instructions);
    double Said = 0;
    bool IsSaid = true, IsSplit = false;
    for (std::size_t I : Of) {
      IsSaid &= Found[I].Result.Executions.has_value();
      Said += Found[I].Result.Executions.value_or(0);
      IsSplit |= !partsOf(Found[I]).empty();
    }
    std::size_t Needed = 0;
    for (std::size_t I : Of)
      Needed += neededOutOfLoops(Found[I], Plan);
    const bool HasOthers = !Times && Needed && Instructions.size() > Needed &&
                           std::ranges::all_of(Instructions, isInNoLoop);
    const bool IsWrong =
        HasOthers || (IsSplit ? !isSplitRight(Pool)
                              : !Times && Counts.isDisputed(Instructions));
    if (IsSaid && IsWrong)
      for (std::size_t I : Of)
        doubtCount(Found[I].Result,
                   "how often the compiled code makes it is unclear");
    if (!Times || !IsSaid || IsWrong)
      continue;
    if (IsSplit && Counts.isByOrder(Instructions))
      for (std::size_t I : Of)
        assume(Found[I].Result, "the largest copy of an unrolled loop makes as "
                                "many turns as fit");
    if (IsSplit || isAbout(*Times, Said))
      distribute(Of, *Times);
    else
      explain(Of, Said, *Times);
  }
}

void countByInstructions(std::vector<CollectedAccess> &Found,
                         const AccessPlan &Plan, const Pools &Members) {
  Counting(Found, Plan, Members).run();
}

} // namespace cudalint
