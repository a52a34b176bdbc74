//===- tests/unit/analyzer/pipeline/LaunchAssignmentTests.cpp - Whose -----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/pipeline/LaunchAssignment.h"

#include <gmock/gmock.h>

namespace LaunchAssignmentTests {

using namespace cudalint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;

using Kind = KernelParameter::Kind;

static KernelDeclaration kernel(std::string Name, std::string Signature,
                                unsigned Line) {
  KernelDeclaration K;
  K.Name = std::move(Name);
  K.Signature = std::move(Signature);
  K.Where = {.File = "a.cu", .Line = Line, .Column = 17};
  K.Parameters = {{.Name = "p", .Type = "float *", .What = Kind::Pointer},
                  {.Name = "n",
                   .Type = "int",
                   .What = Kind::Integer,
                   .Bits = 32,
                   .IsSigned = true}};
  return K;
}

static LaunchAssignment assign(const std::string &Text,
                               std::vector<KernelDeclaration> Kernels) {
  LaunchListRead Read = parseLaunchList(Text);
  EXPECT_EQ(Read.Error, "");
  return assignLaunches(Read.Value, Kernels);
}

static std::string named(const std::string &Name) {
  return R"([{"kernel": ")" + Name + R"(", "block": 64}])";
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

TEST(LaunchAssignment, NamesOfAKernel) {
  const KernelDeclaration K = kernel("_ZN2ns1kEPfi", "ns::k(float *, int)", 3);
  for (const char *Name : {"_ZN2ns1kEPfi", "ns::k(float*, int)", "ns::k", "k"})
    EXPECT_THAT(assign(named(Name), {K}).Kernels,
                ElementsAre(Key("_ZN2ns1kEPfi")))
        << Name;
}

TEST(LaunchAssignment, ATemplateHasAllItsInstantiations) {
  const std::vector<KernelDeclaration> Kernels = {
      kernel("_Z1kILi2EEvPfi", "k<2>(float *, int)", 3),
      kernel("_Z1kILi4EEvPfi", "k<4>(float *, int)", 3)};
  LaunchAssignment All = assign(named("k"), Kernels);
  EXPECT_EQ(All.Error, "");
  EXPECT_EQ(All.Kernels.size(), 2U);
  ASSERT_EQ(All.Notes.size(), 1U);
  EXPECT_THAT(All.Notes[0], HasSubstr("each of the 2 instantiations"));
  // As c++filt writes it, with the return type.
  LaunchAssignment One = assign(named("void k<4>(float*, int)"), Kernels);
  EXPECT_THAT(One.Kernels, ElementsAre(Key("_Z1kILi4EEvPfi")));
  EXPECT_THAT(One.Notes, IsEmpty());
}

TEST(LaunchAssignment, TheMostExactNameWins) {
  LaunchAssignment A =
      assign(named("k"), {kernel("_ZN2ns1kEPfi", "ns::k(float *, int)", 3),
                          kernel("_Z1kPfi", "k(float *, int)", 9)});
  EXPECT_THAT(A.Kernels, ElementsAre(Key("_Z1kPfi")));
}

TEST(LaunchAssignment, SeveralKernelsOfOneName) {
  LaunchAssignment A =
      assign(named("k"), {kernel("_ZN1a1kEPfi", "a::k(float *, int)", 3),
                          kernel("_ZN1b1kEPfi", "b::k(float *, int)", 9)});
  EXPECT_THAT(A.Error, HasSubstr("/0/kernel: 'k' may be 'a::k(float *, int)', "
                                 "'b::k(float *, int)'; write the signature"));
}

TEST(LaunchAssignment, OneKernelOfAHeaderInTwoFiles) {
  const KernelDeclaration K = kernel("_Z1kPfi", "k(float *, int)", 3);
  LaunchAssignment A = assign(named("k"), {K, K});
  EXPECT_EQ(A.Error, "");
  EXPECT_THAT(A.Notes, IsEmpty());
  EXPECT_EQ(A.Kernels.at("_Z1kPfi").Launches.size(), 1U);
}

TEST(LaunchAssignment, OneKernelUnderManyNames) {
  std::string Text = "[";
  std::string Name = "k";
  for (int I = 1; I <= 40; ++I, Name += ' ')
    Text +=
        R"({"kernel": ")" + Name + R"(", "block": )" + std::to_string(I) + "},";
  LaunchAssignment A =
      assign(Text + R"({"kernel": "_Z1kPfi", "block": 2, "count": 9}])",
             {kernel("_Z1kPfi", "k(float *, int)", 3)});
  const AssignedLaunches &Of = A.Kernels.at("_Z1kPfi");
  EXPECT_EQ(Of.Different, 40U);
  ASSERT_EQ(Of.Launches.size(), MostListedLaunches);
  EXPECT_EQ(Of.Launches[0].Shape.Block[0], 2);
  EXPECT_EQ(Of.Launches[0].Count, 10U);
  EXPECT_EQ(Of.Launches[1].Shape.Block[0], 1);
}

TEST(LaunchAssignment, NamesThatNoKernelHas) {
  const KernelDeclaration K = kernel("_Z1kPfi", "k(float *, int)", 3);
  LaunchAssignment A = assign(
      R"([{"kernel": "x", "block": 1}, {"kernel": "k", "block": 1}])", {K});
  EXPECT_THAT(A.Unmatched, ElementsAre("x"));
  // A program has kernels of libraries, but some of its own.
  const std::string Profile = R"({"schema": "cuda-lint-profile/1", "launches": [
    {"kernel": "_Z1xv", "block": [1, 1, 1], "count": 1}%]})";
  std::string Both = Profile;
  Both.replace(Both.find('%'), 1,
               R"(, {"kernel": "_Z1kPfi", "block": [1, 1, 1], "count": 1})");
  EXPECT_THAT(assign(Both, {K}).Unmatched, IsEmpty());
  std::string Other = Profile;
  Other.erase(Other.find('%'), 1);
  EXPECT_THAT(assign(Other, {K}).Unmatched, ElementsAre("_Z1xv"));
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

