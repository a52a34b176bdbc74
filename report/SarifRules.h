//===- report/SarifRules.h - Checks as rules of SARIF -----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Only for the .cpp files of writers: it includes a large header.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_SARIFRULES_H
#define CUDA_LINT_REPORT_SARIFRULES_H

#include "report/JsonRecords.h"

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>

namespace cudalint {

/// The checks of a run, as `reportingDescriptor`s.
class SarifRules {
public:
  explicit SarifRules(std::span<const Document> Documents);

  /// Where the rule of a finding stands. A check that no document describes
  /// gets a rule that has its name alone.
  std::size_t indexOf(const Finding &F);
  /// Nothing where there is no such rule.
  std::optional<std::size_t> find(const std::string &Name) const;

  Json take() { return std::move(Rules); }

private:
  std::size_t add(const RuleRecord &Rule);

  Json Rules = Json::array();
  std::map<std::string, std::size_t> Index;
};

} // namespace cudalint

#endif // CUDA_LINT_REPORT_SARIFRULES_H
