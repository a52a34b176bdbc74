//===- analyzer/tool/SignalGuard.h - Keeps signals that end us --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The guard of a program's children: Ctrl-C on the terminal does not reach
/// what has a session of its own.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_TOOL_SIGNALGUARD_H
#define CUDA_LINT_ANALYZER_TOOL_SIGNALGUARD_H

#include "analyzer/resources/ChildProcess.h"

namespace cudalint {

/// Has handlers of SIGINT, SIGTERM and SIGHUP while somebody is inside; raises
/// what was kept when the last has left. There is one, in main.
class SignalGuard final : public EndGuard {
public:
  void enter() const override;
  void leave() const override;
  bool isToEnd() const override;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_TOOL_SIGNALGUARD_H
