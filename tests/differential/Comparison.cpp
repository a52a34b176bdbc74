//===- tests/differential/Comparison.cpp - Both, lane by lane -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Comparison.h"

#include "LinearSystem.h"
#include "ScalarInterpreter.h"

#include "analyzer/ir/AccessMarkers.h"
#include "analyzer/ir/KernelStructure.h"
#include "analyzer/ir/WarpInterpreter.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <map>
#include <set>

using namespace llvm;

namespace cudalint::differential {

/// Instructions that all threads of a warp may execute together.
static constexpr std::uint64_t MaxSteps = 60'000;

/// Never generalised for want of work.
static constexpr std::size_t Work = 20'000'000;

Tally &Tally::operator+=(const Tally &O) {
  for (std::uint64_t Tally::*Field :
       {&Tally::Exact,        &Tally::Assumed,          &Tally::Doubtful,
        &Tally::Unknown,      &Tally::ExactNotExecuted, &Tally::ExactInsts,
        &Tally::AssumedInsts, &Tally::DoubtfulInsts,    &Tally::UnknownInsts,
        &Tally::ExactLanes,   &Tally::AssumedLanes,     &Tally::DoubtfulLanes,
        &Tally::UnknownLanes, &Tally::AssumedEqual,     &Tally::HeldLanes,
        &Tally::HeldEqual,    &Tally::BeyondCut,        &Tally::NoTurns,
        &Tally::RuledOut,     &Tally::RunTogether,      &Tally::Mismatches})
    this->*Field += O.*Field;
  return *this;
}

namespace {

/// In which turns of a loop a request is made: turn `First`, or that and all
/// after it, for which `Counter` counts from 0, or that and every Period-th
/// after it below `End`.
struct TurnClaim {
  bool Known = false;
  std::int64_t First = 0;
  std::optional<Symbol> Counter;
  std::int64_t Period = 0, End = 0;

  bool includes(std::int64_t Turn) const {
    if (!Known)
      return false;
    if (Period)
      return Turn >= First && Turn < End && (Turn - First) % Period == 0;
    return Counter ? Turn >= First : Turn == First;
  }
};

struct Reported {
  Request R;
  std::array<TurnClaim, MaxLoops> Turns;
  bool Executed = false;

  bool isExact() const {
    return !R.Address.Assumes && !(R.Address.Unknown & R.Active) && !R.Doubtful;
  }
};

/// What the threads of a warp execute in one turn of all loops around it.
struct Executed {
  LaneMask Lanes = 0;
  std::array<const Execution *, 32> Of = {};
};

using ExecutionKey = std::pair<const Instruction *, std::vector<std::int64_t>>;

class WarpComparison {
public:
  /// \p Together: the warp is one of several that the evaluator runs at once.
  WarpComparison(const RandomKernel &Kernel, const RandomLaunch &Launch,
                 bool Together);
  Comparison run();

private:
  const RandomKernel &Kernel;
  const RandomLaunch &Launch;
  bool Together;
  Comparison Result;
  Liberties Taken;
  LaneArithmetic Arithmetic;
  /// The marked loops around an instruction, outermost first; none if one of
  /// the loops is not marked.
  std::map<const Instruction *, std::optional<std::vector<unsigned>>> Around;
  std::vector<Reported> Requests;
  std::map<const Instruction *, std::vector<std::size_t>> RequestsOf;
  std::array<std::vector<Execution>, 32> Traces;
  /// Turns of which the marks were reported, by weight; negative where some
  /// request does not say which turn it is of.
  std::map<const Instruction *, double> MarkedTurns;
  std::map<ExecutionKey, Executed> Executions;
  std::map<Symbol, Residue> Solved;
  std::shared_ptr<const KernelStructure> Structure;
  WarpOutcome Outcome;

