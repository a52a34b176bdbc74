//===- analyzer/project/TrustedPrograms.cpp - What may be run -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/project/TrustedPrograms.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

#include <optional>

using namespace llvm;

namespace cudalint {

/// Whether the program is where those install programs who look after the
/// machine, or the one that the user's own settings lead to.
static bool isInstalled(const SmallString<256> &Real) {
  for (StringRef Folder : {"/usr/", "/opt/"})
    if (Real.starts_with(Folder))
      return true;
  for (const char *Name : {"CUDA_PATH", "CUDA_HOME"}) {
    SmallString<256> Toolkit;
    const std::optional<std::string> Its = sys::Process::GetEnv(Name);
    if (Its && !Its->empty() && !sys::fs::real_path(*Its, Toolkit) &&
        Real.starts_with((Toolkit + "/").str()))
      return true;
  }
  const ErrorOr<std::string> OnPath =
      sys::findProgramByName(sys::path::filename(Real));
  SmallString<256> Found;
  return OnPath && !sys::fs::real_path(*OnPath, Found) && Found == Real;
}

bool isTrustedProgram(const std::string &Program,
                      const std::vector<std::string> &Own) {
  SmallString<256> Real;
  if (sys::fs::real_path(Program, Real) || !isInstalled(Real))
    return false;
  return none_of(Own, [&](StringRef Folder) {
    // All that there is would be below it.
    if (Folder == "/")
      return false;
    return any_of(ArrayRef<StringRef>{Real, Program}, [&](StringRef Path) {
      return Path.consume_front(Folder) && Path.starts_with("/");
    });
  });
}

} // namespace cudalint
