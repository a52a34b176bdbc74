//===- report/FindingGroups.cpp - What is one problem ---------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/FindingGroups.h"

#include "report/Names.h"
#include "report/Ranking.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <set>
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

static std::string_view textOf(const Phrase &Said, std::string_view Name) {
  const NamedValue *Found = Said.find(Name);
  const auto *Text = Found ? std::get_if<std::string>(&Found->What) : nullptr;
  return Text ? std::string_view(*Text) : std::string_view();
}

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
// What is the same
//===----------------------------------------------------------------------===//

/// Files of several folders include one header by several names: `k.cuh`,
/// `src/../k.cuh`.
static std::string plainPath(const std::string &File) {
  return std::filesystem::path(File).lexically_normal().string();
}

/// Values that tell where something is, or count from the object on: they may
/// differ where the remedy is the same.
static bool isRelative(const NamedValue &V) {
  static constexpr std::array Names = {"boundary", "dimensions", "free",
                                       "leader",   "line",       "pad_elements",
                                       "pitch",    "pitch_now",  "run"};
  return std::ranges::find(Names, std::string_view(V.Name)) != Names.end();
}

namespace {
/// Fields with separators that no text holds.
class Key {
public:
  explicit Key(std::string_view Kind) { add(Kind); }

  template <typename... Parts> Key &add(const Parts &...Values) {
    (addOne(Values), ...);
    return *this;
  }
  Key &addIdOf(const Phrase &P) { return add(P.Id); }
  /// But for the numbers that are relative to the object.
  Key &addRemedy(const Phrase &P) {
    add(P.Id);
    for (const NamedValue &Each : P.Values)
      if (!isRelative(Each))
        addOne(Each);
    return *this;
  }

  std::string Text;

private:
  void addOne(const auto &Part) {
    fmt::format_to(std::back_inserter(Text), "{}{}", Part, '\0');
  }
  void addOne(const NamedValue &V) {
    std::visit([&](const auto &Value) { add(V.Name, Value); }, V.What);
  }
  void addOne(const Location &L) { add(plainPath(L.File), L.Line, L.Column); }
  void addOne(std::span<const Location> Places) {
    for (const Location &Each : Places)
      addOne(Each);
  }
  /// Without values, the text is all that tells phrases apart.
  void addOne(const Phrase &P) {
    add(P.Id, P.Text);
    for (const NamedValue &Each : P.Values)
      addOne(Each);
  }
};

/// The keys of one finding: findings that share any of them are one problem.
class ProblemKeys {
public:
  ProblemKeys(const Finding &F, const UnitRecord &Unit,
              const KernelRecord *Kernel)
      : F(F), Unit(Unit), Kernel(Kernel), Object(objectOf(F)) {}

  std::vector<std::string> all() const;
  /// The same for all targets; several findings of one may share it.
  std::string ofTargets() const;
  /// Of an access that has the remedy of another one, and of that one.
  std::string ofLeader() const;

private:
  /// What findings of all kinds must agree in.
  Key begin(std::string_view Kind) const {
    Key K(Kind);
    K.add(F.Check, F.Level == Severity::Error, F.Trust == Certainty::Random,
          F.What.Id, F.Fixes.empty());
    return K;
  }
  bool isOfLaunch() const;

  std::string atPlace() const;
  std::string ofObject() const;
  std::string ofTemplate() const;
  std::string ofLaunches() const;
  std::string ofFile() const;
  std::string ofSource() const;

  const Finding &F;
  const UnitRecord &Unit;
  const KernelRecord *Kernel;
  std::string Object;
};
} // namespace

/// One place that says the same, in whatever kernel.
std::string ProblemKeys::atPlace() const {
  Key K = begin("place");
  K.add(F.Where, F.Cause, F.Remedy, F.Others, Object);
  if (!F.Predicted || !opOf(F.About))
    return K.add(F.What).Text;
  return K.add(F.Predicted->Value, F.Predicted->Ideal.value_or(-1)).Text;
}

