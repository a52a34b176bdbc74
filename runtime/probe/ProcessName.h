//===- runtime/probe/ProcessName.h - One of many processes ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_PROCESSNAME_H
#define CUDA_LINT_RUNTIME_PROBE_PROCESSNAME_H

#include <functional>
#include <optional>
#include <string>

namespace cudalint::probe {

/// The name of this machine: letters, digits and `.-_`, at most 64. Never
/// empty.
std::string hostName();

/// One of several processes that were started together.
struct ProcessRank {
  unsigned Rank = 0;             // from 0
  std::optional<unsigned> Ranks; // how many there are

  bool operator==(const ProcessRank &) const = default;
};

/// By what Open MPI, PMIx, PMI, MVAPICH, srun and torchrun leave in the
/// environment, the first of these that is a number. \p Variable is std::getenv
/// but in tests.
std::optional<ProcessRank>
rankOf(const std::function<const char *(const char *)> &Variable);

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_PROCESSNAME_H
