//===- analyzer/checks/SmallGrid.cpp - Grids that leave SMs idle ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/AccessWords.h"
#include "analyzer/checks/Check.h"

#include <fmt/format.h>

namespace cudalint {
namespace {

class SmallGrid : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "small-grid",
      .Level = Trust::Stable,
      .Default = Severity::Warning,
      .Summary = "finds launches with fewer blocks than the GPU has SMs",
      .Why = R"md(A block runs on one SM from its start to its end. A grid of
fewer blocks than SMs leaves the others without work, however many threads its
blocks have. Only other kernels that run at the same time can use them.)md",
      .Bad = R"cuda(__global__ void scale(float *data, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    data[i] *= 2;
}

void run(float *data, int n) {
  scale<<<8, 256>>>(data, n);
}
)cuda",
      .Good = R"cuda(__global__ void scale(float *data, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    data[i] *= 2;
}

void run(float *data, int n) {
  scale<<<1024, 256>>>(data, n);
}
)cuda",
      .Limits = R"md(Speaks only of launches whose grid is known, for targets
whose number of SMs is known (`h200`, not `sm_90`). A note for a grid of one
block, which is mostly meant so, and from three blocks for four SMs on; silent
for a single warp. Does not know
whether other kernels run beside it.)md",
      .ConfirmedBy = Metric::AchievedOccupancy};
  const CheckInfo &info() const override { return Info; }
  void checkKernel(const KernelModel &K, FindingSink &Out) const override;
};

} // namespace

void SmallGrid::checkKernel(const KernelModel &K, FindingSink &Out) const {
  if (!K.Gpu.SMs)
    return;
  for (const Launch &L : K.Launches) {
    if (L.Source != LaunchSource::Launch && L.Source != LaunchSource::User)
      continue;
    std::int64_t Blocks = 1, Threads = 1;
    bool Known = true;
    for (std::size_t I = 0; I < 3 && Known; ++I) {
      Known = L.Grid[I] && *L.Grid[I] > 0 && *L.Grid[I] < *K.Gpu.SMs;
      Blocks *= L.Grid[I].value_or(1);
      Threads *= L.Block[I].value_or(1);
    }
    if (!Known || Blocks >= *K.Gpu.SMs)
      continue;
    // One warp is a serial step; to spread it would gain nothing.
    if (Blocks == 1 && Threads <= 32)
      continue;
    const auto Count = static_cast<std::uint64_t>(Blocks);
    Finding &F = Out.report(
        K, L.Where.File.empty() ? K.Declaration.Where : L.Where,
        fmt::format("grid of {} leaves {} of the {} SMs of {} without work: {} "
                    "on at most {}; {}",
                    counted(Count, "block"), *K.Gpu.SMs - Blocks, *K.Gpu.SMs,
                    K.Gpu.Name, Blocks == 1 ? "it runs" : "they run",
                    counted(Count, "SM"),
                    Threads > 64 && Blocks > 1
                        ? "use more, smaller blocks, or give each less to do"
                        : "use more blocks"));
    // Nearly all SMs work, or one block is what was meant.
    if (Blocks == 1 || 4 * Blocks > 3 * *K.Gpu.SMs)
      F.Level = Severity::Note;
  }
}

CUDA_LINT_REGISTER_CHECK(SmallGrid)

} // namespace cudalint
