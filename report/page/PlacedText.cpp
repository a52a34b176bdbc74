//===- report/page/PlacedText.cpp - Numbers in a picture ------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/page/PlacedText.h"

#include "report/TerminalText.h"

#include <fmt/format.h>
#include <vector>

namespace cudalint {

void PlacedText::add(double X, double Before, double Y, std::string_view Text) {
  std::vector<std::string> Glyphs;
  while (!Text.empty()) {
    Glyph G = firstGlyph(Text);
    Glyphs.push_back(std::move(G.Text));
    Text.remove_prefix(G.Bytes);
  }
  // The place of a character is its middle.
  X += Advance / 2 - Advance * Before * static_cast<double>(Glyphs.size());
  for (const std::string &Each : Glyphs) {
    Xs += fmt::format("{}{:.5g}", Xs.empty() ? "" : " ", X);
    Ys += fmt::format("{}{:.4g}", Ys.empty() ? "" : " ", Y);
    Characters += Each;
    X += Advance;
  }
}

std::string PlacedText::text() const {
  return Characters.empty() ? std::string()
                            : fmt::format("<text x=\"{}\" y=\"{}\">{}</text>",
                                          Xs, Ys, Characters);
}

} // namespace cudalint
