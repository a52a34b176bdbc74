//===- analyzer/ir/WarpInterpreter.cpp - Runs a kernel for one warp -------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/WarpInterpreter.h"

#include "analyzer/ir/InlinePtx.h"
#include "analyzer/ir/KernelStructure.h"
#include "analyzer/ir/ValueEvaluator.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <algorithm>
#include <set>

using namespace llvm;

namespace cudalint {

static constexpr unsigned MaxTurns = 4096;
/// Turns of a loop that doubles or halves something until a bound that only
/// the run knows: what it reaches after these is larger than any block.
static constexpr unsigned MaxDoublings = 16;

/// Lanes that go somewhere, and those of them that may not: data decides.
struct PathMask {
  LaneMask May = 0;
  LaneMask Doubtful = 0;
  LaneMask DataDriven = 0; ///< Doubtful, and it is loaded data that decides.
  /// What the conditions on the way take for granted.
  std::uint32_t Assumes = 0;
  /// Lanes that wait, together, for a condition that is not known; 0: none.
  unsigned Condition = 0;

  LaneMask waiting() const { return Condition ? May & ~Doubtful : 0; }

  void add(PathMask Other) {
    if (!May) {
      *this = Other;
      return;
    }
    // A lane that surely arrives by one way surely arrives.
    LaneMask Waiting = waiting() | Other.waiting();
    LaneMask Sure = (May & ~Doubtful & ~waiting()) |
                    (Other.May & ~Other.Doubtful & ~Other.waiting());
    // Lanes that wait for different things do not arrive together.
    if (May == Other.May || Condition == Other.Condition)
      Waiting = 0;
    May |= Other.May;
    Doubtful = (Doubtful | Other.Doubtful | Waiting) & ~Sure;
    DataDriven = (DataDriven | Other.DataDriven) & Doubtful;
    Assumes |= Other.Assumes;
    Condition = Sure ? 0 : std::max(Condition, Other.Condition);
  }
};

namespace {

/// What a path carries: its lanes, and the values it gives to the phis of the
/// block that it leads to, as they were when the lanes left.
struct EdgeState {
  PathMask Mask;
  std::vector<LaneValue> PhiValues;
};

using PhiValues = std::vector<LaneValue>;

class WarpInterpreter {
public:
  WarpInterpreter(const KernelStructure &Kernel, const LaunchShape &Shape,
                  unsigned Warp, std::size_t Work, LaneArithmetic &A,
                  const std::function<void(const Request &)> &Sink)
      : Kernel(Kernel), A(A), Sink(Sink), Warp(Warp), Work(Work),
        Values(Kernel, Shape, Warp, A) {}

  WarpOutcome run() {
    const BasicBlock *Entry = &Kernel.function().getEntryBlock();
    runItems(Kernel.topLevel(), Entry, {Values.existingLanes()}, nullptr);
    return std::move(Outcome);
  }

private:
  const KernelStructure &Kernel;
  LaneArithmetic &A;
  const std::function<void(const Request &)> &Sink;
  unsigned Warp;
  std::size_t Work;
  ValueEvaluator Values;

  bool Recording = true;
  unsigned Conditions = 0; ///< Conditions that were not known, so far.
  WarpOutcome Outcome;
  std::map<BlockEdge, EdgeState> Edges;
  DenseMap<const BasicBlock *, PathMask> Masks;
  /// Contents of private arrays at constant offsets: (object, byte offset).
  std::map<std::pair<Symbol, std::int64_t>, LaneValue> Locals;
  /// Loops of which some exit was decided in the turn that is being run.
  DenseMap<const llvm::Loop *, bool> Decided;
  DenseMap<const llvm::Loop *, bool> RunsByTurn;
  /// Loops whose counter is known although their bound is not.
  std::set<const llvm::Loop *> Doubling;
  unsigned DoublingDepth = 0;
  bool OutOfBounds = false; ///< Some access left its array.

  void runItems(const Region &R, const BasicBlock *First, PathMask Mask,
                const PhiValues *FirstPhis);
  void runBlock(const BasicBlock *B, PathMask Mask, const PhiValues *Phis);
  PathMask takeIncoming(const BasicBlock *B, PhiValues &Phis,
                        ArrayRef<BlockEdge> Only = {});
  void leave(const BasicBlock *From, const BasicBlock *To, PathMask Mask);
  void branch(const BasicBlock *B, PathMask Mask);

