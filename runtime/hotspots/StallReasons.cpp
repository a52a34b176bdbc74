//===- runtime/hotspots/StallReasons.cpp - What reasons mean --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/hotspots/StallReasons.h"

#include <algorithm>
#include <iterator>

namespace cudalint {

namespace {
struct Meaning {
  std::string_view Reason, Words;
};
} // namespace

// Nsight Compute's Kernel Profiling Guide, "Warp Stall Reasons", shortened.
// Architectures differ in which they have.
static constexpr Meaning Meanings[] = {
    {"barrier", "waits for sibling warps at a CTA barrier"},
    {"branch_resolving", "waits for a branch target to be computed and the "
                         "program counter to be updated"},
    {"dispatch_stall", "the dispatcher holds its instruction back, for "
                       "conflicts or unavailable resources"},
    {"drain", "waits after EXIT for its memory operations to complete"},
    {"gmma", "waits for GMMA, the matrix operations of a warpgroup"},
    {"imc_miss", "waits for an immediate constant cache (IMC) miss"},
    {"lg_throttle", "waits for the L1 instruction queue for local and global "
                    "memory operations to be not full"},
    {"long_scoreboard", "waits for a scoreboard dependency on an L1TEX "
                        "operation: local, global, surface or texture memory"},
    {"math_pipe_throttle", "waits for the execution pipe to be available"},
    {"membar", "waits on a memory barrier"},
    {"mio_throttle", "waits for the MIO (memory input/output) instruction "
                     "queue to be not full"},
    {"misc", "a miscellaneous hardware reason"},
    {"no_instruction", "waits to be selected to fetch an instruction, or on an "
                       "instruction cache miss"},
    {"no_instructions", "waits to be selected to fetch an instruction, or on "
                        "an instruction cache miss"},
    {"not_selected", "could issue, but the scheduler selected another warp"},
    {"selected", "no stall: was selected and issued an instruction"},
    {"short_scoreboard", "waits for a scoreboard dependency on an MIO "
                         "operation other than L1TEX: mostly shared memory"},
    {"sleeping", "all its threads are blocked, yielded or asleep"},
    {"tex_throttle", "waits for the L1 instruction queue for texture "
                     "operations to be not full"},
    {"wait", "waits on a fixed latency execution dependency"},
    {"warpgroup_arrive", "waits on a WARPGROUP.ARRIVES or WARPGROUP.WAIT "
                         "instruction"},
};

static_assert(std::ranges::is_sorted(Meanings, {}, &Meaning::Reason));

std::string_view meaningOf(std::string_view Reason) {
  const auto *Found =
      std::ranges::lower_bound(Meanings, Reason, {}, &Meaning::Reason);
  return Found != std::end(Meanings) && Found->Reason == Reason
             ? Found->Words
             : std::string_view();
}

bool isStall(std::string_view Reason) { return Reason != "selected"; }

} // namespace cudalint
