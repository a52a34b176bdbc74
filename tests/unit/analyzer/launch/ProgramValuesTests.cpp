//===- tests/unit/analyzer/launch/ProgramValuesTests.cpp - Tests ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/launch/ExtractionHelper.h"

#include "analyzer/launch/ProgramValues.h"

#include <gmock/gmock.h>

using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

namespace cudalint::test::ProgramValuesTests {

using Shapes = std::vector<std::string>;

//===----------------------------------------------------------------------===//
// From stores to values
//===----------------------------------------------------------------------===//

static PlaceStore number(const char *Place, std::int64_t Number,
                         unsigned Bits = 32, bool Signed = true) {
  return {.Place = Place, .Bits = Bits, .Signed = Signed, .Number = Number};
}
static PlaceStore unknown(const char *Place) {
  return {.Place = Place, .Bits = 32, .Signed = true};
}
static PlaceStore copy(const char *Place, const char *From,
                       unsigned Bits = 32) {
  return {.Place = Place, .Bits = Bits, .Signed = true, .From = From};
}

static ProgramValues valuesOf(const std::vector<ProgramFacts> &Files) {
  std::vector<const ProgramFacts *> All;
  for (const ProgramFacts &Each : Files)
    All.push_back(&Each);
  return valuesOfProgram(All);
}

static ProgramFacts withMain(std::vector<PlaceStore> Stores,
                             std::set<std::string> Uses = {}) {
  ProgramFacts File;
  File.HasMain = true;
  File.Functions["main"] = {
      .Stores = std::move(Stores), .Uses = std::move(Uses), .IsRoot = true};
  return File;
}

TEST(ProgramValues, TheOneNumberThatIsStored) {
  EXPECT_THAT(
      valuesOf({withMain({number("a", 16), number("a", 16), number("b", 16),
                          number("b", 17), number("c", 1), unknown("c")})}),
      UnorderedElementsAre(Pair("a", 16)));
}

TEST(ProgramValues, CopiesInAnyOrderAndInCircles) {
  EXPECT_THAT(
      valuesOf({withMain(
          {copy("c", "b"), copy("b", "a"), number("a", 16), copy("a", "c")})}),
      UnorderedElementsAre(Pair("a", 16), Pair("b", 16), Pair("c", 16)));
  EXPECT_THAT(
      valuesOf({withMain({copy("c", "b"), copy("b", "a"), number("a", 16),
                          copy("a", "c"), number("c", 17)})}),
      IsEmpty());
  EXPECT_THAT(valuesOf({withMain({copy("b", "a"), unknown("a")})}), IsEmpty());
}

TEST(ProgramValues, WhatAnObjectOfTheTypeHolds) {
  EXPECT_THAT(
      valuesOf(
          {withMain({number("byte", 300, 8, false),
                     number("char", 200, 8, true), number("bool", 2, 1, false),
                     copy("long", "byte", 64), number("wide", -1, 64, true)})}),
      UnorderedElementsAre(Pair("byte", 44), Pair("char", -56), Pair("bool", 1),
                           Pair("long", 44), Pair("wide", -1)));
}

TEST(ProgramValues, FunctionsThatNeverRunStoreNothing) {
  ProgramFacts Other;
  Other.Functions["used"].Stores = {number("a", 16)};
  Other.Functions["used"].Uses = {"indirectly used"};
  Other.Functions["indirectly used"].Stores = {number("b", 3)};
  Other.Functions["unused"].Stores = {number("a", 17)};
  Other.Functions["unused"].Uses = {"in no file"};
  EXPECT_THAT(valuesOf({withMain({}, {"used"}), Other}),
              UnorderedElementsAre(Pair("a", 16), Pair("b", 3)));
}

TEST(ProgramValues, NothingOfAPartOfAProgram) {
  EXPECT_THAT(valuesOf({withMain({number("a", 16)}, {"in no file"})}),
              IsEmpty());
  ProgramFacts NoMain;
  NoMain.Functions["f"] = {.Stores = {number("a", 16)}, .IsRoot = true};
  EXPECT_THAT(valuesOf({NoMain}), IsEmpty());
  ProgramFacts Unread;
  Unread.Complete = false;
  EXPECT_THAT(valuesOf({withMain({number("a", 16)}), Unread}), IsEmpty());
  EXPECT_THAT(valuesOf({}), IsEmpty());
}

//===----------------------------------------------------------------------===//
// From code to stores
//===----------------------------------------------------------------------===//

/// The block of a launch that takes it from a member of a struct, which is 64
/// unless `Change`, a part of main(), changes it.
static Shapes blockAfter(const std::string &Change) {
  return blocks(extract(R"(
    extern "C" void *malloc(unsigned long);
    extern "C" void *calloc(unsigned long, unsigned long);
    extern "C" void free(void *);
    struct Net { int Hidden; float *Weights; };
    struct Outer { Net Inner; Net Parts[2]; };
    template <class T> auto Late = [](Net &N) { N.Hidden = 7; };
    Net *create(int Hidden) {
      Net *N = (Net *)malloc(sizeof(Net));
      N->Hidden = Hidden;
      return N;
    }
    void set(int *To) { *To = 7; }
    void touch(Net *N) { N->Weights = nullptr; }
    void elsewhere(Net *N);
    void never(Net *N) { N->Hidden = 7; elsewhere(N); }
    Net *Table[10];
    char Buffer[sizeof(Net)];
    __global__ void a(int) {}
    void train(Net *N) { a<<<1, N->Hidden>>>(0); }
    int main(int argc, char **argv) {
      Table[argc] = create(64);
      )" + Change + R"(
      train(Table[argc]);
    })"));
}

TEST(ProgramConstant, AMemberThatHoldsOneNumber) {
  for (const char *Change :
       {"", "argc += Table[0]->Hidden;", "Table[1] = create(64);",
        "Table[1] = create(32 + 32);", "touch(Table[0]);",
        "*Table[1] = *Table[0];", "Net Copy = *Table[0]; Table[1] = &Copy;",
        "const int &Seen = Table[0]->Hidden; argc += Seen;", "free(Table[2]);",
        "Net Other = {64}; Table[1] = &Other;",
        "Table[1] = new Net; Table[1]->Hidden = 64;",
        "__builtin_memcpy(Table[1], Table[0], sizeof(Net));",
        "argc += *(const int *)Table[0];",
        // Nothing evaluates an operand of sizeof.
        "argc += sizeof(++Table[0]->Hidden);",
        // A lambda does what the function does that it stands in.
        "auto See = [&] { argc += Table[0]->Hidden; }; See();"})
    EXPECT_EQ(blockAfter(Change), Shapes{"64,1,1"}) << Change;
}

TEST(ProgramConstant, EveryWayToChangeIt) {
  for (const char *Change :
       {"Table[0]->Hidden = 32;", "Table[0]->Hidden = argc;",
        "Table[0]->Hidden += argc;", "Table[0]->Hidden++;",
        "Table[1] = create(32);", "Table[1] = create(argc);",
        "set(&Table[0]->Hidden);", "int &It = Table[0]->Hidden; It = 7;",
        "int Net::*Where = &Net::Hidden; Table[0]->*Where = 7;",
        "__builtin_memcpy(Table[0], Buffer, sizeof(Net));",
        "__builtin_memset(Table[0], 1, sizeof(Net));", "*(int *)Table[0] = 7;",
        "Table[1] = (Net *)Buffer;", "reinterpret_cast<int &>(*Table[0]) = 7;",
        "Net Other = {7}; Table[1] = &Other;",
        "Net Other = {}; Table[1] = &Other;",
        "Net Other{.Hidden = argc}; Table[1] = &Other;",
        "Table[1] = new Net();", "Table[1] = new Net[4]();",
        "static Net Zeros; Table[1] = &Zeros;",
        "static Outer Zeros; Table[1] = &Zeros.Inner;",
        "Table[1] = (Net *)calloc(1, sizeof(Net));",
        "auto Change = [&] { Table[0]->Hidden = 7; }; Change();",
        "auto &[H, W] = *Table[0]; H = 7;",
        "union { Net N; int I[4]; } Both; Both.I[0] = 7; Table[1] = &Both.N;",
        "Net *(*Make)(int) = create; Table[1] = Make(argc);",
        "Outer Other; *(int *)&Other = 7; Table[1] = &Other.Inner;",
        "never(Table[0]);", "asm(\"\" : \"=r\"(Table[0]->Hidden));",
        "*(int *)(unsigned long)Table[0] = 7;",
        "static int S[4] = {7}; Table[1] = (Net *)(unsigned long)S;",
        "const int &C = Table[0]->Hidden; const_cast<int &>(C) = 7;",
        "const int &C = Table[0]->Hidden; *(int *)&C = 7;",
        "Net Others[4] = {{64}}; Table[1] = &Others[2];",
        "struct Late { Net *N; ~Late() { N->Hidden = 7; } } L{Table[0]};",
        "struct Base { virtual void go(Net *) {} };"
        "struct D : Base { void go(Net *N) { N->Hidden = 7; } } L;"
        "Base *B = &L; B->go(Table[0]);",
        "auto Set = [](auto &N) { N.Hidden = 7; }; Set(*Table[0]);",
        // Whole objects are copied, to where there is none.
        "__builtin_memcpy(((Outer &)*Table[0]).Parts, Table[1], sizeof(Net));",
        // Nothing walks over what instantiates a variable's template.
        "Late<int>(*Table[0]);"})
    EXPECT_EQ(blockAfter(Change), Shapes{"?,1,1"}) << Change;
}

/// The block of a launch in a function of its own that takes it from a global
/// variable, which is 64 unless `Rest`, which holds main(), changes it.
static Shapes blockFromGlobal(const std::string &Rest) {
  return blocks(extract("static int W = 64;\n"
                        "__global__ void a(int) {}\n"
                        "static void launch(int N) { a<<<1, W>>>(N); }\n"
                        "static int change() { W = 7; return 1; }\n" +
                        Rest));
}

TEST(ProgramConstant, CodeThatRunsWithoutBeingNamedInABody) {
  const std::string Main = "int main(int argc, char **) { launch(argc); }";
  // Nothing runs change().
  EXPECT_EQ(blockFromGlobal(Main), Shapes{"64,1,1"});
  // Another name for it.
  EXPECT_EQ(blockFromGlobal("static int &R = (W = 64);"
                            "int main(int argc, char **) {"
                            "  R = argc; launch(argc); }"),
            Shapes{"?,1,1"});
  for (const char *Rest :
       {"__attribute__((constructor)) static void before() { change(); }",
        "__attribute__((used)) static void from() { change(); }",
        "static int First = change();",
        "struct Member { int I = change(); Member() {} } It;"})
    EXPECT_EQ(blockFromGlobal(Rest + Main), Shapes{"?,1,1"}) << Rest;
  // It runs, and then the launch.
  for (const char *Rest :
       {"static void with(int N = change()) { launch(N); }"
        "int main() { with(); }",
        "struct Both { int A; int B = change(); };"
        "int main(int argc, char **) { Both It{argc}; launch(It.B); }"})
    EXPECT_EQ(blockFromGlobal(Rest), Shapes{"7,1,1"}) << Rest;
  EXPECT_EQ(
      blockFromGlobal("static void clean(int *) { change(); }"
                      "int main(int argc, char **) {"
                      "  { int I __attribute__((cleanup(clean))) = argc; }"
                      "  launch(argc); }"),
      Shapes{"?,1,1"});
}

TEST(ProgramConstant, WhatLibraryTemplatesFindByTheirArguments) {
  auto BlocksWith = [](const std::string &Name) {
    return blocks(extract("struct Net { int Hidden; };\n"
                          "Net *All[4];\n"
                          "__global__ void a(int) {}\n"
                          "static void launch(Net *N) {"
                          "  a<<<1, N->Hidden>>>(0); }\n"
                          "static void " +
                          Name +
                          "(Net &A, Net &) { A.Hidden = 7; }\n"
                          "int main(int argc, char **) {"
                          "  All[argc]->Hidden = 64; launch(All[argc]); }"));
  };
  EXPECT_EQ(BlocksWith("exchange"), Shapes{"64,1,1"});
  EXPECT_EQ(BlocksWith("swap"), Shapes{"?,1,1"});
}

/// What library templates do: a header of the system's.
static const std::string Library = R"(
# 1 "library.h" 1 3
namespace std {
template <class T> struct vector {
  T *First;
  vector(unsigned long N) : First(new T[N]()) {}
  vector() : First(new T[8]) {}
  void resize(unsigned long N) { First = new T[N](); }
  T &operator[](unsigned long I) { return First[I]; }
};
template <class T> void iter_swap(T *A, T *B) { swap(*A, *B); }
template <class T> void fill(T *A, T *B) { *A = T(); }
template <class T, T V> struct integral_constant {
  T get() { return V; }
};
} // namespace std
# 20 "input.cu" 2
)";

TEST(ProgramConstant, WhatLibraryCodeCallsAndMakes) {
  auto BlocksWith = [](const std::string &Main) {
    return blocks(extract(Library + R"(
      struct Net { int Hidden; };
      static int W = 64;
      struct Key { int Z; };
      static void swap(Key &, Key &) { W = 7; }
      static void set() { W = 7; }
      __global__ void a(int) {}
      static void launch(Net *N) { a<<<W, N->Hidden>>>(0); }
      int main(int argc, char **) {
        Net V[10];
        V[argc].Hidden = 64;
        )" + Main + "launch(&V[argc]); }"));
  };
  EXPECT_EQ(BlocksWith(""), Shapes{"64,1,1"});
  EXPECT_EQ(BlocksWith("std::vector<Net *> Pointers(9);"), Shapes{"64,1,1"});
  EXPECT_EQ(BlocksWith("std::vector<Key> Others(9);"), Shapes{"64,1,1"});
  // Library code may make a Net of its own, as this does.
  for (const char *Main :
       {"std::vector<Net> Zeros(9);", "std::vector<Net> *None = nullptr;",
        "std::vector<std::vector<Net>> Zeros;",
        "struct Own : std::vector<Net> {}; Own Zeros;",
        "struct Has { std::vector<Net> It; }; Has Zeros;",
        "std::fill(V, V + 1);"})
    EXPECT_EQ(BlocksWith(Main), Shapes{"?,1,1"}) << Main;
  auto GridsWith = [&](const std::string &Main) {
    return shapes(extract(Library + R"(
      static int W = 64;
      struct Key { int Z; };
      static void swap(Key &, Key &) { W = 7; }
      static void set() { W = 7; }
      __global__ void a(int) {}
      static void launch(int N) { a<<<1, W>>>(N); }
      int main(int argc, char **) { Key K[2]; )" +
                          Main + "launch(argc); }"));
  };
  EXPECT_EQ(GridsWith(""), Shapes{"1,1,1|64,1,1"});
  EXPECT_EQ(GridsWith("std::iter_swap(K, K + 1);"), Shapes{"1,1,1|?,1,1"});
  // Named as an argument only: it may run at any time.
  EXPECT_EQ(GridsWith("std::integral_constant<void (*)(), set> C; C.get()();"),
            Shapes{"1,1,1|?,1,1"});
}

TEST(ProgramConstant, AMemberThatConstructorsSet) {
  const std::string Class = R"(
    struct Pool {
      Pool(int) : Threads(64) {}
      Pool() {}
      int Threads = 64;
    };
    Pool *All[10];
    __global__ void a(int) {}
    void run(Pool *P) { a<<<1, P->Threads>>>(0); }
    int main(int argc, char **argv) { run(All[argc]); )";
  EXPECT_EQ(blocks(extract(Class + "}")), Shapes{"64,1,1"});
  EXPECT_EQ(blocks(extract(Class + "Pool P; P.Threads = 32; All[0] = &P; }")),
            Shapes{"?,1,1"});
}

TEST(ProgramConstant, AFileWithoutMainIsNoProgram) {
  const std::string Code = R"(
    struct Net { int Hidden; };
    __global__ void a(int) {}
    void set(Net *N) { N->Hidden = 64; }
    void train(Net *N) { a<<<1, N->Hidden>>>(0); }
    )";
  EXPECT_EQ(blocks(extract(Code)), Shapes{"?,1,1"});
  EXPECT_EQ(blocks(extract(Code + "Net *All[4]; int main(int argc, char **) {"
                                  "set(All[argc]); train(All[argc]); }")),
            Shapes{"64,1,1"});
}

//===----------------------------------------------------------------------===//
// Of several files
//===----------------------------------------------------------------------===//

TEST(ProgramConstant, VariablesAndParametersOfOtherFiles) {
  const char *Kernels = R"(
    extern int Width;
    __global__ void a(int) {}
    void run(int Blocks) { a<<<Blocks, Width * 2>>>(Width); }
    )";
  auto shapesWith = [&](const std::string &Main) {
    return shapes(extractProgram({Kernels, Main}).front());
  };
  EXPECT_EQ(shapesWith("void run(int);\nint Width = 32;\n"
                       "int main() { run(12); }"),
            Shapes{"12,1,1|64,1,1"});
  EXPECT_EQ(shapesWith("void run(int);\nint Width = 32;\n"
                       "int main(int argc, char **) { run(argc); Width = 8; }"),
            Shapes{"?,1,1|?,1,1"});
  // Another file may set it.
  EXPECT_EQ(shapesWith("void run(int);\nint Width = 32;\nvoid read();\n"
                       "int main() { read(); run(12); }"),
            (Shapes{"?,1,1|?,1,1", "12,1,1|?,1,1"}));
  // Modified in the function: what it begins with is what callers give it.
  EXPECT_EQ(
      shapes(extractProgram({"__global__ void a(int) {}\n"
                             "void run(int N) { N *= 2; a<<<1, N>>>(0); }",
                             "void run(int);\nint main() { run(32); }"})
                 .front()),
      Shapes{"1,1,1|64,1,1"});
  // Private to its file: another variable.
  EXPECT_EQ(shapesWith("void run(int);\nstatic int Width = 32;\n"
                       "int main() { run(Width); }"),
            Shapes{"32,1,1|?,1,1"});
}

