//===- analyzer/ir/Access.h - One memory instruction and its cost ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the evaluator says of one static memory instruction of one kernel
/// under one block shape, on one target. Plain values: no LLVM.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_ACCESS_H
#define CUDA_LINT_ANALYZER_IR_ACCESS_H

#include "analyzer/frontend/SourceFacts.h"
#include "analyzer/ir/CompiledCode.h"
#include "hardware/WarpTransactions.h"
#include "report/Assumption.h"
#include "report/Document.h"

#include <array>
#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cudalint {

/// Means over all requests of the warps of one block that were evaluated.
struct Traffic {
  double PerRequest = 0; ///< Sectors (global, local) or wavefronts (shared).
  double Ideal = 0;
  /// What a request costs if run-time sizes are not the multiples of 32 that
  /// they are assumed to be, or for other powers of two; empty where neither
  /// matters.
  std::optional<double> Least, Most;
  double Lanes = 0;          ///< Active lanes.
  double BytesUsed = 0;      ///< Distinct bytes; global only.
  double Requests = 0;       ///< Per warp that executes it at all, not a mean.
  bool MoreRequests = false; ///< Requests is a lower bound: a long loop.
  unsigned Ways = 0;  ///< Largest bank conflict of any request; shared only.
  unsigned Warps = 0; ///< Of the block, that execute it; 0: not counted.
};

/// Per request at addresses from data, as hardware/RandomRequest.h has it.
struct Expectation {
  double PerRequest = 0;      ///< The mean if the data is random.
  double Ideal = 0;           ///< Of the same requests.
  double Least = 0, Most = 0; ///< Whatever the data is.
  double IfEqual = 0;         ///< The mean if lanes have the same numbers.
  double Lanes = 0;           ///< Active lanes.
  double StandardError = 0;   ///< Of PerRequest; 0 where it is computed.
  bool IsExact = false;       ///< PerRequest is computed.
  /// Data decides which lanes are counted in the address, as hardware/
  /// CountedRequest.h has it.
  bool IsCounted = false;
};

/// The part of a request's offsets that was made up: what only the run knows
/// was given some value, large and far from others. Distances that it decides
/// are not facts.
struct MadeUpOffsets {
  std::array<std::int64_t, WarpSize> Offset = {}; ///< Bytes of each lane's.
  /// As written, `pitch`; empty when several symbols or nameless ones decide.
  std::string Symbol;
  std::int64_t Value = 0; ///< What the symbol was taken to be.
};

/// One evaluated request: byte offsets from a base that is the same in all
/// lanes and, unless an assumption says otherwise, aligned to 256 bytes.
struct RequestSample {
  std::array<std::int64_t, WarpSize> Offset = {};
  std::uint32_t ActiveMask = 0;
  double Weight = 0; ///< Share of this access's requests that look like this.
  /// No turn of the first warp that makes it has it as the data is aligned
  /// first: it is one of other warps, blocks or alignments.
  bool IsOfOthers = false;
  /// Null when all distances between lanes are as in every run.
  std::shared_ptr<const MadeUpOffsets> MadeUp;
};

/// A distance between lanes that only the run decides: `tid * pitch`.
struct RuntimeStride {
  std::string Symbol; ///< As written, `pitch`.
  /// Bytes between two neighbouring lanes for each unit of the symbol.
  std::int64_t BytesPerUnit = 0;
  /// Shared: wavefronts for symbol % n == index, n of them, a power of two from
  /// 32 on: what decides a conflict; empty where nothing short does. Global:
  /// sectors for symbol == 0 … 32, 33 of them.
  std::vector<double> PerRequest;
  /// Another size may decide as well: rows that are not as long as a warp is
  /// wide, or that are no multiple of 32.
  bool RestsOnOthers = false;
  /// The kernel compares something with the symbol: it is a size rather than,
  /// say, a dilation, that may as well be 1.
  bool IsBound = false;
  /// Another index in the address goes in constant steps, whatever the symbol
  /// is: a row of that length is walked along. Else, where each index has a
  /// factor of its own, the innermost one is mostly 1. In shared memory: lanes
  /// are in rows of that length, which the program may choose.
  bool IsOfRows = false;
  /// So many lanes side by side are in one row, as the first ones are.
  unsigned RowLanes = 1;
};

