//===- report/SourceSnippet.cpp - A source line and its caret -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/SourceSnippet.h"

#include "report/TerminalText.h"

#include <algorithm>
#include <fmt/format.h>

namespace cudalint {

//===----------------------------------------------------------------------===//
// Files and lines
//===----------------------------------------------------------------------===//

const QuotedSources::Quoted &QuotedSources::get(const std::string &File) {
  auto [Entry, New] = Files.try_emplace(File);
  Quoted &Q = Entry->second;
  if (!New || !Source)
    return Q;
  Q.Text = Source(File);
  if (!Q.Text)
    return Q;
  std::string_view Text = *Q.Text;
  Q.LineStarts.push_back(0);
  for (std::size_t I = Text.find_first_of("\r\n"); I != Text.npos;
       I = Text.find_first_of("\r\n", I)) {
    bool Pair = Text[I] == '\r' && I + 1 != Text.size() && Text[I + 1] == '\n';
    I += Pair ? 2 : 1;
    Q.LineStarts.push_back(I);
  }
  return Q;
}

std::optional<std::string_view> QuotedSources::line(const std::string &File,
                                                    unsigned Number) {
  const Quoted &Q = get(File);
  if (!Q.Text || Number == 0 || Number > Q.LineStarts.size())
    return std::nullopt;
  std::string_view Rest = Q.Text->substr(Q.LineStarts[Number - 1]);
  std::string_view Line = Rest.substr(0, Rest.find_first_of("\r\n"));
  // The empty rest behind the last newline is no line.
  if (Rest.empty() && Number == Q.LineStarts.size())
    return std::nullopt;
  return Line;
}

std::optional<std::string_view> QuotedSources::text(const std::string &File,
                                                    std::uint64_t Offset,
                                                    std::uint64_t Length) {
  const Quoted &Q = get(File);
  if (!Q.Text || Offset > Q.Text->size() || Length > Q.Text->size() - Offset)
    return std::nullopt;
  return Q.Text->substr(Offset, Length);
}

std::optional<std::uint64_t> QuotedSources::offset(const Location &Where) {
  const Quoted &Its = get(Where.File);
  if (!Its.Text || Where.Line == 0 || Where.Line > Its.LineStarts.size())
    return std::nullopt;
  const std::uint64_t Offset =
      Its.LineStarts[Where.Line - 1] + (Where.Column ? Where.Column - 1 : 0);
  return Offset <= Its.Text->size() ? std::optional(Offset) : std::nullopt;
}

std::optional<Location> QuotedSources::place(const std::string &File,
                                             std::uint64_t Offset) {
  const Quoted &Q = get(File);
  if (!Q.Text || Offset > Q.Text->size())
    return std::nullopt;
  auto Next = std::ranges::upper_bound(Q.LineStarts, Offset);
  auto Line = static_cast<unsigned>(Next - Q.LineStarts.begin());
  auto Column = static_cast<unsigned>(Offset - *std::prev(Next)) + 1;
  return Location{File, Line, Column};
}

//===----------------------------------------------------------------------===//
// One line
//===----------------------------------------------------------------------===//

/// What Clang does not print beyond; a terminal's line is far shorter.
static constexpr unsigned MaxColumns = 4096;
static constexpr unsigned TabStop = 8;
static constexpr std::string_view Cut = "...";

namespace {
struct Cell {
  std::string Text;
  unsigned Start; ///< Its first column, from 0.
  unsigned Columns;
};

struct Rendered {
  std::vector<Cell> Cells;
  unsigned Columns = 0;     ///< Of the whole line.
  unsigned CaretColumn = 0; ///< From 0.
};

/// The part of a line that is looked at: a generated line can have megabytes.
struct Excerpt {
  std::string_view Text;
  std::size_t Caret; ///< The byte under the caret.
  bool CutBefore = false;
  bool CutBehind = false;
};
} // namespace

static Excerpt excerpt(std::string_view Line, unsigned Column) {
  // Four bytes for each column that can be shown, on either side.
  static constexpr std::size_t Reach = std::size_t(4) * MaxColumns;
  Excerpt E = {.Text = Line, .Caret = Column ? Column - 1 : 0};
  E.Caret = std::min(E.Caret, Line.size());
  if (E.Caret > Reach) {
    std::size_t Start = E.Caret - Reach;
    // Do not begin inside a character.
    while (Start != E.Caret && (Line[Start] & 0xC0) == 0x80)
      ++Start;
    E.Text.remove_prefix(Start);
    E.Caret -= Start;
    E.CutBefore = true;
  }
  if (E.Text.size() > E.Caret + Reach) {
    std::size_t End = E.Caret + Reach;
    // Do not end inside one either.
    while (End != E.Caret && (E.Text[End] & 0xC0) == 0x80)
      --End;
    E.Text = E.Text.substr(0, End);
    E.CutBehind = true;
  }
  return E;
}

static Rendered render(const Excerpt &E) {
  Rendered R;
  bool CaretSeen = false;
  std::size_t Byte = 0;
  while (Byte != E.Text.size()) {
    Glyph G = firstGlyph(E.Text.substr(Byte));
    if (E.Text[Byte] == '\t') {
      G.Columns = TabStop - R.Columns % TabStop;
      G.Text.assign(G.Columns, ' ');
    }
    // A caret inside a character stands below the character.
    if (!CaretSeen && E.Caret < Byte + G.Bytes) {
      R.CaretColumn = R.Columns;
      CaretSeen = true;
    }
    R.Cells.push_back({std::move(G.Text), R.Columns, G.Columns});
    R.Columns += G.Columns;
    Byte += G.Bytes;
  }
  // Behind the last character, as for a missing semicolon.
  if (!CaretSeen)
    R.CaretColumn = R.Columns;
  return R;
}

std::string snippetGutter(unsigned LineNumber) {
  return LineNumber ? fmt::format("{:>5} | ", LineNumber)
                    : std::string("      | ");
}

std::string snippet(std::string_view Line, unsigned LineNumber, unsigned Column,
                    const TextOptions &Options) {
  static constexpr std::string_view ByteOrderMark = "\xEF\xBB\xBF";
  if (LineNumber == 1 && Line.starts_with(ByteOrderMark)) {
    // Not part of what the user sees, though its bytes count in the column.
    Line.remove_prefix(ByteOrderMark.size());
    if (Column)
      Column = Column > 3 ? Column - 3 : 1;
  }
  Line = Line.substr(0, Line.find_last_not_of(" \t") + 1);
  Excerpt E = excerpt(Line, Column);
  Rendered R = render(E);

  std::string Gutter = snippetGutter(LineNumber);
  // Below 24 columns nothing useful could be shown.
  unsigned Room = MaxColumns;
  if (Options.Width)
    Room = std::max(24u, Options.Width -
                             std::min<unsigned>(Options.Width, Gutter.size()));

  // The columns [From, To) of the line are shown.
  unsigned From = 0, To = R.Columns;
  bool CutBefore = E.CutBefore, CutBehind = E.CutBehind;
  // The caret may stand one column behind the text.
  if (std::max(R.Columns, R.CaretColumn + 1) > Room) {
    unsigned Half = Room / 2;
    if (R.CaretColumn + 2 > Room - Cut.size()) { // It may be wide.
      From = R.CaretColumn - Half;
      CutBefore = true;
    }
    unsigned Space = Room - (CutBefore ? Cut.size() : 0);
    if (R.Columns - From > Space) {
      To = From + Space - Cut.size();
      CutBehind = true;
    }
  }

  std::string Text;
  unsigned Shift = 0;
  if (CutBefore) {
    Text = Cut;
    Shift = Cut.size();
  }
  unsigned Shown = From;
  for (const Cell &C : R.Cells) {
    if (C.Start < From || C.Start + C.Columns > To)
      continue;
    // Where half of a wide character was cut away.
    Text.append(C.Start > Shown ? C.Start - Shown : 0, ' ');
    Text += C.Text;
    Shown = C.Start + C.Columns;
  }
  if (CutBehind)
    Text += Cut;

  std::string Out = Gutter + Text + '\n';
  if (Column == 0)
    return Out;
  Out += std::string(Gutter.size() - 2, ' ') + "| ";
  Out.append(Shift + R.CaretColumn - From, ' ');
  return Out + coloured("^", Style::Caret, Options.UseColour) + '\n';
}

} // namespace cudalint
