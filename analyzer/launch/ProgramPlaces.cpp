//===- analyzer/launch/ProgramPlaces.cpp - Names across files -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/ProgramPlaces.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Index/USRGeneration.h"
#include "llvm/ADT/SmallString.h"

using namespace clang;

namespace cudalint {

std::string usrOf(const Decl &D) {
  llvm::SmallString<128> Name;
  return index::generateUSRForDecl(&D, Name) ? std::string() : Name.str().str();
}

bool hasKnownCallers(const FunctionDecl &Function) {
  return !isa<CXXMethodDecl>(Function) && !Function.isOverloadedOperator() &&
         !Function.isMain() && !Function.isVariadic() &&
         !isInSystemHeader(Function);
}

std::string sharedName(const FunctionDecl &Function) {
  return hasKnownCallers(Function) && Function.hasExternalFormalLinkage()
             ? usrOf(Function)
             : std::string();
}

bool isOfAnotherFile(const FunctionDecl &Function) {
  return !Function.getDefinition() && !Function.getBuiltinID() &&
         !Function.hasAttr<CUDAGlobalAttr>() && !isInSystemHeader(Function) &&
         !sharedName(Function).empty();
}

static bool isInteger(QualType Type) {
  return !Type.isNull() && !Type->isDependentType() &&
         !Type.isVolatileQualified() && Type->isIntegralOrEnumerationType() &&
         !Type->isBitIntType() &&
         !Type->isSpecificBuiltinType(BuiltinType::Int128) &&
         !Type->isSpecificBuiltinType(BuiltinType::UInt128);
}

static const FunctionDecl *functionOf(const ParmVarDecl &Parameter) {
  return dyn_cast_or_null<FunctionDecl>(Parameter.getDeclContext());
}

bool isProgramPlace(const ValueDecl &Declaration) {
  if (!isInteger(Declaration.getType()) || isInSystemHeader(Declaration))
    return false;
  if (const auto *Field = dyn_cast<FieldDecl>(&Declaration)) {
    const RecordDecl *Record = Field->getParent();
    return !Field->isBitField() && !Record->isUnion() && !Record->isLambda() &&
           !Record->isAnonymousStructOrUnion();
  }
  if (const auto *Parameter = dyn_cast<ParmVarDecl>(&Declaration)) {
    const FunctionDecl *Function = functionOf(*Parameter);
    return Function && hasKnownCallers(*Function);
  }
  const auto *Variable = dyn_cast<VarDecl>(&Declaration);
  return Variable && Variable->hasGlobalStorage() &&
         !isa<VarTemplateSpecializationDecl>(Variable) &&
         !Variable->hasAttr<CUDADeviceAttr>() &&
         !Variable->hasAttr<CUDAConstantAttr>() &&
         !Variable->hasAttr<CUDASharedAttr>() &&
         !Variable->hasAttr<HIPManagedAttr>();
}

/// The same for all declarations of a variable that files share, also for
/// those within functions and, of C, within namespaces.
static std::string variableName(const VarDecl &Variable) {
  if (!Variable.hasExternalFormalLinkage() || Variable.isStaticDataMember() ||
      Variable.isStaticLocal())
    return usrOf(Variable);
  if (const auto *Label = Variable.getAttr<AsmLabelAttr>())
    return "extern " + Label->getLabel().str();
  std::string Name = Variable.getNameAsString();
  const DeclContext *Scope = Variable.getDeclContext();
  for (; !Variable.isExternC() && !Scope->isTranslationUnit();
       Scope = Scope->getParent())
    if (const auto *Space = dyn_cast<NamespaceDecl>(Scope))
      Name = Space->getNameAsString() + "::" + Name;
  return "extern " + Name;
}

static std::string placeName(const ValueDecl &Declaration) {
  if (!isProgramPlace(Declaration))
    return {};
  const auto *Parameter = dyn_cast<ParmVarDecl>(&Declaration);
  if (!Parameter)
    return isa<FieldDecl>(Declaration)
               ? usrOf(Declaration)
               : variableName(cast<VarDecl>(Declaration));
  std::string Name = usrOf(*functionOf(*Parameter));
  if (!Name.empty())
    Name += "#" + std::to_string(Parameter->getFunctionScopeIndex());
  return Name;
}

const std::string &ProgramPlaces::nameOf(const ValueDecl &Declaration) {
  auto [Found, IsNew] = Names.try_emplace(&Declaration);
  if (IsNew)
    Found->second = placeName(Declaration);
  return Found->second;
}

} // namespace cudalint
