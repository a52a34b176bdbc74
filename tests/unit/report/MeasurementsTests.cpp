//===- tests/unit/report/MeasurementsTests.cpp - What counters said -------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/Measurements.h"

#include "JsonMutator.h"
#include "ReportDocuments.h"
#include "report/JsonReader.h"
#include "report/JsonWriter.h"
#include "report/TextWriter.h"
#include "report/page/HtmlWriter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace MeasurementsTests {

using namespace cudalint;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;

/// What of cuda-lint-confirm/1 is read, of the kernel of contractDocument().
static Json confirmed() {
  return Json::parse(R"json({
    "schema": "cuda-lint-confirm/1",
    "gpus": [{
      "name": "NVIDIA H200", "compute_capability": "9.0",
      "lines": [
        {"kernel": "_Z4funcP5vec3dPf", "file": "a.cu", "line": 9,
         "whole_kernel": false, "space": "global", "op": "load",
         "unit": "sectors", "verdict": "missed",
         "why": "nothing was predicted for this line",
         "measured": {"requests": 4096, "per_request": 32.0, "ideal": 4.0}},
        {"kernel": "_Z4funcP5vec3dPf", "file": "./a.cu", "line": 6,
         "whole_kernel": false, "space": "global", "op": "load",
         "unit": "sectors", "verdict": "confirmed", "why": null,
         "measured": {"requests": 4096, "per_request": 12.0, "ideal": 4.0}}],
      "kernels": [{
        "kernel": "_Z4funcP5vec3dPf",
        "shapes": [{
          "grid": [512, 1, 1], "block": [256, 1, 1], "count": 2,
          "verdict": "confirmed", "why": null,
          "measured": {"blocks_per_sm": 8, "achieved_occupancy": 0.875},
          "duration_ns": {"median": 5100.0}}]}]}]
  })json");
}

static Finding finding() { return contractDocument().Units[0].Findings[0]; }

TEST(Measurements, AreReadAsConfirmWritesThem) {
  const MeasurementsRead Read = readMeasurements(confirmed().dump());
  EXPECT_EQ(Read.Error, "");
  EXPECT_FALSE(Read.IsOther);
  ASSERT_EQ(Read.Gpus.size(), 1U);
  const Measurements &Gpu = Read.Gpus[0];
  EXPECT_EQ(Gpu.Gpu, "NVIDIA H200");
  ASSERT_EQ(Gpu.Lines.size(), 2U);
  EXPECT_EQ(Gpu.Lines[1].Where, (Location{"./a.cu", 6, 0}));
  EXPECT_EQ(Gpu.Lines[1].PerRequest, 12);
  EXPECT_EQ(Gpu.Lines[1].Requests, 4096U);
  ASSERT_EQ(Gpu.Shapes.size(), 1U);
  EXPECT_EQ(Gpu.Shapes[0].BlocksPerSM, 8U);
  EXPECT_DOUBLE_EQ(*Gpu.Shapes[0].MedianSeconds, 5.1e-6);
}

TEST(Measurements, OtherJsonIsNoError) {
  for (const char *Text :
       {"[]", "{}", "1", R"({"schema": "cuda-lint/1", "units": []})"}) {
    const MeasurementsRead Read = readMeasurements(Text);
    EXPECT_TRUE(Read.IsOther) << Text;
    EXPECT_EQ(Read.Error, "") << Text;
  }
  EXPECT_THAT(readMeasurements("{").Error, HasSubstr("JSON"));
  EXPECT_THAT(readMeasurements(R"({"schema": "cuda-lint-confirm/1"})").Error,
              HasSubstr("/gpus"));
}

TEST(Measurements, AnythingIsReadToAnEnd) {
  const Json Good = confirmed();
  JsonMutator Changes(7);
  std::size_t Refused = 0;
  for (int Times = 0; Times != 3000; ++Times) {
    const MeasurementsRead Read = readMeasurements(Changes.mutate(Good));
    Refused += !Read.Error.empty();
    EXPECT_TRUE(Read.Error.empty() || Read.Gpus.empty());
    const Document Doc = contractDocument();
    if (Times % 50 == 0) {
      EXPECT_THAT(toHtml({&Doc, 1}, {}, nullptr, Read.Gpus),
                  testing::EndsWith("</html>\n"));
    }
  }
  EXPECT_GT(Refused, 500U);
}

