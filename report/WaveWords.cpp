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

/// Blocks of \p Size threads that hold as many threads as \p Grid blocks of
/// \p Threads. Empty beyond 64 bits.
static std::optional<std::uint64_t>
gridFor(std::uint64_t Grid, std::uint64_t Threads, std::uint64_t Size) {
  std::uint64_t All = 0;
  if (Size == 0 || __builtin_mul_overflow(Grid, Threads, &All))
    return std::nullopt;
  return All / Size + (All % Size != 0);
}

/// The grid that holds the same threads after \p Step.
static std::optional<std::uint64_t>
gridAfter(std::uint64_t Grid, std::uint64_t Threads, const Cliff &Step) {
  return Step.What == Cliff::Quantity::Threads
             ? gridFor(Grid, Threads, Step.Value)
             : Grid;
}

std::optional<Waves> wavesAfter(std::uint64_t Grid, std::uint64_t Threads,
                                int SMs, const Cliff &Step) {
  if (Step.IsLarger)
    return std::nullopt;
  const std::optional<std::uint64_t> Blocks = gridAfter(Grid, Threads, Step);
  return Blocks ? waves(*Blocks, SMs, Step.Then.BlocksPerSM) : std::nullopt;
}

std::string roundsSavedInWords(std::uint64_t Grid, std::uint64_t Threads,
                               int SMs, const Waves &Rounds,
                               std::span<const Cliff> Next) {
  std::string Text;
  for (const Cliff &Step : Next) {
    const std::optional<Waves> Then = wavesAfter(Grid, Threads, SMs, Step);
    if (!Then || Then->Rounds >= Rounds.Rounds)
      continue;
    const std::uint64_t Blocks = *gridAfter(Grid, Threads, Step);
    Text += fmt::format(
        "{}at {} the {}{} take{} {} instead of {}", Text.empty() ? "" : "; ",
        stepInWords(Step), countOf(Blocks, "block"),
        Step.What == Cliff::Quantity::Threads ? " of as many threads in all"
                                              : "",
        Blocks == 1 ? "s" : "", countOf(Then->Rounds, "round"), Rounds.Rounds);
  }
  return Text;
}

} // namespace cudalint
