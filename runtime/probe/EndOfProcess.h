//===- runtime/probe/EndOfProcess.h - Acts before the end -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_ENDOFPROCESS_H
#define CUDA_LINT_RUNTIME_PROBE_ENDOFPROCESS_H

#include <cstdint>

namespace cudalint::probe {

/// How a process ends, as far as it can be seen from inside: by exit() or
/// quick_exit(), or by a signal that ends it. _exit(), exec and SIGKILL are not
/// seen.
enum class EndKind : std::uint8_t { Exit, Signal };

/// Has \p Finish called once before the process ends, on a thread of its own,
/// and then lets it end as it would have: same status, same signal. A signal
/// is caught only where the program has left it at its default; a handler that
/// the program sets later replaces ours. If \p Finish takes longer than
/// \p PatienceSeconds the process ends without it. A forked child ends
/// without it too. EXPECTS: called once.
void actBeforeEnd(void (*Finish)(EndKind) noexcept, unsigned PatienceSeconds);

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_ENDOFPROCESS_H
