//===- analyzer/launch/FieldArrays.cpp - Structs of arrays ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/FieldArrays.h"

#include "analyzer/frontend/SourcePlaces.h"
#include "analyzer/frontend/WrittenMacros.h"
#include "analyzer/frontend/WrittenNames.h"
#include "analyzer/launch/ElementCount.h"
#include "analyzer/launch/FieldArrayText.h"
#include "analyzer/launch/PointerUses.h"
#include "analyzer/launch/RuntimeCalls.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

using namespace clang;

namespace cudalint {

namespace {
/// Follows the pointers to one struct from the kernels to the memory.
class PointerSearch {
public:
  PointerSearch(const CXXRecordDecl &Struct, const UserFunctions &Functions,
                const PointerUses &Uses)
      : Context(Struct.getASTContext()), Sources(Context.getSourceManager()),
        Struct(Struct), Functions(Functions), Uses(Uses), Macros(Context),
        Text(Context, Struct) {}

  /// Empty where they cannot be followed.
  std::vector<Edit> edits() {
    for (const FunctionDecl *Each : Functions.Definitions)
      if (Each->hasAttr<CUDAGlobalAttr>())
        for (const ParmVarDecl *Parameter : Each->parameters())
          if (structBehind(Parameter->getType()) == &Struct)
            add(*Parameter);
    // What is found on the way is appended.
    for (std::size_t I = 0; I != Variables.size(); ++I)
      if (!read(*Variables[I]))
        return {};
    for (const VarDecl *Each : Variables)
      if (!write(*Each))
        return {};
    return Variables.empty() ? std::vector<Edit>() : Text.edits();
  }

private:
  void add(const VarDecl &Variable) {
    if (Seen.insert(&Variable).second)
      Variables.push_back(&Variable);
  }

  const std::vector<PointerUse> &usesOf(const VarDecl &Variable) const {
    static const std::vector<PointerUse> None;
    const auto Its = Uses.Variables.find(&Variable);
    return Its == Uses.Variables.end() ? None : Its->second;
  }

  bool read(const VarDecl &Variable) {
    const auto *In = dyn_cast<FunctionDecl>(Variable.getDeclContext());
    const auto *Method = dyn_cast_or_null<CXXMethodDecl>(In);
    // What instantiations do may differ; a lambda's variables may be others'.
    if (!In || In->isTemplateInstantiation() || In->isDependentContext() ||
        (Method && Method->getParent()->isLambda()) ||
        structBehind(Variable.getType()) != &Struct ||
        !isAllThatNames(Variable, *In))
      return false;
    const auto *Parameter = dyn_cast<ParmVarDecl>(&Variable);
    return Parameter ? readParameter(*Parameter, *In)
                     : readMemory(Variable, *In);
  }

  /// Whether what is known to name \p Variable is all, also of what the
  /// preprocessor left out.
  bool isAllThatNames(const VarDecl &Variable, const FunctionDecl &In) const {
    std::set<SourceLocation> Places = {
        Sources.getFileLoc(Variable.getLocation())};
    for (const PointerUse &Each : usesOf(Variable))
      if (Each.Name)
        Places.insert(Sources.getFileLoc(Each.Name->getLocation()));
    forEachStatement(In.getBody(), [&](const Stmt &S) {
      if (const auto *Member = dyn_cast<MemberExpr>(&S))
        Places.insert(Sources.getFileLoc(Member->getMemberLoc()));
    });
    return !Macros.mayName(Variable.getName()) &&
           isNamedOnlyAt(Context, In.getSourceRange(), Variable.getName(),
                         Places);
  }

  /// The parameter of the function of the user's that \p Use passes it to.
  static const ParmVarDecl *parameterOf(const PointerUse &Use) {
    const FunctionDecl *Callee = Use.Call->getDirectCallee();
    Callee = Callee ? Callee->getDefinition() : nullptr;
    return Callee && Use.Argument < Callee->getNumParams()
               ? Callee->getParamDecl(Use.Argument)
               : nullptr;
  }

  /// One that gets the arrays. Nothing but its fields is looked at.
  bool readParameter(const ParmVarDecl &Parameter, const FunctionDecl &In) {
    const unsigned Index = Parameter.getFunctionScopeIndex();
    if (Parameter.hasDefaultArg() || !isKnownWhole(In))
      return false;
    for (const PointerUse &Use : usesOf(Parameter)) {
      if (Use.What == PointerUse::Kind::Argument) {
        const ParmVarDecl *Other = parameterOf(Use);
        if (!Other)
          return false;
        add(*Other);
      } else if (Use.What != PointerUse::Kind::Field) {
        return false;
      }
    }
    const auto Calls = Uses.Calls.find(In.getCanonicalDecl());
    // Else, somebody else calls it.
    if (Calls == Uses.Calls.end())
      return false;
    for (const CallExpr *Call : Calls->second) {
      const auto *Name = Index < Call->getNumArgs()
                             ? dyn_cast<DeclRefExpr>(
                                   Call->getArg(Index)->IgnoreParenImpCasts())
                             : nullptr;
      const auto *Variable =
          Name ? dyn_cast<VarDecl>(Name->getDecl()) : nullptr;
      if (!Variable)
        return false;
      add(*Variable);
    }
    return true;
  }

