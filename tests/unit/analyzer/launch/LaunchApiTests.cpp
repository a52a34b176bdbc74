//===- tests/unit/analyzer/launch/LaunchApiTests.cpp - The ways to launch -===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/launch/ExtractionHelper.h"

#include <gmock/gmock.h>

using testing::ElementsAre;

namespace cudalint::test::LaunchApiTests {

using Shapes = std::vector<std::string>;

TEST(LaunchApi, CudaLaunchKernel) {
  LaunchFacts Facts = extract(R"(
    __global__ void k(float *p, int n, short s) {}
    int main() {
      float *p; int n = 7; int wrong = 3;
      void *args[] = {&p, &n, &wrong};
      cudaLaunchKernel((const void *)k, dim3(4), dim3(32, 2), args, 64, 0);
      cudaLaunchKernel(k, 5, 96, args);
    })");
  EXPECT_EQ(shapes(Facts), (Shapes{"4,1,1|32,2,1", "5,1,1|96,1,1"}));
  for (const Launch &Each : Facts.Launches) {
    EXPECT_EQ(Each.Kernel, "_Z1kPfis");
    // An int where the kernel takes a short tells nothing.
    EXPECT_THAT(Each.Arguments, ElementsAre(std::nullopt, 7, std::nullopt));
    EXPECT_FALSE(Each.Cooperative);
  }
  EXPECT_EQ(Facts.Launches.at(0).DynamicSharedBytes, 64);
  EXPECT_EQ(Facts.Launches.at(1).DynamicSharedBytes, 0);
}

TEST(LaunchApi, CudaLaunchCooperativeKernel) {
  LaunchFacts Facts = extract(R"(
    template <class T> __global__ void k(T) {}
    int main() {
      int n = 1; void *args[] = {(void *)&n};
      cudaLaunchCooperativeKernel((void *)k<int>, 8, 128, args, 0, 0);
    })");
  EXPECT_EQ(shapes(Facts), Shapes{"8,1,1|128,1,1"});
  EXPECT_EQ(Facts.Launches.at(0).KernelAsWritten, "k<int>");
  EXPECT_TRUE(Facts.Launches.at(0).Cooperative);
}

TEST(LaunchApi, CudaLaunchKernelEx) {
  LaunchFacts Facts = extract(R"(
    __global__ void k(int n, float f) {}
    int main() {
      cudaLaunchConfig_t config = {};
      config.gridDim = 12;
      config.blockDim = dim3(64, 4);
      config.dynamicSmemBytes = 2048;
      cudaLaunchKernelEx(&config, k, 9, 1.0f);
    })");
  EXPECT_EQ(shapes(Facts), Shapes{"12,1,1|64,4,1"});
  EXPECT_EQ(Facts.Launches.at(0).DynamicSharedBytes, 2048);
  EXPECT_EQ(Facts.Launches.at(0).Kernel, "_Z1kif");
  EXPECT_THAT(Facts.Launches.at(0).Arguments, ElementsAre(9, std::nullopt));
}

TEST(LaunchApi, CudaLaunchKernelExC) {
  LaunchFacts Facts = extract(R"(
    __global__ void k(int n) {}
    void run(int threads) {
      cudaLaunchConfig_t config{dim3(2), dim3(threads, 3), 0};
      int n = 5; void *args[] = {&n};
      cudaLaunchKernelExC(&config, (void *)k, args);
    })");
  EXPECT_EQ(shapes(Facts), Shapes{"2,1,1|?,3,1"});
  EXPECT_THAT(Facts.Launches.at(0).Arguments, ElementsAre(5));
  EXPECT_THAT(Facts.Launches.at(0).Unknown,
              ElementsAre("block.x depends on 'threads'"));
}

TEST(LaunchApi, SharedMemoryOptIn) {
  LaunchFacts Facts = extract(R"(
    __global__ void big(int) {}
    __global__ void small(int) {}
    template <class K> void allow(K kernel, int bytes) {
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                           bytes);
    }
    __global__ void helped(int) {}
    __global__ void carved(int) {}
    int main() {
      cudaFuncSetAttribute(big, cudaFuncAttributeMaxDynamicSharedMemorySize,
                           100000);
      cudaFuncSetAttribute(carved,
                           cudaFuncAttributePreferredSharedMemoryCarveout, 50);
      allow(helped, 100000);
      big<<<1, 32, 100000>>>(0);
      small<<<1, 32, 100000>>>(0);
      helped<<<1, 32, 100000>>>(0);
      carved<<<1, 32, 100000>>>(0);
    })");
  ASSERT_EQ(Facts.Launches.size(), 4U);
  EXPECT_TRUE(Facts.Launches[0].SharedMemoryOptIn);
  EXPECT_FALSE(Facts.Launches[1].SharedMemoryOptIn);
  EXPECT_TRUE(Facts.Launches[2].SharedMemoryOptIn);
  EXPECT_FALSE(Facts.Launches[3].SharedMemoryOptIn);
}