  void findLoops();
  bool runThreads();
  bool runEvaluator();
  bool runTogether(const LaunchShape &Shape,
                   const std::function<void(const Request &)> &Sink);
  void noteMark(const Request &R, unsigned Id,
                std::array<TurnClaim, MaxLoops> &Turns) const;
  bool isCutShort(const Instruction &I) const;
  void match(const ExecutionKey &Key, const Executed &E);
  void compareLanes(Reported &R, const Executed &E);
  std::optional<std::uint64_t> valueOf(Symbol S, const Reported &R,
                                       const Execution &E) const;
  bool fits(const Reported &R, const Executed &E, LaneMask Lanes,
            std::string &Why);
  void account();
  void compareTurns();
  void mismatch(const std::string &What, const Instruction &I,
                const Reported *R = nullptr, const Executed *E = nullptr,
                const std::vector<std::int64_t> *Turns = nullptr);
};

} // namespace

WarpComparison::WarpComparison(const RandomKernel &Kernel,
                               const RandomLaunch &Launch, bool Together)
    : Kernel(Kernel), Launch(Launch), Together(Together) {}

/// Whether the address of a mark counts the turns of that very loop: a mark of
/// a loop that was unrolled away is somewhere else.
static bool counts(const Value *V, const llvm::Loop *L, unsigned Depth = 0) {
  if (auto *Phi = dyn_cast<PHINode>(V))
    return Phi->getParent() == L->getHeader();
  auto *I = dyn_cast<Instruction>(V);
  return I && Depth < 6 &&
         any_of(
             I->operands(),
             [&](const Use &U) { return counts(U, L, Depth + 1); });
}

void WarpComparison::findLoops() {
  DominatorTree Dominators(*Kernel.F);
  LoopInfo Loops(Dominators);
  std::map<const llvm::Loop *, unsigned> Ids;
  for (const Instruction &I : instructions(*Kernel.F))
    if (auto Id = markedLoop(I))
      for (const llvm::Loop *L = Loops.getLoopFor(I.getParent()); L;
           L = L->getParentLoop())
        if (counts(markedAccess(I)->Pointer, L)) {
          Ids[L] = *Id;
          break;
        }
  for (const Instruction &I : instructions(*Kernel.F)) {
    auto &Of = Around[&I].emplace();
    for (const llvm::Loop *L = Loops.getLoopFor(I.getParent()); L;
         L = L->getParentLoop()) {
      auto It = Ids.find(L);
      if (It == Ids.end()) {
        Around[&I].reset();
        break;
      }
      Of.insert(Of.begin(), It->second);
    }
  }
}

bool WarpComparison::runThreads() {
  ScalarInterpreter Threads(*Kernel.F, Kernel.Block, Launch);
  std::uint64_t Steps = MaxSteps;
  std::int64_t Count = Kernel.Block[0] * Kernel.Block[1] * Kernel.Block[2];
  for (unsigned L = 0; L < 32; ++L) {
    if (std::int64_t(Launch.Warp) * 32 + L >= Count)
      break;
    switch (Threads.run(L, Steps, Traces[L])) {
    case Outcome::Returned:
      break;
    case Outcome::Undefined:
      Result.S = Scope::Undefined;
      return false;
    case Outcome::TooLong:
      Result.S = Scope::TooLong;
      return false;
    case Outcome::Unsupported:
      Result.S = Scope::Unsupported;
      Result.What = Threads.why();
      return false;
    }
  }
  Taken = Threads.taken();
  for (unsigned L = 0; L < 32; ++L)
    for (const Execution &E : Traces[L]) {
      if (markedLoop(*E.Inst))
        continue;
      const auto &Of = Around[E.Inst];
      if (!Of) {
        ++Result.Counts.NoTurns;
        continue;
      }
      ExecutionKey Key{E.Inst, {}};
      for (unsigned Id : *Of)
        Key.second.push_back(E.Turns[Id]);
      Executed &X = Executions[Key];
      X.Lanes |= LaneMask(1) << L;
      X.Of[L] = &E;
    }
  return true;
}

//===----------------------------------------------------------------------===//
// The evaluator
//===----------------------------------------------------------------------===//

/// Reads the turn from the address of a mark: base + 8 · (First + Counter).
void WarpComparison::noteMark(const Request &R, unsigned Id,
                              std::array<TurnClaim, MaxLoops> &Turns) const {
  TurnClaim &T = Turns[Id];
  T = TurnClaim();
  if (R.Address.Unknown & R.Active || !R.Address.Constant.isUniformIn(R.Active))
    return;
  unsigned Lane = static_cast<unsigned>(std::countr_zero(R.Active));
  T.First = R.Address.Constant[Lane] / 8;
  for (const Term &X : R.Address.Terms) {
    const SymbolInfo &Info = Arithmetic.info(X.S);
    if (!X.Coefficient.isUniformIn(R.Active))
      return;
    if (Info.Kind == SymbolKind::Object)
      continue;
    if (Info.Kind != SymbolKind::Counter || X.Coefficient[Lane] != 8)
      return;
    T.Counter = X.S;
  }
  T.Known = true;
}

/// The turns of a request that was added for every turn, from the number of the
/// first that was left then.
static void repeat(TurnClaim &T, std::int64_t FirstLeft,
                   const Request::Repetition &R) {
  T.First = FirstLeft + R.Turn;
  T.Period = R.Period;
  T.End = FirstLeft + R.Turns;
}

/// Runs as many warps at once as can be, the one of the launch among them.
/// False: it has to be run by itself.
bool WarpComparison::runTogether(
    const LaunchShape &Shape,
    const std::function<void(const Request &)> &Sink) {
  const auto Threads =
      static_cast<unsigned>(Shape.Block[0] * Shape.Block[1] * Shape.Block[2]);
  unsigned First = 0, Last = (Threads - 1) / WarpSize;
  while (First != Last) {
    Arithmetic = LaneArithmetic();
    std::vector<Request> Found;
    auto Of = runWarps(*Structure, Shape, First, Last, Work, Arithmetic, Found);
    if (!Of)
      return false;
    const LaneArithmetic::WarpRange Ran = Arithmetic.warps();
    if (Launch.Warp < Ran.First) {
      Last = Ran.First - 1;
    } else if (Launch.Warp > Ran.Last) {
      First = Ran.Last + 1;
    } else {
      Outcome = *Of;
      for (Request &R : Found) {
        R.Address = Arithmetic.inWarp(R.Address, Launch.Warp);
        Sink(R);
      }
      ++Result.Counts.RunTogether;
      return true;
    }
  }
  return false;
}

/// False: there is nothing to compare.
bool WarpComparison::runEvaluator() {
  LaunchShape Shape;
  Shape.Block = Kernel.Block;
  for (unsigned D = 0; D < 3; ++D)
    if (Launch.GridKnown[D])
      Shape.Grid[D] = Launch.Grid[D];
  for (std::size_t I = 0; I < Launch.Arguments.size(); ++I)
    Shape.Arguments.push_back(
        Launch.ArgumentKnown[I] && Kernel.F->getArg(I)->getType()->isIntegerTy()
            ? std::optional(Launch.Arguments[I])
            : std::nullopt);
  Structure = makeKernelStructure(*Kernel.F);
  std::array<TurnClaim, MaxLoops> Turns;
  std::array<std::optional<std::int64_t>, MaxLoops> FirstLeft;
  auto Note = [&](const Request &R) {
    if (auto Id = markedLoop(*R.Inst)) {
      noteMark(R, *Id, Turns);
      const TurnClaim &T = Turns[*Id];
      FirstLeft[*Id].reset();
      if (R.Repeated.Period && T.Known && !T.Counter)
        FirstLeft[*Id] = T.First - R.Repeated.Turn;
      double &Sum = MarkedTurns[R.Inst];
      const bool Known =
          T.Known && !T.Counter && !R.Doubtful && !R.Address.Assumes;
      Sum = Known && Sum >= 0 ? Sum + R.Weight : -1;
      return;
    }
    if (!R.Weight)
      return;
    RequestsOf[R.Inst].push_back(Requests.size());
    Requests.push_back({R, Turns});
    const auto &Of = Around[R.Inst];
    if (!R.Repeated.Period || !Of || Of->empty())
      return;
    TurnClaim &Innermost = Requests.back().Turns[Of->back()];
    Innermost.Known &= FirstLeft[Of->back()].has_value();
    if (Innermost.Known)
      repeat(Innermost, *FirstLeft[Of->back()], R.Repeated);
  };
  if (Together)
    return runTogether(Shape, Note);
  Outcome = runWarp(*Structure, Shape, Launch.Warp, Work, Arithmetic, Note);
  return true;
}

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

/// Value of a symbol in one execution; empty for what is to be solved for.
std::optional<std::uint64_t>
WarpComparison::valueOf(Symbol S, const Reported &R, const Execution &E) const {
  const SymbolInfo &Info = Arithmetic.info(S);
  switch (Info.Kind) {
  case SymbolKind::Parameter: {
    StringRef Name = Info.Name;
    unsigned Index;
    if (Name.consume_front("gridDim."))
      return Launch.Grid[static_cast<unsigned>(Name[0] - 'x')];
    if (Name.consume_front("p") && !Name.getAsInteger(10, Index))
      return static_cast<std::uint64_t>(Launch.Arguments[Index]);
    return std::nullopt;
  }
  case SymbolKind::BlockIndex:
    if (StringRef Name = Info.Name; Name.consume_front("blockIdx."))
      return Launch.BlockIndex[static_cast<unsigned>(Name[0] - 'x')];
    return std::nullopt;
  case SymbolKind::Object:
    if (!Info.Origin)
      return std::nullopt;
    return ScalarInterpreter::addressOf(
        *static_cast<const Value *>(Info.Origin));
  case SymbolKind::Counter:
    for (unsigned Id = 0; Id < MaxLoops; ++Id)
      if (R.Turns[Id].Known && R.Turns[Id].Counter == S && E.Turns[Id] >= 0)
        return static_cast<std::uint64_t>(E.Turns[Id] - R.Turns[Id].First);
    return std::nullopt;
  case SymbolKind::Product: {
    std::uint64_t P = 1;
    for (Symbol F : Info.Factors) {
      auto V = valueOf(F, R, E);
      if (!V)
        return std::nullopt;
      P *= *V;
    }
    return P;
  }
  default:
    return std::nullopt;
  }
}

/// Whether the polynomial has the address of each of the lanes.
bool WarpComparison::fits(const Reported &R, const Executed &E, LaneMask Lanes,
                          std::string &Why) {
  std::vector<Equation> Equations;
  std::vector<Symbol> Unknowns;
  const LaneValue &A = R.R.Address;
  for (const Term &T : A.Terms) {
    bool Known = true;
    for (unsigned L = 0; L < 32; ++L)
      if ((Lanes >> L & 1) && T.Coefficient[L])
        Known &= valueOf(T.S, R, *E.Of[L]).has_value();
    if (!Known)
      Unknowns.push_back(T.S);
  }
  for (unsigned L = 0; L < 32; ++L) {
    if (!(Lanes >> L & 1))
      continue;
    Equation Of;
    Of.Right = E.Of[L]->Address - static_cast<std::uint64_t>(A.Constant[L]);
    for (const Term &T : A.Terms) {
      std::uint64_t C = static_cast<std::uint64_t>(T.Coefficient[L]);
      if (is_contained(Unknowns, T.S)) {
        Of.Coefficients.push_back(C);
        continue;
      }
      if (!C)
        continue;
      std::uint64_t V = *valueOf(T.S, R, *E.Of[L]);
      Of.Right -= C * V;
      const SymbolInfo &Info = Arithmetic.info(T.S);
      if (static_cast<std::int64_t>(V) < Info.Min ||
          static_cast<std::int64_t>(V) > Info.Max || V % Info.MultipleOf != 0) {
        Why = formatv("symbol {0} is {1}: out of its range {2} to {3}, "
                      "multiples of {4}",
                      T.S, static_cast<std::int64_t>(V), Info.Min, Info.Max,
                      Info.MultipleOf);
        return false;
      }
    }
    Equations.push_back(std::move(Of));
  }
  if (Unknowns.size() != 1) {
    if (isSolvable(std::move(Equations)))
      return true;
    Why = "address differs";
    return false;
  }
  auto Value = solve(Equations);
  if (!Value) {
    Why = "address differs";
    return false;
  }
  const SymbolInfo &Info = Arithmetic.info(Unknowns[0]);
  if (!Value->meets(Info.Min, Info.Max, Info.MultipleOf)) {
    Why = formatv("symbol {0} must be {1} modulo 2^{2}: none in its range {3} "
                  "to {4}, multiples of {5}",
                  Unknowns[0], Value->Value, Value->Bits, Info.Min, Info.Max,
                  Info.MultipleOf);
    return false;
  }
  if (Info.Kind != SymbolKind::Parameter)
    return true;
  // Made of parameters alone: it has one value.
  auto [It, New] = Solved.try_emplace(Unknowns[0], *Value);
  auto Both = Residue::both(It->second, *Value);
  if (!Both) {
    Why = formatv("symbol {0} must be {1} modulo 2^{2} here, {3} modulo 2^{4} "
                  "elsewhere",
                  Unknowns[0], Value->Value, Value->Bits, It->second.Value,
                  It->second.Bits);
    return false;
  }
  It->second = *Both;
  return true;
}

/// Whether the turns that were reported stand for others, too.
bool WarpComparison::isCutShort(const Instruction &I) const {
  for (const llvm::Loop *L = Structure->loopOf(I.getParent()); L;
       L = L->getParentLoop())
    if (Outcome.CutShort.contains(L) || Outcome.Sampled.contains(L))
      return true;
  return false;
}

void WarpComparison::match(const ExecutionKey &Key, const Executed &E) {
  const std::vector<unsigned> &Loops = *Around[Key.first];
  Reported *Found = nullptr;
  unsigned Count = 0;
  bool Uncertain = false;
  for (std::size_t N : RequestsOf[Key.first]) {
    Reported &R = Requests[N];
    bool Includes = true;
    for (std::size_t K = 0; K < Loops.size() && Includes; ++K) {
      Uncertain |= !R.Turns[Loops[K]].Known;
      Includes = R.Turns[Loops[K]].includes(Key.second[K]);
    }
    if (!Includes)
      continue;
    Found = &R;
    ++Count;
  }
  if (Count == 1 && !Found->R.Repeated.Period)
    return compareLanes(*Found, E);
  if (Count == 1) {
    Found->Executed = true;
    const TurnClaim &T = Found->Turns[Loops.back()];
    Reported InTurn = *Found;
    InTurn.R.Address.Constant =
        InTurn.R.Address.Constant.map([&](std::int64_t X) {
          return X + (Key.second.back() - T.First) * Found->R.Repeated.Bytes;
        });
    return compareLanes(InTurn, E);
  }
  if (Uncertain) {
    Result.Counts.NoTurns += static_cast<unsigned>(std::popcount(E.Lanes));
    return;
  }
  if (!Count && isCutShort(*Key.first)) {
    Result.Counts.BeyondCut += static_cast<unsigned>(std::popcount(E.Lanes));
    return;
  }
  if (!Count && Outcome.LeftOutUnder) {
    Result.Counts.RuledOut += static_cast<unsigned>(std::popcount(E.Lanes));
    return;
  }
  mismatch(Count ? "executed once, reported more often"
                 : "executed, not reported",
           *Key.first, Found, &E, &Key.second);
}

void WarpComparison::compareLanes(Reported &R, const Executed &E) {
  R.Executed = true;
  Tally &C = Result.Counts;
  unsigned Lanes = static_cast<unsigned>(std::popcount(E.Lanes));
  LaneMask Known = E.Lanes & ~R.R.Address.Unknown;
  unsigned KnownLanes = static_cast<unsigned>(std::popcount(Known));
  C.UnknownLanes += Lanes - KnownLanes;
  std::string Why;
  if (R.R.Address.Assumes) {
    C.AssumedLanes += KnownLanes;
    bool Equal = fits(R, E, Known, Why);
    C.AssumedEqual += Equal ? KnownLanes : 0;
    std::uint32_t A = R.R.Address.Assumes;
    bool Held = !(A & ~std::uint32_t(AssumesNoWrap | AssumesNonNegative)) &&
                !Taken.Wrapped && !Taken.Negative;
    C.HeldLanes += Held ? KnownLanes : 0;
    C.HeldEqual += Held && Equal ? KnownLanes : 0;
    return;
  }
  if (E.Lanes & ~R.R.Active)
    return mismatch("executed by lanes that are not active", *R.R.Inst, &R, &E);
  if (R.R.Active & ~R.R.Doubtful & ~E.Lanes)
    return mismatch("not executed by all lanes that are active", *R.R.Inst, &R,
                    &E);
  if (!fits(R, E, Known, Why))
    return mismatch(Why, *R.R.Inst, &R, &E);
  (R.isExact() ? C.ExactLanes : C.DoubtfulLanes) += KnownLanes;
}

void WarpComparison::account() {
  Tally &C = Result.Counts;
  for (auto &[I, Indices] : RequestsOf) {
    unsigned Worst = 0;
    for (std::size_t N : Indices) {
      const Reported &R = Requests[N];
      unsigned Class = R.R.Address.Unknown & R.R.Active ? 3
                       : R.R.Doubtful                   ? 2
                       : R.R.Address.Assumes            ? 1
                                                        : 0;
      Worst = std::max(Worst, Class);
      std::uint64_t *Of[] = {&C.Exact, &C.Assumed, &C.Doubtful, &C.Unknown};
      ++*Of[Class];
      if (Class || R.Executed || !Around[I])
        continue;
      ++C.ExactNotExecuted;
      bool General = any_of(*Around[I], [&](unsigned Id) {
        return !R.Turns[Id].Known || R.Turns[Id].Counter;
      });
      if (Launch.isKnown() && !Kernel.UsesLoaded && !General)
        mismatch("reported, not executed", *I, &R);
    }
    std::uint64_t *Of[] = {&C.ExactInsts, &C.AssumedInsts, &C.DoubtfulInsts,
                           &C.UnknownInsts};
    ++*Of[Worst];
  }
}

/// Turns that are left out are to be stood for: where it is known which lanes
/// run a loop that is in no other, its turns are as many as were executed.
void WarpComparison::compareTurns() {
  if (!Launch.isKnown() || Kernel.UsesLoaded || Outcome.LeftOutUnder)
    return;
  for (const auto &[Mark, Sum] : MarkedTurns) {
    const auto &Of = Around[Mark];
    const llvm::Loop *L = Structure->loopOf(Mark->getParent());
    if (Sum < 0 || !Of || Of->size() != 1 || !L || L->getParentLoop() ||
        L->getHeader() != Mark->getParent() || Outcome.CutShort.contains(L))
      continue;
    std::set<std::int64_t> Turns;
    for (const std::vector<Execution> &Trace : Traces)
      for (const Execution &E : Trace)
        if (E.Inst == Mark)
          Turns.insert(E.Turns[Of->front()]);
    if (std::abs(Sum - static_cast<double>(Turns.size())) > 1e-6 * Sum)
      mismatch(formatv("{0} turns of a loop are reported, {1} executed", Sum,
                       Turns.size()),
               *Mark);
  }
}

void WarpComparison::mismatch(const std::string &What, const Instruction &I,
                              const Reported *R, const Executed *E,
                              const std::vector<std::int64_t> *Turns) {
  if (Result.Counts.Mismatches++)
    return;
  raw_string_ostream S(Result.What);
  S << What << "\n " << I << "\n";
  if (E)
    S << formatv("  executed by lanes {0:x8}\n", E->Lanes);
  if (Turns)
    for (std::size_t K = 0; K < Turns->size(); ++K)
      S << formatv("  in turn {0} of loop {1}\n", (*Turns)[K],
                   (*Around[&I])[K]);
  unsigned Listed = 0;
  for (std::size_t N : RequestsOf[&I]) {
    if (++Listed > 12)
      break;
    S << "  reported";
    for (unsigned Id : Around[&I] ? *Around[&I] : std::vector<unsigned>()) {
      const TurnClaim &T = Requests[N].Turns[Id];
      S << formatv(" loop {0} turn {1}{2}", Id, T.Known ? T.First : -1,
                   T.Counter ? " and later" : "");
    }
    S << formatv(" active {0:x8} doubtful {1:x8}\n", Requests[N].R.Active,
                 Requests[N].R.Doubtful);
  }
  if (R) {
    const LaneValue &A = R->R.Address;
    S << formatv("  active {0:x8} doubtful {1:x8} unknown {2:x8} assumes {3}\n",
                 R->R.Active, R->R.Doubtful, A.Unknown, A.Assumes);
    for (unsigned Id = 0; Id < MaxLoops; ++Id)
      if (R->Turns[Id].Known)
        S << formatv("  loop {0}: turn {1}{2}\n", Id, R->Turns[Id].First,
                     R->Turns[Id].Counter ? " and later" : "");
    S << "  address = constant";
    for (const Term &T : A.Terms)
      S << formatv(" + [{0}]{1}", T.S, Arithmetic.info(T.S).Name);
    S << "\n";
    for (unsigned L = 0; L < 32; ++L) {
      if (!(R->R.Active >> L & 1) && !(E && E->Of[L]))
        continue;
      S << formatv("  lane {0,2}: {1}", L, A.Constant[L]);
      for (const Term &T : A.Terms)
        S << formatv(" + {0}·[{1}]", T.Coefficient[L], T.S);
      if (E && E->Of[L])
        S << formatv(", executed at {0:x}", E->Of[L]->Address);
      if (E && E->Of[L])
        for (const Term &T : A.Terms)
          if (auto V = valueOf(T.S, *R, *E->Of[L]))
            S << formatv(" [{0}]={1}", T.S, static_cast<std::int64_t>(*V));
      S << "\n";
    }
  }
}

Comparison WarpComparison::run() {
  findLoops();
  if (!runThreads() || !runEvaluator())
    return std::move(Result);
  for (const auto &[Key, E] : Executions)
    match(Key, E);
  account();
  compareTurns();
  return std::move(Result);
}

Comparison compare(const RandomKernel &Kernel, const RandomLaunch &Launch) {
  Comparison R = WarpComparison(Kernel, Launch, /*Together=*/false).run();
  if (R.S != Scope::Compared || R.Counts.Mismatches)
    return R;
  Comparison Too = WarpComparison(Kernel, Launch, /*Together=*/true).run();
  R.Counts.RunTogether = Too.Counts.RunTogether;
  R.Counts.Mismatches = Too.Counts.Mismatches;
  if (Too.Counts.Mismatches)
    R.What = "where warps are run at once: " + Too.What;
  return R;
}

} // namespace cudalint::differential
