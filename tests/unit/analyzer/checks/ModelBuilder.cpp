//===- tests/unit/analyzer/checks/ModelBuilder.cpp - Models by hand ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/checks/ModelBuilder.h"

#include "analyzer/model/LanePattern.h"

#include <cstdlib>

namespace cudalint {

KernelModel makeKernel(std::string_view Gpu) {
  KernelModel K;
  K.Gpu = parseTarget(Gpu).value();
  K.Declaration.Name = "_Z1kv";
  K.Declaration.Signature = "k()";
  K.Declaration.Where = {"a.cu", 1, 1};
  K.StaticSharedBytes = 0;
  return K;
}

RequestSample
makeSample(const std::function<std::int64_t(std::int64_t)> &OffsetOfLane,
           std::uint32_t Mask) {
  RequestSample S;
  for (unsigned Lane = 0; Lane < WarpSize; ++Lane)
    S.Offset[Lane] = OffsetOfLane(Lane);
  S.ActiveMask = Mask;
  S.Weight = 1;
  return S;
}

Access makeAccess(const KernelModel &K, MemorySpace Space, unsigned Line,
                  unsigned Bytes, std::vector<RequestSample> Samples) {
  Access A;
  A.Where = A.UserWhere = {"a.cu", Line, 5};
  A.Space = Space;
  A.Bytes = Bytes;
  A.Block = {256, 1, 1};
  A.BlockSource = LaunchSource::Launch;
  A.Trust = Certainty::Exact;
  A.Kernel = K.Declaration.Name;
  A.Variable = Space == MemorySpace::Shared ? "array" : "";
  A.Samples = std::move(Samples);
  const MeanTraffic T = Space == MemorySpace::Shared
                            ? meanShared(*K.Gpu.Arch, A)
                            : meanGlobal(*K.Gpu.Arch, A);
  Traffic Predicted;
  Predicted.PerRequest = T.Transactions;
  Predicted.Ideal = T.Ideal;
  Predicted.BytesUsed = T.BytesUsed;
  Predicted.Ways = T.Ways;
  Predicted.Requests = 1;
  for (const RequestSample &S : A.Samples)
    Predicted.Lanes += static_cast<double>(__builtin_popcount(S.ActiveMask)) /
                       static_cast<double>(A.Samples.size());
  A.Predicted = Predicted;
  return A;
}

Access makeAccess(const KernelModel &K, MemorySpace Space, unsigned Line,
                  unsigned Bytes,
                  const std::function<std::int64_t(std::int64_t)> &OffsetOfLane,
                  std::uint32_t Mask) {
  return makeAccess(K, Space, Line, Bytes, {makeSample(OffsetOfLane, Mask)});
}

Launch makeLaunch(Extent Grid, Extent Block) {
  Launch L;
  L.Where = {"a.cu", 90, 3};
  L.Kernel = "_Z1kv";
  L.Grid = Grid;
  L.Block = Block;
  L.DynamicSharedBytes = 0;
  return L;
}

std::vector<Finding> runCheck(std::string_view Name, const KernelModel &Of) {
  KernelModel K = Of;
  for (const Launch &L : K.Launches)
    K.Verdicts.push_back(judge(K, L));
  std::vector<Finding> Findings;
  for (const std::unique_ptr<Check> &C : makeChecks()) {
    if (C->info().Name != Name)
      continue;
    FindingSink Sink(C->info(), Findings);
    C->checkKernel(K, Sink);
    return Findings;
  }
  std::abort(); // The test names a check that does not exist.
}

} // namespace cudalint
