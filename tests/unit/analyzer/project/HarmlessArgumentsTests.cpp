//===- tests/unit/analyzer/project/HarmlessArgumentsTests.cpp - Nothing ---===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/project/HarmlessArguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::Contains;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::IsEmpty;

namespace cudalint::HarmlessArgumentsTests {

using Words = std::vector<std::string>;

static Words kept(Words Arguments, DroppedArguments &Dropped) {
  Dropped = keepHarmless(Arguments, [](const std::string &Program) {
    return Program == "/usr/bin/g++";
  });
  return Arguments;
}

static Words kept(const Words &Arguments) {
  DroppedArguments Dropped;
  return kept(Arguments, Dropped);
}

TEST(KeepHarmless, WhatDecidesHowCodeIsParsed) {
  const Words Plain = {"-DA=1",
                       "-D",
                       "B",
                       "-Ux",
                       "-Iinc",
                       "-isystem",
                       "sys",
                       "-include",
                       "x.h",
                       "-std=c++17",
                       "--std",
                       "c++14",
                       "-O3",
                       "-arch=sm_90",
                       "-gencode",
                       "arch=compute_80,code=sm_80",
                       "--expt-relaxed-constexpr",
                       "-rdc=true",
                       "-maxrregcount",
                       "64",
                       "-use_fast_math",
                       "-x",
                       "cu",
                       "-fPIC",
                       "-fno-exceptions",
                       "-Wall",
                       "-Wno-error=x",
                       "-march=native",
                       "-m64",
                       "-pthread",
                       "-lineinfo",
                       "-g",
                       "--sysroot=/s",
                       "--cuda-gpu-arch=sm_80"};
  EXPECT_THAT(kept(Plain), ElementsAreArray(Plain));
}

TEST(KeepHarmless, NothingIsLoaded) {
  DroppedArguments Dropped;
  EXPECT_THAT(kept({"-fplugin=a.so", "-O2", "-fplugin-arg-a-x",
                    "-fpass-plugin=b.so", "-specs=evil", "-wrapper",
                    "gdb,--args", "-B", "dir", "-Bdir", "-DX"},
                   Dropped),
              ElementsAre("-O2", "-DX"));
  EXPECT_THAT(Dropped.Refused, ElementsAre("-fplugin=a.so", "-fplugin-arg-a-x",
                                           "-fpass-plugin=b.so", "-specs=evil",
                                           "-wrapper", "-B", "-Bdir"));
  EXPECT_THAT(kept({"-Xclang", "-load", "-Xclang", "a.so", "-Xclang",
                    "-add-plugin", "-Xclang", "x", "-DA"},
                   Dropped),
              ElementsAre("-DA"));
  EXPECT_THAT(Dropped.Refused, ElementsAre("-load", "-add-plugin"));
}

TEST(KeepHarmless, NothingIsLoadedByTheHostCompiler) {
  DroppedArguments Dropped;
  EXPECT_THAT(kept({"-Xcompiler", "-fPIC,-fplugin=a.so,-O2",
                    "-Xcompiler=-fplugin=b.so", "-Xcompiler", "-DA=1\\,2",
                    "--compiler-options=-isystem,/x,-Wp,-MD"},
                   Dropped),
              ElementsAre("-Xcompiler", "-fPIC,-O2", "-Xcompiler", "-DA=1\\,2",
                          "--compiler-options", "-isystem,/x"));
  EXPECT_THAT(Dropped.Refused, ElementsAre("-fplugin=a.so", "-fplugin=b.so"));
  // Blanks part words, too.
  EXPECT_THAT(kept({"-Xcompiler", "-O2 -fplugin=a.so"}, Dropped), IsEmpty());
}

TEST(KeepHarmless, HostCompilers) {
  DroppedArguments Dropped;
  EXPECT_THAT(kept({"-ccbin", "g++-12", "-ccbin=/usr/bin/g++",
                    "--compiler-bindir=./evil", "-ccbin", "/tmp/evil"},
                   Dropped),
              ElementsAre("-ccbin", "g++-12", "-ccbin", "/usr/bin/g++"));
  EXPECT_THAT(Dropped.Refused,
              ElementsAre("--compiler-bindir ./evil", "-ccbin /tmp/evil"));
}

TEST(KeepHarmless, NothingIsWritten) {
  DroppedArguments Dropped;
  EXPECT_THAT(kept({"-Wp,-MD,victim",
                    "-Wl,-rpath",
                    "--serialize-diagnostics",
                    "victim",
                    "-serialize-diagnostics",
                    "victim",
                    "-MJ",
                    "victim",
                    "-MJvictim",
                    "-MF",
                    "victim",
                    "-MD",
                    "-o",
                    "victim",
                    "-fmodules",
                    "-fmodules-cache-path=dir",
                    "-gen-cdb-fragment-path",
                    "dir",
                    "-index-store-path",
                    "dir",
                    "-ftime-trace=victim",
                    "-save-temps=obj",
                    "--analyze",
                    "-fdump-tree-all=victim",
                    "-fprofile-generate=dir",
                    "-Xptxas",
                    "-o,victim",
                    "-Xcudafe",
                    "--gen_c_file_name=victim",
                    "-Xnvvm",
                    "x",
                    "-keep-dir",
                    "dir",
                    "victim",
                    "-DX"},
                   Dropped),
              ElementsAre("-DX"));
  EXPECT_THAT(Dropped.Refused, IsEmpty());
  EXPECT_THAT(Dropped.Needless, Contains("-Wp,-MD,victim"));
}

TEST(KeepHarmless, WhatPtxasAndCudafeAreTold) {
  EXPECT_THAT(kept({"-Xptxas=-v,-dlcm=cg", "-Xptxas", "-maxrregcount=32",
                    "-Xcudafe", "--diag_suppress=20012"}),
              ElementsAre("-Xptxas", "-v,-dlcm=cg", "-Xptxas",
                          "-maxrregcount=32", "-Xcudafe",
                          "--diag_suppress=20012"));
}

} // namespace cudalint::HarmlessArgumentsTests
