//===- analyzer/checks/LaunchVerdict.cpp - What launches do ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/LaunchVerdict.h"

#include "analyzer/checks/AccessWords.h"
#include "analyzer/checks/KernelModel.h"
#include "report/OccupancyWords.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace cudalint {

/// Each dimension by itself; empty when all are within bounds.
static std::string
dimensionOutOfBounds(const Launch &L, std::string_view What, const Extent &E,
                     const std::array<std::uint64_t, 3> &Limits) {
  for (std::size_t I = 0; I < 3; ++I) {
    if (!E[I])
      continue;
    const std::string Dimension = fmt::format("{}.{}", What, "xyz"[I]);
    if (*E[I] <= 0)
      return fmt::format("{} is {}, at least 1 is needed", Dimension, *E[I]);
    if (static_cast<std::uint64_t>(*E[I]) > Limits[I] && !L.isChecked(*E[I]))
      return fmt::format("{} is {}, the limit is {}", Dimension, *E[I],
                         Limits[I]);
  }
  return {};
}

/// The product of what is known; an unknown dimension is at least 1.
static std::int64_t leastThreads(const Extent &Block) {
  std::int64_t Threads = 1;
  for (const std::optional<std::int64_t> &Size : Block)
    Threads *= Size.value_or(1);
  return Threads;
}

static std::string tooManyThreads(const KernelModel &K, const Launch &L) {
  const Architecture &Arch = *K.Gpu.Arch;
  const KernelDeclaration &D = K.Declaration;
  const std::int64_t Threads = leastThreads(L.Block);
  // The program asks for the limit itself.
  if (L.isChecked(Threads))
    return {};
  if (Threads > static_cast<std::int64_t>(Arch.ThreadsPerBlock))
    return fmt::format("a block of {} has {} threads, the limit is {}",
                       shape(L.Block), Threads, Arch.ThreadsPerBlock);
  if (D.MaxThreads && Threads > *D.MaxThreads)
    return fmt::format("a block of {} has {} threads, its __launch_bounds__ "
                       "promise at most {}",
                       shape(L.Block), Threads, *D.MaxThreads);
  return {};
}

/// A dimension of the grid that is no multiple of the cluster's; empty when
/// each is, or is not known.
static std::string partialCluster(const KernelModel &K, const Launch &L) {
  if (!K.Declaration.ClusterSize)
    return {};
  const Extent &Cluster = *K.Declaration.ClusterSize;
  for (std::size_t I = 0; I < 3; ++I)
    if (L.Grid[I] && *L.Grid[I] > 0 && Cluster[I] && *Cluster[I] > 0 &&
        *L.Grid[I] % *Cluster[I] != 0)
      return fmt::format("grid.{} is {}, no multiple of the {} blocks of its "
                         "__cluster_dims__",
                         "xyz"[I], *L.Grid[I], *Cluster[I]);
  return {};
}

/// A cooperative launch whose blocks are not all resident at once, for certain:
/// where registers or shared memory are not known, they count as nothing.
static std::string tooManyToCooperate(const KernelModel &K, const Launch &L,
                                      const LaunchVerdict &Verdict) {
  if (!L.Cooperative || !K.Gpu.SMs ||
      std::ranges::any_of(L.Grid, [&](const std::optional<std::int64_t> &Size) {
        return Size && L.isChecked(*Size);
      }))
    return {};
  const std::optional<LaunchFit> &Most = Verdict.AtMost;
  // What fits no SM at all fails for another reason.
  if (!Most || !Most->Grid || Most->OnSM.Failure != LaunchFailure::None)
    return {};
  const auto SMs = static_cast<std::uint64_t>(*K.Gpu.SMs);
  const std::uint64_t Resident = SMs * Most->OnSM.BlocksPerSM;
  if (*Most->Grid <= Resident)
    return {};
  return fmt::format("a cooperative launch of {} blocks, of which {}{} can be "
                     "resident at once ({} on each of {} SMs), fails with "
                     "error 720 (cudaErrorCooperativeLaunchTooLarge)",
                     *Most->Grid, Verdict.Fit ? "" : "at most ", Resident,
                     Most->OnSM.BlocksPerSM, SMs);
}

/// Why it must fail whatever else holds: one reason for the grid, the block and
/// the dynamic shared memory each.
static void addConfiguration(const KernelModel &K, const Launch &L,
                             LaunchVerdict &Verdict) {
  const auto add = [&](std::string Reason) {
    if (!Reason.empty())
      Verdict.Faults.push_back(
          {LaunchFault::Kind::Configuration, std::move(Reason), {}});
  };
  const Architecture &Arch = *K.Gpu.Arch;
  std::string Grid = dimensionOutOfBounds(L, "grid", L.Grid,
                                          {Arch.GridX, Arch.GridY, Arch.GridZ});
  add(Grid.empty() ? partialCluster(K, L) : std::move(Grid));
  std::string Block = dimensionOutOfBounds(
      L, "block", L.Block, {Arch.BlockX, Arch.BlockY, Arch.BlockZ});
  // The threads are counted where each dimension is a possible one.
  add(Block.empty() ? tooManyThreads(K, L) : std::move(Block));
  if (L.DynamicSharedBytes && *L.DynamicSharedBytes < 0)
    add(fmt::format("dynamic shared memory of {} bytes is {} as the size_t "
                    "that a launch takes, which CUDA refuses "
                    "(cudaErrorInvalidValue)",
                    *L.DynamicSharedBytes,
                    static_cast<std::uint64_t>(*L.DynamicSharedBytes)));
  // Else it fails anyhow.
  if (Verdict.Faults.empty())
    add(tooManyToCooperate(K, L, Verdict));
}

