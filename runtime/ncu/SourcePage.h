//===- runtime/ncu/SourcePage.h - What ncu counted by line ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `ncu --page source --csv` in two views. `--print-source sass`, the default,
/// has a block for each launch, and an instruction in each row:
///
///   "Kernel Name","_Z4funcPf",
///   "Address","Source",...,"Instructions Executed",...
///   "0x7f38ab7a00c0","      LDG.E R9, desc[UR4][R2.64]",...,"8192",...
///
/// `--print-source cuda,sass` has a block for each file of each launch, in it a
/// row for each line with the sums of its instructions, whose rows follow:
///
///   "File Path","/src/a.cu"
///   "Function Name","_Z4funcPf"
///   "Line No","Source","Address","Source",...,"Instructions Executed",...
///   "28","Out[I] = In[I];","-","-",...,"114688",...
///   "","","0x7f38ab7a00c0","      LDG.E R9, desc[UR4][R2.64]",...,"8192",...
///   "","","...","...","-",...
///
/// Columns are found by their names, which versions and kernels have in other
/// orders and numbers: a kernel without shared memory has none of its columns.
/// Seen in ncu 2025.3: rows that are repeated within a line (whose sums are
/// then too large), an instruction of inline assembly below two files, and
/// blocks that are repeated. Each instruction counts once, for the file that is
/// no header of the toolkit.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_NCU_SOURCEPAGE_H
#define CUDA_LINT_RUNTIME_NCU_SOURCEPAGE_H

#include "runtime/join/Profile.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cudalint::ncu {

/// An instruction that touches memory, and that was executed.
struct Instruction {
  std::uint64_t Address = 0;
  std::string File;   ///< Empty in the view without lines.
  unsigned Line = 0;  ///< 0 likewise.
  std::string Opcode; ///< `LDG`, without modifiers.
  Count Executed;     ///< By warps.
  Count Threads;      ///< Active in these.
  Count Lanes;        ///< Of those, not switched off by a predicate.
  Count GlobalSectors, IdealGlobalSectors;
  Count LocalSectors;
  Count Wavefronts, IdealWavefronts; ///< Of shared memory.
  Count TagRequests; ///< Lines of 128 bytes that global requests touch.
  Count Bits;        ///< Of a lane.
};

/// What one launch did.
struct SourceLaunch {
  std::string Kernel;
  std::vector<Instruction> Instructions;
};

struct SourcePage {
  bool HasLines = false; ///< Of the view with lines.
  std::vector<SourceLaunch> Launches;
};

/// Whether \p Line heads a block of such a page.
bool isSourceHead(std::string_view Line);

/// Throws Fault.
SourcePage readSourcePage(std::string_view Text);

/// Space and operation of an opcode, one or two; as cubin/ has them.
struct OpcodeAccess {
  MemorySpace Space = MemorySpace::Global;
  AccessOp Op = AccessOp::Load;
};
std::vector<OpcodeAccess> accessesOf(std::string_view Opcode);

} // namespace cudalint::ncu

#endif // CUDA_LINT_RUNTIME_NCU_SOURCEPAGE_H
