//===- analyzer/checks/ImplicitDouble.cpp - Floats made double ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"
#include "analyzer/checks/DoubleExpression.h"
#include "analyzer/checks/KnownVariables.h"
#include "analyzer/frontend/DeviceFunctions.h"
#include "analyzer/frontend/SourcePlaces.h"
#include "analyzer/frontend/UserFunctions.h"
#include "analyzer/launch/SetUpKernels.h"
#include "analyzer/model/LittleCost.h"
#include "hardware/DoubleRate.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cudalint::implicit_double {
namespace {

class ImplicitDouble : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "implicit-double",
      .Level = Maturity::Stable,
      .Default = Severity::Warning,
      .Summary = "finds float arithmetic that a literal or a call makes double",
      .Why = R"md(`1.0` is a double. A float that meets it is converted, the
operation runs in double, and the result is converted back: at half the rate of
float on data-center GPUs, at a 32nd or a 64th of it on the others. `1.0f` is all
that is needed. `pow(x, 2)` and `::sqrt(x)` do the same where they resolve to
the double function.

A single operation whose result goes straight back to float, such as
`y = x * 2.0`, is silent: the compiler proves that float gives the same result
and uses it. So it is where nothing changes, as in `1.0 * x`, and where the
compiler knows all that is computed.)md",
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
makes the expression double, or a literal that no float comes near to, such as
`1e39` or `16777217.0`: that may be meant. Silent where a literal is compared
with `==` or `!=`, which would ask something else in float. Silent for the
targets 1.0 to 1.2, which have no double, and where the machine code of no kernel
of the file computes with doubles. A note in a function that nothing in the file
is seen to use, if it has kernels or the function is a header's; and in a kernel
that the program launches once, on each GPU, where it launches another in a loop.
A note where what is computed in double near the line takes less than a tenth of
the time in which a warp issues what is on the shortest way through it, in every
kernel of the file: by that, loops beside it that turn nobody knows how often
turn a hundred times where a parameter of the kernel decides, else twice, and
those around other loops once. The value changes in its last bits when the
literal does, and with it what is decided by that: of seven literals of a solver
with adaptive steps, three changed its results by more than 1e-5
(`docs/validation/fixes-h200.md`).)md",
      .ConfirmedBy = Evidence::InstructionsFP64};
  const CheckInfo &info() const override { return Info; }
  void checkSource(const clang::ASTContext &Context, const Target &Gpu,
                   FindingSink &Out) const override;
  bool isRefuted(std::span<const KernelModel *const>,
                 const Finding &) const override;
  std::optional<double> mostOf(const KernelModel &Kernel,
                               const Finding &Found) const override;
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

/// `EPSILON`, which is defined as that literal alone, becomes `float(EPSILON)`.
static std::vector<Edit> castEdits(const clang::ASTContext &Context,
                                   const clang::FloatingLiteral &Literal) {
  const clang::SourceManager &Sources = Context.getSourceManager();
  const clang::LangOptions &Language = Context.getLangOpts();
  const clang::SourceLocation At = Literal.getLocation();
  clang::SourceLocation Begin, End;
  if (!Sources.isMacroBodyExpansion(At) || isOfFunctionMacro(Sources, At) ||
      !clang::Lexer::isAtStartOfMacroExpansion(At, Sources, Language, &Begin) ||
      !clang::Lexer::isAtEndOfMacroExpansion(At, Sources, Language, &End) ||
      !Begin.isFileID())
    return {};
  const std::optional<Edit> Before = insertionAt(Context, Begin, "float(");
  const std::optional<Edit> Behind = insertionAt(
      Context, clang::Lexer::getLocForEndOfToken(End, 0, Sources, Language),
      ")");
  return Before && Behind ? std::vector{*Before, *Behind} : std::vector<Edit>();
}