  /// Whether it has an attribute that may tell of its parameters, or give it
  /// another name.
  static bool hasUnknownAttribute(const FunctionDecl &Function) {
    return llvm::any_of(Function.attrs(), [](const Attr *Each) {
      return !Each->isImplicit() &&
             !isa<CUDAGlobalAttr, CUDADeviceAttr, CUDAHostAttr,
                  CUDALaunchBoundsAttr, AlwaysInlineAttr, NoInlineAttr,
                  UnusedAttr, WarnUnusedResultAttr>(Each);
    });
  }

  /// Whether all that names \p Function is known, and calls it. One of C has no
  /// parameters in its name: others would call it as before.
  bool isKnownWhole(const FunctionDecl &Function) const {
    if (isa<CXXMethodDecl>(Function) || Function.isExternC() ||
        !Function.getIdentifier())
      return false;
    const FunctionDecl *First = Function.getCanonicalDecl();
    std::set<const Expr *> Callees;
    if (const auto Calls = Uses.Calls.find(First); Calls != Uses.Calls.end())
      for (const CallExpr *Each : Calls->second)
        Callees.insert(Each->getCallee()->IgnoreParenImpCasts());
    std::set<SourceLocation> Places;
    if (llvm::any_of(Function.redecls(), [](const FunctionDecl *Each) {
          return hasUnknownAttribute(*Each);
        }))
      return false;
    for (const FunctionDecl *Each : Function.redecls())
      Places.insert(Sources.getFileLoc(Each->getLocation()));
    if (const auto Named = Uses.Named.find(First); Named != Uses.Named.end())
      for (const DeclRefExpr *Each : Named->second) {
        if (!Callees.contains(Each))
          return false;
        Places.insert(Sources.getFileLoc(Each->getLocation()));
      }
    bool IsWhole = true;
    forEachUserFile(Sources, [&](FileID File) {
      IsWhole &= isNamedOnlyAt(Context, rangeOf(Context, File),
                               Function.getName(), Places);
    });
    return IsWhole;
  }

  /// One that memory is allocated for, or that gets the address of another's.
  bool readMemory(const VarDecl &Variable, const FunctionDecl &In) {
    using enum PointerUse::Kind;
    if (!isHostCode(In) || !Variable.hasLocalStorage() ||
        Variable.getType()->getPointeeType().isConstQualified() ||
        Variable.hasAttrs())
      return false;
    ElementCount &Count =
        Counts.try_emplace(&In, ElementCount(Struct, In)).first->second;
    for (const PointerUse &Use : usesOf(Variable)) {
      Count.useAt(Use.Name ? Use.Name->getLocation() : Variable.getLocation());
      if (Use.With)
        add(*Use.With);
      switch (Use.What) {
      case Argument: {
        const ParmVarDecl *Parameter = parameterOf(Use);
        if (!Parameter)
          return false;
        add(*Parameter);
        break;
      }
      case Memory:
        if (Use.Bytes)
          Count.addBytes(*Use.Bytes);
        else
          Count.addElements(*Use.Elements);
        break;
      case Field:
      case Same:
      case Neutral:
      case SizeOf:
        break;
      case Other:
        return false;
      }
    }
    return true;
  }

  bool write(const VarDecl &Variable) {
    std::string Elements;
    if (const auto *Parameter = dyn_cast<ParmVarDecl>(&Variable)) {
      const auto *In = cast<FunctionDecl>(Variable.getDeclContext());
      for (const FunctionDecl *Each : In->redecls())
        if (!Text.addParameter(
                *Each->getParamDecl(Parameter->getFunctionScopeIndex())))
          return false;
    } else {
      const auto *In = cast<FunctionDecl>(Variable.getDeclContext());
      const auto [Known, IsNew] = Texts.try_emplace(In);
      if (IsNew)
        Known->second = Counts.at(In).text();
      Elements = Known->second;
      if (Elements.empty())
        return false;
    }
    return llvm::all_of(usesOf(Variable), [&](const PointerUse &Use) {
      if (Use.What == PointerUse::Kind::Field)
        return Text.addField(*Use.Name, *Use.Element, *Use.Field, Elements);
      if (Use.What == PointerUse::Kind::Argument)
        return Elements.empty() || Text.addArrays(*Use.Name, Elements);
      return true;
    });
  }

