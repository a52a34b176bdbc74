//===- tests/unit/analyzer/resources/PtxasLogTests.cpp - Reads ptxas -v ---===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/resources/PtxasLog.h"

#include <gmock/gmock.h>

namespace PtxasLogTests {

using namespace cudalint;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

static PtxasLog logOf(std::string_view Text) {
  PtxasLog Log;
  Log.read(Text);
  Log.finish();
  return Log;
}

/// The only entry of the kernel.
static PtxasEntry only(const PtxasLog &Log, std::string_view Kernel) {
  std::vector<const PtxasEntry *> Entries = Log.entriesOf(Kernel);
  EXPECT_THAT(Entries, SizeIs(1)) << Kernel;
  return Entries.empty() ? PtxasEntry() : *Entries.front();
}

static std::vector<std::optional<std::uint64_t>>
registersOf(const PtxasLog &Log, std::string_view Kernel) {
  std::vector<std::optional<std::uint64_t>> Result;
  for (const PtxasEntry *Entry : Log.entriesOf(Kernel))
    Result.push_back(Entry->Record.Registers);
  return Result;
}

static const ComputeCapability SM61{6, 1}, SM70{7, 0}, SM90{9, 0}, SM120{12, 0};

//===----------------------------------------------------------------------===//
// Wordings, as each version of ptxas prints them
//===----------------------------------------------------------------------===//

// CUDA 9 to 11: no word of barriers, nothing that is 0 but the frame.
TEST(PtxasLog, cuda9) {
  PtxasEntry E = only(logOf(R"(ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z3sumPfi' for 'sm_61'
ptxas info    : Function properties for _Z3sumPfi
    32 bytes stack frame, 8 bytes spill stores, 16 bytes spill loads
ptxas info    : Used 27 registers, 32768 bytes smem, 376 bytes cmem[0], 16 bytes cmem[2]
)"),
                      "_Z3sumPfi");
  EXPECT_EQ(E.CC, SM61);
  EXPECT_EQ(E.Record.Registers, 27u);
  EXPECT_EQ(E.Record.SharedBytes, 32768u);
  EXPECT_EQ(E.Record.LocalBytes, 32u);
  EXPECT_EQ(E.Record.SpillStores, 8u);
  EXPECT_EQ(E.Record.SpillLoads, 16u);
  EXPECT_EQ(E.Record.Barriers, std::nullopt);
}

TEST(PtxasLog, whatIsLeftOutOfTheLineOfRegistersIsZero) {
  PtxasEntry E = only(logOf(R"(
ptxas info    : Compiling entry function '_Z1kv' for 'sm_70'
ptxas info    : Function properties for _Z1kv
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 32 registers, 360 bytes cmem[0]
)"),
                      "_Z1kv");
  EXPECT_EQ(E.CC, SM70);
  EXPECT_EQ(E.Record.SharedBytes, 0u);
  EXPECT_EQ(E.Record.LocalBytes, 0u);
  EXPECT_EQ(E.Record.SpillStores, 0u);
}

// Where the line ends, 0 is left out; where the log ends, anything may be.
TEST(PtxasLog, whatTheEndOfTheLogCutsOffIsUnknown) {
  const std::string Start =
      "ptxas info    : Compiling entry function '_Z1kv' for 'sm_90'\n"
      "ptxas info    : Function properties for _Z1kv\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 31 registers,";
  for (const char *Cut : {"", " used 1 barriers", " used 1 barriers, 409",
                          " used 1 barriers, 40960 bytes", " 8 bytes cumul"}) {
    PtxasEntry E = only(logOf(Start + Cut), "_Z1kv");
    EXPECT_EQ(E.Record.Registers, 31u) << Cut;
    EXPECT_EQ(E.Record.SharedBytes, std::nullopt) << Cut;
    EXPECT_EQ(E.Record.LocalBytes, std::nullopt) << Cut;
    EXPECT_EQ(E.Record.SpillStores, 0u) << Cut;
    EXPECT_TRUE(E.IsCut) << Cut;
  }
  for (const char *Whole : {" used 1 barriers, 40960 bytes smem",
                            " 40960 bytes smem, 380 bytes cmem[0]\n"}) {
    PtxasEntry E = only(logOf(Start + Whole), "_Z1kv");
    EXPECT_EQ(E.Record.SharedBytes, 40960u) << Whole;
    EXPECT_EQ(E.Record.LocalBytes, 0u) << Whole;
    EXPECT_FALSE(E.IsCut) << Whole;
  }
  PtxasEntry E = only(logOf(Start + " 380 bytes cmem[0]"), "_Z1kv");
  EXPECT_EQ(E.Record.SharedBytes, 0u);
}

TEST(PtxasLog, aLineThatAnotherBreaksLeavesSharedMemoryUnknown) {
  PtxasEntry E = only(
      logOf("ptxas info    : Compiling entry function '_Z1kv' for 'sm_90'\n"
            "ptxas info    : Used 31 registers, 409ptxas info    : 0 bytes "
            "gmem\n"),
      "_Z1kv");
  EXPECT_EQ(E.Record.Registers, 31u);
  EXPECT_EQ(E.Record.SharedBytes, std::nullopt);
}

// CUDA 12 and 13: barriers, the stack of all that is called, the time.
TEST(PtxasLog, cuda13) {
  PtxasEntry E = only(logOf(R"(ptxas info    : 2 bytes gmem, 16 bytes cmem[4]
ptxas info    : Compiling entry function '_Z7callsdvPi' for 'sm_120'
ptxas info    : Function properties for _Z7callsdvPi
    40 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 15 registers, used 1 barriers, 64 bytes cumulative stack size, 2052 bytes smem
ptxas info    : Compile time = 2.332 ms
ptxas info    : Function properties for _Z2dvi
    24 bytes stack frame, 96 bytes spill stores, 88 bytes spill loads
)"),
                      "_Z7callsdvPi");
  EXPECT_EQ(E.CC, SM120);
  EXPECT_EQ(E.Record.Registers, 15u);
  EXPECT_EQ(E.Record.Barriers, 1u);
  EXPECT_EQ(E.Record.SharedBytes, 2052u);
  EXPECT_EQ(E.Record.LocalBytes, 64u);
  EXPECT_EQ(E.Record.SpillStores, 0u) << "those of the device function";
}

TEST(PtxasLog, textureAndSamplerAndLocalClauses) {
  PtxasEntry E = only(logOf(R"(
ptxas info    : Compiling entry function 'k' for 'sm_30'
ptxas info    : Function properties for k
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 63 registers, 24 bytes lmem, 48 bytes smem, 332 bytes cmem[0], 2 textures, 1 samplers, 1 surfaces
)"),
                      "k");
  EXPECT_EQ(E.Record.Registers, 63u);
  EXPECT_EQ(E.Record.LocalBytes, 24u);
  EXPECT_EQ(E.Record.SharedBytes, 48u);
}

// The oldest compilers name no architecture and write two parts of a sum.
TEST(PtxasLog, sumsAndNoArchitecture) {
  PtxasEntry E =
      only(logOf("ptxas info : Compiling entry function 'acos_main'\n"
                 "ptxas info : Used 4 registers, 60+56 bytes lmem, "
                 "44+40 bytes smem, 20 bytes cmem[1]\n"),
           "acos_main");
  EXPECT_EQ(E.CC, std::nullopt);
  EXPECT_EQ(E.Record.LocalBytes, 116u);
  EXPECT_EQ(E.Record.SharedBytes, 84u);
}

TEST(PtxasLog, architectureSpecificCodeIsMarked) {
  PtxasLog Log =
      logOf("ptxas info : Compiling entry function 'a' for 'sm_90a'\n"
            "ptxas info : Used 40 registers\n"
            "ptxas info : Compiling entry function 'b' for 'sm_90'\n"
            "ptxas info : Used 40 registers\n");
  EXPECT_EQ(only(Log, "a").CC, SM90);
  EXPECT_TRUE(only(Log, "a").Specific);
  EXPECT_FALSE(only(Log, "b").Specific);
}

TEST(PtxasLog, nvlinkWithAndWithoutTarget) {
  PtxasLog Log = logOf(
      R"(nvlink info    : 144 bytes gmem, 65536 bytes cmem[3] (target: sm_61)
nvlink info    : Function properties for '_Z1aPf': (target: sm_61)
nvlink info    : used 30 registers, 8 stack, 12 bytes smem, 356 bytes cmem[0], 0 bytes lmem (target: sm_61)
nvlink info    : Function properties for '_Z1bPf':
nvlink info    : used 32 registers, used 2 barriers, 0 stack, 1142 bytes smem, 352 bytes cmem[0], 0 bytes lmem
)");
  PtxasEntry A = only(Log, "_Z1aPf");
  EXPECT_TRUE(A.Linked);
  EXPECT_EQ(A.CC, SM61);
  EXPECT_EQ(A.Record.Registers, 30u);
  EXPECT_EQ(A.Record.LocalBytes, 8u);
  EXPECT_EQ(A.Record.SharedBytes, 12u);
  EXPECT_EQ(A.Record.SpillStores, std::nullopt);
  PtxasEntry B = only(Log, "_Z1bPf");
  EXPECT_EQ(B.CC, std::nullopt);
  EXPECT_EQ(B.Record.Registers, 32u);
  EXPECT_EQ(B.Record.Barriers, 2u);
}

//===----------------------------------------------------------------------===//
// What surrounds them
//===----------------------------------------------------------------------===//

TEST(PtxasLog, prefixesColoursAndCarriageReturns) {
  PtxasLog Log = logOf(
      "[3/9] Building CUDA object CMakeFiles/app.dir/src/sum.cu.o\r\n"
      "\x1b[1m2024-05-01T10:00:00Z \x1b[36mptxas info    : \x1b[0mCompiling "
      "entry function '_Z1kPf' for 'sm_70'\r\n"
      "1>  ptxas : info : Function properties for _Z1kPf\r\n"
      "1>      16 bytes stack frame, 4 bytes spill stores, 4 bytes spill "
      "loads\r\n"
      "sum.cu(12): warning #177-D: variable \"n\" was declared but never "
      "referenced\r\n"
      "#12 0.52 ptxas info    : Used 40 registers, 360 bytes cmem[0]\r\n");
  PtxasEntry E = only(Log, "_Z1kPf");
  EXPECT_EQ(E.CC, SM70);
  EXPECT_EQ(E.Record.Registers, 40u);
  EXPECT_EQ(E.Record.LocalBytes, 16u);
  EXPECT_EQ(E.File, "sum.cu");
  EXPECT_EQ(E.Line, 2u);
}

TEST(PtxasLog, piecesOfAnySizeReadAlike) {
  std::string Text = "make: nvcc -c a.cu\n"
                     "ptxas info : Compiling entry function 'k' for 'sm_90'\n"
                     "ptxas info : Used 41 registers, used 1 barriers\n";
  for (std::size_t Size = 1; Size != 20; ++Size) {
    PtxasLog Log;
    for (std::size_t I = 0; I < Text.size(); I += Size)
      Log.read(std::string_view(Text).substr(I, Size));
    Log.finish();
    EXPECT_EQ(only(Log, "k").Record.Registers, 41u) << Size;
  }
}

TEST(PtxasLog, theLastLineMayLackItsEnd) {
  EXPECT_EQ(only(logOf("ptxas info : Compiling entry function 'k' for 'sm_90'\n"
                       "ptxas info : Used 41 registers"),
                 "k")
                .Record.Registers,
            41u);
}

TEST(PtxasLog, anEndlessLineIsSkipped) {
  PtxasLog Log;
  for (int I = 0; I != 1000; ++I)
    Log.read(std::string(1000, 'x'));
  Log.read("\nptxas info : Compiling entry function 'k' for 'sm_90'\n"
           "ptxas info : Used 41 registers\n");
  Log.finish();
  EXPECT_EQ(only(Log, "k").Record.Registers, 41u);
}

TEST(PtxasLog, demangledNamesWithCommasAndQuotes) {
  PtxasLog Log = logOf(
      "ptxas info : Compiling entry function 'void f<'a', int>(int*, double)' "
      "for 'sm_90'\n"
      "ptxas info : Used 46 registers\n");
  EXPECT_EQ(only(Log, "void f<'a', int>(int*, double)").Record.Registers, 46u);
}

//===----------------------------------------------------------------------===//
// Broken logs
//===----------------------------------------------------------------------===//

TEST(PtxasLog, foreignText) {
  PtxasLog Log = logOf("# Title\n\nno compiler wrote this; ptxas is a tool\n");
  EXPECT_FALSE(Log.hasOutput());
  EXPECT_THAT(Log.entries(), IsEmpty());
}

TEST(PtxasLog, binaryText) {
  std::string Text;
  for (int I = 0; I != 100000; ++I)
    Text += static_cast<char>(I * 7919 >> 3);
  EXPECT_FALSE(logOf(Text).hasOutput());
}

TEST(PtxasLog, aLogThatBreaksOffLeavesTheKernelUnknown) {
  PtxasEntry E = only(logOf(R"(
ptxas info    : Compiling entry function 'k' for 'sm_90'
ptxas info    : Function properties for k
    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill)"),
                      "k");
  EXPECT_EQ(E.Record.Registers, std::nullopt);
  EXPECT_EQ(E.Record.SharedBytes, std::nullopt);
  EXPECT_EQ(E.Record.SpillLoads, std::nullopt);
}

TEST(PtxasLog, aLogThatBeginsInTheMiddle) {
  PtxasLog Log = logOf("ptxas info : Used 99 registers\n"
                       "ptxas info : Compiling entry function 'k' for 'sm_90'\n"
                       "ptxas info : Used 41 registers\n");
  EXPECT_THAT(Log.entries(), SizeIs(1));
  EXPECT_EQ(only(Log, "k").Record.Registers, 41u);
}

// A compilation that was stopped costs its own kernel, not the next.
TEST(PtxasLog, aStoppedCompilationBetweenOthers) {
  PtxasLog Log = logOf("ptxas info : Compiling entry function 'a' for 'sm_90'\n"
                       "make: *** [a.o] Killed\n"
                       "ptxas info : Compiling entry function 'b' for 'sm_90'\n"
                       "ptxas info : Used 41 registers\n");
  EXPECT_EQ(only(Log, "a").Record.Registers, std::nullopt);
  EXPECT_EQ(only(Log, "b").Record.Registers, 41u);
}

// Two jobs of make write into each other: nobody knows whose 30 are.
TEST(PtxasLog, linesOfTwoCompilationsMixed) {
  PtxasLog Log = logOf("ptxas info : Compiling entry function 'a' for 'sm_90'\n"
                       "ptxas info : Compiling entry function 'b' for 'sm_90'\n"
                       "ptxas info : Used 30 registers\n"
                       "ptxas info : Compiling entry function 'c' for 'sm_90'\n"
                       "ptxas info : Used 40 registers\n"
                       "ptxas info : Used 50 registers\n"
                       "ptxas info : Compiling entry function 'd' for 'sm_90'\n"
                       "ptxas info : Used 60 registers\n");
  for (const char *Kernel : {"a", "b", "c"})
    EXPECT_EQ(only(Log, Kernel).Record.Registers, std::nullopt) << Kernel;
  EXPECT_EQ(only(Log, "d").Record.Registers, 60u);
}

TEST(PtxasLog, absurdNumbersAreUnknown) {
  for (const char *Used :
       {"Used 256 registers", "Used 99999999999999999999 registers",
        "Used -1 registers", "Used registers", "Used 12 registers12"}) {
    PtxasLog Log = logOf(std::string("ptxas info : Compiling entry function "
                                     "'k' for 'sm_90'\nptxas info : ") +
                         Used + "\n");
    EXPECT_EQ(only(Log, "k").Record.Registers, std::nullopt) << Used;
  }
}

//===----------------------------------------------------------------------===//
// The same kernel several times
//===----------------------------------------------------------------------===//

static std::string compiled(const std::string &Kernel, const std::string &Arch,
                            int Registers) {
  return "ptxas info : Compiling entry function '" + Kernel + "' for '" + Arch +
         "'\nptxas info : Used " + std::to_string(Registers) + " registers\n";
}

TEST(PtxasLog, eachDifferenceOnce) {
  PtxasLog Log = logOf(compiled("k", "sm_90", 30) + compiled("k", "sm_80", 32) +
                       compiled("k", "sm_90", 30) + compiled("k", "sm_90", 40));
  EXPECT_THAT(registersOf(Log, "k"), ElementsAre(30u, 32u, 40u));
}

// The memory that a log takes does not grow with it.
TEST(PtxasLog, aMillionLinesOfTheSame) {
  PtxasLog Log;
  for (int I = 0; I != 300000; ++I)
    Log.read(compiled("k", "sm_90", 16 + I % 200));
  Log.finish();
  EXPECT_THAT(Log.entries(), SizeIs(64));
}

TEST(PtxasLog, sourcesOfNinja) {
  PtxasLog Log =
      logOf("[1/3] Building CUDA object CMakeFiles/x.dir/a.cu.o\n" +
            compiled("k", "sm_90", 30) +
            "[2/3] Building CUDA object CMakeFiles/x.dir/b.cu.o\n" +
            compiled("k", "sm_90", 40) + "[3/3] Linking a.cu.o b.cu.o\n");
  std::vector<const PtxasEntry *> Entries = Log.entriesOf("k");
  ASSERT_THAT(Entries, SizeIs(2));
  EXPECT_EQ(Entries[0]->File, "a.cu");
  EXPECT_EQ(Entries[1]->File, "b.cu");
}

// make -j prints both commands before either says anything.
TEST(PtxasLog, sourcesOfMixedCompilationsAreUnknown) {
  PtxasLog Log = logOf("nvcc -c a.cu -o a.o\nnvcc -c b.cu -o b.o\n" +
                       compiled("k", "sm_90", 30) + compiled("k", "sm_90", 40));
  for (const PtxasEntry *Entry : Log.entriesOf("k"))
    EXPECT_EQ(Entry->File, "");
}

TEST(PtxasLog, aLineOfAnotherWordingIsNamed) {
  auto strangeOf = [](std::string_view Text) {
    const PtxasLog Log = logOf(Text);
    const std::optional<LogLine> &Line = Log.firstStrange();
    return Line ? std::to_string(Line->Number) + " " + Line->Text : "";
  };
  EXPECT_EQ(strangeOf("make all\n  ptxas info : Kernel k has 40 registers\n"),
            "2 ptxas info : Kernel k has 40 registers");
  EXPECT_EQ(strangeOf("ptxas info : Compiling entry function 'k' for 'sm_90'\n"
                      "ptxas info : Used 40 regs\n"),
            "2 ptxas info : Used 40 regs");
  EXPECT_EQ(strangeOf("[ptxas] k: sm_90\nk uses 40 registers\n"),
            "2 k uses 40 registers");
  // What each version prints besides, commands, and complaints.
  EXPECT_EQ(strangeOf(compiled("k", "sm_90", 40) +
                      "ptxas info    : 2 bytes gmem, 16 bytes cmem[4]\n"
                      "ptxas info    : Compile time = 2.332 ms\n"
                      "ptxas info    : (C7508) Potential Performance Loss\n"
                      "nvcc -Xptxas -v a.cu\n/usr/bin/ptxas -v\n"
                      "ptxas warning : Registers are spilled\n"
                      "ptxas fatal   : Unresolved extern function '_Z1f'\n"
                      "nvlink info    : 0 bytes gmem\n"),
            "");
}

//===----------------------------------------------------------------------===//
// Names. The pairs are what nvcc 13.0 and Clang 22 call the same kernel.
//===----------------------------------------------------------------------===//

TEST(KernelName, internalLinkage) {
  const char *Pairs[][2] = {
      {"_Z2skPf", "_ZL2skPf"},
      {"_ZN3foo2sfEPi", "_ZN3fooL2sfEPi"},
      {"_Z2stIiEvPT_", "_ZL2stIiEvPT_"},
      {"_ZN34_GLOBAL__N__4278e386_4_a_cu_plainc2akEPf",
       "_ZN12_GLOBAL__N_12akEPf"},
      {"_ZN34_GLOBAL__N__4278e386_4_a_cu_plainc2atIfEEvPT_",
       "_ZN12_GLOBAL__N_12atIfEEvPT_"},
      {"_ZN3foo34_GLOBAL__N__4278e386_4_a_cu_plainc5takesENS0_1SEPS1_",
       "_ZN3foo12_GLOBAL__N_15takesENS0_1SEPS1_"},
      {"_Z8overanonIN34_GLOBAL__N__4278e386_4_a_cu_plainc1QEEvNS0_1WIT_EEPi",
       "_Z8overanonIN12_GLOBAL__N_11QEEvNS0_1WIT_EEPi"},
      // With -rdc=true.
      {"__nv_static_25__64a1d75e_4_x_cu__Z3pubPf__Z3dupPf", "_ZL3dupPf"},
      {"__nv_static_25__64a1d75e_4_x_cu__Z3pubPf__ZN2ns2inEPf",
       "_ZN2nsL2inEPf"},
      {"__nv_static_25__64a1d75e_4_x_cu__Z3pubPf__Z5tstatIfEvPT_",
       "_ZL5tstatIfEvPT_"},
      {"__nv_static_25__64a1d75e_4_x_cu__Z3pubPf__"
       "ZN36_GLOBAL__N__64a1d75e_4_x_cu__Z3pubPf4anonEPfi",
       "_ZN12_GLOBAL__N_14anonEPfi"},
      {"__nv_static_26__36fa9c84_7_1_b_cpp__Z1fPf_plain", "plain"},
      // A static function as template argument: S0_ and S1_ are both float *.
      {"_Z1kIXadL_ZN34_INTERNAL_136dd5da_5_r7_cu__Z2goPf5twiceEPfiEELi1EEvS1_",
       "_Z1kIXadL_ZL5twicePfiEELi1EEvS0_"},
      // As older ones name what is static.
      {"_ZN32_INTERNAL_4278e386_4_a_cu__Z1kPf2skEPf", "_ZL2skPf"},
  };
  for (auto &[Nvcc, Clang] : Pairs)
    EXPECT_EQ(comparableKernelName(Nvcc), comparableKernelName(Clang));
}

TEST(KernelName, whatDiffersStaysDifferent) {
  const char *Names[] = {"plain",
                         "_Z1kPf",
                         "_Z1kPd",
                         "_Z1kILi256EEvPf",
                         "_Z1kILi25EEvPf",
                         "_Z1kILi256ELi4096EEvPf",
                         "_ZN2ns1kEPf",
                         "_ZN12_GLOBAL__N_11kEPf",
                         "_Z1kRA64_i",
                         "_Z1kRA32_i",
                         "_Z5kL2abPf",
                         "_Z4kL2aPf",
                         "_Z1kIXadL_ZL5twicePfiEELi1EEvS0_",
                         "_Z1kIXadL_ZL5thricPfiEELi1EEvS0_"};
  std::set<std::string> Seen;
  for (const char *Name : Names)
    EXPECT_TRUE(Seen.insert(comparableKernelName(Name)).second) << Name;
}

TEST(KernelName, brokenNamesEndWell) {
  for (const char *Name :
       {"_Z", "_Z9", "_Z99999999999999999999999k", "_ZLi", "_ZS1", "_ZA",
        "_Z12_GLOBAL__N_", "__nv_static_", "__nv_static_9_",
        "__nv_static_2_ab_", "__nv_static_99999999999999999999_a_k",
        "_ZN10_INTERNAL_", "_ZN10_INTERNAL_9", "_ZN9"})
    EXPECT_FALSE(comparableKernelName(Name).empty());
}

} // namespace PtxasLogTests
