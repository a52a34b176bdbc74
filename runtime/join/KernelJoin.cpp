//===- runtime/join/KernelJoin.cpp - The lines of one kernel --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/join/KernelJoin.h"

#include "report/Names.h"
#include "runtime/join/LaunchJudge.h"
#include "runtime/join/MovedAccesses.h"
#include "runtime/join/Names.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>
#include <tuple>

namespace cudalint {

namespace {
/// Where an access stands; the file is the measured one where one matched.
using LineKey = std::tuple<std::string, unsigned, MemorySpace, AccessOp>;
using Accesses = std::vector<const AccessRecord *>;

/// Joins the lines of one kernel.
class KernelJoin {
public:
  KernelJoin(const PredictedKernel &Predicted, const MeasuredKernel &Measured,
             bool HasCounters, const Tolerance &Allowed)
      : Predicted(Predicted), Measured(Measured), HasCounters(HasCounters),
        Allowed(Allowed), Signature(Predicted.Records.front()->Signature) {}

  std::vector<LineVerdict> run();

private:
  void choose();
  std::optional<double> measuredWarps() const;
  void findFiles();
  std::string whyUnmeasured() const;
  std::string whyAbsent(const LineKey &Key) const;
  LineVerdict begin(const Accesses &Of) const;
  const MeasuredLine *findRow(const LineKey &Key);
  void judgeLines(std::vector<LineVerdict> &Out);
  void judgeWhole(std::vector<LineVerdict> &Out);
  bool isOfOtherSources() const;
  std::string asPredicted(const std::string &File) const;
  bool isAmbiguous(const MeasuredLine &Row) const;
  void addMissed(std::vector<LineVerdict> &Out) const;

  const PredictedKernel &Predicted;
  const MeasuredKernel &Measured;
  bool HasCounters;
  const Tolerance &Allowed;
  std::string Signature;

