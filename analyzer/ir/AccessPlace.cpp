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

std::vector<CodeFrame> framesOf(const DILocation *Place) {
  std::vector<CodeFrame> Frames;
  for (const DILocation *L = Place; L; L = L->getInlinedAt())
    if (L->getLine()) {
      const DISubprogram *In = L->getScope()->getSubprogram();
      Frames.push_back({{fileOf(*L), L->getLine(), L->getColumn()},
                        In ? In->getLinkageName().str() : std::string()});
    }
  return Frames;
}

/// There is some frame.
static void locate(Access &A, const std::vector<CodeFrame> &Frames,
                   const SourceFacts &Facts) {
  // What lies in Clang's own headers is how Clang does it, not a place.
  std::size_t First = 0;
  while (First + 1 < Frames.size() && Facts.isOfClang(Frames[First].Where.File))
    ++First;
  A.Where = A.UserWhere = Frames[First].Where;
  for (std::size_t K = First; K < Frames.size(); ++K)
    if (!Facts.isSystem(Frames[K].Where.File)) {
      A.UserWhere = Frames[K].Where;
      break;
    }
  A.IsInLibrary =
      Facts.isSystem(A.Where.File) && !Facts.isOfClang(A.Where.File);
  A.InlinedAt.clear();
  for (std::size_t K = First + 1; K < Frames.size(); ++K)
    A.InlinedAt.push_back(Frames[K].Where);
  // The place of its own kind first: `a[i] += x` is both at one place.
  bool IsLoad = A.Op == AccessOp::Load;
  for (bool AsLoad : {IsLoad, !IsLoad})
    for (std::size_t K = First; K < Frames.size(); ++K) {
      const AccessFact *Fact =
          AsLoad ? Facts.findLoad(Frames[K].Where, Frames[K].Function)
                 : Facts.findStore(Frames[K].Where, Frames[K].Function);
      if (Fact) {
        A.Source = *Fact;
        // How a call is written says nothing of the line that it leads to.
        if (Frames[K].Where != A.UserWhere)
          A.Source.Origin = {};
        return;
      }
    }
}

void locate(Access &A, const Instruction &Inst, const SourceFacts &Facts) {
  const std::vector<CodeFrame> Frames = framesOf(Inst.getDebugLoc());
  if (!Frames.empty())
    return locate(A, Frames, Facts);
  // Passes lose a place now and then; the kernel is one, too.
  if (const DISubprogram *Kernel = Inst.getFunction()->getSubprogram())
    A.Where = A.UserWhere = {Kernel->getFilename().str(), Kernel->getLine(), 0};
}

CodePlace codePlaceOf(const std::vector<CodeFrame> &Frames,
                      const SourceFacts &Facts) {
  Access A;
  if (!Frames.empty())
    locate(A, Frames, Facts);
  return {.Where = std::move(A.UserWhere), .InlinedAt = std::move(A.InlinedAt)};
}

CodePlace codePlaceOf(const Instruction &Inst, const SourceFacts &Facts) {
  Access A;
  locate(A, Inst, Facts);
  return {.Where = std::move(A.UserWhere), .InlinedAt = std::move(A.InlinedAt)};
}

} // namespace cudalint
