//===- analyzer/pipeline/UnseenKernelCode.h - Not evaluated -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_PIPELINE_UNSEENKERNELCODE_H
#define CUDA_LINT_ANALYZER_PIPELINE_UNSEENKERNELCODE_H

#include "analyzer/ir/UnseenCode.h"

#include <string>
#include <vector>

namespace cudalint {

/// Code of the kernels of a file that was not evaluated.
class UnseenKernelCode {
public:
  /// Code, and the first kernel of those that hold it.
  struct Part {
    UnseenCode Code;
    std::string Kernel;
    unsigned MoreKernels = 0; ///< Instantiations of a template, mostly.
  };

  /// \p Found in the kernel of that signature.
  void add(std::vector<UnseenCode> Found, const std::string &Kernel);

  /// Each once, as they were met.
  const std::vector<Part> &parts() const { return Parts; }

private:
  std::vector<Part> Parts;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_PIPELINE_UNSEENKERNELCODE_H
