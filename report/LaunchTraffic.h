//===- report/LaunchTraffic.h - What launches move --------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the launches of a kernel move in all, and what some of its accesses
/// waste of that. Launches of equal sizes may pass other arguments: each has
/// totals of its own, and accesses tell to which of them they belong.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_LAUNCHTRAFFIC_H
#define CUDA_LINT_REPORT_LAUNCHTRAFFIC_H

#include "report/Document.h"

#include <optional>
#include <span>
#include <string_view>

namespace cudalint {

/// Whether it is evaluated for that launch; true where nothing is known.
bool isOfLaunch(const AccessRecord &A, const WarpTotals &Launch);

/// Of all launches; empty without a grid of one of them.
std::optional<double> warpsOf(const KernelRecord &Kernel);

/// What one warp moves in all memory that is counted in \p Unit, `sectors`;
/// empty where some of it is not known.
std::optional<double> trafficOf(const WarpTotals &Totals,
                                std::string_view Unit);

/// What all warps of all launches of the kernel move in that unit; nothing
/// where it is not known of one of them.
std::optional<double> trafficOf(const KernelRecord &Kernel,
                                std::string_view Unit);

/// What a warp of a block \p Of wastes in all of \p Accesses, of \p Launch
/// where that is not null; empty where one is not known. Launches of equal
/// blocks have entries of their own where grids or arguments differ: of those
/// that are not told apart, the one that wastes most counts.
std::optional<double>
wastedPerWarp(std::span<const AccessRecord *const> Accesses,
              const BlockShape &Of, const WarpTotals *Launch);

/// The same of all warps of all launches.
std::optional<double> wastedInAll(std::span<const AccessRecord *const> Accesses,
                                  const KernelRecord &Kernel);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_LAUNCHTRAFFIC_H
