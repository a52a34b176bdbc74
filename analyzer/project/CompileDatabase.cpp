//===- analyzer/project/CompileDatabase.cpp - How a build compiles --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/project/CompileDatabase.h"

#include "report/InputFile.h"
#include "report/JsonCursor.h"
#include "report/TerminalText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/StringSaver.h"

#include <filesystem>

using namespace llvm;

namespace cudalint {

std::string absoluteName(const std::string &Folder, const std::string &Name) {
  SmallString<256> Path(Name);
  sys::path::make_absolute(Folder, Path);
  SmallString<256> Plain(Path);
  sys::path::remove_dots(Plain, /*remove_dot_dot=*/true);
  // What is not there yet has no links behind it.
  if (Plain != Path && sys::fs::exists(Path) &&
      !sys::fs::equivalent(Plain, Path)) {
    sys::path::remove_dots(Path, /*remove_dot_dot=*/false);
    return Path.str().str();
  }
  return Plain.str().str();
}

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

/// The value of the last -x, if any.
static std::optional<StringRef>
languageOf(const std::vector<std::string> &Arguments) {
  std::optional<StringRef> Language;
  for (std::size_t I = 0; I != Arguments.size(); ++I) {
    StringRef Argument = Arguments[I];
    if (Argument == "-x" || Argument == "--x") {
      if (I + 1 != Arguments.size())
        Language = Arguments[++I];
    } else if (Argument.consume_front("--x=") ||
               Argument.consume_front("-x=") ||
               (!Argument.starts_with("-xc=") &&
                Argument.consume_front("-x"))) {
      Language = Argument;
    }
  }
  return Language;
}

bool CompileCommand::isCuda() const {
  if (const std::optional<StringRef> Language = languageOf(Arguments))
    return is_contained({"cu", "cuda", "CUDA"}, *Language);
  return sys::path::extension(File) == ".cu";
}

bool CompileCommand::isCpp() const {
  if (const std::optional<StringRef> Language = languageOf(Arguments))
    return *Language == "c++";
  return is_contained({".cpp", ".cc", ".cxx", ".C", ".c++", ".cp"},
                      sys::path::extension(File));
}

/// What runs a compiler with the arguments behind it.
static bool isLauncher(StringRef Program) {
  return is_contained(
      {"ccache", "sccache", "distcc", "gomacc", "icecc", "env", "time", "nice"},
      sys::path::stem(Program));
}

/// Drops what stands before the compiler: `ccache`, `cmake -E env A=b`, and
/// `cuda-lint launcher --`.
static void dropLaunchers(std::vector<std::string> &Words) {
  std::size_t First = 0;
  while (First + 1 < Words.size()) {
    const StringRef Program = Words[First];
    const StringRef Next = Words[First + 1];
    if (sys::path::stem(Program) == "cuda-lint" && Next == "launcher") {
      First += 2;
      while (First + 1 < Words.size() &&
             StringRef(Words[First]).starts_with("-"))
        ++First;
    } else if (sys::path::stem(Program) == "cmake" && Next == "-E") {
      First += 2;
    } else if (isLauncher(Program)) {
      ++First;
      while (First + 1 < Words.size() &&
             (StringRef(Words[First]).contains('=') ||
              StringRef(Words[First]).starts_with("-")))
        ++First;
    } else {
      break;
    }
  }
  Words.erase(Words.begin(),
              Words.begin() + static_cast<std::ptrdiff_t>(First));
}

/// Words as a shell parts them, without any shell.
static std::vector<std::string> wordsOf(const std::string &Command) {
  BumpPtrAllocator Memory;
  StringSaver Saver(Memory);
  SmallVector<const char *> Words;
  cl::TokenizeGNUCommandLine(Command, Saver, Words);
  return {Words.begin(), Words.end()};
}

/// Takes the file out, by whatever spelling, and the `--` before it.
static void dropFile(CompileCommand &Command, const std::string &AsWritten) {
  std::vector<std::string> &All = Command.Arguments;
  const auto namesIt = [&](const std::string &Argument) {
    return Argument == AsWritten ||
           (!StringRef(Argument).starts_with("-") &&
            sys::path::filename(Argument) ==
                sys::path::filename(Command.File) &&
            absoluteName(Command.Folder, Argument) == Command.File);
  };
  std::erase_if(All, [](const std::string &Each) { return Each == "--"; });
  // The value of an option is none: `-include a.cu a.cu`.
  for (std::size_t I = All.size(); I-- != 0;)
    if (namesIt(All[I])) {
      All.erase(All.begin() + static_cast<std::ptrdiff_t>(I));
      return;
    }
}

CompileCommand commandOf(std::vector<std::string> Words,
                         const std::string &Folder) {
  CompileCommand Out;
  Out.Folder = Folder;
  dropLaunchers(Words);
  if (Words.empty())
    return Out;
  Out.Compiler = std::move(Words.front());
  Out.Arguments.assign(std::make_move_iterator(Words.begin() + 1),
                       std::make_move_iterator(Words.end()));
  return Out;
}

static CompileCommand readCommand(const JsonCursor &In,
                                  const std::string &Base) {
  const std::string Name = In["directory"].textOrNull();
  const std::string Folder = Name.empty() ? Base : absoluteName(Base, Name);
  const std::string File = In["file"].text();
  if (File.empty())
    In["file"].fail("is empty");
  std::vector<std::string> Words;
  if (const JsonCursor Arguments = In["arguments"]; !Arguments.isNull())
    Words = Arguments.all([](const JsonCursor &Each) { return Each.text(); });
  else
    Words = wordsOf(In["command"].text());
  CompileCommand Out = commandOf(std::move(Words), Folder);
  if (Out.Compiler.empty())
    In.fail("has no compiler in its command");
  Out.File = absoluteName(Folder, File);
  dropFile(Out, File);
  return Out;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

DatabaseRead parseCompileDatabase(std::string_view Text,
                                  const std::string &Base) {
  DatabaseRead Result;
  try {
    const nlohmann::json Root = parseJson(Text);
    Result.Commands = JsonCursor(Root).all(
        [&](const JsonCursor &Each) { return readCommand(Each, Base); });
  } catch (const JsonFault &Fault) {
    Result.Commands.clear();
    Result.Error = printable(Fault.what());
  }
  return Result;
}

DatabaseRead readCompileDatabase(const std::string &Path) {
  DatabaseRead Result;
  const std::optional<std::string> Text =
      readWholeFile(Path, JsonLimits().Bytes, Result.Error);
  if (!Text)
    return Result;
  std::error_code Gone;
  const std::string Here = std::filesystem::current_path(Gone).string();
  Result = parseCompileDatabase(
      *Text, sys::path::parent_path(absoluteName(Here, Path)).str());
  if (!Result.Error.empty())
    Result.Error = "'" + printable(Path) + "': " + Result.Error;
  return Result;
}

std::optional<std::string> findCompileDatabase(const std::string &Folder) {
  for (StringRef At = Folder; !At.empty(); At = sys::path::parent_path(At))
    for (StringRef Sub : {"", "build"}) {
      SmallString<256> Path(At);
      sys::path::append(Path, Sub, DatabaseName);
      if (sys::fs::is_regular_file(Path))
        return Path.str().str();
    }
  return std::nullopt;
}

/// The words of a variable of nvcc's.
static std::vector<std::string> environmentFlags(const char *Name) {
  const std::string Text = sys::Process::GetEnv(Name).value_or("");
  BumpPtrAllocator Memory;
  StringSaver Saver(Memory);
  SmallVector<const char *> Words;
  cl::TokenizeGNUCommandLine(Text, Saver, Words);
  return {Words.begin(), Words.end()};
}

void addEnvironment(CompileCommand &Command) {
  if (!sys::path::filename(Command.Compiler).starts_with("nvcc"))
    return;
  std::vector<std::string> All = environmentFlags("NVCC_PREPEND_FLAGS");
  append_range(All, Command.Arguments);
  append_range(All, environmentFlags("NVCC_APPEND_FLAGS"));
  Command.Arguments = std::move(All);
}

} // namespace cudalint
