//===- analyzer/tool/MemoryGuard.cpp - When memory runs out ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/MemoryGuard.h"

#include "analyzer/pipeline/WorkGuard.h"

#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace llvm;

namespace cudalint {

const char OutOfMemoryWords[] =
    "memory ran out, or seems to have; allow more (ulimit -v), or lint fewer "
    "files at a time (--jobs=1)";

static std::atomic<bool> RanOut = false;

/// Without memory of its own.
static void end(const char *Message) {
  if (CrashRecoveryContext *Guard = CrashRecoveryContext::GetCurrent())
    Guard->HandleExit(/*RetCode=*/1);
  for (const char *Part :
       {"cuda-lint: error: ", Message,
        Message == OutOfMemoryWords
            ? "\n"
            : "; allow more memory and threads (ulimit -v, -u), or lint fewer "
              "files at a time (--jobs=1)\n"})
    if (write(STDERR_FILENO, Part, std::strlen(Part)) < 0)
      break;
  _Exit(2);
}

void installMemoryGuard() {
  install_bad_alloc_error_handler([](void *, const char *, bool) {
    RanOut = true;
    end(OutOfMemoryWords);
  });
  install_out_of_memory_new_handler();
  // LLVM's words tell what it was: a thread that cannot be made, mostly.
  install_fatal_error_handler(
      [](void *, const char *Reason, bool) { end(Reason); });
}

bool memoryRanOut() { return RanOut || memoryLimit(); }

} // namespace cudalint
