//===- runtime/measure/RunRecords.h - What all results say ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_MEASURE_RUNRECORDS_H
#define CUDA_LINT_RUNTIME_MEASURE_RUNRECORDS_H

#include "report/JsonRecords.h"
#include "runtime/join/Profile.h"
#include "runtime/measure/Program.h"

#include <string>
#include <vector>

namespace cudalint {

/// A program that was run, for the report.
struct ProgramReport {
  std::vector<std::string> Command;
  ProgramEnd End;
};

/// `program` and `problems`, which all results have alike.
Json toJson(const ProgramReport &Program);
Json toJson(const std::vector<ProfileProblem> &Problems);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_MEASURE_RUNRECORDS_H
