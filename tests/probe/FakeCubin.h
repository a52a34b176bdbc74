//===- tests/probe/FakeCubin.h - The code of a kernel -----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_PROBE_FAKECUBIN_H
#define CUDA_LINT_TESTS_PROBE_FAKECUBIN_H

#include <string>

namespace fake {

/// An ELF file with the code of \p Kernel, a load (LDG) at 0 and a store (STG)
/// at 16, which stand in \p Line and the next one of \p File.
std::string makeCubin(const std::string &Kernel, const std::string &File,
                      unsigned char Line);

} // namespace fake

#endif // CUDA_LINT_TESTS_PROBE_FAKECUBIN_H
