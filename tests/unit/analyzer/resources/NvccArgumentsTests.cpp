//===- tests/unit/analyzer/resources/NvccArgumentsTests.cpp - For nvcc ----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/resources/NvccArguments.h"

#include <gmock/gmock.h>

namespace NvccArgumentsTests {

using namespace cudalint;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::IsEmpty;

using Words = std::vector<std::string>;

TEST(NvccArguments, whatChangesCodeStaysInOrder) {
  Words Given = {"-Iinc",
                 "-I",
                 "a b",
                 "-DN=4",
                 "-D",
                 "M",
                 "-U",
                 "X",
                 "-std=c++17",
                 "-include",
                 "x.h",
                 "-isystem",
                 "sys",
                 "-O3",
                 "-maxrregcount=32",
                 "--maxrregcount",
                 "40",
                 "--use_fast_math",
                 "-ftz=true",
                 "--fmad=false",
                 "-prec-div=false",
                 "-Xptxas",
                 "-O1,-dlcm=cg",
                 "-G",
                 "-lineinfo",
                 "-rdc=true",
                 "--expt-relaxed-constexpr",
                 "-extended-lambda",
                 "-Xcompiler",
                 "-fPIC,-DHOST",
                 "-ccbin=g++-12",
                 "-m64"};
  EXPECT_THAT(nvccArguments(Given), ElementsAreArray(Given));
}

TEST(NvccArguments, stepsFilesAndTargetsGo) {
  EXPECT_THAT(nvccArguments(Words{"-c",
                                  "a.cu",
                                  "-o",
                                  "a.o",
                                  "-x",
                                  "cu",
                                  "-gencode",
                                  "arch=compute_80,code=sm_80",
                                  "-gencode=arch=compute_90,code=sm_90",
                                  "--generate-code=arch=compute_70,code=sm_70",
                                  "-arch=native",
                                  "--gpu-architecture",
                                  "sm_75",
                                  "-MD",
                                  "-MF",
                                  "a.d",
                                  "-t4",
                                  "--threads",
                                  "0",
                                  "-lcudart",
                                  "-Lx",
                                  "-keep",
                                  "--keep-dir",
                                  "k",
                                  "-dryrun",
                                  "-v",
                                  "-Werror",
                                  "all-warnings",
                                  "-dlto",
                                  "-xcu"}),
              IsEmpty());
}

TEST(NvccArguments, whatOnlyClangKnowsGoes) {
  EXPECT_THAT(
      nvccArguments(Words{"-Wall", "-Wno-unused", "-fcolor-diagnostics",
                          "-ferror-limit=3", "--cuda-gpu-arch=sm_80",
                          "--offload-arch=sm_90", "--cuda-path=/opt/c",
                          "-Xclang", "-disable-llvm-passes", "-mllvm", "-x=1",
                          "-march=native", "-mavx2", "--cuda-device-only",
                          "-nocudalib", "-stdlib=libc++", "-pthread", "-g3"}),
      IsEmpty());
}

TEST(NvccArguments, whatClangCallsOtherwiseIsTranslated) {
  EXPECT_THAT(nvccArguments(Words{"-ffast-math"}),
              ElementsAre("-use_fast_math"));
  EXPECT_THAT(nvccArguments(Words{"-fgpu-rdc"}), ElementsAre("-rdc=true"));
  EXPECT_THAT(nvccArguments(Words{"-dc"}), ElementsAre("-rdc=true"));
  EXPECT_THAT(nvccArguments(Words{"-ffp-contract=off"}),
              ElementsAre("-fmad=false"));
  EXPECT_THAT(nvccArguments(Words{"-fopenmp"}),
              ElementsAre("-Xcompiler=-fopenmp"));
  EXPECT_THAT(nvccArguments(Words{"-Os"}), ElementsAre("-O2"));
  EXPECT_THAT(nvccArguments(Words{"-iquote", "inc"}),
              ElementsAre("-Xcompiler", "-iquote", "-Xcompiler", "inc"));
}

TEST(NvccArguments, whatNobodyKnowsStaysForNvccToSaySo) {
  EXPECT_THAT(nvccArguments(Words{"--new-in-14", "-brand-new"}),
              ElementsAre("--new-in-14", "-brand-new"));
}

TEST(NvccArguments, aMissingLastValueIsNoValue) {
  EXPECT_THAT(nvccArguments(Words{"-DA", "-I"}), ElementsAre("-DA"));
  EXPECT_THAT(nvccArguments(Words{"-DA", "-o"}), ElementsAre("-DA"));
}

TEST(NvccArguments, whatIsCompiledForALinker) {
  for (const char *Argument : {"-dc", "--device-c", "-dw", "-rdc=true",
                               "--relocatable-device-code=true", "-fgpu-rdc"})
    EXPECT_TRUE(isSeparatelyCompiled(Words{"-O3", Argument})) << Argument;
  EXPECT_TRUE(isSeparatelyCompiled(Words{"-rdc", "true"}));
  EXPECT_FALSE(isSeparatelyCompiled(Words{"-rdc=true", "-rdc=false"}));
  EXPECT_FALSE(isSeparatelyCompiled(Words{"-c", "-rdc"}));
  EXPECT_FALSE(isSeparatelyCompiled(Words{"-fgpu-rdc", "-fno-gpu-rdc"}));
  EXPECT_FALSE(isSeparatelyCompiled(Words{"-fcuda-rdc", "-fno-cuda-rdc"}));
  EXPECT_TRUE(isSeparatelyCompiled(Words{"-fno-gpu-rdc", "-fgpu-rdc"}));
}

TEST(NvccArchitecture, specialFeaturesOnlyWhereTheUserAsksForThem) {
  const ComputeCapability SM90{9, 0}, SM100{10, 0};
  EXPECT_EQ(nvccArchitecture(SM90, Words{}), "sm_90");
  EXPECT_EQ(nvccArchitecture(SM90, Words{"-arch=sm_90a"}), "sm_90a");
  EXPECT_EQ(
      nvccArchitecture(SM90, Words{"-gencode", "arch=compute_90a,code=sm_90a"}),
      "sm_90a");
  EXPECT_EQ(nvccArchitecture(SM100, Words{"-arch=sm_90a"}), "sm_100");
  EXPECT_EQ(nvccArchitecture(SM100, Words{"-arch=sm_100f"}), "sm_100f");
  EXPECT_EQ(nvccArchitecture(SM90, Words{"-Ism_90abc"}), "sm_90");
}

TEST(RegisterLimit, theLastNumberCounts) {
  EXPECT_EQ(registerLimit(Words{"-O3", "-DX"}), "");
  EXPECT_EQ(registerLimit(Words{"-maxrregcount", "32"}), "32");
  EXPECT_EQ(registerLimit(Words{"--maxrregcount=32", "-maxrregcount=40"}),
            "40");
  EXPECT_EQ(registerLimit(Words{"-maxrregcount=x;y", "-maxrregcount"}), "");
}

TEST(RegisterLimit, mayBeHandedToPtxas) {
  EXPECT_EQ(registerLimit(Words{"-Xptxas=-maxrregcount=64"}), "64");
  EXPECT_EQ(registerLimit(Words{"-Xptxas", "-v,--maxrregcount=48"}), "48");
  EXPECT_EQ(registerLimit(Words{"--ptxas-options=-maxrregcount,40,-v"}), "40");
  EXPECT_EQ(registerLimit(Words{"-Xptxas", "-maxrregcount", "-Xptxas", "56"}),
            "56");
  EXPECT_EQ(registerLimit(Words{"-Xptxas", "-v", "-Xptxas"}), "");
}

TEST(NvccList, PartsAtCommasAsNvccDoes) {
  // `nvcc -dryrun` of CUDA 13.0 shows what became of each.
  EXPECT_THAT(nvccList("x y,z"), ElementsAre("x y", "z"));
  EXPECT_THAT(nvccList("A=a\\,b"), ElementsAre("A=a,b"));
  EXPECT_THAT(nvccList("A=\"a,b\",C"), ElementsAre("A=\"a,b\"", "C"));
  EXPECT_THAT(nvccList("A='a,b'"), ElementsAre("A='a", "b'"));
  EXPECT_THAT(nvccList(""), ElementsAre(""));
}

TEST(NvccOptions, AreTakenApart) {
  const std::vector<std::string> Words = {
      "-DA=1", "--define-macro", "B",          "-I=x", "-G",
      "-O3",   "-odd",           "-Xptxas=-v", "-D"};
  std::vector<std::string> Names, Values;
  for (const NvccOption &Each : nvccOptions(Words)) {
    Names.push_back(Each.Name);
    Values.push_back(Each.Value.value_or("none"));
  }
  EXPECT_THAT(Names, ElementsAre("-D", "-D", "-I", "-G", "-O", "-odd",
                                 "-Xptxas", "-D"));
  EXPECT_THAT(Values,
              ElementsAre("A=1", "B", "x", "none", "3", "none", "-v", "none"));
}

} // namespace NvccArgumentsTests
