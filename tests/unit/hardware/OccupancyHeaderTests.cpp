//===- tests/unit/hardware/OccupancyHeaderTests.cpp - By the toolkit ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Limits and occupancy against the CUDA toolkit's own occupancy calculator,
// which knows 3.0 and later. Built only where a toolkit is found.
//
// Where the calculator is not followed, and why:
//   - It lets a thread of 3.0 have 255 registers; the programming guide, and
//     ptxas for sm_30, say 63.
//   - It has no limit of its own on static shared memory: 48 KB by the guide.
//   - When barriers limit below all else, it still names what would have
//     limited without them.
// It is asked without partitioned global caching, its own default.
//
//===----------------------------------------------------------------------===//

#include "hardware/CarveOut.h"
#include "hardware/Occupancy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <ostream>
#include <random>
#include <string>

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

// What the message for sm_88 says: all that the header knows by the number.
TEST(OccupancyHeader, CountsForSM88AsForSM86) {
  const cudaOccDeviceProp Known = propertiesOf(*findArchitecture({8, 6}));
  cudaOccDeviceProp Unknown = Known;
  Unknown.computeMinor = 8;
  ASSERT_EQ(findArchitecture({8, 8}), nullptr);
  for (auto *Ask :
       {cudaOccMaxBlocksPerMultiprocessor, cudaOccSMemAllocationGranularity,
        cudaOccRegAllocationGranularity,
        cudaOccSubPartitionsPerMultiprocessor}) {
    int A = 0, B = 0;
    ASSERT_EQ(Ask(&A, &Known), CUDA_OCC_SUCCESS);
    ASSERT_EQ(Ask(&B, &Unknown), CUDA_OCC_SUCCESS);
    EXPECT_EQ(A, B);
  }
  std::size_t Most = 100 * 1024;
  EXPECT_EQ(cudaOccAlignUpShmemSizeVoltaPlus(&Most, &Unknown),
            CUDA_OCC_SUCCESS);
  std::size_t More = Most + 1;
  EXPECT_EQ(cudaOccAlignUpShmemSizeVoltaPlus(&More, &Unknown),
            CUDA_OCC_ERROR_INVALID_INPUT);
  for (int Barriers = 1; Barriers <= 16; ++Barriers) {
    cudaOccFuncAttributes Kernel;
    Kernel.maxThreadsPerBlock = 1024;
    Kernel.numRegs = 32;
    Kernel.numBlockBarriers = Barriers;
    const cudaOccDeviceState State;
    cudaOccResult A, B;
    ASSERT_EQ(cudaOccMaxActiveBlocksPerMultiprocessor(&A, &Known, &Kernel,
                                                      &State, 64, 0),
              CUDA_OCC_SUCCESS);
    ASSERT_EQ(cudaOccMaxActiveBlocksPerMultiprocessor(&B, &Unknown, &Kernel,
                                                      &State, 64, 0),
              CUDA_OCC_SUCCESS);
    EXPECT_EQ(A.activeBlocksPerMultiprocessor, B.activeBlocksPerMultiprocessor);
  }
}

// Byte by byte, the size that a wish is rounded up to.
TEST(OccupancyHeader, CarveOutsAgree) {
  for (const Architecture &A : architectures()) {
    if (A.CC.Major < 7)
      continue;
    SCOPED_TRACE(toString(A.CC));
    const cudaOccDeviceProp P = propertiesOf(A);
    for (std::size_t Bytes = 0; Bytes <= A.SharedPerSM; ++Bytes) {
      std::size_t Size = Bytes;
      ASSERT_EQ(cudaOccAlignUpShmemSizeVoltaPlus(&Size, &P), CUDA_OCC_SUCCESS);
      ASSERT_EQ(carveOutFor(A, Bytes), Size) << Bytes;
    }
  }
}

