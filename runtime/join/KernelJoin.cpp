//===- runtime/join/KernelJoin.cpp - The lines of one kernel --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/join/KernelJoin.h"

#include "runtime/join/AccessMatch.h"
#include "runtime/join/ChosenAccesses.h"
#include "runtime/join/MovedAccesses.h"
#include "runtime/join/Names.h"
#include "runtime/join/VerdictRules.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <tuple>

namespace cudalint {

namespace {
/// Joins the lines of one kernel.
class KernelJoin {
public:
  KernelJoin(const PredictedKernel &Predicted, const MeasuredKernel &Measured,
             bool HasCounters, const Tolerance &Allowed)
      : Predicted(Predicted), Measured(Measured), HasCounters(HasCounters),
        Allowed(Allowed), Signature(Predicted.Records.front()->Signature),
        Code(Measured) {}

  std::vector<LineVerdict> run();

private:
  void findFiles();
  LineVerdict begin(const Accesses &Of) const;
  const CountedLine *findRow(const LineKey &Key);
  void judgeLines(std::vector<LineVerdict> &Out);
  void judgeRow(const Accesses &Of, const CountedLine &Row,
                LineVerdict &Out) const;
  void judgeInlined(const Accesses &Of, const Instructions &By,
                    LineVerdict &Out) const;
  void judgeAbsent(const LineKey &Key, const Accesses &Of, bool IsInCode,
                   LineVerdict &Out) const;
  std::optional<unsigned> nearBy(const LineKey &Key) const;
  bool isClosed() const { return Measured.HasCode && !Measured.CallsOthers; }
  void useRows();
  void judgeWhole(std::vector<LineVerdict> &Out);
  bool isOfOtherSources() const;
  std::string asPredicted(const std::string &File) const;
  bool isAmbiguous(const CountedLine &Row) const;
  void addMissed(std::vector<LineVerdict> &Out) const;

  const PredictedKernel &Predicted;
  const MeasuredKernel &Measured;
  bool HasCounters;
  const Tolerance &Allowed;
  std::string Signature;

