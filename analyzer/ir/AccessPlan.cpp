//===- analyzer/ir/AccessPlan.cpp - As which instructions -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/AccessPlan.h"

#include "analyzer/frontend/SystemHeaders.h"
#include "analyzer/ir/Access.h"
#include "analyzer/ir/AccessMarkers.h"
#include "analyzer/ir/AccessPlace.h"
#include "analyzer/ir/AddressShapes.h"
#include "analyzer/ir/AliasedAccesses.h"
#include "analyzer/ir/StaticAccess.h"
#include "analyzer/ir/ValueReuse.h"

#include "llvm/ADT/IntEqClasses.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/NVPTXAddrSpace.h"

#include <algorithm>
#include <map>
#include <set>

using namespace llvm;

namespace cudalint {

/// Where it is written, in the user's code as far as there is some.
static void setPlace(WrittenAccess &Of, const Instruction &I,
                     const SourceFacts &Facts) {
  Access Place;
  Place.Op = Of.Op;
  locate(Place, I, Facts);
  const unsigned IndexLine = Place.Source.IndexLine;
  // The fact is of another frame than that of the user's place.
  const bool IsOfCall = Place.Source.Origin == TextOrigin();
  std::vector<Location> All = std::move(Place.InlinedAt);
  if (Place.Where.Line)
    All.insert(All.begin(), std::move(Place.Where));
  std::vector<Location> User = userFrames(All, Facts);
  Of.InHeader = !User.empty() && User.front() != All.front();
  if (!User.empty()) {
    Of.Where = User.front();
    if (IndexLine && !IsOfCall && !Of.InHeader)
      User.front().Line = IndexLine;
  }
  Of.Frames = std::move(User);
}

/// Of what \p Object points into, as far as that is known: what the kernel is
/// given by value is in constant memory, and pointers that are given to it, in
/// whatever it is, are into global memory.
static MemorySpace spaceOfObject(const Value &Object) {
  if (isa<AllocaInst>(Object))
    return MemorySpace::Local;
  if (auto *Variable = dyn_cast<GlobalVariable>(&Object))
    switch (Variable->getAddressSpace()) {
    case NVPTXAS::ADDRESS_SPACE_GENERIC:
    case NVPTXAS::ADDRESS_SPACE_GLOBAL:
      return MemorySpace::Global;
    case NVPTXAS::ADDRESS_SPACE_SHARED:
      return MemorySpace::Shared;
    case NVPTXAS::ADDRESS_SPACE_CONST:
      return MemorySpace::Constant;
    default:
      return MemorySpace::Generic;
    }
  if (auto *Given = dyn_cast<Argument>(&Object))
    return Given->hasByValAttr() ? MemorySpace::Constant : MemorySpace::Global;
  if (auto *Load = dyn_cast<LoadInst>(&Object)) {
    auto *From =
        dyn_cast<Argument>(getUnderlyingObject(Load->getPointerOperand()));
    if (From && From->hasByValAttr())
      return MemorySpace::Global;
  }
  return MemorySpace::Generic;
}

/// Generic unless all that it may point into is in one space.
static MemorySpace spaceOf(const Value &Pointer) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(&Pointer, Objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  const MemorySpace First = spaceOfObject(*Objects.front());
  return all_of(
             Objects,
             [&](const Value *Each) { return spaceOfObject(*Each) == First; })
             ? First
             : MemorySpace::Generic;
}

namespace {
/// Numbers runs of loads with no store between them, and of stores with
/// nothing, in one block.
class Runs {
public:
  void next(const Instruction &I) {
    if (I.getParent() != Block)
      ++Loads, ++Stores;
    Block = I.getParent();
    const std::optional<MarkedAccess> Marked = markedAccess(I);
    if (!Marked) {
      if (I.mayWriteToMemory() && !isa<StoreInst>(I))
        ++Loads, ++Stores;
      return;
    }
    if (Marked->Volatile)
      ++Loads, ++Stores;
    else if (Marked->Op == AccessOp::Load)
      ++Stores;
    else
      ++Loads;
  }
  unsigned of(AccessOp Op) const {
    return Op == AccessOp::Load ? Loads : Stores;
  }

private:
  const BasicBlock *Block = nullptr;
  unsigned Loads = 0, Stores = 0;
};
} // namespace

/// Whether both compute the same from the same, wherever they stand.
static bool computesTheSame(const Value &A, const Value &B, unsigned Depth) {
  if (&A == &B)
    return true;
  auto *I = dyn_cast<Instruction>(&A);
  auto *J = dyn_cast<Instruction>(&B);
  if (!I || !J || !Depth || !I->isSameOperationAs(J) || isa<PHINode>(I) ||
      I->mayReadOrWriteMemory())
    return false;
  for (unsigned Operand = 0; Operand != I->getNumOperands(); ++Operand)
    if (!computesTheSame(*I->getOperand(Operand), *J->getOperand(Operand),
                         Depth - 1))
      return false;
  return true;
}

static bool isOneForAllLanes(const Value &V,
                             SmallPtrSetImpl<const Value *> &Seen) {
  if (isa<Constant>(V) || isa<Argument>(V) || !Seen.insert(&V).second)
    return true;
  auto *I = dyn_cast<Instruction>(&V);
  if (!I)
    return false;
  if (auto *Call = dyn_cast<CallInst>(I)) {
    const Function *F = Call->getCalledFunction();
    return F && F->getName().starts_with("llvm.nvvm.read.ptx.sreg.") &&
           F->getName().contains("cta"); // ctaid, nctaid
  }
  constexpr unsigned MostLooked = 64;
  // Counters of loops; of other values that meet, lanes may have either.
  constexpr unsigned MostNested = 8;
  auto *Phi = dyn_cast<PHINode>(I);
  // An address that is computed on each way.
  if (Phi && llvm::all_of(Phi->incoming_values(), [&](const Use &U) {
        return computesTheSame(*U.get(), *Phi->getIncomingValue(0), MostNested);
      }))
    return isOneForAllLanes(*Phi->getIncomingValue(0), Seen);
  if (Phi && llvm::none_of(Phi->incoming_values(), [&](const Use &U) {
        auto *Next = dyn_cast<BinaryOperator>(U.get());
        return Next && llvm::is_contained(Next->operands(), Phi);
      }))
    return false;
  return (isa<BinaryOperator>(I) || isa<CastInst>(I) || Phi ||
          isa<GetElementPtrInst>(I)) &&
         Seen.size() < MostLooked &&
         llvm::all_of(
             I->operands(),
             [&](const Use &U) { return isOneForAllLanes(*U.get(), Seen); });
}

bool isOneForAllLanes(const Value &V) {
  SmallPtrSet<const Value *, 16> Seen;
  return isOneForAllLanes(V, Seen);
}

/// Whether nvcc adds up what the lanes of a warp do there.
static bool addsUp(const Instruction &I, const Value &Pointer) {
  auto *RMW = dyn_cast<AtomicRMWInst>(&I);
  if (!RMW || !RMW->getType()->isIntegerTy(32))
    return false;
  switch (RMW->getOperation()) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
  case AtomicRMWInst::And:
  case AtomicRMWInst::Or:
  case AtomicRMWInst::Max:
  case AtomicRMWInst::Min:
  case AtomicRMWInst::UMax:
  case AtomicRMWInst::UMin:
    return isOneForAllLanes(Pointer);
  default:
    return false;
  }
}

