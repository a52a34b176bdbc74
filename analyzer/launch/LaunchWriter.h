//===- analyzer/launch/LaunchWriter.h - Visits as launches ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// From what the evaluator met to what is known of a launch.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_LAUNCHWRITER_H
#define CUDA_LINT_ANALYZER_LAUNCH_LAUNCHWRITER_H

#include "analyzer/frontend/SteadyText.h"
#include "analyzer/launch/BlockSizes.h"
#include "analyzer/launch/HostSinks.h"
#include "analyzer/launch/KernelDeclarations.h"
#include "analyzer/launch/Launch.h"
#include "analyzer/launch/LaunchStreams.h"
#include "analyzer/launch/OptIns.h"

namespace cudalint {

/// Turns what the evaluator met into launches.
class LaunchWriter {
public:
  LaunchWriter(clang::ASTContext &Context, const LinkageNames &Names,
               const OptIns &Raises, const BlockSizes &Sizes,
               const LaunchStreams &Streams, ValueFactory &Values)
      : Context(Context), Names(Names), Raises(Raises), Sizes(Sizes),
        Streams(Streams), Values(Values), Steady(Context) {}

  Launch write(const LaunchVisit &Visit) const;

private:
  void writeKernel(const LaunchVisit &Visit, Launch &Into) const;
  void writeArguments(const LaunchVisit &Visit, Launch &Into) const;
  std::optional<LaunchSizes> usualSizes(const LaunchVisit &Visit) const;
  std::optional<Extent> usualGrid(const LaunchVisit &Visit) const;
  void assumeLarge(const LaunchVisit &Visit, Launch &Into) const;
  void notePointer(Value Argument, clang::QualType Type, unsigned Position,
                   Launch &Into) const;
  void noteFields(Value Object, clang::QualType Type, PassedField Where,
                  Launch &Into) const;
  std::string textOf(const clang::Expr &E) const;

  clang::ASTContext &Context;
  const LinkageNames &Names;
  const OptIns &Raises;
  const BlockSizes &Sizes;
  const LaunchStreams &Streams;
  ValueFactory &Values;
  const SteadyText Steady;
};

/// A declaration where there is no definition here.
const clang::FunctionDecl &definitionOf(const clang::FunctionDecl &Kernel);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_LAUNCHWRITER_H
