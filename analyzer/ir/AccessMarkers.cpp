//===- analyzer/ir/AccessMarkers.cpp - Accesses as they are written -------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/AccessMarkers.h"

#include "analyzer/ir/BlockRole.h"
#include "analyzer/ir/BranchSides.h"
#include "analyzer/ir/ComputedIndices.h"
#include "analyzer/ir/GivenFields.h"
#include "analyzer/ir/IndexedParameters.h"
#include "analyzer/ir/LoopWork.h"
#include "analyzer/ir/Operations.h"
#include "analyzer/ir/PathSlots.h"
#include "analyzer/ir/RepeatingLoops.h"
#include "analyzer/ir/StagedLoads.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Utils/Local.h"

#include <algorithm>
#include <vector>

using namespace llvm;

namespace cudalint {

static constexpr StringRef MarkerName = "cuda-lint.access";
static constexpr StringRef FenceName = "cuda-lint.fence";
/// Of a marker without origin.
static constexpr std::uint32_t NoOrigin = UINT32_MAX;

/// Operands of a marker.
enum : unsigned {
  PointerOperand,
  OpOperand,
  BytesOperand,
  AlignOperand,
  VolatileOperand,
  OriginOperand,
  RedundantOperand
};

/// What calls \p F stays where it is and changes nothing that anybody reads.
static void keepInPlace(Function &F) {
  F.setOnlyAccessesInaccessibleMemory();
  F.setDoesNotThrow();
  F.setWillReturn();
  for (Attribute::AttrKind Each :
       {Attribute::NoMerge, Attribute::NoCallback, Attribute::NoFree,
        Attribute::NoSync, Attribute::Convergent})
    F.addFnAttr(Each);
}

static FunctionCallee markerOf(Module &M) {
  LLVMContext &C = M.getContext();
  Type *I32 = Type::getInt32Ty(C);
  FunctionCallee Marker = M.getOrInsertFunction(
      MarkerName, FunctionType::get(
                      Type::getVoidTy(C),
                      {PointerType::getUnqual(C), I32, I32, I32, I32, I32, I32},
                      /*isVarArg=*/false));
  auto *F = cast<Function>(Marker.getCallee());
  keepInPlace(*F);
  F->addParamAttr(PointerOperand,
                  Attribute::getWithCaptureInfo(C, CaptureInfo::none()));
  F->addParamAttr(PointerOperand, Attribute::ReadNone);
  return Marker;
}

static FunctionCallee fenceOf(Module &M) {
  LLVMContext &C = M.getContext();
  FunctionCallee Fence =
      M.getOrInsertFunction(FenceName, Type::getVoidTy(C), Type::getInt32Ty(C));
  keepInPlace(*cast<Function>(Fence.getCallee()));
  return Fence;
}

/// Whether it accesses memory as a part of what it does.
static bool needsFence(const Instruction &I) {
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I))
    return true;
  auto *Call = dyn_cast<CallInst>(&I);
  return Call && Call->mayReadOrWriteMemory() &&
         (Call->isInlineAsm() ||
          (isa<IntrinsicInst>(I) && !isa<MemIntrinsic>(I) &&
           !I.isLifetimeStartOrEnd() && !isa<AssumeInst>(I)));
}

static const CallInst *asMarker(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  const Function *F = Call ? Call->getCalledFunction() : nullptr;
  return F && F->getName() == MarkerName ? Call : nullptr;
}

std::optional<MarkedAccess> markedAccess(const Instruction &I) {
  const CallInst *Call = asMarker(I);
  if (!Call)
    return std::nullopt;
  auto Number = [&](unsigned Operand) {
    return static_cast<std::uint32_t>(
        cast<ConstantInt>(Call->getArgOperand(Operand))->getZExtValue());
  };
  MarkedAccess Out = {.Op = static_cast<AccessOp>(Number(OpOperand)),
                      .Pointer = Call->getArgOperand(PointerOperand),
                      .Bytes = Number(BytesOperand),
                      .Align = Number(AlignOperand),
                      .Volatile = Number(VolatileOperand) != 0,
                      .IsRedundant = Number(RedundantOperand) != 0,
                      .Origin = Number(OriginOperand)};
  if (Out.Origin == NoOrigin)
    Out.Origin.reset();
  return Out;
}

bool accessesMemory(const Instruction &I) {
  return isa<AtomicRMWInst, AtomicCmpXchgInst>(I) || asMarker(I);
}