TEST(LaunchApi, TheOrderOfTheSourceIsNotThatOfTheRun) {
  // In all of these, the first launch runs after the limit was raised.
  const std::string Raise =
      "cudaFuncSetAttribute(a, cudaFuncAttributeMaxDynamicSharedMemorySize, "
      "100000);";
  for (const std::string &Main :
       {"for (int i = 0; i < argc; ++i) { if (i > 0) a<<<1, 32, 60000>>>(0); "
        "else " +
            Raise + " }",
        "static bool Ready; if (Ready) { a<<<1, 32, 60000>>>(0); return 0; } " +
            Raise + " Ready = true; return main(argc, argv);",
        "again: if (argc++ > 9) { a<<<1, 32, 60000>>>(0); return 0; } " +
            Raise + " goto again;"}) {
    LaunchFacts Facts = extract("__global__ void a(int) {}\n"
                                "int main(int argc, char **argv) {" +
                                Main + "}");
    for (const Launch &L : Facts.Launches)
      EXPECT_FALSE(L.Raised && L.Raised->IsLater) << Main;
  }
}

TEST(LaunchApi, WhatAnOptInRaisesAndWhen) {
  LaunchFacts Facts = extract(R"(
    __global__ void early(int) {}
    __global__ void late(int) {}
    __global__ void unsized(int) {}
    __global__ void elsewhere(int) {}
    template <class K> void allow(K kernel, int bytes) {
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                           bytes);
    }
    void init() {
      cudaFuncSetAttribute(elsewhere,
                           cudaFuncAttributeMaxDynamicSharedMemorySize, 70000);
    }
    int main(int argc, char **) {
      allow(early, 60000);
      allow(early, 65536);
      early<<<1, 32, 100000>>>(0);
      late<<<1, 32, 100000>>>(0);
      cudaFuncSetAttribute(late, cudaFuncAttributeMaxDynamicSharedMemorySize,
                           100000);
      allow(unsized, argc);
      unsized<<<1, 32, 100000>>>(0);
      elsewhere<<<1, 32, 100000>>>(0);
    })");
  ASSERT_EQ(Facts.Launches.size(), 4U);
  for (const Launch &L : Facts.Launches)
    EXPECT_TRUE(L.SharedMemoryOptIn);
  ASSERT_TRUE(Facts.Launches[0].Raised);
  EXPECT_EQ(Facts.Launches[0].Raised->Bytes, 65536);
  EXPECT_FALSE(Facts.Launches[0].Raised->IsLater);
  ASSERT_TRUE(Facts.Launches[1].Raised);
  EXPECT_TRUE(Facts.Launches[1].Raised->IsLater);
  EXPECT_FALSE(Facts.Launches[2].Raised);
  // Nobody here calls init(): it may run before main's launches.
  EXPECT_FALSE(Facts.Launches[3].Raised && Facts.Launches[3].Raised->IsLater);
}

