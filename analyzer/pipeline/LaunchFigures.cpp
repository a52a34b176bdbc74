//===- analyzer/pipeline/LaunchFigures.cpp - Launches for the report ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/pipeline/LaunchFigures.h"

#include "report/OccupancyRecord.h"

#include <optional>
#include <string>
#include <tuple>

namespace cudalint {

/// Whether \p Record is one of \p L.
static bool isOf(const LaunchRecord &Record, const Launch &L) {
  return std::tie(L.Where, L.Grid, L.Block, L.DynamicSharedBytes) ==
         std::tie(Record.Where, Record.Grid, Record.Block,
                  Record.DynamicSharedBytes);
}

/// Why it fails, where its figures alone do not tell. Of shared memory without
/// an opt-in, the report of the figures says what they need.
static std::string brokenLimit(const LaunchVerdict &Verdict, const Launch &L) {
  using enum LaunchFault::Kind;
  if (const LaunchFault *Fault = Verdict.find(Configuration))
    return inWords(Fault->Reason);
  const LaunchFault *Fault = Verdict.find(SharedMemory);
  return Fault && (L.SharedMemoryOptIn || Fault->Assumption.empty())
             ? inWords(Fault->Reason)
             : std::string();
}

std::vector<LaunchRecord> recordsOf(const KernelModel &Model,
                                    const KernelShapes &Shapes) {
  std::vector<LaunchRecord> Records = launchRecords(Model.Declaration, Shapes);
  for (LaunchRecord &Record : Records) {
    std::optional<LaunchFit> Fit;
    if (Model.Launches.empty()) // What was evaluated in their place.
      Fit = fitOf(Model, Record.Grid, Record.Block, Record.DynamicSharedBytes,
                  Record.Source);
    for (std::size_t I = 0; I != Model.Launches.size(); ++I) {
      if (!isOf(Record, Model.Launches[I]))
        continue;
      const LaunchVerdict &Verdict = Model.Verdicts[I];
      Fit = Verdict.Fit;
      Record.Fails |= Verdict.fails();
      if (Record.Failure.empty())
        Record.Failure = brokenLimit(Verdict, Model.Launches[I]);
    }
    if (Fit)
      Record.Occupancy = occupancyRecord(Fit->OnSM, Fit->Next, Fit->Rounds);
    if ((!Fit || Fit->OnSM.BlocksPerSM != 0) && !Record.Failure.empty())
      Record.Occupancy = failedRecord();
  }
  return Records;
}

} // namespace cudalint
