//===- analyzer/checks/DoubleExpression.cpp - Floats computed in double ---===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/DoubleExpression.h"

#include "analyzer/frontend/UserFunctions.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringSet.h"

namespace cudalint {

static bool isType(const clang::Expr *E, clang::BuiltinType::Kind Kind) {
  const auto *T = E->getType()->getAs<clang::BuiltinType>();
  return T && T->getKind() == Kind;
}
static bool isDouble(const clang::Expr *E) {
  return isType(E, clang::BuiltinType::Double);
}
static bool isFloat(const clang::Expr *E) {
  return isType(E, clang::BuiltinType::Float);
}

static const clang::Expr *withoutParens(const clang::Expr *E) {
  E = E->IgnoreParens();
  if (const auto *Full = llvm::dyn_cast<clang::FullExpr>(E))
    return withoutParens(Full->getSubExpr());
  if (const auto *Temporary =
          llvm::dyn_cast<clang::MaterializeTemporaryExpr>(E))
    return withoutParens(Temporary->getSubExpr());
  return E;
}

bool isDoublePow(const clang::ASTContext &Context, const clang::Expr &E) {
  const auto *Call = llvm::dyn_cast<clang::CallExpr>(&E);
  const clang::FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
  return F && F->getIdentifier() && F->getName() == "pow" &&
         F->getNumParams() == 2 && Call->getNumArgs() == 2 && isFloat(Call) &&
         isType(Call->getArg(0), clang::BuiltinType::Float) &&
         isType(Call->getArg(1), clang::BuiltinType::Int) &&
         Context.getLangOpts().CPlusPlus11 &&
         isInSystemHeader(Context, F->getLocation());
}

/// True for a float of ours that is a double of nvcc's: a double pow is in it.
static bool hasDoublePow(const clang::ASTContext &Context,
                         const clang::Expr *E) {
  E = withoutParens(E);
  if (!isFloat(E))
    return false;
  if (isDoublePow(Context, *E))
    return true;
  if (const auto *Sign = llvm::dyn_cast<clang::UnaryOperator>(E))
    return hasDoublePow(Context, Sign->getSubExpr());
  if (const auto *Operation = llvm::dyn_cast<clang::BinaryOperator>(E))
    return Operation->isMultiplicativeOp() || Operation->isAdditiveOp()
               ? hasDoublePow(Context, Operation->getLHS()) ||
                     hasDoublePow(Context, Operation->getRHS())
               : false;
  if (const auto *Choice = llvm::dyn_cast<clang::ConditionalOperator>(E))
    return hasDoublePow(Context, Choice->getTrueExpr()) ||
           hasDoublePow(Context, Choice->getFalseExpr());
  return false;
}

llvm::StringRef doubleFunction(const clang::ASTContext &Context,
                               const clang::CallExpr &Call) {
  const clang::FunctionDecl *F = Call.getDirectCallee();
  if (isDoublePow(Context, Call))
    return F->getName();
  if (!F || !F->getIdentifier() || !isDouble(&Call))
    return {};
  if (F->getBuiltinID() == 0 && !isInSystemHeader(Context, F->getLocation()))
    return {};
  static const llvm::StringSet<> Names = {
      "acos",   "acosh", "asin",  "asinh", "atan",      "atan2", "atanh",
      "cbrt",   "ceil",  "cos",   "cosh",  "erf",       "erfc",  "exp",
      "exp10",  "exp2",  "expm1", "fabs",  "floor",     "fma",   "fmax",
      "fmin",   "fmod",  "hypot", "ldexp", "lgamma",    "log",   "log10",
      "log1p",  "log2",  "max",   "min",   "nearbyint", "pow",   "rint",
      "round",  "rsqrt", "sin",   "sinh",  "sqrt",      "tan",   "tanh",
      "tgamma", "trunc"};
  const llvm::StringRef Name = F->getName();
  return Names.contains(Name) ? Name : llvm::StringRef();
}

bool takesInteger(const clang::ASTContext &Context,
                  const clang::CallExpr &Call) {
  return doubleFunction(Context, Call) != "ldexp" &&
         llvm::any_of(Call.arguments(), [](const clang::Expr *Argument) {
           return Argument->IgnoreParenImpCasts()
               ->getType()
               ->isIntegralOrEnumerationType();
         });
}

static bool isArithmetic(clang::BinaryOperatorKind Op) {
  return Op == clang::BO_Add || Op == clang::BO_Sub || Op == clang::BO_Mul ||
         Op == clang::BO_Div;
}

static bool fitsFloat(llvm::APFloat Value) {
  bool LosesInfo = false;
  Value.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven,
                &LosesInfo);
  return !LosesInfo;
}

