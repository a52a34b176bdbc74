//===- tests/unit/analyzer/checks/Phrases.h - What is said ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Matchers of what a finding says: of facts, not of words, which tests/check
/// has. `EXPECT_THAT(F.Remedy, AllOf(Is("pad-rows"), Tells("pad_elements",
/// 1)))`
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_UNIT_ANALYZER_CHECKS_PHRASES_H
#define CUDA_LINT_TESTS_UNIT_ANALYZER_CHECKS_PHRASES_H

#include "report/Phrase.h"

#include <gmock/gmock.h>
#include <string>
#include <variant>

namespace cudalint {

/// A phrase of that identity; `""` for nothing.
MATCHER_P(Is, Id, "") {
  *result_listener << "whose identity is '" << arg.Id << "'";
  return arg.Id == std::string(Id);
}

/// A phrase that has a value of that name.
MATCHER_P(Tells, Name, "") {
  *result_listener << "of '" << inWords(arg) << "'";
  return arg.find(Name) != nullptr;
}

/// A phrase that has that value, a number or a text.
MATCHER_P2(Tells, Name, Value, "") {
  const NamedValue *Its = arg.find(Name);
  *result_listener << "of '" << inWords(arg) << "'";
  return Its && NamedValue(Name, Value).What == Its->What;
}

} // namespace cudalint

#endif // CUDA_LINT_TESTS_UNIT_ANALYZER_CHECKS_PHRASES_H
