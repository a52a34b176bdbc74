//===- cubin/Instruction.h - What one SASS instruction does -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// The instructions of 128 bits that GPUs have had since compute capability
/// 7.0, as nvdisasm prints them. What is known of 7.0 and 7.2 is that of 7.5:
/// CUDA 13 compiles for no older one.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_CUBIN_INSTRUCTION_H
#define CUDA_LINT_CUBIN_INSTRUCTION_H

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace cudalint::cubin {

enum class Space : std::uint8_t { Global, Shared, Local, Generic };
enum class Op : std::uint8_t { Load, Store, Atomic };

/// One way in which an instruction touches memory. The address of a lane is
/// what its register holds, times the scale, and the rest: `[R2.X4+UR4+0x10]`.
struct MemoryAccess {
  Space In = Space::Global;
  Op What = Op::Load;
  /// Of a lane; 0: not known. LDSM and STSM give or take so much of each lane,
  /// while a lane that has an address names a row of 16 bytes.
  unsigned Bytes = 0;
  std::optional<unsigned> AddressRegister; ///< None: RZ, or only a uniform one.
  std::optional<unsigned> UniformRegister; ///< None: URZ, or no such operand.
  unsigned Scale = 1;                      ///< Of the address register.
  std::int64_t Offset = 0;

  bool operator==(const MemoryAccess &) const = default;
};

/// The 16 bytes of an instruction.
struct Encoding {
  std::uint64_t Low = 0, High = 0;
};
inline constexpr std::uint64_t InstructionBytes = 16;

/// As nvdisasm names it, without modifiers, for a GPU of compute capability
/// \p Architecture / 10; empty where it is not known.
std::string_view nameOf(Encoding E, unsigned Architecture);

/// Whether its guard is anything but `@PT`.
bool isPredicated(Encoding E);

/// Whether its guard is `@!PT`: it is never executed.
bool isNever(Encoding E);

/// What it touches: nothing, one space, or two for LDGSTS, which loads from
/// global and stores to shared memory. A reduction counts as an atomic. Not
/// among them: the bulk copies of 9.0 and later (UBLKCP, UTMALDG, ...), which
/// no lane addresses, barriers in shared memory (SYNCS), tensor memory,
/// constants, textures and surfaces. Spaces and operations are the same for all
/// architectures, and in the lower half; widths and registers are not.
std::vector<MemoryAccess> accessesOf(Encoding E, unsigned Architecture);

/// Where control goes after an instruction.
struct Flow {
  enum class Kind : std::uint8_t {
    Next,       ///< To the next instruction.
    Branch,     ///< To Target.
    Indirect,   ///< Where a register says.
    Call,       ///< To Target, and back.
    CallPointer ///< Where a register says, and back.
  };
  Kind What = Kind::Next;
  bool FallsThrough = true; ///< Some lane may go on to the next instruction.
  std::int64_t Target = 0;  ///< Bytes from the start of the next instruction.
  bool MayEnd = false;      ///< For some lane the function ends.

  bool operator==(const Flow &) const = default;
};

/// Of an instruction for a GPU of compute capability \p Architecture / 10.
Flow flowOf(Encoding E, unsigned Architecture);

} // namespace cudalint::cubin

#endif // CUDA_LINT_CUBIN_INSTRUCTION_H
