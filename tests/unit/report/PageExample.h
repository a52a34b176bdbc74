//===- tests/unit/report/PageExample.h - Of docs/reports.md -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_UNIT_REPORT_PAGEEXAMPLE_H
#define CUDA_LINT_TESTS_UNIT_REPORT_PAGEEXAMPLE_H

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

namespace cudalint {

/// The JSON that docs/reports.md shows for a format; null where there is none.
inline nlohmann::json pageExample(const std::string &Format) {
  std::ifstream In(CUDA_LINT_SOURCE_DIR "/docs/reports.md");
  const std::string Page{std::istreambuf_iterator<char>(In), {}};
  const std::string Fence = "```json\n";
  const std::size_t Section = Page.find("\n## `" + Format + "`\n");
  const std::size_t Start = Page.find(Fence, Section);
  if (Section == Page.npos || Start == Page.npos)
    return nullptr;
  const std::size_t Begin = Start + Fence.size();
  return nlohmann::json::parse(
      Page.substr(Begin, Page.find("```", Begin) - Begin));
}

} // namespace cudalint

#endif // CUDA_LINT_TESTS_UNIT_REPORT_PAGEEXAMPLE_H
