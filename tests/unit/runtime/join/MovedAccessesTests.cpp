//===- tests/unit/runtime/join/MovedAccessesTests.cpp - Moved and merged --===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Profiles as nvcc 13.0 and an H200 made them of small kernels.
//
//===----------------------------------------------------------------------===//

#include "Examples.h"
#include "runtime/join/Join.h"
#include "runtime/join/MovedAccesses.h"
#include "runtime/join/Names.h"

#include <gmock/gmock.h>

namespace MovedAccessesTests {

using namespace cudalint;
using testing::HasSubstr;

static JoinResult joined(const Document &Doc, const Profile &P) {
  return join(std::span(&Doc, 1), merge(std::span(&P, 1)), {});
}

static AccessRecord shared(unsigned Line, double PerRequest, Certainty Trust,
                           unsigned LoopDepth = 0) {
  AccessRecord Out = access(Line, PerRequest, 1);
  Out.Space = MemorySpace::Shared;
  Out.Unit = TrafficUnit::Wavefronts;
  Out.Trust = Trust;
  Out.LoopDepth = LoopDepth;
  return Out;
}

/// One block of 8 warps.
static ProfileLine sharedLine(unsigned Line, std::uint64_t Requests,
                              std::uint64_t Wavefronts) {
  ProfileLine Out = measured(Line, 0, 0);
  Out.Space = MemorySpace::Shared;
  Out.Instructions = Out.Requests = Requests;
  Out.Lanes = 32 * Requests;
  Out.Sectors = Out.IdealSectors = std::nullopt;
  Out.Wavefronts = Wavefronts;
  Out.IdealWavefronts = Requests;
  return Out;
}

TEST(MovedAccesses, AnIfAndItsElseMayBeOneInstruction) {
  // out[t] = in[t] > 500 ? s[4 * t] : s[2 * t], written as if and else.
  Document Doc = document(
      {shared(51, 4, Certainty::Assumed), shared(53, 2, Certainty::Assumed)});
  JoinResult R = joined(Doc, profile({sharedLine(53, 8, 45)}));
  ASSERT_EQ(R.Gpus.at(0).Lines.size(), 2u);
  EXPECT_EQ(R.refuted(), 0u);
  EXPECT_THAT(R.Gpus[0].Lines[1].Why,
              HasSubstr("no shared load of line 51 was executed"));
  // Both together cost 6: more was not predicted for either.
  R = joined(Doc, profile({sharedLine(53, 8, 8 * 8)}));
  EXPECT_EQ(R.refuted(), 1u);
  // Where the other was executed, too, nothing was merged.
  R = joined(Doc, profile({sharedLine(51, 8, 32), sharedLine(53, 8, 45)}));
  EXPECT_EQ(R.refuted(), 1u);
  // And far away it is another statement.
  Doc.Units[0].Kernels[0].Accesses[0].Where.Line = 20;
  R = joined(Doc, profile({sharedLine(53, 8, 45)}));
  EXPECT_EQ(R.refuted(), 1u);
}

TEST(MovedAccesses, WhatIsExecutedInAnotherLineIsNotMissed) {
  JoinResult R =
      joined(document({shared(14, 2.75, Certainty::Exact), access(23, 4, 4)}),
             profile({measured(23, 16384, 16384), sharedLine(23, 8, 22)}));
  EXPECT_EQ(R.lineCounts().Missed, 0u);
  EXPECT_EQ(R.lineCounts().Inconclusive, 1u);
  // Another number than that of line 14 is.
  R = joined(document({shared(14, 2, Certainty::Exact), access(23, 4, 4)}),
             profile({measured(23, 16384, 16384), sharedLine(23, 8, 22)}));
  EXPECT_EQ(R.lineCounts().Missed, 1u);
}

TEST(MovedAccesses, AFunctionOfTheToolkitIsThatOfItsCaller) {
  // out[t] = __ldg(g + 4 * t) + __ldcs(g + 8 * t + 1)
  Document Doc = document({access(222, 16, 4), access(222, 32, 4)});
  ProfileLine Ldg = measured(134, 4096 * 16, 4096 * 4);
  Ldg.File = "/usr/local/cuda/include/sm_32_intrinsics.hpp";
  ProfileLine Ldcs = Ldg;
  Ldcs.Line = 270;
  Ldcs.Sectors = 4096 * 32;
  ProfileLine Store = measured(222, 16384, 16384);
  Store.Op = AccessOp::Store;
  JoinResult R = joined(Doc, profile({Ldg, Ldcs, Store}));
  EXPECT_EQ(R.lineCounts().Confirmed, 1u);
  EXPECT_EQ(R.lineCounts().Missed, 0u);
  EXPECT_THAT(R.Gpus[0].Lines.at(0).Why,
              HasSubstr("measured in sm_32_intrinsics.hpp"));
  // Of two lines that call, it is not known which was which.
  Doc = document({access(222, 16, 4), access(225, 32, 4), access(222, 4, 4)});
  Doc.Units[0].Kernels[0].Accesses[2].Op = AccessOp::Store;
  R = joined(Doc, profile({Ldg, Ldcs, Store}));
  EXPECT_EQ(R.lineCounts().Inconclusive, 2u);
  EXPECT_EQ(R.lineCounts().Missed, 0u);
}

TEST(MovedAccesses, HeadersOfTheToolkit) {
  EXPECT_TRUE(isToolkitHeader("/usr/local/cuda/include/sm_32_intrinsics.hpp"));
  EXPECT_TRUE(isToolkitHeader("/opt/cuda/targets/x86_64-linux/include/"
                              "cuda_pipeline_helpers.h"));
  EXPECT_FALSE(isToolkitHeader("/src/app/include/kernels.h"));
  EXPECT_FALSE(isToolkitHeader("sm_kernels.cu"));
}

TEST(MovedAccesses, TurnsThatTheCompilerRemovedRefuteNothing) {
  // s[t * (k % 4)] in ten turns: 12 wavefronts by 10. It loads four of them.
  Document Doc = document({shared(11, 1.2, Certainty::Exact, 1)});
  JoinResult R = joined(Doc, profile({sharedLine(11, 32, 40)}));
  EXPECT_EQ(R.refuted(), 0u);
  EXPECT_THAT(R.Gpus.at(0).Lines.at(0).Why,
              HasSubstr("the compiler removed some"));
  // All ten turns of 8 warps: the number was wrong.
  R = joined(Doc, profile({sharedLine(11, 80, 100)}));
  EXPECT_EQ(R.refuted(), 1u);
}

TEST(MovedAccesses, AGenericInstructionThatTouchedBothIsNotSplit) {
  // p = t & 32 ? shared : global; p[2 * t]
  ProfileLine Row = measured(191, 32, 16);
  Row.Space = MemorySpace::Generic;
  Row.Instructions = Row.Requests = 8;
  Row.Lanes = 256;
  Row.Wavefronts = 8;
  Row.IdealWavefronts = 4;
  JoinResult R = joined(document({access(191, 8, 4)}), profile({Row}));
  EXPECT_EQ(R.lineCounts().Inconclusive, 1u);
  EXPECT_THAT(R.Gpus.at(0).Lines.at(0).Why, HasSubstr("others shared memory"));
}

TEST(MovedAccesses, FoldersTellKernelsOfOneNameApart) {
  // a/k.cu and b/k.cu with a kernel in an unnamed namespace each.
  Document Doc = document({access(4, 16, 4)});
  Doc.Units.push_back(Doc.Units[0]);
  const char *Files[] = {"a/k.cu", "b/k.cu"};
  const char *Names[] = {
      "_ZN36_GLOBAL__N__9955262d_4_k_cu_740292cc4workEPKfPf",
      "_ZN36_GLOBAL__N__1fc15483_4_k_cu_33a2e81c4workEPKfPf"};
  Profile P = profile({});
  P.Kernels.clear();
  P.Launches.clear();
  for (std::size_t I = 0; I != 2; ++I) {
    KernelRecord &Kernel = Doc.Units[I].Kernels[0];
    Doc.Units[I].File = Kernel.Where.File = Files[I];
    Kernel.Name = "_ZN12_GLOBAL__N_14workEPKfPf";
    Kernel.Accesses[0].Where.File = Files[I];
    Kernel.Accesses[0].PerRequest = I == 0 ? 16 : 32;
    ProfileLine Line = measured(4, 4096 * (I == 0 ? 16 : 32), 4096 * 4);
    Line.Kernel = Names[I];
    Line.File = std::string("/src/two/") + Files[I];
    P.Lines.push_back(Line);
    P.Kernels.push_back({Names[I], 0, 1, 1, true});
  }
  JoinResult R = joined(Doc, P);
  EXPECT_EQ(R.lineCounts().Confirmed, 2u);
  EXPECT_EQ(R.lineCounts().Inconclusive, 0u);
}

} // namespace MovedAccessesTests
