//===- analyzer/checks/UnreadLaunchError.cpp - Launches that fail unseen --===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"
#include "analyzer/launch/LaunchLoops.h"
#include "analyzer/launch/LoopTurns.h"
#include "analyzer/launch/RuntimeCalls.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

#include <map>
#include <set>

namespace cudalint::unread_launch_error {
namespace {

class UnreadLaunchError : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "unread-launch-error",
      .Level = Maturity::Stable,
      .Default = Severity::Note,
      .Summary = "finds launches after which the program reads no error",
      .Why = R"md(A launch returns nothing. Where it asks for more threads,
registers or shared memory than there are, where the program holds no code for
the GPU, or where the kernel faults, nothing is computed, and a program that
reads no error goes on with what its memory held before: mostly faster than
ever. `cudaGetLastError()` right behind the launch tells whether it was
possible, the result of the next call that waits, such as
`cudaDeviceSynchronize()`, whether the kernel came through.)md",
      .Bad = R"cuda(__global__ void twice(float *data) {
  data[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}

int main() {
  float *data;
  if (cudaMalloc(&data, 1 << 20) != cudaSuccess)
    return 1;
  twice<<<1024, 256>>>(data);
  cudaDeviceSynchronize();
}
)cuda",
      .Good = R"cuda(__global__ void twice(float *data) {
  data[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}

int main() {
  float *data;
  if (cudaMalloc(&data, 1 << 20) != cudaSuccess)
    return 1;
  twice<<<1024, 256>>>(data);
  if (cudaGetLastError() != cudaSuccess)
    return 1;
  return cudaDeviceSynchronize() != cudaSuccess;
}
)cuda",
      .Limits = R"md(Speaks once in a function, and only where the file has the
whole way from `main()` to the launch, and none of its files names
`cudaGetLastError` or `cudaPeekAtLastError`, not even for debug builds. Silent
where any later call's result is used, and where functions are called behind the
launch whose code is not in the file.)md"};
  const CheckInfo &info() const override { return Info; }
  void checkSource(const clang::ASTContext &Context, const Target &Gpu,
                   FindingSink &Out) const override;
};

/// Who calls whom, and what of it reads errors.
class ErrorReaders {
public:
  ErrorReaders(const clang::ASTContext &Context,
               const UserFunctions &Functions);

  /// Whether errors may be read once \p Launch, in \p F, was made. True as well
  /// where that is not known.
  bool mayReadBehind(const clang::FunctionDecl &F, const clang::Stmt &Launch);

private:
  struct CallSite {
    const clang::CallExpr *Call = nullptr;
    const clang::FunctionDecl *In = nullptr;
    bool MayRead = false; ///< By itself.
    bool IsInLoop = false;
  };
  struct Function {
    std::vector<CallSite> Calls;
    std::vector<CallSite> Callers;
    bool IsOpaque = false; ///< Called by whom nobody knows.
  };

  bool readsBehind(const CallSite &Site);
  bool readsAnywhere(const clang::FunctionDecl &F);
  bool mayReadItself(const clang::CallExpr &Call,
                     llvm::ArrayRef<const clang::Stmt *> Around) const;

  const clang::ASTContext &Context;
  std::map<const clang::FunctionDecl *, Function> Known;
  std::set<const clang::FunctionDecl *> Visited, Entered;
};

} // namespace

/// Also of classes and namespaces in it.
static bool isOfStandardLibrary(const clang::FunctionDecl &F) {
  for (const clang::DeclContext *In = F.getDeclContext(); In;
       In = In->getParent())
    if (In->isStdNamespace())
      return true;
  return false;
}

