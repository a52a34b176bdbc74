//===- analyzer/checks/WaitInLaunchLoop.cpp - Waits for nothing -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"
#include "analyzer/launch/LaunchLoops.h"
#include "analyzer/launch/QuietCode.h"
#include "analyzer/launch/RuntimeCalls.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

#include <set>

namespace cudalint::wait_in_launch_loop {
namespace {

class WaitInLaunchLoop : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "wait-in-launch-loop",
      .Level = Maturity::Stable,
      .Default = Severity::Warning,
      .Summary = "finds loops around launches that wait for the GPU, or copy "
                 "from it, in each turn for nothing",
      .Why =
          R"md(A launch only puts a kernel into a queue. While the GPU is busy
with one, the host prepares the next, and nobody waits. Kernels of one stream run
in the order of their launches: what the first one wrote, the second one reads,
without any call in between. A `cudaDeviceSynchronize` in each turn empties the
queue: the GPU stands still from the end of a kernel until the host has heard of
it and launched another one. The same does a blocking `cudaMemcpy` to the host.
It is in vain where the host does not look at the result until the loop is
through, and each turn overwrites what the one before it has copied. Wait, or
copy, once behind the loop. NVIDIA's CUDA C++ Best Practices Guide asks to keep
synchronisation and transfers few for the same reasons.

100 launches of a kernel, on an H100 (`kernels/costs`):

| the kernel takes | waiting in each turn | waiting once |
|--:|--:|--:|
| 6 us | 1078 us | 448 us |
| 26 us | 3355 us | 2498 us |
| 231 us | 24.0 ms | 23.0 ms |)md",
      .Bad = R"cuda(__global__ void step(float *next, const float *data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  next[i] = data[i] * 2;
}

void run(float *next, float *data, int steps) {
  for (int i = 0; i < steps; ++i) {
    step<<<1024, 256>>>(next, data);
    cudaDeviceSynchronize();
    float *old = data;
    data = next;
    next = old;
  }
}
)cuda",
      .Good = R"cuda(__global__ void step(float *next, const float *data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  next[i] = data[i] * 2;
}

void run(float *next, float *data, int steps) {
  for (int i = 0; i < steps; ++i) {
    step<<<1024, 256>>>(next, data);
    float *old = data;
    data = next;
    next = old;
  }
  cudaDeviceSynchronize();
}
)cuda",
      .Limits =
          R"md(Speaks where everything that a turn does is seen, and none of
it reads memory that the GPU may write: other calls than those of launches and
errors, pointers that the host follows, several streams or devices, and time
that is measured in the function make it silent. So do turns that wait only
sometimes, and macros that wait to find errors.)md"};
  const CheckInfo &info() const override { return Info; }
  void checkSource(const clang::ASTContext &Context, const Target &Gpu,
                   FindingSink &Out) const override;
};

} // namespace

static bool waitsForAll(llvm::StringRef Name) {
  return Name == "cudaDeviceSynchronize" || Name == "cudaThreadSynchronize" ||
         Name == "cudaStreamSynchronize";
}

/// What the body of a macro does is for all of its uses.
static bool isOfMacro(const clang::ASTContext &Context,
                      const clang::CallExpr &Call) {
  return Context.getSourceManager().isMacroBodyExpansion(Call.getBeginLoc());
}

/// The variable of the host that the call copies to from the GPU, from its
/// beginning; null: another call, or a place that turns may choose.
static const clang::VarDecl *copiedTo(const LoopCall &Each) {
  if (Each.Name != "cudaMemcpy" ||
      copyDirection(*Each.Call, 3) != "cudaMemcpyDeviceToHost")
    return nullptr;
  const clang::Expr *To = Each.Call->getArg(0);
  if (const clang::VarDecl *Whole = addressedVariable(To))
    return Whole;
  return namedVariable(To);
}

/// How often the loop names the variable, other than to ask for its size.
static unsigned timesNamed(const clang::Stmt *Loop, const clang::VarDecl &V) {
  unsigned Times = 0;
  forEachWithin(Loop,
                [&](const clang::Stmt &S, llvm::ArrayRef<const clang::Stmt *>) {
                  const auto *Named = llvm::dyn_cast<clang::DeclRefExpr>(&S);
                  Times += Named && Named->getDecl() == &V;
                  return !llvm::isa<clang::UnaryExprOrTypeTraitExpr>(S);
                });
  return Times;
}

static bool asksForTimeInside(const clang::FunctionDecl &F) {
  bool Asks = false;
  forEachStatement(F.getBody(), [&](const clang::Stmt &S) {
    const auto *Call = llvm::dyn_cast<clang::CallExpr>(&S);
    Asks = Asks || (Call && asksForTime(*Call));
  });
  return Asks;
}

