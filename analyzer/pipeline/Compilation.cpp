//===- analyzer/pipeline/Compilation.cpp - Compiles meanwhile -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/pipeline/Compilation.h"

#include <future>
#include <llvm/Support/ThreadPool.h>
#include <stop_token>

namespace cudalint {

struct Compilation::State {
  State(std::vector<ComputeCapability> Targets, unsigned Threads)
      : Targets(std::move(Targets)), Pool(llvm::hardware_concurrency(Threads)) {
  }

  std::vector<ComputeCapability> Targets;
  std::vector<std::stop_source> Stops; ///< Of each file.
  std::vector<std::shared_future<FileResources>> Results;
  llvm::DefaultThreadPool Pool; ///< The first to go: its tasks use the rest.
};

Compilation::Compilation(const ResourceFinder &Finder,
                         std::span<const CompileJob> Jobs,
                         std::vector<ComputeCapability> Targets,
                         unsigned Threads)
    : S(std::make_unique<State>(std::move(Targets), Threads)) {
  S->Stops.resize(Jobs.size());
  S->Results.reserve(Jobs.size());
  for (std::size_t I = 0; I != Jobs.size(); ++I)
    S->Results.push_back(
        S->Pool.async([&Finder, &Job = Jobs[I], &All = S->Targets,
                       Stop = S->Stops[I].get_token()] {
          return Finder.compile(Job, All, Stop);
        }));
}

Compilation::~Compilation() = default;

const FileResources &Compilation::of(std::size_t Index) const {
  return S->Results[Index].get();
}

void Compilation::drop(std::size_t Index) { S->Stops[Index].request_stop(); }

} // namespace cudalint
