//===- cubin/Instruction.cpp - What one SASS instruction does -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cubin/Instruction.h"

namespace cudalint::cubin {

/// \p Count bits of the instruction from bit \p First, all in one half.
static unsigned bits(Encoding E, unsigned First, unsigned Count) {
  std::uint64_t Word = First < 64 ? E.Low >> First : E.High >> (First - 64);
  return static_cast<unsigned>(Word & ((std::uint64_t{1} << Count) - 1));
}

static std::int64_t signedBits(Encoding E, unsigned First, unsigned Count) {
  std::int64_t Value = bits(E, First, Count);
  return Value >> (Count - 1) ? Value - (std::int64_t{1} << Count) : Value;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

namespace {
/// How an instruction says how much it moves.
enum class Width : std::uint8_t {
  Plain,    ///< 8 to 128 bits.
  Wide,     ///< 256 bits.
  Matrix,   ///< Rows of one, two or four matrices.
  Copy,     ///< LDGSTS.
  Integer,  ///< An atomic; before 9.0 of floating point, too.
  Compare,  ///< A compare and swap.
  Float,    ///< An atomic of floating point, since 9.0.
  Multicast ///< A load that reduces over GPUs.
};

/// Where an instruction has its uniform register.
enum class Uniform : std::uint8_t {
  None,
  Low,       ///< Behind the register of the address: loads.
  High,      ///< In the upper half: stores and atomics.
  Descriptor ///< There, and of the address before 8.0 alone.
};

struct MemoryOpcode {
  unsigned Bits; // the lower nine
  Space In;
  Op What;
  Width Size;
  Uniform Register;
};
} // namespace

static constexpr MemoryOpcode MemoryOpcodes[] = {
    // LDSM, STSM
    {0x03b, Space::Shared, Op::Load, Width::Matrix, Uniform::Low},
    {0x044, Space::Shared, Op::Store, Width::Matrix, Uniform::High},
    // LDG and STG of 32 bytes
    {0x17e, Space::Global, Op::Load, Width::Wide, Uniform::Low},
    {0x17f, Space::Global, Op::Store, Width::Wide, Uniform::High},
    // LD, LDG, LDL, LDS
    {0x180, Space::Generic, Op::Load, Width::Plain, Uniform::Low},
    {0x181, Space::Global, Op::Load, Width::Plain, Uniform::Low},
    {0x183, Space::Local, Op::Load, Width::Plain, Uniform::Low},
    {0x184, Space::Shared, Op::Load, Width::Plain, Uniform::Low},
    // ST, STG, STL, STS
    {0x185, Space::Generic, Op::Store, Width::Plain, Uniform::High},
    {0x186, Space::Global, Op::Store, Width::Plain, Uniform::High},
    {0x187, Space::Local, Op::Store, Width::Plain, Uniform::High},
    {0x188, Space::Shared, Op::Store, Width::Plain, Uniform::High},
    // ATOM, ATOM.CAS, ATOMS, ATOMS.CAS, RED
    {0x18a, Space::Generic, Op::Atomic, Width::Integer, Uniform::Descriptor},
    {0x18b, Space::Generic, Op::Atomic, Width::Compare, Uniform::None},
    {0x18c, Space::Shared, Op::Atomic, Width::Integer, Uniform::High},
    {0x18d, Space::Shared, Op::Atomic, Width::Compare, Uniform::None},
    {0x18e, Space::Global, Op::Atomic, Width::Integer, Uniform::Descriptor},
    // ATOM, ATOMG and REDG of floating point
    {0x1a2, Space::Generic, Op::Atomic, Width::Float, Uniform::Descriptor},
    {0x1a3, Space::Global, Op::Atomic, Width::Float, Uniform::Descriptor},
    {0x1a6, Space::Global, Op::Atomic, Width::Float, Uniform::Descriptor},
    // LDGMC
    {0x1a5, Space::Global, Op::Load, Width::Multicast, Uniform::High},
    // ATOMG, ATOMG.CAS
    {0x1a8, Space::Global, Op::Atomic, Width::Integer, Uniform::Descriptor},
    {0x1a9, Space::Global, Op::Atomic, Width::Compare, Uniform::None},
    // LDGSTS
    {0x1ae, Space::Global, Op::Load, Width::Copy, Uniform::High},
    // STAS, REDAS: to the shared memory of another block of the cluster
    {0x1bd, Space::Shared, Op::Store, Width::Plain, Uniform::None},
    {0x1be, Space::Shared, Op::Atomic, Width::Integer, Uniform::None},
};

static unsigned plainBytes(unsigned Code) {
  // U8, S8, U16, S16, 32, 64, 128, U.128
  static constexpr unsigned Bytes[] = {1, 1, 2, 2, 4, 8, 16, 16};
  return Bytes[Code];
}

static unsigned bytesOf(Encoding E, Width Size, unsigned Architecture) {
  unsigned Code = bits(E, 73, 3);
  switch (Size) {
  case Width::Plain:
    return plainBytes(Code);
  case Width::Wide:
    return 32;
  case Width::Matrix: {
    // A matrix of 16 rows gives a lane twice as much.
    unsigned Count = bits(E, 72, 2);
    return Count == 3 ? 0 : (4u << Count) * (1 + bits(E, 80, 1));
  }
  case Width::Copy:
    // Since 10.0 the lowest bit asks for more of the line.
    return plainBytes(Architecture < 100 ? Code : (Code >> 1) + 4);
  case Width::Integer: {
    // 32, S32, 64, F32, F16x2, S64, F64; and 32, S32, 64, S64, 128
    static constexpr unsigned Old[] = {4, 4, 8, 4, 4, 8, 8, 0};
    static constexpr unsigned New[] = {4, 4, 8, 8, 16, 0, 0, 0};
    return (Architecture < 90 ? Old : New)[Code];
  }
  case Width::Compare:
    return Code == 0 ? 4 : Code == 2 ? 8 : Code == 4 ? 16 : 0;
  case Width::Float: {
    // F16x2, x4, x8, and BF16 likewise; F32, x2, x4, and F64
    static constexpr unsigned Half[] = {4, 8, 16, 4, 8, 16, 0, 0};
    static constexpr unsigned Full[] = {0, 4, 8, 16, 0, 0, 0, 8};
    return (bits(E, 76, 1) ? Full : Half)[Code];
  }
  case Width::Multicast: {
    // F16x2, x8, BF16x2, F32, BF16x8, F32x4; E5M2x4, x16, and E4M3 likewise
    static constexpr unsigned Words[] = {4, 0, 16, 4, 4, 16, 16, 0};
    static constexpr unsigned Bytes[] = {0, 4, 0, 16, 4, 0, 16, 0};
    return (bits(E, 87, 1) ? Bytes : Words)[Code];
  }
  }
  return 0;
}

/// The operand in \p Count bits from \p First, of which all ones are none.
static std::optional<unsigned> registerAt(Encoding E, unsigned First,
                                          unsigned Count) {
  unsigned Number = bits(E, First, Count);
  if (Number == (1u << Count) - 1)
    return std::nullopt;
  return Number;
}

/// The uniform register that is a part of the address.
static std::optional<unsigned> uniformOf(Encoding E, const MemoryOpcode &M,
                                         unsigned Architecture) {
  // Form 4 and up has one, if bit 91 says so. Since 8.0, global memory is
  // reached by way of a descriptor there, which is no part of the address.
  bool IsGlobal = M.In == Space::Global || M.In == Space::Generic;
  bool IsDescriptor = M.Register == Uniform::Descriptor
                          ? Architecture >= 80
                          : IsGlobal && bits(E, 76, 1) != 0;
  if (M.Register == Uniform::None || bits(E, 9, 3) < 4 || !bits(E, 91, 1) ||
      (IsDescriptor && M.Size != Width::Multicast))
    return std::nullopt;
  return registerAt(E, M.Register == Uniform::Low ? 32 : 64,
                    Architecture < 100 ? 6 : 8);
}

static std::int64_t offsetOf(Encoding E, const MemoryOpcode &M,
                             unsigned Architecture) {
  // Units of 32 bytes, and other things above.
  if (M.Size == Width::Wide)
    return signedBits(E, 40, M.What == Op::Load ? 17 : 19) * 32;
  // Where no uniform register is, the field of the generic space is longer.
  constexpr unsigned LoadGeneric = 0x180, StoreGeneric = 0x185;
  if (M.Bits == LoadGeneric || M.Bits == StoreGeneric)
    if (!bits(E, 91, 1))
      return signedBits(E, 32, 32);
  // Of an atomic with a result, the last bit is something else.
  constexpr unsigned Reduction = 0x18e, FloatReduction = 0x1a6;
  if (Architecture >= 100 && M.Register == Uniform::Descriptor &&
      M.Bits != Reduction && M.Bits != FloatReduction)
    return signedBits(E, 40, 23);
  return signedBits(E, 40, 24);
}

/// Both sides of LDGSTS: a uniform register belongs to the one that the form
/// names.
static std::vector<MemoryAccess> copyOf(Encoding E, const MemoryOpcode &M,
                                        unsigned Architecture) {
  MemoryAccess From = {.In = Space::Global,
                       .What = Op::Load,
                       .Bytes = bytesOf(E, M.Size, Architecture),
                       .AddressRegister = registerAt(E, 24, 8),
                       .UniformRegister = std::nullopt,
                       .Offset = signedBits(E, 32, 12)};
  MemoryAccess To = {.In = Space::Shared,
                     .What = Op::Store,
                     .Bytes = From.Bytes,
                     .AddressRegister = registerAt(E, 16, 8),
                     .UniformRegister = std::nullopt,
                     .Offset = signedBits(E, 44, 20)};
  constexpr unsigned SharedForm = 6;
  if (bits(E, 9, 3) == SharedForm)
    To.UniformRegister = registerAt(E, 64, Architecture < 100 ? 6 : 8);
  else
    From.UniformRegister = uniformOf(E, M, Architecture);
  return {From, To};
}

std::vector<MemoryAccess> accessesOf(Encoding E, unsigned Architecture) {
  const MemoryOpcode *Found = nullptr;
  for (const MemoryOpcode &Each : MemoryOpcodes)
    if (Each.Bits == bits(E, 0, 9))
      Found = &Each;
  if (!Found)
    return {};
  if (Found->Size == Width::Copy)
    return copyOf(E, *Found, Architecture);
  MemoryAccess Access = {.In = Found->In,
                         .What = Found->What,
                         .Bytes = bytesOf(E, Found->Size, Architecture),
                         .AddressRegister = registerAt(E, 24, 8),
                         .UniformRegister = uniformOf(E, *Found, Architecture),
                         .Offset = offsetOf(E, *Found, Architecture)};
  // [R2.X8]: before 9.0, of shared memory.
  if (Found->In == Space::Shared && Architecture < 90 &&
      Found->Size != Width::Matrix && bits(E, 78, 2) != 0)
    Access.Scale = 2u << bits(E, 78, 2);
  return {Access};
}

bool isPredicated(Encoding E) { return bits(E, 12, 4) != 7; }

bool isNever(Encoding E) { return bits(E, 12, 4) == 15; }

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

/// The distance of a branch. Up to 8.9 it is one field of 48 bits; from 9.0 on
/// its lowest byte, in units of four bytes, stands elsewhere.
static std::int64_t distanceOf(Encoding E, unsigned Architecture) {
  std::uint64_t Value = E.Low >> 34 | (E.High & 0x3ffff) << 30;
  if (Architecture >= 90)
    Value = Value << 8 | bits(E, 16, 8);
  unsigned Unused = Architecture >= 90 ? 8 : 16;
  return static_cast<std::int64_t>(Value << Unused) >> Unused << 2;
}

Flow flowOf(Encoding E, unsigned Architecture) {
  bool IsSure = !isPredicated(E);
  // A branch and an exit have a second predicate.
  constexpr unsigned AlwaysTrue = 7;
  bool IsSureTwice = IsSure && bits(E, 87, 4) == AlwaysTrue;
  switch (bits(E, 0, 9)) {
  case 0x143: // CALL.ABS
    return {Flow::Kind::CallPointer};
  case 0x144: // CALL.REL
    // With a register, the distance is a part of the address.
    if (bits(E, 9, 3) != 4)
      return {Flow::Kind::CallPointer};
    return {Flow::Kind::Call, true, distanceOf(E, Architecture)};
  case 0x147: // BRA, with what a uniform predicate or divergence decides
    IsSureTwice &= bits(E, 24, 10) == 0;
    return {Flow::Kind::Branch, !IsSureTwice, distanceOf(E, Architecture)};
  case 0x149: // BRX
  case 0x14a: // JMP
  case 0x14c: // JMX
  case 0x158: // BRXU
    return {Flow::Kind::Indirect, !IsSureTwice};
  case 0x14d: // EXIT
    return {Flow::Kind::Next, !IsSureTwice, 0, true};
  case 0x150: // RET
  case 0x15b: // KILL
    return {Flow::Kind::Next, !IsSure, 0, true};
  default:
    return {};
  }
}

} // namespace cudalint::cubin
