//===- report/Coverage.cpp - How much was looked at -----------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/Coverage.h"

#include "report/Names.h"
#include "report/TerminalText.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <utility>
#include <vector>

namespace cudalint {

std::string coverageOf(const Document &Doc) {
  // Of the source: an unrolled loop has many instructions of one access, and
  // each instance of a template has it again. It is known if all of them are.
  std::map<std::pair<Location, AccessOp>, bool> IsPredicted;
  std::size_t KernelCount = 0, Lost = 0;
  for (const UnitRecord &Unit : Doc.Units) {
    KernelCount += Unit.Kernels.size();
    Lost += static_cast<std::size_t>(std::ranges::count(
        Unit.Errors, ErrorKind::Evaluation, &ErrorRecord::Kind));
    for (const KernelRecord &Kernel : Unit.Kernels)
      for (const AccessRecord &Access : Kernel.Accesses)
        IsPredicted
            .try_emplace({Access.Written.value_or(Access.Where), Access.Op},
                         true)
            .first->second &=
            Access.Trust <= Certainty::Assumed && Access.PerRequest.has_value();
  }
  const auto Predicted = static_cast<std::size_t>(std::ranges::count_if(
      IsPredicted, [](const auto &Each) { return Each.second; }));
  const std::size_t Unknown = IsPredicted.size() - Predicted;
  std::string Text = countOf(KernelCount, "kernel");
  if (Lost)
    Text += fmt::format(", {} lost", Lost);
  if (!IsPredicted.empty())
    Text += fmt::format(", {} predicted",
                        Predicted == 1 ? "1 access"
                                       : fmt::format("{} accesses", Predicted));
  if (Unknown)
    Text += fmt::format(", {} unknown", Unknown);
  return Text;
}

std::string trustOf(std::span<const FindingGroup> Groups) {
  std::map<Certainty, std::size_t> Trust;
  if (Groups.empty())
    return {};
  // As many as the line above counts.
  for (const FindingGroup &G : Groups)
    ++Trust[G.First->Trust];
  std::vector<std::string> Parts;
  for (const auto &[Each, Times] : Trust)
    Parts.push_back(fmt::format("{} {}", Times,
                                Each == Certainty::Random ? "if data is random"
                                                          : nameOf(Each)));
  std::string Text = countOf(Groups.size(), "finding") + ": ";
  for (const std::string &Each : Parts)
    Text += (&Each == &Parts.front() ? "" : ", ") + Each;
  return Text;
}

} // namespace cudalint
