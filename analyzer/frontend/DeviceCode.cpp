//===- analyzer/frontend/DeviceCode.cpp - Device IR despite errors --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/DeviceCode.h"

#include "analyzer/frontend/AstEdits.h"
#include "analyzer/frontend/CastAlignment.h"
#include "analyzer/frontend/ConstantTables.h"
#include "analyzer/frontend/LostEnumerators.h"
#include "analyzer/frontend/SyntaxVisitor.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclGroup.h"
#include "clang/Basic/CodeGenOptions.h"
#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CrashRecoveryContext.h"

#include <map>
#include <memory>
#include <set>
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
class ErrorFinder : public SyntaxVisitor {
public:
  bool Found = false;

  explicit ErrorFinder(LostEnumerators &Lost) : Lost(Lost) {
    ShouldVisitImplicitCode = true;
  }

  bool VisitExpr(Expr *E) override {
    Found |= E->containsErrors() || isBroken(E->getType());
    return !Found;
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) override {
    if (const auto *Constant = dyn_cast<EnumConstantDecl>(E->getDecl()))
      Found |= Lost.has(*Constant);
    return !Found;
  }
  bool VisitDecl(Decl *D) override {
    Found |= D->isInvalidDecl();
    return !Found;
  }
  bool VisitVarDecl(VarDecl *D) override {
    Found |= isBroken(D->getType());
    return !Found;
  }

private:
  LostEnumerators &Lost;
};

} // namespace

static bool hasError(FunctionDecl *F, LostEnumerators &Lost) {
  if (F->isInvalidDecl() || isBroken(F->getReturnType()))
    return true;
  for (ParmVarDecl *P : F->parameters())
    if (P->isInvalidDecl() || isBroken(P->getType()))
      return true;
  ErrorFinder Finder(Lost);
  if (auto *C = dyn_cast<CXXConstructorDecl>(F))
    for (CXXCtorInitializer *I : C->inits())
      Finder.TraverseConstructorInitializer(I);
  Finder.TraverseStmt(F->getBody());
  return Finder.Found;
}

static bool hasError(VarDecl *V, LostEnumerators &Lost) {
  if (V->isInvalidDecl() || isBroken(V->getType()))
    return true;
  ErrorFinder Finder(Lost);
  Finder.TraverseStmt(V->getInit());
  return Finder.Found;
}

namespace {

/// Finds the functions of a translation unit that cannot be trusted.
class BrokenFunctions : public SyntaxVisitor {
public:
  BrokenFunctions(const SourceManager &Sources,
                  const std::vector<Problem> &Errors)
      : Sources(Sources) {
    for (const Problem &Error : Errors) {
      auto [File, Offset] = Sources.getDecomposedLoc(Error.Where);
      Offsets[File].push_back(Offset);
    }
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = true;
  }

  bool VisitFunctionDecl(FunctionDecl *F) override {
    // Bodies that are never asked for may be left half parsed.
    if (!F->isThisDeclarationADefinition() || F->isDependentContext() ||
        !F->hasBody())
      return true;
    if (encloses(F) || hasError(F, Lost))
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
  LostEnumerators Lost;
};

/// What a code generator emits unasked: functions with bodies and variables,
/// also those that templates have become. What stands in a function, and all
/// vtables, it finds by itself where they are used.
class Definitions : public SyntaxVisitor {
public:
  std::vector<Decl *> Found;

  Definitions() {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = true;
  }

  bool TraverseStmt(Stmt *) override { return true; }
  bool TraverseTypeLoc(TypeLoc, bool = true) override { return true; }

