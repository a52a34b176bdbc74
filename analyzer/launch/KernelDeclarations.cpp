//===- analyzer/launch/KernelDeclarations.cpp - The kernels ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/KernelDeclarations.h"

#include "analyzer/frontend/IntegerConstants.h"
#include "analyzer/frontend/SourcePlaces.h"
#include "analyzer/launch/KernelUses.h"
#include "analyzer/launch/LaneCode.h"
#include "analyzer/launch/RestrictedPointers.h"
#include "analyzer/launch/SwappedIndices.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/AST/Mangle.h"
#include "clang/Basic/ParsedAttrInfo.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <set>
#include <tuple>

using namespace clang;

namespace cudalint {

//===----------------------------------------------------------------------===//
// __maxnreg__
//===----------------------------------------------------------------------===//

static constexpr llvm::StringLiteral MaxRegistersMark = "cuda-lint.maxnreg";

/// `__maxnreg__(N)` stands for an attribute that Clang does not know and would
/// drop. It is kept as an annotation, which templates instantiate.
namespace {
class MaxRegistersAttribute : public ParsedAttrInfo {
public:
  MaxRegistersAttribute() {
    static constexpr Spelling Names[] = {
        {AttributeCommonInfo::AS_GNU, "maxnreg"},
        {AttributeCommonInfo::AS_Declspec, "maxnreg"}};
    Spellings = Names;
    NumArgs = 1;
  }
  AttrHandling handleDeclAttribute(Sema &S, Decl *D,
                                   const ParsedAttr &Given) const override {
    if (!isa<FunctionDecl>(D) || Given.getNumArgs() != 1 || !Given.isArgExpr(0))
      return AttributeNotApplied;
    Expr *Value = Given.getArgAsExpr(0);
    if (Attr *Mark = S.CreateAnnotationAttr(Given, MaxRegistersMark, Value))
      D->addAttr(Mark);
    return AttributeApplied;
  }
};
} // namespace

static const ParsedAttrInfoRegistry::Add<MaxRegistersAttribute>
    Registration("maxnreg", "Keeps the registers that __maxnreg__ allows");

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

LinkageNames::LinkageNames(ASTContext &Context)
    : Mangler(Context.createMangleContext()) {}

LinkageNames::~LinkageNames() = default;

std::string LinkageNames::nameOf(const FunctionDecl &Function) const {
  if (Function.isInvalidDecl() || Function.isDependentContext())
    return {};
  if (!Mangler->shouldMangleDeclName(&Function))
    return Function.getNameAsString();
  std::string Name;
  llvm::raw_string_ostream Out(Name);
  Mangler->mangleName(
      GlobalDecl(&Function, GlobalDecl::getDefaultKernelReference(&Function)),
      Out);
  return Name;
}

static PrintingPolicy policyFor(const FunctionDecl &Function) {
  PrintingPolicy Policy(Function.getASTContext().getLangOpts());
  Policy.SuppressTagKeyword = true;
  Policy.Bool = true;
  return Policy;
}

std::string writtenName(const FunctionDecl &Function) {
  std::string Name;
  llvm::raw_string_ostream Out(Name);
  Function.getNameForDiagnostic(Out, policyFor(Function), /*Qualified=*/true);
  return Name;
}

static std::string signatureOf(const FunctionDecl &Function) {
  PrintingPolicy Policy = policyFor(Function);
  std::string Signature = writtenName(Function) + "(";
  llvm::raw_string_ostream Out(Signature);
  llvm::ListSeparator Comma;
  for (const ParmVarDecl *Parameter : Function.parameters()) {
    Out << Comma;
    // Top-level const and restrict are no part of the signature.
    Parameter->getType().getUnqualifiedType().print(Out, Policy);
  }
  if (Function.isVariadic())
    Out << Comma << "...";
  Out << ")";
  return Signature;
}

static std::optional<std::int64_t> constantValue(const Expr *Value,
                                                 const ASTContext &Context) {
  return Value ? int64Constant(Context, *Value) : std::nullopt;
}

/// The dimension of threadIdx or blockDim that `S` names, or 0.
static unsigned dimensionNamed(const Stmt &S) {
  const std::optional<BuiltinPart> Named = builtinPart(S);
  if (!Named ||
      (Named->Variable != "threadIdx" && Named->Variable != "blockDim"))
    return 0;
  return Named->Part == "z" ? 3 : Named->Part == "y" ? 2 : 1;
}

/// Of a body and, when `FollowCalls`, of the user's functions that it calls.
static unsigned dimensionsUsed(const Stmt *Body, bool FollowCalls) {
  unsigned Dimensions = 1;
  llvm::SmallPtrSet<const FunctionDecl *, 16> Callees;
  forEachStatement(Body, [&](const Stmt &S) {
    Dimensions = std::max(Dimensions, dimensionNamed(S));
    const auto *Call = dyn_cast<CallExpr>(&S);
    if (!Call || !FollowCalls)
      return;
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (const FunctionDecl *Definition =
            Callee ? Callee->getDefinition() : nullptr;
        Definition && !isInSystemHeader(Definition->getASTContext(),
                                        Definition->getLocation()))
      Callees.insert(Definition);
  });
  for (const FunctionDecl *Each : Callees)
    Dimensions = std::max(
        Dimensions, dimensionsUsed(Each->getBody(), /*FollowCalls=*/false));
  return Dimensions;
}

static KernelParameter describe(const ParmVarDecl &Parameter,
                                const PrintingPolicy &Policy,
                                const ASTContext &Context) {
  using Kind = KernelParameter::Kind;
  const QualType Type = Parameter.getType();
  KernelParameter Result;
  Result.Name = Parameter.getNameAsString();
  Result.Type = Type.getUnqualifiedType().getAsString(Policy);
  // Of a template that is never instantiated, the type may be unknown.
  if (Type->isDependentType())
    return Result;
  if (Type->isIntegralOrEnumerationType()) {
    Result.What = Kind::Integer;
    Result.Bits = Context.getIntWidth(Type);
    Result.IsSigned = Type->isSignedIntegerOrEnumerationType();
  } else if (Type->isRealFloatingType()) {
    Result.What = Kind::Floating;
  } else if (Type->isAnyPointerType() || Type->isReferenceType() ||
             Type->isNullPtrType()) {
    Result.What = Kind::Pointer;
  }
  return Result;
}

static KernelDeclaration describe(const FunctionDecl &Kernel,
                                  const ASTContext &Context,
                                  const LinkageNames &Names) {
  KernelDeclaration Result;
  Result.Name = Names.nameOf(Kernel);
  Result.Signature = signatureOf(Kernel);
  Result.PlainName = plainName(Kernel);
  if (const FunctionTemplateDecl *Template = Kernel.getPrimaryTemplate()) {
    Result.Template = Template->getQualifiedNameAsString();
    const PrintingPolicy Policy = policyFor(Kernel);
    for (const TemplateArgument &Each :
         Kernel.getTemplateSpecializationArgs()->asArray()) {
      std::string Text;
      llvm::raw_string_ostream Out(Text);
      Each.print(Policy, Out, /*IncludeType=*/false);
      Result.TemplateArguments.push_back(std::move(Text));
    }
  }
  SourcePlace Place = placeOf(Context, Kernel.getLocation());
  Result.Where = std::move(Place.Where);
  Result.Origin = std::move(Place.Origin);
  const SourceLocation Name = Kernel.getQualifierLoc()
                                  ? Kernel.getQualifierLoc().getBeginLoc()
                                  : Kernel.getLocation();
  Result.BoundsPlace = insertionAt(Context, Name, "");
  Result.SwapsIndices = swappedIndices(Kernel);
  Result.Restricts = restrictedPointers(Kernel);
  Result.IsOfFileAlone = !Kernel.isExternallyVisible();
  if (const auto *Bounds = Kernel.getAttr<CUDALaunchBoundsAttr>()) {
    Result.MaxThreads = constantValue(Bounds->getMaxThreads(), Context);
    Result.MinBlocks = constantValue(Bounds->getMinBlocks(), Context);
  }
  for (const auto *Mark : Kernel.specific_attrs<AnnotateAttr>())
    if (Mark->getAnnotation() == MaxRegistersMark && Mark->args_size() == 1)
      Result.MaxRegisters = constantValue(*Mark->args_begin(), Context);
  if (const auto *Cluster = Kernel.getAttr<CUDAClusterDimsAttr>()) {
    const auto blocks = [&](const Expr *Size) {
      return Size ? constantValue(Size, Context) : 1;
    };
    Result.ClusterSize = {blocks(Cluster->getX()), blocks(Cluster->getY()),
                          blocks(Cluster->getZ())};
  }
  for (const ParmVarDecl *Parameter : Kernel.parameters())
    Result.Parameters.push_back(
        describe(*Parameter, policyFor(Kernel), Context));
  Result.DimensionsUsed =
      dimensionsUsed(Kernel.getBody(), /*FollowCalls=*/true);
  return Result;
}

static void sortBySource(std::vector<KernelDeclaration> &Kernels) {
  std::stable_sort(Kernels.begin(), Kernels.end(),
                   [](const KernelDeclaration &A, const KernelDeclaration &B) {
                     return std::tie(A.Where, A.Signature) <
                            std::tie(B.Where, B.Signature);
                   });
}

void collectKernels(ASTContext &Context, const UserFunctions &Functions,
                    const LinkageNames &Names, LaunchFacts &Facts) {
  const std::set<const FunctionDecl *> UsedOtherwise =
      kernelsUsedOtherwise(Context);
  for (const FunctionDecl *Each : Functions.Definitions)
    if (Each->hasAttr<CUDAGlobalAttr>()) {
      Facts.Kernels.push_back(describe(*Each, Context, Names));
      Facts.Kernels.back().IsUsedOtherwise =
          Context.getDiagnostics().hasErrorOccurred() ||
          UsedOtherwise.contains(Each->getCanonicalDecl());
    }
  for (const FunctionTemplateDecl *Each : Functions.Templates) {
    const FunctionDecl *Pattern = Each->getTemplatedDecl()->getDefinition();
    bool Instantiated =
        llvm::any_of(Each->specializations(), [](const FunctionDecl *Instance) {
          return Instance->getDefinition() != nullptr;
        });
    if (Pattern->hasAttr<CUDAGlobalAttr>() && !Instantiated)
      Facts.UninstantiatedTemplates.push_back(
          describe(*Pattern, Context, Names));
  }
  sortBySource(Facts.Kernels);
  sortBySource(Facts.UninstantiatedTemplates);
}

} // namespace cudalint