/// Whether anybody gets the value of a call with \p Around it.
static bool isUsed(llvm::ArrayRef<const clang::Stmt *> Around,
                   const clang::Stmt &Call) {
  const clang::Stmt *Child = &Call;
  for (const clang::Stmt *Parent : llvm::reverse(Around)) {
    if (const auto *Cast = llvm::dyn_cast<clang::CastExpr>(Parent);
        Cast && Cast->getCastKind() == clang::CK_ToVoid)
      return false;
    if (const auto *Loop = llvm::dyn_cast<clang::ForStmt>(Parent))
      return Child == Loop->getCond();
    if (llvm::isa<clang::CompoundStmt, clang::CXXForRangeStmt, clang::LabelStmt,
                  clang::SwitchCase>(Parent))
      return false;
    if (const auto *If = llvm::dyn_cast<clang::IfStmt>(Parent))
      return Child != If->getThen() && Child != If->getElse();
    if (const auto *While = llvm::dyn_cast<clang::WhileStmt>(Parent))
      return Child == While->getCond();
    if (const auto *Do = llvm::dyn_cast<clang::DoStmt>(Parent))
      return Child == Do->getCond();
    if (!llvm::isa<clang::ParenExpr, clang::ExprWithCleanups,
                   clang::ImplicitCastExpr>(Parent))
      return true;
    Child = Parent;
  }
  return false;
}

bool ErrorReaders::mayReadItself(
    const clang::CallExpr &Call,
    llvm::ArrayRef<const clang::Stmt *> Around) const {
  const clang::FunctionDecl *Callee = Call.getDirectCallee();
  // A pointer leads to it.
  if (!Callee)
    return true;
  if (llvm::isa<clang::CUDAKernelCallExpr>(Call))
    return false;
  if (const auto *Method = llvm::dyn_cast<clang::CXXMethodDecl>(Callee);
      Method && Method->isVirtual())
    return true;
  if (!isInSystemHeader(*Callee))
    return !Callee->getDefinition() && Callee->getBuiltinID() == 0;
  if (Callee->getBuiltinID() != 0 || isOfStandardLibrary(*Callee))
    return false;
  const llvm::StringRef Name =
      Callee->getIdentifier() ? Callee->getName() : llvm::StringRef();
  if (Name == "cudaConfigureCall" || Name == "__cudaPushCallConfiguration")
    return false;
  // Of the toolkit: cuBLAS, cuFFT and their like return errors of launches.
  if (Name.starts_with("cu") || Name.starts_with("nccl") ||
      Name.starts_with("npp"))
    return isUsed(Around, Call);
  // The C library; all else of headers may read, as Thrust does.
  return !Callee->isExternC();
}

ErrorReaders::ErrorReaders(const clang::ASTContext &Context,
                           const UserFunctions &Functions)
    : Context(Context) {
  for (const clang::FunctionDecl *F : Functions.Definitions) {
    if (F->hasAttr<clang::CUDAGlobalAttr>())
      continue;
    Function &Of = Known[F->getCanonicalDecl()];
    forEachWithin(F->getBody(), [&](const clang::Stmt &S,
                                    llvm::ArrayRef<const clang::Stmt *> Above) {
      // Nobody knows who calls what is named and not called.
      if (const auto *Named = llvm::dyn_cast<clang::DeclRefExpr>(&S))
        if (const auto *Target =
                llvm::dyn_cast<clang::FunctionDecl>(Named->getDecl())) {
          const auto *Cast =
              Above.empty()
                  ? nullptr
                  : llvm::dyn_cast<clang::ImplicitCastExpr>(Above.back());
          const auto *Call =
              Cast && Above.size() > 1
                  ? llvm::dyn_cast<clang::CallExpr>(Above[Above.size() - 2])
                  : nullptr;
          if (!Call || Call->getCallee() != Cast)
            Known[Target->getCanonicalDecl()].IsOpaque = true;
        }
      const auto *Call = llvm::dyn_cast<clang::CallExpr>(&S);
      if (!Call)
        return true;
      CallSite Site{Call, F, mayReadItself(*Call, Above),
                    llvm::any_of(Above, [&](const clang::Stmt *Each) {
                      return isLoop(*Each) && !turnsOnce(Context, *Each);
                    })};
      if (const clang::FunctionDecl *Callee = Call->getDirectCallee())
        Known[Callee->getCanonicalDecl()].Callers.push_back(Site);
      Of.Calls.push_back(Site);
      return true;
    });
  }
}

bool ErrorReaders::readsAnywhere(const clang::FunctionDecl &F) {
  if (!Entered.insert(F.getCanonicalDecl()).second)
    return false;
  return llvm::any_of(
      Known[F.getCanonicalDecl()].Calls, [&](const CallSite &Each) {
        return Each.MayRead || (Each.Call->getDirectCallee() &&
                                readsAnywhere(*Each.Call->getDirectCallee()));
      });
}

