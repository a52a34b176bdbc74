//===- analyzer/plugin/TidyModule.cpp - clang-tidy -load=... --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each check of ours as one of clang-tidy's, `cuda-lint-` before its name. All
/// that are on share one analysis of a file. The option `Gpu`, of one check or
/// of all, names a product.
///
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"
#include "analyzer/plugin/PluginHost.h"
#include "analyzer/plugin/TreeFindings.h"

#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "clang/ASTMatchers/ASTMatchers.h"
#include "clang/Basic/CodeGenOptions.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Preprocessor.h"
#include <clang-tidy/ClangTidyCheck.h>
#include <clang-tidy/ClangTidyModule.h>

#include <memory>
#include <optional>
#include <set>
#include <string>

namespace tidy = clang::tidy;

namespace cudalint {
namespace {

/// The findings of the file that is looked at, for all checks.
class SharedFindings {
public:
  void begin(const clang::Preprocessor &Reader) {
    if (!Arguments)
      Arguments = deviceArgumentsOf(Reader);
  }
  /// \p Folder is the one that the file is compiled in.
  const TreeFindings &of(clang::ASTContext &AST, const std::string &Folder,
                         TreeOptions Options) {
    if (Known)
      return *Known;
    Options.Trial = DeviceParse{Folder, Arguments.value_or(DeviceArguments())};
    if (AST.getLangOpts().CUDAIsDevice && isCompiledFor(AST, Options.Gpu))
      Known = analyseTree(AST, clang::CodeGenOptions(), Options);
    else
      Known = analyseAgain(AST, *Options.Trial, Options);
    return *Known;
  }
  bool isProved(const Fix &What) const { return Known->isProved(What); }
  /// Whether \p What holds and nobody was told: one edit mends several
  /// findings.
  bool isToBeApplied(const Fix &What) {
    return Known->isProved(What) && Told.insert(What).second;
  }
  /// The file is done: another one may have a tree at the same address.
  void clear() {
    Known.reset();
    Arguments.reset();
    Told.clear();
  }

  bool IsErrorTold = false;

private:
  std::optional<TreeFindings> Known;
  std::optional<DeviceArguments> Arguments;
  std::set<Fix> Told;
};

class TidyCheck : public tidy::ClangTidyCheck {
public:
  TidyCheck(llvm::StringRef Name, tidy::ClangTidyContext *Context,
            std::string Ours, std::shared_ptr<SharedFindings> Found)
      : ClangTidyCheck(Name, Context), Ours(std::move(Ours)),
        Gpu(Options.getLocalOrGlobal("Gpu", "").str()), Found(std::move(Found)),
        Context(*Context) {}

  bool isLanguageVersionSupported(
      const clang::LangOptions &Language) const override {
    return Language.CUDA;
  }

  void storeOptions(tidy::ClangTidyOptions::OptionMap &Map) override {
    Options.store(Map, "Gpu", Gpu);
  }

  void registerPPCallbacks(const clang::SourceManager &,
                           clang::Preprocessor *Reader,
                           clang::Preprocessor *) override {
    Found->begin(*Reader);
  }

  void registerMatchers(clang::ast_matchers::MatchFinder *Finder) override {
    Finder->addMatcher(clang::ast_matchers::translationUnitDecl(), this);
  }

  void
  check(const clang::ast_matchers::MatchFinder::MatchResult &Match) override {
    const TreeFindings &All =
        Found->of(*Match.Context, Context.getCurrentBuildDirectory(),
                  {.Checks = {}, .Gpu = Gpu});
    const clang::SourceManager &Sources = *Match.SourceManager;
    if (!All.Error.empty() && !std::exchange(Found->IsErrorTold, true))
      configurationDiag("cuda-lint: %0") << All.Error;
    for (const Finding &F : All.Findings)
      if (F.Check == Ours)
        report(F, Sources);
  }

  void onEndOfTranslationUnit() override { Found->clear(); }

private:
  void report(const Finding &F, const clang::SourceManager &Sources) {
    const clang::SourceLocation Where = locationOf(F.Where, Sources);
    if (Where.isInvalid())
      return;
    std::vector<clang::FixItHint> Applied;
    for (const Fix &Each : F.Fixes)
      if (Applied.empty() && Found->isToBeApplied(Each))
        Applied = hintsOf(Each, Sources);
    diag(Where, "%0",
         F.Level == Severity::Note ? clang::DiagnosticIDs::Remark
                                   : clang::DiagnosticIDs::Warning)
        << messageOf(F) << Applied;
    for (const Location &Call : F.InlinedAt)
      if (const clang::SourceLocation At = locationOf(Call, Sources);
          At.isValid())
        diag(At, "called from here", clang::DiagnosticIDs::Note);
    // On a note: --fix-notes applies what does not hold by itself.
    for (const Fix &Each : F.Fixes)
      if (Found->isProved(Each))
        continue;
      else if (const std::vector<clang::FixItHint> Hints =
                   hintsOf(Each, Sources);
               !Hints.empty())
        diag(Hints.front().RemoveRange.getBegin(), "%0",
             clang::DiagnosticIDs::Note)
            << Each.Description << Hints;
  }

  const std::string Ours, Gpu;
  const std::shared_ptr<SharedFindings> Found;
  const tidy::ClangTidyContext &Context;
};

class CudaLintModule : public tidy::ClangTidyModule {
public:
  void addCheckFactories(tidy::ClangTidyCheckFactories &Factories) override {
    const auto Found = std::make_shared<SharedFindings>();
    for (const std::unique_ptr<Check> &Each : makeChecks()) {
      const std::string Name(Each->info().Name);
      Factories.registerCheckFactory(
          "cuda-lint-" + Name,
          [Name, Found](llvm::StringRef Full, tidy::ClangTidyContext *Context) {
            return std::make_unique<TidyCheck>(Full, Context, Name, Found);
          });
    }
  }
};

} // namespace

static const bool IsRegistered = [] {
  if (!isBuiltForThisClang())
    return false;
  static const tidy::ClangTidyModuleRegistry::Add<CudaLintModule> Registration(
      "cuda-lint-module", "performance faults of CUDA code");
  return true;
}();

} // namespace cudalint
