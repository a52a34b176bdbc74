//===- analyzer/checks/SmallGrid.cpp - Grids that leave SMs idle ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"
#include "analyzer/model/AccessWords.h"
#include "analyzer/model/LaunchTime.h"
#include "analyzer/model/Thresholds.h"
#include "report/ExtentSize.h"

#include <algorithm>
#include <set>
#include <vector>

namespace cudalint::small_grid {
namespace {

class SmallGrid : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "small-grid",
      .Level = Maturity::Stable,
      .Default = Severity::Warning,
      .Summary = "finds launches with fewer blocks than the GPU has SMs",
      .Why = R"md(A block runs on one SM from its start to its end. A grid of
fewer blocks than SMs leaves the others without work, however many threads its
blocks have. Only other kernels that run at the same time can use them.)md",
      .Bad = R"cuda(__global__ void scale(float *data, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    data[i] *= 2;
}

void run(float *data, int n) {
  scale<<<8, 256>>>(data, n);
}
)cuda",
      .Good = R"cuda(__global__ void scale(float *data, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    data[i] *= 2;
}

void run(float *data, int n) {
  scale<<<1024, 256>>>(data, n);
}
)cuda",
      .Limits = R"md(Speaks only of launches whose grid is known, for targets
whose number of SMs is known (`h200`, not `sm_90`). A note for a grid of one
block, of a kernel that shares its work among blocks or whose threads are known to
turn a loop eight times, silent for others of one block, which are mostly meant so;
silent for a single warp, from three blocks for four SMs on, where no thread turns a
loop eight times or the launch takes about 2 microseconds as it is: there is no
work for more threads. Silent for a kernel that launches others, which have the
SMs, for one that waits in a loop until somebody changes a flag, as its blocks
are partners of other ones, and for the second level of a scan: a launch behind
one of the same kernel with as many blocks as this one has threads, each of which
left a value. A note where each block has a part of the work, and not each thread: it
may be too small to divide. Where blocks would all do the same, or all store to one place, more
of them are no remedy, and that is told. Of several grids of one launch
expression, the largest decides: silent where it has as many blocks as SMs. A note, too, for a grid that is known only as
long as input changes nothing: `n = argc > 1 ? atoi(argv[1]) : 1000`; and for one of
which the most is known: `min(n, 26)`. Silent where
the stream is one of several of a GPU, `streams[i]`, unless the host waits in each
turn for what that launches; does not know otherwise whether other
kernels run beside it.)md",
      .ConfirmedBy = Evidence::IdleSMs};
  const CheckInfo &info() const override { return Info; }
  void checkKernel(const KernelModel &K, FindingSink &Out) const override;
};

} // namespace

namespace {
/// The small grids of one launch expression.
struct SmallGrids {
  const Launch *Where = nullptr;
  std::int64_t Least = 0; ///< Blocks.
  std::int64_t Most = 0;  ///< Blocks; of them, the threads of a block are:
  std::int64_t Threads = 0;
  std::set<std::int64_t> Sizes; ///< In blocks.
  bool IsUsual = false;         ///< Input may change some of them.
  bool IsMost = true;           ///< To fewer blocks alone.
};
} // namespace

static bool isKnown(const Extent &Grid) {
  return std::ranges::all_of(Grid,
                             [](const auto &Size) { return Size.has_value(); });
}

/// Whether the grid is known only as it is if input changes nothing.
static bool isUsual(const Launch &L) {
  return L.UsualGrid && (L.Source == LaunchSource::Usual || !isKnown(L.Grid));
}

/// The blocks of a launch, if they are known and fewer than \p SMs.
static std::optional<std::int64_t> fewBlocks(const Launch &L, int SMs) {
  std::int64_t Blocks = 1;
  for (const std::optional<std::int64_t> &Size :
       isKnown(L.Grid) ? L.Grid : L.UsualGrid.value_or(L.Grid)) {
    if (!Size || *Size <= 0 || *Size >= SMs)
      return std::nullopt;
    Blocks *= *Size;
  }
  return Blocks < SMs ? std::optional(Blocks) : std::nullopt;
}

static Phrase idleSMs(const SmallGrids &G, const Target &Gpu) {
  if (G.Sizes.size() > 1)
    return {"idle-sms",
            "grids of {least_blocks} to {blocks} blocks ({sizes} sizes) leave "
            "{idle_sms} to {most_idle_sms} of the {sms} SMs of {gpu} without "
            "work",
            {{"least_blocks", G.Least},
             {"blocks", G.Most},
             {"sizes", G.Sizes.size()},
             {"idle_sms", *Gpu.SMs - G.Most},
             {"most_idle_sms", *Gpu.SMs - G.Least},
             {"sms", *Gpu.SMs},
             {"gpu", Gpu.Name}}};
  return {G.IsUsual && G.IsMost ? "idle-sms-at-least"
          : G.IsUsual           ? "idle-sms-as-usual"
                                : "idle-sms",
          G.IsUsual && G.IsMost
              ? "grid of at most {blocks block} leaves at least {idle_sms} of "
                "the {sms} SMs of {gpu} without work"
          : G.IsUsual
              ? "grid of {blocks block}, as it is unless input changes "
                "it, leaves {idle_sms} of the {sms} SMs of {gpu} without "
                "work"
          : G.Most == 1
              ? "grid of {blocks block} leaves {idle_sms} of the {sms} SMs of "
                "{gpu} without work: it runs on at most {blocks SM}"
              : "grid of {blocks block} leaves {idle_sms} of the {sms} SMs of "
                "{gpu} without work: they run on at most {blocks SM}",
          {{"blocks", G.Most},
           {"idle_sms", *Gpu.SMs - G.Most},
           {"sms", *Gpu.SMs},
           {"gpu", Gpu.Name}}};
}