/// What the launch asks for, in words that a limit follows.
static std::string needOf(std::uint64_t Static, std::uint64_t Dynamic) {
  return fmt::format(
      "it asks for {} bytes of shared memory{}", Static + Dynamic,
      Static == 0 ? std::string() : fmt::format(", {} of them static", Static));
}

/// The program raises the limit, but not enough or too late. Empty when it
/// does well, or what it does is not known.
static std::string badRaise(const KernelModel &K, const Launch &L,
                            std::uint64_t Static, std::uint64_t Dynamic) {
  const SharedMemoryRaise &R = *L.Raised;
  if (R.IsLater)
    return fmt::format("{}, and {} are the limit until cudaFuncSetAttribute "
                       "raises it, which it does only after this launch (line "
                       "{})",
                       needOf(Static, Dynamic), K.Gpu.Arch->SharedPerBlock,
                       R.Where.Line);
  if (R.Bytes >= 0 && static_cast<std::uint64_t>(R.Bytes) >= Dynamic)
    return {};
  return fmt::format("it asks for {} bytes of dynamic shared memory, and "
                     "cudaFuncSetAttribute (line {}) allows {}",
                     Dynamic, R.Where.Line, R.Bytes);
}

/// More shared memory than it gets. None when its size is not known, or it
/// fits, or the program compares it with what the device has.
static std::optional<LaunchFault> sharedMemoryFault(const KernelModel &K,
                                                    const Launch &L) {
  using enum LaunchFault::Kind;
  const Architecture &Arch = *K.Gpu.Arch;
  if (!L.DynamicSharedBytes || *L.DynamicSharedBytes < 0)
    return std::nullopt;
  const std::uint64_t Static = K.staticShared().value_or(0);
  const auto Dynamic = static_cast<std::uint64_t>(*L.DynamicSharedBytes);
  const std::uint64_t Bytes = Static + Dynamic;
  // The program asks for the limit itself, and launches something else.
  if (L.isChecked(*L.DynamicSharedBytes) ||
      L.isChecked(static_cast<std::int64_t>(Bytes)))
    return std::nullopt;
  if (Bytes <= Arch.SharedPerBlock || Dynamic == 0)
    return std::nullopt;
  if (Bytes > Arch.SharedPerBlockOptIn)
    return LaunchFault{SharedMemory,
                       fmt::format("{}, the limit is {}",
                                   needOf(Static, Dynamic),
                                   Arch.SharedPerBlockOptIn),
                       {}};
  if (L.SharedMemoryOptIn) {
    std::string Reason = L.Raised ? badRaise(K, L, Static, Dynamic) : "";
    if (Reason.empty())
      return std::nullopt;
    return LaunchFault{SharedMemory, std::move(Reason),
                       L.Raised->MayBeMore
                           ? "the functions that are called and have no body "
                             "in any file do not raise the limit"
                           : ""};
  }
  return LaunchFault{
      SharedMemory,
      fmt::format("{}, the limit is {} unless cudaFuncSetAttribute raises "
                  "cudaFuncAttributeMaxDynamicSharedMemorySize for it (up to "
                  "{})",
                  needOf(Static, Dynamic), Arch.SharedPerBlock,
                  Arch.SharedPerBlockOptIn),
      "the shared memory limit of the kernel is not raised elsewhere"};
}

const LaunchFault *LaunchVerdict::find(LaunchFault::Kind What) const {
  const auto Found = std::ranges::find(Faults, What, &LaunchFault::What);
  return Found == Faults.end() ? nullptr : &*Found;
}

LaunchVerdict judge(const KernelModel &K, const Launch &L) {
  LaunchVerdict Verdict;
  Verdict.Fit = fitOf(K, L.Grid, L.Block, L.DynamicSharedBytes, L.Source);
  Verdict.AtMost = Verdict.Fit
                       ? Verdict.Fit
                       : mostFitOf(K, L.Grid, L.Block, L.DynamicSharedBytes);
  // Shapes that nobody launches cannot fail.
  if (!isLaunched(L.Source))
    return Verdict;
  addConfiguration(K, L, Verdict);
  if (std::optional<LaunchFault> Fault = sharedMemoryFault(K, L))
    Verdict.Faults.push_back(std::move(*Fault));
  // What is not known can only ask for more.
  if (const std::optional<LaunchFit> &Fit = Verdict.AtMost;
      Fit && Fit->OnSM.Failure != LaunchFailure::None)
    Verdict.Faults.push_back(
        {LaunchFault::Kind::Resources,
         failureInWords(*K.Gpu.Arch, Fit->Demand, Fit->OnSM),
         {}});
  return Verdict;
}

} // namespace cudalint
