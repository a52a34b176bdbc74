//===- runtime/join/Names.h - Names that two compilers write ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A prediction and a measurement name the same kernel and the same file, but
/// Clang and nvcc do not always write these names alike.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_JOIN_NAMES_H
#define CUDA_LINT_RUNTIME_JOIN_NAMES_H

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cudalint {

/// The linkage name of a kernel without what differs between the compilers for
/// internal linkage: Clang marks a static function by L (_ZL4copyPf), nvcc does
/// not (_Z4copyPf); the anonymous namespace is 12_GLOBAL__N_1 for Clang and has
/// a hash and a file name for nvcc (32_GLOBAL__N__479c501e_4_a_cu_main).
/// Two names with equal results need not be equal: look for equal names first.
std::string canonicalKernel(std::string_view Linkage);

/// The name as a person writes it, or \p Linkage itself if it is not mangled.
std::string demangled(const std::string &Linkage);

/// Indices of those among \p Measured that a prediction for \p Kernel, in a
/// unit of file \p Unit, may mean: the equal name alone; else those that are
/// equal but for internal linkage, narrowed down to those that nvcc marked with
/// the name of the unit.
std::vector<std::size_t> matchingKernels(const std::string &Kernel,
                                         const std::string &Unit,
                                         std::span<const std::string> Measured);

/// The number of components that two paths share at their ends; 0 when their
/// last ones differ. `.` and `..` are taken out where that is possible.
unsigned commonSuffix(std::string_view A, std::string_view B);

/// Whether \p Path is a header of the CUDA toolkit that defines functions for
/// the device, such as sm_32_intrinsics.hpp.
bool isToolkitHeader(std::string_view Path);

struct FileMatch {
  /// The file among the measured ones that a predicted one is. Empty: none, or
  /// not only one.
  std::string File;
  /// The files that match equally well, if there are several.
  std::vector<std::string> Candidates;
};

/// The file of \p Measured with the longest common suffix with \p Predicted.
FileMatch matchFile(std::string_view Predicted,
                    std::span<const std::string> Measured);

/// A match for each of \p Predicted. When two of them would be the same file,
/// and their folders tell that they are not, the longer common suffix has it:
/// /b/y/util.h is y/util.h, and x/util.h is none then.
std::map<std::string, FileMatch>
matchFiles(std::span<const std::string> Predicted,
           std::span<const std::string> Measured);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_JOIN_NAMES_H