namespace cudalint {
static void PrintTo(const BlockDemand &D, std::ostream *OS) {
  *OS << D.Threads << " threads, " << D.Registers << " registers, "
      << D.StaticShared << " + " << D.DynamicShared << " bytes, " << D.Barriers
      << " barriers, carve-out "
      << (D.CarveOut ? std::to_string(*D.CarveOut) : "default");
}
} // namespace cudalint

static cudaOccResult
askToolkit(const Architecture &A, const BlockDemand &D,
           cudaOccPartitionedGCConfig Caching = PARTITIONED_GC_OFF) {
  const cudaOccDeviceProp P = propertiesOf(A);
  cudaOccFuncAttributes F;
  F.maxThreadsPerBlock = INT_MAX;
  F.numRegs = static_cast<int>(D.Registers);
  F.sharedSizeBytes = D.StaticShared;
  F.partitionedGCConfig = Caching;
  F.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  F.maxDynamicSharedSizeBytes = D.DynamicShared;
  F.numBlockBarriers = static_cast<int>(D.Barriers);
  cudaOccDeviceState S;
  S.carveoutConfig =
      D.CarveOut ? static_cast<int>(*D.CarveOut) : SHAREDMEM_CARVEOUT_DEFAULT;
  cudaOccResult R = {};
  EXPECT_EQ(cudaOccMaxActiveBlocksPerMultiprocessor(
                &R, &P, &F, &S, static_cast<int>(D.Threads), D.DynamicShared),
            CUDA_OCC_SUCCESS);
  return R;
}

static unsigned limit(int Blocks) {
  return Blocks == INT_MAX ? Occupancy::NotLimited
                           : static_cast<unsigned>(Blocks);
}

static bool names(const cudaOccResult &R, cudaOccLimitingFactor Factor) {
  // See "When barriers limit below all else" above.
  const int Others = std::min({R.blockLimitRegs, R.blockLimitSharedMem,
                               R.blockLimitWarps, R.blockLimitBlocks});
  if (Factor != OCC_LIMIT_BARRIERS && R.blockLimitBarriers < Others)
    return false;
  return (R.limitingFactors & Factor) != 0;
}

/// True when all that both calculators say is the same.
static bool isSame(const Occupancy &Ours, const cudaOccResult &Theirs,
                   bool RegistersFail, bool StaticFails) {
  const unsigned Limits[LimiterCount] = {
      limit(Theirs.blockLimitWarps), limit(Theirs.blockLimitBlocks),
      RegistersFail ? 0 : limit(Theirs.blockLimitRegs),
      StaticFails ? 0 : limit(Theirs.blockLimitSharedMem),
      limit(Theirs.blockLimitBarriers)};
  if (!std::ranges::equal(Limits, Ours.Limit))
    return false;
  if (static_cast<int>(Ours.RegistersPerBlock) !=
          Theirs.allocatedRegistersPerBlock ||
      Ours.SharedPerBlock != Theirs.allocatedSharedMemPerBlock)
    return false;
  if (RegistersFail || StaticFails)
    return Ours.BlocksPerSM == 0 && Ours.Failure != LaunchFailure::None;
  if (static_cast<int>(Ours.BlocksPerSM) !=
          Theirs.activeBlocksPerMultiprocessor ||
      (Ours.Failure == LaunchFailure::None) != (Ours.BlocksPerSM != 0))
    return false;
  if (Ours.BlocksPerSM == 0)
    return true; // Nothing is limited that does not run.
  return Ours.isLimitedBy(Limiter::Warps) == names(Theirs, OCC_LIMIT_WARPS) &&
         Ours.isLimitedBy(Limiter::Blocks) == names(Theirs, OCC_LIMIT_BLOCKS) &&
         Ours.isLimitedBy(Limiter::Registers) ==
             names(Theirs, OCC_LIMIT_REGISTERS) &&
         Ours.isLimitedBy(Limiter::SharedMemory) ==
             names(Theirs, OCC_LIMIT_SHARED_MEMORY) &&
         Ours.isLimitedBy(Limiter::Barriers) ==
             names(Theirs, OCC_LIMIT_BARRIERS);
}

