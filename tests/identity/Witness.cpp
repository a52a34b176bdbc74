//===- tests/identity/Witness.cpp - Accesses before any pass --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Witness.h"

#include "PrivatePointers.h"

#include "analyzer/ir/AccessMarkers.h"
#include "analyzer/ir/Inlining.h"
#include "analyzer/ir/PlainPtx.h"
#include "analyzer/ir/ScopedAtomics.h"
#include "analyzer/ir/StaticAccess.h"

#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/IPO/SCCP.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SCCP.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

#include <map>

using namespace llvm;

namespace cudalint {

//===----------------------------------------------------------------------===//
// Identities
//===----------------------------------------------------------------------===//

bool isKernel(const Function &F) {
  return F.getCallingConv() == CallingConv::PTX_Kernel;
}

std::string placeOf(const Instruction &I) {
  std::string Place;
  for (const DILocation *L = I.getDebugLoc(); L; L = L->getInlinedAt())
    Place += (Place.empty() ? "" : " < ") + L->getFilename().str() + ':' +
             std::to_string(L->getLine()) + ':' +
             std::to_string(L->getColumn());
  return Place;
}

std::optional<AccessIdentity> identityOf(const Instruction &I) {
  AccessIdentity Out;
  if (std::optional<MarkedAccess> Marked = markedAccess(I)) {
    if (!Marked->Origin)
      return std::nullopt;
    Out = {.Origin = Marked->Origin,
           .Op = Marked->Op,
           .Bytes = Marked->Bytes,
           .Volatile = Marked->Volatile};
  } else {
    const auto All = accessesOf(I);
    if (All.empty())
      return std::nullopt;
    Out.Op = All.front().Op;
    Out.Bytes = isa<CallBase>(I) ? 0 : All.front().Bytes;
  }
  Out.Function = I.getFunction()->getName().str();
  Out.Place = placeOf(I);
  return Out;
}

std::string toString(const AccessIdentity &A) {
  static const char *const Ops[] = {"load", "store", "atomic"};
  return A.Function + ": " + (A.Volatile ? "volatile " : "") +
         Ops[static_cast<int>(A.Op)] + " of " + std::to_string(A.Bytes) +
         " bytes" + (A.Origin ? ", origin " + std::to_string(*A.Origin) : "") +
         ", at " + (A.Place.empty() ? "no place" : A.Place);
}

std::vector<const Function *> reachableFunctions(const Module &M) {
  std::vector<const Function *> Found;
  DenseSet<const Value *> Seen;
  SmallVector<const Value *> Pending;
  for (const Function &F : M)
    if (isKernel(F))
      Pending.push_back(&F);
  while (!Pending.empty()) {
    const Value *V = Pending.pop_back_val();
    if (!isa<Constant>(V) || !Seen.insert(V).second)
      continue;
    auto *F = dyn_cast<Function>(V);
    if (!F || F->isDeclaration()) {
      // Tables of functions are constants.
      for (const Use &Operand : cast<Constant>(V)->operands())
        Pending.push_back(Operand);
      continue;
    }
    Found.push_back(F);
    for (const Instruction &I : instructions(F))
      for (const Use &Operand : I.operands())
        Pending.push_back(Operand);
  }
  return Found;
}

/// Blocks that control flow leads to, whatever the conditions are.
static DenseSet<const BasicBlock *> connectedBlocks(const Function &F) {
  DenseSet<const BasicBlock *> Found;
  for (const BasicBlock *B : depth_first(&F.getEntryBlock()))
    Found.insert(B);
  return Found;
}

//===----------------------------------------------------------------------===//
// Marking
//===----------------------------------------------------------------------===//

namespace {

/// Compares the markers with the accesses before which they stand, and numbers
/// both as AccessMarkers.h says it does.
class MarkerCheck {
public:
  MarkerCheck(Module &M, Witness &Out) : M(M), Out(Out) {}

  void run() {
    for (Function &F : M) {
      if (F.isDeclaration())
        continue;
      const PrivatePointers Pointers(F);
      Own = &Pointers;
      for (Instruction &I : instructions(F))
        visit(I);
    }
    for (Function &F : M)
      for (Instruction &I : instructions(F))
        if (!markedAccess(I) && identityOf(I)) {
          I.setMetadata(OriginName, numberOf(I.getContext()));
          Out.Origins.push_back({.Where = whereIs(I)});
        }
  }

  /// Index of the origin of an atomic or of inline PTX.
  static std::optional<std::size_t> originOf(const Instruction &I) {
    const MDNode *Node = I.getMetadata(OriginName);
    if (!Node)
      return std::nullopt;
    return mdconst::extract<ConstantInt>(Node->getOperand(0))->getZExtValue();
  }

private:
  static constexpr StringRef OriginName = "identity.origin";
  Module &M;
  Witness &Out;
  const PrivatePointers *Own = nullptr;
  std::vector<const Instruction *> Markers; ///< Since the last access.

