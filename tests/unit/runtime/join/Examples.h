//===- tests/unit/runtime/join/Examples.h - A profile -----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_UNIT_RUNTIME_JOIN_EXAMPLES_H
#define CUDA_LINT_TESTS_UNIT_RUNTIME_JOIN_EXAMPLES_H

#include "runtime/join/Profile.h"

namespace cudalint {

inline constexpr const char *Func = "_Z4funcP5vec3dPf";

/// One access of the kernel `func`; global, 4 bytes, 32 lanes.
inline AccessRecord access(unsigned Line, std::optional<double> PerRequest,
                           std::optional<double> Ideal) {
  return {.Where = {"vec3d.cu", Line, 5},
          .Space = MemorySpace::Global,
          .Op = AccessOp::Load,
          .Bytes = 4,
          .Unit = TrafficUnit::Sectors,
          .PerRequest = PerRequest,
          .Ideal = Ideal,
          .Lanes = 32.0,
          .Trust = PerRequest ? Certainty::Assumed : Certainty::Unknown,
          .Assumptions = {},
          .Block = {256, 1, 1}};
}

/// Predictions for an H200: one kernel of one file.
inline Document document(std::vector<AccessRecord> Accesses) {
  KernelRecord Kernel = {
      .Name = Func,
      .Signature = "func(vec3d *, float *)",
      .Where = {"vec3d.cu", 12, 0},
      .Resources = ResourceRecord{.Registers = 12, .Source = "nvcc"},
      .Launches = {{.Where = {"vec3d.cu", 30, 3},
                    .Grid = {512, 1, 1},
                    .Block = {256, 1, 1},
                    .DynamicSharedBytes = 0,
                    .Source = LaunchSource::Launch,
                    .Occupancy = OccupancyRecord{.BlocksPerSM = 8,
                                                 .WarpsPerSM = 64,
                                                 .Limiter = "warps",
                                                 .Waves = 512.0 / (8 * 132)}}},
      .Accesses = std::move(Accesses)};
  return {.ToolVersion = "0.1.0",
          .Target = {"h200", "9.0", 132},
          .Units = {{.File = "vec3d.cu",
                     .Status = UnitStatus::Ok,
                     .Errors = {},
                     .Kernels = {Kernel},
                     .Findings = {}}}};
}

/// What 512 blocks of 256 threads measure in one line: 4096 requests.
inline ProfileLine measured(unsigned Line, std::uint64_t Sectors,
                            std::uint64_t Ideal) {
  return {.Kernel = Func,
          .Device = 0,
          .File = "/build/src/vec3d.cu",
          .Line = Line,
          .Space = MemorySpace::Global,
          .Op = AccessOp::Load,
          .Instructions = 4096,
          .Requests = 4096,
          .Lanes = 131072,
          .Sectors = Sectors,
          .IdealSectors = Ideal};
}

/// The instruction at \p Offset that is all of \p Line, as wide as \p Bytes.
/// Its file is the first of Profile::Files.
inline ProfileInstruction
instruction(std::uint64_t Offset, const ProfileLine &Line, unsigned Bytes = 4) {
  ProfileInstruction Out;
  Out.Offset = Offset;
  Out.Opcode = Line.Space == MemorySpace::Shared ? "LDS" : "LDG";
  Out.Bytes = Bytes;
  Out.Where = ProfilePlace{0, Line.Line};
  Out.Frames = {{0, Line.Line}};
  Out.Counts = Line;
  return Out;
}

inline ProfileLaunch launch(Shape Grid, Shape Block) {
  return {.Kernel = Func,
          .Device = 0,
          .Grid = Grid,
          .Block = Block,
          .Registers = 12,
          .StaticShared = 0,
          .DynamicShared = 0,
          .Local = 0,
          .BlocksPerSM = 8,
          .Number = 1,
          .Achieved = std::nullopt,
          .DramBytes = std::nullopt,
          .Duration = ProfileDuration{5000, 5000, 5000, {5000}}};
}

/// One launch of `func` on an H200.
inline Profile profile(std::vector<ProfileLine> Lines) {
  Profile Out;
  Out.Command = {"./vec3d"};
  Out.End = "exit";
  Out.HasCounters = true;
  Out.Devices = {{.Index = 0,
                  .Name = "NVIDIA H200",
                  .ComputeCapability = "9.0",
                  .SMs = 132}};
  Out.Kernels = {{Func, 0, 1, 1, true}};
  Out.Lines = std::move(Lines);
  Out.Launches = {launch({512, 1, 1}, {256, 1, 1})};
  return Out;
}

/// The same with its instructions, of which the lines are the sums.
inline Profile profileOf(std::vector<ProfileInstruction> Instructions) {
  const std::vector<std::string> Files = {
      "/build/src/vec3d.cu", "/usr/local/cuda/include/sm_32_intrinsics.hpp"};
  std::vector<ProfileLine> Lines;
  for (const ProfileInstruction &Each : Instructions)
    if (Each.Counts.Requests) {
      Lines.push_back(Each.Counts);
      Lines.back().File = Files[Each.Where->File];
      Lines.back().Line = Each.Where->Line;
    }
  Profile Out = profile(std::move(Lines));
  Out.Files = Files;
  Out.Code = {{.Kernel = Func, .Instructions = std::move(Instructions)}};
  return Out;
}

} // namespace cudalint

#endif // CUDA_LINT_TESTS_UNIT_RUNTIME_JOIN_EXAMPLES_H
