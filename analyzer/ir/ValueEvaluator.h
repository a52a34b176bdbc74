//===- analyzer/ir/ValueEvaluator.h - Instructions over lane values -------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The values of one warp's run: what each IR value is in every lane, and how
/// an instruction without memory or control flow makes one from others.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_VALUEEVALUATOR_H
#define CUDA_LINT_ANALYZER_IR_VALUEEVALUATOR_H

#include "analyzer/ir/FractionValues.h"
#include "analyzer/ir/GivenFields.h"
#include "analyzer/ir/KernelEvaluator.h"
#include "analyzer/ir/KernelStructure.h"
#include "analyzer/ir/LaneValue.h"
#include "analyzer/ir/LaneVotes.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

#include <array>
#include <map>
#include <set>
#include <unordered_map>
#include <vector>

namespace cudalint {

struct BitFunction;

/// Warps of a block that one run stands for.
using Warps = LaneArithmetic::WarpRange;

/// What cudaMalloc guarantees; assumed, and said so, for every kernel pointer.
inline constexpr std::uint64_t AllocationAlign = 256;

class ValueEvaluator {
public:
  ValueEvaluator(const KernelStructure &Kernel, const LaunchShape &Shape,
                 Warps Of, LaneArithmetic &Arithmetic);

  /// Lanes of these warps that exist: a block need not be a multiple of 32.
  LaneMask existingLanes() const { return Existing; }

  /// Bits of the value of that type in this domain.
  unsigned bitsOf(const llvm::Type *T) const;
  /// What `V` is now. Constants, globals and arguments included.
  const LaneValue &get(const llvm::Value *V);
  void set(const llvm::Value *V, LaneValue Value) {
    Values[Kernel.number(V)] = std::move(Value);
  }

  /// Frees what was kept of the values with these numbers: long code would
  /// otherwise fill more memory than a cache holds.
  void forget(const std::vector<unsigned> &Numbers) {
    for (unsigned N : Numbers)
      Values[N] = {};
  }

  /// Result of an instruction that reads no memory, with `Active` lanes, of
  /// which the `Doubtful` ones may not be there; which of them are, if data has
  /// picked them, is the set `Picked`, as in LaneChoice.
  LaneValue evaluate(const llvm::Instruction &I, LaneMask Active,
                     LaneMask Doubtful, unsigned Picked);

  /// Of 0 or 1 that the lanes are about to add up, as data decides: what each
  /// of them has.
  std::optional<LaneValue> numbersOf(const llvm::Instruction &I,
                                     LaneMask Active, unsigned Picked);
  const LaneVotes &laneVotes() const { return Votes; }
  /// Whether its result is what lanes count, or say, in a vote.
  bool isCounting(const llvm::Instruction &I) const {
    return Counting.contains(&I);
  }
  bool isLoopHeader(const llvm::BasicBlock &B) const {
    const llvm::Loop *L = Kernel.loopOf(&B);
    return L && L->getHeader() == &B;
  }

  /// A new symbol for something that is the same in all lanes, of `V`'s type.
  /// A parameter is taken to be a multiple of \p Multiple, if that is asked.
  LaneValue uniform(const llvm::Value &V, SymbolKind Kind, std::string Name,
                    std::uint64_t Multiple = RoundSize);

  /// Space of what an Object symbol points to; Generic: shared memory of some
  /// block of the cluster.
  MemorySpace spaceOf(Symbol S) const { return A.info(S).Space; }
  /// The alloca or global that an Object symbol stands for; null for others.
  const llvm::Value *originOf(Symbol S) const;

  /// What the launch passes in objects.
  const GivenFields &fields() const { return Fields; }

  /// Whether lanes loaded some part of it from several places.
  bool isGathered(const LaneValue &V) const;