/// A file has one name, whichever compiler tells a place in it, and is a system
/// header for all of them or none.
static std::vector<MachineInstruction>
inClangsWords(std::vector<MachineInstruction> Code, const SourceFacts &Facts) {
  std::map<std::string, std::string> Names;
  const auto Rename = [&](Location &L) {
    auto [Known, IsNew] = Names.try_emplace(L.File);
    if (IsNew) {
      Known->second = Facts.nameOf(L.File);
      // Of the toolkit's folders, some are links to others.
      SmallString<256> Real;
      if (!Facts.Files.contains(Known->second) &&
          !sys::fs::real_path(L.File, Real))
        Known->second = Facts.nameOf(Real.str().str());
    }
    L.File = Known->second;
  };
  for (MachineInstruction &Each : Code) {
    Rename(Each.Where);
    Each.IsInHeader = Facts.isSystem(Each.Where.File);
    for_each(Each.Frames, Rename);
    Each.Frames = userFrames(std::move(Each.Frames), Facts);
  }
  return Code;
}

AccessPlan::AccessPlan(const Function &Kernel, const SourceFacts &Facts,
                       const std::vector<MachineInstruction> *Code) {
  // The analyses change nothing, but say so nowhere.
  AddressShapes Shapes(const_cast<Function &>(Kernel));
  Runs Run;
  BranchAlternatives Branches;
  std::vector<std::pair<const Instruction *, const Value *>> Places;
  for (const Instruction &I : instructions(Kernel)) {
    unsigned Part = 0;
    Run.next(I);
    for (const StaticAccess &Each : accessesOf(I)) {
      const bool IsKnown = Each.Space != MemorySpace::Generic || Each.InCluster;
      const MemorySpace Space = IsKnown ? Each.Space : spaceOf(*Each.Pointer);
      if (Space == MemorySpace::Constant) {
        ++Part;
        continue;
      }
      WrittenAccess W;
      W.Op = Each.Op;
      // Only of what Clang has a use for does the type of the pointer tell that
      // it is into global memory: an instruction of that space is rather of
      // such an access than of one of which the compiler may have none. An
      // argument of the kernel has no other type, used or not.
      W.Space = Space == MemorySpace::Local || isa<Argument>(Each.Pointer)
                    ? Space
                    : Each.Space;
      W.ObjectSpace = Space;
      W.Bytes = Each.Bytes;
      W.Align = Each.Align;
      // The parts of a matrix are what nvcc makes of it.
      W.Volatile =
          Each.Volatile || Each.Op == AccessOp::Atomic || Each.Part != nullptr;
      W.IsRedundant = Each.IsRedundant;
      setPlace(W, I, Facts);
      W.Run = Run.of(W.Op);
      Shapes.describe(I, *Each.Pointer, W);
      W.AddsUp = addsUp(I, *Each.Pointer);
      Branches.add(I, Written.size(), W);
      Numbers[{&I, Part++}] = Written.size();
      Written.push_back(std::move(W));
      Places.emplace_back(&I, Each.Pointer);
    }
  }
  std::vector<PlacedAccess> Placed;
  for (std::size_t A = 0; A != Places.size(); ++A)
    Placed.push_back({Places[A].first, Places[A].second, &Written[A]});
  findReuse(Placed, Shapes.dominators(), Shapes.loops());
  findAliased(Placed, Shapes.loops());
  BranchPartings = Branches.finish(Written, Shapes.dominators());
  Compiled = Code ? matchCompiled(Written, inClangsWords(*Code, Facts))
                  : expectCompiled(Written);
  std::set<unsigned> AtPlace;
  for (const Instruction &I : instructions(Kernel))
    for (unsigned Part = 0; Part != accessesOf(I).size(); ++Part) {
      const CompiledAccess *Each = find(I, Part);
      if (!Each)
        continue;
      for (const CompiledPart &P : Each->Parts) {
        if (P.Pool < Compiled.Pools.size())
          ++Sharers[P.Pool];
        if (P.IsOfNeighbours)
          NeighbourRuns.insert({written(I, Part)->Op, written(I, Part)->Run});
        if (!P.IsAlternative)
          continue;
        const std::vector<Location> &Frames = written(I, Part)->Frames;
        const MachineInstruction &Of = Compiled.Pools[P.Pool].front();
        const bool IsAtPlace =
            !Frames.empty() && !Of.Frames.empty() &&
            Frames.front().Line == Of.Frames.front().Line &&
            baseName(Frames.front().File) == baseName(Of.Frames.front().File) &&
            AtPlace.insert(P.Pool).second;
        if (IsAtPlace || !Owners.contains(P.Pool))
          Owners[P.Pool] = {&I, Part};
      }
    }
  findCompanies();
}

