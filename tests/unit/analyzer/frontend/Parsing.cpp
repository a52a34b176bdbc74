//===- tests/unit/analyzer/frontend/Parsing.cpp - Parses for tests --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/frontend/Parsing.h"

#include "tests/mock/MockCuda.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CallingConv.h"

namespace cudalint::test {

std::vector<std::string> Parsed::kernels() const {
  std::vector<std::string> Names;
  if (Result.Module)
    for (const llvm::Function &F : *Result.Module)
      if (!F.isDeclaration() &&
          F.getCallingConv() == llvm::CallingConv::PTX_Kernel)
        Names.push_back(F.getName().str());
  llvm::sort(Names);
  return Names;
}

std::vector<std::string> Parsed::errors() const {
  std::vector<std::string> Lines;
  for (const ErrorRecord &E : Result.Errors)
    Lines.push_back(std::to_string(E.Where.Line) + ":" +
                    std::to_string(E.Where.Column) + ": " + E.Message);
  return Lines;
}

FrontendResult parseFile(const std::string &File, const ParseSetting &Setting,
                         llvm::LLVMContext &Context, const ReadAST &OnAST,
                         std::string *Stopped) {
  std::string Unused;
  return parseCuda({.File = File,
                    .Folder = {},
                    .Arguments = Setting.CompilerArguments,
                    .Files = overDisk(Setting.VirtualFiles, "")},
                   Setting, Context, OnAST, Stopped ? *Stopped : Unused);
}

Parsed parseWithToolkit(const std::string &Code, ParseSetting Options) {
  Options.VirtualFiles.emplace("input.cu", Code);
  Parsed P;
  P.Context = std::make_unique<llvm::LLVMContext>();
  P.Result = parseFile("input.cu", Options, *P.Context,
                       [&](clang::ASTContext &AST, auto &) {
                         ++P.Visits;
                         P.Facts = collectSourceFacts(AST);
                       });
  return P;
}

Parsed parse(const std::string &Code, ParseSetting Options) {
  Options.StandInHeader = mockCuda();
  return parseWithToolkit(Code, std::move(Options));
}

} // namespace cudalint::test
