//===- analyzer/checks/Check.cpp - The registry of checks ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"

#include "analyzer/model/AccessWords.h"

#include <algorithm>
#include <cassert>
#include <span>

namespace cudalint {

double FindingSink::value(const CheckOption &Option) const {
  if (Values)
    if (const auto Set = Values->find(Option.Name); Set != Values->end())
      return Set->second;
  return Option.Default;
}

Finding &FindingSink::report(SourcePlace Place, Subject About, Phrase What) {
  Finding &F = Out.emplace_back();
  F.Check = Info.Name;
  F.Level = Info.Default;
  F.Where = std::move(Place.Where);
  // Of two files, as where a statement goes on in a header, nobody shows both.
  if (Place.Origin.Extent.Begin.File == F.Where.File)
    F.Meant = std::move(Place.Origin.Extent);
  F.Macros = std::move(Place.Origin.Macros);
  F.IncludedFrom = std::move(Place.Origin.IncludedFrom);
  F.About = std::move(About);
  F.What = std::move(What);
  return F;
}

Finding &FindingSink::add(const KernelModel &Kernel, Location Where,
                          TextOrigin Origin, Phrase What) {
  const KernelDeclaration &Declaration = Kernel.Declaration;
  Finding &F = report(
      SourcePlace{std::move(Where), std::move(Origin)},
      Subject{.Kind = SubjectKind::Kernel, .Function = Declaration.PlainName},
      std::move(What));
  F.Kernel = Declaration.Name;
  F.KernelSignature = Declaration.Signature;
  return F;
}

Finding &FindingSink::report(const KernelModel &Kernel, Phrase What) {
  return add(Kernel, Kernel.Declaration.Where, Kernel.Declaration.Origin,
             std::move(What));
}

Finding &FindingSink::report(const KernelModel &Kernel, const Launch &L,
                             Phrase What) {
  Finding &F = L.Where.File.empty()
                   ? report(Kernel, std::move(What))
                   : add(Kernel, L.Where, L.Origin, std::move(What));
  F.About.Kind = SubjectKind::Launch;
  if (!L.CalledAt.File.empty())
    F.InlinedAt = {L.CalledAt};
  return F;
}

Finding &FindingSink::report(const KernelModel &Kernel, const LocalArray &Array,
                             Phrase What) {
  Finding &F = add(Kernel, Array.Where, {}, std::move(What));
  F.About.Kind = SubjectKind::Variable;
  F.About.Name = Array.Name;
  F.InlinedAt = Array.InlinedAt;
  return F;
}

Finding &FindingSink::report(const KernelModel &Kernel, const CodePlace &Place,
                             SubjectKind What, std::string Name, Phrase Said) {
  Finding &F = add(Kernel, Place.Where, {}, std::move(Said));
  F.About.Kind = What;
  F.About.Name = std::move(Name);
  F.InlinedAt = Place.InlinedAt;
  return F;
}

static SubjectKind kindOf(AccessOp Op) {
  switch (Op) {
  case AccessOp::Load:
    return SubjectKind::Load;
  case AccessOp::Store:
    return SubjectKind::Store;
  case AccessOp::Atomic:
    return SubjectKind::Atomic;
  }
  return SubjectKind::Load;
}

/// The lvalue without blanks. Where it is cut, numbers would move the cut.
static std::string nameOf(const AccessFact &Source) {
  if (Source.Text.ends_with("...") && !Source.Object.empty())
    return Source.Object;
  std::string Name = Source.Text;
  std::erase(Name, ' ');
  return Name;
}

/// What it is called in the kernel. Dynamic memory is of many objects.
static std::string objectOf(const KernelModel &Kernel, const Access &A) {
  const auto Its =
      std::ranges::find(Kernel.Shared, A.Variable, &SharedVariable::Name);
  if (Its != Kernel.Shared.end() && Its->Bytes != 0)
    return Its->PlainName;
  return A.InlinedAt.empty() ? A.Source.Object : std::string();
}

Finding &FindingSink::report(const KernelModel &Kernel, const Access &A,
                             Phrase What) {
  Finding &F = add(Kernel, A.UserWhere.File.empty() ? A.Where : A.UserWhere,
                   A.Source.Origin, std::move(What));
  F.About.Kind = kindOf(A.Op);
  F.About.Name = nameOf(A.Source);
  F.About.Variable = A.Source.Object;
  F.About.Object = objectOf(Kernel, A);
  F.InlinedAt = A.InlinedAt;
  F.Trust = A.Trust;
  F.Assumptions = A.Assumptions;
  F.Executions = A.Executions;
  F.Block = A.Block;
  return F;
}

FindingSink::~FindingSink() {
  for (Finding &F : std::span(Out).subspan(std::min(First, Out.size())))
    for (Phrase *Said : {&F.What, &F.Cause, &F.Remedy}) {
      std::ranges::sort(Said->Values, {}, &NamedValue::Name);
      assert(faultOf(*Said).empty() && "a phrase that users could not read");
    }
}

void Check::checkKernel(const KernelModel &, FindingSink &) const {}
void Check::checkSource(const clang::ASTContext &, const Target &,
                        FindingSink &) const {}

std::optional<double> Check::mostOf(const KernelModel &,
                                    const Finding &) const {
  return std::nullopt;
}

Prediction predicted(Metric Counter, const Architecture &Arch, double Value,
                     std::optional<double> Ideal) {
  const auto nameOfValue = [&]() -> std::string {
    switch (Counter) {
    case Metric::GlobalSectorsPerRequest:
      return std::string(globalUnit(Arch)) + "_per_request";
    case Metric::GlobalSectorsPerWarp:
      return std::string(globalUnit(Arch)) + "_per_warp";
    case Metric::SharedWavefrontsPerRequest:
      return "wavefronts_per_request";
    case Metric::ConstantRequests:
      return "addresses_per_request";
    case Metric::ActiveThreadsPerInstruction:
      return "active_lanes_per_warp";
    case Metric::TheoreticalOccupancy:
      return "warps_per_sm";
    case Metric::Waves:
      return "waves";
    case Metric::None:
    case Metric::IdleSMs:
    case Metric::BarrierStalls:
    case Metric::InstructionsFP64:
    case Metric::InstructionsInteger:
      break;
    }
    assert(false && "a finding of it has no number");
    return "none";
  };
  return {nameOfValue(), Value, Ideal};
}

std::string_view proofOf(Metric Counter) {
  switch (Counter) {
  case Metric::None:
    return "no counter is needed: the source, or the failing launch, decides";
  case Metric::GlobalSectorsPerRequest:
    return "sectors per request of global memory: "
           "smsp__sass_sectors_mem_global against "
           "smsp__sass_sectors_mem_global_ideal";
  case Metric::GlobalSectorsPerWarp:
    return "sectors of global memory: smsp__sass_sectors_mem_global";
  case Metric::SharedWavefrontsPerRequest:
    return "wavefronts per request of shared memory: "
           "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared against "
           "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal";
  case Metric::ConstantRequests:
    return "requests of the constant cache for each load: idc__requests over "
           "smsp__inst_executed_op_ldc";
  case Metric::ActiveThreadsPerInstruction:
    return "active threads per instruction: "
           "smsp__sass_thread_inst_executed_pred_on over "
           "smsp__sass_inst_executed";
  case Metric::TheoreticalOccupancy:
    return "theoretical occupancy: sm__maximum_warps_per_active_cycle_pct";
  case Metric::Waves:
    return "rounds: launch__waves_per_multiprocessor; places that stay empty: "
           "sm__warps_active.avg.pct_of_peak_sustained_elapsed against "
           "sm__maximum_warps_per_active_cycle_pct";
  case Metric::IdleSMs:
    return "idle SMs: sm__cycles_active.avg against sm__cycles_elapsed.max";
  case Metric::BarrierStalls:
    return "warps that wait at barriers: smsp__average_warps_issue_stalled_"
           "barrier_per_issue_active.ratio";
  case Metric::InstructionsFP64:
    return "double-precision instructions: smsp__sass_thread_inst_executed_op_"
           "fp64_pred_on";
  case Metric::InstructionsInteger:
    return "integer instructions: smsp__sass_thread_inst_executed_op_integer_"
           "pred_on";
  }
  return {};
}

RuleRecord ruleOf(const CheckInfo &Info) {
  return {.Name = std::string(Info.Name),
          .Summary = std::string(Info.Summary),
          .Default = Info.Default,
          .Why = std::string(Info.Why),
          .Bad = std::string(Info.Bad),
          .Good = std::string(Info.Good),
          .Limits = std::string(Info.Limits),
          .Proof = std::string(proofOf(Info.ConfirmedBy))};
}

using Maker = std::unique_ptr<Check> (*)();

/// Made on first use: registrations run in an order that nobody knows.
static std::vector<Maker> &registry() {
  static std::vector<Maker> Makers;
  return Makers;
}

CheckRegistration::CheckRegistration(Maker Make) { registry().push_back(Make); }

std::vector<std::unique_ptr<Check>> makeChecks() {
  std::vector<std::unique_ptr<Check>> Checks;
  for (const Maker Make : registry())
    Checks.push_back(Make());
  std::sort(Checks.begin(), Checks.end(), [](const auto &A, const auto &B) {
    return A->info().Name < B->info().Name;
  });
  return Checks;
}

} // namespace cudalint
