//===- analyzer/project/Project.h - From files to jobs ----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What is to be analysed, and how it is compiled: from what the user names
/// (files, folders, globs, nothing at all) and from databases of compile
/// commands.
///
/// A job runs in the folder of this process, whatever the build's is: names in
/// its arguments are written as they are seen from there, so that files are
/// called the same everywhere, in findings, in Clang's messages and in caches.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_PROJECT_PROJECT_H
#define CUDA_LINT_ANALYZER_PROJECT_PROJECT_H

#include <optional>
#include <string>
#include <vector>

namespace cudalint {

struct ProjectRequest {
  /// Files, folders and globs, as the user wrote them; empty: all that the
  /// database compiles of CUDA.
  std::vector<std::string> Inputs;
  /// A database, or the folder that it is in; empty: the nearest to each input.
  std::string Build;
  /// Look for no database: the user says how to compile.
  bool IsGiven = false;
  std::string Here; ///< The folder of the process, absolute.
};

/// A file and how it is compiled.
struct ProjectFile {
  std::string Name;                   ///< From Here, or absolute.
  std::vector<std::string> Arguments; ///< As in CompileJob.
  /// For which it is built, as ClangArguments has them; empty: not said.
  std::vector<std::string> Architectures = {};
  /// What a build that runs makes of it, a name from Here; and the same where
  /// that holds machine code, else an empty name.
  std::string Output = {}, Object = {};
};

struct Project {
  std::vector<ProjectFile> Files; ///< Each once.
  /// C++ files of the databases that Files are in: host code of the same
  /// programs, which is not analysed.
  std::vector<ProjectFile> HostFiles;
  /// Of all Files, as ClangArguments has them.
  std::vector<std::string> Architectures;
  /// The toolkit of the compiler that the database names, where that is here.
  std::string CudaPath;
  /// What the user should know.
  std::vector<std::string> Notes;
  /// What only who looks for a fault wants to know.
  std::vector<std::string> Details;
  std::string Error; ///< Why there is nothing to analyse; or empty.
};

/// The folder around \p Here that holds `.git`; \p Here without one.
std::string repositoryAround(const std::string &Here);

/// Reads databases and folders, and compiles nothing.
Project findProject(const ProjectRequest &Request);

/// What the compiler that is run by \p Words in \p Here compiles of CUDA: no
/// file where it does something else, as a link.
Project projectOfBuild(const std::vector<std::string> &Words,
                       const std::string &Here);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_PROJECT_PROJECT_H
