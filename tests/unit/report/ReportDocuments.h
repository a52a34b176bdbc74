//===- tests/unit/report/ReportDocuments.h - Samples ------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_UNIT_REPORT_REPORTDOCUMENTS_H
#define CUDA_LINT_TESTS_UNIT_REPORT_REPORTDOCUMENTS_H

#include "ContractDocument.h"
#include "report/SourceRoot.h"
#include "report/TextWriter.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace cudalint {

/// The program ran in the root.
inline const ReportPlaces InRoot = {.Root = "/repo"};

using Texts = std::map<std::string, std::string>;

/// The texts must live as long as what is returned.
inline SourceText sourceOf(const Texts &Known) {
  return [&Known](const std::string &File) -> std::optional<std::string_view> {
    const auto At = Known.find(File);
    if (At == Known.end())
      return std::nullopt;
    return At->second;
  };
}

inline Finding findingAt(std::string File, unsigned Line, unsigned Column = 3) {
  Finding F;
  F.Check = "small-grid";
  F.Where = {std::move(File), Line, Column};
  F.What = {"small", "grid of 3 blocks", {}};
  return F;
}

inline UnitRecord unitOf(std::string File, std::vector<Finding> Findings) {
  UnitRecord Unit;
  Unit.File = std::move(File);
  Unit.Findings = std::move(Findings);
  return Unit;
}

inline Document documentOf(std::vector<UnitRecord> Units) {
  return {"0.1.0", {"h200", "9.0", 132}, std::move(Units)};
}

inline Document withFindings(std::vector<Finding> Findings) {
  return documentOf({unitOf("a.cu", std::move(Findings))});
}

/// One problem of three places, in two kernels: stores to `tile` in a.cu, at
/// lines 6 and 7, and in b.cuh, each with the same remedy.
inline Document groupDocument() {
  std::vector<Finding> All;
  for (const auto &[File, Line, Kernel] :
       {std::tuple("a.cu", 6U, "_Z3sumv"), std::tuple("a.cu", 7U, "_Z3sumv"),
        std::tuple("src/b.cuh", 4U, "_Z3sumv")}) {
    Finding F;
    F.Check = "shared-bank-conflict";
    F.Where = {File, Line, 9};
    F.Meant = {{File, Line, 5}, {File, Line, 12}};
    F.Kernel = Kernel;
    F.KernelSignature = "sum()";
    F.What = {"conflict", "store takes {n} wavefronts", {{"n", 4}}};
    F.Remedy = {"pad", "leave 4 bytes free", {}};
    F.About = {SubjectKind::Store, "sum", "tile[i]", "tile", "tile"};
    F.Predicted = Prediction{"wavefronts_per_request", 4, 1};
    F.Wasted = Waste{.Unit = "wavefronts",
                     .PerWarp = 3,
                     .InAll = 96,
                     .OfKernel = 0.25,
                     .OfProgram = 0.25};
    F.Fingerprint = "00000000000000ff";
    F.Occurrence = Line;
    All.push_back(std::move(F));
  }
  Document Doc = withFindings(std::move(All));
  KernelRecord K;
  K.Name = "_Z3sumv";
  K.Signature = "sum()";
  K.Where = {"a.cu", 2, 1};
  Doc.Units[0].Kernels = {K};
  return Doc;
}

/// Names and texts that mean something to each of the formats, or nothing to
/// any.
inline constexpr const char *HostileName =
    "dir with blanks/100%,a:b\"c'<&>\n\x1b\xFF[x](1).cu";
inline constexpr const char *HostileText =
    "a%b,c:d\"e'<f>&]]>\n::error::x\r\x01\xE9 {0} f[i](x) \xE2\x80\xAE";

inline Document hostileDocument() {
  Finding F = findingAt(HostileName, 6);
  F.What = {"hostile", "{what}", {{"what", HostileText}}};
  F.Kernel = HostileText;
  F.KernelSignature = HostileText;
  F.Assumptions = {{HostileText, AssumptionKind::Program, HostileText}};
  F.Trust = Certainty::Assumed;
  F.Fixes = {{HostileText, FixSafety::Safe, {{HostileName, 0, 0, "x\n"}}}};
  F.Macros = {{HostileText, {HostileName, 1, 9}}};
  F.InlinedAt = {{HostileName, 8, 1}};
  F.IncludedFrom = {{HostileName, 1, 1}};
  UnitRecord Unit = unitOf(HostileName, {F});
  Unit.Status = UnitStatus::Partial;
  Unit.Errors = {{{HostileName, 3, 1}, HostileText}};
  Unit.Notes = {{{HostileName, 4, 1}, HostileText}};
  Unit.Silenced = {{F, Silencer::Comment, {HostileName, 5, 1}}};
  Document Doc = documentOf({Unit});
  Doc.Skipped = {{"tiny-grid", false, HostileText}};
  Doc.Target.Name = HostileText;
  return Doc;
}

} // namespace cudalint

#endif // CUDA_LINT_TESTS_UNIT_REPORT_REPORTDOCUMENTS_H
