//===- tests/unit/hardware/DoubleRateTests.cpp - Double against float -----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hardware/DoubleRate.h"

#include <gmock/gmock.h>

namespace DoubleRateTests {

using namespace cudalint;
using testing::Optional;

/// FP64 and FP32 TFLOPS of NVIDIA's data sheets, without tensor cores: V100
/// 7.8 and 15.7, A100 9.7 and 19.5, H100 and H200 SXM 34 and 67.
TEST(DoubleRate, DataCentreGpusDoHalf) {
  for (const char *Gpu : {"v100", "a100", "h100", "h200"})
    EXPECT_THAT(floatsPerDouble(parseTarget(Gpu)->Arch->CC), Optional(2u))
        << Gpu;
}

/// The same of GeForce cards, from the white papers of their generations: 1080
/// 0.28 and 8.9, 3090 0.56 and 35.6, 4090 1.29 and 82.6.
TEST(DoubleRate, GeForceDoesLittle) {
  EXPECT_THAT(floatsPerDouble({6, 1}), Optional(32u));
  EXPECT_THAT(floatsPerDouble({8, 6}), Optional(64u));
  EXPECT_THAT(floatsPerDouble({8, 9}), Optional(64u));
}

TEST(DoubleRate, TheFirstGpusHaveNone) {
  for (int Minor : {0, 1, 2})
    EXPECT_EQ(floatsPerDouble({1, Minor}), std::nullopt);
  EXPECT_THAT(floatsPerDouble({1, 3}), Optional(8u));
}

} // namespace DoubleRateTests
