//===- tests/unit/analyzer/tool/ResourceOptionTests.cpp - --registers -----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/Options.h"
#include "analyzer/tool/ResourceOption.h"

#include <gmock/gmock.h>

namespace ResourceOptionTests {

using namespace cudalint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

static ResourceOptions accepted(std::vector<std::string> Arguments) {
  Arguments.emplace_back("a.cu");
  ParsedOptions Parsed = parseOptions(Arguments);
  EXPECT_EQ(Parsed.Err, "");
  EXPECT_TRUE(Parsed.Run.has_value());
  return Parsed.Run ? Parsed.Run->Resources : ResourceOptions();
}

static std::string refused(std::vector<std::string> Arguments) {
  Arguments.emplace_back("a.cu");
  ParsedOptions Parsed = parseOptions(Arguments);
  EXPECT_FALSE(Parsed.Run.has_value());
  EXPECT_EQ(Parsed.Code, 2);
  return Parsed.Err;
}

TEST(ResourceOption, defaults) {
  ResourceOptions O = accepted({});
  EXPECT_THAT(O.Registers, IsEmpty());
  EXPECT_THAT(O.PtxasLogs, IsEmpty());
  EXPECT_EQ(O.Mode, PtxasMode::Auto);
  EXPECT_EQ(O.Timeout, std::chrono::seconds(60));
  EXPECT_TRUE(O.UseCache);
  EXPECT_EQ(O.CacheDir, "");
}

TEST(ResourceOption, registersOfAllOrOfOne) {
  ResourceOptions O =
      accepted({"--registers", "40", "--registers=reduce=32",
                "--registers=*=255", "--registers", "f(bool (*)(int) = 1)=7"});
  ASSERT_EQ(O.Registers.size(), 4u);
  EXPECT_EQ(O.Registers[0].Kernel, "");
  EXPECT_EQ(O.Registers[0].Registers, 40u);
  EXPECT_EQ(O.Registers[1].Kernel, "reduce");
  EXPECT_EQ(O.Registers[1].Registers, 32u);
  EXPECT_EQ(O.Registers[2].Kernel, "");
  EXPECT_EQ(O.Registers[2].Registers, 255u);
  EXPECT_EQ(O.Registers[3].Kernel, "f(bool (*)(int) = 1)");
  EXPECT_EQ(O.Registers[3].Registers, 7u);
}

TEST(ResourceOption, absurdRegisters) {
  for (const char *Text : {"0", "-1", "256", "99999999999999999999", "x", "",
                           "k=", "k=0", "=40", "40 ", "0x20", "k=4.5"})
    EXPECT_THAT(refused({"--registers", Text}), HasSubstr("--registers"))
        << Text;
}

// Compute capability 3.0 encodes a register in six bits.
TEST(ResourceOption, registersThatTheGpuDoesNotHave) {
  EXPECT_THAT(refused({"--gpu=sm_30", "--registers=64"}),
              HasSubstr("at most 63 registers"));
  EXPECT_EQ(accepted({"--gpu=sm_30", "--registers=63"}).Registers.size(), 1u);
}

TEST(ResourceOption, theRest) {
  ResourceOptions O =
      accepted({"--ptxas-log", "a.log", "--ptxas-log=b.log", "--ptxas=nvcc",
                "--ptxas-timeout=5", "--cache-dir", "c"});
  EXPECT_THAT(O.PtxasLogs, ElementsAre("a.log", "b.log"));
  EXPECT_EQ(O.Mode, PtxasMode::Nvcc);
  EXPECT_EQ(O.Timeout, std::chrono::seconds(5));
  EXPECT_EQ(O.CacheDir, "c");
  EXPECT_EQ(accepted({"--ptxas=clang"}).Mode, PtxasMode::Clang);
  EXPECT_EQ(accepted({"--ptxas=off"}).Mode, PtxasMode::Off);
  EXPECT_FALSE(accepted({"--no-cache"}).UseCache);
}

TEST(ResourceOption, absurdValuesOfTheRest) {
  EXPECT_THAT(refused({"--ptxas=gcc"}), HasSubstr("auto, nvcc, clang or off"));
  for (const char *Text : {"0", "-1", "x", "1.5", "86401", "99999999999"})
    EXPECT_THAT(refused({"--ptxas-timeout", Text}),
                HasSubstr("--ptxas-timeout"))
        << Text;
  EXPECT_THAT(refused({"--ptxas-log", ""}), HasSubstr("--ptxas-log"));
  EXPECT_THAT(refused({"--cache-dir", ""}), HasSubstr("--cache-dir"));
}

TEST(ResourceOption, theToolkitIsHandedOn) {
  ParsedOptions Parsed = parseOptions({"--cuda-path=/c", "a.cu"});
  ASSERT_TRUE(Parsed.Run.has_value());
  EXPECT_EQ(Parsed.Run->Resources.CudaPath, "/c");
}

} // namespace ResourceOptionTests
