//===- analyzer/ir/GlobalVariants.cpp - Addresses in global memory --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/AddressVariants.h"

#include "analyzer/ir/AssumptionNames.h"
#include "analyzer/ir/LaneOperations.h"
#include "analyzer/ir/Remainders.h"
#include "analyzer/ir/SymbolFacts.h"
#include "analyzer/ir/UniformShifts.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <numeric>

namespace cudalint {

/// Variants of one request at most.
static constexpr unsigned MaxVariants = 64;

/// What is taken for granted where lanes use different objects.
static Assumption apart(const std::set<std::string> &Names, unsigned Objects) {
  std::string Text;
  if (Objects < 2 || Names.size() < Objects)
    Text = "arrays that lanes choose from";
  else
    for (auto It = Names.begin(); It != Names.end(); ++It)
      Text += (It == Names.begin()            ? ""
               : std::next(It) == Names.end() ? " and "
                                              : ", ") +
              *It;
  return {Text + " are 256-byte aligned and do not overlap",
          AssumptionKind::Program};
}

namespace {
/// The variants of one address in global memory.
class GlobalVariants {
public:
  GlobalVariants(const LaneArithmetic &A, const LaneValue &Address,
                 LaneMask Active, unsigned Period, bool Round, unsigned Width,
                 const std::vector<HeldRemainders> *Held)
      : A(A), Address(Address), Active(Active), Period(Period), Round(Round),
        Width(Width), Held(Held), Uniform(Period) {}

  AddressVariants get();

private:
  const LaneArithmetic &A;
  const LaneValue &Address;
  const LaneMask Active;
  const unsigned Period;
  const bool Round;
  const unsigned Width;
  const std::vector<HeldRemainders> *const Held; ///< Null: nothing.
  UniformShifts Uniform;
  std::vector<std::int64_t> Shifts; ///< What becomes of Uniform: what is tried.
  /// What all lanes are moved by may be what aligns them.
  bool IsMovable = false;
  std::vector<const Term *> Varying; ///< Those that differ between lanes.
  AddressVariants R;

