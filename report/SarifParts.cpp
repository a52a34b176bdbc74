//===- report/SarifParts.cpp - What all of SARIF is made of ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/SarifParts.h"

#include "report/Phrase.h"
#include "report/TerminalText.h"

namespace cudalint {

std::string sarifText(std::string_view Text) {
  std::string Out;
  for (const char C : printable(Text)) {
    const char Last = Out.empty() ? ' ' : Out.back();
    if ((C == '(' && Last == ']') || (isDecimal(C) && Last == '{'))
      Out += ' ';
    Out += C;
  }
  return Out;
}

std::string sarifSentence(std::string_view Text) {
  const std::string Out = sarifText(Text);
  return Out.ends_with('.') ? Out : Out + ".";
}

Json sarifMessage(std::string Text) { return {{"text", std::move(Text)}}; }

Json sarifFile(const ReportPlaces &Places, const std::string &File) {
  const ReportedPath Path = pathIn(Places, File);
  Json Out = {{"uri", uriOf(Path)}};
  if (Path.IsBelowRoot)
    Out["uriBaseId"] = "%SRCROOT%";
  return Out;
}

Json toSarif(const SourceRegion &Utf16) {
  Json Out = {{"startLine", Utf16.Line}};
  if (Utf16.Column)
    Out["startColumn"] = Utf16.Column;
  if (Utf16.EndLine) {
    Out["endLine"] = Utf16.EndLine;
    Out["endColumn"] = Utf16.EndColumn;
  } else if (Utf16.Column) {
    // Without an end it would be the rest of the line.
    Out["endLine"] = Utf16.Line;
    Out["endColumn"] = Utf16.Column + 1;
  }
  return Out;
}

} // namespace cudalint
