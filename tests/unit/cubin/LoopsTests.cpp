//===- tests/unit/cubin/LoopsTests.cpp - The loops of machine code -------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cubin/Loops.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>
#include <set>

namespace cudalint::cubin::LoopsTests {
namespace {

using testing::ElementsAre;

std::vector<std::uint32_t> inEachTurn(const ControlFlow &Flow) {
  const LoopNest Nest = findLoops(Flow);
  std::vector<std::uint32_t> Out;
  for (std::uint32_t I = 0; I != Flow.Size; ++I)
    if (Nest.IsInEachTurn[I])
      Out.push_back(I);
  return Out;
}

TEST(Loops, ABranchIsNotInEachRun) {
  // 0: to 2 if; 1; 2: end
  EXPECT_THAT(inEachTurn({3, {{0, 2}}, {2}, {2}}), ElementsAre(0, 2));
}

TEST(Loops, AnEarlyEndIsNotPassed) {
  // 0; 1: end if; 2; 3: end
  EXPECT_THAT(inEachTurn({4, {}, {3}, {1, 3}}), ElementsAre(0, 1));
}

TEST(Loops, WhatIsBehindTheTestOfALoopIsNotInItsLastTurn) {
  // 0; 1: to 4 if; 2; 3: to 1; 4: end
  EXPECT_THAT(inEachTurn({5, {{1, 4}, {3, 1}}, {3, 4}, {4}}),
              ElementsAre(0, 1, 4));
  // 0; 1; 2: to 1 if; 3: end
  EXPECT_THAT(inEachTurn({4, {{2, 1}}, {3}, {3}}), ElementsAre(0, 1, 2, 3));
}

TEST(Loops, ALoopWithTwoEntriesHasNoFirst) {
  // 0: to 2 if; 1; 2; 3: to 1 if; 4: end
  EXPECT_THAT(inEachTurn({5, {{0, 2}, {3, 1}}, {4}, {4}}), ElementsAre(0, 4));
}

/// Asks by definition: without the block, does a way still lead to the end, or
/// in a loop to its next turn or out of it?
class ByDefinition {
public:
  ByDefinition(const ControlFlow &Flow, const LoopNest &Nest)
      : Flow(Flow), Nest(Nest) {}

  bool isInEachTurn(std::uint32_t I) const {
    const std::uint32_t Loop = Nest.Innermost[I];
    const auto Start = static_cast<std::uint32_t>(
        Loop == LoopNest::None ? 0 : Nest.Loops[Loop].Start);
    if (Loop != LoopNest::None && hasOtherEntry(Loop, Start))
      return false;
    auto IsIt = [&](std::uint32_t Of) {
      return Nest.BlockOf[Of] == Nest.BlockOf[I];
    };
    return !ends(Start, Start, Loop, IsIt) && reaches(Start, I, Loop);
  }

  /// The same of a loop in its parent.
  bool isLoopInEachTurn(std::uint32_t Number) const {
    const Loop &L = Nest.Loops[Number];
    const std::uint32_t Parent = L.Parent.value_or(LoopNest::None);
    const auto Start = static_cast<std::uint32_t>(
        Parent == LoopNest::None ? 0 : Nest.Loops[Parent].Start);
    if (Parent != LoopNest::None && hasOtherEntry(Parent, Start))
      return false;
    auto IsIt = [&](std::uint32_t Of) { return isIn(Of, Number); };
    return !ends(Start, Start, Parent, IsIt) &&
           reaches(Start, static_cast<std::uint32_t>(L.Start), Parent);
  }

  /// Then all that is behind comes to pass, or not.
  bool mayRunForEver() const {
    bool Found = false;
    walk(0, LoopNest::None, [&](std::uint32_t I) {
      Found |= !ends(I, I, LoopNest::None, [](std::uint32_t) { return false; });
      return true;
    });
    return Found;
  }

private:
  const ControlFlow &Flow;
  const LoopNest &Nest;

