//===- tests/unit/analyzer/frontend/SourceFactsTests.cpp - Tests ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/frontend/Parsing.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::IsSupersetOf;

namespace cudalint::test::SourceFactsTests {

static constexpr char Types[] = R"cuda(
#pragma clang system_header
template <class T> __device__ inline T __ldg(const T *p) { return *p; }
)cuda";

/// Parses with the types above, which count as the toolkit's.
static Parsed parseKernel(const std::string &Code) {
  ParseSetting Options;
  Options.VirtualFiles["types.h"] = Types;
  Parsed P = parse("#include \"types.h\"\n" + Code, Options);
  EXPECT_EQ(P.Result.Status, UnitStatus::Ok) << P.Result.Diagnostics;
  return P;
}

static std::string print(const AccessFact *Fact) {
  if (!Fact)
    return "nothing";
  std::string Text = Fact->Text + " of " + Fact->Object;
  if (Fact->Field)
    Text += ", " + Fact->Field->Struct + "(" +
            std::to_string(Fact->Field->StructBytes) + ")." +
            Fact->Field->Field + "@" +
            std::to_string(Fact->Field->FieldOffset) + "+" +
            std::to_string(Fact->Field->FieldBytes);
  if (Fact->Array) {
    Text += ", ";
    for (std::uint64_t D : Fact->Array->Dimensions)
      Text += "[" + std::to_string(D) + "]";
    Text += "x" + std::to_string(Fact->Array->ElementBytes);
  }
  return Text;
}

/// What is known of every access to memory that code generation makes in the
/// user's functions, in order: `load TEXT of OBJECT…`. A call of a function
/// in a system header stands for the access in it.
static std::vector<std::string> accesses(const Parsed &P) {
  std::vector<std::string> Found;
  for (const llvm::Function &F : *P.Result.Module)
    for (const llvm::Instruction &I : llvm::instructions(F)) {
      const llvm::DILocation *Place = I.getDebugLoc();
      if (!Place || Place->getFilename() != "input.cu")
        continue;
      const Location Where = {"input.cu", Place->getLine(), Place->getColumn()};
      const std::string Name =
          Place->getScope()->getSubprogram()->getLinkageName().str();
      auto IsVariable = [](const llvm::Value *Pointer) {
        return llvm::isa<llvm::AllocaInst>(Pointer->stripPointerCasts());
      };
      auto Add = [&](const char *Kind, const AccessFact *Fact) {
        Found.push_back(std::string(Kind) + " " + print(Fact));
      };
      if (const auto *L = llvm::dyn_cast<llvm::LoadInst>(&I)) {
        if (!IsVariable(L->getPointerOperand()))
          Add("load", P.Facts.findLoad(Where, Name));
      } else if (const auto *S = llvm::dyn_cast<llvm::StoreInst>(&I)) {
        if (!IsVariable(S->getPointerOperand()))
          Add("store", P.Facts.findStore(Where, Name));
      } else if (const auto *M = llvm::dyn_cast<llvm::MemCpyInst>(&I)) {
        if (!IsVariable(M->getSource()))
          Add("load", P.Facts.findLoad(Where, Name));
        if (!IsVariable(M->getDest()))
          Add("store", P.Facts.findStore(Where, Name));
      } else if (const auto *C = llvm::dyn_cast<llvm::CallInst>(&I)) {
        const llvm::Function *Callee = C->getCalledFunction();
        if (Callee && (Callee->getName().contains("atomicAdd") ||
                       Callee->getName().contains("ldg")))
          Add("call", P.Facts.findLoad(Where, Name));
      }
    }
  return Found;
}

TEST(SourceFacts, ArraysOfScalars) {
  EXPECT_THAT(
      accesses(parseKernel("__global__ void k(float *in, float *out, int n) {\n"
                           "  out[threadIdx.x] = in[threadIdx.x * n];\n"
                           "  *(out + n) = *in;\n"
                           "}\n")),
      ElementsAre("load in[threadIdx.x * n] of in",
                  "store out[threadIdx.x] of out", "load *in of in",
                  "store *(out + n) of out"));
}

// An operator of the toolkit's stores there, under no other name.
TEST(SourceFacts, PointersThatStep) {
  EXPECT_THAT(accesses(parseKernel("__global__ void k(float *p, float *q) {\n"
                                   "  *p++ = *q--;\n"
                                   "  *(++p + 2) = (--q)[1];\n"
                                   "}\n")),
              ElementsAre("load *q-- of q", "store *p++ of p",
                          "load (--q)[1] of q", "store *(++p + 2) of p"));
}

TEST(SourceFacts, CompoundAssignmentsAndIncrements) {
  EXPECT_THAT(accesses(parseKernel("__global__ void k(int *a) {\n"
                                   "  a[1] += 2;\n"
                                   "  ++a[3];\n"
                                   "  a[4]--;\n"
                                   "}\n")),
              ElementsAre("load a[1] of a", "store a[1] of a", "load a[3] of a",
                          "store a[3] of a", "load a[4] of a",
                          "store a[4] of a"));
}

TEST(SourceFacts, FieldsOfStructs) {
  // Three floats of four bytes: offsets 0, 4, 8, size 12.
  EXPECT_THAT(accesses(parseKernel(
                  "struct vec3d { float x, y, z; };\n"
                  "struct Body { vec3d pos; vec3d vel; double mass; };\n"
                  "__global__ void k(vec3d *v, Body *b, float *f, int i) {\n"
                  "  f[i] = v[i].x;\n"
                  "  v[i].z = 1;\n"
                  "  (v + i)->y += 2;\n"
                  "  b[i].vel.y = 3;\n"
                  "}\n")),
              ElementsAre("load v[i].x of v, vec3d(12).x@0+4",
                          "store f[i] of f",
                          "store v[i].z of v, vec3d(12).z@8+4",
                          "load (v + i)->y of v, vec3d(12).y@4+4",
                          "store (v + i)->y of v, vec3d(12).y@4+4",
                          "store b[i].vel.y of b, Body(32).vel.y@16+4"));
}

