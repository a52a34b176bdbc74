//===- report/page/Symbols.cpp - Drawings that are there once -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/page/Symbols.h"

#include <fmt/format.h>

namespace cudalint {

std::string Symbols::use(const std::string &Drawing, double Width,
                         double Height) {
  const auto [At, IsNew] = Numbers.try_emplace(Drawing, All.size());
  if (IsNew)
    All.push_back(
        fmt::format("<symbol id=m{} viewBox=\"0 0 {} {}\">{}</symbol>",
                    At->second, Width, Height, Drawing));
  return fmt::format("<use href=\"#m{}\"/>", At->second);
}

std::string Symbols::text() const {
  if (All.empty())
    return {};
  std::string Out = "<svg class=symbols aria-hidden=true>";
  for (const std::string &Each : All)
    Out += Each;
  return Out + "</svg>\n";
}

} // namespace cudalint
