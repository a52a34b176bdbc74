//===- runtime/probe/CodeRange.h - Launches of a range ----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which part of a program is measured: what it launches between two calls by
/// which it marks a range of its code, of NVTX or of the profiler's API.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_CODERANGE_H
#define CUDA_LINT_RUNTIME_PROBE_CODERANGE_H

#include <atomic>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

namespace cudalint::probe {

/// Ranges of the name that is asked for. A push and its pop are a thread's, and
/// those of a domain are nested among themselves; a start and its end are the
/// whole process's, and so is what lies between cuProfilerStart and Stop.
class CodeRange {
public:
  /// What cuProfilerStart and cuProfilerStop enclose is of this name.
  static constexpr std::string_view ProfilerApi = "cudaProfilerApi";

  /// \p Name is that of a range, exactly; empty: no part is chosen.
  explicit CodeRange(std::string Name) : Name(std::move(Name)) {}

  bool isChosen() const { return !Name.empty(); }
  bool isNamed(std::string_view Range) const {
    return isChosen() && Range == Name;
  }
  /// Whether what this thread launches now is in such a range.
  bool isInside() const;

  /// Of a range of this thread; \p Domain is a number from 0. Returns its depth
  /// in the domain, from 0.
  int push(unsigned Domain, bool IsNamed);
  /// Returns the depth of the range that ends; negative: there is none.
  int pop(unsigned Domain);

  /// Of a range of the process. Returns a number for end().
  std::uint64_t start(bool IsNamed);
  void end(std::uint64_t Started);

  void profilerStarted();
  void profilerStopped();

private:
  // A range that nobody ends is open until the process ends: no more than these
  // are told apart from those that were never started.
  static constexpr std::size_t MostOpen = 4096;

  const std::string Name;
  std::atomic<std::uint64_t> Begun = 0;  // ranges of the process
  std::atomic<bool> IsOpen = false;      // one of that name
  std::atomic<bool> IsProfiling = false; // by the profiler's API
  std::mutex Lock;
  std::set<std::uint64_t> Open; // of that name
};

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_CODERANGE_H
