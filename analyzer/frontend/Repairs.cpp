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
static std::vector<Replacement> disguiseShared(llvm::StringRef Text,
                                               std::size_t Name) {
  static constexpr llvm::StringLiteral Shared = "__shared__";
  static constexpr llvm::StringLiteral StandIn = "__sharedI_";
  static_assert(Shared.size() == StandIn.size());
  std::size_t At = Text.substr(0, Name).rfind(Shared);
  // Of the same declaration only.
  if (At == llvm::StringRef::npos ||
      Text.slice(At, Name).find_first_of(";{}") != llvm::StringRef::npos)
    return {};
  return {{At, StandIn}};
}

/// A launch whose brackets are spaced: `kernel << < grid, block >> > (x)`.
static std::vector<Replacement> closeBrackets(llvm::StringRef Text,
                                              std::size_t Third) {
  if (Third >= 3 && Text.substr(Third - 3, 4) == "<< <")
    return {{Third - 3, "<<< "}};
  if (Third >= 3 && Text.substr(Third - 3, 4) == ">> >")
    return {{Third - 3, " >>>"}};
  return {};
}

/// Operands of inline assembly without a comma: `"r"(value) "l"(address)`.
static std::vector<Replacement> separateOperands(llvm::StringRef Text,
                                                 std::size_t Second) {
  if (Second >= 2 && Text.substr(Second - 2, 3) == ") \"")
    return {{Second - 1, ","}};
  return {};
}

/// The bracket that closes the one at \p Open; npos where text in quotes or the
/// end of a statement comes first.
static std::size_t findClosing(llvm::StringRef Text, std::size_t Open) {
  unsigned Depth = 0;
  for (std::size_t At = Open; At != Text.size(); ++At)
    switch (Text[At]) {
    case '(':
    case '[':
    case '{':
      ++Depth;
      break;
    case ')':
    case ']':
    case '}':
      if (--Depth == 0)
        return At;
      break;
    case ';':
    case '"':
    case '\'':
      return llvm::StringRef::npos;
    default:
      break;
    }
  return llvm::StringRef::npos;
}

/// A shape of a launch in braces, which nvcc takes: `<<<{x, y}, {32, 8}>>>`.
/// The prelude defines what takes their place, as long as what is written:
/// places in what follows stay what they are. So none for a brace right behind
/// a comma.
static std::vector<Replacement> nameShape(llvm::StringRef Text,
                                          std::size_t Brace) {
  const std::size_t End = findClosing(Text, Brace);
  const llvm::StringRef Before = Text.take_front(Brace);
  const llvm::StringRef Statement = Before.substr(Before.rfind(';') + 1);
  if (End == llvm::StringRef::npos ||
      !(Statement.contains("<<<") || Statement.contains(" $$(")))
    return {};
  if (Before.ends_with("<<<"))
    return {{Brace - 3, " $$("}, {End, ")"}};
  if (Before.ends_with(" "))
    return {{Brace - 1, "$("}, {End, ")"}};
  return {};
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
    std::vector<Replacement> Changes;
    if (P.Diagnostic == diag::err_shared_var_init)
      Changes = disguiseShared(*Text, Offset);
    else if (P.Diagnostic == diag::err_expected_expression)
      Changes = Text->substr(Offset).starts_with("{")
                    ? nameShape(*Text, Offset)
                    : closeBrackets(*Text, Offset);
    else if (P.Diagnostic == diag::err_expected)
      Changes = separateOperands(*Text, Offset);
    if (Changes.empty())
      continue;
    Result.SharedConstructors |= P.Diagnostic == diag::err_shared_var_init;
    auto [Edited, _] =
        Result.Sources.try_emplace(Entry->getName().str(), Text->str());
    for (const Replacement &R : Changes)
      Edited->second.replace(R.Offset, R.Text.size(), R.Text);
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
