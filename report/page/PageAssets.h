//===- report/page/PageAssets.h - What every page has -----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_PAGE_PAGEASSETS_H
#define CUDA_LINT_REPORT_PAGE_PAGEASSETS_H

#include <string_view>

namespace cudalint {

/// page.css and page.js, and of each the hash that the policy of a page names:
/// `sha256-...`. Made at build time, by EmbedPage.cmake.
extern const std::string_view PageStyle, PageStyleHash;
extern const std::string_view PageScript, PageScriptHash;

} // namespace cudalint

#endif // CUDA_LINT_REPORT_PAGE_PAGEASSETS_H
