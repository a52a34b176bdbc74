//===- analyzer/checks/RandomAccess.cpp - Addresses that data decides -----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"
#include "analyzer/model/AccessWords.h"

#include <map>
#include <tuple>

namespace cudalint::random_access {

static constexpr CheckOption LeastRatio = {
    "random-access.LeastRatio", 2, 1, 1000,
    "times the ideal from which on it is told"};

static constexpr CheckOption Options[] = {LeastRatio};

namespace {

class RandomAccess : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "random-access",
      .Level = Maturity::Stable,
      .Default = Severity::Note,
      .Summary = "tells what accesses cost whose addresses data decides",
      .Why = R"md(Where an index is loaded, no source says what a request costs:
a gather from a large array takes a sector for each lane if neighbours have
nothing to do with each other, and one if they agree; 32 lanes that add to a
histogram in shared memory meet in a bank, or at a word. What can be told is the
mean if the numbers are independent of each other and as likely one as the
other, within what the code says of them: the bins of an array, a mask, `% n`.
Sorting the data, or giving each warp a histogram of its own, is a matter of the
program.)md",
      .Bad = R"cuda(__global__ void gather(float *out, const float *in,
                       const int *index) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[index[i]];
}

void run(float *out, const float *in, const int *index) {
  gather<<<1024, 256>>>(out, in, index);
}
)cuda",
      .Good = R"cuda(__global__ void gather(float *out, const float *in,
                       const int *index) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[index[blockIdx.x] * blockDim.x + threadIdx.x];
}

void run(float *out, const float *in, const int *index) {
  gather<<<1024, 256>>>(out, in, index);
}
)cuda",
      .Limits = R"md(A note, always: whether the data is random, only the run
knows. Silent below twice the ideal of the same requests, where data decides
which lanes take part, and of stores to shared memory: lanes that store to random
places there would overwrite each other, so that these are none. Silent also of
places that somebody worked out: what the block has added up in shared memory,
where the rows of a sparse matrix begin, and how long they are. Lanes that are
known to have one number draw once, and ranks of a ballot are no draws. `docs/validation/random-index-h200.md` has what a
GPU counts.)md",
      .ConfirmedBy = Evidence::GlobalSectorsPerRequest,
      .Options = Options};
  const CheckInfo &info() const override { return Info; }
  void checkKernel(const KernelModel &K, FindingSink &Out) const override;
};

} // namespace

/// Lanes that store to places drawn at random would overwrite each other, in an
/// array of that size: these are places that a scan or a count has found.
static bool isDrawn(const Access &A) {
  return A.Expected && !A.Expected->IsCounted &&
         (A.Space == MemorySpace::Global ||
          (A.Space == MemorySpace::Shared && A.Op != AccessOp::Store));
}

/// What it costs more than it must.
static double wasteOf(const Access &A) {
  return A.Expected->PerRequest - A.Expected->Ideal;
}

/// Of each place in the source, the access that wastes most.
static std::vector<const Access *> randomPerPlace(const KernelModel &K) {
  using Place = std::tuple<Location, AccessOp, MemorySpace>;
  std::map<Place, const Access *> Worst;
  for (const Access &A : K.Accesses) {
    if (!isDrawn(A))
      continue;
    const Access *&Its = Worst[{A.UserWhere, A.Op, A.Space}];
    if (!Its || wasteOf(A) > wasteOf(*Its))
      Its = &A;
  }
  std::vector<const Access *> Found;
  for (const auto &[Where, A] : Worst)
    Found.push_back(A);
  return Found;
}

void RandomAccess::checkKernel(const KernelModel &K, FindingSink &Out) const {
  const bool SeveralShapes = K.hasSeveralShapes();
  for (const Access *A : randomPerPlace(K)) {
    const Expectation &X = *A->Expected;
    if (X.PerRequest < Out.value(LeastRatio) * X.Ideal)
      continue;
    const bool IsShared = A->Space == MemorySpace::Shared;
    Finding &F = Out.report(
        K, *A,
        {"expectation",
         "{access} {takes} {traffic} {unit} per request if the data is random, "
         "{if_equal} if neighbours agree, ideal {ideal}{shape}",
         {{"access", name(*A)},
          {"takes", IsShared ? "takes" : "touches"},
          {"traffic", X.PerRequest},
          {"unit", IsShared ? "wavefronts" : globalUnit(*K.Gpu.Arch)},
          {"if_equal", X.IfEqual},
          {"ideal", X.Ideal},
          {"shape", shapeNote(SeveralShapes, *A)}}});
    F.Trust = Certainty::Random;
    F.Cause = {"address-from-data", "{why}", {{"why", A->WhyUnknown}}};
    F.Predicted = predicted(IsShared ? Evidence::SharedWavefrontsPerRequest
                                     : Info.ConfirmedBy,
                            *K.Gpu.Arch, X.PerRequest, X.Ideal);
  }
}

CUDA_LINT_REGISTER_CHECK(RandomAccess)

} // namespace cudalint::random_access
