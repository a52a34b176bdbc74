//===- runtime/prove/ProvedKernels.cpp - Kernels of a fix -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/prove/ProvedKernels.h"

#include "report/EditedKernel.h"
#include "runtime/join/Names.h"

#include <algorithm>
#include <set>
#include <utility>

namespace cudalint {

bool counts(const ProofSubject &About, const std::string &Kernel) {
  return About.Kernels.empty() ||
         std::ranges::any_of(About.Kernels, [&](const std::string &Each) {
           return canonicalKernel(Each) == canonicalKernel(Kernel);
         });
}

/// Each kernel that counts, of the first GPU, and what became of it.
template <typename Action>
static void forEachKernel(const FixToProve &Fix, Action Act) {
  const std::size_t Documents = std::min(Fix.Before.size(), Fix.After.size());
  for (std::size_t D = 0; D != std::min<std::size_t>(Documents, 1); ++D) {
    const std::vector<UnitRecord> &Old = Fix.Before[D].Units,
                                  &New = Fix.After[D].Units;
    for (std::size_t U = 0; U != std::min(Old.size(), New.size()); ++U)
      for (const KernelRecord &Kernel : Old[U].Kernels)
        if (counts(Fix.About, Kernel.Name))
          Act(Kernel, kernelAfter(Kernel, Old[U], New[U]));
  }
}

ProofSubject subjectAfter(const FixToProve &Fix) {
  ProofSubject Result = Fix.About;
  forEachKernel(Fix, [&](const KernelRecord &, const KernelRecord *After) {
    // Of an empty list all count.
    if (After && !Result.Kernels.empty() && !counts(Result, After->Name))
      Result.Kernels.push_back(After->Name);
  });
  return Result;
}

/// The least warps per SM of the launches of \p Kernel.
static std::optional<std::uint64_t> warpsOf(const KernelRecord &Kernel) {
  std::optional<std::uint64_t> Least;
  for (const LaunchRecord &Each : Kernel.Launches)
    if (Each.Occupancy && Each.Occupancy->WarpsPerSM)
      Least =
          std::min<std::uint64_t>(Least.value_or(*Each.Occupancy->WarpsPerSM),
                                  *Each.Occupancy->WarpsPerSM);
  return Least;
}

std::vector<ResourceChange> resourcesOf(const FixToProve &Fix) {
  std::vector<ResourceChange> Result;
  std::set<std::string> Told;
  forEachKernel(Fix, [&](const KernelRecord &Old, const KernelRecord *New) {
    if (!Old.Resources || !Told.insert(Old.Name).second)
      return;
    ResourceChange Its = {
        .Kernel = Old.Signature,
        .Registers = {.Before = Old.Resources->Registers, .After = {}},
        .SharedBytes = {.Before = Old.StaticSharedBytes, .After = {}},
        .LocalBytes = {.Before = Old.Resources->LocalBytes, .After = {}},
        .Warps = {.Before = warpsOf(Old), .After = {}}};
    if (New && New->Resources) {
      Its.Registers.After = New->Resources->Registers;
      Its.SharedBytes.After = New->StaticSharedBytes;
      Its.LocalBytes.After = New->Resources->LocalBytes;
      Its.Warps.After = warpsOf(*New);
    }
    Result.push_back(std::move(Its));
  });
  return Result;
}

} // namespace cudalint
