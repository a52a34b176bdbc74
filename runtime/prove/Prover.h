//===- runtime/prove/Prover.h - Builds and runs both ------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROVE_PROVER_H
#define CUDA_LINT_RUNTIME_PROVE_PROVER_H

#include "runtime/prove/Proof.h"

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace cudalint {

struct ProveRequest {
  std::string Project; ///< The folder to copy; absolute and real.
  std::string Here;    ///< In it, where the commands run; likewise.
  /// One after the other; names in the project become those in the copy.
  std::vector<std::vector<std::string>> Build;
  std::vector<std::string> Program; ///< And its arguments; empty: none is run.
  /// Called with the outputs of the two programs, in place of a comparison of
  /// their bytes; empty: none. The folders that they ran in are in the
  /// variables CUDA_LINT_BEFORE and CUDA_LINT_AFTER.
  std::string CompareWith;
  unsigned Runs = 7;                           ///< Pairs; at least LeastPairs.
  std::optional<double> Timeout, BuildTimeout; ///< Seconds.
  std::string Probe; ///< Its library, absolute; empty: the program is not run.
  std::string Cupti;
  std::uint64_t MostBytes = 4'000'000'000; ///< Of the project.
  std::function<void(const std::string &)> OnProgress;
};

/// A fix that the analysis bears out.
struct FixToProve {
  ProofSubject About;
  std::string Analysis;
  /// What files become and what they are, by their names from Here.
  std::map<std::string, std::string> Texts, Originals;
  /// The analysis without and with it.
  std::span<const Document> Before, After;
};

/// Builds copies of a project without and with a fix, runs both in turns, and
/// compares. What is built and run is the user's, and writes where it likes;
/// all that this writes is in a folder for temporary files, gone at the end.
class Prover {
public:
  explicit Prover(ProveRequest Request);
  Prover(const Prover &) = delete;
  Prover &operator=(const Prover &) = delete;
  ~Prover();

  /// Copies and builds the project as it is. Returns why that fails, for the
  /// user; or nothing.
  std::string prepare();

  /// After prepare().
  Proof prove(const FixToProve &Fix);

  /// The first file of the project itself that has been made, changed or
  /// removed since prepare() began, from the project; or empty. A build or a
  /// program that does so may have been another than it was meant to be.
  std::string changedFile() const;

  /// The last signal that reached us meanwhile: then no fix is begun any more.
  int signal() const;
  /// The GPU that ran the program; empty before, and where it is not known.
  const std::string &gpu() const;

private:
  struct State;
  std::unique_ptr<State> S;
};

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_PROVE_PROVER_H
