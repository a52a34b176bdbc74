//===- runtime/join/PredictedKernels.cpp - Which kernel is meant ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/join/PredictedKernels.h"

#include "runtime/join/Names.h"

#include <algorithm>
#include <map>

namespace cudalint {

std::vector<PredictedKernel> predictedKernels(const Document &Doc) {
  std::vector<PredictedKernel> Out;
  std::map<std::pair<std::string, std::string>, std::size_t> Index;
  for (const UnitRecord &Unit : Doc.Units)
    for (const KernelRecord &Kernel : Unit.Kernels) {
      bool IsInternal = canonicalKernel(Kernel.Name) != Kernel.Name ||
                        Kernel.Name.find("12_GLOBAL__N_1") != std::string::npos;
      auto [Entry, IsNew] = Index.try_emplace(
          {Kernel.Name, IsInternal ? Unit.File : std::string()}, Out.size());
      if (IsNew)
        Out.push_back({.Name = Kernel.Name, .Unit = Unit.File, .Records = {}});
      Out[Entry->second].Records.push_back(&Kernel);
    }
  return Out;
}

/// Files of one name in several folders give their kernels of internal linkage
/// one name: those of \p Found that were measured in the file which is most
/// like that of \p Predicted. All of them if that does not tell.
static std::vector<std::size_t> ofSameFile(const PredictedKernel &Predicted,
                                           const MeasuredGpu &Measured,
                                           std::vector<std::size_t> Found) {
  const std::string &File = Predicted.Records.front()->Where.File;
  unsigned Best = 0;
  std::vector<std::size_t> Out;
  for (std::size_t I : Found) {
    unsigned Length = 0;
    for (const CountedLine &Line : Measured.Kernels[I].Lines)
      Length = std::max(Length, commonSuffix(File, Line.File));
    if (Length > Best)
      Out.clear();
    Best = std::max(Best, Length);
    if (Length == Best)
      Out.push_back(I);
  }
  return Best == 0 ? Found : Out;
}

std::vector<std::size_t> ranAs(const PredictedKernel &Predicted,
                               const MeasuredGpu &Measured,
                               std::span<const std::string> Names) {
  std::vector<std::size_t> Found =
      matchingKernels(Predicted.Name, Predicted.Unit, Names);
  return Found.size() > 1 ? ofSameFile(Predicted, Measured, std::move(Found))
                          : Found;
}

} // namespace cudalint
