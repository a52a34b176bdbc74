//===- report/Terminal.cpp - What the terminal can show -------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/Terminal.h"

#include <cstdlib>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>

namespace cudalint {

bool useColour(ColourMode Mode, int Descriptor) {
  if (Mode != ColourMode::Auto)
    return Mode == ColourMode::Always;
  const char *NoColour = std::getenv("NO_COLOR");
  const char *Terminal = std::getenv("TERM");
  if ((NoColour && *NoColour) || !Terminal ||
      std::string_view(Terminal) == "dumb")
    return false;
  return ::isatty(Descriptor) != 0;
}

unsigned widthOf(int Descriptor) {
  if (const char *Columns = std::getenv("COLUMNS")) {
    char *End = nullptr;
    unsigned long Width = std::strtoul(Columns, &End, 10);
    if (End != Columns && *End == '\0' && Width >= 20 && Width <= 10000)
      return static_cast<unsigned>(Width);
  }
  winsize Size = {};
  if (::ioctl(Descriptor, TIOCGWINSZ, &Size) == 0 && Size.ws_col >= 20)
    return Size.ws_col;
  return 0;
}

bool speaksUtf8() {
  // In the order in which the C library asks them.
  for (const char *Name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char *Value = std::getenv(Name);
    if (!Value || !*Value)
      continue;
    std::string_view Locale = Value;
    for (std::string_view Utf8 : {"UTF-8", "utf8", "utf-8", "UTF8"})
      if (Locale.find(Utf8) != Locale.npos)
        return true;
    return false;
  }
  return false;
}

} // namespace cudalint
