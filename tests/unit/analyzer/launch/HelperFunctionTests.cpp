//===- tests/unit/analyzer/launch/HelperFunctionTests.cpp - Tests ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/launch/ExtractionHelper.h"

#include <gmock/gmock.h>

using testing::ElementsAre;

namespace cudalint::test::HelperFunctionTests {

using Shapes = std::vector<std::string>;

TEST(HelperFunction, DivideUp) {
  EXPECT_EQ(shapes(extract(R"(
    int iDivUp(int a, int b) { return (a % b != 0) ? (a / b + 1) : (a / b); }
    template <class T> constexpr T roundUp(T n, T m) { return (n + m - 1) / m; }
    __global__ void a(int) {}
    int main() {
      a<<<iDivUp(1000, 256), 256>>>(0);
      a<<<roundUp(1000, 300), 300>>>(0);
    })")),
            (Shapes{"4,1,1|256,1,1", "4,1,1|300,1,1"}));
}

TEST(HelperFunction, NextPowerOfTwo) {
  EXPECT_EQ(blocks(extract(R"(
    unsigned nextPow2(unsigned x) {
      --x; x |= x >> 1; x |= x >> 2; x |= x >> 4; x |= x >> 8; x |= x >> 16;
      return ++x;
    }
    __global__ void a(int) {}
    int main() {
      int n = 100, max = 256;
      int threads = (n < max * 2) ? nextPow2((n + 1) / 2) : max;
      a<<<1, threads>>>(0);
    })")),
            Shapes{"64,1,1"}); // (100 + 1) / 2 = 50, rounded up to 64.
}

TEST(HelperFunction, ReturnsADim3) {
  EXPECT_EQ(blocks(extract(R"(
    dim3 make(int n) { if (n > 64) return dim3(32, 4); return dim3(n); }
    __global__ void a(int) {}
    int main() { a<<<1, make(100)>>>(0); a<<<1, make(48)>>>(0); })")),
            (Shapes{"32,4,1", "48,1,1"}));
}

TEST(HelperFunction, ParameterFromEachCaller) {
  EXPECT_EQ(blocks(extract(R"(
    __global__ void a(int) {}
    void run(int threads) { a<<<1, threads>>>(0); }
    int main() { run(128); run(64); })")),
            (Shapes{"64,1,1", "128,1,1"}));
}

TEST(HelperFunction, SameShapeFromTwoCallersIsOne) {
  EXPECT_EQ(blocks(extract(R"(
    __global__ void a(int) {}
    void run(int threads) { a<<<1, threads>>>(0); }
    int main() { run(128); run(128); })")),
            Shapes{"128,1,1"});
}

TEST(HelperFunction, NestedCalls) {
  EXPECT_EQ(shapes(extract(R"(
    __global__ void a(int) {}
    void inner(dim3 g, const dim3 &t) { a<<<g, t>>>(0); }
    void outer(int n, int t = 32) { inner((n + t - 1) / t, dim3(t, 2)); }
    int main() { outer(100); })")),
            Shapes{"4,1,1|32,2,1"});
}

TEST(HelperFunction, NotCalledHere) {
  LaunchFacts Facts = extract(R"(
    __global__ void a(int) {}
    void run(int threads) { a<<<1, threads>>>(0); })");
  EXPECT_EQ(blocks(Facts), Shapes{"?,1,1"});
  EXPECT_THAT(Facts.Launches.at(0).Unknown,
              ElementsAre("block.x depends on 'threads'"));
}

TEST(HelperFunction, KernelAsParameter) {
  LaunchFacts Facts = extract(R"(
    __global__ void a(int) {}
    __global__ void b(int) {}
    template <class K> void run(K kernel, int t) { kernel<<<1, t>>>(0); }
    int main() { run(a, 32); run(b, 64); })");
  ASSERT_EQ(Facts.Launches.size(), 2U);
  EXPECT_EQ(Facts.Launches[0].Kernel, "_Z1ai");
  EXPECT_EQ(Facts.Launches[1].Kernel, "_Z1bi");
  EXPECT_EQ(blocks(Facts), (Shapes{"32,1,1", "64,1,1"}));
}

TEST(HelperFunction, TemplateArguments) {
  LaunchFacts Facts = extract(R"(
    template <class T, int N> __global__ void k(T *) {}
    template <class T, int N> void run(T *p) { k<T, N><<<1, N * 2>>>(p); }
    int main() { run<float, 64>(nullptr); run<int, 16>(nullptr); })");
  ASSERT_EQ(Facts.Launches.size(), 2U);
  EXPECT_EQ(Facts.Launches[0].KernelAsWritten, "k<float, 64>");
  EXPECT_EQ(Facts.Launches[1].KernelAsWritten, "k<int, 16>");
  EXPECT_EQ(Facts.Launches[1].Kernel, "_Z1kIiLi16EEvPT_");
  EXPECT_EQ(blocks(Facts), (Shapes{"128,1,1", "32,1,1"}));
}

TEST(HelperFunction, TemplateThatIsNotInstantiated) {
  EXPECT_TRUE(extract(R"(
    __global__ void a(int) {}
    template <int N> void run() { a<<<1, N>>>(0); })")
                  .Launches.empty());
}

TEST(HelperFunction, ReferenceParameterIsSet) {
  EXPECT_EQ(shapes(extract(R"(
    void choose(int n, int &blocks, int *threads) {
      *threads = 64; blocks = n / *threads;
    }
    __global__ void a(int) {}
    int main() { int g = 0, t = 0; choose(640, g, &t); a<<<g, t>>>(0); })")),
            Shapes{"10,1,1|64,1,1"});
}

TEST(HelperFunction, FunctionOutOfSight) {
  EXPECT_EQ(blocks(extract(R"(
    void choose(int &threads);
    void look(const int &threads);
    int threadsFor(int);
    __global__ void a(int) {}
    int main() {
      int t = 64, u = 32, v = 16;
      look(u); a<<<1, u>>>(0);
      choose(t); a<<<1, dim3(t, v)>>>(0);
      a<<<1, threadsFor(3)>>>(0);
    })")),
            (Shapes{"32,1,1", "?,16,1", "?,1,1"}));
}

TEST(HelperFunction, RecursionEnds) {
  EXPECT_EQ(blocks(extract(R"(
    __global__ void a(int) {}
    void run(int t) { a<<<1, t>>>(0); if (t > 32) run(t / 2); }
    int main() { run(128); })")),
            // The inner calls are not followed: there is more than the 128.
            (Shapes{"?,1,1", "128,1,1"}));
}

TEST(HelperFunction, MutualRecursionWithoutRoot) {
  EXPECT_EQ(blocks(extract(R"(
    __global__ void a(int) {}
    void pong(int t);
    void ping(int t) { a<<<1, 32>>>(0); pong(t); }
    void pong(int t) { a<<<1, t>>>(0); ping(t); })")),
            (Shapes{"32,1,1", "?,1,1"}));
}

TEST(HelperFunction, Lambda) {
  EXPECT_EQ(blocks(extract(R"(
    __global__ void a(int) {}
    template <class F> void repeat(int n, F f) { for (int i = 0; i < n; i++) f(); }
    int main() {
      int t = 64; dim3 d(8, 8);
      auto launch = [&](int y) { a<<<1, dim3(t, y)>>>(0); };
      launch(2);
      t = 32;
      launch(4);
      repeat(100, [=] { a<<<1, d>>>(0); });
    })")),
            (Shapes{"32,4,1", "64,2,1", "8,8,1"}));
}

TEST(HelperFunction, LambdaThatIsCalledLater) {
  EXPECT_EQ(blocks(extract(R"(
    __global__ void a(int) {}
    int main() {
      int t = 64, u = 32;
      std::call_later([&] { a<<<1, t>>>(0); });
      std::call_later([=] { a<<<1, u>>>(0); });
      t = 16;
      u = 8;
    })")),
            (Shapes{"?,1,1", "32,1,1"}));
}

// What is remembered of the first lambda's body, while it grows by that of all
// its loops.
TEST(HelperFunction, LongLambdaThatIsCalledLater) {
  std::string Loops;
  for (unsigned I = 0; I != 300; ++I)
    Loops += "while (more()) t += 32;\n";
  EXPECT_EQ(blocks(extract(R"(
    __global__ void a(int) {}
    bool more();
    int main() {
      int t = 64, u = 32;
      std::call_later([&] {)" +
                           Loops +
                           R"( a<<<1, 96>>>(0); });
      a<<<1, t>>>(0);
      a<<<1, u>>>(0);
    })")),
            (Shapes{"96,1,1", "?,1,1", "32,1,1"}));
}

TEST(HelperFunction, Callback) {
  EXPECT_EQ(blocks(extract(R"(
    __global__ void a(int) {}
    void run(int t) { a<<<1, t>>>(0); }
    int main() { run(32); std::call_later(run, 64); })")),
            (Shapes{"?,1,1", "32,1,1"}));
}

TEST(HelperFunction, MembersOfAnObject) {
  EXPECT_EQ(shapes(extract(R"(
    __global__ void a(int) {}
    struct Solver {
      int n; int threads = 128; dim3 grid;
      Solver(int n) : n(n) { grid.x = n / threads; }
      void run() const { a<<<grid, threads>>>(n); }
    };
    int main() { Solver s(1024); s.run(); })")),
            Shapes{"8,1,1|128,1,1"});
}

TEST(HelperFunction, MembersOfAnObjectThatCannotBeSeen) {
  EXPECT_EQ(blocks(extract(R"(
    __global__ void a(int) {}
    struct Solver { int threads; void run() { a<<<1, dim3(threads, 2)>>>(0); } };
    void go(Solver *s) { s->run(); })")),
            Shapes{"?,2,1"});
}

TEST(HelperFunction, ObjectOnTheHeap) {
  EXPECT_EQ(blocks(extract(R"(
    __global__ void a(int) {}
    void elsewhere();
    struct Solver {
      int threads;
      Solver(int t) : threads(t) {}
      void run(int y) { a<<<1, dim3(threads, y)>>>(0); }
    };
    int main() {
      Solver *s = new Solver(32);
      s->run(1);
      elsewhere(); // The object may be known there.
      s->run(2);
      Solver *many[2];
      for (int i = 0; i < 2; i++) many[i] = new Solver(i);
      many[0]->run(3);
    })")),
            (Shapes{"?,2,1", "?,3,1", "32,1,1"}));
}

TEST(HelperFunction, InheritedMembers) {
  EXPECT_EQ(blocks(extract(R"(
    __global__ void a(int) {}
    struct Base { int threads; Base(int t) : threads(t) {} };
    struct Solver : Base {
      int y; Solver() : Base(16), y(4) {}
      void run() { a<<<1, dim3(threads, y)>>>(0); }
    };
    int main() { Solver s; s.run(); })")),
            Shapes{"16,4,1"});
}

TEST(HelperFunction, VirtualCallIsNotFollowed) {
  EXPECT_EQ(blocks(extract(R"(
    __global__ void a(int) {}
    struct Base { virtual int threads() { return 32; } };
    void run(Base &b) { a<<<1, b.threads()>>>(0); })")),
            Shapes{"?,1,1"});
}

} // namespace cudalint::test::HelperFunctionTests
