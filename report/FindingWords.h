//===- report/FindingWords.h - A problem in few words -----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a text tells of a group of findings unless all of it is asked for: a
/// headline of two lines, and a label for the caret:
///
///   a.cu:6:17: warning: store to 'tile' takes 4 wavefronts per request, ideal
///         1; leave 16 bytes free after every 1024 bytes [shared-bank-conflict]
///       6 |   tile[i * 4] = tmp.x;
///         |               ^ 60 % of the wavefronts of 'sum'; also at lines 7,
///         |                 8, 9
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_FINDINGWORDS_H
#define CUDA_LINT_REPORT_FINDINGWORDS_H

#include "report/FindingGroups.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace cudalint {

struct Headline {
  std::string Text;
  bool HasCheck = false;  ///< It ends with `[check]`; else the label does.
  std::string Below = {}; ///< What there is no room for: the rest of a sentence
                          ///< that is cut, and the remedy, or the cause, whole.
                          ///< The label begins so.
};

/// `a, b and c`.
std::string inWords(std::span<const std::string> Parts);

/// What, how much and the remedy: printable, without line breaks, and so that
/// it fits two lines of \p Width columns, of which the first begins at \p
/// Column. The sentence of an error is whole.
Headline headlineOf(const Finding &F, std::size_t Column, unsigned Width);

/// Why and the remedy, for what stands below a number that was measured: in two
/// lines as a headline, or more, since half of a remedy is none. What is wrong
/// is told where no cause is known; the name of the check never.
std::string adviceOf(const Finding &F, std::size_t Column, unsigned Width);

/// `  1. a.cu:6: 60 %: store to 'tile' takes 4 wavefronts`, within \p Width.
std::string dearestLine(const FindingGroup &G, std::size_t Rank,
                        unsigned Width);

/// What is wrong, in the words of the headline, without the remedy.
std::string briefWhat(const Finding &F);

/// What is known of how much a group wastes.
enum class ShareKind : std::uint8_t {
  None,    ///< Nothing, and it is in no kernel.
  Kernel,  ///< Only which kernel it is in.
  ByLoops, ///< That it is decided by loops whose turns nobody has counted.
  Known,   ///< How much it is.
};

struct ShareWords {
  ShareKind Kind = ShareKind::None;
  std::string Text = {};   ///< Empty if and only if Kind is None.
  std::string Kernel = {}; ///< As Text names it: `'sum' and 2 more kernels`.

  /// Whether it says what the group costs.
  bool isOfCost() const {
    return Kind == ShareKind::ByLoops || Kind == ShareKind::Known;
  }
};

/// `wastes 60 % of the wavefronts of 'sum'`: how much of its traffic is wasted,
/// and where the group's kernel is. `~60 %` is an estimate.
ShareWords shareInWords(const FindingGroup &G, const KernelIndex &Kernels);

/// ` in blocks of 32x8`, of which the share is, where the kernel is launched in
/// others that waste another one; ` in such blocks` where the headline names
/// them. Else empty.
std::string blocksOfShare(const FindingGroup &G, const KernelIndex &Kernels);

/// `60 %`, `~60 %`; empty where no share is known.
std::string shareOf(const FindingGroup &G);

/// Shares, how often, other places, kernels and targets, and what may be wrong:
/// printable, without line breaks; may be empty.
std::string labelOf(const FindingGroup &G, const KernelIndex &Kernels,
                    std::span<const Document> Documents, const Headline &Above);

/// Whether it says something of the analysed program that could be otherwise: a
/// size, a block, a condition; not how the model works, and not that an
/// allocation is aligned.
bool isWorthSaying(const Assumption &Taken);

/// Whether the lanes do not all do the same.
bool isTelling(std::string_view LanePattern);

/// `sum<...>`: a kernel without its parameters and long template arguments.
std::string shortName(const Finding &F, const KernelRecord *Kernel);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_FINDINGWORDS_H
