//===- analyzer/tool/CheckPages.cpp - Pages about checks ------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/CheckPages.h"

#include "report/Names.h"
#include "report/OutputFile.h"
#include "report/TerminalText.h"

#include <algorithm>
#include <fmt/format.h>

namespace cudalint {

static std::string_view levelName(Maturity Level) {
  return Level == Maturity::Stable ? "stable" : "experimental";
}

/// Without the empty lines around a raw string literal.
static std::string_view trimmed(std::string_view Text) {
  std::size_t First = Text.find_first_not_of('\n');
  if (First == std::string_view::npos)
    return {};
  return Text.substr(First, Text.find_last_not_of(" \n") - First + 1);
}

/// An item for each option, to be set in `.cuda-lint`.
static std::string optionsOf(const CheckInfo &Info) {
  constexpr unsigned Width = 78;
  std::string Text;
  for (const CheckOption &Each : Info.Options) {
    const std::string Item =
        fmt::format("- `{}`: {}; {} by default, from {} to {}.", Each.Name,
                    Each.Meaning, Each.Default, Each.Least, Each.Most);
    Text += wrapped(Item, 0, Width) + '\n';
  }
  return Text;
}

static std::string indented(std::string_view Text) {
  std::string Result;
  while (!Text.empty()) {
    std::size_t End = Text.find('\n');
    std::string_view Line = Text.substr(0, End);
    if (!Line.empty())
      Result += fmt::format("  {}", Line);
    Result += '\n';
    Text.remove_prefix(End == std::string_view::npos ? Text.size() : End + 1);
  }
  return Result;
}

std::string checkList(const std::vector<std::unique_ptr<Check>> &Checks) {
  std::size_t Width = 0;
  for (const std::unique_ptr<Check> &Each : Checks)
    Width = std::max(Width, Each->info().Name.size());
  std::string Text;
  for (const std::unique_ptr<Check> &Each : Checks) {
    const CheckInfo &Info = Each->info();
    Text += fmt::format(
        "{:<{}}  {:<7}  {}{}\n", Info.Name, Width, nameOf(Info.Default),
        Info.Summary, Info.Level == Maturity::Stable ? "" : " (experimental)");
  }
  return Text;
}

std::string checkExplanation(const CheckInfo &Info) {
  std::string Text = fmt::format("{}: {}\n({}, {})\n", Info.Name, Info.Summary,
                                 nameOf(Info.Default), levelName(Info.Level));
  auto section = [&](std::string_view Title, std::string_view Body) {
    Body = trimmed(Body);
    if (!Body.empty())
      Text += fmt::format("\n{}\n{}", Title, indented(Body));
  };
  section("Why", Info.Why);
  section("Reported", Info.Bad);
  section("Mended", Info.Good);
  section("Limits", Info.Limits);
  section("Options", optionsOf(Info));
  section("Proof", factsOf(Info.ConfirmedBy).Proof);
  return Text;
}

std::string checkPage(const CheckInfo &Info) {
  std::string Text = fmt::format(
      "<!-- Written by `cuda-lint explain --all-markdown docs/checks`. -->\n\n"
      "# {}\n\n{}\n\n"
      "Severity: {}. Maturity: {}.\n",
      Info.Name, Info.Summary, nameOf(Info.Default), levelName(Info.Level));
  auto section = [&](std::string_view Title, std::string_view Body,
                     std::string_view Language) {
    Body = trimmed(Body);
    if (Body.empty())
      return;
    if (Language.empty())
      Text += fmt::format("\n## {}\n\n{}\n", Title, Body);
    else
      Text += fmt::format("\n## {}\n\n```{}\n{}\n```\n", Title, Language, Body);
  };
  section("Why", Info.Why, "");
  section("Example", Info.Bad, "cuda");
  section("What it becomes", Info.Good, "cuda");
  section("Limits", Info.Limits, "");
  section("Options", optionsOf(Info), "");
  section("Proof", factsOf(Info.ConfirmedBy).Proof, "");
  return Text;
}

std::optional<std::string>
writeCheckPages(const std::vector<std::unique_ptr<Check>> &Checks,
                const std::string &Folder) {
  std::string List =
      "<!-- Written by `cuda-lint explain --all-markdown docs/checks`. -->\n\n"
      "# Checks\n\n| check | severity | summary |\n|---|---|---|\n";
  for (const std::unique_ptr<Check> &Each : Checks) {
    const CheckInfo &Info = Each->info();
    List += fmt::format("| [{0}]({0}.md) | {1} | {2} |\n", Info.Name,
                        nameOf(Info.Default), Info.Summary);
    std::optional<std::string> Error = writeOutputFile(
        fmt::format("{}/{}.md", Folder, Info.Name), checkPage(Info));
    if (Error)
      return Error;
  }
  return writeOutputFile(Folder + "/README.md", List);
}

} // namespace cudalint
