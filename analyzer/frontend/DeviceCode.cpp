//===- analyzer/frontend/DeviceCode.cpp - Device IR despite errors --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/DeviceCode.h"

#include "analyzer/frontend/CastAlignment.h"
#include "analyzer/frontend/ConstantTables.h"
#include "analyzer/frontend/Diagnostics.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclGroup.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Basic/SourceManager.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"

#include <map>
#include <set>
#include <variant>
#include <vector>

using namespace clang;

namespace cudalint {

static bool isBroken(QualType Type) {
  if (Type.isNull() || Type->containsErrors())
    return true;
  const TagDecl *Tag = Type->getAsTagDecl();
  return Tag && Tag->isInvalidDecl();
}

namespace {

/// Looks for what the code generator must not see: a statement or a type that
/// the parser could not make sense of.
class ErrorFinder : public RecursiveASTVisitor<ErrorFinder> {
public:
  bool Found = false;

  bool shouldVisitImplicitCode() const { return true; }
  bool shouldVisitLambdaBody() const { return true; }

  bool VisitExpr(Expr *E) {
    Found |= E->containsErrors() || isBroken(E->getType());
    return !Found;
  }
  bool VisitDecl(Decl *D) {
    Found |= D->isInvalidDecl();
    return !Found;
  }
  bool VisitVarDecl(VarDecl *D) {
    Found |= isBroken(D->getType());
    return !Found;
  }
};

} // namespace

static bool hasError(FunctionDecl *F) {
  if (F->isInvalidDecl() || isBroken(F->getReturnType()))
    return true;
  for (ParmVarDecl *P : F->parameters())
    if (P->isInvalidDecl() || isBroken(P->getType()))
      return true;
  ErrorFinder Finder;
  if (auto *C = dyn_cast<CXXConstructorDecl>(F))
    for (CXXCtorInitializer *I : C->inits())
      Finder.TraverseConstructorInitializer(I);
  Finder.TraverseStmt(F->getBody());
  return Finder.Found;
}

static bool hasError(VarDecl *V) {
  if (V->isInvalidDecl() || isBroken(V->getType()))
    return true;
  ErrorFinder Finder;
  Finder.TraverseStmt(V->getInit());
  return Finder.Found;
}

namespace {

/// Finds the functions of a translation unit that cannot be trusted.
class BrokenFunctions : public RecursiveASTVisitor<BrokenFunctions> {
public:
  BrokenFunctions(const SourceManager &Sources,
                  const std::vector<Problem> &Errors)
      : Sources(Sources) {
    for (const Problem &Error : Errors) {
      auto [File, Offset] = Sources.getDecomposedLoc(Error.Where);
      Offsets[File].push_back(Offset);
    }
  }

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }

  bool VisitFunctionDecl(FunctionDecl *F) {
    // Bodies that are never asked for may be left half parsed.
    if (!F->isThisDeclarationADefinition() || F->isDependentContext() ||
        !F->hasBody())
      return true;
    if (encloses(F) || hasError(F))
      Found.push_back(F);
    return true;
  }

  std::vector<FunctionDecl *> Found;

private:
  /// A statement that the parser gave up leaves no trace in the tree, so the
  /// places of the errors count as well.
  bool encloses(const FunctionDecl *F) const {
    CharSourceRange Range = Sources.getExpansionRange(F->getSourceRange());
    auto [File, Begin] = Sources.getDecomposedLoc(Range.getBegin());
    auto [EndFile, End] = Sources.getDecomposedLoc(Range.getEnd());
    auto Errors = Offsets.find(File);
    if (Errors == Offsets.end() || EndFile != File)
      return false;
    return llvm::any_of(Errors->second,
                        [&, First = Begin, Last = End](unsigned Offset) {
                          return First <= Offset && Offset <= Last;
                        });
  }

  const SourceManager &Sources;
  std::map<FileID, std::vector<unsigned>> Offsets;
};

/// Notes what Sema hands to a consumer and replays it into the code generator
/// when the errors are known: Clang's generator would have started at once.
class DeviceCodeConsumer : public ASTConsumer {
public:
  DeviceCodeConsumer(CompilerInstance &Compiler, const ErrorCollector &Errors,
                     llvm::LLVMContext &Context,
                     std::function<bool(ASTContext &)> OnAST,
                     std::unique_ptr<llvm::Module> &Module)
      : Compiler(Compiler), Errors(Errors), Context(Context),
        OnAST(std::move(OnAST)), Module(Module) {}

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    Events.push_back(Group);
    return true;
  }
  void HandleInlineFunctionDefinition(FunctionDecl *F) override {
    Events.push_back(InlineFunction{F});
  }
  void HandleTagDeclDefinition(TagDecl *D) override {
    Events.push_back(TagDefinition{D});
  }
  void HandleTagDeclRequiredDefinition(const TagDecl *) override {}
  void CompleteTentativeDefinition(VarDecl *D) override {
    Events.push_back(Tentative{D});
  }
  void CompleteExternalDeclaration(DeclaratorDecl *) override {}
  void HandleCXXStaticMemberVarInstantiation(VarDecl *D) override {
    Events.push_back(StaticMember{D});
  }
  void HandleVTable(CXXRecordDecl *D) override { Events.push_back(VTable{D}); }

