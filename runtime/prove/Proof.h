//===- runtime/prove/Proof.h - What is known of a fix -----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROVE_PROOF_H
#define CUDA_LINT_RUNTIME_PROVE_PROOF_H

#include "report/Document.h"
#include "runtime/join/TimeJudge.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cudalint {

enum class ProofVerdict : std::uint8_t {
  Pays,
  Neutral,
  Costs,
  Inconclusive, ///< The times spread too much, or say nothing.
  Breaks,       ///< It does not build, or the results are others.
  Refused,      ///< The analysis does not bear it out: it was not built.
  NotMeasured,  ///< It was not run.
};

/// pays, neutral, costs, inconclusive, breaks, refused, not_measured
std::string_view nameOf(ProofVerdict Verdict);

/// A fix, as far as a report names it.
struct ProofSubject {
  Location Where; ///< Of the dearest finding that it mends.
  std::string Check;
  std::string Description;
  std::string Fingerprint;
  std::vector<std::string> Kernels; ///< Linkage names; empty: all count.
  std::optional<TrafficUnit> Unit;  ///< What its findings count.
};

/// A figure before and after.
template <typename T> struct Change {
  std::optional<T> Before, After;
};

/// What the compiler makes of a kernel, and what an SM keeps of it: the least
/// of its launches.
struct ResourceChange {
  std::string Kernel; ///< Its signature.
  Change<std::uint64_t> Registers, SharedBytes, LocalBytes, Warps;
};

enum class ResultsKind : std::uint8_t {
  Unknown, ///< It did not run, or nobody can say.
  Equal,
  Differ
};

struct Proof {
  ProofSubject About;
  std::string Analysis; ///< What the edited text gains, or why it is refused.
  std::vector<ResourceChange> Resources;
  bool IsBuilt = false;
  ResultsKind Results = ResultsKind::Unknown;
  std::string ResultsWhy; ///< In words; may be empty.
  /// Sums over all launches of its kernels, in its unit, as far as every access
  /// is predicted and counted.
  Change<double> Predicted, Measured;
  /// Lines of these kernels, before and after.
  unsigned Confirmed = 0, Refuted = 0;
  std::optional<TimeComparison> Times;
  ProofVerdict Verdict = ProofVerdict::NotMeasured;
  std::string Why; ///< Of the verdict; may be empty.
};

struct ProofReport {
  std::vector<Proof> Fixes;
  std::string Gpu; ///< That ran the program; empty: none.
  /// The commands that built it, and the program; as the user wrote them.
  std::vector<std::vector<std::string>> Build;
  std::vector<std::string> Program;
  unsigned Runs = 0;
  std::vector<std::string> Notes;
};

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_PROVE_PROOF_H
