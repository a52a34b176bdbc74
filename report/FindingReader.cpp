//===- report/FindingReader.cpp - Reads findings of cuda-lint/1 -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hardware/WarpTransactions.h"
#include "report/JsonReads.h"
#include "report/Names.h"

namespace cudalint {

static constexpr AssumptionKind AssumptionKinds[] = {
    AssumptionKind::Model,     AssumptionKind::Compiler,
    AssumptionKind::Alignment, AssumptionKind::AnyOffset,
    AssumptionKind::LargeSize, AssumptionKind::RoundSize,
    AssumptionKind::Program};
static constexpr SubjectKind SubjectKinds[] = {
    SubjectKind::Kernel,  SubjectKind::Launch, SubjectKind::Load,
    SubjectKind::Store,   SubjectKind::Atomic, SubjectKind::Variable,
    SubjectKind::Literal, SubjectKind::Call};

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
    Out.Safety = Safety.word(FixSafeties);
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
          .Name = In["name"].textOrNull(),
          .Variable = In["variable"].textOrNull(),
          .Object = In["object"].textOrNull()};
}

/// In \p File.
static Location readEnd(const Cursor &In, const std::string &File) {
  if (In.isNull())
    return {};
  return {
      .File = File, .Line = In["line"].place(), .Column = In["column"].place()};
}

RuleRecord readRule(const Cursor &In) {
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

/// One for each lane of a warp.
static LaneAddresses readLanes(const Cursor &In) {
  LaneAddresses Out =
      In.all([](const Cursor &Each) { return Each.countOrNull(); });
  if (Out.size() != WarpSize)
    In.fail("has not one address for each of 32 lanes");
  return Out;
}

static std::optional<RequestExample> readRequest(const Cursor &In) {
  if (In.isNull()) // Or of an earlier version.
    return std::nullopt;
  RequestExample Out = {.Unit = In["unit"].text(),
                        .Bytes = In["bytes"].count<unsigned>(),
                        .Lanes = readLanes(In["addresses"]),
                        .Cost = In["cost"].count<unsigned>(),
                        .Ideal = In["ideal"].count<unsigned>(),
                        .LanesThen = {}};
  if (Cursor Then = In["then"]; !Then.isNull()) {
    Out.LanesThen = readLanes(Then["addresses"]);
    Out.CostThen = Then["cost"].count<unsigned>();
  }
  return Out;
}

static std::optional<Waste> readWaste(const Cursor &In) {
  if (In.isNull())
    return std::nullopt;
  return Waste{.Unit = In["unit"].text(),
               .PerWarp = In["per_warp"].figureOrNull(),
               .InAll = In["in_all"].figureOrNull(),
               .OfKernel = In["share_of_kernel"].figureOrNull(),
               .OfProgram = In["share_of_program"].figureOrNull(),
               .Estimate = In["estimate"].figureOrNull(),
               // Earlier versions do not say.
               .IsRough = !In["rough"].isMissing() && In["rough"].flag(),
               .IsMost = !In["at_most"].isMissing() && In["at_most"].flag()};
}

BlockShape readBlock(const Cursor &In) {
  BlockShape Out;
  for (std::size_t I = 0; I != Out.size(); ++I)
    Out[I] = In.item(I, Out.size()).integer();
  return Out;
}

static std::optional<BlockShape> readBlockOrNull(const Cursor &In) {
  return In.isNull() ? std::nullopt : std::optional(readBlock(In));
}

/// Earlier versions wrote the texts alone.
static std::vector<Assumption> readAssumptions(const Cursor &In) {
  if (Cursor Assumed = In["assumed"]; !Assumed.isNull())
    return Assumed.all([](const Cursor &Each) {
      return Assumption(Each["text"].text(), Each["kind"].word(AssumptionKinds),
                        Each["about"].textOrNull());
    });
  return In["assumptions"].all(
      [](const Cursor &Each) { return Assumption(Each.text()); });
}

Finding readFinding(const Cursor &In) {
  Finding Out = {.Check = In["check"].text(),
                 .Level = In["severity"].word(Severities),
                 .Where = readPlace(In),
                 .About = readSubject(In["subject"]),
                 .Kernel = In["kernel"].textOrNull(),
                 .What = readPhrase(In["what"]),
                 .Cause = readPhrase(In["cause"]),
                 .Remedy = readPhrase(In["remedy"]),
                 .Effect = readEffect(In["effect"]),
                 .Request = readRequest(In["request"]),
                 .Others = In["others"].countOrNull().value_or(0),
                 .Trust = In["certainty"].word(Certainties),
                 .Assumptions = readAssumptions(In),
                 .Executions = In["executions"].figureOrNull(),
                 .Block = readBlockOrNull(In["block"]),
                 .Wasted = readWaste(In["waste"]),
                 .Group = In["group"].countOrNull().value_or(0),
                 .Fixes = In["fixes"].all(readFix),
                 .InlinedAt = In["inlined_at"].allOrNull(readPlace),
                 .IncludedFrom = In["included_from"].allOrNull(readPlace),
                 .Macros = In["macros"].allOrNull(readMacro),
                 .Fingerprint = In["fingerprint"].textOrNull(),
                 .Occurrence = In["occurrence"].place()};
  Out.Meant = {readEnd(In["begin"], Out.Where.File),
               readEnd(In["end"], Out.Where.File)};
  if (const Cursor Measured = In["measured"]; !Measured.isMissing())
    Out.Measured = Measured.all([](const Cursor &Each) {
      return MeasuredVerdict{.Gpu = Each["gpu"].text(),
                             .Verdict = Each["verdict"].text(),
                             .PerRequest = Each["per_request"].figureOrNull()};
    });
  if (Out.What.isEmpty()) // Of an earlier version.
    Out.What = {"message", In["message"].text(), {}};
  if (Cursor Predicted = In["prediction"]; !Predicted.isNull())
    Out.Predicted = Prediction{.Metric = Predicted["metric"].text(),
                               .Value = Predicted["value"].figure(),
                               .Ideal = Predicted["ideal"].figureOrNull()};
  return Out;
}

} // namespace cudalint
