//===- analyzer/checks/ObsoleteAdvice.cpp - What used to help ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"
#include "analyzer/checks/VersionConditions.h"
#include "analyzer/frontend/UserFunctions.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

#include <fmt/format.h>

#include <optional>
#include <set>

namespace cudalint::obsolete_advice {
namespace {

class ObsoleteAdvice : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "obsolete-advice",
      .Level = Maturity::Stable,
      .Default = Severity::Warning,
      .Summary = "finds calls that were good advice on GPUs older than the "
                 "target",
      .Why = R"md(Books and forum answers outlive the GPUs that they were
written for. `__mul24` was one instruction on compute capability 1.x and is
several since. `cudaDeviceSetSharedMemConfig` sets the width of the banks on
Kepler and does nothing since Maxwell. `cudaThreadSynchronize` got its present
name in CUDA 4.0 and is gone from CUDA 13.)md",
      .Bad = R"cuda(__global__ void index(int *out) {
  int i = __mul24(blockIdx.x, blockDim.x) + threadIdx.x;
  out[i] = i;
}

void run(int *out) {
  index<<<1024, 256>>>(out);
}
)cuda",
      .Good = R"cuda(__global__ void index(int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = i;
}

void run(int *out) {
  index<<<1024, 256>>>(out);
}
)cuda",
      .Limits = R"md(Goes by the names of functions that the toolkit declares.
Says nothing of a call that is right for the target: `__mul24` on 1.x, the bank
width on 3.x; nor of one that the target does not come to, as a condition around
or before it asks for other versions: `if (prop.major == 3)`. It may ask a
variable that keeps the version, from `cudaDeviceProp` or an attribute, if that
is all that it is ever given, but not a function. What the toolkit no longer
declares is a compile error, not a finding. Silent in a file that misses a header:
its macros may make something else of the name.)md",
      .NeedsHeaders = true};
  const CheckInfo &info() const override { return Info; }
  void checkSource(const clang::ASTContext &Context, const Target &Gpu,
                   FindingSink &Out) const override;
};

/// A function whose time has passed.
struct Obsolete {
  std::string_view Name;
  ComputeCapability Since; ///< Targets older than this still want it.
  std::string_view Why;
  std::string_view Instead;     ///< What to do; empty: its `_sync` sister.
  std::string_view Replacement; ///< Same arguments; empty when not so easy.
};

} // namespace

/// Sources: CUDA C Programming Guide 4.2 (24-bit multiplication is native on
/// 1.x only), tuning guides of Maxwell (fixed 4-byte banks) and Volta (warp
/// functions without a mask), release notes of CUDA 4.0, 9.0, 12.0 and 13.0.
static constexpr ComputeCapability Always = {1, 0};
static constexpr std::string_view BanksAreFixed =
    "has no effect from compute capability 5.0 on, banks are 4 bytes wide";
static constexpr std::string_view PadInstead =
    "remove it, and pad or swizzle where banks conflict";
static constexpr std::string_view NotNative =
    "is slower than a plain product from compute capability 2.0 on";
static constexpr std::string_view Renamed =
    "is deprecated since CUDA 4.0 and gone from CUDA 13";
static constexpr std::string_view NoMask =
    "is not there from compute capability 7.0 on: nvcc does not compile it";
static constexpr std::string_view References =
    "binds a texture reference, which CUDA 12 removed";
static constexpr std::string_view Objects =
    "use a texture object, or a const __restrict__ pointer: its loads are "
    "cached alike";

static constexpr Obsolete Table[] = {
    {"__all", {7, 0}, NoMask, "", ""},
    {"__any", {7, 0}, NoMask, "", ""},
    {"__ballot", {7, 0}, NoMask, "", ""},
    {"__mul24", {2, 0}, NotNative, "use '*'", ""},
    {"__shfl", {7, 0}, NoMask, "", ""},
    {"__shfl_down", {7, 0}, NoMask, "", ""},
    {"__shfl_up", {7, 0}, NoMask, "", ""},
    {"__shfl_xor", {7, 0}, NoMask, "", ""},
    {"__umul24", {2, 0}, NotNative, "use '*'", ""},
    {"cudaBindTexture", Always, References, Objects, ""},
    {"cudaBindTexture2D", Always, References, Objects, ""},
    {"cudaBindTextureToArray", Always, References, Objects, ""},
    {"cudaDeviceSetSharedMemConfig", {5, 0}, BanksAreFixed, PadInstead, ""},
    {"cudaFuncSetSharedMemConfig", {5, 0}, BanksAreFixed, PadInstead, ""},
    {"cudaThreadExit", Always, Renamed, "use 'cudaDeviceReset'",
     "cudaDeviceReset"},
    {"cudaThreadGetCacheConfig", Always, Renamed,
     "use 'cudaDeviceGetCacheConfig'", "cudaDeviceGetCacheConfig"},
    {"cudaThreadGetLimit", Always, Renamed, "use 'cudaDeviceGetLimit'",
     "cudaDeviceGetLimit"},
    {"cudaThreadSetCacheConfig", Always, Renamed,
     "use 'cudaDeviceSetCacheConfig'", "cudaDeviceSetCacheConfig"},
    {"cudaThreadSetLimit", Always, Renamed, "use 'cudaDeviceSetLimit'",
     "cudaDeviceSetLimit"},
    {"cudaThreadSynchronize", Always, Renamed, "use 'cudaDeviceSynchronize'",
     "cudaDeviceSynchronize"},
    {"cudaUnbindTexture", Always, References, Objects, ""},
};

