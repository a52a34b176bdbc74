//===- report/FindingLabel.cpp - What stands below a headline -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/FindingWords.h"

#include "report/Names.h"
#include "report/NaturalOrder.h"
#include "report/TerminalText.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <set>
#include <span>
#include <string_view>

namespace cudalint {

bool isTelling(std::string_view LanePattern) {
  return LanePattern.find_first_not_of(LanePattern.substr(0, 1)) !=
         LanePattern.npos;
}

bool isWorthSaying(const Assumption &Taken) {
  switch (Taken.Kind) {
  case AssumptionKind::LargeSize:
  case AssumptionKind::RoundSize:
  case AssumptionKind::Program:
    return true;
  case AssumptionKind::Model:
  case AssumptionKind::Compiler:
  case AssumptionKind::Alignment:
  case AssumptionKind::AnyOffset:
    return false;
  }
  return true;
}

static std::string percent(double Share) {
  return Share > 0 && Share < 0.005 ? "<1 %"
                                    : fmt::format("{:.0f} %", 100 * Share);
}

static bool isShown(double Share) { return std::isfinite(Share) && Share > 0; }

/// Whether a share is known of each kernel that it is about.
static bool isKnownOfAll(const FindingGroup &G) {
  std::set<std::pair<std::string_view, std::string_view>> Kernels;
  for (const GroupMember &M : G.All)
    if (M.In == G.home())
      Kernels.emplace(M.What->Kernel, mainFileOf(*M.What));
  const std::vector<Waste> Shares = G.wastedByKernel();
  return Shares.size() == Kernels.size() &&
         std::ranges::all_of(Shares, [](const Waste &W) {
           return W.OfKernel || (W.Estimate && !W.IsRough);
         });
}

std::string shareOf(const FindingGroup &G) {
  if (holdsForSomeValues(*G.First))
    return {};
  double Least = 0, Most = 0;
  bool IsExact = true, IsFirst = true;
  // Of a stride that is large in most launches only, less is wasted.
  bool IsBound = std::ranges::any_of(
      G.First->Assumptions,
      [](AssumptionKind Kind) { return Kind == AssumptionKind::LargeSize; },
      &Assumption::Kind);
  for (const Waste &W : G.wastedByKernel()) {
    const bool IsKnown = W.OfKernel && isShown(*W.OfKernel);
    if (!IsKnown && (!W.Estimate || W.IsRough || !isShown(*W.Estimate))) {
      if (IsFirst)
        return {};
      continue;
    }
    const double Share = IsKnown ? *W.OfKernel : *W.Estimate;
    Least = IsFirst ? Share : std::min(Least, Share);
    Most = std::max(Most, Share);
    IsExact &= IsKnown;
    IsBound |= !IsKnown && W.IsMost;
    IsFirst = false;
  }
  if (IsFirst)
    return {};
  const std::string Upper = percent(Most);
  if (IsBound)
    return "up to " + Upper;
  std::string Text = IsExact || Most < 0.005 ? "" : "~";
  if (std::string Lower = percent(Least); Lower != Upper)
    Text += Lower.substr(0, Lower.rfind(' ')) + " to ";
  return Text + Upper;
}

/// The place by whatever name of its file.
static Location plainPlace(const Location &Where) {
  Location Plain = Where;
  Plain.File =
      std::filesystem::path(Where.File).lexically_normal().generic_string();
  return Plain;
}

/// As they are printed.
static bool haveOtherNumbers(const Phrase &A, const Phrase &B) {
  return std::ranges::any_of(A.Values, [&](const NamedValue &Each) {
    const NamedValue *Other = B.find(Each.Name);
    const double *Own = std::get_if<double>(&Each.What);
    const double *Its = Other ? std::get_if<double>(&Other->What) : nullptr;
    return Own && Its && number(*Own) != number(*Its);
  });
}

/// `'f' and 2 more instantiations`; empty where no kernel is meant.
static std::string kernelsOf(const FindingGroup &G,
                             const KernelIndex &Kernels) {
  const Finding &F = *G.First;
  if (F.Kernel.empty())
    return {};
  const auto placeOf = [&](const Finding &Each) {
    const KernelRecord *Kernel = Kernels.of(Each);
    return Kernel ? plainPlace(Kernel->Where) : Location();
  };
  // Instantiations of one template stand at one place; kernels of one name and
  // place, from a header, are one.
  const auto identity = [&](const Finding &Each) {
    return std::pair(std::string_view(Each.Kernel), placeOf(Each));
  };
  const KernelRecord *Own = Kernels.of(F);
  std::set<std::pair<std::string_view, Location>> Seen = {identity(F)};
  std::size_t Instantiations = 0, Others = 0;
  bool HasOtherNumbers = false;
  for (const GroupMember &M : G.All) {
    if (M.What->Kernel.empty() || !Seen.insert(identity(*M.What)).second)
      continue;
    const KernelRecord *Its = Kernels.of(*M.What);
    const bool IsOfThis = Own && Its && placeOf(F) == placeOf(*M.What);
    ++(IsOfThis ? Instantiations : Others);
    HasOtherNumbers |= IsOfThis && haveOtherNumbers(F.What, M.What->What);
  }
  std::string Text = fmt::format("'{}'", shortName(F, Own));
  if (Instantiations)
    // Of some the range is told.
    Text += (HasOtherNumbers && G.range().empty()
                 ? " and, some with other numbers, "
                 : " and ") +
            countOf(Instantiations, "more instantiation");
  if (Others)
    Text += " and " + countOf(Others, "more kernel");
  return Text;
}

ShareWords shareInWords(const FindingGroup &G, const KernelIndex &Kernels) {
  const std::string Kernel = kernelsOf(G, Kernels);
  const std::string Share = shareOf(G);
  if (Share.empty() && Kernel.empty())
    return {};
  if (Share.empty() && G.First->Wasted && G.wasted()->IsRough &&
      !holdsForSomeValues(*G.First))
    return {ShareKind::ByLoops,
            "how often loops turn decides what it wastes of " + Kernel, Kernel};
  if (Share.empty())
    return {ShareKind::Kernel, "in " + Kernel, Kernel};
  const Waste W = *G.wasted();
  std::string Text =
      fmt::format("wastes {} of the {}", Share, printable(W.Unit));
  if (!Kernel.empty())
    Text += (isKnownOfAll(G) ? " of " : ", where that is known, of ") + Kernel +
            blocksOfShare(G, Kernels);
  // The same for a program of one kernel.
  if (W.OfProgram && *W.OfProgram > 0 && W.OfKernel &&
      percent(*W.OfProgram) != percent(*W.OfKernel))
    Text +=
        fmt::format(", {} of all launches, each once", percent(*W.OfProgram));
  return {ShareKind::Known, std::move(Text), Kernel};
}

/// `column 9`, `lines 7, 8`; nothing of none.
static void addNumbers(std::string_view Noun,
                       const std::vector<std::string> &Numbers,
                       std::vector<std::string> &To) {
  if (!Numbers.empty())
    To.push_back(fmt::format("{}{} {}", Noun, Numbers.size() == 1 ? "" : "s",
                             fmt::join(Numbers, ", ")));
}

/// `also at column 9, lines 7, 8, 9, b.cuh:4`: where the other findings are.
static std::string otherPlaces(const FindingGroup &G) {
  static constexpr std::size_t MostPlaces = 8;
  const auto less = [](const Location &A, const Location &B) {
    return isNaturallyLess(A, B);
  };
  const Location &Own = G.First->Where;
  std::set<Location, decltype(less)> Places(less);
  std::set<unsigned> OwnColumns;
  for (const GroupMember &M : G.All) {
    const Location &L = M.What->Where;
    if (L.Line == Own.Line && L.File == Own.File && L.Column != Own.Column)
      OwnColumns.insert(L.Column);
    else if (L.Line && (L.Line != Own.Line || L.File != Own.File))
      Places.insert({L.File, L.Line, 0});
  }
  // By another name of the same file, it is the same place.
  std::vector<std::string> Columns, Lines, Files;
  std::size_t Left = 0;
  for (const unsigned Each : OwnColumns)
    if (Columns.size() == MostPlaces)
      ++Left;
    else
      Columns.push_back(std::to_string(Each));
  for (const Location &L : Places) {
    const bool IsSameFile =
        L.File == Own.File ||
        std::filesystem::path(L.File).lexically_normal() ==
            std::filesystem::path(Own.File).lexically_normal();
    if (IsSameFile && L.Line == Own.Line)
      continue;
    if (Columns.size() + Lines.size() + Files.size() == MostPlaces)
      ++Left;
    else if (IsSameFile)
      Lines.push_back(std::to_string(L.Line));
    else
      Files.push_back(fmt::format("{}:{}", printable(L.File), L.Line));
  }
  std::vector<std::string> Parts;
  addNumbers("column", Columns, Parts);
  addNumbers("line", Lines, Parts);
  std::ranges::move(Files, std::back_inserter(Parts));
  if (Parts.empty())
    return {};
  std::string Text = fmt::format("also at {}", fmt::join(Parts, ", "));
  if (Left)
    Text += fmt::format(" and {} more", Left);
  return Text;
}

/// The calls in the user's code, of which a reader needs the nearest: `called
/// at lines 20, 30`, `called at main.cu:20`.
static std::string callsOf(const Finding &F) {
  static constexpr std::size_t MostCalls = 2;
  std::vector<std::string> Lines, Elsewhere;
  for (const Location &L : callsAround(F)) {
    if (Lines.size() + Elsewhere.size() == MostCalls)
      break;
    const bool IsHere = L.File == F.Where.File;
    std::string Line = std::to_string(L.Line);
    if (!IsHere)
      Line = printable(
          fmt::format("{}:{}", L.File.substr(L.File.rfind('/') + 1), Line));
    std::vector<std::string> &Calls = IsHere ? Lines : Elsewhere;
    if (Calls.empty() || Calls.back() != Line)
      Calls.push_back(std::move(Line));
  }
  if (!Lines.empty())
    Elsewhere.insert(Elsewhere.begin(),
                     fmt::format("line{} {}", Lines.size() == 1 ? "" : "s",
                                 fmt::join(Lines, ", ")));
  return Elsewhere.empty()
             ? std::string()
             : fmt::format("called at {}", fmt::join(Elsewhere, ", "));
}

/// Where targets differ: `only on sm_70`, `8 on sm_70, 4 on sm_90`.
static std::string targetsOf(const FindingGroup &G,
                             std::span<const Document> Documents) {
  if (Documents.size() < 2)
    return {};
  std::vector<std::string> Names, Numbers;
  std::set<std::string> Different;
  for (const Document &Doc : Documents) {
    const Finding *Told = nullptr;
    for (const GroupMember &M : G.All)
      if (M.In == &Doc && (!Told || (M.What->Where == G.First->Where &&
                                     M.What->Kernel == G.First->Kernel &&
                                     (Told->Where != G.First->Where ||
                                      Told->Kernel != G.First->Kernel))))
        Told = M.What;
    if (!Told)
      continue;
    const std::string Name = printable(Doc.Target.Name);
    Names.push_back(Name);
    if (!Told->Predicted)
      continue;
    const std::string Value = number(Told->Predicted->Value);
    Different.insert(Value);
    Numbers.push_back(fmt::format("{} on {}", Value, Name));
  }
  std::string Text;
  if (Names.size() != Documents.size())
    Text = fmt::format("only on {}", fmt::join(Names, ", "));
  if (Different.size() > 1)
    Text +=
        fmt::format("{}{}", Text.empty() ? "" : ": ", fmt::join(Numbers, ", "));
  return Text;
}

static std::string_view unquoted(std::string_view Name) {
  if (Name.size() > 1 && Name.front() == '\'' && Name.back() == '\'')
    Name = Name.substr(1, Name.size() - 2);
  return Name;
}

/// Whether `Product`, as `'blockIdx.x * n'`, is a multiple of 32 because a
/// factor of it is assumed to be one.
static bool isMultipleOfAnother(const Assumption &Product,
                                std::span<const Assumption> All) {
  static constexpr std::string_view Times = " * ";
  const std::string Name = fmt::format(" * {} * ", unquoted(Product.About));
  return std::ranges::any_of(All, [&](const Assumption &Each) {
    return Each.Kind == AssumptionKind::RoundSize &&
           Each.About != Product.About &&
           Name.find(fmt::format("{}{}{}", Times, unquoted(Each.About),
                                 Times)) != std::string::npos;
  });
}

static std::string assumed(const FindingGroup &G) {
  using enum AssumptionKind;
  const std::vector<Assumption> &All = G.First->Assumptions;
  const auto isSaid = [&](AssumptionKind Kind, const std::string &About) {
    return std::ranges::any_of(All, [&](const Assumption &Each) {
      return Each.Kind == Kind && Each.About == About;
    });
  };
  // How the model works is assumed of accesses alone.
  const bool IsAccess = opOf(G.First->About).has_value();
  // An average of what no single request takes has to be told as one.
  const bool IsAverage =
      G.First->Predicted &&
      G.First->Predicted->Value != std::floor(G.First->Predicted->Value);
  std::vector<std::string> Said, Round;
  for (const Assumption &Each : All) {
    if (IsAccess && !isWorthSaying(Each) &&
        !(IsAverage && Each.Kind == AnyOffset))
      continue;
    // Two things of one size are said at once.
    if (Each.Kind == LargeSize && isSaid(RoundSize, Each.About))
      continue;
    if (Each.Kind != RoundSize)
      Said.push_back(printable(Each.Text));
    else if (isSaid(LargeSize, Each.About))
      Said.push_back(printable(Each.About + " is a large multiple of 32"));
    else if (!isMultipleOfAnother(Each, All))
      Round.push_back(printable(Each.About));
  }
  static constexpr std::size_t MostNames = 3; // -v has all.
  if (Round.size() > MostNames + 1) {
    const std::size_t Left = Round.size() - MostNames;
    Round.resize(MostNames);
    Round.push_back(fmt::format("{} more sizes", Left));
  }
  if (Round.size() == 1)
    Said.push_back(Round.front() + " is a multiple of 32");
  else if (!Round.empty())
    Said.push_back(inWords(Round) + " are multiples of 32");
  return Said.empty() ? std::string() : "assumes " + inWords(Said);
}

/// `with the remedy, 64 wavefronts of a block instead of 1056`.
static std::string remedied(const Finding &F) {
  // Of a warp whose loops nobody has counted, these are no wavefronts that it
  // takes.
  if (!F.Effect || F.Effect->Unit == "wavefronts_per_warp")
    return {};
  const RemedyEffect &E = *F.Effect;
  // `wavefronts_per_block`
  const std::string_view Unit = E.Unit;
  const std::size_t Per = std::min(Unit.find("_per_"), Unit.size());
  const std::string_view Whose = Unit.substr(std::min(Per + 5, Unit.size()));
  std::string_view What = Unit.substr(0, Per);
  if (What.ends_with('s'))
    What.remove_suffix(1);
  return printable(fmt::format("with the remedy, {} of a {} instead of {}",
                               countOf(E.After, What), Whose,
                               number(E.Before)));
}

/// `measured: 31.8 on NVIDIA H200, confirmed; 2 on NVIDIA H200, refuted (line
/// 5)`: each place once.
static std::string measuredOf(const FindingGroup &G) {
  static constexpr std::size_t MostPlaces = 4;
  std::vector<std::string> Said;
  for (const GroupMember &M : G.All)
    for (const MeasuredVerdict &Each : M.What->Measured) {
      std::string One = fmt::format(
          "{}on {}, {}",
          Each.PerRequest ? number(*Each.PerRequest) + " " : std::string(),
          printable(Each.Gpu), printable(Each.Verdict));
      if (M.What->Where.Line != G.First->Where.Line)
        One += fmt::format(" (line {})", M.What->Where.Line);
      if (std::ranges::find(Said, One) == Said.end())
        Said.push_back(std::move(One));
    }
  if (Said.empty())
    return {};
  const std::size_t More = Said.size() - std::min(Said.size(), MostPlaces);
  Said.resize(Said.size() - More);
  return fmt::format("measured: {}{}", fmt::join(Said, "; "),
                     More ? fmt::format("; and {} more", More) : "");
}

std::string labelOf(const FindingGroup &G, const KernelIndex &Kernels,
                    std::span<const Document> Documents,
                    const Headline &Above) {
  const Finding &F = *G.First;
  std::vector<std::string> Parts = {Above.Below};
  ShareWords Share = shareInWords(G, Kernels);
  // The kernel alone, that is named already.
  if (Share.Kind != ShareKind::Kernel ||
      Above.Text.find(Share.Kernel) == std::string::npos)
    Parts.push_back(std::move(Share.Text));
  if (F.Executions && *F.Executions > 1)
    Parts.push_back(fmt::format("{} times a warp", number(*F.Executions)));
  Parts.push_back(printable(G.range()));
  Parts.push_back(remedied(F));
  Parts.push_back(otherPlaces(G));
  if (F.Others)
    Parts.push_back(
        F.Others == 1
            ? std::string("so does 1 more access of this kernel")
            : fmt::format("so do {} more accesses of this kernel", F.Others));
  Parts.push_back(callsOf(F));
  Parts.push_back(targetsOf(G, Documents));
  Parts.push_back(measuredOf(G));
  Parts.push_back(assumed(G));
  std::erase(Parts, "");
  std::string Text = fmt::format("{}", fmt::join(Parts, "; "));
  if (!Above.HasCheck)
    Text += fmt::format("{}[{}]", Text.empty() ? "" : " ", printable(F.Check));
  return Text;
}

} // namespace cudalint
