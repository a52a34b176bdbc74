//===- analyzer/project/CompileDatabase.h - How a build compiles *- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reads compile_commands.json, the database of compile commands that CMake,
/// Bear and others write:
/// https://clang.llvm.org/docs/JSONCompilationDatabase.html
///
/// LLVM's reader prints what is wrong with a file and does not return it, takes
/// no limits, and knows no nvcc: hence this one.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_PROJECT_COMPILEDATABASE_H
#define CUDA_LINT_ANALYZER_PROJECT_COMPILEDATABASE_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cudalint {

/// One entry of a database.
struct CompileCommand {
  std::string File;     ///< Absolute, without `.` and, where it can be, `..`.
  std::string Folder;   ///< In which the compiler runs; absolute.
  std::string Compiler; ///< As it is written: `/usr/local/cuda/bin/nvcc`.
  /// Without the compiler, what launches it, as ccache, and the file. Files of
  /// arguments are not expanded.
  std::vector<std::string> Arguments;

  /// Whether it compiles CUDA: by the end of the file's name, or by -x.
  bool isCuda() const;
  /// Whether it compiles C++, by the same.
  bool isCpp() const;
};

struct DatabaseRead {
  std::vector<CompileCommand> Commands; ///< In the order of the file.
  /// Why it cannot be used, with its name, in words for a user; or empty.
  std::string Error;
};

/// Reads the file \p Path, which may be of any size up to 256 MB.
DatabaseRead readCompileDatabase(const std::string &Path);

/// The same of its contents. Names are relative to \p Base, the folder of the
/// database, where an entry names none.
DatabaseRead parseCompileDatabase(std::string_view Text,
                                  const std::string &Base);

/// The compiler of \p Words and its arguments, the files among them, without
/// what launches it; the compiler is empty where there is none. \p Folder is
/// the one it runs in.
CompileCommand commandOf(std::vector<std::string> Words,
                         const std::string &Folder);

/// Adds the arguments that nvcc reads from the environment, before those of
/// \p Command and behind them.
void addEnvironment(CompileCommand &Command);

/// The database that is in \p Folder, in its `build`, or in those of a folder
/// around it: the nearest.
std::optional<std::string> findCompileDatabase(const std::string &Folder);

/// What every database is called.
constexpr const char *DatabaseName = "compile_commands.json";

/// \p Name from \p Folder, absolute and plain. A `..` behind a symbolic link
/// stays, as it may lead elsewhere.
std::string absoluteName(const std::string &Folder, const std::string &Name);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_PROJECT_COMPILEDATABASE_H
