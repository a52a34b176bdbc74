//===- tests/differential/Differential.cpp - One thread at a time ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Draws kernels, runs each as it was drawn and in canonical form, and
/// compares the evaluator with an interpretation thread by thread.
///
///   differential_tests COUNT SEED [--keep-going]
///   differential_tests --cases FILE...
///
/// Exit code 1 after a mismatch, which is printed with its seed, its launch
/// and the smallest kernel that shows it.
///
//===----------------------------------------------------------------------===//

#include "Case.h"
#include "Comparison.h"
#include "Reduction.h"

#include "analyzer/ir/AccessMarkers.h"
#include "analyzer/ir/Canonicalise.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;
using namespace cudalint;
using namespace cudalint::differential;

/// Launches that are tried for a kernel until one has a meaning.
static constexpr unsigned MaxLaunches = 8;

/// The form in which loops are expected, and nothing else.
static void simplifyLoops(Module &M) {
  PassBuilder PB;
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CGAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  FunctionPassManager FPM;
  FPM.addPass(LoopSimplifyPass());
  FPM.addPass(LCSSAPass());
  for (Function &F : M)
    if (!F.isDeclaration())
      FPM.run(F, FAM);
}

namespace {

/// What one form of the IR has come to.
struct Form {
  const char *Name;
  void (*Prepare)(Module &);
  std::uint64_t Kernels = 0, NoMeaning = 0, TooLong = 0, Unsupported = 0;
  std::uint64_t KernelsWithMismatch = 0;
  Tally Counts;
};

} // namespace

static void reportMismatch(const Form &F, std::uint64_t Seed,
                           const RandomKernel &Kernel,
                           const RandomLaunch &Launch) {
  auto Fails = [&](const RandomKernel &Try) {
    RandomKernel Prepared = copyOf(Try);
    simplifyLoops(*Prepared.M);
    Comparison C = compare(Prepared, Launch);
    return C.S == Scope::Compared && C.Counts.Mismatches > 0;
  };
  RandomKernel Small = reduce(Kernel, Fails);
  simplifyLoops(*Small.M);
  outs() << formatv("\nmismatch: seed {0}, {1} form\n", Seed, F.Name)
         << compare(Small, Launch).What << writeCase(Small, Launch);
  outs().flush();
}

/// Draws the kernel of `Seed` and compares one form of it.
static void compareForm(Form &F, std::uint64_t Seed, bool Report) {
  LLVMContext Context;
  RandomKernel Kernel = drawKernel(Context, Seed);
  F.Prepare(*Kernel.M);
  Random R(~Seed);
  for (unsigned Try = 0; Try < MaxLaunches; ++Try) {
    RandomLaunch Launch = drawLaunch(*Kernel.F, Kernel.Block, R);
    Comparison C = compare(Kernel, Launch);
    F.NoMeaning += C.S == Scope::Undefined;
    F.TooLong += C.S == Scope::TooLong;
    if (C.S == Scope::Unsupported) {
      ++F.Unsupported;
      if (Report)
        outs() << formatv("seed {0}: not supported: {1}\n", Seed, C.What);
      return;
    }
    if (C.S != Scope::Compared)
      continue;
    ++F.Kernels;
    F.Counts += C.Counts;
    if (C.Counts.Mismatches) {
      ++F.KernelsWithMismatch;
      if (Report)
        reportMismatch(F, Seed, Kernel, Launch);
    }
    return;
  }
}

