//===- tests/unit/analyzer/ir/CompiledRequestsTests.cpp - As compiled -----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Kernels whose machine code is given: what an instruction of more bytes, or
/// one before the loop, accesses is accessed once, and by nobody else. Lanes
/// that are 32 bytes apart and load 16 take 4 groups of 8 lanes; in each, the
/// lanes are in 16 of 32 banks, two words in each: 8 wavefronts for 4.
///
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Evaluation.h"

#include <filesystem>
#include <gmock/gmock.h>

#include <set>
#include <sstream>

namespace CompiledRequestsTests {

using namespace cudalint;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

static constexpr unsigned FirstLine = 5;

/// So many loads of that many bytes and line, from line 1 of the body, with so
/// many loops around each.
static std::vector<MachineInstruction>
loads(unsigned Number, unsigned Bytes, unsigned Line = 1, unsigned Depth = 0) {
  MachineInstruction I;
  I.Name = "LDS";
  I.Space = MemorySpace::Shared;
  I.Bytes = Bytes;
  I.Frames = {{.File = "kernel.cu", .Line = FirstLine - 1 + Line}};
  for (unsigned L = Depth; L-- != 0;)
    I.Loops.push_back(0x100 * L);
  return std::vector<MachineInstruction>(Number, I);
}

static std::vector<Access>
loadsOf(const std::string &Body,
        std::initializer_list<std::vector<MachineInstruction>> Code) {
  Setting S;
  S.Code.emplace();
  for (const std::vector<MachineInstruction> &Each : Code)
    S.Code->insert(S.Code->end(), Each.begin(), Each.end());
  const Evaluated E = evaluate("__global__ void k(float *G, int n) {\n"
                               "  __shared__ __align__(16) float s[8192];\n"
                               "  int t = threadIdx.x;\n"
                               "  float x = 0;\n" +
                                   Body + "\n  G[t] = x;\n}\n",
                               S);
  return E.all(MemorySpace::Shared, AccessOp::Load);
}

/// The one of so many bytes; a failure if there are none, or several.
static Access ofBytes(const std::vector<Access> &All, unsigned Bytes) {
  std::vector<Access> Found;
  for (const Access &A : All)
    if (A.Bytes == Bytes)
      Found.push_back(A);
  EXPECT_EQ(Found.size(), 1u) << Bytes << " bytes";
  return Found.size() == 1 ? Found[0] : Access();
}

/// What the load of a kernel with that body is, of which nvcc loads so many
/// bytes; `A` is an array of numbers of 8 bytes, and `P` of structs of them.
static Access partOfElement(const std::string &Body, unsigned Bytes) {
  MachineInstruction I;
  I.Name = "LDG";
  I.Space = MemorySpace::Global;
  I.Bytes = Bytes;
  I.Frames = {{.File = "kernel.cu", .Line = 4}};
  Setting S;
  S.Code = {I};
  return evaluate("struct alignas(8) Pair { int x, y; };\n"
                  "__global__ void k(int *G, const long long *A, "
                  "const Pair *P) {\n"
                  "  int t = threadIdx.x;\n" +
                      Body + "\n}\n",
                  S)
      .globalLoad();
}

// Of a number, nobody lays out the halves apart; of a struct, one may.
TEST(CompiledRequests, APartOfANumberKnowsTheWhole) {
  const Access Low = partOfElement("G[t] = (int)A[t];", 4);
  EXPECT_EQ(Low.Bytes, 4u);
  EXPECT_EQ(Low.BytesOfWhole, 8u);
  EXPECT_TRUE(costs(Low, {.PerRequest = 8, .Ideal = 4}));
  EXPECT_EQ(partOfElement("G[t] = (unsigned char)A[t];", 1).BytesOfWhole, 8u);
  EXPECT_EQ(partOfElement("G[t] = (int)A[t];", 8).BytesOfWhole, 0u);
  EXPECT_EQ(partOfElement("Pair v = P[t]; G[t] = v.x;", 4).BytesOfWhole, 0u);
  EXPECT_EQ(partOfElement("G[t] = P[t].x;", 4).BytesOfWhole, 0u);
}

static const std::string EightTurns =
    "for (int j = 0; j < 8; ++j) x += s[8 * t + j];";

// Two of 16 bytes are all 8 turns.
TEST(CompiledRequests, TurnsOfALoopAreWider) {
  const std::vector<Access> All = loadsOf(EightTurns, {loads(2, 16)});
  ASSERT_THAT(All, SizeIs(1));
  EXPECT_TRUE(costs(All[0], {.PerRequest = 8, .Ideal = 4}));
  EXPECT_EQ(All[0].Executions, 2);
  EXPECT_THAT(All[0].Instructions, SizeIs(2));
}

// As it is written: 8 requests of lanes that are 8 banks apart.
// Of a tile padded to 33 columns no row but the first begins with a word of 16
// bytes: the wide ones are of the other tile.
TEST(CompiledRequests, PaddedRowsAreNotWide) {
  const std::vector<Access> All =
      loadsOf("for (int j = 0; j < 8; ++j) x += s[8 * t + j] * s[33 * t + j];",
              {loads(2, 16), loads(8, 4)});
  ASSERT_THAT(All, SizeIs(2));
  EXPECT_TRUE(costs(ofBytes(All, 16), {.PerRequest = 8, .Ideal = 4}));
  EXPECT_TRUE(costs(ofBytes(All, 4), {.PerRequest = 1, .Ideal = 1}));
  EXPECT_EQ(ofBytes(All, 4).Executions, 8);
}

// One before the loop and eight of its turns: nine instructions, each once.
// A word more after every 32: neighbours of each lane begin elsewhere in 16
// bytes, so these four instructions are some other load's.
TEST(CompiledRequests, LanesThatNoWideInstructionSuitsAreUnknown) {
  const std::vector<Access> All =
      loadsOf("for (int j = 0; j < 16; ++j) {"
              " int i = 16 * t + j; x += s[i + (i >> 5)]; }",
              {loads(4, 16)});
  ASSERT_FALSE(All.empty());
  for (const Access &A : All) {
    EXPECT_EQ(A.Trust, Certainty::Unknown);
    EXPECT_EQ(A.WhyUnknown,
              "the compiled code has no instruction that suits its lanes");
  }
}

TEST(CompiledRequests, EachHasTheInstructionsOfItsTurns) {
  const std::vector<Access> All =
      loadsOf("x += s[t]; for (int j = 0; j < 8; ++j) x += s[64 + 32 * j + t];",
              {loads(9, 4)});
  ASSERT_THAT(All, SizeIs(2));
  EXPECT_THAT(All[0].Instructions, SizeIs(1));
  EXPECT_EQ(All[0].Executions, 1);
  EXPECT_THAT(All[1].Instructions, SizeIs(8));
  EXPECT_EQ(All[1].Executions, 8);
}

TEST(CompiledRequests, TurnsOfALoopAreAsWritten) {
  const std::vector<Access> All = loadsOf(EightTurns, {loads(8, 4)});
  ASSERT_THAT(All, SizeIs(1));
  EXPECT_TRUE(costs(All[0], {.PerRequest = 8, .Ideal = 1}));
  EXPECT_EQ(All[0].Executions, 8);
}

// Some of them are wider, and some are not. No turn is accessed twice: what
// the instructions access is 32 bytes of each lane.
TEST(CompiledRequests, NoTurnIsWiderAndNarrow) {
  const std::vector<Access> All =
      loadsOf(EightTurns, {loads(1, 16), loads(4, 4)});
  double Bytes = 0;
  for (const Access &A : All) {
    ASSERT_TRUE(A.Executions) << A.WhyNotCounted << toString(A);
    Bytes += *A.Executions * A.Bytes;
  }
  EXPECT_EQ(Bytes, 32);
}

// Loads of what is not evaluated, such as wmma, are told even if they are all.
TEST(CompiledRequests, WhatNobodyWroteIsToldOfAKernelWithoutAccesses) {
  Setting S;
  S.Code = loads(2, 4);
  const Evaluated E =
      evaluate("\n\n\n\n__global__ void k() { __syncthreads(); }\n", S);
  ASSERT_THAT(E.Kernel.Accesses, SizeIs(2));
  for (const Access &A : E.Kernel.Accesses) {
    EXPECT_EQ(A.Cause, UnknownCause::Unmatched);
    EXPECT_EQ(A.Block, S.Block);
  }
}

// From the second float on: 3 before the first whole word, then 16 bytes.
TEST(CompiledRequests, TurnsBeforeAWholeWordAreNarrow) {
  const std::vector<Access> All =
      loadsOf("for (int j = 1; j < 8; ++j) x += s[8 * t + j];",
              {loads(1, 16), loads(3, 4)});
  EXPECT_EQ(ofBytes(All, 16).Executions, 1);
  EXPECT_EQ(ofBytes(All, 4).Executions, 3);
}

// The second time round it is loaded again, wide as before.
TEST(CompiledRequests, ALoopAroundItIsCounted) {
  const std::vector<Access> All =
      loadsOf("for (int i = 0; i < 3; ++i)\n"
              "  for (int j = 1; j < 8; ++j) x += s[8 * t + j + 2048 * i];",
              {loads(1, 16, 2, 1), loads(3, 4, 2, 1)});
  EXPECT_EQ(ofBytes(All, 16).Executions, 3);
  EXPECT_EQ(ofBytes(All, 4).Executions, 9);
}

// Behind the barrier others may have written there: that load is its own.
TEST(CompiledRequests, WhatABarrierPartsIsNotCovered) {
  const std::vector<Access> All =
      loadsOf("for (int j = 0; j < 4; ++j) x += s[4 * t + j];\n"
              "__syncthreads();\n"
              "x += s[4 * t + 1];",
              {loads(1, 16, 1), loads(1, 4, 3)});
  EXPECT_EQ(ofBytes(All, 16).Executions, 1);
  EXPECT_EQ(ofBytes(All, 4).Executions, 1);
}

// One before the loop, and 4 turns: the code says so by their loops.
TEST(CompiledRequests, WhatIsHoistedHappensOnce) {
  const std::string Body = "for (int j = 0; j < 4; ++j)\n"
                           "  x += s[t] * s[32 * j + n];";
  const std::vector<Access> All =
      loadsOf(Body, {loads(1, 4, 2, 0), loads(1, 4, 2, 1)});
  ASSERT_THAT(All, SizeIs(2));
  std::vector<double> Counts;
  for (const Access &A : All)
    Counts.push_back(A.Executions.value_or(-1));
  EXPECT_THAT(Counts, testing::UnorderedElementsAre(1, 4));
  for (const Access &A : All) {
    ASSERT_THAT(A.Instructions, SizeIs(1));
    EXPECT_EQ(A.Instructions[0].Loops.empty(), A.Executions == 1);
  }
}

// A guard keeps the first turn from it: it is made in a later one, once.
TEST(CompiledRequests, WhatIsHoistedPastAGuardIsNotLost) {
  const std::vector<Access> All =
      loadsOf("for (int j = 0; j < 8; ++j) {\n"
              "  if (j > 2) x += s[j * 256 + t] * s[32 * t];\n"
              "}",
              {loads(1, 4, 2, 1), loads(1, 4, 2, 0)});
  double Executions = 0;
  bool IsThere = false;
  for (const Access &A : All) {
    ASSERT_TRUE(A.Executions);
    Executions += *A.Executions;
    IsThere |= A.Predicted && A.Predicted->PerRequest == 32;
  }
  EXPECT_TRUE(IsThere);
  EXPECT_EQ(Executions, 6);
}

// In an outer loop of 3 turns, once for each of them.
TEST(CompiledRequests, WhatLeavesTheInnerLoopAlone) {
  const std::vector<Access> All =
      loadsOf("for (int i = 0; i < 3; ++i)\n"
              "  for (int j = 0; j < 4; ++j)\n"
              "    x += s[t + 256 * i] * s[32 * j + n];",
              {loads(1, 4, 3, 1), loads(1, 4, 3, 2)});
  std::vector<double> Counts;
  for (const Access &A : All)
    Counts.push_back(A.Executions.value_or(-1));
  EXPECT_THAT(Counts, testing::UnorderedElementsAre(3, 12));
}

// 8 turns of which each has an instruction: the value of s[t] is in a register.
TEST(CompiledRequests, WhatIsInARegisterIsNotEvaluated) {
  const std::vector<Access> All = loadsOf("for (int j = 0; j < 8; ++j) {\n"
                                          "  x += s[t + 512 * j];\n"
                                          "  x += s[t] * s[32 * j + n];\n"
                                          "}",
                                          {loads(8, 4, 2), loads(8, 4, 3)});
  ASSERT_THAT(All, SizeIs(2));
  for (const Access &A : All)
    EXPECT_EQ(A.Executions, 8);
}

TEST(CompiledRequests, WhatHasNoCodeIsNotThere) {
  EXPECT_THAT(loadsOf("x = s[t];", {}), IsEmpty());
}

//===----------------------------------------------------------------------===//
// One instruction of several accesses
//===----------------------------------------------------------------------===//

// Of 10 turns two words of 16 bytes and one of 8: 8 lanes of 48 bytes apart are
// in all banks, and so are 16 of 8 bytes but for every third pair.
TEST(CompiledRequests, TurnsOfTwoWidthsHappenOnce) {
  const std::vector<Access> All =
      loadsOf("for (int j = 0; j < 10; ++j) x += s[12 * t + j];",
              {loads(2, 16), loads(1, 8)});
  ASSERT_THAT(All, SizeIs(2));
  EXPECT_EQ(ofBytes(All, 16).Executions, 2);
  EXPECT_EQ(ofBytes(All, 8).Executions, 1);
}

static const std::string TwoBranches = "if (t < 128)\n"
                                       "  x = s[2 * t];\n"
                                       "else\n"
                                       "  x = s[4096 + t];";

// The last load of both branches is one instruction, behind them. Half of the
// warps conflict 2-way, and half do not.
TEST(CompiledRequests, BranchesOfOtherWarpsShareAnInstruction) {
  for (unsigned Line : {2u, 4u, 5u}) {
    const std::vector<Access> All = loadsOf(TwoBranches, {loads(1, 4, Line)});
    ASSERT_THAT(All, SizeIs(1)) << Line;
    EXPECT_TRUE(costs(All[0], {.PerRequest = 1.5, .Ideal = 1})) << Line;
    EXPECT_EQ(All[0].Executions, 1) << Line;
    EXPECT_THAT(All[0].Instructions, SizeIs(1));
  }
}

// The message names what it costs, wherever the instruction stands.
TEST(CompiledRequests, TheBranchThatIsTakenIsNamed) {
  for (unsigned Line : {2u, 4u}) {
    EXPECT_EQ(loadsOf(TwoBranches, {loads(1, 4, Line)}).at(0).Source.Text,
              "s[2 * t] or s[4096 + t]");
    const std::vector<Access> All = loadsOf("if (blockDim.x < 128)\n"
                                            "  x = s[2 * t];\n"
                                            "else\n"
                                            "  x = s[4096 + t];",
                                            {loads(1, 4, Line)});
    ASSERT_THAT(All, SizeIs(1));
    EXPECT_EQ(All[0].Where.Line, FirstLine - 1 + Line);
    EXPECT_EQ(All[0].Source.Text, "s[4096 + t]");
  }
}

TEST(CompiledRequests, BranchesWithAnInstructionEachDoNot) {
  const std::vector<Access> All =
      loadsOf(TwoBranches, {loads(1, 4, 2), loads(1, 4, 4)});
  ASSERT_THAT(All, SizeIs(2));
  EXPECT_TRUE(costs(All[0], {.PerRequest = 2, .Ideal = 1}));
  EXPECT_TRUE(costs(All[1], {.PerRequest = 1, .Ideal = 1}));
  for (const Access &A : All)
    EXPECT_EQ(A.Executions, 0.5);
}

// Lanes of one warp: even ones in the even words of the first 64, odd ones in
// the odd words of those 32 words on. Two in each bank.
TEST(CompiledRequests, BranchesOfOneWarpAreOneRequest) {
  const std::vector<Access> All = loadsOf("if (t % 2)\n"
                                          "  x = s[2 * t + 1];\n"
                                          "else\n"
                                          "  x = s[2 * t];",
                                          {loads(1, 4, 4)});
  ASSERT_THAT(All, SizeIs(1));
  EXPECT_EQ(All[0].Executions, 1);
  ASSERT_TRUE(All[0].Predicted);
  EXPECT_EQ(All[0].Predicted->Lanes, 32);
}

// Data decides which lane takes which: two numbers, neither of which is exact.
TEST(CompiledRequests, BranchesOfDataAreNotExact) {
  const std::vector<Access> All = loadsOf("if (G[t] > 0)\n"
                                          "  x = s[2 * t];\n"
                                          "else\n"
                                          "  x = s[4096 + t];",
                                          {loads(1, 4, 4)});
  EXPECT_THAT(All, Not(IsEmpty()));
  for (const Access &A : All)
    EXPECT_NE(A.Trust, Certainty::Exact);
}

// s[i] and s[i + step] are one word of 8 bytes where the step is 1: 32 lanes of
// it take 2 wavefronts. In the other turns they are apart.
TEST(CompiledRequests, NeighboursInOneTurnAlone) {
  const std::vector<Access> All =
      loadsOf("for (int step = 1; step < 8; step *= 2) {\n"
              "  int i = 2 * step * t;\n"
              "  if (t < 128)\n"
              "    x += s[i] + s[i + step];\n"
              "}",
              {loads(1, 8, 4), loads(4, 4, 4)});
  const Access Wide = ofBytes(All, 8);
  EXPECT_TRUE(costs(Wide, {.PerRequest = 2, .Ideal = 2}));
  EXPECT_EQ(Wide.Executions, 0.5);
  double Narrow = 0;
  for (const Access &A : All)
    if (A.Bytes == 4)
      Narrow += A.Executions.value_or(100);
  EXPECT_EQ(Narrow, 0.5 * 2 * 2);
}

// Of six floats that are copied nvcc needs three.
TEST(CompiledRequests, MembersThatNobodyNeedsAreGone) {
  std::vector<MachineInstruction> Code = loads(3, 4, 2);
  for (unsigned I = 0; I != 3; ++I)
    Code[I].AddressOffset = 4 * I + 4;
  const std::vector<Access> All =
      loadsOf("struct P { float a, b, c, d, e, f; };\n"
              "P p = ((P *)s)[t];\n"
              "x = p.b + p.c + p.d;",
              {Code});
  ASSERT_THAT(All, SizeIs(3));
  for (const Access &A : All) {
    EXPECT_EQ(A.Executions, 1);
    EXPECT_THAT(A.Instructions, SizeIs(1));
  }
}

// What a kernel is given points to global memory, and by value it is in
// constant memory, where nobody wrote an access. Of two pointers one of which
// is to shared memory, and of what is read from memory, nobody knows.
TEST(CompiledRequests, WhatIsRemovedHasItsSpace) {
  Setting S;
  S.Code.emplace();
  const Evaluated E = evaluate(R"(
struct Given { float *P; int Table[4]; };
struct Eight { float F[8]; };
__device__ float Variable[256];
__global__ void k(float *G, Eight *E, Given V, float **Rows, int n) {
  __shared__ float S[256];
  int t = threadIdx.x;
  float Own[8];
  for (int i = 0; i < 8; ++i) Own[i * n & 7] = t;
  float *Either = n ? S : G;
  float *Global = n ? Variable : G;
  G[t] =
    S[t] +
    Variable[t] +
    V.P[t] +
    V.Table[n] +
    Own[n] +
    Either[t] +
    Global[t] +
    Rows[3][t];
  Eight q = E[t];
  q.F[0] += 1;
  E[t] = q;
})",
                               S);
  auto SpacesAt = [&](const std::string &Mark) {
    std::set<MemorySpace> Result;
    std::istringstream In(E.Source);
    std::string Line;
    for (unsigned N = 1; std::getline(In, Line); ++N)
      for (const RemovedAccess &R : E.Removed)
        if (R.Where.Line == N && Line.find(Mark) != std::string::npos)
          Result.insert(R.Space);
    return Result;
  };
  using testing::ElementsAre;
  EXPECT_THAT(SpacesAt("G[t] ="), ElementsAre(MemorySpace::Global));
  EXPECT_THAT(SpacesAt("S[t] +"), ElementsAre(MemorySpace::Shared));
  EXPECT_THAT(SpacesAt("Variable[t]"), ElementsAre(MemorySpace::Global));
  EXPECT_THAT(SpacesAt("V.P[t]"), ElementsAre(MemorySpace::Global));
  EXPECT_THAT(SpacesAt("V.Table[n]"), IsEmpty());
  EXPECT_THAT(SpacesAt("Own[n]"), ElementsAre(MemorySpace::Local));
  EXPECT_THAT(SpacesAt("Either[t]"), ElementsAre(MemorySpace::Generic));
  EXPECT_THAT(SpacesAt("Global[t]"), ElementsAre(MemorySpace::Global));
  EXPECT_THAT(SpacesAt("Rows[3]"),
              ElementsAre(MemorySpace::Global, MemorySpace::Generic));
  EXPECT_THAT(SpacesAt("q = E[t]"), ElementsAre(MemorySpace::Global));
  EXPECT_THAT(SpacesAt("E[t] = q"), ElementsAre(MemorySpace::Global));
}