TEST(SourceFacts, WholeStructs) {
  EXPECT_THAT(
      accesses(parseKernel("struct vec3d { float x, y, z; };\n"
                           "__device__ float sum(vec3d);\n"
                           "__global__ void k(vec3d *a, vec3d *b, int i) {\n"
                           "  b[i] = a[i];\n"
                           "  vec3d local = a[i + 1];\n"
                           "  b[i + 2] = local;\n"
                           "  sum(a[i + 3]);\n"
                           "}\n")),
      ElementsAre("load a[i] of a", "store b[i] of b", "load a[i + 1] of a",
                  "store b[i + 2] of b", "load a[i + 3] of a"));
}

TEST(SourceFacts, WholeStructsAreThoseOfTheUser) {
  const Parsed P = parseKernel(
      "struct Pair { double a, b; };\n"
      "struct Copies { double a; __device__ Copies &operator=(const Copies "
      "&); };\n"
      "__global__ void k(Pair *p, Copies *c, float *f, int i) {\n"
      "  p[i] = p[0];\n"
      "  f[i] = p[i].a;\n"
      "  c[i] = c[0];\n"
      "}\n");
  const auto wholeOf = [&](unsigned Line) {
    for (const auto &[Where, Fact] : P.Facts.Stores)
      if (Where.Line == Line)
        return Fact.Whole;
    return std::optional<FieldFact>();
  };
  ASSERT_TRUE(wholeOf(5));
  EXPECT_EQ(wholeOf(5)->Struct, "Pair");
  EXPECT_EQ(wholeOf(5)->StructBytes, 16u);
  EXPECT_EQ(wholeOf(5)->StructAlign, 8u);
  EXPECT_EQ(wholeOf(5)->FieldBytes, 16u);
  EXPECT_EQ(wholeOf(5)->AlignPoint.File, "input.cu");
  EXPECT_FALSE(wholeOf(5)->CopiesItself);
  EXPECT_FALSE(wholeOf(6));
  ASSERT_TRUE(wholeOf(7));
  EXPECT_TRUE(wholeOf(7)->CopiesItself);
}

// By what nvcc 13.0 prints with -lineinfo: tests/cli/compiled_test.py asks it.
TEST(SourceFacts, TheLineOfAnIndexIsThatOfItsLastOperand) {
  const auto lineOf = [](const std::string &Element) {
    const Parsed P = parseKernel("struct P { float x; float v[3]; };\n"
                                 "__global__ void k(float *a, P *p, P *q, int "
                                 "i, int n) {\n  float r =\n" +
                                 Element + ";\n  a[0] = r;\n}\n");
    for (const auto &[Where, Fact] : P.Facts.Loads)
      if (Where.Line == 5)
        return Fact.IndexLine;
    return ~0u;
  };
  EXPECT_EQ(lineOf("a[i + n]"), 0);
  EXPECT_EQ(lineOf("a[i +\nn]"), 6);
  EXPECT_EQ(lineOf("a[\ni\n- 1\n]"), 7);
  EXPECT_EQ(lineOf("a[(long)\n(i +\nn)]"), 7);
  EXPECT_EQ(lineOf("a[i >\nn ?\ni :\nn]"), 8);
  EXPECT_EQ(lineOf("a[\n-\ni]"), 7);
  EXPECT_EQ(lineOf("*(a +\nn)"), 6);
  EXPECT_EQ(lineOf("p[\ni\n]\n.x"), 6);
  EXPECT_EQ(lineOf("p[i]\n.v\n[n]"), 7);
  // Where it is the one that Clang has, and where nobody knows.
  EXPECT_EQ(lineOf("a[i\n]"), 0);
  EXPECT_EQ(lineOf("q\n->x"), 0);
}

TEST(SourceFacts, WhatIsAssignedToSharedMemory) {
  const Parsed P =
      parseKernel("__global__ void k(float *a, float4 *v, int i, int n) {\n"
                  "  __shared__ float s[64][65]; __shared__ float4 w[8];\n"
                  "  s[i][0] = a[i];\n"
                  "  s[i][1] = i < n ? (a[i + 1]) : 0;\n"
                  "  w[i] = v[i];\n"
                  "  s[i][2] = a[i] + a[n];\n"
                  "  s[i][3] += a[i];\n"
                  "  a[i] = a[n];\n"
                  "  s[(int)a[i]][4] = 0;\n"
                  "}\n");
  std::set<unsigned> Lines;
  for (const auto &[Where, Fact] : P.Facts.Loads)
    if (Fact.GoesToShared)
      Lines.insert(Where.Line - 1); // The types are in the first.
  EXPECT_THAT(Lines, ElementsAre(3, 4, 5));
}

// As curand_uniform() takes its state, of 48 bytes.
TEST(SourceFacts, WhatACallTakesByPointer) {
  const Parsed P = parseKernel("struct State { int v[12]; };\n"
                               "__device__ int atomicAddTo(State *);\n"
                               "__global__ void k(State *s, State **t) {\n"
                               "  atomicAddTo(s + threadIdx.x);\n"
                               "  atomicAddTo(&s[threadIdx.x]);\n"
                               "  atomicAddTo(s);\n"
                               "  atomicAddTo(t[1]);\n"
                               "}\n");
  const auto bytesAt = [&](unsigned Line) {
    const AccessFact *Fact = P.Facts.findLoad({"input.cu", Line, 3}, "");
    return Fact ? Fact->Bytes : 0;
  };
  EXPECT_EQ(bytesAt(5), 48U);
  EXPECT_EQ(bytesAt(6), 48U);
  EXPECT_EQ(bytesAt(7), 48U);
  EXPECT_EQ(bytesAt(8), 8U); // The pointer is in memory itself.
}

TEST(SourceFacts, VectorTypesAreStructsOfTheToolkit) {
  Parsed P = parseKernel("__global__ void k(float4 *v, float *f) {\n"
                         "  f[0] = v[1].z;\n"
                         "}\n");
  EXPECT_THAT(accesses(P), ElementsAre("load v[1].z of v, float4(16).z@8+4",
                                       "store f[0] of f"));
  const AccessFact *Fact = P.Facts.findLoad({"input.cu", 3, 15}, "");
  ASSERT_NE(Fact, nullptr);
  EXPECT_EQ(Fact->Field->AlignPoint, EditPoint{});
  EXPECT_EQ(Fact->Field->StructAlign, 16u);
}

