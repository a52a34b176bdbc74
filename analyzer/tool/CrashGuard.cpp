//===- analyzer/tool/CrashGuard.cpp - Work that may crash -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/CrashGuard.h"

#include "analyzer/tool/MemoryGuard.h"

#include <array>
#include <csignal>
#include <llvm/Support/CrashRecoveryContext.h>
#include <memory>

namespace cudalint {

CrashGuard::CrashGuard() {
  llvm::CrashRecoveryContext::Enable();
  installMemoryGuard();
  // A file that may not grow is an error of whoever writes it.
  std::signal(SIGXFSZ, SIG_IGN);
  // LLVM's handler would itself need the stack that has just overflowed.
  for (int Signal : {SIGSEGV, SIGBUS}) {
    struct sigaction Action = {};
    if (sigaction(Signal, nullptr, &Action) != 0)
      continue;
    Action.sa_flags |= SA_ONSTACK;
    sigaction(Signal, &Action, nullptr);
  }
}

std::string CrashGuard::excuse() const {
  return memoryRanOut() ? OutOfMemoryWords : "";
}

bool CrashGuard::runPart(const Work &Do) const {
  llvm::CrashRecoveryContext Guard;
  return Guard.RunSafely(Do);
}

bool CrashGuard::runFile(const Work &Do) const {
  bool Survived = false;
  llvm::CrashRecoveryContext Outer;
  Outer.RunSafelyOnThread(
      [&] {
        auto Memory = std::make_unique<std::array<char, 64 << 10>>();
        stack_t Stack = {};
        Stack.ss_sp = Memory->data();
        Stack.ss_size = Memory->size();
        sigaltstack(&Stack, nullptr);
        Survived = runPart(Do);
        Stack.ss_flags = SS_DISABLE;
        sigaltstack(&Stack, nullptr);
      },
      stackForDeepSource());
  return Survived;
}

} // namespace cudalint