void AccessPlan::findCompanies() {
  using AccessRun = std::pair<AccessOp, unsigned>;
  const auto Count = static_cast<unsigned>(Written.size());
  auto RunOf = [&](unsigned A) {
    return AccessRun(Written[A].Op, Written[A].Run);
  };
  std::set<AccessRun> WithWords; // What of several is in one.
  for (unsigned A = 0; A != Count; ++A)
    if (llvm::any_of(Compiled.Accesses[A].Parts, [](const CompiledPart &P) {
          return P.IsWider || P.IsOfNeighbours;
        }))
      WithWords.insert(RunOf(A));
  IntEqClasses Together(Count);
  std::vector<bool> Meets(Count);
  auto Join = [&](auto &First, const auto &Key, unsigned A) {
    Together.join(First.try_emplace(Key, A).first->second, A);
    Meets[A] = true;
  };
  std::map<AccessRun, unsigned> FirstOfRun;
  std::map<unsigned, unsigned> FirstOfPool;
  for (unsigned A = 0; A != Count; ++A) {
    if (WithWords.contains(RunOf(A)))
      Join(FirstOfRun, RunOf(A), A);
    for (const CompiledPart &P : Compiled.Accesses[A].Parts)
      if (P.IsShared)
        Join(FirstOfPool, P.Pool, A);
  }
  Together.compress();
  for (unsigned A = 0; A != Count; ++A)
    Companies.push_back(Meets[A] ? Together[A] + 1 : 0);
}

