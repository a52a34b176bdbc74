//===- runtime/prove/BuiltCopy.h - Copies that are built --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A copy of a project in another folder, with some files edited, and what is
/// built and found in it. Functions that return a string return why they fail,
/// for the user, or nothing, unless they say otherwise.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROVE_BUILTCOPY_H
#define CUDA_LINT_RUNTIME_PROVE_BUILTCOPY_H

#include "runtime/measure/ProbedRun.h"
#include "runtime/prove/Prover.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace cudalint {

/// Of an output, or of a source file.
inline constexpr std::uint64_t MostTextBytes = 1'000'000'000;

/// The last lines of the file \p Path, which a command printed, for a message.
std::string tailOf(const std::string &Path);

/// \p Word with names in \p From turned into names in \p To, as far as these
/// are there or nothing is at either: `-I/project/include`.
std::string moved(const std::string &Word, const std::string &From,
                  const std::string &To);

/// Where the commands run in the copy \p Root.
std::string folderIn(const ProveRequest &Request, const std::string &Root);

/// The file that is run in it, as far as it is one of the project; else empty.
std::string programIn(const ProveRequest &Request, const std::string &Root);

/// Copies the project to \p Root. \p Texts: what files, by their names from
/// Request.Here, are to hold in place of what they do.
std::string copyEdited(const ProveRequest &Request, const std::string &Root,
                       const std::map<std::string, std::string> &Texts);

/// Runs the commands of the build by \p RunOne, with \p Log for their output.
/// \p What: the copy, in words.
std::string
buildCopy(const ProveRequest &Request, const std::string &Root,
          const std::string &What, const std::string &Log,
          const std::function<ProgramEnd(const ProgramRun &)> &RunOne);

/// Why what is built is not what was analysed, as copyEdited() wrote it.
std::string whyChanged(const ProveRequest &Request, const std::string &Root,
                       const std::map<std::string, std::string> &Texts);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_PROVE_BUILTCOPY_H