// nvcc's line table has the call for it (`.loc` of the st.local in its PTX),
// and the function for what it does with its copy.
TEST(CompiledRequests, WhatIsPassedByValueIsCopiedAtTheCall) {
  const Evaluated E = evaluate(R"(
struct Big { float F[16]; };
__device__ float pick(Big B, int i) {
  B.F[i & 15] += 1;
  return B.F[i * 7 & 15];
}
__device__ float twice(Big B, int i) {
  return B.F[i & 15] +
         pick(B, i); // inner call
}
__global__ void k(const Big *In, float *Out, const int *Index) {
  int t = threadIdx.x;
  Out[t] = twice(In[t], Index[t]); // outer call
}
)");
  EXPECT_THAT(E.all(MemorySpace::Local, AccessOp::Store, "inner call"),
              testing::Not(IsEmpty()));
  for (const Access &A : E.all(MemorySpace::Local, AccessOp::Store))
    EXPECT_NE(A.Where.Line, 7u) << toString(A);
  EXPECT_THAT(E.all(MemorySpace::Local, AccessOp::Store, "+= 1"), SizeIs(1));
  EXPECT_THAT(E.all(MemorySpace::Local, AccessOp::Load, "* 7"), SizeIs(1));
  EXPECT_THAT(E.all(MemorySpace::Global, AccessOp::Load, "outer call"),
              SizeIs(17));
}

