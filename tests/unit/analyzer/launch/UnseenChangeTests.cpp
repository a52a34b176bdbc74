//===- tests/unit/analyzer/launch/UnseenChangeTests.cpp - Tests -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/launch/ExtractionHelper.h"

#include <gmock/gmock.h>

using testing::Contains;

namespace cudalint::test::UnseenChangeTests {

using Shapes = std::vector<std::string>;

static Shapes blocksOf(const std::string &Code) {
  return blocks(
      extract("extern \"C\" int raise(int);\n"
              "extern \"C\" void (*signal(int, void (*)(int)))(int);\n"
              "__global__ void a(int) {}\n"
              "static int W = 32;\n" +
              Code));
}

TEST(UnseenChange, Destructors) {
  const std::string Types = "struct S { ~S() { W *= 2; } };\n"
                            "struct R { int &I; ~R() { I = 64; } };\n"
                            "struct P { int *I; ~P() { *I = 64; } };\n"
                            "static int use(const P &) { return 0; }\n"
                            "struct Quiet { int *I; ~Quiet() {} };\n";
  auto BlocksWith = [&](const std::string &Body, const char *Block) {
    return blocksOf(Types + "int main(int argc, char **) { int b = 32; " +
                    Body + " a<<<1, " + Block + ">>>(0); }");
  };
  EXPECT_EQ(BlocksWith("{ S s; }", "W"), Shapes{"?,1,1"});
  EXPECT_EQ(BlocksWith("S *s = new S; delete s;", "W"), Shapes{"?,1,1"});
  EXPECT_EQ(BlocksWith("{ S s[2]; }", "W"), Shapes{"?,1,1"});
  EXPECT_EQ(BlocksWith("{ R r{b}; }", "b"), Shapes{"?,1,1"});
  EXPECT_EQ(BlocksWith("use(P{&b});", "b"), Shapes{"?,1,1"});
  EXPECT_EQ(BlocksWith("{ Quiet q{&b}; }", "b"), Shapes{"32,1,1"});
  EXPECT_EQ(BlocksWith("{ Quiet q{&b}; }", "W"), Shapes{"32,1,1"});
}

TEST(UnseenChange, ConstructorsOfArrays) {
  const std::string Type = "struct S { S() { W *= 2; } };\n";
  EXPECT_EQ(blocksOf(Type + "int main() { S s[1]; a<<<1, W>>>(0); }"),
            Shapes{"?,1,1"});
  EXPECT_EQ(blocksOf(Type + "int main() { new S[1]; a<<<1, W>>>(0); }"),
            Shapes{"?,1,1"});
}

TEST(UnseenChange, MethodsOfLocalClasses) {
  auto BlocksWith = [&](const std::string &Method) {
    return blocksOf("void change() { struct S { void go() { " + Method +
                    " } } s; s.go(); }"
                    "void launch(int N) { a<<<1, W>>>(N); }");
  };
  EXPECT_EQ(BlocksWith("W = 7;"), Shapes{"?,1,1"});
  EXPECT_EQ(BlocksWith(""), Shapes{"32,1,1"});
}

TEST(UnseenChange, StaticMembersThroughObjects) {
  auto BlocksWith = [&](const std::string &Change) {
    return blocksOf("namespace { struct S { static int B; int C; };"
                    "int S::B = 32; } void change(S s) { " +
                    Change + " } void launch(int N) { a<<<1, S::B>>>(N); }");
  };
  EXPECT_EQ(BlocksWith("s.B = 64;"), Shapes{"?,1,1"});
  EXPECT_EQ(BlocksWith("(&s)->B++;"), Shapes{"?,1,1"});
  EXPECT_EQ(BlocksWith("s.C = s.B;"), Shapes{"32,1,1"});
}

TEST(UnseenChange, MembersWithCopiesOfTheirOwn) {
  const std::string Types =
      "struct I { int N = 32; I() {} I(const I &) : N(64) {}\n"
      "  I &operator=(const I &) { N = 64; return *this; } };\n"
      "struct S { I X; };\n"
      "struct Plain { int N = 32; };\n";
  EXPECT_EQ(blocksOf(Types + "int main() { S s; S t = s;"
                             "a<<<1, t.X.N>>>(0); }"),
            Shapes{"64,1,1"});
  EXPECT_EQ(blocksOf(Types + "int main() { S s, t; t = s;"
                             "a<<<1, t.X.N>>>(0); }"),
            Shapes{"64,1,1"});
  EXPECT_EQ(blocksOf(Types + "int main() { Plain s, t; t = s; Plain u = t;"
                             "a<<<1, u.N>>>(0); }"),
            Shapes{"32,1,1"});
}

TEST(UnseenChange, Callbacks) {
  EXPECT_EQ(blocksOf("static void set(int) { W = 64; }\n"
                     "int main() { signal(10, set); raise(10);"
                     "a<<<1, W>>>(0); }"),
            Shapes{"?,1,1"});
  EXPECT_EQ(blocksOf("static void other(int) {}\n"
                     "int main() { signal(10, other); raise(10);"
                     "a<<<1, W>>>(0); }"),
            Shapes{"32,1,1"});
}

TEST(UnseenChange, CallsThroughTables) {
  EXPECT_THAT(blocksOf("static void go(int n) { a<<<1, n>>>(0); }\n"
                       "static void (*Table[])(int) = {go};\n"
                       "int main(int argc, char **) {"
                       "  if (argc > 3) go(64); Table[argc - 1](32); }"),
              Contains("?,1,1"));
}

TEST(UnseenChange, SetjmpReturnsAgain) {
  EXPECT_EQ(blocksOf("extern \"C\" int _setjmp(int *);\n"
                     "extern \"C\" void longjmp(int *, int)\n"
                     "    __attribute__((noreturn));\n"
                     "static int J[64];\n"
                     "int main() { volatile int b = 32;"
                     "  if (_setjmp(J) == 0) { b = 64; longjmp(J, 1); }"
                     "  a<<<1, b>>>(0); }"),
            Shapes{"?,1,1"});
}

TEST(UnseenChange, PointersThatTheLibraryKeeps) {
  const std::string Library = R"(
# 1 "library.h" 1 3
namespace std {
template <class T> struct reference_wrapper { T *P; T &get() const; };
template <class T> reference_wrapper<T> ref(T &);
template <class... T> struct tuple {};
template <class... T> tuple<T &...> tie(T &...);
template <class F, class A> struct binder { void operator()(); };
template <class F, class A> binder<F, A> bind(F &&, A &&);
template <class T> T *addressof(T &);
template <class T> T *find(T &);
template <class T> T &&move(T &);
template <class T> T &&forward(T &);
template <class T> const T &as_const(T &);
template <class A, class B> struct pair { A First; B Second; };
template <class A, class B> constexpr pair<A &, B &> both(A &x, B &y) {
  return {x, y};
}
template <class A, class B> void assign(const pair<A &, B &> &, A, B);
template <class A> struct holder { A *P; holder &operator=(A); };
template <class A> constexpr holder<A> hold(A *p) { return {p}; }
template <class T> struct vector { vector(T); T &operator[](int); };
}
# 20 "input.cu" 2
)";
  auto BlocksWith = [&](const std::string &Keep, const std::string &Use) {
    return blocksOf(Library +
                    "static void set(int *p) { *p = 64; }\n"
                    "int main() { int b = 0; " +
                    Keep + " b = 32; " + Use + " a<<<1, b>>>(0); }");
  };
  EXPECT_EQ(BlocksWith("", ""), Shapes{"32,1,1"});
  EXPECT_EQ(BlocksWith("auto r = std::ref(b);", "r.get() = 64;"),
            Shapes{"?,1,1"});
  EXPECT_EQ(BlocksWith("int *p = std::find(b);", "*p = 64;"), Shapes{"?,1,1"});
  EXPECT_EQ(BlocksWith("auto t = std::tie(b);", ""), Shapes{"?,1,1"});
  EXPECT_EQ(BlocksWith("auto f = std::bind(set, &b);", "f();"),
            Shapes{"?,1,1"});
  EXPECT_EQ(BlocksWith("std::vector<int *> v(&b);", "*v[0] = 64;"),
            Shapes{"?,1,1"});
  // Those that are run tell nothing of what others do with what they make.
  EXPECT_EQ(
      BlocksWith("int c; auto t = std::both(b, c);", "std::assign(t, 64, 0);"),
      Shapes{"?,1,1"});
  EXPECT_EQ(BlocksWith("", "std::hold(&b) = 64;"), Shapes{"?,1,1"});
  // Some are known to be no more than another name.
  EXPECT_EQ(BlocksWith("int *p = std::addressof(b);", "*p = 64;"),
            Shapes{"64,1,1"});
  EXPECT_EQ(BlocksWith("int &r = std::forward<int &>(b);", "r = 64;"),
            Shapes{"64,1,1"});
  EXPECT_EQ(BlocksWith("", "b = 2 * std::move(b) * (std::as_const(b) / 32);"),
            Shapes{"64,1,1"});
}

