//===- analyzer/frontend/SteadyText.cpp - What stays the same -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/SteadyText.h"

#include "analyzer/frontend/Invocation.h"
#include "analyzer/frontend/SourcePlaces.h"
#include "analyzer/frontend/UserFunctions.h"
#include "analyzer/frontend/WrittenNames.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/IdentifierTable.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <optional>
#include <vector>

using namespace clang;

namespace cudalint {

/// `__CUDA_ARCH__` and its like, and the macros of `<nv/target>`.
static bool namesTarget(StringRef Name) {
  return Name.starts_with("__CUDA_ARCH") || Name.starts_with("NV_IF_") ||
         Name.starts_with("NV_IS_") || Name.starts_with("NV_PROVIDES_") ||
         Name.starts_with("NV_DISPATCH_") || Name == "__NVPTX__" ||
         Name == "__CUDA__";
}

/// What begins the declaration of a type, or of a macro, which may be one.
static bool declaresType(StringRef Name) {
  return llvm::StringSwitch<bool>(Name)
      .Cases({"typedef", "using", "struct", "class"}, true)
      .Cases({"union", "enum", "template", "define"}, true)
      .Default(false);
}

/// What means the same everywhere, and what a file need not declare.
static bool isOfLanguage(const ASTContext &Context, StringRef Name) {
  const auto Its = Context.Idents.find(Name);
  if (Its == Context.Idents.end() || Its->second->hadMacroDefinition())
    return false;
  return Its->second->getTokenID() != tok::identifier ||
         llvm::StringSwitch<bool>(Name)
             .Cases({"threadIdx", "blockIdx", "blockDim", "gridDim"}, true)
             .Cases({"warpSize", "size_t"}, true)
             .Default(false);
}

namespace {
/// How many `#if` there are around a place of a file, but for what guards all
/// of it from being included twice.
class Conditions {
public:
  /// Takes \p Line, the tokens behind a `#`; whether it asks for something.
  bool read(const std::vector<Token> &Line) {
    const StringRef Name = Line.front().getRawIdentifier();
    const unsigned Before = Count++;
    if (Name == "if" || Name == "ifdef" || Name == "ifndef") {
      ++Depth;
      if (Before == 0 && Name == "ifndef" && Line.size() == 2)
        Guard = Line[1].getRawIdentifier();
      return true;
    }
    if (Before == 1 && !Guard.empty() && Name == "define" && Line.size() == 2 &&
        Line[1].getRawIdentifier() == Guard)
      Depth = 0;
    if (Name == "endif" && Depth > 0)
      --Depth;
    return Name == "endif" || Name.starts_with("el");
  }
  bool isInside() const { return Depth > 0; }

private:
  unsigned Count = 0, Depth = 0;
  StringRef Guard;
};
} // namespace

void SteadyText::readNames(FileID File) {
  const SourceManager &Sources = Context.getSourceManager();
  const std::optional<llvm::MemoryBufferRef> Text =
      Sources.getBufferOrNone(File);
  // Ours is no file of the user's.
  if (!Text ||
      Sources.getFilename(Sources.getLocForStartOfFile(File)) == PreludePath)
    return;
  Lexer Raw(File, *Text, Sources, Context.getLangOpts());
  Conditions Around;
  std::vector<Token> Line;
  const auto readLine = [&] {
    const bool IsDirective = Line.size() > 1 && Line.front().is(tok::hash) &&
                             Line[1].is(tok::raw_identifier);
    const bool IsCondition =
        IsDirective &&
        Around.read(std::vector<Token>(Line.begin() + 1, Line.end()));
    // What is between < and > belongs to no project, mostly.
    if (IsDirective && Line[1].getRawIdentifier().starts_with("include") &&
        Line.size() > 2)
      IncludesByCondition |=
          Line[2].is(tok::raw_identifier) ||
          (Around.isInside() && Line[2].is(tok::string_literal));
    for (std::size_t I = 0; I != Line.size(); ++I) {
      if (Line[I].isNot(tok::raw_identifier))
        continue;
      const StringRef Name = Line[I].getRawIdentifier();
      AsksForTarget |= namesTarget(Name);
      DefinesByCondition |= Around.isInside() && declaresType(Name);
      if (Around.isInside() && !IsCondition && !isOfLanguage(Context, Name) &&
          (I == 0 || !Line[I - 1].isOneOf(tok::period, tok::arrow)))
        Conditional.insert(Name.str());
    }
    Line.clear();
  };
  Token Now;
  do {
    Raw.LexFromRawLexer(Now);
    if (Now.isAtStartOfLine() || Now.is(tok::eof))
      readLine();
    Line.push_back(Now);
  } while (Now.isNot(tok::eof));
}

SteadyText::SteadyText(const ASTContext &Context)
    : Context(Context), Macros(Context) {
  forEachUserFile(Context.getSourceManager(),
                  [&](FileID File) { readNames(File); });
}

bool SteadyText::isSteady(StringRef Name) const {
  // What one of them names is appended.
  std::vector<StringRef> Needed = {Name};
  for (std::size_t I = 0; I != Needed.size(); ++I) {
    if (Conditional.contains(Needed[I]) || Macros.isRedefined(Needed[I]) ||
        Macros.isGiven(Needed[I]))
      return false;
    if (const auto *Names = Macros.namesIn(Needed[I]))
      for (const std::string &Each : *Names)
        if (!llvm::is_contained(Needed, Each))
          Needed.push_back(Each);
  }
  return true;
}

bool SteadyText::isSteady(SourceRange Written) const {
  const SourceManager &Sources = Context.getSourceManager();
  const CharSourceRange Range = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(Written), Sources, Context.getLangOpts());
  if (Range.isInvalid())
    return false;
  bool Result = true;
  forEachName(Context, {Range.getBegin(), Range.getEnd()},
              [&](StringRef Name, SourceLocation Where, bool) {
                // Members are declarations, and are asked about as such.
                Result &= Where == Range.getEnd() || isMember(Sources, Where) ||
                          isSteady(Name);
              });
  return Result;
}

