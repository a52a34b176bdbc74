//===- report/Ranking.cpp - What a finding wastes -------------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/Ranking.h"

#include "report/Names.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <tuple>

namespace cudalint {

/// Turns of a loop of which nothing is known.
static constexpr double UnknownTurns = 100;

/// `sectors` of `sectors_per_request`; empty for other metrics. Transactions,
/// of GPUs before 5.0, are counted as sectors in the records.
static std::string_view unitOf(const Prediction &P) {
  static constexpr std::string_view Per = "_per_request";
  std::string_view Metric = P.Metric;
  if (!Metric.ends_with(Per))
    return {};
  Metric.remove_suffix(Per.size());
  return Metric == "transactions" ? nameOf(TrafficUnit::Sectors) : Metric;
}

static std::string_view baseName(std::string_view File) {
  return File.substr(File.rfind('/') + 1); // npos + 1 is 0
}

/// By whatever spelling of the file: the line tables of compiled code have
/// absolute ones.
static bool isSamePlace(const Location &A, const Location &B) {
  return A.Line == B.Line && A.Column == B.Column &&
         baseName(A.File) == baseName(B.File);
}

static bool isAt(const AccessRecord &A, const Location &Where) {
  return isSamePlace(A.Written.value_or(A.Where), Where) ||
         std::ranges::any_of(A.InlinedAt, [&](const Location &Call) {
           return isSamePlace(Call, Where);
         });
}

/// How often a warp makes it, or would if unknown loops made \p Unknown turns.
static double supposedTimes(const AccessRecord &A, double Unknown) {
  if (A.Executions)
    return *A.Executions;
  if (!A.LoopTurns.empty()) {
    double Times = 1;
    for (const unsigned Turns : A.LoopTurns)
      Times = std::min(Times * (Turns ? Turns : Unknown), 1e16);
    return Times;
  }
  const std::size_t Depth = A.Compiled ? A.Compiled->Loops.size() : A.LoopDepth;
  return std::pow(Unknown,
                  static_cast<double>(std::min<std::size_t>(Depth, 8)));
}

using Block = std::array<std::int64_t, 3>;

namespace {
/// The accesses of a kernel, of which there may be as many as findings.
class KernelAccesses {
public:
  explicit KernelAccesses(const KernelRecord &Kernel) : Kernel(Kernel) {
    for (const AccessRecord &A : Kernel.Accesses) {
      add(A.Written.value_or(A.Where), A);
      for (const Location &Call : A.InlinedAt)
        add(Call, A);
    }
  }

  const KernelRecord &kernel() const { return Kernel; }

  /// Those that \p F is about: of its place and kind, in whatever call. In
  /// their order, each once.
  std::vector<const AccessRecord *> of(const Finding &F,
                                       std::string_view Unit) const {
    const std::optional<AccessOp> Op = opOf(F.About);
    std::vector<const AccessRecord *> Result;
    const auto Near = ByPlace.find({F.Where.Line, F.Where.Column});
    if (Near == ByPlace.end())
      return Result;
    for (const AccessRecord *A : Near->second)
      if (nameOf(A->Unit) == Unit && (!Op || A->Op == *Op) && isAt(*A, F.Where))
        Result.push_back(A);
    return Result;
  }

  /// What all of them move in that unit, of one block where that is told, if
  /// unknown loops made so many turns and what is not predicted cost so much.
  double traffic(std::string_view Unit, const std::optional<Block> &Told,
                 double Turns, double OfUnknown) {
    const auto [Entry, IsNew] = All.try_emplace({Unit, Told, Turns, OfUnknown});
    if (IsNew)
      for (const AccessRecord &A : Kernel.Accesses)
        if (nameOf(A.Unit) == Unit && (!Told || A.Block == *Told))
          Entry->second +=
              supposedTimes(A, Turns) * A.PerRequest.value_or(OfUnknown);
    return Entry->second;
  }

private:
  using Place = std::pair<unsigned, unsigned>;

  void add(const Location &Where, const AccessRecord &A) {
    std::vector<const AccessRecord *> &Its =
        ByPlace[{Where.Line, Where.Column}];
    if (Its.empty() || Its.back() != &A)
      Its.push_back(&A);
  }