TEST(SourceFacts, FieldsOfClassesThatCopyThemselves) {
  Parsed P = parseKernel(
      "struct pair { unsigned v; __device__ pair &operator=(const pair &o) {\n"
      "  v = o.v; return *this; } };\n"
      "struct four { pair a; unsigned b; };\n"
      "__global__ void k(four *f, unsigned *out) {\n"
      "  *out = f[1].a.v + f[1].b;\n"
      "}\n");
  const AccessFact *Own = P.Facts.findLoad({"input.cu", 6, 17}, "");
  const AccessFact *Plain = P.Facts.findLoad({"input.cu", 6, 26}, "");
  ASSERT_TRUE(Own && Own->Field && Plain && Plain->Field);
  EXPECT_TRUE(Own->Field->CopiesItself);
  EXPECT_FALSE(Plain->Field->CopiesItself);
}

// What a static_assert is about, what is packed, and what is a view of bytes,
// nobody can lay out otherwise.
TEST(SourceFacts, LayoutsThatAreFixed) {
  Parsed P =
      parseKernel("struct plain { float d, q; };\n"
                  "static_assert(sizeof(plain) <= 64, \"\"); "
                  "struct checked { float d, q; };\n"
                  "static_assert(sizeof(checked) == 8, \"\");\n"
                  "struct __attribute__((packed)) dense { char a; int b; };\n"
                  "__global__ void k(float *f, plain *p, checked *c,\n"
                  "                  dense *e, const char *bytes) {\n"
                  "  const plain *view = (const plain *)bytes;\n"
                  "f[0] = p[1].d;\n"
                  "f[1] = c[1].d;\n"
                  "f[2] = e[1].b;\n"
                  "f[3] = view[1].d;\n"
                  "}\n");
  for (const unsigned Line : {9u, 10u, 11u, 12u}) {
    const unsigned Column = Line == 12 ? 16 : 13;
    const AccessFact *Fact = P.Facts.findLoad({"input.cu", Line, Column}, "");
    ASSERT_NE(Fact, nullptr) << Line;
    ASSERT_TRUE(Fact->Field) << Line;
    EXPECT_EQ(Fact->Field->IsFixed, Line != 9) << Line;
  }
}

TEST(SourceFacts, SharedArraysHaveAShape) {
  EXPECT_THAT(
      accesses(parseKernel("#define TILE 32\n"
                           "extern __shared__ float dynamic[];\n"
                           "__device__ float table[4][5];\n"
                           "__global__ void k(int i) {\n"
                           "  __shared__ float tile[TILE][TILE + 1];\n"
                           "  __shared__ struct { double d[3]; } s[2];\n"
                           "  tile[i][threadIdx.x] = dynamic[i];\n"
                           "  table[1][i] = s[i].d[2];\n"
                           "}\n")),
      ElementsAre("load dynamic[i] of dynamic, [0]x4",
                  "store tile[i][threadIdx.x] of tile, [32][33]x4",
                  "load s[i].d[2] of s, (24).d@0+24, [3]x8",
                  "store table[1][i] of table, [4][5]x4"));
}

/// Whether the array from which line 3 loads, after its declaration on line 2
/// and what else is on that, holds nothing but constants.
static bool isTable(const std::string &Line, const std::string &Load) {
  const Parsed P = parseKernel(
      "__device__ void change(int *p) { p[1] = 2; }"
      "template <class T> __device__ void changeIt(T &&t) { t[0]++; }\n" +
      Line + "\n" + Load + "}\n");
  const Location Where = {"input.cu", 4,
                          static_cast<unsigned>(Load.find("a[") + 1)};
  const AccessFact *Fact = P.Facts.findLoad(Where, "_Z1kPii");
  EXPECT_TRUE(Fact && Fact->Array) << Line;
  return Fact && Fact->Array && Fact->Array->IsTable;
}

TEST(SourceFacts, WhatNothingChangesIsATable) {
  const std::string Begin = "__global__ void k(int *o, int i) { ";
  const std::string Load = "o[1] = a[i];";
  for (const char *Array :
       {"const int a[3] = {1, 2, 3};", "int a[3] = {1, 2, 3};",
        "int a[2][2] = {{1, 2}, {3}}; o[0] = a[1][i];", "int a[3] = {};",
        "int a[3] = {1}; o[2] = (a[a[i]]);"})
    EXPECT_TRUE(isTable(Begin + Array,
                        std::string(Array).find("][") == std::string::npos
                            ? Load
                            : "o[1] = a[i][0];"))
        << Array;
  for (const char *Array :
       {"int a[3];", "int a[3] = {1, i};", "int a[3] = {1}; a[i] = 2;",
        "int a[3] = {1}; ++a[1];", "int a[3] = {1}; change(a);",
        "int a[3] = {1}; int *p = a + 1; *p = 3;",
        "int a[3] = {1}; int &r = a[i]; r = 3;", "int a[3] = {1}; changeIt(a);",
        "static int a[3] = {1};",
        "int a[3] = {1}; auto f = [&] { a[1] = 2; }; f();"})
    EXPECT_FALSE(isTable(Begin + Array, Load)) << Array;
}

TEST(SourceFacts, CallsOfSystemFunctions) {
  EXPECT_THAT(accesses(parseKernel(
                  "__global__ void k(int *hist, const float *f, int i) {\n"
                  "  __shared__ int bins[64];\n"
                  "  atomicAdd(&hist[i], 1);\n"
                  "  atomicAdd(bins + i, 1);\n"
                  "  hist[0] = __ldg(&f[i * 2]);\n"
                  "}\n")),
              ElementsAre("call hist[i] of hist",
                          "call bins + i of bins, [64]x4", "call f[i * 2] of f",
                          "store hist[0] of hist"));
}

