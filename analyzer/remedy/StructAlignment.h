//===- analyzer/remedy/StructAlignment.h - Fewer words ----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_REMEDY_STRUCTALIGNMENT_H
#define CUDA_LINT_ANALYZER_REMEDY_STRUCTALIGNMENT_H

#include "analyzer/remedy/GroupRemedy.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace cudalint {

/// Lanes are whole structs of that size apart.
bool stepsOverStructs(const RequestSample &S, std::int64_t Size);

/// The alignment that lets the whole struct travel in words of that many
/// bytes; 0 when none would help or it has it already.
std::uint64_t usefulAlignment(const FieldFact &Field);

std::uint64_t roundUp(std::uint64_t Value, std::uint64_t Unit);

/// Bytes that the aligned struct takes for each that it takes now.
double growth(const FieldFact &Field, std::uint64_t Align);

/// What \p Align makes of \p Requests: \p Then.
Phrase alignmentEffect(const FieldFact &Field, std::uint64_t Align,
                       std::size_t Requests, std::size_t Then);

/// The alignment with which a copy of a whole struct takes a third fewer
/// requests; 0 when none does.
std::uint64_t alignmentOfCopy(const Access &A);

/// Of a struct that is copied as a whole, in pieces: an alignment with which
/// there are fewer of them, else arrays of its fields. Empty of all others.
std::optional<GroupRemedy> copyRemedy(const Access &A);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_REMEDY_STRUCTALIGNMENT_H
