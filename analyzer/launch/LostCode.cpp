//===- analyzer/launch/LostCode.cpp - What errors cost the tree -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/LostCode.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <optional>

using namespace clang;

namespace cudalint {

namespace {

/// The tokens of one file without those of directives, of which none is lost:
/// the preprocessor has obeyed or refused them.
class FileTokens {
public:
  FileTokens(FileID File, const SourceManager &Sources,
             const LangOptions &Language);

  /// The statement or declaration around that place, first and behind its
  /// last; none in a directive or behind the end.
  std::optional<std::pair<std::size_t, std::size_t>>
  around(SourceLocation Place) const;

  const Token &operator[](std::size_t Index) const { return Tokens[Index]; }

private:
  bool ends(std::size_t Index) const;
  std::size_t behindBlock(std::size_t Open) const;

  std::vector<Token> Tokens;
  std::vector<unsigned> Nesting; ///< In how many parentheses each is.
  std::vector<SourceRange> Directives;
};

} // namespace

FileTokens::FileTokens(FileID File, const SourceManager &Sources,
                       const LangOptions &Language) {
  Lexer Raw(File, Sources.getBufferOrFake(File), Sources, Language);
  Token Next;
  bool InDirective = false;
  unsigned Open = 0;
  for (bool IsLast = false; !IsLast;) {
    IsLast = Raw.LexFromRawLexer(Next);
    if (Next.isAtStartOfLine()) {
      InDirective = Next.is(tok::hash);
      if (InDirective)
        Directives.emplace_back(Next.getLocation(), Next.getLocation());
    }
    if (Next.is(tok::eof))
      break;
    if (InDirective) {
      Directives.back().setEnd(Next.getLocation());
      continue;
    }
    if (Next.isOneOf(tok::r_paren, tok::r_square) && Open != 0)
      --Open;
    Tokens.push_back(Next);
    Nesting.push_back(Open);
    if (Next.isOneOf(tok::l_paren, tok::l_square))
      ++Open;
  }
}

/// Whether a statement ends there: not within `for (;;)`.
bool FileTokens::ends(std::size_t Index) const {
  return Nesting[Index] == 0 &&
         Tokens[Index].isOneOf(tok::semi, tok::l_brace, tok::r_brace);
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

std::optional<std::pair<std::size_t, std::size_t>>
FileTokens::around(SourceLocation Place) const {
  if (llvm::any_of(Directives, [&](SourceRange Each) {
        return Each.getBegin() <= Place && Place <= Each.getEnd();
      }))
    return std::nullopt;
  const auto At =
      std::ranges::lower_bound(Tokens, Place, {}, &Token::getLocation);
  if (At == Tokens.end())
    return std::nullopt;
  std::size_t First = At - Tokens.begin();
  std::size_t End = First;
  while (First != 0 && !ends(First - 1))
    --First;
  while (End != Tokens.size() && !ends(End))
    ++End;
  while (End != Tokens.size() && Tokens[End].is(tok::l_brace)) {
    End = behindBlock(End);
    // `else`: as it is read here, a name.
    if (End == Tokens.size() || !Tokens[End].is(tok::raw_identifier) ||
        Tokens[End].getRawIdentifier() != "else")
      break;
    while (End != Tokens.size() && !ends(End))
      ++End;
  }
  return std::pair(First, End);
}

LostCode::LostCode(const ASTContext &Context,
                   const std::vector<Problem> &Problems) {
  const SourceManager &Sources = Context.getSourceManager();
  std::map<FileID, FileTokens> Files;
  for (const Problem &Each : Problems) {
    Errors.push_back(Each.Where);
    if (Each.Where.isInvalid() || Sources.isInSystemHeader(Each.Where))
      continue;
    const FileID File = Sources.getFileID(Each.Where);
    const FileTokens &Tokens =
        Files.try_emplace(File, File, Sources, Context.getLangOpts())
            .first->second;
    const auto Range = Tokens.around(Each.Where);
    if (!Range)
      continue;
    for (std::size_t I = Range->first; I != Range->second; ++I)
      if (Tokens[I].is(tok::raw_identifier))
        Places[Tokens[I].getRawIdentifier().str()].push_back(
            Tokens[I].getLocation());
  }
}

bool LostCode::mayMean(const ValueDecl &Named) const {
  if (isEmpty() || Named.getType().isConstQualified())
    return false;
  const auto Found = Places.find(Named.getName());
  if (Found == Places.end())
    return false;
  const auto *Function = dyn_cast<FunctionDecl>(Named.getDeclContext());
  if (!Function)
    return true;
  const SourceManager &Sources = Named.getASTContext().getSourceManager();
  const SourceRange Body = Function->getSourceRange();
  return llvm::any_of(Found->second, [&](SourceLocation Each) {
    return !Sources.isBeforeInTranslationUnit(Each, Body.getBegin()) &&
           !Sources.isBeforeInTranslationUnit(Body.getEnd(), Each);
  });
}

} // namespace cudalint
