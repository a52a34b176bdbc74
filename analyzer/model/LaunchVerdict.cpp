//===- analyzer/model/LaunchVerdict.cpp - What launches do ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/model/LaunchVerdict.h"

#include "analyzer/model/AccessWords.h"
#include "analyzer/model/KernelModel.h"
#include "analyzer/model/RegisterBounds.h"
#include "report/ExtentSize.h"
#include "report/ExtentWords.h"
#include "report/OccupancyWords.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace cudalint {

//===----------------------------------------------------------------------===//
// Why it fails
//===----------------------------------------------------------------------===//

// What CUDA returns, where that is known.
static constexpr std::string_view InvalidValue = "1 (cudaErrorInvalidValue)";
static constexpr std::string_view InvalidConfiguration =
    "9 (cudaErrorInvalidConfiguration)";

static LaunchFault launchFault(LaunchFault::Kind What, Phrase Reason,
                               std::string_view Error,
                               std::string Assumption = {}) {
  std::string InFull =
      fmt::format("the launch fails{}{}: {}",
                  Error.empty() ? "" : " with error ", Error, inWords(Reason));
  return {What, std::move(Reason), std::move(Assumption), std::move(InFull)};
}

/// Each dimension by itself; empty when all are within bounds.
static Phrase dimensionOutOfBounds(const Launch &L, std::string_view What,
                                   const Extent &E,
                                   const std::array<std::uint64_t, 3> &Limits) {
  for (std::size_t I = 0; I < 3; ++I) {
    if (!E[I])
      continue;
    const std::string Dimension = fmt::format("{}.{}", What, "xyz"[I]);
    if (*E[I] <= 0)
      return {"dimension-too-small",
              "{dimension} is {size}, at least 1 is needed",
              {{"dimension", Dimension}, {"size", *E[I]}}};
    if (static_cast<std::uint64_t>(*E[I]) > Limits[I] && !L.isChecked(*E[I]))
      return {
          "dimension-too-large",
          "{dimension} is {size}, the limit is {limit}",
          {{"dimension", Dimension}, {"size", *E[I]}, {"limit", Limits[I]}}};
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

static Phrase tooManyThreads(const KernelModel &K, const Launch &L) {
  const Architecture &Arch = *K.Gpu.Arch;
  const KernelDeclaration &D = K.Declaration;
  const std::int64_t Threads = leastThreads(L.Block);
  // The program asks for the limit itself.
  if (L.isChecked(Threads))
    return {};
  if (Threads > static_cast<std::int64_t>(Arch.ThreadsPerBlock))
    return {"too-many-threads",
            "a block of {block} has {threads} threads, the limit is {limit}",
            {{"block", shape(L.Block)},
             {"threads", Threads},
             {"limit", Arch.ThreadsPerBlock}}};
  if (D.MaxThreads && Threads > *D.MaxThreads)
    return {"over-launch-bounds",
            "a block of {block} has {threads} threads, its __launch_bounds__ "
            "promise at most {limit}",
            {{"block", shape(L.Block)},
             {"threads", Threads},
             {"limit", *D.MaxThreads}}};
  return {};
}

/// True of a reason that dimensionOutOfBounds() or tooManyThreads() gives of a
/// block.
static bool isOfBlock(const Phrase &Reason) {
  const NamedValue *Dimension = Reason.find("dimension");
  return Reason.find("block") ||
         (Dimension &&
          std::get<std::string>(Dimension->What).starts_with("block"));
}

/// A dimension of the grid that is no multiple of the cluster's; empty when
/// each is, or is not known.
static Phrase partialCluster(const KernelModel &K, const Launch &L) {
  if (!K.Declaration.ClusterSize)
    return {};
  const Extent &Cluster = *K.Declaration.ClusterSize;
  for (std::size_t I = 0; I < 3; ++I)
    if (L.Grid[I] && *L.Grid[I] > 0 && Cluster[I] && *Cluster[I] > 0 &&
        *L.Grid[I] % *Cluster[I] != 0)
      return {"partial-cluster",
              "{dimension} is {size}, no multiple of the {cluster} blocks of "
              "its __cluster_dims__",
              {{"dimension", fmt::format("grid.{}", "xyz"[I])},
               {"size", *L.Grid[I]},
               {"cluster", *Cluster[I]}}};
  return {};
}

/// A cooperative launch whose blocks are not all resident at once, for certain:
/// where registers or shared memory are not known, they count as nothing.
static Phrase tooManyToCooperate(const KernelModel &K, const Launch &L,
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
  return {"too-many-to-cooperate",
          Verdict.Fit
              ? "a cooperative launch of {blocks} blocks, of which {resident} "
                "can be resident at once ({per_sm} on each of {sms} SMs), "
                "fails with error 720 (cudaErrorCooperativeLaunchTooLarge)"
              : "a cooperative launch of {blocks} blocks, of which at most "
                "{resident} can be resident at once ({per_sm} on each of "
                "{sms} SMs), fails with error 720 "
                "(cudaErrorCooperativeLaunchTooLarge)",
          {{"blocks", *Most->Grid},
           {"resident", Resident},
           {"per_sm", Most->OnSM.BlocksPerSM},
           {"sms", SMs}}};
}

/// Why it must fail whatever else holds: one reason for the grid, the block and
/// the dynamic shared memory each.
static void addConfiguration(const KernelModel &K, const Launch &L,
                             LaunchVerdict &Verdict) {
  const auto add = [&](Phrase Reason, std::string_view Error) {
    if (!Reason.isEmpty())
      Verdict.Faults.push_back(launchFault(LaunchFault::Kind::Configuration,
                                           std::move(Reason), Error));
  };
  const Architecture &Arch = *K.Gpu.Arch;
  Phrase Grid = dimensionOutOfBounds(L, "grid", L.Grid,
                                     {Arch.GridX, Arch.GridY, Arch.GridZ});
  if (Grid.isEmpty())
    add(partialCluster(K, L), {});
  else
    add(std::move(Grid), InvalidConfiguration);
  Phrase Block = dimensionOutOfBounds(L, "block", L.Block,
                                      {Arch.BlockX, Arch.BlockY, Arch.BlockZ});
  // The threads are counted where each dimension is a possible one.
  if (Block.isEmpty())
    Block = tooManyThreads(K, L);
  const bool IsPromise = Block.Id == "over-launch-bounds";
  add(std::move(Block), IsPromise ? std::string_view() : InvalidConfiguration);
  if (L.DynamicSharedBytes && *L.DynamicSharedBytes < 0)
    // No double has all the digits of the size_t.
    add({"negative-shared-memory",
         "dynamic shared memory of {bytes} bytes is {as_size_t} as the size_t "
         "that a launch takes, which CUDA refuses (cudaErrorInvalidValue)",
         {{"bytes", *L.DynamicSharedBytes},
          {"as_size_t",
           std::to_string(static_cast<std::uint64_t>(*L.DynamicSharedBytes))}}},
        {});
  // Else it fails anyhow.
  if (Verdict.Faults.empty())
    add(tooManyToCooperate(K, L, Verdict), {});
}

/// What the launch asks for, in words that a limit follows.
static Phrase needOf(std::string Id, std::uint64_t Static,
                     std::uint64_t Dynamic) {
  Phrase Said{std::move(Id),
              "it asks for {bytes} bytes of shared memory",
              {{"bytes", Static + Dynamic}}};
  if (Static != 0)
    Said.append(", ", {"static",
                       "{static_bytes} of them static",
                       {{"static_bytes", Static}}});
  return Said;
}

/// The program raises the limit, but not enough or too late. Empty when it
/// does well, or what it does is not known.
static Phrase badRaise(const KernelModel &K, const Launch &L,
                       std::uint64_t Static, std::uint64_t Dynamic) {
  const SharedMemoryRaise &R = *L.Raised;
  if (R.IsLater)
    return needOf("raised-too-late", Static, Dynamic)
        .append(
            ", ",
            {"raised-too-late",
             "and {limit} are the limit until cudaFuncSetAttribute raises "
             "it, which it does only after this launch (line {line})",
             {{"limit", K.Gpu.Arch->SharedPerBlock}, {"line", R.Where.Line}}});
  if (R.Bytes >= 0 && static_cast<std::uint64_t>(R.Bytes) >= Dynamic)
    return {};
  return {"raised-too-little",
          "it asks for {bytes} bytes of dynamic shared memory, and "
          "cudaFuncSetAttribute (line {line}) allows {allowed}",
          {{"bytes", Dynamic}, {"line", R.Where.Line}, {"allowed", R.Bytes}}};
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
    return launchFault(
        SharedMemory,
        needOf("over-limit", Static, Dynamic)
            .append(", ", {"limit",
                           "the limit is {limit}",
                           {{"limit", Arch.SharedPerBlockOptIn}}}),
        InvalidValue);
  if (L.SharedMemoryOptIn) {
    Phrase Reason = L.Raised ? badRaise(K, L, Static, Dynamic) : Phrase();
    if (Reason.isEmpty())
      return std::nullopt;
    return launchFault(
        SharedMemory, std::move(Reason), InvalidValue,
        L.Raised->MayBeMore
            ? "the functions that are called and have no body in "
              "any file do not raise the limit"
            : "");
  }
  return launchFault(
      SharedMemory,
      needOf("not-raised", Static, Dynamic)
          .append(", ",
                  {"limit",
                   "the limit is {limit} unless cudaFuncSetAttribute raises "
                   "cudaFuncAttributeMaxDynamicSharedMemorySize for it (up to "
                   "{opt_in})",
                   {{"limit", Arch.SharedPerBlock},
                    {"opt_in", Arch.SharedPerBlockOptIn}}}),
      InvalidValue,
      "the shared memory limit of the kernel is not raised elsewhere");
}

/// A block that fits no SM. What is not known can only ask for more.
static void addUnfit(const Architecture &Arch, LaunchVerdict &Verdict) {
  using enum LaunchFault::Kind;
  const std::optional<LaunchFit> &Most = Verdict.AtMost;
  if (!Most || Most->OnSM.Failure == LaunchFailure::None)
    return;
  std::string Words = failureInWords(Arch, Most->Demand, Most->OnSM);
  for (LaunchFault &Each : Verdict.Faults)
    // The same fault twice: these words say what would run.
    if ((Most->OnSM.Failure == LaunchFailure::TooManyThreads &&
         Each.What == Configuration && isOfBlock(Each.Reason)) ||
        (Most->OnSM.Failure == LaunchFailure::SharedPerBlock &&
         Each.What == SharedMemory)) {
      Each.InFull = std::move(Words);
      return;
    }
  Phrase Reason = {"fits-no-sm", Words, {}};
  Verdict.Faults.push_back(
      {Resources, std::move(Reason), {}, std::move(Words)});
}

//===----------------------------------------------------------------------===//
// What is not known
//===----------------------------------------------------------------------===//

/// The most registers that the compiler gives a thread of the kernel: bounds of
/// its own go before -maxrregcount.
static std::uint64_t mostRegisters(const KernelModel &K) {
  const Architecture &Arch = *K.Gpu.Arch;
  const bool HasBounds = !launchBoundsOf(K.Declaration).empty();
  const std::optional<std::uint64_t> Most =
      HasBounds ? boundedRegisters(Arch, K.Declaration) : K.MaxRegisters;
  return std::min<std::uint64_t>(Most.value_or(Arch.RegistersPerThread),
                                 Arch.RegistersPerThread);
}

/// Whether a block that fits with no registers at all may have too many.
static bool mayLackRegisters(const KernelModel &K, const LaunchFit &Least) {
  BlockDemand Demand = Least.Demand;
  Demand.Registers = mostRegisters(K);
  return occupancy(*K.Gpu.Arch, Demand).Failure != LaunchFailure::None;
}

/// Of a launch that fails for nothing that is known.
static std::vector<Phrase> notKnownOf(const KernelModel &K, const Launch &L,
                                      const LaunchVerdict &Verdict) {
  std::vector<Phrase> Result;
  const auto add = [&](bool IsMissing, const char *Id, const char *Text) {
    if (IsMissing)
      Result.push_back({Id, Text, {}});
  };
  add(!sizeOf(L.Block), "block-not-known", "its block is not known");
  add((!K.Resources || !K.Resources->Registers) && Verdict.AtMost &&
          mayLackRegisters(K, *Verdict.AtMost),
      "registers-not-known", "its registers are not known");
  add(!L.DynamicSharedBytes &&
          (K.UsesDynamicShared || L.Source == LaunchSource::Launch),
      "dynamic-shared-not-known", "its dynamic shared memory is not known");
  // What does not fit by itself does not compile.
  const std::int64_t Dynamic = L.DynamicSharedBytes.value_or(0);
  const std::uint64_t Bytes =
      K.staticShared().value_or(0) + static_cast<std::uint64_t>(Dynamic);
  add(!K.staticShared() && Dynamic > 0, "static-shared-not-known",
      "its static shared memory is not known");
  add(L.SharedMemoryOptIn && !L.Raised && Dynamic > 0 &&
          Bytes > K.Gpu.Arch->SharedPerBlock,
      "raise-not-known",
      "how much shared memory the program allows it is not known");
  add(L.Cooperative && (!K.Gpu.SMs || !Verdict.Fit || !Verdict.Fit->Grid),
      "residency-not-known",
      "whether all blocks of a cooperative launch are resident at once is not "
      "known");
  return Result;
}

//===----------------------------------------------------------------------===//
// Verdict
//===----------------------------------------------------------------------===//

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
  if (!isLaunched(L.Source)) {
    Verdict.NotKnown = {
        {"shape-assumed", "that it is launched so is assumed", {}}};
    return Verdict;
  }
  addConfiguration(K, L, Verdict);
  if (std::optional<LaunchFault> Fault = sharedMemoryFault(K, L))
    Verdict.Faults.push_back(std::move(*Fault));
  addUnfit(*K.Gpu.Arch, Verdict);
  if (Verdict.Faults.empty())
    Verdict.NotKnown = notKnownOf(K, L, Verdict);
  return Verdict;
}

} // namespace cudalint
