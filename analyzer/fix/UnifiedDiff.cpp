//===- analyzer/fix/UnifiedDiff.cpp - A patch -----------------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/fix/UnifiedDiff.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

namespace cudalint {

/// Lines around a change that are shown.
static constexpr std::size_t Context = 3;

namespace {
/// Lines of the text, with their ends, and what they become.
struct Change {
  std::size_t First = 0, Behind = 0; ///< Lines, from 0.
  std::string New;
};
} // namespace

/// Each with its end, which the last one may lack.
static std::vector<std::string_view> linesOf(std::string_view Text) {
  std::vector<std::string_view> Result;
  while (!Text.empty()) {
    const std::size_t End = std::min(Text.find('\n'), Text.size() - 1) + 1;
    Result.push_back(Text.substr(0, End));
    Text.remove_prefix(End);
  }
  return Result;
}

/// The changes of whole lines that the edits of bytes are: those of one line,
/// and of neighbouring ones, are one.
static std::vector<Change> changesOf(std::string_view Text,
                                     std::span<const std::string_view> Lines,
                                     std::span<const Edit> Edits) {
  // Where each begins; and the end of all.
  std::vector<std::size_t> Starts;
  for (const std::string_view Line : Lines)
    Starts.push_back(static_cast<std::size_t>(Line.data() - Text.data()));
  Starts.push_back(Text.size());
  const auto lineAt = [&](std::size_t Offset) {
    const auto Next = std::ranges::upper_bound(Starts, Offset);
    return std::min(static_cast<std::size_t>(Next - Starts.begin()) - 1,
                    Lines.empty() ? 0 : Lines.size() - 1);
  };
  std::vector<Change> Result;
  std::size_t Done = 0; // Bytes that the last change has taken.
  for (const Edit &E : Edits) {
    const std::size_t First = lineAt(E.Offset),
                      Behind = std::min(lineAt(E.Offset + E.Length) + 1,
                                        Lines.size());
    if (Result.empty() || First > Result.back().Behind) {
      if (!Result.empty())
        Result.back().New +=
            Text.substr(Done, Starts[Result.back().Behind] - Done);
      Result.push_back({.First = First, .Behind = Behind});
      Done = Starts[First];
    }
    Change &Its = Result.back();
    Its.Behind = std::max(Its.Behind, Behind);
    Its.New += Text.substr(Done, E.Offset - Done);
    Its.New += E.Text;
    Done = E.Offset + E.Length;
  }
  if (!Result.empty())
    Result.back().New += Text.substr(Done, Starts[Result.back().Behind] - Done);
  return Result;
}

static std::string marked(char Mark, std::string_view Line) {
  std::string Text = Mark + std::string(Line);
  if (!Line.ends_with('\n'))
    Text += "\n\\ No newline at end of file\n";
  return Text;
}

/// `12,3`; of no lines, the one before them is named.
static std::string rangeOf(std::size_t First, std::size_t Count) {
  return fmt::format("{},{}", Count ? First + 1 : First, Count);
}

/// The changes of \p Part, which are less than twice the context apart. \p
/// Moved is how many lines more there are before it now.
static std::string hunk(std::span<const std::string_view> Lines,
                        std::span<const Change> Part, std::ptrdiff_t &Moved) {
  const std::size_t First = Part.front().First -
                            std::min(Part.front().First, Context),
                    Behind =
                        std::min(Part.back().Behind + Context, Lines.size());
  std::string Body;
  std::size_t At = First, Added = 0, Removed = 0;
  const auto keepUntil = [&](std::size_t End) {
    for (; At < End; ++At)
      Body += marked(' ', Lines[At]);
  };
  for (const Change &Each : Part) {
    keepUntil(Each.First);
    for (; At < Each.Behind; ++At, ++Removed)
      Body += marked('-', Lines[At]);
    for (const std::string_view Line : linesOf(Each.New)) {
      Body += marked('+', Line);
      ++Added;
    }
  }
  keepUntil(Behind);
  const std::size_t Count = Behind - First;
  const std::string Head =
      fmt::format("@@ -{} +{} @@\n", rangeOf(First, Count),
                  rangeOf(static_cast<std::size_t>(
                              static_cast<std::ptrdiff_t>(First) + Moved),
                          Count + Added - Removed));
  Moved +=
      static_cast<std::ptrdiff_t>(Added) - static_cast<std::ptrdiff_t>(Removed);
  return Head + Body;
}

/// As git writes names in patches: quoted where they hold what a line cannot,
/// or what would be taken for a quote.
static std::string quoted(const std::string &Name) {
  std::string Text;
  bool IsPlain = true;
  for (const char C : Name) {
    const auto Byte = static_cast<unsigned char>(C);
    if (C == '"' || C == '\\')
      Text += {'\\', C};
    else if (Byte < 0x20 || Byte >= 0x7f)
      Text += fmt::format("\\{:03o}", Byte);
    else {
      Text += C;
      continue;
    }
    IsPlain = false;
  }
  return IsPlain ? Name : "\"" + Text + "\"";
}

std::string unifiedDiff(const std::string &File, std::string_view Before,
                        std::span<const Edit> Edits) {
  const std::vector<std::string_view> Lines = linesOf(Before);
  const std::vector<Change> Changes = changesOf(Before, Lines, Edits);
  if (Changes.empty())
    return {};
  // git ends a name that holds a blank with a tab.
  const std::string End = File.find(' ') == File.npos ? "" : "\t";
  std::string Text = fmt::format("--- {}{}\n+++ {}{}\n", quoted("a/" + File),
                                 End, quoted("b/" + File), End);
  std::ptrdiff_t Moved = 0;
  for (std::size_t I = 0; I != Changes.size();) {
    std::size_t Next = I + 1;
    while (Next != Changes.size() &&
           Changes[Next].First <= Changes[Next - 1].Behind + 2 * Context)
      ++Next;
    Text += hunk(Lines, std::span(Changes).subspan(I, Next - I), Moved);
    I = Next;
  }
  return Text;
}

} // namespace cudalint
