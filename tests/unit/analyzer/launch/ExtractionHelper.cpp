//===- tests/unit/analyzer/launch/ExtractionHelper.cpp - Tests ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/launch/ExtractionHelper.h"

#include "analyzer/launch/FieldArrays.h"
#include "analyzer/launch/LaunchExtractor.h"
#include "tests/mock/MockCuda.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceManager.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include <gtest/gtest.h>

namespace cudalint::test {

static const std::vector<std::string> Arguments = {"-xcuda",
                                                   "--cuda-device-only",
                                                   "-nocudainc",
                                                   "-nocudalib",
                                                   "--cuda-gpu-arch=sm_90",
                                                   "-std=c++17",
                                                   "-w",
                                                   "-resource-dir",
                                                   CLANG_RESOURCE_DIR,
                                                   "-include",
                                                   "mock_cuda.h"};

namespace {
class ErrorPlaces : public clang::DiagnosticConsumer {
public:
  std::vector<Problem> All;

  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override {
    if (Level >= clang::DiagnosticsEngine::Error && Info.hasSourceManager())
      All.push_back({Info.getID(), Info.getSourceManager().getExpansionLoc(
                                       Info.getLocation())});
  }
};
} // namespace

/// Those of the last parse. The tree refers to it.
static ErrorPlaces &errors() {
  static ErrorPlaces Only;
  return Only;
}

static std::unique_ptr<clang::ASTUnit> parse(const std::string &Code,
                                             bool MayFail) {
  errors().All.clear();
  // The tree refers to the text.
  static const clang::tooling::FileContentMappings Mock = {
      {"mock_cuda.h", mockCuda()}};
  std::unique_ptr<clang::ASTUnit> Unit =
      clang::tooling::buildASTFromCodeWithArgs(
          Code, Arguments, "input.cu", "clang-tool",
          std::make_shared<clang::PCHContainerOperations>(),
          clang::tooling::getClangStripDependencyFileAdjuster(), Mock,
          MayFail ? &errors() : nullptr);
  if (!Unit)
    ADD_FAILURE() << "no AST";
  else
    EXPECT_EQ(Unit->getDiagnostics().hasErrorOccurred(), MayFail) << Code;
  return Unit;
}

LaunchFacts extract(const std::string &Code, bool MayFail,
                    const WholeProgram *Program) {
  return extractOn("sm_90", Code, MayFail, Program);
}

LaunchFacts extractOn(const std::string &Gpu, const std::string &Code,
                      bool MayFail, const WholeProgram *Program) {
  const std::unique_ptr<clang::ASTUnit> Unit = parse(Code, MayFail);
  if (!Unit)
    return {};
  return extractLaunches(Unit->getASTContext(), parseTarget(Gpu).value(),
                         /*IsAlone=*/false, Program, errors().All);
}

SourceFacts sourceFacts(const std::string &Code, bool MayFail) {
  const std::unique_ptr<clang::ASTUnit> Unit = parse(Code, MayFail);
  if (!Unit)
    return {};
  SourceFacts Facts = collectSourceFacts(Unit->getASTContext());
  addFieldArrays(Unit->getASTContext(), Facts);
  return Facts;
}

std::vector<LaunchFacts> extractProgram(const std::vector<std::string> &Files) {
  std::vector<LaunchFacts> Result;
  for (const std::string &Each : Files)
    Result.push_back(extract(Each));
  std::vector<const ProgramFacts *> Facts;
  for (const LaunchFacts &Each : Result)
    Facts.push_back(&Each.Program);
  const WholeProgram Program = wholeProgram(Facts);
  for (std::size_t I = 0; I != Files.size(); ++I)
    Result[I] = extract(Files[I], /*MayFail=*/false, &Program);
  return Result;
}

LaunchFacts extractMain(const std::string &Body) {
  return extract("__global__ void a(int) {}\n__global__ void b(int) {}\n"
                 "int main(int argc, char **argv) {\n" +
                 Body + "\n}\n");
}

static std::string print(const Extent &Dimensions) {
  std::string Text;
  for (const auto &Each : Dimensions)
    Text += (Text.empty() ? "" : ",") + (Each ? std::to_string(*Each) : "?");
  return Text;
}

std::vector<std::string> shapes(const LaunchFacts &Facts) {
  std::vector<std::string> Shapes;
  for (const Launch &Each : Facts.Launches)
    Shapes.push_back(print(Each.Grid) + "|" + print(Each.Block));
  return Shapes;
}

std::vector<std::string> blocks(const LaunchFacts &Facts) {
  std::vector<std::string> Blocks;
  for (const Launch &Each : Facts.Launches)
    Blocks.push_back(print(Each.Block));
  return Blocks;
}

std::vector<std::string> shapesInMain(const std::string &Body) {
  return shapes(extractMain(Body));
}

std::vector<std::string> blocksInMain(const std::string &Body) {
  return blocks(extractMain(Body));
}

namespace {

class NameReader : public clang::EmitLLVMOnlyAction {
public:
  NameReader(llvm::LLVMContext &Context, std::vector<std::string> &Names)
      : EmitLLVMOnlyAction(&Context), Names(Names) {}

private:
  void EndSourceFileAction() override {
    EmitLLVMOnlyAction::EndSourceFileAction();
    if (std::unique_ptr<llvm::Module> Module = takeModule())
      for (const llvm::Function &Each : *Module)
        if (!Each.isDeclaration())
          Names.push_back(Each.getName().str());
  }

  std::vector<std::string> &Names;
};

} // namespace

std::vector<std::string> emittedNames(const std::string &Code) {
  std::vector<std::string> Names;
  llvm::LLVMContext Context;
  EXPECT_TRUE(clang::tooling::runToolOnCodeWithArgs(
      std::make_unique<NameReader>(Context, Names), Code, Arguments, "input.cu",
      "clang-tool", std::make_shared<clang::PCHContainerOperations>(),
      {{"mock_cuda.h", mockCuda()}}));
  return Names;
}

} // namespace cudalint::test