/// How large it is, and what numbers it has.
bool SteadyText::isSteady(QualType Type) const {
  while (!Type->getPointeeType().isNull() || Type->isArrayType())
    Type = Type->isArrayType() ? Type->getAsArrayTypeUnsafe()->getElementType()
                               : Type->getPointeeType();
  if (const auto *Alias = Type->getAs<TypedefType>())
    return isSteady(*Alias->getDecl());
  const TagDecl *Declared = Type->getAsTagDecl();
  return !Declared || isSteady(*Declared);
}

bool SteadyText::isSteady(const Decl &Named) const {
  if (isInSystemHeader(Named))
    return true;
  const auto [Known, IsNew] = Declared.try_emplace(&Named, true);
  if (!IsNew)
    return Known->second;
  // An enumerator is one more than that before it.
  const Decl *Whole = &Named;
  if (isa<EnumConstantDecl>(Named))
    Whole = cast<Decl>(Named.getDeclContext());
  bool Result = isSteady(Whole->getSourceRange());
  if (const auto *Enum = dyn_cast<EnumDecl>(Whole))
    for (const EnumConstantDecl *Each : Enum->enumerators())
      Result =
          Result && (!Each->getInitExpr() || isSteady(*Each->getInitExpr()));
  if (const auto *Record = dyn_cast<RecordDecl>(&Named))
    Result = Result && areSteady(*Record);
  if (const auto *Variable = dyn_cast<VarDecl>(&Named))
    if (const Expr *Value = Variable->getInit())
      Result = Result && isSteady(*Value);
  if (const auto *Alias = dyn_cast<TypedefNameDecl>(&Named))
    Result = Result && isSteady(Alias->getUnderlyingType());
  if (const auto *Value = dyn_cast<ValueDecl>(&Named);
      Value && !isa<FunctionDecl>(Value))
    Result = Result && isSteady(Value->getType());
  if (const auto *Function = dyn_cast<FunctionDecl>(&Named))
    if (const Stmt *Body = Function->getBody())
      Result = Result && isSteady(*Body);
  return Declared[&Named] = Result;
}

/// What it is made of, and the numbers that its text names.
bool SteadyText::areSteady(const RecordDecl &Record) const {
  bool Result = areNumbersSteady(Record.getSourceRange());
  for (const FieldDecl *Each : Record.fields())
    Result = Result && isSteady(Each->getType());
  if (const auto *Class = dyn_cast<CXXRecordDecl>(&Record);
      Class && Class->hasDefinition())
    for (const CXXBaseSpecifier &Each : Class->bases())
      Result = Result && isSteady(Each.getType());
  return Result;
}

/// Of names that are written there and declared for the whole file.
bool SteadyText::areNumbersSteady(SourceRange Written) const {
  bool Result = true;
  forEachName(Context, Written, [&](StringRef Name, SourceLocation, bool) {
    Result = Result && isSteady(Name);
    const auto Its = Context.Idents.find(Name);
    if (Result && Its != Context.Idents.end())
      for (const NamedDecl *Each : Context.getTranslationUnitDecl()->lookup(
               DeclarationName(Its->second)))
        if (isa<VarDecl, EnumConstantDecl>(Each))
          Result = Result && isSteady(*Each);
  });
  return Result;
}

bool SteadyText::isSteadyUpToSemicolon(SourceLocation Begin) const {
  const SourceManager &Sources = Context.getSourceManager();
  Begin = Sources.getFileLoc(Begin);
  const StringRef Rest = Sources.getBufferData(Sources.getFileID(Begin))
                             .substr(Sources.getFileOffset(Begin));
  const SourceRange Range(
      Begin, Begin.getLocWithOffset(static_cast<int>(Rest.find(';'))));
  return Rest.contains(';') && areNumbersSteady(Range);
}

bool SteadyText::isSteady(const Stmt &Value) const {
  bool Result = isSteady(Value.getSourceRange());
  forEachStatement(&Value, [&](const Stmt &Each) {
    if (const auto *Name = dyn_cast<DeclRefExpr>(&Each))
      Result = Result && isSteady(*Name->getDecl());
    if (const auto *Member = dyn_cast<MemberExpr>(&Each))
      Result = Result && isSteady(*Member->getMemberDecl());
    if (const auto *Size = dyn_cast<UnaryExprOrTypeTraitExpr>(&Each))
      // What a template is given may have another name behind `#if`.
      Result = Result && isSteady(Size->getTypeOfArgument()) &&
               !(DefinesByCondition &&
                 Size->getTypeOfArgument()->getAs<SubstTemplateTypeParmType>());
  });
  return Result;
}

} // namespace cudalint
