//===- analyzer/remedy/FieldEffect.h - What arrays save ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_REMEDY_FIELDEFFECT_H
#define CUDA_LINT_ANALYZER_REMEDY_FIELDEFFECT_H

#include "analyzer/model/KernelModel.h"
#include "report/Finding.h"

#include <optional>
#include <string>

namespace cudalint {

/// Whether it is one type: others may have its name.
inline bool isOfSameStruct(const FieldFact &A, const FieldFact &B) {
  return A.Struct == B.Struct && A.StructWhere == B.StructWhere;
}

/// True when the field alone, in an array of its own, takes much fewer sectors.
bool gainsAlone(const Architecture &Arch, const Access &A,
                const FieldFact &Field);

/// What the accesses of a warp to all fields of the struct cost, or to \p Only
/// one of them, and would cost if each field had an array of its own. Empty
/// where one of them is not understood, or goes to more than a field.
std::optional<RemedyEffect> effectOfArrays(const KernelModel &K,
                                           const Access &A,
                                           const FieldFact &Field,
                                           const std::string *Only);

/// Whether no access of \p K to the struct costs more if its fields have arrays
/// of their own, and each is understood.
bool gainsApart(const KernelModel &K, const FieldFact &Field);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_REMEDY_FIELDEFFECT_H
