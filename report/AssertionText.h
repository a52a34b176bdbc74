//===- report/AssertionText.h - Expectations in comments --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Numbers that the source promises, in comments behind the code or in the line
/// before it:
///
///   s[i][j] = v; // cuda-lint: expect(shared-bank-conflict <= 2-way)
///   // cuda-lint: expect(sectors_per_request <= 4)
///   out[i] = v;
///   // cuda-lint: expect(occupancy >= 50 %, gpu = h200)
///   kernel<<<grid, 256>>>(out);
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_ASSERTIONTEXT_H
#define CUDA_LINT_REPORT_ASSERTIONTEXT_H

#include "report/Document.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cudalint {

struct SourceAssertion {
  enum class Quantity : std::uint8_t {
    BankConflict, ///< Ways: wavefronts for each that is ideal.
    Wavefronts,   ///< Per request, of shared memory.
    Sectors,      ///< Per request, of global memory.
    BlocksPerSM,
    Occupancy, ///< Per cent.
    Registers  ///< Per thread.
  };
  enum class Comparison : std::uint8_t { AtMost, AtLeast, Equal, Less, More };

  Quantity What = Quantity::Sectors;
  Comparison How = Comparison::AtMost;
  double Bound = 0;
  std::string Gpu; ///< As TargetRecord::Name; empty: of all.
  /// As it is written, between the brackets.
  std::string Text;
  unsigned Line = 0, Column = 0; ///< Of its first letter; from 1.
  unsigned Of = 0;               ///< The line that it is about.
};

struct AssertionsRead {
  std::vector<SourceAssertion> All;
  /// What is written wrong; the file of each place is empty.
  std::vector<ErrorRecord> Errors;
};

/// Reads those in the comments of \p Text.
AssertionsRead readAssertions(std::string_view Text);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_ASSERTIONTEXT_H
