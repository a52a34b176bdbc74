//===- report/Terminal.h - What the terminal can show -----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_TERMINAL_H
#define CUDA_LINT_REPORT_TERMINAL_H

#include <cstdint>

namespace cudalint {

enum class ColourMode : std::uint8_t { Auto, Always, Never };

/// Whether to colour what goes to \p Descriptor. By itself only on a terminal
/// that is not dumb, and where NO_COLOR is not set.
bool useColour(ColourMode Mode, int Descriptor);

/// Columns of the terminal behind \p Descriptor, or what COLUMNS says; 0 is
/// unlimited.
unsigned widthOf(int Descriptor);

/// Whether the locale of the environment is UTF-8.
bool speaksUtf8();

} // namespace cudalint

#endif // CUDA_LINT_REPORT_TERMINAL_H
