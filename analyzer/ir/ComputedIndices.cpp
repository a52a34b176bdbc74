//===- analyzer/ir/ComputedIndices.cpp - Indices with an order ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/ComputedIndices.h"

#include "analyzer/ir/AccessMarkers.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/NVPTXAddrSpace.h"

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

using namespace llvm;

namespace cudalint {

/// Uses of an array that are looked at; of more, nothing is known.
static constexpr std::size_t MostArrayUses = 1024;

/// Whether \p V is what was loaded from elsewhere, or what constants, sizes and
/// conditions make of such alone, with so many steps in each other at most.
static bool isBrought(const Value *V, unsigned Steps = 8) {
  if (isa<Constant, Argument>(V))
    return true;
  if (auto *From = dyn_cast<LoadInst>(V)) {
    auto *Array = dyn_cast<GlobalVariable>(
        getUnderlyingObject(From->getPointerOperand()));
    return !Array || Array->getAddressSpace() != NVPTXAS::ADDRESS_SPACE_SHARED;
  }
  // What a loop counts goes round in a circle.
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !Steps)
    return false;
  auto AreBrought = [&](auto Operands) {
    return llvm::all_of(Operands, [&](const Use &Each) {
      return isBrought(Each.get(), Steps - 1);
    });
  };
  if (auto *Choice = dyn_cast<SelectInst>(I))
    return isBrought(Choice->getTrueValue(), Steps - 1) &&
           isBrought(Choice->getFalseValue(), Steps - 1);
  if (auto *Phi = dyn_cast<PHINode>(I))
    return AreBrought(Phi->incoming_values());
  if (auto *Bound = dyn_cast<MinMaxIntrinsic>(I))
    return AreBrought(Bound->args());
  return isa<CastInst, BinaryOperator, FreezeInst>(I) &&
         AreBrought(I->operands());
}

/// Whether \p U, a use of a pointer into an array, leaves what is in it copies;
/// what leads on into the array is put to \p Next.
static bool keepsCopies(const User &U, const Value &Pointer,
                        std::vector<const Value *> &Next) {
  if (auto *Store = dyn_cast<StoreInst>(&U))
    return Store->getValueOperand() != &Pointer &&
           isBrought(Store->getValueOperand());
  if (isa<GEPOperator, AddrSpaceCastOperator, PHINode, SelectInst>(U)) {
    Next.push_back(&U);
    return true;
  }
  if (auto *Copy = dyn_cast<MemTransferInst>(&U))
    return Copy->getRawSource() == &Pointer ||
           getUnderlyingObject(Copy->getRawSource()) !=
               getUnderlyingObject(&Pointer);
  auto *Use = dyn_cast<Instruction>(&U);
  return isa<LoadInst, CmpInst, MemSetInst>(U) || (Use && markedAccess(*Use));
}

/// Whether \p F writes anything but copies into \p Array.
static bool computes(const Function &F, const GlobalVariable &Array) {
  SmallPtrSet<const Value *, 32> Seen;
  std::vector<const Value *> Pending = {&Array};
  while (!Pending.empty()) {
    const Value *Pointer = Pending.back();
    Pending.pop_back();
    if (!Seen.insert(Pointer).second)
      continue;
    for (const User *U : Pointer->users()) {
      auto *I = dyn_cast<Instruction>(U);
      if (I && I->getFunction() != &F)
        continue;
      if (Seen.size() > MostArrayUses || !keepsCopies(*U, *Pointer, Pending))
        return true;
    }
  }
  return false;
}

namespace {
/// A pointer as what it begins at and what is added to that.
struct ElementPlace {
  const Value *Base = nullptr;
  std::map<const Value *, std::int64_t> Added; ///< Times so many bytes.
  std::int64_t Bytes = 0;
};
} // namespace

/// `2 * i + 1` of \p Index, of \p Scale bytes each, is i and a constant.
static void addIndex(ElementPlace &Out, const Value *Index,
                     std::int64_t Scale) {
  while (true) {
    if (isa<SExtInst, ZExtInst>(Index)) {
      Index = cast<CastInst>(Index)->getOperand(0);
      continue;
    }
    auto *Op = dyn_cast<BinaryOperator>(Index);
    auto *By = Op ? dyn_cast<ConstantInt>(Op->getOperand(1)) : nullptr;
    if (!By || By->getBitWidth() > 64)
      break;
    const std::int64_t Number = By->getSExtValue();
    std::int64_t Bytes = 0;
    if (Op->getOpcode() == Instruction::Add) {
      if (__builtin_mul_overflow(Scale, Number, &Bytes) ||
          __builtin_add_overflow(Out.Bytes, Bytes, &Out.Bytes))
        break;
    } else if (Op->getOpcode() == Instruction::Mul ||
               (Op->getOpcode() == Instruction::Shl && Number >= 0 &&
                Number < 32)) {
      const std::int64_t Factor = Op->getOpcode() == Instruction::Mul
                                      ? Number
                                      : std::int64_t(1) << Number;
      if (__builtin_mul_overflow(Scale, Factor, &Scale))
        break;
    } else {
      break;
    }
    Index = Op->getOperand(0);
  }
  Out.Added[Index] += Scale;
}