/// How often a warp makes it at most: by its loops, where it is not counted.
static double mostTimes(const Access &A) {
  if (A.Executions || A.LoopTurns.empty())
    return A.Executions.value_or(threshold::ManyTimes);
  double Turns = 1;
  for (const unsigned OfLoop : A.LoopTurns)
    Turns *= OfLoop ? OfLoop : threshold::ManyTimes;
  return Turns;
}

/// Whether a thread does the same again and again: else there is an element for
/// each thread, and no work for more of them. Updates of one address wait for
/// each other, however many blocks there are.
static bool hasMuchToDo(const KernelModel &K) {
  const auto isInLoop = [](const Access &A) { return A.LoopDepth > 0; };
  const auto isMuch = [&](const Access &A) {
    const bool Queues = A.Target && A.Target->IsOfGrid;
    return isInLoop(A) && !Queues && !A.IsInLibrary &&
           mostTimes(A) >= threshold::ManyTimes;
  };
  return K.Traits.HasLongLoops && (std::ranges::none_of(K.Accesses, isInLoop) ||
                                   std::ranges::any_of(K.Accesses, isMuch));
}

/// One block is mostly meant so, for a last sum or what cannot be divided. It
/// is not where the kernel shares its work among blocks, or is known to have
/// much of it.
static bool isMeantForMore(const KernelModel &K, const Launch &L) {
  return K.Traits.Blocks.SharesAmongBlocks ||
         std::ranges::any_of(K.Accesses, [&](const Access &A) {
           return std::ranges::equal(A.Block, L.Block) && A.LoopDepth > 0 &&
                  (A.Executions.value_or(0) >= threshold::ManyTimes ||
                   (A.Predicted && A.Predicted->MoreRequests));
         });
}

/// Whether threads of a block work together, so that its size is more than a
/// number.
static bool worksAsBlock(const KernelModel &K) {
  return !K.Shared.empty() || K.UsesDynamicShared || K.Barriers > 0;
}

/// Whether a thread of each block of \p L leaves a value.
static bool leavesValues(const KernelModel &K, const Launch &L) {
  return std::ranges::any_of(K.Accesses, [&](const Access &A) {
    return A.Space == MemorySpace::Global && A.Op == AccessOp::Store &&
           std::ranges::equal(A.Block, L.Block) && A.Predicted &&
           A.Predicted->Lanes == 1 && A.Predicted->Warps == 1;
  });
}

/// Whether both are given a number that is larger than that of the \p Parts:
/// they work on as much.
static bool hasSameSize(const Launch &A, const Launch &B, std::uint64_t Parts) {
  const std::size_t Most = std::min(A.Arguments.size(), B.Arguments.size());
  for (std::size_t I = 0; I != Most; ++I)
    if (A.Arguments[I] && A.Arguments[I] == B.Arguments[I] &&
        *A.Arguments[I] > static_cast<std::int64_t>(Parts))
      return true;
  return false;
}

/// Whether it works on what the blocks of another launch before it left, a
/// value for each thread: it cannot be spread where that one could.
static bool isSecondLevel(const KernelModel &K, const Launch &L) {
  const std::optional<std::uint64_t> Threads = sizeOf(L.Block);
  const std::optional<std::uint64_t> Blocks = sizeOf(L.Grid);
  return Threads && *Threads && Blocks &&
         std::ranges::any_of(K.Launches, [&](const Launch &First) {
           const std::optional<std::uint64_t> Parts = sizeOf(First.Grid);
           if (First.Where.File != L.Where.File || First.Where >= L.Where ||
               !leavesValues(K, First))
             return false;
           if (!Parts) // As many blocks as the data asks for.
             return *Blocks == 1;
           // A thread of the last block may take several.
           return *Parts > *Blocks &&
                  ((*Blocks == 1 && !hasSameSize(First, L, *Parts)) ||
                   (*Parts + *Threads - 1) / *Threads == *Blocks);
         });
}

