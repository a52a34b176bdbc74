//===- analyzer/launch/HostCalls.cpp - Calls in host code -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/HostEvaluator.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace cudalint {

/// Calls within calls that are followed.
static constexpr unsigned MaxFrames = 24;

static std::string calleeName(const FunctionDecl *Callee) {
  return Callee ? "'" + Callee->getNameAsString() + "'"
                : std::string("a call through a pointer");
}

static bool isArithmetic(QualType Type) {
  return Type.getNonReferenceType()->isArithmeticType() ||
         Type.getNonReferenceType()->isEnumeralType();
}

/// Of the headers' functions, those that compute are worth running.
static bool onlyComputes(const FunctionDecl &Callee) {
  return Callee.isConstexpr() ||
         llvm::all_of(Callee.parameters(), [](const ParmVarDecl *Parameter) {
           return isArithmetic(Parameter->getType());
         });
}

/// True unless a part of the record is copied by code of the user's.
static bool copiesPlainly(const CXXRecordDecl &Record, unsigned Depth = 0) {
  if (!Record.hasDefinition() || Depth > 8)
    return false;
  auto IsPlain = [&](QualType Type) {
    const auto *Part =
        QualType(Type->getBaseElementTypeUnsafe(), 0)->getAsCXXRecordDecl();
    if (!Part || isInSystemHeader(Part->getASTContext(), Part->getLocation()))
      return true;
    if (!Part->hasDefinition())
      return false;
    return !Part->hasUserDeclaredCopyConstructor() &&
           !Part->hasUserDeclaredCopyAssignment() &&
           !Part->hasUserDeclaredMoveOperation() &&
           copiesPlainly(*Part, Depth + 1);
  };
  return llvm::all_of(Record.fields(),
                      [&](const FieldDecl *Field) {
                        return IsPlain(Field->getType());
                      }) &&
         llvm::all_of(Record.bases(), [&](const CXXBaseSpecifier &Base) {
           return IsPlain(Base.getType());
         });
}

bool HostEvaluator::canRun(const FunctionDecl &Callee) const {
  if (Callee.isDependentContext() || Callee.isInvalidDecl() ||
      Callee.hasAttr<CUDAGlobalAttr>() ||
      (Callee.hasAttr<CUDADeviceAttr>() && !Callee.hasAttr<CUDAHostAttr>()))
    return false;
  unsigned Frames = 0;
  for (const Frame *Each = Top; Each; Each = Each->Caller)
    if (++Frames > 2 * MaxFrames || Each->Function == &Callee)
      return false;
  if (isInSystemHeader(Context, Callee.getLocation()))
    return onlyComputes(Callee);
  const EffectSummary *Effects = Code.effectsOf(Callee);
  return !(Effects && Effects->TooDeep) && Steps <= StepLimit &&
         Frames <= MaxFrames;
}

Value HostEvaluator::call(const CallExpr &E) {
  if (const auto *Kernel = dyn_cast<CUDAKernelCallExpr>(&E)) {
    noteKernelCall(*Kernel);
    return Values.symbol("the result of a launch");
  }
  const FunctionDecl *Callee = E.getDirectCallee();
  if (LaunchCall Kind = launchCallOf(Callee); Kind != LaunchCall::None) {
    noteLaunchCall(E, Kind);
    return Values.symbol("the result of a launch");
  }
  if (!Callee) {
    Value Target = Values.resolve(evaluate(E.getCallee()), State.Known);
    Callee = Target->function();
    // Any of those that could be meant.
    if (!Callee)
      for (const FunctionDecl *Each : Code.AddressTaken)
        if (Each->getNumParams() == E.getNumArgs())
          NotFollowed.insert(Each);
  }
  llvm::SmallVector<const Expr *, 8> Arguments(E.arguments());
  MaybePlace This;
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Callee);
  bool IsVirtual = Method && Method->isVirtual();
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(&E);
      Operator && Method && !Method->isStatic()) {
    if ((Method->isCopyAssignmentOperator() ||
         Method->isMoveAssignmentOperator()) &&
        Method->isDefaulted() && copiesPlainly(*Method->getParent()))
      return assignObject(*Operator);
    if (Method->getParent()->isLambda()) {
      Value Lambda = Values.resolve(evaluate(Arguments[0]), State.Known);
      if (Lambda->Tag == ValueNode::Lambda)
        return callLambda(Lambda, *Method,
                          llvm::ArrayRef(Arguments).drop_front());
    }
    This = locate(Arguments[0]);
    Arguments.erase(Arguments.begin());
  } else if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&E)) {
    const Expr *Object = Member->getImplicitObjectArgument();
    This = Object->getType()->isPointerType() ? pointee(evaluate(Object))
                                              : locate(Object);
  }
  if (Callee)
    if (std::optional<Value> Known = knownCall(E, *Callee))
      return *Known;
  const FunctionDecl *Definition = Callee ? Callee->getDefinition() : nullptr;
  if (Definition && Definition->getBody() && !IsVirtual && canRun(*Definition))
    return callDefinition(*Definition, Arguments, This);
  if (Definition && !IsVirtual)
    NotFollowed.insert(Definition);
  return callOpaque(E, Callee, Arguments, This);
}

