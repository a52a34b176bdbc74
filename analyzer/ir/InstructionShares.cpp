//===- analyzer/ir/InstructionShares.cpp - Whose instructions they are ----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/InstructionShares.h"

#include "analyzer/ir/AccessCounts.h"
#include "analyzer/ir/AccessDoubts.h"
#include "analyzer/ir/CompiledMatching.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

namespace cudalint {

/// Fewer instructions than accesses that could not be joined: whose they are is
/// not known, and matters where the accesses cost differently.
static void assumeOneOfThese(std::vector<CollectedAccess> &Found,
                             const std::vector<std::size_t> &Members,
                             std::size_t Instructions) {
  if (costTheSame(Found, Members))
    return;
  const std::string Text = fmt::format(
      "of {} accesses here the compiler makes {} instruction{}, this one among "
      "them",
      Members.size(), Instructions, Instructions == 1 ? "" : "s");
  for (std::size_t I : Members)
    assume(Found[I].Result, Text);
}

/// Of instructions on several lines it is not known whose each is: it matters
/// where the accesses cost differently.
static void assumeWhoseTheyAre(std::vector<CollectedAccess> &Found,
                               const std::vector<std::size_t> &Members,
                               const std::vector<MachineInstruction> &Pool) {
  const bool AreInOnePlace =
      std::ranges::all_of(Pool, [&](const MachineInstruction &Each) {
        return Each.Where == Pool.front().Where;
      });
  if (costTheSame(Found, Members) || AreInOnePlace)
    return;
  for (std::size_t I : Members)
    assume(Found[I].Result,
           "which of the calls of one function an instruction is of");
}

static Assumption inAllTurns() {
  return {"the compiled code accesses memory in all turns of the loop",
          AssumptionKind::Compiler};
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
      assume(A, {"the compiled code does not put lanes together",
                 AssumptionKind::Compiler});
    A.Executions.reset();
    A.WhyNotCounted = "the compiled code makes several instructions of it";
  }
  if (Found.IsUneven && A.LoopDepth && !Of.empty() && !AreAll)
    assume(A, inAllTurns());
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
    assume(A, inAllTurns());
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

/// Instructions that no access has, which are there all the same; also those of
/// which what they were taken for does not happen. By the shapes of blocks,
/// with the accesses of each pool.
static std::vector<Access>
ofNobody(std::vector<CollectedAccess> &Found, const AccessPlan &Plan,
         const std::map<std::array<std::int64_t, 3>, Pools> &Shapes) {
  std::vector<Access> Result;
  for (const auto &[Block, Members] : Shapes) {
    for (const MachineInstruction &Each : Plan.unmatched())
      Result.push_back(unmatched(Each, Block));
    std::set<unsigned> Untaken;
    for (const CollectedAccess &A : Found) {
      if (!A.Inst || !A.As || A.Result.Block != Block)
        continue;
      for (const CompiledPart &Part : Plan.find(*A.Inst, A.Part)->Parts)
        if (Part.Pool < Plan.pools().size() && !Members.contains(Part.Pool) &&
            Untaken.insert(Part.Pool).second)
          for (const MachineInstruction &Each : Plan.pools()[Part.Pool])
            Result.push_back(unmatched(Each, Block));
    }
    doubtAlike(Found, Plan, Block, Untaken);
  }
  return Result;
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
  std::map<Shape, Pools> Shapes = {{Launched, {}}};
  for (auto &[Key, Members] : Sharing)
    Shapes[Key.first][Key.second] = std::move(Members);
  for (const auto &[Block, Members] : Shapes)
    countByInstructions(Found, Plan, Members);
  std::vector<Access> OfNobody = ofNobody(Found, Plan, Shapes);
  // Accesses are large: each is moved once.
  std::vector<Access *> Sorted;
  Sorted.reserve(Found.size() + OfNobody.size());
  for (CollectedAccess &A : Found) {
    assumeAllTurns(A);
    assumeSameTurns(A, Plan);
    checkTimes(A.Result);
    if (A.Inst)
      Sorted.push_back(&A.Result);
  }
  for (Access &A : OfNobody)
    Sorted.push_back(&A);
  std::ranges::stable_sort(Sorted, {}, [](const Access *A) {
    return std::tie(A->Where, A->Space, A->Op, A->Bytes, A->InlinedAt);
  });
  std::vector<Access> Result;
  Result.reserve(Sorted.size());
  for (Access *A : Sorted)
    Result.push_back(std::move(*A));
  return Result;
}

} // namespace cudalint