// Which object it is, only a run can tell: a write may have been to either.
TEST(UnseenChange, ReferencesThatLeadToOneOfTwo) {
  const std::string Types = R"(
    static int &pick(bool c, int &x, int &y) { if (c) return x; return y; }
    struct R { int &I; };
    static R make(bool c, int &x, int &y) { if (c) return R{x}; return R{y}; }
    struct S { int N; S *me() { return this; } S &set() { return *this; } };
    static S *of(bool c, S &s, S &t) { if (c) return s.me(); return t.me(); }
    struct B { virtual ~B() = default; int N = 64; };
    struct D : B {};
    struct H { int *P; int keep(bool c, int &x, int &y) {
      if (c) P = &x; else P = &y; return 1; } };
)";
  auto BlocksWith = [&](const std::string &Change, const char *Block) {
    return blocksOf(Types +
                    "int main(int c, char **) { int x = 64, y = 96;"
                    "  S s{64}, t{96}; D d; B &b = d; " +
                    Change + " a<<<1, " + Block + ">>>(0); }");
  };
  const Shapes Unknown{"?,1,1"};
  EXPECT_EQ(BlocksWith("pick(c > 1, x, y) = 32;", "x"), Unknown);
  EXPECT_EQ(BlocksWith("int &r = pick(c > 1, x, y); r = 32;", "x"), Unknown);
  EXPECT_EQ(BlocksWith("auto f = [&](bool f) -> int & { if (f) return x;"
                       "  return y; }; f(c > 1) = 32;",
                       "x"),
            Unknown);
  EXPECT_EQ(BlocksWith("R r = c > 1 ? R{x} : R{y}; r.I = 32;", "x"), Unknown);
  EXPECT_EQ(BlocksWith("make(c > 1, x, y).I = 32;", "x"), Unknown);
  EXPECT_EQ(BlocksWith("R r[2] = {{x}, {y}}; r[c & 1].I = 32;", "x"), Unknown);
  EXPECT_EQ(BlocksWith("of(c > 1, s, t)->N = 32;", "s.N"), Unknown);
  EXPECT_EQ(
      BlocksWith("D &e = dynamic_cast<D &>(b); d.N = 64; e.N = 32;", "d.N"),
      Unknown);
  EXPECT_EQ(
      BlocksWith("H h; printf(\"%d\", h.keep(c > 1, x, y)); *h.P = 32;", "x"),
      Unknown);
  // It can lead to one only.
  EXPECT_EQ(BlocksWith("pick(true, x, y) = 32;", "x"), Shapes{"32,1,1"});
  EXPECT_EQ(BlocksWith("R{x}.I = 32;", "x"), Shapes{"32,1,1"});
  EXPECT_EQ(BlocksWith("s.set().N = 32;", "s.N"), Shapes{"32,1,1"});
}

