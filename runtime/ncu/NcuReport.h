//===- runtime/ncu/NcuReport.h - A report of Nsight Compute -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Pages that `ncu --csv` exported of one report, as the profile that the probe
/// would have written of the same launches: docs/ncu.md.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_NCU_NCUREPORT_H
#define CUDA_LINT_RUNTIME_NCU_NCUREPORT_H

#include "runtime/join/Profile.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cudalint {

/// An exported page, of whatever kind.
struct NcuPage {
  std::string Name; ///< Of the file, for messages.
  std::string Text;
};

struct NcuRead {
  /// Empty where no page could be read.
  std::optional<Profile> Value;
  /// For the user, one for each bad page: file, line, what to do. May hold text
  /// of the file: print them through printable().
  std::vector<std::string> Errors;
};

/// All \p Pages are of one report: the launches of a raw page, and the counts
/// of a source page, with lines where a kernel has them. Of several pages with
/// counts of one kernel, one counts: that with lines, then the first.
NcuRead readNcu(std::span<const NcuPage> Pages);

/// No export that is of use has more bytes.
inline constexpr std::uint64_t MostNcuBytes = std::uint64_t(1) << 30;

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_NCU_NCUREPORT_H
