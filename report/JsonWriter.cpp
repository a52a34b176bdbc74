//===- report/JsonWriter.cpp - The JSON format cuda-lint/1 ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/JsonWriter.h"

#include "report/Names.h"
#include "report/WarpTotals.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <tuple>

using Json = nlohmann::ordered_json;

namespace cudalint {

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// A key that orders every double, NaN among them; comparing NaN with `<` would
/// break the sort.
static std::optional<std::int64_t> orderKey(std::optional<double> Value) {
  if (!Value)
    return std::nullopt;
  auto Bits = std::bit_cast<std::int64_t>(*Value);
  return Bits < 0 ? Bits ^ INT64_MAX : Bits;
}

static auto orderKey(const LaunchRecord &L) {
  return std::tie(L.Where, L.Grid, L.Block, L.DynamicSharedBytes, L.Source);
}

static auto orderKey(const AccessRecord &A) {
  return std::tuple_cat(
      std::tie(A.Where, A.Space, A.Op, A.Bytes, A.Block, A.LoopDepth,
               A.InlinedAt, A.Unit, A.Trust, A.Assumptions),
      std::tuple(orderKey(A.PerRequest), orderKey(A.Ideal), orderKey(A.Lanes)));
}

static auto orderKey(const Finding &F) {
  static const Prediction None;
  const Prediction &P = F.Predicted ? *F.Predicted : None;
  // Of two findings on one place, the graver comes first.
  auto Gravity = -static_cast<int>(F.Level);
  return std::tuple_cat(
      std::tie(F.Where), std::tuple(Gravity),
      std::tie(F.Check, F.Kernel, F.What, F.Cause, F.Remedy, F.InlinedAt,
               F.Trust, F.Assumptions, P.Metric),
      std::tuple(orderKey(P.Value), orderKey(P.Ideal)),
      std::tie(F.Fixes, F.LanePattern, F.Detail, F.KernelSignature));
}

static auto orderKey(const KernelRecord &K) {
  return std::tie(K.Where, K.Name, K.Signature);
}

static auto orderKey(const UnitRecord &U) { return std::tie(U.File); }

template <typename T> static void sortByKey(std::vector<T> &Records) {
  std::ranges::stable_sort(Records, [](const T &A, const T &B) {
    return orderKey(A) < orderKey(B);
  });
}

void sortDocument(Document &Doc) {
  for (UnitRecord &Unit : Doc.Units) {
    for (KernelRecord &Kernel : Unit.Kernels) {
      sortByKey(Kernel.Launches);
      sortByKey(Kernel.Accesses);
    }
    sortByKey(Unit.Kernels);
    sortByKey(Unit.Findings);
  }
  sortByKey(Doc.Units);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

template <typename T> static Json orNull(const std::optional<T> &Value) {
  return Value ? Json(*Value) : Json();
}

static Json orNull(const std::string &Text) {
  return Text.empty() ? Json() : Json(Text);
}

/// Lines and columns count from 1; 0 is unknown.
static Json placeOrNull(unsigned Number) {
  return Number ? Json(Number) : Json();
}

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

static Json toJson(const LaunchRecord &L) {
  return {{"file", orNull(L.Where.File)},
          {"line", placeOrNull(L.Where.Line)},
          {"grid", toJson(L.Grid)},
          {"block", toJson(L.Block)},
          {"dynamic_shared_bytes", orNull(L.DynamicSharedBytes)},
          {"shared_memory_opt_in", L.SharedMemoryOptIn},
          {"source", nameOf(L.Source)},
          {"occupancy", L.Occupancy ? toJson(*L.Occupancy) : Json()}};
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

static Json toJson(const Location &L) {
  return {{"file", orNull(L.File)},
          {"line", placeOrNull(L.Line)},
          {"column", placeOrNull(L.Column)}};
}

static Json toJson(const std::optional<UnknownReason> &U) {
  if (!U)
    return {};
  return {{"cause", nameOf(U->Cause)},
          {"what", U->What},
          {"file", orNull(U->Where.File)},
          {"line", placeOrNull(U->Where.Line)}};
}

static Json callSites(const std::vector<Location> &InlinedAt) {
  Json Sites = Json::array();
  for (const Location &Each : InlinedAt)
    Sites.push_back(
        {{"file", orNull(Each.File)}, {"line", placeOrNull(Each.Line)}});
  return Sites;
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

static Json toJson(const Fix &F) {
  Json Edits = Json::array();
  for (const Edit &E : F.Edits)
    Edits.push_back({{"file", E.File},
                     {"offset", E.Offset},
                     {"length", E.Length},
                     {"text", E.Text}});
  return {{"description", F.Description},
          {"safety", nameOf(F.Safety)},
          {"edits", std::move(Edits)}};
}

static Json toJson(const Phrase &Said) {
  if (Said.isEmpty())
    return nullptr;
  std::map<std::string, Json> Values; // By name, as readers have them.
  for (const NamedValue &Each : Said.Values)
    std::visit([&](const auto &Value) { Values[Each.Name] = Value; },
               Each.What);
  return {{"id", Said.Id}, {"text", Said.Text}, {"values", Json(Values)}};
}

/// Of a file that is known.
static Json toJsonPlace(const Location &L) {
  if (!L.Line)
    return nullptr;
  return {{"line", L.Line}, {"column", placeOrNull(L.Column)}};
}

static Json toJson(const std::vector<MacroUse> &Macros) {
  Json Out = Json::array();
  for (const MacroUse &Each : Macros)
    Out.push_back({{"name", Each.Name},
                   {"file", orNull(Each.Where.File)},
                   {"line", placeOrNull(Each.Where.Line)}});
  return Out;
}

static Json toJson(const RuleRecord &Rule) {
  return {{"name", Rule.Name},       {"severity", nameOf(Rule.Default)},
          {"summary", Rule.Summary}, {"why", Rule.Why},
          {"bad", Rule.Bad},         {"good", Rule.Good},
          {"limits", Rule.Limits},   {"proof", Rule.Proof}};
}

static Json toJson(const std::optional<Prediction> &P) {
  // A prediction without a number is none.
  if (!P || !std::isfinite(P->Value))
    return nullptr;
  return {
      {"metric", P->Metric}, {"value", P->Value}, {"ideal", orNull(P->Ideal)}};
}

static Json toJson(const std::optional<RemedyEffect> &E) {
  if (!E)
    return nullptr;
  return {{"object", orNull(E->Object)},
          {"unit", E->Unit},
          {"before", E->Before},
          {"after", E->After},
          {"more_shared_bytes", E->MoreSharedBytes},
          {"blocks_per_sm_before", orNull(E->BlocksPerSMBefore)},
          {"blocks_per_sm_after", orNull(E->BlocksPerSMAfter)}};
}

static Json toJson(const std::optional<Waste> &W) {
  if (!W)
    return nullptr;
  return {{"unit", W->Unit},
          {"per_warp", orNull(W->PerWarp)},
          {"in_all", orNull(W->InAll)},
          {"share_of_kernel", orNull(W->OfKernel)},
          {"share_of_program", orNull(W->OfProgram)},
          {"estimate", orNull(W->Estimate)}};
}

static Json toJson(const SkippedCheck &Each) {
  return {{"check", Each.Name}, {"in_part", Each.InPart}, {"why", Each.Why}};
}

static Json toJson(const Finding &F) {
  Json Fixes = Json::array();
  for (const Fix &Each : F.Fixes)
    Fixes.push_back(toJson(Each));
  return {{"check", F.Check},
          {"severity", nameOf(F.Level)},
          {"file", orNull(F.Where.File)},
          {"line", placeOrNull(F.Where.Line)},
          {"column", placeOrNull(F.Where.Column)},
          {"kernel", orNull(F.Kernel)},
          {"message", messageOf(F)},
          {"certainty", nameOf(F.Trust)},
          {"assumptions", F.Assumptions},
          {"prediction", toJson(F.Predicted)},
          {"fixes", std::move(Fixes)},
          {"begin", toJsonPlace(F.Meant.Begin)},
          {"end", toJsonPlace(F.Meant.End)},
          {"what", toJson(F.What)},
          {"cause", toJson(F.Cause)},
          {"remedy", toJson(F.Remedy)},
          {"effect", toJson(F.Effect)},
          {"others", F.Others},
          {"executions", orNull(F.Executions)},
          {"object", orNull(F.Object)},
          {"waste", toJson(F.Wasted)},
          {"group", F.Group ? Json(F.Group) : Json(nullptr)},
          {"inlined_at", callSites(F.InlinedAt)},
          {"included_from", callSites(F.IncludedFrom)},
          {"macros", toJson(F.Macros)},
          {"fingerprint", orNull(F.Fingerprint)}};
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
  Out.key("kernels");
  Out.open('[');
  for (const KernelRecord &Kernel : Unit.Kernels) {
    Out.item();
    write(Out, Kernel);
  }
  Out.close(']');
  Out.records("findings", Unit.Findings);
  Out.close('}');
}

/// Of the checks that found something: the others are long and say nothing.
static std::vector<RuleRecord> rulesOfFindings(const Document &Doc) {
  std::set<std::string_view> Names;
  for (const UnitRecord &Unit : Doc.Units)
    for (const Finding &F : Unit.Findings)
      Names.insert(F.Check);
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
