//===- analyzer/frontend/Frontend.cpp - From a CUDA file to AST and IR ----===//
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
#include "analyzer/frontend/ParseLimits.h"
#include "analyzer/frontend/Prelude.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/Stack.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace clang;
using namespace llvm;

namespace cudalint {

namespace {

/// What stays the same when a file is parsed again.
struct ParseTask {
  const CompileJob &Job;
  const FrontendOptions &Options;
  std::string Toolkit;
  std::string Resources;
  LLVMContext &Context;
  const ReadAST &OnAST;
  std::string &Stopped; ///< Why the parse went beyond all limits.
};

/// Hands the whole tree to a function.
class TreeReader : public ASTConsumer {
public:
  explicit TreeReader(const std::function<void(ASTContext &)> &Read)
      : Read(Read) {}

  /// The bodies of host functions in system headers: nobody reads them, and
  /// they are most of what there is to parse. A `constexpr` function may be
  /// called from device code, and its value may be needed for a launch; Sema
  /// never skips one of those.
  bool shouldSkipFunctionBody(Decl *D) override {
    const auto *F = D->getAsFunction();
    if (!F || F->hasAttr<CUDADeviceAttr>() || F->hasAttr<CUDAGlobalAttr>())
      return false;
    const SourceManager &SM = D->getASTContext().getSourceManager();
    return SM.isInSystemHeader(F->getLocation());
  }

  void HandleTranslationUnit(ASTContext &AST) override { Read(AST); }

private:
  const std::function<void(ASTContext &)> &Read;
};

class ParseAction : public ASTFrontendAction {
public:
  ParseAction(std::function<void(ASTContext &)> Read, std::string &Stopped)
      : Read(std::move(Read)), Stopped(Stopped) {}

protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &Compiler,
                                                 StringRef) override {
    // Errors that stop Clang, such as a missing header, must not end the parse:
    // the kernels behind them are still readable.
    Compiler.getDiagnostics().setFatalsAsError(true);
    Compiler.getPreprocessor().addPPCallbacks(
        makeParseLimits(Compiler.getSourceManager(), Stopped));
    return std::make_unique<TreeReader>(Read);
  }

private:
  const std::function<void(ASTContext &)> Read;
  std::string &Stopped;
};

} // namespace

/// Editors on Windows write it. Without a mark at the start, Latin text in
/// UTF-16 still shows: one byte of each pair is 0, and never the other.
static bool isUtf16(StringRef Text) {
  if (Text.starts_with("\xFF\xFE") || Text.starts_with("\xFE\xFF"))
    return true;
  StringRef Start = Text.substr(0, 256);
  if (Start.size() < 16)
    return false;
  std::size_t Zeros[2] = {};
  for (std::size_t I = 0; I != Start.size(); ++I)
    Zeros[I % 2] += Start[I] == '\0';
  return std::max(Zeros[0], Zeros[1]) >= Start.size() / 2 &&
         std::min(Zeros[0], Zeros[1]) == 0;
}