static std::string errorOf(const std::string &Arguments,
                           const KernelParameter &Second) {
  KernelDeclaration K = kernel("_Z1kPfi", "k(float *, int)", 3);
  K.Parameters[1] = Second;
  return assign(R"([{"kernel": "k", "block": 1, "arguments": )" + Arguments +
                    "}]",
                {K})
      .Error;
}

TEST(LaunchAssignment, ArgumentsThatAKernelTakes) {
  const KernelParameter Int = {"n", "int", Kind::Integer, 32, true};
  EXPECT_EQ(errorOf("[]", Int), "");
  EXPECT_EQ(errorOf("[null, -2147483648]", Int), "");
  EXPECT_EQ(errorOf("[null, null]", Int), "");
  EXPECT_EQ(errorOf("[null, true]", {"b", "bool", Kind::Integer, 1, false}),
            "");
  EXPECT_EQ(errorOf("[null, 255]", {"b", "char8_t", Kind::Integer, 8, false}),
            "");
  EXPECT_EQ(errorOf("[null, -9223372036854775808]",
                    {"n", "long", Kind::Integer, 64, true}),
            "");
  for (const char *Number : {"[null, 0.5]", "[null, 3]"})
    EXPECT_EQ(errorOf(Number, {"a", "float", Kind::Floating}), "");
}

TEST(LaunchAssignment, ArgumentsThatItDoesNotTake) {
  const KernelParameter Int = {"n", "int", Kind::Integer, 32, true};
  EXPECT_THAT(errorOf("[null, 1, 2]", Int),
              HasSubstr("/0/arguments: has 3 items, and 'k(float *, int)' "
                        "takes 2"));
  EXPECT_THAT(errorOf("[4096, 1]", Int),
              HasSubstr("/0/arguments/0: is a number, and the parameter is "
                        "'float *'; write null"));
  EXPECT_THAT(errorOf("[null, 1]", {"s", "Sizes", Kind::Other}),
              HasSubstr("the parameter is 'Sizes'; write null"));
  EXPECT_THAT(errorOf("[null, 0.5]", Int),
              HasSubstr("is not written as a whole number"));
  EXPECT_THAT(errorOf("[null, 2147483648]", Int),
              HasSubstr("is 2147483648, and the parameter is 'int', from "
                        "-2147483648 to 2147483647"));
  EXPECT_THAT(errorOf("[null, -1]", {"u", "size_t", Kind::Integer, 64, false}),
              HasSubstr("is -1, and the parameter is 'size_t', from 0"));
  EXPECT_THAT(errorOf("[null, 2]", {"b", "bool", Kind::Integer, 1, false}),
              HasSubstr("from 0 to 1"));
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static Launch found(Extent Grid, Extent Block,
                    std::optional<std::int64_t> Second, unsigned Line = 40) {
  Launch L;
  L.Where = {.File = "a.cu", .Line = Line, .Column = 3};
  L.Kernel = "_Z1kPfi";
  L.Grid = Grid;
  L.Block = Block;
  L.DynamicSharedBytes = 0;
  L.Arguments = {std::nullopt, Second};
  return L;
}

static std::vector<Launch> launches(const std::string &Text,
                                    std::vector<Launch> Found) {
  const KernelDeclaration K = kernel("_Z1kPfi", "k(float *, int)", 3);
  LaunchAssignment A = assign(Text, {K});
  EXPECT_EQ(A.Error, "");
  return launchesOfList(K, Found, A.Kernels.at("_Z1kPfi"));
}

TEST(LaunchAssignment, TheListStandsInPlaceOfTheSource) {
  auto Result = launches(R"([{"kernel": "k", "grid": 5, "block": 96,
                              "arguments": [null, 33]}])",
                         {found({}, {}, std::nullopt)});
  ASSERT_EQ(Result.size(), 1U);
  EXPECT_EQ(Result[0].Source, LaunchSource::Profile);
  EXPECT_EQ(Result[0].Grid, (Extent{5, 1, 1}));
  EXPECT_EQ(Result[0].Block, (Extent{96, 1, 1}));
  EXPECT_EQ(Result[0].Arguments[1], 33);
  // The one launch that it can be.
  EXPECT_EQ(Result[0].Where.Line, 40U);
}

