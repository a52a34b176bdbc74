//===- analyzer/ir/Inlining.cpp - What becomes part of kernels ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/Inlining.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstdint>

using namespace llvm;

namespace cudalint {

static constexpr std::uint64_t MaxInstructions = 250'000;

namespace {
/// Sizes functions as if everything were inlined, callees before callers.
class InliningBudget {
public:
  explicit InliningBudget(Module &M) {
    CallGraph Graph(M);
    for (auto Group = scc_begin(&Graph); !Group.isAtEnd(); ++Group)
      for (CallGraphNode *Node : *Group)
        if (Function *F = Node->getFunction(); F && !F->isDeclaration())
          size(*F);
  }

  bool isTooLong(const Function &F) const {
    auto Found = Sizes.find(&F);
    return Found != Sizes.end() && Found->second == Call;
  }

private:
  static constexpr std::uint64_t Call = 1; ///< What stays a call.
  DenseMap<const Function *, std::uint64_t> Sizes;

  void size(const Function &F) {
    std::uint64_t Total = 0;
    // What each callee adds, in all places together.
    MapVector<const Function *, std::uint64_t> Added;
    for (const Instruction &I : instructions(F)) {
      auto *Calls = dyn_cast<CallInst>(&I);
      auto Callee = Sizes.find(Calls ? Calls->getCalledFunction() : nullptr);
      std::uint64_t Size = Callee == Sizes.end() ? Call : Callee->second;
      Total = SaturatingAdd(Total, Size);
      if (Size > Call)
        Added[Callee->first] = SaturatingAdd(Added[Callee->first], Size);
    }
    auto Largest = Added.takeVector();
    std::ranges::stable_sort(Largest, std::ranges::greater(),
                             [](const auto &Each) { return Each.second; });
    if (Total > MaxInstructions) {
      // Added up anew: a sum that was saturated cannot be taken from.
      Total = F.getInstructionCount();
      for (auto Each = Largest.rbegin(); Each != Largest.rend(); ++Each)
        if (SaturatingAdd(Total, Each->second) <= MaxInstructions)
          Total += Each->second;
        else
          Sizes[Each->first] = Call;
    }
    Sizes[&F] = std::max(Total, Call + 1);
  }
};
} // namespace

void requestInlining(Module &M) {
  const InliningBudget Budget(M);
  for (Function &F : M) {
    if (F.isDeclaration() || F.getCallingConv() == CallingConv::PTX_Kernel)
      continue;
    F.removeFnAttr(Attribute::NoInline);
    F.removeFnAttr(Attribute::OptimizeNone);
    F.removeFnAttr(Attribute::AlwaysInline);
    F.addFnAttr(Budget.isTooLong(F) ? Attribute::NoInline
                                    : Attribute::AlwaysInline);
    F.setLinkage(GlobalValue::InternalLinkage);
    F.setComdat(nullptr);
  }
}

} // namespace cudalint
