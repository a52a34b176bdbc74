//===- report/page/PlacedText.h - Numbers in a picture ----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_PAGE_PLACEDTEXT_H
#define CUDA_LINT_REPORT_PAGE_PLACEDTEXT_H

#include <string>
#include <string_view>

namespace cudalint {

/// Numbers and their like at places of a picture, as one element, since a page
/// has many: each of its characters has a place of its own.
class PlacedText {
public:
  /// \p Advance is the width of a character.
  explicit PlacedText(double Advance) : Advance(Advance) {}

  void addCentred(double Middle, double Y, std::string_view Text) {
    add(Middle, 0.5, Y, Text);
  }
  void addBefore(double End, double Y, std::string_view Text) {
    add(End, 1, Y, Text);
  }

  /// Empty where nothing was added.
  std::string text() const;

private:
  void add(double X, double Before, double Y, std::string_view Text);

  double Advance;
  std::string Xs, Ys, Characters;
};

} // namespace cudalint

#endif // CUDA_LINT_REPORT_PAGE_PLACEDTEXT_H
