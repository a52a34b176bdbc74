//===- analyzer/checks/PartialWarpBlock.cpp - Warps not full --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"
#include "analyzer/model/AccessWords.h"
#include "analyzer/model/LaunchTime.h"
#include "analyzer/model/LittleCost.h"
#include "analyzer/model/Thresholds.h"
#include "analyzer/remedy/OtherBlocks.h"
#include "report/ExtentSize.h"
#include "report/ExtentWords.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace cudalint::partial_warp_block {
/// What fewer of them gain nobody sees.
static constexpr CheckOption LeastPercent = {
    "partial-warp-block.LeastPercent", 1, 0, 100,
    "per cent of the lanes, idle, from which on it is told"};

static constexpr CheckOption Options[] = {LeastPercent};

namespace {

class PartialWarpBlock : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "partial-warp-block",
      .Level = Maturity::Stable,
      .Default = Severity::Warning,
      .Summary = "finds blocks whose last warp is not full",
      .Why = R"md(Threads run in warps of 32. A block of 100 threads is 4 warps,
and 28 lanes of the last one never do anything; a block of 8 threads is one warp
that works at a quarter. The missing lanes take registers, a place on the SM and
issue slots all the same.)md",
      .Bad = R"cuda(__global__ void scale(float *data) {
  data[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}

void run(float *data) {
  scale<<<4096, 8>>>(data);
}
)cuda",
      .Good = R"cuda(__global__ void scale(float *data) {
  data[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}

void run(float *data) {
  scale<<<256, 128>>>(data);
}
)cuda",
      .Limits = R"md(Speaks only of launches whose block is known. Silent for a
single thread in a single block, which is serial on purpose, where fewer than
1 % of the lanes are lost, where the same launch has whole warps with other
sizes that it tries, and about kernels of which nothing is left but what they
print; below 25 %, also where other instantiations of the kernel's template have
blocks of other sizes in the same place, or that fill no warps either. A note
below 25 %, as a block of 100 threads is mostly as large as what it works on, and
with fewer lanes idle there are as many warps anyway; below 10 %, the text leaves
it out unless all is asked for. A note, too, where each block has an SM of its
own and the launch takes about 2 microseconds as it is.)md",
      .ConfirmedBy = Evidence::ActiveThreadsPerInstruction,
      .Options = Options};
  const CheckInfo &info() const override { return Info; }
  void checkKernel(const KernelModel &K, FindingSink &Out) const override;
};

} // namespace

/// Sizes that fill their warps, on both sides where both are possible.
static Phrase betterSizes(std::int64_t Threads, std::int64_t Limit) {
  const std::int64_t Below = Threads / 32 * 32, Above = Below + 32;
  if (Below == 0)
    return {"fill-a-warp",
            "use at least {threads_more} threads, and let the kernel work with "
            "as many",
            {{"threads_more", Above}}};
  if (Above > Limit)
    return {"whole-warps",
            "use {threads_less} threads, and let the kernel work with as many",
            {{"threads_less", Below}}};
  return {"whole-warps",
          "use {threads_less} or {threads_more} threads, and let the kernel "
          "work with as many",
          {{"threads_less", Below}, {"threads_more", Above}}};
}

/// The same of blocks of two dimensions or three, of which the others stay:
/// 32x9 for 16x9. Empty where there is none.
static Phrase betterRows(const Extent &Is, std::int64_t Limit) {
  const auto Longest = std::ranges::max_element(Is);
  std::int64_t Others = 1;
  for (auto Each = Is.begin(); Each != Is.end(); ++Each)
    Others *= Each == Longest ? 1 : Each->value_or(1);
  const std::int64_t Step = 32 / std::gcd(std::int64_t(32), Others),
                     Below = Longest->value_or(1) / Step * Step,
                     Above = Below + Step;
  const std::string Dimension(1, "xyz"[Longest - Is.begin()]);
  const bool HasBelow = Below > 0, HasAbove = Above * Others <= Limit;
  if (!HasBelow && !HasAbove)
    return {};
  if (HasBelow && HasAbove)
    return {"whole-warps-of-rows",
            "use {length_less} or {length_more} threads in {dimension}, "
            "{threads_less} or {threads_more} in all, and let the kernel work "
            "with as many",
            {{"length_less", Below},
             {"length_more", Above},
             {"dimension", Dimension},
             {"threads_less", Below * Others},
             {"threads_more", Above * Others}}};
  const std::int64_t Length = HasBelow ? Below : Above;
  return {"whole-warps-of-rows",
          "use {length} threads in {dimension}, {threads} in all, and let the "
          "kernel work with as many",
          {{"length", Length},
           {"dimension", Dimension},
           {"threads", Length * Others}}};
}

