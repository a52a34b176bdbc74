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
#include <cmath>
#include <cuda_runtime.h>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

using namespace cudalint;

static constexpr int ExitSkipped = 77;

static std::vector<Sweep> allSweeps(const Architecture &Arch) {
  std::vector<Sweep> All;
  All.push_back(atomicSweep(Arch));
  All.push_back(compactionSweep(Arch));
  All.push_back(gatherSweep(Arch));
  All.push_back(globalStrideSweep(Arch));
  All.push_back(localArraySweep(Arch));
  All.push_back(partialWarpSweep(Arch));
  All.push_back(randomIndexSweep(Arch));
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
  double FarthestMean = 0; ///< From what was predicted, as a share of it.
  double Seconds = 0;
  std::string Error;
  nlohmann::ordered_json Different = nlohmann::ordered_json::array();
};

/// Of what a request costs.
static double deviation(const Counts &Predicted, const Counts &Measured) {
  auto Of = [](const Counts &C) {
    return double(C.Wavefronts ? C.Wavefronts : C.Sectors);
  };
  return std::abs(Of(Measured) / Of(Predicted) - 1);
}

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
    if (P.IsMean)
      Result.FarthestMean =
          std::max(Result.FarthestMean, deviation(P.Predicted, *Measured));
    if (P.isAsPredicted(*Measured)) {
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

/// What the command line asks for.
struct TrialOptions {
  std::vector<std::string> Names;
  std::string JsonPath, MeasuredPath;
  bool OnlyList = false, ListPoints = false;
};

/// Empty when all names are those of sweeps; else the first that is not.
static std::string keepNamed(std::vector<Sweep> &Sweeps,
                             const std::vector<std::string> &Names) {
  for (const std::string &Name : Names)
    if (std::none_of(Sweeps.begin(), Sweeps.end(),
                     [&](const Sweep &S) { return S.Name == Name; }))
      return Name;
  if (!Names.empty())
    std::erase_if(Sweeps, [&](const Sweep &S) {
      return std::find(Names.begin(), Names.end(), S.Name) == Names.end();
    });
  return "";
}

static bool allocate(TrialMemory &Memory) {
  return cudaMalloc(&Memory.Global, TrialMemory::GlobalBytes) == cudaSuccess &&
         cudaMemset(Memory.Global, 0, TrialMemory::GlobalBytes) ==
             cudaSuccess &&
         cudaMalloc(&Memory.Indices, TrialMemory::IndexCount *
                                         sizeof(unsigned)) == cudaSuccess &&
         cudaMalloc(&Memory.Sink, 4096) == cudaSuccess;
}

/// One row of the table, and every point that differs.
static void print(const Sweep &S, const SweepResult &R) {
  fmt::print("{:<18} {:>7} {:>9} {:>7} {:>8.1f}\n", S.Name, S.Points.size(),
             R.Measured, R.Equal, R.Seconds);
  if (R.FarthestMean > 0)
    fmt::print("  means differ by {:.2f} % at most\n", 100 * R.FarthestMean);
  if (!R.Error.empty())
    fmt::print("  stopped: {}\n", R.Error);
  for (const auto &D : R.Different)
    fmt::print("  {}: predicted {}, measured {}\n",
               D["point"].get<std::string>(), D["predicted"].dump(),
               D["measured"].dump());
  std::fflush(stdout);
}

/// Runs, prints and writes what was asked for. The exit code.
static int runAll(const std::vector<Sweep> &Sweeps, const TrialMemory &Memory,
                  SassCounters &Counters, const TrialOptions &Options,
                  nlohmann::ordered_json Document) {
  std::ofstream Measurements;
  if (!Options.MeasuredPath.empty())
    Measurements.open(Options.MeasuredPath);
  size_t Points = 0, Measured = 0, Equal = 0;
  fmt::print("{:<18} {:>7} {:>9} {:>7} {:>8}\n", "sweep", "points", "measured",
             "equal", "seconds");
  for (const Sweep &S : Sweeps) {
    SweepResult R = run(S, Memory, Counters,
                        Measurements.is_open() ? &Measurements : nullptr);
    print(S, R);
    Points += S.Points.size();
    Measured += R.Measured;
    Equal += R.Equal;
    Document["sweeps"].push_back({{"name", S.Name},
                                  {"claim", S.Claim},
                                  {"points", S.Points.size()},
                                  {"measured", R.Measured},
                                  {"equal", R.Equal},
                                  {"farthest_mean", R.FarthestMean},
                                  {"error", R.Error},
                                  {"different", std::move(R.Different)}});
  }
  fmt::print("{:<18} {:>7} {:>9} {:>7}\n", "together", Points, Measured, Equal);
  auto CannotWrite = [](const std::string &Path) {
    fmt::print(stderr, "hardware-trial: error: cannot write {}\n", Path);
    return 3;
  };
  if (!Options.MeasuredPath.empty() && !Measurements.flush())
    return CannotWrite(Options.MeasuredPath);
  if (!Options.JsonPath.empty()) {
    std::ofstream Out(Options.JsonPath);
    Out << Document.dump(1) << '\n';
    if (!Out.flush())
      return CannotWrite(Options.JsonPath);
  }
  if (Measured < Points)
    return 3;
  return Equal == Measured ? 0 : 1;
}

int main(int Argc, char **Argv) {
  CLI::App App("puts the hardware model on trial on the first GPU");
  TrialOptions Options;
  App.add_option("sweeps", Options.Names, "the sweeps to run; by default all");
  App.add_option("--json", Options.JsonPath,
                 "write every disagreement to this file");
  App.add_option("--measured", Options.MeasuredPath,
                 "write what was measured of every point to this file");
  App.add_flag("--list", Options.OnlyList, "print the sweeps, without a GPU");
  App.add_flag("--points", Options.ListPoints, "with --list: every point");
  try {
    App.parse(Argc, Argv);
  } catch (const CLI::ParseError &E) {
    return App.exit(E) == 0 ? 0 : 2;
  }
  auto Fail = [](int Code, const std::string &Message) {
    fmt::print(stderr, "hardware-trial: {}\n", Message);
    return Code;
  };

  cudaDeviceProp Properties = {};
  ComputeCapability CC = {9, 0};
  if (!Options.OnlyList) {
    if (cudaGetDeviceProperties(&Properties, 0) != cudaSuccess)
      return Fail(ExitSkipped, "skipped: no CUDA device");
    CC = {Properties.major, Properties.minor};
  }
  const Architecture *Arch = findArchitecture(CC);
  if (!Arch)
    return Fail(3, "error: the model does not know compute capability " +
                       toString(CC));
  std::vector<Sweep> Sweeps = allSweeps(*Arch);
  if (std::string Unknown = keepNamed(Sweeps, Options.Names); !Unknown.empty())
    return Fail(2, "error: no sweep is called '" + Unknown + "': see --list");
  if (Options.OnlyList)
    return list(Sweeps, Options.ListPoints);

  TrialMemory Memory;
  if (!allocate(Memory))
    return Fail(3, fmt::format("error: cannot allocate {} bytes: {}",
                               TrialMemory::GlobalBytes,
                               cudaGetErrorString(cudaGetLastError())));
  SassCounters Counters;
  if (!Counters.error().empty())
    return Fail(3, "error: " + Counters.error());
  return runAll(Sweeps, Memory, Counters, Options,
                {{"device", Properties.name},
                 {"compute_capability", toString(CC)},
                 {"sweeps", nlohmann::json::array()}});
}
