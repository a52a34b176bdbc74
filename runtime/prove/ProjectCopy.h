//===- runtime/prove/ProjectCopy.h - A project to build in ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROVE_PROJECTCOPY_H
#define CUDA_LINT_RUNTIME_PROVE_PROJECTCOPY_H

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace cudalint {

/// Copies the project in \p From into \p To, a new folder, to be built there.
///
/// Left out are version control (`.git` and its like), folders that a build has
/// made (those with a CMakeCache.txt, build.ninja or meson-info), what is
/// neither file, folder nor link, and \p To itself. Where the file system can
/// share the data of two files, it does. Permissions and times stay, so that a
/// build in the source folder makes again what it would there. A link into the
/// project leads to the copy; one out of it leads where it did.
///
/// Returns why it cannot be copied, for the user; or nothing. There is then
/// a part of it in \p To.
std::string copyProject(const std::string &From, const std::string &To,
                        std::uint64_t MostBytes);

/// Of each file of the project that would be copied, by its name in \p From:
/// how large it is and when it was changed, in nanoseconds.
using ProjectFiles =
    std::map<std::string, std::pair<std::uint64_t, std::int64_t>>;
ProjectFiles filesOfProject(const std::string &From);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_PROVE_PROJECTCOPY_H