TEST(ProgramConstant, VariablesThatOtherFilesChange) {
  const char *Kernels = "__global__ void a(int) {}\nint W = 64;\n"
                        "void set();\n"
                        "void run(int N) { a<<<1, W>>>(N); }\n";
  auto BlocksWith = [&](const std::string &Own, const std::string &Other) {
    return blocks(extractProgram({Kernels + Own, Other}).front());
  };
  const std::string Main = "int main(int N, char **) { set(); run(N); }";
  EXPECT_EQ(BlocksWith(Main, "void set() {}"), Shapes{"64,1,1"});
  for (const char *Other :
       {"extern int W; void set() { W = 7; }",
        "void set() { extern int W; W = 7; }",
        "extern int V asm(\"W\"); void set() { V = 7; }",
        "namespace n { extern \"C\" int W; } void set() { n::W = 7; }"})
    EXPECT_EQ(BlocksWith(Main, Other), Shapes{"?,1,1"}) << Other;
  // Also of files that are no whole program.
  EXPECT_EQ(BlocksWith("", "extern int W; void start() { W = 7; }"),
            Shapes{"?,1,1"});
}

TEST(ProgramConstant, WhatAVariableBeginsWith) {
  const std::string Launch = "__global__ void a(int) {}\n"
                             "void run(int N) { a<<<1, V>>>(N); }\n"
                             "int main(int N, char **) { run(N); V = 64; }";
  // Of a library, perhaps.
  EXPECT_EQ(blocks(extract("extern int V;\n" + Launch)), Shapes{"?,1,1"});
  EXPECT_EQ(blocks(extract("int V = 64;\n" + Launch)), Shapes{"64,1,1"});
  EXPECT_EQ(blocks(extract("template <int N> int T = N;\n"
                           "#define V T<32>\n"
                           "__global__ void a(int) {}\n"
                           "void run(int N) { a<<<1, (V)>>>(N); }\n"
                           "int main(int N, char **) { run(N); V = 64; }")),
            Shapes{"32,1,1"});
}

