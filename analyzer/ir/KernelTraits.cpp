//===- analyzer/ir/KernelTraits.cpp - What a kernel holds -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/KernelTraits.h"

#include "analyzer/ir/AccessMarkers.h"
#include "analyzer/ir/AccessPlace.h"
#include "analyzer/ir/FunctionAnalyses.h"
#include "analyzer/ir/IndexedParameters.h"
#include "analyzer/ir/LoopWork.h"
#include "analyzer/ir/Operations.h"
#include "analyzer/ir/RuntimeDivisions.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

#include <algorithm>
#include <map>

using namespace llvm;

namespace cudalint {

namespace {

/// Looks for what a full unroll of all counted loops leaves unknown.
struct FindData {
  ScalarEvolution &Scalars;
  bool Found = false;
  bool IsAsked = true; ///< The source asks for the unroll of all of them.

  bool follow(const SCEV *S) {
    if (isa<SCEVUnknown>(S))
      Found = true;
    else if (auto *Counter = dyn_cast<SCEVAddRecExpr>(S)) {
      Found = !isUnrollable(*Counter->getLoop());
      IsAsked &= isAskedFor(*Counter->getLoop());
    }
    return !Found;
  }
  bool isDone() const { return Found; }

private:
  /// `i < n` has a largest number of turns, too: that of its type.
  bool isUnrollable(const Loop &L) const {
    constexpr unsigned MostTurns = 1024;
    const unsigned Turns = Scalars.getSmallConstantMaxTripCount(&L);
    return Turns != 0 && Turns <= MostTurns;
  }
  /// `#pragma unroll`, without a number or with one that is large enough. The
  /// turns are those of the header, which also finds that there are no more.
  bool isAskedFor(const Loop &L) const {
    if (const std::optional<int> Count =
            getOptionalIntLoopAttribute(&L, "llvm.loop.unroll.count"))
      return *Count + 1LL >= Scalars.getSmallConstantMaxTripCount(&L);
    return getBooleanLoopAttribute(&L, "llvm.loop.unroll.enable") ||
           getBooleanLoopAttribute(&L, "llvm.loop.unroll.full");
  }
};

} // namespace

/// Calls \p Visit with each address calculation whose index is no constant,
/// through all pointers that are derived from \p Array.
template <typename Visitor>
static void forEachRuntimeIndex(const AllocaInst &Array, Visitor Visit) {
  SmallVector<const Value *> Pending = {&Array};
  SmallPtrSet<const Value *, 16> Seen;
  while (!Pending.empty()) {
    const Value *Pointer = Pending.pop_back_val();
    if (!Seen.insert(Pointer).second)
      continue;
    for (const User *U : Pointer->users()) {
      if (auto *Address = dyn_cast<GetElementPtrInst>(U)) {
        if (!Address->hasAllConstantIndices())
          Visit(*Address);
        Pending.push_back(Address);
      } else if (isa<AddrSpaceCastInst, BitCastInst, PHINode, SelectInst>(U)) {
        Pending.push_back(U);
      }
    }
  }
}

/// The first load or store through \p Address; null if it is passed on. Sets
/// \p IsStored if there is a store.
static const Instruction *accessThrough(const GetElementPtrInst &Address,
                                        bool &IsStored) {
  const Instruction *First = nullptr;
  SmallVector<const Value *> Pending = {&Address};
  SmallPtrSet<const Value *, 16> Seen;
  while (!Pending.empty()) {
    const Value *Pointer = Pending.pop_back_val();
    if (!Seen.insert(Pointer).second)
      continue;
    for (const User *U : Pointer->users()) {
      // Loads and stores may be gone where nobody needs the value; what marks
      // them stays.
      auto *Inst = cast<Instruction>(U);
      const std::optional<MarkedAccess> Marked = markedAccess(*Inst);
      IsStored |= Marked && Marked->Op == AccessOp::Store;
      if (Marked && !First)
        First = Inst;
      if (isa<GetElementPtrInst, AddrSpaceCastInst, BitCastInst, PHINode,
              SelectInst>(U))
        Pending.push_back(U);
    }
  }
  return First;
}

namespace {
enum class IndexKind : std::uint8_t {
  Unrolled, ///< Constants, as the source has the compiler unroll the loops.
  Counted,  ///< Constants, once loops are unrolled.
  Data
};
} // namespace

static IndexKind kindOf(const GetElementPtrInst &Address,
                        ScalarEvolution &Scalars) {
  IndexKind Kind = IndexKind::Unrolled;
  for (const Use &Index : Address.indices()) {
    if (isa<Constant>(Index.get()))
      continue;
    FindData Search{Scalars};
    visitAll(Scalars.getSCEV(Index.get()), Search);
    Kind = std::max(Kind, Search.Found     ? IndexKind::Data
                          : Search.IsAsked ? IndexKind::Unrolled
                                           : IndexKind::Counted);
  }
  return Kind;
}

static Access locatedAccess(const Instruction &I, const SourceFacts &Facts) {
  Access A;
  const std::optional<MarkedAccess> Marked = markedAccess(I);
  A.Op = Marked ? Marked->Op : AccessOp::Load;
  locate(A, I, Facts);
  return A;
}

/// `state.part` of `state.part[i][j + 1]`.
static StringRef withoutSubscripts(StringRef Text) {
  while (Text.ends_with("]")) {
    std::size_t Begin = Text.size();
    int Depth = 0;
    do {
      --Begin;
      Depth += Text[Begin] == ']';
      Depth -= Text[Begin] == '[';
    } while (Depth != 0 && Begin != 0);
    Text = Text.take_front(Begin).rtrim();
  }
  return Text;
}

/// The array whose element `Source` is: its name and size. Where an element of
/// another array holds it, as in `states[i].part[j]`, nobody knows which index
/// is the one.
static void nameArray(const AccessFact &Source, LocalArray &Found) {
  Found.Name = Source.Object;
  Found.ArrayBytes.reset();
  const StringRef Name = withoutSubscripts(Source.Text);
  if (!Source.Array || Name.size() == Source.Text.size() ||
      Name.find_first_of("[(") != StringRef::npos)
    return;
  std::uint64_t Bytes = Source.Array->ElementBytes;
  for (const std::uint64_t Size : Source.Array->Dimensions)
    if (__builtin_mul_overflow(Bytes, Size, &Bytes))
      return;
  if (Bytes == 0 || Bytes >= Found.Bytes)
    return;
  Found.ArrayBytes = Bytes;
  if (Name.starts_with(Source.Object))
    Found.Name = Name.str();
}

/// Whether it is an array, or has a member that is one.
static bool holdsArray(const Type *T) {
  return T->isArrayTy() ||
         (T->isStructTy() &&
          llvm::any_of(llvm::cast<StructType>(T)->elements(), holdsArray));
}

/// Whether it has elements that hold arrays: which index is the one, a method
/// that names a member does not tell.
static bool isOfObjects(const Type *T) {
  const auto *Array = dyn_cast<ArrayType>(T);
  return Array && (isOfObjects(Array->getElementType()) ||
                   (Array->getElementType()->isStructTy() &&
                    holdsArray(Array->getElementType())));
}

/// As it is declared; empty where the compiler has made it.
static std::string declaredName(const AllocaInst &Variable) {
  const StringRef Name =
      Variable.getName().take_until([](char C) { return C == '.'; });
  const bool IsMade = Name == "agg" || Name == "ref" || Name == "tmp" ||
                      Name == "coerce" || Name == "retval" ||
                      Name == "byval-temp";
  return IsMade ? "" : Name.str();
}

static std::vector<LocalArray> localArrays(Function &Kernel,
                                           const SourceFacts &Facts) {
  std::vector<LocalArray> Result;
  std::optional<FunctionAnalyses> A;
  const DataLayout &Layout = Kernel.getParent()->getDataLayout();
  for (const Instruction &I : instructions(Kernel)) {
    auto *Array = dyn_cast<AllocaInst>(&I);
    if (!Array)
      continue;
    std::optional<TypeSize> Size = Array->getAllocationSize(Layout);
    if (!Size || Size->isScalable())
      continue;
    LocalArray Found;
    Found.Bytes = Size->getFixedValue();
    bool IsByPointer = false;
    forEachRuntimeIndex(*Array, [&](const GetElementPtrInst &Address) {
      const Instruction *Inst = accessThrough(Address, Found.IsStored);
      if (!Inst)
        return;
      if (!A)
        A.emplace(Kernel);
      const IndexKind Kind = kindOf(Address, A->Scalars);
      if (Kind == IndexKind::Unrolled)
        return;
      const bool Data = Kind == IndexKind::Data;
      Access Place = locatedAccess(*Inst, Facts);
      // An index that unrolling does not resolve is the one to show.
      if (Found.Where.Line == 0 || (Data && !Found.IndexIsData) ||
          (Data == Found.IndexIsData && Place.UserWhere < Found.Where)) {
        nameArray(Place.Source, Found);
        IsByPointer = !Place.Source.Array;
        Found.IsOfLibrary = Place.Where != Place.UserWhere;
        Found.IsTable = Place.Source.Array && Place.Source.Array->IsTable;
        Found.Where = Place.UserWhere;
        Found.InlinedAt = std::move(Place.InlinedAt);
      }
      Found.IndexIsData |= Data;
    });
    if (Found.Where.Line == 0)
      continue;
    Found.IsArray = holdsArray(Array->getAllocatedType());
    // What it is accessed through has another name.
    if (!Found.IsArray)
      Found.Name =
          Array->getName().take_until([](char C) { return C == '.'; }).str();
    else if (std::string Name = declaredName(*Array);
             !Name.empty() &&
             (IsByPointer || isOfObjects(Array->getAllocatedType()))) {
      Found.Name = std::move(Name);
      Found.ArrayBytes.reset();
    }
    Result.push_back(std::move(Found));
  }
  for (const IndexedParameter &Each : indexedParameters(Kernel)) {
    const CodePlace Place = codePlaceOf(Each.Where, Facts);
    Result.push_back(
        {.Name = Each.Which->getName().str(),
         .Bytes = Layout.getTypeAllocSize(Each.Which->getParamByValType()),
         .Where = Place.Where,
         .InlinedAt = Place.InlinedAt,
         .IndexIsData = true,
         .IsParameter = true,
         .DiffersByLane = Each.DiffersByLane});
  }
  std::ranges::stable_sort(Result, {}, &LocalArray::Where);
  return Result;
}

static std::vector<Location> loopBarriers(Function &Kernel,
                                          const SourceFacts &Facts) {
  std::vector<const Instruction *> Barriers;
  for (const Instruction &I : instructions(Kernel)) {
    auto *Call = dyn_cast<CallInst>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (Callee && Callee->getName().starts_with("llvm.nvvm.barrier"))
      Barriers.push_back(&I);
  }
  std::vector<Location> Result;
  if (Barriers.empty())
    return Result;
  DominatorTree Dominators(Kernel);
  LoopInfo Loops(Dominators);
  for (const Instruction *I : Barriers)
    if (Loops.getLoopFor(I->getParent()))
      Result.push_back(codePlaceOf(*I, Facts).Where);
  std::ranges::sort(Result);
  Result.erase(std::unique(Result.begin(), Result.end()), Result.end());
  return Result;
}

static bool dependsOnLanes(const Function &F) {
  static constexpr StringLiteral Intrinsics[] = {
      "llvm.nvvm.shfl.",      "llvm.nvvm.vote.",
      "llvm.nvvm.match.",     "llvm.nvvm.activemask",
      "llvm.nvvm.redux.",     "llvm.nvvm.bar.warp.sync",
      "llvm.nvvm.mma.",       "llvm.nvvm.wmma.",
      "llvm.nvvm.ldmatrix.",  "llvm.nvvm.stmatrix.",
      "llvm.nvvm.wgmma.",     "llvm.nvvm.read.ptx.sreg.laneid",
      "llvm.nvvm.elect.sync", "llvm.nvvm.read.ptx.sreg.warpid"};
  return any_of(instructions(F), [](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || markedAccess(I) || isFence(I))
      return false;
    const Function *Callee = Call->getCalledFunction();
    if (Call->isInlineAsm() || !Callee)
      return true;
    const StringRef Name = Callee->getName();
    return Callee->isIntrinsic()
               ? any_of(Intrinsics,
                        [&](StringRef Each) { return Name.starts_with(Each); })
               : !Callee->doesNotAccessMemory();
  });
}