// The body of the user's own function says which of several it goes to.
TEST(SourceFacts, CallsOfTheUsersOwnFunctions) {
  const Parsed P =
      parseKernel("__device__ int one(const int *a) { return *a; }\n"
                  "__device__ int two(const int *a, const int *b) {\n"
                  "  return *b; }\n"
                  "__global__ void k(int *in, int *out) {\n"
                  "  one(in);\n"
                  "  two(in, out);\n"
                  "}\n");
  const auto nameAt = [&](unsigned Line) {
    const AccessFact *Fact =
        P.Facts.findLoad({"input.cu", Line, 3}, "_Z1kPiS_");
    return Fact ? Fact->Text : "nothing";
  };
  EXPECT_EQ(nameAt(6), "in");
  EXPECT_EQ(nameAt(7), "nothing");
}

// Which of two a library stores to, its call does not say; what it only reads
// it does.
TEST(SourceFacts, CallsThatStoreToOneOfSeveral) {
  const Parsed P = parseKernel("__device__ void far(int *a, int *b);\n"
                               "__device__ void from(const int *a, int *b);\n"
                               "__global__ void k(int *in, int *out) {\n"
                               "  far(&in[0], &out[1]);\n"
                               "  from(&in[0], &out[1]);\n"
                               "}\n");
  const auto nameAt = [&](unsigned Line) {
    const AccessFact *Fact =
        P.Facts.findStore({"input.cu", Line, 3}, "_Z1kPiS_");
    return Fact ? Fact->Text : "nothing";
  };
  EXPECT_EQ(nameAt(5), "");
  EXPECT_EQ(nameAt(6), "out[1]");
}

TEST(SourceFacts, DeviceFunctionsMethodsAndReferences) {
  EXPECT_THAT(accesses(parseKernel(
                  "struct View { float *data; int n;\n"
                  "  __device__ float &at(int i) { return data[i * n]; } };\n"
                  "__device__ void set(float &r) { r = 1; }\n"
                  "__global__ void k(View v) { set(v.at(3)); }\n")),
              AllOf(Contains("store r of r"),
                    Contains(testing::StartsWith("load n of n, View(16)"))));
}

TEST(SourceFacts, Lambdas) {
  EXPECT_THAT(
      accesses(parseKernel(
          "template <class F> __global__ void run(F f) { f(1); }\n"
          "void launch(float *p) {\n"
          "  run<<<1, 1>>>([=] __device__(int i) { p[i * 3] = 2; });\n"
          "}\n"
          "__global__ void k(float *q) {\n"
          "  auto set = [&](auto i) { q[i] = 1; };\n"
          "  set(1);\n"
          "}\n")),
      AllOf(Contains("store p[i * 3] of p"), Contains("store q[i] of q")));
}

TEST(SourceFacts, InstantiationsKeepTheirOwnShapes) {
  Parsed P = parseKernel(
      "template <int N> __global__ void k(int i) {\n"
      "  __shared__ float t[N][N + 1]; t[i][0] = 1;\n"
      "}\n"
      "void launch() { k<16><<<1, 1>>>(0); k<32><<<1, 1>>>(0); }\n");
  EXPECT_THAT(accesses(P), ElementsAre("store t[i][0] of t, [16][17]x4",
                                       "store t[i][0] of t, [32][33]x4"));
  // Without the function's name, nothing is claimed.
  ASSERT_EQ(P.Facts.Stores.size(), 1u);
  EXPECT_EQ(print(&P.Facts.Stores.begin()->second), "t[i][0] of t");
}

TEST(SourceFacts, MacroArgumentsHaveTheirOwnPlaces) {
  EXPECT_THAT(
      accesses(parseKernel("#define GET(x) (x)\n"
                           "__global__ void k(int *a, int *b) {\n"
                           "  a[0] = GET(b[1]) + GET(b[2]);\n"
                           "}\n")),
      ElementsAre("load b[1] of b", "load b[2] of b", "store a[0] of a"));
}

TEST(SourceFacts, AMacroThatAccessesTwoThingsNamesNeither) {
  EXPECT_THAT(
      accesses(parseKernel("#define SUM (a[1] + b[2])\n"
                           "__global__ void k(int *a, int *b, int *c) {\n"
                           "  c[0] = SUM;\n"
                           "}\n")),
      ElementsAre("load  of ", "load  of ", "store c[0] of c"));
}

/// `load 3:10-3:14 via OUTER INNER`, of the loads whose text is \p Text.
static std::vector<std::string> extents(const Parsed &P,
                                        const std::string &Text) {
  std::vector<std::string> Out;
  for (const auto &[Where, Fact] : P.Facts.Loads) {
    if (Fact.Text != Text)
      continue;
    const auto &[Begin, End] = Fact.Origin.Extent;
    std::string Line =
        std::to_string(Begin.Line) + ":" + std::to_string(Begin.Column) + "-" +
        std::to_string(End.Line) + ":" + std::to_string(End.Column);
    for (const MacroUse &Each : Fact.Origin.Macros)
      Line += " " + Each.Name + "@" + Each.Where.File + ":" +
              std::to_string(Each.Where.Line);
    Out.push_back(Line);
  }
  return Out;
}

TEST(SourceFacts, SubscriptsAreThoseOfTheObjectItself) {
  const Parsed P = parseKernel("struct Pair { int v[2]; };\n"
                               "__global__ void k(int *out) {\n"
                               "  __shared__ int t[4][4];\n"
                               "  __shared__ Pair p[4];\n"
                               "  out[0] = t[1][2];\n"
                               "  out[1] = (t[1])[3];\n"
                               "  out[2] = ((int *)t)[4];\n"
                               "  out[3] = *t[2];\n"
                               "  out[4] = p[3].v[1];\n"
                               "}\n");
  std::map<std::string, unsigned> Known;
  for (const auto &[Where, Fact] : P.Facts.Loads)
    Known[Fact.Text] = Fact.Subscripts;
  EXPECT_EQ(Known["t[1][2]"], 2u);
  EXPECT_EQ(Known["(t[1])[3]"], 2u);
  EXPECT_EQ(Known["((int *)t)[4]"], 0u);
  EXPECT_EQ(Known["*t[2]"], 1u); // Not all of its dimensions.
  EXPECT_EQ(Known["p[3].v[1]"], 1u);
}

// Line 1 includes the types.
TEST(SourceFacts, AnAccessHasItsBeginAndItsEnd) {
  EXPECT_THAT(extents(parseKernel("__global__ void k(int *a, int *b) {\n"
                                  "  a[0] = b[12 *\n"
                                  "    3] + 1;\n"
                                  "}\n"),
                      "b[12 * 3]"),
              ElementsAre("3:10-4:7"));
}

