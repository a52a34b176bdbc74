//===- analyzer/remedy/RestrictedParameters.cpp - __restrict__ ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/remedy/RestrictedParameters.h"

#include <algorithm>
#include <fmt/format.h>

namespace cudalint {

bool areApart(const KernelModel &K) {
  return !K.Launches.empty() &&
         std::ranges::all_of(K.Launches, &Launch::HasOwnAllocations);
}

std::optional<Fix> withRestrict(const KernelModel &K) {
  const KernelDeclaration &Kernel = K.Declaration;
  if (!K.HasMachineCode || Kernel.Restricts.empty() || Kernel.IsUsedOtherwise ||
      !areApart(K))
    return std::nullopt;
  std::string Said = fmt::format(
      "declare the pointers of '{}' __restrict__: its launches pass pointers "
      "into allocations of their own",
      Kernel.PlainName);
  if (!Kernel.IsOfFileAlone)
    Said += ", and all others have to";
  return Fix{.Description = std::move(Said),
             .Safety =
                 Kernel.IsOfFileAlone ? FixSafety::Safe : FixSafety::Layout,
             .Edits = Kernel.Restricts};
}

} // namespace cudalint
