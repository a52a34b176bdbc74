//===- analyzer/frontend/Prelude.cpp - What nvcc declares besides *- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/Prelude.h"

namespace cudalint {

static constexpr std::string_view Text = R"cuda(
#pragma GCC system_header

// Clang's wrapper includes curand_mtgp32_kernel.h, which nvcc does not: its
// macros are names that users choose themselves.
#undef THREAD_NUM
#undef MTGPDC_MEXP
#undef MTGPDC_N
#undef MTGPDC_FLOOR_2P
#undef MTGPDC_CEIL_2P
#undef MTGPDC_PARAM_TABLE
#undef MEXP
#undef LARGE_SIZE
#undef BLOCK_NUM_MAX
#undef TBL_SIZE
#undef N
)cuda";

std::string_view preludeText() { return Text; }

} // namespace cudalint
