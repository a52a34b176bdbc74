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

static LaunchVerdictRecord verdictRecordOf(const LaunchVerdict &Verdict) {
  LaunchVerdictRecord Record{.State = Verdict.state(), .Why = {}};
  for (const LaunchFault &Each : Verdict.Faults)
    Record.Why.push_back({Each.Reason.Id, Each.InFull, Each.Assumption});
  for (const Phrase &Each : Verdict.NotKnown)
    Record.Why.push_back({Each.Id, inWords(Each), {}});
  return Record;
}

/// Launches that differ in their arguments alone are one record, which has the
/// worst verdict of them. Null without launches.
static const LaunchVerdict *verdictOn(const LaunchRecord &Record,
                                      const KernelModel &Model) {
  const LaunchVerdict *Worst = nullptr;
  for (std::size_t I = 0; I != Model.Launches.size(); ++I)
    if (const LaunchVerdict &Each = Model.Verdicts[I];
        isOf(Record, Model.Launches[I]) &&
        (!Worst || Each.state() > Worst->state()))
      Worst = &Each;
  return Worst;
}

/// On what was evaluated in place of launches: nobody asks for it.
static LaunchVerdict verdictInPlace(const LaunchRecord &Record,
                                    const KernelModel &Model) {
  Launch L;
  L.Grid = Record.Grid;
  L.Block = Record.Block;
  L.DynamicSharedBytes = Record.DynamicSharedBytes;
  L.Source = LaunchSource::Assumed;
  return judge(Model, L);
}

std::vector<LaunchRecord> recordsOf(const KernelModel &Model,
                                    const KernelShapes &Shapes) {
  std::vector<LaunchRecord> Records = launchRecords(Model.Declaration, Shapes);
  for (LaunchRecord &Record : Records) {
    const LaunchVerdict *Found = verdictOn(Record, Model);
    const LaunchVerdict Verdict =
        Found ? *Found : verdictInPlace(Record, Model);
    Record.Verdict = verdictRecordOf(Verdict);
    if (const std::optional<LaunchFit> &Fit = Verdict.Fit)
      Record.Occupancy = occupancyRecord(Fit->OnSM, Fit->Next, Fit->Rounds);
    // Whatever would fit.
    if (failsForCertain(Record) &&
        (!Verdict.Fit || Verdict.Fit->OnSM.BlocksPerSM != 0))
      Record.Occupancy = failedRecord();
  }
  return Records;
}

} // namespace cudalint
