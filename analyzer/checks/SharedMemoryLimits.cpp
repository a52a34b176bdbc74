//===- analyzer/checks/SharedMemoryLimits.cpp - More shared memory than is ===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"
#include "analyzer/model/LaunchWords.h"

namespace cudalint::shared_memory_limits {
namespace {

class SharedMemoryLimits : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "shared-memory-limits",
      .Level = Maturity::Stable,
      .Default = Severity::Error,
      .Summary = "finds kernels and launches with more shared memory than the "
                 "GPU gives",
      .Why = R"md(A block can declare 48 KB of shared memory at most (16 KB on
1.x); a kernel with more does not build, but for one architecture alone, as
`-arch=sm_90a`, which has no such limit (nvcc 13.0; an H200 runs it). More is to be had from compute
capability 7.0 on, as dynamic shared memory and only after
`cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, n)`;
without that, or above the most that the GPU has (227 KB on Hopper, 99 KB on
Ada), the launch fails and the kernel does not run: only an error code tells,
which many programs never read.)md",
      .Bad = R"cuda(__global__ void reverse(float *data) {
  extern __shared__ float all[];
  all[threadIdx.x] = data[blockIdx.x * 1024 + threadIdx.x];
  __syncthreads();
  data[blockIdx.x * 1024 + threadIdx.x] = all[1023 - threadIdx.x];
}

void run(float *data) {
  reverse<<<4096, 1024, 64 * 1024>>>(data);
}
)cuda",
      .Good = R"cuda(__global__ void reverse(float *data) {
  extern __shared__ float all[];
  all[threadIdx.x] = data[blockIdx.x * 1024 + threadIdx.x];
  __syncthreads();
  data[blockIdx.x * 1024 + threadIdx.x] = all[1023 - threadIdx.x];
}

void run(float *data) {
  cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       64 * 1024);
  reverse<<<4096, 1024, 64 * 1024>>>(data);
}
)cuda",
      .Limits = R"md(Speaks only of sizes that are known at the launch. Does not
see an opt-in in another file than those that are linted together; the finding
then states it as an assumption. An opt-in in another of these files counts as
made in time. One that is too small or comes too late is reported when all calls
for the kernel, their sizes and their order are known; where functions are
called that have no body in any file, that is an assumption, too. Static shared memory is what the compiler
reports, where that is known, else what the kernel's code refers to.)md"};
  const CheckInfo &info() const override { return Info; }
  void checkKernel(const KernelModel &K, FindingSink &Out) const override;
};

} // namespace

void SharedMemoryLimits::checkKernel(const KernelModel &K,
                                     FindingSink &Out) const {
  const std::uint64_t Static = K.staticShared().value_or(0);
  if (Static > K.staticSharedLimit()) {
    Finding &F = Out.report(
        K, {"does-not-build",
            "kernel '{kernel}' does not build for {gpu}",
            {{"kernel", K.Declaration.Signature}, {"gpu", K.Gpu.Name}}});
    F.Cause = {"static-shared",
               "it has {bytes} bytes of static shared memory, the limit is "
               "{limit}",
               {{"bytes", Static}, {"limit", K.staticSharedLimit()}}};
    F.Remedy = {"use-dynamic-shared", "use dynamic shared memory", {}};
  }
  for (std::size_t I = 0; I != K.Verdicts.size(); ++I) {
    const Launch &L = K.Launches[I];
    const LaunchFault *Fault =
        K.Verdicts[I].find(LaunchFault::Kind::SharedMemory);
    if (!Fault)
      continue;
    Finding &F = Out.report(K, L, launchFails(K));
    F.Cause = Fault->Reason;
    if (!L.SharedMemoryOptIn && L.OptInCall)
      F.Fixes.push_back({"raise the limit of the kernel before the launch",
                         FixSafety::Safe,
                         {*L.OptInCall}});
    if (Fault->Assumption.empty())
      continue;
    F.Trust = Certainty::Assumed;
    F.Assumptions = {Fault->Assumption};
  }
}

CUDA_LINT_REGISTER_CHECK(SharedMemoryLimits)

} // namespace cudalint::shared_memory_limits
