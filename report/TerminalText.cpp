//===- report/TerminalText.cpp - Text that is safe and fits ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/TerminalText.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <iterator>
#include <optional>

namespace cudalint {

namespace {
struct CodeRange {
  char32_t First, Last;
};
} // namespace

/// Never shown as they are: C0 and C1 controls, and what is invisible or
/// changes the direction of its neighbours, so that code could look other than
/// it is ("Trojan Source", CVE-2021-42574).
static constexpr CodeRange Hidden[] = {
    {0x00, 0x1F},       {0x7F, 0x9F},     {0xAD, 0xAD},       {0x61C, 0x61C},
    {0x115F, 0x1160},   {0x180E, 0x180E}, {0x200B, 0x200F},   {0x2028, 0x202E},
    {0x2060, 0x206F},   {0x3164, 0x3164}, {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},
    {0xFFF9, 0xFFFB},   {0xFFFE, 0xFFFF}, {0xE0000, 0xE007F}, {0xE000, 0xF8FF},
    {0xF0000, 0x10FFFF}};

static constexpr CodeRange Combining[] = {
    {0x300, 0x36F},   {0x483, 0x489},   {0x591, 0x5BD},    {0x610, 0x61A},
    {0x64B, 0x65F},   {0x6D6, 0x6DC},   {0x900, 0x902},    {0x941, 0x948},
    {0xE31, 0xE31},   {0xE34, 0xE3A},   {0xE47, 0xE4E},    {0x1AB0, 0x1AFF},
    {0x1DC0, 0x1DFF}, {0x20D0, 0x20FF}, {0x302A, 0x302D},  {0x3099, 0x309A},
    {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xE0100, 0xE01EF}};

static constexpr CodeRange Wide[] = {
    {0x1100, 0x115E},   {0x231A, 0x231B},   {0x23E9, 0x23EC},
    {0x2614, 0x2615},   {0x2648, 0x2653},   {0x26A1, 0x26A1},
    {0x2705, 0x2705},   {0x274C, 0x274C},   {0x2757, 0x2757},
    {0x2E80, 0x303E},   {0x3041, 0x33FF},   {0x3400, 0x4DBF},
    {0x4E00, 0xA4CF},   {0xA960, 0xA97F},   {0xAC00, 0xD7A3},
    {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},
    {0xFFE0, 0xFFE6},   {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF},
    {0x1F900, 0x1F9FF}, {0x1FA70, 0x1FAFF}, {0x20000, 0x3FFFD}};

template <std::size_t N>
static bool contains(const CodeRange (&Ranges)[N], char32_t Code) {
  return std::ranges::any_of(Ranges, [Code](const CodeRange &R) {
    return Code >= R.First && Code <= R.Last;
  });
}

namespace {
struct Decoded {
  char32_t Code;
  std::size_t Bytes;
};
} // namespace

/// Strict UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF.
static std::optional<Decoded> decode(std::string_view Text) {
  auto Lead = static_cast<unsigned char>(Text[0]);
  if (Lead < 0x80)
    return Decoded{Lead, 1};
  std::size_t Bytes = Lead >= 0xF0 ? 4 : Lead >= 0xE0 ? 3 : 2;
  if (Lead < 0xC2 || Lead > 0xF4 || Text.size() < Bytes)
    return std::nullopt;
  char32_t Code = Lead & (0x7Fu >> Bytes);
  for (std::size_t I = 1; I != Bytes; ++I) {
    auto Next = static_cast<unsigned char>(Text[I]);
    if ((Next & 0xC0) != 0x80)
      return std::nullopt;
    Code = Code << 6 | (Next & 0x3Fu);
  }
  static constexpr char32_t Least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (Code < Least[Bytes] || Code > 0x10FFFF ||
      (Code >= 0xD800 && Code <= 0xDFFF))
    return std::nullopt;
  return Decoded{Code, Bytes};
}

static Glyph numbered(std::string Text, std::size_t Bytes) {
  auto Columns = static_cast<unsigned>(Text.size());
  return {std::move(Text), Columns, Bytes};
}

Glyph firstGlyph(std::string_view Text) {
  std::optional<Decoded> D = decode(Text);
  if (!D)
    return numbered(
        fmt::format("<{:02X}>", static_cast<unsigned char>(Text[0])), 1);
  if (contains(Hidden, D->Code))
    return numbered(
        fmt::format("<U+{:04X}>", static_cast<std::uint32_t>(D->Code)),
        D->Bytes);
  unsigned Columns = 1;
  if (contains(Combining, D->Code))
    Columns = 0;
  else if (contains(Wide, D->Code))
    Columns = 2;
  return {std::string(Text.substr(0, D->Bytes)), Columns, D->Bytes};
}

std::string printable(std::string_view Text) {
  std::string Out;
  Out.reserve(Text.size());
  while (!Text.empty()) {
    Glyph G = firstGlyph(Text);
    Out += G.Text;
    Text.remove_prefix(G.Bytes);
  }
  return Out;
}

unsigned columnsOf(std::string_view Text) {
  unsigned Columns = 0;
  while (!Text.empty()) {
    Glyph G = firstGlyph(Text);
    Columns += G.Columns;
    Text.remove_prefix(G.Bytes);
  }
  return Columns;
}

std::string cutTo(std::string_view Text, std::size_t Columns) {
  if (columnsOf(Text) <= Columns)
    return std::string(Text);
  std::string Out;
  for (std::size_t Used = 1; !Text.empty();) {
    Glyph G = firstGlyph(Text);
    Used += G.Columns;
    if (Used > Columns)
      break;
    Out += G.Text;
    Text.remove_prefix(G.Bytes);
  }
  return Out + '~';
}

std::string cutToEnd(std::string_view Text, std::size_t Columns) {
  std::size_t Left = columnsOf(Text);
  if (Left <= Columns)
    return std::string(Text);
  while (Left >= Columns && !Text.empty()) {
    Glyph G = firstGlyph(Text);
    Left -= G.Columns;
    Text.remove_prefix(G.Bytes);
  }
  return '~' + std::string(Text);
}

std::string wrapped(std::string_view Text, unsigned Column, unsigned Width) {
  static constexpr unsigned Indent = 6;
  if (Width == 0)
    return std::string(Text);
  std::string Out;
  bool AtStart = true; // Nothing stands on this line that a break would help.
  while (!Text.empty()) {
    std::size_t Space = Text.find(' ');
    std::string_view Word = Text.substr(0, Space);
    Text.remove_prefix(Space == Text.npos ? Text.size() : Space + 1);
    unsigned Columns = columnsOf(Word);
    if (!AtStart && Column + 1 + Columns > Width) {
      Out += '\n';
      Out.append(Indent, ' ');
      Column = Indent;
      AtStart = true;
    }
    if (!AtStart) {
      Out += ' ';
      ++Column;
    }
    Out += Word;
    Column += Columns;
    AtStart = false;
  }
  return Out;
}

std::string coloured(std::string_view Text, Style Colour, bool Enabled) {
  if (!Enabled)
    return std::string(Text);
  // "0;" first, so that a style never mixes with what stood before it.
  std::string_view Code = "1";
  switch (Colour) {
  case Style::Plain:
    break;
  case Style::Error:
    Code = "0;1;31";
    break;
  case Style::Warning:
    Code = "0;1;35";
    break;
  case Style::Note:
    Code = "0;1;36";
    break;
  case Style::Caret:
    Code = "0;1;32";
    break;
  }
  return fmt::format("\033[{}m{}\033[0m", Code, Text);
}

std::string inQuotes(std::string_view Text) {
  static constexpr unsigned MaxColumns = 60;
  std::string Out;
  unsigned Columns = 0;
  while (!Text.empty()) {
    Glyph G = firstGlyph(Text);
    if (Text[0] == '\n')
      G.Text = "\\n";
    else if (Text[0] == '\t')
      G.Text = "\\t";
    Columns += G.Columns;
    if (Columns > MaxColumns)
      return fmt::format("'{}...'", Out);
    Out += G.Text;
    Text.remove_prefix(G.Bytes);
  }
  return fmt::format("'{}'", Out);
}

} // namespace cudalint