TEST(UnseenChange, ReferencesThatAreNotKept) {
  auto BlocksWith = [&](const std::string &Code) {
    return blocksOf("static void more(int &v) { v += 32; }\n"
                    "static int twice(const int &v) { return v * 2; }\n"
                    "struct S { int N; void more() { N += 32; }"
                    "  S &self() { return *this; } };\n"
                    "int main() { int x = 32; S s{32}; " +
                    Code + " }");
  };
  const Shapes Known{"64,1,1"};
  EXPECT_EQ(BlocksWith("more(x); raise(1); a<<<1, x>>>(0);"), Known);
  EXPECT_EQ(BlocksWith("twice(x); raise(1); a<<<1, 2 * x>>>(0);"), Known);
  EXPECT_EQ(BlocksWith("int &r = x; r = 64; raise(1); a<<<1, x>>>(0);"), Known);
  EXPECT_EQ(BlocksWith("s.more(); raise(1); a<<<1, s.N>>>(0);"), Known);
  EXPECT_EQ(BlocksWith("s.self().N = 64; raise(1); a<<<1, s.N>>>(0);"), Known);
}

// Toolkit functions for both sides hold it, as those that convert to bfloat16.
TEST(UnseenChange, AssemblerChangesWhatItNames) {
  const auto gridAfter = [](const std::string &Assembler) {
    return shapes(extract("int sms; __global__ void a(int) {}\n"
                          "void setUp() { sms = 5; }\n"
                          "__host__ __device__ int of(int x) {\n"
                          "  int r = 2, s = 3, *p = &s; " +
                          Assembler +
                          "  return s * 100 + r; }\n"
                          "int main() { setUp(); int n = of(7);\n"
                          "  a<<<sms, n>>>(0); }\n"));
  };
  EXPECT_EQ(gridAfter("asm(\"\" : : \"r\"(x));"), Shapes{"5,1,1|302,1,1"});
  EXPECT_EQ(gridAfter("asm(\"mov %0, %1;\" : \"=r\"(r) : \"r\"(x));"),
            Shapes{"5,1,1|?,1,1"});
  // Of what a pointer leads to, it may be anything.
  EXPECT_EQ(gridAfter("asm(\"st [%0], 1;\" : : \"l\"(p));"),
            Shapes{"5,1,1|?,1,1"});
  EXPECT_EQ(gridAfter("asm(\"\" : : \"r\"(x) : \"memory\");"),
            Shapes{"?,1,1|?,1,1"});
}

