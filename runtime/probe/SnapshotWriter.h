//===- runtime/probe/SnapshotWriter.h - When the file is written *- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_SNAPSHOTWRITER_H
#define CUDA_LINT_RUNTIME_PROBE_SNAPSHOTWRITER_H

#include "runtime/probe/LockOrder.h"
#include "runtime/probe/ProfileFile.h"
#include "runtime/probe/Settings.h"

#include <chrono>
#include <sys/stat.h>

namespace cudalint::probe {

struct Profile;

/// The file of this process: snapshots while the program runs, so that a later
/// SIGKILL loses little, and the last one at its end. Its lock is held while
/// the file is written: EXPECTS of all functions that no other lock is held.
class SnapshotWriter {
public:
  using Clock = std::chrono::steady_clock;

  explicit SnapshotWriter(const Settings &S);

  /// What the file says of the process: its numbers, its name, its command.
  Profile ofThisProcess() const;

  /// Whether a snapshot is due at \p Now. If so, no other thread is told the
  /// same before ended().
  bool begins(Clock::time_point Now) noexcept;
  /// The snapshot that was due at \p Begin is made, or given up.
  void ended(Clock::time_point Begin) noexcept;

  /// Nothing is written after the last, such as the snapshot of a thread that
  /// still runs at exit.
  void write(const Profile &P, bool IsLast) noexcept;

private:
  void complain(int Error) const noexcept;

  const std::string Folder;
  std::vector<std::string> Command;
  struct stat Errors = {}; // the standard error stream as it began
  bool HasErrors = false;

  RankedMutex<LockRank::Snapshot> Mutex; // guards all below
  ProfileFile File;
  bool IsFinished = false;
  Clock::time_point Next = {};
};

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_SNAPSHOTWRITER_H
