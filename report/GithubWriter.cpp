//===- report/GithubWriter.cpp - Annotations in workflows -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/GithubWriter.h"

#include "report/ReportedProblems.h"
#include "report/SourceRegion.h"
#include "report/TerminalText.h"

#include <fmt/format.h>

namespace cudalint {

/// `:` and `,` end a property, and mean nothing in a message.
static std::string percentEscaped(std::string_view Text, bool IsProperty) {
  std::string Out;
  for (const char C : Text) {
    const bool IsSpecial = C == '%' || C == '\r' || C == '\n' ||
                           (IsProperty && (C == ':' || C == ','));
    if (IsSpecial)
      Out += fmt::format("%{:02X}", static_cast<unsigned char>(C));
    else
      Out += C;
  }
  return Out;
}

namespace {
/// One workflow command.
class Command {
public:
  explicit Command(std::string_view Name) : Text(fmt::format("::{}", Name)) {}

  void add(std::string_view Name, std::string_view Value) {
    Text += fmt::format("{}{}={}", Text.find(' ') == Text.npos ? ' ' : ',',
                        Name, percentEscaped(Value, true));
  }
  void add(std::string_view Name, unsigned Value) {
    if (Value)
      add(Name, std::to_string(Value));
  }
  void addPlace(const std::string &File, const SourceRegion &R) {
    if (!File.empty())
      add("file", printable(File));
    const bool IsOneLine = R.EndLine == 0 || R.EndLine == R.Line;
    add("line", R.Line);
    add("endLine", R.EndLine);
    add("col", IsOneLine ? R.Column : 0);
    add("endColumn", IsOneLine ? R.EndColumn : 0);
  }
  std::string line(std::string_view Message) const {
    return fmt::format("{}::{}\n", Text, percentEscaped(Message, false));
  }

private:
  std::string Text;
};
} // namespace

static std::string_view commandOf(Severity Level) {
  switch (Level) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  case Severity::Note:
    return "notice";
  }
  return "notice";
}

std::string toGithub(std::span<const Document> Documents,
                     const ReportPlaces &Places, const SourceText &Source) {
  const ReportedProblems Known(Documents);
  QuotedSources Sources(Source);
  std::string Graver, Errors, Others;
  for (const ReportedProblem &P : Known.problems()) {
    const Finding &F = *P.Told;
    const bool HasPlace = !F.Where.File.empty();
    const SourceRegion Bytes = HasPlace ? regionOf(F) : regionOf(P.Where);
    Command C(commandOf(F.Level));
    C.addPlace(pathIn(Places, P.Where.File).Name,
               inUtf16(Bytes, P.Where.File, Sources));
    C.add("title", printable(F.Check));
    (F.Level == Severity::Error ? Graver : Others) +=
        C.line(P.Details.empty() ? P.Message : P.Message + "\n" + P.Details);
  }
  for (const ReportedError &Each : Known.errors()) {
    Command C("error");
    C.addPlace(pathIn(Places, Each.Where.File).Name,
               inUtf16(regionOf(Each.Where), Each.Where.File, Sources));
    C.add("title", "not analysed");
    Errors += C.line(Each.Message);
  }
  return Graver + Errors + Others;
}

} // namespace cudalint
