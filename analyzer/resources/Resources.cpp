//===- analyzer/resources/Resources.cpp - Registers and their like --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/resources/Resources.h"

#include "analyzer/resources/BuiltCode.h"
#include "analyzer/resources/CompiledKernels.h"
#include "analyzer/resources/LogChoice.h"
#include "analyzer/resources/Nvcc.h"
#include "analyzer/resources/NvccArguments.h"
#include "analyzer/resources/NvccDefaults.h"
#include "analyzer/resources/PtxasLog.h"
#include "report/InputFile.h"
#include "report/TerminalText.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/Errc.h"
#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>

using namespace llvm;

namespace cudalint {

struct ResourceFinder::State {
  ResourceOptions Options;
  std::vector<NamedLog> Logs;
  Nvcc Compiler;
  mutable ResourceCache Cache;

  explicit State(ResourceOptions Given)
      : Options(std::move(Given)),
        Cache(!Options.UseCache          ? ""
              : Options.CacheDir.empty() ? ResourceCache::defaultFolder()
                                         : Options.CacheDir) {}

  RunLimits limits(const std::stop_token &Stop = {}) const {
    return {.Timeout = Options.Timeout, .Guard = Options.Guard, .Stop = Stop};
  }

  /// Every kernel has its registers from the user.
  bool hasRegistersForAll() const {
    return std::ranges::any_of(Options.Registers, [](const RegisterOption &R) {
      return R.Kernel.empty();
    });
  }
};

ResourceFinder::ResourceFinder(ResourceOptions Options)
    : S(std::make_unique<State>(std::move(Options))) {
  if ((needsCompilation() && !S->Options.Built) || needsAssembly())
    S->Compiler = findNvcc(S->Options.CudaPath);
}
ResourceFinder::~ResourceFinder() = default;
ResourceFinder::ResourceFinder(ResourceFinder &&) noexcept = default;
ResourceFinder &ResourceFinder::operator=(ResourceFinder &&) noexcept = default;

//===----------------------------------------------------------------------===//
// Logs
//===----------------------------------------------------------------------===//

/// As many bytes of a log as come through a pipe.
static constexpr std::uint64_t MostOfPipe = 256u << 20;

/// Returns why the log is of no use.
static std::optional<std::string> readLog(const std::string &File,
                                          PtxasLog &Log) {
  // Of a plain file any number; what comes from a pipe may never end.
  if (std::optional<std::string> Why =
          readInput(File, MostOfPipe, [&](std::string_view Part) {
            Log.read({Part.data(), Part.size()});
          }))
    return fmt::format("cannot read '{}' of --ptxas-log: {}", File, *Why);
  Log.finish();
  if (!Log.entries().empty())
    return std::nullopt;
  if (const std::optional<LogLine> &Strange = Log.firstStrange())
    return fmt::format("'{}' of --ptxas-log was read, but its wording is not "
                       "known: the first line that was not understood is line "
                       "{}, '{}'; give --registers [KERNEL=]N instead, and "
                       "please report the line with the version of CUDA",
                       File, Strange->Number, printable(Strange->Text));
  if (!Log.hasOutput())
    return fmt::format("no output of ptxas -v in '{}' of --ptxas-log; build "
                       "with nvcc -Xptxas -v and keep what it prints",
                       File);
  return fmt::format("no kernel in the output of ptxas in '{}' of "
                     "--ptxas-log; build all files with nvcc -Xptxas -v",
                     File);
}

std::optional<std::string> ResourceFinder::readLogs() {
  S->Logs.clear();
  for (const std::string &File : S->Options.PtxasLogs) {
    NamedLog &Log = S->Logs.emplace_back();
    Log.Name = File;
    if (std::optional<std::string> Error = readLog(File, Log.Log))
      return Error;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

std::vector<std::string> ResourceFinder::addedByNvcc() const {
  return cudalint::addedByNvcc(S->Options.CudaPath, S->Cache, S->Options.Guard);
}

bool ResourceFinder::needsCompilation() const {
  switch (S->Options.Mode) {
  case PtxasMode::Off:
  case PtxasMode::Clang:
    return false;
  case PtxasMode::Nvcc:
    return true;
  case PtxasMode::Auto:
    break;
  }
  return S->Options.PtxasLogs.empty() && !S->hasRegistersForAll();
}

/// The kernels of what one run of nvcc printed; empty, with a note, when that
/// cannot be understood.
static std::vector<KernelResources>
readOutput(const std::string &Text, ComputeCapability CC, const char *Source,
           const std::string &Compiler, std::string &Note) {
  PtxasLog Log;
  Log.read(Text);
  Log.finish();
  std::vector<KernelResources> Result;
  bool Understood = Log.hasOutput();
  for (const PtxasEntry *Entry : Log.entries()) {
    Understood &= Entry->Record.Registers.has_value();
    if (!Entry->Record.Registers || Entry->CC != CC)
      continue;
    Result.push_back({Entry->Kernel, CC, Entry->Record});
    Result.back().Record.Source = Source;
  }
  if (Understood)
    return Result;
  Note = fmt::format("cannot read the output of {}: registers, spills and "
                     "barriers are not known for all kernels; give "
                     "--registers, and please report the version",
                     Compiler);
  if (const std::optional<LogLine> &Strange = Log.firstStrange())
    Note += fmt::format(" with this line, which is not understood: '{}'",
                        printable(Strange->Text));
  return Result;
}

static std::string noteOfMissing(const Nvcc &Compiler) {
  return fmt::format("registers, spills and barriers of kernels are not known, "
                     "because nvcc was not found: {}; or give --registers "
                     "[KERNEL=]N, or --ptxas-log FILE with the output of nvcc "
                     "-Xptxas -v",
                     Compiler.Missing);
}

static void noteLinking(const CompileJob &Job, FileResources &Result) {
  if (!Result.Kernels.empty() && isSeparatelyCompiled(Job.Arguments))
    Result.Notes.push_back(
        "registers and local memory are those before device linking "
        "(-rdc=true): a kernel that calls functions of other files may take "
        "more; --ptxas-log with the output of nvcc -Xnvlink -v tells");
}

/// What the file holds, where that is not on disk.
static std::optional<std::string> textOf(const CompileJob &Job) {
  if (!Job.Files)
    return std::nullopt;
  auto read = [&](const CompileJob &From) {
    return filesOf(From)->getBufferForFile(Job.File, -1,
                                           /*RequiresNullTerminator=*/false);
  };
  CompileJob OnDisk = Job;
  OnDisk.Files = nullptr;
  auto Text = read(Job), Other = read(OnDisk);
  if (!Text || (Other && (*Text)->getBuffer() == (*Other)->getBuffer()))
    return std::nullopt;
  return (*Text)->getBuffer().str();
}

FileResources
ResourceFinder::compile(const CompileJob &Job,
                        std::span<const ComputeCapability> Targets,
                        const std::stop_token &Stop) const {
  FileResources Result;
  Result.File = Job.File;
  if (!needsCompilation())
    return Result;
  if (S->Options.Built) {
    Result = readBuilt(*S->Options.Built, Job.File, Targets, Stop);
    noteLinking(Job, Result);
    return Result;
  }
  if (S->Compiler.Program.empty()) {
    Result.Notes.push_back(noteOfMissing(S->Compiler));
    return Result;
  }
  // nvcc would wait for a pipe; the parse says that there is nothing.
  const std::optional<std::string> Text = textOf(Job);
  if (!Text && isReadOnce(Job.fromProcess(Job.File)))
    return Result;
  Result.Cached = true;
  for (ComputeCapability CC : Targets) {
    if (Stop.stop_requested())
      break;
    NvccOutput Output = runNvcc(S->Compiler, Job, Text ? &*Text : nullptr, CC,
                                S->Cache, S->limits(Stop));
    Result.Cached &= Output.Cached;
    if (!Output.Note.empty())
      Result.Notes.push_back(std::move(Output.Note));
    std::string Note;
    if (!Output.Text) {
      std::vector<KernelResources> Some =
          readOutput(Output.Printed, CC, "nvcc", S->Compiler.Name, Note);
      if (!Some.empty())
        Output.Failure += fmt::format(
            "; but for {} kernel{}, of which it printed them before",
            Some.size(), Some.size() == 1 ? "" : "s");
      Result.Notes.push_back(std::move(Output.Failure));
      std::ranges::move(Some, std::back_inserter(Result.Kernels));
      continue;
    }
    std::ranges::move(readInstructions(Output.Cubin, CC, Output.Names),
                      std::back_inserter(Result.Instructions));
    std::vector<KernelResources> Kernels =
        readOutput(*Output.Text, CC, "nvcc", S->Compiler.Name, Note);
    if (!Note.empty())
      Result.Notes.push_back(std::move(Note));
    std::move(Kernels.begin(), Kernels.end(),
              std::back_inserter(Result.Kernels));
  }
  noteLinking(Job, Result);
  return Result;
}

std::vector<KernelResources>
ResourceFinder::compileBounded(const CompileJob &Job, ComputeCapability CC,
                               std::uint64_t Registers) const {
  if (S->Options.Built)
    return {};
  CompileJob Bounded = Job;
  Bounded.Arguments.push_back(fmt::format("-maxrregcount={}", Registers));
  return compile(Bounded, std::span(&CC, 1)).Kernels;
}

bool ResourceFinder::needsAssembly() const {
  return S->Options.Mode == PtxasMode::Clang;
}

FileResources ResourceFinder::assemble(const CompileJob &Job,
                                       const llvm::Module &Module,
                                       ComputeCapability CC) const {
  FileResources Result;
  Result.File = Job.File;
  if (!needsAssembly())
    return Result;
  if (S->Compiler.Program.empty()) {
    Result.Notes.push_back(noteOfMissing(S->Compiler));
    return Result;
  }
  NvccOutput Output = runPtxas(S->Compiler, Job, Module, CC, S->limits());
  if (!Output.Text) {
    Result.Notes.push_back(std::move(Output.Failure));
    return Result;
  }
  std::string Note;
  Result.Kernels = readOutput(*Output.Text, CC, "ptxas", "ptxas", Note);
  if (!Note.empty())
    Result.Notes.push_back(std::move(Note));
  noteLinking(Job, Result);
  return Result;
}

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

/// An option that names the kernel comes before one for all kernels, a later
/// one before an earlier.
static std::optional<std::uint64_t>
userRegisters(std::span<const RegisterOption> Options,
              const std::function<bool(std::string_view)> &IsNamed) {
  std::optional<std::uint64_t> ForAll;
  std::optional<std::uint64_t> Named;
  for (const RegisterOption &Option : Options) {
    if (Option.Kernel.empty())
      ForAll = Option.Registers;
    else if (IsNamed(Option.Kernel))
      Named = Option.Registers;
  }
  return Named ? Named : ForAll;
}

const ResourceRecord *
ResourceFinder::findIn(std::span<const KernelResources> Kernels,
                       std::string_view LinkageName, ComputeCapability CC) {
  const std::string Name = comparableKernelName(LinkageName);
  for (const KernelResources &Each : Kernels)
    if (Each.CC == CC && comparableKernelName(Each.Kernel) == Name)
      return &Each.Record;
  return nullptr;
}

const KernelInstructions *findInstructions(const FileResources &Compiled,
                                           std::string_view LinkageName,
                                           ComputeCapability CC) {
  std::string Name = comparableKernelName(LinkageName);
  for (const KernelInstructions &Each : Compiled.Instructions)
    if (Each.CC == CC && comparableKernelName(Each.Kernel) == Name)
      return &Each;
  return nullptr;
}

/// The user's registers, and of what a compiler said that which does not hang
/// on their number.
static ResourceRecord withRegisters(std::uint64_t Registers,
                                    const ResourceRecord *Known) {
  ResourceRecord Result;
  if (Known) {
    Result = *Known;
    if (Known->Registers != Registers) {
      Result.LocalBytes.reset();
      Result.SpillStores.reset();
      Result.SpillLoads.reset();
    }
  }
  Result.Registers = Registers;
  Result.Source = "user";
  return Result;
}

ResourceAnswer
ResourceFinder::find(std::string_view LinkageName, const std::string &File,
                     ComputeCapability CC,
                     const std::function<bool(std::string_view)> &IsNamed,
                     const FileResources *Compiled) const {
  ResourceAnswer Answer;
  if (!S->Logs.empty())
    Answer = chooseFromLogs(S->Logs, LinkageName, File, CC, IsNamed);
  bool HasRegisters = Answer.Record && Answer.Record->Registers;
  if (!HasRegisters && Compiled)
    if (const ResourceRecord *Record =
            findIn(Compiled->Kernels, LinkageName, CC)) {
      Answer.Record = *Record;
      HasRegisters = true;
    }
  if (std::optional<std::uint64_t> Given =
          userRegisters(S->Options.Registers, IsNamed)) {
    Answer.Record =
        withRegisters(*Given, Answer.Record ? &*Answer.Record : nullptr);
    Answer.Note.clear();
    return Answer;
  }
  if (HasRegisters && Answer.Record->Source == "ptxas")
    Answer.Note = "registers and spills are those of Clang's code (--ptxas="
                  "clang): approximate, nvcc's may take more or less";
  if (HasRegisters || !Answer.Note.empty())
    return Answer;
  if (Compiled && !Compiled->Notes.empty())
    return Answer; // They say why.
  if (Compiled && (S->Options.Built || !S->Compiler.Program.empty()))
    Answer.Note = fmt::format("{}: {} made no code for kernel '{}' on {}: its "
                              "registers are not known",
                              File,
                              S->Options.Built  ? "the build"
                              : needsAssembly() ? "Clang"
                                                : S->Compiler.Name,
                              llvm::demangle(LinkageName), toString(CC));
  else if (!needsCompilation() && !needsAssembly())
    Answer.Note = "registers, spills and barriers of some kernels are not "
                  "known; give --registers [KERNEL=]N, --ptxas-log FILE with "
                  "the output of nvcc -Xptxas -v, or --ptxas=nvcc";
  return Answer;
}

} // namespace cudalint
