//===- runtime/probe/ProfileFile.h - Writes all or nothing ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_PROFILEFILE_H
#define CUDA_LINT_RUNTIME_PROBE_PROFILEFILE_H

#include <string>
#include <string_view>

namespace cudalint::probe {

/// The file of one process in a folder: `profile-HOST-PID-N.json`, N the
/// first number that nobody has taken, for a PID comes again after an exec.
class ProfileFile {
public:
  explicit ProfileFile(std::string Folder) : Folder(std::move(Folder)) {}

  /// Makes \p Text the contents of the file, the old or the new to every
  /// reader. Returns 0, or the error.
  int write(std::string_view Text);

private:
  std::string Folder;
  std::string Path; // once it is taken
};

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_PROFILEFILE_H
