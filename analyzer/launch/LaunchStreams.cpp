//===- analyzer/launch/LaunchStreams.cpp - Launches side by side ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/LaunchStreams.h"

#include "analyzer/launch/LaunchLoops.h"
#include "analyzer/launch/RuntimeCalls.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/SourceManager.h"

#include <map>
#include <vector>

using namespace clang;

namespace cudalint {

namespace {
/// An element of an array of streams, or of what holds one.
struct StreamElement {
  const Expr *Index = nullptr; ///< Null: the stream is none.
  bool IsOfOneArray = false;   ///< Nothing but the index chooses it.
};

/// A launch in the body of its function.
struct PlacedLaunch {
  /// The statements that lead there, the outermost first, and it.
  std::vector<const Stmt *> To;
  /// The same of the last call of cudaSetDevice() before it; empty: none.
  std::vector<const Stmt *> ToDevice;
};
} // namespace

/// `streams` or `this->gpu.streams`, without an index.
static bool isOneObject(const Expr &E) {
  const Expr &Object = *E.IgnoreParenImpCasts();
  if (const auto *Member = dyn_cast<MemberExpr>(&Object))
    return isOneObject(*Member->getBase());
  return isa<DeclRefExpr, CXXThisExpr>(Object);
}

static StreamElement streamElement(const Expr &E, unsigned Depth = 0) {
  const Expr &Stream = *E.IgnoreParenImpCasts();
  if (const auto *Element = dyn_cast<ArraySubscriptExpr>(&Stream))
    return {Element->getIdx(), isOneObject(*Element->getBase())};
  if (const auto *Call = dyn_cast<CXXOperatorCallExpr>(&Stream);
      Call && Call->getOperator() == OO_Subscript)
    return {Call->getArg(1), isOneObject(*Call->getArg(0))};
  if (const auto *Member = dyn_cast<MemberExpr>(&Stream))
    return streamElement(*Member->getBase(), Depth);
  constexpr unsigned MaxDepth = 4;
  const auto *Named = dyn_cast<DeclRefExpr>(&Stream);
  const auto *Variable = Named ? dyn_cast<VarDecl>(Named->getDecl()) : nullptr;
  if (!Variable || !Variable->getInit() || Depth >= MaxDepth)
    return {};
  // Which one it was when the variable was made is another matter.
  return {streamElement(*Variable->getInit(), Depth + 1).Index, false};
}

/// Null: the default one, or what is launched by a function of the runtime.
static const Expr *streamOfLaunch(const CallExpr &Site) {
  constexpr unsigned StreamOfCall = 3;
  const auto *Launch = dyn_cast<CUDAKernelCallExpr>(&Site);
  const CallExpr *Config = Launch ? Launch->getConfig() : nullptr;
  return Config && Config->getNumArgs() > StreamOfCall
             ? Config->getArg(StreamOfCall)
             : nullptr;
}

static PlacedLaunch placedLaunch(const CallExpr &Site,
                                 const FunctionDecl &Holder) {
  PlacedLaunch Out;
  forEachWithin(Holder.getBody(), [&](const Stmt &S,
                                      llvm::ArrayRef<const Stmt *> Around) {
    const auto *Call = dyn_cast<CallExpr>(&S);
    const bool IsDevice = Call && runtimeCall(*Call) == "cudaSetDevice";
    if (Out.To.empty() && (&S == &Site || IsDevice)) {
      std::vector<const Stmt *> &To = IsDevice ? Out.ToDevice : Out.To;
      To = Around.vec();
      To.push_back(&S);
    }
    return Out.To.empty();
  });
  return Out;
}

/// Whether other threads of the host may run it at the same time.
static bool mayBeParallel(llvm::ArrayRef<const Stmt *> Around) {
  return llvm::any_of(Around, [](const Stmt *Each) {
    return isa<LambdaExpr, OMPExecutableDirective>(Each);
  });
}

//===----------------------------------------------------------------------===//
// Streams of several GPUs
//===----------------------------------------------------------------------===//

/// Whether \p V stays what it is from \p From, on which follows \p To, to the
/// end of that. Both are parts of \p Block.
static bool isUnchanged(const VarDecl &V, const Stmt &Block, const Stmt *From,
                        const Stmt *To) {
  bool IsBehind = false;
  for (const Stmt *Each : Block.children()) {
    if (IsBehind && Each && effectsOf(Each).Changed.contains(&V))
      return false;
    if (Each == To)
      return IsBehind;
    IsBehind |= Each == From;
  }
  return false;
}

/// Whether each run of the first statement of \p Path makes the last one, once.
static bool isOnceIn(llvm::ArrayRef<const Stmt *> Path,
                     const ASTContext &Context) {
  for (std::size_t I = 1; I != Path.size(); ++I)
    if (isSometimes(*Path[I - 1], *Path[I]) || isa<LambdaExpr>(Path[I]) ||
        (isLoop(*Path[I]) && !turnsOnce(Context, *Path[I])))
      return false;
  return true;
}

/// Whether each way to the launch sets the GPU whose number the stream has
/// among its like, `cudaSetDevice(i)` before `streams[i]`.
static bool isOfOwnDevice(const PlacedLaunch &Launch,
                          const StreamElement &Stream,
                          const ASTContext &Context) {
  const VarDecl *Index =
      Stream.IsOfOneArray ? namedVariable(Stream.Index) : nullptr;
  if (!Index || !Index->hasLocalStorage() ||
      Index->getType()->isReferenceType() || Launch.ToDevice.empty())
    return false;
  const auto *Device = cast<CallExpr>(Launch.ToDevice.back());
  if (Device->getNumArgs() != 1 || namedVariable(Device->getArg(0)) != Index)
    return false;
  const llvm::ArrayRef<const Stmt *> To = Launch.To, Set = Launch.ToDevice;
  std::size_t Common = 0;
  while (To[Common] == Set[Common])
    ++Common;
  return isOnceIn(Set.drop_front(Common - 1), Context) &&
         llvm::none_of(To.drop_front(Common),
                       [](const Stmt *S) { return isa<LambdaExpr>(S); }) &&
         isUnchanged(*Index, *To[Common - 1], Set[Common], To[Common]);
}

//===----------------------------------------------------------------------===//
// Turns that wait
//===----------------------------------------------------------------------===//

static bool isSameExpression(const Expr &A, const Expr &B,
                             const ASTContext &Context) {
  llvm::FoldingSetNodeID IdA, IdB;
  A.IgnoreParenImpCasts()->Profile(IdA, Context, /*Canonical=*/true);
  B.IgnoreParenImpCasts()->Profile(IdB, Context, /*Canonical=*/true);
  return IdA == IdB;
}

/// Whether all that \p Loop launches goes into that stream, in turns that run
/// to their end.
static bool launchesIntoOne(const LaunchLoop &Loop, const Expr &Stream,
                            const ASTContext &Context) {
  bool IsOne = Loop.Launchers.empty();
  forEachWithin(Loop.Loop, [&](const Stmt &S,
                               llvm::ArrayRef<const Stmt *> Around) {
    IsOne = IsOne && !mayBeParallel(Around) && !isa<ContinueStmt, GotoStmt>(S);
    if (!isLaunch(S))
      return IsOne;
    const Expr *Its = streamOfLaunch(cast<CallExpr>(S));
    IsOne = IsOne && Its && isSameExpression(*Its, Stream, Context);
    return IsOne;
  });
  return IsOne;
}

/// Whether turns of \p Loop choose the element.
static bool turnsChoose(const LaunchLoop &Loop, const Expr &Index) {
  bool Chooses = false;
  forEachWithin(&Index, [&](const Stmt &S, llvm::ArrayRef<const Stmt *>) {
    const auto *Named = dyn_cast<DeclRefExpr>(&S);
    const auto *V = Named ? dyn_cast<VarDecl>(Named->getDecl()) : nullptr;
    Chooses |= V && Loop.Effects.Changed.contains(V);
    return !Chooses;
  });
  return Chooses;
}

/// Whether each turn of the innermost loop around the launch waits for it,
/// and it is such loops that go through the streams, rather than threads.
static bool waitsInEachTurn(const PlacedLaunch &Launch, const Expr &Stream,
                            const Expr &Index,
                            const std::vector<LaunchLoop> &Loops,
                            const ASTContext &Context) {
  if (mayBeParallel(Launch.To))
    return false;
  const SourceManager &Sources = Context.getSourceManager();
  const auto *Site = cast<CallExpr>(Launch.To.back());
  const LaunchLoop *Innermost = nullptr;
  bool IsChosen = false;
  for (const LaunchLoop &Each : Loops)
    if (llvm::is_contained(Launch.To, Each.Loop)) {
      Innermost = &Each; // these come later
      IsChosen |= turnsChoose(Each, Index);
    }
  if (!IsChosen || !launchesIntoOne(*Innermost, Stream, Context))
    return false;
  return llvm::any_of(Innermost->Calls, [&](const LoopCall &Each) {
    const bool IsForAll = Each.Name == "cudaDeviceSynchronize" ||
                          Each.Name == "cudaThreadSynchronize";
    const bool IsForThis =
        Each.Name == "cudaStreamSynchronize" && Each.Call->getNumArgs() == 1 &&
        isSameExpression(*Each.Call->getArg(0), Stream, Context);
    return Each.IsAlways && (IsForAll || IsForThis) &&
           Sources.isBeforeInTranslationUnit(Site->getBeginLoc(),
                                             Each.Call->getBeginLoc());
  });
}

LaunchStreams::LaunchStreams(const ASTContext &Context, const HostCode &Code) {
  LaunchingFunctions Launching;
  std::map<const FunctionDecl *, std::vector<LaunchLoop>> Loops;
  for (const auto &[Site, Holder] : Code.Launches) {
    const Expr *Stream = streamOfLaunch(*Site);
    const StreamElement Element =
        Stream ? streamElement(*Stream) : StreamElement();
    if (!Element.Index || Element.Index->isValueDependent() ||
        Element.Index->isIntegerConstantExpr(Context))
      continue;
    const PlacedLaunch Launch = placedLaunch(*Site, *Holder);
    // What is launched elsewhere, as by an initialiser, is no part of a body.
    if (Launch.To.empty()) {
      Several.insert(Site);
      continue;
    }
    const auto [Its, IsNew] = Loops.try_emplace(Holder);
    if (IsNew)
      Its->second = launchLoops(Context, *Holder, Launching);
    if (!isOfOwnDevice(Launch, Element, Context) &&
        !waitsInEachTurn(Launch, *Stream, *Element.Index, Its->second, Context))
      Several.insert(Site);
  }
}

} // namespace cudalint
