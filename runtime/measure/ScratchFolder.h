//===- runtime/measure/ScratchFolder.h - A folder of our own ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_MEASURE_SCRATCHFOLDER_H
#define CUDA_LINT_RUNTIME_MEASURE_SCRATCHFOLDER_H

#include <string>

namespace cudalint {

/// A folder of our own that goes with the object, and all that is in it.
class ScratchFolder {
public:
  /// path() is empty, and error() says why, when there can be none.
  ScratchFolder();
  ScratchFolder(const ScratchFolder &) = delete;
  ScratchFolder &operator=(const ScratchFolder &) = delete;
  ~ScratchFolder();

  const std::string &path() const { return Path; }
  const std::string &error() const { return Error; }

private:
  std::string Path;
  std::string Error;
};

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_MEASURE_SCRATCHFOLDER_H
