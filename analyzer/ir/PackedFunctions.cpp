//===- analyzer/ir/PackedFunctions.cpp - Several integers in a word -------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/PackedFunctions.h"

#include "llvm/ADT/StringMap.h"

#include <algorithm>
#include <functional>

namespace cudalint {

/// Part `P` of `Bits` bits of a word, as a number with or without a sign.
static std::int64_t partOf(std::uint64_t X, unsigned P, unsigned Bits,
                           bool Signed) {
  const unsigned Unused = 64 - Bits;
  const std::uint64_t High = X << (Unused - P * Bits);
  return Signed ? static_cast<std::int64_t>(High) >> Unused
                : static_cast<std::int64_t>(High >> Unused);
}

static std::int64_t limited(std::int64_t V, unsigned Bits, bool Signed) {
  const std::int64_t Most = (std::int64_t(1) << (Bits - Signed)) - 1;
  return std::clamp(V, Signed ? -Most - 1 : 0, Most);
}

namespace {
enum class Op { Add, Sub, Neg, Abs, Distance, Min, Max, Mean, MeanUp };
enum class Overflow { Wraps, Saturates };
enum class True { One, AllBits };
} // namespace

template <Op O> static std::int64_t compute(std::int64_t A, std::int64_t B) {
  switch (O) {
  case Op::Add:
    return A + B;
  case Op::Sub:
    return A - B;
  case Op::Neg:
    return -A;
  case Op::Abs:
    return A < 0 ? -A : A;
  case Op::Distance:
    return A < B ? B - A : A - B;
  case Op::Min:
    return std::min(A, B);
  case Op::Max:
    return std::max(A, B);
  case Op::Mean:
    return (A + B) >> 1;
  case Op::MeanUp:
    return (A + B + 1) >> 1;
  }
}

template <unsigned Parts, bool Signed, Op O, Overflow Limit = Overflow::Wraps>
static std::uint64_t each(const BitOperands &X, unsigned) {
  constexpr unsigned Bits = 32 / Parts;
  std::uint64_t R = 0;
  for (unsigned P = 0; P < Parts; ++P) {
    std::int64_t V = compute<O>(partOf(X[0], P, Bits, Signed),
                                partOf(X[1], P, Bits, Signed));
    if (Limit == Overflow::Saturates)
      V = limited(V, Bits, Signed);
    R |= (static_cast<std::uint64_t>(V) & ((1u << Bits) - 1)) << (P * Bits);
  }
  return R;
}

/// What all parts give, added up.
template <unsigned Parts, bool Signed>
static std::uint64_t sumOfDistances(const BitOperands &X, unsigned) {
  constexpr unsigned Bits = 32 / Parts;
  std::uint64_t R = 0;
  for (unsigned P = 0; P < Parts; ++P)
    R += static_cast<std::uint64_t>(compute<Op::Distance>(
        partOf(X[0], P, Bits, Signed), partOf(X[1], P, Bits, Signed)));
  return R;
}

template <unsigned Parts, bool Signed, typename Holds, True T>
static std::uint64_t compare(const BitOperands &X, unsigned) {
  constexpr unsigned Bits = 32 / Parts;
  std::uint64_t R = 0;
  for (unsigned P = 0; P < Parts; ++P)
    if (Holds()(partOf(X[0], P, Bits, Signed), partOf(X[1], P, Bits, Signed)))
      R |= std::uint64_t(T == True::One ? 1 : (1u << Bits) - 1) << (P * Bits);
  return R;
}

template <unsigned Parts>
static const BitFunction *findFor(llvm::StringRef Name) {
  static const llvm::StringMap<BitFunction> Functions = {
      {"abs", {1, each<Parts, true, Op::Abs>}},
      {"absss", {1, each<Parts, true, Op::Abs, Overflow::Saturates>}},
      {"neg", {1, each<Parts, true, Op::Neg>}},
      {"negss", {1, each<Parts, true, Op::Neg, Overflow::Saturates>}},
      {"absdiffs", {2, each<Parts, true, Op::Distance>}},
      {"absdiffu", {2, each<Parts, false, Op::Distance>}},
      {"add", {2, each<Parts, true, Op::Add>}},
      {"addss", {2, each<Parts, true, Op::Add, Overflow::Saturates>}},
      {"addus", {2, each<Parts, false, Op::Add, Overflow::Saturates>}},
      {"sub", {2, each<Parts, true, Op::Sub>}},
      {"subss", {2, each<Parts, true, Op::Sub, Overflow::Saturates>}},
      {"subus", {2, each<Parts, false, Op::Sub, Overflow::Saturates>}},
      {"avgu", {2, each<Parts, false, Op::MeanUp>}},
      {"haddu", {2, each<Parts, false, Op::Mean>}},
      {"mins", {2, each<Parts, true, Op::Min>}},
      {"minu", {2, each<Parts, false, Op::Min>}},
      {"maxs", {2, each<Parts, true, Op::Max>}},
      {"maxu", {2, each<Parts, false, Op::Max>}},
      {"sads", {2, sumOfDistances<Parts, true>}},
      {"sadu", {2, sumOfDistances<Parts, false>}},
#define COMPARISON(NAME, SIGNED, HOLDS)                                        \
  {"set" NAME, {2, compare<Parts, SIGNED, std::HOLDS<>, True::One>}}, {        \
    "cmp" NAME, { 2, compare<Parts, SIGNED, std::HOLDS<>, True::AllBits> }     \
  }
      COMPARISON("eq", false, equal_to),
      COMPARISON("ne", false, not_equal_to),
      COMPARISON("ges", true, greater_equal),
      COMPARISON("geu", false, greater_equal),
      COMPARISON("gts", true, greater),
      COMPARISON("gtu", false, greater),
      COMPARISON("les", true, less_equal),
      COMPARISON("leu", false, less_equal),
      COMPARISON("lts", true, less),
      COMPARISON("ltu", false, less),
#undef COMPARISON
  };
  auto Found = Functions.find(Name);
  return Found == Functions.end() ? nullptr : &Found->second;
}

const BitFunction *findPackedFunction(llvm::StringRef Name) {
  if (!Name.consume_front("__nv_v"))
    return nullptr;
  if (Name.consume_back("2"))
    return findFor<2>(Name);
  return Name.consume_back("4") ? findFor<4>(Name) : nullptr;
}

/// shf: the word that begins `By` bits into two of which the first is the low
/// one; to the left, from the high one down.
template <bool Left, bool Clamps>
static std::uint64_t funnel(const BitOperands &X, unsigned) {
  const std::uint64_t By =
      Clamps ? std::min<std::uint64_t>(X[2], 32) : X[2] & 31;
  const std::uint64_t Both = X[1] << 32 | X[0];
  return Left ? (Both << By) >> 32 : Both >> By;
}

/// dp4a: products of bytes, added up.
template <bool SignedA, bool SignedB>
static std::uint64_t dot4(const BitOperands &X, unsigned) {
  std::uint64_t R = X[2];
  for (unsigned P = 0; P < 4; ++P)
    R += static_cast<std::uint64_t>(partOf(X[0], P, 8, SignedA) *
                                    partOf(X[1], P, 8, SignedB));
  return R;
}

/// dp2a: two halves of the first times the low or the high bytes of the other.
template <bool High, bool SignedA, bool SignedB>
static std::uint64_t dot2(const BitOperands &X, unsigned) {
  std::uint64_t R = X[2];
  for (unsigned P = 0; P < 2; ++P)
    R += static_cast<std::uint64_t>(partOf(X[0], P, 16, SignedA) *
                                    partOf(X[1], P + 2 * High, 8, SignedB));
  return R;
}

const BitFunction *findPtxFunction(llvm::StringRef Template) {
  static const llvm::StringMap<BitFunction> Functions = {
      {"shf.l.wrap.b32", {3, funnel<true, false>}},
      {"shf.l.clamp.b32", {3, funnel<true, true>}},
      {"shf.r.wrap.b32", {3, funnel<false, false>}},
      {"shf.r.clamp.b32", {3, funnel<false, true>}},
      {"dp4a.s32.s32", {3, dot4<true, true>}},
      {"dp4a.s32.u32", {3, dot4<true, false>}},
      {"dp4a.u32.s32", {3, dot4<false, true>}},
      {"dp4a.u32.u32", {3, dot4<false, false>}},
      {"dp2a.lo.s32.s32", {3, dot2<false, true, true>}},
      {"dp2a.lo.u32.u32", {3, dot2<false, false, false>}},
      {"dp2a.hi.s32.s32", {3, dot2<true, true, true>}},
      {"dp2a.hi.u32.u32", {3, dot2<true, false, false>}},
  };
  Template = Template.trim();
  Template.consume_back(";");
  auto [Name, Arguments] = Template.split(' ');
  auto Found = Functions.find(Name);
  if (Found == Functions.end())
    return nullptr;
  // As they are handed over, and each once.
  std::string Plain = Arguments.str();
  std::erase_if(Plain, [](char C) { return C == ' ' || C == '\t'; });
  return Plain == "$0,$1,$2,$3" ? &Found->second : nullptr;
}

} // namespace cudalint
