//===- report/OutputFile.h - Writes a whole file or none --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_OUTPUTFILE_H
#define CUDA_LINT_REPORT_OUTPUTFILE_H

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cudalint {

/// Makes \p Text the contents of the file \p Path; `-` is standard output.
///
/// A reader sees the old contents or the new, never a part: the text is written
/// to a file beside it, which then takes its name. A new file gets the
/// permissions that the umask leaves; an existing one keeps its own, and its
/// contents when the write fails. A symbolic link stays, its target is
/// written. What is neither file nor folder (a pipe, /dev/null) is written to
/// directly. Folders are not made.
///
/// Returns nothing on success, else a message for the user that names the
/// path, the system's reason and the remedy; then no file is left over.
[[nodiscard]] std::optional<std::string>
writeOutputFile(const std::string &Path, std::string_view Text);

/// A file of the user's that is to be another.
struct FileUpdate {
  std::string Path;
  std::string_view Before; ///< What it held when the change was thought out.
  std::string_view After;
};

/// Makes each of \p Updates what it is to be, or none of them. They keep
/// permissions and owner, and a symbolic link stays. A file that does not hold
/// its Before any more is left alone, and so are then all others. A signal does
/// not come between.
///
/// Returns nothing on success, else a message for the user that names the path
/// and the reason; then no file is left over.
[[nodiscard]] std::optional<std::string>
updateFiles(std::span<const FileUpdate> Updates);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_OUTPUTFILE_H
