//===- analyzer/ir/WarpInterpreter.cpp - Runs a kernel for one warp -------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/WarpInterpreter.h"

#include "analyzer/ir/Operations.h"
#include "analyzer/ir/WarpRun.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IntrinsicInst.h"

#include <bit>

using namespace llvm;

namespace cudalint {

/// Requests of several warps that are kept at once.
static constexpr std::size_t MostRequestsTogether = 1 << 14;

static unsigned phiCount(const BasicBlock *B) {
  return static_cast<unsigned>(
      std::distance(B->phis().begin(), B->phis().end()));
}

/// What two paths give, in each of several warps.
LaneValue WarpInterpreter::merged(const LaneValue &V, const LaneValue &W,
                                  bool SameForAll) {
  if (V.sameAs(W) || (!A.dependsOnWarp(V) && !A.dependsOnWarp(W)))
    return A.merge(V, W, SameForAll);
  return A.throughWarps([&](unsigned Warp) {
    return A.merge(A.inWarp(V, Warp), A.inWarp(W, Warp), SameForAll);
  });
}

/// Whether lanes that may leave loops in one turn or in a later one all do so
/// in the same.
bool WarpInterpreter::leftTogether(const BasicBlock *From, const BasicBlock *To,
                                   PathMask Earlier, PathMask Later) const {
  const llvm::Loop *Left = nullptr;
  for (const llvm::Loop *L = Kernel.loopOf(From); L && !L->contains(To);
       L = L->getParentLoop())
    Left = L;
  return Left && std::max(Earlier.Partings, Later.Partings) ==
                     PartingsBefore.lookup(Left);
}

/// Records that lanes go from one block to another, with what the phis there
/// are to be in those lanes; or that none do, and what that takes for granted.
void WarpInterpreter::leave(const BasicBlock *From, const BasicBlock *To,
                            PathMask Mask) {
  if (!Mask.May && !Mask.Assumes)
    return;
  EdgeState &E = Edges[{From, To}];
  if (!Mask.May) {
    E.Mask.add(Mask);
    return;
  }
  unsigned K = 0;
  bool New = !E.Mask.May;
  if (New)
    E.PhiValues.resize(phiCount(To));
  for (const PHINode &Phi : To->phis()) {
    if (!Kernel.isNeeded(Phi)) {
      E.PhiValues[K++] = LaneValue::unknown(Values.bitsOf(Phi.getType()));
      continue;
    }
    LaneValue V = Values.get(Phi.getIncomingValueForBlock(From));
    V.Assumes |= Mask.Assumes & ~AssumesMeeting; // which is of lanes alone
    // Lanes that left in an earlier turn keep what they left with; those that
    // only may have left then have one or the other.
    if (!New) {
      const LaneValue &Old = E.PhiValues[K];
      LaneMask Both = Mask.May & E.Mask.May;
      LaneValue Either =
          Both ? merged(V, Old, leftTogether(From, To, E.Mask, Mask)) : Old;
      V = A.blend(Both, Either, A.blend(Mask.May, V, Old));
      if (Mask.May & ~Both && E.Mask.May & ~Both &&
          !ValueEvaluator::isTracked(Phi.getType()))
        V.Unknown |= Mask.May | E.Mask.May;
    }
    E.PhiValues[K++] = std::move(V);
  }
  E.Mask.add(Mask);
}

static bool isUnset(const PHINode &Phi, const BasicBlock *From) {
  return isa<UndefValue>(Phi.getIncomingValueForBlock(From));
}

/// Lanes and phi values that arrive at `B`, over all edges or those of `Only`,
/// and forgets them.
PathMask WarpInterpreter::takeIncoming(const BasicBlock *B, PhiValues &Phis,
                                       ArrayRef<BlockEdge> Only) {
  PathMask Mask;
  Phis.assign(phiCount(B), LaneValue());
  // Of each phi: lanes that come with no value, as of a variable that is not
  // set on their way; they may have any.
  SmallVector<LaneMask> Unset(Phis.size(), 0);
  // Lanes that parted nowhere on the way came by the same edge, also where it
  // is not known which of them came.
  const BasicBlock *Before = Only.empty() ? Kernel.cameBy(B) : B;
  const unsigned Partings = Masks.lookup(Before).Partings;
  std::set<BlockEdge> Seen;
  const bool IsPassedBy = Only.empty() && Kernel.isPassedBy(B);
  if (IsPassedBy)
    Ways[B].clear();
  auto Take = [&](const BlockEdge &Edge) {
    auto It = Edges.find(Edge);
    if (It == Edges.end() || !Seen.insert(Edge).second)
      return;
    EdgeState E = std::move(It->second);
    Edges.erase(It);
    if (IsPassedBy)
      Ways[B].push_back(E.Mask);
    std::size_t K = 0;
    if (!E.Mask.May) {
      Mask.add(E.Mask);
      return;
    }
    if (!Mask.May) {
      Phis = std::move(E.PhiValues);
      Mask.add(E.Mask);
      for (const PHINode &Phi : B->phis())
        Unset[K++] = isUnset(Phi, Edge.first) ? Mask.May & ~Mask.Doubtful : 0;
      return;
    }
    const LaneMask Both = Mask.May & E.Mask.May;
    if (Only.empty() && Kernel.isBeforeMeeting(B))
      E.Mask.Assumes |= AssumesMeeting;
    const bool SameForAll =
        Before && std::max(Mask.Partings, E.Mask.Partings) == Partings;
    for (const PHINode &Phi : B->phis()) {
      const LaneValue V = std::move(E.PhiValues[K]);
      LaneValue &Value = Phis[K];
      LaneMask &Any = Unset[K++];
      if (!Kernel.isNeeded(Phi))
        continue;
      if (isUnset(Phi, Edge.first)) {
        Any |= E.Mask.May & ~Both & ~E.Mask.Doubtful;
        continue;
      }
      const LaneValue Old = Value;
      Value = A.blend(E.Mask.May & (~Both | Any), V, Old);
      if (const LaneMask Either = Both & ~Any)
        Value = A.blend(Either, merged(Old, V, SameForAll), Value);
      if (E.Mask.May & ~Both && Mask.May & ~Both &&
          !ValueEvaluator::isTracked(Phi.getType()) && !Phi.hasConstantValue())
        Value.Unknown |= E.Mask.May | Mask.May;
      Any &= ~E.Mask.May;
    }
    Mask.add(E.Mask);
  };
  if (!Only.empty())
    for (const BlockEdge &E : Only)
      Take(E);
  else
    for (const BasicBlock *P : predecessors(B))
      Take({P, B});
  // In a loop the number would be one from which others are counted.
  const llvm::Loop *L = Kernel.loopOf(B);
  for (std::size_t K = 0; K < Phis.size(); ++K)
    if (Unset[K] && !(L && L->getHeader() == B))
      Phis[K] =
          A.blend(Unset[K], LaneValue::constant(Phis[K].Bits, 0), Phis[K]);
  return Mask;
}

void WarpInterpreter::runItems(const Region &R, const BasicBlock *First,
                               PathMask Mask, const PhiValues *FirstPhis) {
  const unsigned Outer = std::exchange(Turn, ++TurnsBegun);
  for (const BasicBlock *B : R.Items) {
    if (A.areWarpsApart())
      break;
    if (B == First) {
      runBlock(B, Mask, FirstPhis);
      continue;
    }
    const llvm::Loop *L = Kernel.loopOf(B);
    if (L != R.Loop) {
      runLoop(L);
      continue;
    }
    PhiValues Phis;
    PathMask In = takeIncoming(B, Phis);
    // A cycle that is no loop: what comes round it is not known.
    for (const BasicBlock *P : predecessors(B))
      if (Kernel.order(P) >= Kernel.order(B))
        for (LaneValue &V : Phis)
          V = LaneValue::unknown(V.Bits);
    if (!In.May) {
      Masks.erase(B);
      for (const BasicBlock *S : successors(B))
        leave(B, S, {.Assumes = In.Assumes});
      continue;
    }
    // Lanes that parted at the dominator and all come here are whole again.
    if (const BasicBlock *D = Kernel.sameLanesAs(B)) {
      auto It = Masks.find(D);
      if (It != Masks.end() && (In.May & ~It->second.May) == 0)
        In = It->second;
    }
    runBlock(B, In, &Phis);
  }
  Turn = Outer;
}

void WarpInterpreter::countOperations(const BasicBlock *B, PathMask Mask) {
  const auto [It, IsNew] = OperationsOf.try_emplace(B);
  if (IsNew)
    It->second = notedOperations(*B);
  const OperationCount &Of = It->second;
  const bool IsProbed = Probed && Kernel.loopOf(B) == Probed->Loop;
  if (Of == OperationCount() || !Mask.May || (!Recording && !IsProbed))
    return;
  const double Times = Weight * std::popcount(Mask.May);
  if (IsProbed) {
    if (Mask.Doubtful & ~Probed->Mask.Doubtful ||
        Mask.Condition != Probed->Mask.Condition) {
      Probed->HasMoreOperations = true;
      return;
    }
    Probed->Operations.add(Of, Times);
    Probed->Counted.push_back(B->getTerminator());
    return;
  }
  if (AddedForAll.contains(B->getTerminator()))
    return;
  Outcome.Operations.add(Of, Times);
  if (!std::ranges::all_of(Running, &RunningLoop::IsCounted))
    Outcome.WhyNotCounted =
        "only the run tells how often a loop around some of them turns";
  else if (Mask.Condition || !(Mask.May & ~Mask.Doubtful))
    Outcome.WhyNotCounted =
        "a condition decides whether some of them run that is not known";
}

void WarpInterpreter::runBlock(const BasicBlock *B, PathMask Mask,
                               const PhiValues *Phis) {
  Masks[B] = Mask;
  countOperations(B, Mask);
  unsigned K = 0;
  for (const PHINode &Phi : B->phis()) {
    LaneValue V = Phis ? (*Phis)[K] : LaneValue::unknown(32);
    V.Bits = Values.bitsOf(Phi.getType());
    if (A.areSeveralWarps() && !A.dependsAlike(V))
      A.tellWarpsApart();
    Values.set(&Phi, std::move(V));
    ++K;
  }
  for (const PHINode &Phi : B->phis())
    if (auto Numbers = Values.numbersOf(Phi, Mask.May, Mask.Chosen.Set))
      Values.set(&Phi, std::move(*Numbers));
  const BlockCode &Code = Kernel.code(B);
  Work -= std::min<std::size_t>(Work, Code.Instructions);
  for (const Instruction *I : Code.Steps) {
    if (A.areWarpsApart())
      return;
    if (!memory(*I, Mask))
      Values.set(I,
                 Values.evaluate(*I, Mask.May, Mask.Doubtful, Mask.Chosen.Set));
  }
  branch(B, Mask);
  Values.forget(Kernel.ownValues(B));
}

/// The lanes of `Mask` that may go where `Condition` is `Wanted`. `Id` is a
/// number that no other call was given. `ByBlock`: dimensions of blockIdx,
/// where nothing else is not known in it. `Data`: the condition, where data
/// decides it; else null.
static PathMask split(const LaneValue &Condition, PathMask Mask, bool Wanted,
                      unsigned Id, unsigned ByBlock, const Value *Data) {
  PathMask R = {.Assumes = Mask.Assumes | Condition.Assumes,
                .Condition = Mask.Condition,
                .Partings = Mask.Partings,
                .SomeBlocks = Mask.SomeBlocks,
                .OpenBlocks = Mask.OpenBlocks,
                .Chosen = Mask.Chosen};
  if (Data)
    R.Chosen = {.Set = Id,
                .By = Mask.Chosen.isOneSet() ? Data : nullptr,
                .Wanted = Wanted,
                .From = Mask.Chosen.Set,
                .Of = Mask.May};
  LaneMask Surely = 0, Symbolic = 0;
  for (unsigned L = 0; L < WarpSize; ++L) {
    LaneMask Bit = LaneMask(1) << L & Mask.May;
    if (Condition.Unknown & Bit) {
      R.May |= Bit;
      R.Doubtful |= Bit;
      if (!(Condition.Assumes & (AssumesAllLanes | AssumesBlockLanes)))
        R.DataDriven |= Bit;
      if (Condition.Assumes & AssumesBlockLanes)
        R.OpenBlocks |= PathMask::AllDimensions;
    } else if (!Condition.isConstantIn(Bit)) {
      Symbolic |= Bit;
    } else if ((Condition.Constant[L] != 0) == Wanted) {
      Surely |= Bit;
    }
  }
  // Lanes that wait for the same unknown condition go together: when some
  // others go anyway, whether these do is a matter of that condition.
  R.May |= Surely | Symbolic;
  R.SomeBlocks |= Symbolic && ByBlock;
  if (Symbolic)
    R.OpenBlocks |= ByBlock;
  if (Surely || R.Doubtful || !Condition.isUniformIn(Symbolic)) {
    R.Doubtful |= Symbolic;
    if (Symbolic && ByBlock)
      R.Assumes |= AssumesBlockLanes;
  } else if (Symbolic) {
    R.Condition = Id;
  }
  R.Partings += R.Doubtful != 0;
  R.Doubtful = (R.Doubtful | Mask.Doubtful) & R.May;
  R.DataDriven = (R.DataDriven | Mask.DataDriven) & R.May;
  return R;
}

/// Whether some of these lanes came to the block by one way, and others by
/// another. All of them by either, as a condition decides, is no such case.
bool WarpInterpreter::comeApart(const BasicBlock *B, LaneMask Lanes) const {
  const auto Came = Ways.find(B);
  if (Came == Ways.end())
    return false;
  auto AllWait = [](const PathMask &Each) {
    return Each.waiting() == Each.May;
  };
  const PathMask *First = nullptr;
  for (const PathMask &Each : Came->second) {
    if (!(Each.May & Lanes))
      continue;
    if (First && (Each.May != First->May || !AllWait(Each) ||
                  !AllWait(*First) || Each.Condition == First->Condition))
      return true;
    First = &Each;
  }
  return false;
}

/// Whether some comparison in a condition is of blockIdx, with nothing else in
/// it that is not known but how often a loop has turned.
bool WarpInterpreter::asksForBlock(const Value *Condition, unsigned Depth) {
  auto *I = dyn_cast<Instruction>(Condition);
  if (!I || !Depth)
    return false;
  if (!isa<ICmpInst>(I))
    return isa<BinaryOperator, SelectInst, FreezeInst>(I) &&
           llvm::any_of(I->operands(), [&](const Value *Operand) {
             return asksForBlock(Operand, Depth - 1);
           });
  bool ByBlock = false;
  for (const Value *Operand : I->operands()) {
    const LaneValue V = Values.get(Operand);
    for (const Term &T : V.Terms) {
      const SymbolInfo &Info = A.info(T.S);
      if (!Info.ByBlock && Info.Kind != SymbolKind::Counter &&
          Info.Kind != SymbolKind::Warp)
        return false;
      ByBlock |= Info.ByBlock != 0;
    }
  }
  return ByBlock;
}

/// Where a switch may lead to, by the range of its value.
static SmallSetVector<const BasicBlock *, 8>
successorsFor(const SwitchInst &Switch, const LaneValue &V, LaneMask Active,
              const LaneArithmetic &A) {
  std::optional<Range> All;
  for (unsigned L = 0; L < WarpSize; ++L)
    if (Active >> L & 1) {
      const std::optional<Range> Each = A.range(V, L);
      if (!Each || V.MayWrap || V.Bits > 63) {
        All.reset();
        break;
      }
      All = All ? Range{std::min(All->Min, Each->Min),
                        std::max(All->Max, Each->Max)}
                : *Each;
    }
  SmallSetVector<const BasicBlock *, 8> Result;
  Result.insert(Switch.getDefaultDest());
  for (const auto &Case : Switch.cases()) {
    auto IsIn = [&](std::int64_t Value) {
      return Value >= All->Min && Value <= All->Max;
    };
    // Ranges of narrow values are signed or not: `true` is 1 and -1.
    const llvm::APInt &Value = Case.getCaseValue()->getValue();
    if (!All || IsIn(Value.getSExtValue()) ||
        IsIn(static_cast<std::int64_t>(Value.getZExtValue())))
      Result.insert(Case.getCaseSuccessor());
  }
  return Result;
}

void WarpInterpreter::branch(const BasicBlock *B, PathMask Mask) {
  const Instruction *T = B->getTerminator();
  auto Known = [&](const LaneValue &V) { return V.isConstantIn(Mask.May); };
  auto NoteExits = [&](const Value *Condition, bool IsDecided) {
    for (const llvm::Loop *L = Kernel.loopOf(B); L; L = L->getParentLoop())
      for (const BasicBlock *S : successors(B)) {
        if (L->contains(S))
          continue;
        if (IsDecided)
          Decided[L] = true;
        else if (!Outcome.BoundByBlock.contains(L) &&
                 asksForBlock(Condition, 4))
          Outcome.BoundByBlock.insert(L);
      }
  };
  if (auto *Br = dyn_cast<BranchInst>(T)) {
    if (Br->isUnconditional()) {
      leave(B, Br->getSuccessor(0), Mask);
      return;
    }
    LaneValue C = Values.get(Br->getCondition());
    NoteExits(Br->getCondition(), Known(C));
    Outcome.LeftOutUnder |= C.Assumes;
    const unsigned ByBlock =
        A.isOfKind(C, SymbolKind::BlockIndex) ? A.blockDimensions(C) : 0;
    const bool ByData = C.Unknown & Mask.May &&
                        isByData(*Br->getCondition(), Mask.May, *Br, Values);
    for (unsigned K = 0; K < 2; ++K) {
      PathMask Part = split(C, Mask, K == 0, ++Conditions, ByBlock,
                            ByData ? Br->getCondition() : nullptr);
      if (comeApart(B, Part.May))
        Part.Assumes |= AssumesMeeting;
      leave(B, Br->getSuccessor(K), Part);
    }
    return;
  }
  if (auto *Switch = dyn_cast<SwitchInst>(T)) {
    LaneValue V = Values.get(Switch->getCondition());
    if (A.dependsOnWarp(V))
      A.tellWarpsApart();
    NoteExits(Switch->getCondition(), Known(V));
    if (!Known(V)) {
      // Any case, for all lanes alike if they have the same value.
      const auto Possible = successorsFor(*Switch, V, Mask.May, A);
      PathMask Any = Mask;
      Any.Assumes |= V.Assumes;
      for (const BasicBlock *S : successors(B))
        if (!Possible.contains(S)) {
          Outcome.LeftOutUnder |= V.Assumes;
          leave(B, S, {.Assumes = Any.Assumes});
        }
      if (Possible.size() == 1) {
        leave(B, Possible.front(), Any);
        return;
      }
      Any.SomeBlocks |= A.blockDimensions(V) != 0;
      if (A.isOfKind(V, SymbolKind::BlockIndex))
        Any.OpenBlocks |= A.blockDimensions(V);
      if (!V.isUniformIn(Mask.May)) {
        Any.Doubtful = Any.May;
        Any.Chosen = {.Set = LaneChoice::Mixed};
        ++Any.Partings;
      }
      for (const BasicBlock *S : Possible) {
        Any.Condition = ++Conditions;
        leave(B, S, Any);
      }
      return;
    }
    Outcome.LeftOutUnder |= V.Assumes;
    std::map<const BasicBlock *, LaneMask> To;
    for (unsigned L = 0; L < WarpSize; ++L)
      if (Mask.May >> L & 1) {
        auto *Case = ConstantInt::get(
            cast<IntegerType>(Switch->getCondition()->getType()),
            static_cast<std::uint64_t>(V.Constant[L]), /*IsSigned=*/true,
            /*ImplicitTrunc=*/true);
        To[Switch->findCaseValue(Case)->getCaseSuccessor()] |= LaneMask(1) << L;
      }
    for (const BasicBlock *S : successors(B)) {
      const LaneMask M = std::exchange(To[S], 0);
      leave(B, S,
            {.May = M,
             .Doubtful = Mask.Doubtful & M,
             .DataDriven = Mask.DataDriven & M,
             .Assumes = Mask.Assumes | V.Assumes |
                        (comeApart(B, M) ? std::uint32_t{AssumesMeeting} : 0),
             .Condition = Mask.Condition,
             .Partings = Mask.Partings,
             .SomeBlocks = Mask.SomeBlocks,
             .OpenBlocks = Mask.OpenBlocks,
             .Chosen = Mask.Chosen});
    }
    return;
  }
  if (T->getNumSuccessors() > 0)
    for (const BasicBlock *S : successors(B))
      leave(B, S,
            {.May = Mask.May,
             .Doubtful = Mask.May,
             .Assumes = Mask.Assumes,
             .Partings = Mask.Partings + 1,
             .Chosen = {.Set = LaneChoice::Mixed}});
}

WarpOutcome runWarp(const KernelStructure &Kernel, const LaunchShape &Shape,
                    unsigned Warp, std::size_t Work, LaneArithmetic &Arithmetic,
                    const std::function<void(const Request &)> &Sink) {
  return *WarpInterpreter(Kernel, Shape, {Warp, Warp}, Work, Arithmetic, Sink)
              .run();
}

std::optional<WarpOutcome> runWarps(const KernelStructure &Kernel,
                                    const LaunchShape &Shape, unsigned First,
                                    unsigned Last, std::size_t Work,
                                    LaneArithmetic &Arithmetic,
                                    std::vector<Request> &Requests) {
  return WarpInterpreter(Kernel, Shape, {First, Last}, Work, Arithmetic,
                         [&](const Request &R) {
                           if (Requests.size() == MostRequestsTogether)
                             Arithmetic.tellWarpsApart();
                           else
                             Requests.push_back(R);
                         })
      .run();
}

} // namespace cudalint
