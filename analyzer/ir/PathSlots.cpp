//===- analyzer/ir/PathSlots.cpp - What else a thread does ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/PathSlots.h"

#include "analyzer/ir/AccessMarkers.h"
#include "analyzer/ir/FunctionAnalyses.h"
#include "analyzer/ir/IssueSlots.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <utility>

using namespace llvm;

namespace cudalint {

static constexpr StringRef PathNote = "cuda-lint.path",
                           DoubleName = "cuda-lint.doubles";

/// Of a loop beside a place, of which only the run knows how often it turns:
/// where a size that the kernel is given decides, and where data does. Chosen;
/// the former is what estimates of shares take, too (report/SupposedTraffic.h).
static constexpr double TurnsBySize = 100, TurnsByData = 2;

static constexpr double Never = std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// Shortest ways
//===----------------------------------------------------------------------===//

namespace {
/// Looks for what decides how often a loop turns.
struct FindDeciders {
  bool HasSize = false, HasOther = false;

  bool follow(const SCEV *S) {
    auto *Unknown = dyn_cast<SCEVUnknown>(S);
    if (!Unknown)
      return true;
    auto *Call = dyn_cast<CallInst>(Unknown->getValue());
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (isa<Argument>(Unknown->getValue()))
      HasSize = true;
    // Where a thread begins. By blockDim and gridDim it steps over what others
    // do: there may be one turn for each.
    else if (!Callee ||
             !(Callee->getName().starts_with("llvm.nvvm.read.ptx.sreg.tid.") ||
               Callee->getName().starts_with("llvm.nvvm.read.ptx.sreg.ctaid.")))
      HasOther = true;
    return false;
  }
  bool isDone() const { return false; }
};

/// The shortest ways through one loop, or through the kernel, in which a loop
/// in it is one step.
class ShortestWays {
public:
  ShortestWays(Function &F, FunctionAnalyses &A) : F(F), A(A) {}

  /// False where the control flow is none of loops.
  bool find();

  PathSlots through(const BasicBlock &B) const;
  double ofKernel() const { return Whole; }

private:
  /// A block, or the first block of a loop that is one step.
  struct Step {
    double Slots = 0;
    double ToIt = Never;   ///< From the begin, with the step itself.
    double FromIt = Never; ///< To the end, without it.
  };
  using Region = const Loop *; ///< Null: the kernel.

  Function &F;
  FunctionAnalyses &A;
  std::vector<const BasicBlock *> Order; ///< Reverse post-order.
  std::map<std::pair<Region, const BasicBlock *>, Step> Steps;
  DenseMap<const Loop *, double> Turns; ///< Known ones.
  DenseMap<const Loop *, double> OfLoop;
  double Whole = 0;

