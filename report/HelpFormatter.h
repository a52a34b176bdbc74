//===- report/HelpFormatter.h - Text of --help ------------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_HELPFORMATTER_H
#define CUDA_LINT_REPORT_HELPFORMATTER_H

#include <memory>
#include <string>

namespace CLI {
class FormatterBase;
} // namespace CLI

namespace cudalint {

/// For CLI::App::formatter(). CLI11's own neither wraps, here at 79 columns,
/// nor knows what follows `--`: \p Usage is told instead, its lines ended.
std::shared_ptr<CLI::FormatterBase> makeHelpFormatter(std::string Usage);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_HELPFORMATTER_H
