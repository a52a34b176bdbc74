//===- hardware/LatencyModel.cpp - Time of a grid of equal blocks ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fitting. With the warps that cover the latency fixed, R = Latency / Issue,
// the time is linear in the other three constants:
//   Issue * sum(steps * max(R, W)) + PerWarp * sum(W) + PerLaunch
// So R is searched, and for each R the three follow by least squares of the
// relative error, none of them negative.
//
//===----------------------------------------------------------------------===//

#include "hardware/Waves.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace cudalint {

namespace {
/// What a launch contributes to each constant, beside PerLaunch.
struct Sums {
  double Steps; ///< Of each wave, times the warps or what covers the latency.
  double Warps; ///< Of each wave on its busiest SM.
};

struct Fit {
  double Error = std::numeric_limits<double>::infinity();
  LatencyModel Model;
};
} // namespace

/// Empty where waves() is. `Covering` warps hide the latency.
static std::optional<Sums> sumsOf(const LaunchWork &Work, int SMs,
                                  double Covering) {
  const auto W = waves(Work.Grid, SMs, Work.BlocksPerSM);
  if (!W || Work.Block == 0 || Work.IssueLanes == 0)
    return std::nullopt;
  const double Share = double(Work.IssueLanes) / 32;
  const double PerBlock =
      std::ceil(double(Work.Block) / Work.IssueLanes) * Share;
  // A warp that is issued in part waits that much less.
  Covering = std::max(0.0, Covering - std::max(0.0, 1 - PerBlock));
  const double Full = double(W->Rounds - 1);
  const double FullWarps = PerBlock * Work.BlocksPerSM;
  // The last wave takes as long as the SM with the most of its blocks.
  const double TailWarps = PerBlock * std::ceil(double(W->TailBlocks) / SMs);
  return Sums{Work.Steps * (Full * std::max(Covering, FullWarps) +
                            std::max(Covering, TailWarps)),
              Full * FullWarps + TailWarps};
}

std::optional<double> predictTime(const LatencyModel &Model,
                                  const LaunchWork &Work, int SMs) {
  const bool Waits = Model.Issue > 0;
  const auto S = sumsOf(Work, SMs, Waits ? Model.Latency / Model.Issue : 0);
  if (!S)
    return std::nullopt;
  // Where issuing costs nothing, each round takes its latency.
  const double Stepping =
      Waits ? Model.Issue * S->Steps
            : Model.Latency * Work.Steps *
                  double(waves(Work.Grid, SMs, Work.BlocksPerSM)->Rounds);
  return Stepping + Model.PerWarp * S->Warps + Model.PerLaunch;
}

unsigned issueLanes(const Architecture &Arch) {
  return Arch.CC.Major == 1 ? 16 : 32;
}

static constexpr unsigned Unknowns = 3; // Issue, PerWarp, PerLaunch.
using Row = std::array<double, Unknowns>;

/// Solves the normal equations for the unknowns of `Mask`, the others being 0,
/// by elimination with pivots. Empty when they are not independent.
static std::optional<Row> solve(const std::vector<Row> &Rows, unsigned Mask) {
  double M[Unknowns][Unknowns + 1] = {};
  for (unsigned I = 0; I < Unknowns; ++I)
    for (unsigned J = 0; J < Unknowns; ++J)
      M[I][J] = I == J && !(Mask >> I & 1) ? 1 : 0;
  for (const Row &R : Rows)
    for (unsigned I = 0; I < Unknowns; ++I) {
      if (!(Mask >> I & 1))
        continue;
      for (unsigned J = 0; J < Unknowns; ++J)
        M[I][J] += Mask >> J & 1 ? R[I] * R[J] : 0;
      M[I][Unknowns] += R[I]; // Each row is to be 1: relative to its time.
    }
  for (unsigned C = 0; C < Unknowns; ++C) {
    unsigned Pivot = C;
    for (unsigned I = C + 1; I < Unknowns; ++I)
      if (std::abs(M[I][C]) > std::abs(M[Pivot][C]))
        Pivot = I;
    if (std::abs(M[Pivot][C]) < 1e-12)
      return std::nullopt;
    std::swap(M[C], M[Pivot]);
    for (unsigned I = 0; I < Unknowns; ++I)
      if (const double F = M[I][C] / M[C][C]; I != C && F != 0)
        for (unsigned J = C; J <= Unknowns; ++J)
          M[I][J] -= F * M[C][J];
  }
  Row X;
  for (unsigned I = 0; I < Unknowns; ++I)
    X[I] = M[I][Unknowns] / M[I][I];
  return X;
}

/// The best constants that are not negative: with so few, by trying which of
/// them are 0.
static Fit fitWith(std::span<const MeasuredLaunch> All, int SMs,
                   double Covering) {
  std::vector<Row> Rows;
  Row Scale = {};
  for (const MeasuredLaunch &M : All) {
    const Sums S = *sumsOf(M.Work, SMs, Covering);
    Rows.push_back({S.Steps / M.Time, S.Warps / M.Time, 1 / M.Time});
    for (unsigned I = 0; I < Unknowns; ++I)
      Scale[I] = std::max(Scale[I], Rows.back()[I]);
  }
  for (Row &R : Rows)
    for (unsigned I = 0; I < Unknowns; ++I)
      R[I] /= Scale[I];

  Fit Best;
  for (unsigned Mask = 1; Mask < 1u << Unknowns; ++Mask) {
    const auto X = solve(Rows, Mask);
    if (!X || std::ranges::any_of(*X, [](double V) { return V < 0; }))
      continue;
    double Error = 0;
    for (const Row &R : Rows) {
      const double Off = R[0] * (*X)[0] + R[1] * (*X)[1] + R[2] * (*X)[2] - 1;
      Error += Off * Off;
    }
    if (Error < Best.Error) {
      const double Issue = (*X)[0] / Scale[0];
      Best = {Error,
              {.Latency = Covering * Issue,
               .Issue = Issue,
               .PerWarp = (*X)[1] / Scale[1],
               .PerLaunch = (*X)[2] / Scale[2]}};
    }
  }
  return Best;
}

std::optional<LatencyModel> fitLatencyModel(std::span<const MeasuredLaunch> All,
                                            int SMs) {
  if (All.size() < 4)
    return std::nullopt;
  for (const MeasuredLaunch &M : All)
    if (!(M.Time > 0) || !std::isfinite(M.Time) || !(M.Work.Steps > 0) ||
        !std::isfinite(M.Work.Steps) || !sumsOf(M.Work, SMs, 0))
      return std::nullopt;
  // No SM holds more than 64 warps. The steps are finer than what a change of
  // R moves the times by.
  constexpr double Most = 64, Step = 1.0 / 32;
  Fit Best;
  for (double Covering = 1; Covering <= Most; Covering += Step)
    if (Fit F = fitWith(All, SMs, Covering); F.Error < Best.Error)
      Best = F;
  if (!std::isfinite(Best.Error))
    return std::nullopt;
  return Best.Model;
}

} // namespace cudalint
