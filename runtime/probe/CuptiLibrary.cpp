//===- runtime/probe/CuptiLibrary.cpp - CUPTI, loaded late ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/CuptiLibrary.h"

#include <cstdlib>
#include <dlfcn.h>
#include <utility>
#include <vector>

namespace cudalint::probe {

// The newest first. Older ones lack metrics or functions that are needed.
static constexpr const char *Names[] = {"libcupti.so.13", "libcupti.so.12"};

static std::vector<std::string> candidates() {
  std::vector<std::string> Out(std::begin(Names), std::end(Names));
  std::vector<std::string> Roots;
  for (const char *Variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char *Root = std::getenv(Variable); Root && *Root)
      Roots.push_back(Root);
  Roots.push_back("/usr/local/cuda");
  for (const std::string &Root : Roots)
    for (const char *Folder :
         {"/extras/CUPTI/lib64/", "/lib64/", "/targets/x86_64-linux/lib/",
          "/targets/sbsa-linux/lib/"})
      for (const char *Name : Names)
        Out.push_back(Root + Folder + Name);
  return Out;
}

static void *openLibrary(const std::string &Path) {
  if (!Path.empty())
    return ::dlopen(Path.c_str(), RTLD_NOW | RTLD_LOCAL);
  // Two copies of CUPTI in one process do not get along.
  for (const char *Name : Names)
    if (void *Loaded = ::dlopen(Name, RTLD_NOW | RTLD_NOLOAD))
      return Loaded;
  for (const std::string &Candidate : candidates())
    if (void *Loaded = ::dlopen(Candidate.c_str(), RTLD_NOW | RTLD_LOCAL))
      return Loaded;
  return nullptr;
}

std::optional<Problem> CuptiLibrary::load(const std::string &Path) {
  void *Library = openLibrary(Path);
  if (!Library) {
    std::string Where = Path.empty() ? "libcupti.so.13 was not found"
                                     : "'" + Path + "' cannot be loaded";
    return loss("no-cupti", "counters are not available: " + Where +
                                "; install the CUDA toolkit's CUPTI, or name "
                                "the library in CUDA_LINT_CUPTI");
  }
  const char *Missing = nullptr;
#define CUDA_LINT_LOOK_UP(Name)                                                \
  Name = reinterpret_cast<decltype(Name)>(::dlsym(Library, #Name));            \
  if (!Name)                                                                   \
    Missing = #Name;
  CUDA_LINT_CUPTI_RANGE_FUNCTIONS(CUDA_LINT_LOOK_UP)
  MissingForRanges = std::exchange(Missing, nullptr);
  CUDA_LINT_CUPTI_SAMPLING_FUNCTIONS(CUDA_LINT_LOOK_UP)
  MissingForSampling = std::exchange(Missing, nullptr);
  CUDA_LINT_CUPTI_FUNCTIONS(CUDA_LINT_LOOK_UP)
#undef CUDA_LINT_LOOK_UP
  if (!Missing)
    return std::nullopt;
  return loss("no-cupti",
              std::string("counters are not available: the CUPTI library "
                          "lacks ") +
                  Missing + "; install that of CUDA 12.4 or newer");
}

/// The kind of a failure, and what helps.
static std::pair<const char *, const char *> remedy(CUptiResult Result) {
  switch (Result) {
  case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
  case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
    return {"insufficient-privileges",
            "the driver reserves counters for administrators: run as root or "
            "with CAP_SYS_ADMIN, or have the option "
            "NVreg_RestrictProfilingToAdminUsers=0 set for the nvidia module"};
  case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
  case CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED:
    return {"other-profiler", "another profiler is active: run without it"};
  case CUPTI_ERROR_HARDWARE_BUSY:
    return {"other-profiler",
            "another profiler or another process that is measured has the "
            "GPU's counters: run without it"};
  case CUPTI_ERROR_INVALID_DEVICE:
  case CUPTI_ERROR_NOT_SUPPORTED:
  case CUPTI_ERROR_INVALID_CHIP_NAME:
  case CUPTI_ERROR_NOT_COMPATIBLE:
    return {"unsupported-gpu",
            "this CUPTI does not know the GPU or the driver: name the CUPTI "
            "library of a newer toolkit in CUDA_LINT_CUPTI"};
  case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
  case CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED:
  case CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED:
  case CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED:
  case CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED:
  case CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED:
    return {"unsupported-setup",
            "counters do not work in this setup of the GPU (virtual, MIG, "
            "SLI, WSL or confidential): run on a whole GPU of this machine"};
  default:
    return {"cupti-error", "run again, and report it if it stays"};
  }
}

Problem CuptiLibrary::problem(CUptiResult Result,
                              const std::string &What) const {
  const char *Reason = nullptr;
  cuptiGetResultString(Result, &Reason);
  auto [Kind, Help] = remedy(Result);
  return loss(Kind, What + ": " + (Reason ? Reason : std::to_string(Result)) +
                        "; " + Help);
}

} // namespace cudalint::probe
