//===- report/InputFile.h - Reads what may be no plain file -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_INPUTFILE_H
#define CUDA_LINT_REPORT_INPUTFILE_H

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cudalint {

/// No source is as long; a device that never ends is.
constexpr std::uint64_t MostSourceBytes = 64u << 20;

/// Whether \p File can be read but once, or by us alone: a pipe, a device, or
/// a descriptor of this process such as `-` and `/dev/stdin`.
bool isReadOnce(const std::string &File);

/// Reads \p File, `-` being standard input, from its start to its end and gives
/// each part to \p Take. Waits for what a pipe brings, but for a writer of the
/// pipe no longer than \p Patience.
///
/// Returns nothing on success, else the reason, without the name: the system's
/// words, or that there are more than \p Most bytes, of which a plain file may
/// have any number.
[[nodiscard]] std::optional<std::string>
readInput(const std::string &File, std::uint64_t Most,
          const std::function<void(std::string_view)> &Take,
          std::chrono::milliseconds Patience = std::chrono::seconds(5));

/// The contents of a plain file. Waits for no pipe, and reads nothing that is
/// larger than \p Most bytes. On failure nothing, and \p Error says why and
/// names the file.
std::optional<std::string>
readWholeFile(const std::string &Path, std::uint64_t Most, std::string &Error);

/// What \p Path stands for: itself, or of a folder all `*.json` in the order of
/// their names. On failure nothing, and \p Error says why.
std::vector<std::string> jsonFilesOf(const std::string &Path,
                                     std::string &Error);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_INPUTFILE_H
