//===- analyzer/pipeline/WorkGuard.cpp - Work that may crash --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/pipeline/WorkGuard.h"

namespace cudalint {

bool WorkGuard::runFile(const Work &Do) const {
  Do();
  return true;
}

bool WorkGuard::runPart(const Work &Do) const {
  Do();
  return true;
}

std::string WorkGuard::crashed(std::string_view What) const {
  const std::string Excuse = excuse();
  return !Excuse.empty() ? Excuse
                         : "internal error: " + std::string(What) +
                               " crashed; please report it";
}

const WorkGuard &noGuard() {
  static const WorkGuard Guard;
  return Guard;
}

} // namespace cudalint
