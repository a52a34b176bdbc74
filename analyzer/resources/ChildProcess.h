//===- analyzer/resources/ChildProcess.h - Runs a program -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs a program without a shell, for a limited time, and leaves nothing of
/// it behind: no process, no file.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_RESOURCES_CHILDPROCESS_H
#define CUDA_LINT_ANALYZER_RESOURCES_CHILDPROCESS_H

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

namespace cudalint {

/// A signal that ends this process would leave behind its children, which have
/// sessions of their own, and their folders. To end these first takes signal
/// handlers, which belong to a program: it may give this guard. Whoever ignores
/// SIGCHLD cannot wait for children: a program must not.
class EndGuard {
public:
  virtual ~EndGuard() = default;

  /// From enter() to leave(), such a signal is kept. Several threads may be
  /// between the two; the last that leaves may not return.
  virtual void enter() const = 0;
  virtual void leave() const = 0;

  /// Whether one was kept.
  virtual bool isToEnd() const = 0;
};

/// A new folder below the system's folder for temporary files, readable by the
/// user alone; gone, with all that is in it, when this object is. Inside of
/// \p Guard, if it is not null, which it must not outlive.
class TemporaryFolder {
public:
  explicit TemporaryFolder(const EndGuard *Guard = nullptr);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  /// Empty when it could not be made; then error() says why.
  const std::string &path() const { return Path; }
  const std::string &error() const { return Error; }
  std::string file(const std::string &Name) const { return Path + "/" + Name; }

  const EndGuard *guard() const { return Guard; }

private:
  const EndGuard *Guard;
  std::string Path;
  std::string Error;
};

enum class ChildEnd : std::uint8_t {
  Exited,
  Crashed,     ///< By a signal of its own.
  TimedOut,    ///< Killed.
  Flooded,     ///< Wrote more than the limit; killed.
  Interrupted, ///< The guard, or who asked for it, stopped us; killed.
  NotStarted
};

struct ChildResult {
  ChildEnd End = ChildEnd::NotStarted;
  int Code = 0;      ///< When it exited.
  std::string Error; ///< When it was not started.
};

/// Runs \p Program with \p Arguments (without its name) in a session of its
/// own. Standard input is empty; both outputs go to the file \p Output. Its
/// temporary files go below \p Folder (TMPDIR). When it ends, or has run for
/// \p Timeout or written more than \p MaxOutput bytes, all that it started is
/// killed. So it is when the guard of \p Folder is to end, or \p Stop asks for
/// it. It runs in the folder \p In; empty: in that of the process.
ChildResult runChild(const std::string &Program,
                     std::span<const std::string> Arguments,
                     const TemporaryFolder &Folder, const std::string &Output,
                     std::chrono::milliseconds Timeout, std::uint64_t MaxOutput,
                     const std::stop_token &Stop = {},
                     const std::string &In = {});

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_RESOURCES_CHILDPROCESS_H
