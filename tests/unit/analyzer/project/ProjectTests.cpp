//===- tests/unit/analyzer/project/ProjectTests.cpp - From files to jobs --===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/project/Project.h"

#include "TestFolder.h"
#include "analyzer/frontend/CompilerArguments.h"

#include <gmock/gmock.h>

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::UnorderedElementsAre;

namespace cudalint::ProjectTests {

class Projects : public TestFolder {
protected:
  void SetUp() override {
    TestFolder::SetUp();
    std::filesystem::create_directories(path("build"));
    Before = std::filesystem::current_path();
    std::filesystem::current_path(Root);
  }
  void TearDown() override {
    std::filesystem::current_path(Before);
    TestFolder::TearDown();
  }

  /// Writes a database of \p Entries, each a command that ends with its file.
  void database(const std::vector<std::string> &Commands,
                const std::string &Folder = "build") {
    std::string Text = "[";
    for (const std::string &Each : Commands) {
      std::string Escaped;
      for (char C : Each)
        Escaped +=
            (C == '"' || C == '\\') ? std::string("\\") + C : std::string(1, C);
      Text += (Text.size() > 1 ? "," : "") + std::string("{\"directory\":\"") +
              path(Folder) + R"(","command":")" + Escaped + R"(","file":")" +
              Each.substr(Each.rfind(' ') + 1) + "\"}\n";
    }
    write(Folder + "/compile_commands.json", Text + "]");
  }

  Project find(std::vector<std::string> Inputs = {}, std::string Build = {},
               bool IsGiven = false) {
    return findProject({.Inputs = std::move(Inputs),
                        .Build = std::move(Build),
                        .IsGiven = IsGiven,
                        .Here = Root});
  }

  static std::vector<std::string> names(const Project &P) {
    std::vector<std::string> Result;
    for (const ProjectFile &Each : P.Files)
      Result.push_back(Each.Name);
    return Result;
  }