  /// The bodies of host functions in system headers: nobody reads them, and
  /// they are most of what there is to parse. A `constexpr` function may be
  /// called from device code, and its value may be needed for a launch; Sema
  /// never skips one of those.
  bool shouldSkipFunctionBody(Decl *D) override {
    const auto *F = D->getAsFunction();
    if (!F || F->hasAttr<CUDADeviceAttr>() || F->hasAttr<CUDAGlobalAttr>())
      return false;
    const SourceManager &SM = D->getASTContext().getSourceManager();
    return SM.isInSystemHeader(F->getLocation());
  }

  void HandleTranslationUnit(ASTContext &AST) override {
    if (!OnAST(AST))
      return;
    if (Compiler.getDiagnostics().hasErrorOccurred())
      scrub(AST);
    trustCasts(AST);
    placeTables(AST);
    const std::set<const Decl *> Constants = constantsOfHost(AST);

    // An engine of its own, so that the errors of the parse do not count.
    DiagnosticOptions Options;
    DiagnosticsEngine Diagnostics(DiagnosticIDs::create(), Options,
                                  new IgnoringDiagConsumer);
    Diagnostics.setSourceManager(&AST.getSourceManager());
    std::unique_ptr<CodeGenerator> Generator(CreateLLVMCodeGen(
        Diagnostics, Compiler.getFrontendOpts().Inputs[0].getFile(),
        Compiler.getVirtualFileSystemPtr(), Compiler.getHeaderSearchOpts(),
        Compiler.getPreprocessorOpts(), Compiler.getCodeGenOpts(), Context));
    Generator->Initialize(AST);
    for (Event &E : Events)
      std::visit([&](auto &What) { replay(*Generator, What); }, E);
    Generator->HandleTranslationUnit(AST);
    Module = Generator->ReleaseModule();
    if (Module) {
      nameTables(*Module, *Generator);
      forgetContents(Constants, *Module, *Generator);
      restoreNames(*Module);
    }
  }

private:
  struct InlineFunction {
    FunctionDecl *Decl;
  };
  struct TagDefinition {
    TagDecl *Decl;
  };
  struct Tentative {
    VarDecl *Decl;
  };
  struct StaticMember {
    VarDecl *Decl;
  };
  struct VTable {
    CXXRecordDecl *Decl;
  };
  using Event = std::variant<DeclGroupRef, InlineFunction, TagDefinition,
                             Tentative, StaticMember, VTable>;

  /// Relocatable code needs unique names even for what is static, so Clang
  /// appends to them; the host's side of a launch says the plain name.
  static void restoreNames(llvm::Module &Module) {
    for (llvm::Function &F : Module)
      for (llvm::StringRef Mark : {"__static__", "__intern__"})
        if (auto [Name, Rest] = F.getName().rsplit(Mark);
            !Rest.empty() && llvm::all_of(Rest, llvm::isHexDigit))
          F.setName(Name.str());
  }

  /// Takes the bodies of broken functions out of the AST.
  void scrub(ASTContext &AST) {
    BrokenFunctions Broken(AST.getSourceManager(), Errors.problems());
    Broken.TraverseDecl(AST.getTranslationUnitDecl());
    for (FunctionDecl *F : Broken.Found)
      F->setBody(nullptr);
  }

  static bool isUsable(Decl *D) {
    if (D->isInvalidDecl())
      return false;
    if (auto *V = dyn_cast<VarDecl>(D))
      return V->isTemplated() || !hasError(V);
    return true;
  }

  static void replay(CodeGenerator &Generator, DeclGroupRef &Group) {
    for (Decl *D : Group)
      if (isUsable(D))
        Generator.HandleTopLevelDecl(DeclGroupRef(D));
  }
  static void replay(CodeGenerator &Generator, InlineFunction &E) {
    if (!E.Decl->isInvalidDecl())
      Generator.HandleInlineFunctionDefinition(E.Decl);
  }
  static void replay(CodeGenerator &Generator, TagDefinition &E) {
    if (!E.Decl->isInvalidDecl())
      Generator.HandleTagDeclDefinition(E.Decl);
  }
  static void replay(CodeGenerator &Generator, Tentative &E) {
    if (isUsable(E.Decl))
      Generator.CompleteTentativeDefinition(E.Decl);
  }
  static void replay(CodeGenerator &Generator, StaticMember &E) {
    if (isUsable(E.Decl))
      Generator.HandleCXXStaticMemberVarInstantiation(E.Decl);
  }
  static void replay(CodeGenerator &Generator, VTable &E) {
    if (!E.Decl->isInvalidDecl())
      Generator.HandleVTable(E.Decl);
  }

  CompilerInstance &Compiler;
  const ErrorCollector &Errors;
  llvm::LLVMContext &Context;
  std::function<bool(ASTContext &)> OnAST;
  std::unique_ptr<llvm::Module> &Module;
  std::vector<Event> Events;
};

} // namespace

std::unique_ptr<ASTConsumer>
makeDeviceCodeConsumer(CompilerInstance &Compiler, const ErrorCollector &Errors,
                       llvm::LLVMContext &Context,
                       std::function<bool(ASTContext &)> OnAST,
                       std::unique_ptr<llvm::Module> &Module) {
  return std::make_unique<DeviceCodeConsumer>(Compiler, Errors, Context,
                                              std::move(OnAST), Module);
}

} // namespace cudalint
