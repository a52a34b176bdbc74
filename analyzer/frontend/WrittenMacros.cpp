//===- analyzer/frontend/WrittenMacros.cpp - What macros may say ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/WrittenMacros.h"

#include "analyzer/frontend/Invocation.h"
#include "analyzer/frontend/SourcePlaces.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <optional>
#include <vector>

using namespace clang;

namespace cudalint {

/// Calls \p Work with what follows the `#` of each directive of \p File.
static void
forEachDirective(const ASTContext &Context, FileID File,
                 llvm::function_ref<void(ArrayRef<Token> Tokens)> Work) {
  const SourceManager &Sources = Context.getSourceManager();
  const std::optional<llvm::MemoryBufferRef> Text =
      Sources.getBufferOrNone(File);
  if (!Text)
    return;
  Lexer Raw(File, *Text, Sources, Context.getLangOpts());
  std::vector<Token> Line;
  Token Now;
  do {
    Raw.LexFromRawLexer(Now);
    if (Now.isAtStartOfLine() || Now.is(tok::eof)) {
      if (Line.size() > 1 && Line.front().is(tok::hash) &&
          Line[1].is(tok::raw_identifier))
        Work(ArrayRef(Line).drop_front());
      Line.clear();
    }
    Line.push_back(Now);
  } while (Now.isNot(tok::eof));
}

WrittenMacros::WrittenMacros(const ASTContext &Context) {
  const SourceManager &Sources = Context.getSourceManager();
  const auto read = [&](ArrayRef<Token> Tokens) {
    const StringRef Directive = Tokens.front().getRawIdentifier();
    if ((Directive != "define" && Directive != "undef") || Tokens.size() < 2 ||
        Tokens[1].isNot(tok::raw_identifier))
      return;
    Macro &Its = Macros[Tokens[1].getRawIdentifier().str()];
    ++Its.Changes;
    Its.IsUndefined |= Directive == "undef";
    ArrayRef<Token> Body = Tokens.drop_front(2);
    std::set<StringRef> Parameters;
    if (!Body.empty() && Body.front().is(tok::l_paren) &&
        !Body.front().hasLeadingSpace()) {
      for (; !Body.empty() && Body.front().isNot(tok::r_paren);
           Body = Body.drop_front())
        if (Body.front().is(tok::raw_identifier))
          Parameters.insert(Body.front().getRawIdentifier());
      Its.HasParameters = true;
    }
    for (const Token &Each : Body) {
      IsPasted |= Each.is(tok::hashhash);
      if (Each.isNot(tok::raw_identifier) ||
          Parameters.contains(Each.getRawIdentifier()))
        continue;
      Its.Names.insert(Each.getRawIdentifier().str());
      Named.insert(Each.getRawIdentifier().str());
    }
  };
  // Of the command line. What the compiler defines there, names nothing of the
  // user's.
  for (unsigned I = 0; I != Sources.local_sloc_entry_size(); ++I) {
    const SrcMgr::SLocEntry &Entry = Sources.getLocalSLocEntry(I);
    const FileID File = Sources.getFileID(
        SourceLocation::getFromRawEncoding(Entry.getOffset()));
    const std::optional<llvm::MemoryBufferRef> Text =
        Entry.isFile() ? Sources.getBufferOrNone(File) : std::nullopt;
    if (Text && Text->getBufferIdentifier() == "<built-in>")
      forEachDirective(Context, File, [&](ArrayRef<Token> Tokens) {
        if (Tokens.front().getRawIdentifier() != "define")
          return;
        if (Tokens.size() > 1 && Tokens[1].is(tok::raw_identifier))
          Given.insert(Tokens[1].getRawIdentifier().str());
        for (const Token &Each :
             Tokens.drop_front(std::min<std::size_t>(2, Tokens.size())))
          if (Each.is(tok::raw_identifier))
            Named.insert(Each.getRawIdentifier().str());
      });
  }
  forEachUserFile(Sources, [&](FileID File) {
    // Ours is no file of the user's.
    if (Sources.getFilename(Sources.getLocForStartOfFile(File)) != PreludePath)
      forEachDirective(Context, File, read);
  });
}

bool WrittenMacros::mayName(StringRef Name) const {
  return IsPasted || Named.contains(Name);
}

bool WrittenMacros::isNumber(StringRef Name) const {
  // What one of them names is appended.
  std::vector<StringRef> Needed = {Name};
  for (std::size_t I = 0; I != Needed.size(); ++I) {
    const auto Its = Macros.find(Needed[I]);
    if (Its == Macros.end() || Its->second.Changes != 1 ||
        Its->second.IsUndefined || Its->second.HasParameters)
      return false;
    for (const std::string &Each : Its->second.Names)
      if (!isIntegerWord(Each) && !llvm::is_contained(Needed, Each))
        Needed.push_back(Each);
  }
  return true;
}

const std::set<std::string, std::less<>> *
WrittenMacros::namesIn(StringRef Name) const {
  const auto Its = Macros.find(Name);
  return Its == Macros.end() ? nullptr : &Its->second.Names;
}

bool WrittenMacros::isRedefined(StringRef Name) const {
  const auto Its = Macros.find(Name);
  return Its != Macros.end() && Its->second.Changes > 1;
}

bool isIntegerWord(StringRef Name) {
  return llvm::StringSwitch<bool>(Name)
      .Cases({"char", "short", "int", "long", "signed", "unsigned"}, true)
      .Cases({"size_t", "const", "static_cast"}, true)
      .Default(false);
}

bool isConditional(const ASTContext &Context, SourceLocation Where) {
  const SourceManager &Sources = Context.getSourceManager();
  int Depth = 0;
  forEachDirective(
      Context, Sources.getMainFileID(), [&](ArrayRef<Token> Tokens) {
        const StringRef Name = Tokens.front().getRawIdentifier();
        if (Sources.getFileOffset(Tokens.front().getLocation()) >
            Sources.getFileOffset(Where))
          return;
        Depth += Name == "if" || Name == "ifdef" || Name == "ifndef";
        Depth -= Name == "endif";
      });
  return Depth != 0;
}

} // namespace cudalint
