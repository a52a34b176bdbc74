//===- analyzer/ir/WarpGroups.cpp - Warps that are run at once ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/WarpGroups.h"

namespace cudalint {

void WarpGroups::run(
    const KernelStructure &Kernel, const LaunchShape &Shape, std::size_t Work,
    const std::function<std::unique_ptr<WarpSink>(LaneArithmetic &)>
        &MakeSink) {
  std::vector<Group> Done;
  // Those that are still to be run, the next one last.
  std::vector<Group> Left(Groups.rbegin(), Groups.rend());
  std::vector<Request> Requests;
  while (!Left.empty()) {
    const Group G = Left.back();
    Left.pop_back();
    LaneArithmetic Arithmetic;
    if (G.First == G.Last) {
      const std::unique_ptr<WarpSink> Sink = MakeSink(Arithmetic);
      Sink->finish(runWarp(Kernel, Shape, G.First, Work, Arithmetic,
                           [&](const Request &R) { Sink->add(R); }));
      Done.push_back(G);
      continue;
    }
    Requests.clear();
    const std::optional<WarpOutcome> Outcome =
        runWarps(Kernel, Shape, G.First, G.Last, Work, Arithmetic, Requests);
    if (!Outcome) {
      const unsigned Middle = G.First + (G.Last - G.First) / 2;
      Left.push_back({Middle + 1, G.Last});
      Left.push_back({G.First, Middle});
      continue;
    }
    for (unsigned W = G.First; W <= G.Last; ++W) {
      const std::unique_ptr<WarpSink> Sink = MakeSink(Arithmetic);
      for (const Request &Each : Requests) {
        Request R = Each;
        R.Warp = W;
        R.Address = Arithmetic.inWarp(Each.Address, W);
        Sink->add(R);
      }
      Sink->finish(*Outcome);
    }
    Done.push_back(G);
  }
  Groups = std::move(Done);
}

} // namespace cudalint
