//===- analyzer/remedy/SharedArray.h - All that it is used for --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An array in shared memory with all that the kernels of its file do with it,
/// under every name, cast and width: what another layout is judged by.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_REMEDY_SHAREDARRAY_H
#define CUDA_LINT_ANALYZER_REMEDY_SHAREDARRAY_H

#include "analyzer/model/KernelModel.h"
#include "analyzer/model/LanePattern.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace cudalint {

struct SharedArray {
  /// What one kernel does with it in blocks of one shape.
  struct User {
    const KernelModel *Kernel = nullptr;
    std::uint64_t Bytes = 0; ///< Of its instance; 0: as the launch says.
    /// Bytes per lane of the widest access that is written to its variable: 16
    /// at most.
    std::int64_t Widest = 1;
    std::vector<const Access *> Accesses; ///< With numbers and samples.

    bool operator==(const User &) const = default;
  };

  std::string Name;                    ///< As the user writes it; may be empty.
  std::vector<std::string> OtherNames; ///< Of pointers into it.
  /// Of references to it, whose types have its dimensions, too.
  std::vector<std::string> OtherDeclarations;
  /// Of pointers that carve it up, of which all is known: each access through
  /// them is among those of the users.
  std::vector<std::string> Pointers;
  std::optional<ArrayFact> Declared; ///< Its shape, where it is known.
  bool IsDynamic = false;            ///< The launch gives its memory.
  /// A pointer leads to it, and others to the rest of a variable of the kernel.
  bool IsPart = false;
  std::int64_t Begin = 0;  ///< Of a part: bytes from the begin of the variable.
  std::vector<User> Users; ///< The one that is asked about first.
  std::int64_t Widest = 1; ///< Of all users.
  /// Every access is where its indices say, one for each dimension, whatever
  /// type it has: rows may lie anywhere.
  bool IsIndexedByRows = true;
  /// Of an access whose last index may run over the rows, `tile[0][i]`: what is
  /// written there. Empty: there is none.
  std::string OverRows;
  /// That is so in blocks that were assumed: wider ones might run over them.
  bool RestsOnBlock = false;
  /// wmma takes lines of it: they must stay whole, and equally far apart.
  bool HasMatrices = false;
  bool HasUnknown = false; ///< Some access costs what nobody knows.
  /// Every access names all dimensions, also what no evaluated block comes to:
  /// its declaration alone says where its elements are.
  bool IsNamedInFull = true;
  /// Why nobody can tell what another layout would do, a phrase; else empty.
  std::string Obstacle;
  /// That is so only because some access has an address that is written as no
  /// element: of ldmatrix, in assembly.
  bool IsByAddress = false;

  /// Whether all users declare the same rows. EXPECTS: Declared.
  bool hasOneShape() const;
  /// Whether an index into a pointer may have gaps after every \p Run elements
  /// of its own: each pointer begins at a multiple, in the source.
  bool suits(std::uint64_t Run) const;

  /// Whether the compiler takes several elements at once. Of an index to which
  /// a quotient of itself is added it no longer knows that they are neighbours.
  bool mergesElements() const;

  bool operator==(const SharedArray &) const = default;
};

/// The declared array that \p A is to an element of, by its name or through a
/// pointer that carves it up; null where that is not known.
const ArrayFact *declarationOf(const Access &A);

/// The one that \p A, an access of \p K with samples, is to. Of what is carved
/// from `extern __shared__` memory, the accesses under one name are taken for
/// an array, which all of the memory's accesses must suit in width.
SharedArray sharedArrayOf(const KernelModel &K, const Access &A);

/// All of the memory that the function carves up by pointers, under all of
/// their names; empty where \p A is to none, or some access is to it in another
/// way.
std::optional<SharedArray> carvedArrayOf(const KernelModel &K, const Access &A);

/// The part of a static variable that one pointer leads to, where what other
/// pointers lead to is beside it: all of one kernel. Empty where that is not
/// so, or not known.
std::optional<SharedArray> sharedPartOf(const KernelModel &K, const Access &A);

/// What all accesses of one user cost.
struct ArrayCost {
  double Wavefronts = 0, Ideal = 0;
  /// Wavefronts, if what is not counted made a few turns of its loops: to weigh
  /// accesses against each other.
  double Weighed = 0;
  std::vector<double> Each;         ///< Wavefronts of a request of each access.
  std::vector<unsigned> LoopDepths; ///< Of each access.
  /// An access that only the compiler made of several is those again.
  bool IsTorn = false;
  /// Both are those of one block; else of one warp, each loop that is not
  /// counted turning once.
  bool IsOfBlock = true;

  bool isFree() const { return Wavefronts <= Ideal * 1.0001; }
};

/// Where the elements of an array lie, by whoever uses it: instances of a
/// template have other dimensions.
using LayoutFor =
    std::function<Layout(const SharedArray::User &, const Access &)>;

/// Under \p New, or as it is. Empty where an access would be torn apart or lose
/// the alignment that it has: a fault.
std::optional<ArrayCost> costOf(const SharedArray::User &User,
                                const LayoutFor &New = nullptr);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_REMEDY_SHAREDARRAY_H
