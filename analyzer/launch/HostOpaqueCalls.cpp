//===- analyzer/launch/HostOpaqueCalls.cpp - Calls of unseen code ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of library functions it is known what they do, or that they compute; of all
// else that is not run, what it could change is forgotten.
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/HostEvaluator.h"
#include "analyzer/launch/LaunchCalls.h"
#include "analyzer/launch/RuntimeCalls.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/Builtins.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace cudalint {

static std::string calleeName(const FunctionDecl *Callee) {
  return Callee ? "'" + Callee->getNameAsString() + "'"
                : std::string("a call through a pointer");
}

static bool isOfLibrary(const FunctionDecl *Callee) {
  return Callee && (isInSystemHeader(*Callee) || Callee->getBuiltinID());
}

/// Where no body is in sight, input may be what it asks for: scanf, getopt, the
/// user's own in another file. Others do what they do to all they are given.
static Change changeBy(const FunctionDecl *Callee) {
  if (!Callee || Callee->getDefinition())
    return Change::OfProgram;
  const llvm::StringRef Name =
      Callee->getIdentifier() ? Callee->getName() : llvm::StringRef();
  const bool Reads = Name.ends_with("scanf") || Name == "fread";
  return (Callee->getBuiltinID() && !Reads) || Name.starts_with("cuda")
             ? Change::OfProgram
             : Change::OfInput;
}

/// Code out of sight gets to know a function of the user's.
void HostEvaluator::noteCallback(const FunctionDecl &Function) {
  if (const FunctionDecl *Callback = Function.getDefinition()) {
    Sinks.noteNotFollowed(*Callback);
    Memory.distrustChangesOf(*Callback);
  }
}

/// Whether it sets a pointer, to which its first argument leads, to memory to
/// which no other pointer leads.
static bool allocatesOnDevice(const CallExpr &E) {
  return llvm::StringSwitch<bool>(runtimeCall(E))
      .Cases({"cudaMalloc", "cudaMallocAsync", "cudaMallocManaged",
              "cudaMallocPitch"},
             true)
      .Default(false);
}

Value HostEvaluator::allocate(const CallExpr &E, const FunctionDecl &Callee) {
  const llvm::SmallVector<const Expr *, 4> Arguments(E.arguments());
  Value Result = callOpaque(E, &Callee, Arguments, std::nullopt);
  if (Arguments.empty() ||
      Arguments.front()->HasSideEffects(Callee.getASTContext()))
    return Result;
  // The library does not keep where the pointer is.
  auto Escaped = Memory.state().Escaped;
  if (const MaybePlace Where =
          Memory.pointee(Memory.resolve(evaluate(Arguments.front())));
      Where && Where->Exact)
    Memory.store(Where, {}, Values.allocation("the memory of 'cudaMalloc'"));
  Memory.setEscaped(std::move(Escaped));
  return Result;
}

/// Whether it is a function of the runtime or the driver, by its name, by what
/// it is given, and by where it is declared: no method, and in no namespace.
static bool asksForProperties(const FunctionDecl &Callee,
                              llvm::StringRef Name) {
  if (isa<CXXMethodDecl>(Callee) || Callee.getNumParams() < 2 ||
      !Callee.getDeclContext()->getRedeclContext()->isTranslationUnit())
    return false;
  const QualType To = Callee.getParamDecl(0)->getType()->getPointeeType();
  if (To.isNull())
    return false;
  const RecordDecl *Record = To->getAsRecordDecl();
  if (!Record && !To->isSpecificBuiltinType(BuiltinType::Int))
    return false;
  return llvm::StringSwitch<bool>(Name)
      .Cases({"cudaGetDeviceProperties", "cudaGetDeviceProperties_v2",
              "cudaDeviceGetAttribute", "cuDeviceGetAttribute"},
             true)
      .Default(false);
}

