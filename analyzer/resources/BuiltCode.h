//===- analyzer/resources/BuiltCode.h - What a build has made ---*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_RESOURCES_BUILTCODE_H
#define CUDA_LINT_ANALYZER_RESOURCES_BUILTCODE_H

#include "analyzer/resources/Resources.h"

#include <span>
#include <stop_token>
#include <string>

namespace cudalint {

/// Waits until the compiler that \p Built speaks of has ended, then reads the
/// figures and, where it has lines, the machine code of \p File for \p Targets
/// from the object that it wrote. Never fails: what is missing is a note.
FileResources readBuilt(const BuiltObjects &Built, const std::string &File,
                        std::span<const ComputeCapability> Targets,
                        const std::stop_token &Stop);

/// The machine code in all objects of \p Built, one behind the other, once the
/// compiler has ended; empty where there is none.
std::string builtCode(const BuiltObjects &Built);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_RESOURCES_BUILTCODE_H