  std::uint64_t multipleOf(const SymbolInfo &I) const {
    return Round || I.Kind == SymbolKind::Object ? I.AssumedMultipleOf
                                                 : I.MultipleOf;
  }
  /// Whether its value was made up, and where in a row it ends matters.
  bool endsAnywhere(const SymbolInfo &I) const {
    return multipleOf(I) < 32 && I.Kind != SymbolKind::Object;
  }
  /// Numbers of \p T that keep lanes aligned are multiples of it.
  std::uint64_t alignedUnits(const Term &T) const;
  bool isAligned(const LaneOffsets &O) const;
  void leaveOutMisaligned();
  void addUniform(const Term &T);
  void addTogether(Symbol By, const std::vector<const Term *> &Terms);
  bool addTerms();
  bool addVarying(const Term &T);
  void shift();
  unsigned choices() const;
  void addVariant(unsigned V);
  void nameAssumptions();
};
} // namespace

std::uint64_t GlobalVariants::alignedUnits(const Term &T) const {
  std::uint64_t Common = Width;
  for (unsigned L = 0; L < WarpSize; ++L)
    if (Active >> L & 1)
      Common = std::gcd(Common, magnitude(T.Coefficient[L]));
  return Width / Common;
}

bool GlobalVariants::isAligned(const LaneOffsets &O) const {
  for (unsigned L = 0; L < WarpSize; ++L)
    if (Active >> L & 1 && O[L] & (Width - 1))
      return false;
  return true;
}

/// Unless all of them are: then it faults, if it happens.
void GlobalVariants::leaveOutMisaligned() {
  AddressVariants Aligned;
  for (std::size_t K = 0; K < R.Offsets.size(); ++K)
    if (isAligned(R.Offsets[K])) {
      Aligned.Offsets.push_back(R.Offsets[K]);
      if (!R.MadeUp.empty())
        Aligned.MadeUp.push_back(R.MadeUp[K]);
    }
  if (Aligned.Offsets.empty())
    return;
  R.Offsets = std::move(Aligned.Offsets);
  R.MadeUp = std::move(Aligned.MadeUp);
}

/// Only the remainder matters.
void GlobalVariants::addUniform(const Term &T) {
  const SymbolInfo &I = A.info(T.S);
  const std::int64_t Bytes = T.Coefficient[std::countr_zero(Active)];
  const std::uint64_t C = magnitude(Bytes);
  std::uint64_t Proved = std::gcd<std::uint64_t>(C * I.MultipleOf, Period);
  std::uint64_t Assumed = std::gcd<std::uint64_t>(C * multipleOf(I), Period);
  const auto Values = fewValues(I);
  // Of a few values, what they are is known, and no size taken to be round.
  if (Values && Proved != Period) {
    Uniform.addValues(*Values, Bytes);
    return;
  }
  if (Proved != Period && Assumed == Period) {
    R.TakesRound |= I.Kind != SymbolKind::Object;
    R.Assumptions.insert(I.Kind == SymbolKind::Object ? alignmentOf(I)
                                                      : roundness(A, T.S));
  }
  Uniform.addMultiples(Assumed);
}

/// Terms that the remainder of \p By decides, itself among them where it is
/// one.
void GlobalVariants::addTogether(Symbol By,
                                 const std::vector<const Term *> &Terms) {
  std::optional<JointShifts> Shifts =
      jointShifts(A, By, Terms, static_cast<unsigned>(std::countr_zero(Active)),
                  heldOf(Held, By));
  if (!Shifts) {
    for (const Term *T : Terms)
      addUniform(*T);
    return;
  }
  Uniform.addMultiples(Shifts->Multiples);
  Uniform.addEach(std::move(Shifts->Bytes));
  if (Shifts->TakesNonNegative)
    cudalint::nameAssumptions(AssumesNonNegative, R.Assumptions);
  if (A.info(By).Kind == SymbolKind::Object)
    R.Assumptions.insert(alignmentOf(A.info(By)));
}

/// False: how far lanes are apart is not known.
bool GlobalVariants::addTerms() {
  // What one symbol decides goes together, itself too.
  std::map<Symbol, std::vector<const Term *>> Together;
  for (const Term &T : Address.Terms)
    if (const auto &R = A.info(T.S).Remainders;
        R && T.Coefficient.isUniformIn(Active))
      Together[R->Of].push_back(&T);
  // What a size is taken to be a multiple of may be all that holds here.
  if (Held)
    for (const HeldRemainders &Each : *Held)
      if (leavesOutMultiples(Each, multipleOf(A.info(Each.Of))))
        Together[Each.Of];
  for (const Term &T : Address.Terms) {
    if (!T.Coefficient.isUniformIn(Active)) {
      if (!addVarying(T))
        return false;
      continue;
    }
    const auto With = Together.find(T.S);
    if (With != Together.end())
      With->second.push_back(&T);
    else if (!A.info(T.S).Remainders)
      addUniform(T);
  }
  for (const auto &[By, Terms] : Together)
    if (!Terms.empty())
      addTogether(By, Terms);
  return true;
}

/// Decides which places of all lanes are tried.
void GlobalVariants::shift() {
  IsMovable = Uniform.step() < Width;
  Shifts = Uniform.get(MaxVariants, Width);
  if (Round && Shifts != std::vector<std::int64_t>{0} &&
      isAlignedButForBounds(A, Address, Active, Period)) {
    IsMovable = false;
    Shifts = {0};
    R.Assumptions.insert("bounds do not move what they are bounds of");
  }
  if (Shifts.size() > 1)
    R.Assumptions.emplace(
        Uniform.step() == Period
            ? "the offset takes each of its alignments in turn"
            : "the offset takes every alignment in turn",
        AssumptionKind::AnyOffset);
}

/// False: how far lanes are apart is not known.
bool GlobalVariants::addVarying(const Term &T) {
  const SymbolInfo &I = A.info(T.S);
  const bool IsGathered = A.isGathered(T.S);
  if (IsGathered && (I.Vote || !keepsPeriod(A, T, Period))) {
    R.WhyUnknown = whyUnknown::Data;
    return false;
  }
  if (!isBounded(I) && I.Kind != SymbolKind::Counter &&
      I.Kind != SymbolKind::Object && !IsGathered && !canBeLarge(A, T.S) &&
      !keepsPeriod(A, T, Period)) {
    R.WhyUnknown = whyUnknown::Distance;
    R.Cause = UnknownCause::RunTimeValue;
    return false;
  }
  Varying.push_back(&T);
  return true;
}

/// How many values stand for the symbols.
unsigned GlobalVariants::choices() const {
  unsigned Choices = 1;
  for (const Term *T : Varying) {
    const SymbolInfo &I = A.info(T->S);
    if (const auto Few = fewValues(I))
      Choices = std::max(Choices, Few->Count);
    else if (I.Kind == SymbolKind::Counter)
      Choices = std::max<unsigned>(Choices, SmallRange);
    else if (endsAnywhere(I))
      Choices = std::max(Choices, 8u);
  }
  return Choices;
}

/// Far apart, no power of two alone, and none a few times another: lanes that
/// are `channels` apart would meet those of rows `width * channels` apart.
static std::int64_t largeValue(std::size_t K) {
  constexpr std::int64_t Times = 521; // A prime, of more than a warp's lanes.
  constexpr std::array<std::int64_t, 3> Steps = {1, Times, Times * Times};
  const std::int64_t First = std::int64_t(1) << 20;
  return K < Steps.size()
             ? First * Steps[K]
             : First * Steps.back() * static_cast<std::int64_t>(2 * K + 1);
}

void GlobalVariants::addVariant(unsigned V) {
  MadeUpOffsets MadeUp;
  unsigned MadeUpTerms = 0;
  LaneOffsets O = constantOffsets(Address);
  for (std::int64_t &X : O)
    X += Shifts[V % Shifts.size()];
  for (std::size_t K = 0; K < Varying.size(); ++K) {
    const SymbolInfo &I = A.info(Varying[K]->S);
    std::int64_t Odd = static_cast<std::int64_t>(2 * K + 1);
    std::int64_t Value;
    if (const auto Few = fewValues(I)) {
      Value = (*Few)[V];
    } else if (I.Kind == SymbolKind::Counter) {
      Value = V % SmallRange;
    } else {
      Value = largeValue(K);
      if (endsAnywhere(I))
        Value += static_cast<std::int64_t>(
                     std::lcm(multipleOf(I), alignedUnits(*Varying[K]))) *
                 ((V * (Odd + 2)) % 32);
      MadeUp.Symbol =
          ++MadeUpTerms == 1 ? writtenName(A, Varying[K]->S) : std::string();
      MadeUp.Value = Value;
      for (unsigned L = 0; L < WarpSize; ++L)
        MadeUp.Offset[L] += Varying[K]->Coefficient[L] * Value;
    }
    for (unsigned L = 0; L < WarpSize; ++L)
      O[L] += Varying[K]->Coefficient[L] * Value;
  }
  if (IsMovable) {
    const std::int64_t Behind = O[std::countr_zero(Active)] & (Width - 1);
    for (std::int64_t &X : O)
      X -= Behind;
  }
  R.Offsets.push_back(O);
  if (MadeUpTerms)
    R.MadeUp.push_back(
        std::make_shared<const MadeUpOffsets>(std::move(MadeUp)));
}

/// What the values that stand for the symbols take for granted.
void GlobalVariants::nameAssumptions() {
  std::set<std::string> Objects;
  unsigned ObjectCount = 0;
  for (const Term *T : Varying) {
    const SymbolInfo &I = A.info(T->S);
    if (I.Kind == SymbolKind::Object) {
      ++ObjectCount;
      if (!I.Name.empty())
        Objects.insert("'" + I.Name + "'");
      continue;
    }
    if (isBounded(I) || I.Kind == SymbolKind::Counter)
      assumeEquallyFrequent(A, T->S, R);
    else if (A.isGathered(T->S))
      R.Assumptions.insert("rows that loaded data picks are different ones");
    else {
      const std::string Name = describe(A, T->S);
      R.Assumptions.emplace(Name + " is large", AssumptionKind::LargeSize,
                            Name);
      // Where a few rows make up a warp, it matters where each starts.
      if (I.AssumedMultipleOf >= 32 && I.MultipleOf < 32 &&
          !hasManyValues(T->Coefficient, Active)) {
        R.Assumptions.insert(roundness(A, T->S));
        R.TakesRound = true;
      }
    }
  }
  if (ObjectCount)
    R.Assumptions.insert(apart(Objects, ObjectCount));
}

AddressVariants GlobalVariants::get() {
  if (!addTerms())
    return std::move(R);
  shift();
  const unsigned Count = std::min(
      MaxVariants, std::lcm(choices(), static_cast<unsigned>(Shifts.size())));
  for (unsigned V = 0; V < Count; ++V)
    addVariant(V);
  leaveOutMisaligned();
  nameAssumptions();
  if (R.WhyOneHolds.empty() && Varying.size() == 1 &&
      isChosenAtRunTime(A, Varying[0]->S) &&
      hasManyValues(Varying[0]->Coefficient, Active)) {
    R.Stride = makeStride(A, *Varying[0], Active);
    R.Stride->IsOfRows = std::ranges::any_of(Address.Terms, [&](const Term &T) {
      const SymbolKind Kind = A.info(T.S).Kind;
      return T.S != R.Stride->S &&
             (Kind == SymbolKind::BlockIndex || Kind == SymbolKind::Counter);
    });
  }
  return std::move(R);
}

AddressVariants globalVariants(const LaneArithmetic &A,
                               const LaneValue &Address, LaneMask Active,
                               unsigned Period, bool Round, unsigned Width,
                               const std::vector<HeldRemainders> *Held) {
  if (Address.Unknown & Active)
    return unknownByData();
  return GlobalVariants(A, Address, Active, Period, Round, Width, Held).get();
}

} // namespace cudalint
