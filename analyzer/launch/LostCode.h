//===- analyzer/launch/LostCode.h - What errors cost the tree ---*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A statement with an error is not in the tree: `n = MISSING;` leaves n as it
/// was before. Only the text tells what it might have done.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_LOSTCODE_H
#define CUDA_LINT_ANALYZER_LAUNCH_LOSTCODE_H

#include "analyzer/frontend/Repairs.h"

#include "clang/Basic/SourceLocation.h"

#include <map>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class ValueDecl;
} // namespace clang

namespace cudalint {

class LostCode {
public:
  /// Nothing is lost.
  LostCode() = default;
  /// The statements and declarations in which \p Errors are, each with the
  /// block behind it.
  LostCode(const clang::ASTContext &Context,
           const std::vector<Problem> &Errors);

  bool isEmpty() const { return Errors.empty(); }
  /// Something lost has that name.
  bool names(const std::string &Name) const { return Places.contains(Name); }
  /// Something lost has the name of that variable or member, and could mean it.
  bool mayMean(const clang::ValueDecl &Named) const;

private:
  std::vector<clang::SourceLocation> Errors;
  /// Where the identifiers in it are.
  std::map<std::string, std::vector<clang::SourceLocation>, std::less<>> Places;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_LOSTCODE_H
