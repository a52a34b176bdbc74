//===- analyzer/checks/InvalidLaunch.cpp - Launches that must fail --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"
#include "analyzer/model/LaunchWords.h"

#include <numeric>
#include <string>
#include <variant>

namespace cudalint::invalid_launch {
namespace {

class InvalidLaunch : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "invalid-launch",
      .Level = Maturity::Stable,
      .Default = Severity::Error,
      .Summary = "finds launches that must fail on the target GPU",
      .Why = R"md(A launch that breaks a limit of the GPU does not run: the
kernel is skipped and only an error code tells, which many programs never read.
The limits are those of the target's compute capability: threads per block, each
dimension of block and grid, and what the kernel's own `__launch_bounds__`
promise. Dynamic shared memory below 0 becomes a huge size_t and fails as well,
and so does a grid that is no multiple of the kernel's `__cluster_dims__`. The
blocks of a cooperative launch must all be resident at once: no more than fit
each SM, times the SMs.)md",
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
      .Limits = R"md(Speaks only of sizes that are known at the launch, and of
cooperative launches where the target is a product, whose SMs are known. Shared
memory is looked at by `shared-memory-limits`, registers by
`registers-exceed-launch`.)md"};
  const CheckInfo &info() const override { return Info; }
  void checkKernel(const KernelModel &K, FindingSink &Out) const override;
};

} // namespace

static Phrase remedyOf(const Launch &L, const Phrase &Reason) {
  const NamedValue *Dimension = Reason.find("dimension");
  const std::string Name =
      Dimension ? std::get<std::string>(Dimension->What) : std::string();
  const double Limit = Reason.number("limit").value_or(0);
  const double Size = Reason.number("size").value_or(0);
  if (Reason.Id == "dimension-too-small")
    return L.IsRoundedToNone
               ? Phrase{"round-up",
                        "the division of integers rounds down: round it up, "
                        "and launch nothing where there is nothing to do",
                        {}}
               : Phrase();
  if (Reason.Id == "too-many-threads" || Name == "block.x")
    return {"smaller-blocks",
            "launch blocks of at most {limit} threads, and more of them",
            {{"limit", Limit}}};
  if (Reason.Id == "partial-cluster")
    return {"fitting-cluster",
            "launch a multiple of {cluster} blocks there, or let a cluster "
            "have {common} there, where the kernel and the launch say so",
            {{"cluster", *Reason.number("cluster")},
             {"common",
              std::gcd(static_cast<std::int64_t>(Size),
                       static_cast<std::int64_t>(*Reason.number("cluster")))}}};
  if (Name == "grid.y" || Name == "grid.z")
    return {"count-along-x",
            "count these blocks along x, where a grid may have more than "
            "{limit}",
            {{"limit", Limit}}};
  return {};
}

void InvalidLaunch::checkKernel(const KernelModel &K, FindingSink &Out) const {
  for (std::size_t I = 0; I != K.Verdicts.size(); ++I)
    for (const LaunchFault &Fault : K.Verdicts[I].Faults)
      if (Fault.What == LaunchFault::Kind::Configuration) {
        Finding &F = Out.report(K, K.Launches[I], launchFails(K));
        F.Cause = Fault.Reason;
        F.Remedy = remedyOf(K.Launches[I], F.Cause);
      }
}

CUDA_LINT_REGISTER_CHECK(InvalidLaunch)

} // namespace cudalint::invalid_launch
