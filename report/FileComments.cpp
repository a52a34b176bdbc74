//===- report/FileComments.cpp - The comments of one file -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/FileComments.h"

#include "report/NoLint.h"

#include <algorithm>
#include <iterator>

namespace cudalint {

/// Where each line starts. Those of Clang also end at a lone \r.
static std::vector<std::size_t> lineStarts(std::string_view Text,
                                           bool ForClang) {
  std::vector<std::size_t> Starts = {0};
  for (std::size_t I = 0; I != Text.size(); ++I)
    if (Text[I] == '\n' ||
        (ForClang && Text[I] == '\r' && !Text.substr(I + 1).starts_with('\n')))
      Starts.push_back(I + 1);
  return Starts;
}

/// Which of the lines that start there has \p Offset, from 0.
static std::size_t lineOf(const std::vector<std::size_t> &Starts,
                          std::size_t Offset) {
  return static_cast<std::size_t>(std::ranges::upper_bound(Starts, Offset) -
                                  Starts.begin() - 1);
}

FileComments::FileComments(std::string File,
                           std::optional<std::string_view> Contents)
    : File(std::move(File)), Text(Contents.value_or(std::string_view())),
      Directives(readNoLint(Text)), Blocks(pairUp(Directives)),
      EndOfBlock(Directives.size(), None) {
  for (const NoLintBlocks::Block &Each : Blocks.Closed)
    EndOfBlock[Each.Begin] = Each.End;
}

void FileComments::makeLines() {
  if (!Lines.empty())
    return;
  Lines = lineStarts(Text, /*ForClang=*/false);
  ClangLines = lineStarts(Text, /*ForClang=*/true);
}

std::optional<std::size_t> FileComments::offsetOf(const Location &Where) {
  makeLines();
  if (Where.Line == 0 || Where.Line > ClangLines.size())
    return std::nullopt;
  const std::size_t Start = ClangLines[Where.Line - 1];
  const std::size_t End =
      Where.Line == ClangLines.size() ? Text.size() : ClangLines[Where.Line];
  const std::size_t Offset = Start + std::max(Where.Column, 1u) - 1;
  // What is behind the line is not what was analysed, but the line counts.
  return Offset < End ? Offset : Start;
}

Location FileComments::placeOf(std::size_t Offset) {
  makeLines();
  const std::size_t Line = lineOf(ClangLines, Offset);
  return {File, static_cast<unsigned>(Line + 1),
          static_cast<unsigned>(Offset - ClangLines[Line] + 1)};
}

std::pair<std::size_t, std::size_t> FileComments::line(std::size_t Line) const {
  if (Line >= Lines.size())
    return {Text.size(), Text.size()};
  return {Lines[Line],
          Line + 1 == Lines.size() ? Text.size() : Lines[Line + 1]};
}

std::size_t FileComments::silencerOfLine(std::size_t Line,
                                         const std::string &Name) {
  const auto Find = [&](std::size_t In, NoLintKind Kind) {
    const auto [Start, End] = line(In);
    auto D = std::ranges::lower_bound(Directives, Start, {},
                                      &NoLintDirective::Offset);
    for (; D != Directives.end() && D->Offset < End; ++D)
      if (D->Kind == Kind && D->isFor(Name))
        return static_cast<std::size_t>(D - Directives.begin());
    return None;
  };
  const std::size_t Found = Find(Line, NoLintKind::Line);
  return Found != None || Line == 0 ? Found
                                    : Find(Line - 1, NoLintKind::NextLine);
}

std::size_t FileComments::silencerOfBlock(std::size_t Offset,
                                          const std::string &Name,
                                          std::size_t Id) {
  if (Blocks.Closed.empty())
    return None;
  const auto [Entry, IsNew] = Stretches.try_emplace(Id);
  std::vector<Stretch> &Of = Entry->second;
  if (IsNew) {
    std::vector<std::size_t> Open;
    for (std::size_t I = 0; I != Directives.size(); ++I) {
      if (EndOfBlock[I] != None && Directives[I].isFor(Name)) {
        Open.push_back(I);
        Of.push_back({Directives[I].Offset, I});
      } else if (!Open.empty() && EndOfBlock[Open.back()] == I) {
        Open.pop_back();
        Of.push_back({Directives[I].Offset, Open.empty() ? None : Open.back()});
      }
    }
  }
  const auto Behind =
      std::ranges::lower_bound(Of, Offset, {}, &Stretch::Offset);
  return Behind == Of.begin() ? None : std::prev(Behind)->Begin;
}

std::size_t FileComments::silencerOf(std::size_t Offset,
                                     const std::string &Check, std::size_t Id) {
  makeLines();
  std::vector<std::size_t> &Places = Reached[Id];
  if (Places.empty() || Places.back() != Offset) {
    Places.push_back(Offset);
    IsSorted = false;
  }
  const std::string Name = std::string(NoLintPrefix) + Check;
  const std::size_t Line = lineOf(Lines, Offset);
  const auto [Entry, IsNew] = OfLines.try_emplace({Line, Id}, None);
  if (IsNew)
    Entry->second = silencerOfLine(Line, Name);
  return Entry->second != None ? Entry->second
                               : silencerOfBlock(Offset, Name, Id);
}

std::size_t FileComments::silencerOfMacro(std::size_t Name,
                                          const std::string &Check,
                                          std::size_t Id) {
  const auto [Entry, IsNew] = OfMacros.try_emplace({Name, Id}, None);
  if (!IsNew)
    return Entry->second;
  makeLines();
  // All lines are asked, as each comment there has its use.
  std::size_t At = Name;
  for (std::size_t Line = lineOf(Lines, Name); Line != Lines.size(); ++Line) {
    const std::size_t Found = silencerOf(At, Check, Id);
    if (Entry->second == None)
      Entry->second = Found;
    // Clang lets blanks follow the backslash.
    const auto [Start, End] = line(Line);
    const std::string_view Whole = Text.substr(Start, End - Start);
    const std::size_t Last = Whole.find_last_not_of(" \t\f\v\r\n");
    if (Last == Whole.npos || Whole[Last] != '\\')
      break;
    At = std::min(Text.find_first_not_of(" \t", End), Text.size());
  }
  return Entry->second;
}

bool FileComments::isReached(std::size_t D, std::size_t Id) {
  const auto Places = Reached.find(Id);
  if (Places == Reached.end())
    return false;
  if (!IsSorted) {
    for (auto &[Ignored, Of] : Reached)
      std::ranges::sort(Of);
    IsSorted = true;
  }
  const NoLintDirective &Of = Directives[D];
  std::pair<std::size_t, std::size_t> Range; // Without its end.
  if (Of.Kind == NoLintKind::Begin)
    Range = {Of.Offset, Directives[EndOfBlock[D]].Offset};
  else
    Range = line(lineOf(Lines, Of.Offset) + (Of.Kind == NoLintKind::NextLine));
  const auto First = std::ranges::lower_bound(Places->second, Range.first);
  return First != Places->second.end() && *First < Range.second;
}

} // namespace cudalint