  std::vector<std::uint32_t> next(std::uint32_t I) const {
    std::vector<std::uint32_t> Out;
    for (auto [From, To] : Flow.Jumps)
      if (From == I)
        Out.push_back(To);
    if (I + 1 != Flow.Size && !std::ranges::binary_search(Flow.Ends, I))
      Out.push_back(I + 1);
    return Out;
  }
  bool isIn(std::uint32_t I, std::uint32_t Loop) const {
    if (Loop == LoopNest::None)
      return true;
    for (std::uint32_t L = Nest.Innermost[I]; L != LoopNest::None;
         L = Nest.Loops[L].Parent.value_or(LoopNest::None))
      if (L == Loop)
        return true;
    return false;
  }
  bool hasOtherEntry(std::uint32_t Loop, std::uint32_t Start) const {
    for (std::uint32_t I = 0; I != Flow.Size; ++I)
      for (std::uint32_t To : next(I))
        if (!isIn(I, Loop) && isIn(To, Loop) && To != Start)
          return true;
    return Start != 0 && isIn(0, Loop);
  }
  template <typename Visit>
  void walk(std::uint32_t Start, std::uint32_t Loop, Visit Each) const {
    std::set<std::uint32_t> Seen = {Start};
    std::vector<std::uint32_t> Todo = {Start};
    while (!Todo.empty()) {
      const std::uint32_t I = Todo.back();
      Todo.pop_back();
      if (!Each(I))
        continue;
      for (std::uint32_t To : next(I))
        if (isIn(To, Loop) && To != Start && Seen.insert(To).second)
          Todo.push_back(To);
    }
  }
  template <typename Predicate>
  bool ends(std::uint32_t Start, std::uint32_t Entry, std::uint32_t Loop,
            Predicate IsWithout) const {
    bool Found = false;
    walk(Start, Loop, [&](std::uint32_t I) {
      if (IsWithout(I))
        return false;
      const std::vector<std::uint32_t> Next = next(I);
      Found |= std::ranges::binary_search(Flow.Exits, I) || Next.empty();
      for (std::uint32_t To : Next)
        Found |= Loop != LoopNest::None && (To == Entry || !isIn(To, Loop));
      return true;
    });
    return Found;
  }
  bool reaches(std::uint32_t Start, std::uint32_t To,
               std::uint32_t Loop) const {
    bool Found = false;
    walk(Start, Loop, [&](std::uint32_t I) { return Found |= I == To, true; });
    return Found;
  }
};

std::string describe(const ControlFlow &Flow) {
  std::string Out;
  for (auto [From, To] : Flow.Jumps)
    Out += " " + std::to_string(From) + "->" + std::to_string(To);
  for (std::uint32_t I : Flow.Ends)
    Out += " end" + std::to_string(I);
  for (std::uint32_t I : Flow.Exits)
    Out += " exit" + std::to_string(I);
  return Out;
}

TEST(Loops, InEachTurnAsByDefinition) {
  std::mt19937 Random(1);
  unsigned Compared = 0, Sure = 0, Loops = 0, SureLoops = 0;
  for (unsigned N = 0; N != 3000; ++N) {
    ControlFlow Flow;
    Flow.Size = 3 + Random() % 14;
    for (std::uint32_t I = 0; I + 1 != Flow.Size; ++I)
      switch (Random() % 8) {
      case 0:
        Flow.Ends.push_back(I);
        [[fallthrough]];
      case 1:
      case 2:
        Flow.Jumps.push_back(
            {I, static_cast<std::uint32_t>(Random() % Flow.Size)});
        break;
      case 3:
        if (Random() % 3 == 0)
          Flow.Exits.push_back(I);
        break;
      default:
        break;
      }
    Flow.Ends.push_back(Flow.Size - 1);
    Flow.Exits.push_back(Flow.Size - 1);
    const LoopNest Nest = findLoops(Flow);
    const ByDefinition Definition(Flow, Nest);
    for (std::uint32_t I = 0; I != Flow.Size; ++I, ++Compared) {
      if (Definition.mayRunForEver())
        break;
      ASSERT_EQ(Nest.IsInEachTurn[I], Definition.isInEachTurn(I))
          << "flow " << N << ", instruction " << I << describe(Flow);
      Sure += Nest.IsInEachTurn[I];
    }
    for (std::uint32_t L = 0; L != Nest.Loops.size(); ++L, ++Loops) {
      if (Definition.mayRunForEver())
        break;
      ASSERT_EQ(Nest.Loops[L].IsInEachTurn, Definition.isLoopInEachTurn(L))
          << "flow " << N << ", loop " << L << describe(Flow);
      SureLoops += Nest.Loops[L].IsInEachTurn;
    }
  }
  EXPECT_GT(Sure, Compared / 10);
  EXPECT_LT(Sure, Compared * 9 / 10);
  EXPECT_GT(SureLoops, Loops / 10);
  EXPECT_LT(SureLoops, Loops * 9 / 10);
}

} // namespace
} // namespace cudalint::cubin::LoopsTests