TEST(SourceFacts, AnAccessOfAMacroIsThePlaceOfItsCall) {
  EXPECT_THAT(extents(parseKernel("#define ONE(x) ((x)[1])\n"
                                  "#define TWO(x) ONE(x)\n"
                                  "__global__ void k(int *a, int *b) {\n"
                                  "  a[0] = TWO(b);\n"
                                  "}\n"),
                      "(b)[1]"),
              ElementsAre("5:10-5:16 ONE@input.cu:2 TWO@input.cu:3"));
  // An argument is written at the call.
  EXPECT_THAT(extents(parseKernel("#define GET(x) (x)\n"
                                  "__global__ void k(int *a, int *b) {\n"
                                  "  a[0] = GET(b[1]);\n"
                                  "}\n"),
                      "b[1]"),
              Contains("4:14-4:18"));
}

// What the definition wrote need not be the first token of it.
TEST(SourceFacts, AMacroThatWroteOnlyOperatorsIsNamed) {
  EXPECT_THAT(extents(parseKernel("#define AT(p, i) p[(i) * 32]\n"
                                  "#define OF(s) (s).x\n"
                                  "struct S { int x; };\n"
                                  "__global__ void k(int *a, S *b) {\n"
                                  "  a[0] = AT(a, 1);\n"
                                  "  a[1] = OF(b[2]);\n"
                                  "  a[2] = OF(AT(b, 3));\n"
                                  "}\n"),
                      "AT(a, 1)"),
              ElementsAre("6:10-6:18 AT@input.cu:2"));
  const Parsed P = parseKernel("#define OF(s) (s).x\n"
                               "#define ADD(to, v) to += v\n"
                               "struct S { int x; };\n"
                               "__global__ void k(S *b) {\n"
                               "  ADD(OF(b[2]), 1);\n"
                               "}\n");
  ASSERT_EQ(P.Facts.Stores.size(), 1u);
  std::vector<std::string> Names;
  for (const MacroUse &Each : P.Facts.Stores.begin()->second.Origin.Macros)
    Names.push_back(Each.Name);
  EXPECT_THAT(Names, ElementsAre("OF", "ADD"));
}

TEST(SourceFacts, AMacroHasThePlaceOfItsName) {
  EXPECT_THAT(extents(parseKernel("#define LONG(p) \\\n"
                                  "  (p \\ \n"
                                  "  [1])\n"
                                  "__global__ void k(int *a) {\n"
                                  "  a[0] = LONG(a);\n"
                                  "}\n"),
                      "a[1]"),
              testing::Each("6:10-6:17 LONG@input.cu:2"));
  ParseSetting Options;
  Options.CompilerArguments = {"-DGIVEN(p)=(p)[1]"};
  EXPECT_THAT(extents(parse("__global__ void k(int *a) { a[0] = GIVEN(a); }\n",
                            Options),
                      "GIVEN(a)"),
              ElementsAre("1:36-1:44 GIVEN@:0"));
}

TEST(SourceFacts, AMacroThatSubscriptsASharedArrayIsNoSecondAccess) {
  const Parsed P =
      parseKernel("#define AS(i, j) As[i][j]\n"
                  "__global__ void k(int *a) {\n"
                  "  __shared__ int As[4][8];\n"
                  "  AS(1, 2) = 3;\n"
                  "  a[0] = AS(threadIdx.x, 0);\n"
                  "}\n"
                  "__device__ int Table[16];\n"
                  "#define ENTRY(i) (*(Table + i))\n"
                  "__global__ void t(int *a) { a[0] = ENTRY(1); }");
  EXPECT_THAT(accesses(P),
              AllOf(Contains("store AS(1, 2) of As, [4][8]x4"),
                    Contains("load AS(threadIdx.x, 0) of As, [4][8]x4"),
                    Contains("load *(Table + 1) of Table, [16]x4")));
  EXPECT_THAT(extents(P, "AS(threadIdx.x, 0)"),
              ElementsAre("6:10-6:28 AS@input.cu:2"));
}

TEST(SourceFacts, WhereTwoThingsMeetTheirMacroIsKnown) {
  EXPECT_THAT(
      extents(parseKernel("#define SUM (a[1] + b[2])\n"
                          "__global__ void k(int *a, int *b, int *c) {\n"
                          "  c[0] = SUM;\n"
                          "}\n"),
              ""),
      ElementsAre("4:10-4:13 SUM@input.cu:2"));
}

TEST(SourceFacts, AHeaderThatIsIncludedTwiceHasTwoStacks) {
  ParseSetting Options;
  Options.VirtualFiles = {
      {"dev.inl", "__global__ void NAME(int *a) { a[0] = a[FIELD]; }\n"},
      {"one.h", "#define NAME one\n#define FIELD 1\n#include \"dev.inl\"\n"
                "#undef NAME\n#undef FIELD\n"},
      {"two.h", "\n#define NAME two\n#define FIELD 2\n"
                "#include \"dev.inl\"\n"}};
  const Parsed P = parse("#include \"one.h\"\n#include \"two.h\"\n", Options);
  ASSERT_EQ(P.Result.Status, UnitStatus::Ok) << P.Result.Diagnostics;
  // The one to the right.
  const Location &Where = P.Facts.Loads.rbegin()->first;
  const AccessFact *One = P.Facts.findLoad(Where, "_Z3onePi");
  const AccessFact *Two = P.Facts.findLoad(Where, "_Z3twoPi");
  ASSERT_TRUE(One && Two);
  EXPECT_EQ(One->Object, "a");
  const auto stack = [](const AccessFact &Fact) {
    std::vector<std::string> Out;
    for (const Location &Each : Fact.Origin.IncludedFrom)
      Out.push_back(std::filesystem::path(Each.File).filename().string() + ":" +
                    std::to_string(Each.Line));
    return Out;
  };
  EXPECT_THAT(stack(*One), ElementsAre("one.h:3", "input.cu:1"));
  EXPECT_THAT(stack(*Two), ElementsAre("two.h:4", "input.cu:2"));
}