static void print(const Form &F) {
  const Tally &T = F.Counts;
  auto Share = [](std::uint64_t Part, std::uint64_t Whole) {
    return Whole
               ? 100.0 * static_cast<double>(Part) / static_cast<double>(Whole)
               : 0.0;
  };
  auto Row = [&](const char *What, std::uint64_t E, std::uint64_t A,
                 std::uint64_t D, std::uint64_t U) {
    std::uint64_t All = E + A + D + U;
    outs() << formatv("  {0,-13} {1,10}: {2} exact ({3:F1} %), {4} assumed "
                      "({5:F1} %), {6} doubtful ({7:F1} %), {8} unknown "
                      "({9:F1} %)\n",
                      What, All, E, Share(E, All), A, Share(A, All), D,
                      Share(D, All), U, Share(U, All));
  };
  outs() << formatv("{0} form: {1} kernels compared; launches passed over: {2} "
                    "undefined, {3} too long, {4} not supported\n",
                    F.Name, F.Kernels, F.NoMeaning, F.TooLong, F.Unsupported);
  Row("instructions", T.ExactInsts, T.AssumedInsts, T.DoubtfulInsts,
      T.UnknownInsts);
  Row("requests", T.Exact, T.Assumed, T.Doubtful, T.Unknown);
  Row("lanes", T.ExactLanes, T.AssumedLanes, T.DoubtfulLanes, T.UnknownLanes);
  outs() << formatv(
      "  exact requests under a condition that did not hold: {0}\n"
      "  assumed lanes with the address as said: {1} of {2} "
      "({3:F1} %)\n"
      "  assumed lanes where nothing overflowed or was negative: "
      "{4} of {5} equal\n"
      "  lanes in turns after the last reported: {6}; lanes in "
      "turns that cannot be told: {7}\n"
      "  lanes on paths that an assumption ruled out: {10}\n"
      "  launches compared once more as one of several warps at once: {11}\n"
      "  mismatches: {8} in {9} kernels\n",
      T.ExactNotExecuted, T.AssumedEqual, T.AssumedLanes,
      Share(T.AssumedEqual, T.AssumedLanes), T.HeldEqual, T.HeldLanes,
      T.BeyondCut, T.NoTurns, T.Mismatches, F.KernelsWithMismatch, T.RuledOut,
      T.RunTogether);
}

/// Compares the kernels of files, as they are; gives back the exit code.
static int compareFiles(ArrayRef<char *> Paths) {
  unsigned Failed = 0;
  for (const char *Path : Paths) {
    LLVMContext Context;
    auto Case = readCase(Path, Context);
    if (!Case) {
      errs() << toString(Case.takeError()) << "\n";
      return 2;
    }
    auto &[Kernel, Launch] = *Case;
    if (llvm::none_of(instructions(*Kernel.F), [](const Instruction &I) {
          return markedAccess(I).has_value();
        }))
      markAccesses(*Kernel.M);
    Comparison C = compare(Kernel, Launch);
    // A case that shows nothing any more is no test.
    bool Equal = C.S == Scope::Compared && !C.Counts.Mismatches &&
                 C.Counts.requests() > 0;
    Failed += !Equal;
    outs() << (Equal ? "equal: " : "mismatch: ") << Path << "\n" << C.What;
  }
  outs() << formatv("{0} cases, {1} mismatches\n", Paths.size(), Failed);
  return Failed ? 1 : 0;
}

int main(int Argc, char **Argv) {
  if (Argc > 2 && StringRef(Argv[1]) == "--cases")
    return compareFiles(ArrayRef(Argv + 2, Argv + Argc));
  std::uint64_t Count = 1000, Seed = 1;
  bool KeepGoing = Argc > 3 && StringRef(Argv[3]) == "--keep-going";
  if ((Argc > 1 && !to_integer(Argv[1], Count, 10)) ||
      (Argc > 2 && !to_integer(Argv[2], Seed, 10)) || Count == 0 ||
      Argc > (KeepGoing ? 4 : 3)) {
    errs() << "usage: differential_tests [COUNT [SEED [--keep-going]]]\n"
              "       differential_tests --cases FILE...\n";
    return 2;
  }
  Form Forms[] = {{"drawn",
                   [](llvm::Module &M) {
                     markAccesses(M);
                     simplifyLoops(M);
                   }},
                  {"canonical", [](llvm::Module &M) { canonicalise(M); }}};
  std::uint64_t Reports = 0;
  for (std::uint64_t N = 0; N < Count; ++N)
    for (Form &F : Forms) {
      std::uint64_t Before = F.KernelsWithMismatch;
      compareForm(F, Seed * 1'000'000'007 + N,
                  Reports < (KeepGoing ? 1000 : 3));
      Reports += F.KernelsWithMismatch - Before;
    }
  outs() << formatv("{0} kernels drawn from seed {1}, each in two forms\n",
                    Count, Seed);
  for (const Form &F : Forms)
    print(F);
  return Reports ? 1 : 0;
}
