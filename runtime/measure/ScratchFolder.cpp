//===- runtime/measure/ScratchFolder.cpp - A folder of our own ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/measure/ScratchFolder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>

namespace fs = std::filesystem;

namespace cudalint {

ScratchFolder::ScratchFolder() {
  std::error_code Code;
  fs::path Parent = fs::temp_directory_path(Code);
  if (Code) {
    Error = "there is no folder for temporary files; set TMPDIR to one";
    return;
  }
  std::string Template = (Parent / "cuda-lint-XXXXXX").string();
  if (!::mkdtemp(Template.data())) {
    Error = fmt::format("cannot make a folder in '{}': {}; set TMPDIR to one "
                        "that is writable",
                        Parent.string(), std::strerror(errno));
    return;
  }
  Path = std::move(Template);
}

ScratchFolder::~ScratchFolder() {
  std::error_code Ignored;
  if (!Path.empty())
    fs::remove_all(Path, Ignored);
}

} // namespace cudalint