std::size_t countAccesses(const Function &F) {
  return static_cast<std::size_t>(count_if(instructions(F), accessesMemory));
}

SmallVector<std::pair<std::uint64_t, std::uint64_t>>
piecesOfCopy(std::uint64_t Bytes, Align Alignment) {
  SmallVector<std::pair<std::uint64_t, std::uint64_t>> Pieces;
  std::uint64_t Size = std::min<std::uint64_t>(Alignment.value(), 16);
  for (std::uint64_t At = 0; At < Bytes; At += Size) {
    while (At + Size > Bytes)
      Size /= 2;
    Pieces.emplace_back(At, Size);
  }
  return Pieces;
}

//===----------------------------------------------------------------------===//
// Marking
//===----------------------------------------------------------------------===//

/// Whether `Test` holds for all that `Pointer` may point into.
template <typename Predicate>
static bool pointsOnlyTo(const Value *Pointer, Predicate Test) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  return !Objects.empty() && all_of(Objects, Test);
}

/// A variable of the thread. What a kernel was given by value is in constant
/// memory, and nobody wrote a load of it; what another function was given is
/// whatever its caller has.
static bool isPrivate(const Value *Object) {
  auto *Parameter = dyn_cast<Argument>(Object);
  // What Clang copies the initial value of a variable from has no name.
  auto *Global = dyn_cast<GlobalVariable>(Object);
  return isa<AllocaInst>(Object) ||
         (Global && Global->isConstant() && Global->hasPrivateLinkage()) ||
         (Parameter && Parameter->hasByValAttr() &&
          Parameter->getParent()->getCallingConv() == CallingConv::PTX_Kernel);
}

namespace {

class Marking {
public:
  explicit Marking(Module &M)
      : Layout(M.getDataLayout()), Marker(markerOf(M)) {}

  void mark(Instruction &I) {
    if (auto *Load = dyn_cast<LoadInst>(&I))
      mark(I, AccessOp::Load, Load->getPointerOperand(),
           bytesOf(Load->getType()), Load->getAlign(), Load->isVolatile());
    else if (auto *Store = dyn_cast<StoreInst>(&I))
      mark(I, AccessOp::Store, Store->getPointerOperand(),
           bytesOf(Store->getValueOperand()->getType()), Store->getAlign(),
           Store->isVolatile());
    else if (auto *Copy = dyn_cast<MemCpyInst>(&I))
      markCopy(*Copy);
  }

  /// What is left in private memory at the end.
  void markPrivate(Instruction &I) {
    const Value *Pointer = getLoadStorePointerOperand(&I);
    if (!Pointer || !pointsOnlyTo(Pointer, [](const Value *Object) {
          return isa<AllocaInst>(Object);
        }))
      return;
    const bool IsLoad = isa<LoadInst>(I);
    IRBuilder<> B(&I);
    add(B, IsLoad ? AccessOp::Load : AccessOp::Store,
        const_cast<Value *>(Pointer), bytesOf(getLoadStoreType(&I)),
        getLoadStoreAlignment(&I), false, NoOrigin);
  }

private:
  const DataLayout &Layout;
  FunctionCallee Marker;
  std::uint32_t Next = 0;

  std::uint64_t bytesOf(Type *T) const {
    return Layout.getTypeStoreSize(T).getFixedValue();
  }

  void mark(Instruction &I, AccessOp Op, Value *Pointer, std::uint64_t Bytes,
            Align Alignment, bool Volatile) {
    const std::uint32_t Origin = Next++;
    if (pointsOnlyTo(Pointer, isPrivate) && !indexesParameter(*Pointer))
      return;
    IRBuilder<> B(&I);
    add(B, Op, Pointer, Bytes, Alignment, Volatile, Origin);
  }

  void markCopy(MemCpyInst &Copy) {
    auto *Size = dyn_cast<ConstantInt>(Copy.getLength());
    const std::uint32_t Origin = Next;
    Next += 2;
    if (!Size || Size->getZExtValue() > MaxCopyBytes)
      return;
    const Align Source = Copy.getSourceAlign().valueOrOne();
    const Align Dest = Copy.getDestAlign().valueOrOne();
    IRBuilder<> B(&Copy);
    const bool FromPrivate = pointsOnlyTo(Copy.getRawSource(), isPrivate);
    const bool ToPrivate = pointsOnlyTo(Copy.getRawDest(), isPrivate);
    if (!FromPrivate)
      addPieces(B, AccessOp::Load, Copy.getRawSource(), Size->getZExtValue(),
                ToPrivate ? Source : std::min(Source, Dest), Copy.isVolatile(),
                Origin);
    if (!ToPrivate)
      addPieces(B, AccessOp::Store, Copy.getRawDest(), Size->getZExtValue(),
                FromPrivate ? Dest : std::min(Source, Dest), Copy.isVolatile(),
                Origin + 1);
  }

