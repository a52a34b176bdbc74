//===- runtime/probe/Profile.h - What a profile holds -----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The values of docs/profile.md, which says what each means.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_PROFILE_H
#define CUDA_LINT_RUNTIME_PROBE_PROFILE_H

#include "cubin/Instruction.h"
#include "cubin/LineTable.h"
#include "runtime/probe/ProcessName.h"
#include "runtime/probe/UnitMetrics.h"

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cudalint::probe {

using cubin::Op;
using cubin::Space;

/// A line of source text; no file means that the code has no line table.
struct SourceLine {
  std::optional<std::string> File;
  unsigned Line = 0; // from 1; 0 without a file

  auto operator<=>(const SourceLine &) const = default;
};

/// Sums over the measured launches; what was not counted is absent.
struct LineCounts {
  std::optional<std::uint64_t> Instructions; // executed by warps
  std::optional<std::uint64_t> Requests;     // those with an active lane
  std::optional<std::uint64_t> Lanes;        // threads, predicated on
  std::optional<std::uint64_t> Sectors, IdealSectors;
  std::optional<std::uint64_t> Wavefronts, IdealWavefronts;
};

struct LineKey {
  std::string Kernel; // as the linker sees it
  unsigned Device = 0;
  SourceLine Where;
  Space In = Space::Global;
  Op What = Op::Load;

  auto operator<=>(const LineKey &) const = default;
};

/// A line of one of Profile::Files.
struct Place {
  std::uint32_t File = 0; // its number
  unsigned Line = 0;      // from 1

  auto operator<=>(const Place &) const = default;
};

/// What a line table says of the text that the compiler read; not both are 0.
struct SourceStamp {
  std::uint32_t File = 0; // its number in Profile::Files
  cubin::FileVersion Text;

  auto operator<=>(const SourceStamp &) const = default;
};

/// One access of one instruction of the code; LDGSTS makes two.
struct InstructionRow {
  std::uint64_t Offset = 0; // bytes from the start of the function
  std::string_view Opcode;  // as nvdisasm names it, without modifiers
  unsigned Bytes = 0;       // of a lane; 0: not known
  Space In = Space::Global;
  Op What = Op::Load;
  std::optional<Place> Where; // that lines show; absent: no line table
  std::vector<Place> Frames;  // innermost first, then the calls of it
  LineCounts Counts;          // absent: CUPTI had no record of it
};

/// The instructions of one function that touch memory, those that never ran
/// among them.
struct FunctionRows {
  std::string Kernel; // as the linker sees it
  unsigned Device = 0;
  bool CallsOthers = false; // code that is not among them
  std::vector<InstructionRow> Rows;
};

struct BranchKey {
  std::string Kernel;
  unsigned Device = 0;
  SourceLine Where;

  auto operator<=>(const BranchKey &) const = default;
};

struct BranchCounts {
  std::optional<std::uint64_t> Instructions;
  std::optional<std::uint64_t> ThreadsDivergent;
};

struct KernelKey {
  std::string Kernel;
  unsigned Device = 0;

  auto operator<=>(const KernelKey &) const = default;
};

/// Why no launch of a kernel was counted.
enum class Uncounted : std::uint8_t {
  No,       // some were, or nobody wanted it
  Overhead, // what counting may cost was spent
  Cost,     // one launch costs more than that
  Busy,     // the GPU was never idle when it was to be launched
  Graph,    // it runs in graphs alone
  Waits,    // it may wait for launches after it, or on other GPUs
  Lost,     // the counts could not be read
};

struct KernelSummary {
  std::uint64_t Launches = 0;
  std::uint64_t Measured = 0; // those whose instructions were counted
  std::uint64_t Threads = 0, MeasuredThreads = 0; // of these launches
  std::uint64_t RecordsOwed = 0, Records = 0;     // of activity; not written
  Uncounted Why = Uncounted::No;
  std::optional<bool> HasLines; // absent: nothing was counted
};

/// Launches of equal shape stand together.
struct LaunchKey {
  std::string Kernel;
  unsigned Device = 0;
  std::array<unsigned, 3> Grid = {1, 1, 1};
  std::array<unsigned, 3> Block = {1, 1, 1};
  unsigned DynamicSharedBytes = 0;

  auto operator<=>(const LaunchKey &) const = default;
};

/// What the driver says of a kernel in one shape.
struct LaunchResources {
  std::optional<unsigned> Registers;
  std::optional<unsigned> StaticSharedBytes;
  std::optional<unsigned> LocalBytes;
  std::optional<unsigned> BlocksPerMultiprocessor;
  std::optional<unsigned> ClusterBlocks; // of a cluster; absent: no clusters
};

struct DurationSummary {
  std::uint64_t Min = 0, Median = 0, Max = 0; // ns
  std::vector<std::uint64_t> Samples;         // in order of time
};

struct LaunchSummary {
  LaunchResources Resources;
  std::uint64_t Count = 0;
  std::optional<DurationSummary> Duration;
  std::uint64_t RangeLaunches = 0;        // that the four below are of
  std::optional<double> Occupancy;        // achieved, the mean, 0 .. 1
  std::optional<std::uint64_t> DramBytes; // read and written, the sum
  std::optional<std::uint64_t> L2Sectors; // the sum
  std::optional<double> L2Share;          // of its peak, the mean, 0 .. 1
  UnitTotals Units;                       // launches of their own
};

struct Device {
  std::string Name;
  std::string Uuid;              // empty where it is not known
  unsigned Major = 0, Minor = 0; // compute capability
  unsigned Multiprocessors = 0;
};

struct StallKey {
  std::string Kernel; // as the linker sees it
  unsigned Device = 0;
  SourceLine Where;

  auto operator<=>(const StallKey &) const = default;
};

/// Samples of warps that had one reason not to issue, or issued.
struct StallCount {
  std::uint32_t Reason = 0; // its number in Profile::StallReasons
  std::uint64_t Samples = 0;
  std::uint64_t NotIssued = 0; // of them, where the scheduler issued nothing
};

/// What PC sampling did on a device.
struct SamplingSummary {
  std::optional<std::uint64_t> PeriodCycles;
  // Of all, among which are dropped ones and those of kernels of the driver.
  std::uint64_t Samples = 0, Dropped = 0, Others = 0;
};

/// What went wrong: `Kind` in kebab case, `Message` one line with the remedy.
struct Problem {
  std::string Kind;
  std::string Message;
  /// Something that was to be measured is missing, and nothing else says so:
  /// what is made of the profile is half a measurement.
  bool IsLoss = false;

  auto operator<=>(const Problem &) const = default;
};

inline Problem loss(std::string Kind, std::string Message) {
  return {std::move(Kind), std::move(Message), /*IsLoss=*/true};
}

/// Of one profile: a kernel can have hundreds of instructions that are not
/// measured.
inline constexpr std::size_t MostProblems = 100;

/// Says that some are left out, of which one is a loss if \p IsLoss.
inline Problem moreProblems(bool IsLoss) {
  return {"more-problems", "more are not listed", IsLoss};
}

/// Each once, losses first, and no more than MostProblems, among which is a
/// loss of each kind: one more tells that, and how many, are left out.
void boundProblems(std::vector<Problem> &Problems);

struct Profile {
  int Pid = 0, Parent = 0;
  std::string Host;                // its name; may be empty
  std::optional<ProcessRank> Rank; // among those that were started together
  std::vector<std::string> Command;
  std::string End;     // exit | signal | killed
  std::string Collect; // counters | time | occupancy | stalls
  bool Counted = false;
  unsigned UnitParts = 0; // runs that the units need; 0: not asked for
  unsigned UnitPart = 0;  // which of them this is
  bool Samples = false;   // a few launches, as the overhead allows
  std::vector<Problem> Problems;
  std::map<unsigned, Device> Devices;
  std::map<KernelKey, KernelSummary> Kernels;
  std::map<LineKey, LineCounts> Lines;
  std::map<BranchKey, BranchCounts> Branches;
  std::vector<std::string> Files; // that places refer to
  std::set<SourceStamp> Sources;  // several of a file that modules share
  std::vector<FunctionRows> Code; // by kernel; one for each module that has it
  std::map<LaunchKey, LaunchSummary> Launches;
  std::map<unsigned, SamplingSummary> Sampling; // by device
  std::vector<std::string> StallReasons;
  std::map<StallKey, std::vector<StallCount>> Stalls; // counts by reason
};

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_PROFILE_H
