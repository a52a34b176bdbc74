//===- analyzer/ir/StagedLoads.cpp - Loads that fill a tile ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/StagedLoads.h"

#include "analyzer/ir/AccessMarkers.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace cudalint {

/// On the marker of such a load.
static constexpr StringRef StagedName = "cuda-lint.staged";

/// Whether it is of a variable of the block.
static bool isInShared(const Value &Pointer) {
  const auto *Of = dyn_cast<GlobalVariable>(getUnderlyingObject(&Pointer));
  return Of && Of->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED;
}

/// Whether \p Loaded is stored to shared memory, whole or in parts, also zero
/// where there is nothing to load, or as another type, and to nothing else.
static bool goesToShared(const Value &Loaded) {
  constexpr unsigned MostValues = 32;
  SmallSetVector<const Value *, 8> Its;
  Its.insert(&Loaded);
  bool IsStored = false;
  for (unsigned I = 0; I != Its.size(); ++I)
    for (const User *Each : Its[I]->users()) {
      if (isa<PHINode, SelectInst, CastInst, ExtractElementInst,
              InsertElementInst, ExtractValueInst, InsertValueInst>(Each) &&
          Its.size() < MostValues) {
        Its.insert(Each);
        continue;
      }
      const auto *Store = dyn_cast<StoreInst>(Each);
      if (!Store || Store->getPointerOperand() == Its[I] ||
          !isInShared(*Store->getPointerOperand()))
        return false;
      IsStored = true;
    }
  return IsStored;
}

void noteStagedLoads(Function &F) {
  for (Instruction &I : instructions(F)) {
    const std::optional<MarkedAccess> Its = markedAccess(I);
    if (!Its || Its->Op != AccessOp::Load)
      continue;
    const std::vector<WeakVH> Parts = markedBy(cast<CallInst>(I));
    if (!Parts.empty() && llvm::all_of(Parts, [](const WeakVH &Each) {
          return Each && goesToShared(*Each);
        }))
      I.setMetadata(StagedName, MDNode::get(F.getContext(), {}));
  }
}

bool isStaged(const Instruction &I, ArrayRef<StaticAccess> Parts, AccessOp Op) {
  if (Op != AccessOp::Load)
    return false;
  return I.hasMetadata(StagedName) ||
         (Parts.size() == 2 && Parts[1].Op == AccessOp::Store &&
          Parts[1].Space == MemorySpace::Shared);
}

} // namespace cudalint