// In each of 4 turns, which are written out, one store for both branches.
TEST(CompiledRequests, BranchesInALoopShareItsInstructions) {
  const std::vector<Access> All = loadsOf("for (int k = 0; k < 4; ++k) {\n"
                                          "  if (t < 32 * k)\n"
                                          "    x += s[2 * t + 512 * k];\n"
                                          "  else\n"
                                          "    x -= s[t + 512 * k];\n"
                                          "}",
                                          {loads(4, 4, 3)});
  double Wavefronts = 0;
  for (const Access &A : All) {
    ASSERT_TRUE(A.Executions && A.Predicted) << A.WhyNotCounted;
    EXPECT_EQ(A.Predicted->Lanes, 32);
    Wavefronts += *A.Executions * A.Predicted->PerRequest;
  }
  // 8 warps: k of them conflict 2-way in turn k.
  EXPECT_EQ(Wavefronts, 4 + (0 + 1 + 2 + 3) / 8.0);
}

// One array, and a constant between the branches: that is no member left out.
TEST(CompiledRequests, BranchesOnOneLineShareAnInstruction) {
  const std::vector<Access> All =
      loadsOf("x = t % 2 ? s[2 * t] : s[2 * t + 1024];", {loads(1, 4)});
  ASSERT_THAT(All, SizeIs(1));
  EXPECT_TRUE(costs(All[0], {.PerRequest = 2, .Ideal = 1}));
  EXPECT_EQ(All[0].Executions, 1);
}