  Accesses Chosen; ///< Under the blocks that were launched.
  LaunchPremise Launches;
  std::map<std::string, FileMatch> Files; ///< By the predicted name.
  std::set<const MeasuredLine *> Used;
  /// Those of which no instruction was executed where they stand.
  std::vector<AbsentAccesses> Absent;
};
} // namespace

//===----------------------------------------------------------------------===//
// Which predictions speak of these launches
//===----------------------------------------------------------------------===//

static Shape blockOf(const AccessRecord &Access) {
  Shape Out = {};
  for (std::size_t I = 0; I != 3; ++I)
    Out[I] = static_cast<std::uint64_t>(Access.Block[I]);
  return Out;
}

static std::string formatShapes(const std::set<Shape> &Shapes) {
  std::string Out;
  for (const Shape &Each : Shapes)
    Out += (Out.empty() ? "" : ", ") + formatShape(Each);
  return Out;
}

/// The blocks of the launches that the analyzer knew of.
static void addLaunchBlocks(const KernelRecord &Record, std::set<Shape> &Out) {
  for (const LaunchRecord &Launch : Record.Launches) {
    Shape Block = {};
    bool IsKnown = true;
    for (std::size_t I = 0; I != 3; ++I) {
      IsKnown &= Launch.Block[I].has_value();
      Block[I] = static_cast<std::uint64_t>(Launch.Block[I].value_or(0));
    }
    if (IsKnown)
      Out.insert(Block);
  }
}

/// Whether a launch may be of the shape; what is not known of that may be any.
static bool mayBeOf(const ProfileLaunch &Launch, const WarpTotals &Shape) {
  for (std::size_t I = 0; I != 3; ++I)
    if (static_cast<std::uint64_t>(Shape.Block[I]) != Launch.Block[I] ||
        static_cast<std::uint64_t>(Shape.Grid[I].value_or(
            static_cast<std::int64_t>(Launch.Grid[I]))) != Launch.Grid[I])
      return false;
  return true;
}

/// Of all launches that were measured; nothing unless all launches have one
/// shape, which is the one that was evaluated: an access has one number of
/// executions for all shapes.
std::optional<double> KernelJoin::measuredWarps() const {
  if (Measured.Launched.empty())
    return std::nullopt;
  const ProfileLaunch &First = Measured.Launched.front();
  for (const ProfileLaunch &Each : Measured.Launched)
    if (Each.Grid != First.Grid || Each.Block != First.Block)
      return std::nullopt;
  for (const KernelRecord *Record : Predicted.Records)
    if (Record->Totals.empty() ||
        !std::ranges::all_of(Record->Totals, [&](const WarpTotals &Each) {
          return mayBeOf(First, Each);
        }))
      return std::nullopt;
  auto Volume = [](const Shape &Of) {
    return static_cast<double>(Of[0]) * static_cast<double>(Of[1]) *
           static_cast<double>(Of[2]);
  };
  return static_cast<double>(Measured.MeasuredLaunches) * Volume(First.Grid) *
         std::ceil(Volume(First.Block) / 32);
}

/// A template of a header is in several units: the first that has a block shape
/// speaks for it. Kernels of equal name in several files speak each for itself.
/// An access stands under the first shape of equal cost and not
/// again under the others: of each, those under a block that was launched
/// count, or else all.
void KernelJoin::choose() {
  using Kernel = std::tuple<std::string, unsigned, Shape>;
  auto kernelOf = [](const KernelRecord &Record, const AccessRecord &Access) {
    return Kernel{Record.Where.File, Record.Where.Line, blockOf(Access)};
  };
  std::map<Kernel, const KernelRecord *> Speaker;
  std::set<Shape> Launched, Known, Analysed;
  for (const KernelRecord *Record : Predicted.Records) {
    addLaunchBlocks(*Record, Analysed);
    for (const AccessRecord &Access : Record->Accesses) {
      Speaker.try_emplace(kernelOf(*Record, Access), Record);
      Known.insert(blockOf(Access));
    }
  }
  for (const ProfileLaunch &Launch : Measured.Launched)
    Launched.insert(Launch.Block);
  std::set<Shape> Other = Launched;
  std::erase_if(Other, [&](const Shape &Each) {
    return Known.contains(Each) || Analysed.contains(Each);
  });
  if (!Other.empty())
    Launches = {.Holds = false,
                .Why =
                    fmt::format("it was launched with blocks of {}, predicted "
                                "for {}",
                                formatShapes(Other), formatShapes(Known))};

  Launches.Warps = measuredWarps();

  using Static =
      std::tuple<Location, MemorySpace, AccessOp, std::vector<Location>>;
  auto staticOf = [](const AccessRecord &Access) {
    return Static{Access.Where, Access.Space, Access.Op, Access.InlinedAt};
  };
  auto isLaunched = [&](const AccessRecord &Access) {
    return Launched.contains(blockOf(Access));
  };
  std::set<Static> HasLaunched;
  for (const KernelRecord *Record : Predicted.Records)
    for (const AccessRecord &Access : Record->Accesses)
      if (isLaunched(Access))
        HasLaunched.insert(staticOf(Access));
  for (const KernelRecord *Record : Predicted.Records)
    for (const AccessRecord &Access : Record->Accesses)
      if (Speaker[kernelOf(*Record, Access)] == Record &&
          (isLaunched(Access) || !HasLaunched.contains(staticOf(Access))))
        Chosen.push_back(&Access);
}

void KernelJoin::findFiles() {
  std::vector<std::string> Names;
  for (const MeasuredLine &Line : Measured.Lines)
    if (!Line.File.empty() && (Names.empty() || Names.back() != Line.File))
      Names.push_back(Line.File);
  std::vector<std::string> Wanted;
  for (const AccessRecord *Access : Chosen)
    Wanted.push_back(Access->Where.File);
  Files = matchFiles(Wanted, Names);
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
  Out.WantsCount = HasCounters && Measured.Launches != 0 && Measured.HasLines &&
                   Out.Space != MemorySpace::Constant;
  describePrediction(Of, Out);
  return Out;
}

/// Why no line of the kernel has numbers; empty when they have.
std::string KernelJoin::whyUnmeasured() const {
  if (Measured.Launches == 0)
    return "the kernel did not run";
  if (!HasCounters)
    return "there were no counters";
  if (Measured.MeasuredLaunches == 0)
    return Measured.Uncounted.empty()
               ? "none of its launches was measured"
               : fmt::format("none of its launches was counted: {}",
                             whyUncounted(Measured.Uncounted));
  if (!Measured.HasLines)
    return "the program was built without -lineinfo";
  return {};
}

std::string KernelJoin::whyAbsent(const LineKey &Key) const {
  const auto &[File, Line, Space, Op] = Key;
  if (Space == MemorySpace::Constant)
    return "the GPU does not count requests to constant memory";
  bool HasFile = false;
  const MeasuredLine *Near = nullptr;
  unsigned NearBy = 4; // Statements seldom have more lines.
  for (const MeasuredLine &Row : Measured.Lines) {
    if (Row.File != File)
      continue;
    HasFile = true;
    unsigned By = Row.Line > Line ? Row.Line - Line : Line - Row.Line;
    if (Row.Space == Space && Row.Op == Op && By < NearBy &&
        !Used.contains(&Row)) {
      Near = &Row;
      NearBy = By;
    }
  }
  if (!HasFile)
    return fmt::format("no instruction of the kernel that was measured comes "
                       "from a file called {}: the compiler removed it, or "
                       "the program was built from other sources",
                       File);
  std::string Out = fmt::format("no {} {} of this line was executed: the "
                                "compiler removed, merged or moved it, or it "
                                "was not reached",
                                nameOf(Space), nameOf(Op));
  if (Near)
    Out += fmt::format(" (there is one in line {})", Near->Line);
  return Out;
}

/// The compiler does not always see the space that the analyzer sees: a generic
/// instruction counts what it touches all the same.
static std::vector<MemorySpace> measuredAs(MemorySpace Space) {
  if (Space == MemorySpace::Generic)
    return {Space, MemorySpace::Global, MemorySpace::Shared};
  if (Space == MemorySpace::Global || Space == MemorySpace::Shared)
    return {Space, MemorySpace::Generic};
  return {Space};
}

static bool touchesBoth(const MeasuredLine &Row) {
  return Row.Space == MemorySpace::Generic && Row.Sectors.value_or(0) != 0 &&
         Row.Wavefronts.value_or(0) != 0;
}

const MeasuredLine *KernelJoin::findRow(const LineKey &Key) {
  const auto &[File, Line, Space, Op] = Key;
  for (MemorySpace Each : measuredAs(Space))
    for (const MeasuredLine &Row : Measured.Lines)
      if (Row.Line == Line && Row.Space == Each && Row.Op == Op &&
          Row.File == File && Used.insert(&Row).second)
        return &Row;
  return nullptr;
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
  std::map<LineKey, const MeasuredLine *> Rows;
  for (const auto &[Key, Of] : Groups)
    Rows[Key] = findRow(Key);
  for (const auto &[Key, Of] : Groups)
    if (!Rows[Key] && Files[Of.front()->Where.File].Candidates.empty())
      Absent.push_back(Of);
  std::string Unmeasured = whyUnmeasured();
  for (const auto &[Key, Of] : Groups) {
    LineVerdict V = begin(Of);
    const FileMatch &Match = Files[V.Where.File];
    if (!Unmeasured.empty()) {
      V.Kind = VerdictKind::NotMeasured;
      V.Why = Unmeasured;
    } else if (!Match.Candidates.empty()) {
      V.Kind = VerdictKind::Inconclusive;
      V.Why = fmt::format("several measured files are called so: {}",
                          fmt::join(Match.Candidates, ", "));
    } else if (const MeasuredLine *Row = Rows[Key]) {
      describeMeasurement(*Row, V.Unit, V);
      if (touchesBoth(*Row) && V.Space != Row->Space) {
        V.Kind = VerdictKind::Inconclusive;
        V.Why = "its instruction takes any pointer, and some lanes touched "
                "global, others shared memory: their requests are counted "
                "together";
      } else {
        judge(Of, Launches, Allowed, V);
      }
    } else {
      V.Kind = V.Space == MemorySpace::Constant ? VerdictKind::NotMeasured
                                                : VerdictKind::Inconclusive;
      V.Why = whyAbsent(Key);
      if (std::optional<MeasuredLine> Header =
              unusedOfToolkit(Measured.Lines, Used, V.Space, V.Op))
        judgeInToolkit(Of, Absent, *Header, Launches, Allowed, V);
    }
    Out.push_back(std::move(V));
  }
  forgiveMerged(Absent, Allowed, Out);
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
  std::map<std::tuple<MemorySpace, AccessOp>, MeasuredLine> Sums;
  for (const MeasuredLine &Row : Measured.Lines)
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
    V.WantsCount = true;
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
bool KernelJoin::isAmbiguous(const MeasuredLine &Row) const {
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
  for (const MeasuredLine &Row : Measured.Lines) {
    if (Used.contains(&Row) ||
        scaled(Row.Instructions.value_or(Row.Requests.value_or(0)),
               scaleOf(Measured)) < FewInstructions ||
        isAmbiguous(Row))
      continue;
    LineVerdict V;
    V.Kind = VerdictKind::Missed;
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
  choose();
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
