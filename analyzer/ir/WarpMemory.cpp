//===- analyzer/ir/WarpMemory.cpp - Loads, stores and private arrays ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/ComputedIndices.h"
#include "analyzer/ir/MatrixParts.h"
#include "analyzer/ir/StaticAccess.h"
#include "analyzer/ir/WarpRun.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace cudalint {

/// Of a pointer to anything, the space of what it points to; outside of it is
/// another block of the cluster.
static void settleSpace(Request &R, const LaneArithmetic &A) {
  bool AreSeveral = false;
  if (R.Space == MemorySpace::Generic)
    for (const Term &T : R.Address.Terms)
      if (const SymbolInfo &Info = A.info(T.S);
          Info.Kind == SymbolKind::Object) {
        AreSeveral |= R.Space != MemorySpace::Generic && R.Space != Info.Space;
        R.Space = Info.Space;
        R.InCluster |= R.Space == MemorySpace::Generic;
      }
  // Lanes in different spaces: a request in each.
  if (AreSeveral)
    R.Address = LaneValue::unknown(R.Address.Bits);
  if (R.InCluster)
    R.Space = MemorySpace::Generic;
}

void WarpInterpreter::access(const Instruction &I, unsigned Part,
                             const StaticAccess &What, PathMask Mask) {
  if (What.Matrices) {
    // What the other lanes give is not looked at.
    const LaneMask Rows = AllLanes >> (WarpSize - 8 * What.Matrices);
    Mask.May &= Rows;
    Mask.Doubtful &= Rows;
    Mask.DataDriven &= Rows;
  }
  TurnProbe *const Probed = probeOf(I.getParent());
  if ((!isReporting() && !Probed) || !Mask.May)
    return;
  Request R;
  R.Inst = &I;
  R.Part = Part;
  R.Op = What.Op;
  R.Bytes = What.Bytes;
  R.Volatile = What.Volatile;
  R.IsMatrix = What.Matrices != 0;
  R.Atomic = What.Atomic;
  R.InCluster = What.InCluster;
  R.Address = Values.get(What.Pointer);
  if (What.Part)
    R.Address =
        addressesOf(*What.Part, R.Address, Values.get(What.Part->Stride), A);
  R.Address.Assumes |= Mask.Assumes;
  if (!std::has_single_bit(Mask.May))
    R.Address.Assumes |= State.MeetLater;
  R.Held = Mask.Held;
  R.Active = Mask.May;
  R.Doubtful = Mask.Doubtful;
  R.DataDriven = Mask.DataDriven;
  R.Warp = Warp;
  R.Turn = Context.Turn;
  R.Weight = AddedForAll.contains(&I) ? 0 : Context.Weight;
  R.Sampled = Context.IsSampled;
  R.SampledTurn = Context.SampledTurn;
  R.SomeBlocks = Mask.SomeBlocks;
  R.FewBlocks = Mask.FewBlocks;
  R.OpenBlocks = Mask.OpenBlocks;
  R.IsSure = Mask.isSure();
  R.Undecided = Mask.Undecided;
  if (KnowsBarriers)
    R.Barriers = Outcome.Barriers.size();
  if (auto D = Masks.find(Kernel.partedAt(I)); D != Masks.end())
    R.Before = {.Active = D->second.May,
                .Doubtful = D->second.Doubtful,
                .DataDriven = D->second.DataDriven,
                .IsSure = D->second.isSure()};
  for (std::size_t K = 0; K < std::min(Running.size(), R.Entries.size()); ++K)
    R.Entries[K] = Running[Running.size() - 1 - K].Entry;
  for (std::size_t K = 0; K < std::min<std::size_t>(Running.size(), 32); ++K)
    if (!Running[Running.size() - 1 - K].IsCounted)
      R.OpenLoops |= 1u << K;
  R.Space = What.Space;
  settleSpace(R, A);
  R.Counted =
      countedLanes(*What.Pointer, I, R.Address, Mask.May, Mask.Chosen, Values);
  if (R.Address.Unknown & Mask.May || Values.isGathered(R.Address))
    R.Random = std::make_shared<const RandomAddress>(randomAddress(
        *What.Pointer, I, R.Address, Mask.May, R.Bytes, Values, A));
  if (R.Random && !R.Random->Numbers.empty() &&
      A.dependsOnWarp(R.Random->Known))
    A.tellWarpsApart();
  if (Probed) {
    if (Mask.Doubtful & ~Probed->Mask.Doubtful ||
        Mask.Condition != Probed->Mask.Condition)
      Probed->Uneven.insert(&I);
    Probed->Requests.push_back(std::move(R));
    return;
  }
  if (Context.IsDoubling && A.dependsOnWarp(R.Address))
    A.tellWarpsApart();
  if (Context.IsDoubling && leavesArray(R.Address, Mask.May, R.Bytes)) {
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
      Values.spaceOf(Address.Terms[0].S) != MemorySpace::Local ||
      !Values.originOf(Address.Terms[0].S)) // one of several
    return std::nullopt;
  return std::pair(Address.Terms[0].S, Address.Constant[0]);
}

