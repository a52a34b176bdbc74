//===- tests/unit/analyzer/launch/LaunchValueTests.cpp - Tests ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/launch/ExtractionHelper.h"

#include <gmock/gmock.h>

using testing::Each;
using testing::ElementsAre;
using testing::Eq;
using testing::HasSubstr;
using testing::IsEmpty;

namespace cudalint::test::LaunchValueTests {

using Shapes = std::vector<std::string>;

TEST(LaunchValue, Literals) {
  EXPECT_EQ(shapesInMain("a<<<8, 256>>>(0);"), Shapes{"8,1,1|256,1,1"});
}

TEST(LaunchValue, Dim3OfOneToThreeArguments) {
  EXPECT_EQ(shapesInMain("dim3 g(3), b(16, 8);\n"
                         "a<<<g, b>>>(0);\n"
                         "a<<<dim3(1, 2, 3), dim3(4, 5, 6)>>>(0);"),
            (Shapes{"3,1,1|16,8,1", "1,2,3|4,5,6"}));
}

TEST(LaunchValue, Dim3Braces) {
  EXPECT_EQ(shapesInMain("dim3 g = {7, 2}; dim3 b{32, 4, 2};\n"
                         "a<<<g, b>>>(0);"),
            Shapes{"7,2,1|32,4,2"});
}

TEST(LaunchValue, Dim3DefaultIsOne) {
  EXPECT_EQ(shapesInMain("dim3 g, b;\na<<<g, b>>>(0);"), Shapes{"1,1,1|1,1,1"});
}

TEST(LaunchValue, Dim3CopyAndAssignment) {
  EXPECT_EQ(shapesInMain("dim3 p(64, 2); dim3 q = p; dim3 r; r = q;\n"
                         "p = dim3(1);\na<<<q, r>>>(0);"),
            Shapes{"64,2,1|64,2,1"});
}

TEST(LaunchValue, Dim3Members) {
  EXPECT_EQ(shapesInMain("dim3 b; b.x = 32; b.y = 4; dim3 g; g.x = 1000 / b.x;"
                         "\na<<<g, b>>>(0);"),
            Shapes{"31,1,1|32,4,1"});
}

TEST(LaunchValue, Dim3OfUint3) {
  EXPECT_EQ(blocksInMain("uint3 u = {8, 4, 2}; dim3 b(u);\na<<<1, b>>>(0);"),
            Shapes{"8,4,2"});
}

TEST(LaunchValue, ConstantsMacrosEnumsSizeof) {
  EXPECT_EQ(blocks(extract(R"(
    #define X 16
    enum { Y = 4 };
    enum class Size : int { Z = 2 };
    static const int A = X * 2;
    constexpr int B = A / Y;
    __global__ void a(int) {}
    int main() {
      a<<<1, dim3(X, Y, (int)Size::Z)>>>(0);
      a<<<1, dim3(A, B)>>>(0);
      a<<<1, sizeof(double) * 8>>>(0);
    })")),
            (Shapes{"16,4,2", "32,8,1", "64,1,1"}));
}

TEST(LaunchValue, IntegerArithmetic) {
  EXPECT_EQ(blocksInMain("int n = 100; a<<<1, (n + 31) / 32 * 32>>>(0);\n"
                         "a<<<1, n % 64 << 1>>>(0);\n"
                         "a<<<1, (n & ~31) | 3>>>(0);\n"
                         "a<<<1, (unsigned char)(n * 3)>>>(0);"),
            // 100 rounded up; 36 << 1; 96 | 3; 300 mod 256.
            (Shapes{"128,1,1", "72,1,1", "99,1,1", "44,1,1"}));
}

TEST(LaunchValue, FloatArithmetic) {
  EXPECT_EQ(shapesInMain("int n = 1000;\n"
                         "a<<<ceil((float)n / 256), 256>>>(0);\n"
                         "a<<<(size_t)ceil(((float)n) / ((float)32)), 32>>>(0);"
                         "\na<<<(int)(n * 0.5f), (int)sqrt(1024.0)>>>(0);\n"
                         "a<<<(int)log2(1024.0), (int)pow(2, 5)>>>(0);"),
            (Shapes{"4,1,1|256,1,1", "32,1,1|32,1,1", "500,1,1|32,1,1",
                    "10,1,1|32,1,1"}));
}

TEST(LaunchValue, TheNextPowerOfTwo) {
  EXPECT_EQ(blocksInMain("int n = 1000;\n"
                         "a<<<1, (int)pow(2.0, ceil(log2((double)n)))>>>(0);\n"
                         "a<<<1, 1 << (int)log2(500.0)>>>(0);"),
            (Shapes{"1024,1,1", "256,1,1"}));
}

TEST(LaunchValue, MinMaxTernary) {
  EXPECT_EQ(shapesInMain("const int n = 300;\n"
                         "a<<<std::max(n, 7), std::min(n, 256)>>>(0);\n"
                         "a<<<n > 299 ? 5 : 6, n < 299 ? 32 : 64>>>(0);"),
            (Shapes{"300,1,1|256,1,1", "5,1,1|64,1,1"}));
}

TEST(LaunchValue, ArraysAndStructs) {
  EXPECT_EQ(blocksInMain("int s[2] = {32, 4}; a<<<1, dim3(s[0], s[1])>>>(0);\n"
                         "struct { dim3 block; int n; } c = {dim3(8, 8), 3};\n"
                         "a<<<1, c.block>>>(0); c.block.y = c.n;\n"
                         "a<<<1, c.block>>>(0);"),
            (Shapes{"32,4,1", "8,8,1", "8,3,1"}));
}

TEST(LaunchValue, ReferencesAndPointersToLocals) {
  EXPECT_EQ(blocksInMain("dim3 b(32); dim3 &r = b; r.y = 4; dim3 *p = &b;\n"
                         "p->z = 2; a<<<1, *p>>>(0);"),
            Shapes{"32,4,2"});
}

TEST(LaunchValue, DynamicSharedMemoryAndArguments) {
  LaunchFacts Facts = extract(R"(
    enum Mode { Fast = 3 };
    __global__ void k(float *p, int n, bool flag, Mode m, unsigned char c) {}
    int main(int argc, char **argv) {
      float *p;
      int threads = 128;
      k<<<1, threads, threads * sizeof(float)>>>(p, threads / 2, true, Fast,
                                                 argc);
    })");
  ASSERT_EQ(Facts.Launches.size(), 1U);
  const Launch &Only = Facts.Launches[0];
  EXPECT_EQ(Only.DynamicSharedBytes, 512);
  EXPECT_THAT(Only.Arguments,
              ElementsAre(std::nullopt, 64, 1, 3, std::nullopt));
  EXPECT_TRUE(Only.Unknown.empty());
}

/// Bytes that the pointer that `Body` launches with is moved by.
static std::uint64_t offsetGiven(const std::string &Body) {
  const LaunchFacts Facts = extract("__global__ void k(const float *p) {}\n"
                                    "float *get(float **p);\n"
                                    "int main(int argc, char **argv) {\n"
                                    "  float *p; get(&p);\n" +
                                    Body + "\n}\n");
  EXPECT_EQ(Facts.Launches.size(), 1U);
  const auto &Offsets = Facts.Launches.at(0).Offsets;
  return Offsets.contains(0) ? Offsets.at(0) : 0;
}

// By hand: offsets as the host and the device have them.
TEST(LaunchValue, FieldsOfObjectsThatArePassed) {
  const std::string Types = "enum Mode { Fast = 3 };\n"
                            "struct Base { char c; int a; };\n"
                            "struct Size { short w, h; };\n"
                            "struct Box : Base { float *p; Size size;\n"
                            "  unsigned n : 3; Mode mode; bool on;\n"
                            "  long long far[2]; double d; };\n"
                            "__global__ void k(float *, Box box, int) {}\n";
  const auto fieldsOf = [&](const std::string &Body) {
    return extract(Types + "int main(int argc, char **argv) {\n  float *p;\n" +
                   Body + "\n  k<<<1, 32>>>(p, box, 1);\n}\n")
        .Launches.at(0)
        .Fields;
  };
  EXPECT_THAT(fieldsOf("Box box;"), IsEmpty());
  const PassedField A = {1, 4, 32, 7}, W = {1, 16, 16, -1}, H = {1, 18, 16, 9};
  EXPECT_THAT(fieldsOf("Box box; box.a = 7;"), ElementsAre(A));
  EXPECT_THAT(fieldsOf("Box box; box.a = argc; box.size.h = 9;"),
              ElementsAre(H));
  EXPECT_THAT(fieldsOf("Size s = {-1, 9}; Box box; box.size = s; box.a = 7;"),
              ElementsAre(A, W, H));
  EXPECT_THAT(fieldsOf("Box box; box.mode = Fast; box.on = argc > 0 || true;\n"
                       "box.far[1] = 1LL << 40; box.n = 2; box.d = 2;"),
              ElementsAre(PassedField{1, 24, 32, 3}, PassedField{1, 28, 8, 1},
                          PassedField{1, 40, 64, std::int64_t(1) << 40}));
  EXPECT_THAT(fieldsOf("Box box; box.c = 'A'; box.size = {};"),
              ElementsAre(PassedField{1, 0, 8, 'A'}, PassedField{1, 16, 16, 0},
                          PassedField{1, 18, 16, 0}));
}

TEST(LaunchValue, PointersThatAreMoved) {
  EXPECT_EQ(offsetGiven("k<<<1, 32>>>(p + 1);"), 4u);
  EXPECT_EQ(offsetGiven("k<<<1, 32>>>(1 + p);"), 4u);
  EXPECT_EQ(offsetGiven("k<<<1, 32>>>(&p[3]);"), 12u);
  EXPECT_EQ(offsetGiven("k<<<1, 32>>>(p - 1);"), 252u);
  EXPECT_EQ(offsetGiven("float *r = p + 8; r += 3; k<<<1, 32>>>(r);"), 44u);
  EXPECT_EQ(offsetGiven("float *r = p; ++r; r++; k<<<1, 32>>>(r);"), 8u);
  EXPECT_EQ(offsetGiven("k<<<1, 32>>>((float *)((char *)p + 36));"), 36u);
  EXPECT_EQ(offsetGiven("const int width = 33; k<<<1, 32>>>(p + width * 3);"),
            140u);
  // What is not known is taken to be a multiple of many elements.
  EXPECT_EQ(offsetGiven("k<<<1, 32>>>(p + argc * 4 + 2);"), 8u);
}

/// `&(&(&p[0])[0])[0]`, so many deep.
static std::string addressedOver(const std::string &Pointer, unsigned Times) {
  std::string Result = Pointer;
  for (unsigned I = 0; I != Times; ++I)
    Result = "(&" + Result + "[0])";
  return Result;
}

// Each evaluated twice would be 2^60 evaluations.
TEST(LaunchValue, AddressesOfElementsOfAddressesOfElements) {
  const LaunchFacts Facts = extract("__global__ void k(int) {}\n"
                                    "int main() {\n"
                                    "  int Sizes[3] = {32, 64, 96};\n"
                                    "  k<<<1, *&" +
                                    addressedOver("Sizes", 60) +
                                    "[2]>>>(0);\n"
                                    "  *&" +
                                    addressedOver("Sizes", 60) +
                                    "[1] = 128;\n"
                                    "  k<<<1, Sizes[1]>>>(0);\n"
                                    "}\n");
  EXPECT_THAT(blocks(Facts), ElementsAre("96,1,1", "128,1,1"));
  EXPECT_EQ(offsetGiven("k<<<1, 32>>>(&" + addressedOver("p", 60) + "[3]);"),
            12u);
}

TEST(LaunchValue, PointersThatAreAsAlignedAsBefore) {
  EXPECT_EQ(offsetGiven("k<<<1, 32>>>(p);"), 0u);
  EXPECT_EQ(offsetGiven("k<<<1, 32>>>(p + 64);"), 0u);
  EXPECT_EQ(offsetGiven("k<<<1, 32>>>(p + argc);"), 0u);
  EXPECT_EQ(offsetGiven("k<<<1, 32>>>(p + 1 - 1);"), 0u);
  // Overwritten out of sight.
  EXPECT_EQ(offsetGiven("++p; get(&p); k<<<1, 32>>>(p);"), 0u);
  EXPECT_EQ(offsetGiven("p++; p = get(&p); k<<<1, 32>>>(p);"), 0u);
}

TEST(LaunchValue, SharedMemoryBelowZeroStaysBelow) {
  // The conversion to size_t makes 2^64 - 16 of it.
  EXPECT_EQ(
      extractMain("a<<<1, 32, -16>>>(0);").Launches.at(0).DynamicSharedBytes,
      -16);
}

TEST(LaunchValue, NoSharedMemoryIsZero) {
  EXPECT_EQ(extractMain("a<<<1, 32>>>(0);").Launches.at(0).DynamicSharedBytes,
            0);
}

TEST(LaunchValue, GlobalsThatNothingChanges) {
  EXPECT_EQ(blocks(extract(R"(
    int Threads = 192;
    static dim3 Block(16, 16);
    __global__ void a(int) {}
    int main() {
      a<<<1, Threads>>>(0);
      a<<<1, Block>>>(0);
    })")),
            (Shapes{"192,1,1", "16,16,1"}));
}

TEST(LaunchValue, GlobalThatAFunctionChanges) {
  EXPECT_EQ(blocks(extract(R"(
    int Threads = 192;
    void parse(char **argv) { Threads = atoi(argv[1]); }
    __global__ void a(int) {}
    void run() { a<<<1, Threads>>>(0); }
    )")),
            Shapes{"?,1,1"});
}

TEST(LaunchValue, GlobalThatMainSets) {
  EXPECT_EQ(blocks(extract(R"(
    int Threads;
    __global__ void a(int) {}
    void run() { a<<<1, Threads>>>(0); }
    int main() { Threads = 96; run(); }
    )")),
            Shapes{"96,1,1"});
}

TEST(LaunchValue, GlobalThatAnotherFileMayChange) {
  EXPECT_EQ(blocks(extract(R"(
    int Threads = 32;
    void elsewhere();
    void set() { Threads = 64; }
    __global__ void a(int) {}
    int main() { elsewhere(); a<<<1, Threads>>>(0); }
    )")),
            Shapes{"?,1,1"});
}

TEST(LaunchValue, GlobalThatAReferenceMayLeadTo) {
  EXPECT_EQ(blocks(extract(R"(
    int Leaked = 32, Kept = 8;
    int *Elsewhere = &Leaked;
    void tell(int *);
    void start() { tell(&Leaked); }
    __global__ void a(int) {}
    void run(int &n) {
      Leaked = 64; Kept = 4;
      n = 7;
      a<<<1, dim3(Leaked, Kept)>>>(0);
    })")),
            Shapes{"?,4,1"});
}

TEST(LaunchValue, StaticLocal) {
  EXPECT_EQ(blocksInMain("static int t = 64; a<<<1, t>>>(0);\n"
                         "static int u = 64; a<<<1, u>>>(0); u = 32;"),
            (Shapes{"64,1,1", "?,1,1"}));
}

TEST(LaunchValue, CommandLineIsUnknownAndNamed) {
  LaunchFacts Facts =
      extractMain("int t = atoi(argv[1]); a<<<argc, dim3(t, 4)>>>(0);");
  EXPECT_EQ(shapes(Facts), Shapes{"?,1,1|?,4,1"});
  EXPECT_THAT(Facts.Launches.at(0).Unknown,
              ElementsAre("block.x depends on the result of 'atoi'",
                          "grid.x depends on 'argc'"));
}

TEST(LaunchValue, DefaultOfTheCommandLineIsNoGuess) {
  EXPECT_EQ(blocksInMain("int t = argc > 1 ? atoi(argv[1]) : 256;\n"
                         "a<<<1, t>>>(0);"),
            Shapes{"?,1,1"});
  EXPECT_EQ(blocksInMain("int t = 256; if (argc > 1) t = atoi(argv[1]);\n"
                         "a<<<1, t>>>(0);"),
            Shapes{"?,1,1"});
}

TEST(LaunchValue, UsualBlock) {
  auto Usual = [](const std::string &Body) {
    const Launch L = extractMain(Body).Launches.at(0);
    return L.Usual ? L.Usual->Block : Extent();
  };
  EXPECT_EQ(Usual("int t = argc > 1 ? atoi(argv[1]) : 256; a<<<1, t>>>(0);"),
            (Extent{256, 1, 1}));
  EXPECT_EQ(Usual("int x = 32, y = 4; for (int i = 1; i < argc; i++)\n"
                  "switch (*argv[i]) { case 'x': x = atoi(argv[i]); break;\n"
                  "case 'y': y = atoi(argv[i]); }\n"
                  "a<<<1, dim3(x, y * 2)>>>(0);"),
            (Extent{32, 8, 1}));
  EXPECT_EQ(Usual("int t = 128; sscanf(argv[1], \"%d\", &t);\n"
                  "a<<<1, t>>>(0);"),
            (Extent{128, 1, 1}));
  // Nothing to go by, no block at all, and one that is known anyway.
  EXPECT_EQ(Usual("a<<<1, dim3(atoi(argv[1]), 4)>>>(0);"), Extent());
  EXPECT_EQ(Usual("int g = 0, t = 0;\n"
                  "cudaOccupancyMaxPotentialBlockSize(&g, &t, a);\n"
                  "a<<<g, t>>>(0);"),
            Extent());
  EXPECT_EQ(Usual("a<<<1, 32>>>(0);"), Extent());
  // What a loop counts up from is no block.
  EXPECT_EQ(Usual("int t = 1; while (t < argc) t *= 2; a<<<1, t>>>(0);"),
            Extent());
}

// Where no input is asked for, it is as certain as all else that the value is
// another one.
TEST(LaunchValue, WhatTheProgramItselfChangesIsNotUsual) {
  auto Usual = [](const std::string &Body) {
    const Launch L = extract(R"(
# 1 "library.h" 1 3
extern "C" void *memset(void *, int, size_t);
namespace std {
template <class T> void swap(T &x, T &y) { T z = x; x = y; y = z; }
}
# 20 "input.cu" 2
      __global__ void a(int) {}
      void readOptions(int *, int, char **);
      struct S { int N = 64, M = 1; void read(char **); };
      struct V { virtual void set(int &n) { n = 96; } };
      void add(int *p) { ++*p; }
      void run(V &v, int argc, char **argv) {
        S s; int t = 64, u = 32, x[4] = {64, 64, 64, 64}; )" +
                             Body + " }")
                         .Launches.at(0);
    EXPECT_FALSE(L.Block[0]);
    return L.Usual ? L.Usual->Block[0] : std::nullopt;
  };
  for (const char *Body :
       {"for (auto &e : x) e = 128; a<<<1, x[1]>>>(0);",
        "for (int i = 0; i < 3; ++i) add(x + i); a<<<1, x[1]>>>(0);",
        "for (int i = 0; i < argc; ++i) s.N = 2 * s.N; a<<<1, s.N>>>(0);",
        "memset(&s, 0, sizeof s); a<<<1, s.N + 32>>>(0);",
        "S r; std::swap(s, r); a<<<1, s.N>>>(0);",
        "try { t = 32; throw 1; } catch (...) {} a<<<1, t>>>(0);",
        "int *p[] = {&t, &u}; *p[argc & 1] = 32; a<<<1, t>>>(0);",
        "x[argc & 3] = 32; a<<<1, x[1]>>>(0);", "v.set(t); a<<<1, t>>>(0);",
        "std::call_later([&] { a<<<1, t>>>(0); }); t = 16;",
        "while (argc-- > 0) {"
        "  std::call_later([&] { a<<<1, t>>>(0); }); t = 16; }",
        "int m; cudaOccupancyMaxPotentialBlockSize(&m, &t, a);"
        "a<<<1, t>>>(0);"})
    EXPECT_EQ(Usual(Body), std::nullopt) << Body;
  EXPECT_EQ(Usual("readOptions(&t, argc, argv); a<<<1, t>>>(0);"), 64);
  EXPECT_EQ(Usual("readOptions(x, argc, argv); a<<<1, x[1]>>>(0);"), 64);
  EXPECT_EQ(Usual("readOptions(&t, argc, argv);"
                  "std::call_later([&] { a<<<1, t>>>(0); });"),
            64);
  EXPECT_EQ(Usual("s.read(argv); a<<<1, s.N>>>(0);"), 64);
  EXPECT_EQ(Usual("for (int i = 0; i < argc; ++i) { ++s.M;"
                  "  if (argv[i][0] == 't') s.N = argv[i][1]; }"
                  "a<<<1, s.N>>>(0);"),
            64);
  EXPECT_EQ(Usual("while (sscanf(argv[1], \"%d\", &t)) {} a<<<1, t>>>(0);"),
            64);
}

// It is static, but what is elsewhere may lead to the function that sets it.
TEST(LaunchValue, UsualBlockOfAGlobal) {
  const Launch L = extract("__global__ void a(int) {}\n"
                           "void elsewhere();\n"
                           "static int Threads = 128;\n"
                           "void set(int n) { Threads = n; }\n"
                           "int main(int argc, char **argv) {"
                           "  if (argc > 1) set(atoi(argv[1]));"
                           "  elsewhere(); a<<<1, Threads>>>(0); }")
                       .Launches.at(0);
  ASSERT_TRUE(L.Usual);
  EXPECT_EQ(L.Usual->Block[0], 128);
}

TEST(LaunchValue, UsualBlockOfAClassThatReadsOptions) {
  const Launch L = extract("__global__ void a(int) {}\n"
                           "extern \"C\" int getopt(int, char **, "
                           "const char *);\n"
                           "struct Options { int Threads; int Blocks;\n"
                           "  Options(int C, char **V) : Threads(64) {\n"
                           "    Blocks = 8; int O;\n"
                           "    while ((O = getopt(C, V, \"t:\")) >= 0)\n"
                           "      switch (O) {\n"
                           "      case 't': Threads = atoi(V[1]); break;\n"
                           "      case 'b': Blocks = atoi(V[1]); break;\n"
                           "      default: exit(1); } } };\n"
                           "int main(int argc, char **argv) {\n"
                           "  const Options O(argc, argv);\n"
                           "  a<<<O.Blocks, O.Threads>>>(O.Threads);\n}\n")
                       .Launches.at(0);
  EXPECT_EQ(L.Block, (Extent{std::nullopt, 1, 1}));
  ASSERT_TRUE(L.Usual);
  EXPECT_EQ(L.Usual->Block, (Extent{64, 1, 1}));
  // What the block depends on has one value; the grid depends on another.
  EXPECT_THAT(L.Usual->Arguments, ElementsAre(64));
  EXPECT_EQ(L.Usual->Grid[0], std::nullopt);
}

TEST(LaunchValue, UsualBlockThatTheWayHereRulesOut) {
  const LaunchFacts Facts =
      extractMain("int t = argc > 1 ? atoi(argv[1]) : 256;\n"
                  "if (t <= 64) a<<<1, t>>>(0); else b<<<1, t>>>(0);");
  EXPECT_FALSE(Facts.Launches.at(0).Usual);
  ASSERT_TRUE(Facts.Launches.at(1).Usual);
  EXPECT_EQ(Facts.Launches.at(1).Usual->Block, (Extent{256, 1, 1}));
}

TEST(LaunchValue, SetThroughAPointer) {
  LaunchFacts Facts =
      extractMain("int t = 64; sscanf(argv[1], \"%d\", &t); a<<<1, t>>>(0);\n"
                  "t = 32; a<<<1, t>>>(0);");
  EXPECT_EQ(blocks(Facts), (Shapes{"?,1,1", "32,1,1"}));
  EXPECT_THAT(Facts.Launches.at(0).Unknown,
              ElementsAre("block.x depends on 't', set by 'sscanf'"));
}

// As the arguments of a kernel in a graph: what leads to a number, however
// long the way, may change that number and those on the way alone.
TEST(LaunchValue, SetThroughAChainOfPointers) {
  EXPECT_EQ(blocks(extract(R"(
__global__ void a(float *);
struct Params { void **Arguments; };
struct Outer { Params *In; };
void unseen(Outer *);
int main() {
  int other = 96, n = 7;
  void *arguments[1] = {&n};
  Params p; p.Arguments = arguments;
  Outer o; o.In = &p;
  unseen(&o);
  a<<<1, other>>>(0);
  a<<<1, n>>>(0);
})")),
            (Shapes{"96,1,1", "?,1,1"}));
}

TEST(LaunchValue, ReadOnlyLibraryCallsChangeNothing) {
  EXPECT_EQ(blocksInMain("int t = 64; float *d; cudaMalloc(&d, t);\n"
                         "cudaMemcpy(d, &t, 4, cudaMemcpyHostToDevice);\n"
                         "printf(\"%d\", t); a<<<1, t>>>(0);"),
            Shapes{"64,1,1"});
}

TEST(LaunchValue, OccupancyApiIsUnknown) {
  EXPECT_THAT(
      extractMain("int g = 1, t = 1; "
                  "cudaOccupancyMaxPotentialBlockSize(&g, &t, a);\n"
                  "a<<<g, t>>>(0);")
          .Launches.at(0)
          .Unknown,
      ElementsAre(HasSubstr("'t', set by 'cudaOccupancyMaxPotentialBlockSize'"),
                  HasSubstr("'g', set by")));
}

TEST(LaunchValue, DeviceProperties) {
  EXPECT_EQ(shapesInMain("cudaDeviceProp p; cudaGetDeviceProperties(&p, 0);\n"
                         "a<<<p.multiProcessorCount * 2, 64>>>(0);"),
            Shapes{"?,1,1|64,1,1"});
}

TEST(LaunchValue, WritesThroughOtherPointers) {
  // `p` may point to `t`, whose address went out of sight; `f` cannot.
  EXPECT_EQ(blocks(extract(R"(
    int *leak(int *);
    __global__ void a(int) {}
    int main() {
      int t = 64, u = 32, v = 16;
      int *p = leak(&t);
      t = 64;
      *p = 7;
      a<<<1, dim3(t, u)>>>(0);
      float *f = (float *)leak(&v);
      v = 16;
      *f = 1.0f;
      a<<<1, v>>>(0);
    })")),
            (Shapes{"?,32,1", "16,1,1"}));
}

// Further than there are elements, where an index would overflow, too.
TEST(LaunchValue, PointersThatAreMovedTooFar) {
  auto BlocksWith = [](const std::string &Code) {
    return blocksInMain("int x[] = {32, 64, 96}, y = 32;\n" + Code);
  };
  const Shapes Either{"32,1,1", "64,1,1"};
  EXPECT_EQ(BlocksWith("int *p = &x[1] + 0x7fffffffffffffffLL;\n"
                       "a<<<1, p == x ? 32 : 64>>>(0);"),
            Either);
  EXPECT_EQ(BlocksWith("int *p = &x[1] - (-0x7fffffffffffffffLL - 1);\n"
                       "a<<<1, p == x ? 32 : 64>>>(0);"),
            Either);
  EXPECT_EQ(BlocksWith("int *p = x + 2; a<<<1, *(p - 1)>>>(0);"),
            Shapes{"64,1,1"});
  EXPECT_EQ(BlocksWith("int *p = &y + 0; *p = 64; a<<<1, y>>>(0);"),
            Shapes{"64,1,1"});
}

TEST(LaunchValue, UnionsAndBitFieldsAreNotFollowed) {
  EXPECT_EQ(blocksInMain("union { int i; float f; } u; u.i = 64; u.f = 1;\n"
                         "a<<<1, u.i>>>(0);\n"
                         "struct { unsigned n : 4; } s; s.n = 33;\n"
                         "a<<<1, s.n>>>(0);\n"
                         "struct { unsigned n : 4; int m; } t; t.m = 32;\n"
                         "t.n = 33; a<<<1, t.m>>>(0);"),
            (Shapes{"?,1,1", "?,1,1", "32,1,1"}));
}

TEST(LaunchValue, OverflowIsUnknown) {
  EXPECT_EQ(blocksInMain("int n = 2147483647; a<<<1, n + 1>>>(0);\n"
                         "int z = 0; a<<<1, 5 / z>>>(0); a<<<1, 1 << 40>>>(0);"
                         "\nunsigned u = 4294967295u; a<<<1, u + 33>>>(0);"),
            // Unsigned arithmetic wraps and is defined.
            (Shapes{"?,1,1", "?,1,1", "?,1,1", "32,1,1"}));
}

TEST(LaunchValue, NegativeSizeIsWhatTheHardwareSees) {
  EXPECT_EQ(blocksInMain("a<<<1, -1>>>(0);"), Shapes{"4294967295,1,1"});
}

// What a loop counts is where it starts in its first turn only; what input may
// change in it is as it was unless it does.
TEST(LaunchValue, WhereALoopStartsIsNotUsual) {
  const LaunchFacts Counted = extractMain(
      "for (int i = 1; i < 100000; ++i) a<<<i, 32 * (i % 32 + 1)>>>(i);");
  ASSERT_EQ(Counted.Launches.size(), 1U);
  EXPECT_FALSE(Counted.Launches[0].Usual);
  const LaunchFacts Read =
      extractMain("int t = 128; for (int i = 1; i < argc; ++i)\n"
                  "  if (argv[i][0] == '-') t = argv[i][1];\n"
                  "a<<<1, t>>>(0);");
  ASSERT_EQ(Read.Launches.size(), 1U);
  ASSERT_TRUE(Read.Launches[0].Usual);
  EXPECT_EQ(Read.Launches[0].Usual->Block[0], 128);
}

// One that may be 0, or wrap to it, is none: unsigned products, halves.
TEST(LaunchValue, ArgumentsThatArePowersOfTwo) {
  const LaunchFacts Facts = extract(R"(
__global__ void k(int a, unsigned b, long long c, int d, unsigned e, int f,
                  short g, int h);
int main(int n, char **) {
  for (int s = 0; s < n; ++s)
    k<<<1, 32>>>(1 << s, 1u << s, 2 * (1 << s), (1 << s) / 2, 2u * (1u << s),
                 n, 1 << s, n > 3 ? 64 : 1 << n);
}
)");
  EXPECT_THAT(Facts.Launches.at(0).Powers, ElementsAre(0, 1, 2, 7));
  EXPECT_THAT(Facts.Launches.at(0).Arguments, Each(Eq(std::nullopt)));
}

// What is not known of a block may be passed as well.
TEST(LaunchValue, ArgumentsThatALoopCounts) {
  const auto countersOf = [](const std::string &Body) {
    return extract("__global__ void k(int, int) {}\n"
                   "int main(int argc, char **argv) {\n  int n = argc;\n" +
                   Body + "\n}\n")
        .Launches.at(0)
        .NotRound;
  };
  const std::set<unsigned> First = {0}, None;
  EXPECT_EQ(countersOf("for (int t = 0; t < n; ++t) k<<<1, 32>>>(t, n);"),
            First);
  EXPECT_EQ(countersOf("for (int t = n; t > 0; t--) k<<<1, 32>>>(t, n);"),
            First);
  EXPECT_EQ(countersOf("for (int t = 0; t < n; t += 1) k<<<1, 32>>>(t, n);"),
            First);
  EXPECT_EQ(countersOf("for (int t = 0; t < n; t++) k<<<1, 32>>>(t + 3, n);"),
            First);
  // 31, 63 and so on; and 32, 64.
  EXPECT_EQ(countersOf("for (int t = 0; t < n; t++)\n"
                       "  { t += 31; k<<<1, 32>>>(t, n); }"),
            First);
  EXPECT_EQ(countersOf("for (int t = 0; t < n; t += 16)\n"
                       "  { t += 16; k<<<1, 32>>>(t + 16, n); }"),
            None);
  EXPECT_EQ(countersOf("int t;\nfor (t = 0; t < n; ++t) {}\n"
                       "k<<<1, 32>>>(t, n);"),
            None);
  EXPECT_EQ(countersOf("for (int t = 0; t < n; t += 32) k<<<1, 32>>>(t, n);"),
            None);
  EXPECT_EQ(countersOf("for (int t = 0; t < n; ++t) k<<<1, 32>>>(32 * t, n);"),
            None);
  EXPECT_EQ(countersOf("k<<<1, 32>>>(n, n);"), None);
}

// Wherever the loop counts: in its head or in its body.
TEST(LaunchValue, ArgumentsThatTheBodyOfALoopCounts) {
  const auto countersOf = [](const std::string &Body) {
    return extract("__global__ void k(int, int) {}\n"
                   "int main(int argc, char **argv) {\n"
                   "  int n = argc, t = 0;\n" +
                   Body + "\n}\n")
        .Launches.at(0)
        .NotRound;
  };
  const std::set<unsigned> First = {0}, Both = {0, 1}, None;
  EXPECT_EQ(countersOf("while (t < n) { k<<<1, 32>>>(t, n); t++; }"), First);
  EXPECT_EQ(countersOf("while (t < n) { t += 1; k<<<1, 32>>>(t, n); }"), First);
  EXPECT_EQ(countersOf("while (t < 1000) { k<<<1, 32>>>(t, n); ++t; }"), First);
  EXPECT_EQ(countersOf("do { k<<<1, 32>>>(t, n); t++; } while (t < n);"),
            First);
  EXPECT_EQ(countersOf("for (int u = 0; u < n; ++u)\n"
                       "  { k<<<1, 32>>>(t, u); t--; }"),
            Both);
  EXPECT_EQ(countersOf("while (t < n) { k<<<1, 32>>>(t, n); t += 32; }"), None);
  EXPECT_EQ(countersOf("while (t < n) { k<<<1, 32>>>(t, n); t++; t++; }"),
            None);
  EXPECT_EQ(countersOf("while (t < n) { k<<<1, 32>>>(t, n); t++; t *= 2; }"),
            None);
  EXPECT_EQ(countersOf("while (t < n) { k<<<1, 32>>>(n, n); t++; }"), None);
  EXPECT_EQ(countersOf("while (t < n) { if (n > 3) t = 32 * n;\n"
                       "  k<<<1, 32>>>(t, n); t++; }"),
            None);
}

TEST(LaunchValue, ArgumentsThatAreCheckedBefore) {
  const auto launchIn = [](const std::string &Body) {
    return extract("__global__ void k(int, int) {}\n"
                   "[[noreturn]] void fail();\n"
                   "void run(int n, int m) {\n" +
                   Body + "\n}\n")
        .Launches.at(0);
  };
  using Limits = std::map<unsigned, std::int64_t>;
  using Multiples = std::map<unsigned, std::uint64_t>;
  const std::string K = "k<<<1, 32>>>(n, m);";
  EXPECT_EQ(launchIn("if (n < 4) " + K).Limits, (Limits{{0, 3}}));
  EXPECT_EQ(launchIn("if (4 >= n) " + K).Limits, (Limits{{0, 4}}));
  EXPECT_EQ(launchIn("if (n > 4) return; " + K).Limits, (Limits{{0, 4}}));
  EXPECT_EQ(launchIn("if (n >= 4 || m > 9) fail(); " + K).Limits,
            (Limits{{0, 3}, {1, 9}}));
  EXPECT_EQ(launchIn("if (n < 4 && n < 9) " + K).Limits, (Limits{{0, 3}}));
  // The other way about, of something else, changed since, on one way of two.
  for (const char *Open : {"if (n > 4) ", "if (n < m) ", "if (n < 4) ++n; ",
                           "if (n < 4) m = 1; ", "if (n < 4) n = m; "})
    EXPECT_EQ(launchIn(Open + K).Limits, Limits()) << Open;
  EXPECT_EQ(launchIn("if (n < 4) { n = m * n; " + K + " }").Limits, Limits());

  EXPECT_EQ(launchIn("if (n % 4 == 0) " + K).Multiples, (Multiples{{0, 4}}));
  EXPECT_EQ(launchIn("if (m % 6) fail(); " + K).Multiples, (Multiples{{1, 2}}));
  EXPECT_EQ(launchIn("if ((n & 15) == 0 && n % 4 == 0) " + K).Multiples,
            (Multiples{{0, 16}}));
  for (const char *Open :
       {"if (n % 4) ", "if (n % 4 == 2) ", "if (n % m == 0) ",
        "if ((n & 12) == 0) ", "if (n % 3 == 0) ", "if (n % 4 == 0) m = 1; "})
    EXPECT_EQ(launchIn(Open + K).Multiples, Multiples()) << Open;
}

// Another remainder of 32 than none, a size and some, as those kernels take it
// that stand beside a faster one for round sizes.
TEST(LaunchValue, ArgumentsThatAreNoRoundSizes) {
  const auto notRound = [](const std::string &Body) {
    return extract("__global__ void k(long long, int) {}\n"
                   "void run(int n, int m, unsigned u) {\n" +
                   Body + "\n}\n")
        .Launches.at(0)
        .NotRound;
  };
  const std::set<unsigned> First = {0}, None;
  const std::string K = "k<<<1, 32>>>(n, m);";
  for (const char *Open :
       {"if (n % 4) ", "if (n % 4 != 0) ", "if (n % 8 == 1) ", "if (n & 1) ",
        "if (n % 4 == 0) return; ", "if (n % 6 == 1) ", "if ((n & 63) == 33) ",
        "if (!(n % 32 == 0)) ", "if (n % 2 != 0 && m > 3) ", "n++; ",
        "n = m - 2; ", "n = 33 - m; ++n; n -= 30; "})
    EXPECT_EQ(notRound(Open + K), First) << Open;
  // A multiple of 6 or of 64 may be one of 32, and so may what is none.
  for (const char *Open :
       {"", "if (n % 4 == 0) ", "if (n % 6) ", "if (n % 64 != 0) ",
        "if (n & 96) ", "if (n % 6 == 2) ", "if (n % 64 == 32) ",
        "if (n % 4 != 1) ", "if (n > 3) ", "n += 64; ",
        "n = 33 - m; ++n; n += 30; ", "n = m * 3; ", "if (u % 4) "})
    EXPECT_EQ(notRound(Open + K), None) << Open;
}

TEST(LaunchValue, ArgumentsThatAreSizesOfTheBlock) {
  const LaunchFacts Facts = extract(R"(
__global__ void k(int a, unsigned b, long long c, int d, short e, int f);
void run(int n, int m) {
  dim3 b(n, 4, m);
  k<<<1, b>>>(n, b.x, m, b.y, n, n + 1);
}
)");
  const Launch &L = Facts.Launches.at(0);
  // A short holds another number, where it is large.
  EXPECT_THAT(L.BlockSizes,
              ElementsAre(testing::Pair(0, 0), testing::Pair(1, 0),
                          testing::Pair(2, 2)));
  EXPECT_EQ(L.Arguments.at(3), 4);
  // One number is two sizes, of which each may be assumed to be another.
  const LaunchFacts Square = extract("__global__ void k(int a);\n"
                                     "void run(int n) {\n"
                                     "  k<<<1, dim3(n, n)>>>(n);\n}\n");
  EXPECT_TRUE(Square.Launches.at(0).BlockSizes.empty());
}

TEST(LaunchValue, ArgumentsThatAreSeveralTimesTheSizeOfTheBlock) {
  const auto of = [](const std::string &Size, const std::string &Argument) {
    const LaunchFacts Facts =
        extract("__global__ void k(int a);\nvoid run(int n) {\n  k<<<1, " +
                Size + ">>>(" + Argument + ");\n}\n");
    const Launch &L = Facts.Launches.at(0);
    const auto Times = L.TimesOfBlockSize.find(0);
    return !L.BlockSizes.contains(0)           ? 0
           : Times == L.TimesOfBlockSize.end() ? 1
                                               : Times->second;
  };
  EXPECT_EQ(of("n", "n"), 1u);
  EXPECT_EQ(of("n / 2", "n"), 2u);
  EXPECT_EQ(of("n / 8", "n"), 8u);
  EXPECT_EQ(of("n / 2", "n / 2"), 1u);
  EXPECT_EQ(of("n / 2", "n + 1"), 0u);
  EXPECT_EQ(of("n / 4096", "n"), 0u);
  EXPECT_EQ(of("dim3(n / 2, n / 2)", "n"), 0u) << "each may be another";
}

TEST(LaunchValue, Increments) {
  EXPECT_EQ(blocksInMain("int t = 31; a<<<1, ++t>>>(0); a<<<1, t++>>>(0);\n"
                         "t *= 2; t -= 2; a<<<1, t>>>(0);\n"
                         "unsigned char c = 255; c++; a<<<1, c + 8>>>(0);"),
            (Shapes{"32,1,1", "32,1,1", "64,1,1", "8,1,1"}));
}

} // namespace cudalint::test::LaunchValueTests
