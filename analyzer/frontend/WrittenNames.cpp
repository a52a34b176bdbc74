//===- analyzer/frontend/WrittenNames.cpp - Names in the text -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/WrittenNames.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace cudalint {

void forEachName(
    const ASTContext &Context, SourceRange Range,
    llvm::function_ref<void(llvm::StringRef, SourceLocation, bool)> Work) {
  const SourceManager &Sources = Context.getSourceManager();
  if (Range.isInvalid())
    return;
  const FileIDAndOffset Begin = Sources.getDecomposedLoc(
                            Sources.getFileLoc(Range.getBegin())),
                        End = Sources.getDecomposedLoc(
                            Sources.getFileLoc(Range.getEnd()));
  bool IsInvalid = false;
  const StringRef Text = Sources.getBufferData(Begin.first, &IsInvalid);
  if (IsInvalid || Begin.first != End.first)
    return;
  Lexer Raw(Sources.getLocForStartOfFile(Begin.first), Context.getLangOpts(),
            Text.begin(), Text.begin() + Begin.second, Text.end());
  Token Now, Next;
  Raw.LexFromRawLexer(Now);
  while (Now.isNot(tok::eof) &&
         Sources.getFileOffset(Now.getLocation()) <= End.second) {
    Raw.LexFromRawLexer(Next);
    if (Now.is(tok::raw_identifier)) {
      // A name may go on in the next line. Callers keep what they are given.
      const StringRef Whole =
          Now.needsCleaning() ? Context.Idents
                                    .get(Lexer::getSpelling(
                                        Now, Sources, Context.getLangOpts()))
                                    .getName()
                              : Now.getRawIdentifier();
      Work(Whole, Now.getLocation(), Next.is(tok::l_square));
    }
    Now = Next;
  }
}

bool isNamedOnlyAt(const ASTContext &Context, SourceRange Range, StringRef Name,
                   const std::set<SourceLocation> &Places) {
  bool IsOnly = true;
  forEachName(Context, Range, [&](StringRef Found, SourceLocation Where, bool) {
    IsOnly &= Found != Name || Places.contains(Where);
  });
  return IsOnly;
}

bool isMember(const SourceManager &Sources, SourceLocation Where) {
  const unsigned Before = Sources.getFileOffset(Where);
  const char *At = Sources.getCharacterData(Where);
  return (Before >= 1 && At[-1] == '.') ||
         (Before >= 2 && At[-1] == '>' && At[-2] == '-');
}

SourceRange rangeOf(const ASTContext &Context, FileID File) {
  const SourceManager &Sources = Context.getSourceManager();
  return {Sources.getLocForStartOfFile(File), Sources.getLocForEndOfFile(File)};
}

} // namespace cudalint
