//===- runtime/tool/Predicting.h - What the linter says ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Predictions that were made before, and those that are made of sources after
/// the program ran, when its GPU is known.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_TOOL_PREDICTING_H
#define CUDA_LINT_RUNTIME_TOOL_PREDICTING_H

#include "report/Document.h"
#include "runtime/join/Profile.h"
#include "runtime/tool/Options.h"

#include <span>
#include <string>
#include <vector>

namespace cudalint {

/// Reads the predictions that \p Run names, and looks whether its sources can
/// be linted: what is wrong is said before a long run. Returns a message on
/// failure.
std::string readGiven(const Options &Run, std::vector<Document> &Out);

/// Lints the sources, if there are any, for the GPU that was measured. Returns
/// a message on failure.
std::string lintSources(const Options &Run, std::span<const Profile> Measured,
                        std::vector<Document> &Out);

/// The folders whose files predictions are compared with, or quote. They name
/// files, and may be anybody's: what they name is read where they are and where
/// the user is. What the user names himself is the user's: none, which is all.
std::vector<std::string> rootsOf(const Options &Run);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_TOOL_PREDICTING_H