  /// Whether values of that type are followed: integers and pointers. Of others
  /// it is only known whether they are one number for all lanes: of lanes that
  /// have one of two they are not.
  static bool isTracked(const llvm::Type *T);

private:
  const KernelStructure &Kernel;
  const LaunchShape &Shape;
  const llvm::DataLayout &Layout;
  LaneArithmetic &A;
  GivenFields Fields;
  LaneMask Existing = 0;
  std::array<LaneValue, 3> ThreadIndex;
  std::array<LaneValue, 3> BlockIndex;
  std::array<LaneValue, 3> GridSize;
  std::vector<LaneValue> Values;
  std::map<const llvm::Value *, LaneValue> Objects;
  /// References to what is in it stay valid.
  std::unordered_map<const llvm::Value *, LaneValue> Constants;
  LaneValue UniformFloat;
  FractionValues Fractions;
  LaneVotes Votes;
  std::set<const llvm::Instruction *> Counting;

  /// InitialValues.cpp: threads, parameters, arrays and constants.
  /// Whether the shared arrays of the kernel, one behind the other in whatever
  /// order, all begin in the first bank.
  bool sharedArraysAreRows() const;
  LaneValue makeObject(const llvm::Value *V, std::string Name,
                       std::uint64_t Align, MemorySpace Space);
  /// That of a variable, by its name.
  LaneValue objectOf(const llvm::Value &V, std::uint64_t Align,
                     MemorySpace Space);
  LaneValue argument(const llvm::Argument &Arg);
  LaneValue constant(const llvm::Value &V);
  LaneValue constantExpression(const llvm::ConstantExpr &E);
  std::optional<LaneValue> alignedDown(const LaneValue &V,
                                       const LaneValue &Mask);
  LaneValue binary(const llvm::BinaryOperator &I);
  /// ValueComparisons.cpp. What is compared may be made of others: `x | y`, so
  /// many at most, one in the other.
  static constexpr unsigned MostCompared = 8;
  LaneValue comparison(llvm::CmpInst::Predicate P, const llvm::Value &Left,
                       const llvm::Value &Right, unsigned Depth = MostCompared);
  LaneValue cast(const llvm::Instruction &I);
  LaneValue address(const llvm::GEPOperator &G);
  LaneValue call(const llvm::CallInst &I, LaneMask Active, LaneMask Doubtful,
                 unsigned Picked);
  LaneValue perLane(const llvm::CallInst &I, const BitFunction &Function,
                    LaneMask Active);
  LaneValue shuffle(const llvm::CallInst &I, LaneMask Active);

  // WarpVotes.cpp: empty where the result is not known.
  std::optional<LaneValue> exchange(const llvm::CallInst &I,
                                    llvm::StringRef Name, LaneMask Active,
                                    LaneMask Doubtful);
  std::optional<LaneValue> vote(const llvm::CallInst &I, llvm::StringRef Name,
                                LaneMask Active, LaneMask Doubtful);
  std::optional<LaneValue> matchAny(const llvm::CallInst &I, LaneMask Active,
                                    LaneMask Doubtful);
  std::optional<LaneValue> reduction(const llvm::CallInst &I,
                                     llvm::StringRef Name, LaneMask Active,
                                     LaneMask Doubtful);

  LaneValue openVote(const llvm::CallInst &I, llvm::StringRef Name,
                     LaneMask Active, unsigned Picked);
  std::optional<LaneValue> count(const llvm::CallInst &I, LaneMask Active);

  LaneValue specialRegister(llvm::StringRef Name, unsigned Bits);
  LaneValue opaqueResult(const llvm::Instruction &I, LaneMask Active);
  LaneValue result(const llvm::Instruction &I, LaneMask Active,
                   LaneMask Doubtful, unsigned Picked);
  llvm::SmallVector<const llvm::Value *, 4> readBy(const llvm::Instruction &I);
  bool isFunctionOf(llvm::ArrayRef<const llvm::Value *> Read,
                    const LaneValue &V, const llvm::Instruction &I);
  LaneValue inEachWarp(llvm::ArrayRef<const llvm::Value *> Read,
                       const llvm::Instruction &I, LaneMask Active,
                       LaneMask Doubtful, unsigned Picked);
  std::map<Symbol, LaneValue> AlignedObjects; ///< By what `&` makes of others.
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_VALUEEVALUATOR_H
