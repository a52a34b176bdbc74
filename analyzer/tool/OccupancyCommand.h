//===- analyzer/tool/OccupancyCommand.h - cuda-lint occupancy ---*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `cuda-lint occupancy FILE...`: the files are analysed as for linting, and
/// each launch is answered as bare numbers are. What the files do not tell can
/// be given by the options of bare numbers.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_TOOL_OCCUPANCYCOMMAND_H
#define CUDA_LINT_ANALYZER_TOOL_OCCUPANCYCOMMAND_H

#include "occupancy/Reports.h"
#include "report/Document.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cudalint {

struct Options;

/// The options that linting does not have.
struct OccupancyRequest {
  LaunchInput Given; ///< Where a file does not tell.
  std::optional<int> SMs;
  std::optional<SweepOver> Sweep;
  bool AsCsv = false;
};

/// Takes the options of \p Request out of \p Arguments, up to a `--`, and
/// leaves those that linting has. Returns a message when one means nothing,
/// else an empty string.
std::string takeOccupancyOptions(std::vector<std::string> &Arguments,
                                 OccupancyRequest &Request);

/// One answer for each launch of each kernel of \p Doc, and one for a kernel
/// without launches; what several units have from one header counts once. \p
/// Gpu is the target of the document.
std::vector<OccupancyAnswer> answersFor(const Document &Doc, const Target &Gpu,
                                        const OccupancyRequest &Request);

/// A table for each of \p Documents, whose targets are \p Gpus, with a row for
/// each launch, within \p Width columns, which 0 does not bound. Empty when
/// there are no kernels.
std::string summaryText(std::span<const Document> Documents,
                        std::span<const Target> Gpus, unsigned Width);

/// A table with a row for each launch, and below it what limits each.
std::string launchesText(std::span<const OccupancyAnswer> Answers,
                         const OccupancyTextOptions &Options);

/// Writes the answers for all \p Documents as \p Run asks. Returns the exit
/// code: \p FilesCode when that is not 0 (a file was not analysed), 1 when a
/// launch fails, 2 when the output cannot be written.
int reportOccupancy(std::span<const Document> Documents, const Options &Run,
                    int FilesCode);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_TOOL_OCCUPANCYCOMMAND_H
