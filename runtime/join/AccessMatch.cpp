//===- runtime/join/AccessMatch.cpp - Accesses and instructions -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/join/AccessMatch.h"

#include "runtime/join/LineParts.h"
#include "runtime/join/Pairing.h"
#include "runtime/join/VerdictFacts.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <set>
#include <tuple>

namespace cudalint {

namespace {
using Widths = CodeEvidence::Widths;

/// The widths are those that were predicted.
CodeEvidence same() { return {.What = Widths::AsPredicted, .Words = {}}; }

/// Accesses and the instructions that they are, together.
struct Group {
  Accesses Of;
  Instructions By;
};

/// Judges one line.
class AccessMatch {
public:
  AccessMatch(std::span<const AccessRecord *const> All,
              const LaunchPremise &Launches, const Tolerance &Allowed,
              const LineVerdict &Line)
      : All(All), Launches(Launches), Allowed(Allowed), Line(Line) {}

  void run(const Instructions &Code);
  std::span<const PartVerdict> parts() const { return Parts; }

private:
  template <class Key>
  bool split(const Instructions &Code,
             const std::function<Key(const AccessRecord &)> &OfAccess,
             const std::function<Key(const MeasuredInstruction &)> &Of);
  void splitByWidth(const Instructions &Code);
  LineVerdict judged(const Accesses &Of, const Instructions &By,
                     const CodeEvidence &Code,
                     const LaunchPremise &Launched) const;
  void add(const Accesses &Of, const Instructions &By,
           const CodeEvidence &Code = same());
  void judgeGroup(const Group &G);
  void addPairs(const Accesses &Of, const Instructions &By);
  bool judgeLeft(const Group &G, const Accesses &Of, const Instructions &By);

