//===- tests/unit/analyzer/pipeline/SideBySideTests.cpp - At once ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JobFolder.h"
#include "report/JsonWriter.h"

#include <gmock/gmock.h>
#include <set>
#include <thread>

namespace SideBySideTests {

using namespace cudalint;
using testing::IsSupersetOf;

namespace {
class SideBySide : public Pipeline {
protected:
  /// Three files in \p Folder: strides and banks that are so many words apart,
  /// launches of a file's own kernels and of another's, and a header in two.
  void writeProgram(const std::string &Folder, unsigned Words) {
    const std::string Apart = std::to_string(Words);
    write(Folder + "/kernels.h",
          "__global__ void strided(float *p, int n);\n"
          "template <int N> __global__ void banks(float *p) {\n"
          "  __shared__ float s[N * 32];\n"
          "  s[threadIdx.x * N] = p[threadIdx.x];\n"
          "  __syncthreads();\n"
          "  p[threadIdx.x] = s[threadIdx.x * N] + s[threadIdx.x];\n"
          "}\n");
    write(Folder + "/a.cu", "#include \"kernels.h\"\n"
                            "__global__ void strided(float *p, int n) {\n"
                            "  for (int i = 0; i < n; ++i)\n"
                            "    p[i + threadIdx.x * " +
                                Apart +
                                "] += 1.0;\n"
                                "}\n"
                                "void runA(float *p) { banks<" +
                                Apart + "><<<9, 32>>>(p); }\n");
    write(Folder + "/b.cu", "#include \"kernels.h\"\n"
                            "__global__ void sum(int *t) {\n"
                            "  if (threadIdx.x % 2)\n"
                            "    atomicAdd(t, 1);\n"
                            "}\n"
                            "void runB(float *p, int *t) {\n"
                            "  banks<2 * " +
                                Apart +
                                "><<<4, 32>>>(p);\n"
                                "  sum<<<100 * " +
                                Apart +
                                ", 100>>>(t);\n"
                                "  strided<<<3, 64 + " +
                                Apart +
                                ">>>(p, 7);\n"
                                "}\n");
    write(Folder + "/c.cu", kernel(Apart) +
                                "void runC(float *p) {\n"
                                "  k<<<" +
                                Apart +
                                ", 1000>>>(p);\n"
                                "}\n");
    Request.Jobs.clear();
    for (const char *File : {"a.cu", "b.cu", "c.cu"})
      Request.Jobs.push_back(job(File, Folder));
  }

  /// All that is said.
  static std::string said(const AnalysisRequest &Of) {
    const AnalysisResult Result = analyse(Of);
    std::string Out = toJson(Result.Documents) + Result.Diagnostics +
                      Result.Explanations + Result.Error;
    for (const std::string &Note : Result.Notes)
      Out += Note + "\n";
    return Out;
  }

  /// That there is something to compare.
  static void expectMuch(const AnalysisRequest &Of) {
    std::set<std::string> Found;
    std::size_t Launches = 0;
    for (const Document &Doc : analyse(Of).Documents)
      for (const UnitRecord &Unit : Doc.Units) {
        EXPECT_EQ(Unit.Status, UnitStatus::Ok);
        for (const Finding &F : Unit.Findings)
          Found.insert(F.Check);
        for (const KernelRecord &Kernel : Unit.Kernels)
          Launches += Kernel.Launches.size();
      }
    EXPECT_THAT(Found,
                IsSupersetOf({"global-uncoalesced", "shared-bank-conflict",
                              "partial-warp-block"}));
    EXPECT_GE(Launches, 5u);
  }
};
} // namespace

// Which thread has which file does not matter.
TEST_F(SideBySide, AnyNumberOfThreads) {
  checkAll();
  Request.Gpus.push_back(*parseTarget("sm_80"));
  writeProgram("files", 8);
  expectMuch(Request);
  Request.Threads = 1;
  const std::string Alone = said(Request);
  for (const unsigned Threads : {2, 4}) {
    Request.Threads = Threads;
    EXPECT_EQ(said(Request), Alone) << Threads;
  }
}

// A process may analyse several programs at a time.
TEST_F(SideBySide, TwoRequestsSideBySide) {
  checkAll();
  std::vector<AnalysisRequest> Requests;
  std::vector<std::string> Alone, Together(2);
  for (const unsigned Words : {4, 8}) {
    writeProgram(std::to_string(Words), Words);
    expectMuch(Request);
    Requests.push_back(Request);
    Alone.push_back(said(Request));
  }
  ASSERT_NE(Alone[0], Alone[1]);
  std::vector<std::thread> Threads;
  for (std::size_t I = 0; I != 2; ++I)
    Threads.emplace_back([&, I] {
      for (int Again = 0; Again != 3; ++Again)
        Together[I] += said(Requests[I]);
    });
  for (std::thread &Each : Threads)
    Each.join();
  for (std::size_t I = 0; I != 2; ++I)
    EXPECT_EQ(Together[I], Alone[I] + Alone[I] + Alone[I]);
}

} // namespace SideBySideTests
