//===- tests/unit/analyzer/ir/ExpectedCodeTests.cpp - Without machine code ===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where the machine code is not known, only that is exact which a compiler can
/// not leave out, repeat or put together. What these kernels do was read from
/// the code that nvcc 13.0 makes of them.
///
//===----------------------------------------------------------------------===//

#include "Evaluation.h"

#include <gmock/gmock.h>

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

namespace cudalint::ExpectedCodeTests {

static Evaluated withBody(const std::string &Body) {
  return evaluate(R"(
__device__ float Global[8192];
__device__ __align__(16) float Aligned[8192];
__global__ void k(float *out, const float *in, int n) {
  __shared__ float A[1024], B[1024];
  int t = threadIdx.x;
  float sum = 0;
)" + Body + "\n  out[t] = sum; // END\n}\n",
                  {.Expected = true});
}

namespace {
struct AssumedRow {
  const char *Name, *Body; ///< The access that is asked for is on line HERE.
  AccessOp Op;
  const char *Assumption; ///< A part of it; empty: exact.
};

class OfExpectedCode : public testing::TestWithParam<AssumedRow> {};
} // namespace

TEST_P(OfExpectedCode, AssumesWhatCompilersMayDoOtherwise) {
  const AssumedRow &Row = GetParam();
  const Evaluated E = withBody(Row.Body);
  for (const Access &A : E.all(MemorySpace::Shared, Row.Op, "HERE"))
    if (*Row.Assumption) {
      EXPECT_EQ(A.Trust, Certainty::Assumed) << Row.Body;
      EXPECT_THAT(A.Assumptions, Contains(HasSubstr(Row.Assumption)));
    } else {
      EXPECT_EQ(A.Trust, Certainty::Exact) << Row.Body;
      EXPECT_THAT(A.Assumptions, IsEmpty());
    }
  EXPECT_FALSE(E.all(MemorySpace::Shared, Row.Op, "HERE").empty());
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, OfExpectedCode,
    testing::Values(
        AssumedRow{"Once",
                   "A[t] = in[t]; // HERE\n__syncthreads();\nsum = A[t ^ 1];",
                   AccessOp::Store, ""},
        AssumedRow{"OnceRead",
                   "A[t] = in[t];\n__syncthreads();\nsum = A[t ^ 1]; // HERE",
                   AccessOp::Load, "where the code has it"},
        // Nothing is stored in the loop: it is loaded once, before it.
        AssumedRow{"Invariant",
                   "A[t] = in[t];\n__syncthreads();\n"
                   "for (int i = 0; i < n; ++i) sum += A[t ^ 1] * i; // HERE",
                   AccessOp::Load, "once whose address stays"},
        // Unsigned arithmetic may overflow, and what indexes is an int.
        AssumedRow{"TurnsOfAConvertedIndex",
                   "for (int i = 0; i < 4; ++i) { int at = (unsigned)n + i + "
                   "t * 4; A[at] = in[t + i * 32]; } // HERE\n"
                   "__syncthreads();\nsum = A[t ^ 1];",
                   AccessOp::Store, "several turns of a loop"},
        AssumedRow{"Twice",
                   "A[t] = in[t];\n__syncthreads();\n"
                   "sum = A[t ^ 1]; // HERE\nif (n) sum *= A[t ^ 1];",
                   AccessOp::Load, "of the same bytes"},
        // One load of what was chosen.
        AssumedRow{"Alternatives",
                   "A[t] = B[t] = in[t];\n__syncthreads();\n"
                   "if (in[t] > 0) sum = A[t ^ 1]; // HERE\n"
                   "else sum = A[t ^ 2];",
                   AccessOp::Load, "of several branches"},
        // Of 1000 / 300 turns, lanes from 100 on make one less: where they are
        // unrolled, those are not made together.
        AssumedRow{"TurnsByLane",
                   "for (int i = t; i < 1000; i += 300) A[i] = 1; // HERE\n"
                   "__syncthreads();\nsum = A[t ^ 1];",
                   AccessOp::Store, "fewer turns"},
        AssumedRow{"TurnsByWarp",
                   "for (int i = t; i < 992; i += 256) A[i] = 1; // HERE\n"
                   "__syncthreads();\nsum = A[t ^ 1];",
                   AccessOp::Store, ""},
        AssumedRow{"VolatileIsWhatItIs",
                   "volatile float *v = A;\n"
                   "for (int i = 0; i < n; ++i) v[t] = i; // HERE",
                   AccessOp::Store, ""}),
    [](const testing::TestParamInfo<AssumedRow> &Info) {
      return Info.param.Name;
    });

// The byte behind the last that a pointer can be moved to has no number.
TEST(ExpectedCode, HugeOffsets) {
  for (const char *Offset :
       {"0x7fffffffffffffffLL", "(-0x7fffffffffffffffLL - 1)"}) {
    const std::string Load = std::string("p[") + Offset + " + t]";
    const Access A = evaluate("__global__ void k(char *o, const char *p) {\n"
                              "  int t = threadIdx.x;\n"
                              "  char sum = " +
                                  Load +
                                  "; // HERE\n"
                                  "  if (sum > 7) sum *= " +
                                  Load + ";\n  o[t] = sum;\n}\n",
                              {.Expected = true})
                         .globalLoad("HERE");
    EXPECT_THAT(A.Assumptions, Contains(HasSubstr("of the same bytes")));
  }
}

// Of what a store of another type may have written, nvcc knows no value.
TEST(ExpectedCode, WhatIsInARegisterIsNotLoadedAgain) {
  for (const char *Body :
       {"A[t] = in[t];\nsum = A[t]; // HERE\n__syncthreads();\nsum += A[n];",
        "if (in[t] > 0)\n  sum = in[t]; // HERE",
        "sum = in[t];\nif (n) out[n] = sum * in[t]; // HERE"}) {
    const Evaluated E = withBody(Body);
    EXPECT_THAT(E.all(MemorySpace::Shared, AccessOp::Load, "HERE"), IsEmpty());
    EXPECT_THAT(E.all(MemorySpace::Global, AccessOp::Load, "HERE"), IsEmpty());
    ASSERT_THAT(E.Removed, SizeIs(1)) << Body;
    EXPECT_THAT(E.Removed[0].Why, HasSubstr("in a register"));
  }
  for (const char *Body :
       {"sum = in[t];\nout[n] = 1;\nsum += in[t]; // HERE",
        "sum = in[t];\n*(int *)(out + n) = 1;\nsum += in[t]; // HERE",
        "sum = in[t];\n__syncthreads();\nsum += in[t]; // HERE"})
    EXPECT_THAT(withBody(Body).all(MemorySpace::Global, AccessOp::Load, "HERE"),
                SizeIs(1))
        << Body;
}

// Of a vector, one part that is in a register is not all of it.
TEST(ExpectedCode, PartOfAVectorIsInARegister) {
  const std::string Vector = "*(const float4 *)(in + 4 * t)";
  const std::string Use = "sum += v.x * v.y * v.z * v.w;";
  for (const char *Part : {"4 * t", "4 * t + 1", "4 * t + 3"}) {
    const Evaluated E =
        withBody("sum = in[" + std::string(Part) + "];\nfloat4 v = " + Vector +
                 "; // HERE\n" + Use);
    const Access A = E.globalLoad("HERE");
    EXPECT_EQ(A.Bytes, 16u) << Part;
    EXPECT_THAT(E.Removed, IsEmpty()) << Part;
  }
  const Evaluated E =
      withBody("float4 w = " + Vector + ";\nsum = w.x * w.y * w.z * w.w;\n" +
               "float4 v = " + Vector + "; // HERE\n" + Use);
  EXPECT_THAT(E.all(MemorySpace::Global, AccessOp::Load, "HERE"), IsEmpty());
  EXPECT_THAT(E.Removed, SizeIs(1));
}

// As nvcc 13.0 does with each of these loops.
TEST(ExpectedCode, WhatStaysInALoopIsLoadedOnce) {
  const auto executions = [](const std::string &Parameters,
                             const std::string &Turn) {
    return evaluate("__global__ void k(" + Parameters + R"() {
  __shared__ float A[1024], B[1024];
  int t = threadIdx.x;
  float sum = 0;
  A[t] = in[t + n];
  B[t] = in[t + 2 * n];
  __syncthreads();
  for (int i = 0; i < 8; ++i) {
    )" + Turn + R"(
  }
  out[t] = sum + B[t ^ 3] + A[t ^ 5];
})",
                    {.Expected = true})
        .only(Turn.find("A[") == std::string::npos ? MemorySpace::Global
                                                   : MemorySpace::Shared,
              AccessOp::Load, "HERE")
        .Executions;
  };
  const std::string Plain = "float *out, const float *in, int n";
  const std::string Restricted =
      "float *__restrict__ out, const float *__restrict__ in, int n";
  const std::string Load = "sum += in[t] * i; // HERE\n",
                    OfShared = "sum += A[t ^ 1] * i; // HERE\n";
  for (const std::string &After :
       {"", "B[i] = sum;", "atomicAdd(&B[i], 1.0f);"}) {
    EXPECT_EQ(executions(Plain, Load + After), 1) << After;
    EXPECT_EQ(executions(Plain, OfShared + After), 1) << After;
  }
  for (const std::string &After :
       {"out[i] = sum;", "atomicAdd(out + i, 1.0f);", "__syncthreads();"}) {
    EXPECT_EQ(executions(Restricted, Load + After), 1) << After;
    EXPECT_EQ(executions(Plain, Load + After), 8) << After;
    EXPECT_EQ(executions(Plain, OfShared + After),
              After == "__syncthreads();" ? 8 : 1)
        << After;
  }
  EXPECT_EQ(executions(Plain, "for (int j = 0; j < 4; ++j) " + Load), 1);
  EXPECT_EQ(executions(Plain, "for (int j = 0; j < 4; ++j) sum += in[t + 32 * "
                              "i] * j; // HERE\n"),
            8);
}

