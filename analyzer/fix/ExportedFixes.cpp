//===- analyzer/fix/ExportedFixes.cpp - For other tools -------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/fix/ExportedFixes.h"

#include "report/SourceSnippet.h"

#include "clang/Tooling/DiagnosticsYaml.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <set>
#include <tuple>

namespace tooling = clang::tooling;

namespace cudalint {

static tooling::Diagnostic::Level levelOf(Severity Level) {
  switch (Level) {
  case Severity::Error:
    return tooling::Diagnostic::Error;
  case Severity::Warning:
    return tooling::Diagnostic::Warning;
  case Severity::Note:
    break;
  }
  return tooling::Diagnostic::Remark;
}

static std::string absolute(const std::string &Name,
                            const std::string &Folder) {
  llvm::SmallString<256> Path(Name);
  llvm::sys::path::make_absolute(Folder, Path);
  return Path.str().str();
}

std::string exportedFixes(std::span<const Document> Documents,
                          std::span<const TriedFix> Fixes,
                          const std::string &Folder,
                          const SourceText &Original) {
  std::map<const Finding *, const Fix *> Proved;
  for (const TriedFix &Each : Fixes)
    if (Each.State == FixState::Proved)
      Proved[&Each.Offered.first()] = &Each.Offered.What;

  QuotedSources Sources(Original);
  tooling::TranslationUnitDiagnostics All;
  if (!Documents.empty() && !Documents.front().Units.empty())
    All.MainSourceFile = absolute(Documents.front().Units.front().File, Folder);
  std::set<std::tuple<std::string, Location, std::string>> Seen;
  for (const Document &Doc : Documents)
    for (const UnitRecord &Unit : Doc.Units)
      for (const Finding &F : Unit.Findings) {
        const auto Fixed = Proved.find(&F);
        const std::string Said = messageOf(F);
        if (!Seen.insert({F.Check, F.Where, Said}).second &&
            Fixed == Proved.end())
          continue;
        tooling::DiagnosticMessage Message(Said);
        Message.FilePath = absolute(F.Where.File, Folder);
        Message.FileOffset =
            static_cast<unsigned>(Sources.offset(F.Where).value_or(0));
        if (Fixed != Proved.end())
          for (const Edit &E : Fixed->second->Edits) {
            const std::string File = absolute(E.File, Folder);
            // They were applied together already.
            llvm::cantFail(Message.Fix[File].add(
                tooling::Replacement(File, static_cast<unsigned>(E.Offset),
                                     static_cast<unsigned>(E.Length), E.Text)));
          }
        All.Diagnostics.emplace_back(
            "cuda-lint-" + F.Check, Message,
            llvm::SmallVector<tooling::DiagnosticMessage, 1>(),
            levelOf(F.Level), Folder);
      }
  std::string Text;
  llvm::raw_string_ostream Stream(Text);
  llvm::yaml::Output Yaml(Stream);
  Yaml << All;
  return Text;
}

} // namespace cudalint
