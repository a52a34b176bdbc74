//===- report/TextWriter.cpp - Diagnostics for people ---------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/TextWriter.h"

#include "report/Coverage.h"
#include "report/FindingGroups.h"
#include "report/FindingWords.h"
#include "report/Names.h"
#include "report/ShownGroups.h"
#include "report/SourceAssertions.h"
#include "report/SourceSnippet.h"
#include "report/TerminalText.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <tuple>

namespace cudalint {

//===----------------------------------------------------------------------===//
// The report
//===----------------------------------------------------------------------===//

namespace {
class Report {
public:
  Report(std::span<const Document> Documents, const TextOptions &Options,
         const SourceText &Source)
      : Documents(Documents), Known(Documents), Options(Options),
        Sources(Source) {}

  void print();

  std::string Out;

private:
  void printErrors();
  void printDearest(std::span<const FindingGroup *const> Groups);
  void printGroup(const FindingGroup &G);
  void printLabel(const Location &Where, const std::string &Label);
  void printAll(const FindingGroup &G);
  void printIncludes(const Finding &F);
  void printAssumptions(const FindingGroup &G);
  void printInlining(const FindingGroup &G);
  void printOthers(const FindingGroup &G);
  void printFix(const Fix &F, const Location &Fallback);
  void printLanes(const std::string &Pattern);
  void printDetail(std::string_view Detail);
  void printSummary(std::span<const FindingGroup> Groups);

  /// `place: level: message`, wrapped.
  void line(const Location &Where, Severity Level, std::string_view Message,
            bool IsFinding = false);
  void note(const Location &Where, std::string_view Message) {
    line(Where, Severity::Note, Message);
  }
  /// A line of its own, wrapped.
  void say(std::string_view Text) {
    Out += wrapped(printable(Text), 0, Options.Width) + '\n';
  }
  void quote(const Location &Where);
  std::string describe(const Edit &E);
  /// What a headline must fit, on a terminal or not.
  unsigned width() const { return Options.Width ? Options.Width : 80; }