  bool VisitFunctionDecl(FunctionDecl *F) override {
    if (F->doesThisDeclarationHaveABody() && !F->isTemplated() &&
        !F->isInvalidDecl())
      Found.push_back(F);
    return true;
  }
  bool VisitVarDecl(VarDecl *V) override {
    if (V->isFileVarDecl() && !V->isTemplated() && !hasError(V, Lost))
      Found.push_back(V);
    return true;
  }

private:
  LostEnumerators Lost;
};

} // namespace

/// Takes the bodies of broken functions out of the AST.
static void removeBroken(ASTContext &AST, const std::vector<Problem> &Errors,
                         AstEdits &Edits) {
  BrokenFunctions Broken(AST.getSourceManager(), Errors);
  Broken.TraverseDecl(AST.getTranslationUnitDecl());
  for (FunctionDecl *F : Broken.Found) {
    Edits.add([F, Body = F->getBody()] { F->setBody(Body); });
    F->setBody(nullptr);
  }
}

/// Relocatable code needs unique names even for what is static, so Clang
/// appends to them; the host's side of a launch says the plain name.
static void restoreNames(llvm::Module &Module) {
  for (llvm::Function &F : Module)
    for (llvm::StringRef Mark : {"__static__", "__intern__"})
      if (auto [Name, Rest] = F.getName().rsplit(Mark);
          !Rest.empty() && llvm::all_of(Rest, llvm::isHexDigit))
        F.setName(Name.str());
}

/// What the compiler was told to make, as code to be evaluated.
static CodeGenOptions evaluated(CodeGenOptions Options) {
  // For the attributes that optimised code gets; no pass runs here.
  Options.OptimizationLevel = 2;
  Options.DisableLLVMPasses = true;
  // nvcc loads again what a store of another type may have written.
  Options.RelaxedAliasing = true;
  // What only one lane has set, all may hand to a shuffle that asks that lane:
  // nvcc does not conclude that the others are not there.
  Options.EnableNoundefAttrs = false;
  // The driver thins this out for optimised device code.
  Options.setDebugInfo(llvm::codegenoptions::DebugLineTablesOnly);
  Options.DebugColumnInfo = true;
  // Gives functions their linkage names, which tell instantiations apart.
  Options.DebugInfoForProfiling = true;
  // Debug information splits absolute names at the compilation folder; with
  // one that no name starts with, every name stays as the user typed it.
  Options.DebugCompilationDir.assign(1, '.');
  // Messages name kernels' parameters.
  Options.DiscardValueNames = false;
  return Options;
}

/// Also a member of what is.
static bool isInStandardLibrary(const FunctionDecl &F) {
  const DeclContext *In = F.getDeclContext();
  while (In && In->isRecord())
    In = In->getParent();
  return In && In->getNonTransparentContext()->isStdNamespace();
}

/// Those of the standard library that nvcc knows on the device.
static bool isKnownToNvcc(const FunctionDecl &F) {
  const auto *Method = dyn_cast<CXXMethodDecl>(&F);
  return isInStandardLibrary(F) &&
         (Method ? Method->getParent()->getName() == "initializer_list"
                 : F.getIdentifier() && llvm::is_contained({"move", "forward",
                                                            "move_if_noexcept"},
                                                           F.getName()));
}

/// Whether Clang, but not nvcc, takes it for device code as well because it is
/// `constexpr`. The headers of the toolkit are none that nvcc does not know.
static bool isConstexprOfHost(const FunctionDecl &F,
                              const SourceManager &Sources) {
  const auto *Mark = F.getAttr<CUDADeviceAttr>();
  const auto *Method = dyn_cast<CXXMethodDecl>(&F);
  return F.isConstexpr() && Mark && Mark->isImplicit() && !F.isDefaulted() &&
         !(Method && Method->getParent()->isLambda()) && !isKnownToNvcc(F) &&
         (isInStandardLibrary(F) || !Sources.isInSystemHeader(F.getLocation()));
}

static const FunctionDecl *constexprOfHost(const llvm::Module &Module,
                                           CodeGenerator &Generator,
                                           const SourceManager &Sources) {
  for (const llvm::Function &Each : Module)
    if (const auto *F =
            Each.isDeclaration()
                ? nullptr
                : dyn_cast_or_null<FunctionDecl>(
                      Generator.GetDeclForMangledName(Each.getName()));
        F && isConstexprOfHost(*F, Sources))
      return F;
  return nullptr;
}

std::unique_ptr<llvm::Module>
generateDeviceCode(ASTContext &AST, const CodeGenOptions &Compilation,
                   const std::vector<Problem> &Errors,
                   llvm::LLVMContext &Context,
                   const FunctionDecl *&ConstexprOfHost) {
  // Whoever leaves by a crash runs no destructor; the tree is put back all the
  // same.
  const auto Edits = std::make_unique<AstEdits>();
  const llvm::CrashRecoveryContextCleanupRegistrar<AstEdits> PutBack(
      Edits.get());
  if (!Errors.empty() || AST.getDiagnostics().hasErrorOccurred())
    removeBroken(AST, Errors, *Edits);
  trustCasts(AST, *Edits);
  placeTables(AST, *Edits);
  const std::set<const Decl *> Constants = constantsOfHost(AST);
  Definitions All;
  All.TraverseDecl(AST.getTranslationUnitDecl());

  // An engine of its own, so that the errors of the parse do not count.
  DiagnosticOptions Options;
  DiagnosticsEngine Diagnostics(DiagnosticIDs::create(), Options,
                                new IgnoringDiagConsumer);
  SourceManager &Sources = AST.getSourceManager();
  Diagnostics.setSourceManager(&Sources);
  // Of debug information only, and kept by reference.
  const HeaderSearchOptions Search;
  const PreprocessorOptions Preprocessor;
  const OptionalFileEntryRef Main =
      Sources.getFileEntryRefForID(Sources.getMainFileID());
  const std::unique_ptr<CodeGenerator> Generator(
      CreateLLVMCodeGen(Diagnostics, Main ? Main->getName() : "",
                        Sources.getFileManager().getVirtualFileSystemPtr(),
                        Search, Preprocessor, evaluated(Compilation), Context));
  Generator->Initialize(AST);
  for (Decl *D : All.Found)
    Generator->HandleTopLevelDecl(DeclGroupRef(D));
  Generator->HandleTranslationUnit(AST);
  std::unique_ptr<llvm::Module> Module(Generator->ReleaseModule());
  if (Module) {
    nameTables(*Module, *Generator);
    forgetContents(Constants, *Module, *Generator);
    ConstexprOfHost = constexprOfHost(*Module, *Generator, Sources);
    restoreNames(*Module);
  }
  return Module;
}

} // namespace cudalint