TEST(ExpectedCode, WhatNobodyReadsIsNotWritten) {
  const Evaluated E =
      withBody("A[t] = in[t]; // HERE\nB[t] = 1; // READ\n__syncthreads();\n"
               "sum = B[t ^ 1];");
  EXPECT_THAT(E.all(MemorySpace::Shared, AccessOp::Store, "HERE"), IsEmpty());
  EXPECT_THAT(E.all(MemorySpace::Shared, AccessOp::Store, "READ"), SizeIs(1));
  ASSERT_THAT(E.Removed, SizeIs(1));
  EXPECT_EQ(E.Removed[0].Why, "nothing reads what it writes");
}

TEST(ExpectedCode, WhatNobodyWritesIsNotRead) {
  const Evaluated E = withBody("sum = A[t]; // HERE");
  EXPECT_THAT(E.all(MemorySpace::Shared, AccessOp::Load), IsEmpty());
  ASSERT_THAT(E.Removed, SizeIs(1));
  EXPECT_EQ(E.Removed[0].Why, "nothing writes what it reads");
}

// A function that is not seen, an atomic, and a copy of the address may.
TEST(ExpectedCode, WhoeverHasTheAddressMayReadIt) {
  for (const char *Body :
       {"A[t] = in[t]; // HERE\natomicAdd(&A[t], 1.0f);",
        "A[t] = in[t]; // HERE\n*(float **)(out + 2 * t) = A;",
        "A[t] = in[t]; // HERE\nfloat *p = n ? A : B;\nsum = p[t ^ 1];"})
    EXPECT_THAT(
        withBody(Body).all(MemorySpace::Shared, AccessOp::Store, "HERE"),
        SizeIs(1))
        << Body;
}

