//===- analyzer/tool/main.cpp - The program cuda-lint-check ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/CrashGuard.h"
#include "analyzer/tool/Options.h"
#include "analyzer/tool/Run.h"
#include "analyzer/tool/SignalGuard.h"
#include "report/TerminalText.h"

#include <cstdio>
#include <cstring>
#include <exception>
#include <unistd.h>

/// A name that begins with a dash reads as an option, as a shell or a hook
/// passes it: which of the two is meant nobody knows, and a repository may hold
/// one that is both. The first of these; or nothing.
static const char *ambiguous(int Count, char **Arguments) {
  for (int I = 1; I < Count && std::strcmp(Arguments[I], "--") != 0; ++I)
    if (Arguments[I][0] == '-' && Arguments[I][1] != '\0' &&
        ::access(Arguments[I], F_OK) == 0)
      return Arguments[I];
  return nullptr;
}

int main(int Count, char **Arguments) {
  try {
    if (const char *Name = ambiguous(Count, Arguments)) {
      std::fprintf(stderr,
                   "cuda-lint: error: '%s' is an option, and there is a file "
                   "of that name: write ./%s for the file, or rename it\n",
                   cudalint::printable(Name).c_str(),
                   cudalint::printable(Name).c_str());
      return cudalint::NothingAnalysed;
    }
    cudalint::ParsedOptions Parsed =
        cudalint::parseOptions({Arguments + 1, Arguments + Count});
    std::fputs(Parsed.Out.c_str(), stdout);
    std::fputs(Parsed.Err.c_str(), stderr);
    if (!Parsed.Run)
      return Parsed.Code;
    const cudalint::CrashGuard Guard;
    const cudalint::SignalGuard Signals;
    Parsed.Run->Resources.Guard = &Signals;
    return cudalint::run(*Parsed.Run, Guard);
  } catch (const std::exception &E) {
    std::fprintf(stderr,
                 "cuda-lint: error: internal error: %s; please report it\n",
                 E.what());
    return cudalint::NothingAnalysed;
  }
}