/// Numbers whose sequence is the same with every standard library.
struct Draw {
  std::mt19937_64 Engine{20240229};

  unsigned upTo(unsigned Most) {
    return static_cast<unsigned>(Engine() % (Most + 1));
  }
  bool oneIn(unsigned N) { return upTo(N - 1) == 0; }
};

/// Every limit is met from both sides, also those that make a launch fail.
static BlockDemand draw(Draw &Any, const Architecture &A) {
  BlockDemand D;
  D.Threads = Any.oneIn(2) ? 32 * (1 + Any.upTo(31)) : 1 + Any.upTo(1023);
  if (Any.oneIn(20))
    D.Threads = 1025 + Any.upTo(2000);
  D.Registers = Any.upTo(Any.oneIn(2) ? 96 : 270);
  if (Any.oneIn(4))
    D.StaticShared = Any.upTo(50 * 1024);
  else if (Any.oneIn(2))
    D.StaticShared = Any.upTo(4096);
  if (Any.oneIn(4))
    D.DynamicShared = Any.upTo(A.SharedPerBlockOptIn + 4096);
  else if (Any.oneIn(2))
    D.DynamicShared = 128 * Any.upTo(128);
  D.Barriers = Any.upTo(Any.oneIn(2) ? 1 : 16);
  if (Any.oneIn(2))
    D.CarveOut = Any.upTo(100);
  return D;
}

TEST(OccupancyHeader, AMillionConfigurationsAgree) {
  constexpr unsigned PerArchitecture = 60000; // Times 23.
  Draw Any;
  unsigned Compared = 0, Failing = 0, Different = 0;
  unsigned LimitedBy[LimiterCount] = {};
  for (const Architecture &A : architectures()) {
    if (A.CC.Major < 3)
      continue;
    for (unsigned I = 0; I < PerArchitecture; ++I) {
      const BlockDemand D = draw(Any, A);
      const Occupancy Ours = occupancy(A, D);
      const bool RegistersFail =
          A.CC == ComputeCapability{3, 0} && D.Registers > 63;
      const bool StaticFails = D.StaticShared > 48 * 1024;
      ++Compared;
      Failing += Ours.BlocksPerSM == 0;
      for (unsigned L = 0; L < LimiterCount; ++L)
        LimitedBy[L] += Ours.isLimitedBy(static_cast<Limiter>(L));
      if (isSame(Ours, askToolkit(A, D), RegistersFail, StaticFails))
        continue;
      if (++Different <= 10)
        ADD_FAILURE() << toString(A.CC) << ": " << testing::PrintToString(D);
    }
  }
  EXPECT_EQ(Different, 0u);
  EXPECT_GE(Compared, 1000000u);
  // The draw is worth something: every limit is met often.
  EXPECT_GT(Failing, Compared / 20);
  EXPECT_LT(Failing, Compared / 2);
  for (unsigned L = 0; L < LimiterCount; ++L)
    EXPECT_GT(LimitedBy[L], Compared / 200) << nameOf(static_cast<Limiter>(L));
}

// 85 registers are 88 by the unit of 256 per warp: 2816 of a partition's 16384
// let 5 warps in, 20 in all, and a block has 4. In half an SM 10 fit, 2 blocks.
TEST(OccupancyHeader, PartitionedCachingIsTakenToBeOff) {
  const Architecture &A = *findArchitecture({5, 2});
  const BlockDemand D{.Threads = 128, .Registers = 85};
  EXPECT_EQ(occupancy(A, D).BlocksPerSM, 5u);
  EXPECT_EQ(askToolkit(A, D).activeBlocksPerMultiprocessor, 5);
  EXPECT_EQ(askToolkit(A, D, PARTITIONED_GC_ON).activeBlocksPerMultiprocessor,
            4);
}