// Other files of the program may read what is not static.
TEST(ExpectedCode, GlobalVariablesAreWritten) {
  EXPECT_THAT(withBody("Global[t] = in[t]; // HERE")
                  .all(MemorySpace::Global, AccessOp::Store, "HERE"),
              SizeIs(1));
}

// nvcc 13.0 makes two LDS.128 of the eight turns.
TEST(ExpectedCode, NeighbouringTurnsBecomeOneLoad) {
  const std::string Fill = "A[t] = in[t];\n__syncthreads();\n";
  const std::string Sum = "for (int i = 0; i < 8; ++i) sum += ";
  const auto only = [&](const std::string &Body) {
    return withBody(Fill + Body)
        .only(MemorySpace::Shared, AccessOp::Load, "HERE");
  };
  const Access Whole = only(Sum + "A[(t & 31) * 8 + i] * i; // HERE");
  EXPECT_EQ(Whole.Bytes, 16u);
  EXPECT_EQ(Whole.Executions, 2);
  EXPECT_THAT(Whole.Assumptions, Contains(HasSubstr("neighbouring turns")));
  // Registers of the lane are no shared memory.
  EXPECT_EQ(only("float r[8];\nfor (int i = 0; i < 8; ++i) "
                 "r[i] = A[(t & 31) * 8 + i]; // HERE\n" +
                 Sum + "r[i] * i;")
                .Bytes,
            16u);
  // Eight bytes are aligned; six turns; seven words apart.
  EXPECT_EQ(only(Sum + "A[(t & 31) * 10 + i] * i; // HERE").Bytes, 8u);
  EXPECT_EQ(only("for (int i = 0; i < 6; ++i) "
                 "sum += A[(t & 31) * 8 + i] * i; // HERE")
                .Bytes,
            8u);
  EXPECT_EQ(only(Sum + "A[(t & 31) * 7 + i] * i; // HERE").Bytes, 4u);
  // What stays a loop, has a barrier, or is written in between.
  for (const std::string &Body : std::vector<std::string>{
           "#pragma unroll 1\n" + Sum + "A[(t & 31) * 8 + i] * i; // HERE",
           "for (int i = 0; i < 8; ++i) { __syncthreads();\n"
           "sum += A[(t & 31) * 8 + i] * i; } // HERE",
           "for (int i = 0; i < n; ++i) sum += A[(t & 31) * 8 + i] * i; // "
           "HERE"})
    EXPECT_EQ(only(Body).Bytes, 4u) << Body;
  EXPECT_EQ(withBody(Fill + "for (int i = 0; i < 8; ++i) {\n"
                            "sum += A[(t & 31) * 8 + i]; // HERE\n"
                            "B[t] = sum; }")
                .only(MemorySpace::Shared, AccessOp::Load, "HERE")
                .Bytes,
            4u);
  const auto ofGlobal = [&](const std::string &To) {
    return withBody(Fill +
                    "for (int i = 0; i < 8; ++i) {\n"
                    "sum += Aligned[(t & 31) * 8 + i]; // HERE\n" +
                    To + " = sum; }")
        .only(MemorySpace::Global, AccessOp::Load, "HERE")
        .Bytes;
  };
  EXPECT_EQ(ofGlobal("B[t]"), 16u);
  EXPECT_EQ(ofGlobal("out[t + i * 32]"), 4u);
}