TEST(LaunchApi, OptInsOfAFileWithoutLaunches) {
  LaunchFacts Facts = extract(R"(
    __global__ void k(int);
    __global__ void carved(int) {}
    void init() {
      cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize,
                           70000);
      cudaFuncSetAttribute(carved,
                           cudaFuncAttributePreferredSharedMemoryCarveout, 50);
    })");
  EXPECT_THAT(Facts.SharedMemoryOptIns, ElementsAre("_Z1ki"));
  Facts = extract(R"(
    void init(void (*kernel)(int)) {
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                           70000);
    })");
  EXPECT_THAT(Facts.SharedMemoryOptIns, ElementsAre(""));
}

TEST(LaunchApi, AnOptInOnTheWayOfSomeLaunchesIsNotLate) {
  LaunchFacts Facts = extract(R"(
    __global__ void k(int) {}
    void run() { k<<<1, 32, 100000>>>(0); }
    int main() {
      run();
      cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize,
                           100000);
      run();
    })");
  ASSERT_EQ(Facts.Launches.size(), 1U);
  EXPECT_FALSE(Facts.Launches[0].Raised && Facts.Launches[0].Raised->IsLater);
}

// Another build may launch with what nobody has looked at.
TEST(LaunchApi, SharedMemoryThatAllBuildsComputeAlike) {
  const auto text = [](const std::string &Before, const std::string &Body) {
    const LaunchFacts Facts =
        extract("__global__ void k() {}\n" + Before + "void run(int n) {\n" +
                Body + "\nk<<<1, 32, 4 * N>>>(); }\n");
    if (Facts.Launches.size() != 1)
      return std::string("not one");
    const std::optional<ExpressionText> &Its =
        Facts.Launches[0].DynamicSharedText;
    return Its ? Its->Text : "none";
  };
  EXPECT_EQ(text("#define N 64\n", ""), "4 * N");
  EXPECT_EQ(text("", "const int N = 2 * n;"), "4 * N");
  EXPECT_EQ(text("", "int N = n; N *= 2;"), "4 * N");
  const std::string Either =
      "#ifdef A\n#define M 64\n#else\n#define M 6400\n#endif\n";
  EXPECT_EQ(text("#ifdef A\n#define N 64\n#else\n#define N 6400\n#endif\n", ""),
            "none");
  EXPECT_EQ(text(Either + "#define N (2 * M)\n", ""), "none");
  EXPECT_EQ(text(Either + "constexpr int N = M;\n", ""), "none");
  EXPECT_EQ(text(Either, "const int m = M; const int N = m;"), "none");
  EXPECT_EQ(text(Either, "int N = 0; N = M;"), "none");
  EXPECT_EQ(text("", "int N = 64;\n#ifdef A\nN = 6400;\n#endif\n"), "none");
}

TEST(LaunchApi, KernelOfAnotherFile) {
  LaunchFacts Facts = extract(R"(
    namespace ns { __global__ void elsewhere(float *); }
    int main() { ns::elsewhere<<<2, 64>>>(nullptr); })");
  ASSERT_EQ(Facts.Launches.size(), 1U);
  EXPECT_TRUE(Facts.Kernels.empty());
  EXPECT_EQ(Facts.Launches[0].KernelAsWritten, "ns::elsewhere");
  EXPECT_EQ(Facts.Launches[0].Kernel, "_ZN2ns9elsewhereEPf");
  EXPECT_EQ(shapes(Facts), Shapes{"2,1,1|64,1,1"});
}

TEST(LaunchApi, WhereItIs) {
  LaunchFacts Facts = extract("__global__ void k() {}\n"
                              "#define LAUNCH(x) k<<<1, x>>>()\n"
                              "int main() {\n"
                              "  k<<<1, 32>>>();\n"
                              "  LAUNCH(64);\n"
                              "}\n");
  ASSERT_EQ(Facts.Launches.size(), 2U);
  EXPECT_EQ(Facts.Launches[0].Where.Line, 4U);
  EXPECT_EQ(Facts.Launches[0].Where.Column, 3U);
  EXPECT_EQ(Facts.Launches[1].Where.Line, 5U);
  EXPECT_EQ(blocks(Facts), (Shapes{"32,1,1", "64,1,1"}));
}

} // namespace cudalint::test::LaunchApiTests
