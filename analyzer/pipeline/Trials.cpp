//===- analyzer/pipeline/Trials.cpp - Compiled otherwise ------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/pipeline/Trials.h"

#include "analyzer/model/RegisterTrials.h"

#include <algorithm>
#include <map>

namespace cudalint {

/// Of a file with more, the most registers come first: each costs a run of the
/// compiler.
static constexpr std::size_t MostTrials = 4;

BoundedCompiler trials(std::span<const Check *const> Checks,
                       const ResourceFinder &Finder,
                       std::span<const CompileJob> Jobs) {
  if (std::ranges::none_of(Checks, [](const Check *Each) {
        return Each->info().TriesRegisters;
      }))
    return {};
  return [&Finder, Jobs](std::size_t I, ComputeCapability CC,
                         std::uint64_t Registers) {
    return Finder.compileBounded(Jobs[I], CC, Registers);
  };
}

void addTrials(
    std::span<KernelModel *const> Kernels,
    const std::function<std::vector<KernelResources>(std::uint64_t)> &Compile) {
  std::map<std::uint64_t, std::vector<KernelModel *>, std::greater<>> Asking;
  for (KernelModel *Each : Kernels)
    for (const std::uint64_t Registers : registersToTry(*Each))
      Asking[Registers].push_back(Each);
  std::size_t Tried = 0;
  for (const auto &[Registers, Models] : Asking) {
    if (++Tried > MostTrials)
      break;
    const std::vector<KernelResources> Compiled = Compile(Registers);
    for (KernelModel *Each : Models)
      if (const ResourceRecord *Found = ResourceFinder::findIn(
              Compiled, Each->Declaration.Name, Each->Gpu.Arch->CC))
        Each->Trials.emplace(Registers, *Found);
  }
}

} // namespace cudalint
