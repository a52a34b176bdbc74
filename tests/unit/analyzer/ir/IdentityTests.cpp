//===- tests/unit/analyzer/ir/IdentityTests.cpp - Nothing gets lost -------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Every load and store of the source is an access of its own line and width,
/// whatever LLVM's passes make of the code: they merge, split, hoist, sink,
/// widen and drop each of these.
///
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Evaluation.h"

#include <gmock/gmock.h>

namespace IdentityTests {

using namespace cudalint;
using testing::UnorderedElementsAre;

namespace {
struct Written {
  unsigned Line;
  AccessOp Op;
  unsigned Bytes;
  bool operator==(const Written &) const = default;
};
std::ostream &operator<<(std::ostream &S, const Written &W) {
  return S << "line " << W.Line
           << (W.Op == AccessOp::Load ? " load " : " store ") << W.Bytes;
}
} // namespace

static constexpr auto Load = AccessOp::Load;
static constexpr auto Store = AccessOp::Store;

/// The body begins in line 4.
static std::vector<Written> accessesOf(const std::string &Body) {
  const Evaluated E = evaluate("struct S { float x, y, z, w; };\n"
                               "__global__ void k(float *p, float4 *q, S *s, "
                               "int n) {\n"
                               "int t = threadIdx.x;\n" +
                               Body + "\n}\n");
  std::vector<Written> Found;
  for (const Access &A : E.Kernel.Accesses)
    Found.push_back({A.Where.Line, A.Op, A.Bytes});
  return Found;
}

// What early common-subexpression elimination and GVN would make one.
TEST(Identity, TheSameElementTwice) {
  EXPECT_THAT(accessesOf("float a = p[t];\n"
                         "float b = p[t];\n"
                         "p[t + 64] = a + b;"),
              UnorderedElementsAre(Written{4, Load, 4}, Written{5, Load, 4},
                                   Written{6, Store, 4}));
}

// What SimplifyCFG would hoist out of both branches, or sink behind them.
TEST(Identity, BothBranches) {
  EXPECT_THAT(accessesOf("if (t < n)\n"
                         "p[t] = 1;\n"
                         "else\n"
                         "p[t] = 2;\n"
                         "float a = n > 7\n"
                         "? p[t + 1]\n"
                         ": p[t + 2];\n"
                         "p[t + 3] = a;"),
              UnorderedElementsAre(Written{5, Store, 4}, Written{7, Store, 4},
                                   Written{9, Load, 4}, Written{10, Load, 4},
                                   Written{11, Store, 4}));
}

// A chain of ifs, whose stores would become one.
TEST(Identity, AChainOfIfs) {
  EXPECT_THAT(accessesOf("if (n & 1)\n"
                         "p[t] = 1;\n"
                         "if (n & 2)\n"
                         "p[t] = 2;"),
              UnorderedElementsAre(Written{5, Store, 4}, Written{7, Store, 4}));
}

// What LICM would move out of the loop, and store behind it.
TEST(Identity, WhatALoopDoesNotChange) {
  const std::vector<Written> Found = accessesOf("for (int k = 0; k < n; ++k)\n"
                                                "p[t] +=\n"
                                                "p[n];");
  EXPECT_THAT(Found,
              UnorderedElementsAre(Written{5, Load, 4}, Written{5, Store, 4},
                                   Written{6, Load, 4}));
}

// What InstCombine and SROA would split, and the vectorizer widen.
TEST(Identity, OneComponentOfAVector) {
  EXPECT_THAT(
      accessesOf("float4 v = q[t];\n"
                 "v.w *= 0.5f;\n"
                 "q[t] = v;"),
      UnorderedElementsAre(Written{4, Load, 16}, Written{6, Store, 16}));
}
TEST(Identity, ComponentsOneByOne) {
  EXPECT_THAT(accessesOf("p[t] = q[t].x +\n"
                         "q[t].y +\n"
                         "q[t].w;"),
              UnorderedElementsAre(Written{4, Store, 4}, Written{4, Load, 4},
                                   Written{5, Load, 4}, Written{6, Load, 4}));
}
TEST(Identity, AStructOfWords) {
  // Its type promises 4 bytes, so it is copied in four.
  EXPECT_THAT(accessesOf("S v = s[t];\n"
                         "p[t] = v.x + v.z;"),
              UnorderedElementsAre(Written{4, Load, 4}, Written{4, Load, 4},
                                   Written{4, Load, 4}, Written{4, Load, 4},
                                   Written{5, Store, 4}));
}

// What nobody needs is written all the same; the compiler may drop it.
TEST(Identity, WhatNobodyNeeds) {
  EXPECT_THAT(accessesOf("float a = p[t];\n"
                         "p[t] = 1;\n"
                         "p[t] = 2;"),
              UnorderedElementsAre(Written{4, Load, 4}, Written{5, Store, 4},
                                   Written{6, Store, 4}));
}

// Variables of the thread are in registers, also behind references, in structs
// that hold pointers to them, and in arrays that loops do not index.
TEST(Identity, PrivateVariablesAreNoAccesses) {
  EXPECT_THAT(accessesOf("struct Cursor { float *at; float sum; } c;\n"
                         "float own = n, two[2] = {1, 2};\n"
                         "c.at = &own; c.sum = two[1];\n"
                         "auto add = [&](float &to) { to += *c.at; };\n"
                         "add(c.sum);\n"
                         "p[t] = c.sum;"),
              UnorderedElementsAre(Written{9, Store, 4}));
}

// Dead code is no access: nvcc does not compile it, either.
TEST(Identity, DeadCode) {
  EXPECT_THAT(accessesOf("if (sizeof(int) == 8)\n"
                         "p[t] = 1;\n"
                         "p[t] = 2;"),
              UnorderedElementsAre(Written{6, Store, 4}));
}

// Atomics that are alike in both branches are two, with their own lines.
TEST(Identity, AtomicsInBothBranches) {
  EXPECT_THAT(accessesOf("int *c = reinterpret_cast<int *>(p);\n"
                         "if (n > 3)\n"
                         "atomicAdd(c, 1);\n"
                         "else\n"
                         "atomicAdd(c, 1);"),
              UnorderedElementsAre(Written{6, AccessOp::Atomic, 4},
                                   Written{8, AccessOp::Atomic, 4}));
}

// Between two tests of one condition an atomic would be copied to where the
// condition is known.
TEST(Identity, AnAtomicBetweenConditions) {
  EXPECT_THAT(accessesOf("int *c = reinterpret_cast<int *>(p);\n"
                         "bool is = n > 4;\n"
                         "if (is)\n"
                         "p[1] = 1;\n"
                         "atomicAdd(c, 1);\n"
                         "if (is)\n"
                         "p[2] = 1;"),
              UnorderedElementsAre(Written{7, Store, 4},
                                   Written{8, AccessOp::Atomic, 4},
                                   Written{10, Store, 4}));
}

} // namespace IdentityTests
