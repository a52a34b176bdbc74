//===- tests/identity/AccessLedger.h - What became of accesses -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Accounts for every load, store, copy and atomic of the code that Clang made
/// of the source: it is in the canonical code with its own place, operation and
/// width, or there is a proof that nobody executes it or that it is of a
/// variable of the thread.
///
/// The proofs do not ask the passes of canonicalise(). From the code as it was
/// before, a witness is made: accesses are marked and functions inlined, and
/// that is all. Its accesses are what has to be found again. Of one that is not
/// found, points-to analysis (PrivatePointers.h) proves that it is private, or
/// constant propagation that no lane comes there: a call that knows nothing of
/// the access, put in its place, goes as well.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_IDENTITY_ACCESSLEDGER_H
#define CUDA_LINT_TESTS_IDENTITY_ACCESSLEDGER_H

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace cudalint {

enum class AccessFate : std::uint8_t {
  Kept,        ///< In some kernel, as it was written.
  Private,     ///< Of the thread's own variables, or a kernel's parameters.
  Unreachable, ///< No kernel calls its function, or a known condition is false.
  LongCopy,    ///< Copies many bytes: unseen code, by MaxCopyBytes.
  NotInlined,  ///< In a function that stays one, or a kernel that is too long.
};
inline constexpr std::size_t FateCount = 5;

enum class LedgerFault : std::uint8_t {
  NotMarked,     ///< Has no marker of its place, operation and width.
  Lost,          ///< Is gone, and nothing proves that it may.
  Unexpected,    ///< Is there, but nobody wrote it so: a changed one.
  Repeated,      ///< Is there more often than its function was inlined.
  NoPlace,       ///< Has no line.
  AtDeclaration, ///< Stands where the kernel is declared.
};
const char *toString(LedgerFault F);

struct LedgerViolation {
  LedgerFault Fault = LedgerFault::Lost;
  std::string What; ///< Kernel, operation, bytes and place.

  auto operator<=>(const LedgerViolation &) const = default;
};

struct AccessLedger {
  /// Loads, stores and both sides of copies of the code as it was, by what
  /// became of them; kept ones are so in some kernel at least.
  std::size_t Origins[FateCount] = {};
  std::size_t Atomics[FateCount] = {};
  /// The same after inlining: one for each copy of each function.
  std::size_t Copies[FateCount] = {};
  /// What the result has of arrays in local memory, which are found last.
  std::size_t Local = 0;
  std::vector<LedgerViolation> Violations; ///< Sorted.
};

/// \p After is canonicalise() of \p Before, which has no markers.
AccessLedger makeLedger(const llvm::Module &Before, const llvm::Module &After);

} // namespace cudalint

#endif // CUDA_LINT_TESTS_IDENTITY_ACCESSLEDGER_H
