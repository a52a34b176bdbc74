//===- analyzer/ir/AccessMarkers.h - Accesses as written -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Keeps the loads and stores of the source apart while passes rewrite the
/// code. LLVM's passes merge, split, widen, hoist, sink and drop accesses, and
/// they do so differently from nvcc. So each access of the code that Clang
/// makes of the source is given a marker before any pass runs: a call that says
/// what is accessed and where, which no pass may merge, move past another or
/// drop, and which inlining copies as it copies the access. From then on loads
/// and stores only tell what values are; what is accessed, the markers say.
///
/// Atomics, inline PTX and intrinsics say themselves what they access. But
/// passes merge two that are alike in both branches of an if, and copy one to
/// where a condition is known. So each has a fence before it, a call that no
/// pass may merge or copy, until the last step takes it away.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_ACCESSMARKERS_H
#define CUDA_LINT_ANALYZER_IR_ACCESSMARKERS_H

#include "report/Document.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Support/Alignment.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace llvm {
class AtomicRMWInst;
class CallInst;
class Function;
class Instruction;
class Module;
class Value;
} // namespace llvm

namespace cudalint {

/// What a marker says. Its place is its debug location.
struct MarkedAccess {
  AccessOp Op = AccessOp::Load;         ///< Load or Store.
  const llvm::Value *Pointer = nullptr; ///< To the generic address space.
  unsigned Bytes = 0; ///< Per lane; 1 .. 16 for a scalar or a vector.
  unsigned Align = 1; ///< Bytes; what the types of the source promise.
  bool Volatile = false;
  /// DropRedundant found the value where it is needed without it.
  bool IsRedundant = false;
  /// Of the access in the code that Clang made, counted from 0 in its module:
  /// the same in each copy that inlining makes. None for what only passes have
  /// made, which is private.
  std::optional<unsigned> Origin;
};

/// What `I` marks; nothing if it is no marker.
std::optional<MarkedAccess> markedAccess(const llvm::Instruction &I);

/// What a marker marks, whole or in the parts that other passes have made of
/// it, which are right behind it, or behind those of the rest of its copy;
/// nothing if some of its bytes are not there.
std::vector<llvm::WeakVH> markedBy(llvm::CallInst &Marker);

/// A marker that keeps accesses apart; it does nothing itself.
bool isFence(const llvm::Instruction &I);

/// A marker, or an atomic.
bool accessesMemory(const llvm::Instruction &I);
std::size_t countAccesses(const llvm::Function &F);

/// The pieces of a copy of so many bytes, as wide as the alignment allows, 16
/// bytes at most: from which byte on, and how many.
llvm::SmallVector<std::pair<std::uint64_t, std::uint64_t>>
piecesOfCopy(std::uint64_t Bytes, llvm::Align Alignment);

/// Copies of more bytes stay copies, of which nothing is said.
inline constexpr std::uint64_t MaxCopyBytes = 512;

/// Marks every load and store of `M` that is not surely of the function's own
/// variables, and fences what else may access memory. A copy of a struct is
/// marked as the pieces that its alignment allows, 16 bytes at most each.
void markAccesses(llvm::Module &M);

/// Takes the markers away that turn out to be of private variables, which are
/// in registers then. They would keep SROA from putting them there, and what
/// SROA does shows more of them: returns whether there were any.
bool dropPrivateMarkers(llvm::Function &F);

/// EarlyCSE: drops loads of what was loaded or stored before, on each way, with
/// nothing in between that may write it, and says so in their markers. nvcc
/// finds these, too.
struct DropRedundant : llvm::PassInfoMixin<DropRedundant> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
};

/// Whether the program uses what an atomic returns.
bool isResultUsed(const llvm::AtomicRMWInst &I);

/// The last step: what is left in private memory is marked, too; fences, and
/// loads and stores that no value depends on, go.
struct FinishMarkers : llvm::PassInfoMixin<FinishMarkers> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &);
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_ACCESSMARKERS_H
