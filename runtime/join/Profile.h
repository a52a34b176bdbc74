//===- runtime/join/Profile.h - What the probe wrote ------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A profile is what one process measured: docs/profile.md. An empty optional
/// is a figure that was not measured, never 0.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_JOIN_PROFILE_H
#define CUDA_LINT_RUNTIME_JOIN_PROFILE_H

#include "report/Document.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cudalint {

using Count = std::optional<std::uint64_t>;

/// Stays at the largest number rather than to begin again at 0.
inline std::uint64_t sum(std::uint64_t A, std::uint64_t B) {
  return A > UINT64_MAX - B ? UINT64_MAX : A + B;
}
/// What one of them does not know, the sum does not know.
inline Count sum(Count A, Count B) {
  return A && B ? Count(sum(*A, *B)) : std::nullopt;
}
/// Stays at the largest number, too.
inline std::uint64_t product(std::uint64_t A, std::uint64_t B) {
  return B != 0 && A > UINT64_MAX / B ? UINT64_MAX : A * B;
}

/// x, y, z.
using Shape = std::array<std::uint64_t, 3>;

/// What kept the probe from measuring, in words for the user.
struct ProfileProblem {
  std::string Kind; ///< `insufficient-privileges`
  std::string Message;
  bool IsLoss = false; ///< Some of the program's work has no counts for it.

  auto operator<=>(const ProfileProblem &) const = default;
};

struct ProfileDevice {
  unsigned Index = 0;
  std::string Name;
  std::string Uuid;              ///< `GPU-...`; empty when not known.
  std::string ComputeCapability; ///< `9.0`; empty when not known.
  std::optional<int> SMs;
};

struct ProfileKernel {
  std::string Kernel; ///< As the linker sees it.
  unsigned Device = 0;
  std::uint64_t Launches = 0;
  std::uint64_t MeasuredLaunches = 0;
  bool HasLines = false; ///< False: built without -lineinfo. Unknown is true.
  /// Of all launches, and of the measured ones; 0 in older profiles.
  std::uint64_t Threads = 0, MeasuredThreads = 0;
  /// Why no launch was counted: overhead, cost, busy, graph, waits; or empty.
  std::string Uncounted = {};
};

/// Sums over all measured launches, of one kernel, line, space and op.
struct ProfileLine {
  std::string Kernel;
  unsigned Device = 0;
  std::string File;  ///< Empty without -lineinfo.
  unsigned Line = 0; ///< 0 without.
  MemorySpace Space = MemorySpace::Global;
  AccessOp Op = AccessOp::Load;
  Count Instructions; ///< Executed by warps.
  Count Requests;     ///< Those that had an active lane.
  Count Lanes;        ///< Active ones, summed over the requests.
  Count Sectors;
  Count IdealSectors;
  Count Wavefronts;
  Count IdealWavefronts;
};

/// A place in the source; the file by its number in Profile::Files.
struct ProfilePlace {
  std::uint32_t File = 0;
  unsigned Line = 0;

  auto operator<=>(const ProfilePlace &) const = default;
};

/// One access of one machine instruction; LDGSTS makes two.
struct ProfileInstruction {
  std::uint64_t Offset = 0; ///< In bytes, from the start of the function.
  std::string Opcode;       ///< Without modifiers: LDG.
  unsigned Bytes = 0;       ///< Of a lane; 0: not known.
  std::optional<ProfilePlace> Where; ///< As lines have it; empty: not known.
  std::vector<ProfilePlace> Frames;  ///< Innermost first, then its calls.
  /// Space, operation and counts; no kernel, no place. No count at all: there
  /// was no record of it.
  ProfileLine Counts;
};

/// The instructions of a function that touch memory, whether they ran or not.
struct ProfileFunction {
  std::string Kernel;
  unsigned Device = 0;
  bool CallsOthers = false; ///< It may call code that is not among these.
  std::vector<ProfileInstruction> Instructions;
};

/// What a line table says of the text of a file that the compiler read.
struct ProfileSource {
  std::uint32_t File = 0;     ///< Its number in Profile::Files.
  std::uint64_t Bytes = 0;    ///< 0: not known.
  std::uint64_t Modified = 0; ///< Seconds since 1970; 0: not known.
};

struct ProfileDuration {
  double Min = 0; ///< Nanoseconds, as the others.
  double Median = 0;
  double Max = 0;
  std::vector<double> Samples;
};

