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

#include <fmt/format.h>

namespace cudalint {

using Cursor = JsonCursor;

static constexpr MemorySpace Spaces[] = {
    MemorySpace::Global, MemorySpace::Shared, MemorySpace::Local,
    MemorySpace::Constant, MemorySpace::Generic};
static constexpr AccessOp Ops[] = {AccessOp::Load, AccessOp::Store,
                                   AccessOp::Atomic};

static ProfileProblem readProblem(const Cursor &In) {
  return {.Kind = In["kind"].text(), .Message = In["message"].text()};
}

static ProfileDevice readDevice(const Cursor &In) {
  return {.Index = In["index"].count<unsigned>(),
          .Name = In["name"].textOrNull(),
          .ComputeCapability = In["compute_capability"].textOrNull(),
          .SMs = In["sms"].countOrNull<int>()};
}

static ProfileKernel readKernel(const Cursor &In) {
  return {.Kernel = In["kernel"].text(),
          .Device = In["device"].count<unsigned>(),
          .Launches = In["launches"].count(),
          .MeasuredLaunches = In["measured_launches"].count(),
          .HasLines = In["has_lines"].isNull() || In["has_lines"].flag()};
}

static ProfileLine readLine(const Cursor &In) {
  return {.Kernel = In["kernel"].text(),
          .Device = In["device"].count<unsigned>(),
          .File = In["file"].textOrNull(),
          .Line = In["line"].place(),
          .Space = In["space"].word(Spaces),
          .Op = In["op"].word(Ops),
          .Instructions = In["instructions"].countOrNull(),
          .Requests = In["requests"].countOrNull(),
          .Lanes = In["lanes"].countOrNull(),
          .Sectors = In["sectors"].countOrNull(),
          .IdealSectors = In["ideal_sectors"].countOrNull(),
          .Wavefronts = In["wavefronts"].countOrNull(),
          .IdealWavefronts = In["ideal_wavefronts"].countOrNull()};
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
          .Number = In["count"].count(),
          .Ranged = In["range_launches"].countOrNull().value_or(0),
          .Achieved = In["achieved_occupancy"].figureOrNull(),
          .DramBytes = In["dram_bytes"].countOrNull(),
          .Duration = readDuration(In["duration_ns"])};
}

static Profile readAll(const Cursor &In) {
  std::string Schema = In["schema"].text();
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
  }
  std::string Collects = In["collect"].textOrNull();
  Out.IsExtra = Collects == "time" || Collects == "occupancy";
  Out.HasCounters = In["counters"].text() != "none";
  Out.Problems = In["problems"].all(readProblem);
  Out.Devices = In["devices"].all(readDevice);
  Out.Kernels = In["kernels"].all(readKernel);
  Out.Lines = In["lines"].all(readLine);
  Out.Launches = In["launches"].all(readLaunch);
  return Out;
}

ProfileRead readProfile(std::string_view Text) {
  try {
    nlohmann::json Root = parseJson(Text);
    return {.Value = readAll(Cursor(Root)), .Error = {}};
  } catch (const JsonFault &Fault) {
    return {.Value = {}, .Error = Fault.what()};
  }
}

} // namespace cudalint
