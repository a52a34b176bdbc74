//===- report/Finding.cpp - The sentence of a finding ---------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/Finding.h"

#include <fmt/format.h>

namespace cudalint {

std::string messageOf(const Finding &F) {
  std::string Text = inWords(F.What);
  const bool HasColon = F.What.Text.find(": ") != std::string::npos;
  if (!F.Cause.isEmpty())
    Text += (HasColon ? "; " : ": ") + inWords(F.Cause);
  if (!F.Remedy.isEmpty())
    Text += "; " + inWords(F.Remedy);
  if (F.Others == 1)
    Text += "; so does 1 other access of this kernel";
  else if (F.Others > 1)
    Text += fmt::format("; so do {} other accesses of this kernel", F.Others);
  return Text;
}

} // namespace cudalint