TEST(LaunchAssignment, WhatTheListDoesNotKnowIsOfTheLaunchThatFits) {
  auto Result = launches(named("k"), {found({}, {128, 1, 1}, 2, 40),
                                      found({}, {64, 1, 1}, 33, 50)});
  ASSERT_EQ(Result.size(), 1U);
  EXPECT_EQ(Result[0].Arguments[1], 33);
  EXPECT_EQ(Result[0].Where.Line, 50U);
  // It may be either, and they differ.
  Result = launches(named("k"), {found({}, {}, 2, 40), found({}, {}, 33, 50)});
  EXPECT_EQ(Result[0].Arguments[1], std::nullopt);
  EXPECT_EQ(Result[0].Where.Line, 3U);
  // It is none of them: the source has changed since.
  Result = launches(named("k"), {found({}, {128, 1, 1}, 2)});
  EXPECT_EQ(Result[0].Arguments[1], std::nullopt);
  EXPECT_EQ(Result[0].Where.Line, 3U);
}

TEST(LaunchAssignment, PointersAreWhereTheSourceHasThem) {
  const auto pointerAt = [](std::uint64_t Offset, std::uint64_t Alignment) {
    Launch L = found({}, {}, std::nullopt);
    if (Offset)
      L.Offsets[0] = Offset;
    if (Alignment)
      L.Alignments[0] = Alignment;
    return L;
  };
  using Bytes = std::map<unsigned, std::uint64_t>;
  auto Result = launches(named("k"), {pointerAt(8, 0)});
  EXPECT_EQ(Result[0].Offsets, (Bytes{{0, 8}}));
  EXPECT_EQ(Result[0].Alignments, Bytes());
  Result = launches(named("k"), {pointerAt(0, 4)});
  EXPECT_EQ(Result[0].Alignments, (Bytes{{0, 4}}));
  // Either may be meant: what holds of both.
  Result = launches(named("k"), {pointerAt(24, 0), pointerAt(0, 0)});
  EXPECT_EQ(Result[0].Offsets, Bytes());
  EXPECT_EQ(Result[0].Alignments, (Bytes{{0, 8}}));
  Result = launches(named("k"), {pointerAt(24, 0), pointerAt(0, 4)});
  EXPECT_EQ(Result[0].Alignments, (Bytes{{0, 4}}));
}

TEST(LaunchAssignment, WhatWasRunHadItsSharedMemory) {
  const std::string Bytes = R"("kernel": "_Z1kPfi", "block": [64, 1, 1],
                               "dynamic_shared_bytes": 65536, "count": 1)";
  EXPECT_FALSE(launches("[{" + Bytes + "}]", {})[0].SharedMemoryOptIn);
  EXPECT_TRUE(launches(R"({"schema": "cuda-lint-profile/1", "launches": [{)" +
                           Bytes + "}]}",
                       {})[0]
                  .SharedMemoryOptIn);
}

TEST(LaunchAssignment, WhatIsLeftOutIsSaid) {
  AssignedLaunches Listed;
  Listed.Launches.resize(8);
  Listed.Different = 8;
  EXPECT_EQ(leftOut(Listed, "f", 8), "");
  Listed.Different = 9;
  Listed.Launches.resize(9);
  EXPECT_EQ(leftOut(Listed, "f", 8),
            "'f' has 9 different launches of this kernel: its accesses are "
            "evaluated for no more than 8");
  Listed.Launches.resize(64);
  Listed.Different = 1024;
  Listed.MayBeMore = true;
  EXPECT_EQ(leftOut(Listed, "f", 8),
            "'f' has more than 1024 different launches of this kernel: the 64 "
            "most frequent are judged, and its accesses are evaluated for no "
            "more than 8");
}

} // namespace LaunchAssignmentTests