  std::span<const AccessRecord *const> All;
  const LaunchPremise &Launches;
  const Tolerance &Allowed;
  const LineVerdict &Line;
  std::vector<PartVerdict> Parts;
};
} // namespace

static bool areAlike(const Accesses &Of) {
  return std::ranges::all_of(Of, [&](const AccessRecord *Each) {
    return Each->PerRequest == Of.front()->PerRequest &&
           Each->Ideal == Of.front()->Ideal && Each->Trust == Of.front()->Trust;
  });
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

LineVerdict AccessMatch::judged(const Accesses &Of, const Instructions &By,
                                const CodeEvidence &Code,
                                const LaunchPremise &Launched) const {
  LineVerdict Out;
  Out.Space = Line.Space;
  Out.Op = Line.Op;
  describePrediction(Of, Out);
  CountedLine Sum = sumOf(By);
  // Nothing of it was recorded: it never ran.
  if (!Sum.requests())
    Sum.Requests = 0;
  describeMeasurement(Sum, Out.Unit, Out);
  judge(Of, Launched, Allowed, Out, Code);
  return Out;
}

void AccessMatch::add(const Accesses &Of, const Instructions &By,
                      const CodeEvidence &Code) {
  Parts.push_back({.V = judged(Of, By, Code, Launches),
                   .Bytes = Of.front()->Bytes,
                   .Offset = By.empty() ? 0 : By.front()->Offset,
                   .IsOne = Of.size() == 1 && By.size() == 1});
}

static bool areInLoop(const Accesses &Of) {
  return std::ranges::any_of(
      Of, [](const AccessRecord *Each) { return Each->LoopDepth != 0; });
}

/// Which of equal accesses is which nobody knows, so that how often one alone
/// runs says nothing.
void AccessMatch::addPairs(const Accesses &Of, const Instructions &By) {
  LaunchPremise Uncounted = Launches;
  Uncounted.Warps.reset();
  for (std::size_t I = 0; I != Of.size(); ++I)
    Parts.push_back({.V = judged({Of[I]}, {By[I]}, same(), Uncounted),
                     .Bytes = Of[I]->Bytes,
                     .Offset = By[I]->Offset,
                     .IsOne = true});
}

/// What no instruction of the right number was found for. False, and nothing,
/// when it cannot be told apart from the rest of its group.
bool AccessMatch::judgeLeft(const Group &G, const Accesses &Of,
                            const Instructions &By) {
  // All that have numbers were found.
  if (std::ranges::none_of(
          Of, [](const AccessRecord *Each) { return isKnown(*Each); })) {
    addPairs(Of, By);
    return true;
  }
  // Of a loop that was unrolled, each instruction is some of its turns: all of
  // them together have the mean.
  if (areInLoop(Of)) {
    LineVerdict V = judged(Of, By, same(), Launches);
    if (!areAlike(Of) || V.Kind != VerdictKind::Confirmed)
      return false;
    add(Of, By);
    return true;
  }
  // One that has the number of another access may be that one, twice.
  const bool MayBeAnother =
      !areAlike(G.Of) &&
      std::ranges::any_of(By, [&](const MeasuredInstruction *Each) {
        return std::ranges::any_of(G.Of, [&](const AccessRecord *Access) {
          return judged({Access}, {Each}, same(), Launches).Kind ==
                 VerdictKind::Confirmed;
        });
      });
  if (MayBeAnother || (Of.size() != 1 && !areAlike(Of)))
    return false;
  addPairs(Of, By);
  return true;
}

/// All that a verdict on one access looks at.
using Numbers =
    std::tuple<std::optional<double>, std::optional<double>,
               std::optional<double>, std::optional<double>,
               std::optional<double>, std::optional<double>, Certainty, bool>;

static Numbers numbersOf(const AccessRecord &Of) {
  return {Of.PerRequest, Of.Ideal,      Of.Lanes, Of.Least,
          Of.Most,       Of.Executions, Of.Trust, Of.LoopDepth != 0};
}

void AccessMatch::judgeGroup(const Group &G) {
  constexpr std::size_t Many = 64; // Nobody tells so many apart.
  Instructions By = G.By.size() == G.Of.size() ? G.By : running(G.By);
  const std::size_t Size = By.size();
  if (Size != G.Of.size() || Size == 1 || Size > Many ||
      (areAlike(G.Of) && areInLoop(G.Of)))
    return add(G.Of, G.By);
  // Copies of an access, as of a loop that was unrolled, fit the same.
  std::vector<char> Fits(Size * Size);
  std::map<Numbers, std::size_t> Tried;
  for (std::size_t I = 0; I != Size; ++I) {
    auto [First, IsNew] = Tried.try_emplace(numbersOf(*G.Of[I]), I);
    for (std::size_t J = 0; J != Size; ++J)
      Fits[I * Size + J] =
          IsNew ? judged({G.Of[I]}, {By[J]}, same(), Launches).Kind ==
                      VerdictKind::Confirmed
                : Fits[First->second * Size + J];
  }
  auto Pairs = pairUp(
      Size, [&](std::size_t I, std::size_t J) { return Fits[I * Size + J]; });
  std::vector<bool> IsTaken(Size);
  Accesses Found, Of;
  Instructions FoundBy, Left;
  for (std::size_t I = 0; I != Size; ++I) {
    if (!Pairs[I]) {
      Of.push_back(G.Of[I]);
      continue;
    }
    IsTaken[*Pairs[I]] = true;
    Found.push_back(G.Of[I]);
    FoundBy.push_back(By[*Pairs[I]]);
  }
  for (std::size_t J = 0; J != Size; ++J)
    if (!IsTaken[J])
      Left.push_back(By[J]);
  // If nothing that is left ran, nothing is in doubt.
  if (running(Left).empty())
    addPairs(Of, Left);
  else if (!judgeLeft(G, Of, Left))
    return add(G.Of, G.By,
               {.What = Widths::AsPredicted,
                .Words = {},
                .IsNoPair = !areInLoop(G.Of)});
  addPairs(Found, FoundBy);
}

//===----------------------------------------------------------------------===//
// Which is which
//===----------------------------------------------------------------------===//

/// Groups by a key that both sides have. False, and nothing, unless each group
/// has as many instructions as accesses.
template <class Key>
bool AccessMatch::split(
    const Instructions &Code,
    const std::function<Key(const AccessRecord &)> &OfAccess,
    const std::function<Key(const MeasuredInstruction &)> &Of) {
  for (const Instructions &Each : {Code, running(Code)}) {
    std::map<Key, Group> Groups;
    for (const AccessRecord *Access : All)
      Groups[OfAccess(*Access)].Of.push_back(Access);
    for (const MeasuredInstruction *Instruction : Each)
      Groups[Of(*Instruction)].By.push_back(Instruction);
    if (!std::ranges::all_of(Groups, [](const auto &Entry) {
          return Entry.second.Of.size() == Entry.second.By.size();
        }))
      continue;
    for (const auto &[Ignored, G] : Groups)
      judgeGroup(G);
    return true;
  }
  return false;
}

static std::string formatBytes(const std::set<unsigned> &Widths) {
  return fmt::format("{}", fmt::join(Widths, ", "));
}

/// What instructions of other widths than predicted say.
static CodeEvidence otherWidths(const std::set<unsigned> &Predicted,
                                const Instructions &By) {
  const MeasuredInstruction *Widest = *std::ranges::max_element(
      By, {}, [](const MeasuredInstruction *Each) { return Each->Bytes; });
  const MeasuredInstruction *Narrowest = *std::ranges::min_element(
      By, {}, [](const MeasuredInstruction *Each) { return Each->Bytes; });
  const auto words = [&](std::string_view Did,
                         const MeasuredInstruction &Shown) {
    return fmt::format("the compiler {} accesses: the code has {} of {} bytes "
                       "at {:#x}, predicted were {}",
                       Did, Shown.Opcode, Shown.Bytes, Shown.Offset,
                       formatBytes(Predicted));
  };
  if (Widest->Bytes > *Predicted.rbegin())
    return {.What = Widths::Wider, .Words = words("merged", *Widest)};
  // Between two widths: a part of the wider, or several of the narrower.
  return {.What = Widths::Narrower,
          .Words =
              words(Narrowest->Bytes < *Predicted.begin() ? "split"
                                                          : "split or merged",
                    *Narrowest)};
}

void AccessMatch::splitByWidth(const Instructions &Code) {
  std::map<unsigned, Group> Groups;
  std::set<unsigned> Predicted;
  for (const AccessRecord *Access : All) {
    Groups[Access->Bytes].Of.push_back(Access);
    Predicted.insert(Access->Bytes);
  }
  for (const MeasuredInstruction *Each : running(Code))
    Groups[Each->Bytes].By.push_back(Each);
  Accesses Lost;
  Instructions New;
  for (const auto &[Bytes, G] : Groups)
    if (G.By.empty())
      Lost.insert(Lost.end(), G.Of.begin(), G.Of.end());
    else if (G.Of.empty())
      New.insert(New.end(), G.By.begin(), G.By.end());
    else
      judgeGroup(G);
  if (New.empty() && Lost.empty())
    return;
  if (!New.empty())
    return add(Lost.empty() ? Accesses(All.begin(), All.end()) : Lost, New,
               otherWidths(Predicted, New));
  // Its instructions may be there, and never have run.
  std::set<unsigned> Idle;
  for (const MeasuredInstruction *Each : Code)
    Idle.insert(Each->Bytes);
  for (const AccessRecord *Each : Lost)
    if (Idle.contains(Each->Bytes))
      add({Each}, {});
    else
      add({Each}, {},
          {.What = Widths::Fewer,
           .Words = fmt::format("the compiler removed or merged an access of "
                                "{} bytes: the code has none so wide in this "
                                "line",
                                Each->Bytes)});
}

void AccessMatch::run(const Instructions &Code) {
  using Chain = std::vector<unsigned>;
  using Key = std::tuple<unsigned, Chain>;
  auto OfAccess = [](const AccessRecord &Access) {
    Chain Lines = {(Access.Written ? *Access.Written : Access.Where).Line};
    for (const Location &Call : Access.InlinedAt)
      Lines.push_back(Call.Line);
    return Key{Access.Bytes, Lines};
  };
  auto Of = [](const MeasuredInstruction &Each) {
    Chain Lines;
    for (const MeasuredPlace &Frame : Each.Frames)
      Lines.push_back(Frame.Line);
    return Key{Each.Bytes, Lines};
  };
  if (!split<Key>(Code, OfAccess, Of))
    splitByWidth(Code);
}

void judgeByInstruction(std::span<const AccessRecord *const> Accesses,
                        const Instructions &Code, const LaunchPremise &Launches,
                        const Tolerance &Allowed, LineVerdict &Out) {
  judge(Accesses, Launches, Allowed, Out);
  auto isKnown = [](const auto *Each) { return Each->Bytes != 0; };
  if (running(Code).empty() || !std::ranges::all_of(Code, isKnown) ||
      !std::ranges::all_of(Accesses, isKnown))
    return;
  const LineVerdict Whole = Out;
  AccessMatch Match(Accesses, Launches, Allowed, Whole);
  Match.run(Code);
  composeParts(Match.parts(), Out);
  // The numbers of all requests are right, and there are too many.
  if (Out.Kind == VerdictKind::Confirmed && Whole.Rule == "sums-refuted") {
    Out.Kind = Whole.Kind;
    Out.Rule = Whole.Rule;
    Out.Why = Whole.Why;
  }
}

} // namespace cudalint
