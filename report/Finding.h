//===- report/Finding.h - What the tool says about a line ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The words that both halves of the product speak. Plain values: no LLVM, no
/// CUDA, no behaviour but their sentence. The JSON form is in docs/json.md.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_FINDING_H
#define CUDA_LINT_REPORT_FINDING_H

#include "report/Assumption.h"
#include "report/Phrase.h"

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cudalint {

/// A place in source text. `Line` and `Column` count from 1; 0 is unknown.
/// `File` is the path as the user would type it, not canonicalised.
struct Location {
  std::string File;
  unsigned Line = 0;
  unsigned Column = 0;

  auto operator<=>(const Location &) const = default;
};

enum class Severity : std::uint8_t { Note, Warning, Error };

/// How much a predicted number may be trusted.
enum class Certainty : std::uint8_t {
  Exact,   ///< Every input was known.
  Assumed, ///< True under the assumptions that are listed beside it.
  Random,  ///< Depends on data: the mean if that is random.
  Unknown, ///< Depends on data: there is no number.
};

/// Threads of a block, in x, y and z.
using BlockShape = std::array<std::int64_t, 3>;

/// One replacement in one file; `Offset` and `Length` are in bytes.
struct Edit {
  std::string File;
  std::uint64_t Offset = 0;
  std::uint64_t Length = 0;
  std::string Text;

  auto operator<=>(const Edit &) const = default;
};

/// What a fix may change besides the cost.
enum class FixSafety : std::uint8_t {
  Safe,     ///< Nothing that the host or another file sees.
  Rounding, ///< Floating-point results, in their last bits.
  Layout,   ///< Sizes, or what the host sees.
  Advice,   ///< It has no edits: words alone.
};

struct Fix {
  std::string Description;
  FixSafety Safety = FixSafety::Advice;
  std::vector<Edit> Edits;
  /// Makes the rows of the array that Edits lay out longer, which shows an
  /// index that leaves its row and would be another element's then. Not
  /// written.
  std::vector<Edit> LongerRows = {};

  auto operator<=>(const Fix &) const = default;
};

/// A number that a hardware counter can confirm or refute.
struct Prediction {
  std::string Metric; ///< For example `sectors_per_request`.
  double Value = 0;
  std::optional<double> Ideal;

  auto operator<=>(const Prediction &) const = default;
};

/// What a remedy is predicted to change, of all accesses to its object.
struct RemedyEffect {
  std::string Object; ///< As written: `tile`; empty for all that a warp does.
  /// `wavefronts_per_block`, `sectors_per_warp`. Of a warp, each loop is
  /// counted once where it is not known how often one turns.
  std::string Unit;
  double Before = 0, After = 0;
  /// Bytes of shared memory that a block takes more.
  std::uint64_t MoreSharedBytes = 0;
  /// Resident blocks per SM; the least of all launches; empty: not known.
  std::optional<std::uint64_t> BlocksPerSMBefore, BlocksPerSMAfter;

  auto operator<=>(const RemedyEffect &) const = default;
};

/// Bytes at which the 32 lanes of a request begin, from a place that is aligned
/// as the data is; empty: the lane takes no part.
using LaneAddresses = std::vector<std::optional<std::uint64_t>>;

/// One request of an access, the costliest that was evaluated.
struct RequestExample {
  std::string Unit;   ///< sectors, wavefronts
  unsigned Bytes = 0; ///< Of a lane.
  LaneAddresses Lanes;
  unsigned Cost = 0, Ideal = 0;
  /// With the remedy, where that was tried on the model and moves data or
  /// lanes; else none, and it costs nothing.
  LaneAddresses LanesThen;
  unsigned CostThen = 0;

  auto operator<=>(const RequestExample &) const = default;
};

/// What `confirm` saw of a prediction on one kind of GPU.
struct MeasuredVerdict {
  std::string Gpu;                  ///< As its driver calls it.
  std::string Verdict;              ///< Its word: confirmed, refuted, ...
  std::optional<double> PerRequest; ///< In the unit of the prediction.

  auto operator<=>(const MeasuredVerdict &) const = default;
};

/// A macro through which a place was written.
struct MacroUse {
  std::string Name;
  /// The name behind `#define`; no file: of the command line, of the compiler,
  /// or pasted together.
  Location Where;

  auto operator<=>(const MacroUse &) const = default;
};

/// What is written from one place to just behind another, in one file; without
/// lines where it is not known.
struct SourceExtent {
  Location Begin, End;

  auto operator<=>(const SourceExtent &) const = default;
};

/// What the accesses of a finding cost beyond what they need: sectors,
/// wavefronts or addresses. An empty figure is not known, as how often a loop
/// turns, or how large a grid is.
struct Waste {
  std::string Unit;              ///< sectors, wavefronts, addresses
  std::optional<double> PerWarp; ///< On average over the warps of a launch.
  std::optional<double> InAll;   ///< Of all warps of all launches.
  /// Shares of what the kernel and all kernels of the document move in that
  /// unit, 0 .. 1.
  std::optional<double> OfKernel, OfProgram;
  /// OfKernel, where that is empty, if each loop whose turns are not known made
  /// a hundred. To rank findings by.
  std::optional<double> Estimate;
  /// The estimate hangs by that: if one of the loops makes ten turns or a
  /// thousand, it is another one.
  bool IsRough = false;
  /// It hangs by what others cost that are not predicted, and is what it is if
  /// they cost least: it is that at most.
  bool IsMost = false;
  /// The estimate if each loop whose turns are not known made a thousand or, of
  /// those that mostly turn once, ten. Not written.
  std::optional<double> IfMany = {};
  /// That of all accesses that waste it, as AccessRecord has it; 0: there is no
  /// one. Not written.
  unsigned Undecided = 0;
  /// Of the clocks that the memory pipe of an SM needs for all that the kernel
  /// moves in this unit, the part of those for the unit that needs most. To
  /// rank findings by; not written.
  double OfClocks = 1;

  auto operator<=>(const Waste &) const = default;
};

/// How the text of a place came there.
struct TextOrigin {
  SourceExtent Extent; ///< Of what is meant, in the file of the place.
  /// Innermost first; empty where no macro wrote it.
  std::vector<MacroUse> Macros;
  /// The #include lines through which the file was reached, innermost first;
  /// empty in the main file.
  std::vector<Location> IncludedFrom;

  auto operator<=>(const TextOrigin &) const = default;
};

enum class SubjectKind : std::uint8_t {
  Kernel, ///< All of it.
  Launch,
  Load,
  Store,
  Atomic,
  Variable,
  Literal,
  Call,
};

/// What a remark is about, by the names that the source gives it: those stay
/// when lines, sizes, launches and the GPU change.
struct Subject {
  SubjectKind Kind = SubjectKind::Kernel;
  /// The kernel, or the function that it is written in, `ns::sum`: without
  /// template arguments and parameters. Empty outside of any.
  std::string Function = {};
  /// As written, without blanks: `tile[x][i+32]`, `part`, `0.1`, `__mul24`.
  /// Empty where there is none, as of a launch.
  std::string Name = {};
  /// What an access begins at, as `Name` calls it: `p` of `p[i].x`, which may
  /// be a parameter of a function that was inlined. Empty where it has no name.
  std::string Variable = {};
  /// The variable of the kernel that this is, as declared; empty where nobody
  /// knows.
  std::string Object = {};

  auto operator<=>(const Subject &) const = default;
};

/// One remark about one place. A finding is made by a check and printed by a
/// writer; nothing in between changes it. Its sentence is messageOf().
struct Finding {
  std::string Check; ///< Name of the check, `shared-bank-conflict`.
  Severity Level = Severity::Warning;
  Location Where;
  /// In the file of `Where` and around it, mostly: an assignment is at its `=`.
  SourceExtent Meant;
  Subject About;
  std::string Kernel;          ///< Linkage name; empty where none is meant.
  std::string KernelSignature; ///< The same, as the user writes it.
  Phrase What;                 ///< What is wrong, and by how much.
  Phrase Cause;                ///< Why; may be empty.
  Phrase Remedy;               ///< What helps; empty: nothing is known to.
  /// Of a remedy that was tried on the model; empty for all else.
  std::optional<RemedyEffect> Effect;
  /// Of an access whose lanes the finding is about; empty for all else.
  std::optional<RequestExample> Request = {};
  /// More accesses of the kernel of which the same is true.
  std::size_t Others = 0;
  Certainty Trust = Certainty::Exact;
  std::vector<Assumption> Assumptions;
  std::optional<Prediction> Predicted;
  /// Of merged reports, what was measured: each kind of GPU once.
  std::vector<MeasuredVerdict> Measured = {};
  /// How often a warp makes the request, a mean; empty where it is not known,
  /// and of what is no access.
  std::optional<double> Executions;
  /// The block of which the numbers are; empty for what is no access.
  std::optional<BlockShape> Block = {};
  /// Of an access with a prediction; see addWaste().
  std::optional<Waste> Wasted = {};
  /// The problem that it is a part of: 1 is the dearest of the run; 0: not
  /// ranked. See addGroups().
  std::size_t Group = 0;
  std::vector<Fix> Fixes;
  /// Call sites through which `Where` was inlined, innermost first; of a
  /// launch, the call in another file by which it is shaped.
  std::vector<Location> InlinedAt;
  /// The #include lines through which the file of `Where` was reached,
  /// innermost first; empty in the main file.
  std::vector<Location> IncludedFrom;
  /// Innermost first; empty where no macro is expanded at `Where`.
  std::vector<MacroUse> Macros;
  /// Made of the check, the file's name without its folder, what is said and
  /// `About`, digits aside: the same in every run, whatever the lines, the
  /// numbers, the folder and the other files are. 16 hexadecimal digits.
  std::string Fingerprint;
  /// Which place this is of those in its unit that have this fingerprint, from
  /// 1 in the order of the source; 0 without a fingerprint. Two findings of a
  /// unit agree in both only if they are the same remark about one place, as
  /// of two instantiations of a template; so do two units that include it.
  unsigned Occurrence = 0;
  /// One character per lane, 32 of them: what each lane does, for the line
  /// below the caret. Empty where it says nothing.
  std::string LanePattern;
  /// Lines printed below the message when the user asks for an explanation,
  /// such as the lane to bank table.
  std::string Detail;

  auto operator<=>(const Finding &) const = default;
};

/// `load touches 12 sectors per request, ideal 4: the lanes are 12 bytes apart;
/// keep the field in an array of its own`
std::string messageOf(const Finding &F);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_FINDING_H
