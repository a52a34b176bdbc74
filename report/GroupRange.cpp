//===- report/GroupRange.cpp - The least and the most of a group ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/FindingGroups.h"

#include "report/Names.h"

#include <algorithm>
#include <fmt/format.h>

namespace cudalint {

/// Of a request, as its headline tells: where conditions are told, what it
/// costs if they hold, which is more than the prediction is of. Empty where no
/// number is told.
static std::optional<double> toldCost(const Finding &F) {
  if (!F.What.find("when") && F.What.Id != "traffic-of-any-stride")
    return F.Predicted->Value;
  return F.What.number("traffic");
}

/// Of what is no request, the size of a private array.
static std::optional<double> toldNumber(const Finding &F) {
  return F.Predicted ? toldCost(F) : F.What.number("array_bytes");
}
static std::string toldUnit(const Finding &F) {
  return F.Predicted ? F.Predicted->Metric : "bytes";
}

std::string FindingGroup::range() const {
  const std::optional<double> Own = toldNumber(*First);
  if (!Own)
    return {};
  const Document *Home = home();
  double Least = *Own, Most = Least;
  for (const GroupMember &M : All) {
    if (M.In != Home || toldUnit(*M.What) != toldUnit(*First))
      continue;
    const double Each = toldNumber(*M.What).value_or(*Own);
    Least = std::min(Least, Each);
    Most = std::max(Most, Each);
  }
  if (number(Least) == number(Most))
    return {};
  std::string Unit = toldUnit(*First);
  std::ranges::replace(Unit, '_', ' ');
  return fmt::format("{} to {} {}", number(Least), number(Most), Unit);
}

} // namespace cudalint