unsigned AccessPlan::companyOf(const Instruction &I, unsigned Part) const {
  auto Found = Numbers.find({&I, Part});
  return Found == Numbers.end() ? 0 : Companies[Found->second];
}

bool AccessPlan::isAmongNeighbours(const Instruction &I, unsigned Part) const {
  if (NeighbourRuns.empty())
    return false;
  const WrittenAccess *W = written(I, Part);
  return W && NeighbourRuns.contains({W->Op, W->Run});
}

std::pair<const Instruction *, unsigned>
AccessPlan::ownerOf(unsigned Pool) const {
  return Owners.lookup(Pool);
}

std::optional<RemovedAccess> AccessPlan::recordOf(std::size_t Number,
                                                  std::string Why) const {
  const WrittenAccess &W = Written[Number];
  if (W.Frames.empty())
    return std::nullopt;
  return RemovedAccess{.Where = W.Where,
                       .Space = Written[Number].ObjectSpace,
                       .Op = W.Op,
                       .Bytes = W.Bytes,
                       .Why = std::move(Why),
                       .InlinedAt = {W.Frames.begin() + 1, W.Frames.end()}};
}

std::optional<RemovedAccess> AccessPlan::removed(const Instruction &I,
                                                 unsigned Part,
                                                 std::string Why) const {
  auto Found = Numbers.find({&I, Part});
  return Found == Numbers.end() ? std::nullopt
                                : recordOf(Found->second, std::move(Why));
}

std::vector<RemovedAccess> AccessPlan::removed() const {
  std::vector<RemovedAccess> Result;
  for (std::size_t I = 0; I != Written.size(); ++I)
    if (Compiled.Accesses[I].Parts.empty())
      if (std::optional<RemovedAccess> Each =
              recordOf(I, Compiled.Accesses[I].WhyRemoved))
        Result.push_back(std::move(*Each));
  std::ranges::stable_sort(Result, {}, &RemovedAccess::Where);
  return Result;
}

const CompiledAccess *AccessPlan::find(const Instruction &I,
                                       unsigned Part) const {
  auto Found = Numbers.find({&I, Part});
  return Found == Numbers.end() ? nullptr : &Compiled.Accesses[Found->second];
}

const WrittenAccess *AccessPlan::written(const Instruction &I,
                                         unsigned Part) const {
  auto Found = Numbers.find({&I, Part});
  return Found == Numbers.end() ? nullptr : &Written[Found->second];
}

} // namespace cudalint