// nvcc 13.0 makes no vectors of more than four elements, nor any of bytes that
// no struct holds.
TEST(ExpectedCode, VectorsHaveFourElements) {
  const auto bytesOf = [](const std::string &Type, const std::string &Index) {
    return withBody("__shared__ " + Type +
                    " s[4096];\ns[t] = in[t];\n"
                    "__syncthreads();\n"
                    "for (int i = 0; i < 8; ++i) sum += s[" +
                    Index + "]; // HERE\n")
        .only(MemorySpace::Shared, AccessOp::Load, "HERE")
        .Bytes;
  };
  EXPECT_EQ(bytesOf("short", "t * 8 + i"), 8u);
  EXPECT_EQ(bytesOf("double", "t * 8 + i"), 16u);
  EXPECT_EQ(bytesOf("unsigned char", "t * 8 + i"), 1u);
}

// Of four words of which one is not asked for, nvcc 13.0 loads all, if the
// first is; it stores none that nobody wrote.
TEST(ExpectedCode, LoadsOneWordMoreThanIsAskedFor) {
  const auto bytesOf = [](const std::string &Sum) {
    const Evaluated E = withBody("const float4 *p = (const float4 *)Global;\n"
                                 "sum = " +
                                 Sum + "; // HERE");
    std::vector<unsigned> Bytes;
    for (const Access &A : E.all(MemorySpace::Global, AccessOp::Load, "HERE"))
      Bytes.push_back(A.Bytes);
    return Bytes;
  };
  EXPECT_THAT(bytesOf("p[t].x + p[t].y * p[t].z"), ElementsAre(16u));
  EXPECT_THAT(bytesOf("p[t].x + p[t].y * p[t].w"), ElementsAre(16u));
  EXPECT_THAT(bytesOf("p[t].x + p[t].z * p[t].w"), ElementsAre(16u));
  EXPECT_THAT(bytesOf("p[t].y + p[t].z * p[t].w"),
              UnorderedElementsAre(4u, 8u));
  EXPECT_THAT(bytesOf("p[t].x + p[t].z"), ElementsAre(4u, 4u));
  const Evaluated E = withBody("float4 *p = (float4 *)Global;\n"
                               "p[t].x = n; p[t].y = t; p[t].z = 3; // HERE");
  EXPECT_THAT(E.all(MemorySpace::Global, AccessOp::Store, "HERE"), SizeIs(2));
}

