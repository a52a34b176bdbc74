//===- tests/unit/report/SchemaCheck.h - Runs validate_json.py --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_UNIT_REPORT_SCHEMACHECK_H
#define CUDA_LINT_TESTS_UNIT_REPORT_SCHEMACHECK_H

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace cudalint {

/// Exit code of validate_json.py for all of \p Texts: 0 valid, 1 not, 2
/// unusable, 77 it cannot be asked. What it says names a text by its number.
inline int validateJson(const std::vector<std::string> &Texts,
                        const std::string &Schema,
                        const std::string &Flags = {}) {
  const auto Folder = std::filesystem::temp_directory_path() /
                      ("cuda-lint-schema-" + std::to_string(::getpid()));
  std::filesystem::create_directory(Folder);
  std::string Command =
      std::string(CUDA_LINT_PYTHON) + " '" + CUDA_LINT_SOURCE_DIR +
      "/tests/unit/report/validate_json.py' " + Flags + " '" + Schema + "'";
  for (std::size_t I = 0; I != Texts.size(); ++I) {
    const auto File = Folder / (std::to_string(I) + ".json");
    std::ofstream(File, std::ios::binary) << Texts[I];
    Command += " '" + File.string() + "'";
  }
  int Status = std::system(Command.c_str());
  std::filesystem::remove_all(Folder);
  return WIFEXITED(Status) ? WEXITSTATUS(Status) : -1;
}

} // namespace cudalint

#endif // CUDA_LINT_TESTS_UNIT_REPORT_SCHEMACHECK_H
