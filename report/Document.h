//===- report/Document.h - The result of one run ---------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One document is the result of one run for one target GPU: what the JSON
/// format `cuda-lint/1` holds and what every writer prints. An empty optional
/// is a figure that is not known, and is written as null, never as 0.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_DOCUMENT_H
#define CUDA_LINT_REPORT_DOCUMENT_H

#include "hardware/Roofline.h"
#include "report/Finding.h"
#include "report/SourceRecord.h"

#include <array>
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

/// Where the shape of a launch came from.
enum class LaunchSource : std::uint8_t {
  Launch,       ///< A launch in the source.
  LaunchBounds, ///< `__launch_bounds__` or `__block_size__`.
  User,         ///< `--launch` or `--block`.
  Profile,      ///< `--launches-from`: recorded, or listed by hand.
  Usual, ///< A launch in the source, if the program's input leaves all that it
         ///< may change at what it is before.
  Assumed, ///< Nothing was known: our own assumption.
};

/// True of a shape that is launched, by the word of the source, the user or a
/// recording; false of one that stands in for launches that are not known.
constexpr bool isLaunched(LaunchSource Source) {
  return Source == LaunchSource::Launch || Source == LaunchSource::User ||
         Source == LaunchSource::Profile;
}

/// x, y, z; what is not known is empty.
using Extent = std::array<std::optional<std::int64_t>, 3>;

/// What the compiler gave a kernel. What its source does not say is empty: a
/// user gives registers alone.
struct ResourceRecord {
  std::optional<std::uint64_t> Registers;   ///< Per thread.
  std::optional<std::uint64_t> SharedBytes; ///< Static.
  std::optional<std::uint64_t> LocalBytes;  ///< Stack frame per thread.
  std::optional<std::uint64_t> SpillStores; ///< Bytes per thread.
  std::optional<std::uint64_t> SpillLoads;
  std::optional<std::uint64_t> Barriers;
  std::string Source; ///< nvcc, object, ptxas, log, user
};

/// Blocks that fit one SM by each resource alone; empty where the kernel does
/// not use it, or where it is not known.
struct OccupancyLimits {
  std::optional<unsigned> Warps;
  std::optional<unsigned> Blocks;
  std::optional<unsigned> Registers;
  std::optional<unsigned> Shared;
  std::optional<unsigned> Barriers;
};

/// The nearest change of one quantity that gains a block or warps.
struct CliffRecord {
  std::string Quantity; ///< registers, shared, block
  std::uint64_t Value = 0;
  unsigned BlocksPerSM = 0;
  unsigned WarpsPerSM = 0;
  double Ratio = 0;
};

struct OccupancyRecord {
  std::optional<unsigned> BlocksPerSM;
  std::optional<unsigned> WarpsPerSM;
  std::optional<double> Ratio;
  std::string Limiter; ///< warps, blocks, registers, shared, barriers
  OccupancyLimits Limits;
  std::optional<double> Waves;
  std::optional<std::uint64_t> Rounds;
  std::optional<double> TailWaste; ///< Empty share of all rounds, 0 .. 1.
  std::vector<CliffRecord> Next;
};

struct LaunchRecord {
  Location Where;
  Extent Grid;
  Extent Block;
  std::optional<std::int64_t> DynamicSharedBytes;
  LaunchSource Source = LaunchSource::Launch;
  std::optional<OccupancyRecord> Occupancy;
  /// The source raises cudaFuncAttributeMaxDynamicSharedMemorySize for the
  /// kernel.
  bool SharedMemoryOptIn = false;
  /// Why it fails, in words, where its figures alone do not tell; or empty.
  /// Not written: the findings say it.
  std::string Failure = {};
  /// It fails, if what is assumed of it holds. Not written.
  bool Fails = false;
};

