//===- analyzer/resources/FatBinary.h - Code in an object -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// nvcc puts the code of GPUs into a host object as a fat binary: one entry for
/// each target, of machine code or PTX, compressed or not. Its form is not
/// documented; CUDA's fatbinary_section.h names the sections, and what is read
/// here is tested against what nvcc writes.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_RESOURCES_FATBINARY_H
#define CUDA_LINT_ANALYZER_RESOURCES_FATBINARY_H

#include <string>
#include <string_view>
#include <vector>

namespace cudalint {

/// The cubins in \p File: a host's object, library member or program, a fat
/// binary, or itself a cubin. Code that a link has made comes first. None where
/// there is only PTX, or where the bytes make no sense; nothing in them is
/// trusted, and at most 1 GiB is returned.
std::vector<std::string> cubinsIn(std::string_view File);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_RESOURCES_FATBINARY_H