//===----------------------------------------------------------------------===//
// Calls of one file's functions by others
//===----------------------------------------------------------------------===//

/// Blocks of the launch in a file whose function `run(int Bs, int N)` the body
/// of main(), in another file, calls.
static Shapes blocksCalledBy(const std::string &Body,
                             const std::string &More = {}) {
  return blocks(
      extractProgram({"__global__ void a(int) {}\n" + More +
                          "void run(int Bs, int N) { a<<<1, Bs>>>(N); }",
                      "void run(int, int);\nint opaque();\n" + Body})[0]);
}
static Shapes blocksOfMain(const std::string &Body) {
  return blocksCalledBy("int main(int argc, char **argv) {" + Body + "}",
                        "int opaque() { return 7; }\n");
}

TEST(OuterCall, EachOfTheKnownOnesIsALaunch) {
  EXPECT_EQ(blocksOfMain("run(64, argc);"), Shapes{"64,1,1"});
  EXPECT_EQ(blocksOfMain("run(64, argc); run(128, argc);"),
            (Shapes{"64,1,1", "128,1,1"}));
  EXPECT_EQ(blocksOfMain("for (int B = 32; B <= 256; B *= 2) run(B, argc);"),
            (Shapes{"32,1,1", "64,1,1", "128,1,1", "256,1,1"}));
  EXPECT_EQ(blocksOfMain("for (int B : {32, 96}) run(B, argc);"),
            (Shapes{"32,1,1", "96,1,1"}));
  EXPECT_EQ(blocksOfMain("if (argc > 1) run(64, 1); else run(32, 2);"),
            (Shapes{"32,1,1", "64,1,1"}));
}

