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
#include "report/AccessRecord.h"
#include "report/Finding.h"
#include "report/LaunchRecord.h"
#include "report/SourceRecord.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cudalint {

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
  /// Launches of equal sizes may differ in what they pass: a number of the
  /// kernel. Not written.
  unsigned Shape = 0;
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
  /// What is included and not there, as it is written; else empty. Not written.
  std::string MissingHeader = {};
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
