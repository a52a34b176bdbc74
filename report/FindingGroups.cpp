//===- report/FindingGroups.cpp - What is one problem ---------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/FindingGroups.h"

#include "report/Names.h"
#include "report/NaturalOrder.h"
#include "report/ProblemKeys.h"
#include "report/Ranking.h"
#include "report/SupposedTraffic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>
#include <span>
#include <tuple>

namespace cudalint {

KernelIndex::KernelIndex(std::span<const Document> Documents) {
  for (const Document &Doc : Documents)
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

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

std::string objectOf(const Finding &F) {
  for (const std::string *Each :
       {&F.About.Object, &F.About.Variable, &F.About.Name})
    if (!Each->empty())
      return *Each;
  return {};
}

std::span<const Location> callsAround(const Finding &F) {
  std::span<const Location> Calls = F.InlinedAt;
  const auto Own = std::ranges::find_if(Calls, [&](const Location &L) {
    return L.File == F.Where.File && L.Line == F.Where.Line;
  });
  if (Own == Calls.end())
    return Calls;
  return Calls.subspan(static_cast<std::size_t>(Own - Calls.begin()) + 1);
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// How many times what is possible is needed; of what is spilled, the bytes; 0
/// where no number is told.
static double badness(const Finding &F) {
  if (!F.Predicted)
    return F.What.number("stores").value_or(0) +
           F.What.number("loads").value_or(0) +
           F.What.number("array_bytes").value_or(0);
  const double Ideal = F.Predicted->Ideal.value_or(1);
  return Ideal > 0 ? F.Predicted->Value / Ideal : F.Predicted->Value;
}

/// The most of its kernel's time that it may cost, 0 .. 1; empty: not known.
static std::optional<double> mostOfKernel(const Finding &F) {
  const auto Percent = F.What.number("most_percent_of_kernel");
  return Percent ? std::optional(*Percent / 100) : std::nullopt;
}

/// Whether a group tells \p A rather than \p B, of which it is told first.
static bool tellsMore(const Finding &A, const Finding &B) {
  if (A.Level != B.Level)
    return A.Level > B.Level;
  // Its remedy is told elsewhere.
  if (followsAnother(A) != followsAnother(B))
    return followsAnother(B);
  const double RankA = rankOf(A), RankB = rankOf(B);
  // What one sum rounds otherwise than another is no difference.
  if (std::abs(RankA - RankB) > 1e-9)
    return RankA > RankB;
  const double MostA = mostOfKernel(A).value_or(1),
               MostB = mostOfKernel(B).value_or(1);
  if (std::abs(MostA - MostB) > 1e-9)
    return MostA > MostB;
  return badness(A) > badness(B);
}

namespace {
/// Sets that grow together. Each is named by its first member.
class Unions {
public:
  std::size_t add() {
    Parents.push_back(Parents.size());
    return Parents.size() - 1;
  }
  std::size_t find(std::size_t I) {
    while (Parents[I] != I)
      I = Parents[I] = Parents[Parents[I]];
    return I;
  }
  void unite(std::size_t A, std::size_t B) {
    A = find(A), B = find(B);
    Parents[std::max(A, B)] = std::min(A, B);
  }

private:
  std::vector<std::size_t> Parents;
};
} // namespace

std::vector<FindingGroup> groupFindings(std::span<const Document> Documents,
                                        const KernelIndex &Kernels) {
  std::vector<GroupMember> All;
  Unions Sets;
  for (const Document &Doc : Documents) {
    // Kernels of two targets are not one because something is said of both,
    // but findings are.
    std::unordered_map<std::string, std::size_t> OfDocument, Leaders;
    std::vector<std::pair<std::string, std::size_t>> Followers;
    for (const UnitRecord &Unit : Doc.Units)
      for (const Finding &F : Unit.Findings) {
        const std::size_t Own = Sets.add();
        All.push_back({&F, &Doc});
        const KernelRecord *Kernel = Kernels.of(F);
        for (std::string &Each : problemKeys(F, Unit, Kernel))
          Sets.unite(OfDocument.try_emplace(std::move(Each), Own).first->second,
                     Own);
        std::string Leader = keyOfLeader(F, Unit, Kernel);
        if (Leader.empty())
          continue;
        if (followsAnother(F))
          Followers.emplace_back(std::move(Leader), Own);
        else
          Leaders.try_emplace(std::move(Leader), Own);
      }
    for (const auto &[Leader, Own] : Followers)
      if (const auto At = Leaders.find(Leader); At != Leaders.end())
        Sets.unite(At->second, Own);
  }
  if (Documents.size() > 1) {
    std::unordered_map<std::string, std::size_t> Across;
    std::size_t I = 0;
    for (const Document &Doc : Documents) {
      std::unordered_map<std::string, std::size_t> Times;
      for (const UnitRecord &Unit : Doc.Units)
        for (const Finding &F : Unit.Findings) {
          std::string Text = keyOfTargets(F, Unit, Kernels.of(F));
          Text += std::to_string(Times[Text]++);
          Sets.unite(Across.try_emplace(std::move(Text), I).first->second, I);
          ++I;
        }
    }
  }
  std::vector<FindingGroup> Groups;
  std::unordered_map<std::size_t, std::size_t> Index;
  for (std::size_t I = 0; I != All.size(); ++I) {
    const auto [At, New] = Index.try_emplace(Sets.find(I), Groups.size());
    if (New)
      Groups.push_back({All[I].What, {}});
    FindingGroup &G = Groups[At->second];
    if (tellsMore(*All[I].What, *G.First))
      G.First = All[I].What;
    G.All.push_back(All[I]);
  }
  // Where something is launched, what is not takes no time.
  const bool KnowsLaunches = std::ranges::any_of(Documents, hasLaunches);
  std::vector<std::pair<double, std::size_t>> Order;
  for (const FindingGroup &G : Groups) {
    const KernelRecord *Kernel = Kernels.of(*G.First);
    const bool IsIdle = KnowsLaunches && Kernel && !isInLaunches(*Kernel);
    Order.emplace_back(IsIdle ? 0 : G.rank(), Order.size());
  }
  std::ranges::stable_sort(Order, [&](const auto &A, const auto &B) {
    const Finding &X = *Groups[A.second].First, &Y = *Groups[B.second].First;
    if (X.Level != Y.Level)
      return X.Level > Y.Level;
    if (isFault(X) != isFault(Y))
      return isFault(X);
    if (std::abs(A.first - B.first) > 1e-9)
      return A.first > B.first;
    return isNaturallyLess(X.Where, Y.Where);
  });
  std::vector<FindingGroup> Sorted;
  for (const auto &[Rank, I] : Order)
    Sorted.push_back(std::move(Groups[I]));
  return Sorted;
}

void addGroups(std::span<Document> Documents) {
  std::unordered_map<const Finding *, std::size_t> Numbers;
  std::set<std::size_t> Minor;
  std::size_t Number = 0;
  for (const FindingGroup &G :
       groupFindings(Documents, KernelIndex(Documents))) {
    ++Number;
    for (const GroupMember &Each : G.All)
      Numbers[Each.What] = Number;
    if (G.First->Level == Severity::Warning &&
        (G.isMinor() || G.isMinorIfLoopsTurn() ||
         (G.wasted() && !G.wasted()->IsRough && G.isWithoutRemedy())))
      Minor.insert(Number);
  }
  for (Document &Doc : Documents)
    for (UnitRecord &Unit : Doc.Units)
      for (Finding &F : Unit.Findings) {
        F.Group = Numbers.at(&F);
        if (F.Level == Severity::Warning && Minor.contains(F.Group))
          F.Level = Severity::Note;
      }
}

//===----------------------------------------------------------------------===//
// What a group tells
//===----------------------------------------------------------------------===//

std::pair<std::vector<std::string>, std::vector<std::string>>
FindingGroup::assumptions() const {
  std::pair<std::vector<std::string>, std::vector<std::string>> Result;
  for (const Assumption &Each : First->Assumptions)
    (std::ranges::all_of(All,
                         [&](const GroupMember &M) {
                           return std::ranges::find(M.What->Assumptions,
                                                    Each) !=
                                  M.What->Assumptions.end();
                         })
         ? Result.first
         : Result.second)
        .push_back(Each.Text);
  return Result;
}

const Document *FindingGroup::home() const {
  const auto Found = std::ranges::find(All, First, &GroupMember::What);
  return Found == All.end() ? nullptr : Found->In;
}

/// Empty as soon as one part is.
static void add(std::optional<double> &Sum, const std::optional<double> &Part,
                bool IsShare) {
  if (!Sum || !Part)
    return Sum.reset();
  *Sum += *Part;
  if (IsShare)
    Sum = std::min(1.0, *Sum);
}

std::string_view mainFileOf(const Finding &F) {
  return F.IncludedFrom.empty() ? F.Where.File : F.IncludedFrom.back().File;
}

/// A kernel of a header is another one in each file that includes it.
static std::pair<std::string_view, std::string_view>
kernelOf(const Finding &F) {
  return {F.Kernel, mainFileOf(F)};
}

static void add(Waste &Sum, const Waste &One) {
  add(Sum.InAll, One.InAll, false);
  add(Sum.OfProgram, One.OfProgram, true);
  add(Sum.PerWarp, One.PerWarp, false);
  // Where one of them is not known, the rest is an estimate as well.
  add(Sum.Estimate, One.OfKernel ? One.OfKernel : One.Estimate, true);
  add(Sum.OfKernel, One.OfKernel, true);
  add(Sum.IfMany, One.IfMany, true);
  Sum.IsRough |= One.IsRough;
  Sum.IsMost |= One.IsMost;
}

std::vector<Waste> FindingGroup::wastedByKernel() const {
  if (!First->Wasted)
    return {};
  const Waste None{.Unit = First->Wasted->Unit,
                   .PerWarp = 0,
                   .InAll = 0,
                   .OfKernel = 0,
                   .OfProgram = 0,
                   .Estimate = 0,
                   .IfMany = 0};
  std::vector<Waste> Sums = {None};
  struct KernelSum {
    std::size_t Sum = 0;
    std::optional<BlockShape> Block; ///< In which its share is told.
  };
  std::map<std::pair<std::string_view, std::string_view>, KernelSum> Index = {
      {kernelOf(*First), {0, First->Block}}};
  // What comes by several ways to one place of a kernel has one share, whatever
  // it is called on each of them.
  using Identity =
      std::tuple<std::string_view, std::string_view, Location, SubjectKind>;
  std::set<Identity> Seen;
  // Of a branch of which nobody knows the way, by kernel and branch: no warp
  // wastes what is on both.
  std::map<std::pair<std::size_t, unsigned>, std::array<Waste, 2>> Ways;
  const Document *Home = home();
  for (const GroupMember &M : All) {
    const Finding &F = *M.What;
    if (M.In != Home || !F.Wasted || F.Wasted->Unit != None.Unit ||
        !Seen.emplace(F.Kernel, mainFileOf(F), F.Where, F.About.Kind).second)
      continue;
    const auto [Its, IsNew] =
        Index.try_emplace(kernelOf(F), KernelSum{Sums.size(), F.Block});
    if (IsNew)
      Sums.push_back(None);
    Waste W = *F.Wasted;
    // Shares of what different launches move have no sum.
    if (F.Block && Its->second.Block && F.Block != Its->second.Block)
      W.OfKernel = W.PerWarp = 0;
    const std::size_t Sum = Its->second.Sum;
    if (W.Undecided == 0 || W.OfKernel)
      add(Sums[Sum], W);
    else
      add(Ways.try_emplace({Sum, branchOf(W.Undecided)}, std::array{None, None})
              .first->second[sideOf(W.Undecided)],
          W);
  }
  for (auto &[Of, Way] : Ways) {
    const bool AreBoth = Way[0].Estimate != 0.0 && Way[1].Estimate != 0.0;
    Waste &Larger = Way[Way[1].Estimate > Way[0].Estimate];
    Larger.IsMost |= AreBoth;
    add(Sums[Of.first], Larger);
  }
  for (Waste &Sum : Sums)
    if (Sum.OfKernel) {
      Sum.Estimate.reset();
      Sum.IsRough = Sum.IsMost = false;
    }
  return Sums;
}

std::optional<Waste> FindingGroup::wasted() const {
  const std::vector<Waste> All = wastedByKernel();
  if (All.empty())
    return std::nullopt;
  Waste Sum = All.front();
  for (const Waste &Each : std::span(All).subspan(1)) {
    add(Sum.InAll, Each.InAll, false);
    add(Sum.OfProgram, Each.OfProgram, true);
  }
  return Sum;
}

/// The most of one kernel's time that all of it may cost, 0 .. 1: the sum, of
/// the kernel where that is largest. Empty where it is not known of one of
/// them.
static std::optional<double> mostOfKernel(const FindingGroup &G) {
  std::map<std::tuple<const Document *, std::string_view, std::string_view>,
           double>
      Sums;
  for (const GroupMember &M : G.All) {
    const std::optional<double> Most = mostOfKernel(*M.What);
    if (!Most)
      return std::nullopt;
    Sums[{M.In, M.What->Kernel, mainFileOf(*M.What)}] += *Most;
  }
  double Most = 0;
  for (const auto &[Kernel, Sum] : Sums)
    Most = std::max(Most, Sum);
  return std::min(Most, 1.0);
}

static constexpr double WorthAChange = 0.1; // Chosen.

bool FindingGroup::isMinorIfLoopsTurn() const {
  const std::vector<Waste> Its = wastedByKernel();
  return !Its.empty() && std::ranges::all_of(Its, [](const Waste &W) {
    return W.IsRough && W.IfMany.value_or(1) < WorthAChange;
  });
}

bool FindingGroup::isMinor() const {
  if (mostOfKernel(*this).value_or(1) < WorthAChange)
    return true;
  const std::optional<Waste> Sum = wasted();
  if (!Sum)
    return false;
  const std::optional<double> Share =
      Sum->OfKernel ? Sum->OfKernel : Sum->Estimate;
  return Share && *Share < WorthAChange;
}

bool holdsForSomeValues(const Finding &F) {
  return F.Level == Severity::Note && F.What.find("when") &&
         F.What.find("symbol");
}

bool FindingGroup::isWithoutRemedy() const {
  static constexpr std::array<std::string_view, 3> None = {
      "", "another-layout-helps-more", "layout-not-judged"};
  static constexpr double WorthKnowing = 1.0 / 3;
  return opOf(First->About) &&
         (First->Trust == Certainty::Random || holdsForSomeValues(*First) ||
          rank() < WorthKnowing) &&
         std::ranges::find(None, First->Remedy.Id) != None.end();
}

double FindingGroup::rank() const {
  const std::optional<Waste> Sum = wasted();
  if (!Sum)
    return rankOf(*First);
  return Sum->OfProgram.value_or(
      Sum->OfKernel.value_or(Sum->Estimate.value_or(0)));
}

} // namespace cudalint
