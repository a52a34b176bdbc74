//===- report/page/HtmlSource.cpp - Lines of the source -------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/page/HtmlSource.h"

#include "report/TerminalText.h"
#include "report/page/HtmlText.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

namespace cudalint {

/// Lines before and behind what is meant.
static constexpr unsigned Around = 3;
/// Of what is meant, where it is long: the arguments of a launch, mostly.
static constexpr unsigned MostLines = 12;
/// Bytes of a line; of a longer one, which a program wrote, a part.
static constexpr std::size_t MostBytes = 300;

static constexpr std::string_view ByteOrderMark = "\xEF\xBB\xBF";

namespace {
/// Bytes of a line that are marked, from 0; the end is behind the last.
struct Marked {
  std::size_t Begin = 0, End = 0;
};
} // namespace

/// \p Text with its tabs expanded from \p Column on, which it moves.
static std::string expanded(std::string_view Text, unsigned &Column) {
  static constexpr unsigned TabStop = 8;
  std::string Out;
  while (!Text.empty()) {
    Glyph G = firstGlyph(Text);
    if (Text[0] == '\t') {
      G.Columns = TabStop - Column % TabStop;
      G.Text.assign(G.Columns, ' ');
    }
    Out += G.Text;
    Column += G.Columns;
    Text.remove_prefix(G.Bytes);
  }
  return Out;
}

/// Moves \p At to the beginning of a character.
static std::size_t beginning(std::string_view Text, std::size_t At) {
  while (At != 0 && At < Text.size() && (Text[At] & 0xC0) == 0x80)
    --At;
  return std::min(At, Text.size());
}

static std::string lineBody(std::string_view Line, unsigned Number,
                            Marked Mark) {
  if (Number == 1 && Line.starts_with(ByteOrderMark)) {
    Line.remove_prefix(ByteOrderMark.size());
    Mark.Begin -= std::min(Mark.Begin, ByteOrderMark.size());
    Mark.End -= std::min(Mark.End, ByteOrderMark.size());
  }
  std::size_t From = 0;
  if (Mark.Begin > MostBytes / 2 && Line.size() > MostBytes)
    From = beginning(Line, Mark.Begin - MostBytes / 2);
  const std::size_t To = beginning(Line, From + MostBytes);
  const std::size_t Begin = std::clamp(beginning(Line, Mark.Begin), From, To);
  const std::size_t End = std::clamp(beginning(Line, Mark.End), Begin, To);
  unsigned Column = 0;
  const auto part = [&](std::size_t First, std::size_t Last) {
    return html(expanded(Line.substr(First, Last - First), Column));
  };
  std::string Out = From ? "\u2026" : "";
  Out += part(From, Begin);
  if (End != Begin)
    Out += fmt::format("<mark>{}</mark>", part(Begin, End));
  Out += part(End, To);
  return Out + (To != Line.size() ? "\u2026" : "");
}

/// What of line \p Number is in \p Region.
static Marked markOf(const SourceRegion &Region, unsigned Number,
                     std::string_view Line) {
  if (Number < Region.Line || !Region.Column)
    return {};
  if (!Region.EndLine) { // A place: the word that begins there.
    if (Number != Region.Line)
      return {};
    std::size_t End = Region.Column;
    while (End < Line.size() &&
           (std::isalnum(static_cast<unsigned char>(Line[End])) ||
            Line[End] == '_'))
      ++End;
    return {Region.Column - 1, End};
  }
  if (Number > Region.EndLine)
    return {};
  Marked Mark = {0, Line.size()};
  if (Number == Region.Line)
    Mark.Begin = Region.Column - 1;
  else // Not the blanks that a line begins with.
    Mark.Begin = std::min(Line.find_first_not_of(" \t"), Line.size());
  if (Number == Region.EndLine && Region.EndColumn)
    Mark.End = Region.EndColumn - 1;
  return Mark;
}

/// A line; what is meant is in an element of its own.
static std::string lineElement(std::string_view Line, unsigned Number,
                               const SourceRegion &Region) {
  const std::string Body =
      lineBody(Line, Number, markOf(Region, Number, Line)) + '\n';
  const bool IsMeant =
      Number >= Region.Line && Number <= std::max(Region.Line, Region.EndLine);
  return IsMeant ? fmt::format("<span>{}</span>", Body) : Body;
}

std::string sourceExcerpt(QuotedSources &Sources, const std::string &File,
                          const std::string &Name, const SourceRegion &Region) {
  if (!Region.Line || !Sources.line(File, Region.Line))
    return {};
  const unsigned First = Region.Line > Around ? Region.Line - Around : 1;
  const unsigned Last =
      std::clamp(Region.EndLine, Region.Line, Region.Line + MostLines) + Around;
  std::string Numbers, Lines;
  for (unsigned Number = First; Number <= Last; ++Number) {
    const std::optional<std::string_view> Line = Sources.line(File, Number);
    if (!Line)
      break;
    Numbers += fmt::format("{}\n", Number);
    Lines += lineElement(*Line, Number, Region);
  }
  return fmt::format(
      "<pre class=src tabindex=0 role=group aria-label=\"{}, from "
      "line {}; line {} is marked\"><span class=n "
      "aria-hidden=true>{}</span><code>{}</code></pre>\n",
      html(Name), First, Region.Line, Numbers, Lines);
}

std::string sourceLine(QuotedSources &Sources, const std::string &File,
                       const SourceRegion &Region) {
  const std::optional<std::string_view> Line = Sources.line(File, Region.Line);
  if (!Line)
    return {};
  const std::size_t Start =
      std::min(Line->find_first_not_of(
                   " \t", Region.Line == 1 && Line->starts_with(ByteOrderMark)
                              ? ByteOrderMark.size()
                              : 0),
               Line->size());
  Marked Mark = markOf(Region, Region.Line, *Line);
  Mark.Begin -= std::min(Mark.Begin, Start);
  Mark.End -= std::min(Mark.End, Start);
  return fmt::format("<code>{}</code>", lineBody(Line->substr(Start), 0, Mark));
}

/// Lines of \p Text, each behind \p Sign.
static std::string signedLines(std::string_view Text, char Sign,
                               std::string_view Element) {
  std::string Out;
  while (true) {
    const std::size_t End = Text.find('\n');
    std::string_view Line = Text.substr(0, End);
    Line = Line.substr(0, Line.find_last_not_of('\r') + 1);
    Out += fmt::format("<{0}>{1} {2}\n</{0}>", Element, Sign,
                       lineBody(Line, 0, {}));
    if (End == Text.npos)
      return Out;
    Text.remove_prefix(End + 1);
  }
}

std::string editedLines(QuotedSources &Sources, const Edit &Edit) {
  const std::optional<SourceRegion> Region = regionOf(Edit, Sources);
  if (!Region || Region->EndLine - Region->Line > MostLines)
    return {};
  const std::optional<std::string_view> First =
      Sources.line(Edit.File, Region->Line);
  const std::optional<std::string_view> Last =
      Sources.line(Edit.File, Region->EndLine);
  if (!First || !Last || Region->Column - 1 > First->size() ||
      Region->EndColumn - 1 > Last->size())
    return {};
  std::string Before;
  for (unsigned Line = Region->Line; Line <= Region->EndLine; ++Line)
    Before += (Line == Region->Line ? "" : "\n") +
              std::string(Sources.line(Edit.File, Line).value_or(""));
  std::string After(First->substr(0, Region->Column - 1));
  After += Edit.Text;
  After += Last->substr(Region->EndColumn - 1);
  if (Region->Line == 1)
    for (std::string *Each : {&Before, &After})
      if (Each->starts_with(ByteOrderMark))
        Each->erase(0, ByteOrderMark.size());
  return fmt::format("<pre class=diff tabindex=0 role=group "
                     "aria-label=\"edit of line {}\">{}{}</pre>\n",
                     Region->Line, signedLines(Before, '-', "del"),
                     signedLines(After, '+', "ins"));
}

} // namespace cudalint
