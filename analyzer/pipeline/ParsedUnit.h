//===- analyzer/pipeline/ParsedUnit.h - A file after its parse --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The first step of the pipeline. Of a file, values are left of which none
/// refers to another or to Clang or LLVM: its index, which the other files
/// read, and what its own evaluation needs. So many files that wait for each
/// other take little memory.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_PIPELINE_PARSEDUNIT_H
#define CUDA_LINT_ANALYZER_PIPELINE_PARSEDUNIT_H

#include "analyzer/frontend/Frontend.h"
#include "analyzer/frontend/SourceFacts.h"
#include "analyzer/frontend/SourcePlaces.h"
#include "analyzer/launch/Launch.h"
#include "analyzer/pipeline/AnalysisSettings.h"
#include "analyzer/pipeline/LaunchAssignment.h"
#include "analyzer/pipeline/Trials.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace cudalint {

struct UnitOptions : AnalysisSettings {
  FrontendOptions Frontend; ///< Its Arch is that of all Gpus.
  /// All of one compute capability, and with as many SMs.
  std::vector<Target> Gpus;
  /// Launches in place of those in the source; null when none are given.
  const LaunchAssignment *Listed = nullptr;
  /// What the compiler made of the file of that index, which may still run:
  /// waits. Empty when nothing is compiled.
  std::function<const FileResources *(std::size_t)> Compiled;
  BoundedCompiler Tried;  ///< Of the same file. May be empty.
  bool HasOneFile = true; ///< No other file's code calls this one's.
};

/// A file after its parse.
struct ParsedUnit {
  /// What it tells the others. To be moved to theirs: evaluateUnit() does not
  /// look for it here.
  UnitIndex Index;

  UnitStatus Status = UnitStatus::Failed;
  std::vector<ErrorRecord> Errors;
  /// Clang's diagnostics, or ours where the parse did not begin.
  std::string Diagnostics;
  /// The device code, canonical, as bitcode; empty where no kernel is. Many
  /// times smaller than the module, which a reader makes again in no time.
  std::string Bitcode;
  SourceFacts Facts;
  IncludeStacks Includes;
  std::vector<SourceRecord> Sources; ///< Of all the user's files.
  /// Kernel templates that have a definition and no instantiation.
  std::vector<KernelDeclaration> UninstantiatedTemplates;
  std::optional<std::uint64_t> MaxRegisters; ///< As in KernelModel.
  bool IsForOneArchitecture = false;         ///< The same.
  /// What ptxas made of Clang's code, where that was asked for.
  std::optional<FileResources> Assembled;
  /// Of the checks that read the source, for each GPU.
  std::vector<std::vector<Finding>> SourceFindings;
  /// Whether the compiler's code of the file is of any use: there are kernels,
  /// and nothing that no compiler can read.
  bool NeedsCompiler = false;

  /// A file that could not be parsed at all, for the reason \p Message.
  static ParsedUnit failed(const std::string &File, std::string Message,
                           ErrorKind Kind = ErrorKind::Source);
  /// The same in the words for a file that is not there.
  static ParsedUnit unreadable(const std::string &File, std::string Message,
                               ErrorKind Kind = ErrorKind::Source);

  /// Its device code once more; null where there is no kernel.
  std::unique_ptr<llvm::Module> module(llvm::LLVMContext &Context) const;
  /// Those of its files in which kernels of \p Unit, their accesses, or
  /// findings stand.
  std::vector<SourceRecord> sourcesOf(const UnitRecord &Unit) const;
};

/// What parseUnit() was at, should it crash.
struct ParseProgress {
  enum class Step : std::uint8_t {
    Clang,      ///< The parse and the generation of code, which are Clang's.
    SourceTree, ///< What we read in the AST, the checks' part included.
    DeviceCode, ///< What we do to the code.
  };

  Step At = Step::Clang;
  std::string Stopped; ///< As parseCuda() says it.
};

/// \p Program is what is known of the whole program; null before all its files
/// have been parsed.
ParsedUnit parseUnit(const CompileJob &Job, const UnitOptions &Options,
                     ParseProgress &Progress,
                     const WholeProgram *Program = nullptr);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_PIPELINE_PARSEDUNIT_H