TEST(SourceFacts, SystemHeadersAreThoseThatClangTakesForSuch) {
  ParseSetting Options;
  Options.VirtualFiles = {
      {"opt/lib/lib.h", "#include \"detail.h\"\n"},
      {"opt/lib/detail.h", "inline int detail;\n"},
      {"says.h", "// Its own word.\n#pragma clang system_header\n"},
      {"usr/include/mine.h", "inline int mine;\n"}};
  Options.CompilerArguments = {"-isystem", "opt/lib", "-I", "usr/include"};
  const Parsed P = parse("#include <lib.h>\n#include \"says.h\"\n"
                         "#include <mine.h>\n",
                         Options);
  ASSERT_EQ(P.Result.Status, UnitStatus::Ok) << P.Result.Diagnostics;
  std::map<std::string, bool> Found;
  for (const auto &[File, IsSystem] : P.Facts.Files) {
    Found[std::filesystem::path(File).filename()] = IsSystem;
    EXPECT_EQ(P.Facts.isSystem(File), IsSystem) << File;
  }
  EXPECT_THAT(Found,
              IsSupersetOf({std::pair<const std::string, bool>("lib.h", true),
                            {"detail.h", true},
                            {"says.h", true},
                            {"mine.h", false},
                            {"input.cu", false}}));
}

// Clang has headers of its own in the place of some of the toolkit's.
TEST(SourceFacts, SystemHeadersThatOnlyAnotherCompilerRead) {
  SourceFacts Facts;
  Facts.Files = {{"/opt/cuda/include/mine.h", false}};
  Facts.SystemFolders = {"/opt/cuda/include"};
  EXPECT_TRUE(Facts.isSystem("/opt/cuda/bin/../include/sm_60.hpp"));
  EXPECT_FALSE(Facts.isSystem("/opt/cuda/include/mine.h"));
  EXPECT_FALSE(Facts.isSystem("/opt/cuda/include/more/other.h"));
  EXPECT_FALSE(Facts.isSystem("kernel.cuh"));
}

// A folder may have the name of Clang's.
TEST(SystemHeaders, AUsersFileIsTheUsersWhereverItLies) {
  SourceFacts Facts;
  Facts.Files = {{"/mine/lib/clang/mine.h", false},
                 {"/usr/lib/clang/22/include/vector.h", true}};
  EXPECT_FALSE(Facts.isOfClang("/mine/lib/clang/mine.h"));
  EXPECT_FALSE(Facts.isSystem("/mine/lib/clang/mine.h"));
  EXPECT_TRUE(Facts.isOfClang("/usr/lib/clang/22/include/vector.h"));
  EXPECT_TRUE(Facts.isSystem("/usr/lib/clang/22/include/vector.h"));
}

TEST(SourceFacts, ElementsAreNamedRatherThanTheirPointers) {
  EXPECT_THAT(accesses(parseKernel(
                  "struct Rows { float *row[4]; };\n"
                  "__global__ void k(Rows *r, int i) { r->row[1][i] = 2; }\n")),
              AllOf(Contains("load r->row[1][i] of r"),
                    Contains("store r->row[1][i] of r")));
}

//===----------------------------------------------------------------------===//
// Where a fix would edit.
//===----------------------------------------------------------------------===//

/// The text with `|` at the point.
static std::string mark(const std::string &Code, const EditPoint &Point) {
  if (Point.File.empty())
    return "none";
  // The first line is parseKernel's own.
  const std::size_t Skipped = std::string("#include \"types.h\"\n").size();
  EXPECT_EQ(Point.File, "input.cu");
  std::string Marked = Code;
  return Marked.insert(Point.Offset - Skipped, "|");
}

static std::string alignPoint(const std::string &Declaration,
                              const std::string &Name = "S") {
  Parsed P = parseKernel(Declaration + "\n__global__ void k(" + Name +
                         " *s) { s[1].x = 1; }\n");
  for (const auto &[Where, Fact] : P.Facts.Stores)
    if (Fact.Field)
      return mark(Declaration, Fact.Field->AlignPoint);
  return "no field";
}

TEST(SourceFacts, WhereAnAlignmentGoes) {
  EXPECT_EQ(alignPoint("struct S { float x, y, z; };"),
            "struct |S { float x, y, z; };");
  EXPECT_EQ(alignPoint("class S { public: float x; };"),
            "class |S { public: float x; };");
  EXPECT_EQ(alignPoint("typedef struct { float x; } S;"),
            "typedef struct |{ float x; } S;");
  EXPECT_EQ(alignPoint("template <class T> struct S { T x; };", "S<float>"),
            "template <class T> struct |S { T x; };");
}

TEST(SourceFacts, WhereNoAlignmentGoes) {
  EXPECT_EQ(alignPoint("struct alignas(16) S { float x; };"), "none");
  EXPECT_EQ(alignPoint("struct __attribute__((packed)) S { float x; };"),
            "none");
  EXPECT_EQ(alignPoint("#define S_TYPE struct S { float x; }\nS_TYPE;"),
            "none");
}

static std::string padPoint(const std::string &Declaration) {
  Parsed P = parseKernel("#define TILE 32\n__global__ void k(int i) {\n" +
                         Declaration + "\n t[i][0] = 1;\n}\n");
  for (const auto &[Where, Fact] : P.Facts.Stores)
    if (Fact.Array) {
      const EditPoint &Point = Fact.Array->PadPoint;
      return mark("#define TILE 32\n__global__ void k(int i) {\n" + Declaration,
                  Point)
          .substr(Point.File.empty() ? 0 : 43);
    }
  return "no array";
}

TEST(SourceFacts, WhereARowIsPadded) {
  EXPECT_EQ(padPoint("__shared__ int t[8][32];"), "__shared__ int t[8][32|];");
  EXPECT_EQ(padPoint("__shared__ int t[TILE][TILE ];"),
            "__shared__ int t[TILE][TILE| ];");
  EXPECT_EQ(padPoint("__shared__ int t[8][4 * TILE];"),
            "__shared__ int t[8][4 * TILE|];");
  EXPECT_EQ(padPoint("__shared__ int t[8][TILE // columns\n];"),
            "__shared__ int t[8][TILE| // columns\n];");
  // An atomic asks for the address of an element alone.
  EXPECT_EQ(padPoint("__shared__ int t[8][32]; atomicAdd(&t[i][1], 1);"),
            "__shared__ int t[8][32|]; atomicAdd(&t[i][1], 1);");
}

