//===- report/SourceRegion.cpp - What a finding marks ---------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/SourceRegion.h"

#include "report/TerminalText.h"

#include <tuple>

namespace cudalint {

SourceRegion regionOf(const Location &Where) {
  return {Where.Line, Where.Line ? Where.Column : 0, 0, 0};
}

SourceRegion regionOf(const Finding &F) {
  const auto &[Begin, End] = F.Meant;
  const bool IsWhole = Begin.Line && Begin.Column && End.Line && End.Column &&
                       Begin.File == F.Where.File && End.File == Begin.File;
  // Of what a macro wrote, the end may stand before the beginning.
  if (!IsWhole ||
      std::tie(End.Line, End.Column) <= std::tie(Begin.Line, Begin.Column))
    return regionOf(F.Where);
  return {Begin.Line, Begin.Column, End.Line, End.Column};
}

static unsigned utf16Column(std::string_view Line, unsigned Number,
                            unsigned Column) {
  static constexpr std::string_view ByteOrderMark = "\xEF\xBB\xBF";
  std::size_t Left = std::min<std::size_t>(Column - 1, Line.size());
  if (Number == 1 && Line.starts_with(ByteOrderMark)) {
    Line.remove_prefix(ByteOrderMark.size());
    Left -= std::min(Left, ByteOrderMark.size());
  }
  unsigned Units = 0;
  while (Left != 0) {
    const bool IsAscii = (Line.front() & 0x80) == 0;
    const std::size_t Bytes = IsAscii ? 1 : firstGlyph(Line).Bytes;
    // The column of a byte inside a character is that of the character.
    if (Bytes > Left)
      break;
    Units += Bytes == 4 ? 2 : 1;
    Line.remove_prefix(Bytes);
    Left -= Bytes;
  }
  return Units + 1;
}

SourceRegion inUtf16(SourceRegion Region, const std::string &File,
                     QuotedSources &Sources) {
  const auto convert = [&](unsigned Line, unsigned &Column) {
    const auto Text = Sources.line(File, Line);
    if (Text && Column)
      Column = utf16Column(*Text, Line, Column);
  };
  convert(Region.Line, Region.Column);
  convert(Region.EndLine, Region.EndColumn);
  return Region;
}

std::optional<SourceRegion> regionOf(const Edit &E, QuotedSources &Sources) {
  if (!Sources.text(E.File, E.Offset, E.Length))
    return std::nullopt;
  const auto Begin = Sources.place(E.File, E.Offset);
  const auto End = Sources.place(E.File, E.Offset + E.Length);
  return SourceRegion{Begin->Line, Begin->Column, End->Line, End->Column};
}

} // namespace cudalint
