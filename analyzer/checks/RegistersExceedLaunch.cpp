//===- analyzer/checks/RegistersExceedLaunch.cpp - Error 701 --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"
#include "analyzer/model/LaunchWords.h"
#include "report/OccupancyWords.h"

#include <algorithm>
#include <fmt/format.h>

namespace cudalint::registers_exceed_launch {
namespace {

class RegistersExceedLaunch : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "registers-exceed-launch",
      .Level = Maturity::Stable,
      .Default = Severity::Error,
      .Summary = "finds launches that fail because a block's registers do not "
                 "fit",
      .Why = R"md(A block starts only when the registers of all its warps fit
one SM; if they never can, the launch fails with error 701, "too many resources
requested for launch", and the kernel does not run. Nothing at compile time
tells, unless the kernel promises its block with `__launch_bounds__`: then the
compiler keeps to the registers that the promise leaves.)md",
      .Bad = R"cuda(// Linted with: --registers 80
__global__ void scale(float *data) {
  data[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}

void run(float *data) {
  scale<<<4096, 1024>>>(data);
}
)cuda",
      .Good = R"cuda(// Linted with: --registers 64
__global__ void __launch_bounds__(1024) scale(float *data) {
  data[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}

void run(float *data) {
  scale<<<4096, 1024>>>(data);
}
)cuda",
      .Limits = R"md(Needs the kernel's registers, and a launch whose block is
known. The registers are those of the compilation that was made or given: a
build with other flags may have others. Of registers that `--registers` gives,
a kernel with `__launch_bounds__` has no more than the bounds leave, as the
compiler would see to.)md",
      .ConfirmedBy = Evidence::None,
      .NeedsResources = true};
  const CheckInfo &info() const override { return Info; }
  void checkKernel(const KernelModel &K, FindingSink &Out) const override;
};

} // namespace

/// Promises the largest block that is launched. One that is larger yet, and
/// that nobody sees, has no room for its registers today.
static std::optional<Fix> boundsOf(const KernelModel &K) {
  const KernelDeclaration &Kernel = K.Declaration;
  if (!Kernel.BoundsPlace || Kernel.MaxThreads || Kernel.MaxRegisters)
    return std::nullopt;
  std::uint64_t Threads = 0;
  for (const LaunchVerdict &Each : K.Verdicts)
    if (Each.Fit)
      Threads = std::max<std::uint64_t>(Threads, Each.Fit->Demand.Threads);
  if (Threads < 1 || Threads > K.Gpu.Arch->ThreadsPerBlock)
    return std::nullopt;
  Edit Insertion = *Kernel.BoundsPlace;
  Insertion.Text = fmt::format("__launch_bounds__({}) ", Threads);
  return Fix{fmt::format("promise blocks of at most {} threads", Threads),
             FixSafety::Safe,
             {std::move(Insertion)}};
}

void RegistersExceedLaunch::checkKernel(const KernelModel &K,
                                        FindingSink &Out) const {
  for (const FittedLaunch &L : K.launchesThatNeverFit()) {
    const LaunchFit &Fit = *L.Fit;
    if (Fit.OnSM.Failure != LaunchFailure::RegistersPerBlock &&
        Fit.OnSM.Failure != LaunchFailure::RegistersPerThread)
      continue;
    Finding &F = Out.report(K, *L.Where,
                            {"cannot-run",
                             "{launch} cannot run on {gpu}{alike}",
                             {{"launch", launchName(K, L)},
                              {"gpu", K.Gpu.Name},
                              {"alike", alikeNote(L)}}});
    F.Cause = {
        "registers", failureInWords(*K.Gpu.Arch, Fit.Demand, Fit.OnSM), {}};
    if (std::optional<Fix> Promise = boundsOf(K))
      F.Fixes.push_back(std::move(*Promise));
  }
}

CUDA_LINT_REGISTER_CHECK(RegistersExceedLaunch)

} // namespace cudalint::registers_exceed_launch