  std::filesystem::path Before;
};

TEST_F(Projects, NamesAreAsTheyAreSeenFromHere) {
  write("src/a.cu", "");
  write("include/x.h", "");
  database({"nvcc -I../include -I" + path("gen") +
            " -isystem /opt/x -include "
            "../include/x.h -include found.h ../src/a.cu"});
  const Project P = find();
  EXPECT_THAT(P.Error, IsEmpty());
  ASSERT_THAT(names(P), ElementsAre("src/a.cu"));
  EXPECT_THAT(P.Files[0].Arguments,
              ElementsAre("-Iinclude", "-Igen", "-isystem", "/opt/x",
                          "-include", "include/x.h", "-include", "found.h"));
}

TEST_F(Projects, TheDatabaseIsFoundOrNamed) {
  write("src/a.cu", "");
  database({"nvcc -DA ../src/a.cu"});
  database({"nvcc -DB ../src/a.cu"}, "other");
  EXPECT_THAT(find({"src/a.cu"}).Files[0].Arguments, ElementsAre("-DA"));
  EXPECT_THAT(find({"src/a.cu"}, "other").Files[0].Arguments,
              ElementsAre("-DB"));
  EXPECT_THAT(find({}, "other/compile_commands.json").Files[0].Arguments,
              ElementsAre("-DB"));
  EXPECT_THAT(find({"src/a.cu"}, "", /*IsGiven=*/true).Files[0].Arguments,
              IsEmpty());
}

TEST_F(Projects, FilesFoldersAndGlobs) {
  for (const char *Name : {"a.cu", "k/b.cu", "k/c.cu", "k/unbuilt.cu"})
    write(Name, "");
  database({"nvcc -DA ../a.cu", "nvcc -DB ../k/b.cu", "g++ ../main.cpp",
            "nvcc -DC ../k/c.cu"});
  EXPECT_THAT(names(find()), ElementsAre("a.cu", "k/b.cu", "k/c.cu"));
  EXPECT_THAT(names(find({"k"})), ElementsAre("k/b.cu", "k/c.cu"));
  EXPECT_THAT(names(find({"k/*.cu", "./a.cu", "k/../a.cu"})),
              ElementsAre("k/b.cu", "k/c.cu", "k/unbuilt.cu", "./a.cu"));
  // Without a database: all sources.
  EXPECT_THAT(names(find({"k"}, "", /*IsGiven=*/true)),
              ElementsAre("k/b.cu", "k/c.cu", "k/unbuilt.cu"));
}

TEST_F(Projects, AFileWithoutAnEntryIsCompiledAsTheNearest) {
  for (const char *Name : {"x/a.cu", "y/b.cu", "y/z/c.cu", "y/z/d.cuh"})
    write(Name, "");
  database({"nvcc -DA ../x/a.cu", "nvcc -DB ../y/b.cu", "nvcc -DC ../y/z/c.cu",
            "nvcc -DD ../y/z/d.cu"});
  const Project P = find({"y/new.cu", "y/z/d.cuh", "x/n.cuh"});
  ASSERT_THAT(P.Files, SizeIs(3));
  EXPECT_THAT(P.Files[0].Arguments, ElementsAre("-DB"));
  EXPECT_THAT(P.Files[1].Arguments, ElementsAre("-DD")); // Of the same name.
  EXPECT_THAT(P.Files[2].Arguments, ElementsAre("-DA"));
  EXPECT_THAT(P.Details, Contains(HasSubstr("'y/new.cu' is not in")));
}

// What a compiler writes, and where, is no other way to compile.
TEST_F(Projects, AFileOfSeveralTargets) {
  write("a.cu", "");
  write("b.cu", "");
  database({"nvcc -DN=1 -c -o one/b.o ../b.cu",
            "nvcc -DN=1 -c -o two/b.o -MD -MF b.d ../b.cu",
            "nvcc -DN=1 -c ../a.cu", "nvcc -DN=8 -c ../a.cu"});
  const Project P = find();
  ASSERT_THAT(names(P), ElementsAre("b.cu", "a.cu"));
  EXPECT_THAT(P.Files[1].Arguments, Contains("-DN=1"));
  EXPECT_THAT(P.Notes, ElementsAre(HasSubstr("'a.cu' is compiled with")));
  EXPECT_THAT(find({"a.cu"}).Notes, SizeIs(1));
  database(
      {"nvcc -maxrregcount=64 -c ../a.cu", "nvcc -maxrregcount=24 -c ../a.cu"});
  EXPECT_THAT(find({"a.cu"}).Notes, SizeIs(1));
  database(
      {"nvcc -Iinc -c ../b.cu", "nvcc -I" + path("build/inc") + " -c ../b.cu"});
  EXPECT_THAT(find({"b.cu"}).Notes, IsEmpty());
  // It has no entry of its own.
  EXPECT_THAT(find({"ab.cu"}).Notes, IsEmpty());
}

TEST_F(Projects, TargetsOfAllFiles) {
  write("a.cu", "");
  database({"nvcc -gencode arch=compute_80,code=sm_80 ../a.cu",
            "nvcc -arch=sm_90 --generate-code=arch=compute_80,code=[sm_80] "
            "../b.cu"});
  EXPECT_THAT(find().Architectures, ElementsAre("sm_80", "sm_90"));
  EXPECT_THAT(find({"a.cu"}).Architectures, ElementsAre("sm_80"));
}

TEST_F(Projects, FilesOfArgumentsAreReadInTheFolderOfTheBuild) {
  write("a.cu", "");
  write("build/flags.rsp", "-DA --options-file inc.rsp");
  write("build/inc.rsp", "-I../include");
  database({"nvcc @flags.rsp ../a.cu"});
  EXPECT_THAT(find().Files[0].Arguments, ElementsAre("-DA", "-Iinclude"));
  database({"nvcc @nowhere.rsp -DB ../a.cu"});
  EXPECT_THAT(find().Notes, Contains(HasSubstr("nowhere.rsp")));
}

TEST_F(Projects, NothingIsLoaded) {
  write("a.cu", "");
  database({"nvcc -Xcompiler -fplugin=evil.so -fplugin=b.so -DA ../a.cu"});
  const Project P = find();
  EXPECT_THAT(P.Files[0].Arguments, ElementsAre("-DA"));
  EXPECT_THAT(P.Notes, ElementsAre(HasSubstr("'-fplugin=evil.so' is left out"),
                                   HasSubstr("'-fplugin=b.so' is left out")));
}

TEST_F(Projects, WhatNobodyKnowsIsLeftOut) {
  write("a.cu", "");
  database({"icc --gpu-wizardry -qopenmp -DA -Wnonsense -O2 ../a.cu"});
  const Project P = find();
  EXPECT_THAT(P.Files[0].Arguments, ElementsAre("-DA", "-Wnonsense", "-O2"));
  EXPECT_THAT(P.Notes, IsEmpty());
  EXPECT_THAT(P.Details,
              UnorderedElementsAre(HasSubstr("'--gpu-wizardry' is unknown"),
                                   HasSubstr("'-qopenmp' is unknown")));
}

TEST_F(Projects, Faults) {
  EXPECT_THAT(find().Error, HasSubstr("no compile_commands.json here"));
  EXPECT_THAT(find({}, "nowhere").Error, HasSubstr("No such file"));
  EXPECT_THAT(find({"*.cu"}).Error, HasSubstr("no file matches '*.cu'"));
  EXPECT_THAT(find({"build"}).Error, HasSubstr("no .cu file below 'build'"));
  EXPECT_THAT(find({}, "", /*IsGiven=*/true).Error,
              HasSubstr("no file to lint; usage"));
  database({"g++ ../a.cpp"});
  EXPECT_THAT(find({}, "build").Error,
              HasSubstr("no entry of a CUDA file, but 1 of other"));
  write("b.cu", "");
  EXPECT_THAT(find({"b.cu"}).Notes, IsEmpty());
  write("build/compile_commands.json", "[]");
  EXPECT_THAT(find({}, "build").Error, HasSubstr("has no entries"));
  write("build/compile_commands.json", "[{");
  EXPECT_THAT(find({}, "build").Error,
              AllOf(HasSubstr("compile_commands.json'"), HasSubstr("JSON")));
  // Nobody asked for it.
  write("a.cu", "");
  const Project P = find({"a.cu"});
  EXPECT_THAT(P.Error, IsEmpty());
  EXPECT_THAT(names(P), ElementsAre("a.cu"));
  EXPECT_THAT(P.Notes, ElementsAre(HasSubstr("linted without it")));
}

/// As build systems write them, with names that are made up.
TEST_F(Projects, RealCommandLines) {
  write("a.cu", "");
  write("include/x.h", "");
  struct {
    const char *Command;
    std::vector<std::string> Architectures;
    std::vector<std::string> Clang; ///< Among others.
  } const Lines[] = {
      // CMake's, of RAPIDS.
      {"/usr/local/cuda/bin/nvcc -forward-unknown-to-host-compiler "
       "-ccbin=/usr/bin/g++ -DFMT_HEADER_ONLY=1 "
       "-DTHRUST_DISABLE_ABI_NAMESPACE --options-file "
       "CMakeFiles/x.dir/includes_CUDA.rsp -O3 -DNDEBUG -std=c++17 "
       "\"--generate-code=arch=compute_70,code=[sm_70]\" "
       "\"--generate-code=arch=compute_90,code=[compute_90,sm_90]\" "
       "-Xcompiler=-fPIC --expt-extended-lambda --expt-relaxed-constexpr "
       "-Werror=all-warnings -Xcompiler=-Wall,-Werror,-Wno-error=deprecated "
       "-Xfatbin=-compress-all -MD -MT x.o -MF x.o.d -x cu -c -o x.o ../a.cu",
       {"sm_70", "sm_90"},
       {"-DFMT_HEADER_ONLY=1", "-std=c++17", "-D__CUDACC_EXTENDED_LAMBDA__",
        "-Irsp", "-D__CUDACC_RELAXED_CONSTEXPR__"}},
      // CMake's, of llama.cpp.
      {"/usr/local/cuda/bin/nvcc -forward-unknown-to-host-compiler "
       "-DGGML_CUDA_USE_GRAPHS -DGGML_SCHED_MAX_COPIES=4 -D_GNU_SOURCE "
       "-I../include -O3 -DNDEBUG -std=c++17 "
       "--generate-code=arch=compute_75,code=[compute_75,sm_75] "
       "--generate-code=arch=compute_86,code=[compute_86,sm_86] "
       "-Xcompiler=-fPIC -use_fast_math -extended-lambda -compress-mode=size "
       "-Xcompiler \"-Wmissing-declarations -Wall -Wextra -march=native\" -x "
       "cu -c ../a.cu",
       {"sm_75", "sm_86"},
       {"-DGGML_CUDA_USE_GRAPHS", "-Iinclude"}},
      // PyTorch's extension builder.
      {"/usr/local/cuda/bin/nvcc --generate-dependencies-with-compile "
       "--dependency-output x.o.d -I../include -I/usr/include/python3.11 "
       "-D__CUDA_NO_HALF_OPERATORS__ -D__CUDA_NO_HALF_CONVERSIONS__ "
       "--expt-relaxed-constexpr --compiler-options ''\"'\"'-fPIC'\"'\"'' "
       "-O3 -gencode=arch=compute_80,code=sm_80 "
       "-DTORCH_API_INCLUDE_EXTENSION_H -DTORCH_EXTENSION_NAME=ext "
       "-D_GLIBCXX_USE_CXX11_ABI=1 -std=c++17 -c ../a.cu",
       {"sm_80"},
       {"-D__CUDA_NO_HALF_OPERATORS__", "-D__CUDACC_RELAXED_CONSTEXPR__",
        "-DTORCH_EXTENSION_NAME=ext"}},
      // Bazel's rules_cuda.
      {"external/cuda/bin/nvcc -x cu -Xcompiler -fPIC -ccbin /usr/bin/gcc "
       "-I . -I bazel-out/k8-opt/bin -isystem external/lib/include "
       "-gencode arch=compute_90a,code=sm_90a -t4 -O2 -DNDEBUG "
       "-dc -rdc=true -o out.rdc.pic.o -c ../a.cu",
       {"sm_90"},
       {"-fgpu-rdc", "-DNDEBUG"}},
      // xmake's.
      {"nvcc -c -m64 -Iinclude --std c++17 -rdc=true -allow-unsupported-"
       "compiler -ccbin=/usr/bin/g++ -arch=sm_89 -DX -o build/a.cu.o ../a.cu",
       {"sm_89"},
       {"-std=c++17", "-DX", "-D__CUDACC_RDC__"}},
      // Plain make.
      {"nvcc -ccbin g++ -I../include -m64 --threads 0 --std=c++11 "
       "-gencode arch=compute_50,code=sm_50 -gencode "
       "arch=compute_90,code=compute_90 -maxrregcount=64 -lineinfo "
       "-Xptxas=-v -o a.o -c ../a.cu",
       {"sm_50"},
       {"-std=c++11"}},
      {"nvcc -O3 --use_fast_math -arch sm_80 --ptxas-options=-v,-dlcm=cg "
       "-lcublas -L/usr/lib64 -Xlinker -rpath,/x -o main ../a.cu",
       {"sm_80"},
       {}},
      // Clang as CMake calls it.
      {"/usr/bin/clang++-18 -DA -I../include -O3 -std=gnu++17 "
       "--cuda-gpu-arch=sm_86 --cuda-path=/usr/local/cuda -fPIC -Wall "
       "-MD -MT x.o -MF x.o.d -x cuda -c ../a.cu",
       {"sm_86"},
       {"-std=gnu++17", "-DA"}},
      {"clang++ -x cuda --offload-arch=sm_90 -fgpu-rdc -fcolor-diagnostics "
       "-pthread -DB -o a.o -c ../a.cu",
       {"sm_90"},
       {"-fgpu-rdc", "-DB"}},
      // Meson's.
      {"nvcc -Ia.p -I. -I../include -DC --std=c++14 -O2 -g -arch=sm_75 "
       "-Xcompiler=-Winvalid-pch,-Wall -MD -MQ a.o -MF a.o.d -o a.o -c "
       "../a.cu",
       {"sm_75"},
       {"-std=c++14", "-DC"}},
      // setuptools, by hand.
      {"nvcc -DVERSION=\\\"1.2\\\" -U__CUDA_NO_BFLOAT16_OPERATORS__ "
       "-gencode arch=compute_80,code=\\\"compute_80,sm_80\\\" "
       "--threads=4 -Xcudafe --diag_suppress=20012 -D 'NAME=a b' -c ../a.cu",
       {"sm_80"},
       {"-DVERSION=\"1.2\"", "-DNAME=a b"}},
      // A shared library through a launcher, everything spelled out.
      {"ccache /usr/local/cuda/bin/nvcc --compiler-bindir /usr/bin/g++ "
       "--include-path ../include,/opt/x --define-macro A=1,B "
       "--gpu-architecture=compute_80 --gpu-code=sm_80,sm_86 "
       "--relocatable-device-code true --system-include /opt/y "
       "--pre-include x.h --optimize 3 --compile --output-file a.o ../a.cu",
       {"sm_80", "sm_86"},
       {"-DA=1", "-DB", "-I/opt/x", "-Iinclude", "-fgpu-rdc"}},
  };
  for (const auto &Line : Lines) {
    SCOPED_TRACE(Line.Command);
    write("build/CMakeFiles/x.dir/includes_CUDA.rsp", "-I../rsp -isystem=/o");
    database({Line.Command});
    const Project P = find();
    EXPECT_THAT(P.Error, IsEmpty());
    ASSERT_THAT(names(P), ElementsAre("a.cu"));
    EXPECT_THAT(P.Notes, IsEmpty());
    EXPECT_THAT(P.Details, IsEmpty());
    EXPECT_EQ(P.Architectures, Line.Architectures);
    const std::vector<std::string> Clang =
        translateArguments(P.Files[0].Arguments).Arguments;
    for (const std::string &Each : Line.Clang)
      EXPECT_THAT(Clang, Contains(Each));
    EXPECT_THAT(Clang, Not(Contains("-c")));
    EXPECT_THAT(Clang, Not(Contains("../a.cu")));
  }
}

} // namespace cudalint::ProjectTests