static bool calls(const Function &F, Intrinsic::ID Which) {
  return any_of(instructions(F), [&](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    return Call && Call->getIntrinsicID() == Which;
  });
}

static bool hasLongLoops(Function &F) {
  constexpr unsigned Few = 8; // Chosen.
  FunctionAnalyses Analyses(F);
  return llvm::any_of(Analyses.Loops.getLoopsInPreorder(), [&](Loop *L) {
    const unsigned Turns = Analyses.Scalars.getSmallConstantTripCount(L);
    // The condition at its head is asked once more.
    return Turns == 0 || Turns > Few + 1;
  });
}

static std::vector<AccessPath> pathsOf(const Function &F,
                                       const SourceFacts &Facts) {
  std::vector<AccessPath> Out;
  for (const Instruction &I : instructions(F)) {
    if (!accessesMemory(I))
      continue;
    const std::optional<MarkedAccess> Marked = markedAccess(I);
    Out.push_back({.Place = codePlaceOf(I, Facts),
                   .Op = Marked ? Marked->Op : AccessOp::Atomic,
                   .Slots = notedPathSlots(I)});
  }
  return Out;
}

KernelTraits traitsOf(const Function &Kernel, const SourceFacts &Facts) {
  // The analyses change nothing, but say so nowhere.
  auto &F = const_cast<Function &>(Kernel);
  return {.LocalArrays = localArrays(F, Facts),
          .Divisions = runtimeDivisions(F, Facts),
          .LoopBarriers = loopBarriers(F, Facts),
          .Loops = arithmeticLoops(F, Facts),
          .UsesTensorCores = hasMatrixOperations(F),
          .DependsOnLanes = dependsOnLanes(F),
          .ReadsBothIndices = calls(F, Intrinsic::nvvm_read_ptx_sreg_tid_x) &&
                              calls(F, Intrinsic::nvvm_read_ptx_sreg_tid_y),
          .HasLongLoops = hasLongLoops(F),
          .Blocks = notedBlockRole(F),
          .PathSlots = notedPathSlots(F),
          .Doubles = notedDoubleWork(F),
          .Paths = pathsOf(F, Facts)};
}

} // namespace cudalint
