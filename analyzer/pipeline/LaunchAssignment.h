//===- analyzer/pipeline/LaunchAssignment.h - Whose launches ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Joins the launches of a list with the kernels of the source. Those that the
/// list names have the launches of the list in place of those that were found;
/// what was found still says where they are, and what they pass that the list
/// does not know: the bound `33` of `k<<<N, B>>>(p, 33)`.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_PIPELINE_LAUNCHASSIGNMENT_H
#define CUDA_LINT_ANALYZER_PIPELINE_LAUNCHASSIGNMENT_H

#include "analyzer/launch/Launch.h"
#include "analyzer/pipeline/LaunchList.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace cudalint {

inline constexpr std::size_t MostTemplateNotes = 8;

struct AssignedLaunches {
  /// Of one kernel, whatever the list calls it: several names may mean it.
  std::vector<ListedLaunch> Launches;
  std::size_t Different = 0; ///< As in ListedKernel; the sum.
  bool MayBeMore = false;
};

struct LaunchAssignment {
  std::string File; ///< Of the list.
  /// By linkage name. A kernel that is not here keeps the launches found.
  std::map<std::string, AssignedLaunches> Kernels;
  /// Names of the list that no kernel has, in its order. Those of a recording
  /// are missing here as long as some of it is found: a program has kernels
  /// from elsewhere.
  std::vector<std::string> Unmatched;
  /// Names that mean several instantiations of one template, in words; the
  /// first MostTemplateNotes.
  std::vector<std::string> Notes;
  /// A name that may mean one kernel or another, or arguments that the kernel
  /// does not take. Empty when all is well; printable.
  std::string Error;
};

/// \p Kernels are those of all files; may hold one twice.
LaunchAssignment assignLaunches(const LaunchList &List,
                                std::span<const KernelDeclaration> Kernels);

/// The launches of \p Kernel that stand in place of \p Found.
std::vector<Launch> launchesOfList(const KernelDeclaration &Kernel,
                                   std::span<const Launch> Found,
                                   const AssignedLaunches &Listed);

/// What a reader of the report should know of launches that were left out, when
/// no more than \p MostEvaluated are evaluated; empty when none were.
std::string leftOut(const AssignedLaunches &Listed, const std::string &File,
                    std::size_t MostEvaluated);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_PIPELINE_LAUNCHASSIGNMENT_H
