//===- analyzer/frontend/Prelude.h - What nvcc declares besides -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FRONTEND_PRELUDE_H
#define CUDA_LINT_ANALYZER_FRONTEND_PRELUDE_H

#include <string_view>

namespace cudalint {

/// Declarations that nvcc makes by itself and that Clang's own wrapper of the
/// toolkit's headers lacks. Included in front of the user's file, behind that
/// wrapper.
std::string_view preludeText();

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FRONTEND_PRELUDE_H
