//===- analyzer/pipeline/LaunchList.h - Listed launches ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Launches that a profile recorded or that somebody wrote down, as
/// docs/launches.md has them. Nothing is known here of the kernels of the
/// source: LaunchAssignment joins the two.
///
/// What a list costs is bounded however long it is: equal launches are one, of
/// one kernel no more than MostTrackedLaunches different ones are told apart
/// (where there are very many kernels, MostListedLaunches), and the
/// MostListedLaunches of them that are most frequent are kept.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_PIPELINE_LAUNCHLIST_H
#define CUDA_LINT_ANALYZER_PIPELINE_LAUNCHLIST_H

#include "report/Document.h"

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cudalint {

inline constexpr std::size_t MostListedLaunches = 16;
inline constexpr std::size_t MostTrackedLaunches = 1024;
/// More is an error.
inline constexpr std::size_t MostListedKernels = 1 << 16;
/// Of the name of a kernel; more is an error.
inline constexpr std::size_t MostNameBytes = 1 << 16;

/// What a launch passes for one parameter. Neither: nothing is known of it.
struct ListedArgument {
  std::optional<std::int64_t> Integer; ///< Also of true and false.
  bool IsFraction = false;             ///< A number that is not written whole.

  auto operator<=>(const ListedArgument &) const = default;
};

struct ListedShape {
  Extent Grid; ///< All or none is known.
  std::array<std::int64_t, 3> Block = {1, 1, 1};
  std::optional<std::int64_t> DynamicSharedBytes;
  std::vector<ListedArgument> Arguments; ///< By position; may be too few.

  auto operator<=>(const ListedShape &) const = default;
};

struct ListedLaunch {
  ListedShape Shape;
  std::uint64_t Count = 0; ///< How often, no more than 2^64 - 1.
  /// Where it stands first, for messages: `'list.json': /launches/3`.
  std::string Place;
  bool WasRun = false; ///< A recording says so.
};

struct ListedKernel {
  std::string Name; ///< As written: see NameRank.
  /// The most frequent first, then in the order of the list.
  std::vector<ListedLaunch> Launches;
  /// How many different ones there are, and whether there may be even more.
  std::size_t Different = 0;
  bool MayBeMore = false;
  bool WasRun = false; ///< Some of its launches.
};

struct LaunchList {
  std::string File;                  ///< As the user named it.
  std::vector<ListedKernel> Kernels; ///< In the order of the list.
};

struct LaunchListRead {
  LaunchList Value;
  /// For the user, with the file and the JSON pointer of what is wrong; empty
  /// when all is well. Printable.
  std::string Error;
};

/// Reads \p Path: a list, a profile, or a folder of them.
LaunchListRead readLaunchList(const std::string &Path);

/// The same of the text of one file. Whatever it holds, this returns.
LaunchListRead parseLaunchList(std::string_view Text);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_PIPELINE_LAUNCHLIST_H
