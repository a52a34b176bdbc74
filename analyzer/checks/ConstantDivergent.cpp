//===- analyzer/checks/ConstantDivergent.cpp - Tables read by lane --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"
#include "analyzer/model/AccessWords.h"

namespace cudalint::constant_divergent {
/// With less, a table in shared memory costs about as much: an address takes
/// two clocks of the constant cache on an H200.
static constexpr CheckOption LeastAddresses = {
    "constant-divergent.LeastAddresses", 4, 2, 32,
    "different addresses per request from which on it is told"};

static constexpr CheckOption Options[] = {LeastAddresses};

namespace {

class ConstantDivergent : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "constant-divergent",
      .Level = Maturity::Stable,
      .Default = Severity::Warning,
      .Summary = "finds __constant__ tables of which lanes read different "
                 "entries",
      .Why = R"md(Constant memory is made for one address that all lanes of a
warp read: then it costs as little as a register. Lanes at different addresses
are served one address after the other, also where the addresses are
neighbours: 32 lanes at 32 entries make 32 requests of the constant cache. A
table in shared memory, or in global memory, where neighbours share a sector,
serves them together.)md",
      .Bad = R"cuda(__constant__ float weights[1024];

__global__ void scale(float *data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] *= weights[threadIdx.x];
}

void run(float *data) { scale<<<1024, 256>>>(data); }
)cuda",
      .Good = R"cuda(__global__ void scale(float *data, const float *weights) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] *= weights[threadIdx.x];
}

void run(float *data, const float *weights) {
  scale<<<1024, 256>>>(data, weights);
}
)cuda",
      .Limits = R"md(Silent below 4 addresses, and where loaded data decides the
entry. Whether the cache holds the entries is not predicted: a miss costs more
than a further address.)md",
      .ConfirmedBy = Evidence::ConstantRequests,
      .Options = Options};
  const CheckInfo &info() const override { return Info; }
  void checkKernel(const KernelModel &K, FindingSink &Out) const override;
};

} // namespace

void ConstantDivergent::checkKernel(const KernelModel &K,
                                    FindingSink &Out) const {
  const bool SeveralShapes = K.hasSeveralShapes();
  for (const Access *A : K.judgeable(MemorySpace::Constant)) {
    const Traffic &T = *A->Predicted;
    if (T.PerRequest < Out.value(LeastAddresses))
      continue;
    Finding &F = Out.report(
        K, *A,
        {"addresses",
         "{access} reads {addresses} different addresses of constant memory "
         "per request, ideal 1{shape}",
         {{"access", name(*A)},
          {"addresses", T.PerRequest},
          {"shape", shapeNote(SeveralShapes, *A)}}});
    F.Cause = {"served-in-turn", "they are served one after the other", {}};
    F.Remedy = {"table-elsewhere",
                "let all lanes read one entry, or keep the table in shared or "
                "global memory",
                {}};
    F.Predicted = predicted(Info.ConfirmedBy, *K.Gpu.Arch, T.PerRequest, 1);
  }
}

CUDA_LINT_REGISTER_CHECK(ConstantDivergent)

} // namespace cudalint::constant_divergent
