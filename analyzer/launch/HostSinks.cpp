//===- analyzer/launch/HostSinks.cpp - What host code leads to ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/HostSinks.h"

#include "analyzer/launch/CheckedValues.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"

using namespace clang;

namespace cudalint {

/// More outcomes of one launch than this are too many to tell.
static constexpr std::size_t MaxOutcomes = 8;

/// So it is of kernels that one launch may be of: `switch (n)` with a kernel
/// each.
static constexpr std::size_t MaxKernels = 32;

static const FieldDecl *fieldOf(QualType Type, llvm::StringRef Name) {
  const RecordDecl *Record = Type.isNull() ? nullptr : Type->getAsRecordDecl();
  if (!Record || !Record->getDefinition())
    return nullptr;
  for (const FieldDecl *Field : Record->getDefinition()->fields())
    if (Field->getName() == Name)
      return Field->getCanonicalDecl();
  return nullptr;
}

std::array<Value, 3> HostSinks::readShape(Value Dim3, QualType Type) {
  std::array<Value, 3> Shape;
  const char *Names[] = {"x", "y", "z"};
  for (unsigned I = 0; I < 3; ++I) {
    const FieldDecl *Field = fieldOf(Type, Names[I]);
    Shape[I] = Field ? Values.part(Dim3, fieldKey(Field), describeUnknown(Dim3))
                     : Values.symbol("an expression");
  }
  return Shape;
}

/// Numbers that were compared for order with what is not known.
static llvm::SmallSet<std::uint64_t, 8>
comparedNumbers(const Knowledge &Known) {
  llvm::SmallSet<std::uint64_t, 8> Numbers;
  for (const auto &[About, Fact] : Known)
    if (About->Tag == ValueNode::Operation &&
        (About->Code == Operator::Less || About->Code == Operator::LessEqual))
      for (Value Side : About->Operands)
        if (Side->isInteger())
          Numbers.insert(Side->Bits);
  return Numbers;
}

/// What is known of them.
static std::uint64_t threadsOf(const LaunchVisit &Visit) {
  std::uint64_t Threads = 1;
  for (Value Each : Visit.Block)
    Threads *= Each->isInteger() ? Each->Bits : 1;
  return Threads;
}

/// As Launch::IsRung.
static bool isRung(const LaunchVisit &Visit, const Knowledge &Known) {
  return llvm::any_of(Known, [&](const auto &Each) {
    const auto &[About, Fact] = Each;
    return About->Tag != ValueNode::Operation && Fact->isInteger() &&
           Fact->Type.Width > 1 && Fact->Bits == threadsOf(Visit);
  });
}

static std::vector<std::int64_t> checkedSizes(const LaunchVisit &Visit,
                                              const Knowledge &Known) {
  std::vector<std::int64_t> Sizes = {
      static_cast<std::int64_t>(threadsOf(Visit))};
  for (Value Each : llvm::concat<const Value>(Visit.Grid, Visit.Block))
    if (Each->isInteger())
      Sizes.push_back(static_cast<std::int64_t>(Each->Bits));
  if (Visit.SharedBytes->isInteger())
    Sizes.push_back(static_cast<std::int64_t>(Visit.SharedBytes->Bits));
  const auto Compared = comparedNumbers(Known);
  llvm::erase_if(Sizes, [&](std::int64_t Size) {
    return !Compared.contains(static_cast<std::uint64_t>(Size));
  });
  llvm::sort(Sizes);
  Sizes.erase(llvm::unique(Sizes), Sizes.end());
  return Sizes;
}

void HostSinks::noteArguments(LaunchVisit &Visit) {
  const Knowledge &Known = Memory.state().Known;
  for (unsigned I = 0; I != Visit.Arguments.size(); ++I) {
    const Value Each = Visit.Arguments[I];
    if (Each->isNumber())
      continue;
    if (const std::optional<std::int64_t> Limit = limitOf(Each, Known))
      Visit.Limits[I] = *Limit;
    if (const std::uint64_t Divisor = divisorOf(Each, Known); Divisor > 1)
      Visit.Multiples[I] = Divisor;
    if (Values.isCounter(Each) || isNotRound(Each, Known))
      Visit.NotRound.insert(I);
  }
}

/// Adds to `Into` what `V` consists of and what that usually is.
static void collectUsual(Value V, ValueFactory &Values, Knowledge &Into,
                         unsigned Depth = 0) {
  if (V->isNumber() || Depth > 20)
    return;
  const bool IsSource =
      V->isSymbolic() || V->isExtremum() ||
      (V->Tag == ValueNode::Operation && V->Code == Operator::Choose);
  if (Value Usual = IsSource ? Values.usual(V) : nullptr;
      Usual && Usual->isNumber()) {
    Into[V] = Usual;
    return;
  }
  for (Value Each : V->Operands)
    collectUsual(Each, Values, Into, Depth + 1);
}

Knowledge HostSinks::usualValues(const std::array<Value, 3> &Of) {
  Knowledge Usual;
  for (Value Each : Of)
    collectUsual(Each, Values, Usual);
  if (Usual.empty())
    return Usual;
  for (const auto &[Condition, Truth] : Memory.state().Known)
    if (Value Usually = Values.resolve(Condition, Usual);
        Usually->isNumber() && Truth->isNumber() &&
        (Usually->Type == Truth->Type ? Usually != Truth
                                      : Usually->isZero() != Truth->isZero()))
      return Knowledge();
  return Usual;
}

void LaunchVisit::settle(const Knowledge &Known, ValueFactory &Values) {
  for (Value *Each : {&Kernel, &SharedBytes, &Block[0], &Block[1], &Block[2]})
    *Each = Values.resolve(*Each, Known);
  // Where only a condition says that there is no block, `if (n == 3)` and
  // n / 64, nobody comes with such an n.
  for (Value &Each : Grid)
    if (const Value Is = Values.resolve(Each, Known);
        Each->isNumber() || !Is->isNumber() || !Is->isZero())
      Each = Is;
  for (Value &Each : Arguments)
    Each = Values.resolve(Each, Known);
}

void HostSinks::beginRoot(bool Never) {
  NeverRuns = Never;
  ++Root;
}

void HostSinks::noteVisit(LaunchVisit Visit) {
  Visit.settle(Memory.state().Known, Values);
  noteArguments(Visit);
  Visit.CheckedSizes = checkedSizes(Visit, Memory.state().Known);
  Visit.IsRung = isRung(Visit, Memory.state().Known);
  Visit.Usual = usualValues(Visit.Block);
  Visit.UsualOfGrid = usualValues(Visit.Grid);
  Visit.NeverRuns = NeverRuns;
  Visit.Root = Root;
  Visit.Moment = ++Clock;
  Visits.Launches.push_back(std::move(Visit));
}

void HostSinks::noteOptIn(const CallExpr &E, Value Kernel, Value Bytes) {
  Visits.OptIns.push_back({.Site = &E,
                           .Kernel = Kernel->function(),
                           .Bytes = Bytes,
                           .Root = Root,
                           .Moment = ++Clock});
}

void HostSinks::noteOuterCall(OuterCallVisit Visit) {
  Visits.OuterCalls.push_back(std::move(Visit));
}

void HostSinks::noteNotFollowed(const FunctionDecl &Definition) {
  Visits.NotFollowed.insert(&Definition);
}

void HostSinks::noteKernelCall(const CUDAKernelCallExpr &E) {
  LaunchVisit Visit;
  Visit.Site = &E;
  Visit.KernelExpr = E.getCallee();
  const CallExpr *Config = E.getConfig();
  auto Setting = [&](unsigned I) {
    return Config && I < Config->getNumArgs()
               ? evaluate(Config->getArg(I))
               : Values.symbol("the launch configuration");
  };
  auto Type = [&](unsigned I) {
    return Config && I < Config->getNumArgs() ? Config->getArg(I)->getType()
                                              : QualType();
  };
  Visit.Grid = readShape(Setting(0), Type(0));
  Visit.Block = readShape(Setting(1), Type(1));
  Visit.SharedBytes = Setting(2);
  Setting(3);
  Visit.Kernel = evaluate(E.getCallee());
  for (const Expr *Argument : E.arguments())
    Visit.Arguments.push_back(evaluate(Argument));
  noteVisit(std::move(Visit));
}

/// `void *Arguments[] = {&a, &b}`: the values that are pointed to.
void HostSinks::readPointers(Value Array, const FunctionDecl *Kernel,
                             LaunchVisit &Visit) {
  MaybePlace First = Memory.pointee(Array);
  for (unsigned I = 0; Kernel && I < Kernel->getNumParams(); ++I) {
    Value Argument = Values.symbol("an argument");
    if (First && !First->Path.empty() && isIndex(First->Path.back())) {
      Place Slot = *First;
      Slot.Path.back() = indexKey(Slot.Path.back() / 2 + I);
      if (MaybePlace Where = Memory.pointee(Memory.read(Slot, "an argument")))
        Argument = Memory.read(*Where, "an argument");
    }
    // The pointers have no type: one to another integer tells nothing.
    NumberType Type = Values.numberType(Kernel->getParamDecl(I)->getType());
    if (Argument->isNumber() && !(Argument->Type == Type))
      Argument = Values.symbol("an argument");
    Visit.Arguments.push_back(Argument);
  }
}

/// Reads a cudaLaunchConfig_t.
void HostSinks::readConfiguration(Value Pointer, QualType Type,
                                  LaunchVisit &Visit) {
  MaybePlace Where = Memory.pointee(Pointer);
  auto Member = [&](llvm::StringRef Name) {
    const FieldDecl *Field = fieldOf(Type, Name);
    if (!Where || !Field)
      return Values.symbol("the launch configuration");
    return Values.part(Memory.read(*Where, "the launch configuration"),
                       fieldKey(Field), "'" + Field->getNameAsString() + "'");
  };
  auto Shape = [&](llvm::StringRef Name) {
    const FieldDecl *Field = fieldOf(Type, Name);
    return readShape(Member(Name), Field ? Field->getType() : QualType());
  };
  Visit.Grid = Shape("gridDim");
  Visit.Block = Shape("blockDim");
  Visit.SharedBytes = Member("dynamicSmemBytes");
}

bool HostSinks::noteLaunchCall(const CallExpr &E, LaunchCall Kind) {
  bool IsEx = Kind == LaunchCall::Ex;
  if (E.getNumArgs() < (IsEx ? 2U : 5U))
    return false;
  LaunchVisit Visit;
  Visit.Site = &E;
  Visit.KernelExpr = E.getArg(IsEx ? 1 : 0);
  Visit.Cooperative = Kind == LaunchCall::Cooperative;
  Visit.Kernel = Memory.resolve(evaluate(Visit.KernelExpr));
  if (!IsEx) {
    Visit.Grid = readShape(evaluate(E.getArg(1)), E.getArg(1)->getType());
    Visit.Block = readShape(evaluate(E.getArg(2)), E.getArg(2)->getType());
    Value Pointers = evaluate(E.getArg(3));
    Visit.SharedBytes = evaluate(E.getArg(4));
    readPointers(Pointers, Visit.Kernel->function(), Visit);
  } else {
    QualType Type = E.getArg(0)->getType()->getPointeeType();
    Value Pointer = evaluate(E.getArg(0));
    readConfiguration(Pointer, Type, Visit);
    bool InArray = E.getDirectCallee()->getName() == "cudaLaunchKernelExC";
    if (InArray && E.getNumArgs() > 2)
      readPointers(evaluate(E.getArg(2)), Visit.Kernel->function(), Visit);
    for (unsigned I = 2; !InArray && I < E.getNumArgs(); ++I)
      Visit.Arguments.push_back(evaluate(E.getArg(I)));
  }
  noteVisit(std::move(Visit));
  return true;
}

static bool hasKnownShape(const LaunchVisit &Visit) {
  return Visit.Kernel->function() &&
         llvm::all_of(Visit.Block, [](Value V) { return V->isInteger(); });
}

void HostVisits::add(HostVisits &&More) {
  llvm::append_range(Launches, More.Launches);
  llvm::append_range(OuterCalls, More.OuterCalls);
  llvm::append_range(OptIns, More.OptIns);
  NotFollowed.insert_range(More.NotFollowed);
  UnknownPlaces.merge(More.UnknownPlaces);
}

HostSinks::Mark HostSinks::mark() const {
  return {Visits.Launches.size(), Visits.OuterCalls.size()};
}

template <class T>
static std::vector<T> cutFrom(std::vector<T> &From, std::size_t First) {
  std::vector<T> Cut(std::make_move_iterator(From.begin() + First),
                     std::make_move_iterator(From.end()));
  From.resize(First);
  return Cut;
}

HostVisits HostSinks::takeBack(const Mark &Start) {
  HostVisits Taken;
  Taken.Launches = cutFrom(Visits.Launches, Start.Launches);
  Taken.OuterCalls = cutFrom(Visits.OuterCalls, Start.OuterCalls);
  return Taken;
}

bool HostSinks::lacksOnly(const Mark &Start, std::uint64_t FirstSymbol) const {
  auto Lacks = [&](Value V) {
    return V && !V->isNumber() && !V->function() && isNewerThan(V, FirstSymbol);
  };
  for (std::size_t I = Start.OuterCalls; I < Visits.OuterCalls.size(); ++I)
    if (llvm::any_of(Visits.OuterCalls[I].Arguments, Lacks))
      return true;
  for (std::size_t I = Start.Launches; I < Visits.Launches.size(); ++I)
    for (const LaunchVisit &Each : outcomesOf(Visits.Launches[I], Values))
      if (Lacks(Each.Kernel) || Lacks(Each.SharedBytes) ||
          llvm::any_of(Each.Block, Lacks) || llvm::any_of(Each.Grid, Lacks))
        return true;
  return false;
}

/// What a choice, a minimum or a maximum depends on first; null for all else.
static Value conditionOf(Value V, ValueFactory &Values) {
  // Conversions of a choice are choices.
  while (V->Tag == ValueNode::Operation && V->Code == Operator::Convert)
    V = V->Operands[0];
  if (V->Tag == ValueNode::Operation && V->Code == Operator::Choose)
    return V->Operands[0];
  if (!V->isExtremum())
    return nullptr;
  for (Value Each : V->Operands)
    if (Value Inner = conditionOf(Each, Values))
      return Inner;
  return Values.binary(Operator::Less, Boolean, V->Operands[0], V->Operands[1]);
}

/// The one condition that block and kernel depend on first; null when there
/// is none or when there are several, whose outcomes may exclude each other.
static Value onlyCondition(const LaunchVisit &Visit, ValueFactory &Values) {
  Value Condition = nullptr;
  for (Value Each :
       {Visit.Kernel, Visit.Block[0], Visit.Block[1], Visit.Block[2]}) {
    if (Each->isInteger() || Each->function())
      continue;
    const Value Own = conditionOf(Each, Values);
    if (!Own || (Condition && Condition != Own))
      return nullptr;
    Condition = Own;
  }
  return Condition;
}

/// Splits further what the visit is on either way of the condition.
static bool splitBy(Value Condition, const LaunchVisit &Visit,
                    ValueFactory &Values, std::vector<LaunchVisit> &Outcomes,
                    bool (&Further)(const LaunchVisit &, ValueFactory &,
                                    std::vector<LaunchVisit> &)) {
  for (bool Truth : {true, false}) {
    Knowledge Known;
    Known[Condition] = Values.boolean(Truth);
    LaunchVisit Outcome = Visit;
    Outcome.settle(Known, Values);
    if (!Further(Outcome, Values, Outcomes))
      return false;
  }
  return true;
}

static bool split(const LaunchVisit &Visit, ValueFactory &Values,
                  std::vector<LaunchVisit> &Outcomes) {
  if (hasKnownShape(Visit)) {
    Outcomes.push_back(Visit);
    return Outcomes.size() <= MaxOutcomes;
  }
  Value Condition = onlyCondition(Visit, Values);
  if (!Condition)
    return false;
  return splitBy(Condition, Visit, Values, Outcomes, split);
}

/// A visit for each kernel; one for all that is not known of it. What else is
/// not known stays so: other conditions may exclude this one.
static bool splitKernels(const LaunchVisit &Visit, ValueFactory &Values,
                         std::vector<LaunchVisit> &Outcomes) {
  const Value Condition = conditionOf(Visit.Kernel, Values);
  if (!Condition) {
    const bool Known = Visit.Kernel->function();
    if (Known || llvm::all_of(Outcomes, [](const LaunchVisit &Each) {
          return Each.Kernel->function();
        }))
      Outcomes.push_back(Visit);
    return Outcomes.size() <= MaxKernels;
  }
  return splitBy(Condition, Visit, Values, Outcomes, splitKernels);
}

std::vector<LaunchVisit> outcomesOf(const LaunchVisit &Visit,
                                    ValueFactory &Values) {
  std::vector<LaunchVisit> Outcomes;
  if (split(Visit, Values, Outcomes))
    return Outcomes;
  Outcomes.clear();
  if (splitKernels(Visit, Values, Outcomes))
    return Outcomes;
  return {Visit};
}

} // namespace cudalint
