//===- analyzer/pipeline/HostFiles.h - Who calls wrappers -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_PIPELINE_HOSTFILES_H
#define CUDA_LINT_ANALYZER_PIPELINE_HOSTFILES_H

#include "analyzer/frontend/CompileJob.h"
#include "analyzer/pipeline/ParsedUnit.h"

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cudalint {

/// The functions of \p Files by whose arguments launches are shaped, as they
/// are called in the source: `run` for `ns::run(int)`.
std::set<std::string> launchingFunctions(std::span<const UnitIndex> Files);

/// Whether one of \p Names is called in \p Text, as far as its characters tell:
/// the name, and a parenthesis behind it. Comments count as well.
bool callsOneOf(std::string_view Text, const std::set<std::string> &Names);

/// Those of \p Jobs whose files call one of \p Names themselves; what they
/// include is not looked at. At most 16: each takes as long as a parse, and who
/// calls a function everywhere tells nothing of one shape.
std::vector<std::size_t> callersAmong(std::span<const CompileJob> Jobs,
                                      const std::set<std::string> &Names);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_PIPELINE_HOSTFILES_H
