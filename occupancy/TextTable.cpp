//===- occupancy/TextTable.cpp - Columns of text --------------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "occupancy/TextTable.h"

#include "report/TerminalText.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <span>
#include <string_view>

namespace cudalint {

/// One line of cells each; all but the last column are padded.
std::string columns(const TableRows &Rows) {
  std::vector<std::size_t> Widths;
  for (const auto &Row : Rows) {
    Widths.resize(std::max(Widths.size(), Row.size()));
    for (std::size_t I = 0; I != Row.size(); ++I)
      Widths[I] = std::max<std::size_t>(Widths[I], columnsOf(Row[I]));
  }
  std::string Out;
  for (const auto &Row : Rows) {
    std::string Line;
    for (std::size_t I = 0; I != Row.size(); ++I) {
      Line += (I == 0 ? "" : "  ") + Row[I];
      Line.append(Widths[I] - columnsOf(Row[I]), ' ');
    }
    Line.erase(Line.find_last_not_of(' ') + 1);
    Out += Line + "\n";
  }
  return Out;
}

static std::size_t widestOf(std::string_view Lines) {
  std::size_t Width = 0;
  while (!Lines.empty()) {
    std::size_t End = std::min(Lines.find('\n'), Lines.size());
    Width = std::max<std::size_t>(Width, columnsOf(Lines.substr(0, End)));
    Lines.remove_prefix(std::min(End + 1, Lines.size()));
  }
  return Width;
}

/// Printable text within \p Columns: the middle of what is too long is `~`.
static std::string cutMiddle(std::string_view Text, std::size_t Columns) {
  if (columnsOf(Text) <= Columns)
    return std::string(Text);
  const std::size_t Head = Columns / 2;
  return cutTo(Text, Head + 1) + cutToEnd(Text, Columns - Head).substr(1);
}

/// Names that are one when cut, in \p Width columns: what differs is kept, with
/// as much as fits of what they begin and end with. Unchanged where that needs
/// more columns.
static void keepDifference(std::span<std::string> Names, std::size_t Width) {
  std::size_t Prefix = Names[0].size(), Suffix = Names[0].size();
  std::size_t Shortest = Prefix, Longest = Prefix;
  for (const std::string &Name : Names) {
    auto [A, B] = std::ranges::mismatch(Names[0], Name);
    auto [C, D] = std::mismatch(Names[0].rbegin(), Names[0].rend(),
                                Name.rbegin(), Name.rend());
    Prefix = std::min<std::size_t>(
        Prefix, static_cast<std::size_t>(A - Names[0].begin()));
    Suffix = std::min<std::size_t>(
        Suffix, static_cast<std::size_t>(C - Names[0].rbegin()));
    Shortest = std::min(Shortest, Name.size());
    Longest = std::max(Longest, Name.size());
    // Where a character is one column, a cut is between two.
    if (!std::ranges::all_of(Name, [](char C) { return C >= ' ' && C <= '~'; }))
      return;
  }
  Suffix = std::min(Suffix, Shortest - Prefix);
  const std::size_t Middle = Longest - Prefix - Suffix + 2;
  if (Middle > Width)
    return;
  const std::size_t Tail = std::min(Suffix, (Width - Middle) / 2);
  const std::size_t Head = std::min(Prefix, Width - Middle - Tail);
  for (std::string &Name : Names) {
    std::string End = Name.substr(Name.size() - Tail);
    std::string Differs = Name.substr(Prefix, Name.size() - Prefix - Suffix);
    Name = Name.substr(0, Head) + (Head == Prefix ? "" : "~") + Differs +
           (Tail == Suffix ? "" : "~") + End;
  }
}

/// What to show for each of \p Names in \p Width columns.
static std::map<std::string, std::string>
shortNames(const std::set<std::string> &Names, std::size_t Width) {
  std::map<std::string, std::vector<std::string>> Alike;
  for (const std::string &Name : Names)
    Alike[cutMiddle(Name, Width)].push_back(Name);
  std::map<std::string, std::string> Result;
  for (const auto &[Short, Group] : Alike) {
    std::vector<std::string> Shown = Group;
    if (Group.size() == 1)
      Shown = {Short};
    else
      keepDifference(Shown, Width);
    for (std::size_t I = 0; I != Group.size(); ++I)
      Result[Group[I]] = Shown[I];
  }
  return Result;
}

/// Kernels within \p Width columns, or the least more that tells them apart.
static void shortenKernels(TableRows &Rows, std::size_t Width) {
  std::set<std::string> Names;
  std::size_t Widest = 0;
  for (const auto &Row : Rows) {
    Names.insert(Row[0]);
    Widest = std::max<std::size_t>(Widest, columnsOf(Row[0]));
  }
  // Step by step at first: names of kernels are long, and each try takes time.
  std::size_t Step = 1;
  for (unsigned Try = 0; Width < Widest; Width += Step, ++Try) {
    Step = Try < 16 ? 1 : 1 + Width / 4;
    std::map<std::string, std::string> Short = shortNames(Names, Width);
    std::set<std::string> Different;
    bool Fit = true;
    for (const auto &[Name, Shown] : Short) {
      Different.insert(Shown);
      Fit &= columnsOf(Shown) <= Width;
    }
    if (!Fit || Different.size() != Names.size())
      continue;
    for (auto &Row : Rows)
      Row[0] = Short[Row[0]];
    return;
  }
}

/// Takes \p Excess columns from the names of kernels, the first cells, and then
/// from the front of their places, the second; names keep a few.
static TableRows withShortNames(TableRows Rows, std::size_t Excess) {
  for (std::size_t Column : {0, 1}) {
    const std::size_t Least = Column == 0 ? 10 : 12;
    std::size_t Widest = 0;
    for (const auto &Row : Rows)
      Widest = std::max<std::size_t>(Widest, columnsOf(Row[Column]));
    if (Widest <= Least || Excess == 0)
      continue;
    const std::size_t Width =
        std::max(Least, Widest - std::min(Widest, Excess));
    if (Column == 0)
      shortenKernels(Rows, Width);
    else
      for (auto &Row : Rows)
        Row[1] = cutToEnd(Row[1], Width);
    std::size_t Now = 0;
    for (const auto &Row : Rows)
      Now = std::max<std::size_t>(Now, columnsOf(Row[Column]));
    Excess -= std::min(Excess, Widest - Now);
  }
  return Rows;
}

std::string columnsWithin(TableRows Rows, unsigned Width) {
  std::string Out = columns(Rows);
  std::string Left;
  for (const char *Name : {"waves", "of most", "tail", "rounds", "blocks"}) {
    if (Width == 0 || widestOf(Out) <= Width)
      break;
    auto Found = std::ranges::find(Rows.front(), Name);
    if (Found == Rows.front().end())
      continue;
    std::ptrdiff_t At = Found - Rows.front().begin();
    for (auto &Row : Rows)
      Row.erase(Row.begin() + At);
    Left += (Left.empty() ? "" : ", ") + std::string(Name);
    Out = columns(Rows);
  }
  if (Width != 0 && widestOf(Out) > Width)
    Out = columns(withShortNames(std::move(Rows), widestOf(Out) - Width));
  if (!Left.empty())
    Out += wrapped(fmt::format("not shown for width: {}; a file or a wider "
                               "terminal has all",
                               Left),
                   0, Width) +
           "\n";
  return Out;
}

} // namespace cudalint
