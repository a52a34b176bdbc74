//===- report/JsonReader.cpp - Reads cuda-lint/1 --------------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/JsonReader.h"

#include "report/JsonReads.h"
#include "report/Names.h"

#include <fmt/format.h>
#include <string_view>
#include <unordered_map>

namespace cudalint {

static constexpr TrafficUnit Units[] = {
    TrafficUnit::Sectors, TrafficUnit::Wavefronts, TrafficUnit::Addresses};
static constexpr Resource Resources[] = {
    Resource::Issue,  Resource::Half, Resource::Float, Resource::Double,
    Resource::Shared, Resource::L1,   Resource::L2,    Resource::Dram};
static constexpr ErrorKind ErrorKinds[] = {ErrorKind::Source, ErrorKind::Parse,
                                           ErrorKind::Evaluation};
static constexpr UnknownCause UnknownCauses[] = {
    UnknownCause::LoadedData,    UnknownCause::LoadedLanes,
    UnknownCause::SharedWrites,  UnknownCause::PrivateArray,
    UnknownCause::LoopBound,     UnknownCause::PointerMerge,
    UnknownCause::RunTimeValue,  UnknownCause::Blocks,
    UnknownCause::OtherBlock,    UnknownCause::UnseenCode,
    UnknownCause::FloatingPoint, UnknownCause::AtomicLoop,
    UnknownCause::ConstantSpace, UnknownCause::Unmatched,
    UnknownCause::NotModelled};
static constexpr UnitStatus Statuses[] = {UnitStatus::Ok, UnitStatus::Partial,
                                          UnitStatus::Failed};
static constexpr Silencer Silencers[] = {Silencer::Comment, Silencer::Baseline};

static Extent readExtent(const Cursor &In) {
  return {In.item(0, 3).integerOrNull(), In.item(1, 3).integerOrNull(),
          In.item(2, 3).integerOrNull()};
}

static ErrorRecord readError(const Cursor &In) {
  ErrorRecord Out = {.Where = readPlace(In), .Message = In["message"].text()};
  if (Cursor Kind = In["kind"]; !Kind.isNull())
    Out.Kind = Kind.word(ErrorKinds);
  return Out;
}

static std::optional<ResourceRecord> readResources(const Cursor &In) {
  if (In.isNull())
    return std::nullopt;
  return ResourceRecord{.Registers = In["registers"].countOrNull(),
                        .SharedBytes = In["shared_bytes"].countOrNull(),
                        .LocalBytes = In["local_bytes"].countOrNull(),
                        .SpillStores = In["spill_stores"].countOrNull(),
                        .SpillLoads = In["spill_loads"].countOrNull(),
                        .Barriers = In["barriers"].countOrNull(),
                        .Source = In["source"].textOrNull()};
}

static OccupancyLimits readLimits(const Cursor &In) {
  if (In.isNull())
    return {};
  return {.Warps = In["warps"].countOrNull<unsigned>(),
          .Blocks = In["blocks"].countOrNull<unsigned>(),
          .Registers = In["registers"].countOrNull<unsigned>(),
          .Shared = In["shared"].countOrNull<unsigned>(),
          .Barriers = In["barriers"].countOrNull<unsigned>()};
}

static CliffRecord readCliff(const Cursor &In) {
  return {.Quantity = In["quantity"].text(),
          .Value = In["value"].count(),
          .BlocksPerSM = In["blocks_per_sm"].count<unsigned>(),
          .WarpsPerSM = In["warps_per_sm"].count<unsigned>(),
          .Ratio = In["ratio"].figure()};
}

static std::optional<OccupancyRecord> readOccupancy(const Cursor &In) {
  if (In.isNull())
    return std::nullopt;
  return OccupancyRecord{
      .BlocksPerSM = In["blocks_per_sm"].countOrNull<unsigned>(),
      .WarpsPerSM = In["warps_per_sm"].countOrNull<unsigned>(),
      .Ratio = In["ratio"].figureOrNull(),
      .Limiter = In["limiter"].textOrNull(),
      .Limits = readLimits(In["limits"]),
      .Waves = In["waves"].figureOrNull(),
      .Rounds = In["rounds"].countOrNull(),
      .TailWaste = In["tail_waste"].figureOrNull(),
      .Next = In["next"].allOrNull(readCliff)};
}

/// Earlier versions wrote none.
static std::optional<LaunchVerdictRecord> readVerdict(const Cursor &In) {
  if (In.isNull())
    return std::nullopt;
  return LaunchVerdictRecord{.State = In["state"].word(LaunchStates),
                             .Why = In["why"].all([](const Cursor &Each) {
                               return LaunchReason{
                                   .Id = Each["id"].text(),
                                   .Text = Each["text"].text(),
                                   .Assumption = Each["assumes"].textOrNull()};
                             })};
}

static LaunchRecord readLaunch(const Cursor &In) {
  return {.Where = readPlace(In),
          .Grid = readExtent(In["grid"]),
          .Block = readExtent(In["block"]),
          .DynamicSharedBytes = In["dynamic_shared_bytes"].integerOrNull(),
          .Source = In["source"].word(LaunchSources),
          .Occupancy = readOccupancy(In["occupancy"]),
          .SharedMemoryOptIn = !In["shared_memory_opt_in"].isNull() &&
                               In["shared_memory_opt_in"].flag(),
          .Verdict = readVerdict(In["verdict"])};
}

/// Of one request: 32 lanes with 16 bytes each do not come near it.
static std::optional<double> readCost(const Cursor &In) {
  constexpr double Most = 1024;
  std::optional<double> Cost = In.figureOrNull();
  if (Cost && *Cost > Most)
    In.fail("is more than a request can cost (1024)");
  return Cost;
}

static std::optional<ExpectationRecord> readExpectation(const Cursor &In) {
  if (In.isNull())
    return std::nullopt;
  return ExpectationRecord{.IsExact = In["method"].text() == "computed",
                           .StandardError = In["standard_error"].figure(),
                           .IfEqual = readCost(In["if_equal"]).value_or(0)};
}

static PowerCost readPowerCost(const Cursor &In) {
  return {.Power = In["power"].integer(),
          .PerRequest = readCost(In["per_request"]).value_or(0),
          .Ideal = readCost(In["ideal"]).value_or(0),
          .Lanes = In["lanes"].figure()};
}

static std::optional<CostByPower> readByPower(const Cursor &In) {
  if (In.isNull())
    return std::nullopt;
  return CostByPower{.Symbol = In["symbol"].text(),
                     .Assumptions = readTexts(In["assumptions"]),
                     .Values = In["values"].all(readPowerCost)};
}

static std::optional<UnknownReason> readUnknown(const Cursor &In) {
  if (In.isNull())
    return std::nullopt;
  UnknownReason Out{.What = In["what"].text(), .Where = readPlace(In)};
  // Other versions have others.
  const std::string Cause = In["cause"].text();
  for (const UnknownCause Each : UnknownCauses)
    if (nameOf(Each) == Cause)
      Out.Cause = Each;
  return Out;
}

/// Of its loops, only how many there are.
static std::optional<MachineInstruction> readCompiled(const Cursor &In) {
  // More than any kernel has.
  constexpr std::size_t MostLoops = 1000;
  if (In.isNull())
    return std::nullopt;
  MachineInstruction Out;
  Out.Name = In["opcode"].text();
  Out.Bytes = In["bytes"].count<unsigned>();
  Out.Offset = In["offset"].count();
  Out.Predicated = !In["predicated"].isNull() && In["predicated"].flag();
  const std::uint64_t Depth = In["loop_depth"].countOrNull().value_or(0);
  if (Depth > MostLoops)
    In["loop_depth"].fail("is more than 1000");
  Out.Loops.resize(Depth);
  return Out;
}

static AccessRecord readAccess(const Cursor &In) {
  AccessRecord Out = {.Where = readPlace(In),
                      .Space = In["space"].word(MemorySpaces),
                      .Op = In["op"].word(AccessOps),
                      .Bytes = In["bytes"].count<unsigned>(),
                      .Unit = In["unit"].word(Units),
                      .PerRequest = readCost(In["per_request"]),
                      .Ideal = readCost(In["ideal"]),
                      .Lanes = In["lanes"].figureOrNull(),
                      .Least = readCost(In["least"]),
                      .Most = readCost(In["most"]),
                      .Random = readExpectation(In["expectation"]),
                      .ByPower = readByPower(In["by_power"]),
                      .Trust = In["certainty"].word(Certainties),
                      .Assumptions = readTexts(In["assumptions"]),
                      .Unknown = readUnknown(In["unknown_because"]),
                      .Block = readBlock(In["block"]),
                      .Executions = In["executions"].figureOrNull(),
                      .WhyNotCounted = In["not_counted_because"].textOrNull(),
                      .LoopDepth = In["loop_depth"].count<unsigned>(),
                      .InlinedAt = In["inlined_at"].all(readPlace),
                      .Compiled = readCompiled(In["compiled"])};
  if (Cursor Written = In["written"]; !Written.isNull())
    Out.Written = readPlace(Written);
  return Out;
}

static SpaceTotals readSpaceTotals(const Cursor &In) {
  const Cursor Warp = In["per_warp"];
  return {.Space = In["space"].word(MemorySpaces),
          .Unit = In["unit"].word(Units),
          .Requests = Warp["requests"].figureOrNull(),
          .Traffic = Warp["traffic"].figureOrNull(),
          .Ideal = Warp["ideal"].figureOrNull(),
          .Bytes = Warp["bytes"].figureOrNull(),
          .Trust = In["certainty"].word(Certainties),
          .WhyNotKnown = In["not_known_because"].textOrNull()};
}

static DistinctBytes readDistinct(const Cursor &In) {
  return {.Requested = In["requested"].figureOrNull(),
          .Bytes = In["distinct"].figureOrNull(),
          .Sectors = In["sectors"].figureOrNull(),
          .WhyNotKnown = In["not_known_because"].textOrNull()};
}

static ArrayFootprint readArray(const Cursor &In) {
  return {.Name = In["name"].textOrNull(),
          .Op = In["op"].word(AccessOps),
          .Bytes = In["distinct"].figure(),
          .Sectors = In["sectors"].figureOrNull()};
}

static std::optional<BlockFootprint> readFootprint(const Cursor &In) {
  if (In.isNull())
    return std::nullopt;
  return BlockFootprint{.Loads = readDistinct(In["loads"]),
                        .Stores = readDistinct(In["stores"]),
                        .Arrays = In["arrays"].all(readArray),
                        .Assumptions = readTexts(In["assumptions"])};
}

static ResourceBound readBound(const Cursor &In) {
  return {.What = In["resource"].word(Resources),
          .Clocks = In["clocks_per_warp"].figure()};
}

static WarpTotals readTotals(const Cursor &In) {
  WarpTotals Out = {.Block = readBlock(In["block"]),
                    .Grid = readExtent(In["grid"]),
                    .Warps = In["warps"].figureOrNull(),
                    .Spaces = In["memory"].all(readSpaceTotals),
                    .WhyNotCounted =
                        In["operations"]["not_known_because"].textOrNull(),
                    .Footprint = readFootprint(In["footprint"]),
                    .Bounds = In["bounds"].allOrNull(readBound)};
  // A cursor names the one that it comes from when it complains.
  const Cursor Operations = In["operations"];
  if (const Cursor Warp = Operations["per_warp"]; !Warp.isNull())
    Out.Operations = OperationCount{.Half = Warp["half"].figure(),
                                    .Float = Warp["float"].figure(),
                                    .Double = Warp["double"].figure()};
  return Out;
}

static RemovedAccess readRemoved(const Cursor &In) {
  return {.Where = readPlace(In),
          .Space = In["space"].word(MemorySpaces),
          .Op = In["op"].word(AccessOps),
          .Bytes = In["bytes"].count<unsigned>(),
          .Why = In["why"].textOrNull(),
          .InlinedAt = In["inlined_at"].allOrNull(readPlace)};
}

static KernelRecord readKernel(const Cursor &In) {
  return {.Name = In["name"].text(),
          .Signature = In["signature"].textOrNull(),
          .Template = In["template"].textOrNull(),
          .TemplateArguments = In["template_arguments"].allOrNull(
              [](const Cursor &Each) { return Each.text(); }),
          .Where = readPlace(In),
          .Resources = readResources(In["resources"]),
          .StaticSharedBytes = In["static_shared_bytes"].countOrNull(),
          .Launches = In["launches"].all(readLaunch),
          .Accesses = In["accesses"].all(readAccess),
          .Removed = In["removed"].allOrNull(readRemoved),
          .Totals = In["totals"].allOrNull(readTotals)};
}

static SilencedFinding readSilenced(const Cursor &In) {
  return {.What = readFinding(In["finding"]),
          .By = In["by"].word(Silencers),
          .Where = readPlace(In["where"])};
}

static SourceRecord readSource(const Cursor &In) {
  return {.File = In["file"].text(),
          .Bytes = In["bytes"].count(),
          .Xxh3 = In["xxh3"].text()};
}

static UnitRecord readUnit(const Cursor &In) {
  UnitRecord Out = {.File = In["file"].text(),
                    .Status = In["status"].word(Statuses),
                    .Errors = In["errors"].all(readError),
                    .Notes = In["notes"].allOrNull(readError),
                    .Sources = In["sources"].allOrNull(readSource),
                    .Kernels = In["kernels"].all(readKernel),
                    .Findings = In["findings"].all(readFinding),
                    .Silenced = In["silenced"].allOrNull(readSilenced)};
  // Written once, with the kernel.
  std::unordered_map<std::string_view, std::string_view> Signatures;
  for (const KernelRecord &Kernel : Out.Kernels)
    Signatures.try_emplace(Kernel.Name, Kernel.Signature);
  const auto addSignature = [&](Finding &F) {
    if (auto Found = Signatures.find(F.Kernel); Found != Signatures.end())
      F.KernelSignature = Found->second;
  };
  std::ranges::for_each(Out.Findings, addSignature);
  std::ranges::for_each(Out.Silenced, addSignature, &SilencedFinding::What);
  return Out;
}

static SkippedCheck readSkipped(const Cursor &In) {
  return {.Name = In["check"].text(),
          .InPart = In["in_part"].flag(),
          .Why = In["why"].text()};
}

static Document readDocument(const Cursor &In) {
  std::string Schema = In["schema"].text();
  if (Schema.starts_with("cuda-lint-profile/"))
    In["schema"].fail("this is a profile, not predictions; predictions come "
                      "from cuda-lint --format=json");
  if (Schema != "cuda-lint/1")
    In["schema"].fail(fmt::format("is '{}'; this program reads 'cuda-lint/1'",
                                  Schema.substr(0, 40)));
  Cursor Target = In["target"];
  std::optional<int> SMs = Target["sms"].countOrNull<int>();
  return {
      .ToolVersion = In["tool"]["version"].text(),
      .Target = {.Name = Target["name"].text(),
                 .ComputeCapability = Target["compute_capability"].textOrNull(),
                 .SMs = SMs},
      .Units = In["units"].all(readUnit),
      .Rules = In["rules"].allOrNull(readRule),
      .Skipped = In["skipped"].allOrNull(readSkipped)};
}

DocumentsRead readDocuments(std::string_view Text) {
  DocumentsRead Out;
  try {
    nlohmann::json Root = parseJson(Text, ReportLimits);
    Cursor In(Root);
    if (In.isArray())
      Out.Documents = In.all(readDocument);
    else
      Out.Documents.push_back(readDocument(In));
  } catch (const JsonFault &Fault) {
    Out.Documents.clear();
    Out.Error = Fault.what();
  }
  return Out;
}

} // namespace cudalint