/// What no float comes near to, in digits or in range: 16777217.0, 1e39, 1e-50.
/// Whoever writes that means it.
static bool needsDouble(llvm::APFloat Value) {
  const bool IsWhole = Value.isInteger();
  bool LosesInfo = false;
  const llvm::APFloat::opStatus Status =
      Value.convert(llvm::APFloat::IEEEsingle(),
                    llvm::APFloat::rmNearestTiesToEven, &LosesInfo);
  return (LosesInfo && IsWhole) ||
         (Status & (llvm::APFloat::opOverflow | llvm::APFloat::opUnderflow));
}

static std::optional<llvm::APFloat> constantOf(const clang::ASTContext &Context,
                                               const clang::Expr *E) {
  clang::Expr::EvalResult Constant;
  return !E->isValueDependent() && E->EvaluateAsRValue(Constant, Context) &&
                 Constant.Val.isFloat()
             ? std::optional(Constant.Val.getFloat())
             : std::nullopt;
}

/// The operand of which \p E has the value, or minus that: `x` of `-1.0 * x`,
/// `x / 1.0` and `x - 0.0`. Null: there is something to compute, as there is of
/// `x + 0.0`, where `x` may be -0.0.
static const clang::Expr *unchangedOperand(const clang::ASTContext &Context,
                                           const clang::BinaryOperator &E) {
  const auto isOne = [&](const clang::Expr *Operand) {
    const auto Value = constantOf(Context, Operand);
    return Value && llvm::abs(*Value).isExactlyValue(1);
  };
  switch (E.getOpcode()) {
  case clang::BO_Mul:
    if (isOne(E.getLHS()))
      return E.getRHS();
    [[fallthrough]];
  case clang::BO_Div:
    return isOne(E.getRHS()) ? E.getLHS() : nullptr;
  case clang::BO_Sub: {
    const auto Less = constantOf(Context, E.getRHS());
    return Less && Less->isPosZero() ? E.getLHS() : nullptr;
  }
  default:
    return nullptr;
  }
}

/// True when every value that `E` can have is a float's, and the compiler need
/// compute nothing in double for it. Math functions remain what they are: nvcc
/// does not narrow them, not even `max(x, 0.0)`.
static bool isExactInFloat(const clang::ASTContext &Context,
                           const clang::Expr *E) {
  E = withoutParens(E);
  if (const auto Constant = constantOf(Context, E))
    return fitsFloat(*Constant);
  if (isFloat(E))
    return !hasDoublePow(Context, E);
  if (const auto *Cast = llvm::dyn_cast<clang::CastExpr>(E)) {
    if (Cast->getCastKind() == clang::CK_FloatingCast)
      return isExactInFloat(Context, Cast->getSubExpr());
    if (Cast->getCastKind() == clang::CK_IntegralToFloating)
      return Context.getIntWidth(Cast->getSubExpr()->getType()) <= 24;
    return false;
  }
  if (const auto *Sign = llvm::dyn_cast<clang::UnaryOperator>(E))
    return (Sign->getOpcode() == clang::UO_Minus ||
            Sign->getOpcode() == clang::UO_Plus) &&
           isExactInFloat(Context, Sign->getSubExpr());
  if (const auto *Operation = llvm::dyn_cast<clang::BinaryOperator>(E)) {
    const clang::Expr *Same = unchangedOperand(Context, *Operation);
    return Same && isExactInFloat(Context, Same);
  }
  if (const auto *Choice = llvm::dyn_cast<clang::ConditionalOperator>(E))
    return isExactInFloat(Context, Choice->getTrueExpr()) &&
           isExactInFloat(Context, Choice->getFalseExpr());
  return false;
}

