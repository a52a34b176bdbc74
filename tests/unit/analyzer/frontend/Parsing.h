//===- tests/unit/analyzer/frontend/Parsing.h - Parses for tests *- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_UNIT_ANALYZER_FRONTEND_PARSING_H
#define CUDA_LINT_TESTS_UNIT_ANALYZER_FRONTEND_PARSING_H

#include "analyzer/frontend/Frontend.h"
#include "analyzer/frontend/SourceFacts.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace cudalint::test {

/// One parse with all it gave. The context outlives the module in it.
/// Options of a parse and what its job has.
struct ParseSetting : FrontendOptions {
  std::vector<std::string> CompilerArguments;
  std::map<std::string, std::string> VirtualFiles;
};

struct Parsed {
  std::unique_ptr<llvm::LLVMContext> Context;
  FrontendResult Result;
  SourceFacts Facts;
  int Visits = 0; ///< Of the AST.

  /// Names of the kernels with a body, sorted.
  std::vector<std::string> kernels() const;
  /// The errors as `line:column: message`.
  std::vector<std::string> errors() const;
};

/// Parses `Code` as input.cu with the mock of CUDA's headers, or with those of
/// the toolkit.
/// Parses \p File. \p Stopped, if not null, outlives a crash.
FrontendResult parseFile(const std::string &File, const ParseSetting &Setting,
                         llvm::LLVMContext &Context, const ReadAST &OnAST,
                         std::string *Stopped = nullptr);

Parsed parse(const std::string &Code, ParseSetting Options = {});
Parsed parseWithToolkit(const std::string &Code, ParseSetting Options = {});

} // namespace cudalint::test

#endif // CUDA_LINT_TESTS_UNIT_ANALYZER_FRONTEND_PARSING_H