/// `pow(x, 2)` becomes `powf(x, 2)`.
static std::vector<Edit> callEdits(const clang::ASTContext &Context,
                                   const clang::CallExpr &Call) {
  const auto *Name = llvm::dyn_cast<clang::DeclRefExpr>(
      Call.getCallee()->IgnoreParenImpCasts());
  // What is in a namespace need not have a sister there.
  if (!Name || Name->hasQualifier() || !Name->getLocation().isFileID())
    return {};
  const std::optional<Edit> Suffix =
      insertionAt(Context,
                  clang::Lexer::getLocForEndOfToken(Name->getLocation(), 0,
                                                    Context.getSourceManager(),
                                                    Context.getLangOpts()),
                  "f");
  return Suffix ? std::vector{*Suffix} : std::vector<Edit>();
}

static std::string spelling(const clang::ASTContext &Context,
                            clang::SourceLocation Begin) {
  const clang::SourceManager &Sources = Context.getSourceManager();
  const clang::SourceLocation At = Sources.getSpellingLoc(Begin);
  return std::string(
      Sources.getCharacterData(At),
      clang::Lexer::MeasureTokenLength(At, Sources, Context.getLangOpts()));
}

namespace {
/// `write '0.5f' and '2.0f' in the macro 'M', call 'sqrtf'`, each in the order
/// of the source.
class FloatAdvice {
public:
  /// \p Tail may be empty.
  void add(std::string_view Verb, std::string What, std::string Tail) {
    auto At = llvm::find_if(Parts, [&](const Part &Each) {
      return Each.Verb == Verb && Each.Tail == Tail;
    });
    if (At == Parts.end())
      At = Parts.insert(At, {Verb, std::move(Tail), {}});
    if (!llvm::is_contained(At->What, What))
      At->What.push_back(std::move(What));
  }

  std::string text() const {
    std::string Text;
    for (const Part &Each : Parts) {
      Text += fmt::format("{}{} {}", Text.empty() ? "" : ", ", Each.Verb,
                          Each.What.front());
      for (std::size_t I = 1; I < Each.What.size(); ++I)
        Text += (I + 1 == Each.What.size() ? " and " : ", ") + Each.What[I];
      Text += Each.Tail;
    }
    return Text;
  }

private:
  struct Part {
    std::string_view Verb;
    std::string Tail;
    std::vector<std::string> What;
  };
  std::vector<Part> Parts;
};
} // namespace

/// What to write instead of the literal.
static void advise(const clang::ASTContext &Context,
                   const DoubleExpression &Found,
                   const clang::FloatingLiteral &Literal, bool OfParameter,
                   FloatAdvice &To) {
  const clang::SourceLocation Begin = Literal.getLocation();
  const std::string Macro = macroOf(Context, Begin, Found);
  const std::string Text = spelling(Context, Begin);
  if (!Macro.empty() && !isOfFunctionMacro(Context.getSourceManager(), Begin))
    To.add("write", fmt::format("'float({})'", Macro), "");
  else if (!Macro.empty())
    To.add("write", fmt::format("'{}f'", Text),
           fmt::format(" in the macro '{}'", Macro));
  else if (OfParameter) // The same line serves other types.
    To.add("convert", fmt::format("'{}'", Text), " to the template's type");
  else
    To.add("write", fmt::format("'{}f'", Text), "");
}

/// As the user sees it: the macro, or what is written.
static std::string nameOf(const clang::ASTContext &Context,
                          const DoubleExpression &Found) {
  const clang::SourceLocation Begin = Found.Literals.front()->getLocation();
  std::string Macro = macroOf(Context, Begin, Found);
  return Macro.empty() || isOfFunctionMacro(Context.getSourceManager(), Begin)
             ? spelling(Context, Begin)
             : Macro;
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
  return {"double-literal",
          Function.empty() ? "'{literal}' is a double: float arithmetic with "
                             "it runs in double"
                           : "'{literal}' is a double: float arithmetic with "
                             "it runs in double, '{function}' included",
          {{"literal", nameOf(Context, Found)}, {"function", Function}}};
}

static Subject subjectOf(const clang::ASTContext &Context,
                         const clang::FunctionDecl &In,
                         const DoubleExpression &Found) {
  if (Found.Literals.empty())
    return {SubjectKind::Call, plainName(In),
            doubleFunction(Context, *Found.Calls.front()).str()};
  return {SubjectKind::Literal, plainName(In), nameOf(Context, Found)};
}

