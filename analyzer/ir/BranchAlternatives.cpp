//===- analyzer/ir/BranchAlternatives.cpp - Branches that meet ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/BranchAlternatives.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace cudalint {

const Value *meetingOf(const BasicBlock &From) {
  constexpr unsigned MostEmpty = 16;
  if (isa<ReturnInst>(From.getTerminator()))
    return From.getParent();
  const BasicBlock *To = From.getSingleSuccessor();
  // A loop of blocks that do nothing ends, too.
  for (unsigned N = 0; To && N != MostEmpty; ++N) {
    const BasicBlock *Next = To->getSingleSuccessor();
    if (!Next || To->getFirstNonPHIIt() != To->getTerminator()->getIterator())
      break;
    To = Next;
  }
  return To;
}

const BasicBlock *partingOf(ArrayRef<const BasicBlock *> Blocks,
                            const DominatorTree &Dominators) {
  const BasicBlock *From = Blocks.front();
  for (const BasicBlock *B : Blocks)
    From = Dominators.findNearestCommonDominator(From, B);
  SmallPtrSet<const BasicBlock *, 16> Seen(Blocks.begin(), Blocks.end());
  if (Seen.contains(From))
    return nullptr;
  const Value *Meeting = meetingOf(*Blocks.front());
  SmallVector<const BasicBlock *> Pending(successors(From));
  while (!Pending.empty()) {
    const BasicBlock *B = Pending.pop_back_val();
    if (Seen.contains(B))
      continue;
    // Past them, to the meeting, round a loop, or out of the function.
    if (B == Meeting || B == From || succ_empty(B))
      return nullptr;
    Seen.insert(B);
    append_range(Pending, successors(B));
  }
  return From;
}

void BranchAlternatives::add(const Instruction &I, std::size_t Number,
                             const WrittenAccess &W) {
  if (W.Volatile && W.Op != AccessOp::Atomic)
    return;
  if (Instructions.size() <= Number)
    Instructions.resize(Number + 1);
  Instructions[Number] = &I;
  if (const Value *Where = meetingOf(*I.getParent()))
    InBlock[{I.getParent(), Where, W.Op, W.Space, W.Bytes, W.Loop}].push_back(
        Number);
}

Partings BranchAlternatives::finish(std::vector<WrittenAccess> &Written,
                                    const DominatorTree &Dominators) const {
  using Meeting = std::tuple<const Value *, AccessOp, MemorySpace, unsigned,
                             unsigned, std::size_t>;
  std::map<Meeting, std::vector<std::size_t>> Same;
  for (const auto &[Key, Numbers] : InBlock) {
    const auto &[Block, Where, Op, Space, Bytes, Loop] = Key;
    for (std::size_t I = 0; I != Numbers.size(); ++I)
      Same[{Where, Op, Space, Bytes, Loop, Numbers.size() - I}].push_back(
          Numbers[I]);
  }
  unsigned Next = 0;
  Partings Result;
  for (const auto &[Key, Numbers] : Same) {
    if (Numbers.size() < 2)
      continue;
    ++Next;
    SmallVector<const BasicBlock *> Blocks;
    for (std::size_t N : Numbers) {
      Written[N].Alternative = Next;
      Blocks.push_back(Instructions[N]->getParent());
    }
    if (const BasicBlock *From = partingOf(Blocks, Dominators))
      for (std::size_t N : Numbers)
        Result[Instructions[N]] = From;
  }
  return Result;
}

} // namespace cudalint
