//===- tests/unit/analyzer/frontend/CarvedKernels.h - Parts -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_UNIT_ANALYZER_FRONTEND_CARVEDKERNELS_H
#define CUDA_LINT_TESTS_UNIT_ANALYZER_FRONTEND_CARVEDKERNELS_H

#include "tests/unit/analyzer/frontend/Parsing.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace cudalint::test {

inline Parsed parseKernel(const std::string &Code) {
  Parsed P = parse(Code, ParseSetting());
  EXPECT_EQ(P.Result.Status, UnitStatus::Ok) << P.Result.Diagnostics;
  return P;
}

/// In a function that carves `s` up; the last store is to `b`.
inline Parsed kernel(const std::string &Body, const std::string &Before = "") {
  return parseKernel(Before +
                     "__device__ void use(float *p);\n"
                     "__global__ void k(int n, unsigned u, float *out) {\n"
                     "  extern __shared__ float s[];\n" +
                     Body + "\n  b[0] = 1;\n}\n");
}

inline const ArrayFact *arrayOfB(const Parsed &P) {
  for (const auto &[Where, Fact] : P.Facts.Stores)
    if (Fact.Object == "b" && Fact.CarvedFrom)
      return &*Fact.CarvedFrom;
  return nullptr;
}

/// Of each offset the text and what divides it; `!` behind what may not be
/// written twice, `?` behind what may have wrapped.
inline std::vector<std::string> begins(const std::string &Body,
                                       const std::string &Before = "") {
  const Parsed P = kernel(Body, Before);
  const ArrayFact *Array = arrayOfB(P);
  if (!Array || !Array->Offsets)
    return {"none"};
  std::vector<std::string> Result;
  for (const OffsetText &Each : *Array->Offsets)
    Result.push_back(Each.Text.Text + ": " + std::to_string(Each.Divisor) +
                     (Each.Text.IsRepeatable ? "" : "!") +
                     (Each.Sign == IndexSign::Unsigned ? "?" : ""));
  return Result;
}

} // namespace cudalint::test

#endif // CUDA_LINT_TESTS_UNIT_ANALYZER_FRONTEND_CARVEDKERNELS_H