TEST(UnseenChange, StructuredBindings) {
  const std::string Types = R"(
    struct S { int N, M; };
    static S G{64, 0};
    static auto &[GN, GM] = G;
    static void change() { GN = 32; }
    struct T { int N; template <int I> int &get() { return N; } };
    namespace std {
    template <class> struct tuple_size;
    template <int, class> struct tuple_element;
    template <> struct tuple_size<T> { static constexpr int value = 1; };
    template <> struct tuple_element<0, T> { typedef int type; };
    }
)";
  auto BlocksWith = [&](const std::string &Change, const char *Block) {
    return blocksOf(Types +
                    "int main(int c, char **) { S s{64, 0}; T t{64};"
                    "  int x[2] = {96, 64}; " +
                    Change + " a<<<1, " + Block + ">>>(0); }");
  };
  const Shapes Known{"32,1,1"}, Unknown{"?,1,1"};
  EXPECT_EQ(BlocksWith("auto &[p, q] = s; p = 32;", "s.N"), Known);
  EXPECT_EQ(BlocksWith("auto &[p, q] = x; q = 32;", "x[1]"), Known);
  EXPECT_EQ(BlocksWith("auto &[p] = t; p = 32;", "t.N"), Known);
  EXPECT_EQ(BlocksWith("auto [p, q] = s; p = 32;", "s.N / 2"), Known);
  EXPECT_EQ(BlocksWith("auto [p, q] = s; s.N = 32;", "p / 2"), Known);
  EXPECT_EQ(BlocksWith("auto &[p, q] = s; while (--c > 0) p = 32;", "s.N"),
            Unknown);
  EXPECT_EQ(
      BlocksWith("auto &[p, q] = s; auto f = [&p] { p = 32; }; f();", "s.N"),
      Known);
  EXPECT_EQ(BlocksWith("auto [p, q] = s; auto f = [p] { return p; }; p = 32;",
                       "f() / 2"),
            Known);
  EXPECT_EQ(BlocksWith("change();", "G.N"), Known);
}

// Which member it is, is not followed.
TEST(UnseenChange, PointersToMembers) {
  auto BlocksWith = [&](const std::string &Change, const char *Block) {
    return blocksOf("struct S { int N = 64; }; struct T { S X; };\n"
                    "int main() { S s; T t; S *q = &s; int S::*m = &S::N;"
                    "  S T::*x = &T::X; " +
                    Change + " a<<<1, " + Block + ">>>(0); }");
  };
  const Shapes Unknown{"?,1,1"};
  EXPECT_EQ(BlocksWith("s.*m = 32;", "s.N"), Unknown);
  EXPECT_EQ(BlocksWith("q->*m = 32;", "s.N"), Unknown);
  EXPECT_EQ(BlocksWith("(t.*x).N = 32;", "t.X.N"), Unknown);
  EXPECT_EQ(BlocksWith("int &r = s.*m; s.N = 64; r = 32;", "s.N"), Unknown);
  EXPECT_EQ(BlocksWith("s.*m = 32;", "t.X.N"), Shapes{"64,1,1"});
}

