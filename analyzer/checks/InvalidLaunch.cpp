//===- analyzer/checks/InvalidLaunch.cpp - Launches that must fail -------===//
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

class InvalidLaunch : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "invalid-launch",
      .Level = Trust::Stable,
      .Default = Severity::Error,
      .Summary = "finds launches that must fail on the target GPU",
      .Why = R"md(A launch that breaks a limit of the GPU does not run: the
kernel is skipped and only an error code tells, which many programs never read.
The limits are those of the target's compute capability: threads per block, each
dimension of block and grid, and what the kernel's own `__launch_bounds__`
promise.)md",
      .Bad = R"cuda(__global__ void fill(float *out) {
  out[blockIdx.x * 2048 + threadIdx.x] = 0;
}

void run(float *out) {
  fill<<<1024, 2048>>>(out);
}
)cuda",
      .Good = R"cuda(__global__ void fill(float *out) {
  out[blockIdx.x * 1024 + threadIdx.x] = 0;
}

void run(float *out) {
  fill<<<2048, 1024>>>(out);
}
)cuda",
      .Limits = R"md(Speaks only of sizes that are known at the launch. Shared
memory is looked at by `shared-memory-limits`, registers by
`registers-exceed-launch`.)md"};
  const CheckInfo &info() const override { return Info; }
  void checkKernel(const KernelModel &K, FindingSink &Out) const override;
};

/// The launch whose limits are being looked at.
struct Context {
  const KernelModel &Kernel;
  const Launch &L;
  FindingSink &Out;

  Finding &report(std::string Problem) const {
    return Out.report(
        Kernel, L.Where.File.empty() ? Kernel.Declaration.Where : L.Where,
        fmt::format("launch of '{}' fails on {}: {}",
                    Kernel.Declaration.Signature, Kernel.Gpu.Name, Problem));
  }
};

} // namespace

/// Each dimension by itself. False when one of them is out of bounds.
static bool checkDimensions(const Context &C, std::string_view What,
                            const Extent &E,
                            const std::array<std::uint64_t, 3> &Limits) {
  for (std::size_t I = 0; I < 3; ++I) {
    if (!E[I])
      continue;
    const std::string Dimension = fmt::format("{}.{}", What, "xyz"[I]);
    if (*E[I] <= 0) {
      C.report(fmt::format("{} is {}, at least 1 is needed", Dimension, *E[I]));
      return false;
    }
    if (static_cast<std::uint64_t>(*E[I]) > Limits[I]) {
      C.report(fmt::format("{} is {}, the limit is {}", Dimension, *E[I],
                           Limits[I]));
      return false;
    }
  }
  return true;
}

/// The product of what is known; an unknown dimension is at least 1.
static std::int64_t leastThreads(const Extent &Block) {
  std::int64_t Threads = 1;
  for (const std::optional<std::int64_t> &Size : Block)
    Threads *= Size.value_or(1);
  return Threads;
}

static void checkThreads(const Context &C) {
  const Architecture &Arch = *C.Kernel.Gpu.Arch;
  const KernelDeclaration &D = C.Kernel.Declaration;
  const std::int64_t Threads = leastThreads(C.L.Block);
  if (Threads > static_cast<std::int64_t>(Arch.ThreadsPerBlock)) {
    C.report(fmt::format("a block of {} has {} threads, the limit is {}",
                         shape(C.L.Block), Threads, Arch.ThreadsPerBlock));
    return;
  }
  if (D.MaxThreads && Threads > *D.MaxThreads)
    C.report(fmt::format("a block of {} has {} threads, its __launch_bounds__ "
                         "promise at most {}",
                         shape(C.L.Block), Threads, *D.MaxThreads));
}

void InvalidLaunch::checkKernel(const KernelModel &K, FindingSink &Out) const {
  const Architecture &Arch = *K.Gpu.Arch;
  for (const Launch &L : K.Launches) {
    // Shapes that nobody launches cannot fail.
    if (L.Source != LaunchSource::Launch && L.Source != LaunchSource::User)
      continue;
    const Context C{K, L, Out};
    checkDimensions(C, "grid", L.Grid, {Arch.GridX, Arch.GridY, Arch.GridZ});
    // One reason for one part of the launch is enough.
    if (checkDimensions(C, "block", L.Block,
                        {Arch.BlockX, Arch.BlockY, Arch.BlockZ}))
      checkThreads(C);
  }
}

CUDA_LINT_REGISTER_CHECK(InvalidLaunch)

} // namespace cudalint
