//===- tests/unit/runtime/join/NamesTests.cpp - Names of two compilers ----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/join/Names.h"

#include <gmock/gmock.h>

namespace NamesTests {

using namespace cudalint;
using testing::ElementsAre;
using testing::IsEmpty;

//===----------------------------------------------------------------------===//
// Kernels. The pairs are what Clang 22 and nvcc 13.0 name the same function.
//===----------------------------------------------------------------------===//

TEST(KernelNames, ClangAndNvccAgreeButForInternalLinkage) {
  struct {
    const char *Clang, *Nvcc;
  } const Pairs[] = {
      // static __global__ void st(float *)
      {"_ZL2stPf", "_Z2stPf"},
      // namespace { __global__ void an(float *) }
      {"_ZN12_GLOBAL__N_12anEPf",
       "_ZN32_GLOBAL__N__479c501e_4_a_cu_main2anEPf"},
      // template <class T> tm, with a type of the anonymous namespace
      {"_Z2tmIN12_GLOBAL__N_11SEEvPf",
       "_Z2tmIN32_GLOBAL__N__479c501e_4_a_cu_main1SEEvPf"},
      // namespace q { namespace { template <class T> an2 } }
      {"_ZN1q12_GLOBAL__N_13an2IiEEvPf",
       "_ZN1q32_GLOBAL__N__479c501e_4_a_cu_main3an2IiEEvPf"},
      {"_Z4funcP5vec3dPf", "_Z4funcP5vec3dPf"}};
  for (const auto &Pair : Pairs)
    EXPECT_EQ(canonicalKernel(Pair.Clang), canonicalKernel(Pair.Nvcc))
        << Pair.Clang;
}

TEST(KernelNames, NumbersThatAreNoLengthsStay) {
  // k<128, 4>(float *): the digits of a literal are not a name's length, and
  // its L is not internal linkage.
  EXPECT_EQ(canonicalKernel("_Z1kILi128ELi4EEvPf"), "_Z1kILi128ELi4EEvPf");
  // A name that holds what looks like internal linkage.
  EXPECT_EQ(canonicalKernel("_Z6XL3abcPf"), "_Z6XL3abcPf");
  EXPECT_NE(canonicalKernel("_Z1kILi128EEvPf"),
            canonicalKernel("_Z1kILi256EEvPf"));
}

TEST(KernelNames, AnyTextIsTaken) {
  EXPECT_EQ(canonicalKernel(""), "");
  EXPECT_EQ(canonicalKernel("plain_c"), "plain_c");
  EXPECT_EQ(canonicalKernel("_Z99999999999999999999999999x"),
            "_Z99999999999999999999999999x");
  for (const char *Text : {"_Z", "_ZL", "_ZS", "_ZLi", "_ZT0", "_Z1"})
    EXPECT_THAT(canonicalKernel(Text), testing::StartsWith("_Z"));
  EXPECT_EQ(demangled("_Zgarbage"), "_Zgarbage");
  EXPECT_EQ(demangled("_Z4copyPf"), "copy(float*)");
}

TEST(KernelNames, TheEqualNameWins) {
  EXPECT_THAT(matchingKernels("_Z2stPf", "a.cu",
                              std::vector<std::string>{"_ZL2stPf", "_Z2stPf"}),
              ElementsAre(1));
  EXPECT_THAT(matchingKernels("_ZL2stPf", "a.cu",
                              std::vector<std::string>{"_Z2xxPf", "_Z2stPf"}),
              ElementsAre(1));
  EXPECT_THAT(
      matchingKernels("_Z2stPf", "a.cu", std::vector<std::string>{"_Z2stPd"}),
      IsEmpty());
}

TEST(KernelNames, TheUnitTellsAnonymousNamespacesApart) {
  std::vector<std::string> Measured = {
      "_ZN32_GLOBAL__N__479c501e_4_a_cu_main2anEPf",
      "_ZN32_GLOBAL__N__8c9d501e_4_b_cu_main2anEPf"};
  EXPECT_THAT(matchingKernels("_ZN12_GLOBAL__N_12anEPf", "src/b.cu", Measured),
              ElementsAre(1));
  EXPECT_THAT(matchingKernels("_ZN12_GLOBAL__N_12anEPf", "src/c.cu", Measured),
              ElementsAre(0, 1));
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static FileMatch match(const char *Predicted,
                       std::vector<std::string> Measured) {
  return matchFile(Predicted, Measured);
}

TEST(FileNames, CountsCommonComponents) {
  EXPECT_EQ(commonSuffix("a.cu", "/x/src/a.cu"), 1u);
  EXPECT_EQ(commonSuffix("src/a.cu", "/x/src/a.cu"), 2u);
  EXPECT_EQ(commonSuffix("./src//b/../a.cu", "/x/src/a.cu"), 2u);
  EXPECT_EQ(commonSuffix("../src/a.cu", "/x/src/a.cu"), 2u);
  EXPECT_EQ(commonSuffix("a.cu", "aa.cu"), 0u);
  EXPECT_EQ(commonSuffix("", "/x/a.cu"), 0u);
}

TEST(FileNames, RelativeMatchesAbsolute) {
  EXPECT_EQ(match("src/a.cu", {"/x/src/a.cu", "/x/src/b.cu"}).File,
            "/x/src/a.cu");
  EXPECT_EQ(match("/home1/u/p/a.cu", {"p/a.cu"}).File, "p/a.cu");
  EXPECT_EQ(match("a.cu", {"b.cu", "/usr/include/math.h"}).File, "");
}

TEST(FileNames, TheLongestSuffixDecides) {
  std::vector<std::string> Measured = {"/p/x/util.cuh", "/p/y/util.cuh"};
  EXPECT_EQ(match("y/util.cuh", Measured).File, "/p/y/util.cuh");
  FileMatch Both = match("util.cuh", Measured);
  EXPECT_EQ(Both.File, "");
  EXPECT_THAT(Both.Candidates, ElementsAre("/p/x/util.cuh", "/p/y/util.cuh"));
}

TEST(FileNames, TheEqualNameWins) {
  EXPECT_EQ(match("a.cu", {"/x/a.cu", "a.cu", "/y/a.cu"}).File, "a.cu");
}

TEST(FileNames, OneMeasuredFileIsNotTwoPredictedOnes) {
  std::vector<std::string> Measured = {"/b/y/util.h"};
  auto matches = [&](std::vector<std::string> Predicted) {
    std::vector<std::string> Out;
    for (const auto &[File, Match] : matchFiles(Predicted, Measured))
      Out.push_back(File + " is " + Match.File);
    return Out;
  };
  // Alone it is taken for it: the folder may have moved.
  EXPECT_THAT(matches({"x/util.h"}), ElementsAre("x/util.h is /b/y/util.h"));
  EXPECT_THAT(matches({"x/util.h", "y/util.h"}),
              ElementsAre("x/util.h is ", "y/util.h is /b/y/util.h"));
  EXPECT_THAT(matches({"/b/y/util.h", "/c/y/util.h"}),
              ElementsAre("/b/y/util.h is /b/y/util.h", "/c/y/util.h is "));
  // One file, named from two folders.
  EXPECT_THAT(
      matches({"util.h", "../y/util.h"}),
      ElementsAre("../y/util.h is /b/y/util.h", "util.h is /b/y/util.h"));
}

} // namespace NamesTests
