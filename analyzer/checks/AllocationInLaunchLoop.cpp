//===- analyzer/checks/AllocationInLaunchLoop.cpp - Allocated each turn ---===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"
#include "analyzer/launch/LaunchLoops.h"
#include "analyzer/launch/RuntimeCalls.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

#include <set>

namespace cudalint::allocation_in_launch_loop {
namespace {

class AllocationInLaunchLoop : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "allocation-in-launch-loop",
      .Level = Maturity::Stable,
      .Default = Severity::Warning,
      .Summary = "finds memory that each turn of a loop around launches "
                 "allocates and frees again",
      .Why = R"md(`cudaMalloc` and `cudaFree` are calls of the driver that take
as long as many launches, and `cudaFree` waits until the GPU has done all that
it was given. In a loop, the GPU then stands still from the end of one turn's
kernels until the next turn has allocated and launched. Where each turn asks for
as many bytes as the one before, allocate once, before the loop, and free behind
it. Where sizes change, allocate the largest, or take memory of a pool with
`cudaMallocAsync` and `cudaFreeAsync`, which wait for nothing. NVIDIA's CUDA C++
Best Practices Guide says the same of allocations (chapter "Memory
Optimizations").

100 launches of a kernel of 6 us, on an H100 (`kernels/costs`):

| bytes | allocated and freed in each turn | once |
|--:|--:|--:|
| 4 KB | 10.8 ms | 0.5 ms |
| 1 MB | 10.8 ms | 0.6 ms |
| 64 MB | 18.2 ms | 0.7 ms |)md",
      .Bad = R"cuda(__global__ void step(float *next, const float *data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  next[i] = data[i] * 2;
}

void run(float *data, int steps) {
  for (int i = 0; i < steps; ++i) {
    float *next;
    cudaMalloc(&next, 1 << 20);
    step<<<1024, 256>>>(next, data);
    step<<<1024, 256>>>(data, next);
    cudaFree(next);
  }
}
)cuda",
      .Good = R"cuda(__global__ void step(float *next, const float *data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  next[i] = data[i] * 2;
}

void run(float *data, int steps) {
  float *next;
  cudaMalloc(&next, 1 << 20);
  for (int i = 0; i < steps; ++i) {
    step<<<1024, 256>>>(next, data);
    step<<<1024, 256>>>(data, next);
  }
  cudaFree(next);
}
)cuda",
      .Limits = R"md(Speaks of memory that one turn allocates and frees, both in
the loop itself or both in a function that it calls and that launches, of a size
that no turn changes. Silent where only some turns allocate, where other memory
of a turn changes its size, in loops over devices, in loops that measure time
unless they call a function with the same arguments in all turns, and about
methods and what functions call in turn.)md"};
  const CheckInfo &info() const override { return Info; }
  void checkSource(const clang::ASTContext &Context, const Target &Gpu,
                   FindingSink &Out) const override;
};

} // namespace

/// What frees the memory of an allocation; empty: no allocation, or one that
/// waits for nothing.
static llvm::StringRef counterpart(llvm::StringRef Name) {
  if (Name == "cudaMalloc" || Name == "cudaMallocManaged" ||
      Name == "cudaMallocPitch")
    return "cudaFree";
  if (Name == "cudaMallocHost" || Name == "cudaHostAlloc")
    return "cudaFreeHost";
  return {};
}

/// True when each turn frees what it has put into \p Pointer.
static bool isFreed(const LaunchLoop &Loop, const clang::VarDecl &Pointer,
                    llvm::StringRef By) {
  return llvm::any_of(Loop.Calls, [&](const LoopCall &Each) {
    return Each.IsAlways && Each.Name == By && Each.Call->getNumArgs() == 1 &&
           namedVariable(Each.Call->getArg(0)) == &Pointer;
  });
}

/// Where the sizes are in the arguments.
static bool hasSameSize(const LaunchLoop &Loop, const LoopCall &Allocation) {
  const clang::CallExpr &Call = *Allocation.Call;
  const unsigned First = Allocation.Name == "cudaMallocPitch" ? 2 : 1;
  const unsigned End = Allocation.Name == "cudaMallocPitch" ? 4 : 2;
  for (unsigned I = First; I != End; ++I)
    if (I >= Call.getNumArgs() || !Loop.isSameInAllTurns(Call.getArg(I)))
      return false;
  return true;
}

/// False where a turn asks for more or less than the one before: turns that are
/// problems of their own take all the memory that each needs.
static bool areOfSameSizes(const LaunchLoop &Loop) {
  return llvm::all_of(Loop.Calls, [&](const LoopCall &Each) {
    return counterpart(Each.Name).empty() || hasSameSize(Loop, Each);
  });
}

