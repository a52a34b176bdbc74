//===- tests/unit/hardware/OccupancyHeaderTests.cpp - By the toolkit ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The limits against the CUDA toolkit's own occupancy calculator, which knows
// 3.0 and later. Built only where a toolkit is found.
//
//===----------------------------------------------------------------------===//

#include "hardware/Architecture.h"

#include <gtest/gtest.h>

#include <cuda_occupancy.h>

using namespace cudalint;

static cudaOccDeviceProp propertiesOf(const Architecture &A) {
  cudaOccDeviceProp P;
  P.computeMajor = A.CC.Major;
  P.computeMinor = A.CC.Minor;
  P.maxThreadsPerBlock = static_cast<int>(A.ThreadsPerBlock);
  P.maxThreadsPerMultiprocessor = static_cast<int>(A.ThreadsPerSM);
  P.regsPerBlock = static_cast<int>(A.RegistersPerBlock);
  P.regsPerMultiprocessor = static_cast<int>(A.RegistersPerSM);
  P.warpSize = 32;
  P.sharedMemPerBlock = A.SharedPerBlock;
  P.sharedMemPerMultiprocessor = A.SharedPerSM;
  P.numSms = 1;
  P.sharedMemPerBlockOptin = A.SharedPerBlockOptIn;
  P.reservedSharedMemPerBlock = A.SharedReserved;
  return P;
}

TEST(OccupancyHeader, LimitsAgree) {
  unsigned Covered = 0;
  for (const Architecture &A : architectures()) {
    const cudaOccDeviceProp P = propertiesOf(A);
    int Value = 0;
    if (cudaOccMaxBlocksPerMultiprocessor(&Value, &P) != CUDA_OCC_SUCCESS)
      continue;
    SCOPED_TRACE(toString(A.CC));
    ++Covered;
    EXPECT_EQ(A.BlocksPerSM, static_cast<unsigned>(Value));
    ASSERT_EQ(cudaOccSMemAllocationGranularity(&Value, &P), CUDA_OCC_SUCCESS);
    EXPECT_EQ(A.SharedUnit, static_cast<unsigned>(Value));
    ASSERT_EQ(cudaOccRegAllocationGranularity(&Value, &P), CUDA_OCC_SUCCESS);
    EXPECT_EQ(A.RegisterUnit, static_cast<unsigned>(Value));
    ASSERT_EQ(cudaOccSubPartitionsPerMultiprocessor(&Value, &P),
              CUDA_OCC_SUCCESS);
    EXPECT_EQ(A.Partitions, static_cast<unsigned>(Value));
  }
  EXPECT_EQ(Covered, 23u) << "every architecture from 3.0 on";
}

// From 7.0 on the header lists the sizes that shared memory can be set to.
TEST(OccupancyHeader, SharedMemoryOfAnSMIsTheLargestCarveOut) {
  for (const Architecture &A : architectures()) {
    if (A.CC.Major < 7)
      continue;
    SCOPED_TRACE(toString(A.CC));
    const cudaOccDeviceProp P = propertiesOf(A);
    std::size_t Size = A.SharedPerSM;
    EXPECT_EQ(cudaOccAlignUpShmemSizeVoltaPlus(&Size, &P), CUDA_OCC_SUCCESS);
    EXPECT_EQ(Size, A.SharedPerSM);
    Size = A.SharedPerSM + 1;
    EXPECT_EQ(cudaOccAlignUpShmemSizeVoltaPlus(&Size, &P),
              CUDA_OCC_ERROR_INVALID_INPUT);
    EXPECT_EQ(A.SharedPerBlockOptIn + A.SharedReserved, A.SharedPerSM);
  }
}
