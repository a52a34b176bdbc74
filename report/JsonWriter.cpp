//===- report/JsonWriter.cpp - The JSON format cuda-lint/1 ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/JsonWriter.h"

#include "report/JsonRecords.h"
#include "report/Names.h"
#include "report/WarpTotals.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace cudalint {

static Json toJson(const Extent &Dimensions) {
  Json Out = Json::array();
  for (const std::optional<std::int64_t> &Dimension : Dimensions)
    Out.push_back(orNull(Dimension));
  return Out;
}

//===----------------------------------------------------------------------===//
// Records that stand on one line
//===----------------------------------------------------------------------===//

static Json toJson(const TargetRecord &Target) {
  return {{"name", Target.Name},
          {"compute_capability", orNull(Target.ComputeCapability)},
          {"sms", orNull(Target.SMs)}};
}

static Json toJson(const ErrorRecord &Error) {
  return {{"file", orNull(Error.Where.File)},
          {"line", placeOrNull(Error.Where.Line)},
          {"column", placeOrNull(Error.Where.Column)},
          {"message", Error.Message},
          {"kind", nameOf(Error.Kind)}};
}

static Json toJson(const SourceRecord &Each) {
  return {{"file", Each.File}, {"bytes", Each.Bytes}, {"xxh3", Each.Xxh3}};
}

static Json toJson(const ResourceRecord &R) {
  return {{"registers", orNull(R.Registers)},
          {"shared_bytes", orNull(R.SharedBytes)},
          {"local_bytes", orNull(R.LocalBytes)},
          {"spill_stores", orNull(R.SpillStores)},
          {"spill_loads", orNull(R.SpillLoads)},
          {"barriers", orNull(R.Barriers)},
          {"source", orNull(R.Source)}};
}

static Json toJson(const OccupancyRecord &O) {
  Json Next = Json::array();
  for (const CliffRecord &Each : O.Next)
    Next.push_back({{"quantity", Each.Quantity},
                    {"value", Each.Value},
                    {"blocks_per_sm", Each.BlocksPerSM},
                    {"warps_per_sm", Each.WarpsPerSM},
                    {"ratio", Each.Ratio}});
  return {{"blocks_per_sm", orNull(O.BlocksPerSM)},
          {"warps_per_sm", orNull(O.WarpsPerSM)},
          {"ratio", orNull(O.Ratio)},
          {"limiter", orNull(O.Limiter)},
          {"limits",
           {{"warps", orNull(O.Limits.Warps)},
            {"blocks", orNull(O.Limits.Blocks)},
            {"registers", orNull(O.Limits.Registers)},
            {"shared", orNull(O.Limits.Shared)},
            {"barriers", orNull(O.Limits.Barriers)}}},
          {"waves", orNull(O.Waves)},
          {"rounds", orNull(O.Rounds)},
          {"tail_waste", orNull(O.TailWaste)},
          {"next", std::move(Next)}};
}

Json toJson(const std::optional<LaunchVerdictRecord> &Verdict) {
  if (!Verdict)
    return {};
  Json Why = Json::array();
  for (const LaunchReason &Each : Verdict->Why)
    Why.push_back({{"id", Each.Id},
                   {"text", Each.Text},
                   {"assumes", orNull(Each.Assumption)}});
  return {{"state", nameOf(Verdict->State)}, {"why", std::move(Why)}};
}

static Json toJson(const LaunchRecord &L) {
  return {{"file", orNull(L.Where.File)},
          {"line", placeOrNull(L.Where.Line)},
          {"column", placeOrNull(L.Where.Column)},
          {"grid", toJson(L.Grid)},
          {"block", toJson(L.Block)},
          {"dynamic_shared_bytes", orNull(L.DynamicSharedBytes)},
          {"shared_memory_opt_in", L.SharedMemoryOptIn},
          {"source", nameOf(L.Source)},
          {"occupancy", L.Occupancy ? toJson(*L.Occupancy) : Json()},
          {"verdict", toJson(L.Verdict)}};
}

static Json toJson(const std::optional<MachineInstruction> &I) {
  if (!I)
    return {};
  return {{"opcode", I->Name},
          {"bytes", I->Bytes},
          {"offset", I->Offset},
          {"predicated", I->Predicated},
          {"loop_depth", I->Loops.size()}};
}

static Json toJson(const std::optional<UnknownReason> &U) {
  if (!U)
    return {};
  return {{"cause", nameOf(U->Cause)},
          {"what", U->What},
          {"file", orNull(U->Where.File)},
          {"line", placeOrNull(U->Where.Line)},
          {"column", placeOrNull(U->Where.Column)}};
}

static Json toJson(const std::optional<ExpectationRecord> &X) {
  if (!X)
    return {};
  return {{"method", X->IsExact ? "computed" : "drawn"},
          {"standard_error", X->StandardError},
          {"if_equal", X->IfEqual}};
}

