//===- report/page/Symbols.h - Drawings that are there once -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_PAGE_SYMBOLS_H
#define CUDA_LINT_REPORT_PAGE_SYMBOLS_H

#include <map>
#include <string>
#include <vector>

namespace cudalint {

/// The drawings of a page, of which many are equal: each is there once, and
/// is used where it is to be seen.
class Symbols {
public:
  /// An element that shows \p Drawing, elements of SVG, in an `svg` of that
  /// size.
  std::string use(const std::string &Drawing, double Width, double Height);

  /// An element with all of them, for anywhere in the page; empty without any.
  std::string text() const;

private:
  std::map<std::string, std::size_t> Numbers; ///< By drawing.
  std::vector<std::string> All;
};

} // namespace cudalint

#endif // CUDA_LINT_REPORT_PAGE_SYMBOLS_H
