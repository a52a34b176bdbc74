//===- tests/unit/analyzer/pipeline/UnitIndexTextTests.cpp - Tests --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/pipeline/UnitIndexText.h"

#include "analyzer/pipeline/UnitAnalysis.h"
#include "report/JsonWriter.h"
#include "tests/mock/MockCuda.h"

#include <gmock/gmock.h>

namespace UnitIndexTextTests {

using namespace cudalint;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

//===----------------------------------------------------------------------===//
// Files of one program
//===----------------------------------------------------------------------===//

namespace {
using Sources = std::map<std::string, std::string>;

/// How indexes get from the parse to those who read them.
using Way = UnitIndex (*)(UnitIndex);
} // namespace

static const IndexKey Key = {.Tool = "0.1.0",
                             .Arch = "9.0",
                             .SMs = 132,
                             .Folder = "/build",
                             .Arguments = {"-O3", "-DN=4"},
                             .HasOneFile = false};
static std::string toText(const UnitIndex &Index) { return toText(Index, Key); }
static llvm::Expected<UnitIndex> readUnitIndex(llvm::StringRef Text) {
  return readUnitIndex(Text, Key);
}

static UnitIndex inMemory(UnitIndex Index) { return Index; }
static UnitIndex throughText(UnitIndex Index) {
  llvm::Expected<UnitIndex> Read = readUnitIndex(toText(Index));
  EXPECT_TRUE(bool(Read)) << toString(Read.takeError());
  return std::move(*Read);
}

/// Kernels here, and what launches them in the other file: a block that the
/// other file stores, and shared memory for which this one opts in.
static const Sources Program = {{"/kernels.cu", R"cuda(
extern int Width;
template <int N>
__global__ void __launch_bounds__(512, 2) scale(float *P, unsigned Count) {
  P[threadIdx.x * N] = 1;
}
template __global__ void scale<2>(float *, unsigned);
__global__ void shift(int *P) { P[threadIdx.x * 2] = 2; }
void grow() {
  cudaFuncSetAttribute(scale<2>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       70000);
}
void launchShift(int *P, int N) { shift<<<N, Width>>>(P + 3); }
)cuda"},
                                {"/main.cu", R"cuda(
int Width = 96;
void grow();
void launchShift(int *P, int N);
template <int N> __global__ void scale(float *P, unsigned Count);
int main(int Count, char **Words) {
  grow();
  int Threads = Count > 1 ? Words[1][0] : 64;
  scale<2><<<dim3(7, 2), Threads, 60000>>>(nullptr, 1 << Count);
  launchShift(nullptr, 33);
}
)cuda"}};

namespace {
/// What is known of the files of Program, as the pipeline finds it out.
struct Analysed {
  explicit Analysed(Way Pass);

  std::vector<UnitIndex> Indexes;
  std::string Report; ///< As JSON.
};
} // namespace

static std::vector<ParsedUnit> parseAll(const UnitOptions &Options,
                                        const WholeProgram *Known) {
  std::vector<ParsedUnit> Units;
  ParseProgress Progress;
  for (const auto &[Name, Text] : Program) {
    Units.push_back(parseUnit({.File = Name,
                               .Folder = {},
                               .Arguments = {},
                               .Files = overDisk(Program, "")},
                              Options, Progress, Known));
    EXPECT_EQ(Units.back().Diagnostics, "");
  }
  return Units;
}

Analysed::Analysed(Way Pass) {
  UnitOptions Options;
  Options.HasOneFile = false;
  Options.Gpus = {*parseTarget("sm_90")};
  Options.Frontend.Arch = Options.Gpus[0].Arch;
  Options.Frontend.StandInHeader = test::mockCuda();
  const std::vector<std::unique_ptr<Check>> Checks = makeChecks();
  for (const std::unique_ptr<Check> &Each : Checks)
    Options.Checks.push_back(Each.get());

  std::vector<UnitIndex> First;
  for (ParsedUnit &Unit : parseAll(Options, nullptr))
    First.push_back(Pass(std::move(Unit.Index)));
  std::vector<const ProgramFacts *> Facts;
  for (const UnitIndex &Each : First)
    Facts.push_back(&Each.Program);
  const WholeProgram Whole = wholeProgram(Facts);

  std::vector<ParsedUnit> Units = parseAll(Options, &Whole);
  for (ParsedUnit &Unit : Units)
    Indexes.push_back(Pass(std::move(Unit.Index)));
  Document Doc;
  for (std::size_t I = 0; I != Units.size(); ++I)
    Doc.Units.push_back(evaluateUnit(Units[I], Indexes, I, Options, 0).Record);
  Report = toJson(std::vector{Doc});
}

TEST(UnitIndexText, FilesComeBackAsTheyWere) {
  const Analysed Direct(inMemory);
  ASSERT_THAT(Direct.Indexes, SizeIs(2));
  for (const UnitIndex &Each : Direct.Indexes) {
    EXPECT_EQ(throughText(Each), Each) << Each.File;
    EXPECT_THAT(Each.File, Not(IsEmpty()));
    EXPECT_THAT(Each.Program.Functions, Not(IsEmpty()));
    ASSERT_THAT(Each.Launches, SizeIs(1));
  }
  // There is something of each kind that could have been lost.
  const UnitIndex &Kernels = Direct.Indexes[0], &Main = Direct.Indexes[1];
  EXPECT_THAT(Kernels.Kernels, SizeIs(2));
  EXPECT_THAT(Kernels.SharedMemoryOptIns, SizeIs(1));
  EXPECT_THAT(Kernels.Launchers, SizeIs(1));
  EXPECT_EQ(Kernels.Launches[0].Offsets.at(0), 12u);
  EXPECT_THAT(Main.Program.Calls, Not(IsEmpty()));
  EXPECT_THAT(Main.Launches[0].Powers, SizeIs(1));
  EXPECT_THAT(Main.Launches[0].Unknown, Not(IsEmpty()));
  EXPECT_TRUE(Main.Launches[0].Usual);
}

TEST(UnitIndexText, TheReportIsTheSame) {
  const Analysed Direct(inMemory), Read(throughText);
  EXPECT_EQ(Direct.Report, Read.Report);
  EXPECT_EQ(Direct.Indexes, Read.Indexes);
  // The block of `shift` is the value that the other file stores, its grid what
  // the other file passes, and `scale` is launched there and opted in here.
  EXPECT_THAT(Read.Report,
              AllOf(HasSubstr("\"block\":[96,1,1]"),
                    HasSubstr("\"grid\":[33,1,1]"),
                    HasSubstr("\"grid\":[7,2,1]"), HasSubstr("/main.cu")));
}

//===----------------------------------------------------------------------===//
// One index
//===----------------------------------------------------------------------===//

/// With all that an index can hold.
static UnitIndex everything() {
  const Location Where = {.File = "a.cu", .Line = 4, .Column = 17};
  const LaunchSizes Usual = {.Grid = {1, std::nullopt, 1},
                             .Block = {64, 2, 1},
                             .DynamicSharedBytes = 3,
                             .Arguments = {5, std::nullopt}};
  const TextOrigin Origin = {.Extent = {Where, Where},
                             .Macros = {{"AT", Where}, {"N", {}}},
                             .IncludedFrom = {Where}};
  const Launch L = {.Where = Where,
                    .Origin = Origin,
                    .Kernel = "_Z1k",
                    .KernelAsWritten = "k\xff<\"4\">",
                    .Grid = {std::nullopt, INT64_MIN, INT64_MAX},
                    .Block = {1, 2, 3},
                    .Usual = Usual,
                    .IfLarge = LaunchSizes{.Block = {128, 1, 1}},
                    .LargeName = "'n'",
                    .Paired = PairedSizes{512, 0, 1},
                    .UsualGrid = Extent{4, std::nullopt, 1},
                    .UsualGridIsMost = true,
                    .DynamicSharedBytes = 100,
                    .Arguments = {std::nullopt, -1},
                    .Fields = {{4, 8, 32, -2}},
                    .Nulls = {5},
                    .Offsets = {{6, 252}},
                    .Powers = {0, 7},
                    .NotRound = {1},
                    .Limits = {{0, -3}},
                    .Multiples = {{7, 4}},
                    .BlockSizes = {{3, 2}},
                    .TimesOfBlockSize = {{3, 2}},
                    .Alignments = {{2, 4}},
                    .Source = LaunchSource::Usual,
                    .Unknown = {"block.x depends on '\xe9'"},
                    .SharedMemoryOptIn = true,
                    .Raised = SharedMemoryRaise{70000, true, Where, true},
                    .Cooperative = true,
                    .NeverRuns = true,
                    .CheckedSizes = {32, 64},
                    .CalledAt = Where,
                    .OptInCall = Edit{"k.cu", 1ull << 40, 2, "f();\n"},
                    .IsRung = true,
                    .HasOwnAllocations = true,
                    .HasOneOfStreams = true,
                    .IsRoundedToNone = true};
  std::vector<KernelParameter> Parameters;
  using enum KernelParameter::Kind;
  for (auto Kind : {Integer, Floating, Pointer, Other})
    Parameters.push_back({.Name = "n",
                          .Type = "int",
                          .What = Kind,
                          .Bits = 32,
                          .IsSigned = true});
  const KernelDeclaration K = {.Name = "_Z1k",
                               .Signature = "k(int)",
                               .PlainName = "k",
                               .Where = Where,
                               .Origin = Origin,
                               .MaxThreads = 512,
                               .MinBlocks = 2,
                               .MaxRegisters = 64,
                               .BlockSize = {8, 8, std::nullopt},
                               .ClusterSize = Extent{2, 1, 1},
                               .Parameters = Parameters,
                               .BoundsPlace = Edit{"k.cu", 9, 0, ""},
                               .Restricts = {{"k.cu", 12, 0, "r "}},
                               .IsOfFileAlone = true,
                               .DimensionsUsed = 3};
  const FunctionFacts Function = {
      .Stores = {{"w", 32, true, 16, {}}, {"v", 1, false, {}, "w"}},
      .Uses = {"g", "h"},
      .IsRoot = true};
  const OuterCalls Calls = {
      .Met = {{{1, std::nullopt}, Where}, {{}, Location()}},
      .IsComplete = false};
  return {.File = std::string("\0\xfe.cu", 5),
          .Kernels = {K, K},
          .Launches = {L, Launch()},
          .SharedMemoryOptIns = {"", "_Z1k"},
          .Program = {.Functions = {{"f", Function}, {"\xc3", {}}},
                      .Globals = Function,
                      .Defined = {"w"},
                      .Declared = {"v"},
                      .Calls = {{"f", Calls}},
                      .Pointers = {{"q", {4, std::nullopt}}},
                      .HasMain = true,
                      .Complete = false},
          .UnknownPlaces = {"p"},
          .Launchers = {"run"}};
}

/// What is wrong with \p Text; empty when nothing is.
static std::string faultOf(llvm::StringRef Text) {
  llvm::Expected<UnitIndex> Read = readUnitIndex(Text);
  return Read ? std::string() : toString(Read.takeError());
}

static std::string replaced(std::string Text, const std::string &Old,
                            const std::string &New) {
  const std::size_t At = Text.find(Old);
  EXPECT_NE(At, Text.npos) << Old;
  return Text.replace(At, Old.size(), New);
}

TEST(UnitIndexText, AllMembersComeBack) {
  EXPECT_EQ(throughText(everything()), everything());
  EXPECT_EQ(throughText(UnitIndex()), UnitIndex());
  EXPECT_NE(everything(), UnitIndex());
  EXPECT_EQ(toText(throughText(everything())), toText(everything()));
}

TEST(UnitIndexText, AnotherVersionIsNamed) {
  EXPECT_EQ(faultOf(replaced(toText(everything()), "cuda-lint-index/8",
                             "cuda-lint-index/5")),
            "is an index of format 'cuda-lint-index/5', and this cuda-lint "
            "reads 'cuda-lint-index/8': make it again with this one");
  // What another version holds is none of our business.
  EXPECT_THAT(faultOf(R"({"format": "cuda-lint-index/0", "units": 3})"),
              HasSubstr("make it again"));
}

TEST(UnitIndexText, WhatItWasMadeForIsCompared) {
  const std::string Text = toText(everything());
  const auto fault = [&](auto Change) {
    IndexKey Other = Key;
    Change(Other);
    llvm::Expected<UnitIndex> Read = cudalint::readUnitIndex(Text, Other);
    return Read ? std::string() : toString(Read.takeError());
  };
  EXPECT_EQ(fault([](IndexKey &K) { K.Tool = "0.2.0"; }),
            "is an index that was made by cuda-lint 0.1.0, and this is 0.2.0: "
            "make it again");
  EXPECT_EQ(fault([](IndexKey &K) { K.Arch = "8.0"; }),
            "is an index that was made for compute capability 9.0, not 8.0: "
            "make it again");
  EXPECT_EQ(fault([](IndexKey &K) { K.SMs.reset(); }),
            "is an index that was made for a GPU with another number of SMs: "
            "make it again");
  EXPECT_EQ(fault([](IndexKey &K) { K.Folder = "/"; }),
            "is an index that was made in another folder: make it again");
  EXPECT_EQ(fault([](IndexKey &K) { K.Arguments.pop_back(); }),
            "is an index that was made with other arguments of the compiler: "
            "make it again");
  EXPECT_THAT(fault([](IndexKey &K) { K.HasOneFile = true; }),
              HasSubstr("for a run of several files, and there is one"));
  EXPECT_EQ(fault([](IndexKey &) {}), "");
  const IndexKey Own = indexKey(
      {.File = "a.cu", .Folder = "/w", .Arguments = {"-O3"}, .Files = nullptr},
      *parseTarget("h200"), true);
  EXPECT_EQ(Own.Arch, "9.0");
  EXPECT_EQ(Own.SMs, 132);
  EXPECT_EQ(Own.Folder, "/w");
  EXPECT_THAT(Own.Arguments, testing::ElementsAre("-O3"));
  EXPECT_TRUE(Own.HasOneFile);
  EXPECT_THAT(Own.Tool, Not(IsEmpty()));
}

TEST(UnitIndexText, WhatReadersRelyOnIsChecked) {
  const std::string Text = toText(everything());
  EXPECT_THAT(faultOf(replaced(Text, R"("checked_sizes":[32,64])",
                               R"("checked_sizes":[64,32])")),
              HasSubstr("/index/launches/0/checked_sizes: is not sorted"));
  for (const char *Block :
       {"[64,2,null]", "[8,2,1]", "[1024,2,1]", "[0,64,1]", "[-64,-1,1]"})
    EXPECT_THAT(faultOf(replaced(Text, R"("block":[64,2,1])",
                                 R"("block":)" + std::string(Block))),
                HasSubstr("/index/launches/0/usual/block: is not a block of 32 "
                          "to 1024 threads"));
  UnitIndex Many = everything();
  for (std::int64_t I = 0; I != std::int64_t(MaxOuterCalls) + 1; ++I)
    Many.Program.Calls["f"].Met[{I}] = {};
  EXPECT_THAT(faultOf(toText(Many)), HasSubstr("/met: has more than 64 calls"));
}

TEST(UnitIndexText, WhatIsCutOffIsAnError) {
  const std::string Text = toText(everything());
  for (std::size_t Size = 0; Size != Text.size() - 1; ++Size)
    ASSERT_THAT(faultOf(llvm::StringRef(Text).take_front(Size)),
                AllOf(HasSubstr("is no whole index of a file: "),
                      HasSubstr("make it again")))
        << "the first " << Size << " bytes";
  EXPECT_EQ(faultOf(Text), "");
}

TEST(UnitIndexText, WhatIsWrongIsNamedWithItsPlace) {
  const std::string Text = toText(everything());
  const auto fault = [&](const char *Old, const char *New) {
    return faultOf(replaced(Text, Old, New));
  };
  EXPECT_THAT(fault(R"("launchers":["run"])", R"("launchers":[7])"),
              HasSubstr("/index/launchers/0: is not a string"));
  EXPECT_THAT(fault(R"("launchers")", R"("Launchers")"),
              HasSubstr("/index/launchers: is missing"));
  EXPECT_THAT(fault(R"("max_threads":512)", R"("max_thread":512)"),
              HasSubstr("/index/kernels/0/max_threads: "));
  EXPECT_THAT(fault(R"("block":[1,2,3])", R"("block":[1,2])"),
              HasSubstr("/index/launches/0/block: has 2 items, not 3"));
  EXPECT_THAT(fault(R"("source":"usual")", R"("source":"dream")"),
              HasSubstr("/index/launches/0/source: is 'dream'"));
  EXPECT_THAT(fault(R"({"hex":"00)", R"({"hex":"0x)"),
              HasSubstr("/index/file/hex: is not made of hexadecimal digits"));
  EXPECT_THAT(fault(R"("column":17)", R"("column":4294967296)"),
              HasSubstr("column: is 4294967296, more than 4294967295"));
  EXPECT_THAT(fault("9223372036854775807", "9223372036854775808"),
              HasSubstr("is too large"));
}

TEST(UnitIndexText, NumbersOfBitsThatNoTypeHas) {
  const std::string Text = toText(everything());
  for (const char *Bits : {"0", "65"})
    EXPECT_THAT(faultOf(replaced(Text, R"("bits":1,)",
                                 std::string(R"("bits":)") + Bits + ",")),
                HasSubstr("/bits: is not from 1 to 64"));
  EXPECT_THAT(faultOf(replaced(Text, R"("bits":32,"kind":"integer")",
                               R"("bits":0,"kind":"integer")")),
              HasSubstr("/index/kernels/0/parameters/0/bits: is less than 1"));
}

TEST(UnitIndexText, AnyByteMayBeWrong) {
  const std::string Text = toText(everything());
  unsigned Errors = 0;
  for (std::size_t I = 0; I != Text.size(); ++I)
    for (char Wrong : {'9', ']', '\0'}) {
      std::string Changed = Text;
      Changed[I] = Wrong;
      llvm::Expected<UnitIndex> Read = readUnitIndex(Changed);
      if (Read) // Of a name, or of a number, another is as good.
        EXPECT_EQ(throughText(*Read), *Read);
      else
        EXPECT_THAT(toString(Read.takeError()), HasSubstr("make it again"));
      Errors += !Read;
    }
  EXPECT_GT(Errors, Text.size());
}

TEST(UnitIndexText, WhatIsNestedWithoutEnd) {
  EXPECT_THAT(faultOf(std::string(1 << 20, '[')), HasSubstr("nested deeper"));
}

} // namespace UnitIndexTextTests
