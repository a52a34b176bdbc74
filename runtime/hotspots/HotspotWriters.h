//===- runtime/hotspots/HotspotWriters.h - Hot spots, told ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_HOTSPOTS_HOTSPOTWRITERS_H
#define CUDA_LINT_RUNTIME_HOTSPOTS_HOTSPOTWRITERS_H

#include "report/TextWriter.h"
#include "runtime/hotspots/Hotspots.h"
#include "runtime/measure/RunRecords.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace cudalint {

struct HotspotReport {
  Hotspots Found;
  std::vector<ProgramReport> Runs; ///< None of recorded profiles.
  /// What was not measured because nobody asked, or it could not be: for the
  /// user.
  std::vector<std::string> Notes;
};

struct HotspotOptions {
  TextOptions Text;
  /// Kernels, and lines of each, that are shown; empty: all.
  std::optional<std::size_t> Top = 5;
};

/// Kernel by kernel, what its units did and its worst lines.
std::string hotspotText(const HotspotReport &Report,
                        const HotspotOptions &Options,
                        const SourceText &Source);

/// `cuda-lint-hotspots/1`: docs/hotspots.md. Always all kernels and lines.
std::string hotspotJson(const HotspotReport &Report);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_HOTSPOTS_HOTSPOTWRITERS_H
