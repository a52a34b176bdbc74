//===- runtime/join/Measurement.h - Several profiles as one -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A program may write several profiles: one for each process, and one for each
/// run. Here their sums are added up, by kind of GPU and by kernel.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_JOIN_MEASUREMENT_H
#define CUDA_LINT_RUNTIME_JOIN_MEASUREMENT_H

#include "runtime/join/Profile.h"
#include "runtime/join/Stalls.h"

#include <compare>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cudalint {

/// Sums of what one kernel did at one place. The figures of `Unit` are in
/// Total and Ideal.
struct CountedLine {
  std::string File;
  unsigned Line = 0;
  MemorySpace Space = MemorySpace::Global;
  AccessOp Op = AccessOp::Load;
  Count Instructions;
  Count Requests;
  Count Lanes;
  Count Sectors;
  Count IdealSectors;
  Count Wavefronts;
  Count IdealWavefronts;

  Count total(TrafficUnit Unit) const {
    return Unit == TrafficUnit::Sectors ? Sectors : Wavefronts;
  }
  Count ideal(TrafficUnit Unit) const {
    return Unit == TrafficUnit::Sectors ? IdealSectors : IdealWavefronts;
  }
  /// Requests; instructions where only these were counted.
  Count requests() const { return Requests ? Requests : Instructions; }
};

/// Adds the counts of \p Other to those of \p Line; what one of them does not
/// know, the sum does not know.
void addCounts(CountedLine &Line, const CountedLine &Other);

/// A place in the source. The view lives as long as Measurement::Files.
struct MeasuredPlace {
  std::string_view File;
  unsigned Line = 0;

  auto operator<=>(const MeasuredPlace &) const = default;
};

/// One access of one machine instruction.
struct MeasuredInstruction {
  std::uint64_t Offset = 0; ///< In bytes, from the start of the function.
  std::string Opcode;       ///< Without modifiers: LDG.
  unsigned Bytes = 0;       ///< Of a lane; 0: not known.
  std::optional<MeasuredPlace> Where; ///< As lines have it; empty: not known.
  std::vector<MeasuredPlace> Frames;  ///< Innermost first, then its calls.
  /// Space, operation and counts; no place. No count at all: there was no
  /// record of it.
  CountedLine Counts;

  bool hasRun() const { return Counts.requests().value_or(0) != 0; }
};

struct MeasuredKernel {
  std::string Name; ///< As the linker sees it.
  std::uint64_t Launches = 0;
  std::uint64_t MeasuredLaunches = 0;
  std::uint64_t Threads = 0, MeasuredThreads = 0; ///< Of these launches.
  std::string Uncounted;          ///< Why none was; may be empty.
  bool HasLines = true;           ///< In all profiles.
  std::vector<CountedLine> Lines; ///< Sorted by place.
  /// Those of its code, whether they ran or not; by offset.
  std::vector<MeasuredInstruction> Instructions = {};
  /// These are known from all profiles that measured it.
  bool HasCode = false;
  bool CallsOthers = false; ///< It may call code that is not among them.
  std::vector<ProfileLaunch> Launched;   ///< Sorted by shape.
  std::vector<SampledLine> Sampled = {}; ///< Sorted by place.
};

/// By how much the sums of all launches are larger than those of the measured
/// ones: as many times as they have more threads. 1 where none was measured.
double scaleOf(const MeasuredKernel &Kernel);

/// \p Value times \p Scale, rounded.
std::uint64_t scaled(std::uint64_t Value, double Scale);

/// What one GPU of one machine did.
struct MeasuredDevice {
  std::string Host; ///< Empty when not known.
  std::string Uuid; ///< Empty when not known.
  unsigned Index = 0;
  unsigned Processes = 0;
  std::vector<unsigned> Ranks; ///< Sorted; of these processes, where known.
  std::uint64_t Launches = 0, MeasuredLaunches = 0;
  std::uint64_t Requests = 0; ///< In the measured launches, of all spaces.
};

/// GPUs of one kind: what runs on two H200 of a host is added up.
struct MeasuredGpu {
  std::string Name;
  std::string ComputeCapability; ///< Empty when not known.
  std::optional<int> SMs;
  unsigned Devices = 0;
  std::vector<MeasuredDevice> Parts;   ///< Sorted by host, UUID and index.
  std::vector<MeasuredKernel> Kernels; ///< Sorted by name.
  /// Of PC sampling; empty: there was none.
  std::optional<SamplingTotals> Sampling = {};
};

/// The text of a file that a compiler read, or that is there now.
struct SourceVersion {
  std::uint64_t Bytes = 0;    ///< 0: not known.
  std::uint64_t Modified = 0; ///< Seconds since 1970; 0: not known.

  auto operator<=>(const SourceVersion &) const = default;
};

struct Measurement {
  std::vector<MeasuredGpu> Gpus;
  std::vector<ProfileProblem> Problems; ///< Each once.
  bool HasCounters = false;             ///< In any profile.
  /// What places of instructions name.
  std::shared_ptr<const std::set<std::string, std::less<>>> Files;
  /// By the file's name as measured; none of which nothing is known.
  std::map<std::string, std::set<SourceVersion>> Sources;
};

/// Counters make a kernel slower, so that a program may be run twice: of
/// profiles that collected times, only the times are taken where there are
/// others. Of several runs for times alone, the first tells the launches.
Measurement merge(std::span<const Profile> Profiles);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_JOIN_MEASUREMENT_H
