//===- report/TextWriter.cpp - Diagnostics for people ---------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/TextWriter.h"

#include "report/FindingGroups.h"
#include "report/SourceSnippet.h"
#include "report/TerminalText.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace cudalint {

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

/// a, b and c
static std::string listed(const std::vector<std::string> &Items) {
  std::string Out;
  for (std::size_t I = 0; I != Items.size(); ++I) {
    if (I != 0)
      Out += I + 1 == Items.size() ? " and " : ", ";
    Out += Items[I];
  }
  return Out;
}

/// Source text inside a message: one line, and not longer than one.
static std::string inQuotes(std::string_view Text) {
  static constexpr unsigned MaxColumns = 60;
  std::string Out;
  unsigned Columns = 0;
  while (!Text.empty()) {
    Glyph G = firstGlyph(Text);
    if (Text[0] == '\n')
      G.Text = "\\n";
    else if (Text[0] == '\t')
      G.Text = "\\t";
    Columns += G.Columns;
    if (Columns > MaxColumns)
      return fmt::format("'{}...'", Out);
    Out += G.Text;
    Text.remove_prefix(G.Bytes);
  }
  return fmt::format("'{}'", Out);
}

//===----------------------------------------------------------------------===//
// The report
//===----------------------------------------------------------------------===//

namespace {
class Report {
public:
  Report(const TextOptions &Options, const SourceText &Source)
      : Options(Options), Sources(Source) {}

  void print(const Document &Doc);

  std::string Out;

private:
  void printErrors(const Document &Doc);
  void printGroup(const FindingGroup &G, const KernelIndex &Known);
  void printIncludes(const Finding &F);
  void printAssumptions(const FindingGroup &G);
  void printInlining(const FindingGroup &G);
  void printKernels(const FindingGroup &G, const KernelIndex &Known);
  void printFix(const Fix &F, const Location &Fallback);
  void printLanes(const std::string &Pattern);
  void printDetail(std::string_view Detail);
  void printSummary(const Document &Doc);

  /// `place: level: message [check]`, wrapped; \p Check may be empty.
  void line(const Location &Where, Severity Level, std::string_view Message,
            std::string_view Check = {});
  void note(const Location &Where, std::string_view Message) {
    line(Where, Severity::Note, Message);
  }
  void quote(const Location &Where);
  std::string describe(const Edit &E);

