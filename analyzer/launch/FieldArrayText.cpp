//===- analyzer/launch/FieldArrayText.cpp - How arrays are written --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/FieldArrayText.h"

#include "analyzer/frontend/SourcePlaces.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/IdentifierTable.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <optional>

using namespace clang;

namespace cudalint {

static std::string nameOf(const CXXRecordDecl &Struct) {
  if (const TypedefNameDecl *Name = Struct.getTypedefNameForAnonDecl())
    return Name->getNameAsString();
  return Struct.getNameAsString();
}

FieldArrayText::FieldArrayText(const ASTContext &Context,
                               const CXXRecordDecl &Struct)
    : Context(Context), Sources(Context.getSourceManager()), Struct(Struct),
      Of(nameOf(Struct)), Arrays(Of + "Arrays") {}

SourceLocation FieldArrayText::behind(SourceLocation Token) const {
  return Token.isFileID() ? Lexer::getLocForEndOfToken(Token, 0, Sources,
                                                       Context.getLangOpts())
                          : SourceLocation();
}

bool FieldArrayText::insert(SourceLocation Where, std::string Text) {
  return replace(Where, Where, std::move(Text));
}

bool FieldArrayText::replace(SourceLocation Begin, SourceLocation End,
                             std::string Text) {
  std::optional<Edit> Its = insertionAt(Context, Begin, std::move(Text));
  if (!Its || !Sources.isInMainFile(Begin) || End.isInvalid() ||
      End.isMacroID() || !Sources.isInMainFile(End) ||
      Sources.getFileOffset(End) < Its->Offset)
    return false;
  Its->Length = Sources.getFileOffset(End) - Its->Offset;
  Edits.insert(std::move(*Its));
  return true;
}

bool FieldArrayText::addParameter(const ParmVarDecl &Parameter) {
  const std::string Text = writtenText(Context, Parameter.getSourceRange());
  // A comment or a directive would be lost.
  if (Text.empty() || Text.find_first_of("/\n#") != std::string::npos)
    return false;
  std::string Name = Parameter.getNameAsString();
  return replace(Parameter.getBeginLoc(), behind(Parameter.getEndLoc()),
                 Arrays + (Name.empty() ? "" : " ") + Name);
}

bool FieldArrayText::addField(const DeclRefExpr &Name,
                              const ArraySubscriptExpr &Element,
                              const MemberExpr &Field,
                              const std::string &Elements) {
  const std::string Member = "." + Field.getMemberDecl()->getNameAsString();
  const SourceLocation Bracket = behind(Element.getRBracketLoc()),
                       End = behind(Field.getMemberLoc());
  if (Bracket.isInvalid() || End.isInvalid() ||
      Lexer::getSourceText(CharSourceRange::getCharRange(Bracket, End), Sources,
                           Context.getLangOpts()) != Member)
    return false;
  const SourceLocation Behind = behind(Name.getLocation());
  if (!Elements.empty() && !insert(Name.getLocation(), Arrays + "("))
    return false;
  return insert(Behind,
                Elements.empty() ? Member : ", " + Elements + ")" + Member) &&
         replace(Bracket, End, "");
}

bool FieldArrayText::addArrays(const DeclRefExpr &Name,
                               const std::string &Elements) {
  return insert(Name.getLocation(), Arrays + "(") &&
         insert(behind(Name.getLocation()), ", " + Elements + ")");
}

std::string FieldArrayText::declaration() const {
  // Names of the constructor's own, whatever those of the fields are.
  std::string Memory = "memory", Count = "count";
  for (std::string *Each : {&Memory, &Count})
    while (llvm::any_of(Struct.fields(), [&](const FieldDecl *Field) {
      return Field->getName() == *Each;
    }))
      *Each += "_";
  const PrintingPolicy Policy(Context.getLangOpts());
  std::string Fields, Begins = "      : ";
  std::size_t Column = Begins.size();
  const FieldDecl *Last = nullptr;
  for (const FieldDecl *Field : Struct.fields()) {
    const std::string Name = Field->getNameAsString(),
                      Type = Field->getType().getAsString(Policy);
    const bool IsAlike =
        Last && Context.hasSameType(Last->getType(), Field->getType());
    std::string From = Last ? Last->getNameAsString() + " + " + Count : Memory;
    if (!IsAlike)
      From = "(" + Type + " *)" + (Last ? "(" + From + ")" : From);
    Fields += (IsAlike ? ", *" : (Last ? ";\n  " : "  ") + Type + " *") + Name;
    const std::string Begin = Name + "(" + From + ")";
    // With `, ` before it, and ` {}` or `,` behind it.
    const bool Fits = Column + Begin.size() + 5 <= 80;
    Begins += (Last ? Fits ? ", " : ",\n        " : "") + Begin;
    Column = (Fits ? Column + 2 : 8) + Begin.size();
    Last = Field;
  }
  return "struct " + Arrays + " { // The fields of " + Of +
         ", one array behind the other.\n" + Fields + ";\n  " + Arrays + "(" +
         Of + " *" + Memory + ", size_t " + Count + ")\n" + Begins + " {}\n};";
}

std::vector<Edit> FieldArrayText::edits() const {
  // `};` or `} P;`: nothing else is declared with it.
  const SourceLocation Brace = Struct.getBraceRange().getEnd();
  if (Of.empty() || Brace.isInvalid() || Brace.isMacroID() ||
      Context.Idents.find(Arrays) != Context.Idents.end())
    return {};
  std::optional<Token> Next =
      Lexer::findNextToken(Brace, Sources, Context.getLangOpts());
  if (Next && Next->is(tok::raw_identifier) &&
      Struct.getTypedefNameForAnonDecl() && Next->getRawIdentifier() == Of)
    Next = Lexer::findNextToken(Next->getLocation(), Sources,
                                Context.getLangOpts());
  if (!Next || Next->isNot(tok::semi))
    return {};
  const std::string Text = declaration();
  std::optional<Edit> Declared =
      insertionAt(Context, behind(Next->getLocation()), "\n" + Text);
  if (!Declared || !Sources.isInMainFile(Next->getLocation()))
    return {};
  // Lines of its own, behind a comment.
  const StringRef Rest =
      Sources.getBufferData(Sources.getMainFileID()).substr(Declared->Offset);
  const StringRef Line = Rest.take_until([](char C) { return C == '\n'; });
  if (Line.size() != Rest.size() &&
      (Line.trim().empty() ||
       (Line.ltrim().starts_with("//") && !Line.rtrim().ends_with("\\")))) {
    Declared->Offset += Line.size() + 1;
    Declared->Text = Text + "\n";
  }
  if (Edits.empty() || std::ranges::any_of(Edits, [&](const Edit &Each) {
        return Each.Offset < Declared->Offset;
      }))
    return {};
  std::vector<Edit> All(Edits.begin(), Edits.end());
  All.insert(All.begin(), std::move(*Declared));
  return All;
}

} // namespace cudalint
