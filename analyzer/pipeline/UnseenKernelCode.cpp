//===- analyzer/pipeline/UnseenKernelCode.cpp - Not evaluated -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/pipeline/UnseenKernelCode.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace cudalint {

void UnseenKernelCode::add(std::vector<UnseenCode> Found,
                           const std::string &Kernel) {
  for (UnseenCode &Each : Found) {
    const auto Known = std::ranges::find_if(Parts, [&](const Part &P) {
      return std::tie(P.Code.Where, P.Code.What, P.Code.Name) ==
             std::tie(Each.Where, Each.What, Each.Name);
    });
    if (Known != Parts.end())
      ++Known->MoreKernels;
    else
      Parts.push_back({std::move(Each), Kernel});
  }
}

} // namespace cudalint