bool ErrorReaders::readsBehind(const CallSite &Site) {
  const clang::SourceManager &Sources = Context.getSourceManager();
  const clang::FunctionDecl &F = *Site.In;
  const clang::SourceLocation Point =
      Sources.getExpansionLoc(Site.Call->getBeginLoc());
  const Function &Of = Known[F.getCanonicalDecl()];
  for (const CallSite &Each : Of.Calls) {
    // What holds it, as `check(launch())` does, ends behind it.
    const bool IsBehind =
        Each.Call != Site.Call &&
        ((Site.IsInLoop && Each.IsInLoop) ||
         Sources.isBeforeInTranslationUnit(
             Point, Sources.getExpansionLoc(Each.Call->getEndLoc())));
    if (IsBehind &&
        (Each.MayRead || (Each.Call->getDirectCallee() &&
                          readsAnywhere(*Each.Call->getDirectCallee()))))
      return true;
  }
  if (F.isMain())
    return false;
  if (Of.IsOpaque || Of.Callers.empty())
    return true;
  if (!Visited.insert(F.getCanonicalDecl()).second)
    return false;
  return llvm::any_of(Of.Callers,
                      [&](const CallSite &Each) { return readsBehind(Each); });
}

bool ErrorReaders::mayReadBehind(const clang::FunctionDecl &F,
                                 const clang::Stmt &Launch) {
  Visited.clear();
  Entered.clear();
  for (const CallSite &Each : Known[F.getCanonicalDecl()].Calls)
    if (Each.Call == &Launch)
      return readsBehind(Each);
  return true;
}

/// Whether the text of any file of the user's, code that is left out for now
/// and unused macros included, names a function that reads errors.
static bool namesReader(const clang::ASTContext &Context) {
  const clang::SourceManager &Sources = Context.getSourceManager();
  bool Names = false;
  forEachUserFile(Sources, [&](clang::FileID File) {
    // Some say only within that they are none of the user's.
    if (Sources.isInSystemHeader(Sources.getLocForEndOfFile(File)))
      return;
    const llvm::StringRef Text = Sources.getBufferData(File);
    Names = Names || Text.contains("GetLastError") ||
            Text.contains("PeekAtLastError") || Text.contains("getLastCuda");
  });
  return Names;
}

void UnreadLaunchError::checkSource(const clang::ASTContext &Context,
                                    const Target &, FindingSink &Out) const {
  const clang::SourceManager &Sources = Context.getSourceManager();
  const UserFunctions Functions = collectUserFunctions(Context);
  const auto isMain = [](const clang::FunctionDecl *F) { return F->isMain(); };
  // Code that is not understood may read them.
  if (Context.getDiagnostics().hasErrorOccurred() ||
      llvm::none_of(Functions.Definitions, isMain) || namesReader(Context))
    return;
  ErrorReaders Readers(Context, Functions);
  std::set<unsigned> Seen; // Instantiations share their places.
  for (const clang::FunctionDecl *F : Functions.Definitions) {
    if (!isHostCode(*F) ||
        !Sources.isWrittenInMainFile(Sources.getExpansionLoc(F->getLocation())))
      continue;
    // What is read behind one of them is read of those before it, too.
    const clang::Stmt *First = nullptr;
    forEachStatement(F->getBody(), [&](const clang::Stmt &S) {
      if (!First && llvm::isa<clang::CUDAKernelCallExpr>(S) &&
          !Readers.mayReadBehind(*F, S))
        First = &S;
    });
    if (!First || !Seen.insert(F->getLocation().getRawEncoding()).second)
      continue;
    const auto &Launch = *llvm::cast<clang::CUDAKernelCallExpr>(First);
    Finding &Found = Out.report(
        placeOf(Context, Launch.getSourceRange()),
        {SubjectKind::Launch, plainName(*F), ""},
        {"error-unread",
         "the program reads no error behind this launch: where it fails, the "
         "results are those of no kernel",
         {}});
    Found.Remedy = {"read-error",
                    "read 'cudaGetLastError()' behind it, and the result of "
                    "the next call that waits",
                    {}};
  }
}

CUDA_LINT_REGISTER_CHECK(UnreadLaunchError)

} // namespace cudalint::unread_launch_error
