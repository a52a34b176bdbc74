//===- analyzer/ir/CompiledMatching.h - Accesses and code -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How matchCompiled() works, for its own files: lines first (CompiledLines),
/// then, for what is on one line, widths (CompiledWidths), what happens once
/// for all turns of a loop (CompiledLoops), and where there are fewer
/// instructions than accesses, whose they are (CompiledCode, CompiledBranches).
/// Of what no line has, other lines may (CompiledNearby).
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_COMPILEDMATCHING_H
#define CUDA_LINT_ANALYZER_IR_COMPILEDMATCHING_H

#include "analyzer/ir/CompiledCode.h"
#include "analyzer/ir/LoopInvariants.h"

#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace cudalint {

using Place = std::pair<std::string_view, unsigned>;

Place placeOf(const Location &L);
std::vector<Place> placesOf(const std::vector<Location> &Frames);

inline constexpr const char *NoInstruction =
    "the compiled code has no instruction for it";
inline constexpr const char *InRegister =
    "the compiled code has the value in a register";
inline constexpr const char *OwnInstructions =
    "the instructions of a line are those of its accesses";
inline constexpr const char *IsNearest =
    "an instruction of a line without such an access is of the nearest one";
inline constexpr const char *SharesInstruction =
    "one instruction makes the accesses of branches that meet right after";

/// The two compilers give the parts of one statement lines of their own. As
/// many as a long statement has; among equally good ones the nearest is taken,
/// and only of what no line fits exactly.
inline constexpr unsigned MostLinesApart = 8;

/// Behind a branch, in its loop or without one.
inline bool isConditional(const WrittenAccess &W) {
  return W.LoopDepth ? !W.InEachTurn : !W.InEachRun;
}

inline bool isUnconditional(const MachineInstruction &I) {
  return I.Block && I.IsInEachTurn && !I.Predicated;
}

/// Sets of numbers, of which two may become one.
class DisjointSets {
public:
  explicit DisjointSets(std::size_t Size) : Parent(Size) {
    std::iota(Parent.begin(), Parent.end(), std::size_t(0));
  }
  std::size_t find(std::size_t I) {
    while (Parent[I] != I)
      I = Parent[I] = Parent[Parent[I]];
    return I;
  }
  void unite(std::size_t I, std::size_t J) { Parent[find(I)] = find(J); }

private:
  std::vector<std::size_t> Parent;
};

class Matching {
public:
  Matching(const std::vector<WrittenAccess> &Written,
           const std::vector<MachineInstruction> &Code)
      : Written(Written), Code(Code), IsPlaced(Written.size()),
        IsTaken(Code.size()) {
    Out.Accesses.resize(Written.size());
    for (std::size_t I = 0; I != Written.size(); ++I)
      Chains[Written[I].Chain].emplace(Written[I].ChainOffset, I);
  }

  CompiledKernel run();

private:
  const std::vector<WrittenAccess> &Written;
  const std::vector<MachineInstruction> &Code;
  /// Accesses by the distances within their chains.
  std::map<unsigned, std::multimap<std::int64_t, std::size_t>> Chains;
  std::vector<bool> IsPlaced;             ///< Of the written accesses.
  std::vector<bool> IsTaken;              ///< Of the instructions.
  std::vector<std::size_t> Unneeded;      ///< Unless narrower ones are theirs.
  std::vector<std::size_t> InRegisters;   ///< Unless they are made before.
  std::vector<std::size_t> OfAtomicLoops; ///< Instructions.
  std::vector<std::size_t> OfOtherLines;  ///< Likewise.
  std::vector<std::size_t> UsersOf; ///< Parts that share each pool, at last.
  CompiledKernel Out;

  /// Whether \p Test holds for an access of the same chain less than so many
  /// bytes away, or for this one.
  template <typename Predicate>
  bool anyNear(const WrittenAccess &A, unsigned Bytes, Predicate Test) const {
    const auto Chain = Chains.find(A.Chain);
    if (Chain == Chains.end())
      return false;
    auto At = Chain->second.upper_bound(A.ChainOffset -
                                        static_cast<std::int64_t>(Bytes));
    for (; At != Chain->second.end() && At->first < A.ChainOffset + Bytes; ++At)
      if (Test(At->second))
        return true;
    return false;
  }
  static constexpr unsigned MostBytes = 32; ///< Of one instruction and lane.

  std::map<unsigned, LoopCode> Loops; ///< By WrittenAccess::Loop.

