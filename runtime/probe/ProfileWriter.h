//===- runtime/probe/ProfileWriter.h - A profile as JSON --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_PROFILEWRITER_H
#define CUDA_LINT_RUNTIME_PROBE_PROFILEWRITER_H

#include "runtime/probe/Profile.h"

#include <string>
#include <string_view>

namespace cudalint::probe {

/// \p P as docs/profile.md wants it. Always valid UTF-8: what the program's
/// names hold beside it becomes U+FFFD.
std::string profileText(const Profile &P);

/// \p Text as a JSON string with its quotes.
std::string jsonString(std::string_view Text);

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_PROFILEWRITER_H