// s[t] is loaded once, before what was a loop of 8 turns.
TEST(CompiledRequests, WhatNoTurnChangesIsOutsideOfAll) {
  const std::vector<Access> All =
      loadsOf("for (int k = 0; k < 8; ++k) x += s[t] * k;", {loads(1, 4)});
  ASSERT_THAT(All, SizeIs(1));
  EXPECT_EQ(All[0].Executions, 1);
}

// An instruction in no loop, and 8 turns of the source: it cannot be all.
TEST(CompiledRequests, NothingOutsideALoopHappensOften) {
  for (const Access &A :
       loadsOf("for (int k = 0; k < 8; ++k) x += s[t + k * n];", {loads(3, 4)}))
    if (A.Executions) {
      EXPECT_LE(*A.Executions, 3);
    }
}

// Of a[t][n] the pointer is global, and what it points to nobody knows.
TEST(CompiledCode, WhatIsLoadedThroughIsNotItsPointer) {
  MachineInstruction Pointer, Data;
  Pointer.Space = Data.Space = MemorySpace::Global;
  Pointer.Frames = Data.Frames = {{.File = "a.cu", .Line = 3}};
  Pointer.Bytes = 8;
  Data.Bytes = 4;
  WrittenAccess P{.Space = MemorySpace::Global,
                  .Bytes = 8,
                  .Frames = Pointer.Frames,
                  .Chain = 1};
  WrittenAccess D{.Bytes = 4, .Frames = Pointer.Frames, .Chain = 2};
  const CompiledKernel K = matchCompiled({P, D}, {Pointer, Data});
  ASSERT_THAT(K.Accesses[0].Parts, SizeIs(1));
  EXPECT_EQ(K.Accesses[0].Parts[0].Bytes, 8u);
  ASSERT_THAT(K.Accesses[1].Parts, SizeIs(1));
  EXPECT_EQ(K.Accesses[1].Parts[0].Bytes, 4u);
}

