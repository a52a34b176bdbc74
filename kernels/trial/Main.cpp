//===- kernels/trial/Main.cpp - Runs the sweeps on a GPU ------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The hardware trial: launches every point of every sweep, compares what the
/// GPU counted with what hardware/ predicts, and names every disagreement.
///
/// Exit codes: 0 all equal, 1 a point differs, 2 bad usage, 3 a sweep could
/// not be measured to its end, 77 no GPU.
///
//===----------------------------------------------------------------------===//

#include "kernels/trial/SassCounters.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cuda_runtime.h>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

using namespace cudalint;

static constexpr int ExitSkipped = 77;

static std::vector<Sweep> allSweeps(const Architecture &Arch) {
  std::vector<Sweep> All;
  All.push_back(atomicSweep(Arch));
  All.push_back(gatherSweep(Arch));
  All.push_back(globalStrideSweep(Arch));
  All.push_back(localArraySweep(Arch));
  All.push_back(partialWarpSweep(Arch));
  All.push_back(sharedBroadcastSweep(Arch));
  All.push_back(sharedStrideSweep(Arch));
  All.push_back(sharedSwizzleSweep(Arch));
  All.push_back(sharedTileSweep(Arch));
  All.push_back(sharedWideSweep(Arch));
  All.push_back(structFieldsSweep(Arch));
  return All;
}

static nlohmann::ordered_json toJson(const Counts &C) {
  return {{"sectors", C.Sectors},
          {"ideal_sectors", C.IdealSectors},
          {"wavefronts", C.Wavefronts},
          {"ideal_wavefronts", C.IdealWavefronts},
          {"local_sectors", C.LocalSectors}};
}

/// One sweep, measured. `Error` says why it ended early, if it did.
struct SweepResult {
  size_t Measured = 0;
  size_t Equal = 0;
  double Seconds = 0;
  std::string Error;
  nlohmann::ordered_json Different = nlohmann::ordered_json::array();
};

static SweepResult run(const Sweep &S, const TrialMemory &Memory,
                       SassCounters &Counters, std::ostream *Measurements) {
  SweepResult Result;
  auto Start = std::chrono::steady_clock::now();
  for (const Point &P : S.Points) {
    P.Launch(Memory);
    cudaError_t Status = cudaGetLastError();
    if (Status != cudaSuccess) {
      Result.Error = fmt::format("{}: {}", P.Name, cudaGetErrorString(Status));
      break;
    }
    std::optional<Counts> Measured = Counters.take();
    if (!Measured) {
      Result.Error = fmt::format("{}: {}", P.Name, Counters.error());
      break;
    }
    ++Result.Measured;
    if (Measurements)
      *Measurements << fmt::format("{} | {} | {}\n", S.Name, P.Name,
                                   toJson(*Measured).dump());
    if (*Measured == P.Predicted) {
      ++Result.Equal;
      continue;
    }
    Result.Different.push_back({{"point", P.Name},
                                {"predicted", toJson(P.Predicted)},
                                {"measured", toJson(*Measured)}});
  }
  Result.Seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - Start)
          .count();
  return Result;
}

/// What the sweeps hold, for a machine without a GPU.
static int list(const std::vector<Sweep> &Sweeps, bool WithPoints) {
  size_t Total = 0;
  for (const Sweep &S : Sweeps) {
    fmt::print("{:<18} {:>6} points  {}\n", S.Name, S.Points.size(), S.Claim);
    Total += S.Points.size();
    for (const Point &P : S.Points)
      if (WithPoints)
        fmt::print("  {}: {}\n", P.Name, toJson(P.Predicted).dump());
  }
  fmt::print("{:<18} {:>6} points\n", "together", Total);
  return 0;
}

