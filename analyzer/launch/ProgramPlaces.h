//===- analyzer/launch/ProgramPlaces.h - Names across files -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What files of one program call the same: places that hold integers, and
/// functions; and what a file stores in which place.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_PROGRAMPLACES_H
#define CUDA_LINT_ANALYZER_LAUNCH_PROGRAMPLACES_H

#include "analyzer/frontend/UserFunctions.h"
#include "analyzer/launch/ProgramValues.h"

#include "llvm/ADT/DenseMap.h"

#include <string>

namespace cudalint {

/// True for an integer member, a global variable of the host or a parameter of
/// a function that only its callers can set. False for what is not followed:
/// unions, bit-fields, volatile objects, parameters of methods and lambdas
/// (which library code may call), everything of a system header.
bool isProgramPlace(const clang::ValueDecl &Declaration);

/// The names of places; each is made once, for that takes long.
class ProgramPlaces {
public:
  /// Empty unless isProgramPlace(). Valid until the next call.
  const std::string &nameOf(const clang::ValueDecl &Declaration);

private:
  llvm::DenseMap<const clang::ValueDecl *, std::string> Names;
};

/// The place of what a parameter of place \p Place holds when its function
/// begins: that which callers store, and not the function itself.
inline std::string placeAtEntry(const std::string &Place) {
  return Place + "@entry";
}

/// Clang's name of a declaration, which is the same in all files that see it,
/// and has the file in it where it is private to one. Empty for some.
std::string usrOf(const clang::Decl &D);

/// False for a method, an operator or a constructor, which library code may
/// call with values of its own; a plain function is called by its name or its
/// address.
bool hasKnownCallers(const clang::FunctionDecl &Function);

/// The name of a plain function that files share, which is the same in all of
/// them; empty for what library code may call with values of its own.
std::string sharedName(const clang::FunctionDecl &Function);

/// True for a function that has its body in another file of the user's.
bool isOfAnotherFile(const clang::FunctionDecl &Function);

struct UnitEffects;

/// What a file adds to ProgramValues, by the effects of its code. Every way in
/// which code of the user's may change a place counts as a store into it. Where
/// that cannot be told (its address is taken, bytes are copied over it, a
/// reference is bound), the store is one of an unknown value (ProgramScan.cpp).
ProgramFacts scanProgram(const clang::ASTContext &Context,
                         const UserFunctions &Functions,
                         const UnitEffects &Effects, ProgramPlaces &Places);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_PROGRAMPLACES_H
