//===- analyzer/frontend/Frontend.cpp - From a CUDA file to AST and IR *- C++
//-*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/Frontend.h"

#include "analyzer/frontend/DeviceCode.h"
#include "analyzer/frontend/Diagnostics.h"
#include "analyzer/frontend/Invocation.h"
#include "analyzer/frontend/Prelude.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Basic/Stack.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendAction.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace clang;
using namespace llvm;

namespace cudalint {

namespace {

class ParseAction : public ASTFrontendAction {
public:
  ParseAction(const ErrorCollector &Errors, LLVMContext &Context,
              const std::function<void(ASTContext &)> &OnAST,
              std::unique_ptr<llvm::Module> &Module)
      : Errors(Errors), Context(Context), OnAST(OnAST), Module(Module) {}

protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &Compiler,
                                                 StringRef) override {
    // Errors that stop Clang, such as a missing header, must not end the parse:
    // the kernels behind them are still readable.
    Compiler.getDiagnostics().setFatalsAsError(true);
    return makeDeviceCodeConsumer(Compiler, Errors, Context, OnAST, Module);
  }

private:
  const ErrorCollector &Errors;
  LLVMContext &Context;
  const std::function<void(ASTContext &)> &OnAST;
  std::unique_ptr<llvm::Module> &Module;
};

} // namespace

/// Why `File` cannot be a CUDA source, with the remedy; nothing when it can.
static std::optional<std::string> refuse(const std::string &File,
                                         vfs::FileSystem &Files) {
  ErrorOr<vfs::Status> Status = Files.status(File);
  if (!Status) {
    if (Status.getError() == std::errc::no_such_file_or_directory ||
        Status.getError() == std::errc::not_a_directory)
      return "no such file; check the path";
    return "cannot be read: " + Status.getError().message() +
           "; check its permissions";
  }
  if (Status->isDirectory())
    return "is a folder; name the CUDA files in it";
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer =
      Files.getBufferForFile(File, -1, /*RequiresNullTerminator=*/false);
  if (!Buffer)
    return "cannot be read: " + Buffer.getError().message() +
           "; check its permissions";
  StringRef Text = (*Buffer)->getBuffer();
  if (Text.trim().empty())
    return "is empty; there is no code to lint";
  if (Text.contains('\0'))
    return "is a binary file; name the CUDA source that it was made from";
  return std::nullopt;
}

static FrontendResult fail(const std::string &File, std::string Message) {
  FrontendResult Result;
  Result.Diagnostics = "error: '" + File + "' " + Message + "\n";
  Result.Errors.push_back(
      {.Where = {.File = File}, .Message = std::move(Message)});
  return Result;
}

/// Prelude and the user's virtual files over the real file system.
static IntrusiveRefCntPtr<vfs::FileSystem>
makeFileSystem(const FrontendOptions &Options) {
  auto Memory = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  Memory->addFile(
      PreludePath, 0,
      MemoryBuffer::getMemBufferCopy(Options.StandInHeader.empty()
                                         ? StringRef(preludeText())
                                         : StringRef(Options.StandInHeader)));
  auto Real = vfs::getRealFileSystem();
  // Relative names are looked up in the same folder by both.
  if (ErrorOr<std::string> Folder = Real->getCurrentWorkingDirectory())
    Memory->setCurrentWorkingDirectory(*Folder);
  for (const auto &[Name, Text] : Options.VirtualFiles)
    Memory->addFile(Name, 0, MemoryBuffer::getMemBufferCopy(Text));
  auto Files = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(Real);
  Files->pushOverlay(Memory);
  return Files;
}

/// The parse itself; runs on a thread of its own.
static void parse(const std::string &File, const FrontendOptions &Options,
                  const std::string &Toolkit, const std::string &Resources,
                  IntrusiveRefCntPtr<vfs::FileSystem> Files,
                  LLVMContext &Context,
                  const std::function<void(ASTContext &)> &OnAST,
                  FrontendResult &Result) {
  noteBottomOfStack(/*ForceSet=*/true);
  DiagnosticOptions SetupOptions;
  SetupOptions.ShowColors = Options.UseColour;
  ErrorCollector SetupErrors(File, SetupOptions);
  DiagnosticsEngine Setup(DiagnosticIDs::create(), SetupOptions, &SetupErrors,
                          /*ShouldOwnClient=*/false);
  std::shared_ptr<CompilerInvocation> Invocation =
      makeInvocation(File, Options, Toolkit, Resources, Files, Setup);
  if (!Invocation) {
    Result.Diagnostics = SetupErrors.takeText();
    Result.Errors = SetupErrors.takeErrors();
    return;
  }

  CompilerInstance Compiler(Invocation);
  ErrorCollector Errors(File, Invocation->getDiagnosticOpts());
  Compiler.setVirtualFileSystem(Files);
  Compiler.createDiagnostics(&Errors, /*ShouldOwnClient=*/false);
  Compiler.createFileManager();
  // Clang counts its errors on a stream of its own; the tool does it once.
  Compiler.setVerboseOutputStream(std::make_unique<raw_null_ostream>());
  Context.setDiscardValueNames(false);
  ParseAction Action(Errors, Context, OnAST, Result.Module);
  Compiler.ExecuteAction(Action);
  Result.Diagnostics = Errors.takeText();
  Result.Errors = Errors.takeErrors();
  if (Result.Module)
    Result.Status =
        Result.Errors.empty() ? UnitStatus::Ok : UnitStatus::Partial;
}

FrontendResult parseCuda(const std::string &File,
                         const FrontendOptions &Options, LLVMContext &Context,
                         const std::function<void(ASTContext &)> &OnAST) {
  IntrusiveRefCntPtr<vfs::FileSystem> Files = makeFileSystem(Options);
  if (std::optional<std::string> Reason = refuse(File, *Files))
    return fail(File, std::move(*Reason));
  ToolkitLookup Toolkit;
  if (Options.StandInHeader.empty()) {
    Toolkit = findToolkit(Options.CudaPath);
    if (Toolkit.Path.empty())
      return fail(File, "cannot be parsed: " + Toolkit.Error);
  }
  std::string Resources = findResourceFolder();
  if (Resources.empty())
    return fail(File,
                "cannot be parsed: Clang's own headers are missing "
                "(looked for " CUDA_LINT_RESOURCE_DIR
                "); install libclang-common-" CUDA_LINT_LLVM_MAJOR "-dev");

  // Generated code nests deeply: the default stack would overflow, and a
  // crash of Clang's must cost one file, not the run.
  constexpr unsigned StackBytes = 256u << 20;
  CrashRecoveryContext::Enable();
  CrashRecoveryContext Recovery;
  FrontendResult Result;
  if (!Recovery.RunSafelyOnThread(
          [&] {
            parse(File, Options, Toolkit.Path, Resources, Files, Context, OnAST,
                  Result);
          },
          StackBytes))
    return fail(File, "made Clang crash; see whether 'clang++ -fsyntax-only' "
                      "parses it, and lint the other files without it");
  return Result;
}

} // namespace cudalint
