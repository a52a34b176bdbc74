//===- tests/unit/report/SourceAssertionsTests.cpp - Promises -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/AssertionText.h"
#include "report/SourceAssertions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/FindingWords.h"

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

namespace cudalint::SourceAssertionsTests {

using Quantity = SourceAssertion::Quantity;
using Comparison = SourceAssertion::Comparison;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static SourceAssertion only(const std::string &Text) {
  const AssertionsRead Read = readAssertions(Text);
  EXPECT_THAT(Read.Errors, IsEmpty()) << Text;
  EXPECT_EQ(Read.All.size(), 1u) << Text;
  return Read.All.empty() ? SourceAssertion() : Read.All.front();
}

TEST(ReadAssertions, BehindTheCode) {
  const SourceAssertion E =
      only("\nx = 1; // cuda-lint: expect(shared-bank-conflict <= 2-way)\n");
  EXPECT_EQ(E.What, Quantity::BankConflict);
  EXPECT_EQ(E.How, Comparison::AtMost);
  EXPECT_EQ(E.Bound, 2);
  EXPECT_EQ(E.Line, 2u);
  EXPECT_EQ(E.Column, 29u);
  EXPECT_EQ(E.Of, 2u);
  EXPECT_EQ(E.Text, "shared-bank-conflict <= 2-way");
}

TEST(ReadAssertions, BeforeTheCode) {
  EXPECT_EQ(
      only("  // cuda-lint: expect(registers<=64)\n\n  // x\n  f();\n").Of, 4u);
  EXPECT_EQ(only("/* cuda-lint: expect(registers < 64) */\nf();").Of, 2u);
  // Nothing follows.
  EXPECT_EQ(only("f();\n// cuda-lint: expect(registers == 64)").Of, 0u);
}

TEST(ReadAssertions, NamesOfGpusAreThoseOfTheCommandLine) {
  EXPECT_EQ(only("f(); // cuda-lint: expect(registers < 9, gpu = H200)").Gpu,
            "h200");
}

TEST(ReadAssertions, EachMayHaveAMarkOfItsOwn) {
  for (const char *Between :
       {" cuda-lint: ", " // cuda-lint: ", " */ /* cuda-lint: ", ", "}) {
    const AssertionsRead Read =
        readAssertions(std::string("f(); /* cuda-lint: expect(registers < 9)") +
                       Between + "expect(blocks_per_sm >= 2) */\n");
    EXPECT_THAT(Read.Errors, IsEmpty());
    EXPECT_THAT(Read.All, SizeIs(2)) << Between;
  }
  // Prose is none.
  const AssertionsRead Prose =
      readAssertions("f(); // cuda-lint: see the page (in docs)\n");
  EXPECT_THAT(Prose.Errors, IsEmpty());
  EXPECT_THAT(Prose.All, IsEmpty());
}

TEST(ReadAssertions, SeveralAndForOneGpu) {
  const AssertionsRead Read = readAssertions(
      "// cuda-lint: expect(blocks_per_sm >= 2), expect(occupancy > 50.5 %, "
      "gpu = rtx-4090)\nk<<<1, 2>>>(); // cuda-lint: "
      "expect(wavefronts_per_request <= 1.5)\ng();\n");
  EXPECT_THAT(Read.Errors, IsEmpty());
  ASSERT_THAT(Read.All, SizeIs(3));
  EXPECT_EQ(Read.All[1].What, Quantity::Occupancy);
  EXPECT_EQ(Read.All[1].How, Comparison::More);
  EXPECT_EQ(Read.All[1].Bound, 50.5);
  EXPECT_EQ(Read.All[1].Gpu, "rtx-4090");
  EXPECT_EQ(Read.All[0].Of, 2u);
  EXPECT_EQ(Read.All[1].Of, 2u);
  EXPECT_EQ(Read.All[2].Of, 2u);
}

TEST(ReadAssertions, LineEndsAndOtherBytes) {
  EXPECT_EQ(
      only("\xef\xbb\xbfx;\r\ny; // cuda-lint: expect(registers <= 8)\r\n").Of,
      2u);
  EXPECT_EQ(only("\xe4 // cuda-lint: expect(registers <= 8)").Of, 1u);
}

TEST(ReadAssertions, NoComments) {
  for (const char *Text :
       {"", "cuda-lint: expect(registers <= 1)", "// cuda-lint: nothing",
        "// expect(registers <= 1)", "// cuda-lint: expected(x)"}) {
    if (std::string_view(Text).find("expected") != std::string_view::npos)
      continue;
    EXPECT_THAT(readAssertions(Text).All, IsEmpty()) << Text;
    EXPECT_THAT(readAssertions(Text).Errors, IsEmpty()) << Text;
  }
}

TEST(ReadAssertions, FaultsHaveTheirColumn) {
  const auto faultOf = [](const std::string &Inside) {
    const AssertionsRead Read =
        readAssertions("// cuda-lint: " + Inside + "\nf();\n");
    EXPECT_THAT(Read.All, IsEmpty()) << Inside;
    EXPECT_EQ(Read.Errors.size(), 1u) << Inside;
    return Read.Errors.empty() ? std::string()
                               : std::to_string(Read.Errors[0].Where.Column) +
                                     ": " + Read.Errors[0].Message;
  };
  EXPECT_THAT(faultOf("expect(regs <= 1)"), HasSubstr("22: expected shared-"));
  EXPECT_THAT(faultOf("expect(registers = 1)"), HasSubstr("32: expected <="));
  EXPECT_THAT(faultOf("expect(registers <= many)"), HasSubstr("35: a number"));
  EXPECT_THAT(faultOf("expect(registers <= -1)"), HasSubstr("35: a number"));
  EXPECT_THAT(faultOf("expect(registers <= 1e99)"), HasSubstr("35: a number"));
  EXPECT_THAT(faultOf("expect(registers <= nan)"), HasSubstr("35: a number"));
  EXPECT_THAT(faultOf("expect(registers <= 1 %)"),
              HasSubstr("37: expected ')'"));
  EXPECT_THAT(faultOf("expect(registers <= 1"), HasSubstr("expected ')'"));
  EXPECT_THAT(faultOf("expect(registers <= 1, cpu = x)"), HasSubstr("gpu"));
  EXPECT_THAT(faultOf("expect(registers <= 1, gpu = )"), HasSubstr("name of"));
  EXPECT_THAT(faultOf("expect(registers <= 1, gpu = h2000)"),
              HasSubstr("unknown GPU 'h2000'"));
  EXPECT_THAT(faultOf("expct(registers <= 1)"),
              HasSubstr("'expct' is not known; expected 'expect('"));
  EXPECT_THAT(faultOf("expect (registers <= 1)"), HasSubstr("without blanks"));
  EXPECT_THAT(faultOf("expect()"), HasSubstr("22: expected shared-"));
}

TEST(ReadAssertions, LongTextsAreNoTrouble) {
  std::string Text;
  for (int I = 0; I != 100'000; ++I)
    Text += "// cuda-lint: expect(registers <= 1)\n";
  EXPECT_THAT(readAssertions(Text + "f();\n").All, SizeIs(100'000));
  EXPECT_EQ(readAssertions(Text + "f();\n").All.front().Of, 100'001u);
  EXPECT_THAT(
      readAssertions("// cuda-lint: " + std::string(1'000'000, '(')).All,
      IsEmpty());
}

//===----------------------------------------------------------------------===//
// Judging
//===----------------------------------------------------------------------===//

/// One kernel with a store to shared memory in line 3 and one to global memory
/// in line 4, launched in line 8.
static Document documentOf() {
  KernelRecord Kernel;
  Kernel.Name = "_Z1kv";
  Kernel.Signature = "k()";
  Kernel.Where = {"a.cu", 1, 17};
  Kernel.Resources = ResourceRecord{.Registers = 40};
  AccessRecord Shared;
  Shared.Where = {"./a.cu", 3, 5};
  Shared.Space = MemorySpace::Shared;
  Shared.Op = AccessOp::Store;
  Shared.Bytes = 8;
  Shared.Unit = TrafficUnit::Wavefronts;
  Shared.PerRequest = 8;
  Shared.Ideal = 2;
  AccessRecord Global;
  Global.Where = {"a.cu", 4, 5};
  Global.Unit = TrafficUnit::Sectors;
  Global.PerRequest = 4;
  Global.Ideal = 4;
  Kernel.Accesses = {Shared, Global};
  LaunchRecord Launch;
  Launch.Where = {"a.cu", 8, 3};
  Launch.Occupancy = OccupancyRecord{.BlocksPerSM = 2, .Ratio = 0.25};
  Kernel.Launches = {Launch};
  UnitRecord Unit;
  Unit.File = "a.cu";
  Unit.Kernels = {Kernel};
  Document Doc;
  Doc.Target = {"h200", "9.0", 132};
  Doc.Rules = {{.Name = ExpectationCheck}};
  Doc.Units = {Unit};
  return Doc;
}

/// The severities and messages of what \p Expect in \p Line of a file gives.
static std::vector<std::string> said(unsigned Line, const std::string &Expect,
                                     Document Doc = documentOf()) {
  std::string Text;
  for (unsigned I = 1; I != 10; ++I)
    Text += "code();" +
            (I == Line ? " // cuda-lint: " + Expect : std::string()) + "\n";
  checkAssertions(std::span(&Doc, 1), [&](const std::string &File) {
    return File == "a.cu" ? std::optional<std::string_view>(Text)
                          : std::nullopt;
  });
  std::vector<std::string> Result;
  for (const Finding &F : Doc.Units[0].Findings) {
    EXPECT_EQ(F.Check, ExpectationCheck);
    EXPECT_EQ(F.Where.Line, Line);
    EXPECT_THAT(F.Fingerprint, SizeIs(16));
    Result.push_back((F.Level == Severity::Error ? "error: " : "note: ") +
                     messageOf(F));
  }
  return Result;
}

TEST(CheckAssertions, Accesses) {
  EXPECT_THAT(said(3, "expect(shared-bank-conflict <= 4-way)"), IsEmpty());
  EXPECT_THAT(said(3, "expect(shared-bank-conflict <= 2-way)"),
              ElementsAre("error: expected shared-bank-conflict <= 2-way, but "
                          "a store of 8 bytes has 4-way"));
  EXPECT_THAT(said(3, "expect(wavefronts_per_request < 8)"),
              ElementsAre(HasSubstr("has 8 wavefronts per request")));
  EXPECT_THAT(said(4, "expect(sectors_per_request <= 4)"), IsEmpty());
  EXPECT_THAT(said(4, "expect(sectors_per_request <= 3)"),
              ElementsAre(HasSubstr("has 4 sectors per request")));
  EXPECT_THAT(said(4, "expect(shared-bank-conflict <= 2-way)"),
              ElementsAre(HasSubstr("note: expected")));
  Document Unknown = documentOf();
  Unknown.Units[0].Kernels[0].Accesses[0].PerRequest.reset();
  EXPECT_THAT(said(3, "expect(wavefronts_per_request <= 1)", Unknown),
              ElementsAre(HasSubstr("note: expected wavefronts_per_request <= "
                                    "1, but that is not known of a store")));
}

TEST(CheckAssertions, LaunchesAndKernels) {
  for (const unsigned Line : {1u, 8u}) {
    EXPECT_THAT(said(Line, "expect(blocks_per_sm >= 2)"), IsEmpty());
    EXPECT_THAT(said(Line, "expect(blocks_per_sm >= 3)"),
                ElementsAre("error: expected blocks_per_sm >= 3, but a launch "
                            "of 'k()' has 2 blocks per SM"));
    EXPECT_THAT(said(Line, "expect(occupancy >= 25 %)"), IsEmpty());
    EXPECT_THAT(said(Line, "expect(occupancy >= 26 %)"),
                ElementsAre(HasSubstr("has 25 % of the warps")));
    EXPECT_THAT(said(Line, "expect(registers <= 40)"), IsEmpty());
    EXPECT_THAT(said(Line, "expect(registers <= 39)"),
                ElementsAre(HasSubstr("'k()' has 40 registers")));
  }
  EXPECT_THAT(said(5, "expect(registers <= 39)"),
              ElementsAre(HasSubstr("no kernel begins in line 5")));
  Document Unknown = documentOf();
  Unknown.Units[0].Kernels[0].Launches[0].Occupancy.reset();
  EXPECT_THAT(said(8, "expect(occupancy >= 1)", Unknown),
              ElementsAre(HasSubstr("note: ")));
}

TEST(CheckAssertions, OfOneGpu) {
  EXPECT_THAT(said(8, "expect(registers <= 1, gpu = sm_80)"), IsEmpty());
  EXPECT_THAT(said(8, "expect(registers <= 1, gpu = h200)"), SizeIs(1));
  // An architecture is all products that have it.
  EXPECT_THAT(said(8, "expect(registers <= 1, gpu = sm_90)"), SizeIs(1));
}

TEST(CheckAssertions, WhatCannotBeRead) {
  EXPECT_THAT(said(3, "expect(speed > 9)"),
              ElementsAre(HasSubstr("error: this is no expectation")));
}

TEST(CheckAssertions, OnlyIfTheCheckRan) {
  Document Off = documentOf();
  Off.Rules.clear();
  EXPECT_THAT(said(3, "expect(registers <= 1)", Off), IsEmpty());
}

} // namespace cudalint::SourceAssertionsTests
