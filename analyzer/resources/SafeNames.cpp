//===- analyzer/resources/SafeNames.cpp - Nothing for nvcc's shell --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/resources/SafeNames.h"

#include "analyzer/frontend/CompileJob.h"
#include "analyzer/resources/ChildProcess.h"
#include "analyzer/resources/HostWords.h"
#include "analyzer/resources/NvccArguments.h"
#include "report/OutputFile.h"
#include "report/TerminalText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>
#include <set>

using namespace llvm;

namespace cudalint {

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// Not `~`, which is a home, nor `@`, behind which a compiler looks for a file
/// of arguments, nor a byte of UTF-8, which some locale takes for a blank.
static bool isSafe(char C) {
  return isAlnum(C) || StringRef("_-+=:,./").contains(C);
}

bool isSafeForShell(std::string_view Word) {
  return !Word.empty() && all_of(Word, isSafe);
}

/// `-dir` would be an option, and at a comma nvcc parts lists.
static bool isSafeValue(const std::string &Value) {
  return isSafeForShell(Value) && Value[0] != '-' &&
         Value.find(',') == std::string::npos;
}

std::string realName(const PrivateNames &Names, std::string_view Name) {
  for (const auto &[Private, Real] : Names) {
    StringRef Rest = Name;
    if (!Rest.consume_front(Private) || !(Rest.empty() || Rest[0] == '/'))
      continue;
    return Real.empty() ? "" : Real + Rest.str();
  }
  return std::string(Name);
}

std::string withRealNames(const PrivateNames &Names, std::string Text) {
  for (const auto &[Private, Real] : Names)
    for (std::size_t At = 0; !Real.empty(); At += Real.size()) {
      At = Text.find(Private, At);
      if (At == std::string::npos)
        break;
      Text.replace(At, Private.size(), Real);
    }
  return Text;
}

SafeNames::SafeNames(const TemporaryFolder &Folder, std::string Base)
    : Folder(Folder), Base(std::move(Base)) {}

void SafeNames::refuse(std::string_view Argument, std::string_view Why) {
  if (Fault)
    return;
  auto *Bad = find_if_not(Argument, isSafe);
  std::string Reason =
      !Why.empty() ? std::string(Why)
      : Bad == Argument.end()
          ? "is empty"
          : fmt::format("holds '{}', which the shell that nvcc runs its parts "
                        "with may take for more than a character",
                        printable(std::string(1, *Bad)));
  Fault = fmt::format("'{}' {}", printable(std::string(Argument)), Reason);
}

/// \p Path for calls of this process.
std::string SafeNames::here(const std::string &Path) const {
  return CompileJob{.Folder = Base}.fromProcess(Path);
}

std::string SafeNames::absolute(const std::string &Path) {
  SmallString<128> Absolute(here(Path));
  if (std::error_code Error = sys::fs::make_absolute(Absolute)) {
    refuse(Path, "cannot be found: the working folder: " + Error.message());
    return Path;
  }
  return Absolute.str().str();
}

/// A new name in the folder that leads to \p Path.
std::string SafeNames::link(const std::string &Path) {
  std::string Name = Folder.file(std::to_string(Names.size()));
  if (std::error_code Error = sys::fs::create_link(absolute(Path), Name))
    refuse(Path, "cannot be linked to: " + Error.message());
  Names.emplace_back(Name, Path);
  return Name;
}

/// \p Path itself, or a name that leads there. Its last part, which may tell a
/// compiler who it is, stays where it can.
std::string SafeNames::path(const std::string &Path) {
  StringRef Last = sys::path::filename(Path);
  StringRef Parent = sys::path::parent_path(Path);
  if (sys::fs::is_directory(here(Path)) || Parent.empty() ||
      !isSafeValue(Last.str()))
    return link(Path);
  return link(Parent.str()) + "/" + Last.str();
}

/// Writes a file into the folder; \p Real is the name that the user knows.
std::string SafeNames::write(const std::string &Name, std::string_view Text,
                             std::string Real) {
  std::string Path = Folder.file(Name);
  if (std::optional<std::string> Error = writeOutputFile(Path, Text))
    Fault = Fault ? Fault : Error;
  Names.emplace_back(Path, std::move(Real));
  return Path;
}

/// A file that includes \p File, found where -include finds it: below the
/// working folder, else on the path of "" includes.
std::string SafeNames::includer(const std::string &File) {
  std::string Found = sys::fs::exists(here(File)) ? absolute(File) : File;
  if (StringRef(Found).find_first_of("\"\n\r") != StringRef::npos) {
    refuse(File, "cannot stand in an #include");
    return File;
  }
  return write(fmt::format("{}.h", Names.size()),
               "#include \"" + Found + "\"\n");
}

//===----------------------------------------------------------------------===//
// The compiler and the source
//===----------------------------------------------------------------------===//

std::string SafeNames::program(const std::string &Program) {
  if (isSafeForShell(Program))
    return Program;
  // It looks for its parts beside itself.
  StringRef Bin = sys::path::parent_path(Program);
  StringRef Root = sys::path::parent_path(Bin);
  return link(Root.empty() ? "." : Root.str()) + "/" +
         sys::path::filename(Bin).str() + "/" +
         sys::path::filename(Program).str();
}

/// nvcc prints the name of the source as it is, from the root, and with links
/// resolved.
bool SafeNames::isSafeSource(const std::string &File) const {
  SmallString<128> Absolute(here(File)), Real;
  return isSafeValue(File) && !sys::fs::make_absolute(Absolute) &&
         isSafeForShell(Absolute.str()) &&
         !sys::fs::real_path(here(File), Real) && isSafeForShell(Real.str());
}

std::string SafeNames::source(const std::string &File, const std::string *Text,
                              std::vector<std::string> &Arguments) {
  if (!Text && isSafeSource(File))
    return File;
  std::unique_ptr<MemoryBuffer> Buffer;
  if (!Text) {
    ErrorOr<std::unique_ptr<MemoryBuffer>> Read =
        MemoryBuffer::getFile(here(File), /*IsText=*/false,
                              /*RequiresNullTerminator=*/false);
    if (!Read) {
      refuse(File, "cannot be read: " + Read.getError().message());
      return File;
    }
    Buffer = std::move(*Read);
  }
  // Objects are named after it.
  std::string Name = sys::path::filename(File).str();
  std::ranges::replace_if(Name, std::not_fn(isAlnum), '_');
  std::string Own = Folder.file("source");
  if (std::error_code Error = sys::fs::create_directory(Own))
    refuse(Own, "cannot be made: " + Error.message());
  StringRef Parent = sys::path::parent_path(File);
  Arguments.insert(Arguments.end(),
                   {"-Xcompiler", "-iquote", "-Xcompiler",
                    Parent.empty()              ? "."
                    : isSafeValue(Parent.str()) ? Parent.str()
                                                : path(Parent.str())});
  return write("source/" + Name + ".cu",
               Text ? std::string_view(*Text)
                    : std::string_view(Buffer->getBuffer()),
               File);
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// The definitions, of which those that the shell must not see become files.
struct SafeNames::Macros {
  std::set<std::string> Unsafe; ///< Names: of these each -D and -U, in order.
  std::vector<std::string> Files;
};

/// The text that defines as `-D` does: as nvcc, which takes a backslash for
/// the shell's, and as gcc, up to the end of the line.
static std::string defining(StringRef Definition) {
  auto [Name, Value] = Definition.split('=');
  if (Name.size() == Definition.size())
    Value = "1";
  std::string Text = ("#define " + Name + " ").str();
  for (std::size_t I = 0; I != Value.size(); ++I) {
    if (Value[I] == '\\' && I + 1 != Value.size())
      ++I;
    if (Value[I] == '\n' || Value[I] == '\r')
      break;
    Text += Value[I];
  }
  // What a last backslash would go on in.
  return Text + "\n\n";
}

/// Steers warnings, the linker or names in debug information: no kernel.
static bool isOfNoConsequence(StringRef HostWord) {
  return HostWord.starts_with("-W") || HostWord.starts_with("-L") ||
         HostWord.starts_with("-l") || HostWord.contains("-prefix-map=");
}

static bool isSafeOrBlank(char C) { return C == ' ' || isSafe(C); }

/// Whether nvcc may be given these values of -Xcompiler as they are.
static bool areSafeForHost(std::span<const std::string> Values) {
  return all_of(Values,
                [](StringRef Value) { return all_of(Value, isSafeOrBlank); }) &&
         all_of(wordsForHost(Values), [](const HostWord &Each) {
           if (!Each.Option || Each.Option->isOfMacros())
             return isSafeForShell(Each.Value);
           return isSafeValue(Each.Value);
         });
}

void SafeNames::add(const PreprocessorOption &Option, const std::string &Value,
                    Macros &Known, std::vector<std::string> &Result) {
  if (Value.empty())
    return;
  if (Option.isOfMacros()) {
    std::string Macro = macroName(Value).str();
    if (Known.Unsafe.count(Macro))
      Known.Files.push_back(write(fmt::format("{}.h", Names.size()),
                                  Option.Value == ValueKind::Macro
                                      ? defining(Value)
                                      : "#undef " + Macro + "\n"));
    else if (isSafeForShell(Value))
      Result.push_back(Option.Name.str() + Value);
    else
      refuse(Option.Name.str() + Value);
    return;
  }
  Result.push_back(Option.Name.str());
  if (isSafeValue(Value))
    Result.push_back(Value);
  else
    Result.push_back(Option.Value == ValueKind::File ? includer(Value)
                                                     : path(Value));
}

void SafeNames::addHostWords(std::span<const std::string> Values, Macros &Known,
                             std::vector<std::string> &Result) {
  for (const auto &[Option, Value] : wordsForHost(Values)) {
    std::vector<std::string> Words;
    if (Option)
      add(*Option, Value, Known, Words);
    else if (isSafeForShell(Value))
      Words = {Value};
    else if (!isOfNoConsequence(Value))
      refuse(Value);
    for (const std::string &Word : Words)
      Result.insert(Result.end(), {"-Xcompiler", Word});
  }
}

/// The names of which a definition holds what the shell must not see.
static std::set<std::string> unsafeMacros(std::span<const NvccOption> Options) {
  std::set<std::string> Result;
  auto look = [&](const std::string &Definition) {
    if (!isSafeForShell(Definition))
      Result.insert(macroName(Definition).str());
  };
  for (const NvccOption &Each : Options)
    if (Each.Name == "-D" && Each.Value)
      for (const std::string &Definition : nvccList(*Each.Value))
        look(Definition);
  for (const HostWord &Each : wordsForHost(hostValues(Options)))
    if (Each.Option && Each.Option->Value == ValueKind::Macro)
      look(Each.Value);
  return Result;
}

/// -D, -I and the like, whose value is a list.
void SafeNames::addList(const NvccOption &Option, Macros &Known,
                        std::vector<std::string> &Result) {
  const PreprocessorOption &Kind = *preprocessorOption(Option.Name);
  const std::vector<std::string> List = nvccList(*Option.Value);
  bool IsSafe = all_of(List, isSafeValue);
  for (const std::string &Part : List)
    IsSafe &= !Kind.isOfMacros() || !Known.Unsafe.count(macroName(Part).str());
  if (IsSafe)
    append_range(Result, Option.Words);
  else
    for (const std::string &Part : List)
      add(Kind, Part, Known, Result);
}

void SafeNames::addOther(const NvccOption &Option,
                         std::vector<std::string> &Result) {
  const bool IsForPart = StringRef(Option.Name).starts_with("-X");
  const std::string Value = Option.Value.value_or(Option.Name);
  // Of what stands in a file of arguments nothing is known.
  const StringRef Name = StringRef(Option.Name).split('=').first.ltrim('-');
  if (Name == "optf" || Name == "options-file")
    refuse(Option.Name, "stands for arguments that were not looked at");
  else if (isSafeForShell(Value))
    append_range(Result, Option.Words);
  else if (Option.Name == "-ccbin" || Option.Name == "-ldir")
    Result.insert(Result.end(), {Option.Name, path(Value)});
  // Several words for one of nvcc's parts; the shell takes the quotes away.
  else if (StringRef Bare = StringRef(Value).trim('"');
           IsForPart && !Bare.empty() && all_of(Bare, isSafeOrBlank))
    Result.insert(Result.end(), {Option.Name, Bare.str()});
  else
    refuse(join(Option.Words, " "));
}

std::vector<std::string>
SafeNames::arguments(std::span<const std::string> Arguments) {
  const std::vector<NvccOption> Options = nvccOptions(Arguments);
  Macros Known{unsafeMacros(Options), {}};
  std::vector<std::string> Result;
  const std::vector<std::string> ForHost = hostValues(Options);
  const bool HostIsSafe = areSafeForHost(ForHost);
  // nvcc puts them before its own, wherever they stand.
  if (!HostIsSafe)
    addHostWords(ForHost, Known, Result);
  for (const NvccOption &Option : Options) {
    const PreprocessorOption *Kind = preprocessorOption(Option.Name);
    if (Option.Name == "-Xcompiler" && Option.Value && !HostIsSafe)
      continue;
    if (Kind && Kind->Name == Option.Name && Option.Value)
      addList(Option, Known, Result);
    else
      addOther(Option, Result);
  }
  // Before all that is included.
  std::vector<std::string> First;
  for (const std::string &File : Known.Files)
    First.insert(First.end(), {"-Xcompiler", "-include", "-Xcompiler", File});
  Result.insert(Result.begin(), First.begin(), First.end());
  return Result;
}

} // namespace cudalint
