//===- tests/unit/analyzer/launch/DevicePropertiesTests.cpp - Tests -------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/DeviceProperties.h"
#include "tests/unit/analyzer/launch/ExtractionHelper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

namespace DevicePropertiesTests {

using namespace cudalint;
using namespace cudalint::test;
using Shapes = std::vector<std::string>;
using testing::ElementsAre;
using testing::HasSubstr;

/// Of a launch in main(), after the properties have been asked for.
static Shapes shapesOn(const std::string &Gpu, const std::string &Body) {
  return shapes(
      extractOn(Gpu, "__global__ void a(int) {}\n"
                     "int main(int argc, char **argv) {\n"
                     "  cudaDeviceProp p; cudaGetDeviceProperties(&p, 0);\n" +
                         Body + "}\n"));
}

// The numbers are those of NVIDIA's programming guide for compute capability
// 9.0 and of the datasheet of the H200.
TEST(DeviceProperties, OfAProduct) {
  std::map<std::int64_t, std::int64_t> ByAttribute;
  std::map<std::string, std::int64_t> ByField;
  for (const DeviceProperty &Each : devicePropertiesOf(*parseTarget("h200"))) {
    EXPECT_TRUE(ByAttribute.emplace(Each.Attribute, Each.Value).second);
    if (!Each.Element)
      ByField.emplace(Each.Field.str(), Each.Value);
  }
  EXPECT_EQ(ByField["multiProcessorCount"], 132);
  EXPECT_EQ(ByField["maxThreadsPerMultiProcessor"], 2048);
  EXPECT_EQ(ByField["sharedMemPerMultiprocessor"], 228 * 1024);
  EXPECT_EQ(ByField["sharedMemPerBlockOptin"], 227 * 1024);
  EXPECT_EQ(ByField["regsPerBlock"], 65536);
  EXPECT_EQ(ByField["major"], 9);
  EXPECT_EQ(ByField["minor"], 0);
  // cudaDevAttrMaxBlockDimZ, ...MaxGridDimX and ...MultiProcessorCount.
  EXPECT_EQ(ByAttribute[4], 64);
  EXPECT_EQ(ByAttribute[5], 2147483647);
  EXPECT_EQ(ByAttribute[16], 132);
}

TEST(DeviceProperties, OfAnArchitectureAloneLackTheSMs) {
  for (const DeviceProperty &Each : devicePropertiesOf(*parseTarget("sm_90")))
    EXPECT_NE(Each.Attribute, 16);
}

TEST(DeviceProperties, DecideLaunches) {
  const std::string Body = "a<<<p.multiProcessorCount * 2,\n"
                           "    p.maxThreadsPerMultiProcessor / 16>>>(0);\n";
  EXPECT_EQ(shapesOn("h200", Body), Shapes{"264,1,1|128,1,1"});
  EXPECT_EQ(shapesOn("gtx-1080-ti", Body), Shapes{"56,1,1|128,1,1"});
  EXPECT_EQ(shapesOn("sm_90", Body), Shapes{"?,1,1|128,1,1"});
  // What is no number of the table stays unknown.
  EXPECT_EQ(shapesOn("h200", "a<<<p.l2CacheSize, p.warpSize>>>(0);"),
            Shapes{"?,1,1|32,1,1"});
  EXPECT_EQ(shapesOn("h200", "a<<<p.maxGridSize[1], 64>>>(0);"),
            Shapes{"65535,1,1|64,1,1"});
}

TEST(DeviceProperties, DecideBranches) {
  EXPECT_EQ(shapesOn("h200", "if (p.major >= 9) a<<<1, 64>>>(0);\n"
                             "else a<<<1, 32>>>(0);")
                .at(0),
            "1,1,1|64,1,1");
  const LaunchFacts Facts =
      extractOn("a100", "__global__ void a(int) {}\n"
                        "int main() { cudaDeviceProp p;\n"
                        "  cudaGetDeviceProperties(&p, 0);\n"
                        "  if (p.major >= 9) a<<<1, 64>>>(0); }");
  ASSERT_EQ(Facts.Launches.size(), 1u);
  EXPECT_TRUE(Facts.Launches[0].NeverRuns);
}

TEST(DeviceProperties, ByAttribute) {
  const std::string Body =
      "int n = 7; cudaDeviceGetAttribute(&n, cudaDevAttrMultiProcessorCount,\n"
      "                                  0);\n"
      "int t = 7; cudaDeviceGetAttribute(&t, cudaDevAttrMaxThreadsPerBlock,\n"
      "                                  0);\n"
      "a<<<n, t>>>(0);";
  EXPECT_EQ(shapesOn("h200", Body), Shapes{"132,1,1|1024,1,1"});
  EXPECT_EQ(shapesOn("sm_90", Body), Shapes{"?,1,1|1024,1,1"});
  // Which one is asked for is not known.
  EXPECT_EQ(shapesOn("h200", "int n = 7;\n"
                             "cudaDeviceGetAttribute(&n, "
                             "(cudaDeviceAttr)argc, 0); a<<<n, 64>>>(0);"),
            Shapes{"?,1,1|64,1,1"});
}

// A variable of the program that a function sets before the launch.
TEST(DeviceProperties, ThroughGlobals) {
  const std::string Code = R"(
    int sms;
    int unseen();
    void setUp() {
      cudaDeviceProp p;
      cudaGetDeviceProperties(&p, 0);
      sms = p.multiProcessorCount;
    }
    __global__ void a(int) {}
    void launch(int threads) { a<<<sms * 2048 / threads, threads>>>(0); }
    int main(int argc, char **argv) {
      setUp();
      launch(512);
    }
  )";
  EXPECT_THAT(shapes(extractOn("h200", Code)), ElementsAre("528,1,1|512,1,1"));
  EXPECT_THAT(shapes(extractOn("h100", Code)), ElementsAre("528,1,1|512,1,1"));
  EXPECT_THAT(shapes(extractOn("a100", Code)), ElementsAre("432,1,1|512,1,1"));
}

// A function of the same name is somebody else's.
TEST(DeviceProperties, OfAnotherFunctionAreNotKnown) {
  EXPECT_THAT(shapes(extractOn("h200", R"(
    __global__ void a(int) {}
    namespace own {
    void cuDeviceGetAttribute(int *p, int, int) { *p = 3; }
    }
    int main() {
      int n = 0;
      own::cuDeviceGetAttribute(&n, 16, 0);
      a<<<n, 64>>>(0);
    }
  )")),
              ElementsAre("3,1,1|64,1,1"));
  // Nor where its body is in another file.
  EXPECT_THAT(shapes(extractOn("h200", R"(
    __global__ void a(int) {}
    namespace own { int cuDeviceGetAttribute(...); }
    struct Device {
      int cuDeviceGetAttribute(int *value, int which) const;
    };
    void launch(const Device &d) {
      int n = 0, m = 0;
      own::cuDeviceGetAttribute(&n, 16, 0);
      d.cuDeviceGetAttribute(&m, 16);
      a<<<n, m>>>(0);
    }
  )")),
              ElementsAre("?,1,1|?,1,1"));
}

} // namespace DevicePropertiesTests
