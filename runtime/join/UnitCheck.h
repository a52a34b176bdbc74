//===- runtime/join/UnitCheck.h - CUPTI's counts, the units' ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// CUPTI counts the requests of each instruction by patching the code; the
/// units of the hardware count what they do. Of a whole kernel the two can be
/// compared.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_JOIN_UNITCHECK_H
#define CUDA_LINT_RUNTIME_JOIN_UNITCHECK_H

#include "runtime/join/Measurement.h"

#include <optional>
#include <vector>

namespace cudalint {

/// What all launches of a kernel did, by both.
struct UnitSum {
  MemorySpace Space = MemorySpace::Global;
  std::optional<AccessOp> Op; ///< Empty: all together, of shared memory.
  TrafficUnit Unit = TrafficUnit::Sectors;
  double Counted = 0; ///< By the patched code, scaled to all launches.
  /// By l1tex, of each shape scaled to all its launches; without the wavefront
  /// of shared memory that each warp has by itself.
  double Hardware = 0;
  /// One of them is of a few launches, and launches need not be alike.
  bool IsScaled = false;

  /// They differ by no more than \p Allowed of the hardware's, 0 .. 1.
  bool agrees(double Allowed) const;
};

/// The sums that both know, in the order of space and operation. None of a
/// kernel of which no launch was counted, or a shape of which none was measured
/// by the hardware. An access of any pointer counts with global and with shared
/// memory, as it does in the hardware.
std::vector<UnitSum> checkUnits(const MeasuredKernel &Kernel);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_JOIN_UNITCHECK_H