/// Where in the code of its kernel an access is.
struct BlockPlace {
  unsigned Block = 0; ///< Number of its basic block.
  /// Number of the innermost loop around it; 0: none.
  unsigned Loop = 0;
  /// How many instructions before it in the block may change what a load reads:
  /// between two accesses of one block and stretch nothing does.
  unsigned Stretch = 0;

  auto operator<=>(const BlockPlace &) const = default;
};

/// Of an atomic that adds, or keeps the least or the greatest, and of which
/// nobody uses the old value: all lanes of each request do so at one address of
/// global memory.
struct CommonTarget {
  /// It is one address for all requests of all blocks.
  bool IsOfGrid = true;
  /// nvcc adds up what the lanes of a warp do, and one of them updates it.
  bool IsAddedUp = false;
  std::optional<double> Blocks; ///< Of the grid, where that is known.
};

/// From Begin to below End, in bytes from the begin of a variable.
struct ByteReach {
  std::int64_t Begin = 0, End = 0;
};

struct Access {
  Location Where; ///< Innermost place that is not in Clang's own headers.
  std::vector<Location> InlinedAt; ///< Call sites, innermost first.
  /// Where a message should point: the innermost place in the user's code
  /// (not in a system header); equal to Where for most.
  Location UserWhere;
  /// Where is in a system header, though not in one of Clang's own, which are
  /// how Clang makes its calls.
  bool IsInLibrary = false;
  MemorySpace Space = MemorySpace::Global;
  AccessOp Op = AccessOp::Load;
  unsigned Bytes = 0; ///< Per lane.
  /// Of the number that the source loads, where the machine code takes only a
  /// part of it, as of `a[i] & 255` and `(int)a[i]`; else 0.
  unsigned BytesOfWhole = 0;
  /// Its address is computed from a number that the kernel is passed.
  bool IsOfPassedSize = false;
  bool Volatile = false;
  /// Of an atomic: atomicExch or atomicCAS, which leave one lane's value and
  /// which nobody can add up.
  bool IsExchange = false;
  RequestKind Kind = RequestKind::Load; ///< As the hardware model has Op.

  std::array<std::int64_t, 3> Block = {1, 1, 1};
  LaunchSource BlockSource = LaunchSource::Assumed;

  Certainty Trust = Certainty::Unknown;
  std::vector<Assumption> Assumptions; ///< Sorted; empty when exact.
  std::string WhyUnknown; ///< When Trust is Unknown: the cause, one phrase.
  UnknownCause Cause = UnknownCause::NotModelled; ///< Of that, in one word.
  Location
      CauseWhere; ///< Of what is not known; no line: nowhere in particular.
  std::optional<Traffic> Predicted; ///< Empty when Trust is Unknown.
  /// What it costs if the data that it depends on is random; empty when Trust
  /// is not Unknown, or that cannot be told.
  std::optional<Expectation> Expected;
  /// How often a warp of the launch makes a request, a mean; empty when that is
  /// not known.
  std::optional<double> Executions;
  std::string WhyNotCounted; ///< A phrase, when Executions is empty.
  /// What is known of it, whether or not it is counted: the sum of these.
  std::vector<Frequency> Frequencies;
  /// A number of the condition, other than that of a loop, that decides
  /// whether warps make it and of which nothing is known: they make it at most
  /// as often. 0: there is none.
  unsigned Undecided = 0;
  /// Only blocks make it of which blockIdx has one value, `blockIdx.y == 0`.
  bool IsOfFewBlocks = false;
  /// Only threads make it whose index is below a size, while another bound of
  /// that index is a product of the size and others: few of all threads.
  bool IsOfFewThreads = false;
  /// Of an entry that stands for several shapes: of each of them, Block first.
  std::vector<BlockCount> Counts;
  /// The shapes of its kernel that it stands for, by number. Empty: not known.
  std::vector<unsigned> Shapes;
  /// Where all warps make the same number of requests, more than one, that do
  /// not all cost the same: each of them, in order, with how many of them a
  /// warp makes, 1, in Requests. Else empty.
  std::vector<Traffic> InOrder;
  /// Up to sixteen different requests, the costliest first. Empty when unknown.
  std::vector<RequestSample> Samples;
  std::optional<RuntimeStride> Stride;
  std::optional<CommonTarget> Target;
  /// Of an access of which the compiler makes all, as another pointer may lead
  /// there; empty: that is not the only reason, or it does not.
  std::optional<MayAlias> Aliased;
  /// Where only the run knows a power of two that it depends on.
  std::optional<CostByPower> ByPower;

