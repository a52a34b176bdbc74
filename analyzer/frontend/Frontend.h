//===- analyzer/frontend/Frontend.h - From a CUDA file to AST and IR ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One device-side parse of one CUDA file gives both halves that the analysis
/// needs: the AST, which still holds the host code and its launches, and the
/// device LLVM IR of the same translation unit.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FRONTEND_FRONTEND_H
#define CUDA_LINT_ANALYZER_FRONTEND_FRONTEND_H

#include "analyzer/frontend/CompileJob.h"
#include "analyzer/frontend/Repairs.h"
#include "hardware/Architecture.h"
#include "report/Document.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
} // namespace clang
namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace cudalint {

struct FrontendOptions {
  std::string CudaPath; ///< Empty: CUDA_PATH, nvcc on PATH, /usr/local/cuda.
  /// Behind the user's arguments, as Clang takes them: what nvcc adds by
  /// itself.
  std::vector<std::string> Added;
  const Architecture *Arch = nullptr; ///< Sets __CUDA_ARCH__ as near as it can.
  bool UseColour = false;
  unsigned Width = 0; ///< Of the terminal, for Clang's messages; 0: unlimited.
  /// When not empty, stands for all the headers of the toolkit, which is then
  /// not looked for: a test's own declarations of `__global__` and the like.
  std::string StandInHeader;
};

/// A toolkit on this machine, or why there is none: names the places that were
/// looked at.
struct ToolkitLookup {
  std::string Path; ///< Empty when there is none.
  std::string Error;
  std::string Note; ///< Which folder of the environment was passed over.
};
ToolkitLookup findToolkit(const std::string &CudaPath);

/// What one parse gave.
struct FrontendResult {
  UnitStatus Status = UnitStatus::Failed;
  std::vector<ErrorRecord> Errors; ///< In the user's code; also printed.
  std::string Diagnostics;         ///< Clang's own text of them, for stderr.
  std::unique_ptr<llvm::Module> Module; ///< Null when Status is Failed.
  /// A `constexpr` function that device code calls and that is none of the
  /// device, `'n::f' (a.h:3)`: nvcc needs an option for those. Empty: there is
  /// none, or the option, or the tree was another compiler's.
  std::string ConstexprOfHost;
  /// Some file that is there could not be opened: no compiler gets further.
  bool MetClosedFile = false;
};

/// Called while the AST is alive, with the errors that were met on the way.
using ReadAST = std::function<void(clang::ASTContext &AST,
                                   const std::vector<Problem> &Errors)>;

/// Parses \p Job's file. \p OnAST is called once, when there is anything in it
/// worth reading. Reads files, writes nothing. Clang
/// may crash; where it is made to end, because the source goes beyond all
/// limits, it leaves the innermost CrashRecoveryContext and \p Stopped says
/// why.
FrontendResult parseCuda(const CompileJob &Job, const FrontendOptions &Options,
                         llvm::LLVMContext &Context, const ReadAST &OnAST,
                         std::string &Stopped);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FRONTEND_FRONTEND_H
