//===- analyzer/frontend/Invocation.cpp - One parse, set up -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/Invocation.h"

#include "analyzer/frontend/CompilerArguments.h"
#include "analyzer/frontend/Repairs.h"

#include "clang/Basic/Cuda.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/TargetOptions.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/Tool.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VersionTuple.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/TargetParser/Host.h"

#include <dlfcn.h>

using namespace clang;
using namespace llvm;

namespace cudalint {

const char PreludePath[] = "/cuda-lint/prelude.h";

static bool holdsHeaders(StringRef ResourceFolder) {
  SmallString<128> Header(ResourceFolder);
  sys::path::append(Header, "include", "__clang_cuda_runtime_wrapper.h");
  return sys::fs::exists(Header);
}

std::string findResourceFolder() {
  if (holdsHeaders(CUDA_LINT_RESOURCE_DIR))
    return CUDA_LINT_RESOURCE_DIR;
  // Installed elsewhere than where we were built: ask where Clang's library
  // was loaded from. Debian keeps it outside the folder of its LLVM version.
  Dl_info Library;
  void *InClang = reinterpret_cast<void *>(&MinVersionForOffloadArch);
  SmallString<128> Real;
  if (!dladdr(InClang, &Library) || sys::fs::real_path(Library.dli_fname, Real))
    return "";
  StringRef Folder = sys::path::parent_path(Real);
  constexpr llvm::StringLiteral Version = CUDA_LINT_LLVM_MAJOR;
  for (const std::string &Candidate :
       {(Folder + "/clang/" + Version).str(),
        (Folder + "/../llvm-" + Version + "/lib/clang/" + Version).str(),
        (Folder + "/../lib/clang/" + Version).str()})
    if (holdsHeaders(Candidate))
      return Candidate;
  return "";
}

std::string nearestArchitecture(ComputeCapability CC,
                                std::optional<unsigned> ToolkitVersion) {
  CudaVersion Toolkit = CudaVersion::UNKNOWN;
  if (ToolkitVersion)
    Toolkit = ToCudaVersion(
        VersionTuple(*ToolkitVersion / 1000, *ToolkitVersion % 1000 / 10));
  unsigned Wanted = CC.Major * 100 + CC.Minor * 10;
  OffloadArch Best = OffloadArch::UNKNOWN;
  for (int I = int(OffloadArch::SM_50); I <= int(OffloadArch::SM_121a); ++I) {
    auto Arch = OffloadArch(I);
    if (IsNVIDIAAcceleratedOffloadArch(Arch))
      continue;
    // A version too new for Clang is taken for one that has dropped no more
    // than the newest that Clang knows.
    if (Toolkit != CudaVersion::UNKNOWN &&
        (MinVersionForOffloadArch(Arch) > Toolkit ||
         MaxVersionForOffloadArch(Arch) < Toolkit))
      continue;
    if (Best == OffloadArch::UNKNOWN || CudaArchToID(Arch) <= Wanted)
      Best = Arch;
  }
  return OffloadArchToString(Best);
}

/// The version of the toolkit, or the newest that Clang knows.
static VersionTuple knownVersion(const std::string &Toolkit) {
  const VersionTuple Newest(12, 9);
  std::optional<unsigned> Version = toolkitVersion(Toolkit);
  if (!Version)
    return Newest;
  return std::min(Newest, VersionTuple(*Version / 1000, *Version % 1000 / 10));
}

/// The folder of gcc's own headers, of which Clang has all but omp.h; nvcc,
/// which runs gcc, finds that one too. Read off the path of libstdc++.
static std::string gccHeaders(const HeaderSearchOptions &Search) {
  for (const HeaderSearchOptions::Entry &E : Search.UserEntries) {
    auto [Folder, Rest] = StringRef(E.Path).split("/../");
    if (!Rest.empty() && Folder.contains("/gcc/"))
      return (Folder + "/include").str();
  }
  return "";
}

/// The job of the driver that reads `File`.
static const clang::driver::Command *
findJob(const clang::driver::Compilation &Compilation, StringRef File) {
  for (const clang::driver::Command &Job : Compilation.getJobs())
    if (StringRef(Job.getCreator().getName()) == "clang" &&
        !Job.getArguments().empty() && Job.getArguments().back() == File)
      return &Job;
  return nullptr;
}

static std::vector<std::string>
makeArguments(const CompileJob &Job, const FrontendOptions &Options,
              const std::string &Toolkit, const std::string &ResourceFolder) {
  ClangArguments User = translateArguments(Job.Arguments);
  std::optional<unsigned> Version = toolkitVersion(Toolkit);
  ComputeCapability CC = Options.Arch ? Options.Arch->CC : ComputeCapability{9};
  std::string Arch = nearestArchitecture(CC, Version);
  if (User.ArchitectureSpecific &&
      StringToOffloadArch((Twine(Arch) + "a").str()) != OffloadArch::UNKNOWN)
    Arch.push_back('a');

  std::vector<std::string> Arguments = {
      "clang++", "--no-default-config", "-x", "cuda", "--cuda-device-only",
      ("--cuda-gpu-arch=" + Twine(Arch)).str(),
      // No libdevice: its functions are opaque to us, and nothing is linked.
      "-nocudalib", "-resource-dir", ResourceFolder,
      // nvcc's default.
      "-std=c++17",
      // By later names, nvcc's code has no template with an `auto` parameter
      // or a constraint.
      "-fclang-abi-compat=17",
      // Headers see the macro of optimised code.
      "-O2", "-S", "-emit-llvm", "-include", PreludePath};
  if (Toolkit.empty())
    Arguments.push_back("-nocudainc");
  else
    Arguments.push_back(("--cuda-path=" + Twine(Toolkit)).str());
  append_range(Arguments, User.Arguments);
  append_range(Arguments, Options.Added);
  // Where CUDA 13 keeps cub, thrust and cuda::std; nvcc adds it by itself.
  if (!Toolkit.empty())
    append_range(Arguments, std::vector<std::string>{
                                "-isystem", Toolkit + "/include/cccl"});
  // Errors only: the user asked for our findings, not for Clang's warnings,
  // nor for those that Clang makes errors and nvcc does not.
  append_range(Arguments,
               std::vector<std::string>{"-w", "-Wno-everything", Job.File});
  return Arguments;
}

/// Clang's wrapper reads headers that nvcc does not, and `-DN=64` breaks them.
/// Such macros are set aside until the prelude is through. Not those whose
/// names say that they are meant for CUDA's or the system's headers.
static void hideUserMacros(PreprocessorOptions &Options) {
  std::string Hide, Restore;
  for (const auto &[Definition, IsUndefined] : Options.Macros) {
    StringRef Name = StringRef(Definition).take_until([](char C) {
      return C == '=' || C == '(';
    });
    if (IsUndefined || Name.starts_with("_") || Name.starts_with("CU") ||
        Name.starts_with("CCCL") || Name == "NDEBUG")
      continue;
    Hide +=
        ("#pragma push_macro(\"" + Name + "\")\n#undef " + Name + "\n").str();
    Restore += ("#pragma pop_macro(\"" + Name + "\")\n").str();
  }
  if (Hide.empty())
    return;
  // The driver's order: the wrapper, the prelude, the user's.
  std::vector<std::string> &Includes = Options.Includes;
  auto Prelude = llvm::find(Includes, PreludePath);
  Includes.insert(std::next(Prelude), "/cuda-lint/restore.h");
  Includes.insert(Includes.begin(), "/cuda-lint/hide.h");
  Options.addRemappedFile("/cuda-lint/hide.h",
                          MemoryBuffer::getMemBufferCopy(Hide).release());
  Options.addRemappedFile("/cuda-lint/restore.h",
                          MemoryBuffer::getMemBufferCopy(Restore).release());
}

std::shared_ptr<CompilerInvocation>
makeInvocation(const CompileJob &Job, const FrontendOptions &Options,
               const std::string &Toolkit, const std::string &ResourceFolder,
               IntrusiveRefCntPtr<vfs::FileSystem> Files,
               DiagnosticsEngine &Diagnostics) {
  clang::driver::Driver Driver(ResourceFolder + "/../../../bin/clang",
                               sys::getDefaultTargetTriple(), Diagnostics,
                               "cuda-lint", Files);
  Driver.setCheckInputsExist(false);
  Driver.setProbePrecompiled(false);

  std::vector<std::string> Arguments =
      makeArguments(Job, Options, Toolkit, ResourceFolder);
  std::vector<const char *> Pointers;
  for (const std::string &A : Arguments)
    Pointers.push_back(A.c_str());
  std::unique_ptr<clang::driver::Compilation> Compilation(
      Driver.BuildCompilation(Pointers));
  if (!Compilation || Diagnostics.hasErrorOccurred())
    return nullptr;
  const clang::driver::Command *Command = findJob(*Compilation, Job.File);
  if (!Command)
    return nullptr;

  ArrayRef<const char *> Cc1 = Command->getArguments();
  auto Invocation = std::make_shared<CompilerInvocation>();
  if (!CompilerInvocation::CreateFromArgs(*Invocation, Cc1.drop_front(),
                                          Diagnostics))
    return nullptr;

  // The driver tells it only together with libdevice. It decides how a launch
  // is called: since 9.2 by __cudaPushCallConfiguration.
  Invocation->getTargetOpts().SDKVersion = knownVersion(Toolkit);
  HeaderSearchOptions &Search = Invocation->getHeaderSearchOpts();
  if (std::string Folder = gccHeaders(Search); !Folder.empty())
    Search.AddPath(Folder, frontend::After, /*IsFramework=*/false,
                   /*IgnoreSysRoot=*/true);
  hideUserMacros(Invocation->getPreprocessorOpts());
  clang::FrontendOptions &Frontend = Invocation->getFrontendOpts();
  Frontend.SkipFunctionBodies = true; // Only those the consumer agrees to.
  Frontend.DisableFree = false;
  DiagnosticOptions &Diagnostic = Invocation->getDiagnosticOpts();
  // ErrorCollector limits what is printed; beyond, a file is none to analyse,
  // and each error more takes longer than the one before.
  Diagnostic.ErrorLimit = MostErrors;
  Diagnostic.ShowColors = Options.UseColour;
  Diagnostic.MessageLength = Options.Width;
  return Invocation;
}

} // namespace cudalint