  /// The instructions that it is; empty: the machine code is not known, or has
  /// fewer than there are accesses that share them.
  std::vector<MachineInstruction> Instructions;
  /// How many of the Executions each of them makes; empty: not known.
  std::vector<double> InstructionExecutions;

  unsigned LoopDepth = 0;
  /// How often each of the loops around it turns, the innermost first; 0: not
  /// known. Empty: nothing of it is.
  std::vector<unsigned> LoopTurns;
  /// Likewise, as WrittenAccess has them; empty: not known.
  std::vector<unsigned> LoopsAlike;
  BlockPlace Place;
  /// Accesses of a kernel with the same non-zero key have the same address but
  /// for a constant: one warp touches them together, and Samples of all of
  /// them are relative to the same base.
  std::uint64_t GroupKey = 0;

  std::string Kernel; ///< Linkage name.
  /// Of shared memory: the linkage name of the variable that it is in; empty
  /// where it may be one of several.
  std::string Variable;
  AccessFact Source; ///< What the user wrote there.
  /// Of a shared array with rows that Source.Array declares: how many bytes
  /// behind the begin of a row the last byte of a lane is, at most; empty: of
  /// no request its place in the array is known.
  std::optional<std::int64_t> LastInRow;
  /// Of shared memory: the bytes of its variable from where to where lanes are,
  /// of the requests whose place in it is known; empty: of none.
  std::optional<ByteReach> Reach;
  /// Where Source has a FixedRow: every request is in that row, in the blocks
  /// of this shape. Empty: there is none, or no request.
  std::optional<bool> StaysInRow;
  /// Of global memory: how many bytes behind a block's the next block's lanes
  /// are along a dimension of the grid that has at least a warp's lanes of
  /// them, the least of them that is a number; 0: none is.
  std::int64_t BlockStep = 0;
  /// What is computed from blockIdx, a quotient or a remainder, says where the
  /// block's lanes are: other blocks may have what lies between them.
  bool HasBlockQuotient = false;
  /// How many bytes the lanes go on with each turn of the innermost loop, or
  /// back: never negative; 0: that is not one number, or not known.
  std::int64_t TurnStep = 0;
  /// Of global memory, where all that a block takes with it, in all turns, lies
  /// whole strides apart, each of two elements or more: a number, the same for
  /// the accesses of a kernel that leave the same to nobody. 0: that is not so,
  /// or not known.
  std::uint64_t Lattice = 0;
};

/// A variable in shared memory that one kernel uses.
struct SharedVariable {
  /// Linkage name: the same in all kernels of a file.
  std::string Name;
  std::string PlainName;   ///< As it is declared: `tile`.
  std::uint64_t Bytes = 0; ///< 0: `extern`, as many as the launch says.
  /// Bytes per lane of its widest access, also of one that nothing reaches.
  unsigned Widest = 0;
  bool HasUnreached = false; ///< Some access that no lane has come to.
  /// Nothing reads it, and elements are stored as what they are: nvcc 13.0
  /// leaves it out.
  bool IsOnlyStored = true;
  /// wmma loads or stores matrices of it, and is told how far lines are apart.
  bool HasMatrices = false;
  /// Why not all that is done with it is known: a phrase, `its address is
  /// passed to 'f'`. Empty when every use is an access.
  std::string Unseen;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_ACCESS_H
