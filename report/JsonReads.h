//===- report/JsonReads.h - What readers of cuda-lint/1 share ---*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Only for the .cpp files of readers: it includes a large header.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_JSONREADS_H
#define CUDA_LINT_REPORT_JSONREADS_H

#include "report/Document.h"
#include "report/JsonCursor.h"
#include "report/Names.h"

#include <string>
#include <vector>

namespace cudalint {

using Cursor = JsonCursor;

inline constexpr Certainty Certainties[] = {
    Certainty::Exact, Certainty::Assumed, Certainty::Random,
    Certainty::Unknown};
inline constexpr Severity Severities[] = {Severity::Note, Severity::Warning,
                                          Severity::Error};

inline Location readPlace(const Cursor &In) {
  return {.File = In["file"].textOrNull(),
          .Line = In["line"].place(),
          .Column = In["column"].place()};
}

inline std::vector<std::string> readTexts(const Cursor &In) {
  return In.all([](const Cursor &Item) { return Item.text(); });
}

/// In FindingReader.cpp. All of these throw JsonFault.
BlockShape readBlock(const Cursor &In);
Finding readFinding(const Cursor &In);
RuleRecord readRule(const Cursor &In);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_JSONREADS_H
