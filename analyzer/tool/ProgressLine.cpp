//===- analyzer/tool/ProgressLine.cpp - How far a run is ------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/ProgressLine.h"

#include "report/Terminal.h"
#include "report/TerminalText.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace cudalint {

ProgressLine::ProgressLine(std::size_t Files, bool IsQuiet)
    : Files(Files), IsShown(Files > 1 && !IsQuiet && ::isatty(STDERR_FILENO)),
      Width(widthOf(STDERR_FILENO)) {}

std::function<void(double, const std::string &)>
ProgressLine::asFunction() const {
  if (!IsShown)
    return {};
  return [this](double Done, const std::string &File) {
    std::string Text = printable(fmt::format(
        "[{:.0f}/{}] {}", std::floor(Done * static_cast<double>(Files)), Files,
        File));
    if (Width > 1)
      Text.resize(std::min<std::size_t>(Text.size(), Width - 1));
    fmt::print(stderr, "\r\x1b[K{}", Text);
    std::fflush(stderr);
  };
}

void ProgressLine::clear() const {
  if (IsShown)
    fmt::print(stderr, "\r\x1b[K");
}

} // namespace cudalint
