//===- analyzer/ir/SharedRequests.cpp - Several accesses, one instruction -===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/SharedRequests.h"

#include "analyzer/ir/CompiledMatching.h"
#include "analyzer/ir/InstructionCounts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <tuple>

using namespace llvm;

namespace cudalint {

bool sameIn(LaneMask Lanes, const LaneValue &A, const LaneValue &B) {
  if ((A.Unknown | B.Unknown) & Lanes || A.Terms.size() != B.Terms.size())
    return false;
  for (unsigned L = 0; L < WarpSize; ++L) {
    if (!(Lanes >> L & 1))
      continue;
    if (A.Constant[L] != B.Constant[L])
      return false;
    for (std::size_t K = 0; K != A.Terms.size(); ++K)
      if (A.Terms[K].S != B.Terms[K].S ||
          A.Terms[K].Coefficient[L] != B.Terms[K].Coefficient[L])
        return false;
  }
  return true;
}

/// Adds \p Part to what waits, if one request can be both: other lanes, as of
/// branches of which each lane takes one, or the same addresses.
bool SharedRequests::join(const Request &Part, Pending &Waiting) {
  Request &Whole = Waiting.Whole;
  if (Waiting.By.empty() || Waiting.By.contains(Part.Inst) ||
      Whole.Space != Part.Space || Whole.Weight != Part.Weight ||
      Whole.Turn != Part.Turn)
    return false;
  const LaneMask Both = Whole.Active & Part.Active;
  if (Both && !sameIn(Both, Whole.Address, Part.Address))
    return false;
  const LaneMask Sure =
      (Whole.Active & ~Whole.Doubtful) | (Part.Active & ~Part.Doubtful);
  const std::uint32_t Assumes = Whole.Address.Assumes | Part.Address.Assumes;
  Whole.Address = A.blend(Part.Active, Part.Address, Whole.Address);
  Whole.Address.Assumes |= Assumes;
  Whole.Active |= Part.Active;
  Whole.IsSure |= Part.IsSure;
  Whole.UncountedLoops = std::max(Whole.UncountedLoops, Part.UncountedLoops);
  Whole.Doubtful = (Whole.Doubtful | Part.Doubtful) & ~Sure;
  Whole.DataDriven = (Whole.DataDriven | Part.DataDriven) & ~Sure;
  Whole.Counted.reset(); // who counts is not who accesses
  Waiting.By.insert(Part.Inst);
  Joined.insert({Part.Inst, Part.Part});
  return true;
}

void SharedRequests::add(const Request &Part) {
  Pending &Waiting = ByPool[Part.As->Pool];
  if (join(Part, Waiting))
    return;
  // Data decides which of two addresses the one request has for each lane.
  Waiting.IsUnclear = Part.As->IsAlternative && !Waiting.By.empty() &&
                      !Waiting.By.contains(Part.Inst) &&
                      Waiting.Whole.Turn == Part.Turn &&
                      (Waiting.Whole.Doubtful & Part.Doubtful);
  if (!Waiting.By.empty())
    add(Waiting);
  Waiting = {.Whole = Part, .By = {Part.Inst}, .IsUnclear = Waiting.IsUnclear};
}

/// Whichever branch a lane takes, one instruction makes its access: what
/// decides about the branch decides nothing.
void SharedRequests::makeSure(Request &R) const {
  // One with a predicate may leave lanes out.
  if (R.Active != R.Before.Active ||
      std::ranges::any_of(Plan.pools()[R.As->Pool],
                          &MachineInstruction::Predicated))
    return;
  R.Doubtful &= R.Before.Doubtful;
  R.DataDriven &= R.Before.DataDriven;
  R.Counted.reset();
  R.IsSure |= R.Before.IsSure;
}

Request SharedRequests::ofAllBranches(Request Part) const {
  makeSure(Part);
  return Part;
}

void SharedRequests::add(Pending &Waiting) {
  Request &R = Waiting.Whole;
  if (R.As->IsAlternative && !Waiting.IsUnclear &&
      Waiting.By.size() == Plan.sharersOf(R.As->Pool))
    makeSure(R);
  if (R.As->IsAlternative && !Waiting.IsUnclear)
    if (const auto [Inst, Part] = Plan.ownerOf(R.As->Pool);
        Inst && (Inst != R.Inst || Waiting.By.size() > 1)) {
      R.Makers.assign(Waiting.By.begin(), Waiting.By.end());
      Joined.insert({R.Inst, R.Part});
      R.Inst = Inst;
      R.Part = Part;
      R.Piece = 0;
    }
  Add(R);
}

void SharedRequests::finish() {
  for (auto &[Pool, Waiting] : ByPool)
    add(Waiting);
  ByPool.clear();
}

std::vector<RemovedAccess> joinedInto(const std::vector<CollectedAccess> &Found,
                                      const JoinedAccesses &Joined,
                                      const AccessPlan &Plan) {
  JoinedAccesses Rest = Joined;
  for (const CollectedAccess &A : Found)
    Rest.erase({A.Inst, A.Part});
  std::vector<RemovedAccess> Result;
  for (auto [Inst, Part] : Rest)
    if (std::optional<RemovedAccess> Each = Plan.removed(
            *Inst, Part, "one instruction makes it with another access"))
      Result.push_back(std::move(*Each));
  std::ranges::stable_sort(Result, {}, &RemovedAccess::Where);
  return Result;
}

static std::tuple<double, double, double> costOf(const Access &A) {
  const Traffic T = A.Predicted.value_or(Traffic());
  return {T.PerRequest, T.Ideal, T.Lanes};
}

static void assume(Access &A, const std::string &Assumption) {
  if (A.Trust == Certainty::Unknown)
    return;
  A.Trust = Certainty::Assumed;
  const auto At = std::ranges::lower_bound(A.Assumptions, Assumption);
  if (At == A.Assumptions.end() || *At != Assumption)
    A.Assumptions.insert(At, Assumption);
}

/// The compiled code does not happen as often as the source says: then it may
/// be something else's, too.
static void doubtCount(Access &A, const std::string &Why) {
  A.Executions.reset();
  A.WhyNotCounted = Why;
  assume(A, OwnInstructions);
}

/// Fewer instructions than accesses that could not be joined: whose they are is
/// not known, and matters where the accesses cost differently.
static void assumeOneOfThese(std::vector<CollectedAccess> &Found,
                             const std::vector<std::size_t> &Members,
                             std::size_t Instructions) {
  const auto First = costOf(Found[Members.front()].Result);
  if (std::ranges::all_of(Members, [&](std::size_t I) {
        return costOf(Found[I].Result) == First;
      }))
    return;
  const std::string Assumption = fmt::format(
      "of {} accesses here the compiler makes {} instruction{}, this one among "
      "them",
      Members.size(), Instructions, Instructions == 1 ? "" : "s");
  for (std::size_t I : Members) {
    Access &A = Found[I].Result;
    assume(A, Assumption);
  }
}

/// Of instructions on several lines it is not known whose each is: it matters
/// where the accesses cost differently.
static void assumeWhoseTheyAre(std::vector<CollectedAccess> &Found,
                               const std::vector<std::size_t> &Members,
                               const std::vector<MachineInstruction> &Pool) {
  const auto First = costOf(Found[Members.front()].Result);
  const bool CostOne = std::ranges::all_of(
      Members, [&](std::size_t I) { return costOf(Found[I].Result) == First; });
  const bool AreInOnePlace =
      std::ranges::all_of(Pool, [&](const MachineInstruction &Each) {
        return Each.Where == Pool.front().Where;
      });
  if (CostOne || AreInOnePlace)
    return;
  for (std::size_t I : Members)
    assume(Found[I].Result,
           "which of the calls of one function an instruction is of");
}

/// Of the turns of a loop that is written out, the compiler may leave some out,
/// whose values it has: a mean over unequal turns is not exact then.
static void assumeAllTurns(CollectedAccess &Found) {
  Access &A = Found.Result;
  const std::vector<MachineInstruction> &Of = A.Instructions;
  const bool AreAll =
      A.InOrder.size() == Of.size() ||
      (Of.size() == 1 && Of.front().Loops.size() >= A.LoopDepth);
  // nvcc adds lanes of one address together first, and that in one of two ways.
  if (A.Op == AccessOp::Atomic && Of.size() > 1) {
    if (!Found.As || !Found.As->OneLane)
      assume(A, "the compiled code does not put lanes together");
    A.Executions.reset();
    A.WhyNotCounted = "the compiled code makes several instructions of it";
  }
  if (Found.IsUneven && A.LoopDepth && !Of.empty() && !AreAll)
    assume(A, "the compiled code accesses memory in all turns of the loop");
}

/// Where lanes make different numbers of turns of a loop that is unrolled,
/// those in the copy for the rest are different turns for each.
static void assumeSameTurns(CollectedAccess &Found, const AccessPlan &Plan) {
  if (!Found.LeftByLane || !Plan.isCompiled())
    return;
  if (Found.As && Found.As->Pool < Plan.pools().size()) {
    const std::vector<MachineInstruction> &Of = Plan.pools()[Found.As->Pool];
    if (Of.size() == 1 ||
        (Of.front().Loops.size() >= Found.LeftByLane &&
         std::ranges::all_of(Of, [&](const MachineInstruction &I) {
           return I.Loops == Of.front().Loops;
         })))
      return;
  }
  assume(Found.Result, "lanes that make fewer turns of an unrolled loop make "
                       "them at the same time as others");
}

static bool isInNoLoop(const MachineInstruction &I) { return I.Loops.empty(); }

/// In no loop an instruction happens once at most. Where that contradicts what
/// the source does, the compiler has some values in registers.
static void checkTimes(Access &A) {
  const double Of = static_cast<double>(A.Instructions.size());
  // Of the warps that come there.
  const double Times = std::max(A.Executions.value_or(0),
                                A.Predicted ? A.Predicted->Requests : 0);
  if (!A.Executions || A.Instructions.empty() || Times <= Of + 1e-9 ||
      !std::ranges::all_of(A.Instructions, isInNoLoop))
    return;
  doubtCount(A, "the compiled code makes it less often than the source");
  if (!A.InOrder.empty())
    assume(A, "the compiled code accesses memory in all turns of the loop");
}

/// Means of many runs do not add up to the last bit.
static bool isAbout(double X, double Y) {
  return std::abs(X - Y) <= 1e-6 * std::max(1.0, Y);
}

/// The instructions of an access where they are in no loop: one, or one for
/// each of its turns. 0: not known.
static std::size_t neededOutOfLoops(const CollectedAccess &A,
                                    const AccessPlan &Plan) {
  const WrittenAccess *W = Plan.written(*A.Inst, A.Part);
  return W && W->LoopDepth && !A.As->Hoisted ? W->Turns : 1;
}

/// Gives each of \p Members its own of the instructions that they share.
static void shareOut(std::vector<CollectedAccess> &Found,
                     const std::vector<std::size_t> &Members,
                     const std::vector<MachineInstruction> &Pool,
                     const AccessPlan &Plan) {
  std::vector<std::size_t> Needed;
  for (std::size_t I : Members)
    Needed.push_back(neededOutOfLoops(Found[I], Plan));
  const bool AreUnequal =
      std::ranges::adjacent_find(Needed, std::not_equal_to()) != Needed.end();
  if (!AreUnequal || !std::ranges::all_of(Pool, isInNoLoop) ||
      std::accumulate(Needed.begin(), Needed.end(), std::size_t{0}) !=
          Pool.size()) {
    for (std::size_t I = 0; I != Pool.size(); ++I)
      Found[Members[I % Members.size()]].Result.Instructions.push_back(Pool[I]);
    return;
  }
  auto Next = Pool.begin();
  for (std::size_t I = 0; I != Members.size(); ++I) {
    const auto End = Next + static_cast<std::ptrdiff_t>(Needed[I]);
    Found[Members[I]].Result.Instructions.assign(Next, End);
    Next = End;
  }
}

namespace {
/// The accesses of one launch shape that have instructions, by their pools.
using Pools = std::map<unsigned, std::vector<std::size_t>>;

/// Puts together how often accesses happen and their instructions do.
class Counting {
public:
  Counting(std::vector<CollectedAccess> &Found, const AccessPlan &Plan,
           const Pools &Members)
      : Found(Found), Plan(Plan), Members(Members), Shares(sharesOf()),
        Sums(sums()), Counts(Sums, *Shares) {}