  static std::string whereIs(const Instruction &I) {
    return I.getFunction()->getName().str() + " at " + placeOf(I);
  }

  MDNode *numberOf(LLVMContext &C) {
    return MDNode::get(C, ConstantAsMetadata::get(ConstantInt::get(
                              Type::getInt64Ty(C), Out.Origins.size())));
  }

  void visit(Instruction &I) {
    if (markedAccess(I)) {
      Markers.push_back(&I);
      return;
    }
    if (auto *Load = dyn_cast<LoadInst>(&I)) {
      expect(I, AccessOp::Load, *Load->getPointerOperand(),
             bytesOf(Load->getType()));
    } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
      expect(I, AccessOp::Store, *Store->getPointerOperand(),
             bytesOf(Store->getValueOperand()->getType()));
    } else if (auto *Copy = dyn_cast<MemCpyInst>(&I)) {
      auto *Size = dyn_cast<ConstantInt>(Copy->getLength());
      const std::uint64_t Bytes = Size ? Size->getZExtValue() : UINT64_MAX;
      expect(I, AccessOp::Load, *Copy->getRawSource(), Bytes);
      expect(I, AccessOp::Store, *Copy->getRawDest(), Bytes);
    } else {
      return;
    }
    for (const Instruction *Left : Markers)
      fault(*Left, "a marker of nothing");
    Markers.clear();
  }

  std::uint64_t bytesOf(Type *T) const {
    return M.getDataLayout().getTypeStoreSize(T).getFixedValue();
  }

  void fault(const Instruction &I, const std::string &Why) {
    Out.NotMarked.push_back(Why + " in " + whereIs(I));
  }

