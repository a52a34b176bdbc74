//===- tests/unit/analyzer/ir/LanePolynomialTests.cpp - Over symbols ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Draws expressions over symbols and lanes, computes them once over symbols,
/// then gives the symbols many values and compares with plain integers. A
/// value that assumes nothing must be right for every value of its symbols;
/// one that assumes something must be right wherever that holds. Eight bits
/// wrap often, so that what is wrong for large numbers shows for small ones.
///
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Substitution.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string>

namespace LanePolynomialTests {

using namespace cudalint;

namespace {

/// One value of an expression, over symbols and as a plain function.
struct Node {
  LaneValue Value;
  std::string Text;
  std::function<PlainLanes(const Assignment &, const std::vector<PlainLanes> &)>
      Plain;
};

/// An expression under construction: nodes refer to earlier ones by number.
class Expression {
public:
  explicit Expression(std::uint64_t Seed) : Draw(Seed) {
    for (int K = 0; K < 2; ++K)
      addSymbol();
    for (int K = 0; K < 2; ++K)
      addConstant();
  }

  LaneArithmetic Arithmetic;
  std::vector<Node> Nodes;

  void grow();
  void addExtension();
  /// Random values for the symbols that the expression started from.
  Assignment values();
  std::string describe(std::size_t Node) const;

private:
  std::mt19937_64 Draw;
  std::vector<Symbol> Base;

