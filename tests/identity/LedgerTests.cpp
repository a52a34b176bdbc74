//===- tests/identity/LedgerTests.cpp - The ledger can fail ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The ledger of a kernel whose canonical code is right, and of the same after
/// somebody tampered with it.
///
//===----------------------------------------------------------------------===//

#include "AccessLedger.h"

#include "analyzer/frontend/Frontend.h"
#include "analyzer/ir/AccessMarkers.h"
#include "analyzer/ir/Canonicalise.h"
#include "hardware/Architecture.h"
#include "tests/mock/MockCuda.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <gmock/gmock.h>

#include <functional>

using namespace cudalint;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

/// An own line for each access; two copies of that of `twice`.
static constexpr const char *Kernel = R"(
__device__ float twice(const float *from) {
  return 2 *
      *from;
}
__global__ void k(float *p, int *n, int i) {
  float own = twice(p + i);
  own += twice(&own);
  if (sizeof(int) == 8)
    p[i + 1] = own;
  p[i + 2] = own + twice(p + i + 3);
  __nvvm_atom_add_gen_i(n, 1);
}
)";

namespace {
struct Ledgered {
  AccessLedger Ledger;
  std::vector<LedgerFault> Faults;
};
} // namespace

/// The ledger after \p Tamper did something to the result.
static Ledgered ledgerOf(
    const std::string &Code,
    const std::function<void(llvm::Module &)> &Tamper = [](llvm::Module &) {}) {
  FrontendOptions Options;
  Options.Arch = findArchitecture({9, 0});
  Options.StandInHeader = test::mockCuda();
  llvm::LLVMContext Context;
  std::string Stopped;
  const FrontendResult Parsed = parseCuda(
      {.File = "kernel.cu",
       .Folder = {},
       .Arguments = {},
       .Files = overDisk({{"kernel.cu", Code}}, "")},
      Options, Context, [](clang::ASTContext &, auto &) {}, Stopped);
  Ledgered Out;
  if (Parsed.Status != UnitStatus::Ok || !Parsed.Module) {
    ADD_FAILURE() << Parsed.Diagnostics;
    return Out;
  }
  const std::unique_ptr<llvm::Module> Before =
      llvm::CloneModule(*Parsed.Module);
  canonicalise(*Parsed.Module);
  Tamper(*Parsed.Module);
  Out.Ledger = makeLedger(*Before, *Parsed.Module);
  for (const LedgerViolation &V : Out.Ledger.Violations)
    Out.Faults.push_back(V.Fault);
  return Out;
}

static llvm::CallInst &firstMarker(llvm::Module &M, AccessOp Op) {
  for (llvm::Function &F : M)
    for (llvm::Instruction &I : instructions(F))
      if (std::optional<MarkedAccess> Marked = markedAccess(I);
          Marked && Marked->Op == Op)
        return llvm::cast<llvm::CallInst>(I);
  llvm_unreachable("the kernel has one of each");
}

static llvm::AtomicRMWInst &onlyAtomic(llvm::Module &M) {
  for (llvm::Function &F : M)
    for (llvm::Instruction &I : instructions(F))
      if (auto *Atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&I))
        return *Atomic;
  llvm_unreachable("the kernel has one");
}

static std::size_t of(const std::size_t (&Counts)[FateCount], AccessFate Fate) {
  return Counts[static_cast<std::size_t>(Fate)];
}

TEST(Ledger, AllIsKeptOrProved) {
  const Ledgered L = ledgerOf(Kernel);
  EXPECT_THAT(L.Faults, IsEmpty());
  // `*from` is of `p` twice, and once of `own`; the store behind the condition
  // was not even emitted.
  EXPECT_EQ(of(L.Ledger.Origins, AccessFate::Kept), 2u);
  EXPECT_EQ(of(L.Ledger.Copies, AccessFate::Kept), 4u);
  EXPECT_EQ(of(L.Ledger.Copies, AccessFate::Private), 1u);
  EXPECT_EQ(of(L.Ledger.Atomics, AccessFate::Kept), 1u);
}

