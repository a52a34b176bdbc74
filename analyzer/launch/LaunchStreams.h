//===- analyzer/launch/LaunchStreams.h - Launches side by side --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_LAUNCHSTREAMS_H
#define CUDA_LINT_ANALYZER_LAUNCH_LAUNCHSTREAMS_H

#include "analyzer/launch/HostCode.h"

#include <set>

namespace clang {
class ASTContext;
} // namespace clang

namespace cudalint {

/// Which launches go into one of several streams, so that those of
/// the others may run beside them on the same GPU.
///
/// The stream is an element that only the run chooses: `streams[i]`. There is
/// nothing beside it where each stream is of another GPU, as `cudaSetDevice(i)`
/// before it tells, or where each turn of the loop that goes through the
/// streams waits for what it launches: for the GPU, the stream, or an event
/// that is recorded behind it, or by a copy in the legacy default stream, where
/// the streams are seen to be made by cudaStreamCreate(). Errs towards several.
class LaunchStreams {
public:
  LaunchStreams(const clang::ASTContext &Context, const HostCode &Code,
                const UnitEffects &Effects);

  bool isOneOfSeveral(const clang::CallExpr &Site) const {
    return Several.contains(&Site);
  }

private:
  std::set<const clang::CallExpr *> Several;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_LAUNCHSTREAMS_H
