//===- tests/unit/analyzer/launch/ContainersTests.cpp - Tests -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/launch/ExtractionHelper.h"

#include <gmock/gmock.h>

using testing::AnyOf;
using testing::Not;

namespace cudalint::test::ContainersTests {

using Shapes = std::vector<std::string>;

/// What the tests need of the standard library, as if it came from its headers:
/// most of it is code that is not seen.
static const char *const Library = R"(
# 1 "library" 3
namespace std {
using size_t = decltype(sizeof(0));
template <class T> struct allocator {};
template <class T, class A = allocator<T>> class vector {
public:
  vector();
  explicit vector(size_t, const A & = A());
  vector(size_t, const T &, const A & = A());
  vector(initializer_list<T>, const A & = A());
  vector(const vector &);
  vector(vector &&);
  ~vector();
  vector &operator=(const vector &);
  vector &operator=(vector &&);
  T &operator[](size_t);
  const T &operator[](size_t) const;
  T &front();
  T &back();
  T *data();
  T *begin();
  T *end();
  const T *begin() const;
  const T *end() const;
  size_t size() const;
  void push_back(const T &);
  template <class U> T &emplace_back(U &&);
  void clear();
  void resize(size_t);
  void assign(size_t, const T &);
  T *insert(T *, size_t, const T &);

private:
  T *First, *Last;
};
struct bit_reference {
  operator bool() const;
  bit_reference &operator=(bool);
};
template <class A> class vector<bool, A> {
public:
  vector(initializer_list<bool>, const A & = A());
  bit_reference operator[](size_t);
};
template <class T, size_t N> struct array {
  T Elements[N];
  constexpr const T *begin() const { return Elements; }
  constexpr const T *end() const { return Elements + N; }
};
template <class T> struct array<T, 0> {
  constexpr const T *begin() const { return nullptr; }
  constexpr const T *end() const { return nullptr; }
};
template <class A, class B> struct pair {
  A first;
  B second;
};
template <class T> struct tuple_size;
template <size_t I, class T> struct tuple_element;
template <class A, class B> struct tuple_size<pair<A, B>> {
  static constexpr size_t value = 2;
};
template <class A, class B> struct tuple_size<const pair<A, B>>
    : tuple_size<pair<A, B>> {};
template <class A, class B> struct tuple_element<0, pair<A, B>> {
  using type = A;
};
template <class A, class B> struct tuple_element<1, pair<A, B>> {
  using type = B;
};
template <class A, class B> struct tuple_element<0, const pair<A, B>> {
  using type = const A;
};
template <class A, class B> struct tuple_element<1, const pair<A, B>> {
  using type = const B;
};
template <size_t I, class A, class B> constexpr auto &get(pair<A, B> &P) {
  if constexpr (I == 0)
    return P.first;
  else
    return P.second;
}
template <size_t I, class A, class B>
constexpr const auto &get(const pair<A, B> &P) {
  if constexpr (I == 0)
    return P.first;
  else
    return P.second;
}
template <size_t I, class A, class B> constexpr auto &&get(pair<A, B> &&P) {
  if constexpr (I == 0)
    return static_cast<A &&>(P.first);
  else
    return static_cast<B &&>(P.second);
}
template <class T> void sort(T, T);
template <class T> void swap(T &, T &);
} // namespace std
# 1 "input.cu"
)";

/// The blocks of the launches in main.
static Shapes blocksWith(const std::string &Main,
                         const std::string &Before = "") {
  return blocks(extract(Library + std::string("__global__ void a(int) {}\n") +
                        Before + "\nint main(int argc, char **) {\n" + Main +
                        "\n}\n"));
}

static const Shapes Both = {"32,1,1", "64,1,1"};

TEST(Containers, VectorsThatAreListed) {
  const std::string Loop = "for (int b : v) a<<<1, b>>>(0);";
  EXPECT_EQ(blocksWith("std::vector<int> v = {32, 64};" + Loop), Both);
  EXPECT_EQ(blocksWith("const std::vector<int> v{32, 64};" + Loop), Both);
  EXPECT_EQ(blocksWith("for (auto b : std::vector<int>{32, 64})\n"
                       "  a<<<1, b>>>(0);"),
            Both);
  EXPECT_EQ(blocksWith("std::vector<int> v; v.push_back(32);\n"
                       "v.push_back(2 * v.back());" +
                       Loop),
            Both);
  EXPECT_EQ(blocksWith("std::vector<int> v; v.emplace_back(32.5);\n"
                       "v.emplace_back(64u);" +
                       Loop),
            Both);
  EXPECT_EQ(blocksWith("std::vector<int> v = {64, 1}; v[1] = 64;\n"
                       "v.front() /= 2;" +
                       Loop),
            Both);
  EXPECT_EQ(blocksWith("std::vector<int> v = {32, 64};\n"
                       "for (std::size_t i = 0; i < v.size(); ++i)\n"
                       "  a<<<1, v[i]>>>(0);"),
            Both);
}

