//===- analyzer/tool/Silencing.cpp - What is not told ---------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/Silencing.h"

#include "analyzer/pipeline/NearestWord.h"
#include "report/InputFile.h"
#include "report/NoLint.h"
#include "report/OutputFile.h"
#include "report/Phrase.h"
#include "report/TerminalText.h"

#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace cudalint {

Silencing::Silencing(const Options &Run, std::string Root, std::string Here,
                     std::vector<std::string> Checks)
    : Run(Run), Root(std::move(Root)), Here(std::move(Here)),
      Checks(std::move(Checks)) {}

BaselineScope Silencing::scope() const {
  return {.Root = Root, .Here = Here, .Exists = [this](const std::string &F) {
            std::error_code Error;
            return std::filesystem::exists(std::filesystem::path(Root) / F,
                                           Error);
          }};
}

static std::string inWords(const Location &Where) {
  return fmt::format("{}:{}:{}", printable(Where.File), Where.Line,
                     Where.Column);
}

/// Headers of which something was analysed: what is not found there is fixed,
/// as far as these files tell.
static std::vector<std::string> headersOf(std::span<const Document> Documents) {
  std::set<std::string> Files;
  for (const Document &Doc : Documents)
    for (const UnitRecord &Unit : Doc.Units)
      for (const KernelRecord &Kernel : Unit.Kernels) {
        Files.insert(Kernel.Where.File);
        for (const AccessRecord &A : Kernel.Accesses)
          Files.insert(A.Written.value_or(A.Where).File);
      }
  for (const Document &Doc : Documents)
    for (const UnitRecord &Unit : Doc.Units)
      Files.erase(Unit.File);
  Files.erase("");
  return {Files.begin(), Files.end()};
}

std::optional<std::string> Silencing::read() {
  const bool IsToBeWritten = !Run.WriteBaseline.empty();
  const std::string &File = IsToBeWritten ? Run.WriteBaseline : Run.Baseline;
  if (File.empty())
    return std::nullopt;
  std::error_code Error;
  // The old one, of which a run over some files leaves the rest.
  if (IsToBeWritten && !std::filesystem::exists(File, Error))
    return std::nullopt;
  std::string Why;
  const std::optional<std::string> Text =
      readWholeFile(File, MostBaselineBytes, Why);
  if (!Text)
    return Why;
  BaselineRead Read = readBaseline(*Text, File);
  if (!Read.Errors.empty()) {
    std::vector<std::string> Lines;
    for (const ErrorRecord &Each : Read.Errors)
      Lines.push_back(
          fmt::format("{}: {}", inWords(Each.Where), printable(Each.Message)));
    return fmt::format("{}", fmt::join(Lines, "\n"));
  }
  Known = std::move(Read.Known);
  return std::nullopt;
}

void Silencing::apply(std::span<Document> Documents, SourceTexts &Sources) {
  NoLintOptions Comments = {
      .Checks = Checks,
      .Nearest =
          [this](std::string_view Word) { return nearestWord(Word, Checks); },
      .Files = {}};
  std::set<std::string> Files;
  for (const Document &Doc : Documents)
    for (const UnitRecord &Unit : Doc.Units)
      Files.insert(Unit.File);
  Comments.Files.assign(Files.begin(), Files.end());
  for (const NoLintRemark &Each :
       silenceByComments(Documents, Sources.asFunction(), Comments))
    if (Run.UnusedNoLint || Each.Fault != NoLintFault::Unused)
      Remarks.push_back(
          fmt::format("{}: warning: {}", inWords(Each.Where), Each.Message));
  if (!Known || !Run.WriteBaseline.empty())
    return;
  BaselineScope Scope = scope();
  Scope.Headers = headersOf(Documents);
  for (const FixedEntry &Each : applyBaseline(Documents, *Known, Scope).Fixed)
    Remarks.push_back(fmt::format(
        "{}: note: fixed, and in the baseline still: {}{}{}",
        printable(Each.Entry.File), Each.Entry.Check,
        Each.Entry.Function.empty()
            ? ""
            : " in '" + printable(Each.Entry.Function) + "'",
        Each.Places > 1 ? ", " + countOf(Each.Places, "place") : ""));
}

std::optional<std::string>
Silencing::write(std::span<const Document> Documents) const {
  if (Run.WriteBaseline.empty())
    return std::nullopt;
  return writeOutputFile(
      Run.WriteBaseline,
      toBaseline(Documents, scope(), Known ? &*Known : nullptr));
}

} // namespace cudalint
