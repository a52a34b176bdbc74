//===- analyzer/tool/CheckPages.cpp - Pages about checks ------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/CheckPages.h"

#include "report/Names.h"
#include "report/OutputFile.h"

#include <algorithm>
#include <fmt/format.h>

namespace cudalint {

static std::string_view levelName(Trust Level) {
  return Level == Trust::Stable ? "stable" : "experimental";
}

/// What Nsight Compute and CUPTI call the counter.
static std::string_view proofOf(Metric Counter) {
  switch (Counter) {
  case Metric::None:
    return "no counter is needed: the source, or the failing launch, decides";
  case Metric::GlobalSectorsPerRequest:
    return "sectors per request of global memory: "
           "smsp__sass_sectors_mem_global against "
           "smsp__sass_sectors_mem_global_ideal";
  case Metric::SharedWavefrontsPerRequest:
    return "wavefronts per request of shared memory: "
           "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared against "
           "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal";
  case Metric::ConstantRequests:
    return "requests of the constant cache for each load: idc__requests over "
           "smsp__inst_executed_op_ldc";
  case Metric::ActiveThreadsPerInstruction:
    return "active threads per instruction: "
           "smsp__sass_thread_inst_executed_pred_on over "
           "smsp__sass_inst_executed";
  case Metric::TheoreticalOccupancy:
    return "theoretical occupancy: sm__maximum_warps_per_active_cycle_pct";
  case Metric::Waves:
    return "rounds: launch__waves_per_multiprocessor; places that stay empty: "
           "sm__warps_active.avg.pct_of_peak_sustained_elapsed against "
           "sm__maximum_warps_per_active_cycle_pct";
  case Metric::IdleSMs:
    return "idle SMs: sm__cycles_active.avg against sm__cycles_elapsed.max";
  case Metric::BarrierStalls:
    return "warps that wait at barriers: smsp__average_warps_issue_stalled_"
           "barrier_per_issue_active.ratio";
  case Metric::InstructionsFP64:
    return "double-precision instructions: smsp__sass_thread_inst_executed_op_"
           "fp64_pred_on";
  }
  return {};
}

/// Without the empty lines around a raw string literal.
static std::string_view trimmed(std::string_view Text) {
  std::size_t First = Text.find_first_not_of('\n');
  if (First == std::string_view::npos)
    return {};
  return Text.substr(First, Text.find_last_not_of(" \n") - First + 1);
}

static std::string indented(std::string_view Text) {
  std::string Result;
  while (!Text.empty()) {
    std::size_t End = Text.find('\n');
    std::string_view Line = Text.substr(0, End);
    if (!Line.empty())
      Result += fmt::format("  {}", Line);
    Result += '\n';
    Text.remove_prefix(End == std::string_view::npos ? Text.size() : End + 1);
  }
  return Result;
}

std::string checkList(const std::vector<std::unique_ptr<Check>> &Checks) {
  std::size_t Width = 0;
  for (const std::unique_ptr<Check> &Each : Checks)
    Width = std::max(Width, Each->info().Name.size());
  std::string Text;
  for (const std::unique_ptr<Check> &Each : Checks) {
    const CheckInfo &Info = Each->info();
    Text += fmt::format("{:<{}}  {:<7}  {}{}\n", Info.Name, Width,
                        nameOf(Info.Default), Info.Summary,
                        Info.Level == Trust::Stable ? "" : " (experimental)");
  }
  return Text;
}

std::string checkExplanation(const CheckInfo &Info) {
  std::string Text = fmt::format("{}: {}\n({}, {})\n", Info.Name, Info.Summary,
                                 nameOf(Info.Default), levelName(Info.Level));
  auto section = [&](std::string_view Title, std::string_view Body) {
    Body = trimmed(Body);
    if (!Body.empty())
      Text += fmt::format("\n{}\n{}", Title, indented(Body));
  };
  section("Why", Info.Why);
  section("Reported", Info.Bad);
  section("Mended", Info.Good);
  section("Limits", Info.Limits);
  section("Proof", proofOf(Info.ConfirmedBy));
  return Text;
}

std::string checkPage(const CheckInfo &Info) {
  std::string Text = fmt::format(
      "<!-- Written by `cuda-lint explain --all-markdown docs/checks`. -->\n\n"
      "# {}\n\n{}\n\n"
      "Severity: {}. Trust: {}.\n",
      Info.Name, Info.Summary, nameOf(Info.Default), levelName(Info.Level));
  auto section = [&](std::string_view Title, std::string_view Body,
                     std::string_view Language) {
    Body = trimmed(Body);
    if (Body.empty())
      return;
    if (Language.empty())
      Text += fmt::format("\n## {}\n\n{}\n", Title, Body);
    else
      Text += fmt::format("\n## {}\n\n```{}\n{}\n```\n", Title, Language, Body);
  };
  section("Why", Info.Why, "");
  section("Example", Info.Bad, "cuda");
  section("What it becomes", Info.Good, "cuda");
  section("Limits", Info.Limits, "");
  section("Proof", proofOf(Info.ConfirmedBy), "");
  return Text;
}

std::optional<std::string>
writeCheckPages(const std::vector<std::unique_ptr<Check>> &Checks,
                const std::string &Folder) {
  std::string List =
      "<!-- Written by `cuda-lint explain --all-markdown docs/checks`. -->\n\n"
      "# Checks\n\n| check | severity | summary |\n|---|---|---|\n";
  for (const std::unique_ptr<Check> &Each : Checks) {
    const CheckInfo &Info = Each->info();
    List += fmt::format("| [{0}]({0}.md) | {1} | {2} |\n", Info.Name,
                        nameOf(Info.Default), Info.Summary);
    std::optional<std::string> Error = writeOutputFile(
        fmt::format("{}/{}.md", Folder, Info.Name), checkPage(Info));
    if (Error)
      return Error;
  }
  return writeOutputFile(Folder + "/README.md", List);
}

} // namespace cudalint
