//===- cubin/KernelCode.h - The memory instructions of kernels --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What nvcc made of a kernel: every instruction that touches memory, with its
/// width, its loop and the lines it comes from, through all calls that were
/// inlined. It is the code that runs, where the source says only what was
/// meant.
///
/// All is read from the bytes of a cubin, an ELF file, of which nothing is
/// trusted: a damaged one gives less, and time and memory are bounded by its
/// size. What is not known is absent or counted, never guessed.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_CUBIN_KERNELCODE_H
#define CUDA_LINT_CUBIN_KERNELCODE_H

#include "cubin/Instruction.h"
#include "cubin/LineTable.h"
#include "cubin/Loops.h"

#include <memory>
#include <string>

namespace cudalint::cubin {

/// One access of one instruction. LDGSTS, which loads from global and stores to
/// shared memory, makes two, at one offset.
struct MemoryInstruction {
  std::uint64_t Offset = 0; ///< Bytes from the start of the section.
  MemoryAccess Access;      ///< Space, operation, width, address.
  std::string_view Opcode;  ///< As nvdisasm names it, without modifiers: LDG.

  /// A guard that is not always true.
  bool Predicated = false;

  /// The innermost loop around it, an index into FunctionCode::Loops.
  std::optional<unsigned> Loop;
  unsigned LoopDepth = 0; ///< 0: in none.
  /// Each turn of that loop comes to it, without one each run of the function:
  /// no branch passes it by, and nothing ends before. False: or not known.
  bool IsInEachTurn = false;
  std::uint64_t Block = 0; ///< Offset of its basic block.

  /// Where it comes from: innermost first, then the call that was inlined
  /// there, and so on. Empty: no line table, or no line.
  std::vector<Frame> Frames;
  /// That of them which profilers show, or none.
  std::optional<Frame> Shown;
};

/// A call of a function that was not inlined. The frames of the callee's
/// instructions end in the callee: these here continue them.
struct Call {
  std::uint64_t Offset = 0;
  std::string Callee;      ///< Linkage name; empty: through a pointer.
  bool Predicated = false; ///< A guard that is not always true.
  std::optional<unsigned> Loop;
  unsigned LoopDepth = 0;
  bool IsInEachTurn = false; ///< As of a memory instruction.
  std::vector<Frame> Frames;
};

/// A kernel, or a function that was not inlined. ptxas puts a copy of each such
/// function into the section of the kernel that calls it, where its calls are
/// known: then there are as many of them as such kernels.
struct FunctionCode {
  std::string Name;    ///< As the linker sees it: _Z5scalePfi.
  std::string Section; ///< The kernel or function whose section it is in.
  bool IsKernel = false;
  std::uint64_t Begin = 0, End = 0; ///< Offsets in the section.

  std::vector<MemoryInstruction> Memory; ///< By offset.
  std::vector<Loop> Loops;               ///< Outer ones first.
  std::vector<Call> Calls;

  unsigned Instructions = 0;
  /// Those that compute with doubles, as DFMA, or may convert one, as F2F.
  unsigned Doubles = 0;
  /// Instructions of unknown kind, by the lower twelve bits.
  std::map<unsigned, unsigned> UnknownOpcodes;
  /// Some branch goes to a place that is not known: loops may be missing.
  bool HasUnknownBranches = false;
};

struct Code {
  unsigned Architecture = 0; ///< Compute capability x 10: 90.
  std::vector<FunctionCode> Functions;
  bool HasLines = false;        ///< Some instruction has a line.
  bool HasUnknownLines = false; ///< Some lines were not understood.

  /// What the views in frames point to.
  std::shared_ptr<const Strings> Names;
};

/// The code of a cubin, or why there is none: one line, lower case.
struct CodeOrReason {
  std::optional<Code> Value;
  std::string Reason; ///< Empty with a value.

  explicit operator bool() const { return Value.has_value(); }
};

/// Reads a cubin, as `nvcc -cubin` writes it and the driver loads it. Lines
/// need `-lineinfo`, or `-G`.
CodeOrReason readCode(std::string_view Cubin);

} // namespace cudalint::cubin

#endif // CUDA_LINT_CUBIN_KERNELCODE_H
