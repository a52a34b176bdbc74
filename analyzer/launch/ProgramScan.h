//===- analyzer/launch/ProgramScan.h - Stores of a file ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_PROGRAMSCAN_H
#define CUDA_LINT_ANALYZER_LAUNCH_PROGRAMSCAN_H

#include "analyzer/launch/EffectSummary.h"
#include "analyzer/launch/ProgramPlaces.h"
#include "analyzer/launch/ProgramValues.h"

namespace cudalint {

/// What a file adds to ProgramValues, by the effects of its code. Every way in
/// which code of the user's may change a place counts as a store into it. Where
/// that cannot be told (its address is taken, bytes are copied over it, a
/// reference is bound), the store is one of an unknown value.
ProgramFacts scanProgram(const clang::ASTContext &Context,
                         const UserFunctions &Functions,
                         const UnitEffects &Effects, ProgramPlaces &Places);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_PROGRAMSCAN_H
