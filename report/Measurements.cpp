//===- report/Measurements.cpp - What counters said -----------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/Measurements.h"

#include "report/JsonReads.h"
#include "report/Judgement.h"
#include "report/Names.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace cudalint {

static constexpr TrafficUnit MeasuredUnits[] = {TrafficUnit::Sectors,
                                                TrafficUnit::Wavefronts};

static MeasuredLine readMeasuredLine(const Cursor &In) {
  const Cursor Measured = In["measured"];
  // GCC 12 destroys the members of a list that is not finished twice, where one
  // of them is such a list itself.
  const Location Where = {.File = In["file"].textOrNull(),
                          .Line = In["line"].place()};
  MeasuredLine Out = {.Kernel = In["kernel"].text(),
                      .Where = Where,
                      .Space = In["space"].word(MemorySpaces),
                      .Op = In["op"].word(AccessOps),
                      .Unit = In["unit"].word(MeasuredUnits),
                      .Verdict = In["verdict"].text(),
                      .Why = In["why"].textOrNull(),
                      .PerRequest = Measured["per_request"].figureOrNull(),
                      .Ideal = Measured["ideal"].figureOrNull(),
                      .Requests = Measured["requests"].countOrNull()};
  if (In["whole_kernel"].flag())
    Out.Where = {};
  return Out;
}

static std::array<std::uint64_t, 3> readShape(const Cursor &In) {
  return {In.item(0, 3).count(), In.item(1, 3).count(), In.item(2, 3).count()};
}

static MeasuredShape readLaunches(const std::string &Kernel, const Cursor &In) {
  const Cursor Measured = In["measured"], Duration = In["duration_ns"];
  MeasuredShape Out = {.Kernel = Kernel,
                       .Grid = readShape(In["grid"]),
                       .Block = readShape(In["block"]),
                       .Launches = In["count"].count(),
                       .Verdict = In["verdict"].text(),
                       .Why = In["why"].textOrNull(),
                       .BlocksPerSM = Measured["blocks_per_sm"].countOrNull(),
                       .Achieved =
                           Measured["achieved_occupancy"].figureOrNull(),
                       .MedianSeconds = std::nullopt};
  if (!Duration.isNull())
    Out.MedianSeconds = Duration["median"].figure() / 1e9;
  return Out;
}

static Measurements readGpu(const Cursor &In) {
  Measurements Out = {.Gpu = In["name"].textOrNull(),
                      .ComputeCapability =
                          In["compute_capability"].textOrNull(),
                      .Lines = In["lines"].all(readMeasuredLine),
                      .Shapes = {}};
  In["kernels"].each([&](const Cursor &Kernel) {
    const std::string Name = Kernel["kernel"].text();
    Kernel["shapes"].each([&](const Cursor &Each) {
      Out.Shapes.push_back(readLaunches(Name, Each));
    });
  });
  return Out;
}

MeasurementsRead readMeasurements(std::string_view Text) {
  MeasurementsRead Out;
  try {
    const nlohmann::json Root = parseJson(Text);
    const Cursor In(Root);
    Out.IsOther = !In.isObject() || In["schema"].isMissing() ||
                  In["schema"].text() != "cuda-lint-confirm/1";
    if (!Out.IsOther)
      Out.Gpus = In["gpus"].all(readGpu);
  } catch (const JsonFault &Fault) {
    Out.Gpus.clear();
    Out.Error = Fault.what();
  }
  return Out;
}

//===----------------------------------------------------------------------===//
// Join
//===----------------------------------------------------------------------===//

static bool isSameLine(const Location &A, const Location &B) {
  return A.Line == B.Line &&
         (A.File == B.File || plainPath(A.File) == plainPath(B.File));
}

const MeasuredLine *Measurements::of(const Finding &F,
                                     const KernelRecord *Kernel) const {
  const std::optional<AccessOp> Op = opOf(F.About);
  if (!Op || !F.Predicted || F.Kernel.empty())
    return nullptr;
  // Profilers may know what is written there by another line.
  std::vector<Location> Places = {F.Where};
  if (Kernel)
    for (const AccessRecord &A : Kernel->Accesses)
      if (A.Written && A.Op == *Op && isSameLine(*A.Written, F.Where))
        Places.push_back(A.Where);
  const auto At = std::ranges::find_if(Lines, [&](const MeasuredLine &Each) {
    return Each.Op == *Op && Each.Kernel == F.Kernel &&
           F.Predicted->Metric.starts_with(nameOf(Each.Unit)) &&
           (!Each.Where.Line ||
            std::ranges::any_of(Places, [&](const Location &Place) {
              return isSameLine(Place, Each.Where);
            }));
  });
  return At == Lines.end() ? nullptr : &*At;
}

void addMeasured(std::span<Document> Documents,
                 std::span<const Measurements> Measured) {
  for (Document &Doc : Documents)
    for (UnitRecord &Unit : Doc.Units)
      for (Finding &F : Unit.Findings) {
        const auto Kernel =
            std::ranges::find(Unit.Kernels, F.Kernel, &KernelRecord::Name);
        for (const Measurements &Gpu : Measured)
          if (const MeasuredLine *Line =
                  Gpu.ComputeCapability != Doc.Target.ComputeCapability
                      ? nullptr
                      : Gpu.of(F, Kernel == Unit.Kernels.end() ? nullptr
                                                               : &*Kernel))
            F.Measured.push_back({.Gpu = Gpu.Gpu,
                                  .Verdict = Line->Verdict,
                                  .PerRequest = Line->PerRequest});
      }
}

} // namespace cudalint
