//===- tests/unit/analyzer/ir/Evaluation.cpp - Kernels from text ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/unit/analyzer/ir/Evaluation.h"

#include "analyzer/frontend/Frontend.h"
#include "analyzer/ir/Canonicalise.h"
#include "analyzer/ir/FittingBlock.h"
#include "tests/identity/AccessLedger.h"
#include "tests/mock/MockCuda.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace cudalint {

Evaluated evaluate(const std::string &Source, const Setting &S) {
  Evaluated E;
  E.Source = Source;
  const Architecture *Arch = findArchitecture(S.CC);
  if (!Arch) {
    ADD_FAILURE() << "no architecture " << toString(S.CC);
    return E;
  }
  FrontendOptions Options;
  Options.Arch = Arch;
  Options.StandInHeader = test::mockCuda();
  const CompileJob Job = {.File = "kernel.cu",
                          .Folder = {},
                          .Arguments = {},
                          .Files = overDisk({{"kernel.cu", Source}}, "")};
  std::string Stopped;
  llvm::LLVMContext Context;
  SourceFacts Facts;
  const FrontendResult Parsed = parseCuda(
      Job, Options, Context,
      [&](clang::ASTContext &AST, auto &) { Facts = collectSourceFacts(AST); },
      Stopped);
  if (Parsed.Status != UnitStatus::Ok || !Parsed.Module) {
    ADD_FAILURE() << Parsed.Diagnostics << Source;
    return E;
  }
  const std::unique_ptr<llvm::Module> Before =
      llvm::CloneModule(*Parsed.Module);
  canonicalise(*Parsed.Module);
  for (const LedgerViolation &V :
       makeLedger(*Before, *Parsed.Module).Violations)
    ADD_FAILURE() << toString(V.Fault) << ": " << V.What << Source;
  const llvm::Function *Kernel = nullptr;
  for (const llvm::Function &F : *Parsed.Module)
    if (F.getCallingConv() == llvm::CallingConv::PTX_Kernel)
      Kernel = &F;
  if (!Kernel) {
    ADD_FAILURE() << "no kernel in " << Source;
    return E;
  }
  LaunchShape Shape;
  Shape.Block = S.Block;
  Shape.BlockSource = LaunchSource::Launch;
  Shape.Grid = S.Grid;
  Shape.Arguments = S.Arguments;
  Shape.Fields = S.Fields;
  Shape.Nulls = S.Nulls;
  Shape.Offsets = S.Offsets;
  Shape.Powers = S.Powers;
  Shape.NotRound = S.NotRound;
  Shape.Limits = S.Limits;
  Shape.Multiples = S.Multiples;
  Shape.SmallElsewhere = S.SmallElsewhere;
  Shape.HasSwappedRoles = S.HasSwappedRoles;
  if (S.IsGuess) {
    Shape.BlockSource = LaunchSource::Assumed;
    Shape.IsOpen = {true, true, true};
  }
  Shape = fittedBlock(*Kernel, Shape);
  E.Block = Shape.Block;
  const AccessPlan Plan =
      S.Code || S.Expected
          ? AccessPlan(*Kernel, Facts, S.Code ? &*S.Code : nullptr)
          : AccessPlan();
  E.Traits = traitsOf(*Kernel, Facts);
  E.Kernel = evaluateKernel(*Kernel, Shape, *Arch, Facts, Plan);
  E.Removed = Plan.removed();
  E.Unseen = unseenCodeOf(*Kernel, Facts);
  return E;
}

/// Numbers of the lines that hold the word, from 1.
static std::vector<unsigned> linesWith(const std::string &Source,
                                       const std::string &Mark) {
  std::vector<unsigned> Found;
  std::istringstream In(Source);
  std::string Line;
  for (unsigned N = 1; std::getline(In, Line); ++N)
    if (Line.find(Mark) != std::string::npos)
      Found.push_back(N);
  return Found;
}

std::vector<Access> Evaluated::all(MemorySpace Space, AccessOp Op,
                                   const std::string &Mark) const {
  std::vector<Access> Found;
  const std::vector<unsigned> Lines = linesWith(Source, Mark);
  if (Lines.empty())
    ADD_FAILURE() << "no line holds " << Mark;
  for (const Access &A : Kernel.Accesses)
    if (A.Space == Space && A.Op == Op &&
        (Mark.empty() || std::ranges::count(Lines, A.Where.Line)))
      Found.push_back(A);
  return Found;
}

Access Evaluated::only(MemorySpace Space, AccessOp Op,
                       const std::string &Mark) const {
  const std::vector<Access> Found = all(Space, Op, Mark);
  if (Found.size() == 1)
    return Found[0];
  std::string Text;
  for (const Access &A : Kernel.Accesses)
    Text += "\n" + toString(A);
  ADD_FAILURE() << Found.size() << " accesses match '" << Mark << "' in"
                << Source << Text;
  return {};
}

std::string toString(const Access &A) {
  static const char *const Spaces[] = {"global", "shared", "local", "constant",
                                       "generic"};
  static const char *const Ops[] = {"load", "store", "atomic"};
  std::ostringstream S;
  S << "line " << A.Where.Line << ": " << Spaces[static_cast<int>(A.Space)]
    << ' ' << Ops[static_cast<int>(A.Op)] << " of " << A.Bytes << " bytes";
  if (A.Predicted)
    S << ", " << A.Predicted->PerRequest << " per request, ideal "
      << A.Predicted->Ideal << ", " << A.Predicted->Ways << " ways, "
      << A.Predicted->Lanes << " lanes, " << A.Predicted->Requests
      << " requests per warp";
  else
    S << ", unknown: " << A.WhyUnknown;
  for (const std::string &Assumption : A.Assumptions)
    S << "; " << Assumption;
  return S.str();
}

testing::AssertionResult costs(const Access &A, const Costs &Expected) {
  auto Near = [](double X, double Y) { return std::abs(X - Y) < 1e-9; };
  if (A.Predicted && Near(A.Predicted->PerRequest, Expected.PerRequest) &&
      Near(A.Predicted->Ideal, Expected.Ideal) &&
      (!Expected.Ways || *Expected.Ways == A.Predicted->Ways) &&
      (!Expected.Lanes || Near(*Expected.Lanes, A.Predicted->Lanes)))
    return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << toString(A) << "; expected " << Expected.PerRequest
         << " per request, ideal " << Expected.Ideal
         << (Expected.Ways ? ", ways " + std::to_string(*Expected.Ways) : "")
         << (Expected.Lanes ? ", lanes " + std::to_string(*Expected.Lanes)
                            : "");
}

} // namespace cudalint
