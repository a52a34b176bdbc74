//===- analyzer/launch/LostCode.cpp - What errors cost the tree -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/LostCode.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <optional>

using namespace clang;

namespace cudalint {

//===----------------------------------------------------------------------===//
// The text
//===----------------------------------------------------------------------===//

namespace {

struct TokenRange {
  std::size_t First = 0;
  std::size_t End = 0; ///< Behind the last.
};

/// The tokens of one file without those of directives, of which none is lost:
/// the preprocessor has obeyed or refused them.
class FileTokens {
public:
  FileTokens(FileID File, const SourceManager &Sources,
             const LangOptions &Language);

  /// The statement or declaration around that place; none in a directive or
  /// behind the end.
  std::optional<TokenRange> around(SourceLocation Place) const;

  const Token &operator[](std::size_t Index) const { return Tokens[Index]; }
  /// The names in what a macro of the file stands for.
  const std::vector<std::string> &inMacro(const std::string &Name) const {
    static const std::vector<std::string> None;
    const auto Found = Macros.find(Name);
    return Found == Macros.end() ? None : Found->second;
  }

private:
  void add(const Token &Next);
  bool opensBlock() const;
  bool ends(std::size_t Index) const;
  std::size_t behindBlock(std::size_t Open) const;

  std::vector<Token> Tokens;
  /// In how many parentheses each is, or braces of initialisers, within the
  /// innermost block.
  std::vector<unsigned> Nesting;
  std::vector<bool> IsList; ///< Of the braces around values.
  std::vector<SourceRange> Directives;
  std::map<std::string, std::vector<std::string>> Macros;
  /// For each open block, what is open in it, as `({`.
  std::vector<std::string> Open = {""};
};

} // namespace

static bool isNamed(const Token &T, llvm::ArrayRef<llvm::StringRef> Names) {
  return T.is(tok::raw_identifier) &&
         llvm::is_contained(Names, T.getRawIdentifier());
}

FileTokens::FileTokens(FileID File, const SourceManager &Sources,
                       const LangOptions &Language) {
  Lexer Raw(File, Sources.getBufferOrFake(File), Sources, Language);
  Token Next;
  std::vector<Token> Directive;
  bool InDirective = false;
  for (;;) {
    Raw.LexFromRawLexer(Next);
    if (InDirective && (Next.isAtStartOfLine() || Next.is(tok::eof))) {
      InDirective = false;
      Directives.emplace_back(Directive.front().getLocation(),
                              Directive.back().getLocation());
      if (Directive.size() > 2 && isNamed(Directive[1], {"define"}) &&
          Directive[2].is(tok::raw_identifier))
        for (const Token &Each : llvm::ArrayRef(Directive).drop_front(3))
          if (Each.is(tok::raw_identifier))
            Macros[Directive[2].getRawIdentifier().str()].push_back(
                Each.getRawIdentifier().str());
    }
    if (Next.is(tok::eof))
      break;
    if (Next.isAtStartOfLine() && Next.is(tok::hash)) {
      InDirective = true;
      Directive.clear();
    }
    if (InDirective)
      Directive.push_back(Next);
    else
      add(Next);
  }
}

/// Whether a brace behind what was read begins a block, and no list of values.
/// Where neither is sure, as of `struct A : B {`, all in it is one statement.
bool FileTokens::opensBlock() const {
  if (Tokens.empty() ||
      Tokens.back().isOneOf(tok::r_paren, tok::semi, tok::l_brace, tok::r_brace,
                            tok::colon, tok::string_literal) ||
      isNamed(Tokens.back(),
              {"else", "do", "try", "const", "noexcept", "override", "final",
               "mutable", "namespace", "struct", "class", "union", "enum"}))
    return true;
  return Tokens.size() > 1 && Tokens.back().is(tok::raw_identifier) &&
         isNamed(Tokens[Tokens.size() - 2],
                 {"namespace", "struct", "class", "union", "enum"});
}

/// Parentheses that nothing closes, as in one way of an `#if`, end with their
/// block.
void FileTokens::add(const Token &Next) {
  std::string &Inside = Open.back();
  const bool IsBlock = Next.is(tok::l_brace) && opensBlock();
  bool ClosesList = false;
  if (Next.isOneOf(tok::r_paren, tok::r_square)) {
    if (!Inside.empty() && Inside.back() != '{')
      Inside.pop_back();
  } else if (Next.is(tok::r_brace)) {
    const std::size_t List = Inside.rfind('{');
    ClosesList = List != Inside.npos;
    if (ClosesList)
      Inside.resize(List);
    else if (Open.size() > 1)
      Open.pop_back();
  }
  Tokens.push_back(Next);
  Nesting.push_back(static_cast<unsigned>(Open.back().size()));
  IsList.push_back(ClosesList || (Next.is(tok::l_brace) && !IsBlock));
  if (IsBlock)
    Open.emplace_back();
  else if (Next.isOneOf(tok::l_paren, tok::l_square))
    Open.back().push_back('(');
  else if (Next.is(tok::l_brace))
    Open.back().push_back('{');
}

/// Whether a statement ends there: not within `for (;;)`, nor in `{1, 2}`.
bool FileTokens::ends(std::size_t Index) const {
  return Nesting[Index] == 0 &&
         Tokens[Index].isOneOf(tok::semi, tok::l_brace, tok::r_brace) &&
         !IsList[Index];
}

std::size_t FileTokens::behindBlock(std::size_t Open) const {
  unsigned Depth = 0;
  for (std::size_t I = Open; I != Tokens.size(); ++I) {
    if (Tokens[I].is(tok::l_brace))
      ++Depth;
    else if (Tokens[I].is(tok::r_brace) && --Depth == 0)
      return I + 1;
  }
  return Tokens.size();
}

std::optional<TokenRange> FileTokens::around(SourceLocation Place) const {
  const auto Behind =
      std::ranges::upper_bound(Directives, Place, {}, &SourceRange::getBegin);
  if (Behind != Directives.begin() && Place <= std::prev(Behind)->getEnd())
    return std::nullopt;
  const auto At =
      std::ranges::lower_bound(Tokens, Place, {}, &Token::getLocation);
  if (At == Tokens.end())
    return std::nullopt;
  const auto Found = static_cast<std::size_t>(At - Tokens.begin());
  TokenRange Range = {Found, Found};
  while (Range.First != 0 && !ends(Range.First - 1))
    --Range.First;
  std::size_t &End = Range.End;
  while (End != Tokens.size() && !ends(End))
    ++End;
  while (End != Tokens.size() && Tokens[End].is(tok::l_brace)) {
    End = behindBlock(End);
    if (End == Tokens.size() || !isNamed(Tokens[End], {"else"}))
      break;
    while (End != Tokens.size() && !ends(End))
      ++End;
  }
  return Range;
}

//===----------------------------------------------------------------------===//
// What it may mean
//===----------------------------------------------------------------------===//

static bool contains(const FunctionDecl &Function, SourceLocation Place) {
  const SourceManager &Sources = Function.getASTContext().getSourceManager();
  const SourceRange Text = Function.getSourceRange();
  return Text.isValid() &&
         !Sources.isBeforeInTranslationUnit(Place, Text.getBegin()) &&
         !Sources.isBeforeInTranslationUnit(Text.getEnd(), Place);
}

static std::vector<const FunctionDecl *>
codeOfDevice(const UserFunctions &Functions) {
  std::vector<const FunctionDecl *> Found;
  const auto add = [&](const FunctionDecl &Each) {
    if (Each.hasAttr<CUDAGlobalAttr>() ||
        (Each.hasAttr<CUDADeviceAttr>() && !Each.hasAttr<CUDAHostAttr>()))
      Found.push_back(&Each);
  };
  for (const FunctionDecl *Each : Functions.Definitions)
    add(*Each);
  for (const FunctionTemplateDecl *Each : Functions.Templates)
    add(*Each->getTemplatedDecl());
  return Found;
}

LostCode::LostCode(const ASTContext &Context, const UserFunctions &Functions,
                   const std::vector<Problem> &Errors)
    : IsAll(Errors.size() >= MostErrors) {
  if (Errors.empty())
    return;
  const SourceManager &Sources = Context.getSourceManager();
  const std::vector<const FunctionDecl *> OfDevice = codeOfDevice(Functions);
  std::map<FileID, FileTokens> Files;
  std::map<FileID, std::vector<TokenRange>> Taken;
  for (const Problem &Each : Errors) {
    if (Each.Where.isInvalid() || Sources.isInSystemHeader(Each.Where) ||
        llvm::any_of(OfDevice, [&](const FunctionDecl *Function) {
          return contains(*Function, Each.Where);
        }))
      continue;
    const FileID File = Sources.getFileID(Each.Where);
    const FileTokens &Tokens =
        Files.try_emplace(File, File, Sources, Context.getLangOpts())
            .first->second;
    const auto isTaken = [&](const TokenRange &Other) {
      return Tokens[Other.First].getLocation() <= Each.Where &&
             Each.Where <= Tokens[Other.End - 1].getLocation();
    };
    if (llvm::any_of(Taken[File], isTaken))
      continue;
    const std::optional<TokenRange> Range = Tokens.around(Each.Where);
    if (!Range || Range->First == Range->End)
      continue;
    Taken[File].push_back(*Range);
    Parts.push_back(Tokens[Range->First].getLocation());
    for (std::size_t I = Range->First; I != Range->End; ++I) {
      const Token &Next = Tokens[I];
      if (!Next.is(tok::raw_identifier))
        continue;
      if (isNamed(Next, {"return", "break", "continue", "goto", "throw", "case",
                         "default"}))
        Jumps.push_back(Next.getLocation());
      const std::string Name = Next.getRawIdentifier().str();
      Names[Name].push_back(Next.getLocation());
      for (const std::string &Meant : Tokens.inMacro(Name))
        Names[Meant].push_back(Next.getLocation());
    }
  }
}

bool LostCode::isPartOf(const FunctionDecl &Function) const {
  if (isEmpty())
    return false;
  const auto [Known, IsNew] = Whole.try_emplace(&Function, IsAll);
  if (IsNew && !IsAll)
    Known->second = llvm::any_of(
        Parts, [&](SourceLocation Part) { return contains(Function, Part); });
  return Known->second;
}

bool LostCode::mayMean(const ValueDecl &Named) const {
  if (isEmpty() || Named.getType().isConstQualified() || !Named.getIdentifier())
    return false;
  const auto [Known, IsNew] = Meant.try_emplace(&Named, IsAll);
  if (!IsNew || IsAll)
    return Known->second;
  const auto Found = Names.find(Named.getName().str());
  const auto *Function = dyn_cast<FunctionDecl>(Named.getDeclContext());
  const auto isIn = [&](const Locations &Places) {
    return llvm::any_of(Places, [&](SourceLocation Each) {
      return !Function || contains(*Function, Each);
    });
  };
  return Known->second = (Found != Names.end() && isIn(Found->second)) ||
                         (Function && isIn(Jumps));
}

} // namespace cudalint