static Json toJson(const std::optional<CostByPower> &By) {
  if (!By)
    return {};
  Json Values = Json::array();
  for (const PowerCost &Each : By->Values)
    Values.push_back({{"power", Each.Power},
                      {"per_request", Each.PerRequest},
                      {"ideal", Each.Ideal},
                      {"lanes", Each.Lanes}});
  return {{"symbol", By->Symbol},
          {"assumptions", By->Assumptions},
          {"values", Values}};
}

static Json toJson(const AccessRecord &A) {
  bool Known = A.Trust != Certainty::Unknown;
  return {{"file", orNull(A.Where.File)},
          {"line", placeOrNull(A.Where.Line)},
          {"column", placeOrNull(A.Where.Column)},
          {"space", nameOf(A.Space)},
          {"op", nameOf(A.Op)},
          {"bytes", A.Bytes},
          {"unit", nameOf(A.Unit)},
          {"per_request", Known ? orNull(A.PerRequest) : Json()},
          {"ideal", Known ? orNull(A.Ideal) : Json()},
          {"least", orNull(A.Least)},
          {"most", orNull(A.Most)},
          {"expectation", toJson(A.Random)},
          {"by_power", toJson(A.ByPower)},
          {"lanes", orNull(A.Lanes)},
          {"executions", orNull(A.Executions)},
          {"not_counted_because", orNull(A.WhyNotCounted)},
          {"certainty", nameOf(A.Trust)},
          {"assumptions", A.Assumptions},
          {"unknown_because", toJson(A.Unknown)},
          {"block", A.Block},
          {"loop_depth", A.LoopDepth},
          {"inlined_at", callSites(A.InlinedAt)},
          {"compiled", toJson(A.Compiled)},
          {"written", A.Written ? toJson(*A.Written) : Json()}};
}

static Json toJson(const RemovedAccess &A) {
  return {{"file", orNull(A.Where.File)},
          {"line", placeOrNull(A.Where.Line)},
          {"column", placeOrNull(A.Where.Column)},
          {"space", nameOf(A.Space)},
          {"op", nameOf(A.Op)},
          {"bytes", A.Bytes},
          {"why", A.Why},
          {"inlined_at", callSites(A.InlinedAt)}};
}

/// A figure of one warp as that of so many.
static Json times(const std::optional<double> &Figure, double Warps) {
  return orNull(Figure ? std::optional(*Figure * Warps) : std::nullopt);
}

static Json toJson(const OperationCount &C, double Warps) {
  return {{"half", C.Half * Warps},
          {"float", C.Float * Warps},
          {"double", C.Double * Warps}};
}

static Json figuresOf(const SpaceTotals &S, double Warps) {
  return {{"requests", times(S.Requests, Warps)},
          {"traffic", times(S.Traffic, Warps)},
          {"ideal", times(S.Ideal, Warps)},
          {"bytes", times(S.Bytes, Warps)}};
}

static Json toJson(const DistinctBytes &D) {
  return {{"requested", orNull(D.Requested)},
          {"distinct", orNull(D.Bytes)},
          {"sectors", orNull(D.Sectors)},
          {"not_known_because", orNull(D.WhyNotKnown)}};
}

static Json toJson(const std::optional<BlockFootprint> &F) {
  if (!F)
    return nullptr;
  Json Arrays = Json::array();
  for (const ArrayFootprint &Each : F->Arrays)
    Arrays.push_back({{"name", orNull(Each.Name)},
                      {"op", nameOf(Each.Op)},
                      {"distinct", Each.Bytes},
                      {"sectors", orNull(Each.Sectors)}});
  return {{"loads", toJson(F->Loads)},
          {"stores", toJson(F->Stores)},
          {"arrays", std::move(Arrays)},
          {"assumptions", F->Assumptions}};
}

static Json toJson(const WarpTotals &T) {
  Json Spaces = Json::array();
  for (const SpaceTotals &S : T.Spaces)
    Spaces.push_back(
        {{"space", nameOf(S.Space)},
         {"unit", nameOf(S.Unit)},
         {"certainty", nameOf(S.Trust)},
         {"not_known_because", orNull(S.WhyNotKnown)},
         {"per_warp", figuresOf(S, 1)},
         {"per_launch", T.Warps ? figuresOf(S, *T.Warps) : Json()}});
  Json Operations = {{"not_known_because", orNull(T.WhyNotCounted)},
                     {"per_warp", nullptr},
                     {"per_launch", nullptr}};
  if (T.Operations) {
    Operations["per_warp"] = toJson(*T.Operations, 1);
    if (T.Warps)
      Operations["per_launch"] = toJson(*T.Operations, *T.Warps);
  }
  Json Bounds = Json::array();
  for (const ResourceBound &Each : T.Bounds)
    Bounds.push_back(
        {{"resource", nameOf(Each.What)}, {"clocks_per_warp", Each.Clocks}});
  return {{"block", T.Block},
          {"grid", toJson(T.Grid)},
          {"warps", orNull(T.Warps)},
          {"memory", std::move(Spaces)},
          {"footprint", toJson(T.Footprint)},
          {"operations", std::move(Operations)},
          {"intensity", orNull(intensityOf(T))},
          {"bounds", std::move(Bounds)}};
}

