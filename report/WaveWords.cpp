//===- report/WaveWords.cpp - Rounds of a grid in words -------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/OccupancyWords.h"

#include <fmt/format.h>

namespace cudalint {

std::string wavesInWords(std::uint64_t Grid, int SMs, const Occupancy &Result,
                         const Waves &Rounds) {
  std::string Text = fmt::format(
      "{}, {} at a time ({} x {}): {}", countOf(Grid, "block"), Rounds.Resident,
      countOf(static_cast<std::uint64_t>(SMs), "SM"), Result.BlocksPerSM,
      countOf(Rounds.Rounds, "round"));
  if (Rounds.TailBlocks == Rounds.Resident)
    return Text + ", full";
  // A lone round has no tail.
  if (Rounds.Rounds == 1)
    return Text + fmt::format(" with {} of {} places empty",
                              Rounds.Resident - Rounds.TailBlocks,
                              Rounds.Resident);
  std::uint64_t Full = Rounds.Rounds * Rounds.Resident;
  return Text + fmt::format(", the last with {}: {:.1f} % of all places stay "
                            "empty; {} take as long, {} a round less",
                            countOf(Rounds.TailBlocks, "block"),
                            100 * Rounds.TailWaste, countOf(Full, "block"),
                            Full - Rounds.Resident);
}

std::string roundsSavedInWords(std::uint64_t Grid, int SMs, const Waves &Rounds,
                               std::span<const Cliff> Next) {
  std::string Text;
  for (const Cliff &Step : Next) {
    // With larger blocks the same grid is more work.
    if (Step.What == Cliff::Quantity::Threads && Step.IsLarger)
      continue;
    std::optional<Waves> Then = waves(Grid, SMs, Step.Then.BlocksPerSM);
    if (!Then || Then->Rounds >= Rounds.Rounds)
      continue;
    Text += fmt::format("{}at {} the same {} take {} instead of {}",
                        Text.empty() ? "" : "; ", stepInWords(Step),
                        countOf(Grid, "block"), countOf(Then->Rounds, "round"),
                        Rounds.Rounds);
  }
  return Text;
}

} // namespace cudalint