/// Whether the same line launches \p K with whole warps, too: of sizes that are
/// tried one after the other, somebody takes the best.
static bool isOneOfSeveral(const KernelModel &K, const Launch &L) {
  return std::ranges::any_of(K.Launches, [&](const Launch &Other) {
    const std::optional<std::uint64_t> Threads = sizeOf(Other.Block);
    return Other.Where == L.Where && Threads && *Threads % 32 == 0;
  });
}

/// Whether other instantiations are launched with other sizes, at the same
/// place or with partial warps as well: they are those of what a block works
/// on, as the template's arguments tell it, and no number that is chosen.
static bool followsFromTemplate(const KernelModel &K, const Launch &L) {
  const auto Size = sizeOf(L.Block);
  const auto IsOfOther = [&](const Launch &Other) {
    const std::optional<std::uint64_t> Threads = sizeOf(Other.Block);
    return isLaunched(Other.Source) && Threads && *Threads && Threads != Size &&
           (Other.Where == L.Where || *Threads % 32 != 0);
  };
  return !K.Declaration.Template.empty() &&
         std::ranges::any_of(K.Unit, [&](const KernelModel *Each) {
           return Each != &K &&
                  Each->Declaration.Template == K.Declaration.Template &&
                  std::ranges::any_of(Each->Launches, IsOfOther);
         });
}

void PartialWarpBlock::checkKernel(const KernelModel &K,
                                   FindingSink &Out) const {
  // What it launches has the work, and a kernel that shows something has none.
  if (K.Traits.Blocks.LaunchesKernels || K.Traits.Blocks.OnlyPrints)
    return;
  const std::int64_t Limit = K.Gpu.Arch->ThreadsPerBlock;
  for (std::size_t I = 0; I != K.Verdicts.size(); ++I) {
    const Launch &L = K.Launches[I];
    // What does not run has no warps.
    if (!isLaunched(L.Source) || K.Verdicts[I].fails())
      continue;
    const std::optional<std::uint64_t> OfBlock = sizeOf(L.Block);
    if (!OfBlock || *OfBlock % 32 == 0 ||
        *OfBlock > static_cast<std::uint64_t>(Limit))
      continue;
    const auto Threads = static_cast<std::int64_t>(*OfBlock);
    // A lone block is as large as what it works on, and its lanes are few. The
    // lowest rungs of a ladder of sizes are for small inputs.
    const std::optional<std::uint64_t> Blocks = sizeOf(L.Grid);
    if (Blocks == 1 || (L.IsRung && Threads < 32) || isOneOfSeveral(K, L))
      continue;
    const std::int64_t Lanes = (Threads + 31) / 32 * 32;
    const std::int64_t Idle = Lanes - Threads;
    const double Share = static_cast<double>(Idle) / static_cast<double>(Lanes);
    if (100 * Share < Out.value(LeastPercent) ||
        (Share < threshold::ManyIdleLanes && followsFromTemplate(K, L)))
      continue;
    const std::string Count = countOf(*OfBlock, "thread");
    const std::string Shape = shape(L.Block);
    const bool HasRows = Shape.find('x') != std::string::npos;
    const std::string Size =
        HasRows ? fmt::format("{} ({})", Shape, Count) : Count;
    Finding &F = Out.report(
        K, L,
        {"idle-lanes",
         Threads < 32
             ? "block of {block} is smaller than a warp: {idle} of its 32 "
               "lanes never work ({percent} %)"
             : "block of {block} fills {full_warps} of {warps} warps: {idle} "
               "of {lanes} lanes never work ({percent} %)",
         {{"block", Size},
          {"full_warps", Threads / 32},
          {"warps", Lanes / 32},
          {"idle", Idle},
          {"lanes", Lanes},
          {"percent", 100 * Share}}});
    if (HasRows)
      F.Remedy = betterRows(L.Block, Limit);
    if (F.Remedy.isEmpty())
      F.Remedy = betterSizes(Threads, Limit);
    if (std::optional<Fix> Other = withWholeWarps(K, L))
      F.Fixes.push_back(std::move(*Other));
    setMostOfKernel(F, Share);
    // Where each block has an SM and is done at once, nobody waits for lanes.
    const bool IsAlone = Blocks && K.Gpu.SMs &&
                         *Blocks <= static_cast<std::uint64_t>(*K.Gpu.SMs);
    if (Share < threshold::ManyIdleLanes || (IsAlone && isShort(K, L)))
      F.Level = Severity::Note;
    F.Predicted = predicted(Info.ConfirmedBy, *K.Gpu.Arch,
                            static_cast<double>(Threads) * WarpSize /
                                static_cast<double>(Lanes),
                            WarpSize);
  }
}

CUDA_LINT_REGISTER_CHECK(PartialWarpBlock)

} // namespace cudalint::partial_warp_block
