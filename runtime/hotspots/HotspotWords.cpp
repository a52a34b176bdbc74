//===- runtime/hotspots/HotspotWords.cpp - Figures in words ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/hotspots/HotspotWords.h"

#include "report/TerminalText.h"

#include <fmt/format.h>

namespace cudalint {

std::string durationText(double Nanoseconds) {
  if (Nanoseconds < 1e3)
    return fmt::format("{:.0f} ns", Nanoseconds);
  if (Nanoseconds < 1e6)
    return fmt::format("{:.4g} us", Nanoseconds / 1e3);
  if (Nanoseconds < 1e9)
    return fmt::format("{:.4g} ms", Nanoseconds / 1e6);
  return fmt::format("{:.4g} s", Nanoseconds / 1e9);
}

std::string percentText(double Share) {
  return fmt::format("{:.1f} %", Share * 100);
}

std::string countText(std::uint64_t Number, std::string_view Noun,
                      std::string_view Ending) {
  return fmt::format("{} {}{}", Number, Noun, Number == 1 ? "" : Ending);
}

std::string linesOf(const std::string &Text, unsigned Width) {
  return wrapped(Text, 0, Width) + "\n";
}

} // namespace cudalint