/// Whether it may point to a private array, each lane's own.
static bool mayBePrivate(const Value &Pointer) {
  if (isSurelyNotPrivate(Pointer))
    return false;
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(&Pointer, Objects);
  return llvm::any_of(Objects,
                      [](const Value *Each) { return isa<AllocaInst>(Each); });
}

void WarpInterpreter::stored(const StoreInst &I, const LaneValue &Address,
                             PathMask Mask) {
  if (auto Slot = localSlot(Address)) {
    LaneValue V = Values.get(I.getValueOperand());
    auto Old = State.Locals.find(*Slot);
    // Who may not be here is not where it is read again, either.
    if (!Kernel.isPassedByReaders(I.getParent()))
      V.Unknown |= Mask.Doubtful;
    const bool IsFirst =
        Old == State.Locals.end() || Old->second.Bits != V.Bits;
    const LaneMask Others = Values.existingLanes() & ~Mask.May;
    if (!IsFirst && Others &&
        !ValueEvaluator::isTracked(I.getValueOperand()->getType()))
      V.Unknown |= AllLanes;
    if (!IsFirst)
      V = A.blend(Mask.May, V, Old->second);
    else if (Mask.May != Values.existingLanes())
      V.Unknown |= ~Mask.May;
    // Whatever overlaps it is no longer what it was.
    const std::int64_t End = Slot->second + V.Bits / 8;
    auto It = State.Locals.lower_bound({Slot->first, Slot->second - 7});
    while (It != State.Locals.end() && It->first.first == Slot->first &&
           It->first.second < End)
      It = It->first.second + It->second.Bits / 8 > Slot->second
               ? State.Locals.erase(It)
               : std::next(It);
    State.Locals.insert_or_assign(*Slot, std::move(V));
    // If it is another element, that is no longer what it was, either.
    if (Address.Assumes)
      for (auto Each = State.Locals.lower_bound({Slot->first, NoMin});
           Each != State.Locals.end() && Each->first.first == Slot->first;
           ++Each)
        Each->second.Assumes |= Address.Assumes;
    return;
  }
  const Value *Pointer = I.getPointerOperand();
  if (isSurelyNotPrivate(*Pointer))
    return;
  const Term *Object = nullptr;
  unsigned Objects = 0;
  for (const Term &T : Address.Terms)
    if (A.info(T.S).Kind == SymbolKind::Object) {
      Object = &T;
      ++Objects;
    }
  // Somewhere in one private array; or in any of them.
  if (Objects == 1 && !Address.Unknown && Object->Coefficient == Lanes(1) &&
      Values.spaceOf(Object->S) == MemorySpace::Local &&
      Values.originOf(Object->S)) {
    std::erase_if(State.Locals, [&](const auto &Each) {
      return Each.first.first == Object->S;
    });
    return;
  }
  State.Locals.clear();
}

