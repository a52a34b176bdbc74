//===- tests/unit/analyzer/ir/PathSlotsTests.cpp - What else is done ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Evaluation.h"

#include <gmock/gmock.h>

namespace PathSlotsTests {

using namespace cudalint;
using testing::AllOf;
using testing::Ge;
using testing::Le;

static Evaluated kernel(const std::string &Body) {
  return evaluate("__global__ void k(float *o, const float *p, int n) {\n"
                  "  float x = n;\n" +
                  Body + "\n}\n");
}

/// Of the store that is marked so.
static PathSlots pathTo(const std::string &Body) {
  const Evaluated E = kernel(Body);
  const Location Where = E.globalStore("here").UserWhere;
  for (const AccessPath &Each : E.Traits.Paths)
    if (Each.Op == AccessOp::Store && Each.Place.Where == Where)
      return Each.Slots;
  ADD_FAILURE() << "no path to it";
  return {};
}

/// A loop of 100 turns, each an FMA and what counts it: 100 to 500 slots.
static const std::string Hundred =
    "for (int i = 0; i < 100; ++i) x = x * x + 0.5f;\n";
static const auto IsAHundred = AllOf(Ge(100), Le(550));

TEST(PathSlots, OfAKernelWithoutLoopsAreAll) {
  const PathSlots Of = pathTo("o[threadIdx.x] = x * x + 2; // here");
  EXPECT_THAT(Of.InAll, AllOf(Ge(2), Le(20)));
  EXPECT_EQ(Of.OfTurn, Of.InAll);
}

// An FMA adds one product: of two, the other is an instruction of its own.
TEST(PathSlots, OneProductIsAPartOfASum) {
  const auto of = [](const std::string &Sum) {
    return pathTo("float y = p[1]; o[threadIdx.x] = " + Sum + "; // here")
        .InAll;
  };
  EXPECT_EQ(of("x * y + y"), of("x + y"));
  EXPECT_EQ(of("x * y + y * 3"), of("x * y + y") + 1);
  EXPECT_EQ(of("x * y - y * 3"), of("x * y + y") + 1);
}

TEST(PathSlots, CountLoopsBesideThePlace) {
  EXPECT_THAT(pathTo(Hundred + "o[threadIdx.x] = x; // here").InAll,
              IsAHundred);
  // In whatever order.
  EXPECT_THAT(pathTo("o[threadIdx.x] = 1; // here\n" + Hundred +
                     "o[threadIdx.x + n] = x;\n")
                  .InAll,
              IsAHundred);
  // Each turn does all of that.
  EXPECT_THAT(pathTo("for (int k = 0; k < n; ++k) {\n" + Hundred +
                     "o[k] = x; // here\n}")
                  .InAll,
              IsAHundred);
}

TEST(PathSlots, OfLoopsThatOnlyTheRunCountsAreSomeTurns) {
  auto InAll = [](const std::string &From, const std::string &Until,
                  const std::string &Step) {
    return pathTo("for (int i = " + From + "; i < " + Until + "; i += " + Step +
                  ") x = x * x + 0.5f;\no[threadIdx.x] = x; // here")
        .InAll;
  };
  // Four slots or so each: 100 turns where a parameter decides.
  const auto AreMany = AllOf(Ge(200), Le(600));
  EXPECT_THAT(InAll("0", "n", "1"), AreMany);
  EXPECT_THAT(InAll("threadIdx.x", "n", "8"), AreMany);
  // Two where data does, or the grid.
  const auto AreTwo = Le(19);
  EXPECT_THAT(InAll("0", "int(p[n])", "1"), AreTwo);
  EXPECT_THAT(InAll("threadIdx.x", "n", "blockDim.x"), AreTwo);
}

TEST(PathSlots, TakeTheShortestWay) {
  EXPECT_LE(
      pathTo("if (p[n] > 3) {\n" + Hundred + "}\no[threadIdx.x] = x; // here")
          .InAll,
      30);
  EXPECT_THAT(
      pathTo("if (p[n] > 3) {\n" + Hundred + "o[threadIdx.x] = x; // here\n}")
          .InAll,
      IsAHundred);
  // What ends by a trap is no way.
  EXPECT_THAT(pathTo("if (p[n] > 3) __builtin_trap();\n" + Hundred +
                     "o[threadIdx.x] = x; // here")
                  .InAll,
              IsAHundred);
}

TEST(PathSlots, ShareWhatIsAroundALoopOfKnownTurns) {
  const PathSlots Of =
      pathTo(Hundred + "#pragma unroll 1\n"
                       "for (int k = 0; k < 50; ++k) o[k * n] = x; // here");
  EXPECT_LE(Of.OfTurn, 10);
  // A fiftieth of the hundred turns.
  EXPECT_THAT(Of.InAll - Of.OfTurn, AllOf(Ge(2), Le(12)));
  // How often it turns nobody knows: perhaps a million times.
  const PathSlots Unknown =
      pathTo(Hundred + "for (int k = 0; k < n; ++k) o[k * n] = x; // here");
  EXPECT_EQ(Unknown.InAll, Unknown.OfTurn);
}

TEST(PathSlots, OfTheKernel) {
  EXPECT_THAT(kernel(Hundred + "o[threadIdx.x] = x;").Traits.PathSlots,
              IsAHundred);
  EXPECT_LE(kernel("if (p[n] > 3) {" + Hundred + "}\no[threadIdx.x] = x;")
                .Traits.PathSlots,
            30);
}

TEST(DoubleWork, IsToldByLine) {
  // Line 1 is the head, 2 declares x.
  const std::vector<DoubleWork> Found =
      kernel("x = x * 2.5f;\n"
             "x = (x * 0.1 + p[n]) * 0.2;\n" + // line 4
             Hundred +
             "o[threadIdx.x] = x;")
          .Traits.Doubles;
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].Where.Line, 4u);
  EXPECT_EQ(Found[0].Function, "k");
  // An FMA, or a product and a sum, and a product.
  EXPECT_THAT(Found[0].Slots, AllOf(Ge(2), Le(3)));
  // Of x and p[n], and back.
  EXPECT_EQ(Found[0].Conversions, 3);
  EXPECT_THAT(Found[0].PathSlots, IsAHundred);
}

} // namespace PathSlotsTests
