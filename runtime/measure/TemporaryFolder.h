//===- runtime/measure/TemporaryFolder.h - A folder of our own --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_MEASURE_TEMPORARYFOLDER_H
#define CUDA_LINT_RUNTIME_MEASURE_TEMPORARYFOLDER_H

#include <string>

namespace cudalint {

/// A folder of our own that goes with the object, and all that is in it.
class TemporaryFolder {
public:
  /// path() is empty, and error() says why, when there can be none.
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  ~TemporaryFolder();

  const std::string &path() const { return Path; }
  const std::string &error() const { return Error; }

private:
  std::string Path;
  std::string Error;
};

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_MEASURE_TEMPORARYFOLDER_H
