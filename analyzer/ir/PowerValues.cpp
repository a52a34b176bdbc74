//===- analyzer/ir/PowerValues.cpp - Costs by a power of two --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/PowerValues.h"

#include "analyzer/ir/AccessMarkers.h"
#include "analyzer/ir/RequestCost.h"
#include "analyzer/ir/StaticAccess.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace cudalint {

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

/// Values in this many steps of a parameter are looked at for how it is used.
static constexpr unsigned MostUses = 256;

/// \p V and its conversions; with \p Shifted also what is some constant more.
static SmallVector<const Value *> sameAs(const Value &V, bool Shifted) {
  SmallVector<const Value *> All = {&V};
  for (std::size_t K = 0; K < All.size() && All.size() < MostUses; ++K)
    for (const User *U : All[K]->users())
      if (isa<ZExtInst, SExtInst, TruncInst, FreezeInst>(U) ||
          (Shifted && (match(U, m_Add(m_Specific(All[K]), m_ConstantInt())) ||
                       match(U, m_And(m_Specific(All[K]), m_LowBitMask())))))
        All.push_back(U);
  return All;
}

/// Whether something is shifted by it.
static bool isExponent(const Argument &A) {
  return llvm::any_of(sameAs(A, true), [](const Value *V) {
    return llvm::any_of(V->users(), [&](const User *U) {
      return match(U, m_Shift(m_Value(), m_Specific(V)));
    });
  });
}

static bool isHalf(const Value *V, const Value *Of) {
  return match(V, m_Shr(m_Specific(Of), m_One())) ||
         match(V, m_IDiv(m_Specific(Of), m_SpecificInt(2)));
}

/// Whether a loop halves it from turn to turn.
static bool isHalvedInLoop(const Value *Start) {
  return llvm::any_of(Start->users(), [&](const User *U) {
    auto *Phi = dyn_cast<PHINode>(U);
    return Phi && llvm::any_of(Phi->incoming_values(), [&](const Use &In) {
             return isHalf(In.get(), Phi);
           });
  });
}

/// Whether it may be computed from \p V, among others.
static bool mayDependOn(const Value &X, const Value *V) {
  SmallPtrSet<const Value *, 32> Seen;
  SmallVector<const Value *> Pending = {&X};
  while (!Pending.empty()) {
    const Value *Next = Pending.pop_back_val();
    if (Next == V || Seen.size() > MostUses)
      return true;
    if (auto *I = dyn_cast<Instruction>(Next); I && Seen.insert(I).second)
      append_range(Pending, I->operand_values());
  }
  return false;
}

/// Whether \p U uses \p V as hardly anything but a power of two is used.
static bool usesAsPower(const User *U, const Value *V) {
  // x & (n - 1) for x % n
  if (match(U, m_Add(m_Specific(V), m_AllOnes())))
    return llvm::any_of(U->users(), [&](const User *Mask) {
      return match(Mask, m_c_And(m_Specific(U), m_Value())) &&
             !match(Mask, m_c_And(m_Specific(U), m_Constant()));
    });
  // lane ^ n, the partner in a butterfly
  if (match(U, m_c_Xor(m_Specific(V), m_Value())))
    return llvm::any_of(U->operands(), [&](const Use &Other) {
      return Other.get() != V && !isa<Constant, Argument>(Other.get()) &&
             !mayDependOn(*Other.get(), V);
    });
  // (x & n) == 0, one bit
  if (match(U, m_c_And(m_Specific(V), m_Value())))
    return llvm::any_of(U->users(), [&](const User *Test) {
      CmpPredicate P;
      return match(Test, m_ICmp(P, m_Specific(U), m_Zero())) &&
             ICmpInst::isEquality(P);
    });
  // x % (2 * n) == 0, the lanes that add up in an interleaved sum
  if (match(U, m_Shl(m_Specific(V), m_One())))
    return llvm::any_of(U->users(), [&](const User *Rest) {
      return match(Rest, m_CombineOr(m_SRem(m_Value(), m_Specific(U)),
                                     m_URem(m_Value(), m_Specific(U)))) &&
             llvm::any_of(Rest->users(), [&](const User *Test) {
               CmpPredicate P;
               return match(Test, m_ICmp(P, m_Specific(Rest), m_Zero()));
             });
    });
  return isHalf(U, V) && isHalvedInLoop(U);
}

static bool isUsedAsPower(const Argument &A) {
  return llvm::any_of(sameAs(A, false), [](const Value *V) {
    return isHalvedInLoop(V) || llvm::any_of(V->users(), [&](const User *U) {
             return usesAsPower(U, V);
           });
  });
}

