//===- analyzer/launch/OwnAllocations.h - Pointers apart --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which launches pass pointers that lead to different allocations, and whether
/// other files may launch a kernel with others.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_OWNALLOCATIONS_H
#define CUDA_LINT_ANALYZER_LAUNCH_OWNALLOCATIONS_H

#include "analyzer/launch/HostEvaluator.h"
#include "analyzer/launch/KernelDeclarations.h"

#include <vector>

namespace cudalint {

/// As Launch::HasOwnAllocations.
bool hasOwnAllocations(const clang::FunctionDecl &Kernel,
                       const LaunchVisit &Visit, const ValueFactory &Values);

/// The host code of a file, and what runs it.
struct HostProgram {
  HostEvaluator &Evaluator;
  const HostCode &Code;
  const UserFunctions &Functions;
  const LinkageNames &Names;
  const ValueFactory &Values;
};

/// Other files may call the functions of this one, too: where one of these may
/// launch a kernel on memory that is not known, it is not this file alone that
/// does (KernelDeclaration::IsOfFileAlone). Looks at those that can be
/// restricted.
void noteOutsideLaunches(const HostProgram &Of,
                         std::vector<KernelDeclaration> &Kernels);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_OWNALLOCATIONS_H
