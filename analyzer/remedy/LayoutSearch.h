//===- analyzer/remedy/LayoutSearch.h - The best layout ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Remedies for bank conflicts are layouts of the array: each is tried on all
/// accesses to it, of all kernels of the file, before the best one is told.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_REMEDY_LAYOUTSEARCH_H
#define CUDA_LINT_ANALYZER_REMEDY_LAYOUTSEARCH_H

#include "analyzer/remedy/SharedArray.h"
#include "report/Finding.h"

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace cudalint {

/// Each row of the declaration is longer by so many elements.
struct PaddedRows {
  std::uint64_t Elements = 0;
};

/// Element `i` is at `i + i / Run * Free`.
struct SkippedElements {
  std::uint64_t Run = 0, Free = 0;
};

/// Element `(row, col)` is at column `col ^ (row / Rows % Columns) * Group`.
/// All are powers of two but Group, the elements that stay together.
struct SwizzledColumns {
  std::uint64_t Group = 0, Columns = 0, Rows = 0;
};

/// How the source says that, where an edit of the array's declaration and
/// subscripts can.
using LayoutText =
    std::variant<std::monostate, PaddedRows, SkippedElements, SwizzledColumns>;

/// Another place for the elements of an array.
struct LayoutChange {
  Phrase Said; ///< What to do.
  LayoutFor New;
  double Growth = 1; ///< Bytes of the array, over those that the first user's
                     ///< instance of it has.
  LayoutText Written = {};
  /// Growth is that of rows with an even number of elements: others keep it.
  bool IsOfEvenRows = false;
  /// A part of the index is added to it, `i + i / 32`, and less than 16 bytes
  /// are skipped: where loops are unrolled, that may take registers.
  bool AddsToIndex = false;
  /// Rows stay whole, and equally far apart.
  bool KeepsRows = false;
  /// Of a flat array, bytes after which elements are moved as before: to the
  /// next gap; 0: what moves are rows.
  std::int64_t Period = 0;

  /// Elements more in each row of the declaration; 0: that is not the change.
  std::uint64_t padElements() const {
    const auto *Rows = std::get_if<PaddedRows>(&Written);
    return Rows ? Rows->Elements : 0;
  }
};

/// Elements of \p Bytes that all banks hold: behind so many, all is the same.
std::uint64_t mostOfBanks(std::uint64_t Bytes);

/// Rows that are longer by each number of elements that is no high price, the
/// fewest first, then swizzles. Empty for what has no rows.
std::vector<LayoutChange> layoutsOfRows(const SharedArray &Array);

/// Gaps after every few bytes of a row, for lanes that are neighbours in it and
/// take several elements each.
std::vector<LayoutChange> layoutsWithinRows(const SharedArray &Array);

/// Other distances of the rows that accesses to a flat array make, and gaps
/// after every few elements.
std::vector<LayoutChange> layoutsOfFlat(const SharedArray &Array);

/// Elements of a flat array of known size that change places within as many as
/// all banks hold, by where they are in it: no gap is needed.
std::vector<LayoutChange> swizzlesOfFlat(const SharedArray &Array);

/// Longer structs, and fields in arrays of their own.
std::vector<LayoutChange> layoutsOfStructs(const SharedArray &Array);

/// Bytes to skip: as long as the widest access, which stays aligned, as it is
/// written, or as the compiler has merged it.
std::set<std::int64_t> gapsThatKeepWhole(const SharedArray &Array,
                                         std::int64_t Element);

/// Bytes between gaps of \p Unit bytes. A row of the banks first: it is what
/// people know, and wins among equals; then what takes less memory.
std::array<std::int64_t, 5> gapDistances(const SharedArray &Array,
                                         std::int64_t Unit);

struct LayoutRemedy {
  LayoutChange Change;
  RemedyEffect Effect;
  /// Shared memory that the instances of the array need more, the one that
  /// grows least and the one that grows most: one edit of the source is for all
  /// of them. Effect is of the first user's alone.
  std::uint64_t LeastMoreBytes = 0, MostMoreBytes = 0;
  bool IsComplete = false; ///< No access to the array conflicts then.
  /// Some access costs more, and nobody knows how often it is made: Effect is
  /// no sum of all.
  bool IsTrade = false;
};

/// Of \p Changes the one under which the users of \p Array need the least of
/// the wavefronts that they need now; the first among equals. What it does for
/// the first user is told. Left out is what
/// - faults: an access loses its alignment, or is torn apart;
/// - costs any user more, or an access where it is not known how often it is
///   made and loops do not save much more, or tears apart what the compiler
///   merged for little;
/// - needs more shared memory than a block may have, or costs some launch of a
///   user's a resident block.
/// Of layouts that gain about as much, one that leaves 16 bytes together which
/// a lane takes piece by piece.
std::optional<LayoutRemedy> bestLayout(const SharedArray &Array,
                                       std::vector<LayoutChange> Changes);

/// Whether \p Change saves a third of what \p A, an access of the first user's,
/// costs.
bool helps(const LayoutChange &Change, const SharedArray &Array,
           const Access &A);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_REMEDY_LAYOUTSEARCH_H
