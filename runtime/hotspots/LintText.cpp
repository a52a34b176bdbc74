//===- runtime/hotspots/LintText.cpp - Findings for people ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/hotspots/LintText.h"

#include "report/FindingWords.h"
#include "report/TerminalText.h"

#include <fmt/format.h>

namespace cudalint {

std::string LintTeller::tell(std::span<const LintedFinding> Findings,
                             const std::string &File, unsigned Number,
                             const HotKernel &Kernel) {
  const Place Here = {.Kernel = &Kernel, .File = File, .Line = Number};
  std::string Out;
  for (const LintedFinding &Each : Findings) {
    const std::string Head =
        fmt::format("   linter, {}: ", printable(Each.What.Check));
    const unsigned Column = columnsOf(Head);
    const auto [Entry, IsNew] = Told.try_emplace(Each.Problem, Here);
    const Place &First = Entry->second;
    if (IsNew) {
      // Of a function of the toolkit, where it is called.
      const Location &At = Each.What.Where;
      const std::string Called =
          At.Line == Number
              ? std::string()
              : fmt::format("called at {}:{}: ", printable(At.File), At.Line);
      Out += Head;
      Out += wrapped(Called +
                         adviceOf(Each.What, Column + columnsOf(Called), Width),
                     Column, Width);
      Out += "\n";
      continue;
    }
    if (First == Here)
      continue;
    std::string Where = "above";
    if (First.File != File)
      Where = fmt::format("at {}:{}", printable(First.File), First.Line);
    else if (First.Line != Number)
      Where = fmt::format("at line {}", First.Line);
    Out += Head + wrapped("as " + Where, Column, Width) + "\n";
  }
  return Out;
}

std::string LintTeller::rest(const LintSummary &Summary) const {
  if (Summary.Problems == 0)
    return "the linter found nothing";
  const std::size_t Left = Summary.Problems - Told.size();
  if (Left == 0)
    return {};
  return fmt::format("{} of {} that the linter found {} about lines that are "
                     "not shown here or were not measured",
                     Left,
                     Summary.Problems == 1
                         ? std::string("1 problem")
                         : fmt::format("{} problems", Summary.Problems),
                     Left == 1 ? "is" : "are");
}

} // namespace cudalint
