//===- analyzer/ir/KernelEvaluator.cpp - Accesses of a kernel -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/KernelEvaluator.h"

#include "analyzer/ir/AccessCollector.h"
#include "analyzer/ir/WarpInterpreter.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <algorithm>
#include <set>

using namespace llvm;

namespace cudalint {

/// Instructions that are evaluated turn by turn for one kernel, over all of
/// its warps; beyond it, loops are generalised. Keeps a kernel below the time
/// that its parse takes.
static constexpr std::size_t WorkPerKernel = 400'000;

/// Shared variables that `V` refers to, through constant expressions too.
static void collectShared(const Value *V, std::set<const GlobalVariable *> &Out,
                          std::set<const Value *> &Seen) {
  if (!isa<Constant>(V) || !Seen.insert(V).second)
    return;
  if (auto *G = dyn_cast<GlobalVariable>(V)) {
    if (G->getAddressSpace() == 3)
      Out.insert(G);
    return;
  }
  if (auto *E = dyn_cast<ConstantExpr>(V))
    for (const Use &U : E->operands())
      collectShared(U.get(), Out, Seen);
}

llvm::Function *findKernel(Module &M, const std::string &Name) {
  Function *F = M.getFunction(Name);
  return F && !F->isDeclaration() ? F : nullptr;
}

KernelEvaluation evaluateKernel(const Function &Kernel,
                                const LaunchShape &Shape,
                                const Architecture &Arch,
                                const SourceFacts &Facts) {
  KernelEvaluation Out;
  std::set<const GlobalVariable *> Shared;
  std::set<const Value *> Seen;
  std::size_t Instructions = 0;
  for (const Instruction &I : instructions(Kernel)) {
    ++Instructions;
    for (const Use &U : I.operands())
      collectShared(U.get(), Shared, Seen);
    auto *Call = dyn_cast<CallInst>(&I);
    const Function *F = Call ? Call->getCalledFunction() : nullptr;
    if (F && F->getName().starts_with("llvm.nvvm.barrier"))
      ++Out.Barriers;
  }
  const DataLayout &Layout = Kernel.getParent()->getDataLayout();
  for (const GlobalVariable *G : Shared) {
    std::uint64_t Bytes =
        Layout.getTypeAllocSize(G->getValueType()).getFixedValue();
    if (G->isDeclaration() || Bytes == 0)
      Out.UsesDynamicShared = true;
    else
      Out.StaticSharedBytes += Bytes;
  }

  std::int64_t Threads = Shape.Block[0] * Shape.Block[1] * Shape.Block[2];
  unsigned Warps = static_cast<unsigned>((Threads + WarpSize - 1) / WarpSize);
  std::shared_ptr<const KernelStructure> Structure =
      makeKernelStructure(Kernel);
  AccessCollector Collector(Arch, *Structure, Shape, Facts);
  // Every warp gets its share, and at least each instruction a few times.
  std::size_t Work = std::max(WorkPerKernel / std::max(Warps, 1u),
                              std::min<std::size_t>(4 * Instructions, 20'000));
  for (unsigned W = 0; W < Warps; ++W) {
    LaneArithmetic Arithmetic;
    runWarp(*Structure, Shape, W, Work, Arithmetic,
            [&](const Request &R) { Collector.add(Arithmetic, R); });
  }
  Out.Accesses = Collector.finish();
  return Out;
}

} // namespace cudalint