  const KernelRecord &Kernel;
  std::map<Place, std::vector<const AccessRecord *>> ByPlace;
  std::map<std::tuple<std::string_view, std::optional<Block>, double, double>,
           double>
      All;
};
} // namespace

/// The block of which \p F states the number; empty where none has it.
static std::optional<Block>
toldBlock(const Finding &F, std::span<const AccessRecord *const> Accesses) {
  const auto Found = std::ranges::find_if(Accesses, [&](const auto *A) {
    return A->PerRequest && A->Ideal &&
           std::abs(*A->PerRequest - F.Predicted->Value) < 1e-6 &&
           std::abs(*A->Ideal - *F.Predicted->Ideal) < 1e-6;
  });
  return Found == Accesses.end() ? std::nullopt
                                 : std::optional((*Found)->Block);
}

/// What is not predicted costs so many sectors or wavefronts. Of the block that
/// is told, where that is known.
static std::optional<double> estimate(const Finding &F, KernelAccesses &Of,
                                      std::string_view Unit, double Turns,
                                      double OfUnknown = 0) {
  const std::vector<const AccessRecord *> Its = Of.of(F, Unit);
  const std::optional<Block> Told = toldBlock(F, Its);
  double Wasted = 0;
  bool IsFound = false;
  for (const AccessRecord *A : Its) {
    if (!A->PerRequest || !A->Ideal || (Told && A->Block != *Told))
      continue;
    IsFound = true;
    Wasted +=
        supposedTimes(*A, Turns) * std::max(0.0, *A->PerRequest - *A->Ideal);
  }
  if (!IsFound)
    return std::nullopt;
  const double All = Of.traffic(Unit, Told, Turns, OfUnknown);
  return All > 0 ? std::optional(Wasted / All) : std::nullopt;
}

/// Whether another number of turns, or what is not predicted, makes another
/// share of it, by more than a seventh of the whole.
static bool isRough(const Finding &F, KernelAccesses &Of, std::string_view Unit,
                    double Estimate) {
  constexpr double Little = 0.15, OfUnknown = 32; // Chosen.
  const double Others[] = {
      estimate(F, Of, Unit, 10).value_or(Estimate),
      estimate(F, Of, Unit, 1000).value_or(Estimate),
      estimate(F, Of, Unit, UnknownTurns, OfUnknown).value_or(Estimate)};
  return std::ranges::any_of(Others, [&](double Other) {
    return std::abs(Other - Estimate) > Little;
  });
}

/// Launches that the totals stand for: those of the same shape.
static double launchesOf(const WarpTotals &Totals, const KernelRecord &Kernel) {
  const auto Same =
      std::ranges::count_if(Kernel.Launches, [&](const LaunchRecord &L) {
        for (std::size_t I = 0; I != 3; ++I)
          if (L.Block[I].value_or(Totals.Block[I]) != Totals.Block[I])
            return false;
        return L.Grid == Totals.Grid;
      });
  return static_cast<double>(std::max<std::ptrdiff_t>(Same, 1));
}

static std::optional<double> warpsOf(const KernelRecord &Kernel) {
  double Sum = 0;
  for (const WarpTotals &Each : Kernel.Totals) {
    if (!Each.Warps)
      return std::nullopt;
    Sum += *Each.Warps * launchesOf(Each, Kernel);
  }
  return Kernel.Totals.empty() ? std::nullopt : std::optional(Sum);
}

/// Of one warp, in all memory that is counted in \p Unit.
static std::optional<double> trafficOf(const WarpTotals &Totals,
                                       std::string_view Unit) {
  double Sum = 0;
  for (const SpaceTotals &Each : Totals.Spaces) {
    if (nameOf(Each.Unit) != Unit)
      continue;
    if (!Each.Traffic)
      return std::nullopt;
    Sum += *Each.Traffic;
  }
  return Sum;
}

std::optional<double> trafficOf(const KernelRecord &Kernel,
                                std::string_view Unit) {
  double Sum = 0;
  for (const WarpTotals &Each : Kernel.Totals) {
    const std::optional<double> PerWarp = trafficOf(Each, Unit);
    if (!PerWarp || (*PerWarp != 0 && !Each.Warps))
      return std::nullopt;
    Sum += *PerWarp * Each.Warps.value_or(0) * launchesOf(Each, Kernel);
  }
  return Sum;
}

/// What a warp of a launch of \p Of wastes in all of \p Accesses; empty where
/// one is not known.
static std::optional<double>
wastedPerWarp(std::span<const AccessRecord *const> Accesses, const Block &Of) {
  double Sum = 0;
  for (const AccessRecord *A : Accesses) {
    if (A->Block != Of)
      continue;
    if (!A->Executions || !A->PerRequest || !A->Ideal)
      return std::nullopt;
    Sum += *A->Executions * std::max(0.0, *A->PerRequest - *A->Ideal);
  }
  return Sum;
}

/// The same of all launches.
static std::optional<double>
wastedInAll(std::span<const AccessRecord *const> Accesses,
            const KernelRecord &Kernel) {
  double Sum = 0;
  for (const WarpTotals &Each : Kernel.Totals) {
    const std::optional<double> PerWarp = wastedPerWarp(Accesses, Each.Block);
    if (!PerWarp || !Each.Warps)
      return std::nullopt;
    Sum += *PerWarp * *Each.Warps * launchesOf(Each, Kernel);
  }
  return Kernel.Totals.empty() ? std::nullopt : std::optional(Sum);
}

/// Where the kernel does not tell of which accesses the finding is.
static Waste ofOneAccess(const Finding &F, const KernelRecord &Kernel,
                         Waste W) {
  W.PerWarp =
      *F.Executions * std::max(0.0, F.Predicted->Value - *F.Predicted->Ideal);
  if (const std::optional<double> Warps = warpsOf(Kernel))
    W.InAll = *W.PerWarp * *Warps;
  const std::optional<double> All =
      Kernel.Totals.size() == 1 ? trafficOf(Kernel.Totals.front(), W.Unit)
                                : std::nullopt;
  if (!All || !(*All > 0))
    return W;
  W.OfKernel = std::min(1.0, *W.PerWarp / *All);
  W.Estimate.reset();
  W.IsRough = false;
  return W;
}

static std::optional<Waste> wasteIn(const Finding &F, KernelAccesses &Of) {
  const KernelRecord &Kernel = Of.kernel();
  if (!F.Predicted || !F.Predicted->Ideal)
    return std::nullopt;
  const std::string_view Unit = unitOf(*F.Predicted);
  if (Unit.empty())
    return std::nullopt;
  Waste W{.Unit = std::string(Unit)};
  W.Estimate = estimate(F, Of, Unit, UnknownTurns);
  W.IsRough = W.Estimate && isRough(F, Of, Unit, *W.Estimate);
  const std::vector<const AccessRecord *> Its = Of.of(F, Unit);
  const std::optional<Block> Told = toldBlock(F, Its);
  if (!Told)
    return F.Executions ? std::optional(ofOneAccess(F, Kernel, std::move(W)))
                        : std::optional(std::move(W));
  W.PerWarp = wastedPerWarp(Its, *Told);
  if (!W.PerWarp)
    return W;
  W.InAll = wastedInAll(Its, Kernel);
  // Of the launch that is told: another has other shares.
  const auto Totals =
      std::ranges::find(Kernel.Totals, *Told, &WarpTotals::Block);
  if (Totals == Kernel.Totals.end())
    return W;
  const std::optional<double> All = trafficOf(*Totals, Unit);
  if (!All || !(*All > 0))
    return W;
  W.OfKernel = std::min(1.0, *W.PerWarp / *All);
  W.Estimate.reset();
  W.IsRough = false;
  return W;
}

std::optional<Waste> wasteOf(const Finding &F, const KernelRecord &Kernel) {
  KernelAccesses Of(Kernel);
  return wasteIn(F, Of);
}

void addWaste(Document &Doc) {
  std::map<std::string, std::optional<double>> Program;
  for (const TrafficUnit Unit : {TrafficUnit::Sectors, TrafficUnit::Wavefronts,
                                 TrafficUnit::Addresses}) {
    std::optional<double> &Sum = Program[std::string(nameOf(Unit))];
    Sum = 0;
    for (const UnitRecord &File : Doc.Units)
      for (const KernelRecord &Kernel : File.Kernels) {
        const std::optional<double> One = trafficOf(Kernel, nameOf(Unit));
        if (Sum && One)
          *Sum += *One;
        else
          Sum.reset();
      }
  }
  for (UnitRecord &File : Doc.Units) {
    std::map<std::string_view, KernelAccesses> Kernels;
    for (const KernelRecord &Kernel : File.Kernels)
      Kernels.try_emplace(Kernel.Name, Kernel);
    for (Finding &F : File.Findings) {
      F.Wasted.reset();
      const auto Kernel = Kernels.find(F.Kernel);
      if (Kernel == Kernels.end())
        continue;
      F.Wasted = wasteIn(F, Kernel->second);
      if (!F.Wasted || !F.Wasted->InAll)
        continue;
      const std::optional<double> &All = Program[F.Wasted->Unit];
      if (All && *All > 0)
        F.Wasted->OfProgram = std::min(1.0, *F.Wasted->InAll / *All);
    }
  }
}

/// What a phrase says of \p Name; nothing where that is no number.
static std::optional<double> numberOf(const Phrase &Said,
                                      std::string_view Name) {
  const NamedValue *Found = Said.find(Name);
  const double *Value = Found ? std::get_if<double>(&Found->What) : nullptr;
  return Value ? std::optional(*Value) : std::nullopt;
}

/// Of a launch whose kernel may take any part of the time: behind what wastes
/// most of what a kernel moves. Chosen.
static constexpr double OfUnknownTime = 0.5;

double rankOf(const Finding &F) {
  if (F.Wasted) {
    const Waste &W = *F.Wasted;
    for (const std::optional<double> &Each :
         {W.OfProgram, W.OfKernel, W.Estimate})
      if (Each)
        return *Each;
    return 0;
  }
  if (const auto Idle = numberOf(F.What, "idle_sms"))
    if (const auto SMs = numberOf(F.What, "sms"); SMs && *SMs > 0)
      return *Idle / *SMs * OfUnknownTime;
  if (F.What.Id == "idle-lanes")
    return numberOf(F.What, "percent").value_or(0) / 100;
  // Rounds of blocks: the part of the last one that stays empty.
  if (F.Predicted && F.Predicted->Metric == "waves" && F.Predicted->Ideal &&
      *F.Predicted->Ideal > 0)
    return std::max(0.0, 1 - F.Predicted->Value / *F.Predicted->Ideal);
  return 0;
}

bool isFault(const Finding &F) {
  static constexpr std::array<std::string_view, 3> Faults = {
      "parts-block", "parts-warp", "race"};
  return std::ranges::find(Faults, F.What.Id) != Faults.end();
}

//===----------------------------------------------------------------------===//
// The order of names
//===----------------------------------------------------------------------===//

static bool isDigit(char C) { return C >= '0' && C <= '9'; }

/// Takes the digits that \p Text begins with, without zeros before them.
static std::string_view takeNumber(std::string_view &Text) {
  std::size_t End = 0;
  while (End != Text.size() && isDigit(Text[End]))
    ++End;
  std::string_view Number = Text.substr(0, End);
  Text.remove_prefix(End);
  Number.remove_prefix(std::min(Number.find_first_not_of('0'), Number.size()));
  return Number;
}

bool isNaturallyLess(std::string_view A, std::string_view B) {
  std::string_view RestA = A, RestB = B;
  while (!RestA.empty() && !RestB.empty()) {
    if (isDigit(RestA[0]) && isDigit(RestB[0])) {
      const std::string_view X = takeNumber(RestA), Y = takeNumber(RestB);
      if (X != Y)
        return X.size() != Y.size() ? X.size() < Y.size() : X < Y;
      continue;
    }
    if (RestA[0] != RestB[0])
      return RestA[0] < RestB[0];
    RestA.remove_prefix(1);
    RestB.remove_prefix(1);
  }
  if (RestA.empty() != RestB.empty())
    return RestA.empty();
  return A < B; // k01 and k1
}

bool isNaturallyLess(const Location &A, const Location &B) {
  if (A.File != B.File)
    return isNaturallyLess(A.File, B.File);
  return std::tie(A.Line, A.Column) < std::tie(B.Line, B.Column);
}

} // namespace cudalint