  void expect(const Instruction &I, AccessOp Op, const Value &Pointer,
              std::uint64_t Bytes) {
    const auto Origin = static_cast<unsigned>(Out.Origins.size());
    WrittenOrigin &Of =
        Out.Origins.emplace_back(WrittenOrigin{.Where = whereIs(I)});
    Of.IsMarked = true;
    std::uint64_t Marked = 0;
    std::erase_if(Markers, [&](const Instruction *Marker) {
      const MarkedAccess Access = *markedAccess(*Marker);
      if (Access.Origin != Origin || Access.Op != Op || Access.Bytes > 16 ||
          placeOf(*Marker) != placeOf(I))
        return false;
      Marked += Access.Bytes;
      return true;
    });
    if (Marked == Bytes)
      return;
    Of.IsLong = isa<MemCpyInst>(I) && Bytes > MaxCopyBytes;
    Of.IsPrivate = Own->isPrivate(Pointer);
    if (Marked || (!Of.IsLong && !Of.IsPrivate))
      fault(I, (Op == AccessOp::Load ? "load of " : "store of ") +
                   std::to_string(Bytes) + " bytes, of which " +
                   std::to_string(Marked) + " are marked");
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Inlining
//===----------------------------------------------------------------------===//

namespace {

/// How often inlining has to copy each function into each kernel.
class CallPaths {
public:
  explicit CallPaths(const Module &M) {
    for (const Function &F : M) {
      if (F.isDeclaration())
        continue;
      const auto Connected = connectedBlocks(F);
      for (const Instruction &I : instructions(F)) {
        auto *Call = dyn_cast<CallInst>(&I);
        const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
        if (Callee && !Callee->isDeclaration() && !Call->isNoInline() &&
            Connected.contains(I.getParent()))
          Callers[Callee].push_back(&F);
      }
    }
  }

  /// Nothing where functions call themselves.
  std::optional<std::uint64_t> count(const Function &Kernel,
                                     const Function &Of) {
    auto [At, New] = Counts.try_emplace({&Kernel, &Of});
    if (!New)
      return At->second;
    std::optional<std::uint64_t> Sum = &Kernel == &Of ? 1 : 0;
    for (const Function *Caller : Callers.lookup(&Of)) {
      const std::optional<std::uint64_t> Each = count(Kernel, *Caller);
      Sum = Sum && Each ? std::optional(SaturatingAdd(*Sum, *Each))
                        : std::nullopt;
    }
    return Counts[{&Kernel, &Of}] = Sum;
  }

private:
  DenseMap<const Function *, std::vector<const Function *>> Callers;
  /// One that is not known yet is being asked for.
  std::map<std::pair<const Function *, const Function *>,
           std::optional<std::uint64_t>>
      Counts;
};

/// Runs passes one by one.
class Passes {
public:
  Passes() {
    PassBuilder PB;
    PB.registerModuleAnalyses(MAM);
    PB.registerCGSCCAnalyses(CGAM);
    PB.registerFunctionAnalyses(FAM);
    PB.registerLoopAnalyses(LAM);
    PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  }
  void run(Module &M, ModulePassManager &&Manager) {
    MAM.invalidate(M, PreservedAnalyses::none());
    Manager.run(M, MAM);
  }
  template <typename... Each> void onFunctions(Module &M, Each &&...Pass) {
    FunctionPassManager Functions;
    (Functions.addPass(std::forward<Each>(Pass)), ...);
    ModulePassManager Manager;
    Manager.addPass(createModuleToFunctionPassAdaptor(std::move(Functions)));
    run(M, std::move(Manager));
  }
  template <typename Each> void onModule(Module &M, Each &&Pass) {
    ModulePassManager Manager;
    Manager.addPass(std::forward<Each>(Pass));
    run(M, std::move(Manager));
  }

private:
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
};

} // namespace

/// What is called through a pointer that a caller gives is known by its name
/// once that caller is inlined and its variables are in registers.
static void inlineAll(Module &M, Passes &Run) {
  constexpr unsigned Rounds = 4;
  for (unsigned Round = 0; Round < Rounds; ++Round) {
    requestInlining(M);
    Run.onModule(M, AlwaysInlinerPass());
    Run.onFunctions(M, SROAPass(SROAOptions::PreserveCFG));
  }
  Run.onModule(M, GlobalDCEPass());
}

static void endBehindNoReturn(Module &M) {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (Function &F : M) {
      if (F.isDeclaration() || F.doesNotReturn())
        continue;
      removeUnreachableBlocks(F);
      if (any_of(F, [](const BasicBlock &B) {
            return isa<ReturnInst>(B.getTerminator());
          }))
        continue;
      F.setDoesNotReturn();
      Changed = true;
    }
  }
}

/// Of every access: how often inlining has to copy it into each kernel. It
/// leaves out what a condition keeps from running that is constant once a
/// callee's result is known, and what stands behind a call that never returns.
static std::map<std::pair<std::string, std::size_t>, std::uint64_t>
expectedCopies(const Module &Marked, Passes &Run) {
  const std::unique_ptr<Module> Live = CloneModule(Marked);
  constexpr unsigned Rounds = 3;
  for (unsigned Round = 0; Round < Rounds; ++Round) {
    Run.onFunctions(*Live, SROAPass(SROAOptions::PreserveCFG));
    Run.onModule(*Live, IPSCCPPass());
  }
  endBehindNoReturn(*Live);
  const Module &M = *Live;
  std::map<std::pair<std::string, std::size_t>, std::uint64_t> Expected;
  CallPaths Paths(M);
  for (const Function &F : M) {
    if (F.isDeclaration())
      continue;
    const auto Connected = connectedBlocks(F);
    for (const Function &Kernel : M) {
      if (!isKernel(Kernel) || Kernel.isDeclaration())
        continue;
      const std::uint64_t Times = Paths.count(Kernel, F).value_or(0);
      for (const Instruction &I : instructions(F))
        if (std::optional<AccessIdentity> Of = identityOf(I);
            Of && Times && Connected.contains(I.getParent()))
          Expected[{Kernel.getName().str(),
                    Of->Origin ? *Of->Origin : *MarkerCheck::originOf(I)}] +=
              Times;
    }
  }
  return Expected;
}

//===----------------------------------------------------------------------===//
// Proofs
//===----------------------------------------------------------------------===//

/// Whatever the access does, this does not do it: it tells whether anybody
/// comes there.
static FunctionCallee tombstoneOf(Module &M) {
  LLVMContext &C = M.getContext();
  FunctionCallee Tombstone = M.getOrInsertFunction(
      "identity.reached", Type::getVoidTy(C), Type::getInt64Ty(C));
  auto *F = cast<Function>(Tombstone.getCallee());
  F->setOnlyAccessesInaccessibleMemory();
  F->setDoesNotThrow();
  F->setWillReturn();
  F->addFnAttr(Attribute::NoMerge);
  return Tombstone;
}

namespace {

class Proofs {
public:
  Proofs(Module &M, std::vector<WrittenCopy> &Copies,
         std::vector<WeakTrackingVH> Where, Passes &Run)
      : M(M), Copies(Copies), Where(std::move(Where)), Run(Run),
        Tombstone(tombstoneOf(M)) {}

