//===- tests/identity/Witness.h - Accesses before any pass -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What is written in a module, each access as often as its function is inlined
/// into kernels, with what can be proved of each without canonicalise().
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_IDENTITY_WITNESS_H
#define CUDA_LINT_TESTS_IDENTITY_WITNESS_H

#include "report/Document.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace llvm {
class Function;
class Instruction;
class Module;
} // namespace llvm

namespace cudalint {

/// What has to stay as it is.
struct AccessIdentity {
  std::string Function; ///< A kernel, or what is not inlined into one.
  std::optional<unsigned> Origin; ///< Of markers.
  AccessOp Op = AccessOp::Load;
  unsigned Bytes = 0; ///< 0: of inline PTX, whose operands may tell.
  bool Volatile = false;
  std::string Place; ///< All frames, the innermost first.

  auto operator<=>(const AccessIdentity &) const = default;
};
std::string toString(const AccessIdentity &A);

/// Of a marker with origin, an atomic or another instruction that accesses
/// memory; nothing for others.
std::optional<AccessIdentity> identityOf(const llvm::Instruction &I);

/// FILE:LINE:COLUMN, innermost first.
std::string placeOf(const llvm::Instruction &I);

bool isKernel(const llvm::Function &F);

/// Kernels and all functions that they may still call.
std::vector<const llvm::Function *> reachableFunctions(const llvm::Module &M);

/// An access of the code that Clang made.
struct WrittenOrigin {
  std::string Where;      ///< Function and place.
  bool IsMarked = false;  ///< A load, a store or a side of a copy.
  bool IsLong = false;    ///< A copy of which nothing is said.
  bool IsPrivate = false; ///< Has no marker, because it needs none.
};

/// One of its copies.
struct WrittenCopy {
  AccessIdentity Identity;
  std::size_t Origin = 0; ///< Index of Witness::Origins.
  bool IsPrivate = false, IsUnreachable = false;
};

struct Witness {
  std::vector<WrittenOrigin> Origins;
  std::vector<WrittenCopy> Copies;
  /// Where private memory is accessed, by operation and function: a
  /// LoadOrStore of AccessIdentity with neither origin nor width.
  std::set<AccessIdentity> PrivatePlaces;
  /// Accesses that have no marker of their place, operation and width.
  std::vector<std::string> NotMarked;
  /// Accesses that are inlined less often than their functions are called.
  std::vector<std::string> NotInlined;
};

Witness makeWitness(const llvm::Module &Before);

} // namespace cudalint

#endif // CUDA_LINT_TESTS_IDENTITY_WITNESS_H
