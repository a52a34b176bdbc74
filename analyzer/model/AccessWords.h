//===- analyzer/model/AccessWords.h - How messages name things --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The words of messages about accesses, in one place so that all checks say
/// the same thing in the same way. Lower case, no full stop.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_MODEL_ACCESSWORDS_H
#define CUDA_LINT_ANALYZER_MODEL_ACCESSWORDS_H

#include "analyzer/model/KernelModel.h"
#include "analyzer/model/LanePattern.h"
#include "report/Phrase.h"

#include <string>
#include <string_view>

namespace cudalint {

/// `load of 'data[tid].x'`, or `load` where the source is not known.
std::string name(const Access &A);

/// `sectors` from 5.0 on, `transactions` before.
std::string_view globalUnit(const Architecture &Arch);

/// `neighbouring lanes are 12 bytes apart`; distances in words of 4 bytes
/// where `InWords` is set and they are whole.
Phrase describe(const LanePattern &P, bool InWords);

/// What comes before its cost: `up to ` where data decides which lanes take
/// part, `on average up to ` where turns then differ in it, too, `about ` where
/// not all turns of a loop were looked at and they differ; else empty.
std::string hedge(const Architecture &Arch, const Access &A);

/// ` in blocks of 32x8` where `IsOfShape` says that it must be told, as
/// KernelModel::hasSeveralShapes or costsByShape do; else empty.
std::string shapeNote(bool IsOfShape, const Access &A);

/// ` in some launches` where \p IsOfLaunch says that it must be told, as
/// KernelModel::costsByLaunch does; else empty.
std::string launchNote(bool IsOfLaunch);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_MODEL_ACCESSWORDS_H
