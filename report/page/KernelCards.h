//===- report/page/KernelCards.h - Kernels of the page ----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_PAGE_KERNELCARDS_H
#define CUDA_LINT_REPORT_PAGE_KERNELCARDS_H

#include "report/Document.h"
#include "report/Measurements.h"
#include "report/SourceRoot.h"
#include "report/page/Symbols.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace cudalint {

/// Of each kernel its launches, what it takes of an SM, and curves of what
/// other sizes would: each kernel once for each target, in the order of the
/// documents. One of which nothing is known but its name has none.
class KernelCards {
public:
  KernelCards(std::span<const Document> Documents, const ReportPlaces &Places,
              std::span<const Measurements> Measured, Symbols &Drawings);

  bool isEmpty() const { return Cards.empty(); }
  std::size_t count() const { return Cards.size(); }
  std::string text() const;

  /// Where the page has it, `k3`; empty where it has not.
  std::string anchorOf(const Document *In, const KernelRecord *Kernel) const;

private:
  using Identity = std::tuple<const Document *, std::string, Location>;

  std::map<Identity, std::size_t> Numbers;
  std::vector<std::string> Cards;
};

} // namespace cudalint

#endif // CUDA_LINT_REPORT_PAGE_KERNELCARDS_H