/// What waits in a function that the loop calls to launch, itself; null: none.
static const clang::CallExpr *waitOf(const clang::FunctionDecl &Launcher) {
  const clang::CallExpr *Wait = nullptr;
  forEachStatement(Launcher.getBody(), [&](const clang::Stmt &S) {
    const auto *Call = llvm::dyn_cast<clang::CallExpr>(&S);
    if (!Wait && Call && waitsForAll(runtimeCall(*Call)))
      Wait = Call;
  });
  return Wait;
}

/// One that is left would make all others vain.
static Phrase waitBehind(const clang::ASTContext &Context,
                         const LaunchLoop &Loop) {
  for (const LoopCall &Each : Loop.Launchers) {
    const clang::FunctionDecl *Callee = Each.Call->getDirectCallee();
    Callee = Callee ? Callee->getDefinition() : nullptr;
    const clang::CallExpr *Wait =
        Callee && Callee->getBody() ? waitOf(*Callee) : nullptr;
    if (Wait && !isOfMacro(Context, *Wait))
      return {"wait-behind-loops",
              "wait once, behind the loop, and no longer in '{function}', line "
              "{line}",
              {{"function", plainName(*Callee)},
               {"line", placeOf(Context, Wait->getSourceRange()).Where.Line}}};
  }
  return {"wait-behind-loop", "wait once, behind the loop", {}};
}

static void reportWait(const clang::ASTContext &Context,
                       const clang::FunctionDecl &F, const LaunchLoop &Loop,
                       const LoopCall &Each, FindingSink &Out) {
  Finding &Found = Out.report(
      placeOf(Context, Each.Call->getSourceRange()),
      {SubjectKind::Call, plainName(F), Each.Name.str()},
      {"waits-each-turn",
       "'{call}' in each turn of a loop that launches kernels: the host does "
       "nothing with what they wrote before the next turn launches",
       {{"call", Each.Name.str()}}});
  Found.Cause = {"kernels-are-in-order",
                 "kernels of one stream run in the order of their launches, "
                 "and the GPU stands still until the host launches again",
                 {}};
  Found.Remedy = waitBehind(Context, Loop);
}

static void reportCopy(const clang::ASTContext &Context,
                       const clang::FunctionDecl &F, const LoopCall &Each,
                       const clang::VarDecl &To, FindingSink &Out) {
  Finding &Found = Out.report(
      placeOf(Context, Each.Call->getSourceRange()),
      {SubjectKind::Call, plainName(F), To.getName().str()},
      {"copies-each-turn",
       "each turn of a loop that launches kernels copies to '{to}', which "
       "nothing in the loop reads and the next turn overwrites",
       {{"to", To.getName().str()}}});
  Found.Cause = {"copy-waits",
                 "the copy waits for the kernels, and the GPU stands still "
                 "until the host launches again",
                 {}};
  Found.Remedy = {"copy-behind-loop", "copy once, behind the loop", {}};
}

static void checkLoop(const clang::ASTContext &Context,
                      const clang::FunctionDecl &F, const LaunchLoop &Loop,
                      FindingSink &Out) {
  // One wait that is left keeps all of them in vain: said once.
  const LoopCall *Wait = nullptr;
  for (const LoopCall &Each : Loop.Calls) {
    if (!Each.IsAlways || isOfMacro(Context, *Each.Call))
      continue;
    const clang::VarDecl *To = copiedTo(Each);
    // All turns copy to one place, of which the loop knows nothing else.
    if (To && timesNamed(Loop.Loop, *To) == 1 &&
        !llvm::is_contained(Loop.Effects.Variables, To) &&
        Loop.isSameInAllTurns(Each.Call->getArg(2)) &&
        isQuiet(Context, *Loop.Loop, /*MayCopy=*/true))
      reportCopy(Context, F, Each, *To, Out);
    else if (!Wait && waitsForAll(Each.Name))
      Wait = &Each;
  }
  if (Wait && isQuiet(Context, *Loop.Loop, /*MayCopy=*/false))
    reportWait(Context, F, Loop, *Wait, Out);
}

void WaitInLaunchLoop::checkSource(const clang::ASTContext &Context,
                                   const Target &, FindingSink &Out) const {
  std::set<unsigned> Seen; // Instantiations share their places.
  LaunchingFunctions Launching;
  for (const clang::FunctionDecl *F :
       collectUserFunctions(Context).Definitions) {
    if (!isHostCode(*F))
      continue;
    const std::vector<LaunchLoop> Loops = launchLoops(Context, *F, Launching);
    // What is measured may be the time of a turn.
    if (Loops.empty() || asksForTimeInside(*F))
      continue;
    for (const LaunchLoop &Loop : Loops)
      if (Seen.insert(Loop.Loop->getBeginLoc().getRawEncoding()).second)
        checkLoop(Context, *F, Loop, Out);
  }
}

CUDA_LINT_REGISTER_CHECK(WaitInLaunchLoop)

} // namespace cudalint::wait_in_launch_loop
