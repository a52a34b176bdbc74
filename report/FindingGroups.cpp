//===- report/FindingGroups.cpp - What is printed once --------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/FindingGroups.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <set>

namespace cudalint {

KernelIndex::KernelIndex(const Document &Doc) {
  for (const UnitRecord &Unit : Doc.Units) {
    std::unordered_map<std::string_view, const KernelRecord *> OfUnit;
    for (const KernelRecord &Kernel : Unit.Kernels)
      OfUnit.try_emplace(Kernel.Name, &Kernel);
    for (const Finding &F : Unit.Findings)
      if (auto Kernel = OfUnit.find(F.Kernel); Kernel != OfUnit.end())
        Kernels.try_emplace(&F, Kernel->second);
  }
}

const KernelRecord *KernelIndex::of(const Finding &F) const {
  const auto Kernel = Kernels.find(&F);
  return Kernel == Kernels.end() ? nullptr : Kernel->second;
}

/// Files of several folders include one header by several names: `k.cuh`,
/// `src/../k.cuh`.
static std::string plainPath(const std::string &File) {
  return std::filesystem::path(File).lexically_normal().string();
}

namespace {
/// Fields with separators that no text holds.
class Key {
public:
  template <typename... Parts> void add(const Parts &...Values) {
    (addOne(Values), ...);
  }

  std::string Text;

private:
  void addOne(const auto &Part) {
    fmt::format_to(std::back_inserter(Text), "{}{}", Part, '\0');
  }
  void addOne(const Location &L) { add(plainPath(L.File), L.Line, L.Column); }
  void addOne(const Phrase &P) {
    add(P.Id, P.Text);
    for (const NamedValue &Each : P.Values)
      std::visit([&](const auto &Value) { add(Each.Name, Value); }, Each.What);
  }
};
} // namespace

/// Equal for findings that say the same of one place.
static Key exactKey(const Finding &F) {
  Key K;
  K.add(F.Check, static_cast<int>(F.Level), static_cast<int>(F.Trust));
  K.add(F.Where);
  K.add(F.What, F.Cause, F.Remedy, F.Others);
  for (const Fix &Each : F.Fixes) {
    K.add(Each.Description);
    for (const Edit &E : Each.Edits)
      K.add(plainPath(E.File), E.Offset, E.Length, E.Text);
  }
  return K;
}

/// Equal for findings of one template's instantiations that differ in the
/// values of what is wrong alone, not in what helps; empty for what is no
/// template's.
static std::string templateKey(const Finding &F, const KernelIndex &Kernels) {
  const KernelRecord *Kernel = Kernels.of(F);
  if (!Kernel || Kernel->Template.empty())
    return {};
  Key K;
  K.add(F.Check, static_cast<int>(F.Level), static_cast<int>(F.Trust));
  K.add(F.Where);
  K.add(Kernel->Where);
  K.add(F.What.Id, F.Cause.Id);
  K.add(F.Remedy, F.Others == 0, F.Fixes.empty());
  for (const Location &Each : F.InlinedAt)
    K.add(Each);
  return std::move(K.Text);
}

/// How many times what is possible is needed; 0 where no number is told.
static double badness(const Finding &F) {
  if (!F.Predicted)
    return 0;
  const double Ideal = F.Predicted->Ideal.value_or(1);
  return Ideal > 0 ? F.Predicted->Value / Ideal : F.Predicted->Value;
}

std::vector<FindingGroup> groupFindings(const Document &Doc,
                                        const KernelIndex &Kernels) {
  std::vector<FindingGroup> Groups;
  std::unordered_map<std::string, std::size_t> Exact, Alike;
  // A header's findings come once for each unit that includes it.
  for (const UnitRecord &Unit : Doc.Units)
    for (const Finding &F : Unit.Findings) {
      const auto [Entry, New] =
          Exact.try_emplace(exactKey(F).Text, Groups.size());
      if (New) {
        const std::string Template = templateKey(F, Kernels);
        if (!Template.empty())
          Entry->second =
              Alike.try_emplace(Template, Groups.size()).first->second;
        if (Entry->second == Groups.size())
          Groups.push_back({&F, {}});
      }
      FindingGroup &G = Groups[Entry->second];
      if (badness(F) > badness(*G.First))
        G.First = &F;
      G.All.push_back(&F);
    }
  return Groups;
}

std::pair<std::vector<std::string>, std::vector<std::string>>
FindingGroup::assumptions() const {
  std::pair<std::vector<std::string>, std::vector<std::string>> Result;
  for (const std::string &Each : First->Assumptions)
    (std::ranges::all_of(All,
                         [&](const Finding *F) {
                           return std::ranges::find(F->Assumptions, Each) !=
                                  F->Assumptions.end();
                         })
         ? Result.first
         : Result.second)
        .push_back(Each);
  return Result;
}

std::string FindingGroup::range() const {
  if (!First->Predicted)
    return {};
  double Least = First->Predicted->Value, Most = Least;
  for (const Finding *F : All) {
    if (!F->Predicted || F->Predicted->Metric != First->Predicted->Metric)
      continue;
    Least = std::min(Least, F->Predicted->Value);
    Most = std::max(Most, F->Predicted->Value);
  }
  if (number(Least) == number(Most))
    return {};
  std::string Unit = First->Predicted->Metric;
  std::ranges::replace(Unit, '_', ' ');
  return fmt::format("{} to {} {}", number(Least), number(Most), Unit);
}

} // namespace cudalint