  std::uint64_t below(std::uint64_t N) { return Draw() % N; }
  std::size_t pick(unsigned Bits);
  void addSymbol();
  void addConstant();
  void addBinary();
  void addSelect();
};

} // namespace

void Expression::addSymbol() {
  static constexpr std::pair<std::int64_t, std::int64_t> Ranges[] = {
      {-128, 127}, {0, 127}, {0, 3}, {1, 20}, {-4, 4}, {0, 1}, {0, 60}};
  const auto [Min, Max] = Ranges[below(std::size(Ranges))];
  SymbolInfo Info;
  Info.Kind = below(2) ? SymbolKind::Parameter : SymbolKind::BlockIndex;
  Info.Min = Min;
  Info.Max = Max;
  if (Max >= 20 && below(3) == 0)
    Info.MultipleOf = Info.AssumedMultipleOf = 1u << (1 + below(3));
  const Symbol S = Arithmetic.makeSymbol(Info);
  Base.push_back(S);
  Nodes.push_back({LaneValue::symbol(8, S),
                   "s" + std::to_string(S) + "[" + std::to_string(Min) + ".." +
                       std::to_string(Max) + " by " +
                       std::to_string(Info.MultipleOf) + "]",
                   [S](const Assignment &Symbols, const auto &) {
                     PlainLanes R;
                     R.fill(static_cast<std::uint64_t>(Symbols.at(S)) & 0xff);
                     return R;
                   }});
}

void Expression::addConstant() {
  std::array<std::int64_t, WarpSize> C;
  const std::uint64_t Kind = below(5);
  const auto Scale = static_cast<std::int64_t>(1 + below(8));
  const auto Shift = static_cast<std::int64_t>(below(256)) - 128;
  for (unsigned L = 0; L < WarpSize; ++L) {
    const std::int64_t Lane = L;
    C[L] = Kind == 0   ? Shift
           : Kind == 1 ? std::int64_t(1) << below(1) << (Scale - 1)
           : Kind == 2 ? Lane
           : Kind == 3 ? Lane * Scale
                       : Lane / Scale;
  }
  if (Kind == 1)
    C.fill(std::int64_t(1) << (Scale - 1));
  const LaneValue V = LaneValue::constant(8, Lanes(C));
  static const char *const Kinds[] = {"shift ", "power ", "lane ", "lane*",
                                      "lane/"};
  Nodes.push_back({V, Kinds[Kind] + std::to_string(Kind ? Scale : Shift),
                   [V](const Assignment &, const auto &) {
                     PlainLanes R;
                     for (unsigned L = 0; L < WarpSize; ++L)
                       R[L] = static_cast<std::uint64_t>(V.Constant[L]) & 0xff;
                     return R;
                   }});
}

/// A node of that width; there is always one of eight bits.
std::size_t Expression::pick(unsigned Bits) {
  std::vector<std::size_t> Fitting;
  for (std::size_t K = 0; K < Nodes.size(); ++K)
    if (Nodes[K].Value.Bits == Bits)
      Fitting.push_back(K);
  return Fitting[below(Fitting.size())];
}

void Expression::addBinary() {
  unsigned Bits = 8;
  auto O = static_cast<Operation>(below(OperationKinds));
  // Truth values: logic only.
  for (const Node &N : Nodes)
    if (N.Value.Bits == 1 && below(4) == 0) {
      Bits = 1;
      O = static_cast<Operation>(static_cast<int>(Operation::And) + below(3));
    }
  const std::size_t X = pick(Bits), Y = pick(Bits);
  const bool NoWrap = O <= Operation::Shl && below(2) == 0;
  Nodes.push_back(
      {overLanes(Arithmetic, O, Nodes[X].Value, Nodes[Y].Value, NoWrap),
       std::string(nameOf(O)) + (NoWrap ? " nsw #" : " #") + std::to_string(X) +
           " #" + std::to_string(Y),
       [=](const Assignment &, const std::vector<PlainLanes> &Before) {
         PlainLanes R;
         for (unsigned L = 0; L < WarpSize; ++L) {
           const auto A = Before[X][L], B = Before[Y][L];
           if (A && B && !(NoWrap && wraps(O, *A, *B, Bits)))
             R[L] = plain(O, *A, *B, Bits);
         }
         return R;
       }});
}

void Expression::addSelect() {
  const std::size_t C = pick(1), X = pick(8), Y = pick(8);
  Nodes.push_back(
      {Arithmetic.select(Nodes[C].Value, Nodes[X].Value, Nodes[Y].Value),
       "select #" + std::to_string(C) + " #" + std::to_string(X) + " #" +
           std::to_string(Y),
       [=](const Assignment &, const std::vector<PlainLanes> &Before) {
         PlainLanes R;
         for (unsigned L = 0; L < WarpSize; ++L)
           if (Before[C][L])
             R[L] = *Before[C][L] ? Before[X][L] : Before[Y][L];
         return R;
       }});
}

void Expression::grow() {
  const bool HasTruth = std::ranges::any_of(
      Nodes, [](const Node &N) { return N.Value.Bits == 1; });
  if (HasTruth && below(4) == 0)
    addSelect();
  else if (below(8) == 0)
    addConstant();
  else
    addBinary();
}

/// Makes the last node wider: where it matters whether something wrapped.
void Expression::addExtension() {
  const std::size_t K = Nodes.size() - 1;
  const unsigned From = Nodes[K].Value.Bits;
  const bool Signed = below(2);
  Nodes.push_back(
      {Signed ? Arithmetic.sext(Nodes[K].Value, 16)
              : Arithmetic.zext(Nodes[K].Value, 16),
       (Signed ? "sext #" : "zext #") + std::to_string(K),
       [=](const Assignment &, const std::vector<PlainLanes> &Before) {
         PlainLanes R;
         for (unsigned L = 0; L < WarpSize; ++L)
           if (Before[K][L])
             R[L] = Signed ? static_cast<std::uint64_t>(
                                 signedOf(*Before[K][L], From)) &
                                 0xffff
                           : *Before[K][L];
         return R;
       }});
}

Assignment Expression::values() {
  Assignment V;
  for (Symbol S : Base) {
    const SymbolInfo &I = Arithmetic.info(S);
    const auto Span = static_cast<std::uint64_t>(I.Max - I.Min + 1);
    const auto Step = static_cast<std::int64_t>(I.MultipleOf);
    // The ends of the range first of all.
    std::int64_t X = I.Min + static_cast<std::int64_t>(below(Span));
    if (below(4) == 0)
      X = below(2) ? I.Min : I.Max;
    V[S] = std::clamp(X / Step * Step, (I.Min + Step - 1) / Step * Step,
                      I.Max / Step * Step);
  }
  return V;
}

std::string Expression::describe(std::size_t Last) const {
  std::string S;
  for (std::size_t K = 0; K <= Last; ++K)
    S += "\n  #" + std::to_string(K) + " = " + Nodes[K].Text;
  return S;
}

static std::string describe(const Assignment &Symbols) {
  std::string S;
  for (auto [Symbol, Value] : Symbols)
    S += " s" + std::to_string(Symbol) + "=" + std::to_string(Value);
  return S;
}

/// Number of nodes that were compared under one assignment, -1 at a mistake.
static int compareAll(Expression &E, Assignment Symbols) {
  std::vector<PlainLanes> Plain;
  int Compared = 0;
  for (std::size_t K = 0; K < E.Nodes.size(); ++K) {
    const Node &N = E.Nodes[K];
    Plain.push_back(N.Plain(Symbols, Plain));
    if (N.Value.Assumes)
      continue; // may be wrong; what is made of it assumes the same
    switch (fit(E.Arithmetic, N.Value, Plain[K], Symbols)) {
    case Fit::None:
      ADD_FAILURE() << E.describe(K) << "\nwith" << describe(Symbols);
      return -1;
    case Fit::One:
      ++Compared;
      break;
    case Fit::Many:
    case Fit::Untold:
      // Which value the new symbol has cannot be told: follow it no further.
      return Compared;
    }
  }
  return Compared;
}

static void compareDrawn(std::uint64_t FirstSeed, int Expressions, int Steps) {
  int Compared = 0, Mistakes = 0;
  for (int K = 0; K < Expressions && Mistakes < 5; ++K) {
    Expression E(FirstSeed + static_cast<std::uint64_t>(K));
    for (int S = 0; S < Steps; ++S)
      E.grow();
    E.addExtension();
    for (int Turn = 0; Turn < 12; ++Turn) {
      const int N = compareAll(E, E.values());
      if (N < 0) {
        ++Mistakes;
        break;
      }
      Compared += N;
    }
  }
  // Most of what is drawn must have been compared, or this tests nothing.
  EXPECT_GT(Compared, Expressions * 12 * 4);
}

TEST(LanePolynomials, OneOperation) { compareDrawn(1'000'000, 6000, 1); }

TEST(LanePolynomials, TwoOperations) { compareDrawn(2'000'000, 6000, 2); }

TEST(LanePolynomials, ManyOperations) { compareDrawn(3'000'000, 6000, 6); }

// Dividing by zero is undefined, and that must not stop the analysis.
TEST(LanePolynomials, DivisionByZeroIsSurvived) {
  LaneArithmetic A;
  std::array<std::int64_t, WarpSize> Lane;
  for (unsigned L = 0; L < WarpSize; ++L)
    Lane[L] = L;
  const LaneValue N = A.fresh(32, {.Min = 0, .Max = 100});
  const LaneValue Zero = LaneValue::constant(32, 0);
  for (const LaneValue &X :
       {N, A.add(N, LaneValue::constant(32, Lanes(Lane)))}) {
    A.udiv(X, Zero);
    A.sdiv(X, Zero);
    A.urem(X, Zero);
    A.srem(X, Zero);
  }
}

/// All of them added up.
static LaneValue sumOf(LaneArithmetic &A, const std::vector<LaneValue> &Sizes) {
  LaneValue Sum = LaneValue::constant(64, 0);
  for (const LaneValue &Each : Sizes)
    Sum = A.add(Sum, Each);
  return Sum;
}

// However many terms all lanes have in common, lanes are as far apart as ever.
TEST(LanePolynomials, ALongSumIsOneSymbol) {
  LaneArithmetic A;
  std::vector<LaneValue> Sizes;
  for (unsigned K = 0; K < 40; ++K)
    Sizes.push_back(
        A.fresh(64, {.Min = 0, .Max = 1000, .MultipleOf = 12 + 4 * (K % 3)}));
  std::array<std::int64_t, WarpSize> Index;
  for (unsigned L = 0; L < WarpSize; ++L)
    Index[L] = 4 * L;
  const LaneValue Sum = sumOf(A, Sizes);
  const LaneValue V = A.add(Sum, LaneValue::constant(64, Lanes(Index)));
  EXPECT_FALSE(V.Unknown);
  for (const Term &T : V.Terms)
    EXPECT_TRUE(T.Coefficient.isUniform());
  EXPECT_EQ(V.Constant[31] - V.Constant[0], 4 * 31);
  // 12, 16 and 20 have 4 in common; 40 numbers up to 1000 are 40000 at most.
  for (const Term &T : V.Terms)
    EXPECT_EQ(A.info(T.S).MultipleOf % 4, 0u);
  const auto All = A.range(Sum, 0);
  ASSERT_TRUE(All);
  EXPECT_EQ(All->Min, 0);
  EXPECT_EQ(All->Max, 40'000);
  // The same sum again is the same number.
  const LaneValue None = A.sub(sumOf(A, Sizes), Sum);
  EXPECT_TRUE(None.Terms.empty());
  EXPECT_TRUE(None.Constant.isZero());
}

// (20 terms) · (20 terms) has 400; it is one number for all lanes.
TEST(LanePolynomials, AProductOfLongSumsIsKnown) {
  LaneArithmetic A;
  std::vector<LaneValue> X, Y;
  for (unsigned K = 0; K < 20; ++K) {
    X.push_back(A.fresh(64, {}));
    Y.push_back(A.fresh(64, {}));
  }
  const LaneValue P = A.mul(sumOf(A, X), sumOf(A, Y));
  EXPECT_FALSE(P.Unknown);
  EXPECT_TRUE(P.isUniform());
}

} // namespace LanePolynomialTests
