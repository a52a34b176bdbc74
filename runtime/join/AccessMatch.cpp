//===- runtime/join/AccessMatch.cpp - Accesses and instructions -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/join/AccessMatch.h"

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
using Accesses = std::vector<const AccessRecord *>;
using Widths = CodeEvidence::Widths;

/// Accesses and the instructions that they are, together.
struct Group {
  Accesses Of;
  Instructions By;
};

/// A verdict on a part of a line.
struct PartVerdict {
  LineVerdict V;
  unsigned Bytes = 0;
  std::uint64_t Offset = 0; ///< Of its first instruction.
  bool IsOne = false;       ///< One access, one instruction.
};

/// Judges one line.
class AccessMatch {
public:
  AccessMatch(std::span<const AccessRecord *const> All,
              const LaunchPremise &Launches, const Tolerance &Allowed,
              const LineVerdict &Line)
      : All(All), Launches(Launches), Allowed(Allowed), Line(Line) {}

  void run(const Instructions &Code);
  /// What the parts make of the line.
  void compose(LineVerdict &Out) const;

private:
  template <class Key>
  bool split(const Instructions &Code,
             const std::function<Key(const AccessRecord &)> &OfAccess,
             const std::function<Key(const MeasuredInstruction &)> &Of);
  bool splitByOffset(const Instructions &Code);
  void splitByWidth(const Instructions &Code);
  LineVerdict judged(const Accesses &Of, const Instructions &By,
                     const CodeEvidence &Code) const;
  void add(const Accesses &Of, const Instructions &By,
           const CodeEvidence &Code = {.What = Widths::AsPredicted,
                                       .Words = {}});
  void judgeGroup(const Group &G);
  void judgeLeft(const Group &G, const Accesses &Of, const Instructions &By);

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
                                const CodeEvidence &Code) const {
  LineVerdict Out;
  Out.Space = Line.Space;
  Out.Op = Line.Op;
  describePrediction(Of, Out);
  MeasuredLine Sum = sumOf(By);
  // Nothing of it was recorded: it never ran.
  if (!Sum.requests())
    Sum.Requests = 0;
  describeMeasurement(Sum, Out.Unit, Out);
  judge(Of, Launches, Allowed, Out, Code);
  return Out;
}

void AccessMatch::add(const Accesses &Of, const Instructions &By,
                      const CodeEvidence &Code) {
  Parts.push_back({.V = judged(Of, By, Code),
                   .Bytes = Of.front()->Bytes,
                   .Offset = By.empty() ? 0 : By.front()->Offset,
                   .IsOne = Of.size() == 1 && By.size() == 1});
}

/// What no instruction of the right number was found for.
void AccessMatch::judgeLeft(const Group &G, const Accesses &Of,
                            const Instructions &By) {
  const CodeEvidence Same = {.What = Widths::AsPredicted, .Words = {}};
  // All that have numbers were found.
  if (std::ranges::none_of(
          Of, [](const AccessRecord *Each) { return isKnown(*Each); })) {
    for (std::size_t I = 0; I != Of.size(); ++I)
      add({Of[I]}, {By[I]});
    return;
  }
  // One that has the number of another access may be that one, twice.
  const bool MayBeAnother =
      !areAlike(G.Of) &&
      std::ranges::any_of(By, [&](const MeasuredInstruction *Each) {
        return std::ranges::any_of(G.Of, [&](const AccessRecord *Access) {
          return judged({Access}, {Each}, Same).Kind == VerdictKind::Confirmed;
        });
      });
  if (MayBeAnother || (Of.size() != 1 && !areAlike(Of)))
    return add(G.Of, G.By,
               {.What = Widths::AsPredicted, .Words = {}, .IsNoPair = true});
  for (std::size_t I = 0; I != Of.size(); ++I)
    add({Of[I]}, {By[I]});
}

