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

#include <cstdio>
#include <exception>

int main(int Count, char **Arguments) {
  try {
    cudalint::ParsedOptions Parsed =
        cudalint::parseOptions({Arguments + 1, Arguments + Count});
    std::fputs(Parsed.Out.c_str(), stdout);
    std::fputs(Parsed.Err.c_str(), stderr);
    if (!Parsed.Run)
      return Parsed.Code;
    const cudalint::CrashGuard Guard;
    return cudalint::run(*Parsed.Run, Guard);
  } catch (const std::exception &E) {
    std::fprintf(stderr,
                 "cuda-lint: error: internal error: %s; please report it\n",
                 E.what());
    return cudalint::NothingAnalysed;
  }
}