/// Accesses to one variable of one kernel. The name that a function that was
/// inlined has for it is good for that call alone; where it has none but that
/// of a parameter, all that the call does is one thing.
std::string ProblemKeys::ofObject() const {
  if (!Kernel || !opOf(F.About))
    return {};
  Key K = begin("object");
  K.add(Unit.File, F.Kernel, F.Remedy);
  // What was tried was tried on all accesses to its object, or of the kernel,
  // whatever is wrong with each.
  if (F.Effect && F.Effect->Object.empty())
    return K.Text;
  if (!F.Effect)
    K.add(F.Cause);
  if (!F.About.Object.empty() || callsAround(F).empty())
    return Object.empty() ? std::string() : K.add(Object).Text;
  // What is called by a parameter's name alone may be any part of one thing.
  const bool IsPart = F.About.Name != F.About.Variable;
  return K.add(IsPart ? F.About.Variable : std::string(), callsAround(F)).Text;
}

std::string ProblemKeys::ofTemplate() const {
  if (!Kernel || Kernel->Template.empty() || isOfLaunch())
    return {};
  Key K = begin("template");
  K.add(F.Where, Kernel->Where).addIdOf(F.Cause).addRemedy(F.Remedy);
  return K.add(callsAround(F), F.Others == 0).Text;
}

/// Said of a launch, or of what the compiler made of the kernel.
bool ProblemKeys::isOfLaunch() const {
  return Kernel && (F.About.Kind == SubjectKind::Kernel ||
                    F.About.Kind == SubjectKind::Launch);
}

/// Instantiations of one template have their launches in one ladder.
std::string ProblemKeys::ofLaunches() const {
  if (!isOfLaunch())
    return {};
  Key K = begin("launches");
  K.add(Unit.File, plainPath(F.Where.File), Kernel->Where);
  if (Kernel->Template.empty())
    K.add(F.Kernel);
  return K.addIdOf(F.Cause).addIdOf(F.Remedy).Text;
}

/// Kernels of one file that do the same to what they call the same.
std::string ProblemKeys::ofFile() const {
  if (!Kernel || Object.empty() || !F.InlinedAt.empty() || !F.Predicted ||
      plainPath(F.Where.File) != plainPath(Kernel->Where.File))
    return {};
  Key K = begin("file");
  K.add(plainPath(F.Where.File), Object, F.Cause, F.Remedy);
  K.add(F.Predicted->Value, F.Predicted->Ideal.value_or(-1));
  return K.Text;
}

/// What is said of the source, not of a kernel.
std::string ProblemKeys::ofSource() const {
  if (!F.Kernel.empty() || Object.empty())
    return {};
  Key K = begin("source");
  K.add(plainPath(F.Where.File), F.What, F.Cause, F.Remedy);
  return K.Text;
}

/// Of several accesses that one warp makes together, the remedy of the others
/// is that of the first.
static bool followsAnother(const Finding &F) {
  return F.Remedy.Id == "as-of-group";
}

std::string ProblemKeys::ofLeader() const {
  const std::string_view Access = textOf(F.What, "access");
  if (!Kernel || Access.empty())
    return {};
  Key K("leader");
  K.add(F.Check, Unit.File, F.Kernel, plainPath(F.Where.File));
  if (!followsAnother(F))
    return K.add(static_cast<double>(F.Where.Line), Access).Text;
  const NamedValue *Line = F.Remedy.find("line");
  const double *Number = Line ? std::get_if<double>(&Line->What) : nullptr;
  if (!Number)
    return {};
  return K.add(*Number, textOf(F.Remedy, "leader")).Text;
}

std::vector<std::string> ProblemKeys::all() const {
  std::vector<std::string> Keys = {atPlace()};
  for (std::string Each :
       {ofObject(), ofTemplate(), ofLaunches(), ofFile(), ofSource()})
    if (!Each.empty())
      Keys.push_back(std::move(Each));
  return Keys;
}

