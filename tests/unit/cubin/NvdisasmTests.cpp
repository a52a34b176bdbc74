//===- tests/unit/cubin/NvdisasmTests.cpp - SASS as nvdisasm reads it -----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cubin/Instruction.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

namespace cudalint::cubin::NvdisasmTests {
namespace {

struct Row {
  unsigned Architecture = 0;
  Encoding Bits;
  std::string Name, Text;
  bool Predicated = false;
  std::string Bytes;     // empty: it touches no memory
  std::string Addresses; // register, uniform register, scale, offset
};

std::vector<Row> rows() {
  std::vector<Row> Out;
  std::ifstream In(CUDA_LINT_TEST_DATA "/sass.tsv");
  for (std::string Line; std::getline(In, Line);) {
    if (Line[0] == '#')
      continue;
    std::istringstream Columns(Line);
    std::string Cells[8];
    for (std::string &Each : Cells)
      std::getline(Columns, Each, '\t');
    Out.push_back({static_cast<unsigned>(std::stoul(Cells[0])),
                   {std::stoull(Cells[1], nullptr, 16),
                    std::stoull(Cells[2], nullptr, 16)},
                   Cells[3],
                   Cells[7],
                   Cells[4] == "1",
                   Cells[5],
                   Cells[6]});
  }
  return Out;
}

int numberOf(std::optional<unsigned> Register) {
  return Register ? static_cast<int>(*Register) : -1;
}

TEST(Nvdisasm, EveryFormIsReadAsItIsPrinted) {
  std::vector<Row> Rows = rows();
  ASSERT_GT(Rows.size(), 3000u);
  for (const Row &Each : Rows) {
    SCOPED_TRACE(std::to_string(Each.Architecture) + ": " + Each.Text);
    EXPECT_EQ(nameOf(Each.Bits, Each.Architecture), Each.Name);
    EXPECT_EQ(isPredicated(Each.Bits), Each.Predicated);
    std::string Addresses;
    std::vector<MemoryAccess> Accesses =
        accessesOf(Each.Bits, Each.Architecture);
    EXPECT_EQ(Accesses.empty(), Each.Bytes.empty());
    for (const MemoryAccess &A : Accesses) {
      EXPECT_EQ(std::to_string(A.Bytes), Each.Bytes);
      std::ostringstream Text;
      Text << (Addresses.empty() ? "" : "|") << numberOf(A.AddressRegister)
           << ' ' << numberOf(A.UniformRegister) << ' ' << A.Scale << ' '
           << A.Offset;
      Addresses += Text.str();
    }
    EXPECT_EQ(Addresses, Each.Addresses);
  }
}

TEST(Nvdisasm, BranchesGoWhereItSays) {
  // At 0x7d0 of a kernel for 7.5: @P1 BRA 0x150; at 0x7e0 of the same for
  // 9.0: to 0x160. The last instruction of each branches to itself.
  EXPECT_EQ(flowOf({0xfffff97000001947, 0x000fea000383ffff}, 75),
            (Flow{Flow::Kind::Branch, true, 0x150 - 0x7e0}));
  EXPECT_EQ(flowOf({0xfffffff8005c1947, 0x000fea000383ffff}, 90),
            (Flow{Flow::Kind::Branch, true, 0x160 - 0x7f0}));
  EXPECT_EQ(flowOf({0xfffffff000007947, 0x000fc0000383ffff}, 75),
            (Flow{Flow::Kind::Branch, false, -16}));
  EXPECT_EQ(flowOf({0xfffffffc00fc7947, 0x000fc0000383ffff}, 120),
            (Flow{Flow::Kind::Branch, false, -16}));
  // EXIT, @P0 EXIT
  EXPECT_FALSE(
      flowOf({0x000000000000794d, 0x000fea0003800000}, 90).FallsThrough);
  EXPECT_TRUE(
      flowOf({0x000000000000094d, 0x000fea0003800000}, 90).FallsThrough);
}

} // namespace
} // namespace cudalint::cubin::NvdisasmTests