  void readLoops(const std::vector<std::size_t> &Accesses,
                 const std::vector<std::size_t> &Instructions);
  void readLoop(const std::vector<std::size_t> &Accesses,
                const std::vector<std::size_t> &Instructions);
  void matchSame(std::vector<std::size_t> Accesses,
                 std::vector<std::size_t> Instructions,
                 const std::set<std::size_t> &Widened);
  void matchInvariant(std::vector<std::size_t> &Accesses,
                      std::vector<std::size_t> &Instructions);
  void placeOnce(const std::vector<std::size_t> &Once, unsigned Count,
                 const std::vector<std::size_t> &Rest,
                 std::vector<std::size_t> &Instructions);
  void uniteWidths(const std::map<Place, std::vector<std::size_t>> &ByFirst,
                   const std::vector<std::pair<std::size_t, std::size_t>> &Of,
                   DisjointSets &Groups) const;
  void uniteCalls(const std::map<Place, std::vector<std::size_t>> &ByFirst,
                  const std::vector<std::pair<std::size_t, std::size_t>> &Of,
                  DisjointSets &Groups) const;
  void matchMovedOut();
  bool matchRegisters(const std::vector<std::size_t> &Accesses,
                      const std::vector<std::size_t> &Instructions);
  bool matchOffsets(const std::vector<std::size_t> &Accesses,
                    const std::vector<std::size_t> &Instructions);
  bool matchAlternatives(const std::vector<std::size_t> &Accesses,
                         std::vector<std::size_t> Instructions);
  void matchSunk();
  bool isOfAtomicLoop(std::size_t Load) const;
  void matchSunkWords();
  void matchLines();
  void matchCalls();
  void matchNearest();
  void matchLeft();
  void match(const std::vector<std::size_t> &Accesses,
             const std::vector<std::size_t> &Instructions);
  void doubtSurplus(const std::vector<std::size_t> &Accesses);
  unsigned addPool(const std::vector<std::size_t> &Instructions);
  void place(std::size_t Access, CompiledPart Part);
  bool neighboursMakeUp(std::size_t Access, unsigned Bytes) const;
  bool isAlone(std::size_t Access, unsigned Bytes) const;
  unsigned unrolledLoops(std::size_t Access,
                         const std::vector<std::size_t> &Instructions) const;
  std::vector<std::size_t> packed(const std::vector<std::size_t> &Accesses,
                                  unsigned Bytes);
  void split(const std::vector<std::size_t> &Accesses,
             const std::vector<std::size_t> &Instructions);
  void leaveRedundant(std::vector<std::size_t> &Accesses,
                      std::size_t Instructions);
  void leaveNarrowed(const std::vector<std::size_t> &Accesses,
                     const std::vector<std::size_t> &Instructions,
                     unsigned Bytes, std::vector<std::size_t> &Same);
  void splitRest(const std::vector<std::size_t> &Same,
                 std::vector<std::size_t> Wider,
                 std::vector<std::size_t> &Instructions);
  void explainRest();
  void doubtLoops();
  void shareDoubts();
  std::size_t mostInWord(std::size_t Access, unsigned Bytes) const;
  bool lacksTurns(std::size_t Access) const;
  std::size_t mostCopies(std::size_t Access, const CompiledPart &Part) const;
  bool mayBeMovedOut(std::size_t Access) const;
  bool leavesTurns(std::size_t Access) const;
  bool dividesTurns(std::size_t Access) const;
  std::set<std::vector<std::uint64_t>> copiesOfLoop(std::size_t Access) const;
  void doubtAlike();

  /// Neighbours that instructions access together.
  struct Packs {
    std::vector<std::size_t> Leaders; ///< The first of each.
    unsigned Bytes = 0;
    std::vector<std::size_t> Instructions;
    bool AreWhole = false; ///< Of accesses of one turn, no byte missing.
  };
  Packs widen(const std::vector<std::size_t> &Narrower,
              const std::vector<std::size_t> &Of, unsigned Bytes);
  void splitNarrowest(std::vector<std::size_t> Wider,
                      const std::vector<std::size_t> &Of);
  void widenInSomeTurns(const std::vector<std::size_t> &Accesses,
                        const std::vector<std::size_t> &Of, unsigned Bytes);
  bool areCopies(const Packs &Wide,
                 const std::vector<std::size_t> &Instructions,
                 unsigned Bytes) const;
  void unpack(const Packs &Wide, const std::vector<std::size_t> &Instructions,
              unsigned Bytes);
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_COMPILEDMATCHING_H
