//===- analyzer/checks/ImplicitDouble.cpp - Float code that computes in double
//===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"
#include "analyzer/launch/UserFunctions.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

#include <fmt/format.h>

#include <set>

namespace cudalint {
namespace {

class ImplicitDouble : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "implicit-double",
      .Level = Trust::Stable,
      .Default = Severity::Warning,
      .Summary = "finds float arithmetic that a literal or a call makes double",
      .Why = R"md(`1.0` is a double. A float that meets it is converted, the
operation runs in double, and the result is converted back: at half the rate of
float on data-center GPUs, at a 32nd or a 64th of it on the others. `1.0f` is all
that is needed. `pow(x, 2)` and `::sqrt(x)` do the same where they resolve to
the double function.

A single operation whose result goes straight back to float, such as
`y = x * 2.0`, is silent: the compiler proves that float gives the same result
and uses it.)md",
      .Bad = R"cuda(__global__ void circle(float *y, const float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = (1.0 - x[i] * x[i]) * 0.25;
}

void run(float *y, const float *x) {
  circle<<<1024, 256>>>(y, x);
}
)cuda",
      .Good = R"cuda(__global__ void circle(float *y, const float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = (1.0f - x[i] * x[i]) * 0.25f;
}

void run(float *y, const float *x) {
  circle<<<1024, 256>>>(y, x);
}
)cuda",
      .Limits = R"md(Silent where a variable, a cast or a function of the user's
makes the expression double: that may be meant. Silent for the targets 1.0 to
1.2, which have no double. The value changes in its last bits when the literal
does.)md",
      .ConfirmedBy = Metric::InstructionsFP64};
  const CheckInfo &info() const override { return Info; }
  void checkSource(clang::ASTContext &Context, const Target &Gpu,
                   FindingSink &Out) const override;
};

/// What an expression of type double is made of.
struct Ingredients {
  unsigned Floats = 0;  ///< Values of type float that were converted.
  bool Genuine = false; ///< Something is double because the user said so.
  std::vector<const clang::FloatingLiteral *> Literals;
  std::vector<const clang::CallExpr *> Calls; ///< Of double math functions.
};

} // namespace

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

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

