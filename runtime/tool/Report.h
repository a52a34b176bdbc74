//===- runtime/tool/Report.h - What confirm prints --------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_TOOL_REPORT_H
#define CUDA_LINT_RUNTIME_TOOL_REPORT_H

#include "report/TextWriter.h"
#include "runtime/join/CompareGate.h"
#include "runtime/join/Join.h"
#include "runtime/measure/RunRecords.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cudalint {

struct ConfirmReport {
  JoinResult Result;
  Tolerance Allowed;
  std::optional<ProgramReport> Program; ///< Empty for recorded profiles.
};

struct ReportOptions {
  TextOptions Text;
  bool ShowAll = false; ///< Also what is as good as predicted.
};

/// The kernels that ran and of which no launch was counted, by why: one
/// sentence for each reason.
std::vector<std::string> uncountedKernels(const JoinResult &Result,
                                          bool WasPredicted);

/// How many of the launches were counted.
std::string countedText(const JoinResult &Result);

/// What the units of the hardware counted, beside CUPTI's counts: sums that
/// differ by more than \p Allowed, and how many do not. Empty where none was.
std::string unitsText(const GpuVerdict &Gpu, double Allowed, unsigned Width);

/// A row for each GPU; empty where one process used one.
std::string devicesText(const GpuVerdict &Gpu);

/// The verdicts line by line with their sources, a table of the kernels, what
/// could not be measured and why, and the counts.
std::string confirmText(const ConfirmReport &Report,
                        const ReportOptions &Options, const SourceText &Source);

/// `cuda-lint-confirm/1`: docs/confirm.md.
std::string confirmJson(const ConfirmReport &Report);

struct CompareReport {
  std::vector<KernelTotals> Before;
  std::vector<KernelTotals> After;
  std::vector<KernelPair> Pairs;
  std::vector<ProgramReport> Programs;
  std::vector<ProfileProblem> Problems;
  std::vector<GateFault> Faults; ///< Of the gates that were asked.
  /// Of the SMs after each run for times, in MHz; empty where not known.
  std::vector<unsigned> ClocksBefore, ClocksAfter;
};

/// One table for each kernel; words are wrapped at \p Width.
std::string compareText(const CompareReport &Report, unsigned Width);

/// `cuda-lint-compare/1`: docs/confirm.md.
std::string compareJson(const CompareReport &Report);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_TOOL_REPORT_H
