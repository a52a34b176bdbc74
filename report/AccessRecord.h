//===- report/AccessRecord.h - An access as it is told ----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An access to memory as it is told: what one request costs, how often it is
/// executed, and what of it is not known. An empty optional is a figure that is
/// not known.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_ACCESSRECORD_H
#define CUDA_LINT_REPORT_ACCESSRECORD_H

#include "report/Finding.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cudalint {

enum class MemorySpace : std::uint8_t {
  Global,
  Shared,
  Local,
  Constant,
  Generic
};

enum class AccessOp : std::uint8_t { Load, Store, Atomic };

enum class TrafficUnit : std::uint8_t {
  Sectors,
  Wavefronts,
  Addresses, ///< Different ones of one request, in constant memory.
};

/// What a request to that memory costs is counted in.
constexpr TrafficUnit unitOf(MemorySpace Space) {
  switch (Space) {
  case MemorySpace::Shared:
    return TrafficUnit::Wavefronts;
  case MemorySpace::Constant:
    return TrafficUnit::Addresses;
  default:
    return TrafficUnit::Sectors;
  }
}

/// One memory instruction of the machine code.
struct MachineInstruction {
  std::string Name;         ///< `LDS.128`
  std::uint64_t Offset = 0; ///< Bytes from the start of the kernel's code.
  AccessOp Op = AccessOp::Load;
  MemorySpace Space = MemorySpace::Generic;
  unsigned Bytes = 0; ///< Per lane; 0: not known.
  /// Where it comes from: innermost first, then the calls that were inlined.
  /// Of an access, in the user's code: what is in system headers is left out,
  /// unless there is nothing else. Without columns.
  std::vector<Location> Frames;
  /// The place that profilers show for it, in whatever header: the innermost,
  /// or the call that was inlined there.
  Location Where;
  bool IsInHeader = false; ///< That is in a system header.
  /// The constant part of its address.
  std::int64_t AddressOffset = 0;
  bool Predicated = false; ///< A guard that is not always true.
  /// The loops around it, innermost first: where each begins, in bytes from the
  /// start of the kernel's code.
  std::vector<std::uint64_t> Loops;
  /// Each turn of the innermost loop comes to it, without one each run of the
  /// kernel. False: or not known.
  bool IsInEachTurn = false;
  /// And each run of the kernel comes to these loops, each turn of one to the
  /// next, or would if the arguments of calls let it. False: or not known.
  bool IsInEachRun = false;
  /// Where its basic block begins, likewise; nothing: not known.
  std::optional<std::uint64_t> Block;
  /// A function that was not inlined is a copy for each chain of calls that
  /// leads to it. A number of the copy that it is in, and of the one that its
  /// innermost loop is in; 0: the kernel, in which the loop is also if there is
  /// none.
  unsigned Copy = 0, CopyOfLoop = 0;

  bool operator==(const MachineInstruction &) const = default;
};

/// Why an access is not known.
enum class UnknownCause : std::uint8_t {
  LoadedData,    ///< The address is computed from what is loaded.
  LoadedLanes,   ///< Loaded data decides which lanes take part.
  SharedWrites,  ///< What other threads write, too: the result of an atomic.
  PrivateArray,  ///< What a private array holds.
  LoopBound,     ///< Turns of a loop that are not followed, or not reached.
  PointerMerge,  ///< A pointer to one array or another.
  RunTimeValue,  ///< A size or pitch that only the run knows.
  Blocks,        ///< It differs from block to block, and the grid is not known.
  OtherBlock,    ///< Shared memory of the cluster, perhaps of another block.
  UnseenCode,    ///< The result of code that is not evaluated.
  FloatingPoint, ///< Numbers that were floating-point.
  AtomicLoop,    ///< The atomic is a loop that compares and swaps.
  ConstantSpace, ///< Constant memory has neither sectors nor banks.
  Unmatched,     ///< An instruction of no access of the source that is known.
  NotModelled    ///< Arithmetic that the model does not follow.
};

struct UnknownReason {
  UnknownCause Cause = UnknownCause::NotModelled;
  std::string What; ///< One phrase: "the address depends on data".
  Location Where;   ///< Of what is not known; no line: of the access.
};

/// Where Trust is Random: how PerRequest, the mean, is known, and what it is if
/// the data is not random but equal.
struct ExpectationRecord {
  bool IsExact = false;     ///< Computed; else drawn, by a fixed sequence.
  double StandardError = 0; ///< Of the mean; 0 where it is computed.
  double IfEqual = 0;       ///< The mean if neighbouring data is equal.
};

