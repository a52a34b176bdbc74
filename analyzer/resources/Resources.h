//===- analyzer/resources/Resources.h - Registers and their like *- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the compiler gives each kernel: registers, shared memory, local
/// memory, spills, barriers. In this order they come from what the user says
/// (`--registers`), from a build log (`--ptxas-log`), and from nvcc, which is
/// run with the user's own flags, or in its place from the object that a build
/// has made, or from ptxas with Clang's code.
///
/// Use: make one ResourceFinder for the run; compile() each file, at the same
/// time as its analysis; then find() each kernel.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_RESOURCES_RESOURCES_H
#define CUDA_LINT_ANALYZER_RESOURCES_RESOURCES_H

#include "analyzer/frontend/CompileJob.h"
#include "hardware/Architecture.h"
#include "report/Document.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace cudalint {

class EndGuard; // analyzer/resources/ChildProcess.h

/// One `--registers [KERNEL=]N`.
struct RegisterOption {
  std::string Kernel; ///< Names it as `--launch` does; empty is all kernels.
  std::uint64_t Registers = 0; ///< Per thread, 1 .. 255.
};

/// `--ptxas`: what compiles a file for its figures.
enum class PtxasMode : std::uint8_t {
  Auto,  ///< nvcc, unless `--registers N` or a log was given.
  Nvcc,  ///< Even then, for the kernels that they leave out.
  Clang, ///< Our own code, through ptxas: faster, approximate.
  Off
};

/// What a build makes of the files of a run, while they are analysed.
struct BuiltObjects {
  /// By the name of the source: host object, program, fat binary or cubin, a
  /// name for this process; empty: it makes no machine code of it.
  std::map<std::string, std::string> Objects;
  /// The reading end of a pipe of which the compiler's side holds the other
  /// until the objects are complete; -1: they are.
  int Running = -1;
};

struct ResourceOptions {
  std::vector<RegisterOption> Registers; ///< The last that fits a kernel wins.
  std::vector<std::string> PtxasLogs;    ///< Names of files.
  std::optional<BuiltObjects> Built;     ///< Read in place of a run of nvcc.
  PtxasMode Mode = PtxasMode::Auto;
  std::chrono::seconds Timeout{60}; ///< Of one run of nvcc.
  bool UseCache = true;
  /// Empty: XDG_CACHE_HOME/cuda-lint, ~/.cache/cuda-lint.
  std::string CacheDir;
  std::string CudaPath;            ///< As in FrontendOptions.
  const EndGuard *Guard = nullptr; ///< Of compilers that run; may be null.
};

/// One kernel on one architecture, from one source.
struct KernelResources {
  std::string Kernel; ///< Linkage name.
  ComputeCapability CC;
  ResourceRecord Record;
};

/// The memory instructions of one kernel on one architecture, in the order of
/// the code, with those of the functions that it calls.
struct KernelInstructions {
  std::string Kernel; ///< Linkage name.
  ComputeCapability CC;
  std::vector<MachineInstruction> Memory;
  /// Some instruction, also of these functions, computes with doubles or may
  /// convert one.
  bool HasDoubles = false;
};

/// What the compilation of one file gave.
struct FileResources {
  std::string File;
  std::vector<KernelResources> Kernels;
  /// Of those that the machine code was read of, with lines.
  std::vector<KernelInstructions> Instructions;
  /// Why figures are missing, and how to supply them; without "note:".
  /// The same words for files that lack the same.
  std::vector<std::string> Notes;
  bool Cached = false; ///< Nothing was run.
};

/// The figures of one kernel, or why there are none.
struct ResourceAnswer {
  std::optional<ResourceRecord> Record;
  /// Worth telling the user, without "note:": what is missing or ambiguous, or
  /// which figures stand in. Empty when there is nothing to say.
  std::string Note;
};

/// The memory instructions of the kernel \p LinkageName; null where they are
/// not known.
const KernelInstructions *findInstructions(const FileResources &Compiled,
                                           std::string_view LinkageName,
                                           ComputeCapability CC);

/// Answers for all files of one run. After readLogs(), all members are const
/// and may be called from several threads.
class ResourceFinder {
public:
  explicit ResourceFinder(ResourceOptions Options);
  ~ResourceFinder();
  ResourceFinder(ResourceFinder &&) noexcept;
  ResourceFinder &operator=(ResourceFinder &&) noexcept;

  /// Reads the logs, as streams. Returns why one cannot be used (it cannot be
  /// read, or it holds no output of ptxas): bad usage, exit code 2.
  std::optional<std::string> readLogs();

  /// What nvcc adds by itself to what a parse of any file needs, as arguments
  /// of Clang's: see NvccDefaults.h.
  std::vector<std::string> addedByNvcc() const;

  /// True when compile() may run nvcc or look into the cache: call it only
  /// then, and only when a check or the report needs the figures.
  bool needsCompilation() const;

  /// Compiles \p Job for all of \p Targets at once with nvcc, or takes what the
  /// cache, or the object of a build, holds. Of files that are not on disk,
  /// nvcc sees the source alone. Takes seconds; never fails: what went wrong is
  /// a note. Leaves no file behind but in the cache. \p Stop ends it early.
  FileResources compile(const CompileJob &Job,
                        std::span<const ComputeCapability> Targets,
                        const std::stop_token &Stop = {}) const;

  /// The figures of the kernels of \p Job where a thread has at most \p
  /// Registers, as -maxrregcount has it; one that its source bounds otherwise
  /// may take more. Empty where compile() runs no compiler. Takes as long as
  /// that.
  std::vector<KernelResources> compileBounded(const CompileJob &Job,
                                              ComputeCapability CC,
                                              std::uint64_t Registers) const;

  /// The record of the kernel \p LinkageName among \p Kernels; null: it is not
  /// there.
  static const ResourceRecord *findIn(std::span<const KernelResources> Kernels,
                                      std::string_view LinkageName,
                                      ComputeCapability CC);

  /// True when assemble() has to be called for each file.
  bool needsAssembly() const;

  /// Compiles \p Module, the device code of \p Job as Clang made it, before
  /// any pass, to PTX, and lets the toolkit's ptxas say what its kernels take.
  /// nvcc's code may take more or less. The module is not changed. Never
  /// fails: what went wrong is a note. Not cached.
  FileResources assemble(const CompileJob &Job, const llvm::Module &Module,
                         ComputeCapability CC) const;

  /// The figures of the kernel \p LinkageName of \p File on \p CC. \p IsNamed
  /// says whether a name that the user wrote means this kernel. \p Compiled is
  /// the result of compile() or assemble() for the file that defines it, or
  /// null.
  ResourceAnswer find(std::string_view LinkageName, const std::string &File,
                      ComputeCapability CC,
                      const std::function<bool(std::string_view)> &IsNamed,
                      const FileResources *Compiled) const;

private:
  struct State;
  std::unique_ptr<State> S;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_RESOURCES_RESOURCES_H
