//===- analyzer/plugin/WarningFlags.cpp - -Wcuda-lint and its like --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/plugin/WarningFlags.h"

namespace cudalint {

static bool consume(std::string_view &Text, std::string_view Prefix) {
  if (!Text.starts_with(Prefix))
    return false;
  Text.remove_prefix(Prefix.size());
  return true;
}

WarningFlags::WarningFlags(std::span<const std::string> Options,
                           bool AreErrors) {
  static constexpr std::string_view Group = "cuda-lint";
  Default.IsError = AreErrors;
  for (std::string_view Option : Options) {
    const bool IsNo = consume(Option, "no-");
    const bool IsOfErrors = consume(Option, "error=");
    if (!consume(Option, Group) || (!Option.empty() && !consume(Option, "-")))
      continue;
    if (IsOfErrors)
      choose(Option, &Choice::IsError, !IsNo);
    // -Werror=NAME is -WNAME, too; -Wno-error=NAME is not.
    if (!IsOfErrors || !IsNo)
      choose(Option, &Choice::IsOn, !IsNo);
  }
}

/// Of all checks where \p Name is empty.
void WarningFlags::choose(std::string_view Name, bool Choice::*What,
                          bool Value) {
  if (!Name.empty()) {
    Own.try_emplace(std::string(Name), Default).first->second.*What = Value;
    return;
  }
  Default.*What = Value;
  for (auto &[Check, Its] : Own)
    Its.*What = Value;
}

WarningFlags::Level WarningFlags::of(std::string_view Check) const {
  const auto Found = Own.find(Check);
  const Choice &Its = Found == Own.end() ? Default : Found->second;
  if (!Its.IsOn)
    return Level::Ignored;
  return Its.IsError ? Level::Error : Level::Warning;
}

} // namespace cudalint