TEST(Measurements, AreJoinedByKernelLineOperationAndUnit) {
  const Measurements Gpu = readMeasurements(confirmed().dump()).Gpus[0];
  EXPECT_EQ(Gpu.of(finding(), nullptr), &Gpu.Lines[1]);
  Finding F = finding();
  F.Where.Line = 7;
  EXPECT_EQ(Gpu.of(F, nullptr), nullptr);
  F = finding();
  F.Kernel = "_Z5otherv";
  EXPECT_EQ(Gpu.of(F, nullptr), nullptr);
  F = finding();
  F.About.Kind = SubjectKind::Store;
  EXPECT_EQ(Gpu.of(F, nullptr), nullptr);
  F = finding();
  F.Predicted->Metric = "wavefronts_per_request";
  EXPECT_EQ(Gpu.of(F, nullptr), nullptr);
}

TEST(Measurements, AreJoinedByThePlaceThatProfilersKnow) {
  const Measurements Gpu = readMeasurements(confirmed().dump()).Gpus[0];
  Finding F = finding();
  F.Where = {"a.cu", 40, 5};
  KernelRecord K = contractDocument().Units[0].Kernels[0];
  EXPECT_EQ(Gpu.of(F, &K), nullptr);
  K.Accesses[0].Written = F.Where;
  EXPECT_EQ(Gpu.of(F, &K), &Gpu.Lines[1]);
}

TEST(Measurements, WithoutLinesTheyAreOfTheKernel) {
  Json Whole = confirmed();
  Whole["gpus"][0]["lines"] = {Whole["gpus"][0]["lines"][1]};
  Whole["gpus"][0]["lines"][0]["whole_kernel"] = true;
  const Measurements Gpu = readMeasurements(Whole.dump()).Gpus[0];
  Finding F = finding();
  F.Where.Line = 100;
  EXPECT_EQ(Gpu.of(F, nullptr), &Gpu.Lines[0]);
}

TEST(Measurements, StandOnThePage) {
  const Document Doc = contractDocument();
  std::vector<Measurements> Gpus = readMeasurements(confirmed().dump()).Gpus;
  EXPECT_THAT(
      toHtml({&Doc, 1}, InRoot, nullptr, Gpus),
      AllOf(
          HasSubstr("measured on NVIDIA H200: 1 line confirmed, 1 line missed"),
          HasSubstr("<dt>measured<dd>12 sectors per request, ideal 4, of 4,096 "
                    "requests: <span class=\"verdict confirmed\">confirmed"),
          HasSubstr("<span class=place>a.cu:9</span> <code>_Z4funcP5vec3dPf"
                    "</code>: a load of global memory takes 32 sectors"),
          HasSubstr("<td>88 %<td>5.1 \u00B5s")));
  // Of another GPU than the predictions.
  Gpus[0].ComputeCapability = "8.0";
  EXPECT_THAT(toHtml({&Doc, 1}, InRoot, nullptr, Gpus),
              Not(HasSubstr("<dt>measured")));
}

TEST(Measurements, FaultsBehindLongNames) {
  for (const char *Member : {"verdict", "why", "measured", "unit", "op"}) {
    Json Bad = confirmed();
    Json &Line = Bad["gpus"][0]["lines"][0];
    Line["file"] = "src/kernels/of/a/long/name.cu";
    Line[Member] = 5;
    EXPECT_THAT(readMeasurements(Bad.dump()).Error,
                HasSubstr("/gpus/0/lines/0"))
        << Member;
    Line.erase(Member);
    const std::string Error = readMeasurements(Bad.dump()).Error;
    // A reason may be left out.
    if (Member == std::string_view("why"))
      EXPECT_EQ(Error, "");
    else
      EXPECT_THAT(Error, HasSubstr("/gpus/0/lines/0")) << Member;
  }
}

TEST(Measurements, AreEnteredIntoFindings) {
  const std::vector<Measurements> Gpus =
      readMeasurements(confirmed().dump()).Gpus;
  std::vector<Document> Documents = {contractDocument(), contractDocument()};
  Documents[1].Target.ComputeCapability = "8.0";
  addMeasured(Documents, Gpus);
  const Finding &F = Documents[0].Units[0].Findings[0];
  ASSERT_EQ(F.Measured.size(), 1U);
  EXPECT_EQ(F.Measured[0], (MeasuredVerdict{"NVIDIA H200", "confirmed", 12.0}));
  // Of another GPU, nothing was.
  EXPECT_TRUE(Documents[1].Units[0].Findings[0].Measured.empty());
  // It is part of a report, and of all that is told of a finding.
  const Document &Doc = Documents[0];
  const DocumentsRead Again = readDocuments(toJson({&Doc, 1}));
  EXPECT_EQ(Again.Error, "");
  ASSERT_EQ(Again.Documents.size(), 1U);
  EXPECT_EQ(Again.Documents[0].Units[0].Findings[0].Measured, F.Measured);
  EXPECT_THAT(toText({&Doc, 1}, {},
                     [](const std::string &) {
                       return std::optional<std::string_view>();
                     }),
              HasSubstr("measured: 12 on NVIDIA H200, confirmed"));
}

} // namespace MeasurementsTests
