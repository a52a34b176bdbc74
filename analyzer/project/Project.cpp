//===- analyzer/project/Project.cpp - From files to jobs ------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/project/Project.h"

#include "analyzer/frontend/ArgumentFiles.h"
#include "analyzer/frontend/CompilerArguments.h"
#include "analyzer/frontend/CompilerFiles.h"
#include "analyzer/project/ArgumentPaths.h"
#include "analyzer/project/CommandIndex.h"
#include "analyzer/project/CompileDatabase.h"
#include "analyzer/project/HarmlessArguments.h"
#include "analyzer/project/SourceFiles.h"
#include "analyzer/project/TrustedPrograms.h"
#include "report/InputFile.h"
#include "report/TerminalText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>
#include <unistd.h>

using namespace llvm;

namespace cudalint {

/// \p Absolute as it is called in \p Here.
static std::string seenFrom(const std::string &Here,
                            const std::string &Absolute) {
  StringRef Rest = Absolute;
  if (Rest == Here)
    return ".";
  if (Here != "/" && Rest.consume_front(Here) && Rest.consume_front("/") &&
      !Rest.empty())
    return Rest.str();
  return Absolute;
}

namespace {
class ProjectFinder {
public:
  explicit ProjectFinder(const ProjectRequest &Request) : Request(Request) {}

  Project find();
  Project findBuilt(const std::vector<std::string> &Words);

private:
  const CommandIndex *databaseFor(const std::string &Folder);
  const CommandIndex *load(const std::string &Path, bool IsWished);
  bool addInput(const std::string &Input);
  void addFile(const std::string &Name);
  void addAll(const CommandIndex &Commands, const std::string &Below);
  void add(const std::string &Name, const CompileCommand *Command,
           const CommandIndex *Commands = nullptr);
  bool isCompiledOtherwise(const ProjectFile &Linted,
                           std::span<const CompileCommand *const> Entries);
  void tellOthers();
  std::vector<std::string> argumentsOf(const CompileCommand &Command);
  void takeToolkit(const CompileCommand &Command);
  void addHostFiles();
  bool isTrusted(const std::string &Program) const;
  bool fail(std::string Why) {
    Result.Error = std::move(Why);
    return false;
  }