// The variable that it names in the body is that of the last call of `make`.
TEST(UnseenChange, LambdasThatCaptureReferences) {
  auto BlocksWith = [&](const std::string &Code) {
    return blocksOf("static auto make(int &v) { return [&v] { return v; }; }\n"
                    "static auto copy(int v) { return [v] { return v; }; }\n"
                    "static auto copied(int &v) { return [v] { return v; }; }\n"
                    "static auto setter(int &v) {"
                    "  return [&v](int n) mutable { v = n; }; }\n"
                    "static auto renamed(int &v) {"
                    "  return [&w = v] { return w; }; }\n"
                    "static int &pick(bool c, int &x, int &y) {"
                    "  if (c) return x; return y; }\n"
                    "struct S { int N; auto get() {"
                    "  return [this] { return N; }; } };\n"
                    "int main(int c, char **) { int x = 32, y = 64; " +
                    Code + " }");
  };
  const Shapes Known{"32,1,1"}, Unknown{"?,1,1"};
  EXPECT_EQ(BlocksWith("auto f = make(x), g = make(y); a<<<1, f()>>>(0);"),
            Known);
  EXPECT_EQ(
      BlocksWith("auto f = renamed(x), g = renamed(y); a<<<1, f()>>>(0);"),
      Known);
  EXPECT_EQ(BlocksWith("auto f = setter(x), g = setter(y); f(96); g(32);"
                       "a<<<1, y>>>(0);"),
            Known);
  EXPECT_EQ(BlocksWith("auto f = copied(x), g = copied(y); a<<<1, f()>>>(0);"),
            Known);
  EXPECT_EQ(BlocksWith("auto f = make(pick(c > 1, x, y)), g = make(y);"
                       "a<<<1, f()>>>(0);"),
            Unknown);
  // Which of the two lambdas it is, is not known.
  EXPECT_EQ(BlocksWith("auto f = c > 1 ? make(x) : make(y); make(x);"
                       "a<<<1, f()>>>(0);"),
            Unknown);
  EXPECT_EQ(BlocksWith("auto f = c > 1 ? copy(x) : copy(y); copy(x);"
                       "a<<<1, f()>>>(0);"),
            Unknown);
  EXPECT_EQ(BlocksWith("auto f = c > 1 ? setter(x) : setter(y); f(96);"
                       "a<<<1, x>>>(0);"),
            Unknown);
  EXPECT_EQ(BlocksWith("S s{32}, t{64}; auto f = s.get(), g = t.get();"
                       "a<<<1, f()>>>(0);"),
            Known);
}

// Nothing but the body of a lambda comes to what it captures by reference.
TEST(UnseenChange, LambdasThatOnlyRead) {
  auto BlocksWith = [&](const std::string &Code) {
    return blocksOf("int main() { int x = 32; int *p = nullptr; dim3 d(32);" +
                    Code + " }");
  };
  const Shapes Known{"32,1,1"}, Unknown{"?,1,1"};
  for (const char *Reads : {"[&] { return x; }", "[&] { a<<<1, d>>>(0); }",
                            "[&](auto...) { dim3 e = d; return e; }"})
    EXPECT_EQ(BlocksWith("std::call_later(" + std::string(Reads) +
                         "); std::call_later(p); d.x = x; a<<<1, d>>>(0);")
                  .back(),
              "32,1,1")
        << Reads;
  for (const char *Writes :
       {"[&] { x = 64; }", "[&] { return &x; }", "[&]() -> int & { return x; }",
        "[&] { [&] { ++x; }(); }"})
    EXPECT_EQ(BlocksWith("auto f = " + std::string(Writes) +
                         "; std::call_later(f); a<<<1, x>>>(0);"),
              Unknown)
        << Writes;
  EXPECT_EQ(BlocksWith("std::call_later([&] { a<<<1, x>>>(0); });"), Known);
}

