//===- analyzer/checks/WholePower.cpp - Powers that are products ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"
#include "analyzer/checks/DoubleExpression.h"
#include "analyzer/frontend/DeviceFunctions.h"
#include "analyzer/frontend/UserFunctions.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/SourceManager.h"

#include <cmath>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace cudalint::whole_power {
namespace {

class WholePower : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "whole-power",
      .Level = Maturity::Experimental,
      .Default = Severity::Warning,
      .Summary = "finds powers with a small whole exponent that are computed "
                 "as any power",
      .Why = R"md(`powf` and `pow` compute a logarithm and an exponential, in
more digits than the result has, and look for infinities and negative bases. nvcc
does all of that even where it knows the exponent: only the exponent 0, and a
base that is known as well, it folds. What nvcc 13.0 makes of it for sm_90, in
instructions of the machine beyond those that load and store, and how long 1,000
turns of it and a multiplication and an addition took 1,056 blocks of 256 threads
of an H200:

| | the call | a product | the call | a product |
|---|--:|--:|--:|--:|
| `powf(x, 2)` | 76 | 1 | 650 us | 23 us |
| `powf(x, 3)`, `powf(x, 5)` | 78 | 2, 3 | | |
| `pow(x, 2.0)`, `pow(x, 3.0)` | 197, 209 | 1, 2 | | |
| `pow(x, 2)` of a float | 198 | 1 | 2,040 us | 23 us |

The last is the double function, as C++ wants it of a float beside an int, and
runs at the rate of doubles. A product is rounded once for each multiplication:
the last bits may differ. Roots are not spoken of: `powf(x, 0.5f)` took 82 us where
`sqrtf(x)` took 124.)md",
      .Bad = R"cuda(__global__ void squares(float *data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] = powf(data[i], 2.0f);
}

void run(float *data) {
  squares<<<1024, 256>>>(data);
}
)cuda",
      .Good = R"cuda(__global__ void squares(float *data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = data[i];
  data[i] = x * x;
}

void run(float *data) {
  squares<<<1024, 256>>>(data);
}
)cuda",
      .Limits = R"md(Looks at whole exponents from 2 to 8, where Clang knows
them: what only an inlined call or a loop that is written out makes constant is not
seen, nor that a variable holds a constant, for which nvcc folds it. A note in a
function of a header that nothing in the file is seen to use. Silent about
bases that are constant; about host code, and functions for both sides that no
kernel and no device function of the file is seen to use; and about the toolkit's
headers. Says nothing of floats under `-use_fast_math` (or Clang's `-ffast-math`),
with which `powf` is three instructions.)md"};
  const CheckInfo &info() const override { return Info; }
  void checkSource(const clang::ASTContext &Context, const Target &Gpu,
                   FindingSink &Out) const override;
};

} // namespace

/// Instructions that nvcc 13.0 makes of a call for sm_90, about: 76 to 79 and
/// 197 to 209, by the size of the code, as the table above has it.
static constexpr unsigned OfFloat = 75, OfDouble = 195;

/// By the exponent, of squares of squares and what is left; above it, more of
/// them make the advice doubtful.
static constexpr unsigned Multiplications[] = {0, 0, 1, 2, 2, 3, 3, 4, 3};

//===----------------------------------------------------------------------===//
// The calls
//===----------------------------------------------------------------------===//

/// A call that computes a power as any other.
struct PowerCall {
  std::string Name;
  double Exponent = 0;
  bool IsDouble = false;
};

static std::optional<double> constantOf(const clang::ASTContext &Context,
                                        const clang::Expr &E) {
  clang::Expr::EvalResult Result;
  if (E.isValueDependent() || !E.EvaluateAsRValue(Result, Context) ||
      Result.HasSideEffects)
    return std::nullopt;
  if (Result.Val.isInt())
    return static_cast<double>(Result.Val.getInt().getExtValue());
  if (!Result.Val.isFloat())
    return std::nullopt;
  llvm::APFloat Value = Result.Val.getFloat();
  bool LosesInfo = false;
  Value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
                &LosesInfo);
  return Value.convertToDouble();
}

static bool isSimple(double Exponent) {
  return Exponent >= 2 && Exponent < std::size(Multiplications) &&
         Exponent == std::floor(Exponent);
}

static std::optional<PowerCall> powerCall(const clang::ASTContext &Context,
                                          const clang::Stmt &S) {
  const auto *Call = llvm::dyn_cast<clang::CallExpr>(&S);
  const clang::FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
  if (!F || !F->getIdentifier() || Call->getNumArgs() != 2 ||
      (F->getName() != "pow" && F->getName() != "powf"))
    return std::nullopt;
  // The user's own, whatever its name.
  if (F->getBuiltinID() == 0 && !isInSystemHeader(*F))
    return std::nullopt;
  const std::optional<double> Exponent = constantOf(Context, *Call->getArg(1));
  if (!Exponent || !isSimple(*Exponent))
    return std::nullopt;
  if (constantOf(Context, *Call->getArg(0)))
    return std::nullopt; // The compiler folds it.
  const bool IsDouble =
      Call->getType()->isSpecificBuiltinType(clang::BuiltinType::Double) ||
      isDoublePow(Context, *Call);
  // A logarithm, a product and an exponential: three instructions.
  if (!IsDouble && Context.getLangOpts().GPUDeviceApproxTranscendentals)
    return std::nullopt;
  return PowerCall{F->getName().str(), *Exponent, IsDouble};
}

/// A header of the system's holds the text of it, be it in a macro.
static bool isWrittenInSystemHeader(const clang::ASTContext &Context,
                                    clang::SourceLocation Where) {
  const clang::SourceManager &Sources = Context.getSourceManager();
  return isInSystemHeader(Context, Where) ||
         Sources.isInSystemHeader(Sources.getSpellingLoc(Where));
}

void WholePower::checkSource(const clang::ASTContext &Context, const Target &,
                             FindingSink &Out) const {
  std::set<unsigned> Reported; // Instantiations share their places.
  const DeviceFunctions Functions = deviceFunctions(Context);
  for (const clang::FunctionDecl *F : Functions.Reached)
    forEachThatRuns(Context, *F, [&](const clang::Stmt &S) {
      const std::optional<PowerCall> Call = powerCall(Context, S);
      if (!Call || isWrittenInSystemHeader(Context, S.getBeginLoc()) ||
          !Reported.insert(S.getBeginLoc().getRawEncoding()).second)
        return;
      Finding &Found =
          Out.report(placeOf(Context, S.getSourceRange()),
                     {SubjectKind::Call, plainName(*F), Call->Name},
                     {"power",
                      "'{function}' with the exponent {exponent} takes some "
                      "{instructions instruction}",
                      {{"function", Call->Name},
                       {"exponent", Call->Exponent},
                       {"instructions", Call->IsDouble ? OfDouble : OfFloat}}});
      if (Functions.UnusedOfHeaders.contains(F))
        Found.Level = Severity::Note;
      Found.Cause =
          Call->IsDouble
              ? Phrase{"any-double-power",
                       "it is the double function, and nvcc makes nothing "
                       "simpler of it",
                       {}}
              : Phrase{"any-power", "nvcc makes nothing simpler of it", {}};
      Found.Remedy = {
          "multiply",
          "write {multiplications multiplication}",
          {{"multiplications",
            Multiplications[static_cast<unsigned>(Call->Exponent)]}}};
    });
}

CUDA_LINT_REGISTER_CHECK(WholePower)

} // namespace cudalint::whole_power
