//===- analyzer/ir/BitFunctions.cpp - Integer intrinsics ------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/BitFunctions.h"

#include "llvm/ADT/StringMap.h"

#include <bit>

namespace cudalint {

using UnsignedProduct = unsigned __int128;
using SignedProduct = __int128;

static std::int64_t signedOf(std::uint64_t X, unsigned Bits) {
  const unsigned Shift = 64 - Bits;
  return static_cast<std::int64_t>(X << Shift) >> Shift;
}

static std::uint64_t ctpop(const BitOperands &X, unsigned) {
  return static_cast<std::uint64_t>(std::popcount(X[0]));
}

static std::uint64_t ctlz(const BitOperands &X, unsigned Bits) {
  return static_cast<std::uint64_t>(std::countl_zero(X[0])) - (64 - Bits);
}

static std::uint64_t cttz(const BitOperands &X, unsigned Bits) {
  return X[0] ? static_cast<std::uint64_t>(std::countr_zero(X[0])) : Bits;
}

/// Position of the lowest bit, from 1; 0 when there is none.
static std::uint64_t ffs(const BitOperands &X, unsigned) {
  return X[0] ? static_cast<std::uint64_t>(std::countr_zero(X[0])) + 1 : 0;
}

static std::uint64_t reversedBits(const BitOperands &X, unsigned Bits) {
  std::uint64_t R = 0;
  for (unsigned B = 0; B < Bits; ++B)
    R |= (X[0] >> B & 1) << (Bits - 1 - B);
  return R;
}

static std::uint64_t reversedBytes(const BitOperands &X, unsigned Bits) {
  std::uint64_t R = 0;
  for (unsigned B = 0; B < Bits; B += 8)
    R |= (X[0] >> B & 0xff) << (Bits - 8 - B);
  return R;
}

/// Left part of what the first two are side by side, shifted left.
static std::uint64_t fshl(const BitOperands &X, unsigned Bits) {
  const std::uint64_t S = X[2] % Bits;
  return S ? X[0] << S | X[1] >> (Bits - S) : X[0];
}

static std::uint64_t fshr(const BitOperands &X, unsigned Bits) {
  const std::uint64_t S = X[2] % Bits;
  return S ? X[0] << (Bits - S) | X[1] >> S : X[1];
}

/// prmt.b32 in its default mode: each 4 bits of the selector pick one of 8
/// bytes; the highest of them asks for its sign instead.
static std::uint64_t bytePerm(const BitOperands &X, unsigned) {
  const std::uint64_t Bytes = X[1] << 32 | (X[0] & 0xffffffff);
  std::uint64_t R = 0;
  for (unsigned B = 0; B < 4; ++B) {
    const std::uint64_t Pick = X[2] >> (4 * B) & 0xf;
    std::uint64_t Byte = Bytes >> (8 * (Pick & 7)) & 0xff;
    if (Pick & 8)
      Byte = Byte & 0x80 ? 0xff : 0;
    R |= Byte << (8 * B);
  }
  return R;
}

/// __byte_perm: libdevice clears the bits of the selector that ask for signs.
static std::uint64_t plainBytePerm(const BitOperands &X, unsigned Bits) {
  return bytePerm({X[0], X[1], X[2] & 0x7777}, Bits);
}

static std::uint64_t signedHigh(const BitOperands &X, unsigned Bits) {
  const SignedProduct P =
      static_cast<SignedProduct>(signedOf(X[0], Bits)) * signedOf(X[1], Bits);
  return static_cast<std::uint64_t>(P >> Bits);
}

static std::uint64_t unsignedHigh(const BitOperands &X, unsigned Bits) {
  return static_cast<std::uint64_t>(static_cast<UnsignedProduct>(X[0]) * X[1] >>
                                    Bits);
}

/// |x - y| + z
static std::uint64_t signedSad(const BitOperands &X, unsigned Bits) {
  const std::int64_t A = signedOf(X[0], Bits), B = signedOf(X[1], Bits);
  return (A < B ? X[1] - X[0] : X[0] - X[1]) + X[2];
}

static std::uint64_t unsignedSad(const BitOperands &X, unsigned) {
  return (X[0] < X[1] ? X[1] - X[0] : X[0] - X[1]) + X[2];
}

/// Means of 32-bit numbers, rounded down or up; 64 bits hold the sum.
static std::uint64_t signedMean(const BitOperands &X, unsigned Bits) {
  return static_cast<std::uint64_t>(
      (signedOf(X[0], Bits) + signedOf(X[1], Bits)) >> 1);
}

static std::uint64_t signedMeanUp(const BitOperands &X, unsigned Bits) {
  return static_cast<std::uint64_t>(
      (signedOf(X[0], Bits) + signedOf(X[1], Bits) + 1) >> 1);
}

static std::uint64_t unsignedMean(const BitOperands &X, unsigned) {
  return (X[0] + X[1]) >> 1;
}

static std::uint64_t unsignedMeanUp(const BitOperands &X, unsigned) {
  return (X[0] + X[1] + 1) >> 1;
}

const BitFunction *findBitFunction(llvm::StringRef Name) {
  static const llvm::StringMap<BitFunction> Functions = {
      {"llvm.ctpop", {1, ctpop}},
      {"llvm.ctlz", {1, ctlz}},
      {"llvm.cttz", {1, cttz}},
      {"llvm.bitreverse", {1, reversedBits}},
      {"llvm.bswap", {1, reversedBytes}},
      {"llvm.fshl", {3, fshl}},
      {"llvm.fshr", {3, fshr}},
      {"llvm.nvvm.prmt", {3, bytePerm}},
      {"llvm.nvvm.mulhi.i", {2, signedHigh}},
      {"llvm.nvvm.mulhi.ui", {2, unsignedHigh}},
      {"llvm.nvvm.mulhi.ll", {2, signedHigh}},
      {"llvm.nvvm.mulhi.ull", {2, unsignedHigh}},
      {"llvm.nvvm.sad.i", {3, signedSad}},
      {"llvm.nvvm.sad.ui", {3, unsignedSad}},
      {"__nv_ffs", {1, ffs}},
      {"__nv_ffsll", {1, ffs}},
      {"__nv_byte_perm", {3, plainBytePerm}},
      {"__nv_mulhi", {2, signedHigh}},
      {"__nv_umulhi", {2, unsignedHigh}},
      {"__nv_mul64hi", {2, signedHigh}},
      {"__nv_umul64hi", {2, unsignedHigh}},
      {"__nv_sad", {3, signedSad}},
      {"__nv_usad", {3, unsignedSad}},
      {"__nv_hadd", {2, signedMean}},
      {"__nv_rhadd", {2, signedMeanUp}},
      {"__nv_uhadd", {2, unsignedMean}},
      {"__nv_urhadd", {2, unsignedMeanUp}},
  };
  // Overloaded intrinsics end in their type.
  if (Name.starts_with("llvm.") && !Name.starts_with("llvm.nvvm."))
    Name = Name.take_front(Name.rfind('.'));
  auto Found = Functions.find(Name);
  return Found == Functions.end() ? nullptr : &Found->second;
}

} // namespace cudalint
