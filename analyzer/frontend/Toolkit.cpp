//===- analyzer/frontend/Toolkit.cpp - Finds the CUDA headers ---*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/Frontend.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace cudalint {

static bool isToolkit(StringRef Root) {
  SmallString<128> Header(Root);
  sys::path::append(Header, "include", "cuda_runtime.h");
  return sys::fs::exists(Header);
}

/// The toolkit that `nvcc` on PATH belongs to: the parent of its folder, links
/// resolved, because distributions link it into /usr/bin.
static std::string rootOfCompiler() {
  ErrorOr<std::string> Compiler = sys::findProgramByName("nvcc");
  if (!Compiler)
    return "";
  SmallString<128> Real;
  if (sys::fs::real_path(*Compiler, Real))
    return "";
  return sys::path::parent_path(sys::path::parent_path(Real)).str();
}

ToolkitLookup findToolkit(const std::string &CudaPath) {
  // What the user names is used or is an error: quietly taking another toolkit
  // would lint against other headers.
  if (!CudaPath.empty()) {
    if (isToolkit(CudaPath))
      return {.Path = CudaPath, .Error = "", .Note = ""};
    return {.Path = "",
            .Error = "no CUDA toolkit in '" + CudaPath +
                     "': it has no include/cuda_runtime.h; give --cuda-path "
                     "the folder that holds bin/nvcc",
            .Note = ""};
  }

  std::vector<std::string> Looked;
  auto Try = [&](StringRef Root, StringRef Origin) {
    Looked.push_back((Origin + Root).str());
    return isToolkit(Root);
  };
  std::string Note;
  auto Found = [&](std::string Root) {
    if (!Note.empty())
      Note += "; '" + Root + "' is used instead";
    return ToolkitLookup{.Path = std::move(Root), .Error = "", .Note = Note};
  };
  if (std::optional<std::string> Root = sys::Process::GetEnv("CUDA_PATH");
      Root && !Root->empty()) {
    if (Try(*Root, "CUDA_PATH="))
      return Found(*Root);
    Note = "no CUDA toolkit in CUDA_PATH '" + *Root +
           "': it has no include/cuda_runtime.h";
  }
  if (std::string Root = rootOfCompiler(); Root.empty())
    Looked.push_back("nvcc on PATH");
  else if (Try(Root, "the folder of nvcc: "))
    return Found(Root);
  if (Try("/usr/local/cuda", ""))
    return Found("/usr/local/cuda");
  return {.Path = "",
          .Error = "no CUDA toolkit found (looked at " + join(Looked, ", ") +
                   "); install one, or name its folder with --cuda-path or "
                   "CUDA_PATH",
          .Note = ""};
}

std::optional<unsigned> toolkitVersion(const std::string &Toolkit) {
  SmallString<128> Header(Toolkit);
  sys::path::append(Header, "include", "cuda.h");
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer = MemoryBuffer::getFile(Header);
  if (!Buffer)
    return std::nullopt;
  StringRef Text = (*Buffer)->getBuffer();
  static constexpr llvm::StringLiteral Macro = "#define CUDA_VERSION ";
  std::size_t At = Text.find(Macro);
  if (At == StringRef::npos)
    return std::nullopt;
  StringRef Digits = Text.substr(At + Macro.size()).ltrim();
  unsigned Version = 0;
  if (Digits.consumeInteger(10, Version))
    return std::nullopt;
  return Version;
}

} // namespace cudalint
