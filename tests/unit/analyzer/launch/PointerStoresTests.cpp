//===- tests/unit/analyzer/launch/PointerStoresTests.cpp - Tests ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/launch/ExtractionHelper.h"

#include <gmock/gmock.h>

namespace PointerStoresTests {

using namespace cudalint;
using namespace cudalint::test;

namespace {
/// What is known of the pointer that a launch passes.
struct Given {
  bool IsNull = false;
  std::uint64_t Offset = 0;    ///< In bytes.
  std::uint64_t Alignment = 0; ///< 0: as allocations are.

  bool operator==(const Given &) const = default;
};
} // namespace

static Given givenIn(const LaunchFacts &Facts) {
  EXPECT_EQ(Facts.Launches.size(), 1u);
  const Launch &L = Facts.Launches.at(0);
  EXPECT_THAT(L.Arguments, testing::ElementsAre(std::nullopt));
  const auto of = [](const std::map<unsigned, std::uint64_t> &Positions) {
    const auto Its = Positions.find(0);
    return Its == Positions.end() ? 0 : Its->second;
  };
  return {L.Nulls.contains(0), of(L.Offsets), of(L.Alignments)};
}

static Given givenBy(const std::string &Body) {
  return givenIn(extract("__global__ void k(const float *p) {}\n"
                         "void other(float **);\n"
                         "float *Global;\n"
                         "int main(int argc, char **argv) {\n" +
                         Body + "\n}\n"));
}

TEST(PointerArguments, Null) {
  const Given Null = {.IsNull = true}, Unknown;
  EXPECT_EQ(givenBy("k<<<1, 32>>>(nullptr);"), Null);
  EXPECT_EQ(givenBy("k<<<1, 32>>>(0);"), Null);
  EXPECT_EQ(givenBy("k<<<1, 32>>>((float *)0);"), Null);
  EXPECT_EQ(givenBy("float *p = nullptr; k<<<1, 32>>>(p);"), Null);
  EXPECT_EQ(givenBy("float *p = nullptr; other(&p); k<<<1, 32>>>(p);"),
            Unknown);
  EXPECT_EQ(givenBy("float *p = nullptr; cudaMalloc(&p, 8); k<<<1, 32>>>(p);"),
            Unknown);
  EXPECT_EQ(givenBy("float *p = nullptr; if (argc > 1) cudaMalloc(&p, 8);\n"
                    "k<<<1, 32>>>(p);"),
            Unknown);
  EXPECT_EQ(givenBy("other(&Global); k<<<1, 32>>>(Global);"), Unknown);
}

// What a function out of sight, or one that nothing calls, sets.
TEST(PointerArguments, GlobalsThatAreSetElsewhere) {
  EXPECT_EQ(givenIn(extract("__global__ void k(const float *p) {}\n"
                            "static float *Data;\n"
                            "void init() { cudaMalloc(&Data, 8); }\n"
                            "void run() { k<<<1, 32>>>(Data); }\n")),
            Given());
}

/// A member that `Stores` fills, passed on by a function that shows nothing of
/// it.
static Given memberStoredBy(const std::string &Stores) {
  return givenIn(
      extract("struct In { float *data, *raw; };\n"
              "void init(In &in, int n) {\n"
              "  cudaMalloc(&in.raw, 400);\n" +
              Stores +
              "}\n"
              "__global__ void k(const float *p) {}\n"
              "void run(const In &in) { k<<<1, 32>>>(in.data); }\n"));
}

TEST(PointerStores, AMemberThatIsMoved) {
  EXPECT_EQ(memberStoredBy("in.data = in.raw + 1;"), (Given{.Offset = 4}));
  EXPECT_EQ(memberStoredBy("in.data = &in.raw[3];"), (Given{.Offset = 12}));
  EXPECT_EQ(memberStoredBy("in.data = 2 + in.raw - 3;"),
            (Given{.Offset = 252}));
  EXPECT_EQ(memberStoredBy("in.data = (float *)((char *)in.raw + 36);"),
            (Given{.Offset = 36}));
  EXPECT_EQ(memberStoredBy("in.data = in.raw + 1; in.data = nullptr;"),
            (Given{.Offset = 4}));
}

TEST(PointerStores, AMemberThatIsSomewhere) {
  const Given Somewhere = {.Alignment = 4};
  EXPECT_EQ(memberStoredBy("in.data = in.raw + n;"), Somewhere);
  EXPECT_EQ(memberStoredBy("if (n) in.data = in.raw; else in.data = in.raw + "
                           "1;"),
            Somewhere);
  EXPECT_EQ(memberStoredBy("in.data = in.raw; in.data++;"), Somewhere);
  EXPECT_EQ(memberStoredBy("in.data = in.data + 1;"), Somewhere);
}

TEST(PointerStores, AMemberThatIsNotMoved) {
  const Given Aligned;
  EXPECT_EQ(memberStoredBy("in.data = in.raw;"), Aligned);
  EXPECT_EQ(memberStoredBy("cudaMalloc(&in.data, 4);"), Aligned);
  EXPECT_EQ(memberStoredBy("in.raw = in.raw + 1;"), Aligned);
}

// Whatever others do to it, here it is a new allocation.
TEST(PointerStores, TheWayHereKnowsBetter) {
  EXPECT_EQ(givenIn(extract("float *data;\n"
                            "void init(float *raw) { data = raw + 1; }\n"
                            "__global__ void k(const float *p) {}\n"
                            "void run() { cudaMalloc(&data, 8);\n"
                            "  k<<<1, 32>>>(data); }\n")),
            Given());
}

TEST(PointerStores, OfAnotherFile) {
  const std::string Shared = "struct In { float *data, *raw; };\n"
                             "void run(const In &in);\n";
  const std::vector<LaunchFacts> Files = extractProgram(
      {Shared + "__global__ void k(const float *p) {}\n"
                "void run(const In &in) { k<<<1, 32>>>(in.data); }\n",
       Shared + "int main() { In in; cudaMalloc(&in.raw, 8);\n"
                "  in.data = in.raw + 1; run(in); }\n"});
  EXPECT_EQ(givenIn(Files.at(0)), (Given{.Offset = 4}));
}

} // namespace PointerStoresTests
