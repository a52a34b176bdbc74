//===- tests/unit/hardware/MeasuredTransactionsTests.cpp - By the GPU ----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every request that was measured on an H200, none left out. The files are
// the output of kernels/transactions/tabulate.py; what they are and how they
// came about is in docs/validation/transactions-h200.md.
//
//===----------------------------------------------------------------------===//

#include "hardware/WarpTransactions.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace MeasuredTransactionsTests {

using namespace cudalint;

struct Measured {
  std::string Name;
  bool Shared = false;
  WarpRequest Request;
  unsigned Count = 0, Ideal = 0, Hardware = 0;
};

static std::vector<Measured> readMeasured(const std::string &Name) {
  std::ifstream In(std::string(CUDA_LINT_TEST_DATA) + "/" + Name);
  EXPECT_TRUE(In) << Name << " cannot be read";
  std::vector<Measured> All;
  for (std::string Line; std::getline(In, Line);) {
    std::istringstream Words(Line);
    Measured M;
    std::string Space, Operation, Lanes;
    Words >> M.Name >> Space >> Operation >> M.Request.BytesPerLane >>
        std::hex >> M.Request.ActiveMask >> std::dec >> Lanes >> M.Count >>
        M.Ideal >> M.Hardware;
    EXPECT_TRUE(Words) << Line;
    M.Shared = Space == "shared";
    M.Request.Kind = Operation == "load"    ? RequestKind::Load
                     : Operation == "store" ? RequestKind::Store
                                            : RequestKind::Atomic;
    std::istringstream Indices(Lanes);
    char Comma = 0;
    for (std::uint64_t &Address : M.Request.Address) {
      Indices >> Address >> Comma;
      Address *= M.Request.BytesPerLane;
    }
    All.push_back(M);
  }
  return All;
}

static void expectEqual(const std::vector<Measured> &All) {
  const Architecture &H200 = *findArchitecture({9, 0});
  unsigned MoreAtomicSectors = 0;
  for (const Measured &M : All) {
    SCOPED_TRACE(M.Name + ", " + std::to_string(M.Request.BytesPerLane) +
                 " bytes, kind " +
                 std::to_string(static_cast<int>(M.Request.Kind)));
    if (M.Shared) {
      const SharedTraffic T = sharedTraffic(H200, M.Request);
      EXPECT_EQ(T.Wavefronts, M.Count);
      EXPECT_EQ(T.Ideal, M.Ideal);
      EXPECT_EQ(T.Served, M.Hardware);
      continue;
    }
    const GlobalTraffic T = globalTraffic(H200, M.Request);
    EXPECT_EQ(T.Transactions, M.Count);
    EXPECT_EQ(T.Ideal, M.Ideal);
    // The hardware's own counter sees an atomic that several lanes aim at one
    // word as more sectors; we predict what is reported by instruction.
    if (M.Request.Kind == RequestKind::Atomic && M.Hardware != M.Count)
      ++MoreAtomicSectors;
    else
      EXPECT_EQ(T.Transactions, M.Hardware);
  }
  EXPECT_LE(MoreAtomicSectors, 4u);
}

TEST(MeasuredOnH200, FixedSet) {
  const auto All = readMeasured("h200-fixed.txt");
  EXPECT_EQ(All.size(), 1557u);
  expectEqual(All);
}

// Wide loads whose lanes pair up in one half of the warp or both: the first
// draws of the sweep kernels/shared-wide.
TEST(MeasuredOnH200, WideLoads) {
  const auto All = readMeasured("h200-wide.txt");
  EXPECT_EQ(All.size(), 240u);
  expectEqual(All);
}

// Drawn, and predicted, after the rules were settled on the fixed set.
TEST(MeasuredOnH200, DrawnAfterwards) {
  const auto All = readMeasured("h200-drawn.txt");
  EXPECT_EQ(All.size(), 500u);
  expectEqual(All);
}

} // namespace MeasuredTransactionsTests