// Lanes 0 to 15 take one branch in the first turn, and the others the other one
// in the second: these are two requests of 16 lanes.
TEST(CompiledRequests, BranchesOfOtherTurnsAreOtherRequests) {
  const std::vector<Access> All =
      loadsOf("for (int i = 0; i < 2; ++i) {\n"
              "  if (t % 32 / 16 == i) {\n"
              "    float y; if (i & 1) y = s[2 * t]; else y = s[2 * t];\n"
              "    x += y;\n"
              "  }\n"
              "  __syncthreads();\n"
              "}",
              {loads(1, 4, 3, 1)});
  double Executions = 0;
  for (const Access &A : All) {
    ASSERT_TRUE(A.Predicted);
    EXPECT_EQ(A.Predicted->Lanes, 16);
    EXPECT_EQ(A.Predicted->PerRequest, 1);
    Executions += A.Executions.value_or(2);
  }
  EXPECT_EQ(Executions, 2);
}

// Turns 0 and 1 load the same words: twice.
TEST(CompiledRequests, EachTurnIsARequestOfItsOwn) {
  const std::vector<Access> All =
      loadsOf("for (int i = 0; i < 8; ++i) {\n"
              "  float y;\n"
              "  if (i & 1) y = s[t + i - 1]; else y = s[t + i];\n"
              "  x += y;\n"
              "}",
              {loads(1, 4, 3, 1)});
  double Executions = 0;
  for (const Access &A : All)
    Executions += A.Executions.value_or(8);
  EXPECT_EQ(Executions, 8);
}

