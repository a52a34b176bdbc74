//===- runtime/hotspots/StallReasons.h - What reasons mean ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_HOTSPOTS_STALLREASONS_H
#define CUDA_LINT_RUNTIME_HOTSPOTS_STALLREASONS_H

#include <string_view>

namespace cudalint {

/// What a warp with that reason does, as NVIDIA says it; empty for one that is
/// not known here. \p Reason is CUPTI's name without
/// `smsp__pcsamp_warps_issue_stalled_`.
std::string_view meaningOf(std::string_view Reason);

/// Whether such a warp was held up. CUPTI calls it a reason, too, that one was
/// selected and issued.
bool isStall(std::string_view Reason);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_HOTSPOTS_STALLREASONS_H