/// What a unit of the hardware did in launches that were measured as a whole:
/// sectors, or wavefronts of shared memory. Each of a launch stands once.
struct ProfileUnit {
  MemorySpace Space = MemorySpace::Global;
  std::optional<AccessOp> Op; ///< Empty: all together.
  /// The hardware counts atomics that return nothing by themselves.
  bool IsReduction = false;
  std::uint64_t Launches = 0;
  std::uint64_t Amount = 0; ///< Of these launches, the sum.
};

/// Launches of one shape together.
struct ProfileLaunch {
  std::string Kernel;
  unsigned Device = 0;
  Shape Grid = {};
  Shape Block = {};
  Count Registers;
  Count StaticShared;
  Count DynamicShared;
  Count Local;
  std::optional<unsigned> BlocksPerSM;        ///< The driver's own answer.
  std::optional<unsigned> ClusterBlocks = {}; ///< Of one; empty: no clusters.
  std::uint64_t Number = 0;                   ///< Of launches.
  /// Launches that were measured as a whole, which the next four are of.
  std::uint64_t Ranged = 0;
  std::optional<double> Achieved; ///< Achieved occupancy, the mean, 0 .. 1.
  Count DramBytes;                ///< Read and written, the sum.
  Count L2Sectors = {};           ///< The sum.
  /// Of what L2 can do while the kernel runs, by its own peak: the mean, 0
  /// .. 1.
  std::optional<double> L2Share = {};
  std::vector<ProfileUnit> Units = {}; ///< Each space and operation once.
  std::optional<ProfileDuration> Duration;
  /// Nanoseconds of all launches together, in one run of the program: the mean
  /// of the samples of each process, as many times as it launched them. Empty
  /// where a process does not know it, and in a profile by itself.
  std::optional<double> Total = {};
};

/// Samples of warps that had one reason not to issue, or issued.
struct ProfileStallCount {
  std::uint32_t Reason = 0; ///< Its number in Profile::StallReasons.
  std::uint64_t Samples = 0;
  std::uint64_t NotIssued = 0; ///< Where the scheduler issued nothing.
};

/// What PC sampling saw at a line of a kernel.
struct ProfileStall {
  std::string Kernel;
  unsigned Device = 0;
  std::string File;  ///< Empty without -lineinfo.
  unsigned Line = 0; ///< 0 without.
  std::vector<ProfileStallCount> Reasons;
};

/// PC sampling on a device.
struct ProfileSampling {
  unsigned Device = 0;
  Count PeriodCycles;
  /// Of all, among which are dropped ones and those of the driver's kernels.
  std::uint64_t Samples = 0, Dropped = 0, Others = 0;
};

struct Profile {
  std::vector<std::string> Command;
  std::string Host; ///< Empty when not known.
  std::uint64_t Pid = 0;
  /// Among processes that were started together, and how many these are.
  std::optional<unsigned> Rank, Ranks;
  /// Of several runs of a program for its times, from 1; 0: not told. Not in
  /// the file: its name says so.
  unsigned Run = 0;
  std::string End; ///< exit, signal, exec, killed; empty when not known.
  /// Times, achieved occupancy or stall reasons, and no counters, were asked
  /// for: what it counts is what another run counts.
  bool IsExtra = false;
  bool IsForTimes = false; ///< Times were asked for.
  /// Of hardware units: how many runs are needed to measure all; else 0.
  unsigned UnitParts = 0;
  unsigned UnitPart = 0; ///< Which of them this is, from 0.
  std::string Collects;  ///< In the file's words; may be empty.
  bool HasCounters = false;
  std::vector<ProfileProblem> Problems;
  std::vector<ProfileDevice> Devices;
  std::vector<ProfileKernel> Kernels;
  std::vector<ProfileLine> Lines;
  std::vector<std::string> Files;     ///< That places refer to.
  std::vector<ProfileSource> Sources; ///< Several of a file that modules share.
  /// Empty in older profiles; a kernel may stand there once for each module.
  std::vector<ProfileFunction> Code;
  std::vector<ProfileLaunch> Launches;
  /// These are empty where nothing was sampled, as in older profiles.
  std::vector<ProfileSampling> Sampling;
  std::vector<std::string> StallReasons;
  std::vector<ProfileStall> Stalls;

  bool hasTimes() const;
};

struct ProfileRead {
  Profile Value;
  /// For the user, with the JSON pointer of what is wrong; empty when all is
  /// well. May hold text of the file: print it through printable().
  std::string Error;
};

/// Reads `cuda-lint-profile/1`. Whatever the text holds, this returns.
ProfileRead readProfile(std::string_view Text);

/// Reads `cuda-lint-confirm/1` too: the sums of each kernel, without lines.
ProfileRead readProfileOrResult(std::string_view Text);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_JOIN_PROFILE_H