// Before a loop and at the end of its turns: each lane does both.
TEST(CompiledRequests, BeforeALoopAndInItAreNoBranches) {
  for (const Access &A : loadsOf("float y = s[2 * t];\n"
                                 "for (int i = 0; i < 8; ++i) {\n"
                                 "  if (i > 0) x += y;\n"
                                 "  y = s[2 * t];\n"
                                 "}",
                                 {loads(1, 4, 1)})) {
    EXPECT_EQ(A.Executions.value_or(1), 1);
  }
}

// The distance is too large for the instruction: both have the constant 0.
TEST(CompiledRequests, FarNeighboursHaveAnInstructionEach) {
  const std::vector<Access> All =
      loadsOf("x = s[2 * t] + s[2 * t + 4096];", {loads(2, 4)});
  ASSERT_THAT(All, SizeIs(2));
  for (const Access &A : All)
    EXPECT_EQ(A.Executions, 1);
}

// s[2 * t] is loaded once; of the branches one has its value, and the other
// its own load, for its lanes.
TEST(CompiledRequests, ABranchWithAPredicateIsNotAll) {
  std::vector<MachineInstruction> Code = loads(2, 4);
  Code[1].Predicated = true;
  Code[1].AddressOffset = 16384;
  std::vector<double> Lanes;
  for (const Access &A :
       loadsOf("x = s[2 * t] + (t % 2 ? s[2 * t] * 3 : s[2 * t + 4096] * 5);",
               {Code})) {
    ASSERT_TRUE(A.Predicted);
    Lanes.push_back(A.Predicted->Lanes);
  }
  EXPECT_THAT(Lanes, testing::UnorderedElementsAre(16, 32));
}

/// Where a machine loop begins, what block is each turn's.
static std::vector<MachineInstruction>
inBlock(std::vector<MachineInstruction> Code, std::uint64_t Block,
        bool InEachTurn = true) {
  for (std::size_t I = 0; I != Code.size(); ++I) {
    Code[I].Block = Block;
    Code[I].Offset = Block + 16 * I;
    Code[I].IsInEachTurn = Code[I].IsInEachRun = InEachTurn;
  }
  return Code;
}

// One access, and two instructions of its line that each run makes: one of
// them is of something else.
TEST(CompiledRequests, MoreInstructionsThanItHappensAreNotAllIts) {
  const std::vector<Access> All =
      loadsOf("x = s[t];", {inBlock(loads(2, 4), 0)});
  ASSERT_THAT(All, SizeIs(1));
  EXPECT_EQ(All[0].Trust, Certainty::Assumed);
  EXPECT_FALSE(All[0].Executions);
}

// The source makes it in each run, the machine code behind a branch.
TEST(CompiledRequests, ABranchThatTheSourceHasNotIsAssumed) {
  for (const bool InEachRun : {false, true}) {
    const std::vector<Access> All =
        loadsOf("x = s[t];", {inBlock(loads(1, 4), 0, InEachRun)});
    ASSERT_THAT(All, SizeIs(1));
    EXPECT_EQ(All[0].Trust, InEachRun ? Certainty::Exact : Certainty::Assumed);
  }
}

// The source makes each turn of a loop, the machine code only behind a branch
// around it; or only some turns, of a loop in another one.
TEST(CompiledRequests, ALoopBehindABranchThatTheSourceHasNotIsAssumed) {
  for (const bool InEachRun : {false, true}) {
    std::vector<MachineInstruction> Loop = inBlock(loads(1, 4, 1, 1), 64);
    Loop[0].IsInEachRun = InEachRun;
    std::vector<Access> All =
        loadsOf("for (int i = 0; i < 5; ++i) x += s[t + 256 * i];", {Loop});
    ASSERT_THAT(All, SizeIs(1));
    EXPECT_EQ(All[0].Trust, InEachRun ? Certainty::Exact : Certainty::Assumed);
    Loop[0].IsInEachRun = true;
    Loop[0].IsInEachTurn = InEachRun;
    Loop[0].Loops = {64, 32};
    All = loadsOf("for (int j = 0; j < 9; ++j) for (int i = 0; i < 5; ++i) "
                  "x += s[t + 256 * i + 64 * j];",
                  {Loop});
    ASSERT_THAT(All, SizeIs(1));
    EXPECT_THAT(All[0].Assumptions.empty(), InEachRun);
  }
}

// Of 1000 / 300 turns, lanes from 100 on make one less. Of four turns at a time
// and a copy for the rest, that is another one for them.
TEST(CompiledRequests, ACopyForTheRestIsOfOtherTurnsForEachLane) {
  const std::vector<MachineInstruction> Four = loads(4, 4, 1, 1);
  std::vector<MachineInstruction> Rest = loads(1, 4, 1, 1);
  Rest[0].Loops = {0x800};
  const std::string FewerTurns = "make fewer turns";
  for (const char *Bound : {"1000; i += 300", "992; i += 256"}) {
    const std::string Loop =
        "for (int i = t; i < " + std::string(Bound) + ") x += s[i];";
    const bool IsByLane = Loop.find("300") != std::string::npos;
    for (const Access &A : loadsOf(Loop, {loads(1, 4, 1, 1)}))
      EXPECT_THAT(A.Assumptions, IsEmpty()) << Loop;
    for (const Access &A : loadsOf(Loop, {Four, Rest})) {
      if (IsByLane)
        EXPECT_THAT(A.Assumptions,
                    testing::Contains(testing::HasSubstr(FewerTurns)));
      else
        EXPECT_THAT(A.Assumptions, IsEmpty()) << Loop;
    }
  }
}