static std::optional<ElementPlace> elementPlaceOf(const Value *Pointer,
                                                  const DataLayout &Layout) {
  ElementPlace Out;
  constexpr unsigned MostSteps = 8;
  for (unsigned Step = 0; Step != MostSteps; ++Step) {
    if (auto *Cast = dyn_cast<AddrSpaceCastOperator>(Pointer)) {
      Pointer = Cast->getPointerOperand();
      continue;
    }
    auto *G = dyn_cast<GEPOperator>(Pointer);
    if (!G) {
      Out.Base = Pointer;
      return Out;
    }
    SmallMapVector<Value *, APInt, 4> Indices;
    APInt Constant(Layout.getIndexTypeSizeInBits(G->getType()), 0);
    if (!G->collectOffset(Layout, Constant.getBitWidth(), Indices, Constant))
      return std::nullopt;
    Out.Bytes += Constant.getSExtValue();
    for (const auto &[Index, Scale] : Indices)
      addIndex(Out, Index, Scale.getSExtValue());
    Pointer = G->getPointerOperand();
  }
  return std::nullopt;
}

static constexpr StringRef NoteName = "cuda-lint.computed";

static void note(LoadInst &Load) {
  Load.setMetadata(NoteName, MDNode::get(Load.getContext(), {}));
}

/// Whether \p V is subtracted from something, or compared, with what is neither
/// a constant nor a size.
static bool isBoundOfSomething(const Value &V) {
  return llvm::any_of(V.users(), [&](const User *U) {
    if (isa<SExtInst, ZExtInst, TruncInst>(U))
      return isBoundOfSomething(*U);
    auto *Op = dyn_cast<Instruction>(U);
    if (!Op || !(isa<ICmpInst, MinMaxIntrinsic>(Op) ||
                 Op->getOpcode() == Instruction::Sub))
      return false;
    const Value *Other = Op->getOperand(Op->getOperand(0) == &V ? 1 : 0);
    return !isa<Constant, Argument>(Other);
  });
}

static void noteBeginsOfParts(const std::vector<LoadInst *> &Loads) {
  using Key = std::tuple<const Type *, const Value *,
                         std::map<const Value *, std::int64_t>>;
  std::map<Key, std::map<std::int64_t, std::vector<LoadInst *>>> Beside;
  for (LoadInst *Each : Loads) {
    const DataLayout &Layout = Each->getModule()->getDataLayout();
    if (auto At = elementPlaceOf(Each->getPointerOperand(), Layout))
      Beside[{Each->getType(), At->Base, std::move(At->Added)}][At->Bytes]
          .push_back(Each);
  }
  for (const auto &[Of, ByPlace] : Beside) {
    const auto Size =
        static_cast<std::int64_t>(std::get<0>(Of)->getIntegerBitWidth() / 8);
    // Of pairs side by side, no element is of two: `ends[2 * i]` and the next.
    if (llvm::none_of(std::get<2>(Of),
                      [&](const auto &Each) { return Each.second == Size; }))
      continue;
    auto IsBound = [&](std::int64_t At) {
      const auto Found = ByPlace.find(At);
      return Found != ByPlace.end() &&
             llvm::any_of(Found->second, [](const LoadInst *Each) {
               return isBoundOfSomething(*Each);
             });
    };
    for (const auto &[At, Each] : ByPlace) {
      const bool IsBeside =
          ByPlace.contains(At - Size) || ByPlace.contains(At + Size);
      if (IsBeside && (IsBound(At) || IsBound(At - Size) || IsBound(At + Size)))
        llvm::for_each(Each, [](LoadInst *Load) { note(*Load); });
    }
  }
}

void noteComputedIndices(Function &F) {
  std::vector<LoadInst *> Loads;
  std::map<const GlobalVariable *, bool> Computed;
  for (Instruction &I : instructions(F)) {
    auto *Load = dyn_cast<LoadInst>(&I);
    if (!Load || !Load->getType()->isIntegerTy())
      continue;
    auto *Array = dyn_cast<GlobalVariable>(
        getUnderlyingObject(Load->getPointerOperand()));
    if (!Array || Array->getAddressSpace() != NVPTXAS::ADDRESS_SPACE_SHARED) {
      Loads.push_back(Load);
      continue;
    }
    const auto [Known, IsNew] = Computed.try_emplace(Array, false);
    if (IsNew)
      Known->second = computes(F, *Array);
    if (Known->second)
      note(*Load);
  }
  noteBeginsOfParts(Loads);
}

bool isComputedIndex(const LoadInst &Load) {
  return Load.hasMetadata(NoteName);
}

} // namespace cudalint