  void runLoop(const llvm::Loop *L);
  bool isDoubling(const Region &R, PathMask Mask, const PhiValues &Start,
                  const PhiValues &Next);
  void runDoublings(const Region &R, PathMask Mask, PhiValues Start);
  void runTurns(const Region &R, PathMask Mask, PhiValues Start);
  void runGeneralised(const Region &R, PathMask Mask, const PhiValues &Start);
  PhiValues tryTurn(const Region &R, PathMask Mask, const PhiValues &Phis,
                    PathMask *Back = nullptr);
  PhiValues generalise(const Region &R, PathMask Mask, const PhiValues &Start,
                       Symbol Turn, PathMask &Back);
  void forceExit(const Region &R, PathMask Mask);

  bool memory(const Instruction &I, PathMask Mask);
  void access(const Instruction &I, unsigned Part, AccessOp Op,
              MemorySpace Space, unsigned Bytes, const Value *Pointer,
              bool Volatile, PathMask Mask);
  bool leavesArray(const LaneValue &Address, LaneMask Active,
                   unsigned Bytes) const;
  LaneValue loaded(const LoadInst &I, const LaneValue &Address,
                   LaneMask Active);
  void stored(const StoreInst &I, const LaneValue &Address, PathMask Mask);
  std::optional<std::pair<Symbol, std::int64_t>>
  localSlot(const LaneValue &Address) const;
  bool asmAccess(const CallInst &I, PathMask Mask);
};

} // namespace

//===----------------------------------------------------------------------===//
// Blocks and edges
//===----------------------------------------------------------------------===//

static unsigned phiCount(const BasicBlock *B) {
  return static_cast<unsigned>(
      std::distance(B->phis().begin(), B->phis().end()));
}

/// Records that lanes go from one block to another, with what the phis there
/// are to be in those lanes.
void WarpInterpreter::leave(const BasicBlock *From, const BasicBlock *To,
                            PathMask Mask) {
  if (!Mask.May)
    return;
  EdgeState &E = Edges[{From, To}];
  unsigned K = 0;
  bool New = !E.Mask.May;
  if (New)
    E.PhiValues.resize(phiCount(To));
  for (const PHINode &Phi : To->phis()) {
    LaneValue V = Values.get(Phi.getIncomingValueForBlock(From));
    V.Assumes |= Mask.Assumes;
    // Lanes that left in an earlier turn keep what they left with; those that
    // only may have left then have one or the other.
    if (!New) {
      const LaneValue &Old = E.PhiValues[K];
      LaneMask Both = Mask.May & E.Mask.May;
      LaneValue Either =
          Both ? A.merge(V, Old, !((Mask.Doubtful | E.Mask.Doubtful) & Both))
               : Old;
      V = A.blend(Both, Either, A.blend(Mask.May, V, Old));
    }
    E.PhiValues[K++] = std::move(V);
  }
  E.Mask.add(Mask);
}

/// Lanes and phi values that arrive at `B`, over all edges or those of `Only`,
/// and forgets them.
PathMask WarpInterpreter::takeIncoming(const BasicBlock *B, PhiValues &Phis,
                                       ArrayRef<BlockEdge> Only) {
  PathMask Mask;
  Phis.assign(phiCount(B), LaneValue());
  std::set<BlockEdge> Seen;
  auto Take = [&](const BlockEdge &Edge) {
    auto It = Edges.find(Edge);
    if (It == Edges.end() || !Seen.insert(Edge).second)
      return;
    EdgeState E = std::move(It->second);
    Edges.erase(It);
    if (!Mask.May) {
      Phis = std::move(E.PhiValues);
      Mask = E.Mask;
      return;
    }
    LaneMask Both = Mask.May & E.Mask.May;
    bool SameForAll = !((Mask.Doubtful | E.Mask.Doubtful) & Both);
    for (std::size_t K = 0; K < Phis.size(); ++K) {
      LaneValue V = E.PhiValues[K];
      LaneValue Old = Phis[K];
      Phis[K] = A.blend(E.Mask.May & ~Both, V, Old);
      if (Both)
        Phis[K] = A.blend(Both, A.merge(Old, V, SameForAll), Phis[K]);
    }
    Mask.add(E.Mask);
  };
  if (!Only.empty())
    for (const BlockEdge &E : Only)
      Take(E);
  else
    for (const BasicBlock *P : predecessors(B))
      Take({P, B});
  return Mask;
}

void WarpInterpreter::runItems(const Region &R, const BasicBlock *First,
                               PathMask Mask, const PhiValues *FirstPhis) {
  for (const BasicBlock *B : R.Items) {
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
}

void WarpInterpreter::runBlock(const BasicBlock *B, PathMask Mask,
                               const PhiValues *Phis) {
  Masks[B] = Mask;
  unsigned K = 0;
  for (const PHINode &Phi : B->phis()) {
    LaneValue V = Phis ? (*Phis)[K] : LaneValue::unknown(32);
    V.Bits = Values.bitsOf(Phi.getType());
    Values.set(&Phi, std::move(V));
    ++K;
  }
  for (const Instruction &I : *B) {
    if (isa<PHINode>(I) || I.isTerminator() || isa<DbgInfoIntrinsic>(I))
      continue;
    if (Work)
      --Work;
    if (memory(I, Mask))
      continue;
    LaneValue V = Values.evaluate(I, Mask.May);
    if (!I.getType()->isVoidTy())
      Values.set(&I, std::move(V));
  }
  branch(B, Mask);
}

/// The lanes of `Mask` that may go where `Condition` is `Wanted`. `Id` is a
/// number that no other call was given.
static PathMask split(const LaneValue &Condition, PathMask Mask, bool Wanted,
                      unsigned Id) {
  PathMask R = {.Assumes = Mask.Assumes | Condition.Assumes,
                .Condition = Mask.Condition};
  LaneMask Surely = 0, Symbolic = 0;
  for (unsigned L = 0; L < WarpSize; ++L) {
    LaneMask Bit = LaneMask(1) << L & Mask.May;
    if (Condition.Unknown & Bit) {
      R.May |= Bit;
      R.Doubtful |= Bit;
      if (!(Condition.Assumes & AssumesAllLanes))
        R.DataDriven |= Bit;
    } else if (!Condition.isConstantIn(Bit)) {
      Symbolic |= Bit;
    } else if ((Condition.Constant[L] != 0) == Wanted) {
      Surely |= Bit;
    }
  }
  // Lanes that wait for the same unknown condition go together: when some
  // others go anyway, whether these do is a matter of that condition.
  R.May |= Surely | Symbolic;
  if (Surely || R.Doubtful || !Condition.isUniformIn(Symbolic))
    R.Doubtful |= Symbolic;
  else if (Symbolic)
    R.Condition = Id;
  R.Doubtful = (R.Doubtful | Mask.Doubtful) & R.May;
  R.DataDriven = (R.DataDriven | Mask.DataDriven) & R.May;
  return R;
}

void WarpInterpreter::branch(const BasicBlock *B, PathMask Mask) {
  const Instruction *T = B->getTerminator();
  auto Known = [&](const LaneValue &V) { return V.isConstantIn(Mask.May); };
  auto NoteExits = [&](bool IsDecided) {
    if (!IsDecided)
      return;
    for (const llvm::Loop *L = Kernel.loopOf(B); L; L = L->getParentLoop())
      for (const BasicBlock *S : successors(B))
        if (!L->contains(S))
          Decided[L] = true;
  };
  if (auto *Br = dyn_cast<BranchInst>(T)) {
    if (Br->isUnconditional()) {
      leave(B, Br->getSuccessor(0), Mask);
      return;
    }
    LaneValue C = Values.get(Br->getCondition());
    NoteExits(Known(C));
    Outcome.LeftOutUnder |= C.Assumes;
    leave(B, Br->getSuccessor(0), split(C, Mask, true, ++Conditions));
    leave(B, Br->getSuccessor(1), split(C, Mask, false, ++Conditions));
    return;
  }
  if (auto *Switch = dyn_cast<SwitchInst>(T)) {
    LaneValue V = Values.get(Switch->getCondition());
    NoteExits(Known(V));
    if (!Known(V)) {
      // Any case, for all lanes alike if they have the same value.
      PathMask Any = Mask;
      Any.Assumes |= V.Assumes;
      if (!V.isUniformIn(Mask.May))
        Any.Doubtful = Any.May;
      std::set<const BasicBlock *> Once;
      for (const BasicBlock *S : successors(B))
        if (Once.insert(S).second) {
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
    for (const BasicBlock *S : successors(B))
      if (LaneMask M = To[S]) {
        leave(B, S,
              {M, Mask.Doubtful & M, Mask.Assumes | V.Assumes, Mask.Condition});
        To[S] = 0;
      }
    return;
  }
  if (T->getNumSuccessors() > 0)
    for (const BasicBlock *S : successors(B))
      leave(B, S, {Mask.May, Mask.May, Mask.Assumes});
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Runs one turn without recording and gives back what the phis of the header
/// would be in the next, and to which lanes. Leaves no trace.
PhiValues WarpInterpreter::tryTurn(const Region &R, PathMask Mask,
                                   const PhiValues &Phis, PathMask *Back) {
  bool WasRecording = std::exchange(Recording, false);
  std::map<BlockEdge, EdgeState> Saved;
  for (const BlockEdge &E : R.Exits)
    if (auto It = Edges.find(E); It != Edges.end())
      Saved.insert(*It);
  auto SavedLocals = Locals;
  Decided[R.Loop] = false;

  runItems(R, R.Loop->getHeader(), Mask, &Phis);
  PhiValues Next;
  PathMask Again = takeIncoming(R.Loop->getHeader(), Next, R.Latches);
  if (Back)
    *Back = Again;

  for (const BlockEdge &E : R.Exits)
    Edges.erase(E);
  Edges.merge(Saved);
  Locals = std::move(SavedLocals);
  Recording = WasRecording;
  return Next;
}

void WarpInterpreter::runLoop(const llvm::Loop *L) {
  const Region &R = Kernel.region(L);
  PhiValues Start;
  PathMask Mask = takeIncoming(L->getHeader(), Start);
  if (!Mask.May)
    return;
  if (!Recording) {
    // Only the shape of the loop around is asked for: be quick.
    runGeneralised(R, Mask, Start);
    return;
  }
  if (!RunsByTurn.contains(L)) {
    PhiValues Next = tryTurn(R, Mask, Start);
    bool ByTurn = Decided[L];
    if (!ByTurn && isDoubling(R, Mask, Start, Next)) {
      ByTurn = true;
      Doubling.insert(L);
    }
    RunsByTurn[L] = ByTurn;
  }
  if (RunsByTurn[L] && Work)
    Doubling.contains(L) ? runDoublings(R, Mask, std::move(Start))
                         : runTurns(R, Mask, std::move(Start));
  else
    runGeneralised(R, Mask, Start);
}

/// Whether every phi moved by the same constant in all lanes.
static bool isSteady(LaneArithmetic &A, const PhiValues &Before,
                     const PhiValues &After, LaneMask Active) {
  for (std::size_t K = 0; K < Before.size(); ++K) {
    if (Before[K].Unknown & Active || After[K].Unknown & Active)
      continue; // data, not an index
    LaneValue D = A.sub(After[K], Before[K], true);
    if (!D.isConstantIn(Active) || !D.Constant.isUniformIn(Active))
      return false;
  }
  return true;
}

/// Whether some counter of the loop is known in every turn but does not grow
/// by the same amount: `for (s = 1; s < n; s *= 2)`.
bool WarpInterpreter::isDoubling(const Region &R, PathMask Mask,
                                 const PhiValues &Start,
                                 const PhiValues &Next) {
  if (Next.size() != Start.size())
    return false;
  auto IsKnown = [&](const LaneValue &V) { return V.isConstantIn(Mask.May); };
  bool Candidate = false;
  for (std::size_t K = 0; K < Start.size(); ++K)
    Candidate |= Start[K].Bits > 1 && IsKnown(Start[K]) && IsKnown(Next[K]) &&
                 !Start[K].sameAs(Next[K]);
  if (!Candidate)
    return false;
  PhiValues Third = tryTurn(R, Mask, Next);
  for (std::size_t K = 0; K < Start.size(); ++K)
    if (Third.size() == Start.size() && Start[K].Bits > 1 &&
        IsKnown(Start[K]) && IsKnown(Next[K]) && IsKnown(Third[K]) &&
        !A.sub(Third[K], Next[K]).sameAs(A.sub(Next[K], Start[K])))
      return true;
  return false;
}

/// Runs a loop whose bound is not known as far as its arrays reach: beyond,
/// the program would be wrong.
void WarpInterpreter::runDoublings(const Region &R, PathMask Mask,
                                   PhiValues Phis) {
  ++DoublingDepth;
  OutOfBounds = false;
  for (unsigned Turn = 0; Turn < MaxDoublings && !OutOfBounds; ++Turn) {
    runItems(R, R.Loop->getHeader(), Mask, &Phis);
    PhiValues Next;
    PathMask Back = takeIncoming(R.Loop->getHeader(), Next, R.Latches);
    if (!Back.May)
      break;
    Mask = Back;
    Phis = std::move(Next);
  }
  --DoublingDepth;
  Outcome.CutShort.insert(R.Loop);
  forceExit(R, Mask);
}

void WarpInterpreter::runTurns(const Region &R, PathMask Mask, PhiValues Phis) {
  const BasicBlock *Header = R.Loop->getHeader();
  unsigned Steady = 0;
  for (unsigned Turn = 0;; ++Turn) {
    Decided[R.Loop] = false;
    runItems(R, Header, Mask, &Phis);
    bool WasDecided = Decided[R.Loop];
    PhiValues Next;
    PathMask Back = takeIncoming(Header, Next, R.Latches);
    if (!Back.May)
      return;
    if (!WasDecided) {
      runGeneralised(R, Back, Next);
      return;
    }
    Steady = Back.May == Mask.May && isSteady(A, Phis, Next, Back.May)
                 ? Steady + 1
                 : 0;
    // Lanes that have left keep their last value; nobody looks at it.
    Phis = std::move(Next);
    Mask = Back;
    if (Steady >= SteadyTurns || Turn >= MaxTurns || !Work) {
      bool WasRecording = std::exchange(Recording, false);
      Outcome.CutShort.insert(R.Loop);
      runGeneralised(R, Mask, Phis);
      Recording = WasRecording;
      return;
    }
  }
}

/// What the header's phis are in turn `Turn`: start + turn · step where that
/// is so; else the same in all lanes, if that can be shown; else unknown.
PhiValues WarpInterpreter::generalise(const Region &R, PathMask Mask,
                                      const PhiValues &Start, Symbol Turn,
                                      PathMask &Back) {
  enum class Form { Affine, Uniform, Unknown };
  std::vector<Form> Forms(Start.size(), Form::Affine);
  std::vector<LaneValue> Step(Start.size());
  PhiValues Next = tryTurn(R, Mask, Start, &Back);
  if (Next.size() != Start.size())
    return Start; // no way back: the loop runs once
  LaneMask Active = Mask.May;
  for (std::size_t K = 0; K < Start.size(); ++K)
    Step[K] = A.sub(Next[K], Start[K], true);

  // What the steps say of all turns: assumptions, and whether they may wrap.
  std::vector<std::uint32_t> Assumes(Start.size());
  std::vector<bool> MayWrap(Start.size());
  auto Make = [&] {
    PhiValues Phis = Start;
    for (std::size_t K = 0; K < Start.size(); ++K) {
      LaneValue S = Start[K];
      switch (Forms[K]) {
      case Form::Affine:
        Phis[K] = A.add(
            S, A.mul(LaneValue::symbol(S.Bits, Turn), Step[K], true), true);
        break;
      case Form::Uniform: {
        // Start plus something that all lanes share.
        LaneValue D = A.fresh(S.Bits, {.Kind = SymbolKind::Opaque});
        Phis[K] = A.add(S, D, true);
        break;
      }
      case Form::Unknown:
        Phis[K] = LaneValue::unknown(S.Bits);
        break;
      }
      Phis[K].Assumes |= Assumes[K];
      Phis[K].MayWrap |= MayWrap[K];
    }
    return Phis;
  };

  // Each round weakens what it finds untrue, until all of it is true.
  for (;;) {
    PhiValues Phis = Make();
    Next = tryTurn(R, Mask, Phis, &Back);
    if (Next.size() != Start.size())
      return Phis;
    bool Changed = false;
    for (std::size_t K = 0; K < Start.size(); ++K) {
      if (Forms[K] == Form::Unknown)
        continue;
      LaneValue D = A.sub(Next[K], Phis[K], true);
      bool Known = !(D.Unknown & Active);
      Changed |= (D.Assumes & ~Assumes[K]) || (Next[K].MayWrap && !MayWrap[K]);
      Assumes[K] |= D.Assumes;
      MayWrap[K] = MayWrap[K] || Next[K].MayWrap;
      if (Forms[K] == Form::Affine && Known && D.sameAs(Step[K]))
        continue;
      Form F = Known && D.isUniformIn(Active) ? Form::Uniform : Form::Unknown;
      Changed |= Forms[K] != F;
      Forms[K] = F;
    }
    if (!Changed)
      return Phis;
  }
}

static bool mentions(const LaneArithmetic &A, const LaneValue &V, Symbol S) {
  return std::ranges::any_of(V.Terms, [&](const Term &T) {
    return T.S == S || std::ranges::binary_search(A.info(T.S).Factors, S);
  });
}

void WarpInterpreter::runGeneralised(const Region &R, PathMask Mask,
                                     const PhiValues &Start) {
  if (R.StoresToLocals)
    Locals.clear();
  Symbol Turn = A.makeSymbol({.Kind = SymbolKind::Counter, .Min = 0});
  PathMask Back;
  PhiValues Phis = generalise(R, Mask, Start, Turn, Back);
  // Lanes that may leave may be gone by the turn that stands for all.
  PathMask Any = Mask;
  if (Back.May) {
    Any.Doubtful |= Mask.May & (Back.Doubtful | ~Back.May);
    Any.Assumes |= Back.Assumes;
    Any.Condition = Back.Condition;
  }
  runItems(R, R.Loop->getHeader(), Any, &Phis);
  PhiValues Ignored;
  takeIncoming(R.Loop->getHeader(), Ignored, R.Latches);
  forceExit(R, Mask);
  // Lanes that leave when data says so do not leave in the same turn.
  for (const BlockEdge &E : R.Exits)
    if (auto It = Edges.find(E); It != Edges.end() && It->second.Mask.Doubtful)
      for (LaneValue &V : It->second.PhiValues)
        if (mentions(A, V, Turn))
          V.Unknown |= It->second.Mask.Doubtful;
  if (R.StoresToLocals)
    Locals.clear();
}

/// A loop that no lane was seen to leave is left by all: what comes after it
/// is code that runs, too.
void WarpInterpreter::forceExit(const Region &R, PathMask Mask) {
  for (const BlockEdge &E : R.Exits)
    if (Edges.contains(E))
      return;
  for (const BlockEdge &E : R.Exits)
    leave(E.first, E.second, Mask);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void WarpInterpreter::access(const Instruction &I, unsigned Part, AccessOp Op,
                             MemorySpace Space, unsigned Bytes,
                             const Value *Pointer, bool Volatile,
                             PathMask Mask) {
  if (!Recording || !Mask.May)
    return;
  Request R;
  R.Inst = &I;
  R.Part = Part;
  R.Op = Op;
  R.Bytes = Bytes;
  R.Volatile = Volatile;
  R.Address = Values.get(Pointer);
  R.Address.Assumes |= Mask.Assumes;
  R.Active = Mask.May;
  R.Doubtful = Mask.Doubtful;
  R.DataDriven = Mask.DataDriven;
  R.Warp = Warp;
  R.Space = Space;
  if (Space == MemorySpace::Generic) {
    for (const Term &T : R.Address.Terms)
      if (A.info(T.S).Kind == SymbolKind::Object)
        R.Space = Values.spaceOf(T.S);
    unsigned AS = Pointer->getType()->isPointerTy()
                      ? Pointer->getType()->getPointerAddressSpace()
                      : 0;
    if (AS == 1)
      R.Space = MemorySpace::Global;
    else if (AS == 3)
      R.Space = MemorySpace::Shared;
    else if (AS == 4 || AS == 101)
      R.Space = MemorySpace::Constant;
    else if (AS == 5)
      R.Space = MemorySpace::Local;
  }
  if (DoublingDepth && leavesArray(R.Address, Mask.May, Bytes)) {
    OutOfBounds = true;
    return;
  }
  Sink(R);
}

/// Whether some lane surely accesses an array of known size outside of it.
bool WarpInterpreter::leavesArray(const LaneValue &Address, LaneMask Active,
                                  unsigned Bytes) const {
  if (Address.Unknown & Active || Address.Terms.size() != 1)
    return false;
  auto *Array =
      dyn_cast_or_null<GlobalVariable>(Values.originOf(Address.Terms[0].S));
  if (!Array || Array->isDeclaration())
    return false;
  std::int64_t Size = static_cast<std::int64_t>(
      Array->getParent()->getDataLayout().getTypeAllocSize(
          Array->getValueType()));
  for (unsigned L = 0; L < WarpSize; ++L)
    if ((Active >> L & 1) &&
        (Address.Constant[L] < 0 || Address.Constant[L] + Bytes > Size))
      return true;
  return false;
}

/// Object and offset of an address in a private array, if both are known.
std::optional<std::pair<Symbol, std::int64_t>>
WarpInterpreter::localSlot(const LaneValue &Address) const {
  if (Address.Unknown || Address.Terms.size() != 1 ||
      !Address.Constant.isUniform() ||
      A.info(Address.Terms[0].S).Kind != SymbolKind::Object ||
      Values.spaceOf(Address.Terms[0].S) != MemorySpace::Local)
    return std::nullopt;
  return std::pair(Address.Terms[0].S, Address.Constant[0]);
}

void WarpInterpreter::stored(const StoreInst &I, const LaneValue &Address,
                             PathMask Mask) {
  if (auto Slot = localSlot(Address)) {
    LaneValue V = Values.get(I.getValueOperand());
    auto Old = Locals.find(*Slot);
    if (Mask.Doubtful)
      V.Unknown |= Mask.Doubtful;
    if (Old != Locals.end() && Old->second.Bits == V.Bits)
      V = A.blend(Mask.May, V, Old->second);
    else if (Mask.May != Values.existingLanes())
      V.Unknown |= ~Mask.May;
    // Whatever overlaps it is no longer what it was.
    std::int64_t Size = V.Bits / 8;
    for (std::int64_t At = Slot->second - 7; At < Slot->second + Size; ++At)
      if (At != Slot->second)
        Locals.erase({Slot->first, At});
    Locals.insert_or_assign(*Slot, std::move(V));
    return;
  }
  // Somewhere in a private array, or in none: all of them are doubtful unless
  // the address surely points elsewhere.
  for (const Term &T : Address.Terms)
    if (A.info(T.S).Kind == SymbolKind::Object &&
        Values.spaceOf(T.S) != MemorySpace::Local)
      return;
  Locals.clear();
}

LaneValue WarpInterpreter::loaded(const LoadInst &I, const LaneValue &Address,
                                  LaneMask Active) {
  unsigned Bits = Values.bitsOf(I.getType());
  if (auto Slot = localSlot(Address)) {
    auto It = Locals.find(*Slot);
    if (It != Locals.end() && It->second.Bits == Bits)
      return It->second;
    return LaneValue::unknown(Bits);
  }
  if (Address.Unknown & Active)
    return LaneValue::unknown(Bits);
  bool Fixed = false;
  for (const Term &T : Address.Terms) {
    // Every lane has an array of its own.
    if (A.info(T.S).Kind == SymbolKind::Object &&
        Values.spaceOf(T.S) == MemorySpace::Local)
      return LaneValue::unknown(Bits);
    Fixed |= A.info(T.S).Kind == SymbolKind::Object &&
             Values.spaceOf(T.S) == MemorySpace::Constant;
  }
  SymbolKind Kind = Fixed ? SymbolKind::Parameter : SymbolKind::Loaded;
  if (Address.isUniformIn(Active))
    return Values.uniform(I, Kind, {});
  // Lanes that read the same address get the same value: a few groups of them
  // are a few symbols; many are a gather.
  constexpr unsigned MaxGroups = 8;
  if (!I.getType()->isIntegerTy() && !I.getType()->isPointerTy())
    return LaneValue::unknown(Bits);
  LaneValue R = LaneValue::unknown(Bits);
  LaneMask Left = Active;
  for (unsigned Group = 0; Left; ++Group) {
    if (Group == MaxGroups)
      return LaneValue::unknown(Bits);
    unsigned First = static_cast<unsigned>(countr_zero(Left));
    LaneMask Same = 0;
    for (unsigned L = First; L < WarpSize; ++L)
      if ((Left >> L & 1) &&
          Address.isUniformIn(LaneMask(1) << First | LaneMask(1) << L))
        Same |= LaneMask(1) << L;
    R = A.blend(Same, Values.uniform(I, Kind, {}), R);
    Left &= ~Same;
  }
  R.Unknown &= Active;
  return R;
}

bool WarpInterpreter::asmAccess(const CallInst &I, PathMask Mask) {
  auto *Asm = dyn_cast<InlineAsm>(I.getCalledOperand());
  if (!Asm)
    return false;
  // Operands are numbered outputs first.
  unsigned Outputs = 0;
  for (const InlineAsm::ConstraintInfo &C : Asm->ParseConstraints())
    Outputs += C.Type == InlineAsm::isOutput && !C.isIndirect;
  auto Operand = [&](unsigned N) -> const Value * {
    return N >= Outputs && N - Outputs < I.arg_size()
               ? I.getArgOperand(N - Outputs)
               : nullptr;
  };
  std::optional<unsigned> Size;
  if (const Value *V = Operand(2))
    if (auto *C = dyn_cast<ConstantInt>(V))
      Size = static_cast<unsigned>(C->getLimitedValue(64));
  unsigned Part = 0;
  for (const PtxAccess &P : parseInlinePtx(Asm->getAsmString().str(), Size))
    if (const Value *V = Operand(P.AddressOperand))
      access(I, Part++, P.Op, P.Space, P.Bytes, V, false, Mask);
  return Part > 0;
}

/// An access of the intrinsics that copy to shared memory asynchronously:
/// llvm.nvvm.cp.async.{ca,cg}.shared.global.BYTES[.s](shared, global, ...).
static unsigned asyncCopyBytes(const CallInst &I) {
  const Function *F = I.getCalledFunction();
  if (!F)
    return 0;
  StringRef Name = F->getName();
  if (!Name.consume_front("llvm.nvvm.cp.async.ca.shared.global.") &&
      !Name.consume_front("llvm.nvvm.cp.async.cg.shared.global."))
    return 0;
  unsigned Bytes = 0;
  return Name.consumeInteger(10, Bytes) ? 0 : Bytes;
}

/// Runs `I` if it reads or writes memory.
bool WarpInterpreter::memory(const Instruction &I, PathMask Mask) {
  const DataLayout &Layout = I.getModule()->getDataLayout();
  auto BytesOf = [&](const Type *T) {
    return static_cast<unsigned>(
        Layout.getTypeStoreSize(const_cast<Type *>(T)).getFixedValue());
  };
  constexpr MemorySpace Any = MemorySpace::Generic;
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    access(I, 0, AccessOp::Load, Any, BytesOf(Load->getType()),
           Load->getPointerOperand(), Load->isVolatile(), Mask);
    Values.set(&I,
               loaded(*Load, Values.get(Load->getPointerOperand()), Mask.May));
    return true;
  }
  if (auto *Store = dyn_cast<StoreInst>(&I)) {
    access(I, 0, AccessOp::Store, Any,
           BytesOf(Store->getValueOperand()->getType()),
           Store->getPointerOperand(), Store->isVolatile(), Mask);
    stored(*Store, Values.get(Store->getPointerOperand()), Mask);
    return true;
  }
  const Value *Pointer = nullptr, *Operand = nullptr;
  if (auto *RMW = dyn_cast<AtomicRMWInst>(&I)) {
    Pointer = RMW->getPointerOperand();
    Operand = RMW->getValOperand();
  } else if (auto *X = dyn_cast<AtomicCmpXchgInst>(&I)) {
    Pointer = X->getPointerOperand();
    Operand = X->getNewValOperand();
  }
  if (Pointer) {
    access(I, 0, AccessOp::Atomic, Any, BytesOf(Operand->getType()), Pointer,
           false, Mask);
    // Each lane sees what the others have made of it.
    Values.set(&I, LaneValue::unknown(Values.bitsOf(I.getType())));
    return true;
  }
  auto *Call = dyn_cast<CallInst>(&I);
  if (!Call)
    return false;
  if (unsigned Bytes = asyncCopyBytes(*Call)) {
    access(I, 0, AccessOp::Load, MemorySpace::Global, Bytes,
           Call->getArgOperand(1), false, Mask);
    access(I, 1, AccessOp::Store, MemorySpace::Shared, Bytes,
           Call->getArgOperand(0), false, Mask);
    return true;
  }
  if (auto *Masked = dyn_cast<IntrinsicInst>(&I)) {
    // What neighbouring accesses with a hole between them were merged into.
    if (Masked->getIntrinsicID() == Intrinsic::masked_load) {
      access(I, 0, AccessOp::Load, Any, BytesOf(I.getType()),
             Masked->getArgOperand(0), false, Mask);
      return false;
    }
    if (Masked->getIntrinsicID() == Intrinsic::masked_store) {
      access(I, 0, AccessOp::Store, Any,
             BytesOf(Masked->getArgOperand(0)->getType()),
             Masked->getArgOperand(1), false, Mask);
      return true;
    }
  }
  if (asmAccess(*Call, Mask) && I.getType()->isVoidTy())
    return true;
  const Function *F = Call->getCalledFunction();
  if (Call->mayWriteToMemory() && !(F && F->isIntrinsic()) &&
      !(F && F->getName().starts_with("__nv_")))
    Locals.clear();
  return false;
}

WarpOutcome runWarp(const KernelStructure &Kernel, const LaunchShape &Shape,
                    unsigned Warp, std::size_t Work, LaneArithmetic &Arithmetic,
                    const std::function<void(const Request &)> &Sink) {
  return WarpInterpreter(Kernel, Shape, Warp, Work, Arithmetic, Sink).run();
}

} // namespace cudalint
