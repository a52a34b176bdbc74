//===- tests/unit/runtime/ncu/SourcePageTests.cpp - Rows ------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/ncu/SourcePage.h"

#include "runtime/ncu/ExportLine.h"

#include <gmock/gmock.h>

namespace SourcePageTests {

using namespace cudalint;
using namespace cudalint::ncu;
using ::testing::HasSubstr;
using ::testing::SizeIs;

static std::string faultOf(const std::string &Text) {
  try {
    readSourcePage(Text);
  } catch (const Fault &Why) {
    return Why.what();
  }
  return "none";
}

static const std::string Head =
    "\"Kernel Name\",\"f\",\n"
    "\"Address\",\"Source\",\"Instructions Executed\","
    "\"Thread Instructions Executed\","
    "\"Predicated-On Thread Instructions Executed\","
    "\"L2 Theoretical Sectors Global\","
    "\"L2 Theoretical Sectors Global Ideal\"\n";
static const std::string Row = "\"0x10\",\"      @!P0 LDG.E.64 R2, "
                               "desc[UR4][R2.64]\",\"4\",\"128\",\"96\","
                               "\"48\",\"16\"\n";

TEST(SourcePage, AnInstruction) {
  const SourcePage Page = readSourcePage(Head + Row);
  EXPECT_FALSE(Page.HasLines);
  ASSERT_THAT(Page.Launches, SizeIs(1));
  EXPECT_EQ("f", Page.Launches[0].Kernel);
  ASSERT_THAT(Page.Launches[0].Instructions, SizeIs(1));
  const Instruction &Only = Page.Launches[0].Instructions[0];
  EXPECT_EQ("LDG", Only.Opcode);
  EXPECT_EQ(16u, Only.Address);
  EXPECT_EQ(4u, Only.Executed);
  EXPECT_EQ(128u, Only.Threads);
  EXPECT_EQ(96u, Only.Lanes);
  EXPECT_EQ(48u, Only.GlobalSectors);
  EXPECT_EQ(16u, Only.IdealGlobalSectors);
  // A kernel without shared memory has none of its columns.
  EXPECT_FALSE(Only.Wavefronts);
}

TEST(SourcePage, ColumnsAreFoundByTheirNames) {
  // In another order, with the names of the metrics, and one twice, as older
  // versions have it.
  const std::string Text =
      "\"Kernel Name\",\"f\",\n"
      "\"# Address\",\"memory_l2_theoretical_sectors_global\",\"Source\","
      "\"inst_executed\",\"Instructions Executed\"\n"
      "\"0x20\",\"48\",\"STG.E [R2], R3\",\"4\",\"5\"\n";
  const SourcePage Page = readSourcePage(Text);
  ASSERT_THAT(Page.Launches[0].Instructions, SizeIs(1));
  const Instruction &Only = Page.Launches[0].Instructions[0];
  EXPECT_EQ("STG", Only.Opcode);
  EXPECT_EQ(48u, Only.GlobalSectors);
  EXPECT_EQ(4u, Only.Executed);
}

TEST(SourcePage, WhatASpreadsheetSavedAgain) {
  const SourcePage Page = readSourcePage(
      "Kernel Name,f,\r\nAddress,Source,Instructions Executed\r\n"
      "0x20,\"LDS R2, [R3]\",7\r\n");
  ASSERT_THAT(Page.Launches, SizeIs(1));
  EXPECT_EQ(7u, Page.Launches[0].Instructions[0].Executed);
}

TEST(SourcePage, LaunchesAreToldApart) {
  const std::string Other = "\"0x10\",\"LDG.E R2, [R4]\",\"5\",\"160\","
                            "\"160\",\"20\",\"20\"\n";
  EXPECT_THAT(readSourcePage(Head + Row + Head + Other).Launches, SizeIs(2));
  // All blocks twice: each launch was printed twice.
  EXPECT_THAT(
      readSourcePage(Head + Row + Head + Row + Head + Other + Head + Other)
          .Launches,
      SizeIs(2));
  // Not all of them.
  EXPECT_THAT(readSourcePage(Head + Row + Head + Row + Head + Other).Launches,
              SizeIs(3));
}

static std::string lines(const std::string &File, const std::string &Rows) {
  return "\"File Path\",\"" + File +
         "\"\n\"Function Name\",\"f\"\n"
         "\"Line No\",\"Source\",\"Address\",\"Source\","
         "\"Instructions Executed\"\n" +
         Rows;
}
static const std::string Line7 = "\"7\",\"f(\"a\",\"b\");\",\"-\",\"-\","
                                 "\"8\"\n";
static const std::string Load = "\"\",\"\",\"0x10\",\"LDG.E R2, [R4]\","
                                "\"4\"\n";

TEST(SourcePage, Lines) {
  const SourcePage Page = readSourcePage(lines(
      "/a.cu", Line7 + Load + "\"\",\"\",\"...\",\"...\",\"-\"\n" + Load));
  EXPECT_TRUE(Page.HasLines);
  ASSERT_THAT(Page.Launches, SizeIs(1));
  ASSERT_THAT(Page.Launches[0].Instructions, SizeIs(1));
  EXPECT_EQ("/a.cu", Page.Launches[0].Instructions[0].File);
  EXPECT_EQ(7u, Page.Launches[0].Instructions[0].Line);
  EXPECT_EQ(4u, Page.Launches[0].Instructions[0].Executed);
}

TEST(SourcePage, AFileThatComesAgainIsOfTheNextLaunch) {
  const std::string A = lines("/a.cu", Line7 + Load);
  const std::string B = lines("/b.h", "");
  EXPECT_THAT(readSourcePage(A + B).Launches, SizeIs(1));
  EXPECT_THAT(readSourcePage(A + B + A + B).Launches, SizeIs(2));
  EXPECT_THAT(readSourcePage(A + A + A).Launches, SizeIs(3));
}

TEST(SourcePage, InlineAssemblyIsOfItsCaller) {
  const std::string Header =
      lines("/usr/local/cuda/include/sm_32_intrinsics.hpp", Line7 + Load);
  for (const std::string &Text : {lines("/a.cu", Line7 + Load) + Header,
                                  Header + lines("/a.cu", Line7 + Load)}) {
    const SourcePage Page = readSourcePage(Text);
    ASSERT_THAT(Page.Launches, SizeIs(1));
    ASSERT_THAT(Page.Launches[0].Instructions, SizeIs(1));
    EXPECT_EQ("/a.cu", Page.Launches[0].Instructions[0].File);
  }
}

TEST(SourcePage, WordsOfNcuAndOfTheProgramAreNoRows) {
  const std::string Text = "==PROF== Connected to process 7\nhello, \"world\"\n"
                           "\"quoted\" words\n" +
                           Head + Row + "done\n==PROF== Disconnected\n";
  EXPECT_THAT(readSourcePage(Text).Launches, SizeIs(1));
}

TEST(SourcePage, BadPagesNameTheirLine) {
  EXPECT_THAT(faultOf("==ERROR== Failed to open file\n"),
              HasSubstr("line 1: ncu could not export this:  Failed to open"));
  EXPECT_THAT(faultOf("\"Kernel Name\",\"f\",\n\"1\",\"2\"\n"),
              HasSubstr("line 2: the names of the columns"));
  EXPECT_THAT(faultOf("\"Kernel Name\",\"f\",\n\"Address\",\"Source\"\n"),
              HasSubstr("line 2: there is no column 'Instructions Executed'"));
  EXPECT_THAT(faultOf(Head + "\"0x10\",\"LDG\",\"4\"\n"),
              HasSubstr("line 3: 3 of 7 fields"));
  EXPECT_THAT(faultOf(Head + Row.substr(0, 30)), HasSubstr("line 3: "));
  EXPECT_THAT(
      faultOf(Head + "\"0xzz\",\"LDG\",\"4\",\"1\",\"1\",\"1\",\"1\"\n"),
      HasSubstr("line 3: '0xzz' is no address"));
  EXPECT_THAT(
      faultOf(Head + "\"0x10\",\"LDG\",\"-4\",\"1\",\"1\",\"1\",\"1\"\n"),
      HasSubstr("line 3: column 'Instructions Executed' is '-4'"));
  EXPECT_THAT(faultOf("\"Kernel Name\",\"\",\n"), HasSubstr("has no value"));
}

/// Whatever is cut or changed, it ends.
TEST(SourcePage, EveryPrefixIsReadOrRefused) {
  const std::string Whole =
      Head + Row + lines("/a.cu", Line7 + Load) + "==PROF== bye\n";
  for (std::size_t End = 0; End <= Whole.size(); ++End)
    faultOf(Whole.substr(0, End));
  for (std::size_t At = 0; At != Whole.size(); ++At)
    for (char C : {'"', ',', '\n', '-', '9', '\0', '\xff'}) {
      std::string Changed = Whole;
      Changed[At] = C;
      faultOf(Changed);
    }
}

TEST(SourcePage, Opcodes) {
  EXPECT_THAT(accessesOf("LDGSTS"), SizeIs(2));
  EXPECT_THAT(accessesOf("FADD"), SizeIs(0));
  EXPECT_THAT(accessesOf("LDC"), SizeIs(0)); // Constant memory.
  ASSERT_THAT(accessesOf("RED"), SizeIs(1));
  EXPECT_EQ(AccessOp::Atomic, accessesOf("RED")[0].Op);
  EXPECT_EQ(MemorySpace::Generic, accessesOf("ATOM")[0].Space);
  EXPECT_EQ(MemorySpace::Local, accessesOf("STL")[0].Space);
}

} // namespace SourcePageTests
