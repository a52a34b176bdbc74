//===- analyzer/launch/HostLaunches.cpp - Launches met on the way ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/HostEvaluator.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"

using namespace clang;

namespace cudalint {

/// More outcomes of one launch than this are too many to tell.
static constexpr std::size_t MaxOutcomes = 8;

static const FieldDecl *fieldOf(QualType Type, llvm::StringRef Name) {
  const RecordDecl *Record = Type->getAsRecordDecl();
  if (!Record || !Record->getDefinition())
    return nullptr;
  for (const FieldDecl *Field : Record->getDefinition()->fields())
    if (Field->getName() == Name)
      return Field->getCanonicalDecl();
  return nullptr;
}

std::array<Value, 3> HostEvaluator::readShape(Value Dim3, QualType Type) {
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

static std::vector<std::int64_t> checkedSizes(const LaunchVisit &Visit,
                                              const Knowledge &Known) {
  std::vector<std::int64_t> Sizes;
  std::uint64_t Threads = 1;
  for (Value Each : Visit.Block)
    Threads *= Each->isInteger() ? Each->Bits : 1;
  Sizes.push_back(static_cast<std::int64_t>(Threads));
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

/// Adds to `Into` what `V` consists of and what that usually is.
static void collectUsual(Value V, ValueFactory &Values, Knowledge &Into,
                         unsigned Depth = 0) {
  if (V->isNumber() || Depth > 20)
    return;
  const bool IsSource = V->isSymbolic() || (V->Tag == ValueNode::Operation &&
                                            V->Code == Operator::Choose);
  if (Value Usual = IsSource ? Values.usual(V) : nullptr;
      Usual && Usual->isNumber()) {
    Into[V] = Usual;
    return;
  }
  for (Value Each : V->Operands)
    collectUsual(Each, Values, Into, Depth + 1);
}

Knowledge HostEvaluator::usualValues(const LaunchVisit &Visit) {
  Knowledge Usual;
  for (Value Each : Visit.Block)
    collectUsual(Each, Values, Usual);
  if (Usual.empty())
    return Usual;
  for (const auto &[Condition, Truth] : State.Known)
    if (Value Usually = Values.resolve(Condition, Usual);
        Usually->isNumber() && Truth->isNumber() &&
        (Usually->Type == Truth->Type ? Usually != Truth
                                      : Usually->isZero() != Truth->isZero()))
      return Knowledge();
  return Usual;
}

void HostEvaluator::noteVisit(LaunchVisit Visit) {
  auto Settle = [this](Value &V) { V = Values.resolve(V, State.Known); };
  Settle(Visit.Kernel);
  Settle(Visit.SharedBytes);
  for (unsigned I = 0; I < 3; ++I) {
    Settle(Visit.Grid[I]);
    Settle(Visit.Block[I]);
  }
  for (Value &Each : Visit.Arguments)
    Settle(Each);
  Visit.CheckedSizes = checkedSizes(Visit, State.Known);
  Visit.Usual = usualValues(Visit);
  Visit.NeverRuns = EvenDead;
  Visit.Root = Root;
  Visit.Moment = ++Clock;
  Visits.push_back(std::move(Visit));
}

void HostEvaluator::noteKernelCall(const CUDAKernelCallExpr &E) {
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
                                              : Context.IntTy;
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
void HostEvaluator::readPointers(Value Array, const FunctionDecl *Kernel,
                                 LaunchVisit &Visit) {
  MaybePlace First = pointee(Array);
  for (unsigned I = 0; Kernel && I < Kernel->getNumParams(); ++I) {
    Value Argument = Values.symbol("an argument");
    if (First && !First->Path.empty() && isIndex(First->Path.back())) {
      Place Slot = *First;
      Slot.Path.back() = indexKey(Slot.Path.back() / 2 + I);
      Value Pointer = contents(Slot.Object);
      for (PartKey Key : Slot.Path)
        Pointer = Values.part(Pointer, Key, "an argument");
      if (MaybePlace Where = pointee(Pointer)) {
        Argument = contents(Where->Object);
        for (PartKey Key : Where->Path)
          Argument = Values.part(Argument, Key, "an argument");
      }
    }
    // The pointers have no type: one to another integer tells nothing.
    NumberType Type = numberType(Kernel->getParamDecl(I)->getType());
    if (Argument->isNumber() && !(Argument->Type == Type))
      Argument = Values.symbol("an argument");
    Visit.Arguments.push_back(Argument);
  }
}

/// Reads a cudaLaunchConfig_t.
void HostEvaluator::readConfiguration(Value Pointer, QualType Type,
                                      LaunchVisit &Visit) {
  MaybePlace Where = pointee(Pointer);
  auto Member = [&](llvm::StringRef Name) {
    const FieldDecl *Field = fieldOf(Type, Name);
    if (!Where || !Field)
      return Values.symbol("the launch configuration");
    Value Result = contents(Where->Object);
    for (PartKey Key : Where->Path)
      Result = Values.part(Result, Key, "the launch configuration");
    return Values.part(Result, fieldKey(Field),
                       "'" + Field->getNameAsString() + "'");
  };
  auto Shape = [&](llvm::StringRef Name) {
    const FieldDecl *Field = fieldOf(Type, Name);
    return readShape(Member(Name), Field ? Field->getType() : Context.IntTy);
  };
  Visit.Grid = Shape("gridDim");
  Visit.Block = Shape("blockDim");
  Visit.SharedBytes = Member("dynamicSmemBytes");
}

void HostEvaluator::noteLaunchCall(const CallExpr &E, LaunchCall Kind) {
  bool IsEx = Kind == LaunchCall::Ex;
  if (E.getNumArgs() < (IsEx ? 2U : 5U)) {
    evaluateUnhandled(&E);
    return;
  }
  LaunchVisit Visit;
  Visit.Site = &E;
  Visit.KernelExpr = E.getArg(IsEx ? 1 : 0);
  Visit.Cooperative = Kind == LaunchCall::Cooperative;
  Visit.Kernel = Values.resolve(evaluate(Visit.KernelExpr), State.Known);
  if (!IsEx) {
    Visit.Grid = readShape(evaluate(E.getArg(1)), E.getArg(1)->getType());
    Visit.Block = readShape(evaluate(E.getArg(2)), E.getArg(2)->getType());
    Value Pointers = evaluate(E.getArg(3));
    Visit.SharedBytes = evaluate(E.getArg(4));
    readPointers(Pointers, Visit.Kernel->function(), Visit);
  } else {
    QualType Type = E.getArg(0)->getType()->getPointeeType();
    Value Pointer = evaluate(E.getArg(0));
    readConfiguration(Pointer, Type.isNull() ? Context.IntTy : Type, Visit);
    bool InArray = E.getDirectCallee()->getName() == "cudaLaunchKernelExC";
    if (InArray && E.getNumArgs() > 2)
      readPointers(evaluate(E.getArg(2)), Visit.Kernel->function(), Visit);
    for (unsigned I = 2; !InArray && I < E.getNumArgs(); ++I)
      Visit.Arguments.push_back(evaluate(E.getArg(I)));
  }
  noteVisit(std::move(Visit));
}

static bool hasKnownShape(const LaunchVisit &Visit) {
  return Visit.Kernel->function() &&
         llvm::all_of(Visit.Block, [](Value V) { return V->isInteger(); });
}

/// True when something of a launch or of a call of another file's function is
/// not known only for symbols that were made after `FirstSymbol`: turn by turn,
/// a loop may tell it.
bool HostEvaluator::lacksOnly(const Checkpoint &Start,
                              std::uint64_t FirstSymbol) {
  auto Lacks = [&](Value V) {
    return V && !V->isNumber() && !V->function() && isNewerThan(V, FirstSymbol);
  };
  for (std::size_t I = Start.OuterCalls; I < OuterCalls.size(); ++I)
    if (llvm::any_of(OuterCalls[I].Arguments, Lacks))
      return true;
  for (std::size_t I = Start.Visits; I < Visits.size(); ++I) {
    for (const LaunchVisit &Each : outcomesOf(Visits[I], Values))
      if (Lacks(Each.Kernel) || Lacks(Each.SharedBytes) ||
          llvm::any_of(Each.Block, Lacks) || llvm::any_of(Each.Grid, Lacks))
        return true;
  }
  return false;
}

/// The one condition that block and kernel depend on first; null when there
/// is none or when there are several, whose outcomes may exclude each other.
static Value onlyCondition(const LaunchVisit &Visit) {
  Value Condition = nullptr;
  for (Value Each :
       {Visit.Kernel, Visit.Block[0], Visit.Block[1], Visit.Block[2]}) {
    // Conversions of a choice are choices.
    while (Each->Tag == ValueNode::Operation && Each->Code == Operator::Convert)
      Each = Each->Operands[0];
    if (Each->isInteger() || Each->function())
      continue;
    if (Each->Tag != ValueNode::Operation || Each->Code != Operator::Choose ||
        (Condition && Condition != Each->Operands[0]))
      return nullptr;
    Condition = Each->Operands[0];
  }
  return Condition;
}

static bool split(const LaunchVisit &Visit, ValueFactory &Values,
                  std::vector<LaunchVisit> &Outcomes) {
  if (hasKnownShape(Visit)) {
    Outcomes.push_back(Visit);
    return Outcomes.size() <= MaxOutcomes;
  }
  Value Condition = onlyCondition(Visit);
  if (!Condition)
    return false;
  for (bool Truth : {true, false}) {
    Knowledge Known;
    Known[Condition] = Values.boolean(Truth);
    LaunchVisit Outcome = Visit;
    auto Settle = [&](Value &V) { V = Values.resolve(V, Known); };
    Settle(Outcome.Kernel);
    Settle(Outcome.SharedBytes);
    for (unsigned I = 0; I < 3; ++I) {
      Settle(Outcome.Grid[I]);
      Settle(Outcome.Block[I]);
    }
    for (Value &Each : Outcome.Arguments)
      Settle(Each);
    if (!split(Outcome, Values, Outcomes))
      return false;
  }
  return true;
}

std::vector<LaunchVisit> outcomesOf(const LaunchVisit &Visit,
                                    ValueFactory &Values) {
  std::vector<LaunchVisit> Outcomes;
  if (split(Visit, Values, Outcomes))
    return Outcomes;
  return {Visit};
}

} // namespace cudalint
