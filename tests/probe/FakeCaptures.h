//===- tests/probe/FakeCaptures.h - Captures and graphs ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_PROBE_FAKECAPTURES_H
#define CUDA_LINT_TESTS_PROBE_FAKECAPTURES_H

#include <string_view>

namespace fake {

/// The modes of the program that capture streams or launch graphs; false where
/// \p Mode is none.
bool runCapturing(std::string_view Mode);

} // namespace fake

#endif // CUDA_LINT_TESTS_PROBE_FAKECAPTURES_H
