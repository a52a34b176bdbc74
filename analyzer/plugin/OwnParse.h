//===- analyzer/plugin/OwnParse.h - The device side again -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_PLUGIN_OWNPARSE_H
#define CUDA_LINT_ANALYZER_PLUGIN_OWNPARSE_H

#include <string>
#include <vector>

namespace clang {
class Preprocessor;
} // namespace clang

namespace cudalint {

/// What a compiler was told of a file, as far as it matters to its device side.
struct DeviceArguments {
  std::vector<std::string> Arguments; ///< As in CompileJob.
  std::string CudaPath;               ///< The toolkit's folder, or empty.
};

/// Of a file that \p From has read, or reads: its standard, macros, folders and
/// files of the user's; what the driver has added, it adds again.
DeviceArguments deviceArgumentsOf(const clang::Preprocessor &From);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_PLUGIN_OWNPARSE_H