  void run() {
    for (std::size_t I = 0; I != Where.size(); ++I) {
      IRBuilder<> B(cast<Instruction>(Where[I]));
      B.CreateCall(Tombstone, {B.getInt64(I)});
    }
    while (dropPrivate())
      Run.onFunctions(M, SROAPass(SROAOptions::ModifyCFG));
    for (WeakTrackingVH &Each : Where)
      if (Each && markedAccess(*cast<Instruction>(Each)))
        erase(Each);
    constexpr unsigned Rounds = 3;
    for (unsigned Round = 0; Round < Rounds; ++Round)
      Run.onFunctions(M, SROAPass(SROAOptions::ModifyCFG), EarlyCSEPass(),
                      SCCPPass(), SimplifyCFGPass());
    Run.onModule(M, GlobalDCEPass());
    for (WrittenCopy &Each : Copies)
      Each.IsUnreachable = true;
    if (auto *F = M.getFunction("identity.reached"))
      for (const User *U : F->users())
        Copies[cast<ConstantInt>(cast<CallInst>(U)->getArgOperand(0))
                   ->getZExtValue()]
            .IsUnreachable = false;
  }

private:
  Module &M;
  std::vector<WrittenCopy> &Copies;
  std::vector<WeakTrackingVH> Where; ///< Each of them is.
  Passes &Run;
  FunctionCallee Tombstone;

  static void erase(WeakTrackingVH &Of) {
    auto *Marker = cast<CallInst>(Of);
    WeakTrackingVH Pointer = Marker->getArgOperand(0);
    Marker->eraseFromParent();
    if (Pointer)
      RecursivelyDeleteTriviallyDeadInstructions(Pointer);
  }

  /// A variable that no marker names can be put into a register, and the
  /// pointers in it are then known.
  bool dropPrivate() {
    DenseMap<const Function *, PrivatePointers> Known;
    std::vector<std::size_t> Found;
    for (std::size_t I = 0; I != Where.size(); ++I) {
      auto *Inst = dyn_cast_or_null<Instruction>(Where[I]);
      if (!Inst || Copies[I].IsPrivate)
        continue;
      const Function *F = Inst->getFunction();
      const PrivatePointers &Pointers = Known.try_emplace(F, *F).first->second;
      const auto Accesses = accessesOf(*Inst);
      if (all_of(Accesses, [&](const StaticAccess &A) {
            return Pointers.isPrivate(*A.Pointer);
          }))
        Found.push_back(I);
    }
    for (std::size_t I : Found) {
      Copies[I].IsPrivate = true;
      if (markedAccess(*cast<Instruction>(Where[I])))
        erase(Where[I]);
    }
    return !Found.empty();
  }
};

} // namespace

/// Loads and stores as they stand before variables are in registers.
static void collectPrivatePlaces(const Module &M,
                                 std::set<AccessIdentity> &Out) {
  auto Add = [&](const Instruction &I, AccessOp Op) {
    Out.insert({.Function = I.getFunction()->getName().str(),
                .Op = Op,
                .Place = placeOf(I)});
  };
  for (const Function &F : M)
    for (const Instruction &I : instructions(F)) {
      if (isa<LoadInst, MemTransferInst>(I))
        Add(I, AccessOp::Load);
      if (isa<StoreInst, MemIntrinsic>(I))
        Add(I, AccessOp::Store);
    }
}

Witness makeWitness(const Module &Before) {
  Witness Out;
  std::unique_ptr<Module> M = CloneModule(Before);
  Passes Run;
  makeScopedAtomicsPlain(*M);
  makePtxPlain(*M);
  markAccesses(*M);
  MarkerCheck(*M, Out).run();
  requestInlining(*M);
  copyAtCalls(*M);
  auto Expected = expectedCopies(*M, Run);
  Run.onModule(*M, AlwaysInlinerPass());
  collectPrivatePlaces(*M, Out.PrivatePlaces);
  inlineAll(*M, Run);

  ValueToValueMapTy Map;
  std::unique_ptr<Module> Scratch = CloneModule(*M, Map);
  std::vector<WeakTrackingVH> Where;
  for (const Function *F : reachableFunctions(*M)) {
    const auto Connected = connectedBlocks(*F);
    for (const Instruction &I : instructions(F)) {
      std::optional<AccessIdentity> Identity = identityOf(I);
      if (!Identity)
        continue;
      const std::size_t Origin =
          Identity->Origin ? *Identity->Origin : *MarkerCheck::originOf(I);
      if (auto Left = Expected.find({Identity->Function, Origin});
          Left != Expected.end() && Left->second)
        --Left->second;
      if (!Connected.contains(I.getParent()))
        continue;
      Out.Copies.push_back(
          {.Identity = std::move(*Identity), .Origin = Origin});
      Where.emplace_back(Map[&I]);
    }
  }
  for (const auto &[Of, Left] : Expected)
    if (Left)
      Out.NotInlined.push_back(Of.first + ": " + std::to_string(Left) +
                               " copies are missing of what is written in " +
                               Out.Origins[Of.second].Where);
  Proofs(*Scratch, Out.Copies, std::move(Where), Run).run();
  return Out;
}

} // namespace cudalint