  void addPieces(IRBuilder<> &B, AccessOp Op, Value *Pointer,
                 std::uint64_t Bytes, Align Alignment, bool Volatile,
                 std::uint32_t Origin) {
    for (auto [At, Size] : piecesOfCopy(Bytes, Alignment))
      add(B, Op, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Pointer, At), Size,
          commonAlignment(Alignment, At), Volatile, Origin);
  }

  void add(IRBuilder<> &B, AccessOp Op, Value *Pointer, std::uint64_t Bytes,
           Align Alignment, bool Volatile, std::uint32_t Origin) {
    Pointer = B.CreateAddrSpaceCast(Pointer, B.getPtrTy());
    B.CreateCall(Marker,
                 {Pointer, B.getInt32(static_cast<std::uint32_t>(Op)),
                  B.getInt32(static_cast<std::uint32_t>(Bytes)),
                  B.getInt32(static_cast<std::uint32_t>(Alignment.value())),
                  B.getInt32(Volatile), B.getInt32(Origin), B.getInt32(0)});
  }
};

} // namespace

/// A matrix that is only read can be dropped where only stores need it, which
/// are dropped themselves. With an operand of its own the call may do anything.
static void keepMatrix(Instruction &I) {
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  if (!Call || !Call->onlyReadsMemory() ||
      !Call->getCalledFunction()->getName().starts_with("llvm.nvvm.wmma."))
    return;
  static constexpr const char *Tag = "cuda-lint.kept";
  CallBase *Kept = CallBase::addOperandBundle(
      Call, I.getContext().getOrInsertBundleTag(Tag)->getValue(),
      OperandBundleDef(Tag, ArrayRef<Value *>()), I.getIterator());
  Kept->takeName(&I);
  I.replaceAllUsesWith(Kept);
  I.eraseFromParent();
}

void markAccesses(Module &M) {
  Marking Marks(M);
  const FunctionCallee Fence = fenceOf(M);
  std::uint32_t Fences = 0;
  for (Function &F : M) {
    SmallVector<Instruction *> Accesses, Others;
    for (Instruction &I : instructions(F))
      if (isa<LoadInst, StoreInst, MemCpyInst>(I))
        Accesses.push_back(&I);
      else if (needsFence(I))
        Others.push_back(&I);
    for (Instruction *I : Accesses)
      Marks.mark(*I);
    for (Instruction *I : Others) {
      // Each has a number: two that differ are not alike.
      IRBuilder<> B(I);
      B.CreateCall(Fence, {B.getInt32(Fences++)});
      keepMatrix(*I);
    }
  }
}

//===----------------------------------------------------------------------===//
// Dropping
//===----------------------------------------------------------------------===//

bool dropPrivateMarkers(Function &F) {
  SmallVector<CallInst *> Private;
  for (Instruction &I : instructions(F))
    if (const CallInst *Call = asMarker(I))
      if (pointsOnlyTo(Call->getArgOperand(PointerOperand), isPrivate))
        Private.push_back(const_cast<CallInst *>(Call));
  for (CallInst *Call : Private) {
    Value *Pointer = Call->getArgOperand(PointerOperand);
    noteIndexed(*Call, *Pointer);
    Call->eraseFromParent();
    RecursivelyDeleteTriviallyDeadInstructions(Pointer);
  }
  return !Private.empty();
}

/// The object that an address is in as far as constants tell, and the bytes
/// from there.
static std::pair<const Value *, std::int64_t>
baseAndOffset(const Value *Pointer, const DataLayout &Layout) {
  APInt Offset(Layout.getIndexTypeSizeInBits(Pointer->getType()), 0);
  const Value *Base = Pointer->stripAndAccumulateConstantOffsets(
      Layout, Offset, /*AllowNonInbounds=*/true);
  return {Base, Offset.getSExtValue()};
}

