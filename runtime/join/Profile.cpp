//===- runtime/join/Profile.cpp - Reads what the probe wrote --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/join/Profile.h"

#include "report/JsonCursor.h"
#include "report/Names.h"

#include <algorithm>
#include <fmt/format.h>

namespace cudalint {

using Cursor = JsonCursor;

bool Profile::hasTimes() const {
  return IsForTimes ||
         std::ranges::any_of(Launches, [](const ProfileLaunch &Each) {
           return Each.Duration.has_value();
         });
}

/// In profiles that do not say so themselves.
static bool isLossByKind(std::string_view Kind) {
  static constexpr std::string_view Kinds[] = {
      "code-not-found",          "counts-lost",      "cupti-error",
      "insufficient-privileges", "kernel-failed",    "no-cupti",
      "nothing-counted",         "other-profiler",   "unfinished",
      "unsupported-gpu",         "unsupported-setup"};
  return std::ranges::find(Kinds, Kind) != std::end(Kinds);
}

static ProfileProblem readProblem(const Cursor &In) {
  ProfileProblem Out = {.Kind = In["kind"].text(),
                        .Message = In["message"].text()};
  const std::string Severity = In["severity"].textOrNull();
  // A word of a later version may be worse than a note.
  Out.IsLoss = Severity.empty() ? isLossByKind(Out.Kind) : Severity != "note";
  return Out;
}

static ProfileDevice readDevice(const Cursor &In) {
  return {.Index = In["index"].count<unsigned>(),
          .Name = In["name"].textOrNull(),
          .Uuid = In["uuid"].textOrNull(),
          .ComputeCapability = In["compute_capability"].textOrNull(),
          .SMs = In["sms"].countOrNull<int>()};
}

static ProfileKernel readKernel(const Cursor &In) {
  return {.Kernel = In["kernel"].text(),
          .Device = In["device"].count<unsigned>(),
          .Launches = In["launches"].count(),
          .MeasuredLaunches = In["measured_launches"].count(),
          .HasLines = In["has_lines"].isNull() || In["has_lines"].flag(),
          .Threads = In["threads"].countOrNull().value_or(0),
          .MeasuredThreads = In["measured_threads"].countOrNull().value_or(0),
          .Uncounted = In["uncounted"].textOrNull()};
}

/// Space, operation and counts.
static ProfileLine readCounts(const Cursor &In) {
  return {.Space = In["space"].word(MemorySpaces),
          .Op = In["op"].word(AccessOps),
          .Instructions = In["instructions"].countOrNull(),
          .Requests = In["requests"].countOrNull(),
          .Lanes = In["lanes"].countOrNull(),
          .Sectors = In["sectors"].countOrNull(),
          .IdealSectors = In["ideal_sectors"].countOrNull(),
          .Wavefronts = In["wavefronts"].countOrNull(),
          .IdealWavefronts = In["ideal_wavefronts"].countOrNull()};
}

static ProfileLine readLine(const Cursor &In) {
  ProfileLine Out = readCounts(In);
  Out.Kernel = In["kernel"].text();
  Out.Device = In["device"].count<unsigned>();
  Out.File = In["file"].textOrNull();
  Out.Line = In["line"].place();
  return Out;
}

/// The number of a file, of which there are \p Files.
static std::uint32_t readFile(const Cursor &In, std::size_t Files) {
  auto Number = In.count<std::uint32_t>();
  if (Number >= Files)
    In.fail(fmt::format("is {}, and there are {} files", Number, Files));
  return Number;
}

static ProfileInstruction readInstruction(const Cursor &In, std::size_t Files) {
  ProfileInstruction Out = {
      .Offset = In["offset"].count(),
      .Opcode = In["opcode"].text(),
      .Bytes = In["bytes"].countOrNull<unsigned>().value_or(0),
      .Where = {},
      .Frames = In["frames"].allOrNull([&](const Cursor &Pair) {
        return ProfilePlace{readFile(Pair.item(0, 2), Files),
                            Pair.item(1, 2).count<unsigned>()};
      }),
      .Counts = readCounts(In)};
  if (!In["file"].isNull())
    Out.Where = {readFile(In["file"], Files), In["line"].place()};
  return Out;
}

static ProfileFunction readFunction(const Cursor &In, std::size_t Files) {
  return {.Kernel = In["kernel"].text(),
          .Device = In["device"].count<unsigned>(),
          .CallsOthers = In["calls_others"].flag(),
          .Instructions = In["instructions"].all([&](const Cursor &Each) {
            return readInstruction(Each, Files);
          })};
}

static Shape readShape(const Cursor &In) {
  Shape Out = {};
  for (std::size_t I = 0; I != 3; ++I)
    // More than any GPU can launch.
    Out[I] = In.item(I, 3).count<std::uint32_t>();
  return Out;
}

static std::optional<ProfileDuration> readDuration(const Cursor &In) {
  if (In.isNull())
    return std::nullopt;
  return ProfileDuration{.Min = In["min"].figure(),
                         .Median = In["median"].figure(),
                         .Max = In["max"].figure(),
                         .Samples = In["samples"].allOrNull(
                             [](const Cursor &Item) { return Item.figure(); })};
}

static ProfileUnit readUnit(const Cursor &In) {
  ProfileUnit Out = {.Space = In["space"].word(MemorySpaces),
                     .Op = {},
                     .Launches = In["launches"].count(),
                     .Amount = In["amount"].count()};
  if (In["op"].isNull())
    return Out;
  Out.IsReduction = In["op"].text() == "reduction";
  Out.Op = Out.IsReduction ? AccessOp::Atomic : In["op"].word(AccessOps);
  return Out;
}

static ProfileLaunch readLaunch(const Cursor &In) {
  return {.Kernel = In["kernel"].text(),
          .Device = In["device"].count<unsigned>(),
          .Grid = readShape(In["grid"]),
          .Block = readShape(In["block"]),
          .Registers = In["registers"].countOrNull(),
          .StaticShared = In["static_shared_bytes"].countOrNull(),
          .DynamicShared = In["dynamic_shared_bytes"].countOrNull(),
          .Local = In["local_bytes"].countOrNull(),
          .BlocksPerSM = In["blocks_per_sm"].countOrNull<unsigned>(),
          .ClusterBlocks = In["cluster_blocks"].countOrNull<unsigned>(),
          .Number = In["count"].count(),
          .Ranged = In["range_launches"].countOrNull().value_or(0),
          .Achieved = In["achieved_occupancy"].figureOrNull(),
          .DramBytes = In["dram_bytes"].countOrNull(),
          .L2Sectors = In["l2_sectors"].countOrNull(),
          .L2Share = In["l2_peak_share"].figureOrNull(),
          .Units = In["units"].allOrNull(readUnit),
          .Duration = readDuration(In["duration_ns"])};
}

static ProfileSampling readSampling(const Cursor &In) {
  return {.Device = In["device"].count<unsigned>(),
          .PeriodCycles = In["period_cycles"].countOrNull(),
          .Samples = In["samples"].count(),
          .Dropped = In["dropped_samples"].count(),
          .Others = In["other_samples"].count()};
}

/// \p Reasons: how many there are.
static ProfileStall readStall(const Cursor &In, std::size_t Reasons) {
  return {.Kernel = In["kernel"].text(),
          .Device = In["device"].count<unsigned>(),
          .File = In["file"].textOrNull(),
          .Line = In["line"].place(),
          .Reasons = In["reasons"].all([&](const Cursor &Row) {
            ProfileStallCount Out = {.Reason =
                                         Row.item(0, 3).count<std::uint32_t>(),
                                     .Samples = Row.item(1, 3).count(),
                                     .NotIssued = Row.item(2, 3).count()};
            if (Out.Reason >= Reasons)
              Row.item(0, 3).fail(fmt::format("is {}, and there are {} reasons",
                                              Out.Reason, Reasons));
            return Out;
          })};
}

//===----------------------------------------------------------------------===//
// What confirm wrote
//===----------------------------------------------------------------------===//

static constexpr const char *ResultSchema = "cuda-lint-confirm/1";

/// The sum over the accesses to one space; nothing when there were none.
static std::optional<ProfileLine> readTraffic(const Cursor &In,
                                              MemorySpace Space) {
  ProfileLine Out = {.Space = Space,
                     .Instructions = In["instructions"].countOrNull(),
                     .Requests = In["requests"].countOrNull(),
                     .Sectors = In["sectors"].countOrNull(),
                     .IdealSectors = In["ideal_sectors"].countOrNull(),
                     .Wavefronts = In["wavefronts"].countOrNull(),
                     .IdealWavefronts = In["ideal_wavefronts"].countOrNull()};
  if (!Out.Instructions && !Out.Requests && !Out.Sectors && !Out.Wavefronts)
    return std::nullopt;
  return Out;
}

static void readResultKernel(const Cursor &In, unsigned Device, Profile &Out) {
  ProfileKernel Kernel = {.Kernel = In["kernel"].text(),
                          .Device = Device,
                          .Launches = In["launches"].count(),
                          .MeasuredLaunches = In["measured_launches"].count(),
                          .HasLines = In["has_lines"].flag(),
                          .Threads = In["threads"].countOrNull().value_or(0),
                          .MeasuredThreads =
                              In["measured_threads"].countOrNull().value_or(0),
                          .Uncounted = In["uncounted"].textOrNull()};
  // It was predicted, and did not run.
  if (Kernel.Launches == 0)
    return;
  for (MemorySpace Space : {MemorySpace::Global, MemorySpace::Shared,
                            MemorySpace::Local, MemorySpace::Generic}) {
    std::string Name(nameOf(Space));
    auto Line = readTraffic(In["traffic"][Name.c_str()], Space);
    if (!Line)
      continue;
    Line->Kernel = Kernel.Kernel;
    Line->Device = Device;
    Out.Lines.push_back(std::move(*Line));
  }
  In["shapes"].each([&](const Cursor &Each) {
    Cursor Measured = Each["measured"];
    Out.Launches.push_back(
        {.Kernel = Kernel.Kernel,
         .Device = Device,
         .Grid = readShape(Each["grid"]),
         .Block = readShape(Each["block"]),
         .Registers = In["registers"]["measured"].countOrNull(),
         .DynamicShared = Each["dynamic_shared_bytes"].countOrNull(),
         .BlocksPerSM = Measured["blocks_per_sm"].countOrNull<unsigned>(),
         .Number = Each["count"].count(),
         .Ranged = Measured["range_launches"].countOrNull().value_or(0),
         .Achieved = Measured["achieved_occupancy"].figureOrNull(),
         .DramBytes = Measured["dram_bytes"].countOrNull(),
         .Duration = readDuration(Each["duration_ns"]),
         .Total = Each["total_ns"].figureOrNull()});
  });
  Out.Kernels.push_back(std::move(Kernel));
}

static Profile readResult(const Cursor &In) {
  Profile Out;
  Out.HasCounters = In["counters"].flag();
  Out.Problems = In["problems"].all(readProblem);
  unsigned Device = 0;
  In["gpus"].each([&](const Cursor &Gpu) {
    Out.Devices.push_back(
        {.Index = Device,
         .Name = Gpu["name"].textOrNull(),
         .Uuid = {},
         .ComputeCapability = Gpu["compute_capability"].textOrNull(),
         .SMs = Gpu["sms"].countOrNull<int>()});
    Gpu["kernels"].each(
        [&](const Cursor &Each) { readResultKernel(Each, Device, Out); });
    ++Device;
  });
  return Out;
}

static Profile readAll(const Cursor &In, bool TakesResults) {
  std::string Schema = In["schema"].text();
  if (Schema == ResultSchema && TakesResults)
    return readResult(In);
  if (Schema == ResultSchema)
    In["schema"].fail("this is a result of cuda-lint confirm, not a profile; "
                      "only --compare takes it");
  if (Schema == "cuda-lint/1")
    In["schema"].fail("these are predictions, not a profile; profiles come "
                      "from cuda-lint confirm --save-profile");
  if (Schema != "cuda-lint-profile/1")
    In["schema"].fail(fmt::format("is '{}'; this program reads "
                                  "'cuda-lint-profile/1'",
                                  Schema.substr(0, 40)));
  Profile Out;
  if (Cursor Process = In["process"]; !Process.isNull()) {
    Out.Command = Process["command"].allOrNull(
        [](const Cursor &Item) { return Item.text(); });
    Out.End = Process["end"].textOrNull();
    Out.Host = Process["host"].textOrNull();
    Out.Pid = Process["pid"].countOrNull<std::uint64_t>().value_or(0);
    Out.Rank = Process["rank"].countOrNull<unsigned>();
    Out.Ranks = Process["ranks"].countOrNull<unsigned>();
  }
  std::string Collects = In["collect"].textOrNull();
  Out.IsForTimes = Collects == "time";
  Out.IsExtra = Out.IsForTimes || Collects == "occupancy" ||
                Collects == "stalls" || Collects == "units";
  Out.Collects = Collects;
  Out.UnitPart = In["unit_part"].countOrNull<unsigned>().value_or(0);
  Out.UnitParts = In["unit_parts"].countOrNull<unsigned>().value_or(0);
  Out.HasCounters = In["counters"].text() != "none";
  Out.Problems = In["problems"].all(readProblem);
  Out.Devices = In["devices"].all(readDevice);
  Out.Kernels = In["kernels"].all(readKernel);
  Out.Lines = In["lines"].all(readLine);
  Out.Files =
      In["files"].allOrNull([](const Cursor &Item) { return Item.text(); });
  Out.Sources = In["sources"].allOrNull([&](const Cursor &Each) {
    return ProfileSource{.File = readFile(Each["file"], Out.Files.size()),
                         .Bytes = Each["bytes"].count(),
                         .Modified = Each["modified"].count()};
  });
  Out.Code = In["code"].allOrNull(
      [&](const Cursor &Each) { return readFunction(Each, Out.Files.size()); });
  Out.Launches = In["launches"].all(readLaunch);
  Out.Sampling = In["pc_sampling"].allOrNull(readSampling);
  Out.StallReasons = In["stall_reasons"].allOrNull(
      [](const Cursor &Item) { return Item.text(); });
  Out.Stalls = In["stalls"].allOrNull([&](const Cursor &Each) {
    return readStall(Each, Out.StallReasons.size());
  });
  return Out;
}

static ProfileRead read(std::string_view Text, bool TakesResults) {
  try {
    nlohmann::json Root = parseJson(Text);
    return {.Value = readAll(Cursor(Root), TakesResults), .Error = {}};
  } catch (const JsonFault &Fault) {
    return {.Value = {}, .Error = Fault.what()};
  }
}

ProfileRead readProfile(std::string_view Text) { return read(Text, false); }

ProfileRead readProfileOrResult(std::string_view Text) {
  return read(Text, true);
}

} // namespace cudalint