  std::span<const Document> Documents;
  const KernelIndex Known;
  const TextOptions &Options;
  QuotedSources Sources;
  std::string LastIncludes;  ///< Said again only when they change.
  std::size_t Count[3] = {}; ///< Problems by severity.
};
} // namespace

static std::string place(const Location &Where) {
  if (Where.File.empty())
    return "cuda-lint: ";
  std::string Out = printable(Where.File);
  if (Where.Line)
    Out += fmt::format(":{}", Where.Line);
  if (Where.Line && Where.Column)
    Out += fmt::format(":{}", Where.Column);
  return Out + ": ";
}

void Report::line(const Location &Where, Severity Level,
                  std::string_view Message, bool IsFinding) {
  std::string_view Name = "note: ";
  Style Colour = Style::Note;
  if (Level == Severity::Warning) {
    Name = "warning: ";
    Colour = Style::Warning;
  } else if (Level == Severity::Error) {
    Name = "error: ";
    Colour = Style::Error;
  }
  std::string Place = place(Where);
  std::string Text = wrapped(printable(Message), columnsOf(Place) + Name.size(),
                             Options.Width);
  Out += coloured(Place, Style::Plain, Options.UseColour);
  Out += coloured(Name, Colour, Options.UseColour);
  // The text of a note stays plain, so that warnings stand out.
  bool Bold = Options.UseColour && (Level != Severity::Note || IsFinding);
  Out += coloured(Text, Style::Plain, Bold) + '\n';
}

void Report::quote(const Location &Where) {
  if (!Options.ShowSource)
    return;
  if (auto Line = Sources.line(Where.File, Where.Line))
    Out += snippet(*Line, Where.Line, Where.Column, Options);
}

void Report::printErrors() {
  // An error in a header comes once for each unit, and for each target.
  std::set<std::pair<Location, std::string_view>> Seen;
  for (const Document &Doc : Documents)
    for (const UnitRecord &Unit : Doc.Units)
      for (const ErrorRecord &Error : Unit.Errors) {
        if (!Seen.emplace(Error.Where, Error.Message).second)
          continue;
        ++Count[static_cast<int>(Severity::Error)];
        if (!Options.ShowErrors)
          continue;
        line(Error.Where, Severity::Error, Error.Message);
        quote(Error.Where);
      }
  // They stand apart from what was found.
  if (!Out.empty())
    Out += '\n';
}

void Report::printIncludes(const Finding &F) {
  std::string Text;
  for (auto I = F.IncludedFrom.rbegin(); I != F.IncludedFrom.rend(); ++I)
    Text += fmt::format("In file included from {}:{}:\n", printable(I->File),
                        I->Line);
  if (Text != LastIncludes)
    Out += Text;
  LastIncludes = std::move(Text);
}

void Report::printLanes(const std::string &Pattern) {
  Out += snippetGutter(0) +
         coloured("lanes: " + printable(Pattern), Style::Caret,
                  Options.UseColour) +
         '\n';
}

void Report::printDetail(std::string_view Detail) {
  while (!Detail.empty()) {
    std::size_t End = Detail.find('\n');
    std::string Line = printable(Detail.substr(0, End));
    Out += Line.empty() ? "\n" : fmt::format("      {}\n", Line);
    Detail.remove_prefix(End == Detail.npos ? Detail.size() : End + 1);
  }
}

void Report::printAssumptions(const FindingGroup &G) {
  auto [Common, Own] = G.assumptions();
  if (Own.empty() && Common.empty())
    return;
  for (std::string &Each : Own)
    Common.push_back((&Each == &Own.front() ? "here " : "") + Each);
  note(G.First->Where, "assumes " + inWords(Common));
}

void Report::printInlining(const FindingGroup &G) {
  // As in Clang's stacks, the ends of a long one say most.
  static constexpr std::size_t MaxCalls = 10, Head = 6, Tail = 4;
  // Templates that recurse are inlined from one place again and again.
  std::vector<std::pair<const Location *, std::size_t>> Calls;
  for (const Location &Call : G.First->InlinedAt)
    if (!Calls.empty() && *Calls.back().first == Call)
      ++Calls.back().second;
    else
      Calls.emplace_back(&Call, 1);
  std::size_t Skipped =
      Calls.size() > MaxCalls ? Calls.size() - Head - Tail : 0;
  const std::string How = G.First->About.Kind == SubjectKind::Launch
                              ? "called from here"
                              : "inlined from here";
  for (std::size_t I = 0; I != Calls.size(); ++I) {
    if (Skipped && I == Head) {
      const Location &First = *Calls[I].first;
      std::size_t Count = 0;
      for (std::size_t End = I + Skipped; I != End; ++I)
        Count += Calls[I].second;
      note(First, fmt::format("(skipping {})", countOf(Count, "inlined call")));
    }
    auto [Where, Times] = Calls[I];
    note(*Where, Times == 1 ? How : fmt::format("{} {} times", How, Times));
    quote(*Where);
  }
  std::set<std::vector<Location>> Paths;
  for (const GroupMember &M : G.All)
    if (M.What->Where == G.First->Where)
      Paths.insert(M.What->InlinedAt);
  if (Paths.size() > 1)
    note(G.First->Where,
         "and from " + countOf(Paths.size() - 1, "more call site"));
}

/// The other findings of the group, each place and kernel once.
void Report::printOthers(const FindingGroup &G) {
  const auto kernelOf = [&](const Finding &F) {
    const KernelRecord *Kernel = Known.of(F);
    return !F.KernelSignature.empty()             ? F.KernelSignature
           : Kernel && !Kernel->Signature.empty() ? Kernel->Signature
                                                  : F.Kernel;
  };
  const Finding &First = *G.First;
  if (!First.Kernel.empty()) {
    const KernelRecord *Own = Known.of(First);
    note(Own && Own->Where.Line ? Own->Where : First.Where,
         fmt::format("in kernel '{}'", kernelOf(First)));
  }
  std::set<std::tuple<Location, std::string, std::string>> Seen = {
      {First.Where, kernelOf(First), inWords(First.What)}};
  for (const GroupMember &M : G.All) {
    const Finding &F = *M.What;
    const std::string Kernel = kernelOf(F);
    if (!Seen.emplace(F.Where, Kernel, inWords(F.What)).second)
      continue;
    std::string Text = "also here: " + inWords(F.What);
    if (!Kernel.empty())
      Text += fmt::format(", in '{}'", Kernel);
    if (Documents.size() > 1)
      Text += ", on " + M.In->Target.Name;
    note(F.Where, Text);
  }
}

std::string Report::describe(const Edit &E) {
  if (E.Length == 0)
    return "insert " + inQuotes(E.Text);
  auto Old = Sources.text(E.File, E.Offset, E.Length);
  std::string What = Old ? inQuotes(*Old) : countOf(E.Length, "byte");
  if (E.Text.empty())
    return "remove " + What;
  return fmt::format("replace {} with {}", What, inQuotes(E.Text));
}

void Report::printFix(const Fix &F, const Location &Fallback) {
  if (F.Edits.empty()) {
    note(Fallback, F.Description);
    return;
  }
  for (const Edit &E : F.Edits) {
    bool First = &E == &F.Edits.front();
    Location Where =
        Sources.place(E.File, E.Offset).value_or(Location{E.File, 0, 0});
    note(Where, fmt::format("{}{}", First ? F.Description + ": " : "also ",
                            describe(E)));
    quote(Where);
  }
}

/// Behind the caret where there is room, else below it.
void Report::printLabel(const Location &Where, const std::string &Label) {
  std::optional<std::string_view> Line;
  if (Options.ShowSource)
    Line = Sources.line(Where.File, Where.Line);
  std::string Quoted;
  unsigned Caret = 0;
  if (Line) {
    TextOptions Plain = Options;
    Plain.UseColour = false;
    const std::string Measured =
        snippet(*Line, Where.Line, Where.Column, Plain);
    const std::size_t Last = Measured.rfind('\n', Measured.size() - 2);
    if (Where.Column && Last != Measured.npos)
      Caret = columnsOf(std::string_view(Measured).substr(
          Last + 1, Measured.size() - Last - 2));
    Out += snippet(*Line, Where.Line, Where.Column, Options);
  }
  if (Label.empty())
    return;
  if (Options.Width == 0) {
    if (Caret)
      Out.back() = ' ';
    Out += (Caret ? "" : snippetGutter(0)) + Label + '\n';
    return;
  }
  // Behind the caret where all of it fits there. The bar that is put before
  // each line takes two columns.
  const bool IsBehind = Caret && Caret + 1 + columnsOf(Label) <= Options.Width;
  static constexpr unsigned Least = 24;
  std::string Text = wrapped(Label, IsBehind ? Caret - 1 : 6,
                             std::max(Options.Width, Least) - 2);
  const std::string Gutter = snippetGutter(0);
  for (std::size_t At = 0; (At = Text.find('\n', At)) != Text.npos;) {
    Text.replace(At + 1, 6, Gutter);
    At += 1 + Gutter.size();
  }
  if (IsBehind)
    Out.back() = ' ';
  Out += (IsBehind ? "" : Gutter) + Text + '\n';
}

/// What is left out unless all is asked for.
void Report::printAll(const FindingGroup &G) {
  const Finding &F = *G.First;
  note(F.Where, messageOf(F));
  printAssumptions(G);
  printInlining(G);
  printOthers(G);
  if (Options.ShowFixes)
    for (const Fix &Each : F.Fixes)
      printFix(Each, F.Where);
}

void Report::printGroup(const FindingGroup &G) {
  const Finding &F = *G.First;
  if (Options.ShowAll)
    printIncludes(F);
  const std::size_t Column =
      columnsOf(place(F.Where)) + nameOf(F.Level).size() + 2;
  const Headline Head = headlineOf(F, Column, width());
  line(F.Where, F.Level, Head.Text, true);
  printLabel(F.Where, labelOf(G, Known, Documents, Head));
  if (isTelling(F.LanePattern))
    printLanes(F.LanePattern);
  if (Options.ShowDetail)
    printDetail(F.Detail);
  if (Options.ShowAll)
    printAll(G);
}

/// One line each, so that nobody has to read all to know where to begin.
void Report::printDearest(std::span<const FindingGroup *const> Groups) {
  if (Groups.empty())
    return;
  Out += coloured("Where to begin:", Style::Plain, Options.UseColour) + '\n';
  std::size_t Rank = 0;
  for (const FindingGroup *G : Groups)
    Out += dearestLine(*G, ++Rank, width()) + '\n';
  Out += '\n';
}

//===----------------------------------------------------------------------===//
// The summary
//===----------------------------------------------------------------------===//

/// How much is not told, and why; empty for nothing.
static std::string silencedOf(std::span<const Document> Documents) {
  std::size_t Comments = 0, Baseline = 0;
  for (const Document &Doc : Documents)
    for (const UnitRecord &Unit : Doc.Units)
      for (const SilencedFinding &Each : Unit.Silenced)
        ++(Each.By == Silencer::Comment ? Comments : Baseline);
  std::vector<std::string> Parts;
  if (Comments)
    Parts.push_back(countOf(Comments, "finding") + " by comments");
  if (Baseline)
    Parts.push_back(countOf(Baseline, "finding") + " by the baseline");
  return Parts.empty() ? "" : "silenced: " + inWords(Parts);
}

void Report::printSummary(std::span<const FindingGroup> Groups) {
  std::vector<std::string> Found, Coverage;
  for (auto [Level, Noun] : {std::pair(Severity::Error, "error"),
                             std::pair(Severity::Warning, "warning"),
                             std::pair(Severity::Note, "note")})
    if (std::size_t N = Count[static_cast<int>(Level)])
      Found.push_back(countOf(N, Noun));
  std::size_t Failed = 0, Partial = 0;
  for (const UnitRecord &Unit : Documents.front().Units) {
    Failed += Unit.Status == UnitStatus::Failed;
    Partial += Unit.Status == UnitStatus::Partial;
  }
  for (const Document &Doc : Documents)
    Coverage.push_back(coverageOf(Doc));
  const bool IsOne = std::ranges::all_of(
      Coverage, [&](const auto &Each) { return Each == Coverage.front(); });
  std::string Line =
      fmt::format("{} in {}", Found.empty() ? "no findings" : inWords(Found),
                  countOf(Documents.front().Units.size(), "file"));
  if (IsOne)
    Line += fmt::format(" ({})", Coverage.front());
  if (Failed)
    Line += fmt::format("; {} could not be analysed", countOf(Failed, "file"));
  if (Partial)
    Line += fmt::format("; {} analysed in part", countOf(Partial, "file"));
  say(Line);
  for (std::size_t I = 0; !IsOne && I != Documents.size(); ++I)
    say(fmt::format("for {}: {}", Documents[I].Target.Name, Coverage[I]));
  if (const std::string Trust = trustOf(Groups); !Trust.empty())
    say(Trust);
  if (const std::string Silenced = silencedOf(Documents); !Silenced.empty())
    say(Silenced);
  // By what they need.
  std::map<std::pair<bool, std::string>, std::vector<std::string>> Skipped;
  for (const Document &Doc : Documents)
    for (const SkippedCheck &Each : Doc.Skipped)
      if (std::vector<std::string> &Names = Skipped[{Each.InPart, Each.Why}];
          std::ranges::find(Names, Each.Name) == Names.end())
        Names.push_back(Each.Name);
  for (const auto &[Kind, Names] : Skipped)
    say(fmt::format("{}: {} ({})",
                    Kind.first ? "looked for in part" : "not looked for",
                    inWords(Names), Kind.second));
}

void Report::print() {
  if (Documents.empty())
    return;
  printErrors();
  std::vector<FindingGroup> Groups = groupFindings(Documents, Known);
  for (const FindingGroup &G : Groups)
    ++Count[static_cast<int>(G.First->Level)];
  const ShownGroups Shown = shownGroups(Groups, Options);
  if (Options.ShowSummary && Shown.Chosen > ShownGroups::MostDearest)
    printDearest(Shown.Dearest);
  for (const FindingGroup *G : Shown.InOrder)
    printGroup(*G);
  if (Shown.Chosen != Groups.size())
    say(fmt::format("{} not shown; --max-findings={} shows all",
                    countOf(Groups.size() - Shown.Chosen, "more problem"),
                    Groups.size()));
  if (const std::size_t Aside = Shown.Chosen - Shown.InOrder.size())
    say(fmt::format("{} of less than 10 % of a kernel, of no cost that is "
                    "known, without a remedy, or of a header's kernel that "
                    "nothing launches, not shown; -v shows all",
                    countOf(Aside, "note")));
  if (Options.ShowSummary)
    printSummary(Groups);
}

std::string toText(std::span<const Document> Documents,
                   const TextOptions &Options, const SourceText &Source) {
  Report R(Documents, Options, Source);
  R.print();
  return std::move(R.Out);
}

} // namespace cudalint