// Two floats of a struct in 5 turns: 4 in a copy that loads 8 bytes each turn,
// the last in one that loads 4 and 4.
TEST(CompiledRequests, CopiesOfALoopDifferInWidth) {
  std::vector<MachineInstruction> Wide = inBlock(loads(4, 8, 2, 1), 64);
  std::vector<MachineInstruction> Narrow = inBlock(loads(2, 4, 2, 1), 512);
  Narrow[0].Loops = Narrow[1].Loops = {512};
  for (MachineInstruction &I : Wide)
    I.Loops = {64};
  Narrow[1].AddressOffset = 4;
  std::vector<MachineInstruction> Whole = inBlock(loads(4, 4, 3, 1), 128);
  std::vector<MachineInstruction> Last = inBlock(loads(1, 4, 3, 1), 576);
  for (MachineInstruction &I : Whole)
    I.Loops = {64};
  Last[0].Loops = {512};
  double Wides = 0, Narrows = 0;
  for (const Access &A :
       loadsOf("for (int j = 0; j < 5; ++j) {\n"
               "x += s[2 * t + 64 * j] * s[2 * t + 64 * j + 1];\n"
               "x += s[t + j + 4096]; }",
               {Wide, Narrow, Whole, Last})) {
    if (A.Where.Line != FirstLine + 1)
      continue;
    ASSERT_TRUE(A.Executions) << A.WhyNotCounted;
    (A.Bytes == 8 ? Wides : Narrows) += *A.Executions;
  }
  EXPECT_EQ(Wides, 4);
  EXPECT_EQ(Narrows, 2);
}

// 16 turns read two rows: in words of 16 bytes, and no turn is one of the copy
// of the loop for what is left.
TEST(CompiledRequests, EachRowOfALoopHasItsWords) {
  std::vector<std::vector<MachineInstruction>> Code;
  for (const unsigned Line : {1, 2}) {
    std::vector<MachineInstruction> Wide = inBlock(loads(1, 16, Line, 1), 64);
    std::vector<MachineInstruction> Rest = inBlock(loads(1, 4, Line, 1), 512);
    Wide[0].Loops = {64};
    Rest[0].Loops = {512};
    Code.push_back(Wide);
    Code.push_back(Rest);
  }
  double Wides = 0, Rests = 0;
  for (const Access &A :
       loadsOf("for (int i = 0; i < 16; ++i) { x += s[16 * t + i];\n"
               "x += s[4096 + 16 * t + i]; }",
               {Code[0], Code[1], Code[2], Code[3]}))
    (A.Bytes == 16 ? Wides : Rests) += A.Executions.value_or(0);
  EXPECT_EQ(Wides, 8);
  EXPECT_EQ(Rests, 0);
}

// A line that has nothing of the kind, and nothing near it has.
TEST(CompiledRequests, AnInstructionOfNoAccessIsTold) {
  const std::vector<Access> All =
      loadsOf("x = s[t];", {loads(1, 4), loads(1, 16, 300)});
  ASSERT_THAT(All, SizeIs(2));
  EXPECT_EQ(ofBytes(All, 16).Trust, Certainty::Unknown);
  EXPECT_EQ(ofBytes(All, 16).Cause, UnknownCause::Unmatched);
}

// The two loops of the compiled code are those that turn 4 and 16 times: each
// word of 16 bytes is an instruction in each of 64 turns.
TEST(CompiledRequests, ALoopOfOneTurnIsNone) {
  const std::vector<Access> All =
      loadsOf("for (int b = 0; b < 4; ++b)\n"
              "  for (int w = 0; w < 1; ++w)\n"
              "    for (int d = 0; d < 16; ++d)\n"
              "      for (int i = 0; i < 8; ++i)\n"
              "        x += b * s[128 * d + 8 * (t % 16) + i];",
              {loads(2, 16, 5, 2)});
  ASSERT_THAT(All, SizeIs(1));
  EXPECT_EQ(All[0].Executions, 128);
}

// nvcc, which is given it so, calls by its absolute path what Clang does not.
TEST(CompiledRequests, AFileHasOneName) {
  std::vector<MachineInstruction> Unknown = loads(1, 16, 300);
  Unknown[0].Where.File = std::filesystem::absolute("kernel.cu").string();
  const std::vector<Access> All = loadsOf("x = s[t];", {loads(1, 4), Unknown});
  ASSERT_THAT(All, SizeIs(2));
  EXPECT_EQ(ofBytes(All, 16).Where.File, "kernel.cu");
  EXPECT_EQ(ofBytes(All, 4).Where.File, "kernel.cu");
}

// 8 bytes on the line of one access of 4: not that one's, it has no neighbour.
TEST(CompiledRequests, OneAccessIsNotWiderThanItself) {
  const std::vector<Access> All = loadsOf(
      "x = s[t];\nx += ((double *)s)[t + 512];", {loads(1, 4), loads(1, 8)});
  EXPECT_TRUE(costs(ofBytes(All, 8), {.PerRequest = 2, .Ideal = 2}));
  EXPECT_TRUE(costs(ofBytes(All, 4), {.PerRequest = 1, .Ideal = 1}));
}

