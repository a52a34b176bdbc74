//===- runtime/prove/Proof.cpp - What is known of a fix -------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/prove/Proof.h"

namespace cudalint {

std::string_view nameOf(ProofVerdict Verdict) {
  switch (Verdict) {
  case ProofVerdict::Pays:
    return "pays";
  case ProofVerdict::Neutral:
    return "neutral";
  case ProofVerdict::Costs:
    return "costs";
  case ProofVerdict::Inconclusive:
    return "inconclusive";
  case ProofVerdict::Breaks:
    return "breaks";
  case ProofVerdict::Refused:
    return "refused";
  case ProofVerdict::NotMeasured:
    return "not_measured";
  }
  return {};
}

} // namespace cudalint