TEST(OuterCall, WhatIsNotKnownStaysBesideWhatIs) {
  EXPECT_EQ(blocksOfMain("run(64, 1); run(argc, 1);"),
            (Shapes{"?,1,1", "64,1,1"}));
  EXPECT_EQ(blocksOfMain("run(64, 1); auto *F = run; F(argc, 1);"),
            (Shapes{"?,1,1", "?,1,1", "64,1,1"}))
      << "once for the pointer, once for whoever it may be given to";
  EXPECT_EQ(blocksOfMain("for (int B = 32; B < argc; B *= 2) run(B, argc);"),
            Shapes{"?,1,1"});
  EXPECT_EQ(blocksOfMain("run(64, 1); run(opaque(), 1);"),
            (Shapes{"?,1,1", "64,1,1"}));
  // Part of a program only: others may call it.
  EXPECT_EQ(blocksCalledBy("void start() { run(64, 1); }"),
            (Shapes{"?,1,1", "64,1,1"}));
  EXPECT_EQ(blocksCalledBy("int x = (run(64, 1), 2);"), Shapes{"?,1,1"});
}

TEST(OuterCall, ThroughHelpersOfItsFile) {
  EXPECT_EQ(blocksCalledBy("static void twice(int B) { run(B, 1); run(2 * B, "
                           "1); } int main() { twice(32); twice(128); }"),
            (Shapes{"32,1,1", "64,1,1", "128,1,1", "256,1,1"}));
  EXPECT_EQ(blocksCalledBy("struct S { int B; S(int B) : B(B) {} void go() { "
                           "run(B, 1); } }; int main() { S(96).go(); }"),
            Shapes{"96,1,1"});
  // Both call it: the file of its body, too.
  EXPECT_EQ(blocksCalledBy("void own(); int main() { run(64, 1); own(); }",
                           "void run(int, int);\n"
                           "void own() { run(32, 1); }\n"),
            (Shapes{"32,1,1", "64,1,1"}));
}

TEST(OuterCall, FunctionsOfOneNameAreTold) {
  // Another overload, a static function and one of a namespace are others.
  EXPECT_EQ(blocks(extractProgram(
                {"__global__ void a(int) {}\n"
                 "void run(int B) { a<<<1, B>>>(0); }\n"
                 "namespace n { void run(int B) { a<<<2, B>>>(0); } }",
                 "void run(int); int main() { run(64); }",
                 "static void run(int B) {} void other() { run(96); }",
                 "void run(long); void third() { run(33L); }"})[0]),
            (Shapes{"64,1,1", "?,1,1"}));
}

TEST(OuterCall, ManyAreNotListed) {
  std::string Body;
  for (int I = 1; I <= 80; ++I)
    Body += "run(" + std::to_string(I) + ", 1);";
  EXPECT_EQ(blocksOfMain(Body), Shapes{"?,?,?"});
}

} // namespace cudalint::test::ProgramValuesTests