std::vector<WeakVH> markedBy(CallInst &Marker) {
  const DataLayout &Layout = Marker.getDataLayout();
  const auto [Base, First] =
      baseAndOffset(Marker.getArgOperand(PointerOperand), Layout);
  const std::uint64_t Bytes = markedAccess(Marker)->Bytes;
  std::uint64_t Found = 0;
  std::vector<WeakVH> Parts;
  const auto isOfSameCopy = [&](const Instruction &I) {
    const std::optional<MarkedAccess> Other = markedAccess(I);
    return Other && Other->Origin &&
           Other->Origin == markedAccess(Marker)->Origin;
  };
  for (Instruction *I = Marker.getNextNode();
       I && Found != Bytes && (!isa<CallBase>(I) || isOfSameCopy(*I));
       I = I->getNextNode()) {
    const Value *Pointer = getLoadStorePointerOperand(I);
    if (!Pointer)
      continue;
    const auto [Of, At] = baseAndOffset(Pointer, Layout);
    const std::uint64_t Size =
        Layout.getTypeStoreSize(getLoadStoreType(I)).getFixedValue();
    const std::uint64_t From =
        static_cast<std::uint64_t>(At) - static_cast<std::uint64_t>(First);
    if (Of != Base)
      break;
    if (At < First || Size > Bytes || From > Bytes - Size)
      continue;
    Found += Size;
    Parts.emplace_back(I);
  }
  return Found == Bytes ? Parts : std::vector<WeakVH>();
}

PreservedAnalyses DropRedundant::run(Function &F, FunctionAnalysisManager &AM) {
  std::vector<std::pair<CallInst *, std::vector<WeakVH>>> Marked;
  for (Instruction &I : instructions(F))
    if (asMarker(I))
      if (std::vector<WeakVH> Parts = markedBy(cast<CallInst>(I));
          !Parts.empty())
        Marked.emplace_back(cast<CallInst>(&I), std::move(Parts));
  PreservedAnalyses Kept = EarlyCSEPass(/*UseMemorySSA=*/true).run(F, AM);
  for (const auto &[Marker, Parts] : Marked)
    if (llvm::none_of(Parts, [](const WeakVH &Each) -> bool { return Each; }))
      Marker->setArgOperand(
          RedundantOperand,
          ConstantInt::get(Type::getInt32Ty(F.getContext()), 1));
  return Kept;
}

/// Whether a store may change what the thread's own variables hold.
static bool mayWritePrivate(const StoreInst &Store) {
  return !pointsOnlyTo(Store.getPointerOperand(), [](const Value *Object) {
    return isa<Argument, GlobalVariable, CallBase>(Object);
  });
}

/// Of an atomic whose old value somebody uses, be it data.
static constexpr StringRef UsedName = "cuda-lint.used";

bool isResultUsed(const AtomicRMWInst &I) {
  return !I.use_empty() || I.hasMetadata(UsedName);
}

bool isFence(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->getName() == FenceName;
}

static void dropFences(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (isFence(I))
      I.eraseFromParent();
}

PreservedAnalyses FinishMarkers::run(Function &F, FunctionAnalysisManager &) {
  dropFences(F);
  noteChangedParameters(F);
  noteOperations(F);
  noteWork(F);
  noteBlockRole(F);
  notePathSlots(F);
  noteRepeatingLoops(F);
  noteComputedIndices(F);
  noteStagedLoads(F);
  markBranchSides(F);
  for (Instruction &I : instructions(F))
    if (isa<AtomicRMWInst>(I) && !I.use_empty())
      I.setMetadata(UsedName, MDNode::get(F.getContext(), {}));
  const bool HasVariables = any_of(
      instructions(F), [](const Instruction &I) { return isa<AllocaInst>(I); });
  SmallVector<Instruction *> Accesses;
  for (Instruction &I : instructions(F))
    if (isa<LoadInst, StoreInst>(I))
      Accesses.push_back(&I);
  Marking Marks(*F.getParent());
  for (Instruction *I : Accesses) {
    if (HasVariables)
      Marks.markPrivate(*I);
    // Who stores an address lets others read what is there.
    if (auto *Store = dyn_cast<StoreInst>(I);
        Store && !Store->isVolatile() &&
        !Store->getValueOperand()->getType()->isPtrOrPtrVectorTy() &&
        !(HasVariables && mayWritePrivate(*Store))) {
      SmallVector<WeakTrackingVH> Operands;
      for (Value *Operand : Store->operands())
        Operands.push_back(Operand);
      Store->eraseFromParent();
      RecursivelyDeleteTriviallyDeadInstructionsPermissive(Operands);
    }
  }
  return PreservedAnalyses::none();
}

} // namespace cudalint
