//===- analyzer/ir/WarpMemory.cpp - Loads, stores and private arrays ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/InlinePtx.h"
#include "analyzer/ir/WarpRun.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace cudalint {

void WarpInterpreter::access(const Instruction &I, unsigned Part, AccessOp Op,
                             MemorySpace Space, unsigned Bytes,
                             const Value *Pointer, bool Volatile, PathMask Mask,
                             bool IsMatrix) {
  const bool IsProbed = Probed && Kernel.loopOf(I.getParent()) == Probed->Loop;
  if ((!Recording && !IsProbed) || !Mask.May)
    return;
  Request R;
  R.Inst = &I;
  R.Part = Part;
  R.Op = Op;
  R.Bytes = Bytes;
  R.Volatile = Volatile;
  R.IsMatrix = IsMatrix;
  R.Address = Values.get(Pointer);
  R.Address.Assumes |= Mask.Assumes;
  R.Active = Mask.May;
  R.Doubtful = Mask.Doubtful;
  R.DataDriven = Mask.DataDriven;
  R.Warp = Warp;
  R.Weight = AddedForAll.contains(&I) ? 0 : Weight;
  R.Sampled = SampledDepth != 0;
  R.SomeBlocks = Mask.SomeBlocks;
  R.Space = Space;
  if (Space == MemorySpace::Generic) {
    for (const Term &T : R.Address.Terms)
      if (A.info(T.S).Kind == SymbolKind::Object) {
        R.Space = Values.spaceOf(T.S);
        R.InCluster |= R.Space == MemorySpace::Generic;
      }
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
    R.InCluster |= AS == 7;
    if (R.InCluster)
      R.Space = MemorySpace::Generic;
  }
  if (IsProbed) {
    if (Mask.Doubtful & ~Probed->Mask.Doubtful ||
        Mask.Condition != Probed->Mask.Condition)
      Probed->Uneven.insert(&I);
    Probed->Requests.push_back(std::move(R));
    return;
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
  if (auto Entries = tableEntries(I, Address, Active))
    return *Entries;
  // Lanes that read the same address get the same value: a few groups of them
  // are a few symbols, of which some lanes may need only one; many are unknown.
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
  // Pointers are to arrays that do not overlap; how far integers are apart,
  // only the data knows.
  if (I.getType()->isIntegerTy())
    for (const Term &T : R.Terms)
      A.markGathered(T.S);
  R.Unknown &= Active;
  return R;
}

/// What each lane reads from a table that is written in the program.
std::optional<LaneValue> WarpInterpreter::tableEntries(const LoadInst &I,
                                                       const LaneValue &Address,
                                                       LaneMask Active) const {
  if (!I.getType()->isIntegerTy() || I.getType()->getIntegerBitWidth() > 64 ||
      Address.Terms.size() != 1 || !(Address.Terms[0].Coefficient == Lanes(1)))
    return std::nullopt;
  auto *Table =
      dyn_cast_or_null<GlobalVariable>(Values.originOf(Address.Terms[0].S));
  // One without contents is filled by the host.
  if (!Table || !Table->isConstant() || !Table->hasInitializer() ||
      Table->getInitializer()->isNullValue() ||
      isa<UndefValue>(Table->getInitializer()))
    return std::nullopt;
  std::array<std::int64_t, WarpSize> Entry = {};
  for (unsigned L = 0; L < WarpSize; ++L) {
    if (!(Active >> L & 1))
      continue;
    auto *C = dyn_cast_or_null<ConstantInt>(ConstantFoldLoadFromConst(
        const_cast<Constant *>(Table->getInitializer()), I.getType(),
        APInt(64, static_cast<std::uint64_t>(Address.Constant[L])),
        I.getModule()->getDataLayout()));
    if (!C)
      return std::nullopt;
    Entry[L] = static_cast<std::int64_t>(C->getZExtValue());
  }
  LaneValue R = LaneValue::constant(Values.bitsOf(I.getType()), Lanes(Entry));
  R.Unknown = ~Active;
  R.Assumes = Address.Assumes;
  if (Table->isExternallyInitialized())
    R.Assumes |= AssumesInitialTable;
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
    if (const Value *V = Operand(P.AddressOperand)) {
      if (P.Matrices)
        matrixAccess(I, P.Op, P.Matrices, V, Mask);
      else
        access(I, Part, P.Op, P.Space, P.Bytes, V, false, Mask);
      ++Part;
    }
  return Part > 0;
}

/// ldmatrix and stmatrix: the first 8 lanes give the rows of the first matrix,
/// 16 bytes each, the next 8 those of the second; what other lanes give is not
/// looked at.
void WarpInterpreter::matrixAccess(const CallInst &I, AccessOp Op,
                                   unsigned Matrices, const Value *Pointer,
                                   PathMask Mask) {
  const LaneMask Rows = AllLanes >> (WarpSize - 8 * Matrices);
  Mask.May &= Rows;
  Mask.Doubtful &= Rows;
  Mask.DataDriven &= Rows;
  access(I, 0, Op, MemorySpace::Shared, 16, Pointer, false, Mask,
         /*IsMatrix=*/true);
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

} // namespace cudalint