  const ASTContext &Context;
  const SourceManager &Sources;
  const CXXRecordDecl &Struct;
  const UserFunctions &Functions;
  const PointerUses &Uses;
  const WrittenMacros Macros;
  FieldArrayText Text;
  std::vector<const VarDecl *> Variables;
  std::set<const VarDecl *> Seen;
  std::map<const FunctionDecl *, ElementCount> Counts;
  std::map<const FunctionDecl *, std::string> Texts; ///< Of Counts.
};
} // namespace

/// Plain data of the main file, all of whose fields have the struct's
/// alignment and one size.
static bool isPlain(const CXXRecordDecl &Struct) {
  const ASTContext &Context = Struct.getASTContext();
  if (!Struct.isTrivial() || !Struct.isStandardLayout() || Struct.isUnion() ||
      Struct.getNumBases() != 0 || Struct.hasAttr<AlignedAttr>() ||
      Struct.hasAttr<PackedAttr>() || Struct.field_empty() ||
      isa<ClassTemplateSpecializationDecl>(Struct))
    return false;
  const QualType First = Struct.field_begin()->getType();
  std::uint64_t Size = 0;
  for (const FieldDecl *Field : Struct.fields()) {
    const QualType Type = Field->getType();
    // Where one's type has another name, another build may give it other bits.
    if (Field->getTypeSpecStartLoc().isMacroID() ||
        (!isa<BuiltinType>(Type) && Type != First) ||
        (!isa<BuiltinType>(First) && Type != First) ||
        !isa<BuiltinType>(Type.getCanonicalType()))
      return false;
    if (!Type->isArithmeticType() || Type.hasQualifiers() ||
        Field->isBitField() || Field->isMutable() || Field->hasAttrs() ||
        !Field->getIdentifier() ||
        Context.getTypeSize(Type) != Context.getTypeSize(First) ||
        Context.getTypeAlign(Type) != Context.getTypeAlign(First))
      return false;
    Size += Context.getTypeSize(Type);
  }
  const QualType Type = Context.getCanonicalTagType(&Struct);
  return Size == Context.getTypeSize(Type) &&
         Context.getTypeAlign(Type) == Context.getTypeAlign(First) &&
         Size != Context.getTypeSize(First);
}

/// Whether the main file says what depends on how something is written, or what
/// only other compilers read: `decltype` makes references of arrays' elements,
/// and attributes and OpenMP tell of pointers.
static bool hasUnreadWords(const ASTContext &Context) {
  bool IsFound = false;
  StringRef Before;
  forEachName(Context,
              rangeOf(Context, Context.getSourceManager().getMainFileID()),
              [&](StringRef Name, SourceLocation, bool) {
                IsFound |= Name == "decltype" || Name == "__decltype" ||
                           Name == "__attribute__" || Name == "__attribute" ||
                           Name == "typeof" || Name == "__typeof__" ||
                           Name == "gnu" || Name == "__gnu__" ||
                           (Before == "omp" && Name == "declare");
                Before = Name;
              });
  return IsFound;
}

/// Calls \p Work with each field that \p Facts tell of.
template <class Visitor>
static void forEachField(SourceFacts &Facts, const Visitor &Work) {
  for (auto *Each : {&Facts.Loads, &Facts.Stores})
    for (auto &[Where, Fact] : *Each)
      if (Fact.Field)
        Work(*Fact.Field);
  for (auto *Each : {&Facts.LoadVariants, &Facts.StoreVariants})
    for (auto &[Where, Fact] : *Each)
      if (Fact.Field)
        Work(*Fact.Field);
}

void addFieldArrays(ASTContext &Context, SourceFacts &Facts) {
  std::set<Location> Wanted;
  forEachField(
      Facts, [&](const FieldFact &Field) { Wanted.insert(Field.StructWhere); });
  if (Wanted.empty() || Context.getDiagnostics().hasErrorOccurred() ||
      hasUnreadWords(Context))
    return;
  const SourceManager &Sources = Context.getSourceManager();
  std::map<Location, const CXXRecordDecl *> Structs;
  for (const Decl *Each : Context.getTranslationUnitDecl()->noload_decls())
    if (const auto *Struct = dyn_cast<CXXRecordDecl>(Each);
        Struct && Struct->isThisDeclarationADefinition() &&
        Sources.isInMainFile(Struct->getLocation()) && isPlain(*Struct) &&
        !isConditional(Context, Struct->getLocation()))
      if (cudalint::Location Where = locate(Context, Struct->getLocation());
          Wanted.contains(Where))
        Structs.emplace(std::move(Where), Struct);
  if (Structs.empty())
    return;
  const UserFunctions Functions = collectUserFunctions(Context);
  const PointerUses Uses(Functions);
  for (const auto &[Where, Struct] : Structs) {
    std::vector<Edit> Edits = PointerSearch(*Struct, Functions, Uses).edits();
    if (Edits.empty())
      continue;
    const auto Shared =
        std::make_shared<const std::vector<Edit>>(std::move(Edits));
    forEachField(Facts, [&](FieldFact &Field) {
      if (Field.StructWhere == Where)
        Field.Apart = Shared;
    });
  }
}

} // namespace cudalint
