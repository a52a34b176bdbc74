//===- analyzer/checks/Evidence.cpp - What proves a finding ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Evidence.h"

#include "analyzer/model/AccessWords.h"

#include <cassert>
#include <iterator>

namespace cudalint {

/// In the order of the enumeration. All counters are there on an H200, by
/// `ncu --query-metrics --chip gh100` of CUDA 13.0.
static constexpr EvidenceFacts Facts[] = {
    {Evidence::None, "",
     "no counter is needed: the source, or the failing launch, decides"},
    {Evidence::GlobalSectorsPerRequest, "_per_request",
     "sectors per request of global memory: smsp__sass_sectors_mem_global "
     "against smsp__sass_sectors_mem_global_ideal"},
    {Evidence::GlobalSectorsPerWarp, "_per_warp",
     "sectors of global memory: smsp__sass_sectors_mem_global"},
    {Evidence::GlobalInstructions, "",
     "instructions for global memory: smsp__sass_inst_executed_op_global_ld "
     "and smsp__sass_inst_executed_op_global_st"},
    {Evidence::GlobalSectors, "",
     "sectors of global memory: smsp__sass_sectors_mem_global, before and "
     "after"},
    {Evidence::SharedWavefrontsPerRequest, "wavefronts_per_request",
     "wavefronts per request of shared memory: "
     "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared against "
     "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal"},
    {Evidence::SharedWavefronts, "",
     "wavefronts of shared memory for each instruction that computes: "
     "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared against "
     "smsp__inst_executed_pipe_fma"},
    {Evidence::LocalSectors, "",
     "sectors of local memory: smsp__sass_sectors_mem_local"},
    {Evidence::ConstantRequests, "addresses_per_request",
     "requests of the constant cache for each load: idc__requests over "
     "smsp__inst_executed_op_ldc"},
    {Evidence::ActiveThreadsPerInstruction, "active_lanes_per_warp",
     "active threads per instruction: smsp__sass_thread_inst_executed_pred_on "
     "over smsp__sass_inst_executed"},
    {Evidence::TheoreticalOccupancy, "warps_per_sm",
     "theoretical occupancy: sm__maximum_warps_per_active_cycle_pct"},
    {Evidence::Waves, "waves",
     "rounds: launch__waves_per_multiprocessor; places that stay empty: "
     "sm__warps_active.avg.pct_of_peak_sustained_elapsed against "
     "sm__maximum_warps_per_active_cycle_pct",
     true},
    {Evidence::IdleSMs, "",
     "idle SMs: sm__cycles_active.avg against sm__cycles_elapsed.max", true},
    {Evidence::BarrierStalls, "",
     "warps that wait at barriers: "
     "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio"},
    {Evidence::InstructionsFP64, "",
     "double-precision instructions: "
     "smsp__sass_thread_inst_executed_op_fp64_pred_on"},
    {Evidence::InstructionsInteger, "",
     "integer instructions: smsp__sass_thread_inst_executed_op_integer_"
     "pred_on"},
};

static constexpr bool isInOrder() {
  for (std::size_t I = 0; I != std::size(Facts); ++I)
    if (static_cast<std::size_t>(Facts[I].Of) != I)
      return false;
  return static_cast<std::size_t>(Evidence::InstructionsInteger) + 1 ==
         std::size(Facts);
}
static_assert(isInOrder(), "a row for each, in the enumeration's order");

const EvidenceFacts &factsOf(Evidence What) {
  return Facts[static_cast<std::size_t>(What)];
}

std::string valueOf(Evidence What, const Architecture &Arch) {
  const std::string_view Value = factsOf(What).Value;
  assert(!Value.empty() && "a finding of it has no number");
  if (Value.starts_with('_'))
    return std::string(globalUnit(Arch)).append(Value);
  return std::string(Value);
}

} // namespace cudalint