/// Stores what the first argument leads to: a cudaDeviceProp, or the attribute
/// that the second one is the number of.
Value HostEvaluator::askForProperty(const CallExpr &E,
                                    const FunctionDecl &Callee) {
  const llvm::SmallVector<const Expr *, 4> Arguments(E.arguments());
  Value Result = callOpaque(E, &Callee, Arguments, std::nullopt);
  if (Arguments.size() < 2 ||
      Arguments[0]->HasSideEffects(Callee.getASTContext()) ||
      Arguments[1]->HasSideEffects(Callee.getASTContext()))
    return Result;
  // The library does not keep where the answer is.
  auto Escaped = Memory.state().Escaped;
  const MaybePlace Where =
      Memory.pointee(Memory.resolve(evaluate(Arguments[0])));
  Memory.setEscaped(std::move(Escaped));
  if (!Where || !Where->Exact)
    return Result;
  const QualType Type = Callee.getParamDecl(0)->getType()->getPointeeType();
  const RecordDecl *Record = Type->getAsRecordDecl();
  if (!Record) {
    const auto Asked = integerOf(Memory.resolve(evaluate(Arguments[1])));
    for (const DeviceProperty &Each : Properties)
      if (Asked == Each.Attribute)
        Memory.store(Where, Type,
                     Values.integer(Values.numberType(Type),
                                    static_cast<std::uint64_t>(Each.Value)));
    return Result;
  }
  for (const FieldDecl *Field : Record->fields())
    for (const DeviceProperty &Each : Properties) {
      if (Field->getName() != Each.Field)
        continue;
      Place Part = *Where;
      Part.Path.push_back(fieldKey(Field->getCanonicalDecl()));
      QualType PartType = Field->getType();
      if (Each.Element) {
        Part.Path.push_back(indexKey(*Each.Element));
        PartType = QualType(PartType->getBaseElementTypeUnsafe(), 0);
      }
      if (const NumberType Number = Values.numberType(PartType))
        Memory.store(
            Part, PartType,
            Values.integer(Number, static_cast<std::uint64_t>(Each.Value)));
    }
  return Result;
}

std::optional<Value> HostEvaluator::knownCall(const CallExpr &E,
                                              const FunctionDecl &Callee) {
  switch (Callee.getBuiltinID()) {
  case Builtin::BImove:
  case Builtin::BImove_if_noexcept:
  case Builtin::BIforward:
  case Builtin::BIforward_like:
  case Builtin::BIas_const:
    return Expressions.bindReference(E.getArg(0));
  case Builtin::BIaddressof:
  case Builtin::BI__addressof:
  case Builtin::BI__builtin_addressof:
    return Expressions.bindMember(E.getArg(0), E.getArg(0)->getType());
  default:
    break;
  }
  if (!Callee.getIdentifier())
    return std::nullopt;
  llvm::StringRef Name = Callee.getName();
  // It returns again, with whatever has been stored until then.
  if (Name.ends_with("setjmp") || Name == "__sigsetjmp") {
    Memory.distrustAllChanges();
    return Values.symbol("the result of 'setjmp'");
  }
  if (Name == "__builtin_expect" && E.getNumArgs() == 2)
    return evaluate(E.getArg(0));
  if (Name == "cudaFuncSetAttribute" && E.getNumArgs() == 3) {
    Value Kernel = Memory.resolve(evaluate(E.getArg(0)));
    if (setsSharedMemory(E))
      Sinks.noteOptIn(E, Kernel, Memory.resolve(evaluate(E.getArg(2))));
    return Values.symbol("the result of 'cudaFuncSetAttribute'");
  }
  if (allocatesOnDevice(E))
    return allocate(E, Callee);
  bool IsLibrary = Callee.getBuiltinID() || !Callee.getDefinition() ||
                   isInSystemHeader(Callee);
  if (IsLibrary && asksForProperties(Callee, Name))
    return askForProperty(E, Callee);
  return IsLibrary ? mathCall(E, Name) : std::nullopt;
}

/// Functions of <cmath> and <algorithm> that launches are computed with.
std::optional<Value> HostEvaluator::mathCall(const CallExpr &E,
                                             llvm::StringRef Name) {
  Name.consume_front("__builtin_");
  NumberType Type = Values.numberType(E.getType());
  for (const Expr *Each : E.arguments())
    if (!Values.numberType(Each->getType()))
      return std::nullopt;
  if (!Type)
    return std::nullopt;
  auto Argument = [&](unsigned I) {
    return Values.convert(Values.numberType(E.getArg(I)->getType()), Type,
                          evaluate(E.getArg(I)));
  };
  if (E.getNumArgs() == 2) {
    bool Least = Name == "min" || Name == "fmin" || Name == "fminf" ||
                 Name == "umin" || Name == "__min";
    bool Most = Name == "max" || Name == "fmax" || Name == "fmaxf" ||
                Name == "umax" || Name == "__max";
    bool Power = Name == "pow" || Name == "powf";
    if (!Least && !Most && !Power)
      return std::nullopt;
    Value Left = Argument(0);
    Value Right = Argument(1);
    if (Power)
      return Type.Kind == NumberType::Real
                 ? Values.binary(Operator::Power, Type, Left, Right)
                 : Values.unknown(&E);
    Value RightWins = Values.binary(Operator::Less, Boolean,
                                    Least ? Right : Left, Least ? Left : Right);
    return Values.choose(RightWins, Right, Left);
  }
  if (E.getNumArgs() != 1)
    return std::nullopt;
  auto Code =
      llvm::StringSwitch<std::optional<Operator>>(Name)
          .Cases({"ceil", "ceilf"}, Operator::Ceil)
          .Cases({"floor", "floorf"}, Operator::Floor)
          .Cases({"trunc", "truncf"}, Operator::Truncate)
          .Cases({"round", "roundf"}, Operator::Round)
          .Cases({"sqrt", "sqrtf"}, Operator::SquareRoot)
          .Cases({"log2", "log2f"}, Operator::Log2)
          .Cases({"abs", "labs", "llabs", "fabs", "fabsf"}, Operator::Absolute)
          .Default(std::nullopt);
  if (!Code || (*Code != Operator::Absolute && Type.Kind != NumberType::Real))
    return std::nullopt;
  return Values.unary(*Code, Type, Argument(0));
}

