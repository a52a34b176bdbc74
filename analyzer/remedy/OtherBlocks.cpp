//===- analyzer/remedy/OtherBlocks.cpp - Blocks of another size -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/remedy/OtherBlocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>
#include <vector>

namespace cudalint {

bool launchesOthers(const KernelModel &K, const Launch &L) {
  return std::ranges::any_of(K.Unit, [&](const KernelModel *Other) {
    return Other->Declaration.Where != K.Declaration.Where &&
           std::ranges::any_of(Other->Launches, [&](const Launch &Its) {
             return isLaunched(Its.Source) && Its.Where == L.Where;
           });
  });
}

bool mayHaveOtherBlocks(const KernelModel &K, const Launch &L) {
  if (launchesOthers(K, L))
    return false;
  if (L.OtherBlocks ||
      (K.Barriers == 0 && K.Shared.empty() && !K.Traits.DependsOnLanes))
    return true;
  for (std::size_t I = 0; I != 3; ++I)
    if (L.Block[I].value_or(1) > 1 && !K.Traits.Blocks.ReadsBlockSize[I])
      return false;
  return true;
}

bool mayHaveBlockOf(const KernelModel &K, const Launch &L,
                    std::uint64_t Threads) {
  return mayHaveOtherBlocks(K, L) &&
         (!K.Traits.Blocks.HalvesItself || std::has_single_bit(Threads));
}

bool triesBetterBlocks(const KernelModel &K, const FittedLaunch &L) {
  for (std::size_t I = 0; I != K.Verdicts.size(); ++I) {
    const std::optional<LaunchFit> &Other = K.Verdicts[I].Fit;
    if (Other && K.Launches[I].Where == L.Where->Where &&
        isLaunched(K.Launches[I].Source) &&
        4 * Other->OnSM.WarpsPerSM >= 5 * L.Fit->OnSM.WarpsPerSM)
      return true;
  }
  return false;
}

static void write(const std::vector<Edit> &Places, std::int64_t Number,
                  std::vector<Edit> &Edits) {
  for (Edit Each : Places) {
    Each.Text = std::to_string(Number);
    Edits.push_back(std::move(Each));
  }
}

static std::int64_t mostThreads(const KernelModel &K) {
  const std::int64_t Most = K.Gpu.Arch->ThreadsPerBlock;
  return K.Declaration.MaxThreads ? std::min(Most, *K.Declaration.MaxThreads)
                                  : Most;
}

/// Whether threads of \p L have numbers near the largest int, beyond which a
/// block more may lead.
static bool hasHugeNumbers(const Launch &L) {
  constexpr std::int64_t Most =
      std::numeric_limits<std::int32_t>::max() - 2 * 1024;
  return L.Grid[0] && *L.Grid[0] > Most / L.OtherBlocks->Threads;
}

std::optional<Fix> withBlocksOf(const KernelModel &K, const Launch &L,
                                std::int64_t Threads) {
  if (!L.OtherBlocks || Threads < 1 || Threads > mostThreads(K) ||
      Threads == L.OtherBlocks->Threads || hasHugeNumbers(L))
    return std::nullopt;
  const BlockSizeText &Text = *L.OtherBlocks;
  if (!std::ranges::all_of(Text.Totals, [&](std::int64_t Total) {
        return Total % Threads == 0;
      }))
    return std::nullopt;
  Fix Result{fmt::format("launch blocks of {} threads instead of {}: the "
                         "kernel does the same in both",
                         Threads, Text.Threads),
             FixSafety::Layout,
             {}};
  write(Text.Sizes, Threads, Result.Edits);
  write(Text.SizesLessOne, Threads - 1, Result.Edits);
  for (const BlockCountText &Each : Text.Blocks)
    write({Each.Where}, Each.Total / Threads, Result.Edits);
  return Result;
}

std::optional<Fix> withWholeWarps(const KernelModel &K, const Launch &L) {
  if (!L.OtherBlocks)
    return std::nullopt;
  const std::int64_t Wanted =
      std::max<std::int64_t>(L.OtherBlocks->Threads, 128);
  std::vector<std::int64_t> Sizes;
  for (std::int64_t Size = 32; Size <= mostThreads(K); Size += 32)
    Sizes.push_back(Size);
  std::ranges::stable_sort(
      Sizes, {}, [&](std::int64_t Size) { return std::abs(Size - Wanted); });
  for (std::int64_t Size : Sizes)
    if (std::optional<Fix> Found = withBlocksOf(K, L, Size))
      return Found;
  return std::nullopt;
}

std::optional<Fix> withStep(const KernelModel &K, const FittedLaunch &L,
                            std::span<const Cliff> Steps) {
  std::optional<Fix> Result;
  unsigned Best = 0;
  for (const Cliff &Step : Steps) {
    // A block that is not of whole warps has idle lanes for that.
    if (Step.What != Cliff::Quantity::Threads || Step.Value % 32 != 0 ||
        Step.Then.WarpsPerSM <= Best)
      continue;
    if (std::optional<Fix> Found =
            withBlocksOf(K, *L.Where, static_cast<std::int64_t>(Step.Value))) {
      Result = std::move(Found);
      Best = Step.Then.WarpsPerSM;
    }
  }
  return Result;
}

} // namespace cudalint
