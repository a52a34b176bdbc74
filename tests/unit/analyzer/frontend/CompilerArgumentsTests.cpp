//===- tests/unit/analyzer/frontend/CompilerArgumentsTests.cpp - Tests ----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/ArgumentFiles.h"
#include "analyzer/frontend/CompilerArguments.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace cudalint::CompilerArgumentsTests {

static std::vector<std::string> translate(std::vector<std::string> Nvcc) {
  return translateArguments(Nvcc).Arguments;
}

TEST(CompilerArguments, PassesWhatBothCompilersKnow) {
  EXPECT_THAT(translate({"-DN=4", "-Iinc", "-std=c++20", "-UX", "-fno-rtti",
                         "-Wall", "-isystem", "sys", "-include", "a.h"}),
              ElementsAre("-DN=4", "-Iinc", "-std=c++20", "-UX", "-fno-rtti",
                          "-Wall", "-isystem", "sys", "-include", "a.h"));
}

TEST(CompilerArguments, JoinsValuesThatStandAlone) {
  EXPECT_THAT(translate({"-D", "N=4", "-I", "inc", "-std", "c++14"}),
              ElementsAre("-DN=4", "-Iinc", "-std=c++14"));
}

TEST(CompilerArguments, SplitsListsAsNvccDoes) {
  EXPECT_THAT(translate({"-Ia,b", "--define-macro", "A,B=1"}),
              ElementsAre("-Ia", "-Ib", "-DA", "-DB=1"));
  EXPECT_THAT(translate({"-DA=1\\,2"}), ElementsAre("-DA=1,2"));
  EXPECT_THAT(translate({"-DA=\"a,b\",C"}), ElementsAre("-DA=\"a,b\"", "-DC"));
}

TEST(CompilerArguments, TakesTheLongNamesOfNvcc) {
  EXPECT_THAT(
      translate({"--include-path=inc", "--std=c++17", "--system-include", "sys",
                 "--pre-include=a.h"}),
      ElementsAre("-Iinc", "-std=c++17", "-isystem", "sys", "-include", "a.h"));
}

TEST(CompilerArguments, DropsWhatSteersOnlyTheBackEnds) {
  EXPECT_THAT(translate({"-gencode",
                         "arch=compute_80,code=sm_80",
                         "-gencode=arch=compute_90,code=[sm_90,compute_90]",
                         "-arch=sm_90",
                         "--gpu-architecture",
                         "sm_80",
                         "-Xptxas",
                         "-v",
                         "--ptxas-options=-v,-dlcm=cg",
                         "-O3",
                         "-lineinfo",
                         "-maxrregcount=32",
                         "--maxrregcount",
                         "64",
                         "-ccbin",
                         "g++-12",
                         "-ccbin=g++",
                         "-m64",
                         "-Xlinker",
                         "-rpath",
                         "-lcudart",
                         "-L/lib",
                         "-lineinfo",
                         "-t4",
                         "-Xcudafe",
                         "--diag_suppress=1"}),
              IsEmpty());
}

TEST(CompilerArguments, DropsFilesAndWhatBecomesOfThem) {
  EXPECT_THAT(translate({"-c", "a.cu", "-o", "a.o", "-x", "cu", "-MD", "-MF",
                         "a.d", "b.o"}),
              IsEmpty());
}

TEST(CompilerArguments, DefinesTheMacrosOfNvccsModes) {
  EXPECT_THAT(translate({"--expt-relaxed-constexpr", "--extended-lambda",
                         "-expt-extended-lambda"}),
              ElementsAre("-D__CUDACC_RELAXED_CONSTEXPR__",
                          "-D__CUDACC_EXTENDED_LAMBDA__",
                          "-D__CUDACC_EXTENDED_LAMBDA__"));
  EXPECT_THAT(translate({"-rdc=true"}),
              ElementsAre("-fgpu-rdc", "-D__CUDACC_RDC__"));
  EXPECT_THAT(translate({"-rdc=false"}), IsEmpty());
  EXPECT_THAT(translate({"-dc"}), ElementsAre("-fgpu-rdc", "-D__CUDACC_RDC__"));
  EXPECT_THAT(translate({"--default-stream", "per-thread"}),
              ElementsAre("-DCUDA_API_PER_THREAD_DEFAULT_STREAM"));
  EXPECT_THAT(translate({"--default-stream=legacy"}), IsEmpty());
}

TEST(CompilerArguments, FastMathIsTheDevicesAlone) {
  // -ffast-math would be the host's, too, and define __FAST_MATH__.
  for (const char *Argument : {"-use_fast_math", "--use_fast_math"})
    EXPECT_THAT(translate({Argument}),
                ElementsAre("-fgpu-approx-transcendentals"));
}

TEST(CompilerArguments, KeepsOfTheHostsWhatThePreprocessorSees) {
  EXPECT_THAT(translate({"-Xcompiler", "-fPIC,-DHOST=1,-Ihost", "-Xcompiler",
                         "-march=native", "-Xcompiler=-Wall"}),
              ElementsAre("-DHOST=1", "-Ihost"));
}

TEST(CompilerArguments, DropsTheHostsMachineAndOpenMP) {
  EXPECT_THAT(translate({"-march=native", "-mavx2", "-fopenmp"}), IsEmpty());
}