/// True if what the library makes may hold the pointers, or with
/// `References` the references, that it is given: std::bind, std::tie.
bool HostEvaluator::mayKeep(const CXXRecordDecl *Made,
                            const FunctionDecl *Callee, bool References) {
  if (!Made || !Callee || Callee->isExternC())
    return false;
  if (!References)
    return true;
  const auto *Template = dyn_cast<ClassTemplateSpecializationDecl>(Made);
  auto IsReference = [](const TemplateArgument &Each) {
    return Each.getKind() == TemplateArgument::Type &&
           Each.getAsType()->isReferenceType();
  };
  return Template &&
         (Template->getName() == "reference_wrapper" ||
          llvm::any_of(Template->getTemplateArgs().asArray(),
                       [&](const TemplateArgument &Each) {
                         return Each.getKind() == TemplateArgument::Pack
                                    ? llvm::any_of(Each.pack_elements(),
                                                   IsReference)
                                    : IsReference(Each);
                       }));
}

/// What a call does with what it gets by reference.
void HostEvaluator::passReference(const Expr &E, const FunctionDecl *Callee,
                                  const Expr &Argument, QualType Type) {
  if (Argument.getType()->isFunctionType()) {
    if (const FunctionDecl *Function = evaluate(&Argument)->function())
      noteCallback(*Function);
    return;
  }
  MaybePlace Where = locate(&Argument);
  if (!Where)
    return;
  Value Old =
      Where->Exact ? Memory.load(Where, &Argument) : Values.unknown(&Argument);
  if (Old->Tag == ValueNode::Lambda)
    return runEscapedLambda(Old);
  // Const is the object, and not what a pointer in it leads to.
  const bool IsLibrary = isOfLibrary(Callee);
  const CXXRecordDecl *Made = E.getType()->getAsCXXRecordDecl();
  if (IsLibrary && mayKeep(Made, Callee, /*References=*/false))
    Memory.distrustReferents(Old);
  Memory.forgetReachable(Old, calleeName(Callee), changeBy(Callee));
  if (Type.getNonReferenceType().isConstQualified())
    return;
  // What it returns may lead there.
  if (!IsLibrary ||
      (!Callee->isExternC() && (E.isGLValue() || E.getType()->isPointerType())))
    Memory.escape(Where->Object);
  else if (mayKeep(Made, Callee, /*References=*/true))
    Memory.distrust(Where->Object);
  Memory.forget(*Where, calleeName(Callee), changeBy(Callee));
}

/// The same by value; returns the value.
Value HostEvaluator::passValue(const Expr &E, const FunctionDecl *Callee,
                               const Expr &Argument, QualType Type) {
  const bool IsLibrary = isOfLibrary(Callee);
  // The library does not keep the pointers that it is given; what else makes
  // them may do so.
  auto Escaped = Memory.state().Escaped;
  Value Given = Memory.resolve(evaluate(&Argument));
  if (const FunctionDecl *Function = Given->function())
    noteCallback(*Function);
  if (Given->Tag == ValueNode::Lambda)
    runEscapedLambda(Given);
  else if (IsLibrary && !Argument.HasSideEffects(Callee->getASTContext()))
    Memory.setEscaped(std::move(Escaped));
  if (IsLibrary &&
      mayKeep(E.getType()->getAsCXXRecordDecl(), Callee, /*References=*/false))
    Memory.distrustReferents(Given);
  QualType Pointee = Type->getPointeeType();
  if (Pointee.isNull() || !Pointee.isConstQualified())
    Memory.forgetReachable(Given, calleeName(Callee), changeBy(Callee));
  return Given;
}