static clang::SourceRange rangeOf(const DoubleExpression &Found) {
  return Found.Literals.empty() ? Found.Calls.front()->getSourceRange()
                                : Found.Literals.front()->getSourceRange();
}

/// One edit alone would leave the rest in double: all of them or none.
static std::optional<Fix>
fixOf(const clang::ASTContext &Context,
      llvm::ArrayRef<const clang::FloatingLiteral *> Literals,
      llvm::ArrayRef<const clang::CallExpr *> Calls) {
  Fix All{Calls.empty()      ? "make the literals float"
          : Literals.empty() ? "call the float functions"
                             : "make the literals and the functions float",
          FixSafety::Rounding,
          {}};
  for (const clang::FloatingLiteral *Literal : Literals) {
    std::vector<Edit> Edits = castEdits(Context, *Literal);
    if (const auto Suffix = suffixEdit(Context, *Literal))
      Edits = {*Suffix};
    if (Edits.empty())
      return std::nullopt;
    All.Edits.insert(All.Edits.end(), Edits.begin(), Edits.end());
  }
  for (const clang::CallExpr *Call : Calls) {
    const std::vector<Edit> Edits = callEdits(Context, *Call);
    if (Edits.empty())
      return std::nullopt;
    All.Edits.insert(All.Edits.end(), Edits.begin(), Edits.end());
  }
  return All;
}

/// Whether one of its floats has a type that depends on the template's
/// parameters, by what stands at its place in the template.
static bool isOfParameter(const clang::FunctionDecl &In,
                          const DoubleExpression &Found) {
  const clang::FunctionDecl *Pattern = In.getTemplateInstantiationPattern();
  if (!Pattern || !Pattern->getBody())
    return isOfTemplate(In);
  bool Result = false;
  forEachStatement(Pattern->getBody(), [&](const clang::Stmt &Part) {
    const auto *E = llvm::dyn_cast<clang::Expr>(&Part);
    Result |= E && E->isTypeDependent() &&
              llvm::any_of(Found.Floats, [&](const clang::Expr *Float) {
                return Float->getSourceRange() == E->getSourceRange();
              });
  });
  return Result;
}

namespace {
/// What is written at one place, in one of the functions that it is part of.
struct WrittenDouble {
  const clang::FunctionDecl *In;
  DoubleExpression Found;
  bool OfParameter;
  bool HardlyMatters; ///< In any of them.
};
} // namespace

