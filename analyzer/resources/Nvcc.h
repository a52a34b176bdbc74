//===- analyzer/resources/Nvcc.h - One run of nvcc --------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_RESOURCES_NVCC_H
#define CUDA_LINT_ANALYZER_RESOURCES_NVCC_H

#include "analyzer/frontend/CompileJob.h"
#include "analyzer/resources/ResourceCache.h"
#include "analyzer/resources/SafeNames.h"
#include "hardware/Architecture.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace cudalint {

class EndGuard; // analyzer/resources/ChildProcess.h

/// The compiler of a toolkit on this machine.
struct Nvcc {
  std::string Program;             ///< Empty when there is none.
  std::string Name;                ///< `nvcc 13.0`
  std::optional<unsigned> Version; ///< 13000
  std::string Missing;             ///< Why there is none.
};

/// Looks where findToolkit() looks.
Nvcc findNvcc(const std::string &CudaPath);

/// Identifies the compiler without reading its hundreds of megabytes: the
/// programs' real names, sizes and times.
std::string identityOf(const Nvcc &Compiler);

/// Variables that change what nvcc and the preprocessor of the host read.
std::string environmentOfNvcc();

/// What one run printed, or in words why that is of no use.
struct NvccOutput {
  std::optional<std::string> Text;
  std::string Cubin; ///< The machine code, with a line table; may be empty.
  bool Cached = false;
  std::string Failure; ///< `a.cu: nvcc 13.0 failed for sm_90: ...`
  /// Of a run that failed, what it printed: one kernel that cannot be is no
  /// reason to forget the others' figures.
  std::string Printed;
  std::string Note; ///< What was left out of the arguments, in words.
  /// Of what nvcc was given under another name: realName() turns the names in
  /// its output and in line tables into the user's. Empty for most files.
  PrivateNames Names;
};

/// What ends a run of a compiler early.
struct RunLimits {
  std::chrono::seconds Timeout{60};
  const EndGuard *Guard = nullptr; ///< May be null.
  std::stop_token Stop;
};

/// Compiles the kernels of \p Job for \p CC with its arguments, as the user
/// wrote them, and `-Xptxas -v`, in its folder. Nothing is linked, nothing is
/// left behind, and no shell sees a name or an argument that is more to it than
/// its characters.
/// \p Text, if not null, is what the file holds, which is then not read. Ends
/// early, with a failure, by \p Limits.
NvccOutput runNvcc(const Nvcc &Compiler, const CompileJob &Job,
                   const std::string *Text, ComputeCapability CC,
                   ResourceCache &Cache, const RunLimits &Limits);

/// The same for \p Module, the device code of \p Job, through ptxas alone. Of
/// its arguments only the limit of registers counts.
NvccOutput runPtxas(const Nvcc &Compiler, const CompileJob &Job,
                    const llvm::Module &Module, ComputeCapability CC,
                    const RunLimits &Limits);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_RESOURCES_NVCC_H
