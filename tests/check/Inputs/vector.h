//===- tests/check/Inputs/vector.h - A bit of std ---------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_CHECK_INPUTS_VECTOR_H
#define CUDA_LINT_TESTS_CHECK_INPUTS_VECTOR_H

// Not the user's, as the real one.
#pragma GCC system_header

namespace std {
template <class T> void swap(T &A, T &B) {
  T Old = A;
  A = B;
  B = Old;
}
template <class T> class allocator {};
template <class T, class A = allocator<T>> class vector {
  T *Begin;
  size_t Size;

public:
  explicit vector(size_t N);
  ~vector();
  T *data() { return Begin; }
  const T *data() const { return Begin; }
  size_t size() const { return Size; }
  T &operator[](size_t I) { return Begin[I]; }
};
} // namespace std

#endif // CUDA_LINT_TESTS_CHECK_INPUTS_VECTOR_H