TEST(CompilerArguments, NoticesFeaturesOfOneArchitecture) {
  auto Names = [](std::vector<std::string> Arguments) {
    return translateArguments(Arguments).ArchitectureSpecific;
  };
  EXPECT_TRUE(Names({"-arch=sm_90a"}));
  EXPECT_TRUE(Names({"-gencode", "arch=compute_100f,code=sm_100"}));
  EXPECT_FALSE(Names({"-arch=sm_90"}));
  EXPECT_FALSE(Names({"-arch=native", "-arch=all-major"}));
}

TEST(CompilerArguments, TellsForWhichGpusTheBuildIs) {
  auto Of = [](std::vector<std::string> Arguments) {
    const ClangArguments All = translateArguments(Arguments);
    EXPECT_THAT(All.Arguments, IsEmpty());
    return All.Architectures;
  };
  EXPECT_THAT(Of({"-arch=sm_80"}), ElementsAre("sm_80"));
  EXPECT_THAT(Of({"-arch", "compute_75"}), ElementsAre("sm_75"));
  EXPECT_THAT(Of({"-arch=compute_80", "-code=sm_86"}), ElementsAre("sm_86"));
  EXPECT_THAT(Of({"-gencode", "arch=compute_90a,code=sm_90a", "--generate-code",
                  "arch=compute_80,code=[sm_80,sm_86]",
                  "-gencode=arch=compute_90,code=compute_90"}),
              ElementsAre("sm_90", "sm_80", "sm_86"));
  EXPECT_THAT(Of({"--cuda-gpu-arch=sm_70", "--offload-arch=sm_75"}),
              ElementsAre("sm_70", "sm_75"));
  EXPECT_THAT(Of({"-arch=native"}), IsEmpty());
  EXPECT_THAT(Of({"-arch"}), IsEmpty());
}

TEST(CompilerArguments, LeavesTheUnknownToClang) {
  EXPECT_THAT(translate({"--no-such-option"}), ElementsAre("--no-such-option"));
}

TEST(CompilerArguments, SurvivesAMissingValue) {
  EXPECT_THAT(translate({"-gencode"}), IsEmpty());
  EXPECT_THAT(translate({"-I"}), IsEmpty());
  EXPECT_THAT(translate({"-Xcompiler", "-D"}), IsEmpty());
}

//===----------------------------------------------------------------------===//
// Files of arguments
//===----------------------------------------------------------------------===//

class ArgumentFiles : public testing::Test {
protected:
  void SetUp() override {
    std::string Name = testing::TempDir() + "arguments-XXXXXX";
    ASSERT_NE(mkdtemp(Name.data()), nullptr);
    Root = Name;
  }
  void TearDown() override { std::filesystem::remove_all(Root); }

  std::string write(const std::string &Name, const std::string &Text) const {
    std::ofstream(Root / Name) << Text;
    return Root / Name;
  }

  /// Returns the error.
  static std::string expand(std::vector<std::string> &Arguments) {
    return expandArgumentFiles(Arguments).value_or("");
  }

  std::filesystem::path Root;
};

TEST_F(ArgumentFiles, AreReplacedByTheirWords) {
  std::string Inner = write("b.rsp", "-DB=2");
  std::string File =
      write("a.rsp", "-I'my folder'\n  -DA=\\\"x\\\" @" + Inner + "\n");
  for (const std::vector<std::string> &Given :
       {std::vector<std::string>{"@" + File, "-DC"},
        {"--options-file", File, "-DC"},
        {"--options-file=" + File, "-DC"},
        {"-optf", File, "-DC"}}) {
    std::vector<std::string> Arguments = Given;
    EXPECT_EQ(expand(Arguments), "");
    EXPECT_THAT(Arguments,
                ElementsAre("-Imy folder", "-DA=\"x\"", "-DB=2", "-DC"));
  }
}

TEST_F(ArgumentFiles, ThatCannotBeReadAreNamed) {
  std::vector<std::string> Arguments = {"@" + (Root / "none").string()};
  EXPECT_THAT(expand(Arguments), HasSubstr("/none' for the compiler arguments "
                                           "in it: No such file"));
  std::string Self = (Root / "self").string();
  write("self", "@" + Self);
  Arguments = {"@" + Self};
  EXPECT_THAT(expand(Arguments), HasSubstr("it names itself"));
  write("self", "@" + Self + " -DA @" + Self);
  Arguments = {"@" + Self};
  EXPECT_THAT(expand(Arguments), HasSubstr("it names itself"));
  Arguments = {"@/dev/zero"};
  EXPECT_THAT(expand(Arguments), HasSubstr("never ends"));
}

TEST(CompilerArguments, ThatAskForSomethingElseAreFound) {
  auto Asks = [](std::vector<std::string> Nvcc) {
    return askingForOther(Nvcc);
  };
  for (const char *Each :
       {"--help", "-help", "-h", "--version", "-V", "-###", "-dumpversion",
        "-print-search-dirs", "--print-targets", "--cuda-host-only",
        "--offload-host-only", "--analyze", "-cc1", "--list-gpu-arch"})
    EXPECT_EQ(Asks({"-DA", Each}), Each);
  EXPECT_EQ(Asks({"-E",
                  "-M",
                  "-MM",
                  "-S",
                  "-c",
                  "-v",
                  "-emit-llvm",
                  "-fsyntax-only",
                  "--cuda-device-only",
                  "-save-temps",
                  "-DV",
                  "-I--help",
                  "-include",
                  "-h",
                  "-Xclang",
                  "-help",
                  "-Xptxas",
                  "--help",
                  "-o",
                  "--version"}),
            "");
}

} // namespace cudalint::CompilerArgumentsTests
