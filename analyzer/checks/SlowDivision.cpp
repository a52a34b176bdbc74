//===- analyzer/checks/SlowDivision.cpp - 64-bit divisions ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"

#include <fmt/format.h>

namespace cudalint::slow_division {
namespace {

class SlowDivision : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "slow-division",
      .Level = Maturity::Stable,
      .Default = Severity::Warning,
      .Summary = "finds 64-bit divisions by run-time values in inner loops",
      .Why =
          R"md(No GPU divides integers: `/` and `%` are code. By a constant that
is a multiplication and a shift. By a 32-bit value that only the run knows it is
some ten to twenty instructions, and the compiler takes the reciprocal out of
the loop if the divisor does not change in it. Of 64 bits it is a function of
about a hundred instructions, called anew for each division, which asks
first whether both values happen to be from 0 to 2^32. `size_t`, `long`
and whatever is computed with one of them are 64 bits.

A division in each turn of a loop, in a chain with an addition and a
multiplication, 1056 blocks of 256 threads and 1000 turns on an H100:

| | no division | by a constant | by a parameter | issue slots of a warp for each |
|---|--:|--:|--:|--:|
| `unsigned` | 85 us | 95 us | 175 us | 10 |
| `int` | 84 us | 132 us | 248 us | 18 |
| `unsigned long long` | 134 us | 291 us | 1016 us | 97 |
| the same, of values below 2^32 | 134 us | | 405 us | 30 |
| `long long` | 132 us | 354 us | 1102 us | 106 |

In a loop of that kind, `long long` values from 0 to 2^32 took 0.97 of the time
that unsigned ones took, and negative ones as long as large ones.

Where the values fit in 32 bits, divide `unsigned` numbers; where a loop takes
an index apart, count up row and column instead; where the divisor is one of a
few, make it a template parameter.

Hashes and random numbers of 64 bits do not fit. Where any index will do, as
long as all are as frequent, `__umul64hi(value, n)` is one below n, by a
multiplication.)md",
      .Bad =
          R"cuda(__global__ void add(float *data, const float *bias, size_t all,
                    size_t columns) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < all;
       i += gridDim.x * blockDim.x)
    data[i] += bias[i % columns];
}

void run(float *data, const float *bias, size_t all, size_t columns) {
  add<<<1024, 256>>>(data, bias, all, columns);
}
)cuda",
      .Good =
          R"cuda(__global__ void add(float *data, const float *bias, unsigned all,
                    unsigned columns) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < all;
       i += gridDim.x * blockDim.x)
    data[i] += bias[i % columns];
}

void run(float *data, const float *bias, unsigned all, unsigned columns) {
  add<<<1024, 256>>>(data, bias, all, columns);
}
)cuda",
      .Limits =
          R"md(Speaks of innermost loops, in which there may be one that
tries an atomic update again, of divisions in each of their turns, and of those
that an index or a condition is computed from. Silent about 32 bits, which cost little where the divisor stays the same
and cannot be helped where it does not; about loops of less than 16 turns, which
compilers write out; about powers of two; and about what both stay the same in
the loop. What the values of a launch are is not looked at. Loops that wait for
memory most of the time hide some of it.)md",
      .ConfirmedBy = Evidence::InstructionsInteger};
  const CheckInfo &info() const override { return Info; }
  void checkKernel(const KernelModel &K, FindingSink &Out) const override;
};

} // namespace

/// Issue slots of a warp on an H100, by the table above: of large values, of
/// those that happen to be small, and of 32-bit ones, where the divisor stays
/// the same and where it does not.
static constexpr double SlotsUnsigned = 97, SlotsSigned = 106, SlotsShort = 30,
                        SlotsNarrow = 10, SlotsMost = 20;

static Phrase saidOf(const RuntimeDivision &D) {
  const char *What = D.IsRemainder ? "the remainder" : "a division";
  const double Slots = D.IsSigned ? SlotsSigned : SlotsUnsigned;
  if (D.IsOfWide)
    return {"wide-division",
            "{what} of 64-bit integers takes a warp some {slots} issue slots, "
            "as what is divided does not fit 32 bits",
            {{"what", What}, {"slots", Slots}}};
  return {"division",
          "{what} of 64-bit integers takes a warp some {slots_short} issue "
          "slots where both fit 32 bits, else {slots}",
          {{"what", What}, {"slots", Slots}, {"slots_short", SlotsShort}}};
}

void SlowDivision::checkKernel(const KernelModel &K, FindingSink &Out) const {
  for (const RuntimeDivision &D : K.Traits.Divisions) {
    Finding &F = Out.report(K, D.Place, SubjectKind::Call,
                            D.IsRemainder ? "%" : "/", saidOf(D));
    F.Cause = {"function-call",
               "the compiler calls a function for it, as for 32 bits it does "
               "not",
               {}};
    if (!D.IsOfWide) {
      // Where the grid covers the loop, there is nothing to count.
      F.Remedy = {
          D.CountsUp ? "narrow-or-count" : "narrow-division",
          fmt::format("if all fit, divide 32-bit unsigned integers{}, in "
                      "{{slots_narrow}} to {{slots_most}} slots{}",
                      D.OtherLine ? " here and in line {other_line}" : "",
                      D.CountsUp ? ", or count up what is divided" : ""),
          {{"slots_narrow", SlotsNarrow},
           {"slots_most", SlotsMost},
           {"other_line", D.OtherLine}}};
      F.Trust = Certainty::Assumed;
      F.Assumptions = {"both values fit 32 bits"};
    } else if (D.IsRemainder && !D.IsSigned && D.IsIndex) {
      F.Remedy = {"high-product",
                  "'__umul64hi(value, n)' is as good an index where the value "
                  "is spread over 64 bits",
                  {}};
    } else {
      F.Level = Severity::Note;
    }
  }
}

CUDA_LINT_REGISTER_CHECK(SlowDivision)

} // namespace cudalint::slow_division
