//===- analyzer/frontend/SystemHeaders.h - Whose code it is -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FRONTEND_SYSTEMHEADERS_H
#define CUDA_LINT_ANALYZER_FRONTEND_SYSTEMHEADERS_H

#include "report/Finding.h"

#include <string_view>
#include <vector>

namespace cudalint {

struct SourceFacts;

/// A header that Clang brings along: nobody wrote a kernel there.
bool isClangHeader(std::string_view File);

/// The name of a file without its folders, which compilers write differently.
std::string_view baseName(std::string_view File);

/// Of a place and the calls through which it was inlined, those in the user's
/// code: not in what `Facts` has for system headers. All of them, if there are
/// none.
std::vector<Location> userFrames(std::vector<Location> Frames,
                                 const SourceFacts &Facts);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FRONTEND_SYSTEMHEADERS_H