Value HostEvaluator::assignObject(const CXXOperatorCallExpr &E) {
  Value New = evaluate(E.getArg(1));
  MaybePlace To = locate(E.getArg(0));
  store(To, E.getArg(0)->getType(), New);
  return To && To->Exact ? Values.address(*To) : unknown(&E);
}

std::optional<Value> HostEvaluator::knownCall(const CallExpr &E,
                                              const FunctionDecl &Callee) {
  if (!Callee.getIdentifier())
    return std::nullopt;
  llvm::StringRef Name = Callee.getName();
  // It returns again, with whatever has been stored until then.
  if (Name.ends_with("setjmp") || Name == "__sigsetjmp") {
    for (const VarDecl *Each : Code.Changed)
      if (Each->hasGlobalStorage() || State.Objects.contains(Each))
        State.Unsteady.insert(Each);
    return Values.symbol("the result of 'setjmp'");
  }
  if (Name == "__builtin_expect" && E.getNumArgs() == 2)
    return evaluate(E.getArg(0));
  if (Name == "cudaFuncSetAttribute" && E.getNumArgs() == 3) {
    Value Kernel = Values.resolve(evaluate(E.getArg(0)), State.Known);
    const auto *Which =
        dyn_cast<DeclRefExpr>(E.getArg(1)->IgnoreParenImpCasts());
    if (Which && Which->getDecl()->getName() ==
                     "cudaFuncAttributeMaxDynamicSharedMemorySize")
      OptIns.push_back(
          {.Site = &E,
           .Kernel = Kernel->function(),
           .Bytes = Values.resolve(evaluate(E.getArg(2)), State.Known),
           .Root = Root,
           .Moment = ++Clock});
    return Values.symbol("the result of 'cudaFuncSetAttribute'");
  }
  bool IsLibrary = Callee.getBuiltinID() || !Callee.getDefinition() ||
                   isInSystemHeader(Context, Callee.getLocation());
  return IsLibrary ? mathCall(E, Name) : std::nullopt;
}

