//===- hardware/Waves.cpp - Rounds of a grid ------------------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hardware/Waves.h"

namespace cudalint {

std::optional<Waves> waves(std::uint64_t Grid, int SMs, unsigned BlocksPerSM) {
  if (Grid == 0 || SMs <= 0 || BlocksPerSM == 0)
    return std::nullopt;
  Waves W;
  W.Resident = static_cast<std::uint64_t>(SMs) * BlocksPerSM;
  W.Count = double(Grid) / double(W.Resident);
  W.Rounds = Grid / W.Resident + (Grid % W.Resident != 0 ? 1 : 0);
  W.TailBlocks = Grid - (W.Rounds - 1) * W.Resident;
  W.TailWaste =
      double(W.Resident - W.TailBlocks) / double(W.Resident) / double(W.Rounds);
  return W;
}

} // namespace cudalint
