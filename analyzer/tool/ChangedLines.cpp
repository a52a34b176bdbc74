//===- analyzer/tool/ChangedLines.cpp - Of a unified diff -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/ChangedLines.h"

#include "analyzer/project/CompileDatabase.h"
#include "analyzer/project/Project.h"
#include "analyzer/resources/ChildProcess.h"
#include "report/InputFile.h"
#include "report/TerminalText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <optional>

using namespace llvm;

namespace cudalint {

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// `"b/\303\244.cu"`, as git quotes names.
static std::string unquoted(StringRef Name) {
  if (!Name.consume_front("\""))
    return Name.str();
  Name.consume_back("\"");
  std::string Result;
  while (!Name.empty()) {
    const char C = Name.front();
    Name = Name.drop_front();
    if (C != '\\' || Name.empty()) {
      Result += C;
      continue;
    }
    const StringRef Octal = Name.take_front(3);
    unsigned Byte = 0;
    if (Octal.size() == 3 && !Octal.getAsInteger(8, Byte) && Byte < 256) {
      Result += static_cast<char>(Byte);
      Name = Name.drop_front(3);
      continue;
    }
    const char Escape = Name.front();
    Name = Name.drop_front();
    const StringRef Letters = "abtnvfr";
    const std::size_t At = Letters.find(Escape);
    Result += At == StringRef::npos ? Escape : "\a\b\t\n\v\f\r"[At];
  }
  return Result;
}

/// The name behind `+++ ` or `--- `, as it is written.
static std::string nameInHeader(StringRef Rest) {
  // diff -u writes the time behind a tabulator.
  if (!Rest.starts_with("\""))
    Rest = Rest.split('\t').first;
  return unquoted(Rest.rtrim("\r"));
}

/// `b` of `b/x`, as git writes it unless it is told not to.
static char prefixOf(StringRef Name) {
  return Name.size() > 2 && Name[1] == '/' && isAlpha(Name[0]) ? Name[0] : 0;
}

/// The name of what \p Old has become; empty for what is gone.
static std::string newName(StringRef Old, StringRef New) {
  if (New == "/dev/null")
    return "";
  // Where both names have the same letter, it is a folder.
  if (prefixOf(New) && prefixOf(Old) != prefixOf(New) &&
      (prefixOf(Old) || Old == "/dev/null"))
    New = New.drop_front(2);
  New.consume_front("./");
  return New.str();
}

namespace {
/// `@@ -A,B +C,D @@`
struct Hunk {
  unsigned OldCount = 1, NewBegin = 0, NewCount = 1;
};
} // namespace

static bool readRange(StringRef &Line, unsigned &Begin, unsigned &Count) {
  if (Line.consumeInteger(10, Begin))
    return false;
  Count = 1;
  return !Line.consume_front(",") || !Line.consumeInteger(10, Count);
}

static std::optional<Hunk> readHunk(StringRef Line) {
  Hunk Result;
  unsigned OldBegin = 0;
  if (!Line.consume_front("@@ -") ||
      !readRange(Line, OldBegin, Result.OldCount) ||
      !Line.consume_front(" +") ||
      !readRange(Line, Result.NewBegin, Result.NewCount) ||
      !Line.starts_with(" @@"))
    return std::nullopt;
  return Result;
}

static void addLine(std::vector<std::pair<unsigned, unsigned>> &Lines,
                    unsigned Line) {
  if (!Lines.empty() && Lines.back().second + 1 == Line)
    Lines.back().second = Line;
  else
    Lines.emplace_back(Line, Line);
}

ChangedLines parseDiff(std::string_view Text) {
  ChangedLines Result;
  std::string Old, File;
  bool IsDiff = false;
  StringRef Rest = Text;
  unsigned Number = 0;
  while (!Rest.empty()) {
    StringRef Line;
    std::tie(Line, Rest) = Rest.split('\n');
    ++Number;
    if (Line.consume_front("--- ")) {
      Old = nameInHeader(Line);
      continue;
    }
    if (Line.consume_front("+++ ")) {
      File = newName(Old, nameInHeader(Line));
      IsDiff = true;
      continue;
    }
    IsDiff |= Line.starts_with("diff ") || Line.starts_with("Binary files ");
    if (!Line.starts_with("@@ "))
      continue;
    std::optional<Hunk> Its = readHunk(Line);
    if (!Its) {
      Result.Error = fmt::format("line {} of the diff is no begin of changes: "
                                 "'{}'",
                                 Number, printable(Line.take_front(60).str()));
      return Result;
    }
    IsDiff = true;
    // Counted, as a line of the source may begin as one of the diff does.
    unsigned Gone = Its->OldCount, Come = Its->NewCount, At = Its->NewBegin;
    while ((Gone != 0 || Come != 0) && !Rest.empty()) {
      std::tie(Line, Rest) = Rest.split('\n');
      ++Number;
      const char Kind = Line.empty() ? ' ' : Line.front();
      if (Kind == '\\') // No newline at the end of the file.
        continue;
      const bool IsOld = Kind == '-' || Kind == ' ';
      const bool IsNew = Kind == '+' || Kind == ' ';
      if ((!IsOld && !IsNew) || (IsOld && Gone == 0) || (IsNew && Come == 0)) {
        Result.Error =
            fmt::format("line {} of the diff does not belong to the change "
                        "that it is in: the diff is cut or was edited",
                        Number);
        return Result;
      }
      if (Kind == '+' && !File.empty())
        addLine(Result.ByFile[File], At);
      Gone -= IsOld;
      Come -= IsNew;
      At += IsNew;
    }
    if (Gone != 0 || Come != 0) {
      Result.Error = "the diff ends within a change";
      return Result;
    }
  }
  if (!IsDiff && !StringRef(Text).trim().empty())
    Result.Error = "it is no unified diff";
  for (auto &[Name, Lines] : Result.ByFile)
    std::ranges::sort(Lines);
  return Result;
}

//===----------------------------------------------------------------------===//
// git
//===----------------------------------------------------------------------===//

ChangedLines changedSince(const std::string &Revision, const EndGuard *Guard) {
  ChangedLines Result;
  if (StringRef(Revision).starts_with("-")) {
    Result.Error = "'" + printable(Revision) + "' is no revision";
    return Result;
  }
  const ErrorOr<std::string> Git = sys::findProgramByName("git");
  if (!Git) {
    Result.Error = "git is not on the PATH; give a diff on standard input";
    return Result;
  }
  TemporaryFolder Folder(Guard);
  if (Folder.path().empty()) {
    Result.Error = Folder.error();
    return Result;
  }
  // Nothing that the repository is configured with is run.
  const std::vector<std::string> Arguments = {"-c",
                                              "core.fsmonitor=false",
                                              "diff",
                                              "--no-color",
                                              "--no-ext-diff",
                                              "--no-textconv",
                                              "-U0",
                                              "--src-prefix=a/",
                                              "--dst-prefix=b/",
                                              Revision,
                                              "--"};
  constexpr std::uint64_t MostBytes = 256u << 20;
  const ChildResult Child =
      runChild(*Git, Arguments, Folder, Folder.file("diff"),
               std::chrono::seconds(60), MostBytes);
  std::string Why;
  const std::optional<std::string> Text =
      readWholeFile(Folder.file("diff"), MostBytes, Why);
  if (Child.End != ChildEnd::Exited || Child.Code != 0 || !Text) {
    const StringRef Said = StringRef(Text ? *Text : Why).split('\n').first;
    Result.Error = fmt::format("'git diff {}' failed: {}", printable(Revision),
                               printable(Said.str()));
    return Result;
  }
  return parseDiff(*Text);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// In \p Here or in a folder around it, up to the root of the repository; or
/// nothing.
static std::optional<std::string> findNear(const std::string &Name,
                                           const std::string &Here) {
  const std::string Root = repositoryAround(Here);
  for (StringRef Folder = Here; !Folder.empty();
       Folder = sys::path::parent_path(Folder)) {
    if (std::string File = absoluteName(Folder.str(), Name);
        sys::fs::is_regular_file(File))
      return File;
    if (Folder == Root)
      break;
  }
  return std::nullopt;
}

std::vector<std::string> changedFiles(const ChangedLines &Changes,
                                      const std::string &Here) {
  std::vector<std::string> Result;
  for (const auto &[Name, Lines] : Changes.ByFile)
    if (std::optional<std::string> File = findNear(Name, Here))
      Result.push_back(std::move(*File));
  return Result;
}

std::vector<std::string> missingSources(const ChangedLines &Changes,
                                        const std::string &Here) {
  std::vector<std::string> Result;
  for (const auto &[Name, Lines] : Changes.ByFile)
    if (!Lines.empty() && sys::path::extension(Name) == ".cu" &&
        !findNear(Name, Here))
      Result.push_back(Name);
  return Result;
}

std::vector<std::string> changedSources(const ChangedLines &Changes,
                                        const std::string &Here) {
  std::vector<std::string> Result;
  for (const std::string &File : changedFiles(Changes, Here)) {
    if (sys::path::extension(File) != ".cu")
      continue;
    StringRef Seen = File;
    if (Seen.consume_front(Here) && Seen.consume_front("/"))
      Result.push_back(Seen.str());
    else
      Result.push_back(File);
  }
  return Result;
}

bool changesHeaders(const ChangedLines &Changes) {
  return std::ranges::any_of(Changes.ByFile, [](const auto &Each) {
    return is_contained({".cuh", ".h", ".hpp", ".hh", ".hxx", ".inl", ".inc"},
                        sys::path::extension(Each.first));
  });
}

//===----------------------------------------------------------------------===//
// Findings
//===----------------------------------------------------------------------===//

namespace {
class ChangeFilter {
public:
  ChangeFilter(const ChangedLines &Changes, const std::string &Here)
      : Changes(Changes), Here(Here) {}

  bool concerns(const Finding &F) {
    return holds(F.Where) || std::ranges::any_of(F.InlinedAt, holdsIt()) ||
           std::ranges::any_of(F.Macros, [&](const MacroUse &Each) {
             return holds(Each.Where);
           });
  }

private:
  std::function<bool(const Location &)> holdsIt() {
    return [this](const Location &Where) { return holds(Where); };
  }

  bool holds(const Location &Where) {
    if (Where.File.empty() || Where.Line == 0)
      return false;
    const auto *Lines = linesOf(Where.File);
    if (!Lines)
      return false;
    const auto Found = std::ranges::lower_bound(
        *Lines, Where.Line, {}, &std::pair<unsigned, unsigned>::second);
    return Found != Lines->end() && Found->first <= Where.Line;
  }

  /// By the name from Here, or from a folder around it: that of git.
  const std::vector<std::pair<unsigned, unsigned>> *
  linesOf(const std::string &File) {
    auto [Entry, IsNew] = Known.try_emplace(File, nullptr);
    if (!IsNew)
      return Entry->second;
    const std::string Absolute = absoluteName(Here, File);
    auto Found = Changes.ByFile.find(Absolute);
    for (StringRef Folder = Here;
         Found == Changes.ByFile.end() && !Folder.empty();
         Folder = sys::path::parent_path(Folder)) {
      StringRef Rest = Absolute;
      if (Rest.consume_front(Folder) &&
          (Rest.consume_front("/") || Folder == "/"))
        Found = Changes.ByFile.find(Rest.str());
    }
    if (Found != Changes.ByFile.end())
      Entry->second = &Found->second;
    return Entry->second;
  }

  const ChangedLines &Changes;
  const std::string &Here;
  std::map<std::string, const std::vector<std::pair<unsigned, unsigned>> *>
      Known;
};
} // namespace

void keepChanged(std::span<Document> Documents, const ChangedLines &Changes,
                 const std::string &Here) {
  ChangeFilter Filter(Changes, Here);
  for (Document &Doc : Documents)
    for (UnitRecord &Unit : Doc.Units)
      std::erase_if(Unit.Findings,
                    [&](const Finding &F) { return !Filter.concerns(F); });
}

} // namespace cudalint
