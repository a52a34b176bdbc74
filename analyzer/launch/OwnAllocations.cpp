//===- analyzer/launch/OwnAllocations.cpp - Pointers apart ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/OwnAllocations.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace cudalint {

bool hasOwnAllocations(const FunctionDecl &Kernel, const LaunchVisit &Visit,
                       const ValueFactory &Values) {
  if (Visit.Arguments.size() < Kernel.getNumParams())
    return false;
  llvm::SmallPtrSet<Value, 8> Met;
  for (unsigned I = 0; I != Kernel.getNumParams(); ++I) {
    if (!Kernel.getParamDecl(I)->getType()->isPointerType() ||
        Visit.Arguments[I]->isZero())
      continue;
    Value Allocation = Values.allocationOf(Visit.Arguments[I]);
    if (!Allocation || !Met.insert(Allocation).second)
      return false;
  }
  return true;
}

void noteOutsideLaunches(const HostProgram &Of,
                         std::vector<KernelDeclaration> &Kernels) {
  const auto isAsked = [](const KernelDeclaration &Each) {
    return Each.IsOfFileAlone && !Each.Restricts.empty();
  };
  for (const FunctionDecl *Each : Of.Functions.Definitions) {
    if (llvm::none_of(Kernels, isAsked))
      return;
    if (Each->isMain() || !Each->isExternallyVisible() ||
        !Of.Code.canBeRoot(*Each) || !Of.Code.reachesLaunch(*Each))
      continue;
    for (const LaunchVisit &Visit :
         Of.Evaluator.runRoot(*Each, /*EvenDead=*/false).Launches) {
      const FunctionDecl *Kernel = Visit.Kernel->function();
      if (Kernel && Kernel->getDefinition())
        Kernel = Kernel->getDefinition();
      if (Kernel && hasOwnAllocations(*Kernel, Visit, Of.Values))
        continue;
      for (KernelDeclaration &Known : Kernels)
        if (!Kernel || Of.Names.nameOf(*Kernel) == Known.Name)
          Known.IsOfFileAlone = false;
    }
  }
}

} // namespace cudalint