/// Whether the argument may decide about an address or a branch.
static bool reachesAccesses(const Argument &A) {
  SmallPtrSet<const Value *, 32> Seen = {&A};
  SmallVector<const Value *> Pending = {&A};
  while (!Pending.empty())
    for (const User *U : Pending.pop_back_val()->users()) {
      auto *I = dyn_cast<Instruction>(U);
      if (!I)
        continue;
      if (accessesMemory(*I) || isa<BranchInst, SwitchInst>(I))
        return true;
      if (Seen.insert(I).second)
        Pending.push_back(I);
    }
  return false;
}

std::vector<PowerParameter> powerParameters(const Function &Kernel,
                                            const LaunchShape &Launch) {
  constexpr std::size_t MostParameters = 2;
  std::vector<PowerParameter> Out;
  for (const Argument &A : Kernel.args()) {
    const unsigned Index = A.getArgNo();
    if (!A.getType()->isIntegerTy() || A.getName().empty() ||
        A.getType()->getIntegerBitWidth() <= MostExponent + 1 ||
        A.getType()->getIntegerBitWidth() > 64 ||
        (Index < Launch.Arguments.size() && Launch.Arguments[Index]))
      continue;
    PowerParameter P = {.Index = Index,
                        .IsExponent = isExponent(A),
                        .IsPassed = Launch.Powers.contains(Index)};
    if ((!P.IsExponent && !P.IsPassed && !isUsedAsPower(A)) ||
        !reachesAccesses(A))
      continue;
    P.Symbol = (P.IsExponent ? "1 << " : "") +
               A.getName().take_until([](char C) { return C == '.'; }).str();
    Out.push_back(std::move(P));
    if (Out.size() == MostParameters)
      break;
  }
  return Out;
}

PowerParameter powerOfBlock(const Function &Kernel, const LaunchShape &Launch) {
  const PairedBlock &Pair = *Launch.Paired;
  PowerParameter P = {.IsOfBlock = true};
  P.Symbol = std::string("blockDim.") + "xyz"[Pair.Divisor];
  for (const auto &[Position, Dimension] : Pair.Arguments)
    if (Dimension == Pair.Divisor && Position < Kernel.arg_size())
      if (const StringRef Name = Kernel.getArg(Position)->getName();
          !Name.empty())
        P.Symbol = Name.take_until([](char C) { return C == '.'; }).str();
  return P;
}

LaunchShape withPower(const LaunchShape &Launch, const PowerParameter &Of,
                      std::int64_t Power) {
  LaunchShape Result = Launch;
  const auto give = [&](unsigned Index, std::int64_t Argument) {
    Result.Arguments.resize(
        std::max<std::size_t>(Result.Arguments.size(), Index + 1));
    Result.Arguments[Index] = Argument;
  };
  if (!Of.IsOfBlock) {
    give(Of.Index, Of.IsExponent
                       ? std::countr_zero(static_cast<std::uint64_t>(Power))
                       : Power);
    return Result;
  }
  const PairedBlock &Pair = *Launch.Paired;
  Result.Block[Pair.Divisor] = Power;
  Result.Block[Pair.Quotient] = Pair.Threads / Power;
  for (const auto &[Position, Dimension] : Pair.Arguments)
    give(Position, Result.Block[Dimension]);
  return Result;
}

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

static bool isNear(double A, double B) {
  return std::abs(A - B) <= 1e-9 * std::max(1.0, std::abs(A));
}

static bool costsAs(const PowerCost &A, const PowerCost &B) {
  return isNear(A.PerRequest, B.PerRequest) && isNear(A.Ideal, B.Ideal);
}

static PowerCost costAtPower(std::int64_t Power, const Traffic &T) {
  return {.Power = Power,
          .PerRequest = T.PerRequest,
          .Ideal = T.Ideal,
          .Lanes = T.Lanes,
          .Ways = T.Ways};
}

/// What the access is, whatever the value.
static void setForAll(Access &A, const Access &Of,
                      const std::set<Assumption> &Assumptions) {
  A.Predicted = Of.Predicted;
  A.Trust = Assumptions.empty() ? Certainty::Exact : Certainty::Assumed;
  A.Assumptions.assign(Assumptions.begin(), Assumptions.end());
  A.WhyUnknown.clear();
  A.CauseWhere = {};
  A.Expected.reset();
  A.InOrder.clear();
  A.Samples = Of.Samples;
  // With another value it would be in another place.
  A.GroupKey = 0;
  A.Stride.reset();
}

static void setUnknown(Access &A, const std::string &Symbol) {
  A.Predicted.reset();
  A.Trust = Certainty::Unknown;
  A.Assumptions.clear();
  A.Cause = UnknownCause::RunTimeValue;
  A.WhyUnknown = "what it costs depends on '" + Symbol + "'";
  A.CauseWhere = {};
  A.Expected.reset();
  A.InOrder.clear();
  A.Samples.clear();
}

