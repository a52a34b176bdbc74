//===- runtime/probe/UnitMetrics.h - What units count -----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_UNITMETRICS_H
#define CUDA_LINT_RUNTIME_PROBE_UNITMETRICS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace cudalint::probe {

/// A counter of L1 for all launches of a kernel, in CUPTI's words and in those
/// of the profile.
struct UnitMetric {
  const char *Name;
  const char *Space;
  const char *Op;
};

/// Sectors, but wavefronts of shared memory: those of its operations, as that
/// of all has one for each warp and one for each barrier of a block beside them
/// (docs/validation/transactions-h200.md).
inline constexpr std::array<UnitMetric, 9> UnitMetrics = {{
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "global", "load"},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "global", "store"},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", "global", "atomic"},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", "global", "reduction"},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", "local", "load"},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", "local", "store"},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "shared", "load"},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", "shared", "store"},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum", "shared",
     "atomic"},
}};

/// Of one launch, by their order; absent where another run counts it.
using UnitAmounts = std::array<std::optional<double>, UnitMetrics.size()>;

/// Of several launches.
struct UnitTotal {
  std::uint64_t Launches = 0;
  double Amount = 0;
};
using UnitTotals = std::array<UnitTotal, UnitMetrics.size()>;

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_UNITMETRICS_H
