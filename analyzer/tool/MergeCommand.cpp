//===- analyzer/tool/MergeCommand.cpp - Joins reports ---------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/MergeCommand.h"

#include "report/InputFile.h"
#include "report/JsonCursor.h"
#include "report/JsonReader.h"
#include "report/MergedDocuments.h"
#include "report/TerminalText.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace cudalint {

MergeRead readAndMerge(const std::vector<std::string> &Inputs) {
  MergeRead Result;
  std::vector<Document> All;
  for (const std::string &Input : Inputs) {
    const std::vector<std::string> Files = jsonFilesOf(Input, Result.Error);
    if (!Result.Error.empty())
      return Result;
    for (const std::string &File : Files) {
      std::string Text;
      if (std::optional<std::string> Why =
              readInput(File, ReportLimits.Bytes,
                        [&](std::string_view Part) { Text += Part; })) {
        Result.Error =
            fmt::format("cannot read '{}': {}", printable(File), *Why);
        return Result;
      }
      DocumentsRead Read = readDocuments(Text);
      if (!Read.Error.empty()) {
        MeasurementsRead Measured = readMeasurements(Text);
        if (Measured.Error.empty() && !Measured.IsOther) {
          std::ranges::move(Measured.Gpus, std::back_inserter(Result.Measured));
          continue;
        }
        if (!Measured.Error.empty() && !Measured.IsOther)
          Read.Error = std::move(Measured.Error);
        Result.Error =
            fmt::format("'{}': {}", printable(File), printable(Read.Error));
        return Result;
      }
      for (Document &Each : Read.Documents)
        All.push_back(std::move(Each));
    }
  }
  if (All.empty())
    Result.Error = "there is no report to merge";
  else
    Result.Documents = mergedDocuments(std::move(All));
  return Result;
}

} // namespace cudalint
