//===- hardware/UnknownTarget.cpp - GPUs we do not know -------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hardware/UnknownTarget.h"

#include "hardware/Architecture.h"

namespace cudalint {

namespace {
/// An architecture that a toolkit compiles for, and that is not in our tables.
struct Known {
  std::string_view Digits;
  std::string_view Advice;
};
} // namespace

static constexpr Known Architectures[] = {
    // No guide up to 13.0 has a column for 8.8; the header says as much as this
    // (a test compares them), and nothing of registers and warps.
    {"88", "NVIDIA publishes no limits of compute capability 8.8; "
           "cuda_occupancy.h of CUDA 13.0 counts its blocks, shared memory and "
           "barriers as those of 8.6, whose code runs there: use sm_86"},
    // PTX ISA 9.0, release notes.
    {"101", "CUDA 13.0 has renamed it: use sm_110"},
};

/// The digits of `sm_88`, `sm_88a`, `compute_88` or `8.8`.
static std::string digitsOf(std::string_view Name) {
  for (std::string_view Prefix : {"sm_", "sm", "compute_", "SM_"})
    if (Name.starts_with(Prefix)) {
      Name.remove_prefix(Prefix.size());
      break;
    }
  if (Name.ends_with('a') || Name.ends_with('f'))
    Name.remove_suffix(1);
  std::string Digits(Name);
  if (std::size_t Dot = Digits.find('.'); Dot != std::string::npos)
    Digits.erase(Dot, 1);
  return Digits;
}

std::string adviceOnTarget(std::string_view Name) {
  const std::string Digits = digitsOf(Name);
  for (const Known &Each : Architectures)
    if (Digits == Each.Digits)
      return std::string(Each.Advice);
  return "did you mean " + nearestTargets(Name) +
         "? use a product name such as h200 or an architecture such as sm_90";
}

} // namespace cudalint
