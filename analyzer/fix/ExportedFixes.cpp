//===- analyzer/fix/ExportedFixes.cpp - For other tools -------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/fix/ExportedFixes.h"

#include "report/SourceSnippet.h"

#include "clang/Tooling/Core/Replacement.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/YAMLTraits.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace tooling = clang::tooling;

// What clang/Tooling/DiagnosticsYaml.h writes. It includes all that runs a
// compiler, which takes longer to read than the rest of this folder.
namespace {

struct ExportedEdit {
  std::string File;
  unsigned Offset;
  unsigned Length;
  std::string Text;
};

struct ExportedMessage {
  std::string Text;
  std::string File;
  unsigned Offset;
  std::vector<ExportedEdit> Edits;
};

struct ExportedFinding {
  std::string Name;
  ExportedMessage Message;
  std::string Level;
  std::string Folder;
};

struct ExportedFile {
  std::string Main;
  std::vector<ExportedFinding> Findings;
};

} // namespace

LLVM_YAML_IS_SEQUENCE_VECTOR(ExportedEdit)
LLVM_YAML_IS_SEQUENCE_VECTOR(ExportedFinding)

namespace llvm::yaml {

template <> struct MappingTraits<ExportedEdit> {
  static void mapping(IO &Io, ExportedEdit &E) {
    Io.mapRequired("FilePath", E.File);
    Io.mapRequired("Offset", E.Offset);
    Io.mapRequired("Length", E.Length);
    Io.mapRequired("ReplacementText", E.Text);
  }
};

template <> struct MappingTraits<ExportedMessage> {
  static void mapping(IO &Io, ExportedMessage &M) {
    Io.mapRequired("Message", M.Text);
    Io.mapRequired("FilePath", M.File);
    Io.mapRequired("FileOffset", M.Offset);
    Io.mapRequired("Replacements", M.Edits);
  }
};

template <> struct MappingTraits<ExportedFinding> {
  static void mapping(IO &Io, ExportedFinding &F) {
    Io.mapRequired("DiagnosticName", F.Name);
    Io.mapRequired("DiagnosticMessage", F.Message);
    Io.mapRequired("Level", F.Level);
    Io.mapRequired("BuildDirectory", F.Folder);
  }
};

template <> struct MappingTraits<ExportedFile> {
  static void mapping(IO &Io, ExportedFile &F) {
    Io.mapRequired("MainSourceFile", F.Main);
    Io.mapRequired("Diagnostics", F.Findings);
  }
};

} // namespace llvm::yaml

namespace cudalint {

static const char *levelOf(Severity Level) {
  switch (Level) {
  case Severity::Error:
    return "Error";
  case Severity::Warning:
    return "Warning";
  case Severity::Note:
    break;
  }
  return "Remark";
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
  ExportedFile All;
  if (!Documents.empty() && !Documents.front().Units.empty())
    All.Main = absolute(Documents.front().Units.front().File, Folder);
  std::set<std::tuple<std::string, Location, std::string>> Seen;
  for (const Document &Doc : Documents)
    for (const UnitRecord &Unit : Doc.Units)
      for (const Finding &F : Unit.Findings) {
        const auto Fixed = Proved.find(&F);
        const std::string Said = messageOf(F);
        if (!Seen.insert({F.Check, F.Where, Said}).second &&
            Fixed == Proved.end())
          continue;
        // In the order of their places, file by file.
        std::map<std::string, tooling::Replacements> Edits;
        if (Fixed != Proved.end())
          for (const Edit &E : Fixed->second->Edits) {
            const std::string File = absolute(E.File, Folder);
            // They were applied together already.
            llvm::cantFail(Edits[File].add(
                tooling::Replacement(File, static_cast<unsigned>(E.Offset),
                                     static_cast<unsigned>(E.Length), E.Text)));
          }
        ExportedMessage Message{
            Said,
            absolute(F.Where.File, Folder),
            static_cast<unsigned>(Sources.offset(F.Where).value_or(0)),
            {}};
        for (const auto &[File, Its] : Edits)
          for (const tooling::Replacement &R : Its)
            Message.Edits.push_back({File, R.getOffset(), R.getLength(),
                                     R.getReplacementText().str()});
        All.Findings.push_back({"cuda-lint-" + F.Check, std::move(Message),
                                levelOf(F.Level), Folder});
      }
  std::string Text;
  llvm::raw_string_ostream Stream(Text);
  llvm::yaml::Output Yaml(Stream);
  Yaml << All;
  return Text;
}

} // namespace cudalint
