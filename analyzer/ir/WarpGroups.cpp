//===- analyzer/ir/WarpGroups.cpp - Warps that are run at once ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/WarpGroups.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <numeric>

using namespace llvm;

namespace cudalint {

/// Addresses that differ by a multiple of it cost the same, whatever they are
/// in and however wide the access.
static constexpr std::uint64_t Period = 256;

/// The part of an address that tells warps apart.
using WarpPart = SmallVector<std::pair<Symbol, std::int64_t>, 2>;

static WarpPart warpPart(const LaneArithmetic &A, const LaneValue &Address) {
  WarpPart Part;
  for (const Term &T : Address.Terms)
    if (A.info(T.S).ByWarp)
      Part.emplace_back(T.S, T.Coefficient[0]);
  return Part;
}

/// After how many warps each coefficient is a multiple of the period again, be
/// it that of a symbol; `Never`: that is not so.
static unsigned warpsToRepeat(const LaneArithmetic &A, const LaneValue &Address,
                              unsigned Never) {
  std::uint64_t Step = 1;
  for (const Term &T : Address.Terms) {
    const SymbolInfo &Of = A.info(T.S);
    if (!Of.ByWarp)
      continue;
    const bool IsSquare = llvm::count_if(Of.Factors, [&](Symbol F) {
                            return A.info(F).ByWarp;
                          }) > 1;
    if (IsSquare || !T.Coefficient.isUniform())
      return Never;
    const auto Moves = static_cast<std::uint64_t>(T.Coefficient[0]) % Period;
    Step = std::max(Step, Period / std::gcd(Moves, Period));
  }
  return static_cast<unsigned>(std::min<std::uint64_t>(Step, Never));
}

namespace {
/// Requests that are looked at together, of which those of warps `Step` apart
/// are alike.
struct Company {
  unsigned Step = 1;
  WarpPart Part;
};

/// Which warps stand for which others, request by request.
class AlikeWarps {
public:
  AlikeWarps(const LaneArithmetic &A, const std::vector<Request> &Requests,
             const WarpSink &Sink, unsigned Warps) {
    DenseMap<std::pair<const Instruction *, unsigned>, unsigned> Companies;
    for (const Request &R : Requests) {
      const unsigned Number = Sink.companyOf(R);
      const auto [It, New] = Companies.try_emplace(
          Number ? std::pair<const Instruction *, unsigned>(nullptr, Number)
                 : std::pair(R.Inst, R.Part),
          All.size());
      Of.push_back(It->second);
      WarpPart Part = warpPart(A, R.Address);
      if (New)
        All.push_back({.Part = Part});
      Company &Each = All[It->second];
      // How far they are apart must be the same in all warps.
      Each.Step = Number && Part != Each.Part
                      ? Warps
                      : std::max(Each.Step, warpsToRepeat(A, R.Address, Warps));
    }
  }
  unsigned stepOfRequest(std::size_t Index) const {
    return All[Of[Index]].Step;
  }

private:
  std::vector<unsigned> Of; ///< By request.
  std::vector<Company> All;
};
} // namespace

namespace {
/// One run of all warps of a block.
struct BlockRun {
  const KernelStructure &Kernel;
  const LaunchShape &Shape;
  std::size_t Work;
  const WarpGroups::SinkMaker &MakeSink;
  std::vector<LaneArithmetic::WarpRange> Done;

  void runOne(unsigned Warp) {
    LaneArithmetic Arithmetic;
    const std::unique_ptr<WarpSink> Sink = MakeSink(Arithmetic);
    Sink->finish(
        runWarp(Kernel, Shape, Warp, Work, Arithmetic, [&](const Request &R) {
          Sink->addOfWarps(R, Warp, Warp);
          Sink->add(R);
        }));
    Done.push_back({Warp, Warp});
  }

  /// Gives the requests of several warps on for each of them.
  void give(LaneArithmetic &Arithmetic, const std::vector<Request> &Requests,
            const WarpOutcome &Outcome) {
    const auto [First, Last] = Arithmetic.warps();
    const unsigned Warps = Last - First + 1;
    std::optional<AlikeWarps> Alike;
    for (unsigned W = First; W <= Last; ++W) {
      const std::unique_ptr<WarpSink> Sink = MakeSink(Arithmetic);
      if (!Alike) {
        Alike.emplace(Arithmetic, Requests, *Sink, Warps);
        for (const Request &Each : Requests)
          Sink->addOfWarps(Each, First, Last);
      }
      for (std::size_t I = 0; I != Requests.size(); ++I) {
        const unsigned Step = Alike->stepOfRequest(I), Before = W - First;
        if (Before >= Step)
          continue;
        Request R = Requests[I];
        R.Warp = W;
        R.AlikeStep = Step;
        R.AlikeWarps = (Warps - Before + Step - 1) / Step;
        R.AreAlikeAtOnePlace = warpPart(Arithmetic, R.Address).empty();
        R.Address = Arithmetic.inWarp(R.Address, W);
        Sink->add(R);
      }
      Sink->finish(Outcome);
    }
    Done.push_back({First, Last});
  }

  /// No deeper than there are warps, as each level runs one of them at least.
  void runFrom(unsigned First, unsigned Last) {
    if (First == Last) {
      runOne(First);
      return;
    }
    LaneArithmetic Arithmetic;
    std::vector<Request> Requests;
    const std::optional<WarpOutcome> Outcome =
        runWarps(Kernel, Shape, First, Last, Work, Arithmetic, Requests);
    if (!Outcome) {
      for (unsigned W = First; W <= Last; ++W)
        runOne(W);
      return;
    }
    const LaneArithmetic::WarpRange Of = Arithmetic.warps();
    if (First < Of.First)
      runFrom(First, Of.First - 1);
    give(Arithmetic, Requests, *Outcome);
    if (Of.Last < Last)
      runFrom(Of.Last + 1, Last);
  }
};
} // namespace

void WarpGroups::run(const KernelStructure &Kernel, const LaunchShape &Shape,
                     std::size_t Work, const SinkMaker &MakeSink) {
  BlockRun Run = {Kernel, Shape, Work, MakeSink, {}};
  for (const Group &G : Groups)
    Run.runFrom(G.First, G.Last);
  if (!HasRun)
    Groups = std::move(Run.Done);
  HasRun = true;
}

} // namespace cudalint
