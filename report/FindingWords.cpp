//===- report/FindingWords.cpp - A problem in few words -------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/FindingWords.h"

#include "report/Names.h"
#include "report/Ranking.h"
#include "report/TerminalText.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>

namespace cudalint {

//===----------------------------------------------------------------------===//
// Shorter names and clauses
//===----------------------------------------------------------------------===//

/// Names longer than that lose their template arguments, then their end.
static constexpr unsigned MostOfName = 40;

/// `f<...>` of `f<1, 2>`; the whole where brackets are not in pairs.
static std::string withoutArguments(std::string_view Name) {
  const std::size_t Begin = Name.find('<');
  const std::size_t End = Name.rfind('>');
  if (Begin == Name.npos || Begin == 0 || End == Name.npos || End < Begin)
    return std::string(Name);
  return fmt::format("{}<...>{}", Name.substr(0, Begin), Name.substr(End + 1));
}

static std::string shortened(std::string_view Name) {
  if (columnsOf(Name) <= MostOfName)
    return std::string(Name);
  std::string Short = withoutArguments(Name);
  if (columnsOf(Short) <= MostOfName)
    return Short;
  std::string Cut = cutTo(Short, MostOfName - 2);
  Cut.pop_back(); // the ~
  return Cut + "...";
}

/// Each name in quotes shortened. A quote inside a word is an apostrophe.
static std::string withShortNames(std::string_view Text) {
  std::string Out;
  while (!Text.empty()) {
    const std::size_t Begin = Text.find('\'');
    const std::size_t End =
        Begin == Text.npos ? Text.npos : Text.find('\'', Begin + 1);
    if (End == Text.npos)
      break;
    Out += Text.substr(0, Begin + 1);
    Out += shortened(Text.substr(Begin + 1, End - Begin - 1)) + '\'';
    Text.remove_prefix(End + 1);
  }
  return Out + std::string(Text);
}

std::string shortName(const Finding &F, const KernelRecord *Kernel) {
  std::string_view Name = F.KernelSignature;
  if (Name.empty())
    Name = Kernel && !Kernel->Signature.empty() ? Kernel->Signature : F.Kernel;
  return shortened(printable(withoutParameters(Name)));
}

/// \p Said with the object in place of the whole expression, which stands in
/// the source line below.
static Phrase ofObject(const Finding &F) {
  Phrase Said = F.What;
  const std::string Object = objectOf(F);
  const std::optional<AccessOp> Op = opOf(F.About);
  for (NamedValue &Each : Said.Values) {
    if (Each.Name == "access" && Op && !Object.empty())
      Each.What = accessInWords(*Op, Object);
  }
  return Said;
}

std::string briefWhat(const Finding &F) {
  return withShortNames(printable(inWords(ofObject(F))));
}

static std::string without(std::string Text, std::string_view Words) {
  if (const std::size_t At = Text.find(Words); At != Text.npos)
    Text.erase(At, Words.size());
  return Text;
}

/// Up to the first of these that stands outside quotes and parentheses.
static std::string upTo(std::string_view Text,
                        std::initializer_list<std::string_view> Ends) {
  bool IsQuoted = false;
  std::size_t Depth = 0;
  for (std::size_t I = 0; I != Text.size(); ++I) {
    const char C = Text[I];
    if (C == '\'' || C == '`')
      IsQuoted = !IsQuoted;
    if (I && !IsQuoted && Depth == 0 &&
        std::ranges::any_of(Ends, [&](std::string_view End) {
          return Text.substr(I).starts_with(End);
        }))
      return std::string(Text.substr(0, I));
    if (C == '(')
      ++Depth;
    else if (C == ')' && Depth)
      --Depth;
  }
  return std::string(Text);
}

/// Without the clause behind the last comma, unless that is the ideal.
static std::string withoutLastClause(std::string_view Text) {
  const std::size_t Comma = Text.rfind(", ");
  if (Comma == Text.npos || Text.substr(Comma).starts_with(", ideal"))
    return std::string(Text);
  return std::string(Text.substr(0, Comma));
}

//===----------------------------------------------------------------------===//
// The headline
//===----------------------------------------------------------------------===//

static bool fits(const std::string &Text, std::size_t Column, unsigned Width) {
  const std::string Lines = wrapped(Text, static_cast<unsigned>(Column), Width);
  if (std::ranges::count(Lines, '\n') > 1)
    return false;
  // A word that is too long stands alone.
  const std::size_t Break = Lines.find('\n');
  return Break == Lines.npos || columnsOf(Lines.substr(Break + 1)) <= Width;
}

/// `at 128 registers four fit` of `at 128 registers (129 to 168 gain nothing)
/// four fit (16 of 64 warps)`: remarks are left out, calls are not.
static std::string withoutRemarks(std::string Text) {
  for (std::size_t At = 0; (At = Text.find(" (", At)) != Text.npos;) {
    const std::size_t End = Text.find(')', At);
    if (End == Text.npos)
      break;
    Text.erase(At, End + 1 - At);
  }
  return Text;
}

/// As messageOf(), of clauses that may be empty.
static std::string sentence(std::string What, const std::string &Cause,
                            const std::string &Remedy) {
  if (!Cause.empty())
    What += (What.find(": ") != What.npos ? "; " : ": ") + Cause;
  if (!Remedy.empty())
    What += "; " + Remedy;
  return What;
}

/// Without its last words, so that it fits; the first stays, however long it
/// is.
static std::string cutToFit(std::string Text, std::size_t Column,
                            unsigned Width) {
  static constexpr std::string_view Dots = "...";
  while (!fits(Text + std::string(Dots), Column, Width)) {
    const std::size_t Space = Text.rfind(' ');
    if (Space == Text.npos || Space == 0)
      break;
    Text.resize(std::min(Space, Text.find_last_not_of(" ,;:", Space) + 1));
  }
  return Text + std::string(Dots);
}

Headline headlineOf(const Finding &F, std::size_t Column, unsigned Width) {
  const std::string Check = F.Check.empty()
                                ? std::string()
                                : fmt::format(" [{}]", printable(F.Check));
  const std::string What = briefWhat(F);
  const std::string Cause = withShortNames(printable(inWords(F.Cause)));
  const std::string Remedy = withShortNames(printable(inWords(F.Remedy)));
  const std::string All = sentence(What, Cause, Remedy) + Check;
  if (F.Level == Severity::Error || fits(All, Column, Width))
    return {.Text = All, .HasCheck = true};
  // Each step leaves out what is missed less than what the next one does. The
  // cause is told where no remedy is known; the name of the check goes where
  // there is more room before the remedy goes.
  const std::string Why = Remedy.empty() ? Cause : std::string();
  const std::string ShortWhy = upTo(withoutRemarks(Why), {": ", "; ", ", "});
  const std::string Clause = upTo(withoutRemarks(Remedy), {": ", "; "});
  // What stands behind a comma may be the point of it: the dots say so.
  std::string First = upTo(Clause, {", "});
  if (First != Clause)
    First += "...";
  const std::string Plain = without(What, " per request");
  const std::string Least = withoutLastClause(withoutRemarks(Plain));
  const std::string Bare = upTo(Least, {": ", "; ", " while "});
  const std::string WithCheck[] = {sentence(What, Why, Remedy),
                                   sentence(What, Why, Clause),
                                   sentence(Plain, Why, Clause)};
  for (const std::string &Each : WithCheck)
    if (fits(Each + Check, Column, Width))
      return {.Text = Each + Check, .HasCheck = true};
  const std::string Without[] = {
      sentence(What, Why, Remedy),      sentence(What, Why, Clause),
      sentence(Plain, Why, Clause),     sentence(Least, ShortWhy, Clause),
      sentence(Bare, ShortWhy, Clause), sentence(Plain, ShortWhy, First),
      sentence(Least, ShortWhy, First), sentence(Bare, ShortWhy, First)};
  for (const std::string &Each : Without)
    if (fits(Each, Column, Width))
      return {.Text = Each, .HasCheck = false};
  return {.Text = cutToFit(sentence(Bare, ShortWhy, Clause), Column, Width),
          .HasCheck = false};
}

//===----------------------------------------------------------------------===//
// The label
//===----------------------------------------------------------------------===//

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

std::string shareOf(const FindingGroup &G) {
  const std::optional<Waste> W = G.wasted();
  if (!W)
    return {};
  if (W->OfKernel && isShown(*W->OfKernel))
    return percent(*W->OfKernel);
  if (W->Estimate && isShown(*W->Estimate))
    return (*W->Estimate < 0.005 ? "" : "~") + percent(*W->Estimate);
  return {};
}

/// `'f' and 2 more instantiations`; empty where no kernel is meant.
static std::string kernelsOf(const FindingGroup &G,
                             const KernelIndex &Kernels) {
  const Finding &F = *G.First;
  if (F.Kernel.empty())
    return {};
  // Instantiations of one template stand at one place; kernels of one name and
  // place, from a header, are one.
  const auto identity = [&](const Finding &Each) {
    const KernelRecord *Kernel = Kernels.of(Each);
    return std::pair(std::string_view(Each.Kernel),
                     Kernel ? Kernel->Where : Location());
  };
  const KernelRecord *Own = Kernels.of(F);
  std::set<std::pair<std::string_view, Location>> Seen = {identity(F)};
  std::size_t Instantiations = 0, Others = 0;
  for (const GroupMember &M : G.All) {
    if (M.What->Kernel.empty() || !Seen.insert(identity(*M.What)).second)
      continue;
    const KernelRecord *Its = Kernels.of(*M.What);
    ++(Own && Its && Own->Where == Its->Where ? Instantiations : Others);
  }
  std::string Text = fmt::format("'{}'", shortName(F, Own));
  if (Instantiations)
    Text += " and " + countOf(Instantiations, "more instantiation");
  if (Others)
    Text += " and " + countOf(Others, "more kernel");
  return Text;
}

std::string shareInWords(const FindingGroup &G, const KernelIndex &Kernels) {
  const std::string Kernel = kernelsOf(G, Kernels);
  const std::string Share = shareOf(G);
  if (Share.empty())
    return Kernel.empty() ? std::string() : "in " + Kernel;
  const Waste W = *G.wasted();
  std::string Text = fmt::format("{} of the {}", Share, printable(W.Unit));
  if (!Kernel.empty())
    Text += " of " + Kernel;
  // The same for a program of one kernel.
  if (W.OfProgram && W.OfKernel &&
      percent(*W.OfProgram) != percent(*W.OfKernel))
    Text += fmt::format(", {} of all", percent(*W.OfProgram));
  return Text;
}

/// `lines 7, 8, 9 and b.cuh:4`: where the other findings are.
static std::string otherPlaces(const FindingGroup &G) {
  static constexpr std::size_t MostPlaces = 8;
  const auto less = [](const Location &A, const Location &B) {
    return isNaturallyLess(A, B);
  };
  const Location &Own = G.First->Where;
  std::set<Location, decltype(less)> Places(less);
  for (const GroupMember &M : G.All)
    if (const Location &L = M.What->Where;
        L.Line && (L.Line != Own.Line || L.File != Own.File))
      Places.insert({L.File, L.Line, 0});
  // By another name of the same file, it is the same place.
  std::vector<std::string> Lines, Files;
  std::size_t Left = 0;
  for (const Location &L : Places) {
    const bool IsSameFile =
        L.File == Own.File ||
        std::filesystem::path(L.File).lexically_normal() ==
            std::filesystem::path(Own.File).lexically_normal();
    if (IsSameFile && L.Line == Own.Line)
      continue;
    if (Lines.size() + Files.size() == MostPlaces)
      ++Left;
    else if (IsSameFile)
      Lines.push_back(std::to_string(L.Line));
    else
      Files.push_back(fmt::format("{}:{}", printable(L.File), L.Line));
  }
  std::string Text;
  if (!Lines.empty())
    Text = fmt::format("also at line{} {}", Lines.size() == 1 ? "" : "s",
                       fmt::join(Lines, ", "));
  if (!Files.empty())
    Text += fmt::format("{} {}", Text.empty() ? "also at" : ",",
                        fmt::join(Files, ", "));
  if (Left)
    Text += fmt::format(" and {} more", Left);
  return Text;
}

/// The calls in the user's code, of which a reader needs the nearest.
static std::string callsOf(const Finding &F) {
  static constexpr std::size_t MostCalls = 2;
  std::vector<std::string> Calls;
  for (const Location &L : callsAround(F)) {
    if (L.File != F.Where.File || Calls.size() == MostCalls)
      continue;
    std::string Line = std::to_string(L.Line);
    if (Calls.empty() || Calls.back() != Line)
      Calls.push_back(std::move(Line));
  }
  if (Calls.empty())
    return {};
  return fmt::format("called at line{} {}", Calls.size() == 1 ? "" : "s",
                     fmt::join(Calls, ", "));
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
  std::vector<std::string> Said;
  for (const Assumption &Each : All) {
    if (IsAccess && !isWorthSaying(Each))
      continue;
    // Two things of one size are said at once.
    if (Each.Kind == LargeSize && isSaid(RoundSize, Each.About))
      continue;
    const bool IsBoth = Each.Kind == RoundSize && isSaid(LargeSize, Each.About);
    Said.push_back(printable(
        IsBoth ? fmt::format("{} is a large multiple of 32", Each.About)
               : Each.Text));
  }
  if (Said.empty())
    return {};
  const std::string Last = Said.back();
  Said.pop_back();
  return Said.empty()
             ? "assumes " + Last
             : fmt::format("assumes {} and {}", fmt::join(Said, ", "), Last);
}

/// `with the remedy, 64 wavefronts of a block instead of 1056`.
static std::string remedied(const Finding &F) {
  if (!F.Effect)
    return {};
  const RemedyEffect &E = *F.Effect;
  // `wavefronts_per_block`
  const std::string_view Unit = E.Unit;
  const std::size_t Per = std::min(Unit.find("_per_"), Unit.size());
  const std::string_view Whose = Unit.substr(std::min(Per + 5, Unit.size()));
  return printable(fmt::format("with the remedy, {} {} of a {} instead of {}",
                               number(E.After), Unit.substr(0, Per), Whose,
                               number(E.Before)));
}

std::string labelOf(const FindingGroup &G, const KernelIndex &Kernels,
                    std::span<const Document> Documents,
                    const Headline &Above) {
  const Finding &F = *G.First;
  std::vector<std::string> Parts;
  std::string Share = shareInWords(G, Kernels);
  // The kernel alone, that is named already.
  if (!Share.starts_with("in '") ||
      Above.Text.find(Share.substr(3)) == std::string::npos)
    Parts.push_back(std::move(Share));
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
  Parts.push_back(assumed(G));
  std::erase(Parts, "");
  std::string Text = fmt::format("{}", fmt::join(Parts, "; "));
  if (!Above.HasCheck)
    Text += fmt::format("{}[{}]", Text.empty() ? "" : " ", printable(F.Check));
  return Text;
}

std::string dearestLine(const FindingGroup &G, std::size_t Rank,
                        unsigned Width) {
  static constexpr std::size_t MostOfPlace = 34;
  const Location &Where = G.First->Where;
  std::string Place = printable(Where.File);
  if (columnsOf(Place) > MostOfPlace)
    Place = printable(std::filesystem::path(Where.File).filename().string());
  Place = cutToEnd(Place, MostOfPlace);
  if (Where.Line)
    Place += fmt::format(":{}", Where.Line);
  std::string Begin = fmt::format("{:>3}. {}: ", Rank, Place);
  if (const std::string Share = shareOf(G); !Share.empty())
    Begin += Share + ": ";
  const std::string What = briefWhat(*G.First);
  const std::string Plain = without(What, " per request");
  for (const std::string &Each : {What, Plain, upTo(Plain, {", ", "; ", ": "})})
    if (columnsOf(Begin + Each) <= Width)
      return Begin + Each;
  return cutTo(Begin + Plain, Width);
}

} // namespace cudalint