// nvcc 13.0 makes a REDUX, or a vote, and one lane's ATOMS of them; not of sums
// of floats, or of addresses that lanes do not share.
TEST(ExpectedCode, WhatLanesAddUpIsOneLanes) {
  const auto lanes = [&](const std::string &Body) {
    return withBody("__shared__ int C, D[32];\nif (t < 32) D[t] = C = 0;\n"
                    "__syncthreads();\n" +
                    Body + "\n__syncthreads();\nsum = C + D[t & 31];")
        .only(MemorySpace::Shared, AccessOp::Atomic, "HERE")
        .Predicted->Lanes;
  };
  EXPECT_EQ(lanes("atomicAdd(&C, t); // HERE"), 1);
  EXPECT_EQ(lanes("atomicMax(&C, n + t); // HERE"), 1);
  EXPECT_EQ(lanes("atomicAdd(&D[t & 31], t); // HERE"), 32);
}

TEST(ExpectedCode, ArraysThatOnlyLoopsIndexAreInRegisters) {
  const Evaluated E =
      withBody("float r[8];\n"
               "for (int i = 0; i < 8; ++i) r[i] = in[t + 32 * i];\n"
               "for (int i = 0; i < 8; ++i) sum += r[i] * i;\n");
  EXPECT_THAT(E.all(MemorySpace::Local, AccessOp::Store), IsEmpty());
  EXPECT_THAT(E.all(MemorySpace::Local, AccessOp::Load), IsEmpty());
}

// Whatever loops there are in which the index does not change.
TEST(ExpectedCode, SumsOfATileAreInRegisters) {
  const Evaluated E =
      withBody("float r[4][4] = {};\n"
               "for (int k = 0; k < n; ++k)\n"
               "  for (int i = 0; i < 4; ++i)\n"
               "    for (int j = 0; j < 4; ++j) r[i][j] += in[k * n + i * j];\n"
               "for (int i = 0; i < 4; ++i)\n"
               "  for (int j = 0; j < 4; ++j) sum += r[i][j];\n");
  EXPECT_THAT(E.all(MemorySpace::Local, AccessOp::Store), IsEmpty());
  EXPECT_THAT(E.all(MemorySpace::Local, AccessOp::Load), IsEmpty());
  const Evaluated Long =
      withBody("float r[512];\n"
               "for (int i = 0; i < 512; ++i) r[i] = in[t + 32 * i];\n"
               "for (int i = 0; i < 512; ++i) sum += r[i] * r[511 - i];\n");
  EXPECT_THAT(Long.all(MemorySpace::Local, AccessOp::Store), SizeIs(1));
}

// nvcc 13.0 makes 8 STL.128 and 8 LDL.128 of the loops.
TEST(ExpectedCode, ArraysThatAPointerMayBeIntoAreInMemory) {
  const Evaluated E =
      withBody("float r[16], q[16];\n"
               "for (int i = 0; i < 16; ++i) r[i] = q[i] = in[i * n]; // SET\n"
               "float *p = n & 1 ? r : q;\np[n & 15] = 1;\n"
               "for (int i = 0; i < 16; ++i) sum += r[i] + q[i];\n");
  EXPECT_THAT(E.all(MemorySpace::Local, AccessOp::Store, "SET"), SizeIs(2));
}

TEST(ExpectedCode, ArraysThatTheDataIndexesAreAssumedToBeInMemory) {
  const Evaluated E =
      withBody("float r[8];\n"
               "for (int i = 0; i < 8; ++i) r[i] = in[t + 32 * i]; // SET\n"
               "sum = r[n & 7]; // GET\n");
  for (const Access &A : {E.only(MemorySpace::Local, AccessOp::Store, "SET"),
                          E.only(MemorySpace::Local, AccessOp::Load, "GET")})
    EXPECT_THAT(A.Assumptions, Contains(HasSubstr("in memory")));
}

} // namespace cudalint::ExpectedCodeTests
