//===- report/JsonReader.cpp - Reads cuda-lint/1 --------------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/JsonReader.h"

#include "report/JsonCursor.h"
#include "report/Names.h"

#include <fmt/format.h>
#include <string_view>
#include <unordered_map>

namespace cudalint {

using Cursor = JsonCursor;

static constexpr MemorySpace Spaces[] = {
    MemorySpace::Global, MemorySpace::Shared, MemorySpace::Local,
    MemorySpace::Constant, MemorySpace::Generic};
static constexpr AccessOp Ops[] = {AccessOp::Load, AccessOp::Store,
                                   AccessOp::Atomic};
static constexpr TrafficUnit Units[] = {
    TrafficUnit::Sectors, TrafficUnit::Wavefronts, TrafficUnit::Addresses};
static constexpr Resource Resources[] = {
    Resource::Issue,  Resource::Half, Resource::Float, Resource::Double,
    Resource::Shared, Resource::L1,   Resource::L2,    Resource::Dram};
static constexpr Certainty Certainties[] = {
    Certainty::Exact, Certainty::Assumed, Certainty::Random,
    Certainty::Unknown};
static constexpr Severity Severities[] = {Severity::Note, Severity::Warning,
                                          Severity::Error};
static constexpr ErrorKind ErrorKinds[] = {ErrorKind::Source, ErrorKind::Parse,
                                           ErrorKind::Evaluation};
static constexpr FixSafety Safeties[] = {FixSafety::Safe, FixSafety::Rounding,
                                         FixSafety::Layout, FixSafety::Advice};
static constexpr SubjectKind SubjectKinds[] = {
    SubjectKind::Kernel,  SubjectKind::Launch, SubjectKind::Load,
    SubjectKind::Store,   SubjectKind::Atomic, SubjectKind::Variable,
    SubjectKind::Literal, SubjectKind::Call};
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

static Location readPlace(const Cursor &In) {
  return {.File = In["file"].textOrNull(),
          .Line = In["line"].place(),
          .Column = In["column"].place()};
}

static Extent readExtent(const Cursor &In) {
  return {In.item(0, 3).integerOrNull(), In.item(1, 3).integerOrNull(),
          In.item(2, 3).integerOrNull()};
}

static std::vector<std::string> readTexts(const Cursor &In) {
  return In.all([](const Cursor &Item) { return Item.text(); });
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

static LaunchRecord readLaunch(const Cursor &In) {
  return {.Where = readPlace(In),
          .Grid = readExtent(In["grid"]),
          .Block = readExtent(In["block"]),
          .DynamicSharedBytes = In["dynamic_shared_bytes"].integerOrNull(),
          .Source = In["source"].word(LaunchSources),
          .Occupancy = readOccupancy(In["occupancy"]),
          .SharedMemoryOptIn = !In["shared_memory_opt_in"].isNull() &&
                               In["shared_memory_opt_in"].flag()};
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
                      .Space = In["space"].word(Spaces),
                      .Op = In["op"].word(Ops),
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
                      .Executions = In["executions"].figureOrNull(),
                      .WhyNotCounted = In["not_counted_because"].textOrNull(),
                      .LoopDepth = In["loop_depth"].count<unsigned>(),
                      .InlinedAt = In["inlined_at"].all(readPlace),
                      .Compiled = readCompiled(In["compiled"])};
  if (Cursor Written = In["written"]; !Written.isNull())
    Out.Written = readPlace(Written);
  for (std::size_t I = 0; I != 3; ++I)
    Out.Block[I] = In["block"].item(I, 3).integer();
  return Out;
}

static SpaceTotals readSpaceTotals(const Cursor &In) {
  const Cursor Warp = In["per_warp"];
  return {.Space = In["space"].word(Spaces),
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
          .Op = In["op"].word(Ops),
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
  WarpTotals Out = {.Grid = readExtent(In["grid"]),
                    .Warps = In["warps"].figureOrNull(),
                    .Spaces = In["memory"].all(readSpaceTotals),
                    .WhyNotCounted =
                        In["operations"]["not_known_because"].textOrNull(),
                    .Footprint = readFootprint(In["footprint"]),
                    .Bounds = In["bounds"].allOrNull(readBound)};
  for (std::size_t I = 0; I != 3; ++I)
    Out.Block[I] = In["block"].item(I, 3).integer();
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
          .Space = In["space"].word(Spaces),
          .Op = In["op"].word(Ops),
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

static Edit readEdit(const Cursor &In) {
  return {.File = In["file"].text(),
          .Offset = In["offset"].count(),
          .Length = In["length"].count(),
          .Text = In["text"].text()};
}

/// Without a word about it, a fix is for somebody to look at.
static Fix readFix(const Cursor &In) {
  Fix Out = {.Description = In["description"].text(),
             .Safety = FixSafety::Layout,
             .Edits = In["edits"].all(readEdit)};
  if (Cursor Safety = In["safety"]; !Safety.isNull())
    Out.Safety = Safety.word(Safeties);
  return Out;
}

static Phrase readPhrase(const Cursor &In) {
  if (In.isNull())
    return {};
  Phrase Out = {.Id = In["id"].text(), .Text = In["text"].text(), .Values = {}};
  const Cursor Values = In["values"];
  Values.eachKey([&](const std::string &Name) {
    const Cursor Each = Values[Name.c_str()];
    if (Each.isNumber())
      Out.Values.emplace_back(Name, Each.figure());
    else
      Out.Values.emplace_back(Name, Each.text());
  });
  return Out;
}

static MacroUse readMacro(const Cursor &In) {
  return {.Name = In["name"].text(), .Where = readPlace(In)};
}

static Subject readSubject(const Cursor &In) {
  if (In.isNull()) // Of an earlier version.
    return {};
  return {.Kind = In["kind"].word(SubjectKinds),
          .Function = In["function"].textOrNull(),
          .Name = In["name"].textOrNull()};
}

/// In \p File.
static Location readEnd(const Cursor &In, const std::string &File) {
  if (In.isNull())
    return {};
  return {
      .File = File, .Line = In["line"].place(), .Column = In["column"].place()};
}

static RuleRecord readRule(const Cursor &In) {
  return {.Name = In["name"].text(),
          .Summary = In["summary"].text(),
          .Default = In["severity"].word(Severities),
          .Why = In["why"].text(),
          .Bad = In["bad"].text(),
          .Good = In["good"].text(),
          .Limits = In["limits"].text(),
          .Proof = In["proof"].text()};
}

static std::optional<RemedyEffect> readEffect(const Cursor &In) {
  if (In.isNull())
    return std::nullopt;
  return RemedyEffect{
      .Object = In["object"].textOrNull(),
      .Unit = In["unit"].text(),
      .Before = In["before"].figure(),
      .After = In["after"].figure(),
      .MoreSharedBytes = In["more_shared_bytes"].count(),
      .BlocksPerSMBefore = In["blocks_per_sm_before"].countOrNull(),
      .BlocksPerSMAfter = In["blocks_per_sm_after"].countOrNull()};
}

static Finding readFinding(const Cursor &In) {
  Finding Out = {.Check = In["check"].text(),
                 .Level = In["severity"].word(Severities),
                 .Where = readPlace(In),
                 .About = readSubject(In["subject"]),
                 .Kernel = In["kernel"].textOrNull(),
                 .What = readPhrase(In["what"]),
                 .Cause = readPhrase(In["cause"]),
                 .Remedy = readPhrase(In["remedy"]),
                 .Effect = readEffect(In["effect"]),
                 .Others = In["others"].countOrNull().value_or(0),
                 .Trust = In["certainty"].word(Certainties),
                 .Assumptions = readTexts(In["assumptions"]),
                 .Executions = In["executions"].figureOrNull(),
                 .Fixes = In["fixes"].all(readFix),
                 .InlinedAt = In["inlined_at"].allOrNull(readPlace),
                 .IncludedFrom = In["included_from"].allOrNull(readPlace),
                 .Macros = In["macros"].allOrNull(readMacro),
                 .Fingerprint = In["fingerprint"].textOrNull(),
                 .Occurrence = In["occurrence"].place()};
  Out.Meant = {readEnd(In["begin"], Out.Where.File),
               readEnd(In["end"], Out.Where.File)};
  if (Out.What.isEmpty()) // Of an earlier version.
    Out.What = {"message", In["message"].text(), {}};
  if (Cursor Predicted = In["prediction"]; !Predicted.isNull())
    Out.Predicted = Prediction{.Metric = Predicted["metric"].text(),
                               .Value = Predicted["value"].figure(),
                               .Ideal = Predicted["ideal"].figureOrNull()};
  return Out;
}

static UnitRecord readUnit(const Cursor &In) {
  UnitRecord Out = {.File = In["file"].text(),
                    .Status = In["status"].word(Statuses),
                    .Errors = In["errors"].all(readError),
                    .Notes = In["notes"].allOrNull(readError),
                    .Kernels = In["kernels"].all(readKernel),
                    .Findings = In["findings"].all(readFinding)};
  // Written once, with the kernel.
  std::unordered_map<std::string_view, std::string_view> Signatures;
  for (const KernelRecord &Kernel : Out.Kernels)
    Signatures.try_emplace(Kernel.Name, Kernel.Signature);
  for (Finding &F : Out.Findings)
    if (auto Found = Signatures.find(F.Kernel); Found != Signatures.end())
      F.KernelSignature = Found->second;
  return Out;
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
      .Rules = In["rules"].allOrNull(readRule)};
}

DocumentsRead readDocuments(std::string_view Text) {
  DocumentsRead Out;
  try {
    nlohmann::json Root = parseJson(Text);
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