static void report(const clang::ASTContext &Context, const Target &Gpu,
                   const WrittenDouble &Told, FindingSink &Out) {
  const clang::FunctionDecl &In = *Told.In;
  const DoubleExpression &Found = Told.Found;
  FloatAdvice Changes;
  for (const clang::FloatingLiteral *Literal : Found.Literals)
    advise(Context, Found, *Literal, Told.OfParameter, Changes);
  std::vector<const clang::CallExpr *> Doubles;
  for (const clang::CallExpr *Call : Found.Calls)
    if (Found.Literals.empty() || takesInteger(Context, *Call)) {
      Doubles.push_back(Call);
      Changes.add("call",
                  fmt::format("'{}f'", doubleFunction(Context, *Call).str()),
                  "");
    }
  const std::optional<unsigned> Floats = floatsPerDouble(Gpu.Arch->CC);
  Finding &F =
      Out.report(placeOf(Context, rangeOf(Found)),
                 subjectOf(Context, In, Found), whatIsDouble(Context, Found));
  if (Floats)
    F.What.append(", ", {"rate",
                         "at 1/{floats_per_double} of the float rate on {gpu}",
                         {{"floats_per_double", *Floats}, {"gpu", Gpu.Name}}});
  F.Remedy = {"write-float", "{advice}", {{"advice", Changes.text()}}};
  if (Told.HardlyMatters)
    F.Level = Severity::Note;
  // In a template it would be wrong for the other types.
  if (!isOfTemplate(In))
    if (std::optional<Fix> All = fixOf(Context, Found.Literals, Doubles))
      F.Fixes.push_back(std::move(*All));
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// The float that \p S converts to double, or null.
static const clang::Expr *convertedToDouble(const clang::Stmt &S) {
  const auto *Cast = llvm::dyn_cast<clang::CastExpr>(&S);
  return Cast && Cast->getCastKind() == clang::CK_FloatingCast &&
                 Cast->getType()->isSpecificBuiltinType(
                     clang::BuiltinType::Double)
             ? Cast->getSubExpr()
             : nullptr;
}

void ImplicitDouble::checkSource(const clang::ASTContext &Context,
                                 const Target &Gpu, FindingSink &Out) const {
  // Before 1.3 there is no double: the compiler uses float by itself.
  if (Gpu.Arch->CC < ComputeCapability{1, 3})
    return;
  std::vector<WrittenDouble> All;
  // Of All, by what is told and what is written.
  std::map<std::pair<Location, clang::SourceLocation>, std::size_t> AtPlace;
  std::optional<std::set<const clang::FunctionDecl *>> OfSetUp;
  const auto isOfSetUp = [&](const clang::FunctionDecl &F) {
    if (!OfSetUp)
      OfSetUp = setUpKernels(Context);
    return OfSetUp->contains(F.getCanonicalDecl());
  };
  const auto Look = [&](const clang::FunctionDecl &F, bool IsOfNoKernel) {
    // Clang sees a float that becomes double where nvcc sees a double that is
    // used as one.
    std::set<const clang::Stmt *> Meant;
    std::optional<KnownVariables> Known;
    forEachThatRuns(Context, F, [&](const clang::Stmt &S) {
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
      if (!Known)
        Known.emplace(Context, F);
      if (!Found->Floats.empty() &&
          llvm::all_of(Found->Floats, [&](const clang::Expr *Float) {
            return Known->decide(Float);
          }))
        return;
      const clang::SourceLocation Where = rangeOf(*Found).getBegin();
      if (isInSystemHeader(Context, Where))
        return;
      WrittenDouble Own = {&F, *Found, isOfParameter(F, *Found),
                           IsOfNoKernel || isOfSetUp(F)};
      const clang::SourceManager &Sources = Context.getSourceManager();
      const auto [Other, IsNew] = AtPlace.try_emplace(
          {locate(Context, Where), Sources.getSpellingLoc(Where)}, All.size());
      if (IsNew) {
        All.push_back(std::move(Own));
        return;
      }
      // What is right where it is a float is right in all of them.
      WrittenDouble &Told = All[Other->second];
      Own.HardlyMatters = Told.HardlyMatters &= Own.HardlyMatters;
      if (Told.OfParameter && !Own.OfParameter)
        Told = std::move(Own);
    });
  };
  const DeviceFunctions Functions = deviceFunctions(Context);
  for (std::size_t I = 0; I != Functions.Reached.size(); ++I)
    Look(*Functions.Reached[I],
         isOfNoKernel(Functions, I) ||
             Functions.UnusedOfHeaders.contains(Functions.Reached[I]));
  for (const clang::FunctionDecl *F : Functions.ForBoth)
    Look(*F, Functions.UnusedOfHeaders.contains(F));
  for (const WrittenDouble &Each : All)
    report(Context, Gpu, Each, Out);
}

/// The compiler has computed it. A note may be of what no kernel calls.
bool ImplicitDouble::isRefuted(std::span<const KernelModel *const> Kernels,
                               const Finding &Found) const {
  return Found.Level == Severity::Warning && !Kernels.empty() &&
         std::ranges::all_of(Kernels, [](const KernelModel *Each) {
           return Each->HasDoubles == false;
         });
}

std::optional<double> ImplicitDouble::mostOf(const KernelModel &Kernel,
                                             const Finding &Found) const {
  const std::optional<unsigned> Floats = floatsPerDouble(Kernel.Gpu.Arch->CC);
  return Floats ? mostOfDoubles(Kernel, Found, *Floats) : std::nullopt;
}

CUDA_LINT_REGISTER_CHECK(ImplicitDouble)

} // namespace cudalint::implicit_double