TEST(Containers, OfShapesAndPairs) {
  EXPECT_EQ(blocksWith("std::vector<dim3> v = {dim3(16, 16), dim3(32)};\n"
                       "for (const auto &b : v) a<<<1, b>>>(0);"),
            (Shapes{"16,16,1", "32,1,1"}));
  const std::string Pairs =
      "std::vector<std::pair<int, int>> v = {{1, 32}, {2, 64}};\n";
  EXPECT_EQ(blocksWith(Pairs + "for (auto &p : v)\n"
                               "  a<<<p.first, p.second>>>(0);"),
            Both);
  for (const char *Each : {"auto [g, b]", "auto &[g, b]", "const auto &[g, b]"})
    EXPECT_EQ(blocksWith(Pairs + "for (" + Each + " : v) a<<<g, b>>>(0);"),
              Both)
        << Each;
}

TEST(Containers, ThroughFunctions) {
  EXPECT_EQ(blocksWith("for (int b : made()) a<<<1, b>>>(0);",
                       "std::vector<int> made() { return {32, 64}; }"),
            Both);
  EXPECT_EQ(blocksWith("run({32, 64});",
                       "void run(const std::vector<int> &v) {\n"
                       "  for (int b : v) a<<<1, b>>>(0);\n}"),
            Both);
  EXPECT_EQ(blocksWith("std::vector<int> v = {32, 64}; look(v);\n"
                       "for (int b : v) a<<<1, b>>>(0);",
                       "void look(const std::vector<int> &v);"),
            Both);
}

TEST(Containers, StandardArrays) {
  EXPECT_EQ(blocksWith("std::array<int, 2> v = {32, 64};\n"
                       "for (int b : v) a<<<1, b>>>(0);"),
            Both);
  // There is none, nor an array that it is.
  blocksWith("std::array<int, 0> v; for (int b : v) a<<<1, b>>>(0);");
}

// What is not followed may have changed all of it.
TEST(Containers, WhatMayHaveChangedIsNotKnown) {
  for (const char *Change :
       {"extend(v);", "for (int i = 0; i < argc; ++i) v.push_back(i);",
        "std::sort(v.begin(), v.end());", "if (argc > 1) v.push_back(128);",
        "auto &r = v; r.clear();", "v.data()[0] = 96; v.data()[1] = 96;",
        "std::vector<int> w(argc); std::swap(v, w);", "v.resize(argc);",
        "for (int &b : v) b += argc;", "v.assign(argc, 32);",
        "auto grow = [&] { v.push_back(argc); }; grow();",
        "int &first = v[0]; v = std::vector<int>(argc); first = 1;",
        "v.insert(v.begin(), argc, 32);", "v = std::vector<int>(argc, 64);",
        "std::vector<int> *q = &v; extend(*q);"})
    EXPECT_THAT(blocksWith(std::string("std::vector<int> v = {32, 64};\n") +
                               Change + "\nfor (int b : v) a<<<1, b>>>(0);",
                           "void extend(std::vector<int> &v);"),
                Not(AnyOf(Shapes{"32,1,1"}, Both)))
        << Change;
  EXPECT_THAT(blocksWith("for (int b : v) a<<<1, b>>>(0);",
                         "std::vector<int> v = {32, 64};\n"
                         "void grow() { v.push_back(96); }"),
              Not(Both));
  // A vector<bool> hands out no reference to a bool.
  EXPECT_THAT(blocksWith("std::vector<bool> v = {true, false};\n"
                         "auto first = v[0]; v[0] = argc > 1;\n"
                         "a<<<1, first ? 32 : 64>>>(0);"),
              Not(Shapes{"32,1,1"}));
}

// Whoever calls something else so is not taken for the library.
TEST(Containers, OthersOfThatName) {
  for (const char *Other : {"template <int N> struct vector { int v[N]; };\n"
                            "using numbers = vector<2>;",
                            "template <class...> struct vector { int v[2]; };\n"
                            "using numbers = vector<>;",
                            "template <class T> struct vector {\n"
                            "  vector(); T v[2]; void size(); };\n"
                            "using numbers = vector<int>;"})
    EXPECT_EQ(blocks(extract(std::string("__global__ void a(int) {}\n"
                                         "namespace std {\n") +
                             Other +
                             "\n}\n"
                             "int main() { std::numbers n; n.v[0] = 64;\n"
                             "  a<<<1, n.v[0]>>>(0); }\n")),
              Shapes{"64,1,1"})
        << Other;
}

// One element that is known is not all of them.
TEST(Containers, OfAnArrayTheRestIsNotKnown) {
  EXPECT_THAT(blocksWith("int v[3]; fill(v); v[0] = 32;\n"
                         "for (int b : v) a<<<1, b>>>(0);",
                         "void fill(int *);"),
              Not(Shapes{"32,1,1"}));
}

} // namespace cudalint::test::ContainersTests
