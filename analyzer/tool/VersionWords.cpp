//===- analyzer/tool/VersionWords.cpp - What --version says ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/VersionWords.h"

#include "analyzer/frontend/Frontend.h"
#include "analyzer/frontend/Invocation.h"
#include "report/TerminalText.h"

#include <fmt/format.h>
#include <llvm-c/Core.h>

namespace cudalint {

static std::string toolkitWords(const std::string &CudaPath) {
  const ToolkitLookup Toolkit = findToolkit(CudaPath);
  std::string Text;
  if (!Toolkit.Note.empty())
    Text = printable(Toolkit.Note) + "\n";
  if (Toolkit.Path.empty())
    return Text + printable(Toolkit.Error) + "\n";
  // As nvcc counts: 13000 is 13.0.
  const std::optional<unsigned> Version = toolkitVersion(Toolkit.Path);
  return Text + fmt::format("CUDA toolkit {} in {}\n",
                            Version ? fmt::format("{}.{}", *Version / 1000,
                                                  *Version % 1000 / 10)
                                    : "of unknown version",
                            printable(Toolkit.Path));
}

std::string versionWords(std::size_t Checks, const std::string &CudaPath) {
  unsigned Major = 0, Minor = 0, Patch = 0;
  LLVMGetVersion(&Major, &Minor, &Patch);
  return fmt::format("cuda-lint " CUDA_LINT_VERSION "\n"
                     "LLVM {}.{}.{}, {} checks\n{}",
                     Major, Minor, Patch, Checks, toolkitWords(CudaPath));
}

} // namespace cudalint