/// Whether the prediction holds for none of the powers. Where nothing proves
/// that it is one, it may be right nevertheless, unless it is of more lanes
/// than take part in any case: of all, under a condition that halves.
static bool isExcluded(const Traffic &T, const CostByPower &Costs) {
  const auto [Least, Most] = std::ranges::minmax(
      Costs.Values, {}, [](const PowerCost &C) { return C.PerRequest; });
  if (T.PerRequest >= Least.PerRequest - 1e-9 &&
      T.PerRequest <= Most.PerRequest + 1e-9)
    return false;
  return Costs.IsProved ||
         std::ranges::all_of(Costs.Values, [&](const PowerCost &C) {
           return C.Lanes < T.Lanes - 1e-9;
         });
}

static void setByPower(Access &A, CostByPower Costs) {
  const auto [Least, Most] = std::ranges::minmax(
      Costs.Values, {}, [](const PowerCost &C) { return C.PerRequest; });
  if (!A.Predicted || isExcluded(*A.Predicted, Costs)) {
    setUnknown(A, Costs.Symbol);
  } else {
    Traffic &T = *A.Predicted;
    T.Least = std::min(T.Least.value_or(T.PerRequest), Least.PerRequest);
    T.Most = std::max(T.Most.value_or(T.PerRequest), Most.PerRequest);
  }
  A.ByPower = std::move(Costs);
}

/// Whether it would fault: a value with which it does is guarded against.
static bool areLanesMisaligned(const Access &A) {
  return std::ranges::any_of(A.Samples, [&](const RequestSample &S) {
    return !areApartByMultiples(S.Offset, S.ActiveMask, alignedBytes(A.Bytes));
  });
}

void addByPower(std::vector<CollectedAccess> &Found, const PowerParameter &Of,
                const std::vector<PowerRun> &Runs) {
  using Key = std::tuple<const Instruction *, unsigned, unsigned>;
  std::map<Key, std::vector<std::pair<std::int64_t, const Access *>>> ByAccess;
  for (const PowerRun &Run : Runs)
    for (const CollectedAccess &A : Run.Accesses)
      if (!areLanesMisaligned(A.Result))
        ByAccess[{A.Inst, A.Part, A.Piece}].push_back({Run.Power, &A.Result});
  for (CollectedAccess &F : Found) {
    Access &A = F.Result;
    // What is exact is so for every value.
    if ((A.Trust == Certainty::Exact && !Of.IsOfBlock) || A.ByPower ||
        F.IsMisaligned)
      continue;
    const auto &Each = ByAccess[{F.Inst, F.Part, F.Piece}];
    if (Each.empty() || std::ranges::any_of(Each, [](const auto &One) {
          return !One.second->Predicted;
        })) {
      if (Of.IsOfBlock && A.Predicted)
        setUnknown(A, Of.Symbol);
      continue;
    }
    CostByPower Costs = {.Symbol = Of.Symbol,
                         .IsProved = Of.IsExponent || Of.IsPassed,
                         .Assumptions = {},
                         .Values = {}};
    std::set<Assumption> Assumptions;
    for (const auto &[Power, One] : Each) {
      Costs.Values.push_back(costAtPower(Power, *One->Predicted));
      Assumptions.insert(One->Assumptions.begin(), One->Assumptions.end());
    }
    Assumptions.emplace(
        "'" + Of.Symbol + "' is " + (Costs.IsProved ? "" : "a power of two, ") +
            std::to_string(Costs.Values.back().Power) + " at most",
        AssumptionKind::Program);
    const PowerCost &First = Costs.Values.front();
    const bool IsSame = std::ranges::all_of(
        Costs.Values, [&](const PowerCost &C) { return costsAs(C, First); });
    if (IsSame && Of.IsOfBlock && A.Predicted)
      continue;
    // The same number, and no assumption less that it takes.
    if (IsSame && A.Predicted && costsAs(costAtPower(0, *A.Predicted), First) &&
        (!Costs.IsProved ||
         std::ranges::all_of(A.Assumptions, [&](const Assumption &Each) {
           return Assumptions.contains(Each);
         })))
      continue;
    if (IsSame) {
      setForAll(A, *Each.front().second, Assumptions);
      continue;
    }
    Costs.Assumptions.assign(Assumptions.begin(), Assumptions.end());
    if (Of.IsOfBlock)
      setUnknown(A, Of.Symbol);
    setByPower(A, std::move(Costs));
  }
}

} // namespace cudalint
