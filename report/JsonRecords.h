//===- report/JsonRecords.h - What writers of JSON share --------*- C++ -*-===//
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

#ifndef CUDA_LINT_REPORT_JSONRECORDS_H
#define CUDA_LINT_REPORT_JSONRECORDS_H

#include "report/Document.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace cudalint {

using Json = nlohmann::ordered_json;

template <typename T> Json orNull(const std::optional<T> &Value) {
  return Value ? Json(*Value) : Json();
}

inline Json orNull(const std::string &Text) {
  return Text.empty() ? Json() : Json(Text);
}

/// Lines, columns and occurrences count from 1; 0 is unknown.
inline Json placeOrNull(unsigned Number) {
  return Number ? Json(Number) : Json();
}

inline Json toJson(const Location &L) {
  return {{"file", orNull(L.File)},
          {"line", placeOrNull(L.Line)},
          {"column", placeOrNull(L.Column)}};
}

inline Json callSites(const std::vector<Location> &Sites) {
  Json Out = Json::array();
  for (const Location &Each : Sites)
    Out.push_back(toJson(Each));
  return Out;
}

/// In FindingJson.cpp.
Json toJson(const Finding &F);
Json toJson(const SilencedFinding &Silenced);
Json toJson(const RuleRecord &Rule);

/// In JsonWriter.cpp.
Json toJson(const std::optional<LaunchVerdictRecord> &Verdict);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_JSONRECORDS_H