LaneValue WarpInterpreter::loaded(const LoadInst &I, const LaneValue &Address,
                                  LaneMask Active) {
  unsigned Bits = Values.bitsOf(I.getType());
  if (auto Slot = localSlot(Address)) {
    auto It = State.Locals.find(*Slot);
    if (It == State.Locals.end() || It->second.Bits != Bits)
      return LaneValue::unknown(Bits);
    LaneValue V = It->second;
    V.Assumes |= Address.Assumes; // That it is this element.
    return V;
  }
  if (Address.Unknown & Active)
    return LaneValue::unknown(Bits);
  if (auto Elements = localElements(Address, Active, Bits))
    return *Elements;
  bool Fixed = false;
  std::optional<std::int64_t> Offset; // Of all lanes, into one object.
  if (Address.Terms.size() == 1 && Address.Terms[0].Coefficient == Lanes(1) &&
      Address.isUniformIn(Active))
    Offset = Address.Constant[static_cast<unsigned>(countr_zero(Active))];
  for (const Term &T : Address.Terms) {
    // Every lane has an array of its own.
    if (A.info(T.S).Kind == SymbolKind::Object &&
        Values.spaceOf(T.S) == MemorySpace::Local)
      return LaneValue::unknown(Bits);
    Fixed |= A.info(T.S).Kind == SymbolKind::Object &&
             Values.spaceOf(T.S) == MemorySpace::Constant &&
             !Values.fields().isChanged(Values.originOf(T.S), Offset, Bits);
  }
  SymbolKind Kind = Fixed ? SymbolKind::Parameter : SymbolKind::Loaded;
  if (auto Entries = tableEntries(I, Address, Active))
    return *Entries;
  if (auto Known = givenField(I, Address, Active))
    return *Known;
  if (mayBePrivate(*I.getPointerOperand()))
    return LaneValue::unknown(Bits);
  auto Read = [&] {
    LaneValue R = Values.uniform(I, Kind, {});
    R.Assumes |= Address.Assumes; // That lanes read from one address, or not.
    return R;
  };
  if (Address.isUniformIn(Active)) {
    LaneValue R = Read();
    if (Fixed && ValueEvaluator::isTracked(I.getType()) &&
        Address.Terms.size() == 1)
      A.setFixed(
          R.Terms[0].S,
          {.By = A.info(Address.Terms[0].S).Fixed.By,
           .At = Address.Constant[static_cast<unsigned>(countr_zero(Active))] *
                     256 +
                 Bits});
    return R;
  }
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
    R = A.blend(Same, Read(), R);
    Left &= ~Same;
  }
  // Pointers are to arrays that do not overlap; how far integers are apart,
  // only the data knows.
  if (I.getType()->isIntegerTy())
    for (const Term &T : R.Terms)
      A.markGathered(T.S, isComputedIndex(I));
  R.Unknown &= Active;
  return R;
}

/// Whether what it is decides what is read there.
bool WarpInterpreter::isLookedUp(const LaneValue &Address) const {
  return llvm::any_of(Address.Terms, [&](const Term &T) {
    auto *Table = dyn_cast_or_null<GlobalVariable>(Values.originOf(T.S));
    return (A.info(T.S).Kind == SymbolKind::Object &&
            Values.spaceOf(T.S) == MemorySpace::Local) ||
           (Table && Table->isConstant() && Table->hasInitializer());
  });
}

