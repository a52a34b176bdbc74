//===- analyzer/pipeline/KernelNames.h - Names of kernels -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_PIPELINE_KERNELNAMES_H
#define CUDA_LINT_ANALYZER_PIPELINE_KERNELNAMES_H

#include "analyzer/launch/Launch.h"

#include <array>
#include <string>
#include <string_view>

namespace cudalint {

/// The ways to name a kernel, the most exact first.
struct NameRank {
  enum : unsigned {
    Linkage,            ///< `_ZN2ns1kILi4EEEvPf`
    Signature,          ///< `ns::k<4>(float *)`
    Full,               ///< `ns::k<4>`
    Plain,              ///< `ns::k`
    FullWithoutScopes,  ///< `k<4>`
    PlainWithoutScopes, ///< `k`
    Count
  };
};

/// By rank. All but the linkage name have no spaces.
using KernelNames = std::array<std::string, NameRank::Count>;

KernelNames namesOf(const KernelDeclaration &Kernel);

/// \p Name as it is compared with what namesOf() gives, but for linkage names:
/// no spaces, and no return type, which demanglers write before templates.
std::string comparableName(std::string_view Name);

/// True when a user could mean \p Kernel by \p Name: by any of its names.
bool namesKernel(std::string_view Name, const KernelDeclaration &Kernel);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_PIPELINE_KERNELNAMES_H