std::string ProblemKeys::ofTargets() const {
  Key K = begin("targets");
  K.add(Unit.File, F.Kernel, F.Where, callsAround(F), Object);
  return K.addIdOf(F.Cause).addIdOf(F.Remedy).Text;
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// How many times what is possible is needed; 0 where no number is told.
static double badness(const Finding &F) {
  if (!F.Predicted)
    return 0;
  const double Ideal = F.Predicted->Ideal.value_or(1);
  return Ideal > 0 ? F.Predicted->Value / Ideal : F.Predicted->Value;
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
        const ProblemKeys Keys(F, Unit, Kernels.of(F));
        for (std::string &Each : Keys.all())
          Sets.unite(OfDocument.try_emplace(std::move(Each), Own).first->second,
                     Own);
        std::string Leader = Keys.ofLeader();
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
          std::string Text = ProblemKeys(F, Unit, Kernels.of(F)).ofTargets();
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
  std::vector<std::pair<double, std::size_t>> Order;
  for (const FindingGroup &G : Groups)
    Order.emplace_back(G.rank(), Order.size());
  std::ranges::stable_sort(Order, [&](const auto &A, const auto &B) {
    const Finding &X = *Groups[A.second].First, &Y = *Groups[B.second].First;
    if (X.Level != Y.Level)
      return X.Level > Y.Level;
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
  std::size_t Number = 0;
  for (const FindingGroup &G :
       groupFindings(Documents, KernelIndex(Documents))) {
    ++Number;
    for (const GroupMember &Each : G.All)
      Numbers[Each.What] = Number;
  }
  for (Document &Doc : Documents)
    for (UnitRecord &Unit : Doc.Units)
      for (Finding &F : Unit.Findings)
        F.Group = Numbers.at(&F);
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

std::string FindingGroup::range() const {
  if (!First->Predicted)
    return {};
  const Document *Home = home();
  double Least = First->Predicted->Value, Most = Least;
  for (const GroupMember &M : All) {
    const std::optional<Prediction> &P = M.What->Predicted;
    if (M.In != Home || !P || P->Metric != First->Predicted->Metric)
      continue;
    Least = std::min(Least, P->Value);
    Most = std::max(Most, P->Value);
  }
  if (number(Least) == number(Most))
    return {};
  std::string Unit = First->Predicted->Metric;
  std::ranges::replace(Unit, '_', ' ');
  return fmt::format("{} to {} {}", number(Least), number(Most), Unit);
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

std::optional<Waste> FindingGroup::wasted() const {
  if (!First->Wasted)
    return std::nullopt;
  Waste Sum{.Unit = First->Wasted->Unit,
            .PerWarp = 0,
            .InAll = 0,
            .OfKernel = 0,
            .OfProgram = 0,
            .Estimate = 0};
  // What comes by several ways to one place of a kernel has one share.
  using Identity = std::tuple<std::string_view, std::string_view, Location,
                              std::string_view>;
  std::set<Identity> Seen;
  const Document *Home = home();
  for (const GroupMember &M : All) {
    const Finding &F = *M.What;
    if (M.In != Home || !F.Wasted || F.Wasted->Unit != Sum.Unit ||
        !Seen.emplace(F.Kernel,
                      F.IncludedFrom.empty() ? std::string_view()
                                             : F.IncludedFrom.back().File,
                      F.Where, textOf(F.What, "access"))
             .second)
      continue;
    add(Sum.InAll, F.Wasted->InAll, false);
    add(Sum.OfProgram, F.Wasted->OfProgram, true);
    if (F.Kernel != First->Kernel)
      continue;
    add(Sum.PerWarp, F.Wasted->PerWarp, false);
    // Where one of them is not known, the rest is an estimate as well.
    add(Sum.Estimate,
        F.Wasted->OfKernel ? F.Wasted->OfKernel : F.Wasted->Estimate, true);
    add(Sum.OfKernel, F.Wasted->OfKernel, true);
  }
  if (Sum.OfKernel)
    Sum.Estimate.reset();
  return Sum;
}

double FindingGroup::rank() const {
  const std::optional<Waste> Sum = wasted();
  if (!Sum)
    return rankOf(*First);
  return Sum->OfProgram.value_or(
      Sum->OfKernel.value_or(Sum->Estimate.value_or(0)));
}

} // namespace cudalint
