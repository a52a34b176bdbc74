//===- analyzer/fix/FixedTexts.cpp - Files with their edits ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/fix/FixedTexts.h"

#include "analyzer/fix/OfferedFixes.h"

#include "clang/Tooling/Core/Replacement.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

using clang::tooling::Replacement;
using clang::tooling::Replacements;

namespace cudalint {

struct FixedTexts::State {
  SourceText Original;
  /// By the name of the file that all its names lead to.
  struct Edited {
    std::string Name; ///< The first that was used.
    Replacements Edits;
  };
  std::map<std::string, Edited> Files;
};

FixedTexts::FixedTexts(SourceText Original)
    : S(std::make_unique<State>(State{std::move(Original), {}})) {}
FixedTexts::~FixedTexts() = default;
FixedTexts::FixedTexts(const FixedTexts &Other)
    : S(std::make_unique<State>(*Other.S)) {}
FixedTexts &FixedTexts::operator=(const FixedTexts &Other) {
  *S = *Other.S;
  return *this;
}

/// One for all names of a file.
static std::string identityOf(const std::string &Name) {
  llvm::SmallString<256> Real;
  return llvm::sys::fs::real_path(Name, Real) ? Name : Real.str().str();
}

/// Why \p E cannot be made in \p Text; or empty.
static std::string whyNot(const Edit &E, std::optional<std::string_view> Text) {
  if (!Text)
    return fmt::format("'{}' has changed since it was read, or cannot be read",
                       E.File);
  if (E.Offset > Text->size() || E.Length > Text->size() - E.Offset ||
      Text->size() > std::numeric_limits<unsigned>::max())
    return fmt::format("'{}' is shorter than it was", E.File);
  if (isGenerated(*Text))
    return fmt::format("'{}' is written by a program", E.File);
  return {};
}

/// Lines end as those of the file do.
static std::string withLineEnds(std::string Text, std::string_view File) {
  const std::size_t First = File.find('\n');
  if (First == File.npos || First == 0 || File[First - 1] != '\r')
    return Text;
  for (std::size_t At = 0; (At = Text.find('\n', At)) != Text.npos; At += 2)
    Text.insert(At, 1, '\r');
  return Text;
}

/// Whether \p Known has an insertion where \p E is one: Replacements would join
/// two that are equal.
static bool hasInsertion(const Replacements &Known, const Edit &E) {
  return E.Length == 0 &&
         std::ranges::any_of(Known, [&](const Replacement &Each) {
           return Each.getLength() == 0 && Each.getOffset() == E.Offset;
         });
}

std::optional<std::string> FixedTexts::add(const Fix &What) {
  std::map<std::string, State::Edited> Next = S->Files;
  for (const Edit &E : What.Edits) {
    const std::optional<std::string_view> Text = S->Original(E.File);
    if (std::string Why = whyNot(E, Text); !Why.empty())
      return Why;
    State::Edited &File =
        Next.try_emplace(identityOf(E.File), State::Edited{E.File, {}})
            .first->second;
    if (const auto Before = S->Files.find(identityOf(E.File));
        Before != S->Files.end() && hasInsertion(Before->second.Edits, E))
      return "it edits what another fix edits";
    if (llvm::Error Fault = File.Edits.add(Replacement(
            File.Name, static_cast<unsigned>(E.Offset),
            static_cast<unsigned>(E.Length), withLineEnds(E.Text, *Text)))) {
      llvm::consumeError(std::move(Fault));
      return "it edits what another fix edits";
    }
  }
  S->Files = std::move(Next);
  return std::nullopt;
}

void FixedTexts::keep(const std::string &File) {
  S->Files.try_emplace(identityOf(File), State::Edited{File, {}});
}

std::map<std::string, std::string> FixedTexts::texts() const {
  std::map<std::string, std::string> Result;
  for (const auto &[Identity, File] : S->Files) {
    const std::optional<std::string_view> Text = S->Original(File.Name);
    if (!Text)
      continue;
    // It was within the bounds of this text when it was added.
    if (auto Edited = clang::tooling::applyAllReplacements(*Text, File.Edits))
      Result[File.Name] = std::move(*Edited);
    else
      llvm::consumeError(Edited.takeError());
  }
  return Result;
}

std::map<std::string, std::vector<Edit>> FixedTexts::edits() const {
  std::map<std::string, std::vector<Edit>> Result;
  for (const auto &[Identity, File] : S->Files)
    for (const Replacement &Each : File.Edits)
      Result[File.Name].push_back({File.Name, Each.getOffset(),
                                   Each.getLength(),
                                   Each.getReplacementText().str()});
  return Result;
}

} // namespace cudalint