TEST(Ledger, WhatACallersConstantKeepsFromRunning) {
  const Ledgered L = ledgerOf("__device__ void set(float *p, bool both) {\n"
                              "  if (both) p[1] = 1;\n"
                              "  p[0] = 1;\n"
                              "}\n"
                              "__global__ void k(float *p) { set(p, false); }");
  EXPECT_THAT(L.Faults, IsEmpty());
  EXPECT_EQ(of(L.Ledger.Origins, AccessFate::Kept), 1u);
  EXPECT_EQ(of(L.Ledger.Origins, AccessFate::Unreachable), 1u);
}

TEST(Ledger, SeesAnotherWidth) {
  EXPECT_THAT(ledgerOf(Kernel,
                       [](llvm::Module &M) {
                         llvm::CallInst &Marker =
                             firstMarker(M, AccessOp::Load);
                         Marker.setArgOperand(
                             2, llvm::ConstantInt::get(
                                    Marker.getArgOperand(2)->getType(), 16));
                       })
                  .Faults,
              UnorderedElementsAre(LedgerFault::Lost, LedgerFault::Unexpected));
}

TEST(Ledger, SeesAnotherOperation) {
  EXPECT_THAT(ledgerOf(Kernel,
                       [](llvm::Module &M) {
                         llvm::CallInst &Marker =
                             firstMarker(M, AccessOp::Store);
                         Marker.setArgOperand(
                             1, llvm::ConstantInt::get(
                                    Marker.getArgOperand(1)->getType(), 0));
                       })
                  .Faults,
              UnorderedElementsAre(LedgerFault::Lost, LedgerFault::Unexpected));
}

TEST(Ledger, SeesALineThatIsLost) {
  // Such an entry would stand at the kernel's declaration.
  EXPECT_THAT(
      ledgerOf(Kernel,
               [](llvm::Module &M) {
                 firstMarker(M, AccessOp::Store).setDebugLoc(llvm::DebugLoc());
               })
          .Faults,
      UnorderedElementsAre(LedgerFault::Lost, LedgerFault::Unexpected,
                           LedgerFault::NoPlace));
}

TEST(Ledger, SeesTheLineOfTheDeclaration) {
  EXPECT_THAT(ledgerOf(Kernel,
                       [](llvm::Module &M) {
                         llvm::CallInst &Marker =
                             firstMarker(M, AccessOp::Store);
                         llvm::DISubprogram *In =
                             Marker.getFunction()->getSubprogram();
                         Marker.setDebugLoc(llvm::DILocation::get(
                             M.getContext(), In->getLine(), 0, In));
                       })
                  .Faults,
              UnorderedElementsAre(LedgerFault::Lost, LedgerFault::Unexpected,
                                   LedgerFault::AtDeclaration));
}

TEST(Ledger, SeesWhatIsGone) {
  EXPECT_THAT(ledgerOf(Kernel,
                       [](llvm::Module &M) {
                         firstMarker(M, AccessOp::Load).eraseFromParent();
                       })
                  .Faults,
              UnorderedElementsAre(LedgerFault::Lost));
}

TEST(Ledger, SeesAnAtomicThatIsGone) {
  EXPECT_THAT(
      ledgerOf(Kernel, [](llvm::Module &M) { onlyAtomic(M).eraseFromParent(); })
          .Faults,
      UnorderedElementsAre(LedgerFault::Lost));
}

TEST(Ledger, SeesWhatIsThereTwice) {
  EXPECT_THAT(ledgerOf(Kernel,
                       [](llvm::Module &M) {
                         llvm::AtomicRMWInst &Atomic = onlyAtomic(M);
                         Atomic.clone()->insertBefore(Atomic.getIterator());
                       })
                  .Faults,
              UnorderedElementsAre(LedgerFault::Repeated));
}
