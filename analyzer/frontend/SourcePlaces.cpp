//===- analyzer/frontend/SourcePlaces.cpp - Places in the source ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/SourcePlaces.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <fmt/format.h>

using namespace clang;

namespace cudalint {

SourcePlaces::SourcePlaces(const ASTContext &Context)
    : Sources(Context.getSourceManager()), Language(Context.getLangOpts()) {}

static cudalint::Location presumed(const SourceManager &Sources,
                                   SourceLocation Where) {
  const PresumedLoc Place = Sources.getPresumedLoc(Sources.getFileLoc(Where));
  if (Place.isInvalid())
    return {};
  return {.File = Place.getFilename(),
          .Line = Place.getLine(),
          .Column = Place.getColumn()};
}

cudalint::Location SourcePlaces::locate(SourceLocation Where) const {
  return presumed(Sources, Where);
}

SourceExtent SourcePlaces::extentOf(SourceRange Written) const {
  CharSourceRange Range = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(Written), Sources, Language);
  if (Range.isInvalid()) // Part of a macro: the whole of its call.
    Range = Lexer::makeFileCharRange(Sources.getExpansionRange(Written),
                                     Sources, Language);
  if (Range.isInvalid())
    return {};
  SourceExtent Extent{locate(Range.getBegin()), locate(Range.getEnd())};
  // One that a `#line` leads away from is nobody's.
  if (Extent.Begin.File != Extent.End.File)
    return {};
  return Extent;
}

//===----------------------------------------------------------------------===//
// Macros
//===----------------------------------------------------------------------===//

static std::size_t startOfLine(StringRef Text, std::size_t Offset) {
  const std::size_t Newline = Text.take_front(Offset).find_last_of("\r\n");
  return Newline == StringRef::npos ? 0 : Newline + 1;
}

/// Where the `#define` that \p Offset is in begins: lines that end in a
/// backslash go on.
static std::size_t startOfDirective(StringRef Text, std::size_t Offset) {
  std::size_t Start = startOfLine(Text, Offset);
  while (Start != 0) {
    StringRef Before = Text.take_front(Start - 1);
    if (Text[Start - 1] == '\n' && Before.ends_with("\r"))
      Before = Before.drop_back();
    // Clang lets blanks follow the backslash.
    if (!Before.rtrim(" \t\f\v").ends_with("\\"))
      break;
    Start = startOfLine(Text, Before.size());
  }
  return Start;
}

cudalint::Location SourcePlaces::definitionOf(SourceLocation Spelled) const {
  if (Sources.isWrittenInBuiltinFile(Spelled) ||
      Sources.isWrittenInCommandLineFile(Spelled) ||
      Sources.isWrittenInScratchSpace(Spelled))
    return {};
  const FileIDAndOffset At = Sources.getDecomposedLoc(Spelled);
  bool IsInvalid = false;
  const StringRef Text = Sources.getBufferData(At.first, &IsInvalid);
  if (IsInvalid)
    return {};
  const std::size_t Start = startOfDirective(Text, At.second);
  StringRef Rest = Text.substr(Start).ltrim(" \t");
  if (Rest.consume_front("#")) {
    Rest = Rest.ltrim(" \t");
    if (Rest.consume_front("define"))
      Rest = Rest.ltrim(" \t");
  }
  return locate(Sources.getComposedLoc(
      At.first, static_cast<unsigned>(Text.size() - Rest.size())));
}

void SourcePlaces::addMacros(SourceLocation Part,
                             std::vector<MacroUse> &Macros) const {
  for (; Part.isMacroID(); Part = Sources.getImmediateMacroCallerLoc(Part)) {
    if (Sources.isMacroArgExpansion(Part))
      continue; // Written at the call, not in the definition.
    MacroUse Use{Lexer::getImmediateMacroName(Part, Sources, Language).str(),
                 definitionOf(Sources.getSpellingLoc(Part))};
    if (std::ranges::find(Macros, Use) == Macros.end())
      Macros.push_back(std::move(Use));
  }
}

std::vector<MacroUse>
SourcePlaces::macrosOf(ArrayRef<SourceLocation> Parts) const {
  std::vector<MacroUse> Macros;
  for (const SourceLocation Part : Parts)
    addMacros(Part, Macros);
  return Macros;
}

//===----------------------------------------------------------------------===//
// Includes
//===----------------------------------------------------------------------===//

