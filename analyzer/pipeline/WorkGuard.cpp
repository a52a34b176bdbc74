//===- analyzer/pipeline/WorkGuard.cpp - Work that may crash --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/pipeline/WorkGuard.h"

#include <algorithm>
#include <sys/resource.h>

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

std::optional<std::uint64_t> memoryLimit() {
  rlimit Limit = {};
  if (getrlimit(RLIMIT_AS, &Limit) != 0 || Limit.rlim_cur == RLIM_INFINITY)
    return std::nullopt;
  return Limit.rlim_cur;
}

unsigned stackForDeepSource() {
  // Only the pages that are touched cost memory.
  constexpr std::uint64_t Wanted = 256u << 20, Least = 8u << 20;
  const std::optional<std::uint64_t> Limit = memoryLimit();
  return static_cast<unsigned>(Limit ? std::clamp(*Limit / 32, Least, Wanted)
                                     : Wanted);
}

} // namespace cudalint
