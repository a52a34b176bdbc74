//===- analyzer/checks/MisalignedAddress.cpp - Accesses that fault --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"
#include "analyzer/model/AccessWords.h"
#include "analyzer/model/LanePattern.h"

#include <bit>
#include <cstdlib>
#include <string>

namespace cudalint::misaligned_address {
namespace {

class MisalignedAddress : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "misaligned-address",
      .Level = Maturity::Stable,
      .Default = Severity::Error,
      .Summary = "finds accesses whose addresses their width does not allow",
      .Why =
          R"md(A load, store or atomic of 2, 4, 8 or 16 bytes needs an address
that is a multiple of as many bytes in every lane. At any other the kernel ends
with `cudaErrorMisalignedAddress`, and with it the context. A cast to a wider
type promises the compiler such an address; nothing checks it.)md",
      .Bad = R"cuda(__global__ void fields(int *out, const char *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = *(const int *)(in + 5 * i);
}

void run(int *out, const char *in) { fields<<<1024, 256>>>(out, in); }
)cuda",
      .Good = R"cuda(__global__ void fields(int *out, const char *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = *(const int *)(in + 4 * i + 32);
}

void run(int *out, const char *in) { fields<<<1024, 256>>>(out, in); }
)cuda",
      .Limits = R"md(Silent where a size that only the run knows, or a branch
that depends on data, decides the address. Where the lanes agree and only the
constant part is amiss, the pointer is taken to be aligned to 256 bytes, as
cudaMalloc returns it, and the finding is a warning.)md"};
  const CheckInfo &info() const override { return Info; }
  void checkKernel(const KernelModel &K, FindingSink &Out) const override;
};

} // namespace

/// How far some lane's address is from that of the first, where that is no
/// multiple of the bytes; 0: nowhere.
static std::int64_t oddDistance(const Access &A) {
  for (const RequestSample &S : A.Samples) {
    const std::int64_t First = S.Offset[std::countr_zero(S.ActiveMask) & 31];
    for (unsigned Lane = 0; Lane < WarpSize; ++Lane)
      if ((S.ActiveMask >> Lane & 1) && (S.Offset[Lane] - First) % A.Bytes)
        return std::abs(S.Offset[Lane] - First);
  }
  return 0;
}

void MisalignedAddress::checkKernel(const KernelModel &K,
                                    FindingSink &Out) const {
  for (const MemorySpace Space : {MemorySpace::Global, MemorySpace::Shared})
    for (const Access *A : K.costliestPerPlace(Space)) {
      const AddressFault Fault = faultOf(*A);
      if (Fault == AddressFault::None)
        continue;
      const RequestSample &S = A->Samples.front();
      const bool IsOfLanes = Fault == AddressFault::OfLanes;
      Finding &F = Out.report(
          K, *A, {"faults", "{access} faults", {{"access", name(*A)}}});
      F.Cause = {
          IsOfLanes ? "lanes-apart" : "base-behind",
          IsOfLanes ? "lanes are {distance byte} apart"
                    : "the first lane is {distance byte} behind such an "
                      "address",
          {{"distance", IsOfLanes ? oddDistance(*A)
                                  : S.Offset[std::countr_zero(S.ActiveMask)] &
                                        (A->Bytes - 1)},
           {"bytes", A->Bytes}}};
      F.Cause.Text += ", and {bytes} bytes need an address that is a multiple "
                      "of {bytes}";
      F.Remedy = {"move-data",
                  "move the data to such addresses, or access it in smaller "
                  "pieces",
                  {}};
      if (Fault == AddressFault::OfBase)
        F.Level = Severity::Warning;
    }
}

CUDA_LINT_REGISTER_CHECK(MisalignedAddress)

} // namespace cudalint::misaligned_address