  const ProjectRequest &Request;
  Project Result;
  std::set<std::string> Seen; ///< Which files there are, as identityOf().
  /// By path. Null: it cannot be used, which was said.
  std::map<std::string, std::unique_ptr<CommandIndex>> Databases;
  std::map<std::string, std::optional<std::string>> Found; ///< By folder.
  std::set<std::string> Said;
  /// Files that are compiled with other arguments, too.
  std::vector<std::string> CompiledOtherwise;
  std::string Unusable; ///< Why a database that nobody named cannot be used.
};
} // namespace

//===----------------------------------------------------------------------===//
// Databases
//===----------------------------------------------------------------------===//

/// What others may have put into a folder around ours, as /tmp, is not taken
/// without being asked for: it says what nvcc is run with.
static bool isOurs(const std::string &Path) {
  sys::fs::file_status Status;
  return !sys::fs::status(Path, Status) &&
         (Status.getUser() == ::geteuid() || Status.getUser() == 0);
}

const CommandIndex *ProjectFinder::load(const std::string &Path,
                                        bool IsWished) {
  auto [Entry, IsNew] = Databases.try_emplace(Path);
  if (!IsNew)
    return Entry->second.get();
  auto Read = std::make_unique<CommandIndex>(Path);
  if (!IsWished && !Read->Error.empty())
    Result.Notes.push_back(
        fmt::format("note: {}; linted without it", Unusable = Read->Error));
  else if (!Read->Error.empty())
    Result.Error = Read->Error;
  else if (Read->Cuda.empty())
    (IsWished ? Result.Error : Unusable) =
        Read->Others == 0
            ? fmt::format("'{}' has no entries", printable(Path))
            : fmt::format("'{}' has no entry of a CUDA file, but {} of other "
                          "languages",
                          printable(Path), Read->Others);
  // One that nobody asked for may be of another program.
  if (!Read->Error.empty() || Read->Cuda.empty())
    return nullptr;
  Entry->second = std::move(Read);
  return Entry->second.get();
}

const CommandIndex *ProjectFinder::databaseFor(const std::string &Folder) {
  if (Request.IsGiven)
    return nullptr;
  if (!Request.Build.empty()) {
    SmallString<256> Path(absoluteName(Request.Here, Request.Build));
    if (sys::fs::is_directory(Path))
      sys::path::append(Path, DatabaseName);
    return load(Path.str().str(), /*IsWished=*/true);
  }
  auto [Entry, IsNew] = Found.try_emplace(Folder);
  if (IsNew)
    Entry->second = findCompileDatabase(Folder);
  if (!Entry->second)
    return nullptr;
  if (!isOurs(*Entry->second)) {
    if (Said.insert(*Entry->second).second)
      Result.Notes.push_back(fmt::format(
          "note: '{}' belongs to another user and is not read; -p reads it",
          printable(*Entry->second)));
    return nullptr;
  }
  return load(*Entry->second, /*IsWished=*/false);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

std::vector<std::string>
ProjectFinder::argumentsOf(const CompileCommand &Command) {
  std::vector<std::string> Arguments = Command.Arguments;
  if (std::optional<std::string> Why =
          expandArgumentFiles(Arguments, Command.Folder))
    Result.Notes.push_back("note: " + *Why + "; linted without them");
  const auto detail = [&](const std::string &Argument, const char *Why) {
    if (Said.insert(Argument).second)
      Result.Details.push_back(
          fmt::format("compiler argument '{}' {}", printable(Argument), Why));
  };
  const DroppedArguments Dropped =
      keepHarmless(Arguments, [&](const std::string &Program) {
        return isTrusted(absoluteName(Command.Folder, Program));
      });
  for (const std::string &Each : Dropped.Refused)
    if (Said.insert(Each).second)
      Result.Notes.push_back(
          fmt::format("note: compiler argument '{}' is left out: nothing is "
                      "loaded or run for it",
                      printable(Each)));
  for (const std::string &Each : Dropped.Needless)
    detail(Each, "is unknown here, or of no consequence, and left out");
  Arguments =
      renamePaths(Arguments, [&](const std::string &Name, bool IsSearched) {
        const std::string Absolute = absoluteName(Command.Folder, Name);
        return !IsSearched || sys::fs::exists(Absolute)
                   ? seenFrom(Request.Here, Absolute)
                   : Name;
      });
  const std::vector<std::string> Unknown = unknownArguments(Arguments);
  std::erase_if(Arguments, [&](const std::string &Each) {
    return is_contained(Unknown, Each);
  });
  for (const std::string &Each : Unknown)
    detail(Each, "is unknown here and left out");
  return Arguments;
}

bool ProjectFinder::isTrusted(const std::string &Program) const {
  std::vector<std::string> Own = {repositoryAround(Request.Here)};
  for (const auto &Each : Databases) {
    const StringRef Build = sys::path::parent_path(Each.first);
    Own.push_back(repositoryAround(Build.str()));
    Own.push_back(sys::path::parent_path(Build).str());
  }
  return isTrustedProgram(Program, Own);
}

/// The toolkit of `/usr/local/cuda-13.0/bin/nvcc`.
void ProjectFinder::takeToolkit(const CompileCommand &Command) {
  if (!Result.CudaPath.empty() || sys::path::stem(Command.Compiler) != "nvcc" ||
      !sys::path::has_parent_path(Command.Compiler))
    return;
  SmallString<256> Real;
  const std::string Program = absoluteName(Command.Folder, Command.Compiler);
  if (sys::fs::real_path(Program, Real))
    return;
  if (!isTrusted(Program)) {
    if (Said.insert(Program).second)
      Result.Notes.push_back(fmt::format(
          "note: '{}' of the compile commands is not run: it is neither below "
          "/usr or /opt, nor on the PATH or in CUDA_PATH, or it is a part of "
          "this project; --cuda-path names a toolkit",
          printable(Command.Compiler)));
    return;
  }
  SmallString<256> Root(sys::path::parent_path(sys::path::parent_path(Real)));
  SmallString<256> Header(Root);
  sys::path::append(Header, "include", "cuda_runtime.h");
  if (sys::fs::exists(Header))
    Result.CudaPath = Root.str().str();
}

/// One file by whatever spelling: `a.cu`, `./a.cu`, `../here/a.cu`. A link in
/// another folder may find other headers, and is another file.
static std::string identityOf(const std::string &Name) {
  SmallString<256> Folder;
  const StringRef Parent = sys::path::parent_path(Name);
  if (sys::fs::real_path(Parent.empty() ? "." : Parent, Folder))
    return Name;
  sys::path::append(Folder, sys::path::filename(Name));
  return Folder.str().str();
}

void ProjectFinder::add(const std::string &Name, const CompileCommand *Command,
                        const CommandIndex *Commands) {
  if (!Seen.insert(identityOf(Name)).second)
    return;
  // A name that begins with a dash is no option.
  ProjectFile File = {.Name = Name.size() > 1 && Name[0] == '-' ? "./" + Name
                                                                : Name};
  if (Command) {
    File.Arguments = argumentsOf(*Command);
    if (Commands && isCompiledOtherwise(File, Commands->allOf(Command->File)))
      CompiledOtherwise.push_back(Name);
    takeToolkit(*Command);
    File.Architectures = translateArguments(File.Arguments).Architectures;
    for (const std::string &Each : File.Architectures)
      if (!is_contained(Result.Architectures, Each))
        Result.Architectures.push_back(Each);
  }
  Result.Files.push_back(std::move(File));
}

/// Whether some entry of the file would have it linted in another way.
bool ProjectFinder::isCompiledOtherwise(
    const ProjectFile &Linted, std::span<const CompileCommand *const> Entries) {
  // Nothing is told of arguments that are not used.
  const std::set<std::string> SaidBefore = Said;
  const std::size_t Notes = Result.Notes.size();
  const std::size_t Details = Result.Details.size();
  const bool IsOtherwise =
      any_of(drop_begin(Entries), [&](const CompileCommand *Each) {
        return argumentsOf(*Each) != Linted.Arguments;
      });
  Said = SaidBefore;
  Result.Notes.resize(Notes);
  Result.Details.resize(Details);
  return IsOtherwise;
}

void ProjectFinder::tellOthers() {
  if (const std::size_t Files = CompiledOtherwise.size())
    Result.Notes.push_back(fmt::format(
        "note: '{}'{} compiled with several lists of arguments: the first in "
        "the compile commands is taken",
        printable(CompiledOtherwise[0]),
        Files == 1 ? " is" : fmt::format(" and {} more are", Files - 1)));
}

void ProjectFinder::addFile(const std::string &Name) {
  if (isReadOnce(Name)) {
    add(Name, nullptr);
    return;
  }
  const std::string Absolute = absoluteName(Request.Here, Name);
  const CommandIndex *Commands =
      databaseFor(sys::path::parent_path(Absolute).str());
  if (!Commands) {
    add(Name, nullptr);
    return;
  }
  if (const CompileCommand *Own = Commands->of(Absolute)) {
    add(Name, Own, Commands);
    return;
  }
  const CompileCommand *Command = Commands->nearest(Absolute);
  Result.Details.push_back(
      fmt::format("'{}' is not in '{}': it is linted as '{}' is compiled",
                  printable(Name), printable(Commands->Path),
                  printable(seenFrom(Request.Here, Command->File))));
  add(Name, Command);
}

void ProjectFinder::addAll(const CommandIndex &Commands,
                           const std::string &Below) {
  std::vector<const CompileCommand *> Its;
  for (const CompileCommand &Each : Commands.Cuda)
    if (Below.empty() || StringRef(Each.File).starts_with(Below))
      Its.push_back(Commands.of(Each.File));
  // A checkout that was moved: one line says it all.
  if (!Its.empty() && none_of(Its, [](const CompileCommand *Each) {
        return sys::fs::exists(Each->File);
      })) {
    Result.Error = fmt::format(
        "'{}' compiles files that are not there, such as '{}'; configure the "
        "build anew",
        printable(Commands.Path),
        printable(seenFrom(Request.Here, Its.front()->File)));
    return;
  }
  for (const CompileCommand *Each : Its)
    add(seenFrom(Request.Here, Each->File), Each, &Commands);
}

/// False: there is nothing of that name, as Error says.
bool ProjectFinder::addInput(const std::string &Input) {
  if (isGlob(Input)) {
    std::string Error;
    const std::vector<std::string> Names = filesMatching(Input, Error);
    if (!Error.empty())
      return fail(fmt::format("'{}' is no glob: {}", printable(Input), Error));
    if (Names.empty())
      return fail(fmt::format("no file matches '{}'", printable(Input)));
    llvm::for_each(Names, [&](const std::string &Each) { addFile(Each); });
    return true;
  }
  if (!sys::fs::is_directory(Input)) {
    addFile(Input);
    return true;
  }
  const std::string Folder = absoluteName(Request.Here, Input);
  const std::size_t Before = Result.Files.size();
  if (const CommandIndex *Commands = databaseFor(Folder)) {
    addAll(*Commands, Folder + "/");
    if (Result.Files.size() == Before)
      return fail(fmt::format("'{}' compiles no CUDA file below '{}'",
                              printable(Commands->Path), printable(Input)));
    return true;
  }
  if (!Result.Error.empty())
    return false;
  for (const std::string &Name : sourcesBelow(Folder))
    add(seenFrom(Request.Here, Name), nullptr);
  return Result.Files.size() != Before ||
         fail(fmt::format("there is no .cu file below '{}'", printable(Input)));
}

Project ProjectFinder::find() {
  if (Request.Inputs.empty()) {
    if (const CommandIndex *Commands = databaseFor(Request.Here)) {
      addAll(*Commands, "");
      tellOthers();
      addHostFiles();
    } else if (Request.IsGiven)
      Result.Error = "no file to lint; usage: cuda-lint [options] FILE... [-- "
                     "compiler arguments]";
    else if (!Unusable.empty())
      Result.Error = Unusable;
    else if (Result.Error.empty())
      Result.Error =
          fmt::format("no file to lint, and no {} here, in build/, or in the "
                      "folders around; usage: cuda-lint [options] FILE... [-- "
                      "compiler arguments], or cuda-lint -p BUILD",
                      DatabaseName);
    return std::move(Result);
  }
  for (const std::string &Input : Request.Inputs)
    if (!addInput(Input) || !Result.Error.empty())
      break;
  tellOthers();
  addHostFiles();
  return std::move(Result);
}

void ProjectFinder::addHostFiles() {
  std::set<std::string> Names;
  for (const auto &[Path, Commands] : Databases)
    if (Commands)
      for (const CompileCommand &Each : Commands->Host)
        if (Names.insert(Each.File).second)
          Result.HostFiles.push_back({.Name = seenFrom(Request.Here, Each.File),
                                      .Arguments = argumentsOf(Each)});
}

Project ProjectFinder::findBuilt(const std::vector<std::string> &Words) {
  CompileCommand Command = commandOf(Words, Request.Here);
  addEnvironment(Command);
  if (expandArgumentFiles(Command.Arguments, Command.Folder))
    return std::move(Result); // The compiler says so.
  const CompilerFiles Files = compilerFiles(Command.Arguments);
  if (Command.Compiler.empty() || !Files.OtherStep.empty())
    return std::move(Result);
  std::erase_if(Command.Arguments, [&](const std::string &Each) {
    return is_contained(Files.Inputs, Each);
  });
  for (std::size_t I = 0; I != Files.Sources.size(); ++I) {
    const std::size_t Before = Result.Files.size();
    Command.File = absoluteName(Request.Here, Files.Sources[I]);
    add(seenFrom(Request.Here, Command.File), &Command);
    if (Result.Files.size() == Before)
      continue;
    Result.Files.back().Output = Files.Outputs[I];
    Result.Files.back().Object = Files.Objects[I];
  }
  return std::move(Result);
}

std::string repositoryAround(const std::string &Here) {
  for (StringRef At = Here; !At.empty(); At = sys::path::parent_path(At)) {
    SmallString<256> Git(At);
    sys::path::append(Git, ".git");
    if (sys::fs::exists(Git))
      return At.str();
  }
  return Here;
}

Project findProject(const ProjectRequest &Request) {
  return ProjectFinder(Request).find();
}

Project projectOfBuild(const std::vector<std::string> &Words,
                       const std::string &Here) {
  const ProjectRequest Request = {
      .Inputs = {}, .Build = {}, .IsGiven = true, .Here = Here};
  return ProjectFinder(Request).findBuilt(Words);
}

} // namespace cudalint