  /// The block by which \p Of sees \p B; null: it is outside.
  const BasicBlock *stepOf(Region Of, const BasicBlock *B) const;
  std::vector<const BasicBlock *> blocksOf(Region Of) const;
  std::vector<const BasicBlock *> nextOf(Region Of,
                                         const BasicBlock *Step) const;
  double supposedTurns(const Loop &L) const;
  void findIn(Region Of);
};
} // namespace

const BasicBlock *ShortestWays::stepOf(Region Of, const BasicBlock *B) const {
  if (Of && !Of->contains(B))
    return nullptr;
  const Loop *L = A.Loops.getLoopFor(B);
  if (L == Of)
    return B;
  while (L->getParentLoop() != Of)
    L = L->getParentLoop();
  return L->getHeader();
}

/// Its steps, in order.
std::vector<const BasicBlock *> ShortestWays::blocksOf(Region Of) const {
  std::vector<const BasicBlock *> Out;
  for (const BasicBlock *B : Order)
    if (stepOf(Of, B) == B)
      Out.push_back(B);
  return Out;
}

/// The steps that may follow in the same turn; null: the end of it.
std::vector<const BasicBlock *>
ShortestWays::nextOf(Region Of, const BasicBlock *Step) const {
  std::vector<const BasicBlock *> Out;
  auto Add = [&](const BasicBlock *From) {
    for (const BasicBlock *To : successors(From)) {
      const BasicBlock *Next = stepOf(Of, To);
      if (Next != Step)
        Out.push_back(Of && Next == Of->getHeader() ? nullptr : Next);
    }
    // What stops the kernel by a trap is no way that is taken.
    if (isa<ReturnInst>(From->getTerminator()))
      Out.push_back(nullptr);
  };
  const Loop *L = A.Loops.getLoopFor(Step);
  if (L == Of) {
    Add(Step);
    return Out;
  }
  while (L->getParentLoop() != Of)
    L = L->getParentLoop();
  for (const BasicBlock *B : L->blocks())
    Add(B);
  return Out;
}

double ShortestWays::supposedTurns(const Loop &L) const {
  // A hundred times a hundred turns would be too much to suppose.
  if (!L.isInnermost())
    return 1;
  const SCEV *Count = A.Scalars.getBackedgeTakenCount(&L);
  if (isa<SCEVCouldNotCompute>(Count))
    return TurnsByData;
  FindDeciders Search;
  visitAll(Count, Search);
  return Search.HasSize && !Search.HasOther ? TurnsBySize : TurnsByData;
}

/// After the loops in it.
void ShortestWays::findIn(Region Of) {
  const std::vector<const BasicBlock *> Blocks = blocksOf(Of);
  auto At = [&](const BasicBlock *B) -> Step & { return Steps[{Of, B}]; };
  for (const BasicBlock *B : Blocks) {
    Step &Own = At(B);
    const Loop *In = A.Loops.getLoopFor(B);
    if (In == Of) {
      for (const Instruction &I : *B)
        Own.Slots += issueSlotsOf(I);
      continue;
    }
    while (In->getParentLoop() != Of)
      In = In->getParentLoop();
    Own.Slots = OfLoop.lookup(In);
  }
  At(Blocks.front()).ToIt = At(Blocks.front()).Slots;
  for (const BasicBlock *B : Blocks)
    for (const BasicBlock *Next : nextOf(Of, B))
      if (Next)
        At(Next).ToIt = std::min(At(Next).ToIt, At(B).ToIt + At(Next).Slots);
  for (const BasicBlock *B : reverse(Blocks))
    for (const BasicBlock *Next : nextOf(Of, B))
      At(B).FromIt =
          std::min(At(B).FromIt, Next ? At(Next).Slots + At(Next).FromIt : 0);
  const Step &First = At(Blocks.front());
  const double Turn = First.Slots + First.FromIt;
  if (!Of) {
    Whole = Turn;
    return;
  }
  // The way that leaves it at once is none of a turn.
  double Round = Never;
  for (const BasicBlock *B : Blocks)
    for (const BasicBlock *Next : nextOf(Of, B))
      if (!Next && is_contained(successors(B), Of->getHeader()))
        Round = std::min(Round, At(B).ToIt);
  const double Known = A.Scalars.getSmallConstantTripCount(Of);
  if (Known)
    Turns[Of] = Known;
  OfLoop[Of] =
      (Round == Never ? Turn : Round) * (Known ? Known : supposedTurns(*Of));
}

bool ShortestWays::find() {
  ReversePostOrderTraversal<Function *> Blocks(&F);
  Order.assign(Blocks.begin(), Blocks.end());
  // A loop that is entered in several places is none to LoopInfo.
  DenseMap<const BasicBlock *, std::size_t> Numbers;
  for (const BasicBlock *B : Order)
    Numbers[B] = Numbers.size();
  for (const BasicBlock *B : Order)
    for (const BasicBlock *To : successors(B))
      if (Numbers[To] <= Numbers[B] && !A.Dominators.dominates(To, B))
        return false;
  auto Loops = A.Loops.getLoopsInPreorder();
  for (const Loop *L : reverse(Loops))
    findIn(L);
  findIn(nullptr);
  return true;
}

PathSlots ShortestWays::through(const BasicBlock &B) const {
  PathSlots Out;
  // How often the place is come to in a turn of the loop at hand, at most.
  double Times = 1;
  Region Of = A.Loops.getLoopFor(&B);
  for (bool IsFirst = true;; IsFirst = false) {
    const auto At = Steps.find({Of, stepOf(Of, &B)});
    if (At == Steps.end())
      return Out;
    double Way = At->second.ToIt + At->second.FromIt;
    if (Way == Never)
      return Out;
    if (IsFirst)
      Out.OfTurn = Way;
    else
      // With the turns of the loop in it that come to the place.
      Way += std::max(0.0, Times * Out.InAll - At->second.Slots);
    Out.InAll = std::max(Out.InAll, Way / Times);
    if (!Of || !Turns.contains(Of))
      return Out;
    Times *= Turns.lookup(Of);
    Of = Of->getParentLoop();
  }
}

//===----------------------------------------------------------------------===//
// Notes
//===----------------------------------------------------------------------===//

static Metadata *noteOf(LLVMContext &Context, double Number) {
  return ConstantAsMetadata::get(
      ConstantFP::get(Type::getDoubleTy(Context), Number));
}

static double notedNumber(const MDNode *Note, unsigned K) {
  return Note ? mdconst::extract<ConstantFP>(Note->getOperand(K))
                    ->getValueAPF()
                    .convertToDouble()
              : 0;
}

static bool isDouble(const Value *V) { return V->getType()->isDoubleTy(); }

/// What \p I does in double: operations, or conversions. A division and a
/// function are made of many, in some cases: of so many about, as SASS shows.
static void addDouble(const Instruction &I, DoubleWork &To) {
  constexpr double OfDivision = 30, OfFunction = 300;
  if (isa<FPExtInst, FPTruncInst>(I)) {
    To.Conversions += isDouble(&I) || isDouble(I.getOperand(0));
    return;
  }
  const double Slots = issueSlotsOf(I);
  if (!isDouble(&I) && none_of(I.operand_values(), isDouble))
    return;
  To.Slots += isa<CallBase>(I) && Slots > 1        ? OfFunction
              : I.getOpcode() == Instruction::FDiv ? OfDivision
                                                   : Slots;
}

/// The name of the function that \p L is in, as it is written there: an
/// instantiation, `sum<float>`, has that of its template.
static std::string functionAt(const DILocation &L) {
  const DISubprogram *Function = L.getScope()->getSubprogram();
  const StringRef Name = Function ? Function->getName() : "";
  return (Name.starts_with("operator") ? Name : Name.take_until([](char C) {
           return C == '<';
         }))
      .str();
}

/// By line of a block and function.
static void noteDoubles(Function &F, const LoopInfo &Loops,
                        const ShortestWays &Ways) {
  LLVMContext &Context = F.getContext();
  SmallVector<Metadata *> All;
  for (const BasicBlock &B : F) {
    std::map<std::tuple<std::string, unsigned, std::string>, DoubleWork> Lines;
    for (const Instruction &I : B)
      if (const DILocation *L = I.getDebugLoc(); L && !isa<LoadInst>(I))
        addDouble(
            I, Lines[{L->getFilename().str(), L->getLine(), functionAt(*L)}]);
    for (const auto &[Place, Of] : Lines) {
      const auto &[File, Line, Function] = Place;
      if (Of.Slots + Of.Conversions > 0)
        All.push_back(MDNode::get(
            Context,
            {noteOf(Context, Of.Slots), noteOf(Context, Of.Conversions),
             noteOf(Context, Ways.through(B).InAll), noteOf(Context, Line),
             noteOf(Context, Loops.getLoopFor(&B) ? 0 : 1),
             MDString::get(Context, File), MDString::get(Context, Function)}));
    }
  }
  if (!All.empty())
    F.setMetadata(DoubleName, MDNode::get(Context, All));
}

void notePathSlots(Function &Kernel) {
  // The time grows by the depth of loops, and by their blocks.
  constexpr std::size_t MostBlocks = 4000;
  if (Kernel.size() > MostBlocks)
    return;
  FunctionAnalyses A(Kernel);
  ShortestWays Ways(Kernel, A);
  if (!Ways.find())
    return;
  LLVMContext &Context = Kernel.getContext();
  Kernel.setMetadata(PathNote,
                     MDNode::get(Context, noteOf(Context, Ways.ofKernel())));
  for (BasicBlock &B : Kernel) {
    MDNode *Note = nullptr;
    for (Instruction &I : B) {
      if (!accessesMemory(I))
        continue;
      if (!Note) {
        const PathSlots Of = Ways.through(B);
        Note = MDNode::get(
            Context, {noteOf(Context, Of.OfTurn), noteOf(Context, Of.InAll)});
      }
      I.setMetadata(PathNote, Note);
    }
  }
  noteDoubles(Kernel, A.Loops, Ways);
}

PathSlots notedPathSlots(const Instruction &Access) {
  const MDNode *Note = Access.getMetadata(PathNote);
  return {.OfTurn = notedNumber(Note, 0), .InAll = notedNumber(Note, 1)};
}

double notedPathSlots(const Function &Kernel) {
  const double Slots = notedNumber(Kernel.getMetadata(PathNote), 0);
  return Slots == Never ? 0 : Slots;
}

std::vector<DoubleWork> notedDoubleWork(const Function &Kernel) {
  std::vector<DoubleWork> Out;
  if (const MDNode *All = Kernel.getMetadata(DoubleName))
    for (const MDOperand &Each : All->operands()) {
      auto *Note = cast<MDNode>(Each);
      const auto text = [&](unsigned K) {
        return cast<MDString>(Note->getOperand(K))->getString().str();
      };
      Out.push_back(
          {.Where = {text(5), static_cast<unsigned>(notedNumber(Note, 3)), 0},
           .Function = text(6),
           .Slots = notedNumber(Note, 0),
           .Conversions = notedNumber(Note, 1),
           .PathSlots = notedNumber(Note, 2),
           .IsOnce = notedNumber(Note, 4) != 0});
    }
  return Out;
}

} // namespace cudalint