static Json toJson(const SkippedCheck &Each) {
  return {{"check", Each.Name}, {"in_part", Each.InPart}, {"why", Each.Why}};
}

//===----------------------------------------------------------------------===//
// The layout around them
//===----------------------------------------------------------------------===//

namespace {
/// Appends JSON piece by piece. The records are never held as one tree: a
/// generated kernel may have a hundred thousand accesses.
class Layout {
public:
  void open(char Bracket) {
    Out += Bracket;
    Depth += 2;
    First = true;
  }

  void close(char Bracket) {
    Depth -= 2;
    if (!First)
      startLine();
    Out += Bracket;
    First = false;
  }

  /// Begins the next element of an array.
  void item() {
    if (!First)
      Out += ',';
    First = false;
    startLine();
  }

  /// Begins the next member of an object.
  void key(std::string_view Name) {
    item();
    Out += '"';
    Out += Name;
    Out += "\": ";
  }

  void value(const Json &Value) {
    Out += Value.dump(-1, ' ', false, Json::error_handler_t::replace);
  }

  void member(std::string_view Name, const Json &Value) {
    key(Name);
    value(Value);
  }

  /// A member that is an array of records, one to a line.
  template <typename T>
  void records(std::string_view Name, const std::vector<T> &Records) {
    key(Name);
    open('[');
    for (const T &Record : Records) {
      item();
      value(toJson(Record));
    }
    close(']');
  }

  std::string take() {
    Out += '\n';
    return std::move(Out);
  }

private:
  void startLine() {
    Out += '\n';
    Out.append(Depth, ' ');
  }

  std::string Out;
  std::size_t Depth = 0;
  bool First = true; ///< Nothing has been written since the last bracket.
};
} // namespace

static void write(Layout &Out, const KernelRecord &Kernel) {
  Out.open('{');
  Out.member("name", Kernel.Name);
  Out.member("signature", orNull(Kernel.Signature));
  Out.member("template", orNull(Kernel.Template));
  Out.member("template_arguments", Kernel.TemplateArguments);
  Out.member("file", orNull(Kernel.Where.File));
  Out.member("line", placeOrNull(Kernel.Where.Line));
  Out.member("resources",
             Kernel.Resources ? toJson(*Kernel.Resources) : Json());
  Out.member("static_shared_bytes", orNull(Kernel.StaticSharedBytes));
  Out.records("launches", Kernel.Launches);
  Out.records("accesses", Kernel.Accesses);
  Out.records("removed", Kernel.Removed);
  Out.records("totals", Kernel.Totals);
  Out.close('}');
}

static void write(Layout &Out, const UnitRecord &Unit) {
  Out.open('{');
  Out.member("file", Unit.File);
  Out.member("status", nameOf(Unit.Status));
  Out.records("errors", Unit.Errors);
  Out.records("notes", Unit.Notes);
  Out.records("sources", Unit.Sources);
  Out.key("kernels");
  Out.open('[');
  for (const KernelRecord &Kernel : Unit.Kernels) {
    Out.item();
    write(Out, Kernel);
  }
  Out.close(']');
  Out.records("findings", Unit.Findings);
  Out.records("silenced", Unit.Silenced);
  Out.close('}');
}

/// Of the checks that found something: the others are long and say nothing.
static std::vector<RuleRecord> rulesOfFindings(const Document &Doc) {
  std::set<std::string_view> Names;
  for (const UnitRecord &Unit : Doc.Units)
    for (const Finding &F : Unit.Findings)
      Names.insert(F.Check);
  for (const UnitRecord &Unit : Doc.Units)
    for (const SilencedFinding &Each : Unit.Silenced)
      Names.insert(Each.What.Check);
  std::vector<RuleRecord> Rules;
  std::ranges::copy_if(
      Doc.Rules, std::back_inserter(Rules),
      [&](const RuleRecord &Each) { return Names.contains(Each.Name); });
  return Rules;
}

static void write(Layout &Out, const Document &Doc) {
  Out.open('{');
  Out.member("schema", "cuda-lint/1");
  Out.member("tool", {{"name", "cuda-lint"}, {"version", Doc.ToolVersion}});
  Out.member("target", toJson(Doc.Target));
  Out.records("rules", rulesOfFindings(Doc));
  Out.records("skipped", Doc.Skipped);
  Out.key("units");
  Out.open('[');
  for (const UnitRecord &Unit : Doc.Units) {
    Out.item();
    write(Out, Unit);
  }
  Out.close(']');
  Out.close('}');
}

std::string unitToJson(const UnitRecord &Unit) {
  Layout Out;
  write(Out, Unit);
  return Out.take();
}

std::string toJson(std::span<const Document> Documents) {
  Layout Out;
  if (Documents.size() == 1) {
    write(Out, Documents.front());
    return Out.take();
  }
  Out.open('[');
  for (const Document &Doc : Documents) {
    Out.item();
    write(Out, Doc);
  }
  Out.close(']');
  return Out.take();
}

} // namespace cudalint
