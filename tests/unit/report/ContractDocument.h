//===- tests/unit/report/ContractDocument.h - An example --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_UNIT_REPORT_CONTRACTDOCUMENT_H
#define CUDA_LINT_TESTS_UNIT_REPORT_CONTRACTDOCUMENT_H

#include "report/Document.h"

namespace cudalint {

/// The example of docs/json.md: one file with one kernel, which reads a field
/// of a 12-byte structure.
inline Document contractDocument() {
  KernelRecord Kernel = {
      .Name = "_Z4funcP5vec3dPf",
      .Signature = "func(vec3d *, float *)",
      .Where = {"a.cu", 4, 0},
      .Resources = ResourceRecord{.Registers = 12,
                                  .SharedBytes = 0,
                                  .LocalBytes = 0,
                                  .SpillStores = 0,
                                  .SpillLoads = 0,
                                  .Barriers = 0,
                                  .Source = "nvcc"},
      .StaticSharedBytes = 0,
      .Launches = {{.Where = {"a.cu", 30, 3},
                    .Grid = {64, 1, 1},
                    .Block = {256, 1, 1},
                    .DynamicSharedBytes = 0,
                    .Source = LaunchSource::Launch,
                    .Occupancy = OccupancyRecord{.BlocksPerSM = 8,
                                                 .WarpsPerSM = 64,
                                                 .Ratio = 1.0,
                                                 .Limiter = "warps",
                                                 .Limits = {.Warps = 8,
                                                            .Blocks = 32,
                                                            .Registers = 16,
                                                            .Shared = {},
                                                            .Barriers = {}},
                                                 .Waves = 0.06,
                                                 .Rounds = 1,
                                                 .TailWaste = 0.94},
                    .Verdict = LaunchVerdictRecord{.State = LaunchState::Runs,
                                                   .Why = {}}}},
      .Accesses = {{.Where = {"a.cu", 6, 17},
                    .Space = MemorySpace::Global,
                    .Op = AccessOp::Load,
                    .Bytes = 4,
                    .Unit = TrafficUnit::Sectors,
                    .PerRequest = 12.0,
                    .Ideal = 4.0,
                    .Lanes = 32.0,
                    .Trust = Certainty::Assumed,
                    .Assumptions = {"data is 256-byte aligned"},
                    .Block = {256, 1, 1},
                    .Executions = 4.0,
                    .LoopDepth = 0,
                    .InlinedAt = {{"a.cu", 20, 5}},
                    .Compiled = MachineInstruction{.Name = "LDG",
                                                   .Offset = 96,
                                                   .Bytes = 4}}},
      .Removed = {{.Where = {"a.cu", 9, 5},
                   .Space = MemorySpace::Shared,
                   .Op = AccessOp::Load,
                   .Bytes = 4,
                   .Why = "the compiled code has no instruction for it"}},
      .Totals = {
          {.Block = {256, 1, 1},
           .Grid = {64, 1, 1},
           .Warps = 512,
           .Spaces = {{.Space = MemorySpace::Global,
                       .Requests = 4,
                       .Traffic = 48,
                       .Ideal = 16,
                       .Bytes = 512,
                       .Trust = Certainty::Assumed}},
           .Operations = OperationCount{.Float = 64},
           .Footprint =
               BlockFootprint{
                   .Loads = {.Requested = 4096, .Bytes = 4096, .Sectors = 384},
                   .Stores = {.Requested = 0, .Bytes = 0, .Sectors = 0},
                   .Arrays = {{.Name = "data", .Bytes = 4096, .Sectors = 384}},
                   .Assumptions = {"'data' is 256-byte aligned"}},
           .Bounds = {{Resource::L1, 12},
                      {Resource::Issue, 1.25},
                      {Resource::Float, 0.25}}}}};
  Finding F;
  F.Check = "global-uncoalesced";
  F.Level = Severity::Warning;
  F.Where = {"a.cu", 6, 17};
  F.Kernel = "_Z4funcP5vec3dPf";
  F.KernelSignature = "func(vec3d *, float *)";
  F.Meant = {{"a.cu", 6, 10}, {"a.cu", 6, 20}};
  F.What = {"traffic",
            "{access} touches {traffic} sectors per request, ideal {ideal}",
            {{"access", "load"}, {"traffic", 12}, {"ideal", 4}}};
  F.Remedy = {"align-struct",
              "align '{struct}' to {alignment} bytes",
              {{"struct", "vec3d"}, {"alignment", 16}}};
  F.Request =
      RequestExample{.Unit = "sectors", .Bytes = 4, .Cost = 12, .Ideal = 4};
  for (std::uint64_t Lane = 0; Lane != 32; ++Lane)
    F.Request->Lanes.emplace_back(12 * Lane);
  F.Executions = 4;
  F.Block = BlockShape{256, 1, 1};
  // 4 requests of 12 - 4 sectors, of 512 warps; 48 sectors a warp in all.
  F.Wasted = Waste{.Unit = "sectors",
                   .PerWarp = 32,
                   .InAll = 16384,
                   .OfKernel = 32.0 / 48,
                   .OfProgram = 32.0 / 48};
  F.Group = 1;
  F.InlinedAt = {{"a.cu", 20, 5}};
  F.About = {SubjectKind::Load, "func", "data[i].x", "data", "data"};
  F.Fingerprint = "0123456789abcdef";
  F.Occurrence = 1;
  F.Trust = Certainty::Assumed;
  F.Assumptions = {{"data is 256-byte aligned", AssumptionKind::Alignment}};
  F.Predicted = Prediction{"sectors_per_request", 12.0, 4.0};
  F.Fixes = {{"align vec3d to 16 bytes",
              FixSafety::Layout,
              {{"a.cu", 7, 0, "__align__(16) "}}}};
  return {.ToolVersion = "0.1.0",
          .Target = {"h200", "9.0", 132},
          .Units = {{.File = "a.cu",
                     .Status = UnitStatus::Ok,
                     .Errors = {},
                     .Sources = {{"a.cu", 861, "0c0b7e2a4b6f1d3e"}},
                     .Kernels = {Kernel},
                     .Findings = {F}}}};
}

} // namespace cudalint

#endif // CUDA_LINT_TESTS_UNIT_REPORT_CONTRACTDOCUMENT_H
