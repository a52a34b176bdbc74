//===- analyzer/plugin/ClangPlugin.cpp - clang++ -fplugin=... -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Findings as warnings of the compiler, of the device side of an ordinary
/// compile. Options: `-fplugin-arg-cudalint-gpu=h200`, `...-checks=GLOBS`.
///
//===----------------------------------------------------------------------===//

#include "analyzer/plugin/PluginHost.h"
#include "analyzer/plugin/TreeFindings.h"
#include "analyzer/plugin/WarningFlags.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"

#include <optional>

using namespace clang;

namespace cudalint {
namespace {

/// Custom diagnostics have no option of Clang's: their text names ours.
DiagnosticBuilder say(DiagnosticsEngine &Diagnostics, SourceLocation Where,
                      DiagnosticIDs::Level Level, const std::string &Text) {
  const unsigned ID =
      Diagnostics.getDiagnosticIDs()->getCustomDiagID(Level, "%0");
  return Diagnostics.Report(Where, ID) << Text;
}

/// A custom diagnostic is of no -W option: what they say is looked up. Nothing:
/// the finding is not to be told.
std::optional<DiagnosticIDs::Level> levelOf(const Finding &F,
                                            const WarningFlags &Flags) {
  const WarningFlags::Level Its = Flags.of(F.Check);
  if (Its == WarningFlags::Level::Ignored)
    return std::nullopt;
  if (F.Level == Severity::Note)
    return DiagnosticIDs::Remark;
  return Its == WarningFlags::Level::Error ? DiagnosticIDs::Error
                                           : DiagnosticIDs::Warning;
}

class FindingsConsumer : public ASTConsumer {
public:
  FindingsConsumer(CompilerInstance &Compiler, TreeOptions Options)
      : Compiler(Compiler), Options(std::move(Options)) {}

  void HandleTranslationUnit(ASTContext &AST) override {
    DiagnosticsEngine &Diagnostics = AST.getDiagnostics();
    if (Diagnostics.getIgnoreAllWarnings()) // -w
      return;
    const TreeFindings Found =
        analyseTree(AST, Compiler.getCodeGenOpts(), Options);
    if (!Found.Error.empty())
      say(Diagnostics, {}, DiagnosticIDs::Warning,
          "cuda-lint: " + Found.Error + " [-Wcuda-lint]");
    const WarningFlags Flags(Compiler.getDiagnosticOpts().Warnings,
                             Diagnostics.getWarningsAsErrors());
    for (const Finding &F : Found.Findings)
      if (const std::optional<DiagnosticIDs::Level> Level = levelOf(F, Flags))
        report(F, *Level, AST.getSourceManager(), Diagnostics);
  }

private:
  static void report(const Finding &F, DiagnosticIDs::Level Level,
                     const SourceManager &Sources,
                     DiagnosticsEngine &Diagnostics) {
    say(Diagnostics, locationOf(F.Where, Sources), Level,
        messageOf(F) + (Level == DiagnosticIDs::Error ? " [-Werror," : " [") +
            "-Wcuda-lint-" + F.Check + "]");
    for (const Location &Call : F.InlinedAt)
      if (const SourceLocation At = locationOf(Call, Sources); At.isValid())
        say(Diagnostics, At, DiagnosticIDs::Note, "called from here");
    // On a note, as what a compiler must not apply by itself.
    for (const Fix &Each : F.Fixes)
      if (const std::vector<FixItHint> Hints = hintsOf(Each, Sources);
          !Hints.empty()) {
        const DiagnosticBuilder Note =
            say(Diagnostics, Hints.front().RemoveRange.getBegin(),
                DiagnosticIDs::Note, Each.Description);
        for (const FixItHint &Hint : Hints)
          Note << Hint;
      }
  }

  CompilerInstance &Compiler;
  const TreeOptions Options;
};

class CudaLintAction : public PluginASTAction {
protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &Compiler,
                                                 StringRef) override {
    return std::make_unique<FindingsConsumer>(Compiler, Options);
  }

  bool ParseArgs(const CompilerInstance &Compiler,
                 const std::vector<std::string> &Arguments) override {
    for (const std::string &Argument : Arguments) {
      const auto [Name, Value] = StringRef(Argument).split('=');
      if (Name == "gpu")
        Options.Gpu = Value.str();
      else if (Name == "checks")
        Options.Checks = Value.str();
      else
        say(Compiler.getDiagnostics(), {}, DiagnosticIDs::Warning,
            "cuda-lint: '" + Argument +
                "' is no option of the plugin: gpu=NAME, checks=GLOBS "
                "[-Wcuda-lint]");
    }
    return true;
  }

  ActionType getActionType() override { return AddBeforeMainAction; }

private:
  TreeOptions Options;
};

} // namespace

static const bool IsRegistered = [] {
  if (!isBuiltForThisClang())
    return false;
  static const FrontendPluginRegistry::Add<CudaLintAction> Registration(
      "cudalint", "performance faults of CUDA code");
  return true;
}();

} // namespace cudalint
