//===- runtime/join/ChosenDocument.cpp - Of which GPU ---------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/join/ChosenDocument.h"

#include "hardware/Architecture.h"

#include <algorithm>
#include <fmt/format.h>

namespace cudalint {

const Document *documentFor(std::span<const Document> Predictions,
                            const MeasuredGpu &Gpu) {
  if (Gpu.ComputeCapability.empty())
    return Predictions.size() == 1 ? &Predictions.front() : nullptr;
  std::optional<Target> Product = parseTarget(Gpu.Name);
  const Document *Best = nullptr;
  int BestScore = -1;
  for (const Document &Doc : Predictions) {
    if (Doc.Target.ComputeCapability != Gpu.ComputeCapability)
      continue;
    int Score = 2 * (Product && Product->Name == Doc.Target.Name) +
                (Gpu.SMs && Gpu.SMs == Doc.Target.SMs);
    if (Score > BestScore) {
      Best = &Doc;
      BestScore = Score;
    }
  }
  return Best;
}

std::string noDocument(std::span<const Document> Predictions,
                       const MeasuredGpu &Gpu) {
  std::string Known;
  for (const Document &Doc : Predictions)
    Known += (Known.empty() ? "" : ", ") + Doc.Target.Name;
  std::string Arch = Gpu.ComputeCapability;
  std::erase(Arch, '.');
  return fmt::format("the program ran on {} (compute capability {}), the "
                     "predictions are for {}: make them with --gpu sm_{}",
                     Gpu.Name.empty() ? "a GPU" : Gpu.Name,
                     Arch.empty() ? "unknown" : Gpu.ComputeCapability,
                     Known.empty() ? "no GPU" : Known,
                     Arch.empty() ? "XX" : Arch);
}

} // namespace cudalint
