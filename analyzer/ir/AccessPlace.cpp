//===- analyzer/ir/AccessPlace.cpp - Where an access is written -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/AccessPlace.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"

using namespace llvm;

namespace cudalint {

static std::string fileOf(const DILocation &L) { return L.getFilename().str(); }

void locate(Access &A, const Instruction &Inst, const SourceFacts &Facts) {
  std::vector<Location> Frames;
  std::vector<std::string> Functions; // that each of them is in
  for (const DILocation *L = Inst.getDebugLoc(); L; L = L->getInlinedAt())
    if (L->getLine()) {
      Frames.push_back({fileOf(*L), L->getLine(), L->getColumn()});
      const DISubprogram *In = L->getScope()->getSubprogram();
      Functions.push_back(In ? In->getLinkageName().str() : std::string());
    }
  // What lies in Clang's own headers is how Clang does it, not a place.
  std::size_t First = 0;
  while (First + 1 < Frames.size() && isClangHeader(Frames[First].File))
    ++First;
  if (Frames.empty()) {
    // Passes lose a place now and then; the kernel is one, too.
    if (const DISubprogram *Kernel = Inst.getFunction()->getSubprogram())
      A.Where =
          A.UserWhere = {Kernel->getFilename().str(), Kernel->getLine(), 0};
    return;
  }
  A.Where = A.UserWhere = Frames[First];
  for (std::size_t K = First; K < Frames.size(); ++K)
    if (!Facts.isSystem(Frames[K].File)) {
      A.UserWhere = Frames[K];
      break;
    }
  A.IsInLibrary = Facts.isSystem(A.Where.File) && !isClangHeader(A.Where.File);
  A.InlinedAt.assign(Frames.begin() + static_cast<std::ptrdiff_t>(First) + 1,
                     Frames.end());
  // The place of its own kind first: `a[i] += x` is both at one place.
  bool IsLoad = A.Op == AccessOp::Load;
  for (bool AsLoad : {IsLoad, !IsLoad})
    for (std::size_t K = First; K < Frames.size(); ++K) {
      const AccessFact *Fact = AsLoad
                                   ? Facts.findLoad(Frames[K], Functions[K])
                                   : Facts.findStore(Frames[K], Functions[K]);
      if (Fact) {
        A.Source = *Fact;
        // How a call is written says nothing of the line that it leads to.
        if (Frames[K] != A.UserWhere)
          A.Source.Origin = {};
        return;
      }
    }
}

CodePlace codePlaceOf(const Instruction &Inst, const SourceFacts &Facts) {
  Access A;
  locate(A, Inst, Facts);
  return {.Where = std::move(A.UserWhere), .InlinedAt = std::move(A.InlinedAt)};
}

} // namespace cudalint
