//===- analyzer/resources/NvccDefaults.cpp - What nvcc adds ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/resources/NvccDefaults.h"

#include "analyzer/frontend/Frontend.h"
#include "analyzer/resources/ChildProcess.h"
#include "report/InputFile.h"
#include "report/OutputFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;

namespace cudalint {

static constexpr std::uint64_t MostOutput = 1u << 20;

/// The words of the command that preprocesses for a GPU; empty: none.
static std::vector<std::string> preprocessorCommand(StringRef DryRun) {
  while (!DryRun.empty()) {
    StringRef Line;
    std::tie(Line, DryRun) = DryRun.split('\n');
    if (!Line.consume_front("#$ ") || !Line.contains(" -E ") ||
        !Line.contains("-D__CUDA_ARCH__="))
      continue;
    BumpPtrAllocator Memory;
    StringSaver Saver(Memory);
    SmallVector<const char *> Words;
    cl::TokenizeGNUCommandLine(Line, Saver, Words);
    return {Words.begin(), Words.end()};
  }
  return {};
}

/// What Clang defines for CUDA as well, or what is of one target.
static bool isOfEveryCompiler(StringRef Definition) {
  return Definition.starts_with("__CUDA") || Definition.starts_with("__NVCC") ||
         Definition.starts_with("CUDA_DOUBLE_MATH_FUNCTIONS");
}

static bool isOfToolkit(const std::string &Folder, const std::string &Toolkit) {
  for (StringRef Own : {"include", "include/cccl"}) {
    SmallString<128> Path(Toolkit);
    sys::path::append(Path, Own);
    if (sys::fs::equivalent(Folder, Path))
      return true;
  }
  return false;
}

std::vector<std::string> parseDryRun(std::string_view DryRun,
                                     const std::string &Toolkit) {
  const std::vector<std::string> Words = preprocessorCommand(DryRun);
  std::vector<std::string> Result;
  for (std::size_t I = 0; I != Words.size(); ++I) {
    StringRef Word = Words[I];
    const bool HasNext = I + 1 != Words.size();
    if (Word == "-isystem" && HasNext) {
      if (const std::string &Folder = Words[++I]; !isOfToolkit(Folder, Toolkit))
        Result.insert(Result.end(), {"-isystem", Folder});
    } else if (Word.consume_front("-I") && !Word.empty()) {
      if (!isOfToolkit(Word.str(), Toolkit))
        Result.push_back("-I" + Word.str());
    } else if (Word == "-include" && HasNext) {
      if (const std::string &File = Words[++I]; File != "cuda_runtime.h")
        Result.insert(Result.end(), {"-include", File});
    } else if (Word.consume_front("-D")) {
      const StringRef Definition =
          Word.empty() && HasNext ? StringRef(Words[++I]) : Word;
      if (!Definition.empty() && !isOfEveryCompiler(Definition))
        Result.push_back("-D" + Definition.str());
    }
  }
  return Result;
}

/// What nvcc says; nothing where it does not answer.
static std::optional<std::string> dryRunOf(const Nvcc &Compiler,
                                           const EndGuard *Guard) {
  const TemporaryFolder Folder(Guard);
  if (Folder.path().empty())
    return std::nullopt;
  const std::string Source = Folder.file("empty.cu"),
                    Output = Folder.file("output");
  if (writeOutputFile(Source, ""))
    return std::nullopt;
  const std::vector<std::string> Arguments = {"--dryrun", "-c", Source, "-o",
                                              Folder.file("empty.o")};
  const ChildResult Child =
      runChild(Compiler.Program, Arguments, Folder, Output,
               std::chrono::seconds(10), MostOutput);
  std::string Why;
  if (Child.End != ChildEnd::Exited || Child.Code != 0)
    return std::nullopt;
  return readWholeFile(Output, MostOutput, Why);
}

std::vector<std::string> addedByNvcc(const std::string &CudaPath,
                                     ResourceCache &Cache,
                                     const EndGuard *Guard) {
  const Nvcc Compiler = findNvcc(CudaPath);
  const ToolkitLookup Toolkit = findToolkit(CudaPath);
  if (Compiler.Program.empty())
    return {};
  const std::string Key =
      toHex(BLAKE3::hash(arrayRefFromStringRef(
                "dryrun\n" + identityOf(Compiler) + environmentOfNvcc())),
            /*LowerCase=*/true);
  if (const std::optional<CompilerOutput> Kept = Cache.find(Key))
    return parseDryRun(Kept->Text, Toolkit.Path);
  const auto Start = std::chrono::system_clock::now();
  const std::optional<std::string> Text = dryRunOf(Compiler, Guard);
  if (!Text)
    return {};
  SmallString<128> Profile(sys::path::parent_path(Compiler.Program));
  sys::path::append(Profile, "nvcc.profile");
  const std::string Files[] = {sys::fs::exists(Profile) ? Profile.str().str()
                                                        : Compiler.Program};
  Cache.keep(Key, {.Text = *Text, .Cubin = {}}, Files, Start);
  return parseDryRun(*Text, Toolkit.Path);
}

} // namespace cudalint