int main(int Argc, char **Argv) {
  CLI::App App("puts the hardware model on trial on the first GPU");
  std::vector<std::string> Names;
  std::string JsonPath, AllPath;
  bool OnlyList = false, ListPoints = false;
  App.add_option("sweeps", Names, "the sweeps to run; by default all");
  App.add_option("--json", JsonPath, "write every disagreement to this file");
  App.add_option("--measured", AllPath,
                 "write what was measured of every point to this file");
  App.add_flag("--list", OnlyList, "print the sweeps, without a GPU");
  App.add_flag("--points", ListPoints, "with --list: every point");
  try {
    App.parse(Argc, Argv);
  } catch (const CLI::ParseError &E) {
    return App.exit(E) == 0 ? 0 : 2;
  }

  cudaDeviceProp Properties = {};
  int Device = 0;
  bool HasDevice = !OnlyList && cudaGetDevice(&Device) == cudaSuccess &&
                   cudaGetDeviceProperties(&Properties, Device) == cudaSuccess;
  if (!OnlyList && !HasDevice) {
    fmt::print(stderr, "hardware-trial: skipped: no CUDA device\n");
    return ExitSkipped;
  }
  ComputeCapability CC = {9, 0};
  if (HasDevice)
    CC = {Properties.major, Properties.minor};
  const Architecture *Arch = findArchitecture(CC);
  if (!Arch) {
    fmt::print(stderr,
               "hardware-trial: error: the model does not know compute "
               "capability {}\n",
               toString(CC));
    return 3;
  }

  std::vector<Sweep> Sweeps = allSweeps(*Arch);
  for (const std::string &Name : Names) {
    if (std::none_of(Sweeps.begin(), Sweeps.end(),
                     [&](const Sweep &S) { return S.Name == Name; })) {
      fmt::print(stderr,
                 "hardware-trial: error: no sweep is called '{}': see --list\n",
                 Name);
      return 2;
    }
  }
  if (!Names.empty())
    std::erase_if(Sweeps, [&](const Sweep &S) {
      return std::find(Names.begin(), Names.end(), S.Name) == Names.end();
    });
  if (OnlyList)
    return list(Sweeps, ListPoints);

  TrialMemory Memory;
  if (cudaMalloc(&Memory.Global, TrialMemory::GlobalBytes) != cudaSuccess ||
      cudaMemset(Memory.Global, 0, TrialMemory::GlobalBytes) != cudaSuccess ||
      cudaMalloc(&Memory.Sink, 4096) != cudaSuccess) {
    fmt::print(stderr, "hardware-trial: error: cannot allocate {} bytes: {}\n",
               TrialMemory::GlobalBytes,
               cudaGetErrorString(cudaGetLastError()));
    return 3;
  }
  SassCounters Counters;
  if (!Counters.error().empty()) {
    fmt::print(stderr, "hardware-trial: error: {}\n", Counters.error());
    return 3;
  }

  nlohmann::ordered_json Document = {{"device", Properties.name},
                                     {"compute_capability", toString(CC)},
                                     {"sweeps", nlohmann::json::array()}};
  std::ofstream Measurements;
  if (!AllPath.empty())
    Measurements.open(AllPath);
  size_t Points = 0, Measured = 0, Equal = 0;
  fmt::print("{:<18} {:>7} {:>9} {:>7} {:>8}\n", "sweep", "points", "measured",
             "equal", "seconds");
  for (const Sweep &S : Sweeps) {
    SweepResult R =
        run(S, Memory, Counters, AllPath.empty() ? nullptr : &Measurements);
    fmt::print("{:<18} {:>7} {:>9} {:>7} {:>8.1f}\n", S.Name, S.Points.size(),
               R.Measured, R.Equal, R.Seconds);
    if (!R.Error.empty())
      fmt::print("  stopped: {}\n", R.Error);
    for (const auto &D : R.Different)
      fmt::print("  {}: predicted {}, measured {}\n",
                 D["point"].get<std::string>(), D["predicted"].dump(),
                 D["measured"].dump());
    std::fflush(stdout);
    Points += S.Points.size();
    Measured += R.Measured;
    Equal += R.Equal;
    Document["sweeps"].push_back({{"name", S.Name},
                                  {"claim", S.Claim},
                                  {"points", S.Points.size()},
                                  {"measured", R.Measured},
                                  {"equal", R.Equal},
                                  {"error", R.Error},
                                  {"different", R.Different}});
  }
  fmt::print("{:<18} {:>7} {:>9} {:>7}\n", "together", Points, Measured, Equal);
  if (!JsonPath.empty()) {
    std::ofstream Out(JsonPath);
    Out << Document.dump(1) << '\n';
    if (!Out.flush()) {
      fmt::print(stderr, "hardware-trial: error: cannot write {}\n", JsonPath);
      return 3;
    }
  }
  if (Measured < Points)
    return 3;
  return Equal == Measured ? 0 : 1;
}
