//===- analyzer/checks/LocalArray.cpp - Arrays that registers cannot hold -===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/AccessWords.h"
#include "analyzer/checks/Check.h"
#include "analyzer/checks/LaunchWords.h"

#include <fmt/format.h>

#include <algorithm>

namespace cudalint {
namespace {

class LocalArrayCheck : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "local-array",
      .Level = Trust::Stable,
      .Default = Severity::Warning,
      .Summary = "finds private arrays that live in local memory",
      .Why = R"md(Registers have no index. A private array is kept in registers
only when every index is a constant after the compiler has unrolled the loops;
an index that is read from memory, or that counts a loop of unknown length, puts
the whole array into local memory, which is a part of global memory: each use is
a load or a store that goes through the L1 cache. Constant indices (unrolled
loops, a chain of selects), or shared memory with one column for each thread,
avoid it.)md",
      .Bad =
          R"cuda(// ptxas info    : Compiling entry function '_Z4pickPfPKiS_' for 'sm_90'
// ptxas info    : Function properties for _Z4pickPfPKiS_
//     64 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
// ptxas info    : Used 16 registers, used 0 barriers, 64 bytes cumulative stack size
__global__ void pick(float *out, const int *index, float *in) {
  float part[16];
  for (int i = 0; i < 16; ++i)
    part[i] = in[i * 1024 + threadIdx.x];
  out[threadIdx.x] = part[index[threadIdx.x] % 16];
}

void run(float *out, const int *index, float *in) {
  pick<<<1024, 256>>>(out, index, in);
}
)cuda",
      .Good =
          R"cuda(// ptxas info    : Compiling entry function '_Z4pickPfPKiS_' for 'sm_90'
// ptxas info    : Function properties for _Z4pickPfPKiS_
//     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
// ptxas info    : Used 24 registers, used 0 barriers
__global__ void pick(float *out, const int *index, float *in) {
  float part[16], picked = 0;
  int wanted = index[threadIdx.x] % 16;
  for (int i = 0; i < 16; ++i)
    part[i] = in[i * 1024 + threadIdx.x];
  for (int i = 0; i < 16; ++i)
    picked = i == wanted ? part[i] : picked;
  out[threadIdx.x] = picked;
}

void run(float *out, const int *index, float *in) {
  pick<<<1024, 256>>>(out, index, in);
}
)cuda",
      .Limits = R"md(With the compiler's figures, an array is reported when the
kernel's local memory has room for it besides spills and what functions such as
`sinf` and `printf` take; an array whose indices all
count loops of known length, only when all such arrays together have. Without
them, only an array that is stored to with an index, one of which no unrolling
makes constant, as a note that states the assumption. Silent for arrays that are only passed to functions.)md",
      .ConfirmedBy = Metric::None,
      .NeedsResources = true};
  const CheckInfo &info() const override { return Info; }
  void checkKernel(const KernelModel &K, FindingSink &Out) const override;
};

} // namespace

/// The arrays that local memory must hold, by what the compiler reports.
static std::vector<const LocalArray *> confirmed(const KernelModel &K) {
  std::vector<const LocalArray *> Data, All;
  std::uint64_t DataBytes = 0, AllBytes = 0;
  for (const LocalArray &A : K.Traits.LocalArrays) {
    All.push_back(&A);
    AllBytes += A.Bytes;
    if (!A.IndexIsData)
      continue;
    Data.push_back(&A);
    DataBytes += A.Bytes;
  }
  if (!K.Resources || !K.Resources->LocalBytes) {
    std::erase_if(Data, [](const LocalArray *A) { return !A->IsStored; });
    return Data;
  }
  // Each spilled word has a place that is stored to at least once.
  const std::uint64_t Local = *K.Resources->LocalBytes;
  const std::uint64_t Arrays =
      Local - std::min(Local, K.Resources->SpillStores.value_or(0));
  if (AllBytes + K.Library.Most <= Arrays)
    return All;
  if (DataBytes + K.Library.Least <= Arrays)
    return Data;
  return {};
}

/// `'part', a private array of 64 bytes`
static std::string arrayName(const LocalArray &A) {
  return fmt::format("{}a private array of {}",
                     A.Name.empty() ? "" : fmt::format("'{}', ", A.Name),
                     counted(A.Bytes, "byte"));
}

void LocalArrayCheck::checkKernel(const KernelModel &K,
                                  FindingSink &Out) const {
  const bool Known = K.Resources && K.Resources->LocalBytes;
  for (const LocalArray *A : confirmed(K)) {
    const std::string Cause =
        A->IndexIsData
            ? "its index here is known only at run time, and registers have no "
              "index"
            : "the loop that counts its index here is not unrolled";
    const std::string Remedy =
        A->IndexIsData ? "make the indices constants (unrolled loops, selects) "
                         "or keep it in shared memory"
                       : "'#pragma unroll' makes the indices constants";
    Finding &F = Out.report(
        K, A->Where,
        fmt::format(
            "{}, {} in the local memory of '{}'{}: {}; {}", arrayName(*A),
            Known ? "lives" : "may live", shortName(K.Declaration),
            Known ? fmt::format(" ({} of it on {})",
                                counted(*K.Resources->LocalBytes, "byte"),
                                K.Gpu.Name)
                  : "",
            Cause, Remedy));
    F.InlinedAt = A->InlinedAt;
    if (Known)
      continue;
    F.Level = Severity::Note;
    F.Trust = Certainty::Assumed;
    F.Assumptions = {"the compiler does not resolve the index: its figures "
                     "(nvcc, or --ptxas-log) tell"};
  }
}

CUDA_LINT_REGISTER_CHECK(LocalArrayCheck)

} // namespace cudalint