/// What is written between the brackets of `t`, all of it; `!` behind what may
/// not be written twice.
static std::vector<std::string> subscripts(const std::string &Body,
                                           const std::string &Before = "") {
  Parsed P = parseKernel(
      Before +
      "__device__ int next(int &i) { return i++; }\n"
      "__global__ void k(int i, int *p) {\n  __shared__ int t[8][32];\n"
      "  t[0][0] = 1;\n" +
      Body + "\n}\n");
  for (const auto &[Where, Fact] : P.Facts.Stores) {
    if (!Fact.Array || Fact.Object != "t")
      continue;
    if (!Fact.Array->Subscripts)
      return {"none"};
    std::vector<std::string> Result;
    for (const SubscriptText &Each : *Fact.Array->Subscripts) {
      std::string Text;
      for (const ExpressionText &Index : Each.Indices)
        Text += "[" + Index.Text + "]" + (Index.IsRepeatable ? "" : "!");
      Result.push_back(std::move(Text));
    }
    return Result;
  }
  return {"no array"};
}

TEST(SourceFacts, HowAnArrayIsSubscripted) {
  EXPECT_THAT(subscripts(""), ElementsAre("[0][0]"));
  EXPECT_THAT(subscripts("p[0] = t[i + 1][ i * 2 ] + t[(i)][i & 7];"),
              ElementsAre("[0][0]", "[i + 1][i * 2]", "[(i)][i & 7]"));
  // An atomic asks for the address of an element alone.
  EXPECT_THAT(subscripts("atomicAdd(&t[i][3], 1);"),
              ElementsAre("[0][0]", "[i][3]"));
  // A macro as an index is one, and what it stands for is its own affair.
  EXPECT_THAT(subscripts("p[0] = t[ROW][i % ROW];", "#define ROW (i / 32)\n"),
              ElementsAre("[0][0]", "[ROW][i % ROW]"));
}

TEST(SourceFacts, IndicesThatMayNotBeWrittenTwice) {
  EXPECT_THAT(subscripts("p[0] = t[i++][next(i)];"),
              ElementsAre("[0][0]", "[i++]![next(i)]!"));
  EXPECT_THAT(subscripts("p[0] = t[p[1]][*p];"),
              ElementsAre("[0][0]", "[p[1]]![*p]!"));
  EXPECT_THAT(subscripts("volatile int v = i; p[0] = t[v][(i = 3)];"),
              ElementsAre("[0][0]", "[v]![(i = 3)]!"));
  // What is referred to, and what is one for all, others may change.
  EXPECT_THAT(subscripts("R r{*p}; t[r.at][r.all] = 1; t[r.own][1] = 1;",
                         "struct R { int &at; int own; __device__ static int "
                         "all; };\n"),
              ElementsAre("[0][0]", "[r.at]![r.all]!", "[r.own][1]"));
  EXPECT_THAT(
      subscripts("p[0] = t[g][C];", "__device__ int g; constexpr int C = 4;\n"),
      ElementsAre("[0][0]", "[g]![C]"));
}

TEST(SourceFacts, ANameMayGoOnInTheNextLine) {
  for (const char *Name : {"other", "ti\\\nle"}) {
    const Parsed P = parseKernel("__global__ void k(int i, int *p) {\n"
                                 "  __shared__ int tile[8][32];\n"
                                 "  tile[0][0] = 1;\n#if 0\n  p[0] = " +
                                 std::string(Name) + "[1][i];\n#endif\n}\n");
    bool IsWritten = false;
    for (const auto &[Where, Fact] : P.Facts.Stores)
      IsWritten |= Fact.Array && Fact.Array->Subscripts;
    EXPECT_EQ(Name == std::string("other"), IsWritten) << Name;
  }
}

TEST(SourceFacts, SubscriptsThatAreNotAllPlainText) {
  EXPECT_THAT(subscripts("p[0] = AT(1, i);", "#define AT(a, b) t[a][b]\n"),
              ElementsAre("none"));
  EXPECT_THAT(subscripts("p[0] = ID(t[1][i]);", "#define ID(a) (a)\n"),
              ElementsAre("none"));
  EXPECT_THAT(subscripts("p[0] = t[1][i /* lane */];"),
              ElementsAre("[0][0]", "[1][i]"));
  EXPECT_THAT(subscripts("p[0] = t[1][i /* lane */ + 1];"),
              ElementsAre("none"));
  EXPECT_THAT(subscripts("p[0] = t[1][i +\n 1];"), ElementsAre("none"));
  EXPECT_THAT(subscripts("\n#if 0\n p[0] = t[1][i];\n#endif\n"),
              ElementsAre("none"));
  EXPECT_THAT(subscripts("\n#define T0 t[0][0]\n"), ElementsAre("none"));
  EXPECT_THAT(subscripts("/* t[1][i] */ // t[1][i]\n"), ElementsAre("[0][0]"));
  EXPECT_THAT(subscripts("p[0] = i[t[1]];"), ElementsAre("none"));
  EXPECT_THAT(subscripts("p[0] = *t[1];"), ElementsAre("none"));
  EXPECT_THAT(subscripts("p[0] = sizeof(t);"), ElementsAre("none"));
  EXPECT_THAT(subscripts("int(*q)[32] = t; p[0] = q[1][i];"),
              ElementsAre("none"));
}

TEST(SourceFacts, InstancesOfATemplateAreWrittenOnce) {
  Parsed P = parseKernel(R"(template <int N> __global__ void k(int *p) {
  __shared__ int t[N][32];
  t[N / 2][1] = p[0];
  if constexpr (N == 8)
    p[0] = t[3][4];
}
template __global__ void k<4>(int *);
template __global__ void k<8>(int *);
)");
  // Instances have other dimensions.
  unsigned Count = 0;
  for (const auto &[Where, Fact] : P.Facts.StoreVariants)
    if (Fact.Object == "t") {
      ++Count;
      ASSERT_TRUE(Fact.Array && Fact.Array->Subscripts);
      EXPECT_EQ(Fact.Array->Subscripts->size(), 2u);
    }
  EXPECT_EQ(Count, 2u);
}