/// What a request costs for one value of a power of two.
struct PowerCost {
  std::int64_t Power = 1;
  double PerRequest = 0; ///< Mean over the warps of the block, and over turns.
  double Ideal = 0;
  double Lanes = 0;
  unsigned Ways = 0; ///< Largest bank conflict; not written.

  bool operator==(const PowerCost &) const = default;
};

/// What an access costs for each value of a power of two that only the run
/// knows.
struct CostByPower {
  std::string Symbol; ///< As in a formula: `n` or `1 << n`.
  /// The program says that it is a power of two; not written, as Assumptions
  /// name it otherwise.
  bool IsProved = false;
  /// Under which the costs hold, sorted.
  std::vector<std::string> Assumptions;
  /// By their powers; without those that are impossible, as some array would be
  /// too small, or for which the access is not made. Some cost differs.
  std::vector<PowerCost> Values;

  bool operator==(const CostByPower &) const = default;
};

/// A part of how often a warp makes an access, a mean.
struct Frequency {
  double Times = 0; ///< If each of Loops turned once.
  /// Of the loops around it those of which it is not known how often they turn,
  /// and those of which not all turns were looked at: Times is of the others.
  /// Numbers in the kernel; by the code, those with the same turn as often.
  std::vector<unsigned> Loops = {}, CutLoops = {};

  bool operator==(const Frequency &) const = default;
};

/// How often a warp of one shape of block makes an access, a mean.
struct BlockCount {
  BlockShape Block = {1, 1, 1};
  std::optional<double> Executions;        ///< Where that is known.
  std::vector<Frequency> Frequencies = {}; ///< The sum of these, in any case.

  bool operator==(const BlockCount &) const = default;
};

/// One static memory instruction of one kernel under one block shape.
struct AccessRecord {
  Location Where;
  MemorySpace Space = MemorySpace::Global;
  AccessOp Op = AccessOp::Load;
  unsigned Bytes = 0; ///< Per lane.
  TrafficUnit Unit = TrafficUnit::Sectors;
  std::optional<double> PerRequest; ///< Mean over the warps of the block.
  std::optional<double> Ideal;
  std::optional<double> Lanes; ///< Mean active lanes.
  /// Bounds of PerRequest, when Trust is Random; or if run-time sizes are not
  /// the multiples of 32 that the assumptions say; or over ByPower.
  std::optional<double> Least, Most;
  std::optional<ExpectationRecord> Random = {}; ///< When Trust is Random.
  std::optional<CostByPower> ByPower = {};
  Certainty Trust = Certainty::Unknown;
  std::vector<std::string> Assumptions;
  /// Data decides how often and by which lanes: at most as often and by as many
  /// as is said. Not written.
  bool IsByData = false;
  /// A number of the condition, other than that of a loop, that decides whether
  /// warps make it, where that is not known: odd of one of its two ways, and
  /// one more of the other; 0: none. Not written.
  unsigned Undecided = 0;
  /// Only blocks make it of which blockIdx has one value. Not written.
  bool IsOfFewBlocks = false;
  /// The size that only the run knows and that is supposed to be large, if it
  /// would cost less were that small. Not written.
  std::string SupposedLarge = {};
  std::optional<UnknownReason> Unknown; ///< When Trust is Unknown or Random.
  BlockShape Block = {1, 1, 1};
  /// How often a warp of the launch makes this request, a mean; empty when that
  /// is not known.
  std::optional<double> Executions;
  std::string WhyNotCounted; ///< A phrase, when Executions is empty.
  unsigned LoopDepth = 0;
  /// For Block, then for the others that it stands for. Empty: nothing is
  /// known. No part of the JSON.
  std::vector<BlockCount> Counts;
  /// The launches that it stands for, as WarpTotals has them. Empty: not known.
  /// Not written.
  std::vector<unsigned> Shapes = {};
  /// The loops around it, the innermost first, by numbers that loops share
  /// which turn as often by the code; likewise. Empty: none, or not known.
  std::vector<unsigned> LoopsAlike;
  std::vector<Location> InlinedAt;
  /// The machine instruction that it is; empty where that is not known.
  std::optional<MachineInstruction> Compiled;
  /// Where it is written, if Where is another place of the same inline chain:
  /// the one that the line table of the machine code names, by which profilers
  /// know it.
  std::optional<Location> Written;
};

} // namespace cudalint

#endif // CUDA_LINT_REPORT_ACCESSRECORD_H