  Accesses Chosen; ///< Under the blocks that were launched.
  LaunchPremise Launches;
  std::map<std::string, FileMatch> Files; ///< By the predicted name.
  LineCode Code;
  std::set<const CountedLine *> Used;
  std::set<const MeasuredInstruction *> UsedCode;
  /// Those of which no instruction was executed where they stand; and of these,
  /// where the code is known, those that it does not have.
  std::vector<AbsentAccesses> Absent, Gone;
};
} // namespace

void KernelJoin::findFiles() {
  std::vector<std::string> Names;
  for (const CountedLine &Line : Measured.Lines)
    if (!Line.File.empty() && (Names.empty() || Names.back() != Line.File))
      Names.push_back(Line.File);
  std::vector<std::string> Wanted;
  for (const AccessRecord *Access : Chosen)
    Wanted.push_back(Access->Where.File);
  Files = matchFiles(Wanted, Names);
  // Of some nothing ran, or all that ran lines show in headers.
  std::vector<std::string> Unmatched;
  for (const auto &[Name, Match] : Files)
    if (Match.File.empty() && Match.Candidates.empty())
      Unmatched.push_back(Name);
  if (Unmatched.empty())
    return;
  const std::vector<std::string> InCode(Code.files().begin(),
                                        Code.files().end());
  for (auto &[Name, Match] : matchFiles(Unmatched, InCode))
    Files[Name] = Match;
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

LineVerdict KernelJoin::begin(const Accesses &Of) const {
  LineVerdict Out;
  Out.Kernel = Predicted.Name;
  Out.Signature = Signature;
  Out.Where = {.File = Of.front()->Where.File, .Line = Of.front()->Where.Line};
  Out.Space = Of.front()->Space;
  Out.Op = Of.front()->Op;
  Out.WantsCount = HasCounters && Measured.Launches != 0 &&
                   Out.Space != MemorySpace::Constant;
  describePrediction(Of, Out);
  return Out;
}

/// A line close by with such an access that nobody predicted.
std::optional<unsigned> KernelJoin::nearBy(const LineKey &Key) const {
  const auto &[File, Line, Space, Op] = Key;
  std::optional<unsigned> Near;
  unsigned NearBy = 4; // Statements seldom have more lines.
  for (const CountedLine &Row : Measured.Lines) {
    unsigned By = Row.Line > Line ? Row.Line - Line : Line - Row.Line;
    if (Row.File == File && Row.Space == Space && Row.Op == Op && By < NearBy &&
        !Used.contains(&Row)) {
      Near = Row.Line;
      NearBy = By;
    }
  }
  return Near;
}

static bool touchesBoth(const CountedLine &Row) {
  return Row.Space == MemorySpace::Generic && Row.Sectors.value_or(0) != 0 &&
         Row.Wavefronts.value_or(0) != 0;
}

const CountedLine *KernelJoin::findRow(const LineKey &Key) {
  const auto &[File, Line, Space, Op] = Key;
  for (MemorySpace Each : measuredAs(Space))
    for (const CountedLine &Row : Measured.Lines)
      if (Row.Line == Line && Row.Space == Each && Row.Op == Op &&
          Row.File == File && Used.insert(&Row).second)
        return &Row;
  return nullptr;
}

void KernelJoin::judgeRow(const Accesses &Of, const CountedLine &Row,
                          LineVerdict &Out) const {
  describeMeasurement(Row, Out.Unit, Out);
  if (touchesBoth(Row) && Out.Space != Row.Space)
    judge(Of, Launches, Allowed, Out, {.Words = {}, .TouchesBoth = true});
  else
    judgeByInstruction(Of, Code.of(Row), Launches, Allowed, Out);
}

/// For the line table \p By stand where they were inlined from.
void KernelJoin::judgeInlined(const Accesses &Of, const Instructions &By,
                              LineVerdict &Out) const {
  describeMeasurement(sumOf(By), Out.Unit, Out);
  judgeByInstruction(Of, By, Launches, Allowed, Out);
  const std::optional<MeasuredPlace> &At = running(By).front()->Where;
  if (!At)
    return;
  Out.Why = fmt::format("measured in {}:{}, which it calls{}{}",
                        At->File.substr(At->File.rfind('/') + 1), At->Line,
                        Out.Why.empty() ? "" : ": ", Out.Why);
}

void KernelJoin::judgeAbsent(const LineKey &Key, const Accesses &Of,
                             bool IsInCode, LineVerdict &Out) const {
  const auto &[File, Line, Space, Op] = Key;
  const FileMatch &Match = Files.at(Of.front()->Where.File);
  const AbsentFacts F = {.Kernel = Measured,
                         .HasCounters = HasCounters,
                         .Space = Space,
                         .Op = Op,
                         .File = File,
                         .Candidates = Match.Candidates,
                         .HasFile =
                             std::ranges::any_of(Measured.Lines,
                                                 [&](const CountedLine &Row) {
                                                   return Row.File == File;
                                                 }) ||
                             Code.files().contains(File),
                         .IsInCode = IsInCode,
                         .CodeIsClosed = isClosed(),
                         .Near = nearBy(Key)};
  const Rule<AbsentFacts> &By = decide(absentRules(), F);
  Out.Kind = By.Verdict;
  Out.Rule = By.Name;
  Out.Why = By.Why(F);
  // Of code that is known, frames say what a header is called for.
  if (Out.Kind != VerdictKind::Inconclusive || !F.Candidates.empty() ||
      (isClosed() && Code.hasFrames()))
    return;
  if (std::optional<CountedLine> Header =
          unusedOfToolkit(Measured.Lines, Used, Out.Space, Out.Op))
    judgeInToolkit(Of, Absent, *Header, Launches, Allowed, Out);
}

/// Rows all of whose instructions were used are.
void KernelJoin::useRows() {
  for (const CountedLine &Row : Measured.Lines) {
    Instructions By = running(Code.of(Row));
    if (!By.empty() && std::ranges::all_of(By, [&](const auto *Each) {
          return UsedCode.contains(Each);
        }))
      Used.insert(&Row);
  }
}

void KernelJoin::judgeLines(std::vector<LineVerdict> &Out) {
  std::map<LineKey, Accesses> Groups;
  for (const AccessRecord *Access : Chosen) {
    const FileMatch &Match = Files[Access->Where.File];
    Groups[{Match.File.empty() ? Access->Where.File : Match.File,
            Access->Where.Line, Access->Space, Access->Op}]
        .push_back(Access);
  }
  // Rows first, so that what is absent is not pointed to a row in use.
  std::map<LineKey, const CountedLine *> Rows;
  std::set<LineKey> Elsewhere;
  for (const auto &[Key, Of] : Groups) {
    const bool IsClear = Files[Of.front()->Where.File].Candidates.empty();
    const CountedLine *Row = Rows[Key] = IsClear ? findRow(Key) : nullptr;
    if (Row)
      for (const MeasuredInstruction *Each : Code.of(*Row))
        UsedCode.insert(Each);
    else if (IsClear)
      Elsewhere.insert(Key);
  }
  std::map<LineKey, Instructions> Inlined = Code.inlinedAt(Elsewhere, UsedCode);
  for (const auto &[Key, By] : Inlined)
    UsedCode.insert(By.begin(), By.end());
  useRows();
  for (const LineKey &Key : Elsewhere)
    if (running(Inlined[Key]).empty()) {
      Absent.push_back(Groups[Key]);
      if (!Measured.HasCode ||
          (isClosed() && Inlined[Key].empty() && Code.shownAt(Key).empty()))
        Gone.push_back(Groups[Key]);
    }
  const bool IsMeasured =
      HasCounters && Measured.MeasuredLaunches != 0 && Measured.HasLines;
  for (const auto &[Key, Of] : Groups) {
    LineVerdict V = begin(Of);
    const Instructions &By = Inlined[Key];
    if (IsMeasured && Rows[Key])
      judgeRow(Of, *Rows[Key], V);
    else if (IsMeasured && !running(By).empty())
      judgeInlined(Of, By, V);
    else
      judgeAbsent(Key, Of, !By.empty() || !Code.shownAt(Key).empty(), V);
    noteUnits(Of, V);
    Out.push_back(std::move(V));
  }
  forgiveMerged(Gone, Measured.HasCode, Allowed, Out);
}

/// Nothing that was measured comes from a file of the predictions: a kernel
/// that is compiled at run time, for instance.
bool KernelJoin::isOfOtherSources() const {
  return !Chosen.empty() && std::ranges::all_of(Files, [](const auto &Each) {
    return Each.second.File.empty() && Each.second.Candidates.empty();
  });
}

/// Without lines, all accesses of one kind are compared together.
void KernelJoin::judgeWhole(std::vector<LineVerdict> &Out) {
  std::map<std::tuple<MemorySpace, AccessOp>, CountedLine> Sums;
  for (const CountedLine &Row : Measured.Lines)
    if (auto [Entry, IsNew] = Sums.try_emplace({Row.Space, Row.Op}, Row);
        !IsNew)
      addCounts(Entry->second, Row);
  for (const auto &[Kind, Sum] : Sums) {
    auto [Space, Op] = Kind;
    Accesses Of;
    std::ranges::copy_if(Chosen, std::back_inserter(Of),
                         [&](const AccessRecord *Access) {
                           return Access->Space == Space && Access->Op == Op;
                         });
    if (Of.empty())
      continue;
    LineVerdict V = begin(Of);
    V.IsWholeKernel = true;
    V.WantsCount = false; // Its lines are there, too.
    V.Where = Predicted.Records.front()->Where;
    describeMeasurement(Sum, V.Unit, V);
    judge(Of, Launches, Allowed, V);
    Out.push_back(std::move(V));
  }
}

/// A line that was missed is named like those that were not.
std::string KernelJoin::asPredicted(const std::string &File) const {
  for (const auto &[Name, Match] : Files)
    if (Match.File == File)
      return Name;
  return File;
}

/// Several measured files have the name of a predicted one, and \p Row may be
/// what was predicted.
bool KernelJoin::isAmbiguous(const CountedLine &Row) const {
  return std::ranges::any_of(Chosen, [&](const AccessRecord *Access) {
    if (Access->Where.Line != Row.Line || Access->Op != Row.Op)
      return false;
    auto Match = Files.find(Access->Where.File);
    return Match != Files.end() &&
           std::ranges::count(Match->second.Candidates, Row.File) != 0 &&
           std::ranges::count(measuredAs(Access->Space), Row.Space) != 0;
  });
}

void KernelJoin::addMissed(std::vector<LineVerdict> &Out) const {
  if (isOfOtherSources())
    return;
  for (const CountedLine &Row : Measured.Lines) {
    if (Used.contains(&Row) ||
        scaled(Row.Instructions.value_or(Row.Requests.value_or(0)),
               scaleOf(Measured)) < FewInstructions ||
        isAmbiguous(Row))
      continue;
    LineVerdict V;
    V.Kind = VerdictKind::Missed;
    V.Rule = "missed";
    V.Why = "nothing was predicted for this line";
    V.Kernel = Predicted.Name;
    V.Signature = Signature;
    V.Where = {.File = asPredicted(Row.File), .Line = Row.Line};
    V.Space = Row.Space;
    V.Op = Row.Op;
    V.Unit = unitOf(Row.Space);
    describeMeasurement(Row, V.Unit, V);
    if (V.measuredRatio().value_or(0) >= BadRatio &&
        !isMoved(Absent, V, Allowed))
      Out.push_back(std::move(V));
  }
}

std::vector<LineVerdict> KernelJoin::run() {
  std::vector<LineVerdict> Out;
  ChosenAccesses Of = chooseAccesses(Predicted, Measured);
  Chosen = std::move(Of.Accesses);
  Launches = std::move(Of.Launches);
  findFiles();
  judgeLines(Out);
  if (Measured.MeasuredLaunches == 0)
    return Out;
  if (Measured.HasLines)
    addMissed(Out);
  else
    judgeWhole(Out);
  return Out;
}

std::vector<LineVerdict> joinLines(const PredictedKernel &Predicted,
                                   const MeasuredKernel &Measured,
                                   bool HasCounters, const Tolerance &Allowed) {
  std::vector<LineVerdict> Out =
      KernelJoin(Predicted, Measured, HasCounters, Allowed).run();
  const double Scale = scaleOf(Measured);
  for (LineVerdict &V : Out) {
    if (V.Requests)
      V.AllRequests = scaled(*V.Requests, Scale);
    if (V.Total)
      V.AllTotal = scaled(*V.Total, Scale);
  }
  return Out;
}

} // namespace cudalint
