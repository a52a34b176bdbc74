//===- report/SarifRules.cpp - Checks as rules of SARIF -------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/SarifRules.h"

#include "report/Names.h"

#include <fmt/format.h>
#include <string_view>

namespace cudalint {

static std::string_view trimmed(std::string_view Text) {
  const std::size_t Begin = Text.find_first_not_of(" \n");
  if (Begin == Text.npos)
    return {};
  return Text.substr(Begin, Text.find_last_not_of(" \n") + 1 - Begin);
}

/// `Finds warps.` of `finds warps`
static std::string asSentence(std::string_view Text) {
  std::string Out(trimmed(Text));
  if (!Out.empty() && Out.front() >= 'a' && Out.front() <= 'z')
    Out.front() = static_cast<char>(Out.front() - 'a' + 'A');
  return Out.empty() || Out.ends_with('.') ? Out : Out + ".";
}

/// The first paragraph, as one line; what code scanning takes is limited.
static std::string firstParagraph(std::string_view Text) {
  static constexpr std::size_t Most = 1000;
  Text = trimmed(Text);
  std::string Out(Text.substr(0, Text.find("\n\n")));
  for (char &C : Out)
    if (C == '\n')
      C = ' ';
  if (Out.size() <= Most)
    return Out;
  // At a blank, so that no character is cut.
  const std::size_t Blank = Out.rfind(' ', Most);
  Out.resize(Blank == Out.npos ? 0 : Blank);
  return Out + " ...";
}

/// As the pages of the checks have it.
static std::string helpOf(const RuleRecord &Rule, bool IsMarkdown) {
  std::string Text;
  const auto section = [&](std::string_view Title, std::string_view Body,
                           bool IsCode) {
    Body = trimmed(Body);
    if (Body.empty())
      return;
    if (!Text.empty())
      Text += "\n\n";
    Text += fmt::format("{}{}\n\n", IsMarkdown ? "## " : "", Title);
    if (IsCode && IsMarkdown)
      Text += fmt::format("```cuda\n{}\n```", Body);
    else
      Text += Body;
  };
  section("Why", Rule.Why, false);
  section("Example", Rule.Bad, true);
  section("What it becomes", Rule.Good, true);
  section("Limits", Rule.Limits, false);
  section("Proof", Rule.Proof, false);
  return Text;
}

std::size_t SarifRules::add(const RuleRecord &Rule) {
  const auto [At, IsNew] = Index.try_emplace(Rule.Name, Rules.size());
  if (!IsNew)
    return At->second;
  // Code scanning takes no rule without these.
  const std::string Short =
      Rule.Summary.empty() ? Rule.Name : asSentence(Rule.Summary);
  const std::string Full = firstParagraph(Rule.Why);
  const std::string Help = helpOf(Rule, false);
  Json Out = {{"id", Rule.Name},
              {"shortDescription", {{"text", Short}}},
              {"fullDescription", {{"text", Full.empty() ? Short : Full}}},
              {"help", {{"text", Help.empty() ? Short : Help}}},
              {"defaultConfiguration", {{"level", nameOf(Rule.Default)}}},
              {"properties",
               {{"tags", {"cuda", "gpu", "performance"}},
                {"problem.severity", Rule.Default == Severity::Note
                                         ? "recommendation"
                                         : nameOf(Rule.Default)}}}};
  if (const std::string Markdown = helpOf(Rule, true); !Markdown.empty())
    Out["help"]["markdown"] = Markdown;
  Rules.push_back(std::move(Out));
  return At->second;
}

SarifRules::SarifRules(std::span<const Document> Documents) {
  for (const Document &Doc : Documents)
    for (const RuleRecord &Rule : Doc.Rules)
      add(Rule);
}

std::size_t SarifRules::indexOf(const Finding &F) {
  return add({.Name = F.Check, .Summary = {}, .Default = F.Level});
}

std::optional<std::size_t> SarifRules::find(const std::string &Name) const {
  const auto At = Index.find(Name);
  return At == Index.end() ? std::nullopt : std::optional(At->second);
}

} // namespace cudalint
