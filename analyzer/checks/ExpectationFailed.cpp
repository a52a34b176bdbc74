//===- analyzer/checks/ExpectationFailed.cpp - Promises -------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"

namespace cudalint::expectation_failed {
namespace {

/// What it finds is no access's or launch's alone: report/SourceAssertions
/// compares the comments of the source with the numbers of the whole document.
class ExpectationFailed : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "expectation-failed",
      .Level = Maturity::Stable,
      .Default = Severity::Error,
      .Summary =
          "finds numbers that a comment in the source promises otherwise",
      .Why = R"md(What was made fast is made slow again by whoever does not know
that it was. A comment behind the code, or in the line before it, says what must
stay:

- of the accesses in a line: `expect(shared-bank-conflict <= 2-way)`,
  `expect(wavefronts_per_request <= 2)`, `expect(sectors_per_request <= 4)`;
- of a launch, or of all launches of the kernel whose name is in the line:
  `expect(blocks_per_sm >= 2)`, `expect(occupancy >= 50 %)`,
  `expect(registers <= 64)`;
- for one GPU alone: `expect(occupancy >= 50 %, gpu = h200)`.

It is an error when one number is worse than that, or when the comment cannot be
read, and a note when a number is not known.)md",
      .Bad = R"cuda(__global__ void twice(double *data) {
  // cuda-lint: expect(sectors_per_request <= 4)
  data[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}

void run(double *data) {
  twice<<<4096, 256>>>(data);
}
)cuda",
      .Good = R"cuda(__global__ void twice(float *data) {
  // cuda-lint: expect(sectors_per_request <= 4)
  data[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}

void run(float *data) {
  twice<<<4096, 256>>>(data);
}
)cuda",
      .Limits = R"md(A comment is read where `//` or `/*` comes before it in its
line, also within a string. It is about its own line if there is code before it,
else about the next line with code. Neither NOLINT nor a baseline silences it.)md",
      .ConfirmedBy = Evidence::None};
  const CheckInfo &info() const override { return Info; }
};

CUDA_LINT_REGISTER_CHECK(ExpectationFailed)

} // namespace
} // namespace cudalint::expectation_failed