  const TextOptions &Options;
  QuotedSources Sources;
  /// What the last finding said of its includes and its kernel; said again only
  /// when it changes.
  std::string LastIncludes, LastKernels;
  std::size_t Count[3] = {}; ///< Printed findings by severity.
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
                  std::string_view Message, std::string_view Check) {
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
  std::string Text = printable(Message);
  if (!Check.empty())
    Text += fmt::format(" [{}]", printable(Check));
  Text = wrapped(Text, columnsOf(Place) + Name.size(), Options.Width);
  Out += coloured(Place, Style::Plain, Options.UseColour);
  Out += coloured(Name, Colour, Options.UseColour);
  // The text of a note stays plain, so that warnings stand out.
  bool Bold = Options.UseColour && (Level != Severity::Note || !Check.empty());
  Out += coloured(Text, Style::Plain, Bold) + '\n';
}

void Report::quote(const Location &Where) {
  if (!Options.ShowSource)
    return;
  if (auto Line = Sources.line(Where.File, Where.Line))
    Out += snippet(*Line, Where.Line, Where.Column, Options);
}

void Report::printErrors(const Document &Doc) {
  // An error in a header comes once for each unit.
  std::set<std::pair<Location, std::string_view>> Seen;
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
  note(G.First->Where, "assumes " + listed(Common));
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
  for (std::size_t I = 0; I != Calls.size(); ++I) {
    if (Skipped && I == Head) {
      const Location &First = *Calls[I].first;
      std::size_t Count = 0;
      for (std::size_t End = I + Skipped; I != End; ++I)
        Count += Calls[I].second;
      note(First, fmt::format("(skipping {})", countOf(Count, "inlined call")));
    }
    auto [Where, Times] = Calls[I];
    note(*Where, Times == 1 ? "inlined from here"
                            : fmt::format("inlined from here {} times", Times));
    quote(*Where);
  }
  std::set<std::vector<Location>> Paths;
  for (const Finding *F : G.All)
    Paths.insert(F->InlinedAt);
  if (Paths.size() > 1)
    note(G.First->Where,
         "and from " + countOf(Paths.size() - 1, "more call site"));
}

void Report::printKernels(const FindingGroup &G, const KernelIndex &Known) {
  const Finding &F = *G.First;
  if (F.Kernel.empty()) {
    LastKernels.clear();
    return;
  }
  // Instantiations of one template stand at one place; kernels of one name and
  // place, from a header, are one.
  auto Identity = [&Known](const Finding &Each) {
    const KernelRecord *Kernel = Known.of(Each);
    return std::pair(std::string_view(Each.Kernel),
                     Kernel ? Kernel->Where : Location());
  };
  const KernelRecord *Own = Known.of(F);
  std::set<std::pair<std::string_view, Location>> Seen = {Identity(F)};
  std::size_t Instantiations = 0, Others = 0;
  for (const Finding *Other : G.All) {
    if (Other->Kernel.empty() || !Seen.insert(Identity(*Other)).second)
      continue;
    const KernelRecord *Its = Known.of(*Other);
    ++(Own && Its && Own->Where == Its->Where ? Instantiations : Others);
  }
  std::string_view Name = F.KernelSignature;
  if (Name.empty())
    Name = Own && !Own->Signature.empty() ? Own->Signature : F.Kernel;
  std::vector<std::string> Parts = {fmt::format("in kernel '{}'", Name)};
  if (Instantiations)
    Parts.push_back(countOf(Instantiations, "more instantiation"));
  if (Others)
    Parts.push_back(countOf(Others, "more kernel"));
  std::string Text = listed(Parts);
  if (std::string Range = G.range(); !Range.empty())
    Text += ": " + Range;
  const Location Where = Own && Own->Where.Line ? Own->Where : F.Where;
  std::string Said = place(Own ? Where : Location()) + Text;
  if (Said == LastKernels)
    return;
  note(Where, Text);
  LastKernels = std::move(Said);
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

void Report::printGroup(const FindingGroup &G, const KernelIndex &Known) {
  const Finding &F = *G.First;
  ++Count[static_cast<int>(F.Level)];
  printIncludes(F);
  line(F.Where, F.Level, messageOf(F), F.Check);
  quote(F.Where);
  if (!F.LanePattern.empty())
    printLanes(F.LanePattern);
  if (Options.ShowDetail)
    printDetail(F.Detail);
  printAssumptions(G);
  printInlining(G);
  printKernels(G, Known);
  if (Options.ShowFixes)
    for (const Fix &Each : F.Fixes)
      printFix(Each, F.Where);
}

void Report::printSummary(const Document &Doc) {
  // Of the source: an unrolled loop has many instructions of one access, and
  // each instance of a template has it again. It is known if all of them are.
  std::map<std::pair<Location, AccessOp>, bool> IsPredicted;
  std::size_t KernelCount = 0;
  std::size_t Failed = 0, Partial = 0;
  for (const UnitRecord &Unit : Doc.Units) {
    Failed += Unit.Status == UnitStatus::Failed;
    Partial += Unit.Status == UnitStatus::Partial;
    KernelCount += Unit.Kernels.size();
    for (const KernelRecord &Kernel : Unit.Kernels)
      for (const AccessRecord &Access : Kernel.Accesses)
        IsPredicted
            .try_emplace({Access.Written.value_or(Access.Where), Access.Op},
                         true)
            .first->second &=
            Access.Trust <= Certainty::Assumed && Access.PerRequest.has_value();
  }
  const auto Predicted = static_cast<std::size_t>(std::ranges::count_if(
      IsPredicted, [](const auto &Each) { return Each.second; }));
  const std::size_t Unknown = IsPredicted.size() - Predicted;
  std::vector<std::string> Found;
  for (auto [Level, Noun] : {std::pair(Severity::Error, "error"),
                             std::pair(Severity::Warning, "warning"),
                             std::pair(Severity::Note, "note")})
    if (std::size_t N = Count[static_cast<int>(Level)])
      Found.push_back(countOf(N, Noun));
  std::string Line = fmt::format(
      "{} in {} ({}", Found.empty() ? "no findings" : listed(Found),
      countOf(Doc.Units.size(), "file"), countOf(KernelCount, "kernel"));
  if (!IsPredicted.empty())
    Line += fmt::format(", {} predicted",
                        Predicted == 1 ? "1 access"
                                       : fmt::format("{} accesses", Predicted));
  if (Unknown)
    Line += fmt::format(", {} unknown", Unknown);
  Line += ")";
  if (Failed)
    Line += fmt::format("; {} could not be analysed", countOf(Failed, "file"));
  if (Partial)
    Line += fmt::format("; {} analysed in part", countOf(Partial, "file"));
  Out += wrapped(Line, 0, Options.Width) + '\n';
}

void Report::print(const Document &Doc) {
  LastIncludes.clear();
  LastKernels.clear();
  std::ranges::fill(Count, 0);
  const KernelIndex Known(Doc);
  printErrors(Doc);
  for (const FindingGroup &G : groupFindings(Doc, Known))
    printGroup(G, Known);
  if (Options.ShowSummary)
    printSummary(Doc);
}

std::string toText(std::span<const Document> Documents,
                   const TextOptions &Options, const SourceText &Source) {
  Report R(Options, Source);
  for (const Document &Doc : Documents) {
    if (Documents.size() > 1) {
      R.Out += &Doc == &Documents.front() ? "" : "\n";
      R.Out += coloured("for " + printable(Doc.Target.Name) + ":", Style::Plain,
                        Options.UseColour) +
               '\n';
    }
    R.print(Doc);
  }
  return std::move(R.Out);
}

} // namespace cudalint
