//===- report/GitlabWriter.cpp - Code Quality of GitLab -------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/GitlabWriter.h"

#include "report/Fingerprint.h"
#include "report/JsonRecords.h"
#include "report/ReportedProblems.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace cudalint {

static std::string_view gitlabSeverity(Severity Level) {
  switch (Level) {
  case Severity::Error:
    return "critical";
  case Severity::Warning:
    return "major";
  case Severity::Note:
    return "info";
  }
  return "info";
}

namespace {
class Entries {
public:
  explicit Entries(const ReportPlaces &Places) : Places(Places) {}

  /// \p Identity tells entries of one check and file apart.
  void add(const std::string &Check, std::string_view Severity,
           const std::string &Message, const Location &Where,
           const std::string &Identity) {
    const std::string Path = pathIn(Places, Where.File).Name;
    // GitLab takes no two entries with one fingerprint.
    const std::string Key = fmt::format("{}\n{}\n{}", Check, Path, Identity);
    const std::size_t Before = Times[Key]++;
    const std::string Unique =
        Before ? fmt::format("{}\n{}", Key, Before) : Key;
    All.push_back(
        {{"description", Message},
         {"check_name", Check},
         {"fingerprint", fingerprintOf(Unique)},
         {"severity", Severity},
         {"location",
          {{"path", Path}, {"lines", {{"begin", std::max(1U, Where.Line)}}}}}});
  }

  Json All = Json::array();

private:
  const ReportPlaces &Places;
  std::map<std::string, std::size_t> Times;
};
} // namespace

std::string toGitlab(std::span<const Document> Documents,
                     const ReportPlaces &Places) {
  const ReportedProblems Known(Documents);
  Entries Out(Places);
  for (const ReportedProblem &P : Known.problems()) {
    const Finding &F = *P.Told;
    Out.add(F.Check, gitlabSeverity(F.Level), P.Message, P.Where,
            F.Fingerprint.empty()
                ? P.Message
                : fmt::format("{}:{}", F.Fingerprint, F.Occurrence));
  }
  for (const ReportedError &Each : Known.errors())
    Out.add("not-analysed", "major", Each.Message, Each.Where, Each.Message);
  return Out.All.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace cudalint
