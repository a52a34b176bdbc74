//===- analyzer/checks/ImplicitDouble.cpp - Floats made double ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"
#include "analyzer/checks/DoubleExpression.h"
#include "analyzer/launch/UserFunctions.h"
#include "hardware/DoubleRate.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

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

} // namespace

//===----------------------------------------------------------------------===//
// The message
//===----------------------------------------------------------------------===//

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

static Phrase whatIsDouble(const clang::ASTContext &Context,
                           const DoubleExpression &Found) {
  const std::string Function =
      Found.Calls.empty() ? std::string()
                          : doubleFunction(Context, *Found.Calls.front()).str();
  if (Found.Literals.empty())
    return {"double-function",
            "'{function}' here is the double function",
            {{"function", Function}}};
  const clang::SourceLocation Begin = Found.Literals.front()->getLocation();
  const std::string Name =
      Begin.isMacroID()
          ? clang::Lexer::getImmediateMacroName(
                Begin, Context.getSourceManager(), Context.getLangOpts())
                .str()
          : spelling(Context, Begin);
  return {"double-literal",
          Function.empty() ? "'{literal}' is a double: float arithmetic with "
                             "it runs in double"
                           : "'{literal}' is a double: float arithmetic with "
                             "it runs in double, '{function}' included",
          {{"literal", Name}, {"function", Function}}};
}

/// The standard makes an int beside a float a double: the function is double
/// whatever its other arguments are. ldexp takes an int by design.
static bool takesInteger(const clang::ASTContext &Context,
                         const clang::CallExpr &Call) {
  return doubleFunction(Context, Call) != "ldexp" &&
         llvm::any_of(Call.arguments(), [](const clang::Expr *Argument) {
           return Argument->IgnoreParenImpCasts()
               ->getType()
               ->isIntegralOrEnumerationType();
         });
}

static void report(const clang::ASTContext &Context, const Target &Gpu,
                   const DoubleExpression &Found, bool InTemplate,
                   FindingSink &Out) {
  const clang::SourceLocation Where =
      Found.Literals.empty() ? Found.Calls.front()->getBeginLoc()
                             : Found.Literals.front()->getLocation();
  std::set<std::string> Advice;
  for (const clang::FloatingLiteral *Literal : Found.Literals)
    Advice.insert(literalAdvice(Context, *Literal, InTemplate));
  bool StaysDouble = Found.Literals.empty();
  for (const clang::CallExpr *Call : Found.Calls)
    if (Found.Literals.empty() || takesInteger(Context, *Call)) {
      StaysDouble = true;
      Advice.insert(
          fmt::format("call '{}f'", doubleFunction(Context, *Call).str()));
    }
  const std::optional<unsigned> Floats = floatsPerDouble(Gpu.Arch->CC);
  Finding &F = Out.report(locate(Context, Where), whatIsDouble(Context, Found));
  if (Floats)
    F.What.append(", ", {"rate",
                         "at 1/{floats_per_double} of the float rate on {gpu}",
                         {{"floats_per_double", *Floats}, {"gpu", Gpu.Name}}});
  F.Remedy = {"write-float",
              "{advice}",
              {{"advice", fmt::format("{}", fmt::join(Advice, ", "))}}};
  // One edit alone would leave the rest in double; in a template it would be
  // wrong for the other types.
  Fix All{"make the literals float", FixSafety::Rounding, {}};
  for (const clang::FloatingLiteral *Literal : Found.Literals)
    if (const auto Suffix = suffixEdit(Context, *Literal))
      All.Edits.push_back(*Suffix);
  if (!InTemplate && !StaysDouble && All.Edits.size() == Found.Literals.size())
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

/// The float that \p S converts to double, or null.
static const clang::Expr *convertedToDouble(const clang::Stmt &S) {
  const auto *Cast = llvm::dyn_cast<clang::CastExpr>(&S);
  return Cast && Cast->getCastKind() == clang::CK_FloatingCast &&
                 Cast->getType()->isSpecificBuiltinType(
                     clang::BuiltinType::Double)
             ? Cast->getSubExpr()
             : nullptr;
}

void ImplicitDouble::checkSource(clang::ASTContext &Context, const Target &Gpu,
                                 FindingSink &Out) const {
  // Before 1.3 there is no double: the compiler uses float by itself.
  if (Gpu.Arch->CC < ComputeCapability{1, 3})
    return;
  std::set<unsigned> Reported; // Instantiations share their places.
  const auto Look = [&](const clang::Stmt *Body, bool InTemplate) {
    // Clang sees a float that becomes double where nvcc sees a double that is
    // used as one.
    std::set<const clang::Stmt *> Meant;
    forEachStatement(Body, [&](const clang::Stmt &S) {
      if (const clang::Expr *Widened = convertedToDouble(S))
        forEachStatement(Widened, [&](const clang::Stmt &Part) {
          const auto *E = llvm::dyn_cast<clang::Expr>(&Part);
          if (E && isDoublePow(Context, *E))
            Meant.insert(E);
        });
      if (Meant.contains(&S))
        return;
      const std::optional<DoubleExpression> Found = wastedDouble(Context, S);
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