/// The name of a math function of the system's headers that computes in
/// double; empty for everything else.
static llvm::StringRef doubleFunction(const clang::ASTContext &Context,
                                      const clang::CallExpr &Call) {
  const clang::FunctionDecl *F = Call.getDirectCallee();
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

/// Functions that give the same value in float when their arguments are
/// floats: the compiler narrows them by itself.
static bool keepsFloats(llvm::StringRef Name) {
  return llvm::StringSwitch<bool>(Name)
      .Cases({"ceil", "fabs", "floor", "fmax", "fmin", "nearbyint"}, true)
      .Cases({"max", "min", "rint", "round", "trunc"}, true)
      .Default(false);
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

/// True when every value that `E` can have is a float's.
static bool isExactInFloat(const clang::ASTContext &Context,
                           const clang::Expr *E) {
  E = withoutParens(E);
  clang::Expr::EvalResult Constant;
  if (!E->isValueDependent() && E->EvaluateAsRValue(Constant, Context) &&
      Constant.Val.isFloat())
    return fitsFloat(Constant.Val.getFloat());
  if (isFloat(E))
    return true;
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
  if (const auto *Choice = llvm::dyn_cast<clang::ConditionalOperator>(E))
    return isExactInFloat(Context, Choice->getTrueExpr()) &&
           isExactInFloat(Context, Choice->getFalseExpr());
  if (const auto *Call = llvm::dyn_cast<clang::CallExpr>(E))
    return keepsFloats(doubleFunction(Context, *Call)) &&
           llvm::all_of(Call->arguments(), [&](const clang::Expr *Argument) {
             return isExactInFloat(Context, Argument);
           });
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
  if (const auto *Operation = llvm::dyn_cast<clang::BinaryOperator>(E))
    return isArithmetic(Operation->getOpcode()) &&
           isExactInFloat(Context, Operation->getLHS()) &&
           isExactInFloat(Context, Operation->getRHS());
  if (const auto *Sign = llvm::dyn_cast<clang::UnaryOperator>(E))
    return Sign->getOpcode() == clang::UO_Minus &&
           isNarrowedAway(Context, Sign->getSubExpr());
  if (const auto *Choice = llvm::dyn_cast<clang::ConditionalOperator>(E))
    return isNarrowedAway(Context, Choice->getTrueExpr()) &&
           isNarrowedAway(Context, Choice->getFalseExpr());
  return false;
}

static void collect(const clang::ASTContext &Context, const clang::Expr *E,
                    Ingredients &Found);

static void collectCast(const clang::ASTContext &Context,
                        const clang::CastExpr &Cast, Ingredients &Found) {
  // A cast that is written out says that double is meant.
  if (llvm::isa<clang::ExplicitCastExpr>(Cast)) {
    Found.Genuine = true;
    return;
  }
  switch (Cast.getCastKind()) {
  case clang::CK_FloatingCast:
    // A constant float is no float arithmetic.
    if (isFloat(Cast.getSubExpr()))
      Found.Floats += !Cast.getSubExpr()->isEvaluatable(Context);
    else
      Found.Genuine = true;
    return;
  case clang::CK_IntegralToFloating:
    return;
  case clang::CK_NoOp:
    collect(Context, Cast.getSubExpr(), Found);
    return;
  default: // A double variable, most often.
    Found.Genuine = true;
  }
}

static void collect(const clang::ASTContext &Context, const clang::Expr *E,
                    Ingredients &Found) {
  E = withoutParens(E);
  if (isFloat(E)) { // Argument of a function template: `pow(float, double)`.
    Found.Floats += !E->isEvaluatable(Context);
    return;
  }
  if (E->getType()->isIntegralOrEnumerationType())
    return;
  if (const auto *Literal = llvm::dyn_cast<clang::FloatingLiteral>(E)) {
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

/// What `S` computes in double although it begins and ends with floats, if
/// that is what it does: `S` is the place where the double value ends.
static std::optional<Ingredients> wastedDouble(const clang::ASTContext &Context,
                                               const clang::Stmt &S) {
  Ingredients Found;
  if (const auto *Cast = llvm::dyn_cast<clang::CastExpr>(&S)) {
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
    Found.Floats = 1;
    collect(Context, Assignment->getRHS(), Found);
  } else if (const auto *Comparison =
                 llvm::dyn_cast<clang::BinaryOperator>(&S)) {
    if (!Comparison->isComparisonOp() || !isDouble(Comparison->getLHS()) ||
        (isExactInFloat(Context, Comparison->getLHS()) &&
         isExactInFloat(Context, Comparison->getRHS())))
      return std::nullopt;
    collect(Context, Comparison->getLHS(), Found);
    collect(Context, Comparison->getRHS(), Found);
  }
  if (Found.Genuine || Found.Floats == 0 ||
      (Found.Literals.empty() && Found.Calls.empty()))
    return std::nullopt;
  return Found;
}

//===----------------------------------------------------------------------===//
// The message
//===----------------------------------------------------------------------===//

/// Results per clock and SM in double against float: the table "Throughput of
/// Native Arithmetic Instructions" of the CUDA C++ Programming Guide, versions
/// 4.2 (1.x, 2.x), 8.0 (3.x), 11.8 and 13.0. GeForce cards of 2.0 and 3.5 are
/// slower than this.
static std::string_view doubleRate(ComputeCapability CC) {
  struct Row {
    ComputeCapability CC;
    std::string_view Rate;
  };
  static constexpr Row Table[] = {
      {{1, 3}, "1/8"},  {{2, 0}, "1/2"},   {{2, 1}, "1/12"},  {{3, 0}, "1/24"},
      {{3, 2}, "1/24"}, {{3, 5}, "1/3"},   {{3, 7}, "1/3"},   {{5, 0}, "1/32"},
      {{5, 2}, "1/32"}, {{5, 3}, "1/32"},  {{6, 0}, "1/2"},   {{6, 1}, "1/32"},
      {{6, 2}, "1/32"}, {{7, 0}, "1/2"},   {{7, 5}, "1/32"},  {{8, 0}, "1/2"},
      {{8, 6}, "1/64"}, {{8, 7}, "1/64"},  {{8, 9}, "1/64"},  {{9, 0}, "1/2"},
      {{10, 0}, "1/2"}, {{10, 3}, "1/64"}, {{11, 0}, "1/64"}, {{12, 0}, "1/64"},
      {{12, 1}, "1/64"}};
  for (const Row &R : Table)
    if (R.CC == CC)
      return R.Rate;
  return {};
}

/// Where the text of the literal ends, when it is plain text of the user's
/// that an `f` can follow.
static std::optional<Edit> suffixEdit(const clang::ASTContext &Context,
                                      const clang::FloatingLiteral &Literal) {
  const clang::SourceManager &Sources = Context.getSourceManager();
  const clang::SourceLocation Begin = Literal.getLocation();
  if (!Begin.isFileID())
    return std::nullopt;
  const unsigned Length =
      clang::Lexer::MeasureTokenLength(Begin, Sources, Context.getLangOpts());
  const llvm::StringRef Text(Sources.getCharacterData(Begin), Length);
  if (Text.empty() || Text.contains_insensitive("x") ||
      (!llvm::isDigit(Text.back()) && Text.back() != '.'))
    return std::nullopt;
  return Edit{Sources.getFilename(Begin).str(),
              Sources.getFileOffset(Begin) + Length, 0, "f"};
}

static std::string spelling(const clang::ASTContext &Context,
                            clang::SourceLocation Begin) {
  const clang::SourceManager &Sources = Context.getSourceManager();
  const clang::SourceLocation At = Sources.getSpellingLoc(Begin);
  return std::string(
      Sources.getCharacterData(At),
      clang::Lexer::MeasureTokenLength(At, Sources, Context.getLangOpts()));
}

/// The literal as the user sees it, and what to write instead.
static std::string literalAdvice(const clang::ASTContext &Context,
                                 const clang::FloatingLiteral &Literal,
                                 bool InTemplate) {
  const clang::SourceLocation Begin = Literal.getLocation();
  if (Begin.isMacroID()) {
    const std::string Macro =
        clang::Lexer::getImmediateMacroName(Begin, Context.getSourceManager(),
                                            Context.getLangOpts())
            .str();
    return fmt::format("write 'float({})'", Macro);
  }
  const std::string Text = spelling(Context, Begin);
  // The same line serves other types.
  if (InTemplate)
    return fmt::format("convert '{}' to the template's type", Text);
  return fmt::format("write '{}f'", Text);
}

static std::string causeOf(const clang::ASTContext &Context,
                           const Ingredients &Found) {
  if (Found.Literals.empty())
    return fmt::format("'{}' here is the double function",
                       doubleFunction(Context, *Found.Calls.front()).str());
  const clang::SourceLocation Begin = Found.Literals.front()->getLocation();
  const std::string Name =
      Begin.isMacroID()
          ? clang::Lexer::getImmediateMacroName(
                Begin, Context.getSourceManager(), Context.getLangOpts())
                .str()
          : spelling(Context, Begin);
  const std::string Calls =
      Found.Calls.empty()
          ? ""
          : fmt::format(", '{}' included",
                        doubleFunction(Context, *Found.Calls.front()).str());
  return fmt::format("'{}' is a double: float arithmetic with it runs in "
                     "double{}",
                     Name, Calls);
}

static void report(const clang::ASTContext &Context, const Target &Gpu,
                   const Ingredients &Found, bool InTemplate,
                   FindingSink &Out) {
  const clang::SourceLocation Where =
      Found.Literals.empty() ? Found.Calls.front()->getBeginLoc()
                             : Found.Literals.front()->getLocation();
  std::set<std::string> Advice;
  for (const clang::FloatingLiteral *Literal : Found.Literals)
    Advice.insert(literalAdvice(Context, *Literal, InTemplate));
  if (Found.Literals.empty())
    Advice.insert(fmt::format(
        "call '{}f'", doubleFunction(Context, *Found.Calls.front()).str()));
  const std::string_view Rate = doubleRate(Gpu.Arch->CC);
  Finding &F = Out.report(
      locate(Context, Where),
      fmt::format("{}{}; {}", causeOf(Context, Found),
                  Rate.empty() ? std::string()
                               : fmt::format(", at {} of the float rate on {}",
                                             Rate, Gpu.Name),
                  fmt::join(Advice, ", ")));
  // One edit alone would leave the rest in double; in a template it would be
  // wrong for the other types.
  Fix All{"make the literals float", {}};
  for (const clang::FloatingLiteral *Literal : Found.Literals)
    if (const auto Suffix = suffixEdit(Context, *Literal))
      All.Edits.push_back(*Suffix);
  if (!InTemplate && !Found.Literals.empty() &&
      All.Edits.size() == Found.Literals.size())
    F.Fixes.push_back(std::move(All));
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Runs on the GPU because the user said so; constexpr functions are both by
/// themselves and mostly meant for the host.
static bool isDeviceCode(const clang::FunctionDecl &F) {
  if (F.hasAttr<clang::CUDAGlobalAttr>())
    return true;
  const auto *Device = F.getAttr<clang::CUDADeviceAttr>();
  return Device && !Device->isImplicit();
}

void ImplicitDouble::checkSource(clang::ASTContext &Context, const Target &Gpu,
                                 FindingSink &Out) const {
  // Before 1.3 there is no double: the compiler uses float by itself.
  if (Gpu.Arch->CC < ComputeCapability{1, 3})
    return;
  std::set<unsigned> Reported; // Instantiations share their places.
  const auto Look = [&](const clang::Stmt *Body, bool InTemplate) {
    forEachStatement(Body, [&](const clang::Stmt &S) {
      const std::optional<Ingredients> Found = wastedDouble(Context, S);
      if (!Found)
        return;
      const clang::SourceLocation Where =
          Found->Literals.empty() ? Found->Calls.front()->getBeginLoc()
                                  : Found->Literals.front()->getLocation();
      if (!isInSystemHeader(Context, Where) &&
          Reported.insert(Where.getRawEncoding()).second)
        report(Context, Gpu, *Found, InTemplate, Out);
    });
  };
  for (const clang::FunctionDecl *F :
       collectUserFunctions(Context).Definitions) {
    if (isDeviceCode(*F)) {
      Look(F->getBody(), F->isTemplateInstantiation());
      continue;
    }
    forEachStatement(F->getBody(), [&](const clang::Stmt &S) {
      const auto *Lambda = llvm::dyn_cast<clang::LambdaExpr>(&S);
      if (Lambda && isDeviceCode(*Lambda->getCallOperator()))
        Look(Lambda->getBody(), F->isTemplateInstantiation());
    });
  }
}

CUDA_LINT_REGISTER_CHECK(ImplicitDouble)

} // namespace cudalint