/// True when the compiler does `(float)E` in float without changing the
/// result: one operation of floats rounds to the same float either way, since
/// double has more than twice its digits.
static bool isNarrowedAway(const clang::ASTContext &Context,
                           const clang::Expr *E) {
  E = withoutParens(E);
  if (isExactInFloat(Context, E))
    return true;
  if (const auto *Operation = llvm::dyn_cast<clang::BinaryOperator>(E)) {
    if (const clang::Expr *Same = unchangedOperand(Context, *Operation))
      return isNarrowedAway(Context, Same);
    return isArithmetic(Operation->getOpcode()) &&
           isExactInFloat(Context, Operation->getLHS()) &&
           isExactInFloat(Context, Operation->getRHS());
  }
  if (const auto *Sign = llvm::dyn_cast<clang::UnaryOperator>(E))
    return Sign->getOpcode() == clang::UO_Minus &&
           isNarrowedAway(Context, Sign->getSubExpr());
  if (const auto *Choice = llvm::dyn_cast<clang::ConditionalOperator>(E))
    return isNarrowedAway(Context, Choice->getTrueExpr()) &&
           isNarrowedAway(Context, Choice->getFalseExpr());
  return false;
}

static void collect(const clang::ASTContext &Context, const clang::Expr *E,
                    DoubleExpression &Found);

/// A constant float is no float arithmetic.
static void addFloat(const clang::ASTContext &Context, const clang::Expr *E,
                     DoubleExpression &Found) {
  if (E->isEvaluatable(Context))
    Found.HasFloatConstants = true;
  else
    Found.Floats.push_back(E);
}

static void collectCast(const clang::ASTContext &Context,
                        const clang::CastExpr &Cast, DoubleExpression &Found) {
  // A cast that is written out says that double is meant.
  if (llvm::isa<clang::ExplicitCastExpr>(Cast)) {
    Found.Genuine = true;
    return;
  }
  switch (Cast.getCastKind()) {
  case clang::CK_FloatingCast:
    if (hasDoublePow(Context, Cast.getSubExpr()))
      collect(Context, Cast.getSubExpr(), Found);
    else if (isFloat(Cast.getSubExpr()))
      addFloat(Context, Cast.getSubExpr(), Found);
    else
      Found.Genuine = true;
    return;
  case clang::CK_IntegralToFloating:
    Found.HasIntegers |= !Cast.getSubExpr()->isEvaluatable(Context);
    return;
  case clang::CK_NoOp:
    collect(Context, Cast.getSubExpr(), Found);
    return;
  default: // A double variable, most often.
    Found.Genuine = true;
  }
}

static void collect(const clang::ASTContext &Context, const clang::Expr *E,
                    DoubleExpression &Found) {
  E = withoutParens(E);
  if (isFloat(E) &&
      !hasDoublePow(
          Context,
          E)) { // Argument of a function template: `pow(float, double)`.
    addFloat(Context, E, Found);
    return;
  }
  if (E->getType()->isIntegralOrEnumerationType())
    return;
  if (const auto *Literal = llvm::dyn_cast<clang::FloatingLiteral>(E)) {
    Found.Genuine |= needsDouble(Literal->getValue());
    Found.Literals.push_back(Literal);
  } else if (const auto *Cast = llvm::dyn_cast<clang::CastExpr>(E)) {
    collectCast(Context, *Cast, Found);
  } else if (const auto *Sign = llvm::dyn_cast<clang::UnaryOperator>(E);
             Sign && (Sign->getOpcode() == clang::UO_Minus ||
                      Sign->getOpcode() == clang::UO_Plus)) {
    collect(Context, Sign->getSubExpr(), Found);
  } else if (const auto *Operation = llvm::dyn_cast<clang::BinaryOperator>(E);
             Operation && isArithmetic(Operation->getOpcode())) {
    collect(Context, Operation->getLHS(), Found);
    collect(Context, Operation->getRHS(), Found);
  } else if (const auto *Choice =
                 llvm::dyn_cast<clang::ConditionalOperator>(E)) {
    collect(Context, Choice->getTrueExpr(), Found);
    collect(Context, Choice->getFalseExpr(), Found);
  } else if (const auto *Call = llvm::dyn_cast<clang::CallExpr>(E);
             Call && !doubleFunction(Context, *Call).empty()) {
    Found.Calls.push_back(Call);
    for (const clang::Expr *Argument : Call->arguments())
      collect(Context, Argument, Found);
  } else {
    Found.Genuine = true;
  }
}

