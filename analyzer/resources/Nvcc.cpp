//===- analyzer/resources/Nvcc.cpp - One run of nvcc ----------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/resources/Nvcc.h"

#include "analyzer/frontend/Invocation.h"
#include "analyzer/resources/ChildProcess.h"
#include "analyzer/resources/ClangPtx.h"
#include "analyzer/resources/NvccArguments.h"
#include "report/OutputFile.h"
#include "report/TerminalText.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

#include <fmt/format.h>

using namespace llvm;

namespace cudalint {

/// No build prints that much about one file.
static constexpr std::uint64_t MaxOutput = 32u << 20;

Nvcc findNvcc(const std::string &CudaPath) {
  Nvcc Result;
  ToolkitLookup Toolkit = findToolkit(CudaPath);
  if (Toolkit.Path.empty()) {
    Result.Missing = Toolkit.Error;
    return Result;
  }
  SmallString<128> Program(Toolkit.Path);
  sys::path::append(Program, "bin", "nvcc");
  if (!sys::fs::can_execute(Program)) {
    Result.Missing = fmt::format("there is no bin/nvcc in '{}'", Toolkit.Path);
    return Result;
  }
  Result.Program = Program.str();
  Result.Version = toolkitVersion(Toolkit.Path);
  Result.Name = Result.Version
                    ? fmt::format("nvcc {}.{}", *Result.Version / 1000,
                                  *Result.Version % 1000 / 10)
                    : "nvcc";
  return Result;
}

//===----------------------------------------------------------------------===//
// What the output depends on
//===----------------------------------------------------------------------===//

std::string identityOf(const Nvcc &Compiler) {
  SmallString<128> Real;
  if (sys::fs::real_path(Compiler.Program, Real))
    Real = Compiler.Program;
  std::string Result;
  StringRef Folder = sys::path::parent_path(Real);
  for (StringRef Name :
       {"nvcc", "nvcc.profile", "ptxas", "cudafe++", "../nvvm/bin/cicc"}) {
    SmallString<128> Part(Folder);
    sys::path::append(Part, Name);
    sys::fs::file_status Status;
    if (!sys::fs::status(Part, Status))
      Result += fmt::format(
          "{} {} {}\n", Part.c_str(), Status.getSize(),
          Status.getLastModificationTime().time_since_epoch().count());
  }
  return Result;
}

std::string environmentOfNvcc() {
  std::string Result;
  for (const char *Name :
       {"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "NVCC_CCBIN", "CPATH",
        "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "PATH", "GCC_EXEC_PREFIX"})
    Result +=
        fmt::format("{}={}\n", Name, sys::Process::GetEnv(Name).value_or(""));
  return Result;
}

static std::string keyOf(const Nvcc &Compiler, const CompileJob &Job,
                         const std::string *Source,
                         std::span<const std::string> Arguments,
                         ResourceCache &Cache) {
  const std::string Here = Job.absoluteFolder();
  if (Here.empty())
    return "";
  std::string Content =
      Source ? toHex(BLAKE3::hash(arrayRefFromStringRef(*Source)))
             : Cache.hashOf(Job.fromProcess(Job.File));
  if (Content.empty())
    return "";
  std::string Text = identityOf(Compiler) + environmentOfNvcc();
  for (StringRef Part :
       {StringRef(Here), StringRef(Job.File), StringRef(Content)})
    Text += fmt::format("{} {}\n", Part.size(), Part.str());
  for (const std::string &Argument : Arguments)
    Text += fmt::format("{} {}\n", Argument.size(), Argument);
  return toHex(BLAKE3::hash(arrayRefFromStringRef(Text)), /*LowerCase=*/true);
}

/// The names in a rule for make: `out : a.cu b\ c.h \`.
static std::vector<std::string> readRule(StringRef Text) {
  std::vector<std::string> Names;
  std::size_t Colon = Text.find(": ");
  if (Colon == StringRef::npos)
    return Names;
  std::string Name;
  auto finishName = [&] {
    if (!Name.empty())
      Names.push_back(std::exchange(Name, {}));
  };
  Text = Text.drop_front(Colon + 2);
  for (std::size_t I = 0; I != Text.size(); ++I) {
    char Next = I + 1 != Text.size() ? Text[I + 1] : '\n';
    if (Text[I] == '\\' && (Next == '\n' || Next == '\r'))
      continue;
    if ((Text[I] == '\\' && (Next == ' ' || Next == '#')) ||
        (Text[I] == '$' && Next == '$'))
      Name += Text[++I];
    else if (isSpace(Text[I]))
      finishName();
    else
      Name += Text[I];
  }
  finishName();
  return Names;
}

//===----------------------------------------------------------------------===//
// The run
//===----------------------------------------------------------------------===//

static std::string contentsOf(const std::string &File) {
  auto Buffer = MemoryBuffer::getFile(File, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  return Buffer ? (*Buffer)->getBuffer().str() : std::string();
}

/// The files that nvcc read, for calls of this process, but for the source if
/// that \p IsKnown.
static std::vector<std::string> filesRead(const std::string &Rule,
                                          const PrivateNames &Names,
                                          const CompileJob &Job, bool IsKnown) {
  std::vector<std::string> Result;
  for (const std::string &Each : readRule(contentsOf(Rule)))
    if (std::string Name = realName(Names, Each);
        !Name.empty() && !(IsKnown && Name == Job.File))
      Result.push_back(Job.fromProcess(Name));
  return Result;
}

/// The line that says what is wrong, fit to be shown.
static std::string firstError(StringRef Output) {
  StringRef Found;
  for (StringRef Rest = Output; !Rest.empty();) {
    StringRef Line;
    std::tie(Line, Rest) = Rest.split('\n');
    Line = Line.trim();
    if (Line.contains("error") || Line.contains("fatal")) {
      Found = Line;
      break;
    }
    if (Found.empty())
      Found = Line;
  }
  if (Found.empty())
    return "it printed nothing";
  return printable(Found.substr(0, 300).str());
}

static bool refusesArchitecture(StringRef Output) {
  return Output.contains("Unsupported gpu architecture") ||
         (Output.contains("is not defined for option") &&
          Output.contains("gpu-architecture"));
}

static std::string failureOf(const ChildResult &Child, const std::string &Text,
                             const Nvcc &Compiler, const std::string &File,
                             const std::string &Arch,
                             std::chrono::seconds Timeout) {
  static constexpr const char *Lost =
      "registers, spills and barriers are not known there";
  switch (Child.End) {
  case ChildEnd::NotStarted:
    return fmt::format("{}: cannot run {}: {}; {}", File, Compiler.Program,
                       Child.Error, Lost);
  case ChildEnd::TimedOut:
    return fmt::format("{}: {} took longer than {} s for {} and was stopped: "
                       "{}; allow more with --ptxas-timeout",
                       File, Compiler.Name, Timeout.count(), Arch, Lost);
  case ChildEnd::Flooded:
    return fmt::format("{}: {} printed more than {} MiB for {} and was "
                       "stopped: {}",
                       File, Compiler.Name, MaxOutput >> 20, Arch, Lost);
  case ChildEnd::Interrupted:
    return fmt::format("{}: {} was interrupted", File, Compiler.Name);
  case ChildEnd::Crashed:
    return fmt::format("{}: {} crashed for {}: {}", File, Compiler.Name, Arch,
                       Lost);
  case ChildEnd::Exited:
    break;
  }
  // The same words for every file.
  if (refusesArchitecture(Text))
    return fmt::format("{} does not compile for {}: registers, spills and "
                       "barriers are not known there; give --registers, or "
                       "--ptxas-log with the output of an nvcc that does",
                       Compiler.Name, Arch);
  std::string Failure =
      fmt::format("{}: {} cannot compile this for {}: {}; it says: {}", File,
                  Compiler.Name, Arch, Lost, firstError(Text));
  if (StringRef(Text).contains("Unresolved extern function"))
    Failure += "; where the build links device code of several files, say so: "
               "-- -rdc=true";
  return Failure;
}

/// The option that nvcc refuses to go on for; empty when there is none.
static std::string unknownOption(StringRef Output) {
  StringRef Rest = Output.split("fatal").second;
  return Rest.split("Unknown option '").second.split("'").first.str();
}

/// Takes \p Option out, and a value that stands behind it. False when it is
/// not there.
static bool dropOption(std::vector<std::string> &Arguments,
                       const std::string &Option) {
  auto At = std::ranges::find(Arguments, Option);
  if (At == Arguments.end())
    return false;
  At = Arguments.erase(At);
  if (At != Arguments.end() && !At->starts_with("-") &&
      Option.find('=') == Option.npos)
    Arguments.erase(At);
  return true;
}

/// Whether the code has lines already, which an option may say only once.
static bool hasLines(const std::vector<std::string> &Arguments) {
  static constexpr StringRef Names[] = {"-lineinfo", "--generate-line-info",
                                        "-G", "--device-debug"};
  return llvm::any_of(Arguments, [](const std::string &Each) {
    return is_contained(Names, Each);
  });
}

/// Runs nvcc with these arguments for one target; sets \p Unknown where it
/// does nothing because of an option.
static NvccOutput runOnce(const Nvcc &Compiler, const CompileJob &Job,
                          const std::string *Source,
                          std::vector<std::string> Arguments,
                          const std::string &Arch, ResourceCache &Cache,
                          const RunLimits &Limits, std::string &Unknown) {
  Unknown.clear();
  if (!hasLines(Arguments))
    Arguments.push_back("-lineinfo");
  Arguments.insert(Arguments.end(),
                   {"-Xptxas", "-v", "-w", "-cubin", "-arch=" + Arch});
  std::string Key = keyOf(Compiler, Job, Source, Arguments, Cache);
  NvccOutput Result;
  if (!Key.empty())
    if (std::optional<CompilerOutput> Kept = Cache.find(Key)) {
      Result.Text = std::move(Kept->Text);
      Result.Cubin = std::move(Kept->Cubin);
      Result.Names = std::move(Kept->Names);
      Result.Cached = true;
      return Result;
    }

  TemporaryFolder Folder(Limits.Guard);
  if (Folder.path().empty()) {
    Result.Failure =
        fmt::format("{}: nvcc was not run: {}", Job.File, Folder.error());
    return Result;
  }
  SafeNames Safe(Folder, Job.Folder);
  Arguments = Safe.arguments(Arguments);
  std::string Name = Safe.source(Job.File, Source, Arguments);
  std::string Program = Safe.program(Compiler.Program);
  Result.Names = Safe.names();
  if (Safe.fault()) {
    Result.Failure = fmt::format(
        "nvcc was not run, so registers, spills and barriers are not known: "
        "{}; "
        "give --registers, or --ptxas-log with the output of a build",
        *Safe.fault());
    return Result;
  }
  std::string Rule = Folder.file("rule.d");
  Arguments.insert(Arguments.end(),
                   {"-x", "cu", Name, "-o", Folder.file("kernels.cubin")});
  // Older ones cannot tell what they read, so there is nothing to keep.
  if (Compiler.Version.value_or(10020) >= 10020)
    Arguments.insert(Arguments.end(), {"-MD", "-MF", Rule});
  auto Start = std::chrono::system_clock::now();
  ChildResult Child =
      runChild(Program, Arguments, Folder, Folder.file("output"),
               Limits.Timeout, MaxOutput, Limits.Stop, Job.Folder);
  std::string Text = contentsOf(Folder.file("output"));
  if (Child.End != ChildEnd::Exited || Child.Code != 0) {
    Result.Failure = failureOf(Child, withRealNames(Result.Names, Text),
                               Compiler, Job.File, Arch, Limits.Timeout);
    if (Child.End == ChildEnd::Exited)
      Unknown = unknownOption(Text);
    Result.Printed = std::move(Text);
    return Result;
  }
  Result.Cubin = contentsOf(Folder.file("kernels.cubin"));
  if (!Key.empty())
    Cache.keep(Key,
               {.Text = Text, .Cubin = Result.Cubin, .Names = Result.Names},
               filesRead(Rule, Result.Names, Job, Source != nullptr), Start);
  Result.Text = std::move(Text);
  return Result;
}

NvccOutput runNvcc(const Nvcc &Compiler, const CompileJob &Job,
                   const std::string *Text, ComputeCapability CC,
                   ResourceCache &Cache, const RunLimits &Limits) {
  std::string Arch = nvccArchitecture(CC, Job.Arguments);
  std::vector<std::string> Arguments = nvccArguments(Job.Arguments);
  std::string Unknown, Dropped;
  for (;;) {
    NvccOutput Result =
        runOnce(Compiler, Job, Text, Arguments, Arch, Cache, Limits, Unknown);
    // Each turn takes one argument away.
    if (!Unknown.empty() && dropOption(Arguments, Unknown)) {
      Dropped += (Dropped.empty() ? "" : " ") + printable(Unknown);
      continue;
    }
    if (!Dropped.empty())
      Result.Note = fmt::format("{} does not know '{}' and was run without: "
                                "registers may differ from those of your build",
                                Compiler.Name, Dropped);
    return Result;
  }
}

NvccOutput runPtxas(const Nvcc &Compiler, const CompileJob &Job,
                    const Module &Code, ComputeCapability CC,
                    const RunLimits &Limits) {
  NvccOutput Result;
  std::string Arch = architectureOf(Code);
  if (Arch.empty()) {
    Result.Text = "ptxas info    : 0 bytes gmem\n"; // There are no kernels.
    return Result;
  }
  // Clang has parsed for its nearest architecture where it lacks this one.
  if (StringRef(Arch).rtrim("af") != nvccArchitecture(CC, {})) {
    Result.Failure = fmt::format("Clang does not compile for compute "
                                 "capability {}: registers, spills and "
                                 "barriers are not known there; give "
                                 "--registers or --ptxas-log",
                                 toString(CC));
    return Result;
  }
  StringRef Bin = sys::path::parent_path(Compiler.Program);
  SmallString<128> Program(Bin), Libdevice(sys::path::parent_path(Bin));
  sys::path::append(Program, "ptxas");
  sys::path::append(Libdevice, "nvvm", "libdevice", "libdevice.10.bc");
  std::string Error;
  std::optional<std::string> Ptx;
  // What the code generator cannot do it ends the program for.
  if (!CrashRecoveryContext().RunSafely(
          [&] { Ptx = emitPtx(Code, Libdevice.str().str(), Error); })) {
    Ptx.reset();
    Error = "Clang's code generator crashed";
  }
  TemporaryFolder Folder(Limits.Guard);
  std::string Input = Folder.file("kernels.ptx");
  if (Ptx && Folder.path().empty())
    Error = Folder.error();
  else if (Ptx)
    Error = writeOutputFile(Input, *Ptx).value_or("");
  if (!Ptx || !Error.empty()) {
    Result.Failure = fmt::format("{}: no code for ptxas, so registers, spills "
                                 "and barriers are not known: {}",
                                 Job.File, Error);
    return Result;
  }
  Nvcc Ptxas = Compiler;
  Ptxas.Program = Program.str();
  Ptxas.Name = "ptxas";
  std::vector<std::string> Arguments = {"-v", "-arch=" + Arch, Input, "-o",
                                        Folder.file("kernels.cubin")};
  if (std::string Limit = registerLimit(Job.Arguments); !Limit.empty())
    Arguments.push_back("-maxrregcount=" + Limit);
  if (isSeparatelyCompiled(Job.Arguments))
    Arguments.push_back("-c"); // What other files define is called.
  ChildResult Child =
      runChild(Ptxas.Program, Arguments, Folder, Folder.file("output"),
               Limits.Timeout, MaxOutput, Limits.Stop);
  std::string Text = contentsOf(Folder.file("output"));
  if (Child.End != ChildEnd::Exited || Child.Code != 0)
    Result.Failure =
        failureOf(Child, Text, Ptxas, Job.File, Arch, Limits.Timeout);
  else
    Result.Text = std::move(Text);
  return Result;
}

} // namespace cudalint
