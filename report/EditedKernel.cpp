//===- report/EditedKernel.cpp - A kernel before and after ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/EditedKernel.h"

#include "report/Names.h"

#include <algorithm>

namespace cudalint {

/// The kernel of \p Unit with that plain name, if one alone has it.
static const KernelRecord *onlyOne(const UnitRecord &Unit,
                                   std::string_view PlainName) {
  const KernelRecord *Found = nullptr;
  for (const KernelRecord &Each : Unit.Kernels)
    if (withoutParameters(Each.Signature) == PlainName) {
      if (Found)
        return nullptr;
      Found = &Each;
    }
  return Found;
}

const KernelRecord *kernelAfter(const KernelRecord &Kernel,
                                const UnitRecord &Before,
                                const UnitRecord &After) {
  const auto Same =
      std::ranges::find(After.Kernels, Kernel.Name, &KernelRecord::Name);
  if (Same != After.Kernels.end())
    return &*Same;
  const std::string_view PlainName = withoutParameters(Kernel.Signature);
  return onlyOne(Before, PlainName) ? onlyOne(After, PlainName) : nullptr;
}

} // namespace cudalint
