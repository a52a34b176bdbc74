//===- analyzer/resources/NvccDefaults.h - What nvcc adds -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// nvcc adds arguments of its own to each command line: those of nvcc.profile,
/// which distributions and sites edit, and of NVCC_PREPEND_FLAGS and
/// NVCC_APPEND_FLAGS. `nvcc --dryrun`, which compiles nothing, shows them.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_RESOURCES_NVCCDEFAULTS_H
#define CUDA_LINT_ANALYZER_RESOURCES_NVCCDEFAULTS_H

#include "analyzer/resources/Nvcc.h"

#include <string>
#include <string_view>
#include <vector>

namespace cudalint {

class EndGuard; // analyzer/resources/ChildProcess.h

/// The definitions and folders of headers that \p DryRun, the output of `nvcc
/// --dryrun`, adds to the preprocessor's command, without those that every
/// compiler of CUDA defines and those of \p Toolkit itself, which a parse has
/// anyway: for most toolkits, nothing.
std::vector<std::string> parseDryRun(std::string_view DryRun,
                                     const std::string &Toolkit);

/// The same of the toolkit at \p CudaPath, as findNvcc() has it. It is asked
/// once, and \p Cache keeps what it says. Empty where there is no nvcc, or
/// where it does not answer. \p Guard may be null.
std::vector<std::string> addedByNvcc(const std::string &CudaPath,
                                     ResourceCache &Cache,
                                     const EndGuard *Guard = nullptr);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_RESOURCES_NVCCDEFAULTS_H