/// A function that cannot be run: what it could change is forgotten.
Value HostEvaluator::callOpaque(const Expr &E, const FunctionDecl *Callee,
                                llvm::ArrayRef<const Expr *> Arguments,
                                MaybePlace This) {
  const std::string Name = calleeName(Callee);
  const bool IsLibrary = isOfLibrary(Callee);
  std::vector<Value> Passed(Arguments.size(), nullptr);
  for (unsigned I = 0; I < Arguments.size(); ++I) {
    QualType Type = Callee && I < Callee->getNumParams()
                        ? Callee->getParamDecl(I)->getType()
                        : Arguments[I]->getType();
    if (Type->isReferenceType()) {
      passReference(E, Callee, *Arguments[I], Type);
      continue;
    }
    Value Given = passValue(E, Callee, *Arguments[I], Type);
    if (Values.numberType(Type).Kind == NumberType::Integer)
      Passed[I] = Given;
  }
  if (const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Callee);
      Method && This && !Method->isStatic()) {
    if (This->Exact)
      Memory.forgetReachable(Memory.read(*This, ""), Name, changeBy(Callee));
    if (!Method->isConst()) {
      Memory.forget(*This, Name, changeBy(Callee));
      if (!IsLibrary)
        Memory.escape(This->Object);
    }
  }
  if (const auto *Call = dyn_cast<CallExpr>(&E); Call && Callee && !IsLibrary &&
                                                 !Callee->getDefinition() &&
                                                 !Code.OuterCalls.empty())
    Sinks.noteOuterCall(
        {.Site = Call, .Callee = Callee, .Arguments = std::move(Passed)});
  if (!IsLibrary)
    Memory.forgetOutOfSight(Name, changeBy(Callee));
  if (Callee && (Callee->isNoReturn() || Callee->getNameAsString() == "exit" ||
                 Callee->getNameAsString() == "abort"))
    Memory.setLive(EvenDead);
  return isa<CXXConstructExpr>(E)
             ? Values.symbol("an object made by " + Name)
             : Values.symbol(Callee ? "the result of " + Name : Name);
}

/// True unless no code behind the lambda, or around it, assigns the variable.
/// A reference to it that is passed on there counts for nothing: mostly, it is
/// only read, as by std::thread.
bool HostEvaluator::mayChangeBehind(const LambdaExpr &E,
                                    const VarDecl &Variable) {
  const auto *Body = Top && Variable.getDeclContext() == Top->Function
                         ? dyn_cast<CompoundStmt>(Top->Function->getBody())
                         : nullptr;
  const VarDecl *Named = Variable.getCanonicalDecl();
  return !Body || llvm::any_of(Body->body(), [&](const Stmt *Each) {
    const EffectSummary &Effects = Memory.effectsIn(Each);
    return E.getBeginLoc() < Each->getEndLoc() &&
           Effects.Changed.contains(Named) && !Effects.Leaked.contains(Named);
  });
}

/// Something out of sight has the lambda and may call it, at any time: run it
/// for its launches, with nothing known of what may have changed by then.
void HostEvaluator::runEscapedLambda(Value Lambda) {
  const auto &E = *static_cast<const LambdaExpr *>(Lambda->Entity);
  const CXXMethodDecl *Operator = E.getCallOperator();
  if (Operator && Operator->getBody() && canRun(*Operator)) {
    HostState Before = Memory.state();
    for (const LambdaCapture &Capture : E.captures()) {
      const auto *Variable = Capture.capturesVariable()
                                 ? dyn_cast<VarDecl>(Capture.getCapturedVar())
                                 : nullptr;
      if (Variable && Capture.getCaptureKind() == LCK_ByRef &&
          (Code.Changed.contains(Variable->getCanonicalDecl()) ||
           Variable->getType()->isReferenceType()))
        Memory.forgetVariable(*Variable,
                              "which may change before the lambda runs",
                              mayChangeBehind(E, *Variable) ? Change::OfProgram
                                                            : Change::OfInput);
    }
    for (unsigned I = 0; I < Lambda->Keys.size(); ++I)
      if (isIndex(Lambda->Keys[I]))
        Memory.forget(Lambda->Operands[I]->place(),
                      "other code before the lambda");
    Memory.forgetOutOfSight("other code before the lambda", Change::OfInput);
    runLambda(Lambda, *Operator, {});
    Memory.exchange(std::move(Before));
  }
  for (const VarDecl *Each : Memory.effectsIn(E.getBody()).Changed)
    Memory.forgetVariable(*Each, "set by a lambda");
  Memory.forgetOutOfSight("a lambda");
}

} // namespace cudalint