/// Functions of <cmath> and <algorithm> that launches are computed with.
std::optional<Value> HostEvaluator::mathCall(const CallExpr &E,
                                             llvm::StringRef Name) {
  Name.consume_front("__builtin_");
  NumberType Type = numberType(E.getType());
  for (const Expr *Each : E.arguments())
    if (!numberType(Each->getType()))
      return std::nullopt;
  if (!Type)
    return std::nullopt;
  auto Argument = [&](unsigned I) {
    return Values.convert(numberType(E.getArg(I)->getType()), Type,
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
                 : unknown(&E);
    Value RightWins =
        Values.binary(Operator::Less, {NumberType::Integer, 1, false},
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

/// True if what the library makes there may hold the pointers, or with
/// `References` the references, that it is given: std::bind, std::tie.
static bool mayKeep(const Expr &E, const FunctionDecl *Callee,
                    bool References) {
  const CXXRecordDecl *Made = E.getType()->getAsCXXRecordDecl();
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

/// A function that cannot be run: what it could change is forgotten.
Value HostEvaluator::callOpaque(const Expr &E, const FunctionDecl *Callee,
                                llvm::ArrayRef<const Expr *> Arguments,
                                MaybePlace This) {
  std::string Name = calleeName(Callee);
  bool IsLibrary =
      Callee && (isInSystemHeader(Context, Callee->getLocation()) ||
                 Callee->getBuiltinID());
  std::vector<Value> Passed(Arguments.size(), nullptr);
  for (unsigned I = 0; I < Arguments.size(); ++I) {
    const Expr *Argument = Arguments[I];
    QualType Type = Callee && I < Callee->getNumParams()
                        ? Callee->getParamDecl(I)->getType()
                        : Argument->getType();
    if (Type->isReferenceType()) {
      if (Argument->getType()->isFunctionType()) {
        if (const FunctionDecl *Function = evaluate(Argument)->function())
          noteCallback(*Function);
        continue;
      }
      MaybePlace Where = locate(Argument);
      if (!Where)
        continue;
      Value Old = Where->Exact ? load(Where, Argument) : unknown(Argument);
      if (Old->Tag == ValueNode::Lambda)
        runEscapedLambda(Old);
      if (Type.getNonReferenceType().isConstQualified() ||
          Old->Tag == ValueNode::Lambda)
        continue;
      // What it returns may lead there: std::addressof.
      bool Leads =
          !IsLibrary || (!Callee->isExternC() &&
                         (E.isGLValue() || E.getType()->isPointerType()));
      if (Leads)
        State.Escaped.insert(Where->Object);
      else if (mayKeep(E, Callee, /*References=*/true))
        State.Unsteady.insert(Where->Object);
      if (Old->Tag == ValueNode::Address && IsLibrary &&
          mayKeep(E, Callee, /*References=*/false))
        State.Unsteady.insert(Old->place().Object);
      forgetReachable(Old, Name);
      forget(*Where, Name);
      continue;
    }
    // The library does not keep the pointers that it is given.
    auto Escaped = State.Escaped;
    Value Given = Values.resolve(evaluate(Argument), State.Known);
    if (numberType(Type).Kind == NumberType::Integer)
      Passed[I] = Given;
    if (const FunctionDecl *Function = Given->function())
      noteCallback(*Function);
    if (Given->Tag == ValueNode::Lambda)
      runEscapedLambda(Given);
    else if (IsLibrary)
      State.Escaped = std::move(Escaped);
    if (Given->Tag == ValueNode::Address && IsLibrary &&
        mayKeep(E, Callee, /*References=*/false))
      State.Unsteady.insert(Given->place().Object);
    QualType Pointee = Type->getPointeeType();
    if (Pointee.isNull() || !Pointee.isConstQualified())
      forgetReachable(Given, Name);
  }
  if (const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Callee);
      Method && This && !Method->isConst() && !Method->isStatic()) {
    forget(*This, Name);
    if (!IsLibrary)
      State.Escaped.insert(This->Object);
  }
  if (const auto *Call = dyn_cast<CallExpr>(&E); Call && Callee && !IsLibrary &&
                                                 !Callee->getDefinition() &&
                                                 !Code.OuterCalls.empty())
    OuterCalls.push_back(
        {.Site = Call, .Callee = Callee, .Arguments = std::move(Passed)});
  if (!IsLibrary)
    forgetOutOfSight(Name);
  if (Callee && (Callee->isNoReturn() || Callee->getNameAsString() == "exit" ||
                 Callee->getNameAsString() == "abort"))
    State.Live = EvenDead;
  return isa<CXXConstructExpr>(E)
             ? Values.symbol("an object made by " + Name)
             : Values.symbol(Callee ? "the result of " + Name : Name);
}

/// The address of what a reference is bound to.
Value HostEvaluator::bindReference(const Expr *E) {
  MaybePlace Where = locate(E);
  if (!Where)
    return unknown(E);
  // The reference will not lead back to it.
  if (!Where->Exact)
    State.Escaped.insert(Where->Object);
  return Values.address(*Where);
}

std::vector<Value>
HostEvaluator::evaluateArguments(const FunctionDecl &Callee,
                                 llvm::ArrayRef<const Expr *> Arguments) {
  std::vector<Value> Given;
  for (unsigned I = 0; I < Arguments.size(); ++I) {
    bool ByReference = I < Callee.getNumParams() &&
                       Callee.getParamDecl(I)->getType()->isReferenceType();
    Given.push_back(ByReference ? bindReference(Arguments[I])
                                : evaluate(Arguments[I]));
  }
  return Given;
}

void HostEvaluator::bindParameters(const FunctionDecl &Callee,
                                   llvm::ArrayRef<Value> Arguments) {
  for (unsigned I = 0; I < Callee.getNumParams(); ++I) {
    const ParmVarDecl *Parameter = Callee.getParamDecl(I);
    const VarDecl *Object = Parameter->getCanonicalDecl();
    Variables[Object] = Parameter;
    State.Objects[Object] =
        I < Arguments.size() ? Arguments[I] : Values.symbol(nameOf(Object));
  }
}

Value HostEvaluator::callDefinition(const FunctionDecl &Callee,
                                    llvm::ArrayRef<const Expr *> Arguments,
                                    MaybePlace This) {
  bindParameters(Callee, evaluateArguments(Callee, Arguments));
  return runBody(Callee, std::move(This));
}

Value HostEvaluator::runBody(const FunctionDecl &Callee, MaybePlace This) {
  Frame Own;
  Own.Function = &Callee;
  Own.This = std::move(This);
  Own.Caller = Top;
  if (const EffectSummary *Effects = Code.effectsOf(Callee);
      Effects && Effects->JumpsBack)
    Own.JumpsBack = Effects;
  std::vector<JumpTarget *> OuterTargets = std::move(Targets);
  Targets.clear();
  Top = &Own;
  if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(&Callee))
    initializeMembers(*Constructor);
  run(Callee.getBody());
  Top = Own.Caller;
  Targets = std::move(OuterTargets);

  Value Result = Values.symbol("the result of " + calleeName(&Callee));
  for (Exit &Each : Own.Returns) {
    if (!State.Live) {
      State = std::move(Each.State);
      Result = Each.Result;
      continue;
    }
    Value Which =
        Values.symbol("which way " + calleeName(&Callee) + " returns");
    Result = Values.choose(Which, Result, Each.Result);
    State = join(std::move(State), std::move(Each.State), Which);
  }
  return Result;
}

void HostEvaluator::initializeMembers(const CXXConstructorDecl &Constructor) {
  for (const CXXCtorInitializer *Each : Constructor.inits()) {
    const Expr *Init = Each->getInit();
    MaybePlace Where = Top->This;
    if (const FieldDecl *Field = Each->getMember()) {
      if (Where)
        Where->Path.push_back(fieldKey(Field->getCanonicalDecl()));
      Value New = nullptr;
      if (Field->getType()->isReferenceType()) {
        New = bindReference(Init);
      } else {
        New = evaluate(Init);
      }
      if (Where && !Field->getParent()->isUnion() && !Field->isBitField())
        store(Where, Field->getType(), New);
      continue;
    }
    Value New = evaluate(Init);
    if (!Where)
      continue;
    if (Each->isDelegatingInitializer())
      store(Where, {}, New);
    // Fields of bases are kept beside the object's own.
    else if (New->Tag == ValueNode::Aggregate)
      for (unsigned I = 0; I < New->Keys.size(); ++I) {
        Place Part = *Where;
        Part.Path.push_back(New->Keys[I]);
        store(Part, {}, New->Operands[I]);
      }
  }
}

Value HostEvaluator::construct(const CXXConstructExpr &E) {
  const CXXConstructorDecl *Constructor = E.getConstructor();
  llvm::SmallVector<const Expr *, 4> Arguments(E.arguments());
  if (Constructor->isCopyOrMoveConstructor() && !Arguments.empty() &&
      (Constructor->isTrivial() || (Constructor->isDefaulted() &&
                                    copiesPlainly(*Constructor->getParent()))))
    return evaluate(Arguments[0]);
  Value Raw = E.requiresZeroInitialization()
                  ? zero(E.getType())
                  : Values.symbol("an object that is not initialised");
  if (Constructor->isDefaultConstructor() && Constructor->isTrivial())
    return Raw;
  const FunctionDecl *Definition = Constructor->getDefinition();
  if (!E.getType()->isRecordType() && Arguments.empty()) {
    // An array: its elements' constructors are not followed.
    if (Definition)
      distrustChangesOf(*Definition);
    return Raw;
  }
  if (!E.getType()->isRecordType() || !Definition || !Definition->getBody() ||
      !canRun(*Definition))
    return callOpaque(E, Constructor, Arguments, std::nullopt);
  State.Objects[&E] = Raw;
  callDefinition(*Definition, Arguments, Place{&E, {}, true});
  Value Result = contents(&E);
  State.Objects.erase(&E);
  return Result;
}

} // namespace cudalint