std::optional<DoubleExpression> wastedDouble(const clang::ASTContext &Context,
                                             const clang::Stmt &S) {
  DoubleExpression Found;
  if (const auto *Call = llvm::dyn_cast<clang::CallExpr>(&S);
      Call && isDoublePow(Context, *Call)) {
    Found.Calls.push_back(Call);
    collect(Context, Call->getArg(0), Found);
  } else if (const auto *Cast = llvm::dyn_cast<clang::CastExpr>(&S)) {
    const clang::Expr *Value = Cast->getSubExpr();
    const bool ToFloat = Cast->getCastKind() == clang::CK_FloatingCast &&
                         isFloat(Cast) && isDouble(Value);
    const bool ToInteger =
        Cast->getCastKind() == clang::CK_FloatingToIntegral && isDouble(Value);
    if ((!ToFloat && !ToInteger) || (ToFloat && isNarrowedAway(Context, Value)))
      return std::nullopt;
    collect(Context, Value, Found);
  } else if (const auto *Assignment =
                 llvm::dyn_cast<clang::CompoundAssignOperator>(&S)) {
    if (!isFloat(Assignment->getLHS()) || !isDouble(Assignment->getRHS()) ||
        isExactInFloat(Context, Assignment->getRHS()))
      return std::nullopt;
    Found.Floats = {Assignment->getLHS()};
    collect(Context, Assignment->getRHS(), Found);
  } else if (const auto *Comparison =
                 llvm::dyn_cast<clang::BinaryOperator>(&S)) {
    if (!Comparison->isComparisonOp() || !isDouble(Comparison->getLHS()) ||
        (isExactInFloat(Context, Comparison->getLHS()) &&
         isExactInFloat(Context, Comparison->getRHS())))
      return std::nullopt;
    // No float equals 0.1, but one equals 0.1f: it would be another question.
    if (Comparison->isEqualityOp())
      return std::nullopt;
    collect(Context, Comparison->getLHS(), Found);
    collect(Context, Comparison->getRHS(), Found);
  }
  if (Found.Genuine ||
      (Found.Floats.empty() &&
       !(Found.HasFloatConstants && Found.HasIntegers)) ||
      (Found.Literals.empty() && Found.Calls.empty()))
    return std::nullopt;
  return Found;
}

bool isOfFunctionMacro(const clang::SourceManager &Sources,
                       clang::SourceLocation Begin) {
  return Sources.getSLocEntry(Sources.getFileID(Begin))
      .getExpansion()
      .isFunctionMacroExpansion();
}

/// Whether a float that is converted comes from that expansion of a macro.
static bool holdsFloat(const clang::SourceManager &Sources,
                       clang::FileID Expansion, const DoubleExpression &Found) {
  return llvm::any_of(Found.Floats, [&](const clang::Expr *Float) {
    clang::SourceLocation At = Float->getExprLoc();
    while (At.isMacroID() && Sources.getFileID(At) != Expansion)
      At = Sources.getImmediateMacroCallerLoc(At);
    return At.isMacroID();
  });
}

std::string macroOf(const clang::ASTContext &Context,
                    clang::SourceLocation Begin,
                    const DoubleExpression &Found) {
  const clang::SourceManager &Sources = Context.getSourceManager();
  if (!Sources.isMacroBodyExpansion(Begin))
    return {};
  clang::SourceLocation Around = Begin;
  while (Sources.isMacroBodyExpansion(Around) &&
         !isOfFunctionMacro(Sources, Around) &&
         !holdsFloat(Sources, Sources.getFileID(Around), Found)) {
    Begin = Around;
    Around = Sources.getImmediateMacroCallerLoc(Around);
  }
  return clang::Lexer::getImmediateMacroName(Begin, Sources,
                                             Context.getLangOpts())
      .str();
}

} // namespace cudalint
