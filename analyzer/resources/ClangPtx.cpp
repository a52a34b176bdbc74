//===- analyzer/resources/ClangPtx.cpp - Clang's code for ptxas -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/resources/ClangPtx.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <mutex>
#include <set>

using namespace llvm;

namespace cudalint {

static std::string attributeOf(const Module &M, StringRef Name) {
  for (const Function &F : M)
    if (!F.isDeclaration() && F.hasFnAttribute(Name))
      return F.getFnAttribute(Name).getValueAsString().str();
  return "";
}

std::string architectureOf(const Module &M) {
  return attributeOf(M, "target-cpu");
}

static std::unique_ptr<TargetMachine> makeMachine(const Module &M,
                                                  std::string &Error) {
  static std::once_flag Once;
  std::call_once(Once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
  const llvm::Target *Target =
      TargetRegistry::lookupTarget(M.getTargetTriple(), Error);
  if (!Target)
    return nullptr;
  return std::unique_ptr<TargetMachine>(Target->createTargetMachine(
      M.getTargetTriple(), architectureOf(M), attributeOf(M, "target-features"),
      TargetOptions(), std::nullopt, std::nullopt,
      CodeGenOptLevel::Aggressive));
}

/// Adds what is called of the mathematical functions, for this module alone.
static bool linkLibdevice(Module &M, const std::string &File,
                          std::string &Error) {
  bool Needed = any_of(M, [](const Function &F) {
    return F.isDeclaration() && F.getName().starts_with("__nv_");
  });
  if (!Needed)
    return true;
  SMDiagnostic Fault;
  std::unique_ptr<Module> Library =
      getLazyIRFileModule(File, Fault, M.getContext());
  if (!Library) {
    Error = "cannot read '" + File + "': " + Fault.getMessage().str();
    return false;
  }
  Library->setTargetTriple(M.getTargetTriple());
  Library->setDataLayout(M.getDataLayout());
  std::set<std::string> Own;
  for (const Function &F : M)
    if (!F.isDeclaration())
      Own.insert(F.getName().str());
  if (Linker::linkModules(M, std::move(Library),
                          Linker::Flags::LinkOnlyNeeded)) {
    Error = "cannot link '" + File + "'";
    return false;
  }
  for (Function &F : M)
    if (!F.isDeclaration() && !Own.contains(F.getName().str())) {
      F.setLinkage(GlobalValue::InternalLinkage);
      F.removeFnAttr("target-cpu");
      F.removeFnAttr("target-features");
    }
  return true;
}

static void optimise(Module &M, TargetMachine &Machine) {
  LoopAnalysisManager Loops;
  FunctionAnalysisManager Functions;
  CGSCCAnalysisManager CGSCCs;
  ModuleAnalysisManager Modules;
  PassBuilder Builder(&Machine);
  Builder.registerModuleAnalyses(Modules);
  Builder.registerCGSCCAnalyses(CGSCCs);
  Builder.registerFunctionAnalyses(Functions);
  Builder.registerLoopAnalyses(Loops);
  Builder.crossRegisterProxies(Loops, Functions, CGSCCs, Modules);
  Builder.buildPerModuleDefaultPipeline(OptimizationLevel::O3).run(M, Modules);
}

/// Keeps errors, which would otherwise end the program, and drops the rest,
/// which speaks of our compilation and not of the user's code.
namespace {
class ErrorKeeper : public DiagnosticHandler {
public:
  explicit ErrorKeeper(std::string &Error) : Error(Error) {}
  bool handleDiagnostics(const DiagnosticInfo &Info) override {
    if (Info.getSeverity() == DS_Error && Error.empty()) {
      raw_string_ostream Stream(Error);
      DiagnosticPrinterRawOStream Printer(Stream);
      Info.print(Printer);
    }
    return true;
  }

private:
  std::string &Error;
};

/// While it lives, a context reports to an ErrorKeeper.
class ErrorScope {
public:
  ErrorScope(LLVMContext &Context, std::string &Error)
      : Context(Context), Former(Context.getDiagnosticHandler()) {
    Context.setDiagnosticHandler(std::make_unique<ErrorKeeper>(Error));
  }
  ~ErrorScope() { Context.setDiagnosticHandler(std::move(Former)); }

private:
  LLVMContext &Context;
  std::unique_ptr<DiagnosticHandler> Former;
};
} // namespace

std::optional<std::string> emitPtx(const Module &Source,
                                   const std::string &Libdevice,
                                   std::string &Error) {
  ErrorScope Errors(Source.getContext(), Error);
  std::unique_ptr<Module> M = CloneModule(Source);
  StripDebugInfo(*M);
  std::unique_ptr<TargetMachine> Machine = makeMachine(*M, Error);
  if (!Machine)
    return std::nullopt;
  M->setDataLayout(Machine->createDataLayout());
  if (!linkLibdevice(*M, Libdevice, Error))
    return std::nullopt;
  optimise(*M, *Machine);
  SmallString<0> Text;
  raw_svector_ostream Stream(Text);
  legacy::PassManager Emit;
  if (Machine->addPassesToEmitFile(Emit, Stream, nullptr,
                                   CodeGenFileType::AssemblyFile)) {
    Error = "this LLVM cannot write PTX";
    return std::nullopt;
  }
  Emit.run(*M);
  if (!Error.empty())
    return std::nullopt;
  return Text.str().str();
}

} // namespace cudalint
