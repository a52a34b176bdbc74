//===- runtime/join/Join.h - From predictions to verdicts -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Joins by kernel, file, line, space and op. Pure: no GPU, no file, no clock.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_JOIN_JOIN_H
#define CUDA_LINT_RUNTIME_JOIN_JOIN_H

#include "runtime/join/LineJudge.h"
#include "runtime/join/OtherSources.h"
#include "runtime/join/Verdict.h"

#include <span>

namespace cudalint {

struct JoinResult {
  std::vector<GpuVerdict> Gpus;
  std::vector<ProfileProblem> Problems;
  bool HasCounters = false;
  /// What could not be joined at all, in words for the user: predictions for
  /// another GPU.
  std::vector<std::string> Notes;

  VerdictCounts lineCounts() const;
  /// Predicted lines that could have counts, and those that have.
  struct Coverage {
    unsigned Wanted = 0, Counted = 0;
  };
  Coverage coverage() const;
  /// Lines, occupancy and registers together.
  unsigned refuted() const;
};

/// Each GPU is joined with the document of \p Predictions that was made for its
/// compute capability, one of its product preferred. A profile that does not
/// name its GPU is joined with the only document there is. Kernels whose
/// sources were built from another text than was analysed are not judged, which
/// is a problem; \p Look finds the sources as they are now.
JoinResult join(std::span<const Document> Predictions,
                const Measurement &Measured, const Tolerance &Allowed,
                const SourceLookup &Look = {});

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_JOIN_JOIN_H
