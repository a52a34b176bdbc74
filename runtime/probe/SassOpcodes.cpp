//===- runtime/probe/SassOpcodes.cpp - Which code touches memory ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/SassOpcodes.h"

namespace cudalint::probe {

namespace {
struct Opcode {
  unsigned Bits;
  std::uint8_t Count;
  MemoryAccess Accesses[2];
};
} // namespace

// Named as nvdisasm names them.
static constexpr Opcode Opcodes[] = {
    {0x03b, 1, {{Space::Shared, Op::Load}}},    // LDSM
    {0x044, 1, {{Space::Shared, Op::Store}}},   // STSM
    {0x17e, 1, {{Space::Global, Op::Load}}},    // LDG of 32 bytes
    {0x17f, 1, {{Space::Global, Op::Store}}},   // STG of 32 bytes
    {0x180, 1, {{Space::Generic, Op::Load}}},   // LD
    {0x181, 1, {{Space::Global, Op::Load}}},    // LDG
    {0x183, 1, {{Space::Local, Op::Load}}},     // LDL
    {0x184, 1, {{Space::Shared, Op::Load}}},    // LDS
    {0x185, 1, {{Space::Generic, Op::Store}}},  // ST
    {0x186, 1, {{Space::Global, Op::Store}}},   // STG
    {0x187, 1, {{Space::Local, Op::Store}}},    // STL
    {0x188, 1, {{Space::Shared, Op::Store}}},   // STS
    {0x18a, 1, {{Space::Generic, Op::Atomic}}}, // ATOM
    {0x18b, 1, {{Space::Generic, Op::Atomic}}}, // ATOM.CAS
    {0x18c, 1, {{Space::Shared, Op::Atomic}}},  // ATOMS
    {0x18d, 1, {{Space::Shared, Op::Atomic}}},  // ATOMS.CAS
    {0x18e, 1, {{Space::Global, Op::Atomic}}},  // RED, REDG
    {0x1a2, 1, {{Space::Generic, Op::Atomic}}}, // ATOM, floating point
    {0x1a3, 1, {{Space::Global, Op::Atomic}}},  // ATOMG, floating point
    {0x1a6, 1, {{Space::Global, Op::Atomic}}},  // REDG, floating point
    {0x1a8, 1, {{Space::Global, Op::Atomic}}},  // ATOMG
    {0x1a9, 1, {{Space::Global, Op::Atomic}}},  // ATOMG.CAS
    // LDGSTS
    {0x1ae, 2, {{Space::Global, Op::Load}, {Space::Shared, Op::Store}}},
};

std::span<const MemoryAccess> accessesOf(std::uint64_t Word) {
  unsigned Bits = static_cast<unsigned>(Word & 0x1ff);
  for (const Opcode &Each : Opcodes)
    if (Each.Bits == Bits)
      return {Each.Accesses, Each.Count};
  return {};
}

} // namespace cudalint::probe
