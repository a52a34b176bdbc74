//===- runtime/prove/BuiltCopy.cpp - Copies that are built ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/prove/BuiltCopy.h"

#include "report/InputFile.h"
#include "report/OutputFile.h"
#include "report/TerminalText.h"
#include "runtime/prove/ProjectCopy.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <string_view>

namespace fs = std::filesystem;

namespace cudalint {

std::string tailOf(const std::string &Path) {
  static constexpr std::size_t MostLines = 8, MostBytes = 4000;
  std::string Why;
  std::string Text = readWholeFile(Path, MostTextBytes, Why).value_or("");
  while (!Text.empty() && (Text.back() == '\n' || Text.back() == ' '))
    Text.pop_back();
  if (Text.size() > MostBytes)
    Text.erase(0, Text.size() - MostBytes);
  std::size_t Start = Text.size();
  for (std::size_t Lines = 0; Lines != MostLines && Start != 0; ++Lines) {
    Start = Text.rfind('\n', Start - 1);
    if (Start == std::string::npos)
      Start = 0;
  }
  std::string Result;
  for (std::size_t At = Start; At < Text.size();) {
    const std::size_t End = std::min(Text.find('\n', At), Text.size());
    if (End != At)
      Result +=
          "\n  | " +
          cutTo(printable(std::string_view(Text).substr(At, End - At)), 200);
    At = End + 1;
  }
  return Result;
}

static std::string inWords(const std::vector<std::string> &Command) {
  std::string Result;
  for (const std::string &Word : Command)
    Result += (Result.empty() ? "" : " ") + printable(Word);
  return Result;
}

std::string moved(const std::string &Word, const std::string &From,
                  const std::string &To) {
  std::string Result;
  std::size_t At = 0;
  for (std::size_t Found; (Found = Word.find(From, At)) != std::string::npos;) {
    const std::size_t Behind = Found + From.size();
    // Of a word for a shell, a name ends where that would have it end.
    static constexpr const char *Ends = ":,;&|()<>'\"= \t\n";
    const bool IsWhole =
        Behind == Word.size() || Word[Behind] == '/' ||
        std::string_view(Ends).find(Word[Behind]) != std::string_view::npos;
    const std::size_t End =
        std::min(Word.find_first_of(Ends, Behind), Word.size());
    const std::string Rest = Word.substr(Behind, End - Behind);
    std::error_code None;
    const bool IsMoved = IsWhole && (fs::exists(To + Rest, None) ||
                                     !fs::exists(From + Rest, None));
    Result += Word.substr(At, Found - At) + (IsMoved ? To : From);
    At = Behind;
  }
  return Result + Word.substr(At);
}

std::string folderIn(const ProveRequest &Request, const std::string &Root) {
  return (fs::path(Root) /
          fs::path(Request.Here).lexically_relative(Request.Project))
      .lexically_normal()
      .string();
}

/// The file \p Name, from Here, of the project, where the copy in \p Root has
/// it; links resolved, so that none leads out of the copy. Empty: nowhere.
static std::string inCopy(const ProveRequest &Request, const std::string &Name,
                          const std::string &Root) {
  std::error_code Code;
  const fs::path Real =
      fs::weakly_canonical(fs::path(Request.Here) / Name, Code);
  const fs::path Inside = Real.lexically_relative(Request.Project);
  if (Code || Inside.empty() || *Inside.begin() == "..")
    return {};
  return (fs::path(Root) / Inside).string();
}

std::string copyEdited(const ProveRequest &Request, const std::string &Root,
                       const std::map<std::string, std::string> &Texts) {
  if (std::string Why = copyProject(Request.Project, Root, Request.MostBytes);
      !Why.empty())
    return Why;
  for (const auto &[Name, Text] : Texts) {
    const std::string Path = inCopy(Request, Name, Root);
    if (Path.empty())
      return fmt::format("'{}' is not in the project '{}'; name its folder by "
                         "--project",
                         printable(Name), printable(Request.Project));
    // Another file in its place, newer than all that was built of the old one.
    if (std::optional<std::string> Why = writeOutputFile(Path, Text))
      return *Why;
  }
  return {};
}

std::string
buildCopy(const ProveRequest &Request, const std::string &Root,
          const std::string &What, const std::string &Log,
          const std::function<ProgramEnd(const ProgramRun &)> &RunOne) {
  for (const std::vector<std::string> &Command : Request.Build) {
    if (Request.OnProgress)
      Request.OnProgress(fmt::format("building {}", What));
    ProgramRun Run = {.Command = {},
                      .Environment = {},
                      .Timeout = Request.BuildTimeout,
                      .Folder = folderIn(Request, Root),
                      .Input = "/dev/null",
                      .Output = Log,
                      .Errors = Log};
    for (const std::string &Word : Command)
      Run.Command.push_back(moved(Word, Request.Project, Root));
    const ProgramEnd End = RunOne(Run);
    if (!End.NotStarted.empty())
      return fmt::format("the build of {}: {}", What, End.NotStarted);
    if (!End.isSuccess())
      return fmt::format("the build of {} {}: {}{}", What, describe(End),
                         inWords(Command), tailOf(Log));
  }
  return {};
}

std::string whyChanged(const ProveRequest &Request, const std::string &Root,
                       const std::map<std::string, std::string> &Texts) {
  for (const auto &[Name, Text] : Texts) {
    std::string Why;
    if (readWholeFile(inCopy(Request, Name, Root), MostTextBytes, Why) != Text)
      return fmt::format("the build changes '{}', so that it is not the text "
                         "that was analysed",
                         printable(Name));
  }
  return {};
}

std::string programIn(const ProveRequest &Request, const std::string &Root) {
  if (Request.Program.empty() ||
      Request.Program[0].find('/') == std::string::npos)
    return {};
  return (fs::path(folderIn(Request, Root)) /
          moved(Request.Program[0], Request.Project, Root))
      .lexically_normal()
      .string();
}

} // namespace cudalint