// What Clang cannot read, it may leave out.
TEST(SourceFacts, NothingIsKnownOfAllUsesWhereThereAreErrors) {
  ParseSetting Options;
  const Parsed P = parse("__global__ void k(int i) { __shared__ int t[8][32];"
                         "t[i][0] = 1; t[i][1] = what; }",
                         Options);
  for (const auto &[Where, Fact] : P.Facts.Stores)
    if (Fact.Array) {
      EXPECT_EQ(Fact.Array->Subscripts, nullptr);
      EXPECT_EQ(Fact.Array->PadPoint.File, "");
    }
}

TEST(SourceFacts, WhereNoRowIsPadded) {
  // ` + 1` would bind to a part of it.
  EXPECT_EQ(padPoint("__shared__ int t[8][1 << 5];"), "none");
  EXPECT_EQ(padPoint("typedef int Row[32]; __shared__ Row t[8];"), "none");
}

TEST(SourceFacts, WhatElseAnArrayIsUsedForMayDependOnItsRows) {
  for (const char *Use :
       {"int n = sizeof(t) / sizeof(int);", "int n = sizeof(t[0]);",
        "static_assert(sizeof(t) == 1024, \"\");",
        "long d = &t[i][1] - &t[0][0];", "int *p = &t[0][0];", "int *p = t[i];",
        "int (&r)[8][32] = t;", "int (*r)[32] = t;",
        "decltype(t) *q = nullptr;"})
    EXPECT_EQ(padPoint("__shared__ int t[8][32]; " + std::string(Use)), "none")
        << Use;
}

TEST(SourceFacts, IndicesAreThoseOfTheElementAtTheAddress) {
  struct Case {
    const char *Store;
    unsigned Subscripts;
    bool MayLeaveRow;
    unsigned Bytes;
  };
  for (const Case &Each :
       {Case{"t[i][1] = 1;", 2, false, 4}, Case{"t[0][i] = 1;", 2, true, 4},
        Case{"t[0][7] = 1;", 2, false, 4},
        Case{"t[0][i & 31] = 1;", 2, false, 4},
        Case{"t[0][i & 63] = 1;", 2, true, 4},
        Case{"t[0][(unsigned)i % 32] = 1;", 2, false, 4},
        Case{"t[0][(unsigned)i % 33] = 1;", 2, true, 4},
        Case{"t[0][i % 32] = 1;", 2, true, 4}, // -1 % 32 is -1.
        Case{"t[i][32 + i] = 1;", 2, true, 4},
        Case{"t[i - 1][i * 2 - 1 + 33] = 1;", 2, true, 4},
        Case{"t[i][32 + i - 1] = 1;", 2, false, 4},
        Case{"t[i][1 - (32 + i)] = 1;", 2, false, 4},
        Case{"t[i][32] = 1;", 2, true, 4},
        // What is directly outside the last one names the row.
        Case{"u[0][i][i] = 1;", 3, false, 4},
        Case{"u[0][i + 3][i] = 1;", 3, false, 4},
        Case{"u[i][0][i] = 1;", 3, true, 4},
        Case{"u[0][0][i] = 1;", 3, true, 4},
        Case{"u[0][i][32 + i] = 1;", 3, true, 4},
        Case{"*(float4 *)&t[i][4 * i] = float4{};", 2, false, 16},
        Case{"((float4 *)&t[i][4])[0] = float4{};", 2, false, 16},
        Case{"((float4 *)t)[i] = float4{};", 0, false, 16},
        Case{"((float4 *)&t[0][0])[i] = float4{};", 0, false, 16}}) {
    Parsed P = parseKernel("__global__ void k(int i) {\n"
                           "__shared__ __attribute__((aligned(16))) float "
                           "t[8][32], u[2][8][32];\n" +
                           std::string(Each.Store) + "\n}\n");
    ASSERT_FALSE(P.Facts.Stores.empty()) << Each.Store;
    const AccessFact &Fact = P.Facts.Stores.begin()->second;
    EXPECT_EQ(Fact.Subscripts, Each.Subscripts) << Each.Store;
    EXPECT_EQ(Fact.MayLeaveRow, Each.MayLeaveRow) << Each.Store;
    EXPECT_EQ(Fact.Bytes, Each.Bytes) << Each.Store;
  }
}

TEST(SourceFacts, ConstantSubscriptsNameARow) {
  const auto rowOf = [](const std::string &Element) {
    const Parsed P = parseKernel("__global__ void k(int i) {\n"
                                 "__shared__ int t[8][32], u[3][4][5];\n" +
                                 Element + " = 1;\n}\n");
    return P.Facts.Stores.begin()->second.FixedRow;
  };
  EXPECT_EQ(rowOf("t[0][i]"), 0);
  EXPECT_EQ(rowOf("t[2 + 1][i]"), 3);
  // Rows of 5 elements, 4 of them in a plane.
  EXPECT_EQ(rowOf("u[2][3][i]"), 11);
  EXPECT_EQ(rowOf("u[i][3][i]"), 3);
  EXPECT_EQ(rowOf("u[2][i][i]"), std::nullopt);
  EXPECT_EQ(rowOf("t[i][i]"), std::nullopt);
  EXPECT_EQ(rowOf("t[9][i]"), std::nullopt); // There is none.
}

// As they are in debug information, which tells where accesses are.
TEST(SourceFacts, FilesAreCalledAsClangCallsThem) {
  const Parsed P = parseKernel("__global__ void k() {}\n");
  const auto NameOf = [&](const char *File) {
    return P.Facts.nameOf(std::filesystem::absolute(File).string());
  };
  EXPECT_EQ(NameOf("input.cu"), "input.cu");
  EXPECT_EQ(NameOf("types.h"), "./types.h");
  EXPECT_EQ(P.Facts.nameOf("/elsewhere/types.h"), "/elsewhere/types.h");
}

} // namespace cudalint::test::SourceFactsTests