// In its body, the name of a variable is that of the copy.
TEST(UnseenChange, LambdasThatCopy) {
  auto BlocksWith = [&](const std::string &Code) {
    return blocksOf("struct S { int N; void set() {"
                    "  auto f = [*this]() mutable { N = 64; }; f(); } };"
                    "int main() { int x = 64; int *p = &x; int &r = x; " +
                    Code + " }");
  };
  const Shapes Known{"32,1,1"};
  EXPECT_EQ(BlocksWith("auto f = [=] { *p = 32; return x; }; f();"
                       "a<<<1, x>>>(0);"),
            Known);
  EXPECT_EQ(BlocksWith("auto f = [=] { *p = 0; return x; };"
                       "a<<<1, f() / 2>>>(0);"),
            Known);
  EXPECT_EQ(BlocksWith("auto f = [x, &r] { r = 0; return x; };"
                       "a<<<1, f() / 2>>>(0);"),
            Known);
  EXPECT_EQ(BlocksWith("auto f = [r] { return r; }; x = 0;"
                       "a<<<1, f() / 2>>>(0);"),
            Known);
  EXPECT_EQ(BlocksWith("auto f = [x]() mutable {"
                       "  auto g = [&x] { x = 32; }; g(); return x; };"
                       "x = 0; a<<<1, f()>>>(0);"),
            Known);
  EXPECT_EQ(BlocksWith("S s{32}; s.set(); a<<<1, s.N>>>(0);"), Known);
  EXPECT_EQ(BlocksWith("x = 32; auto f = [x]() mutable { x = 64; }; f();"
                       "a<<<1, x>>>(0);"),
            Known);
  EXPECT_EQ(BlocksWith("auto f = [x]() mutable { int n = 0; x = 32;"
                       "  again: a<<<1, x>>>(0); x = 64;"
                       "  if (n++ < 1) goto again; }; f();"),
            Shapes{"?,1,1"});
}

// Each has an `N` of its own, which has one name.
TEST(UnseenChange, ABaseThatIsThereTwice) {
  auto BlocksWith = [&](const std::string &Change, const char *Block) {
    return blocksOf("struct A { int N = 0; void set(int n) { N = n; } };\n"
                    "struct B : A {}; struct C : A {};\n"
                    "struct D : B, C { void set(int n) { B::N = n; } };\n"
                    "struct E : B { int M; };\n"
                    "int main() { D d; E e; " +
                    Change + " a<<<1, " + Block + ">>>(0); }");
  };
  const Shapes Known{"64,1,1"}, Unknown{"?,1,1"};
  EXPECT_EQ(BlocksWith("d.B::N = 64; d.C::N = 32;", "d.B::N"), Unknown);
  EXPECT_EQ(BlocksWith("d.B::N = 64; C *p = &d; p->N = 32;", "d.B::N"),
            Unknown);
  EXPECT_EQ(BlocksWith("d.set(64); C &r = d; r.set(32);", "d.B::N"), Unknown);
  EXPECT_EQ(BlocksWith("e.N = 64; e.M = 32;", "e.N"), Known);
}

// It calls functions that are not written there.
TEST(UnseenChange, IteratorsOfTheUser) {
  auto BlocksWith = [&](const std::string &Iterator, const std::string &Loop) {
    return blocksOf("struct It { int I;"
                    "  It &operator++() { ++I; " +
                    Iterator +
                    " return *this; }"
                    "  bool operator!=(It o) const { return I != o.I; }"
                    "  int operator*() const { return I; } };\n"
                    "struct Range { It begin() { return {2}; }"
                    "  It end() { return {4}; } };\n"
                    "int main() { " +
                    Loop + " }");
  };
  EXPECT_EQ(BlocksWith("W = 64;", "for (int i : Range()) {} a<<<1, W>>>(0);"),
            Shapes{"?,1,1"});
  EXPECT_EQ(BlocksWith("W = 64;", "for (int i : Range()) W = 32;"
                                  "a<<<1, W>>>(0);"),
            Shapes{"?,1,1"});
  EXPECT_EQ(BlocksWith("", "for (int i : Range()) a<<<1, 32 * i>>>(0);"),
            (Shapes{"64,1,1", "96,1,1"}));
}

TEST(UnseenChange, AnotherObjectInTheSamePlace) {
  EXPECT_EQ(blocksOf("inline void *operator new(size_t, void *P) noexcept {"
                     "  return P; }\n"
                     "struct S { int I = 32; };\n"
                     "int main() { S s; new (&s) int(64);"
                     "  a<<<1, s.I>>>(0); }"),
            Shapes{"?,1,1"});
}

// Another file may say `extern float *g;` and store to it.
TEST(UnseenChange, PointersThatOthersSee) {
  const std::string Main =
      "int main() { if (g) a<<<1, 64>>>(0); else a<<<1, 128>>>(0); }";
  for (const std::string Declared : {"float *g;", "float *g = nullptr;",
                                     "struct { float *p; operator float "
                                     "*() const { return p; } } g;"})
    EXPECT_THAT(blocksOf(Declared + Main), Contains("64,1,1")) << Declared;
}

} // namespace cudalint::test::UnseenChangeTests