// Of 8 warps each makes one turn more than the one before it. A loop that is
// written out four times makes as many as fit, the other the rest: that is
// (0+0+0+1+1+1+1+2) / 8 and (1+2+3+0+1+2+3+0) / 8 turns.
TEST(CompiledRequests, EachWarpHasItsCopiesOfALoop) {
  std::vector<MachineInstruction> Four = loads(4, 4, 1, 1), One = Four;
  for (std::size_t I = 0; I != Four.size(); ++I) {
    Four[I].Offset = 0x200 + 16 * I;
    Four[I].Block = 0x200;
    Four[I].IsInEachTurn = true;
  }
  One.resize(1);
  One[0].Loops = {0x800};
  One[0].Block = One[0].Offset = 0x800;
  One[0].IsInEachTurn = true;
  const std::vector<Access> All = loadsOf(
      "for (int i = 0; i <= t / 32; ++i) x += s[t + 256 * i];", {Four, One});
  ASSERT_THAT(All, SizeIs(1));
  EXPECT_EQ(All[0].Executions, 4.5);
  EXPECT_THAT(All[0].InstructionExecutions,
              testing::ElementsAre(0.75, 0.75, 0.75, 0.75, 1.5));
}

// In `if (n)`, a value that some lanes have is loaded by the others alone: the
// machine code says only that there is a branch. After a barrier nobody has it.
TEST(CompiledRequests, WhatSomeLanesHave) {
  for (const char *Address :
       {"s[8 * t]", "s[(t & 31) * 32 + (t >> 5)]", "s[(t & 15) * 32 + t / 2]"})
    for (const char *Between : {"", "__syncthreads();"}) {
      const std::string Load = std::string("x += ") + Address + ";";
      const std::vector<Access> All =
          loadsOf("if (n) {\nif (t < 40) G[t] = 1; else " + Load + "\n" +
                      Between + Load + "\n}",
                  {inBlock(loads(1, 4, 2), 0x100, false),
                   inBlock(loads(1, 4, 3), 0x200, false)});
      ASSERT_THAT(All, SizeIs(2)) << Address;
      for (const Access &A : All)
        EXPECT_THAT(A.Assumptions.empty(), *Between != 0) << Address;
    }
}

// A store to the array keeps a load in the loop.
TEST(CompiledRequests, WhatTheLoopWritesStaysInIt) {
  for (const char *Store : {"s[8 * t + i] = i;", "G[t + i] = i;"}) {
    const bool IsWritten = *Store == 's';
    const std::vector<Access> All =
        loadsOf(std::string("for (int i = 0; i < 5; ++i) {\n"
                            "x += s[8 * t];\nx += s[256 + t + 32 * i];\n") +
                    Store + "\n}",
                {inBlock(loads(1, 4, 2), 0x100, true),
                 inBlock(loads(1, 4, 3, 1), 0x200, true)});
    ASSERT_THAT(All, SizeIs(2)) << Store;
    EXPECT_THAT(All[0].Assumptions.empty(), !IsWritten);
    EXPECT_THAT(All[1].Assumptions, IsEmpty());
  }
}

// What was stored on some ways nobody has to load there, if the compiler knows
// that it is the same address.
TEST(CompiledRequests, WhatWasStoredOnSomeWays) {
  for (const char *Array : {"s", "G"}) {
    const std::vector<Access> All =
        loadsOf(std::string("if (n) {\nif (t < 40) ") + Array +
                    "[8 * t] = 1;\nx += s[3 * t];\n}",
                {inBlock(loads(1, 4, 3), 0x200, false)});
    ASSERT_THAT(All, SizeIs(1)) << Array;
    EXPECT_THAT(All[0].Assumptions.empty(), *Array == 'G');
  }
}

// The turns of a reduction, all written out: after a barrier nobody has a value
// of the turn before.
TEST(CompiledRequests, TheTurnsOfAReductionAreTheirOwn) {
  for (const char *Between : {"__syncthreads();", ""}) {
    const std::vector<Access> All =
        loadsOf(std::string("for (int i = 4; i > 0; i /= 2) {\n"
                            "if (t < i) x += s[t + i];\n") +
                    Between + "\n}",
                {inBlock(loads(1, 4, 2), 0x100, false),
                 inBlock(loads(1, 4, 2), 0x200, false),
                 inBlock(loads(1, 4, 2), 0x300, false)});
    for (const Access &A : All)
      EXPECT_THAT(A.Assumptions.empty(), *Between != 0) << Between;
    EXPECT_THAT(All, Not(IsEmpty()));
  }
}

// What one thread reads at the end of a reduction, in its branch: a loop before
// it is no condition of it.
TEST(CompiledRequests, ALoneThreadAfterALoop) {
  for (const bool HasOther : {false, true}) {
    const std::string Load =
        "if (t == 0) for (int i = 0; i < 4; ++i) x += s[3 + 32 * i];";
    const std::vector<Access> All = loadsOf(
        "for (int i = 0; i < n; ++i) x += G[i];\n" +
            (HasOther ? "if (n > 5) { G[t + 512] = 1; " + Load + " }" : Load),
        {inBlock(loads(4, 4, 2), 0x100, false)});
    ASSERT_THAT(All, SizeIs(1));
    EXPECT_THAT(All[0].Assumptions.empty(), !HasOther);
  }
}

} // namespace CompiledRequestsTests
