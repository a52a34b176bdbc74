//===- analyzer/ir/LaneValue.h - A value in all lanes of a warp -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The domain of the evaluator: one integer or pointer value in the 32 lanes
/// of a warp, as a polynomial over symbols with one coefficient per lane.
///
///   blockIdx.x * 256 + threadIdx.x      256·b + (0, 1, 2, … 31)
///   a + 4 * (row * n + col)             a + (0 … 0, 4 … 4)·n + (0, 4, …)
///
/// A symbol is an unknown integer that is the same in all lanes: a kernel
/// parameter, a block index, the turn of a loop, an address of an array.
/// Uniform, per-lane, run-time strided and affine values are all the same
/// thing here; what is none of them in some lane is unknown in that lane.
///
/// Every operation is exact modulo 2^Bits unless it adds an assumption to its
/// result: a value without assumptions and without unknown lanes is right for
/// every value of its symbols (within their ranges).
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_LANEVALUE_H
#define CUDA_LINT_ANALYZER_IR_LANEVALUE_H

#include "hardware/WarpTransactions.h"
#include "report/Document.h"

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/SmallVector.h"

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cudalint {

using LaneMask = std::uint32_t;
inline constexpr LaneMask AllLanes = 0xffffffff;

/// One 64-bit integer per lane. Those that grow by the same from lane to lane,
/// which most do, are two numbers; others are shared between copies, all of
/// which belong to one thread.
class Lanes {
public:
  Lanes() = default;
  /*implicit*/ Lanes(std::int64_t Same) : First(Same) {}
  explicit Lanes(const std::array<std::int64_t, WarpSize> &Values);

  bool isUniform() const { return !Step && !Each; }
  std::int64_t operator[](unsigned Lane) const {
    return Each ? Each->Values[Lane] : First + Step * std::int64_t(Lane);
  }
  /// True when the lanes of `Mask` are all equal.
  bool isUniformIn(LaneMask Mask) const;
  bool isZero() const { return isUniform() && First == 0; }
  /// True when the lanes of `Mask` are all 0.
  bool isZeroIn(LaneMask Mask) const;
  /// The lanes that are 0.
  LaneMask zeros() const;
  bool operator==(const Lanes &Other) const;

  /// The lanes of `Mask` from `A`, the others from `B`.
  static Lanes blend(LaneMask Mask, const Lanes &A, const Lanes &B);
  /// `A` plus `Sign` times `B`, and `A` times `B`, in each lane modulo
  /// 2^`Bits`; sets `Wrapped` where one is not that of the integers.
  static Lanes sum(const Lanes &A, const Lanes &B, std::int64_t Sign,
                   unsigned Bits, bool &Wrapped);
  static Lanes product(const Lanes &A, const Lanes &B, unsigned Bits,
                       bool &Wrapped);
  /// The least and the greatest of those of `Mask`, which has some.
  std::pair<std::int64_t, std::int64_t> extremes(LaneMask Mask) const;

  template <typename Op> Lanes map(Op F) const {
    if (isUniform())
      return Lanes(F(First));
    std::array<std::int64_t, WarpSize> R;
    for (unsigned L = 0; L < WarpSize; ++L)
      R[L] = F((*this)[L]);
    return Lanes(R);
  }
  template <typename Op> Lanes zip(const Lanes &B, Op F) const {
    if (isUniform() && B.isUniform())
      return Lanes(F(First, B.First));
    std::array<std::int64_t, WarpSize> R;
    for (unsigned L = 0; L < WarpSize; ++L)
      R[L] = F((*this)[L], B[L]);
    return Lanes(R);
  }

private:
  struct Table : llvm::RefCountedBase<Table> {
    explicit Table(const std::array<std::int64_t, WarpSize> &Values)
        : Values(Values) {}
    std::array<std::int64_t, WarpSize> Values;
  };
  /// Without `Each`, a lane is First + Step * its number, which overflows in
  /// none; with it, that is not so.
  std::int64_t First = 0, Step = 0;
  llvm::IntrusiveRefCntPtr<const Table> Each;

  static std::optional<Lanes> growing(__int128 First, __int128 Last,
                                      unsigned Bits);
};

/// Index into a SymbolTable.
using Symbol = std::uint32_t;

enum class SymbolKind : std::uint8_t {
  Parameter,  ///< Of the kernel, or what is computed from such alone.
  BlockIndex, ///< blockIdx, and what is computed from it.
  Counter,    ///< The turn of a loop, from 0.
  Loaded,     ///< Read from memory at an address that lanes share.
  Object,     ///< The address of an array or of what a pointer points to.
  Opaque,     ///< The result of an operation that is not a polynomial.
  Product,    ///< Of other symbols.
  Warp, ///< The number of the warp, where one run is to stand for several.
};

inline constexpr std::int64_t NoMin = std::numeric_limits<std::int64_t>::min();
inline constexpr std::int64_t NoMax = std::numeric_limits<std::int64_t>::max();

/// Sizes that come at run time are taken to be round when only alignment is
/// asked: a multiple of this many elements. Errs towards aligned rows.
inline constexpr std::uint64_t RoundSize = 32;

/// Of a value that the remainder of one symbol decides: what it is, by that
/// remainder, from 0. Where the symbol has few values, by these.
struct ByRemainder {
  Symbol Of = 0;
  std::vector<std::int64_t> Values;
  bool TakesNonNegative = false; ///< The symbol is taken not to be negative.
};

struct SymbolInfo {
  SymbolKind Kind = SymbolKind::Opaque;
  std::string Name; ///< As the user would recognise it; may be empty.
  std::int64_t Min = NoMin;
  std::int64_t Max = NoMax;
  std::uint64_t MultipleOf = 1; ///< Proved; of objects, their alignment.
  /// What it is taken to be a multiple of when only alignment is asked: run-
  /// time sizes are assumed to be round, turns of a loop are not.
  std::uint64_t AssumedMultipleOf = 1;
  /// A size that is 0 or 1 in some launch: it is not taken to be large.
  bool MayBeSmall = false;
  std::vector<Symbol> Factors; ///< Of a product, sorted.
  /// One of several values that lanes of one instruction loaded: how far they
  /// are apart, the data decides.
  bool IsGathered = false;
  /// One of places that somebody worked out, as ComputedIndices.h has it.
  bool IsComputed = false;
  /// It is 0 or 1, what one lane says of itself: in which of LaneVotes, from 1;
  /// 0: no such symbol.
  unsigned Vote = 0;
  const void *Origin = nullptr; ///< IR value that it stands for, if any.
  /// Dimensions of blockIdx that it is or is computed from, among others: bits
  /// 1, 2 and 4.
  unsigned ByBlock = 0;
  bool ByWarp = false; ///< The number of the warp, or a product of it.
  MemorySpace Space = MemorySpace::Global; ///< Of an object.
  /// Of an array in shared memory: in a block of any launch it begins in the
  /// first bank.
  bool BeginsInFirstBank = false;
  /// Of a pointer that the launch moved: it is this symbol plus so many bytes.
  std::int64_t MovedBy = 0;
  /// Of a pointer that is null in this launch. What is accessed through it
  /// nevertheless lies behind a condition that is not understood, and is
  /// evaluated as if there was an object.
  bool IsNull = false;
  /// Of a value that is one in all threads of a launch: the argument, or the
  /// variable in constant memory, that has it, and a number of where in it.
  /// Symbols that agree in this and in Kind are equal, also of other runs.
  struct Constant {
    const void *By = nullptr;
    std::int64_t At = 0;
  } Fixed = {};
  std::shared_ptr<const ByRemainder> Remainders = nullptr; ///< Null: none.
};

/// What a value takes for granted. A bit set in LaneValue::Assumes.
enum AssumedBits : std::uint32_t {
  AssumesNoWrap = 1,      ///< Index arithmetic does not overflow.
  AssumesNonNegative = 2, ///< An index that is divided is not negative.
  AssumesInterior = 4,   ///< Borders are handled elsewhere: clamps do not bite.
  AssumesNoStraddle = 8, ///< Rows of run-time length do not split a warp.
  AssumesAllLanes = 16,  ///< Branches on data are taken by all lanes.
  AssumesTruncated = 32, ///< The first turns stand for the whole loop.
  AssumesPhase = 64,     ///< A uniform offset is a multiple of a divisor.
  AssumesBlockLanes = 256,    ///< Branches on blockIdx are taken by all lanes.
  AssumesRound = 128,         ///< Sizes known at run time are multiples of 32.
  AssumesSampled = 512,       ///< Turns all over a loop stand for the others.
  AssumesInitialTable = 1024, ///< The host does not change constant tables.
  AssumesSomeBlocks = 2048,   ///< Blocks all over a grid stand for all.
  AssumesExactFloat = 4096,   ///< A float holds an index without rounding.
  AssumesMeeting = 8192,      ///< Lanes meet before all of a branch has met.
};

struct Term {
  Symbol S;
  Lanes Coefficient;
  bool operator==(const Term &) const = default;
};

/// A value in all lanes. Bits is 1 to 64; constants and coefficients are kept
/// sign-extended from Bits.
struct LaneValue {
  unsigned Bits = 32;
  LaneMask Unknown = 0; ///< Lanes of which nothing is known.
  std::uint32_t Assumes = 0;
  /// True when some step may have wrapped in the signed sense and no flag of
  /// the IR rules it out; then a sign extension is an assumption.
  bool MayWrap = false;
  Lanes Constant;
  /// Sorted by symbol; no all-zero coefficients.
  llvm::SmallVector<Term, 3> Terms;

  static LaneValue constant(unsigned Bits, Lanes Value);
  static LaneValue symbol(unsigned Bits, Symbol S);
  static LaneValue unknown(unsigned Bits);

  bool isConstant() const { return !Unknown && Terms.empty(); }
  /// The same in all lanes (known or not by value, but not unknown).
  bool isUniform() const;
  bool isUniformIn(LaneMask Mask) const;
  /// True when nothing but a constant is known to differ in lane `L`.
  bool isConstantIn(LaneMask Mask) const;
  /// Equal as polynomials.
  bool sameAs(const LaneValue &Other) const;
  /// Equal in all that is said here.
  bool operator==(const LaneValue &) const = default;
};

/// Closed interval; empty optional stands for "not known".
struct Range {
  __int128 Min, Max;
};

/// Symbols of one warp's evaluation, and the arithmetic over them.
class LaneArithmetic {
public:
  Symbol makeSymbol(SymbolInfo Info);
  const SymbolInfo &info(Symbol S) const { return Symbols[S]; }
  std::size_t symbolCount() const { return Symbols.size(); }
  /// What divides a term in all lanes, proved; 0 divides none but 0.
  std::uint64_t multipleOf(const Term &T) const;
  void markGathered(Symbol S, bool IsComputed) {
    Symbols[S].IsGathered = true;
    Symbols[S].IsComputed = IsComputed;
  }
  void markMayBeSmall(Symbol S) { Symbols[S].MayBeSmall = true; }
  /// Whether `S` is, or is a product of, what lanes of one instruction loaded
  /// from several places.
  bool isGathered(Symbol S) const;
  void setMovedBy(Symbol S, std::int64_t Bytes) { Symbols[S].MovedBy = Bytes; }
  void setNull(Symbol S) { Symbols[S].IsNull = true; }
  void setAlignment(Symbol S, std::uint64_t Bytes) {
    Symbols[S].AssumedMultipleOf = Bytes;
  }
  /// `S` is within `R`, too. Where that is below all round sizes, it is none.
  void narrow(Symbol S, Range R);
  /// `S` is a multiple of `Of`, a power of two; of others nothing is noted.
  void setMultiple(Symbol S, std::uint64_t Of);
  void setFixed(Symbol S, SymbolInfo::Constant Of) { Symbols[S].Fixed = Of; }
  /// The product of two symbols; the same pair gives the same symbol.
  Symbol product(Symbol A, Symbol B);

  LaneValue add(const LaneValue &A, const LaneValue &B, bool NoWrap = false);
  LaneValue sub(const LaneValue &A, const LaneValue &B, bool NoWrap = false);
  LaneValue mul(const LaneValue &A, const LaneValue &B, bool NoWrap = false);
  LaneValue shl(const LaneValue &A, const LaneValue &B, bool NoWrap = false);
  LaneValue lshr(const LaneValue &A, const LaneValue &B);
  LaneValue ashr(const LaneValue &A, const LaneValue &B);
  LaneValue udiv(const LaneValue &A, const LaneValue &B);
  LaneValue sdiv(const LaneValue &A, const LaneValue &B);
  LaneValue urem(const LaneValue &A, const LaneValue &B);
  LaneValue srem(const LaneValue &A, const LaneValue &B);
  LaneValue bitAnd(const LaneValue &A, const LaneValue &B);
  LaneValue bitOr(const LaneValue &A, const LaneValue &B);
  LaneValue bitXor(const LaneValue &A, const LaneValue &B);

  LaneValue trunc(const LaneValue &A, unsigned Bits);
  LaneValue zext(const LaneValue &A, unsigned Bits, bool NonNegative = false);
  LaneValue sext(const LaneValue &A, unsigned Bits);

  enum class Predicate { EQ, NE, ULT, ULE, UGT, UGE, SLT, SLE, SGT, SGE };
  /// One bit per lane. A lane that cannot be decided is a symbol where the
  /// outcome is the same in all lanes, unknown where it may differ.
  LaneValue compare(Predicate P, const LaneValue &A, const LaneValue &B);

  LaneValue min(const LaneValue &A, const LaneValue &B, bool Signed);
  LaneValue max(const LaneValue &A, const LaneValue &B, bool Signed);

  /// `A` where `Condition` holds, `B` elsewhere. Where it cannot be decided
  /// and depends on the lane, the side that varies with the lane is taken to
  /// be the interior and the other the border (AssumesInterior).
  LaneValue select(const LaneValue &Condition, const LaneValue &A,
                   const LaneValue &B);
  /// The lanes of `Mask` from `A`, the others from `B`.
  LaneValue blend(LaneMask Mask, const LaneValue &A, const LaneValue &B);
  /// What two paths give to the lanes that may have taken either.
  /// `SameForAll`: all lanes took the same one.
  LaneValue merge(const LaneValue &A, const LaneValue &B, bool SameForAll);

  /// A symbol for the result of `Operation` on uniform operands: the same
  /// operands give the same symbol.
  LaneValue opaque(unsigned Bits, unsigned Operation, const LaneValue &A,
                   const LaneValue &B);
  /// A new symbol that is the same in all lanes.
  LaneValue fresh(unsigned Bits, SymbolInfo Info);

  /// True when all that is not known in it is of that kind.
  bool isOfKind(const LaneValue &A, SymbolKind Kind) const;
  /// Dimensions of blockIdx that some of what is not known in it is computed
  /// from, as in SymbolInfo.
  unsigned blockDimensions(const LaneValue &A) const;

  /// One run is to stand for the warps from `First` to `Last`: all that is
  /// computed from now on may depend on which of them it is.
  void makeWarps(unsigned First, unsigned Last);
  bool areSeveralWarps() const { return OfWarps.has_value(); }
  /// The warps that it stands for by now: those from which something else than
  /// a number tells others apart were left out.
  struct WarpRange {
    unsigned First = 0, Last = 0;
  };
  WarpRange warps() const { return OfWarps->Left; }
  /// Something else than a number tells these warps apart, in a way in which
  /// none can be left out: what is computed from now on is of no use.
  void tellWarpsApart() { AreApart = true; }
  bool areWarpsApart() const { return AreApart; }
  bool dependsOnWarp(const LaneValue &A) const;
  /// Whether each lane depends on it alike, if at all.
  bool dependsAlike(const LaneValue &A) const;
  /// Whether nothing is in it but a constant and the number of the warp.
  bool isConstantInWarp(const LaneValue &A, LaneMask Mask) const;
  /// Whether in none of these warps it is sure not to wrap as a signed integer.
  bool wrapsInEachWarp(const LaneValue &A);
  /// What it is in one of these warps.
  LaneValue inWarp(const LaneValue &A, unsigned Warp);
  /// `F(w)` of each of these warps as one value. Where it is none that grows by
  /// the same from warp to warp, the fewer of them are left out from now on.
  LaneValue throughWarps(const std::function<LaneValue(unsigned)> &F);

  /// Interval of the value in lane `L`, by the ranges of its symbols.
  std::optional<Range> range(const LaneValue &A, unsigned L) const;

private:
  LaneValue extremum(Predicate Strict, Predicate Loose, const LaneValue &A,
                     const LaneValue &B);

  std::vector<SymbolInfo> Symbols;
  struct SeveralWarps {
    Symbol Number;  ///< 0 in the first of all.
    unsigned First; ///< Of all, also those that were left out.
    WarpRange Left;
  };
  std::optional<SeveralWarps> OfWarps;
  bool AreApart = false;
  std::map<std::pair<Symbol, Symbol>, Symbol> Products;
  /// The same by all their factors, sorted: (a·b)·c is a·(b·c).
  std::map<std::vector<Symbol>, Symbol> ProductsOf;
  std::map<std::vector<std::int64_t>, Symbol> Opaques;
  std::map<std::vector<std::int64_t>, Symbol> Sums; ///< By their terms.

  LaneValue divide(const LaneValue &A, const LaneValue &B, bool Signed);
  LaneValue shiftedRight(const LaneValue &A, const LaneValue &B, bool Signed);
  std::optional<LaneValue> bitwiseRound(unsigned Operation, const LaneValue &A,
                                        const LaneValue &B);
  std::optional<LaneValue> lowBitsAndSign(const LaneValue &A,
                                          const LaneValue &B);
  LaneValue bitwise(unsigned Operation, const LaneValue &A, const LaneValue &B);
  bool fits(const LaneValue &A, bool Signed) const;
  /// An interval that holds it in all lanes of which something is known.
  Range hull(const LaneValue &A) const;
  /// The same value with less terms: one symbol is the sum of those that all
  /// lanes have in common, but for addresses of arrays.
  LaneValue withSum(const LaneValue &A);
  /// The value with no more than MaxTerms terms, or nothing known of it.
  LaneValue limited(LaneValue V);
  bool hasTooManyTerms(const LaneValue &V) const;
  SymbolKind kindOf(const LaneValue &A, const LaneValue &B) const;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_LANEVALUE_H
