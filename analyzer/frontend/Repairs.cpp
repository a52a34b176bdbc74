//===- analyzer/frontend/Repairs.cpp - What only nvcc accepts ---*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/Repairs.h"

#include "analyzer/frontend/SyntaxVisitor.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/DiagnosticParse.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace cudalint {

/// Where a repaired text differs from the file.
struct Replacement {
  std::size_t Offset;
  llvm::StringRef Text;
};

/// `__shared__ T x;` with a constructor that does something: Clang checks
/// shared variables for it, but lets device variables pass when told to. The
/// prelude defines the stand-in as such a variable with a mark; undisguise()
/// finds the mark.
static std::optional<Replacement> disguiseShared(llvm::StringRef Text,
                                                 std::size_t Name) {
  static constexpr llvm::StringLiteral Shared = "__shared__";
  static constexpr llvm::StringLiteral StandIn = "__sharedI_";
  static_assert(Shared.size() == StandIn.size());
  std::size_t At = Text.substr(0, Name).rfind(Shared);
  // Of the same declaration only.
  if (At == llvm::StringRef::npos ||
      Text.slice(At, Name).find_first_of(";{}") != llvm::StringRef::npos)
    return std::nullopt;
  return Replacement{At, StandIn};
}

/// A launch whose brackets are spaced: `kernel << < grid, block >> > (x)`.
static std::optional<Replacement> closeBrackets(llvm::StringRef Text,
                                                std::size_t Third) {
  if (Third >= 3 && Text.substr(Third - 3, 4) == "<< <")
    return Replacement{Third - 3, "<<< "};
  if (Third >= 3 && Text.substr(Third - 3, 4) == ">> >")
    return Replacement{Third - 3, " >>>"};
  return std::nullopt;
}

/// Operands of inline assembly without a comma: `"r"(value) "l"(address)`.
static std::optional<Replacement> separateOperands(llvm::StringRef Text,
                                                   std::size_t Second) {
  if (Second >= 2 && Text.substr(Second - 2, 3) == ") \"")
    return Replacement{Second - 1, ","};
  return std::nullopt;
}

Repairs findRepairs(const std::vector<Problem> &Problems,
                    const SourceManager &Sources, const Repairs &Known) {
  Repairs Result = Known;
  for (const Problem &P : Problems) {
    if (P.Diagnostic == diag::err_cuda_device_kernel_launch_require_rdc) {
      Result.Relocatable = true;
      continue;
    }
    auto [File, Offset] = Sources.getDecomposedLoc(P.Where);
    OptionalFileEntryRef Entry = Sources.getFileEntryRefForID(File);
    std::optional<llvm::StringRef> Text = Sources.getBufferDataOrNone(File);
    if (!Entry || !Text)
      continue;
    std::optional<Replacement> R;
    if (P.Diagnostic == diag::err_shared_var_init)
      R = disguiseShared(*Text, Offset);
    else if (P.Diagnostic == diag::err_expected_expression)
      R = closeBrackets(*Text, Offset);
    else if (P.Diagnostic == diag::err_expected)
      R = separateOperands(*Text, Offset);
    if (!R)
      continue;
    Result.SharedConstructors |= P.Diagnostic == diag::err_shared_var_init;
    auto [Edited, _] =
        Result.Sources.try_emplace(Entry->getName().str(), Text->str());
    Edited->second.replace(R->Offset, R->Text.size(), R->Text);
  }
  return Result;
}

namespace {

class Undisguiser : public SyntaxVisitor {
public:
  explicit Undisguiser(ASTContext &Context) : Context(Context) {
    ShouldVisitTemplateInstantiations = true;
  }

  bool VisitVarDecl(VarDecl *V) override {
    const auto *Mark = V->getAttr<AnnotateAttr>();
    if (!Mark || Mark->getAnnotation() != "cuda-lint-shared")
      return true;
    V->dropAttrs<AnnotateAttr, CUDADeviceAttr>();
    V->addAttr(CUDASharedAttr::CreateImplicit(Context));
    V->setInit(nullptr);
    return true;
  }

private:
  ASTContext &Context;
};

} // namespace

void undisguise(ASTContext &Context) {
  Undisguiser(Context).TraverseDecl(Context.getTranslationUnitDecl());
}

} // namespace cudalint