/// Why \p Job cannot be compiled, with the remedy; nothing when it can.
static std::optional<std::string> refuse(const CompileJob &Job) {
  const IntrusiveRefCntPtr<vfs::FileSystem> Files = filesOf(Job);
  if (ErrorOr<vfs::Status> Folder = Files->status(Job.absoluteFolder());
      !Folder || !Folder->isDirectory())
    return "cannot be parsed: its folder '" + Job.Folder +
           "' does not exist; check the folder of the compilation";
  ErrorOr<vfs::Status> Status = Files->status(Job.File);
  if (!Status) {
    if (Status.getError() == std::errc::no_such_file_or_directory ||
        Status.getError() == std::errc::not_a_directory)
      return "does not exist; check the path";
    return "cannot be read: " + Status.getError().message() +
           "; check its permissions";
  }
  if (Status->isDirectory())
    return "is a folder; name the CUDA files in it";
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer =
      Files->getBufferForFile(Job.File, -1, /*RequiresNullTerminator=*/false);
  if (!Buffer)
    return "cannot be read: " + Buffer.getError().message() +
           "; check its permissions";
  StringRef Text = (*Buffer)->getBuffer();
  if (Text.trim().empty())
    return "is empty; there is no code to lint";
  if (isUtf16(Text))
    return "is text in UTF-16, which no CUDA compiler reads; save it as UTF-8";
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

/// A stand-in, or the user who says that the file brings its own declarations.
static bool needsToolkit(const CompileJob &Job,
                         const FrontendOptions &Options) {
  return Options.StandInHeader.empty() &&
         !is_contained(Job.Arguments, "-nocudainc");
}

/// Prelude and repaired texts over the files of the job.
static IntrusiveRefCntPtr<vfs::FileSystem>
makeFileSystem(const CompileJob &Job, const FrontendOptions &Options,
               const Repairs &Repairs) {
  auto Memory = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  Memory->setCurrentWorkingDirectory(Job.absoluteFolder());
  auto Add = [&](StringRef Name, StringRef Text) {
    Memory->addFile(Name, 0, MemoryBuffer::getMemBufferCopy(Text, Name));
  };
  Add(PreludePath, needsToolkit(Job, Options)
                       ? preludeText()
                       : std::string_view(Options.StandInHeader));
  for (const auto &[Name, Text] : Repairs.Sources)
    Add(Name, Text);
  auto Files = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(filesOf(Job));
  Files->pushOverlay(Memory);
  return Files;
}

/// An argument may ask for the host's half, or for another product than code.
static bool compilesDevice(const CompilerInvocation &Invocation) {
  switch (Invocation.getFrontendOpts().ProgramAction) {
  case frontend::EmitAssembly:
  case frontend::EmitBC:
  case frontend::EmitLLVM:
  case frontend::EmitLLVMOnly:
  case frontend::EmitObj:
  case frontend::ParseSyntaxOnly:
    return Invocation.getLangOpts().CUDAIsDevice;
  default:
    return false;
  }
}

/// By --expt-relaxed-constexpr, of which headers see this.
static bool allowsConstexpr(const CompilerInvocation &Invocation) {
  return llvm::any_of(Invocation.getPreprocessorOpts().Macros,
                      [](const auto &Each) {
                        return StringRef(Each.first).split('=').first ==
                               "__CUDACC_RELAXED_CONSTEXPR__";
                      });
}

/// `'n::f' (a.h:3)`, without the place where that is the system's.
static std::string nameWithPlace(const FunctionDecl &F,
                                 const SourceManager &Sources) {
  const SourceLocation Where = Sources.getExpansionLoc(F.getLocation());
  std::string Text = "'" + F.getQualifiedNameAsString() + "'";
  if (const PresumedLoc At = Sources.getPresumedLoc(Where);
      At.isValid() && !Sources.isInSystemHeader(Where))
    Text += (Twine(" (") + At.getFilename() + ":" + Twine(At.getLine()) + ")")
                .str();
  return Text;
}

/// One parse with what is `Known` from earlier ones. Returns what another
/// should do differently; then nothing was handed out. Equal to `Known` when
/// this was the last.
static Repairs parseOnce(const ParseTask &Task, const Repairs &Known,
                         FrontendResult &Result) {
  IntrusiveRefCntPtr<vfs::FileSystem> Files =
      makeFileSystem(Task.Job, Task.Options, Known);
  DiagnosticOptions SetupOptions;
  SetupOptions.ShowColors = Task.Options.UseColour;
  ErrorCollector SetupErrors(Task.Job.File, SetupOptions);
  DiagnosticsEngine Setup(DiagnosticIDs::create(), SetupOptions, &SetupErrors,
                          /*ShouldOwnClient=*/false);
  std::shared_ptr<CompilerInvocation> Invocation = makeInvocation(
      Task.Job, Task.Options, Task.Toolkit, Task.Resources, Files, Setup);
  if (Invocation && !compilesDevice(*Invocation))
    Invocation.reset();
  if (!Invocation) {
    Result.Diagnostics = SetupErrors.takeText();
    Result.Errors = SetupErrors.takeErrors();
    if (Result.Errors.empty())
      Result =
          fail(Task.Job.File, "cannot be parsed: one of the arguments behind "
                              "-- asks Clang for something else than to "
                              "compile device code");
    return Known;
  }
  LangOptions &Language = Invocation->getLangOpts();
  Language.GPURelocatableDeviceCode |= Known.Relocatable;
  Language.GPUAllowDeviceInit |= Known.SharedConstructors;

  CompilerInstance Compiler(Invocation);
  ErrorCollector Errors(Task.Job.File, Invocation->getDiagnosticOpts());
  Compiler.setVirtualFileSystem(Files);
  Compiler.createDiagnostics(&Errors, /*ShouldOwnClient=*/false);
  Compiler.createFileManager();
  // Clang counts its errors on a stream of its own; the tool does it once.
  Compiler.setVerboseOutputStream(std::make_unique<raw_null_ostream>());

  Repairs Needed = Known;
  auto Read = [&](ASTContext &AST) {
    Needed = findRepairs(Errors.problems(), AST.getSourceManager(), Known);
    if (!(Needed == Known))
      return;
    if (Known.SharedConstructors)
      undisguise(AST);
    Task.OnAST(AST, Errors.problems());
    const FunctionDecl *OfHost = nullptr;
    Result.Module = generateDeviceCode(AST, Invocation->getCodeGenOpts(),
                                       Errors.problems(), Task.Context, OfHost);
    if (OfHost && !allowsConstexpr(*Invocation))
      Result.ConstexprOfHost = nameWithPlace(*OfHost, AST.getSourceManager());
  };
  ParseAction Action(Read, Task.Stopped);
  Compiler.ExecuteAction(Action);
  Result.Diagnostics = Errors.takeText();
  Result.Errors = Errors.takeErrors();
  Result.MetClosedFile = Errors.metClosedFile();
  return Needed;
}

static void parse(const ParseTask &Task, FrontendResult &Result) {
  // Most files need one. A repair can uncover a second error, hardly more.
  Repairs Known;
  for (int Round = 0; Round != 4; ++Round) {
    Repairs Needed = parseOnce(Task, Known, Result);
    if (Needed == Known)
      break;
    Known = std::move(Needed);
  }
  if (Result.Module)
    Result.Status =
        Result.Errors.empty() ? UnitStatus::Ok : UnitStatus::Partial;
}

/// What parseCuda() returns of a tree that is there.
static FrontendResult readTree(const CompileJob &Job, LLVMContext &Context,
                               const ReadAST &OnAST) {
  ASTContext &AST = Job.Tree->AST;
  if (!AST.getLangOpts().CUDA || !AST.getLangOpts().CUDAIsDevice)
    return fail(Job.File, "is compiled for the host here; read it where it is "
                          "compiled for a device");
  // Where they were is not known any more, so neither is what they spoil.
  if (AST.getDiagnostics().hasErrorOccurred())
    return fail(Job.File, "has errors, which the compiler names");
  OnAST(AST, /*Errors=*/{});
  FrontendResult Result;
  const FunctionDecl *OfHost = nullptr;
  Result.Module = generateDeviceCode(AST, Job.Tree->Options, /*Errors=*/{},
                                     Context, OfHost);
  if (Result.Module)
    Result.Status = UnitStatus::Ok;
  return Result;
}

FrontendResult parseCuda(const CompileJob &Job, const FrontendOptions &Options,
                         LLVMContext &Context, const ReadAST &OnAST,
                         std::string &Stopped) {
  noteBottomOfStack(/*ForceSet=*/true);
  Context.setDiscardValueNames(false);
  if (Job.Tree)
    return readTree(Job, Context, OnAST);
  if (std::optional<std::string> Reason = refuse(Job))
    return fail(Job.File, std::move(*Reason));
  ToolkitLookup Toolkit;
  if (needsToolkit(Job, Options)) {
    Toolkit = findToolkit(Options.CudaPath);
    if (Toolkit.Path.empty())
      return fail(Job.File, "cannot be parsed: " + Toolkit.Error);
  }
  std::string Resources = findResourceFolder();
  if (Resources.empty())
    return fail(Job.File,
                "cannot be parsed: Clang's own headers are missing "
                "(looked for " CUDA_LINT_RESOURCE_DIR
                "); install libclang-common-" CUDA_LINT_LLVM_MAJOR "-dev");
  FrontendResult Result;
  parse({Job, Options, Toolkit.Path, Resources, Context, OnAST, Stopped},
        Result);
  return Result;
}

} // namespace cudalint