/// One memory instruction of the machine code.
struct MachineInstruction {
  std::string Name;         ///< `LDS.128`
  std::uint64_t Offset = 0; ///< Bytes from the start of the kernel's code.
  AccessOp Op = AccessOp::Load;
  MemorySpace Space = MemorySpace::Generic;
  unsigned Bytes = 0; ///< Per lane; 0: not known.
  /// Where it comes from, in the user's code: innermost first, then the calls
  /// that were inlined. What is in system headers is left out, unless there is
  /// nothing else. Without columns.
  std::vector<Location> Frames;
  /// The place that profilers show for it, in whatever header: the innermost,
  /// or the call that was inlined there.
  Location Where;
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

/// One static memory instruction of one kernel under one block shape.
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

/// Floating-point operations, by the type of what they compute.
struct OperationCount {
  double Half = 0; ///< Of 16 bits, of either kind.
  double Float = 0;
  double Double = 0;

  double all() const { return Half + Float + Double; }
  /// Adds so many times what the other has.
  void add(const OperationCount &Other, double Times = 1) {
    Half += Times * Other.Half;
    Float += Times * Other.Float;
    Double += Times * Other.Double;
  }
  bool operator==(const OperationCount &) const = default;
};

/// All accesses of a kernel to one space, for one warp: each as often as it is
/// made. A figure is empty where that, or what it costs, is not known of one of
/// them.
struct SpaceTotals {
  MemorySpace Space = MemorySpace::Global;
  TrafficUnit Unit = TrafficUnit::Sectors;
  std::optional<double> Requests;
  std::optional<double> Traffic; ///< Of all requests, in Unit.
  std::optional<double> Ideal;
  std::optional<double> Bytes; ///< That the lanes ask for, each its own.
  /// The least certain of what is in Traffic.
  Certainty Trust = Certainty::Exact;
  std::string WhyNotKnown; ///< A phrase, where a figure is empty.
};

/// What a block loads from global memory, or stores there, with atomics.
struct DistinctBytes {
  std::optional<double> Requested; ///< That lanes ask for, each its own.
  std::optional<double> Bytes;     ///< Each byte once, whoever asks for it.
  std::optional<double> Sectors;   ///< Of 32 bytes, each once.
  std::string WhyNotKnown;         ///< A phrase, where a figure is empty.
};

/// The part of that in one array.
struct ArrayFootprint {
  std::string Name;             ///< As written; may be empty.
  AccessOp Op = AccessOp::Load; ///< Or Store: those and atomics.
  double Bytes = 0;
  std::optional<double> Sectors;
};

/// Global memory that a block of one launch accesses, on average over its
/// blocks.
struct BlockFootprint {
  DistinctBytes Loads, Stores;
  std::vector<ArrayFootprint> Arrays;
  std::vector<std::string> Assumptions; ///< Of distinct ones. Sorted.
};

/// What a warp of one launch does, on average over its warps.
struct WarpTotals {
  BlockShape Block = {1, 1, 1};
  LaunchSource Source = LaunchSource::Launch; ///< Of the block. Not written.
  Extent Grid;
  std::optional<double> Warps; ///< Of the launch; empty without a grid.
  std::vector<SpaceTotals> Spaces;
  std::optional<OperationCount> Operations; ///< Of all lanes of the warp.
  std::string WhyNotCounted; ///< A phrase, when Operations is empty.
  std::optional<BlockFootprint> Footprint = {}; ///< Empty: nothing is known.
  /// What of the target it keeps busy at least, of all that is known: the
  /// largest first.
  std::vector<ResourceBound> Bounds = {};
};

/// What is known of the rows of a shared array in one kernel.
struct RowUse {
  std::string Variable; ///< As the linker sees it.
  std::string Name;     ///< As the user writes it.
  std::uint64_t RowBytes = 0;
  /// How many bytes behind the begin of a row the last byte of a lane is, at
  /// most.
  std::uint64_t LastInRow = 0;
  Location Where; ///< Of that access.
};

/// An access of the source that the machine code does not make.
struct RemovedAccess {
  Location Where;
  MemorySpace Space = MemorySpace::Global;
  AccessOp Op = AccessOp::Load;
  unsigned Bytes = 0;
  std::string Why; ///< A phrase.
  std::vector<Location> InlinedAt;
};

struct KernelRecord {
  std::string Name;      ///< As the linker sees it.
  std::string Signature; ///< As the user writes it.
  /// What it is an instantiation of, `ns::sum`; empty: of nothing.
  std::string Template = {};
  std::vector<std::string> TemplateArguments = {}; ///< `float`, `256`.
  Location Where;
  std::optional<ResourceRecord> Resources;
  /// Of a block: as the compiler reports it, else what the code refers to;
  /// empty without either.
  std::optional<std::uint64_t> StaticSharedBytes;
  std::vector<LaunchRecord> Launches;
  std::vector<AccessRecord> Accesses;
  std::vector<RemovedAccess> Removed;
  std::vector<WarpTotals> Totals = {}; ///< One for each shape evaluated.
  std::vector<RowUse> Rows = {};       ///< Of each array one. Not written.
};

enum class UnitStatus : std::uint8_t {
  Ok,
  Partial, ///< There were errors; the rest was analysed.
  Failed   ///< Nothing could be analysed.
};

/// Who is at fault. What was not analysed for ours may hold findings.
enum class ErrorKind : std::uint8_t {
  Source,     ///< The source, or a file that cannot be read.
  Parse,      ///< Ours: the parse crashed.
  Evaluation, ///< Ours: what follows the parse crashed.
};

struct ErrorRecord {
  Location Where;
  std::string Message;
  ErrorKind Kind = ErrorKind::Source;
};

/// What silences a finding.
enum class Silencer : std::uint8_t {
  Comment, ///< `NOLINT` and its like in the source.
  Baseline ///< It was there before.
};

/// A finding that is not told, and does not count.
struct SilencedFinding {
  Finding What; ///< In no group.
  Silencer By = Silencer::Comment;
  Location Where; ///< Of the comment; else without a file.
};

struct UnitRecord {
  std::string File;
  UnitStatus Status = UnitStatus::Ok;
  std::vector<ErrorRecord> Errors;
  /// What was not looked at, and why; no faults of the source.
  std::vector<ErrorRecord> Notes = {};
  /// Of the files that have kernels, their accesses, findings; by name.
  std::vector<SourceRecord> Sources = {};
  std::vector<KernelRecord> Kernels;
  std::vector<Finding> Findings;
  std::vector<SilencedFinding> Silenced = {};
};

struct TargetRecord {
  std::string Name;              ///< `h200`, or `sm_90`.
  std::string ComputeCapability; ///< `9.0`
  std::optional<int> SMs;        ///< Empty when only sm_XX is known.
};

/// What is known of a check, for those who do not have it at hand.
struct RuleRecord {
  std::string Name;    ///< As in Finding::Check.
  std::string Summary; ///< One sentence, lower case, no full stop.
  Severity Default = Severity::Warning; ///< Of most of its findings.
  std::string Why;                      ///< Markdown, as all that follows.
  std::string Bad;                      ///< A CUDA file that it fires on.
  std::string Good;                     ///< The same, mended.
  std::string Limits; ///< What it does not see; when it is silent.
  std::string Proof;  ///< Which counters prove a finding; one sentence.
};

/// A check that was asked for and could find nothing, or not all.
struct SkippedCheck {
  std::string Name;
  bool InPart = false;
  std::string Why; ///< What it needs, and how to give it; one phrase.
};

struct Document {
  std::string ToolVersion;
  TargetRecord Target;
  std::vector<UnitRecord> Units;
  std::vector<RuleRecord> Rules = {};     ///< Of the checks that ran; by name.
  std::vector<SkippedCheck> Skipped = {}; ///< Of these; by name.
};

} // namespace cudalint

#endif // CUDA_LINT_REPORT_DOCUMENT_H
