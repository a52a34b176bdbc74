//===- analyzer/checks/Check.cpp - The registry of checks ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"

#include <algorithm>

namespace cudalint {

Finding &FindingSink::report(Location Where, Phrase What) {
  Finding &F = Out.emplace_back();
  F.Check = Info.Name;
  F.Level = Info.Default;
  F.Where = std::move(Where);
  F.What = std::move(What);
  return F;
}

Finding &FindingSink::report(const KernelModel &Kernel, Location Where,
                             Phrase What) {
  Finding &F = report(std::move(Where), std::move(What));
  F.Kernel = Kernel.Declaration.Name;
  F.KernelSignature = Kernel.Declaration.Signature;
  return F;
}

Finding &FindingSink::report(const KernelModel &Kernel, const Access &A,
                             Phrase What) {
  Finding &F = report(Kernel, A.UserWhere.File.empty() ? A.Where : A.UserWhere,
                      std::move(What));
  F.Meant = A.Source.Extent;
  F.Macros = A.Source.Macros;
  F.InlinedAt = A.InlinedAt;
  F.Trust = A.Trust;
  F.Assumptions.assign(A.Assumptions.begin(), A.Assumptions.end());
  F.Executions = A.Executions;
  return F;
}

void Check::checkKernel(const KernelModel &, FindingSink &) const {}
void Check::checkSource(clang::ASTContext &, const Target &,
                        FindingSink &) const {}

std::string_view proofOf(Metric Counter) {
  switch (Counter) {
  case Metric::None:
    return "no counter is needed: the source, or the failing launch, decides";
  case Metric::GlobalSectorsPerRequest:
    return "sectors per request of global memory: "
           "smsp__sass_sectors_mem_global against "
           "smsp__sass_sectors_mem_global_ideal";
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
