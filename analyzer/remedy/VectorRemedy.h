//===- analyzer/remedy/VectorRemedy.h - Pieces of vectors -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Vectors in which a lane can take at once what it takes piece by piece. They
/// are told by the number of elements: of a template, each instance has
/// elements of its own type.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_REMEDY_VECTORREMEDY_H
#define CUDA_LINT_ANALYZER_REMEDY_VECTORREMEDY_H

#include "analyzer/remedy/GroupRemedy.h"

#include <cstdint>
#include <optional>

namespace cudalint {

/// No instruction takes more of a lane, in bytes: PTX ISA, "Vectors".
constexpr std::int64_t WidestVector = 16;

/// The widest vector, in bytes, of which each lane takes all pieces by the
/// members of \p G, or loads all but one of four; 0 when there is none, as for
/// the three bytes of a uchar3.
std::int64_t vectorBytes(const AccessGroup &G, const LanePattern &P);

/// To take them in vectors; empty where no vector has room for the pieces. What
/// is aligned only as a size is taken to be a multiple of 32 is a condition of
/// it.
Phrase asVector(const AccessGroup &G, const LanePattern &P);

/// The same of what other accesses of \p K take with \p A, such as bytes 0 to 3
/// of a pixel, of which `A` is to one that only the run decides.
Phrase asVectorOfOthers(const KernelModel &K, const Access &A,
                        const LanePattern &P);

/// Vectors that a lane can be seen to fill in the turns of a loop, or in the
/// members of \p G; empty where there is none.
Phrase turnsAsVectors(const Architecture &Arch, const AccessGroup &G,
                      const LanePattern &P);

/// Of lanes that walk along a row each, however long: to load several of its
/// elements at once, which leaves the sectors and saves requests. Empty where
/// the turns that were kept do not show that they could.
Phrase rowAsVectors(const AccessGroup &G, const LanePattern &P);

/// Whether lanes take runs of aligned 16 bytes in the requests of \p A that
/// were kept, each a piece of them: vectors that a compiler may make, if it has
/// not, or else the user.
bool takesRuns(const Access &A);

/// To take such runs of shared memory in vectors, where that costs less by more
/// than an edit is worth; else empty.
Phrase runsAsVectors(const Architecture &Arch, const Access &A);

/// Whether one instruction loads and stores the whole of the struct, as a
/// uchar4 or a __half2.
bool isOneVector(const FieldFact &Field);

/// What helps \p A of \p K, which is to a field of such a struct, one of those
/// that \p G takes: to take the whole; in words that are empty, nothing does.
/// Empty where a struct of the user's may as well be laid out otherwise.
std::optional<GroupRemedy>
wholeVectorRemedy(const KernelModel &K, const Access &A, const AccessGroup &G);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_REMEDY_VECTORREMEDY_H
