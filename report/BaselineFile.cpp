//===- report/BaselineFile.cpp - Known findings as a file -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/BaselineFile.h"

#include "report/Names.h"
#include "report/TerminalText.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <fmt/format.h>
#include <iterator>
#include <optional>
#include <tuple>
#include <utility>

namespace cudalint {

static constexpr std::string_view Title = "# cuda-lint baseline ";
static constexpr std::string_view Version = "1";

static auto keyOf(const BaselineEntry &Entry) {
  return std::tie(Entry.Fingerprint, Entry.IsError, Entry.File);
}

Baseline makeBaseline(std::vector<BaselineEntry> Entries) {
  std::ranges::sort(Entries);
  Baseline Known;
  for (BaselineEntry &Each : Entries) {
    // Sorted by places, too: the last one has most.
    if (!Known.Entries.empty() && keyOf(Known.Entries.back()) == keyOf(Each))
      Known.Entries.back() = std::move(Each);
    else
      Known.Entries.push_back(std::move(Each));
  }
  return Known;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static std::string escaped(std::string_view Text) {
  if (Text.empty())
    return "-";
  if (Text == "-")
    return "\\x2d";
  std::string Out;
  while (!Text.empty()) {
    const Glyph G = firstGlyph(Text);
    const std::string_view Bytes = Text.substr(0, G.Bytes);
    Text.remove_prefix(G.Bytes);
    if (Bytes == "\\")
      Out += "\\\\";
    else if (Bytes != " " && G.Text == Bytes)
      Out += Bytes;
    else
      for (const char Byte : Bytes)
        Out += fmt::format("\\x{:02x}", static_cast<unsigned char>(Byte));
  }
  return Out;
}

std::string toText(const Baseline &Known) {
  std::vector<std::string> Lines;
  Lines.reserve(Known.Entries.size());
  for (const BaselineEntry &Each : Known.Entries)
    Lines.push_back(
        fmt::format("{} {} {} {} {} {} {}\n", Each.Fingerprint, Each.Places,
                    nameOf(Each.IsError ? Severity::Error : Severity::Warning),
                    escaped(Each.Check), escaped(Each.File),
                    escaped(Each.Function), escaped(Each.Name)));
  std::ranges::sort(Lines);
  std::string Out = fmt::format("{}{}\n", Title, Version);
  for (const std::string &Line : Lines)
    Out += Line;
  return Out;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static std::optional<unsigned> hexDigit(char C) {
  if (C >= '0' && C <= '9')
    return static_cast<unsigned>(C - '0');
  if (C >= 'a' && C <= 'f')
    return static_cast<unsigned>(C - 'a' + 10);
  return std::nullopt;
}

namespace {
/// A word of a line.
struct Field {
  std::string_view Text;
  std::size_t Column = 0; ///< From 1.
};

class BaselineReader {
public:
  BaselineReader(std::string_view Text, const std::string &Name)
      : Rest(Text), Name(Name) {}

  BaselineRead read();

private:
  static constexpr std::size_t MostErrors = 20;
  static constexpr std::size_t Fields = 7;

  void readTitle(std::string_view Line);
  void readLine(std::string_view Line);
  void readEntry(std::string_view Line);
  std::optional<std::string> unescaped(const Field &From);
  void fail(std::size_t Column, std::string Message) {
    Out.Errors.push_back({.Where = {Name, Number, unsigned(Column)},
                          .Message = std::move(Message)});
  }

  std::string_view Rest;
  const std::string &Name;
  unsigned Number = 0; ///< Of the line, from 1.
  std::vector<BaselineEntry> Entries;
  BaselineRead Out;
};
} // namespace

/// The mark of a conflict that git left; or nothing.
static std::string_view conflictMark(std::string_view Line) {
  for (const char C : {'<', '=', '>', '|'}) {
    const std::size_t Count = std::min(Line.find_first_not_of(C), Line.size());
    if (Count == 7)
      return Line.substr(0, Count);
  }
  return {};
}

void BaselineReader::readTitle(std::string_view Line) {
  if (const std::string_view Mark = conflictMark(Line); !Mark.empty())
    return readLine(Line);
  if (!Line.starts_with(Title))
    return fail(1, fmt::format("this is no baseline: its first line is not "
                               "'{}{}'",
                               Title, Version));
  readLine(Line);
}

void BaselineReader::readLine(std::string_view Line) {
  if (Line.size() > MostBaselineLine)
    return fail(
        MostBaselineLine + 1,
        fmt::format("a line is longer than {} bytes", MostBaselineLine));
  if (const std::string_view Mark = conflictMark(Line); !Mark.empty())
    return fail(1, fmt::format("'{}' is left of a merge: take it away, and "
                               "keep the entries of both sides, in any order",
                               Mark));
  if (Line.starts_with(Title)) { // That of another file, too, in a union.
    const std::string_view Of = Line.substr(Title.size());
    if (Of.substr(0, Of.find_last_not_of(" \t") + 1) != Version)
      fail(Title.size() + 1,
           fmt::format("version {} is not known here, only {}: use a newer "
                       "cuda-lint, or write the baseline anew",
                       inQuotes(Of), Version));
    return;
  }
  if (Line.starts_with('#') || Line.find_first_not_of(" \t") == Line.npos)
    return;
  readEntry(Line);
}

std::optional<std::string> BaselineReader::unescaped(const Field &From) {
  if (From.Text == "-")
    return std::string();
  std::string Text;
  for (std::size_t I = 0; I != From.Text.size(); ++I) {
    const char C = From.Text[I];
    if (static_cast<unsigned char>(C) < 0x20 || C == 0x7f) {
      fail(From.Column + I, "a control character is not written as '\\x00'");
      return std::nullopt;
    }
    if (C != '\\') {
      Text += C;
      continue;
    }
    const std::string_view Behind = From.Text.substr(I + 1);
    if (Behind.starts_with('\\')) {
      Text += '\\';
      ++I;
      continue;
    }
    const auto High = Behind.size() < 3 ? std::nullopt : hexDigit(Behind[1]);
    const auto Low = Behind.size() < 3 ? std::nullopt : hexDigit(Behind[2]);
    if (!Behind.starts_with('x') || !High || !Low) {
      fail(From.Column + I, "a backslash is written as '\\\\'");
      return std::nullopt;
    }
    Text += static_cast<char>(*High * 16 + *Low);
    I += 3;
  }
  return Text;
}

static std::vector<Field> fieldsOf(std::string_view Line) {
  std::vector<Field> Out;
  std::size_t End = 0;
  for (std::size_t At = Line.find_first_not_of(" \t"); At != Line.npos;
       At = Line.find_first_not_of(" \t", End)) {
    End = std::min(Line.find_first_of(" \t", At), Line.size());
    Out.push_back({Line.substr(At, End - At), At + 1});
    if (End == Line.size())
      break;
  }
  return Out;
}

bool isFingerprint(std::string_view Text) {
  return Text.size() == 16 && std::ranges::all_of(Text, [](char C) {
           return hexDigit(C).has_value();
         });
}

/// At least 1, and nothing but digits.
static std::optional<unsigned> countIn(std::string_view Text) {
  unsigned Count = 0;
  const char *Start = Text.data(), *End = Start + Text.size();
  const auto [Behind, Error] = std::from_chars(Start, End, Count);
  if (Error != std::errc() || Behind != End || Count == 0)
    return std::nullopt;
  return Count;
}

void BaselineReader::readEntry(std::string_view Line) {
  const std::vector<Field> In = fieldsOf(Line);
  if (!isFingerprint(In[0].Text))
    return fail(In[0].Column,
                fmt::format("{} is no fingerprint of 16 hexadecimal digits",
                            inQuotes(In[0].Text)));
  if (In.size() != Fields)
    return fail(
        In.size() > Fields ? In[Fields].Column : Line.size() + 1,
        fmt::format("an entry has {} fields, not {}", Fields, In.size()));
  const std::optional<unsigned> Places = countIn(In[1].Text);
  if (!Places)
    return fail(In[1].Column,
                fmt::format("{} is no number of places", inQuotes(In[1].Text)));
  const std::string_view Level = In[2].Text;
  if (Level != "error" && Level != "warning" && Level != "note")
    return fail(In[2].Column, fmt::format("{} is neither 'error' nor 'warning'",
                                          inQuotes(Level)));
  std::string Names[Fields - 3];
  for (std::size_t I = 3; I != Fields; ++I) {
    std::optional<std::string> Text = unescaped(In[I]);
    if (!Text)
      return;
    Names[I - 3] = std::move(*Text);
  }
  Entries.push_back({.Fingerprint = std::string(In[0].Text),
                     .IsError = Level == "error",
                     .File = std::move(Names[1]),
                     .Places = *Places,
                     .Check = std::move(Names[0]),
                     .Function = std::move(Names[2]),
                     .Name = std::move(Names[3])});
}

BaselineRead BaselineReader::read() {
  if (Rest.size() > MostBaselineBytes) {
    fail(0, fmt::format("this is no baseline: it is longer than {} MB",
                        MostBaselineBytes >> 20));
    return std::move(Out);
  }
  if (Rest.starts_with("\xef\xbb\xbf")) // Of an editor that was not asked.
    Rest.remove_prefix(3);
  do {
    const std::size_t End = Rest.find('\n');
    std::string_view Line = Rest.substr(0, End);
    Rest.remove_prefix(End == Rest.npos ? Rest.size() : End + 1);
    if (Line.ends_with('\r'))
      Line.remove_suffix(1);
    if (++Number == 1)
      readTitle(Line);
    else
      readLine(Line);
    // What is no baseline at all is told once.
    if (Number == 1 && !Out.Errors.empty() && conflictMark(Line).empty())
      break;
  } while (!Rest.empty() && Out.Errors.size() != MostErrors);
  if (Out.Errors.empty())
    Out.Known = makeBaseline(std::move(Entries));
  return std::move(Out);
}

BaselineRead readBaseline(std::string_view Text, const std::string &Name) {
  return BaselineReader(Text, Name).read();
}

} // namespace cudalint