void AccessMatch::judgeGroup(const Group &G) {
  constexpr std::size_t Many = 64; // Nobody tells so many apart.
  Instructions By = G.By.size() == G.Of.size() ? G.By : running(G.By);
  if (By.size() != G.Of.size() || By.size() > Many)
    return add(G.Of, G.By);
  const CodeEvidence Same = {.What = Widths::AsPredicted, .Words = {}};
  const std::size_t Size = By.size();
  std::vector<char> Fits(Size * Size);
  for (std::size_t I = 0; I != Size; ++I)
    for (std::size_t J = 0; J != Size; ++J)
      Fits[I * Size + J] =
          judged({G.Of[I]}, {By[J]}, Same).Kind == VerdictKind::Confirmed;
  auto Pairs = pairUp(
      Size, [&](std::size_t I, std::size_t J) { return Fits[I * Size + J]; });
  std::set<std::size_t> Free;
  for (std::size_t J = 0; J != Size; ++J)
    Free.insert(J);
  Accesses Of;
  for (std::size_t I = 0; I != Size; ++I)
    if (Pairs[I])
      Free.erase(*Pairs[I]);
    else
      Of.push_back(G.Of[I]);
  Instructions Left;
  for (std::size_t J : Free)
    Left.push_back(By[J]);
  // Nothing that was measured is in doubt: the others never ran.
  const bool IsIdle = running(Left).empty();
  const std::size_t Before = Parts.size();
  if (!Left.empty() && !IsIdle)
    judgeLeft({G.Of, By}, Of, Left);
  // That the whole group is judged together says it all.
  if (Parts.size() == Before + 1 && Parts.back().V.Accesses == Size && Size > 1)
    return;
  for (std::size_t I = 0; I != Size; ++I)
    if (Pairs[I])
      add({G.Of[I]}, {By[*Pairs[I]]});
  if (IsIdle)
    for (std::size_t I = 0; I != Of.size(); ++I)
      add({Of[I]}, {Left[I]});
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

/// Several accesses may be one instruction.
bool AccessMatch::splitByOffset(const Instructions &Code) {
  std::map<std::uint64_t, Group> Groups;
  for (const MeasuredInstruction *Each : Code)
    Groups[Each->Offset].By.push_back(Each);
  for (const AccessRecord *Access : All) {
    if (!Access->Compiled)
      return false;
    const MachineInstruction &As = *Access->Compiled;
    auto Found = Groups.find(As.Offset);
    if (Found == Groups.end() || Found->second.By.size() != 1)
      return false;
    const MeasuredInstruction &Is = *Found->second.By.front();
    if (Is.Bytes != As.Bytes || !As.Name.starts_with(Is.Opcode))
      return false;
    Found->second.Of.push_back(Access);
  }
  for (const auto &[Offset, G] : Groups)
    if (G.Of.empty() && G.By.front()->hasRun())
      return false;
  for (const auto &[Offset, G] : Groups)
    if (!G.Of.empty())
      add(G.Of, G.By);
  return true;
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
  const bool IsWider = Widest->Bytes > *Predicted.begin();
  const MeasuredInstruction &Shown = IsWider ? *Widest : *Narrowest;
  return {.What = IsWider ? Widths::Wider : Widths::Narrower,
          .Words =
              fmt::format("the compiler {} accesses: the code has {} of "
                          "{} bytes at {:#x}, predicted were {}",
                          IsWider ? "merged" : "split", Shown.Opcode,
                          Shown.Bytes, Shown.Offset, formatBytes(Predicted))};
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
  if (splitByOffset(Code))
    return;
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

//===----------------------------------------------------------------------===//
// The line
//===----------------------------------------------------------------------===//

/// Of a verdict on a part, for the line: the first that holds for any part.
static constexpr VerdictKind Order[] = {
    VerdictKind::Refuted, VerdictKind::Inconclusive, VerdictKind::Confirmed,
    VerdictKind::NotMeasured, VerdictKind::MeasuredOnly};

static std::string inWords(const PartVerdict &Part) {
  const LineVerdict &V = Part.V;
  std::string Out = Part.IsOne ? fmt::format("its access of {} bytes at {:#x}",
                                             Part.Bytes, Part.Offset)
                               : fmt::format("its {} accesses of {} bytes",
                                             V.Accesses, Part.Bytes);
  if (V.PerRequest && V.MeasuredPerRequest)
    Out += fmt::format(" has {:.1f} per request, predicted {:.1f}",
                       *V.MeasuredPerRequest, *V.PerRequest);
  return V.Why.empty() ? Out : Out + ": " + V.Why;
}

void AccessMatch::compose(LineVerdict &Out) const {
  auto Decides = Parts.begin();
  for (VerdictKind Kind : Order) {
    Decides = std::ranges::find(
        Parts, Kind, [](const PartVerdict &Each) { return Each.V.Kind; });
    if (Decides != Parts.end())
      break;
  }
  Out.Kind = Decides->V.Kind;
  Out.Rule = Decides->V.Rule;
  Out.Why = Decides->V.Why;
  if (Parts.size() == 1)
    return;
  if (Out.Kind == VerdictKind::Refuted || Out.Kind == VerdictKind::Inconclusive)
    Out.Why = inWords(*Decides);
  auto Others = std::ranges::count_if(Parts, [&](const PartVerdict &Each) {
    return Each.V.Kind != VerdictKind::Confirmed;
  });
  if (Out.Kind == VerdictKind::Confirmed && Others != 0)
    Out.Why += fmt::format("{}{} of its {} accesses depend on data or never "
                           "ran",
                           Out.Why.empty() ? "" : "; ", Others, Parts.size());
  // As it should be, each as often as it ran.
  double Requests = 0, Total = 0, Ideal = 0;
  bool HasIdeal = true;
  for (const PartVerdict &Each : Parts) {
    const double Weight = static_cast<double>(Each.V.Requests.value_or(0));
    if (Weight != 0 && !Each.V.PerRequest)
      return;
    HasIdeal &= Each.V.Ideal.has_value();
    Requests += Weight;
    Total += Weight * Each.V.PerRequest.value_or(0);
    Ideal += Weight * Each.V.Ideal.value_or(0);
  }
  if (Requests == 0)
    return;
  Out.PerRequest = Total / Requests;
  Out.Ideal = HasIdeal ? std::optional(Ideal / Requests) : std::nullopt;
}

void judgeByInstruction(std::span<const AccessRecord *const> Accesses,
                        const Instructions &Code, const LaunchPremise &Launches,
                        const Tolerance &Allowed, LineVerdict &Out) {
  judge(Accesses, Launches, Allowed, Out);
  auto isKnown = [](const auto *Each) { return Each->Bytes != 0; };
  if (running(Code).empty() || !std::ranges::all_of(Code, isKnown) ||
      !std::ranges::all_of(Accesses, isKnown))
    return;
  AccessMatch Match(Accesses, Launches, Allowed, Out);
  Match.run(Code);
  Match.compose(Out);
}

} // namespace cudalint
