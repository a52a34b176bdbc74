//===- analyzer/resources/SafeNames.h - Nothing for nvcc's shell *- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// nvcc runs its parts through a shell, with the names and arguments that it
/// was given in double quotes or in none: `x$(touch pwn).cu` runs a command.
/// So nothing but letters, digits and `_-+=:,./` of what a user or a project
/// wrote reaches nvcc. What holds anything else is given to it by another name
/// in a private folder:
///
///   the source          a copy there; its own folder goes to -iquote. A link
///                       would not do: nvcc prints where it leads
///   folders, compilers  symbolic links
///   files to include    a file there that includes them
///   definitions         files with a #define each, included before all else
///   the toolkit         a symbolic link
///
/// For other arguments there is no such way: they are refused.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_RESOURCES_SAFENAMES_H
#define CUDA_LINT_ANALYZER_RESOURCES_SAFENAMES_H

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cudalint {

class TemporaryFolder;
struct NvccOption;
struct PreprocessorOption;

/// Names in a private folder, each with the user's name for the same file or
/// folder; no name for a file that we made. What lies in a folder has the name
/// of the folder in front. The folder may be gone: they are only names.
using PrivateNames = std::vector<std::pair<std::string, std::string>>;

/// The user's name for \p Name, which nvcc printed or wrote into a line table:
/// `/tmp/cuda-lint-1/2/h.h` is `my folder/h.h`. Others stay as they are. Empty
/// for a file that we made.
std::string realName(const PrivateNames &Names, std::string_view Name);

/// \p Text, for people, with the user's names.
std::string withRealNames(const PrivateNames &Names, std::string Text);

/// Whether no shell sees more in \p Word than its characters, and it stays one
/// word.
bool isSafeForShell(std::string_view Word);

/// What one run of nvcc is given, in \p Folder.
class SafeNames {
public:
  /// Names that the user wrote are from \p Base; empty: the folder of the
  /// process.
  explicit SafeNames(const TemporaryFolder &Folder, std::string Base = {});

  /// nvcc by a name that may stand in its own commands.
  std::string program(const std::string &Program);

  /// \p File by such a name, and what has to come before the other arguments
  /// for it. With \p Text, that is what the file holds, and it is not read.
  std::string source(const std::string &File, const std::string *Text,
                     std::vector<std::string> &Arguments);

  /// The arguments, from nvccArguments(), by such names.
  std::vector<std::string> arguments(std::span<const std::string> Arguments);

  /// Why nvcc cannot be run, in words, once one of the above failed.
  const std::optional<std::string> &fault() const { return Fault; }
  const PrivateNames &names() const { return Names; }

private:
  struct Macros;
  void refuse(std::string_view Argument, std::string_view Why = {});
  std::string here(const std::string &Path) const;
  std::string absolute(const std::string &Path);
  bool isSafeSource(const std::string &File) const;
  std::string link(const std::string &Path);
  std::string path(const std::string &Path);
  std::string write(const std::string &Name, std::string_view Text,
                    std::string Real = {});
  std::string includer(const std::string &File);
  void add(const PreprocessorOption &Option, const std::string &Value,
           Macros &Known, std::vector<std::string> &Result);
  void addHostWords(std::span<const std::string> Values, Macros &Known,
                    std::vector<std::string> &Result);
  void addList(const NvccOption &Option, Macros &Known,
               std::vector<std::string> &Result);
  void addOther(const NvccOption &Option, std::vector<std::string> &Result);

  const TemporaryFolder &Folder;
  std::string Base;
  PrivateNames Names;
  std::optional<std::string> Fault;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_RESOURCES_SAFENAMES_H
