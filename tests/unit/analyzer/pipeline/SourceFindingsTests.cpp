//===- tests/unit/analyzer/pipeline/SourceFindingsTests.cpp - Tests -------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/pipeline/Pipeline.h"

#include "JobFolder.h"
#include "report/FindingGroups.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <utility>

namespace SourceFindingsTests {

using namespace cudalint;
using testing::AllOf;
using testing::Contains;
using testing::Field;
using testing::Not;

// Its macros may make something else of names.
TEST_F(Pipeline, AMissingHeaderSilencesWhatGoesByNames) {
  checkAll();
  const auto findingsOf = [&](const std::string &Header,
                              const std::string &Code = "") {
    write("a.cu", Code + "#include \"" + Header +
                      "\"\nvoid run() { cudaThreadSynchronize(); }\n"
                      "__global__ void k(float *p) { *p = *p * 0.1 + 0.3; }\n");
    Request.Jobs = {job("a.cu")};
    std::vector<std::string> Names;
    const std::vector<UnitRecord> Units = unitsOf(Request);
    for (const Finding &F : Units.at(0).Findings)
      Names.push_back(F.Check);
    return Names;
  };
  write("h.h", "");
  EXPECT_THAT(findingsOf("h.h"), Contains("obsolete-advice"));
  EXPECT_THAT(findingsOf("missing.h"), AllOf(Not(Contains("obsolete-advice")),
                                             Contains("implicit-double")));
  EXPECT_THAT(analyse(Request).Documents.at(0).Skipped,
              Contains(AllOf(Field(&SkippedCheck::Name, "obsolete-advice"),
                             Field(&SkippedCheck::InPart, true))));
  // Behind so many errors nobody knows what is missing.
  std::string Errors;
  for (int I = 0; I != 2000; ++I)
    Errors += "unknown_t a;\n";
  EXPECT_THAT(findingsOf("missing.h", Errors),
              Not(Contains("obsolete-advice")));
}

// Each file that includes it would tell of it.
TEST_F(Pipeline, WhatAHeaderOffersAndNobodyUsesIsANote) {
  checkAll();
  write("h.h", "__host__ __device__ inline float inner(float x) {\n"
               "  return x * 0.1 + powf(x, 2.0f) * 0.3;\n}\n"
               "__device__ inline float outer(float x) {\n"
               "  return inner(x) * 0.1 + powf(x, 2.0f) * 0.3;\n}\n");
  const auto levelsOf = [&](const std::string &Code) {
    write("a.cu", "#include \"h.h\"\n" + Code);
    Request.Jobs = {job("a.cu")};
    std::set<std::pair<std::string, Severity>> Levels;
    const std::vector<UnitRecord> Units = unitsOf(Request);
    for (const Finding &F : Units.at(0).Findings)
      if (F.Kernel.empty())
        Levels.emplace(F.Check, F.Level);
    return Levels;
  };
  using Levels = std::set<std::pair<std::string, Severity>>;
  const Levels Notes = {{"implicit-double", Severity::Note},
                        {"whole-power", Severity::Note}};
  const Levels Warnings = {{"implicit-double", Severity::Warning},
                           {"whole-power", Severity::Warning}};
  EXPECT_EQ(levelsOf(""), Notes);
  EXPECT_EQ(levelsOf("float host(float x) { return inner(x); }\n"), Notes);
  // A part of the file's own library of device functions.
  EXPECT_EQ(levelsOf("__device__ float f(float x) { return outer(x); }\n"),
            Warnings);
}

TEST_F(Pipeline, RacesThatOneBarrierEndsAreOneProblem) {
  checkAll();
  // How many races, and how many problems they are.
  const auto racesOf = [&](const std::string &Body) {
    write("a.cu", "__global__ void k(float *p) {\n"
                  "  __shared__ float a[256], b[256];\n"
                  "  int t = threadIdx.x;\n" +
                      Body +
                      "}\n"
                      "void run(float *p) { k<<<1, 256>>>(p); }\n");
    Request.Jobs = {job("a.cu")};
    std::vector<Document> Documents = analyse(Request).Documents;
    addGroups(Documents);
    std::size_t Races = 0;
    std::set<std::size_t> Problems;
    for (const Finding &F : Documents.at(0).Units.at(0).Findings)
      if (F.Check == "missing-barrier") {
        ++Races;
        Problems.insert(F.Group);
      }
    return std::pair(Races, Problems.size());
  };
  using Counts = std::pair<std::size_t, std::size_t>;
  const std::string Stores = "  a[t] = p[t];\n"
                             "  b[t] = p[t + 256];\n";
  EXPECT_EQ(racesOf(Stores + "  p[t] = a[255 - t];\n"
                             "  p[t + 256] = b[255 - t];\n"),
            Counts(2, 1));
  EXPECT_EQ(racesOf(Stores + "  for (int i = 0; i < 20; ++i)\n"
                             "    p[t + i * 512] += a[255 - t] * b[i];\n"),
            Counts(2, 1));
  // Each needs its own.
  EXPECT_EQ(racesOf("  a[t] = p[t];\n"
                    "  p[t] = a[255 - t];\n"
                    "  b[t] = p[t + 256];\n"
                    "  p[t + 256] = b[255 - t];\n"),
            Counts(2, 2));
}

TEST_F(Pipeline, StaticMemoryHasNoLimitForOneArchitectureAlone) {
  checkAll();
  const auto failures = [&](const std::string &Arch) {
    write("a.cu", "__global__ void k(float *p) {\n"
                  "  __shared__ float s[17000];\n"
                  "  s[threadIdx.x] = p[threadIdx.x];\n"
                  "  __syncthreads();\n"
                  "  p[threadIdx.x] = s[255 - threadIdx.x];\n"
                  "}\n"
                  "void run(float *p) { k<<<1, 256>>>(p); }\n");
    Request.Jobs = {job("a.cu", ".", {"-arch=" + Arch})};
    const std::vector<UnitRecord> Units = unitsOf(Request);
    return std::ranges::count(Units.at(0).Findings,
                              std::string("shared-memory-limits"),
                              &Finding::Check);
  };
  EXPECT_EQ(failures("sm_90"), 1);
  EXPECT_EQ(failures("sm_90a"), 0);
}

// Behind much work, a crowd of lanes at one address costs next to nothing.
TEST_F(Pipeline, UpdatesOfOneAddressRankByTheTimeThatTheyTake) {
  checkAll();
  Request.Gpus = {*parseTarget("h200")};
  const auto percentOf = [&](const std::string &Work) {
    write("a.cu", "__global__ void k(float *sum, const float *p) {\n"
                  "  float x = p[blockIdx.x * 256 + threadIdx.x];\n" +
                      Work +
                      "  atomicAdd(sum, x);\n"
                      "}\n"
                      "void run(float *sum, const float *p) {\n"
                      "  k<<<1024, 256>>>(sum, p);\n}\n");
    Request.Jobs = {job("a.cu")};
    const std::vector<UnitRecord> Units = unitsOf(Request);
    for (const Finding &F : Units.at(0).Findings)
      if (F.Check == "hot-atomic")
        return F.What.number("most_percent_of_kernel").value_or(-1);
    return -2.0;
  };
  EXPECT_GT(percentOf(""), 95);
  const double Little = percentOf("  for (int i = 0; i < 1000000; ++i)\n"
                                  "    x = x * x + 0.5f;\n");
  // A million dependent FMAs take a warp 4 million clocks; 32 updates of each
  // of 132 warps at 4 clocks, 17 thousand.
  EXPECT_GT(Little, 0);
  EXPECT_LT(Little, 10);
}

} // namespace SourceFindingsTests
