//===- analyzer/tool/KeptFindings.h - Of a build, from before ---*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A build that is run again compiles much that is as it was: what was found
/// there is told again, and not looked for.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_TOOL_KEPTFINDINGS_H
#define CUDA_LINT_ANALYZER_TOOL_KEPTFINDINGS_H

#include "analyzer/pipeline/Pipeline.h"
#include "analyzer/resources/ResourceCache.h"
#include "analyzer/tool/Options.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"

#include <memory>
#include <optional>
#include <set>
#include <string>

namespace cudalint {

/// The findings of one launched build, kept in the folder that also keeps what
/// nvcc printed, for as long as all that they come from is the same: this
/// program, the command, the options, the configuration, every file that was
/// read, and the machine code that the build made.
class KeptFindings {
public:
  /// \p Settings is all that holds besides the options, as
  /// dumpConfiguration() writes it. Keeps nothing and finds nothing where the
  /// run is no launched build, or asks for more than its findings.
  KeptFindings(const Options &Run, const std::string &Settings);
  ~KeptFindings();

  /// What was found before; waits for the compiler of the build. Nothing where
  /// something has changed.
  std::optional<AnalysisResult> find();

  /// The files on disk, for the jobs of a run: which of them are read is
  /// remembered. Null: nothing is kept.
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files();

  /// Keeps \p Result, what was found of the files of files().
  void keep(const AnalysisResult &Result);

private:
  struct Record;

  const Options &Run;
  std::string Key; ///< Empty: nothing is kept.
  ResourceCache Cache;
  std::chrono::system_clock::time_point Start;
  std::shared_ptr<Record> Read;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_TOOL_KEPTFINDINGS_H
