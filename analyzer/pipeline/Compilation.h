//===- analyzer/pipeline/Compilation.h - Compiles meanwhile -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_PIPELINE_COMPILATION_H
#define CUDA_LINT_ANALYZER_PIPELINE_COMPILATION_H

#include "analyzer/resources/Resources.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace cudalint {

/// Compiles the files of a run for their resources while they are analysed.
class Compilation {
public:
  /// Starts. \p Finder and \p Jobs outlive this object. At most \p Threads jobs
  /// at a time; 0 is one for each core.
  Compilation(const ResourceFinder &Finder, std::span<const CompileJob> Jobs,
              std::vector<ComputeCapability> Targets, unsigned Threads);
  /// Waits for what still runs.
  ~Compilation();

  /// What `Jobs[Index]` gave; waits for it. From any thread.
  const FileResources &of(std::size_t Index) const;

  /// Nobody will ask for `Jobs[Index]`: its compilation does not start, or is
  /// ended. From any thread.
  void drop(std::size_t Index);

private:
  struct State;
  std::unique_ptr<State> S;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_PIPELINE_COMPILATION_H
