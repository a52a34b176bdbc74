//===- analyzer/checks/Evidence.h - What proves a finding -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a GPU counts that proves or refutes a finding: one row for each, with
/// what its value is called in a prediction, and the counters that measure it.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_CHECKS_EVIDENCE_H
#define CUDA_LINT_ANALYZER_CHECKS_EVIDENCE_H

#include "hardware/Architecture.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace cudalint {

enum class Evidence : std::uint8_t {
  None, ///< Decided by the source alone, or by the launch failing.
  GlobalSectorsPerRequest,
  GlobalSectorsPerWarp, ///< Of all requests of an access.
  GlobalInstructions,
  GlobalSectors,
  SharedWavefrontsPerRequest,
  SharedWavefronts,
  LocalSectors,
  ConstantRequests, ///< Of the constant cache, for each load.
  ActiveThreadsPerInstruction,
  TheoreticalOccupancy, ///< What a launch's resources allow.
  Waves,                ///< Rounds of blocks, and places that stay empty.
  IdleSMs,              ///< SMs without a block while the kernel runs.
  BarrierStalls,        ///< Warps that wait at a barrier.
  InstructionsFP64,
  InstructionsInteger,
};

struct EvidenceFacts {
  Evidence Of;
  /// What the value of one access, launch or instruction is called; empty where
  /// a finding has none, and only the sum of the kernel is counted. Behind the
  /// unit of global memory, if it begins with an underscore.
  std::string_view Value;
  /// Which counters, by the names of Nsight Compute and CUPTI.
  std::string_view Proof;
  /// Only where it is known how many SMs there are.
  bool NeedsSMs = false;
};

const EvidenceFacts &factsOf(Evidence What);

/// The name that the measured value has in a prediction on \p Arch:
/// `sectors_per_request`. EXPECTS: there is one.
std::string valueOf(Evidence What, const Architecture &Arch);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_CHECKS_EVIDENCE_H