/// The parameters that \p E is made of, by way of variables too.
static void addParameters(const clang::Expr *E,
                          std::set<const clang::ParmVarDecl *> &To,
                          unsigned Depth = 0) {
  constexpr unsigned MaxDepth = 8;
  forEachStatement(E, [&](const clang::Stmt &S) {
    const auto *Named = llvm::dyn_cast<clang::DeclRefExpr>(&S);
    const auto *V =
        Named ? llvm::dyn_cast<clang::VarDecl>(Named->getDecl()) : nullptr;
    if (const auto *Parameter = llvm::dyn_cast_or_null<clang::ParmVarDecl>(V))
      To.insert(Parameter);
    else if (V && V->getInit() && Depth < MaxDepth)
      addParameters(V->getInit(), To, Depth + 1);
  });
}

/// Whether all turns of \p Loop pass the same sizes to what \p Function
/// allocates.
static bool passesSameSizes(const LaunchLoop &Loop, const clang::CallExpr &Call,
                            const clang::FunctionDecl &Function,
                            const LaunchLoop &Body) {
  std::set<const clang::ParmVarDecl *> Parameters;
  for (const LoopCall &Each : Body.Calls)
    if (!counterpart(Each.Name).empty())
      for (unsigned I = 1; I < Each.Call->getNumArgs(); ++I)
        addParameters(Each.Call->getArg(I), Parameters);
  return llvm::all_of(Parameters, [&](const clang::ParmVarDecl *Each) {
    const unsigned At = Each->getFunctionScopeIndex();
    return At < Function.getNumParams() && Function.getParamDecl(At) == Each &&
           At < Call.getNumArgs() &&
           !llvm::isa<clang::CXXDefaultArgExpr>(Call.getArg(At)) &&
           Loop.isSameInAllTurns(Call.getArg(At));
  });
}

/// Whether all turns do the same by it: they repeat what is measured, and are
/// no problems of their own.
static bool passesTheSame(const LaunchLoop &Loop, const clang::CallExpr &Call) {
  return llvm::all_of(Call.arguments(), [&](const clang::Expr *Each) {
    return Loop.isSameInAllTurns(Each);
  });
}

/// Allocations that each turn of the loop makes, or each run of \p Body if it
/// is of a function that the loop calls, by the name \p Called.
static void reportAllocations(const clang::ASTContext &Context,
                              const clang::FunctionDecl &In,
                              const LaunchLoop &Body, llvm::StringRef Called,
                              std::set<unsigned> &Reported, FindingSink &Out) {
  for (const LoopCall &Each : Body.Calls) {
    const llvm::StringRef By = counterpart(Each.Name);
    if (By.empty() || !Each.IsAlways)
      continue;
    const clang::VarDecl *Pointer = addressedVariable(Each.Call->getArg(0));
    if (!Pointer || !isFreed(Body, *Pointer, By) ||
        !Reported.insert(Each.Call->getBeginLoc().getRawEncoding()).second)
      continue;
    Finding &Found = Out.report(
        placeOf(Context, Each.Call->getSourceRange()),
        {SubjectKind::Call, plainName(In), Pointer->getName().str()},
        {"allocated-each-turn",
         "each turn of a loop that {does} allocates '{pointer}', as many bytes "
         "as the turn before, and frees it",
         {{"does", Called.empty() ? "launches kernels"
                                  : ("calls '" + Called + "'").str()},
          {"pointer", Pointer->getName().str()}}});
    Found.Cause = {"free-waits",
                   "'{free}' waits for all that the GPU was given, so that it "
                   "stands still between the turns",
                   {{"free", By.str()}}};
    Found.Remedy = {"allocate-before-loop",
                    "allocate it before the loop and free it behind",
                    {}};
  }
}

void AllocationInLaunchLoop::checkSource(const clang::ASTContext &Context,
                                         const Target &,
                                         FindingSink &Out) const {
  std::set<unsigned> Reported; // Instantiations share their places.
  LaunchingFunctions Launching;
  for (const clang::FunctionDecl *F :
       collectUserFunctions(Context).Definitions) {
    if (!isHostCode(*F))
      continue;
    for (const LaunchLoop &Loop : launchLoops(Context, *F, Launching)) {
      // Each turn has a device of its own, or is one of several problems.
      if (Loop.SetsDevice || !areOfSameSizes(Loop))
        continue;
      if (!Loop.AsksForTime)
        reportAllocations(Context, *F, Loop, "", Reported, Out);
      for (const LoopCall &Each : Loop.Launchers) {
        const clang::FunctionDecl *Callee =
            Each.Call->getDirectCallee()->getDefinition();
        if (!Each.IsAlways || llvm::isa<clang::CXXMethodDecl>(Callee))
          continue;
        const LaunchLoop Body = bodyAsLoop(Context, *Callee);
        if ((Loop.AsksForTime || Body.AsksForTime) &&
            !passesTheSame(Loop, *Each.Call))
          continue;
        if (!Body.SetsDevice && areOfSameSizes(Body) &&
            passesSameSizes(Loop, *Each.Call, *Callee, Body))
          reportAllocations(Context, *Callee, Body, Callee->getName(), Reported,
                            Out);
      }
    }
  }
}

CUDA_LINT_REGISTER_CHECK(AllocationInLaunchLoop)

} // namespace cudalint::allocation_in_launch_loop
