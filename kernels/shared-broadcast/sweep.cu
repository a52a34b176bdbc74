//===- kernels/shared-broadcast/sweep.cu - Lanes that share words ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Groups of lanes at one element, and elements that recur every so many
/// lanes, the elements being some way apart.
///
//===----------------------------------------------------------------------===//

#include "kernels/trial/Access.cuh"

namespace cudalint {

template <typename T, RequestKind Kind>
static __global__ void sharedBroadcast(TrialMemory Memory, unsigned Group,
                                       bool Recurs, unsigned Apart) {
  extern __shared__ __align__(128) unsigned char Bytes[];
  T *Elements = reinterpret_cast<T *>(Bytes);
  unsigned Lane = threadIdx.x;
  unsigned Which = Recurs ? Lane % Group : Lane / Group;
  access<T, Kind>(&Elements[Which * Apart], Elements, Memory);
}

Sweep sharedBroadcastSweep(const Architecture &Arch) {
  Sweep S = {"shared-broadcast", "wavefronts where lanes share words", {}};
  forEachAccess([&]<typename T, RequestKind Kind>() {
    for (unsigned Group : {1u, 2u, 3u, 4u, 5u, 8u, 12u, 16u, 31u, 32u}) {
      for (bool Recurs : {false, true}) {
        for (unsigned Apart : {0u, 1u, 2u, 3u, 8u, 32u, 33u}) {
          auto Address = [=](unsigned X, unsigned) {
            // Counted up lane by lane, where the kernel divides.
            std::uint64_t Full = 0, Rest = X;
            while (Rest >= Group) {
              Rest -= Group;
              ++Full;
            }
            return std::optional((Recurs ? Rest : Full) * Apart * sizeof(T));
          };
          S.Points.push_back(
              {words(nameOf(Kind), sizeof(T), "B", Recurs ? "period" : "group",
                     Group, "apart", Apart),
               predictShared(Arch, {32, 1}, sizeof(T), Kind, Address),
               [=](const TrialMemory &Memory) {
                 sharedBroadcast<T, Kind><<<1, 32, TrialMemory::SharedBytes>>>(
                     Memory, Group, Recurs, Apart);
               }});
        }
      }
    }
  });
  return S;
}

} // namespace cudalint
