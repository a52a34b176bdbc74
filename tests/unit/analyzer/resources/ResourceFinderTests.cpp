//===- tests/unit/analyzer/resources/ResourceFinderTests.cpp - Sources ----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeToolkit.h"

#include <gmock/gmock.h>

namespace ResourceFinderTests {

using namespace cudalint;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

static const ComputeCapability SM61{6, 1}, SM80{8, 0}, SM86{8, 6}, SM90{9, 0};

static bool isKernelK(std::string_view Name) { return Name == "k"; }

static std::string compiled(const std::string &Kernel, const std::string &Arch,
                            int Registers, int Spills = 0) {
  return "ptxas info    : Compiling entry function '" + Kernel + "' for '" +
         Arch + "'\nptxas info    : Function properties for " + Kernel +
         "\n    0 bytes stack frame, " + std::to_string(Spills) +
         " bytes spill stores, 0 bytes spill loads\n"
         "ptxas info    : Used " +
         std::to_string(Registers) + " registers, used 1 barriers\n";
}

/// The answers of one log for the kernel `_Z1kv` of a.cu.
class PtxasLogFile : public FakeToolkit {
protected:
  ResourceAnswer ask(const std::string &Log, ComputeCapability CC,
                     const std::string &Kernel = "_Z1kv") {
    write("a.log", Log);
    Options.PtxasLogs = {path("a.log")};
    ResourceFinder Finder(Options);
    EXPECT_EQ(Finder.readLogs(), std::nullopt);
    return Finder.find(Kernel, "src/a.cu", CC, isKernelK, nullptr);
  }
};

//===----------------------------------------------------------------------===//
// Logs
//===----------------------------------------------------------------------===//

TEST_F(PtxasLogFile, figuresOfTheTarget) {
  ResourceAnswer A =
      ask(compiled("_Z1kv", "sm_80", 32, 8) + compiled("_Z1kv", "sm_90", 40, 4),
          SM90);
  ASSERT_TRUE(A.Record.has_value());
  EXPECT_EQ(A.Record->Registers, 40u);
  EXPECT_EQ(A.Record->SpillStores, 4u);
  EXPECT_EQ(A.Record->Barriers, 1u);
  EXPECT_EQ(A.Record->Source, "log");
  EXPECT_EQ(A.Note, "");
}

TEST_F(PtxasLogFile, whatRunsOnTheTargetStandsIn) {
  std::string Log = compiled("_Z1kv", "sm_70", 30) +
                    compiled("_Z1kv", "sm_80", 32) +
                    compiled("_Z1kv", "sm_89", 34);
  ResourceAnswer A = ask(Log, SM86);
  ASSERT_TRUE(A.Record.has_value());
  EXPECT_EQ(A.Record->Registers, 32u);
  EXPECT_THAT(A.Note, AllOf(HasSubstr("8.6"), HasSubstr("8.0")));
}

TEST_F(PtxasLogFile, whatDoesNotRunOnTheTargetIsNoAnswer) {
  ResourceAnswer A = ask(compiled("_Z1kv", "sm_80", 32), SM90);
  EXPECT_FALSE(A.Record.has_value());
  EXPECT_THAT(A.Note, AllOf(HasSubstr("8.0"), HasSubstr("9.0"),
                            HasSubstr("--registers")));
  EXPECT_FALSE(ask(compiled("_Z1kv", "sm_89", 32), SM86).Record.has_value());
  EXPECT_FALSE(
      ask(compiled("_Z1kv", "sm_100a", 32), {10, 3}).Record.has_value());
  EXPECT_EQ(ask(compiled("_Z1kv", "sm_100a", 32), {10, 0}).Record->Registers,
            32u);
}

TEST_F(PtxasLogFile, aKernelThatTheLogLeavesOut) {
  ResourceAnswer A = ask(compiled("_Z5otherv", "sm_90", 40), SM90);
  EXPECT_FALSE(A.Record.has_value());
  EXPECT_THAT(A.Note, AllOf(HasSubstr("'k()'"), HasSubstr("a.log"),
                            HasSubstr("--registers")));
}

TEST_F(PtxasLogFile, severalObjectsThatAgree) {
  ResourceAnswer A = ask("nvcc -c a.cu\n" + compiled("_Z1kv", "sm_90", 40) +
                             "nvcc -c b.cu\n" + compiled("_Z1kv", "sm_90", 40),
                         SM90);
  EXPECT_EQ(A.Record->Registers, 40u);
  EXPECT_EQ(A.Note, "");
}

TEST_F(PtxasLogFile, theObjectOfThisSource) {
  ResourceAnswer A =
      ask("nvcc -c lib/b.cu\n" + compiled("_Z1kv", "sm_90", 48) +
              "nvcc -c lib/a.cu\n" + compiled("_Z1kv", "sm_90", 40),
          SM90);
  EXPECT_EQ(A.Record->Registers, 40u);
  EXPECT_EQ(A.Note, "");
}

// Both instantiate a template, with other macros.
TEST_F(PtxasLogFile, theObjectOfAnotherSourceAlone) {
  ResourceAnswer A =
      ask("nvcc -c lib/b.cu -o b.o\n" + compiled("_Z1kv", "sm_90", 48), SM90);
  EXPECT_FALSE(A.Record.has_value());
  EXPECT_THAT(A.Note, AllOf(HasSubstr("a.log:2"), HasSubstr("from b.cu"),
                            HasSubstr("do not name src/a.cu")));
}

TEST_F(PtxasLogFile, aLogWhoseCommandsAreNotShown) {
  // A message about b.cu is no sign that a.cu was not compiled.
  ResourceAnswer A = ask("b.cu(3): warning #177-D: unused\nb.cu:4: warning\n" +
                             compiled("_Z1kv", "sm_90", 48),
                         SM90);
  ASSERT_TRUE(A.Record.has_value());
  EXPECT_EQ(A.Record->Registers, 48u);
  // Named among others, whichever of them the figures are of.
  A = ask("nvcc -c c.cu b.cu a.cu\nnvcc -c b.cu\n" +
              compiled("_Z1kv", "sm_90", 48),
          SM90);
  ASSERT_TRUE(A.Record.has_value());
  EXPECT_EQ(A.Record->Registers, 48u);
}

TEST_F(PtxasLogFile, objectsThatDisagreeLeaveOnlyWhatIsCommon) {
  ResourceAnswer A =
      ask(compiled("_Z1kv", "sm_90", 48, 8) + compiled("_Z1kv", "sm_90", 40, 8),
          SM90);
  ASSERT_TRUE(A.Record.has_value());
  EXPECT_EQ(A.Record->Registers, std::nullopt);
  EXPECT_EQ(A.Record->SpillStores, 8u);
  EXPECT_THAT(A.Note, AllOf(HasSubstr("48 registers"), HasSubstr("a.log:1"),
                            HasSubstr("40 registers"), HasSubstr("a.log:5")));
}

TEST_F(PtxasLogFile, aLogThatBreaksOff) {
  ResourceAnswer A =
      ask("ptxas info : Compiling entry function '_Z1kv' for 'sm_90'\n", SM90);
  EXPECT_FALSE(A.Record.has_value());
  EXPECT_THAT(A.Note, AllOf(HasSubstr("a.log:1"), HasSubstr("breaks off")));
}

TEST_F(PtxasLogFile, aLogThatEndsInsideALine) {
  std::string Log = compiled("_Z1kv", "sm_90", 40);
  Log.resize(Log.find(" used 1"));
  ResourceAnswer A = ask(Log, SM90);
  ASSERT_TRUE(A.Record.has_value());
  EXPECT_EQ(A.Record->Registers, 40u);
  EXPECT_EQ(A.Record->SharedBytes, std::nullopt);
  EXPECT_THAT(A.Note, AllOf(HasSubstr("a.log:1"), HasSubstr("'k()'"),
                            HasSubstr("ends inside the line")));
}

TEST_F(PtxasLogFile, theLinkerCountsCalledFunctions) {
  ResourceAnswer A = ask(
      compiled("_Z1kv", "sm_90", 20, 12) +
          "nvlink info    : Function properties for '_Z1kv': (target: sm_90)\n"
          "nvlink info    : used 64 registers, 16 stack, 256 bytes smem, 0 "
          "bytes lmem (target: sm_90)\n",
      SM90);
  EXPECT_EQ(A.Record->Registers, 64u);
  EXPECT_EQ(A.Record->LocalBytes, 16u);
  EXPECT_EQ(A.Record->SharedBytes, 256u);
  EXPECT_EQ(A.Record->SpillStores, 12u);
  EXPECT_EQ(A.Record->Barriers, 1u);
}

// As CUDA 13.0 prints it.
TEST_F(PtxasLogFile, theLinkerNamesNoArchitecture) {
  const std::string Linked =
      "nvlink info    : Function properties for '_Z1kv':\n"
      "nvlink info    : used 254 registers, used 1 barriers, 16 stack, 256 "
      "bytes smem, 532 bytes cmem[0], 0 bytes lmem\n";
  EXPECT_EQ(
      ask(compiled("_Z1kv", "sm_90", 24) + Linked, SM90).Record->Registers,
      254u);
  // Of which of the two that is cannot be told.
  EXPECT_EQ(ask(compiled("_Z1kv", "sm_90", 24) +
                    compiled("_Z1kv", "sm_61", 20) + Linked,
                SM90)
                .Record->Registers,
            24u);
}

TEST_F(PtxasLogFile, aNameAsTheUserWritesIt) {
  EXPECT_EQ(ask(compiled("k", "sm_90", 40), SM90).Record->Registers, 40u);
}

TEST_F(PtxasLogFile, namesOfKernelsThatOneFileOnlySees) {
  std::string Log =
      compiled("_ZN34_GLOBAL__N__4278e386_4_a_cu_plainc2akEPf", "sm_90", 40);
  EXPECT_EQ(ask(Log, SM90, "_ZN12_GLOBAL__N_12akEPf").Record->Registers, 40u);
}

// Two files have a kernel of that name: each has its own figures.
TEST_F(PtxasLogFile, staticKernelsOfSeveralFilesOfOneProgram) {
  const std::string Ours = "__nv_static_22__4278e386_4_a_cu__Z1fv__Z1kPf";
  const std::string Theirs = "__nv_static_22__12345678_4_b_cu__Z1gv__Z1kPf";
  auto linked = [](const std::string &Kernel, int Registers) {
    return "nvlink info    : Function properties for '" + Kernel +
           "':\nnvlink info    : used " + std::to_string(Registers) +
           " registers, used 0 barriers, 0 stack, 0 bytes smem, 0 bytes lmem\n";
  };
  ResourceAnswer A =
      ask(compiled(Theirs, "sm_90", 40) + compiled(Ours, "sm_90", 24), SM90,
          "_ZL1kPf");
  ASSERT_TRUE(A.Record.has_value()) << A.Note;
  EXPECT_EQ(A.Record->Registers, 24u);
  A = ask(compiled(Theirs, "sm_90", 40) + compiled(Ours, "sm_90", 24) +
              linked(Theirs, 56) + linked(Ours, 32),
          SM90, "_ZL1kPf");
  ASSERT_TRUE(A.Record.has_value()) << A.Note;
  EXPECT_EQ(A.Record->Registers, 32u);
}

TEST_F(PtxasLogFile, figuresWithoutArchitecture) {
  ResourceAnswer A = ask("ptxas info : Compiling entry function '_Z1kv'\n"
                         "ptxas info : Used 14 registers, 44+16 bytes smem\n",
                         SM61);
  EXPECT_EQ(A.Record->Registers, 14u);
  EXPECT_EQ(A.Record->SharedBytes, 60u);
  EXPECT_THAT(A.Note, HasSubstr("architecture"));
}

TEST_F(PtxasLogFile, logsThatAreOfNoUse) {
  auto fault = [&](const std::string &Name) {
    Options.PtxasLogs = {path(Name)};
    return ResourceFinder(Options).readLogs().value_or("");
  };
  EXPECT_THAT(fault("nowhere.log"),
              AllOf(HasSubstr("cannot read"), HasSubstr("nowhere.log")));
  EXPECT_THAT(fault("tmp"), HasSubstr("cannot read"));
  write("foreign.log", "all is well\n");
  EXPECT_THAT(fault("foreign.log"), AllOf(HasSubstr("no output of ptxas -v"),
                                          HasSubstr("-Xptxas -v")));
  write("empty.log", "");
  EXPECT_THAT(fault("empty.log"), HasSubstr("no output of ptxas -v"));
  write("none.log", "ptxas info    : 0 bytes gmem\n");
  EXPECT_THAT(fault("none.log"), HasSubstr("no kernel"));
  // A later ptxas may write what no version so far did.
  write("later.log", "make\nptxas info : Kernel k has 40 registers\n");
  EXPECT_THAT(
      fault("later.log"),
      AllOf(HasSubstr("was read, but its wording is not known"),
            HasSubstr("line 2, 'ptxas info : Kernel k has 40 registers'"),
            HasSubstr("--registers")));
  write("other.log", "ptxas: k needs 40 registers\n");
  EXPECT_THAT(fault("other.log"), HasSubstr("line 1, 'ptxas: k needs 40"));
}

TEST_F(PtxasLogFile, aKernelWhoseLineIsOfAnotherWording) {
  ResourceAnswer A =
      ask("ptxas info : Compiling entry function '_Z1kv' for 'sm_90'\n"
          "ptxas info : Used 40 regs\n",
          SM90);
  EXPECT_FALSE(A.Record.has_value());
  EXPECT_THAT(A.Note, AllOf(HasSubstr("a.log:2"), HasSubstr("not known"),
                            HasSubstr("'ptxas info : Used 40 regs'"),
                            Not(HasSubstr("breaks off"))));
}

//===----------------------------------------------------------------------===//
// Order of the sources
//===----------------------------------------------------------------------===//

using Sources = FakeToolkit;

TEST_F(Sources, theUserBeforeTheLogBeforeNvcc) {
  setGoodNvcc();
  write("a.log", compiled("k", "sm_90", 32, 6));
  Options.PtxasLogs = {path("a.log")};
  Options.Mode = PtxasMode::Nvcc;
  ResourceFinder WithLog(Options);
  ASSERT_EQ(WithLog.readLogs(), std::nullopt);
  FileResources Compiled = WithLog.compile(job(), std::array{SM90});
  EXPECT_EQ(
      WithLog.find("k", "a.cu", SM90, isKernelK, &Compiled).Record->Registers,
      32u);

  Options.Registers = {{.Kernel = "k", .Registers = 24}};
  ResourceFinder WithUser(Options);
  ASSERT_EQ(WithUser.readLogs(), std::nullopt);
  ResourceAnswer A = WithUser.find("k", "a.cu", SM90, isKernelK, &Compiled);
  EXPECT_EQ(A.Record->Registers, 24u);
  EXPECT_EQ(A.Record->Source, "user");

  Options = {};
  Options.CudaPath = Root;
  Options.CacheDir = path("cache");
  ResourceFinder Alone(Options);
  A = Alone.find("k", "a.cu", SM90, isKernelK, &Compiled);
  EXPECT_EQ(A.Record->Registers, 40u);
  EXPECT_EQ(A.Record->Source, "nvcc");
}

TEST_F(Sources, nvccFillsWhatTheLogLeavesOut) {
  setGoodNvcc();
  write("a.log", compiled("other", "sm_90", 32));
  Options.PtxasLogs = {path("a.log")};
  Options.Mode = PtxasMode::Nvcc;
  ResourceFinder Finder(Options);
  ASSERT_EQ(Finder.readLogs(), std::nullopt);
  FileResources Compiled = Finder.compile(job(), std::array{SM90});
  ResourceAnswer A = Finder.find("k", "a.cu", SM90, isKernelK, &Compiled);
  EXPECT_EQ(A.Record->Registers, 40u);
}

TEST_F(Sources, aNamedKernelBeforeAllAndTheLastBeforeTheFirst) {
  Options.Registers = {{.Kernel = "k", .Registers = 20},
                       {.Kernel = "k", .Registers = 21},
                       {.Kernel = "", .Registers = 30},
                       {.Kernel = "", .Registers = 31},
                       {.Kernel = "j", .Registers = 50}};
  ResourceFinder Finder(Options);
  EXPECT_EQ(
      Finder.find("k", "a.cu", SM90, isKernelK, nullptr).Record->Registers,
      21u);
  auto isOther = [](std::string_view Name) { return Name == "other"; };
  ResourceAnswer A = Finder.find("other", "a.cu", SM90, isOther, nullptr);
  EXPECT_EQ(A.Record->Registers, 31u);
  EXPECT_EQ(A.Record->SharedBytes, std::nullopt);
  EXPECT_EQ(A.Record->SpillStores, std::nullopt);
  EXPECT_EQ(A.Record->Barriers, std::nullopt);
  EXPECT_EQ(A.Note, "");
}

// Spills hang on the number of registers, shared memory does not.
TEST_F(Sources, whatOtherRegistersWouldChangeIsNotTakenOver) {
  setGoodNvcc();
  Options.Registers = {{.Kernel = "k", .Registers = 24}};
  ResourceFinder Finder(Options);
  FileResources Compiled = Finder.compile(job(), std::array{SM90});
  ResourceAnswer A = Finder.find("k", "a.cu", SM90, isKernelK, &Compiled);
  EXPECT_EQ(A.Record->SharedBytes, 512u);
  EXPECT_EQ(A.Record->Barriers, 1u);
  EXPECT_EQ(A.Record->SpillStores, std::nullopt);
  EXPECT_EQ(A.Record->LocalBytes, std::nullopt);
}

TEST_F(Sources, withoutAnyOneNoteSaysWhatToDo) {
  Options.Mode = PtxasMode::Off;
  ResourceFinder Finder(Options);
  ResourceAnswer A = Finder.find("k", "a.cu", SM90, isKernelK, nullptr);
  EXPECT_FALSE(A.Record.has_value());
  EXPECT_THAT(A.Note, AllOf(HasSubstr("--registers"), HasSubstr("--ptxas-log"),
                            HasSubstr("--ptxas=nvcc")));
  // The same for each file and kernel, so that it is said once.
  EXPECT_EQ(Finder.find("j", "b.cu", SM80, isKernelK, nullptr).Note, A.Note);
}

TEST_F(Sources, aFailedCompilationIsExplainedOnce) {
  setNvcc("exit 1\n");
  ResourceFinder Finder(Options);
  FileResources Compiled = Finder.compile(job(), std::array{SM90});
  EXPECT_EQ(Compiled.Notes.size(), 1u);
  ResourceAnswer A = Finder.find("k", "a.cu", SM90, isKernelK, &Compiled);
  EXPECT_FALSE(A.Record.has_value());
  EXPECT_EQ(A.Note, "");
}

TEST_F(Sources, aKernelForWhichNvccMadeNoCode) {
  setGoodNvcc();
  ResourceFinder Finder(Options);
  FileResources Compiled = Finder.compile(job(), std::array{SM90});
  ResourceAnswer A =
      Finder.find("_Z6unusedv", "a.cu", SM90, isKernelK, &Compiled);
  EXPECT_FALSE(A.Record.has_value());
  EXPECT_THAT(A.Note, HasSubstr("no code for kernel 'unused()'"));
}

} // namespace ResourceFinderTests
