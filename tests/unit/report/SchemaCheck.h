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

namespace cudalint {

/// Exit code of validate_json.py for \p Text: 0 valid, 1 not, 2 unusable, 77 it
/// cannot be asked.
inline int validateJson(const std::string &Text, const std::string &Schema,
                        const std::string &Flags = {}) {
  auto File = std::filesystem::temp_directory_path() /
              ("cuda-lint-schema-" + std::to_string(::getpid()) + ".json");
  std::ofstream(File, std::ios::binary) << Text;
  std::string Command = std::string(CUDA_LINT_PYTHON) + " '" +
                        CUDA_LINT_SOURCE_DIR +
                        "/tests/unit/report/validate_json.py' " + Flags + " '" +
                        Schema + "' '" + File.string() + "'";
  int Status = std::system(Command.c_str());
  std::filesystem::remove(File);
  return WIFEXITED(Status) ? WEXITSTATUS(Status) : -1;
}

} // namespace cudalint

#endif // CUDA_LINT_TESTS_UNIT_REPORT_SCHEMACHECK_H
