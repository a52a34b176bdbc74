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
#include "analyzer/frontend/UserFunctions.h"

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/DenseMap.h"

#include <map>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class ValueDecl;
} // namespace clang

namespace cudalint {

/// Statements of host code, each with the blocks behind it.
class LostCode {
public:
  /// Nothing is lost.
  LostCode() = default;
  /// The statements and declarations in which \p Errors are, outside of code
  /// for the device alone; everything, where Clang gave up.
  LostCode(const clang::ASTContext &Context, const UserFunctions &Functions,
           const std::vector<Problem> &Errors);

  bool isEmpty() const { return Parts.empty() && !IsAll; }
  /// Something lost has that name.
  bool names(const std::string &Name) const {
    return IsAll || Names.contains(Name);
  }
  /// Some of the function's text is lost.
  bool isPartOf(const clang::FunctionDecl &Function) const;
  /// Something lost has the name of that variable or member, and could mean it;
  /// or it is a variable of a function of which a jump or label is lost.
  bool mayMean(const clang::ValueDecl &Named) const;

private:
  using Locations = std::vector<clang::SourceLocation>;

  Locations Parts; ///< Where each begins.
  Locations Jumps; ///< Those in which there are jumps or labels.
  std::map<std::string, Locations> Names;
  bool IsAll = false;
  // What was asked before.
  mutable llvm::DenseMap<const clang::FunctionDecl *, bool> Whole;
  mutable llvm::DenseMap<const clang::ValueDecl *, bool> Meant;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_LOSTCODE_H