  void run();

private:
  std::vector<CollectedAccess> &Found;
  const AccessPlan &Plan;
  const Pools &Members;
  /// By the pools of an access that is split, those that share them.
  std::map<std::vector<unsigned>, std::set<std::size_t>> Split;
  std::map<unsigned, std::vector<std::size_t>> SumsOf; ///< Of split accesses.
  std::shared_ptr<const std::vector<double>> Shares;
  std::vector<InstructionSum> Sums;
  InstructionCounts Counts;

  std::vector<unsigned> partsOf(const CollectedAccess &A) const;
  std::vector<InstructionSum> sums();
  std::shared_ptr<const std::vector<double>> sharesOf() const;
  InstructionSum nothing() const;
  void add(InstructionSum &Out, const CollectedAccess &A) const;
  void addSplit(std::vector<InstructionSum> &Out);
  bool isSplitRight(unsigned Pool) const;
  void distribute(const std::vector<std::size_t> &Of, double Times);
  void explain(const std::vector<std::size_t> &Of, double Said, double Times);
};
} // namespace

/// The pools of an access that several instructions make together, some bytes
/// each; empty: one makes all of it.
std::vector<unsigned> Counting::partsOf(const CollectedAccess &A) const {
  const WrittenAccess *W = Plan.written(*A.Inst, A.Part);
  std::vector<unsigned> Out;
  unsigned Least = ~0u, Whole = W ? W->Bytes : 0;
  for (const CompiledPart &Each : Plan.find(*A.Inst, A.Part)->Parts) {
    if (Each.IsWider || !W)
      return {};
    Least = std::min(Least, Each.Bytes);
    Whole = std::max(Whole, Each.Bytes);
    Out.push_back(Each.Pool);
  }
  return Least < Whole ? Out : std::vector<unsigned>();
}

void Counting::add(InstructionSum &Out, const CollectedAccess &A) const {
  Out.Executions += A.Result.Executions.value_or(0);
  Out.IsGuess |= !Plan.find(*A.Inst, A.Part)->Assumptions.empty();
  if (A.Shares != Shares)
    Out.ByRun.clear();
  for (std::size_t Run = 0; Run != Out.ByRun.size(); ++Run)
    Out.ByRun[Run] += A.ByRun[Run];
}

/// A sum of nothing.
InstructionSum Counting::nothing() const {
  return {.Instructions = {},
          .Executions = 0,
          .ByRun = std::vector<double>(Shares->size())};
}

/// Each byte of a split access is accessed as often as the access happens.
void Counting::addSplit(std::vector<InstructionSum> &Out) {
  for (const auto &[Pools, Accesses] : Split) {
    const CollectedAccess &First = Found[*Accesses.begin()];
    const std::vector<CompiledPart> &Parts =
        Plan.find(*First.Inst, First.Part)->Parts;
    InstructionSum Whole = nothing();
    bool IsKnown = true;
    for (std::size_t A : Accesses) {
      IsKnown &= Found[A].Result.Executions.has_value();
      if (Found[A].Piece == 0)
        add(Whole, Found[A]);
    }
    if (!IsKnown)
      continue;
    std::set<std::vector<unsigned>> Covers;
    for (const CompiledPart &At : Parts) {
      std::vector<unsigned> Of;
      for (const CompiledPart &Each : Parts)
        if (Each.Offset <= At.Offset && At.Offset < Each.Offset + Each.Bytes)
          Of.push_back(Each.Pool);
      if (!Covers.insert(Of).second)
        continue;
      InstructionSum &Sum = Out.emplace_back(Whole);
      for (unsigned Pool : Of)
        SumsOf[Pool].push_back(Out.size() - 1);
      for (unsigned Pool : Of)
        Sum.Instructions.insert(Sum.Instructions.end(),
                                Plan.pools()[Pool].begin(),
                                Plan.pools()[Pool].end());
    }
  }
}

/// Of the runs that the accesses have in common.
std::shared_ptr<const std::vector<double>> Counting::sharesOf() const {
  for (const auto &[Pool, Of] : Members)
    for (std::size_t I : Of)
      if (Found[I].Shares)
        return Found[I].Shares;
  return std::make_shared<const std::vector<double>>();
}

std::vector<InstructionSum> Counting::sums() {
  std::vector<InstructionSum> Out;
  for (const auto &[Pool, Of] : Members) {
    InstructionSum Sum = nothing();
    Sum.Instructions = Plan.pools()[Pool];
    bool IsWhole = true;
    for (std::size_t I : Of) {
      const CollectedAccess &A = Found[I];
      if (const std::vector<unsigned> Parts = partsOf(A); !Parts.empty()) {
        Split[Parts].insert(I);
        IsWhole = false;
      }
      IsWhole &= A.Result.Executions.has_value();
      add(Sum, A);
    }
    if (IsWhole)
      Out.push_back(std::move(Sum));
  }
  addSplit(Out);
  return Out;
}

/// Whether the instructions access each byte as often as the source does.
bool Counting::isSplitRight(unsigned Pool) const {
  const auto Of = SumsOf.find(Pool);
  return Of != SumsOf.end() && std::ranges::all_of(Of->second, [&](auto S) {
           const std::optional<double> Times = Counts.of(Sums[S].Instructions);
           return Times && isAbout(*Times, Sums[S].Executions);
         });
}

/// The accesses happen so often together, each as often as before among them.
void Counting::distribute(const std::vector<std::size_t> &Of, double Times) {
  double Before = 0;
  for (std::size_t I : Of)
    Before += *Found[I].Result.Executions;
  for (std::size_t I : Of) {
    Access &A = Found[I].Result;
    A.Executions = Before == 0 ? 0 : *A.Executions / Before * Times;
    std::vector<double> Each;
    double Sum = 0;
    for (const MachineInstruction &Instruction : A.Instructions) {
      Each.push_back(*Counts.of(Instruction));
      Sum += Each.back();
    }
    if (isAbout(Sum, *A.Executions))
      A.InstructionExecutions = std::move(Each);
  }
}

/// The instructions happen so often, and the source says something else.
void Counting::explain(const std::vector<std::size_t> &Of, double Said,
                       double Times) {
  const auto First = costOf(Found[Of.front()].Result);
  const bool IsSpared =
      Times < Said && std::ranges::all_of(
                          Of,
                          [&](std::size_t I) {
                            const Access &A = Found[I].Result;
                            return A.Op == AccessOp::Load && !A.Volatile;
                          });
  const bool IsOneCost = std::ranges::all_of(Of, [&](std::size_t I) {
    return costOf(Found[I].Result) == First && !Found[I].IsUneven;
  });
  // Values that are in registers already are not loaded again.
  if (IsSpared && IsOneCost) {
    distribute(Of, Times);
    return;
  }
  for (std::size_t I : Of) {
    Access &A = Found[I].Result;
    assume(A, IsSpared ? "the compiled code leaves out of these accesses some "
                         "of each cost"
                       : OwnInstructions);
    A.Executions.reset();
    A.WhyNotCounted =
        Times < Said ? "the compiled code makes it less often than the source"
                     : "the compiled code makes it more often than the source";
  }
}

void Counting::run() {
  for (const auto &[Pool, Of] : Members) {
    const std::vector<MachineInstruction> &Instructions = Plan.pools()[Pool];
    const std::optional<double> Times = Counts.of(Instructions);
    double Said = 0;
    bool IsSaid = true, IsSplit = false;
    for (std::size_t I : Of) {
      IsSaid &= Found[I].Result.Executions.has_value();
      Said += Found[I].Result.Executions.value_or(0);
      IsSplit |= !partsOf(Found[I]).empty();
    }
    std::size_t Needed = 0;
    for (std::size_t I : Of)
      Needed += neededOutOfLoops(Found[I], Plan);
    const bool HasOthers = !Times && Needed && Instructions.size() > Needed &&
                           std::ranges::all_of(Instructions, isInNoLoop);
    const bool IsWrong =
        HasOthers || (IsSplit ? !isSplitRight(Pool)
                              : !Times && Counts.isDisputed(Instructions));
    if (IsSaid && IsWrong)
      for (std::size_t I : Of)
        doubtCount(Found[I].Result,
                   "how often the compiled code makes it is unclear");
    if (!Times || !IsSaid || IsWrong)
      continue;
    if (IsSplit && Counts.isByOrder(Instructions))
      for (std::size_t I : Of)
        assume(Found[I].Result, "the largest copy of an unrolled loop makes as "
                                "many turns as fit");
    if (IsSplit || isAbout(*Times, Said))
      distribute(Of, *Times);
    else
      explain(Of, Said, *Times);
  }
}

/// An instruction of which nothing else is known.
static Access unmatched(const MachineInstruction &I,
                        const std::array<std::int64_t, 3> &Block) {
  Access A;
  A.Where = A.UserWhere = I.Where;
  A.Space = I.Space;
  A.Op = I.Op;
  A.Bytes = I.Bytes;
  A.Block = Block;
  A.Cause = UnknownCause::Unmatched;
  A.WhyUnknown = "no access of the source is known for this instruction";
  A.WhyNotCounted = A.WhyUnknown;
  A.Instructions = {I};
  return A;
}

/// Instructions that no access has are those of some access on another line,
/// which has those of a third: of all that look like them.
static void doubtAlike(std::vector<CollectedAccess> &Found,
                       const AccessPlan &Plan,
                       const std::array<std::int64_t, 3> &Block,
                       const std::set<unsigned> &Nobodys) {
  auto KindOf = [&](unsigned Pool) {
    const MachineInstruction &I = Plan.pools()[Pool].front();
    return std::tuple(I.Op, I.Space, I.Bytes);
  };
  std::set<std::tuple<AccessOp, MemorySpace, unsigned>> Kinds;
  for (const unsigned Pool : Nobodys)
    Kinds.insert(KindOf(Pool));
  for (CollectedAccess &A : Found)
    if (A.Inst && A.As && A.Result.Block == Block &&
        A.As->Pool < Plan.pools().size() && Kinds.contains(KindOf(A.As->Pool)))
      assume(A.Result, OwnInstructions);
}

std::vector<Access>
withInstructions(std::vector<CollectedAccess> Found, const AccessPlan &Plan,
                 const std::array<std::int64_t, 3> &Launched) {
  using Shape = std::array<std::int64_t, 3>;
  auto ChainOf = [&](const CollectedAccess &A) {
    const WrittenAccess *W = Plan.written(*A.Inst, A.Part);
    return W ? W->Chain : 0;
  };
  // Of neighbours in one wider word, the one that begins it stands for all.
  std::set<std::tuple<Shape, unsigned, unsigned>> Begun;
  for (const CollectedAccess &A : Found)
    if (A.As && A.As->IsWider && !A.IsMisaligned)
      Begun.insert({A.Result.Block, A.As->Pool, ChainOf(A)});
  std::map<std::pair<Shape, unsigned>, std::vector<std::size_t>> Sharing;
  for (std::size_t I = 0; I != Found.size(); ++I) {
    CollectedAccess &A = Found[I];
    if (A.IsMisaligned &&
        !Begun.insert({A.Result.Block, A.As->Pool, ChainOf(A)}).second)
      A.Inst = nullptr;
    else if (A.IsMisaligned)
      assume(A.Result, OwnInstructions);
    if (A.Inst && A.As && A.As->Pool < Plan.pools().size())
      Sharing[{A.Result.Block, A.As->Pool}].push_back(I);
  }
  for (const auto &[Key, Members] : Sharing) {
    const std::vector<MachineInstruction> &Pool = Plan.pools()[Key.second];
    if (Pool.size() < Members.size()) {
      assumeOneOfThese(Found, Members, Pool.size());
      for (std::size_t I : Members)
        doubtCount(Found[I].Result,
                   "the compiled code has fewer instructions here than the "
                   "source has accesses");
    } else if (Members.size() > 1)
      assumeWhoseTheyAre(Found, Members, Pool);
    shareOut(Found, Members, Pool, Plan);
  }
  // Instructions that no access has are there all the same.
  std::map<Shape, Pools> Shapes = {{Launched, {}}};
  for (auto &[Key, Members] : Sharing)
    Shapes[Key.first][Key.second] = std::move(Members);
  for (const auto &[Block, Members] : Shapes)
    Counting(Found, Plan, Members).run();
  // Also those of which what they were taken for does not happen.
  std::vector<std::pair<Shape, const MachineInstruction *>> Nobodys;
  for (auto &[Block, Members] : Shapes) {
    for (const MachineInstruction &Each : Plan.unmatched())
      Nobodys.emplace_back(Block, &Each);
    std::set<unsigned> Pools;
    for (const CollectedAccess &A : Found) {
      if (!A.Inst || !A.As || A.Result.Block != Block)
        continue;
      for (const CompiledPart &Part : Plan.find(*A.Inst, A.Part)->Parts)
        if (Part.Pool < Plan.pools().size() && !Members.contains(Part.Pool) &&
            Pools.insert(Part.Pool).second)
          for (const MachineInstruction &Each : Plan.pools()[Part.Pool])
            Nobodys.emplace_back(Block, &Each);
    }
    doubtAlike(Found, Plan, Block, Pools);
  }
  std::vector<Access> Result;
  for (CollectedAccess &A : Found) {
    assumeAllTurns(A);
    assumeSameTurns(A, Plan);
    checkTimes(A.Result);
    if (A.Inst)
      Result.push_back(std::move(A.Result));
  }
  for (const auto &[Block, Of] : Nobodys)
    Result.push_back(unmatched(*Of, Block));
  std::ranges::stable_sort(Result, [](const Access &X, const Access &Y) {
    return std::tie(X.Where, X.Space, X.Op, X.Bytes, X.InlinedAt) <
           std::tie(Y.Where, Y.Space, Y.Op, Y.Bytes, Y.InlinedAt);
  });
  return Result;
}

} // namespace cudalint
