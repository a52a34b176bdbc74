//===- report/Ranking.cpp - What a finding wastes -------------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/Ranking.h"

#include "report/LaunchTraffic.h"
#include "report/Names.h"
#include "report/Phrase.h"
#include "report/SupposedTraffic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <span>
#include <tuple>

namespace cudalint {

/// `sectors` of `sectors_per_request`; empty for other metrics. Transactions,
/// of GPUs before 5.0, are counted as sectors in the records.
static std::string_view perRequestUnit(const Prediction &P) {
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
  return isSamePlace(A.Where, Where) ||
         (A.Written && isSamePlace(*A.Written, Where)) ||
         std::ranges::any_of(A.InlinedAt, [&](const Location &Call) {
           return isSamePlace(Call, Where);
         });
}

namespace {
/// The accesses of a kernel, of which there may be as many as findings.
class KernelAccesses {
public:
  explicit KernelAccesses(const KernelRecord &Kernel) : Kernel(Kernel) {
    for (const AccessRecord &A : Kernel.Accesses) {
      add(A.Where, A);
      if (A.Written)
        add(*A.Written, A);
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

  /// What they move in that unit, of one block where that is told.
  const SupposedTraffic &traffic(std::string_view Unit,
                                 const std::optional<BlockShape> &Told) {
    std::unique_ptr<SupposedTraffic> &Its = All[{std::string(Unit), Told}];
    if (!Its)
      Its = std::make_unique<SupposedTraffic>(Kernel, Unit, Told);
    return *Its;
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
  std::map<std::pair<std::string, std::optional<BlockShape>>,
           std::unique_ptr<SupposedTraffic>>
      All;
};
} // namespace

static bool takesWhatIsTold(const AccessRecord &A, const Finding &F) {
  return A.PerRequest && A.Ideal &&
         std::abs(*A.PerRequest - F.Predicted->Value) < 1e-6 &&
         std::abs(*A.Ideal - *F.Predicted->Ideal) < 1e-6;
}

/// The block of which \p F states the number: its own, or the first that has
/// it; empty where none has.
static std::optional<BlockShape>
toldBlock(const Finding &F, std::span<const AccessRecord *const> Accesses) {
  std::optional<BlockShape> First;
  for (const AccessRecord *A : Accesses) {
    if (!takesWhatIsTold(*A, F))
      continue;
    if (F.Block && (A->Block == *F.Block || countOf(*A, *F.Block)))
      return F.Block;
    if (!First)
      First = A->Block;
  }
  return First;
}

/// Of the launches with that block the first that takes what \p F states; else
/// the first of all; null: there is none.
static const WarpTotals *
toldLaunch(const Finding &F, std::span<const AccessRecord *const> Accesses,
           const BlockShape &Told, const KernelRecord &Kernel) {
  const WarpTotals *First = nullptr;
  for (const WarpTotals &Each : Kernel.Totals) {
    if (Each.Block != Told)
      continue;
    if (std::ranges::any_of(Accesses, [&](const AccessRecord *A) {
          return takesWhatIsTold(*A, F) && isOfLaunch(*A, Each);
        }))
      return &Each;
    First = First ? First : &Each;
  }
  return First;
}

/// Estimates what it wastes of the kernel, in the block that is told, where
/// that is known.
static void estimate(Waste &W, const std::vector<const AccessRecord *> &Its,
                     const std::optional<BlockShape> &Told,
                     KernelAccesses &Of) {
  const auto Share = Of.traffic(W.Unit, Told).wastedBy(Its);
  if (!Share)
    return;
  W.Estimate = Share->Usual;
  W.IsRough = Share->Hangs;
  W.IsMost = Share->IsMost;
  W.IfMany = Share->IfMany;
  const auto isSame = [&](const AccessRecord *A) {
    return A->Undecided == Its.front()->Undecided;
  };
  if (std::ranges::all_of(Its, isSame))
    W.Undecided = Its.front()->Undecided;
}

/// How much of it an SM moves in a clock: four sectors of a request, the words
/// of one wavefront, one address of constant memory.
static double perClock(TrafficUnit Unit) {
  return Unit == TrafficUnit::Sectors ? 4 : 1;
}

/// What matters in a unit in which the kernel hardly moves anything, as the
/// constants of its prologue, matters as little.
static void weigh(Waste &W, const std::optional<BlockShape> &Told,
                  KernelAccesses &Of) {
  double Its = 0, Most = 0;
  for (const TrafficUnit Unit : {TrafficUnit::Sectors, TrafficUnit::Wavefronts,
                                 TrafficUnit::Addresses}) {
    const double Clocks =
        Of.traffic(nameOf(Unit), Told).usual() / perClock(Unit);
    Most = std::max(Most, Clocks);
    if (nameOf(Unit) == W.Unit)
      Its = Clocks;
  }
  if (Most > 0 && Its > 0)
    W.OfClocks = Its / Most;
}

/// What is counted is no estimate.
static void setShare(Waste &W, double OfKernel) {
  W.OfKernel = std::min(1.0, OfKernel);
  W.Estimate.reset();
  W.IfMany.reset();
  W.IsRough = W.IsMost = false;
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
  setShare(W, *W.PerWarp / *All);
  return W;
}

/// Of what it costs more than its ideal, the part that the remedy saves. What a
/// misaligned access takes when it is aligned may be more than the ideal.
static double savedPart(const Finding &F) {
  const std::optional<double> Aligned = F.What.number("aligned");
  const double Beyond = F.Predicted->Value - *F.Predicted->Ideal;
  return Aligned && Beyond > 0
             ? std::clamp((F.Predicted->Value - *Aligned) / Beyond, 0.0, 1.0)
             : 1;
}

static std::optional<Waste> wasteBeyondIdeal(const Finding &F,
                                             KernelAccesses &Of) {
  const KernelRecord &Kernel = Of.kernel();
  if (!F.Predicted || !F.Predicted->Ideal)
    return std::nullopt;
  const std::string_view Unit = perRequestUnit(*F.Predicted);
  if (Unit.empty())
    return std::nullopt;
  Waste W{.Unit = std::string(Unit)};
  const std::vector<const AccessRecord *> Its = Of.of(F, Unit);
  const std::optional<BlockShape> Told = toldBlock(F, Its);
  estimate(W, Its, Told, Of);
  weigh(W, Told, Of);
  if (!Told)
    return F.Executions ? std::optional(ofOneAccess(F, Kernel, std::move(W)))
                        : std::optional(std::move(W));
  // Of the launch that is told: another has other shares.
  const WarpTotals *const Totals = toldLaunch(F, Its, *Told, Kernel);
  W.PerWarp = wastedPerWarp(Its, *Told, Totals);
  if (!W.PerWarp)
    return W;
  W.InAll = wastedInAll(Its, Kernel);
  if (!Totals)
    return W;
  const std::optional<double> All = trafficOf(*Totals, Unit);
  if (!All || !(*All > 0))
    return W;
  setShare(W, *W.PerWarp / *All);
  return W;
}

static std::optional<Waste> wasteIn(const Finding &F, KernelAccesses &Of) {
  std::optional<Waste> W = wasteBeyondIdeal(F, Of);
  if (!W)
    return W;
  const double Part = savedPart(F);
  for (std::optional<double> *Each :
       {&W->PerWarp, &W->InAll, &W->OfKernel, &W->Estimate, &W->IfMany})
    if (*Each)
      **Each *= Part;
  return W;
}

std::optional<Waste> wasteOf(const Finding &F, const KernelRecord &Kernel) {
  KernelAccesses Of(Kernel);
  return wasteIn(F, Of);
}

bool isInLaunches(const KernelRecord &Kernel) {
  return std::ranges::any_of(Kernel.Launches, [](const LaunchRecord &L) {
    return L.Source != LaunchSource::Assumed;
  });
}

bool hasLaunches(const Document &Doc) {
  return std::ranges::any_of(Doc.Units, [](const UnitRecord &File) {
    return std::ranges::any_of(File.Kernels, isInLaunches);
  });
}

void addWaste(Document &Doc) {
  const bool KnowsLaunches = hasLaunches(Doc);
  const auto counts = [&](const KernelRecord &Kernel) {
    return !KnowsLaunches || isInLaunches(Kernel);
  };
  std::map<std::string, std::optional<double>> Program;
  for (const TrafficUnit Unit : {TrafficUnit::Sectors, TrafficUnit::Wavefronts,
                                 TrafficUnit::Addresses}) {
    std::optional<double> &Sum = Program[std::string(nameOf(Unit))];
    Sum = 0;
    for (const UnitRecord &File : Doc.Units)
      for (const KernelRecord &Kernel : File.Kernels) {
        if (!counts(Kernel))
          continue;
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
      if (!F.Wasted)
        continue;
      const std::optional<double> &All = Program[F.Wasted->Unit];
      if (!counts(Kernel->second.kernel()))
        F.Wasted->OfProgram = 0;
      else if (F.Wasted->InAll && All && *All > 0)
        F.Wasted->OfProgram = std::min(1.0, *F.Wasted->InAll / *All);
    }
  }
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
        return *Each * W.OfClocks;
    return 0;
  }
  if (const auto Idle = F.What.number("idle_sms"))
    if (const auto SMs = F.What.number("sms"); SMs && *SMs > 0)
      return *Idle / *SMs * OfUnknownTime;
  if (F.What.Id == "idle-lanes")
    return F.What.number("percent").value_or(0) / 100;
  // Updates that queue up have no traffic to speak of, and take all the time.
  if (F.What.Id == "one-address")
    if (const auto Percent = F.What.number("most_percent_of_kernel"))
      return *Percent / 100;
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

} // namespace cudalint
