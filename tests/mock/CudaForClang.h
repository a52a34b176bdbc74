//===- tests/mock/CudaForClang.h - The mock, not for nvcc -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// For tests whose file nvcc compiles too, with its own headers: to read a
/// toolkit's takes Clang most of a second.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_MOCK_CUDAFORCLANG_H
#define CUDA_LINT_TESTS_MOCK_CUDAFORCLANG_H

#ifdef __clang__
#include "include/cuda_runtime.h"
#endif

#endif // CUDA_LINT_TESTS_MOCK_CUDAFORCLANG_H