/// More of the same blocks, where that helps.
static Phrase remedy(const KernelModel &K, const SmallGrids &G) {
  if (!K.Traits.Blocks.TellsBlocksApart)
    return {"divide-by-block",
            "give each block a part: as the kernel is, more blocks would do "
            "the same again",
            {}};
  // Where there are several today, that is meant.
  if (K.Traits.Blocks.StoresToOnePlace && G.Most == 1)
    return {"join-results",
            "let each block store a result of its own, or add to one by an "
            "atomic: more blocks would now all store to one place",
            {}};
  // Who reads it expects one.
  if (G.Most == 1 && leavesValues(K, *G.Where))
    return {"join-values",
            "use more blocks, and room for the value that each of them leaves, "
            "of which somebody makes one",
            {}};
  // There is no less for each to do where more blocks just take their share.
  const bool CanShrink = G.Threads > 64 && G.Most > 1 && !worksAsBlock(K) &&
                         !K.Traits.Blocks.SharesAmongBlocks;
  if (!K.Traits.Blocks.SharesAmongBlocks &&
      !(K.Traits.Blocks.HasPartPerThread && CanShrink))
    return {"more-parts",
            "divide the work into more parts if each of these blocks has one, "
            "else use more blocks",
            {}};
  return {"more-blocks",
          CanShrink ? "use more, smaller blocks, or give each less to do"
                    : "use more blocks",
          {}};
}

/// Whether its threads are fewer warps than there are SMs, and each works on an
/// element of its own, again and again: smaller blocks leave most SMs idle,
/// too.
static bool isSmallAnyway(const KernelModel &K, const SmallGrids &G) {
  return !K.Traits.Blocks.SharesAmongBlocks &&
         G.Most * G.Threads < *K.Gpu.SMs * static_cast<int>(WarpSize) &&
         std::ranges::none_of(
             K.Accesses,
             [](const Access &A) {
               return A.Space == MemorySpace::Global && A.LoopDepth > 0 &&
                      (A.TurnStep != 0 || !A.Predicted);
             });
}

void SmallGrid::checkKernel(const KernelModel &K, FindingSink &Out) const {
  if (!K.Gpu.SMs || !hasMuchToDo(K) || K.Traits.Blocks.LaunchesKernels ||
      K.Traits.Blocks.WaitsForFlag)
    return;
  // A launch in a loop over sizes is one thing to look at.
  std::vector<SmallGrids> Places;
  std::set<Location> WithLarge, WithOne;
  for (std::size_t I = 0; I != K.Launches.size(); ++I) {
    const Launch &L = K.Launches[I];
    // What fails keeps no SM busy, however large its grid is. Other streams
    // have work for those that a grid leaves idle.
    if ((!isLaunched(L.Source) && L.Source != LaunchSource::Usual) ||
        L.HasOneOfStreams || K.Verdicts[I].fails())
      continue;
    const std::optional<std::int64_t> Blocks = fewBlocks(L, *K.Gpu.SMs);
    if (const std::optional<std::uint64_t> All = sizeOf(L.Grid);
        All && *All >= static_cast<std::uint64_t>(*K.Gpu.SMs))
      WithLarge.insert(L.Where);
    std::int64_t Threads = 1;
    for (const std::optional<std::int64_t> &Size : L.Block)
      Threads *= Size.value_or(1);
    // One warp is a serial step; to spread it would gain nothing. Nor is there
    // much to gain where most SMs work.
    if (!Blocks || (*Blocks == 1 && Threads <= 32) ||
        4 * *Blocks >= 3 * *K.Gpu.SMs || isSecondLevel(K, L) || isShort(K, L))
      continue;
    if (*Blocks == 1 && !isMeantForMore(K, L)) {
      WithOne.insert(L.Where);
      continue;
    }
    auto Place = std::ranges::find_if(
        Places, [&](const SmallGrids &G) { return G.Where->Where == L.Where; });
    if (Place == Places.end())
      Place = Places.insert(Place, {&L, *Blocks, *Blocks, Threads, {}});
    Place->Sizes.insert(*Blocks);
    Place->IsUsual |= isUsual(L);
    Place->IsMost &= L.UsualGridIsMost || !isUsual(L);
    Place->Least = std::min(Place->Least, *Blocks);
    if (*Blocks > Place->Most) {
      Place->Most = *Blocks;
      Place->Threads = Threads;
    }
  }
  for (SmallGrids &G : Places) {
    if (WithLarge.contains(G.Where->Where))
      continue;
    if (WithOne.contains(G.Where->Where)) {
      G.Sizes.insert(1);
      G.Least = 1;
    }
    Finding &F = Out.report(K, *G.Where, idleSMs(G, K.Gpu));
    F.Remedy = remedy(K, G);
    // Nobody knows whether the part of a block can be cut smaller.
    if (G.IsUsual || G.Most == 1 || F.Remedy.Id == "more-parts" ||
        (F.Remedy.Id == "more-blocks" && isSmallAnyway(K, G)))
      F.Level = Severity::Note;
    if (!G.IsUsual)
      continue;
    F.Trust = Certainty::Assumed;
    F.Assumptions.push_back(
        {G.IsMost ? "the grid is as large as it may be"
                  : "the grid is as it is unless input changes it",
         AssumptionKind::Program});
  }
}

CUDA_LINT_REGISTER_CHECK(SmallGrid)

} // namespace cudalint::small_grid
