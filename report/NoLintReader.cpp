//===- report/NoLintReader.cpp - NOLINT in a source text ------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/NoLintReader.h"

#include <algorithm>
#include <string>

namespace cudalint {

static constexpr NoLintKind Kinds[] = {NoLintKind::Line, NoLintKind::NextLine,
                                       NoLintKind::Begin, NoLintKind::End};

std::string_view nameOf(NoLintKind Kind) {
  switch (Kind) {
  case NoLintKind::Line:
    return "NOLINT";
  case NoLintKind::NextLine:
    return "NOLINTNEXTLINE";
  case NoLintKind::Begin:
    return "NOLINTBEGIN";
  case NoLintKind::End:
    return "NOLINTEND";
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

static std::string_view trimmedItem(std::string_view Text) {
  static constexpr std::string_view Blanks = " \t\n\v\f\r";
  const std::size_t First = Text.find_first_not_of(Blanks);
  if (First == Text.npos)
    return {};
  return Text.substr(First, Text.find_last_not_of(Blanks) + 1 - First);
}

/// Calls \p Work with each item until it returns false.
template <typename Function>
static void forEachItem(std::string_view List, Function Work) {
  for (;;) {
    const std::size_t Comma = List.find(',');
    if (!Work(trimmedItem(List.substr(0, Comma))) || Comma == List.npos)
      return;
    List.remove_prefix(Comma + 1);
  }
}

bool matchesGlob(std::string_view Name, std::string_view Glob) {
  std::size_t N = 0, G = 0;
  // Where to go on when what follows the last star does not match: the star
  // takes one more character. Earlier stars never need to.
  std::size_t Star = Glob.npos, Taken = 0;
  while (N != Name.size()) {
    if (G != Glob.size() && Glob[G] == '*') {
      Star = G++;
      Taken = N;
    } else if (G != Glob.size() && Glob[G] == Name[N]) {
      ++G, ++N;
    } else if (Star != Glob.npos) {
      G = Star + 1;
      N = ++Taken;
    } else {
      return false;
    }
  }
  return Glob.find_first_not_of('*', G) == Glob.npos;
}

bool NoLintDirective::isFor(std::string_view Name) const {
  if (!List)
    return true;
  bool Found = false;
  forEachItem(*List, [&](std::string_view Item) {
    Found = matchesGlob(Name, Item); // No name begins as `-name` does.
    return !Found;
  });
  return Found;
}

std::vector<NoLintItem> NoLintDirective::items() const {
  std::vector<NoLintItem> Items;
  if (!List)
    return Items;
  const std::size_t Start = End - 1 - List->size(); // End is behind a bracket.
  forEachItem(*List, [&](std::string_view Item) {
    if (!Item.empty() && !Item.starts_with('-'))
      Items.push_back(
          {Item, Start + static_cast<std::size_t>(Item.data() - List->data())});
    return true;
  });
  return Items;
}

/// The list without the blanks around its names: what two of a pair agree in.
/// Made once for each: a comparison is then of texts of one length.
static std::optional<std::string>
withoutBlanks(std::optional<std::string_view> List) {
  if (!List)
    return std::nullopt;
  std::string Out;
  forEachItem(*List, [&](std::string_view Item) {
    Out += Item;
    Out += ',';
    return true;
  });
  return Out;
}

//===----------------------------------------------------------------------===//
// The text
//===----------------------------------------------------------------------===//

/// Of any language: isalpha() would ask the locale.
static bool isLetter(char C) {
  return (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z');
}

namespace {
/// Finds the bracket that closes a list. Each byte is looked at once, however
/// many brackets are opened and not closed.
class ClosingBrackets {
public:
  explicit ClosingBrackets(std::string_view Text) : Text(Text) {}

  /// The first one behind \p From in its line. \p From never goes back.
  std::optional<std::size_t> after(std::size_t From) {
    Next = std::max(Next, From);
    while (Next != Text.size() && Text[Next] != ')' && Text[Next] != '\n')
      ++Next;
    if (Next == Text.size() || Text[Next] == '\n')
      return std::nullopt;
    return Next;
  }

private:
  std::string_view Text;
  std::size_t Next = 0;
};
} // namespace

std::vector<NoLintDirective> readNoLint(std::string_view Text) {
  static constexpr std::string_view Stem = "NOLINT";
  std::vector<NoLintDirective> Found;
  ClosingBrackets Closing(Text);
  std::size_t Next = 0;
  for (std::size_t At = Text.find(Stem); At != Text.npos;
       At = Text.find(Stem, Next)) {
    Next = At + Stem.size();
    while (Next != Text.size() && isLetter(Text[Next]))
      ++Next;
    const auto *Kind = std::ranges::find(
        Kinds, Text.substr(At, Next - At),
        static_cast<std::string_view (*)(NoLintKind)>(nameOf));
    if (Kind == std::end(Kinds))
      continue;
    NoLintDirective D{.Kind = *Kind, .Offset = At, .End = Next, .List = {}};
    if (Next != Text.size() && Text[Next] == '(') {
      ++Next;
      if (const auto Bracket = Closing.after(Next)) {
        D.List = Text.substr(Next, *Bracket - Next);
        D.End = Next = *Bracket + 1;
      }
    }
    Found.push_back(D);
  }
  return Found;
}

NoLintBlocks pairUp(const std::vector<NoLintDirective> &Directives) {
  NoLintBlocks Blocks;
  struct Begun {
    std::size_t At;
    std::optional<std::string> List;
  };
  std::vector<Begun> Open;
  for (std::size_t I = 0; I != Directives.size(); ++I) {
    const NoLintDirective &D = Directives[I];
    if (D.Kind == NoLintKind::Begin)
      Open.push_back({I, withoutBlanks(D.List)});
    if (D.Kind != NoLintKind::End)
      continue;
    if (Open.empty()) {
      Blocks.LoneEnds.push_back({.End = I, .Open = std::nullopt});
    } else if (Open.back().List != withoutBlanks(D.List)) {
      Blocks.LoneEnds.push_back({.End = I, .Open = Open.back().At});
    } else {
      Blocks.Closed.push_back({.Begin = Open.back().At, .End = I});
      Open.pop_back();
    }
  }
  for (const Begun &Each : Open)
    Blocks.LoneBegins.push_back(Each.At);
  return Blocks;
}

} // namespace cudalint
