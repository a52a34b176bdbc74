//===- analyzer/pipeline/ParsedUnit.cpp - A file after its parse ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/pipeline/ParsedUnit.h"

#include "analyzer/frontend/Diagnostics.h"
#include "analyzer/ir/Canonicalise.h"
#include "analyzer/ir/LongCode.h"
#include "analyzer/launch/FieldArrays.h"
#include "analyzer/launch/LaunchExtractor.h"
#include "analyzer/resources/NvccArguments.h"
#include "report/TerminalText.h"

#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <fmt/format.h>
#include <iterator>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>
#include <set>
#include <string_view>

namespace cudalint {

ParsedUnit ParsedUnit::failed(const std::string &File, std::string Message,
                              ErrorKind Kind) {
  ParsedUnit Unit;
  Unit.Index.File = File;
  Unit.Diagnostics = fmt::format("{}: error: {}\n", File, Message);
  Unit.Errors.push_back(
      {.Where = {.File = File}, .Message = std::move(Message), .Kind = Kind});
  return Unit;
}

ParsedUnit ParsedUnit::unreadable(const std::string &File, std::string Message,
                                  ErrorKind Kind) {
  ParsedUnit Unit = failed(File, std::move(Message), Kind);
  Unit.Diagnostics =
      fmt::format("error: '{}' {}\n", File, Unit.Errors.front().Message);
  return Unit;
}

/// What `-maxrregcount` of nvcc says; it takes 0 for no limit.
static std::optional<std::uint64_t>
maxRegisters(const std::vector<std::string> &Arguments) {
  std::uint64_t Number = 0;
  if (llvm::StringRef(registerLimit(Arguments)).getAsInteger(10, Number) ||
      Number == 0)
    return std::nullopt;
  return Number;
}

/// Errors and nothing of CUDA: prose, or another language.
static bool holdsNothing(const ParsedUnit &Unit) {
  return Unit.Index.Kernels.empty() && Unit.Index.Launches.empty() &&
         Unit.UninstantiatedTemplates.empty();
}

/// Kernels that are too long are errors: nothing is said of their accesses.
static void addLongKernels(const llvm::Module &Module, unsigned Width,
                           ParsedUnit &Unit) {
  for (const KernelDeclaration &Kernel : Unit.Index.Kernels) {
    const llvm::Function *Code = Module.getFunction(Kernel.Name);
    const std::optional<std::uint64_t> Accesses =
        Code ? accessesLeftOut(*Code) : std::nullopt;
    if (!Accesses)
      continue;
    std::string Message = fmt::format(
        "kernel '{}' makes {} accesses of memory, more than the {} that are "
        "evaluated: none of them was; split the kernel, or lint a shorter one "
        "of the same generator",
        Kernel.Signature, *Accesses, MostAccessesOfKernel);
    Unit.Status = UnitStatus::Partial;
    Unit.Diagnostics +=
        wrapped(fmt::format("{}:{}:{}: error: {}", Kernel.Where.File,
                            Kernel.Where.Line, Kernel.Where.Column, Message),
                0, Width) +
        "\n";
    Unit.Errors.push_back({Kernel.Where, std::move(Message)});
  }
}

/// Clang passes on what __launch_bounds__ says, but not __maxnreg__.
static void limitRegisters(const ParsedUnit &Unit, llvm::Module &Module) {
  for (const KernelDeclaration &Kernel : Unit.Index.Kernels)
    if (llvm::Function *Code = Module.getFunction(Kernel.Name);
        Code && Kernel.MaxRegisters.value_or(0) > 0)
      Code->addFnAttr("nvvm.maxnreg", std::to_string(*Kernel.MaxRegisters));
}

static std::string bitcodeOf(const llvm::Module &Module) {
  std::string Bytes;
  llvm::raw_string_ostream Out(Bytes);
  // The order in which uses stand is part of what is evaluated.
  llvm::WriteBitcodeToFile(Module, Out, /*ShouldPreserveUseListOrder=*/true);
  return Bytes;
}

/// nvcc says it itself, but as a warning where the caller is for the host, too.
static std::string noteOfConstexpr(const std::string &File,
                                   const std::string &Function,
                                   unsigned Width) {
  return wrapped(fmt::format("{}: note: device code calls {}, a constexpr "
                             "function of the host: nvcc's code does what it "
                             "says only with --expt-relaxed-constexpr; if your "
                             "build gives that, give it behind --, too",
                             File, Function),
                 0, Width) +
         "\n";
}

ParsedUnit parseUnit(const CompileJob &Job, const UnitOptions &Options,
                     ParseProgress &Progress, const WholeProgram *Program) {
  ParsedUnit Unit;
  Unit.MaxRegisters = maxRegisters(Job.Arguments);
  Unit.IsForOneArchitecture =
      nvccArchitecture(Options.Gpus.front().Arch->CC, Job.Arguments)
          .ends_with('a');
  Unit.SourceFindings.resize(Options.Gpus.size());
  using enum ParseProgress::Step;
  auto readAST = [&](clang::ASTContext &AST,
                     const std::vector<Problem> &Errors) {
    Progress.At = SourceTree;
    LaunchFacts Launches = extractLaunches(AST, Options.Gpus.front(),
                                           Options.HasOneFile, Program, Errors);
    Unit.UninstantiatedTemplates = std::move(Launches.UninstantiatedTemplates);
    Unit.Index = std::move(Launches);
    Unit.Facts = collectSourceFacts(AST);
    addFieldArrays(AST, Unit.Facts);
    Unit.Includes = includeStacksOf(AST);
    Unit.Sources = sourcesOf(AST);
    // After a fatal error, which is that of too many, Clang tells of none.
    const bool HasHeaders =
        !missesHeader(Errors) && !AST.getDiagnostics().hasFatalErrorOccurred();
    for (std::size_t I = 0; I != Options.Gpus.size(); ++I)
      for (const Check *Each : Options.Checks) {
        if (Each->info().NeedsHeaders && !HasHeaders)
          continue;
        FindingSink Sink(Each->info(), Unit.SourceFindings[I],
                         Options.valuesOf(Job.File));
        Each->checkSource(AST, Options.Gpus[I], Sink);
      }
    Progress.At = Clang;
  };
  llvm::LLVMContext Context;
  FrontendResult Parse =
      parseCuda(Job, Options.Frontend, Context, readAST, Progress.Stopped);
  Progress.At = DeviceCode;
  Unit.Index.File = Job.File;
  Unit.Status = Parse.Status;
  Unit.Errors = std::move(Parse.Errors);
  Unit.Diagnostics = std::move(Parse.Diagnostics);
  Unit.NeedsCompiler = !Unit.Index.Kernels.empty() && !Parse.MetClosedFile;
  if (Unit.Status == UnitStatus::Partial && holdsNothing(Unit)) {
    Unit.Status = UnitStatus::Failed;
    Unit.Diagnostics +=
        wrapped(fmt::format("{}: note: there is no kernel in what could be "
                            "read; is this CUDA source?",
                            Job.File),
                0, Options.Frontend.Width) +
        "\n";
  }
  if (!Parse.Module)
    return Unit;
  if (!Parse.ConstexprOfHost.empty())
    Unit.Diagnostics += noteOfConstexpr(Job.File, Parse.ConstexprOfHost,
                                        Options.Frontend.Width);
  if (Options.Resources && Options.Resources->needsAssembly()) {
    limitRegisters(Unit, *Parse.Module);
    Unit.Assembled = Options.Resources->assemble(Job, *Parse.Module,
                                                 Options.Frontend.Arch->CC);
  }
  canonicalise(*Parse.Module);
  addLongKernels(*Parse.Module, Options.Frontend.Width, Unit);
  if (!Unit.Index.Kernels.empty())
    Unit.Bitcode = bitcodeOf(*Parse.Module);
  return Unit;
}

std::unique_ptr<llvm::Module>
ParsedUnit::module(llvm::LLVMContext &Context) const {
  if (Bitcode.empty())
    return nullptr;
  llvm::Expected<std::unique_ptr<llvm::Module>> Module =
      llvm::parseBitcodeFile({Bitcode, "bitcode"}, Context);
  // It is ours, made in this process.
  if (!Module)
    llvm::report_fatal_error(Module.takeError());
  return std::move(*Module);
}

std::vector<SourceRecord> ParsedUnit::sourcesOf(const UnitRecord &Unit) const {
  std::set<std::string_view> Files;
  for (const Finding &F : Unit.Findings)
    Files.insert(F.Where.File);
  for (const KernelRecord &Kernel : Unit.Kernels) {
    Files.insert(Kernel.Where.File);
    for (const AccessRecord &Each : Kernel.Accesses)
      Files.insert(Each.Where.File);
  }
  std::vector<SourceRecord> Out;
  std::ranges::copy_if(
      Sources, std::back_inserter(Out),
      [&](const SourceRecord &Each) { return Files.contains(Each.File); });
  return Out;
}

} // namespace cudalint
