//===- analyzer/plugin/PluginHost.cpp - Which Clang loads us --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/plugin/PluginHost.h"

#include "clang/Basic/Version.h"

#include <cstdio>
#include <cstdlib>
#include <link.h>
#include <string_view>

namespace cudalint {

/// Looks at one loaded library; puts the major version of another Clang's into
/// \p Other. Not 0: no more need be looked at.
static int lookAt(dl_phdr_info *Library, std::size_t, void *Other) {
  static constexpr std::string_view Name = "libclang-cpp.so.";
  const std::string_view Path = Library->dlpi_name ? Library->dlpi_name : "";
  const std::size_t At = Path.rfind('/') + 1; // npos + 1 is 0
  if (!Path.substr(At).starts_with(Name))
    return 0;
  const int Major = std::atoi(Path.data() + At + Name.size());
  if (Major == CLANG_VERSION_MAJOR)
    return 0;
  *static_cast<int *>(Other) = Major;
  return 1;
}

bool isBuiltForThisClang() {
  int Other = 0;
  if (::dl_iterate_phdr(lookAt, &Other) == 0)
    return true;
  std::fprintf(stderr,
               "cuda-lint: warning: this plugin is for Clang %d, and this is "
               "Clang %d: nothing is checked\n",
               CLANG_VERSION_MAJOR, Other);
  return false;
}

} // namespace cudalint