static std::vector<cudalint::Location> stackOf(const SourceManager &Sources,
                                               FileID File) {
  std::vector<cudalint::Location> Stack;
  for (SourceLocation From = Sources.getIncludeLoc(File);
       From.isValid() && !Sources.isWrittenInBuiltinFile(From) &&
       !Sources.isWrittenInCommandLineFile(From);) {
    const PresumedLoc Place = Sources.getPresumedLoc(From);
    if (Place.isInvalid())
      break;
    Stack.push_back(
        {.File = Place.getFilename(), .Line = Place.getLine(), .Column = 0});
    From = Place.getIncludeLoc();
  }
  return Stack;
}

const std::vector<cudalint::Location> &
SourcePlaces::includedFrom(SourceLocation Where) {
  const FileID File = Sources.getFileID(Sources.getFileLoc(Where));
  const auto [Entry, New] = Stacks.try_emplace(File);
  if (New)
    Entry->second = stackOf(Sources, File);
  return Entry->second;
}

SourcePlace SourcePlaces::placeOf(SourceRange Range) {
  return {.Where = locate(Range.getBegin()),
          .Origin = {.Extent = extentOf(Range),
                     .Macros = macrosOf({Range.getBegin(), Range.getEnd()}),
                     .IncludedFrom = includedFrom(Range.getBegin())}};
}

cudalint::Location locate(const ASTContext &Context, SourceLocation Where) {
  return presumed(Context.getSourceManager(), Where);
}

SourcePlace placeOf(const ASTContext &Context, SourceRange Range) {
  return SourcePlaces(Context).placeOf(Range);
}

void forEachUserFile(const SourceManager &Sources,
                     llvm::function_ref<void(FileID)> Work) {
  // Of headers that were loaded as a tree, nobody lints anything.
  for (unsigned I = 0; I != Sources.local_sloc_entry_size(); ++I) {
    const SrcMgr::SLocEntry &Entry = Sources.getLocalSLocEntry(I);
    if (!Entry.isFile() || !Entry.getFile().getContentCache().OrigEntry ||
        SrcMgr::isSystem(Entry.getFile().getFileCharacteristic()))
      continue;
    const SourceLocation Start =
        SourceLocation::getFromRawEncoding(Entry.getOffset());
    if (!Sources.isInSystemHeader(Start))
      Work(Sources.getFileID(Start));
  }
}

IncludeStacks includeStacksOf(const ASTContext &Context) {
  const SourceManager &Sources = Context.getSourceManager();
  IncludeStacks Stacks;
  forEachUserFile(Sources, [&](FileID File) {
    const auto [Entry, New] = Stacks.try_emplace(
        presumed(Sources, Sources.getLocForStartOfFile(File)).File);
    if (New)
      Entry->second = stackOf(Sources, File);
    else
      Entry->second.clear();
  });
  return Stacks;
}

std::vector<SourceRecord> sourcesOf(const ASTContext &Context) {
  const SourceManager &Sources = Context.getSourceManager();
  std::map<std::string, SourceRecord> Found;
  forEachUserFile(Sources, [&](FileID File) {
    std::string Name =
        presumed(Sources, Sources.getLocForStartOfFile(File)).File;
    const std::optional<StringRef> Text = Sources.getBufferDataOrNone(File);
    const auto [Entry, New] = Found.try_emplace(Name);
    if (!New || !Text)
      return;
    Entry->second = {.File = std::move(Name),
                     .Bytes = Text->size(),
                     .Xxh3 = fmt::format("{:016x}", llvm::xxh3_64bits(*Text))};
  });
  std::vector<SourceRecord> Out;
  for (auto &[Name, Record] : Found)
    if (!Record.File.empty())
      Out.push_back(std::move(Record));
  return Out;
}

std::optional<Edit> insertionAt(const ASTContext &Context, SourceLocation Where,
                                std::string Text) {
  const SourceManager &Sources = Context.getSourceManager();
  if (Where.isInvalid() || Where.isMacroID() ||
      Sources.isInSystemHeader(Where) ||
      !Sources.isWrittenInSameFile(Where, Where))
    return std::nullopt;
  const OptionalFileEntryRef File =
      Sources.getFileEntryRefForID(Sources.getFileID(Where));
  if (!File)
    return std::nullopt;
  return Edit{.File = File->getName().str(),
              .Offset = Sources.getFileOffset(Where),
              .Length = 0,
              .Text = std::move(Text)};
}

std::string writtenText(const ASTContext &Context, SourceRange Range) {
  const CharSourceRange Written = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(Range), Context.getSourceManager(),
      Context.getLangOpts());
  if (Written.isInvalid())
    return {};
  return Lexer::getSourceText(Written, Context.getSourceManager(),
                              Context.getLangOpts())
      .str();
}

} // namespace cudalint
