//===- tests/mock/MockCuda.cpp - CUDA without a toolkit -------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/mock/MockCuda.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace cudalint::test {

const std::string &mockCudaPath() {
  static const std::string Path =
      CUDA_LINT_MOCK_TOOLKIT "/include/cuda_runtime.h";
  return Path;
}

const std::string &mockCuda() {
  static const std::string Text = [] {
    std::ifstream In(mockCudaPath());
    std::string Read(std::istreambuf_iterator<char>(In), {});
    if (Read.empty()) {
      // Not a test could be believed.
      std::fprintf(stderr, "cannot read %s\n", mockCudaPath().c_str());
      std::abort();
    }
    return Read;
  }();
  return Text;
}

} // namespace cudalint::test
