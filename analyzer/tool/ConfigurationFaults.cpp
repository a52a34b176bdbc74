//===- analyzer/tool/ConfigurationFaults.cpp - What is wrong in .cuda-lint ===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/ConfigurationFaults.h"

#include "analyzer/pipeline/NearestWord.h"
#include "report/TerminalText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SourceMgr.h"

#include <algorithm>
#include <fmt/format.h>

using namespace llvm;

namespace cudalint {

std::string nearestHint(std::string_view Word,
                        const std::vector<std::string> &Words) {
  const std::string Near = nearestWord(Word, Words);
  return Near.empty() ? "" : fmt::format("; did you mean '{}'?", Near);
}

/// A configuration is short; what nests deeper than people write would take
/// the parser's stack.
std::string whyUnreadable(std::string_view Text) {
  constexpr std::size_t MostBytes = 64 * 1024;
  constexpr int MostLevels = 32;
  if (Text.size() > MostBytes)
    return "1:1: error: it has more than 64 KB";
  // LLVM takes the first bytes for those of another encoding.
  if (!json::isUTF8(Text))
    return "1:1: error: it is not UTF-8";
  int Level = 0;
  for (const char C : Text) {
    Level += C == '[' || C == '{';
    Level -= C == ']' || C == '}';
    if (Level > MostLevels)
      return "1:1: error: it is nested too deep";
  }
  return "";
}

/// The word that stands at \p Column of \p Line.
static std::string wordAt(StringRef Line, int Column) {
  if (Column < 0 || static_cast<std::size_t>(Column) >= Line.size())
    return "";
  return Line.substr(static_cast<std::size_t>(Column))
      .take_while([](char C) { return isAlnum(C) || C == '_' || C == '-'; })
      .str();
}

namespace {
struct LlvmWords {
  std::string_view Theirs;
  const char *Ours;
};
} // namespace

/// What LLVM's reader says of a value that is of the wrong kind.
static constexpr LlvmWords InOurWords[] = {
    {"not a sequence", "a list is expected here, as [a, b]"},
    {"not a mapping", "keys and values are expected here, as {a: b}"},
    {"unexpected scalar", "a text is expected here, and no list or mapping"},
    {"unknown node kind", "an alias or an empty value cannot stand here"}};

void FirstFault::keep(const SMDiagnostic &Diagnostic, void *Fault) {
  auto &Out = *static_cast<FirstFault *>(Fault);
  if (!Out.Said.empty())
    return;
  std::string Message = Diagnostic.getMessage().str();
  const std::string Word =
      wordAt(Diagnostic.getLineContents(), Diagnostic.getColumnNo());
  // A key that is none: LLVM says so and no more.
  if (StringRef(Message).starts_with("unknown key"))
    Message = is_contained(Out.Keys, Word)
                  ? fmt::format("'{}' cannot stand here: {}", Word,
                                Word == "Match" ? "it is a key of Paths"
                                                : "it holds for a whole run, "
                                                  "and not for a path")
                  : Message + nearestHint(Word, Out.Keys);
  else if (const auto *Known =
               std::ranges::find(InOurWords, Message, &LlvmWords::Theirs);
           Known != std::end(InOurWords))
    Message = Known->Ours;
  Out.Said = printable(fmt::format("{}:{}:{}: error: {}", Out.Name,
                                   Diagnostic.getLineNo(),
                                   Diagnostic.getColumnNo() + 1, Message));
}

} // namespace cudalint
