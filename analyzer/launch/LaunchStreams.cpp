//===- analyzer/launch/LaunchStreams.cpp - Launches side by side ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/LaunchStreams.h"

#include "analyzer/launch/LaunchCalls.h"
#include "analyzer/launch/LaunchLoops.h"
#include "analyzer/launch/LoopTurns.h"
#include "analyzer/launch/RuntimeCalls.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/SourceManager.h"

#include <map>
#include <set>
#include <vector>

using namespace clang;

namespace cudalint {

namespace {
/// An element of an array of streams, or of what holds one.
struct StreamElement {
  const Expr *Index = nullptr;       ///< Null: the stream is none.
  bool IsOfOneArray = false;         ///< Nothing but the index chooses it.
  const ValueDecl *Holder = nullptr; ///< See holderOf().
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

/// The variable or the member of a class that holds the streams of `all[i]`,
/// `gpu.all[i]`, `&all[i]` or `all + i`: `all`; of `parts[i].stream`, `stream`.
/// Null: another thing.
static const ValueDecl *holderOf(const Expr &E) {
  const Expr &Of = *E.IgnoreParenCasts();
  if (const auto *Element = dyn_cast<ArraySubscriptExpr>(&Of))
    return holderOf(*Element->getBase());
  if (const auto *Call = dyn_cast<CXXOperatorCallExpr>(&Of))
    return Call->getOperator() == OO_Subscript ? holderOf(*Call->getArg(0))
                                               : nullptr;
  if (const auto *Address = dyn_cast<UnaryOperator>(&Of))
    return Address->getOpcode() == UO_AddrOf ? holderOf(*Address->getSubExpr())
                                             : nullptr;
  if (const auto *Sum = dyn_cast<BinaryOperator>(&Of))
    return Sum->getOpcode() == BO_Add ? holderOf(*Sum->getLHS()) : nullptr;
  if (const auto *Member = dyn_cast<MemberExpr>(&Of))
    return Member->getMemberDecl();
  const auto *Named = dyn_cast<DeclRefExpr>(&Of);
  return Named ? Named->getDecl() : nullptr;
}

static StreamElement streamElement(const Expr &E, unsigned Depth = 0) {
  const Expr &Stream = *E.IgnoreParenImpCasts();
  if (const auto *Element = dyn_cast<ArraySubscriptExpr>(&Stream))
    return {Element->getIdx(), isOneObject(*Element->getBase()),
            holderOf(Stream)};
  if (const auto *Call = dyn_cast<CXXOperatorCallExpr>(&Stream);
      Call && Call->getOperator() == OO_Subscript)
    return {Call->getArg(1), isOneObject(*Call->getArg(0)), holderOf(Stream)};
  if (const auto *Member = dyn_cast<MemberExpr>(&Stream)) {
    const StreamElement Of = streamElement(*Member->getBase(), Depth);
    return {Of.Index, Of.IsOfOneArray, Member->getMemberDecl()};
  }
  constexpr unsigned MaxDepth = 4;
  const auto *Named = dyn_cast<DeclRefExpr>(&Stream);
  const auto *Variable = Named ? dyn_cast<VarDecl>(Named->getDecl()) : nullptr;
  if (!Variable || !Variable->getInit() || Depth >= MaxDepth)
    return {};
  // `for (cudaStream_t each : all)`: of the iterator.
  if (Variable->isCXXForRangeDecl())
    return {Variable->getInit(), false, nullptr};
  // Which one it was when the variable was made is another matter.
  const StreamElement Of = streamElement(*Variable->getInit(), Depth + 1);
  return {Of.Index, false, Of.Holder};
}

/// Null: the default one, or a member of a launch's configuration.
static const Expr *streamOfLaunch(const CallExpr &Site) {
  constexpr unsigned StreamOfConfig = 3, StreamOfFunction = 5;
  if (const auto *Launch = dyn_cast<CUDAKernelCallExpr>(&Site)) {
    const CallExpr *Config = Launch->getConfig();
    return Config && Config->getNumArgs() > StreamOfConfig
               ? Config->getArg(StreamOfConfig)
               : nullptr;
  }
  const LaunchCall By = launchCallOf(Site.getDirectCallee());
  return (By == LaunchCall::Kernel || By == LaunchCall::Cooperative) &&
                 Site.getNumArgs() > StreamOfFunction
             ? Site.getArg(StreamOfFunction)
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

/// The last launch of \p Loop, where all of them go into that stream, in turns
/// that run to their end; or null.
static const CallExpr *lastLaunch(const LaunchLoop &Loop, const Expr &Stream,
                                  const ASTContext &Context) {
  const CallExpr *Last = nullptr;
  bool IsOne = Loop.Launchers.empty();
  forEachWithin(Loop.Loop, [&](const Stmt &S,
                               llvm::ArrayRef<const Stmt *> Around) {
    IsOne = IsOne && !mayBeParallel(Around) && !isa<ContinueStmt, GotoStmt>(S);
    if (!isLaunch(S))
      return IsOne;
    Last = cast<CallExpr>(&S);
    const Expr *Its = streamOfLaunch(*Last);
    IsOne = IsOne && Its && isSameExpression(*Its, Stream, Context);
    return IsOne;
  });
  return IsOne ? Last : nullptr;
}

/// Whether turns of \p Loop choose the element, also by a variable of a turn.
static bool turnsChoose(const LaunchLoop &Loop, const Expr &Index,
                        unsigned Depth = 0) {
  constexpr unsigned MaxDepth = 4;
  bool Chooses = false;
  forEachWithin(&Index, [&](const Stmt &S, llvm::ArrayRef<const Stmt *>) {
    const auto *Named = dyn_cast<DeclRefExpr>(&S);
    const auto *V = Named ? dyn_cast<VarDecl>(Named->getDecl()) : nullptr;
    Chooses |= V && (Loop.Effects.Changed.contains(V) ||
                     (llvm::is_contained(Loop.Effects.Variables, V) &&
                      V->getInit() && Depth < MaxDepth &&
                      turnsChoose(Loop, *V->getInit(), Depth + 1)));
    return !Chooses;
  });
  return Chooses;
}

namespace {
/// Whether calls of a turn wait for what it launches into a stream.
class TurnWaits {
public:
  /// \p IsBlocking: the legacy default stream waits for the stream, and the
  /// stream for that one.
  TurnWaits(const ASTContext &Context, const Expr &Stream, bool IsBlocking)
      : Context(Context), Stream(Stream), IsBlocking(IsBlocking) {}

  /// Whether each turn of \p Loop waits for \p Last, and for what it has
  /// launched before.
  bool hasAny(const LaunchLoop &Loop, const CallExpr &Last) const {
    return llvm::any_of(Loop.Calls, [&](const LoopCall &Each) {
      return Each.IsAlways && isBehind(*Each.Call, Last) &&
             waits(Loop, Each, Last);
    });
  }

private:
  bool waits(const LaunchLoop &Loop, const LoopCall &Each,
             const CallExpr &Last) const;
  bool isOfEvent(const LaunchLoop &Loop, const CallExpr &Wait,
                 const CallExpr &Last) const;
  /// Whether a call of the default stream comes behind all that was launched
  /// into the stream before, and before all that is launched into its like
  /// later. The header renames what is of a default stream of the thread's own.
  bool isInOrder(const LoopCall &Each) const {
    return IsBlocking && Each.Call->getDirectCallee()->getName() == Each.Name;
  }
  bool isBehind(const CallExpr &Later, const CallExpr &Earlier) const {
    return Context.getSourceManager().isBeforeInTranslationUnit(
        Earlier.getBeginLoc(), Later.getBeginLoc());
  }

  const ASTContext &Context;
  const Expr &Stream;
  const bool IsBlocking;
};
} // namespace

bool TurnWaits::waits(const LaunchLoop &Loop, const LoopCall &Each,
                      const CallExpr &Last) const {
  if (Each.Name == "cudaDeviceSynchronize" ||
      Each.Name == "cudaThreadSynchronize")
    return true;
  if (Each.Name == "cudaStreamSynchronize")
    return Each.Call->getNumArgs() == 1 &&
           isSameExpression(*Each.Call->getArg(0), Stream, Context);
  if (Each.Name == "cudaEventSynchronize")
    return Each.Call->getNumArgs() == 1 && isOfEvent(Loop, *Each.Call, Last);
  // Those without a stream are of the default one.
  return (Each.Name == "cudaMemcpy" || Each.Name == "cudaMemset") &&
         isInOrder(Each);
}

/// Whether the event that is waited for is last recorded behind \p Last.
bool TurnWaits::isOfEvent(const LaunchLoop &Loop, const CallExpr &Wait,
                          const CallExpr &Last) const {
  const LoopCall *Record = nullptr;
  for (const LoopCall &Each : Loop.Calls)
    if (Each.Name == "cudaEventRecord" && Each.Call->getNumArgs() == 2 &&
        isBehind(Wait, *Each.Call) &&
        isSameExpression(*Each.Call->getArg(0), *Wait.getArg(0), Context))
      Record = &Each;
  if (!Record || !Record->IsAlways || !isBehind(*Record->Call, Last))
    return false;
  const Expr &Its = *Record->Call->getArg(1);
  const bool IsOfDefault =
      Its.isNullPointerConstant(const_cast<ASTContext &>(Context),
                                Expr::NPC_ValueDependentIsNotNull) !=
      Expr::NPCK_NotNull;
  return IsOfDefault ? isInOrder(*Record)
                     : isSameExpression(Its, Stream, Context);
}

/// Whether each turn of the innermost loop that chooses the stream waits for
/// what it launches, and it is loops that go through the streams, rather than
/// threads.
static bool waitsInEachTurn(const PlacedLaunch &Launch, const Expr &Stream,
                            const Expr &Index, bool IsBlocking,
                            const std::vector<LaunchLoop> &Loops,
                            const ASTContext &Context) {
  if (mayBeParallel(Launch.To))
    return false;
  std::vector<const LaunchLoop *> Around;
  for (const LaunchLoop &Each : Loops)
    if (llvm::is_contained(Launch.To, Each.Loop)) {
      const bool Chooses = turnsChoose(Each, Index);
      if (Chooses) // The inner ones come later.
        Around.clear();
      if (Chooses || !Around.empty())
        Around.push_back(&Each);
    }
  const CallExpr *Last =
      Around.empty() ? nullptr : lastLaunch(*Around.front(), Stream, Context);
  // Turns of the loops inside of it are all of one stream.
  return Last && llvm::any_of(Around, [&](const LaunchLoop *Each) {
           return TurnWaits(Context, Stream, IsBlocking).hasAny(*Each, *Last);
         });
}

/// The arrays, variables and members all of whose streams are blocking ones.
static std::set<const ValueDecl *>
holdersOfBlocking(const UnitEffects &Effects) {
  std::set<const ValueDecl *> Blocking, Others;
  for (const auto &[F, Its] : Effects.Functions)
    for (const CallExpr *Call : Its.Calls)
      if (const llvm::StringRef Name = runtimeCall(*Call);
          Name.starts_with("cudaStreamCreate") && Call->getNumArgs())
        (Name == "cudaStreamCreate" ? Blocking : Others)
            .insert(holderOf(*Call->getArg(0)));
  Others.insert(nullptr);
  for (const ValueDecl *Each : Others)
    Blocking.erase(Each);
  return Blocking;
}

LaunchStreams::LaunchStreams(const ASTContext &Context, const HostCode &Code,
                             const UnitEffects &Effects) {
  const std::set<const ValueDecl *> Blocking = holdersOfBlocking(Effects);
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
        !waitsInEachTurn(Launch, *Stream, *Element.Index,
                         Blocking.contains(Element.Holder), Its->second,
                         Context))
      Several.insert(Site);
  }
}

} // namespace cudalint