/// What each lane reads of its own private array, each at a known place.
std::optional<LaneValue>
WarpInterpreter::localElements(const LaneValue &Address, LaneMask Active,
                               unsigned Bits) const {
  if (Address.Terms.size() != 1 ||
      !(Address.Terms[0].Coefficient == Lanes(1)) ||
      Values.spaceOf(Address.Terms[0].S) != MemorySpace::Local)
    return std::nullopt;
  LaneValue R = LaneValue::unknown(Bits);
  for (unsigned L = 0; L < WarpSize; ++L) {
    if (!(Active >> L & 1))
      continue;
    auto It = State.Locals.find({Address.Terms[0].S, Address.Constant[L]});
    if (It == State.Locals.end() || It->second.Bits != Bits)
      return std::nullopt;
    R = A.blend(LaneMask(1) << L, It->second, R);
  }
  R.Assumes |= Address.Assumes;
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

/// What all lanes read from an object that the launch passes.
std::optional<LaneValue> WarpInterpreter::givenField(const LoadInst &I,
                                                     const LaneValue &Address,
                                                     LaneMask Active) const {
  if (!I.getType()->isIntegerTy() || Address.Terms.size() != 1 ||
      !(Address.Terms[0].Coefficient == Lanes(1)) ||
      !Address.isUniformIn(Active))
    return std::nullopt;
  const unsigned Bits = Values.bitsOf(I.getType());
  const auto First = static_cast<unsigned>(countr_zero(Active));
  const std::optional<std::int64_t> Known = Values.fields().find(
      Values.originOf(Address.Terms[0].S), Address.Constant[First], Bits);
  if (!Known)
    return std::nullopt;
  LaneValue R = LaneValue::constant(Bits, *Known);
  R.Assumes = Address.Assumes;
  return R;
}

/// Whether all lanes wait for each other there: a barrier, or a shuffle of all.
static bool putsTogether(const CallInst &Call) {
  const Function *F = Call.getCalledFunction();
  if (!F || !F->isIntrinsic() || !Call.isConvergent())
    return false;
  if (F->getName().starts_with("llvm.nvvm.barrier"))
    return true;
  const bool HasMask = F->getName().starts_with("llvm.nvvm.bar.warp.sync") ||
                       F->getName().starts_with("llvm.nvvm.shfl.sync");
  auto *Mask = HasMask ? dyn_cast<ConstantInt>(Call.getArgOperand(0)) : nullptr;
  return Mask && Mask->isMinusOne();
}

/// Runs `I` if it reads or writes memory, or nothing else is to be done for it.
bool WarpInterpreter::memory(const Instruction &I, PathMask Mask) {
  const bool IsNeeded = isNeeded(I);
  if (const Value *Pointer = getLoadStorePointerOperand(&I);
      Pointer && A.areSeveralWarps() && IsNeeded)
    if (const LaneValue Address = Values.get(Pointer);
        A.dependsOnWarp(Address) && isLookedUp(Address))
      A.tellWarpsApart();
  unsigned Part = 0;
  for (const StaticAccess &Each : Kernel.accesses(I))
    access(I, Part++, Each, Mask);
  // What is accessed, the markers say; loads and stores, what is there.
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    if (!IsNeeded)
      return true;
    LaneValue V =
        loaded(*Load, Values.get(Load->getPointerOperand()), Mask.May);
    if (A.areSeveralWarps() && !A.dependsAlike(V))
      A.tellWarpsApart();
    Values.set(&I, std::move(V));
    return true;
  }
  if (auto *Store = dyn_cast<StoreInst>(&I)) {
    if (IsNeeded)
      stored(*Store, Values.get(Store->getPointerOperand()), Mask);
    return true;
  }
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I)) {
    // Each lane sees what the others have made of it.
    Values.set(&I, LaneValue::unknown(Values.bitsOf(I.getType())));
    return true;
  }
  if (Part && I.getType()->isVoidTy())
    return true;
  auto *Call = dyn_cast<CallInst>(&I);
  if (!Call)
    return !IsNeeded;
  const Function *F = Call->getCalledFunction();
  if (isReporting() && F && F->getName().starts_with("llvm.nvvm.barrier"))
    noteBarrier(I, Mask);
  if (isReporting() && putsTogether(*Call) &&
      Mask.May == Values.existingLanes() && !Mask.Doubtful && !Mask.Condition &&
      !Mask.SomeBlocks && !Mask.OpenBlocks)
    State.MeetLater = 0;
  if (mayWritePrivate(*Call))
    State.Locals.clear();
  return !IsNeeded;
}

} // namespace cudalint