static const Obsolete *findObsolete(llvm::StringRef Name) {
  for (const Obsolete &Entry : Table)
    if (Entry.Name == std::string_view(Name))
      return &Entry;
  return nullptr;
}

/// The callee, when it is the toolkit's function of an obsolete name.
static const Obsolete *obsoleteCallee(const clang::ASTContext &Context,
                                      const clang::CallExpr &Call) {
  const clang::FunctionDecl *F = Call.getDirectCallee();
  if (!F || !F->getIdentifier())
    return nullptr;
  if (F->getBuiltinID() == 0 && !isInSystemHeader(Context, F->getLocation()))
    return nullptr; // The user's own, whatever its name.
  return findObsolete(F->getName());
}

static std::optional<Fix> renaming(const clang::ASTContext &Context,
                                   const clang::CallExpr &Call,
                                   const Obsolete &Entry) {
  const clang::SourceManager &Sources = Context.getSourceManager();
  const clang::SourceLocation Name = Call.getCallee()->getBeginLoc();
  if (Entry.Replacement.empty() || !Name.isFileID())
    return std::nullopt;
  const unsigned Length =
      clang::Lexer::MeasureTokenLength(Name, Sources, Context.getLangOpts());
  // A qualified name begins with something else.
  if (Length != Entry.Name.size())
    return std::nullopt;
  return Fix{fmt::format("call '{}'", Entry.Replacement),
             FixSafety::Safe,
             {{Sources.getFilename(Name).str(), Sources.getFileOffset(Name),
               Length, std::string(Entry.Replacement)}}};
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

void ObsoleteAdvice::checkSource(const clang::ASTContext &Context,
                                 const Target &Gpu, FindingSink &Out) const {
  std::set<unsigned> Reported; // Instantiations share their places.
  for (const clang::FunctionDecl *F :
       collectUserFunctions(Context).Definitions) {
    std::optional<std::set<const clang::CallExpr *>> OfOthers;
    forEachStatement(F->getBody(), [&](const clang::Stmt &S) {
      const auto *Call = llvm::dyn_cast<clang::CallExpr>(&S);
      const Obsolete *Entry = Call ? obsoleteCallee(Context, *Call) : nullptr;
      if (!Entry || Gpu.Arch->CC < Entry->Since)
        return;
      const clang::SourceLocation Where = Call->getBeginLoc();
      if (!OfOthers)
        OfOthers = callsOfOtherGpus(*F, Gpu);
      if (OfOthers->contains(Call) || isInSystemHeader(Context, Where) ||
          !Reported.insert(Where.getRawEncoding()).second)
        return;
      Finding &Found = Out.report(
          placeOf(Context, Call->getSourceRange()),
          {SubjectKind::Call, plainName(*F), std::string(Entry->Name)},
          {"obsolete",
           "'{name}' {why}",
           {{"name", Entry->Name}, {"why", Entry->Why}}});
      Found.Remedy =
          Entry->Instead.empty()
              ? Phrase{"use-sync",
                       "use '{name}_sync' with the mask of the lanes that come "
                       "here, 0xffffffff if all do",
                       {{"name", Entry->Name}}}
              : Phrase{
                    "use-instead", "{instead}", {{"instead", Entry->Instead}}};
      // Works as ever, for some instructions more.
      if (Entry->Why == NotNative)
        Found.Level = Severity::Note;
      if (auto Edit = renaming(Context, *Call, *Entry))
        Found.Fixes.push_back(std::move(*Edit));
    });
  }
}

CUDA_LINT_REGISTER_CHECK(ObsoleteAdvice)

} // namespace cudalint::obsolete_advice
