//===- analyzer/pipeline/UnitAnalysis.h - From source to record -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The pipeline, in two steps: parseUnit() for every file of the run, then
/// evaluateUnit() for every file. Between the two, a file has become two
/// things: its index, which the others read, and a ParsedUnit, which nothing
/// but its own evaluation does.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_PIPELINE_UNITANALYSIS_H
#define CUDA_LINT_ANALYZER_PIPELINE_UNITANALYSIS_H

#include "analyzer/frontend/Frontend.h"
#include "analyzer/launch/Launch.h"
#include "analyzer/pipeline/AnalysisSettings.h"
#include "analyzer/pipeline/LaunchAssignment.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cudalint {

struct UnitOptions : AnalysisSettings {
  FrontendOptions Frontend; ///< Its Arch is that of all Gpus.
  std::vector<Target> Gpus; ///< All of one compute capability.
  /// Launches in place of those in the source; null when none are given.
  const LaunchAssignment *Listed = nullptr;
  /// What the compiler made of the file of that index, which may still run:
  /// waits. Empty when nothing is compiled.
  std::function<const FileResources *(std::size_t)> Compiled;
  bool HasOneFile = true; ///< No other file's code calls this one's.
};

/// A file after its parse, for its own evaluation. Owns LLVM's objects.
class ParsedUnit {
public:
  ParsedUnit();
  ~ParsedUnit();
  ParsedUnit(ParsedUnit &&) noexcept;
  ParsedUnit &operator=(ParsedUnit &&) noexcept;

  /// A file that could not be parsed at all, for the reason \p Message.
  static ParsedUnit failed(const std::string &File, std::string Message);
  /// The same in the words for a file that is not there.
  static ParsedUnit unreadable(const std::string &File, std::string Message);

  const std::string &file() const;
  /// What it tells the other files, once: moves it out.
  UnitIndex takeIndex();
  /// Clang's diagnostics, or ours where the parse did not begin.
  const std::string &diagnostics() const;
  UnitStatus status() const;
  /// Whether the compiler's code of the file is of any use: there are kernels,
  /// and nothing that no compiler can read.
  bool needsCompiler() const;

  struct State; ///< LLVM's part, known to the implementation only.
  State &state() { return *S; }
  const State &state() const { return *S; }

private:
  std::unique_ptr<State> S;
};

/// How far parseUnit() came, should it crash.
struct ParseProgress {
  bool IsParsed = false;
  std::string Stopped; ///< As parseCuda() says it.
};

/// \p Program is what is known of the whole program; null before all its files
/// have been parsed.
ParsedUnit parseUnit(const CompileJob &Job, const UnitOptions &Options,
                     ParseProgress &Progress,
                     const WholeProgram *Program = nullptr);

struct UnitResult {
  UnitRecord Record;
  /// What is worth saying about the file but no finding, each with its place:
  /// `a.cu:4:8: kernel template 'k' is never instantiated`.
  std::vector<std::string> Notes;
  std::string Explanations; ///< Of the accesses that were asked about.
  std::size_t Kernels = 0;  ///< Defined in the file, evaluated or not.
};

/// Evaluates \p Parsed, whose index is `Units[Home]`, for
/// `Options.Gpus[Gpu]`. Launches come from the indexes of all files. A kernel
/// that crashes the evaluation costs that kernel only.
UnitResult evaluateUnit(const ParsedUnit &Parsed,
                        std::span<const UnitIndex> Units, std::size_t Home,
                        const UnitOptions &Options, std::size_t Gpu);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_PIPELINE_UNITANALYSIS_H
