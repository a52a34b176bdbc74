//===- report/page/HtmlMarkdown.cpp - Pages of checks ---------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/page/HtmlMarkdown.h"

#include "report/page/HtmlText.h"

#include <fmt/format.h>
#include <vector>

namespace cudalint {

static std::vector<std::string_view> split(std::string_view Text, char At) {
  std::vector<std::string_view> Parts;
  while (true) {
    const std::size_t End = Text.find(At);
    Parts.push_back(Text.substr(0, End));
    if (End == Text.npos)
      return Parts;
    Text.remove_prefix(End + 1);
  }
}

static std::string_view trimmed(std::string_view Text) {
  const std::size_t First = Text.find_first_not_of(" \t\r");
  if (First == Text.npos)
    return {};
  return Text.substr(First, Text.find_last_not_of(" \t\r") + 1 - First);
}

/// Code between backticks.
static std::string inlineText(std::string_view Text) {
  std::string Out;
  bool IsCode = false;
  const std::vector<std::string_view> Parts = split(Text, '`');
  for (std::size_t I = 0; I != Parts.size(); ++I, IsCode = !IsCode) {
    if (IsCode && I + 1 == Parts.size()) // It does not end.
      Out += "`" + html(Parts[I]);
    else
      Out += IsCode ? fmt::format("<code>{}</code>", html(Parts[I]))
                    : html(Parts[I]);
  }
  return Out;
}

static std::string tableRow(std::string_view Line, std::string_view Cell) {
  Line = trimmed(Line);
  if (Line.starts_with('|'))
    Line.remove_prefix(1);
  if (Line.ends_with('|'))
    Line.remove_suffix(1);
  std::string Out = "<tr>";
  for (const std::string_view Each : split(Line, '|'))
    Out += fmt::format("<{0}>{1}</{0}>", Cell, inlineText(trimmed(Each)));
  return Out + "</tr>\n";
}

static std::string block(const std::vector<std::string_view> &Lines) {
  if (Lines.front().starts_with('|')) {
    std::string Out = "<div class=scroll tabindex=0 role=group "
                      "aria-label=table><table>\n";
    for (std::size_t I = 0; I != Lines.size(); ++I)
      if (I != 1) // Which aligns the columns.
        Out += tableRow(Lines[I], I == 0 ? "th" : "td");
    return Out + "</table></div>\n";
  }
  const bool IsList = Lines.front().starts_with("- ");
  std::string Out = IsList ? "<ul>" : "<p>";
  for (std::size_t I = 0; I != Lines.size(); ++I) {
    std::string_view Line = Lines[I];
    if (IsList && Line.starts_with("- ")) {
      Line.remove_prefix(2);
      Out += I ? "</li>\n<li>" : "<li>";
    } else if (I) {
      Out += '\n';
    }
    Out += inlineText(Line);
  }
  return Out + (IsList ? "</li></ul>\n" : "</p>\n");
}

std::string htmlOfMarkdown(std::string_view Text) {
  std::string Out;
  std::vector<std::string_view> Lines;
  const auto close = [&] {
    if (!Lines.empty())
      Out += block(Lines);
    Lines.clear();
  };
  for (const std::string_view Each : split(Text, '\n')) {
    const std::string_view Line = trimmed(Each);
    // A list, or a table, may follow a paragraph at once.
    if (Line.empty() ||
        (!Lines.empty() &&
         Line.starts_with('|') != Lines.front().starts_with('|')) ||
        (!Lines.empty() && Line.starts_with("- ") &&
         !Lines.front().starts_with("- ")))
      close();
    if (!Line.empty())
      Lines.push_back(Line);
  }
  close();
  return Out;
}

} // namespace cudalint
