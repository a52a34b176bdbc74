//===- tests/mock/MockCuda.h - CUDA without a toolkit -----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What tests read in place of CUDA's headers: include/cuda_runtime.h, which
/// is the only one of its kind.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_MOCK_MOCKCUDA_H
#define CUDA_LINT_TESTS_MOCK_MOCKCUDA_H

#include <string>

namespace cudalint::test {

/// Where it is, for `-include`.
const std::string &mockCudaPath();

/// Its text, for FrontendOptions::StandInHeader and for virtual files.
const std::string &mockCuda();

} // namespace cudalint::test

#endif // CUDA_LINT_TESTS_MOCK_MOCKCUDA_H
