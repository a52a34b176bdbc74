//===- runtime/join/Join.cpp - From predictions to verdicts ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/join/Join.h"

#include "runtime/join/ChosenDocument.h"
#include "runtime/join/KernelJoin.h"
#include "runtime/join/LaunchJudge.h"
#include "runtime/join/Names.h"
#include "runtime/join/OtherSources.h"
#include "runtime/join/PredictedKernels.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace cudalint {

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Several files may hold a kernel of the same name, before and after a change
/// for instance, of which the program has one: those records of \p Predicted
/// whose file was measured. All of them where none or nothing was.
static std::vector<const KernelRecord *>
recordsOf(const PredictedKernel &Predicted, const MeasuredKernel &Measured) {
  std::vector<std::string> Wanted, Names;
  for (const KernelRecord *Record : Predicted.Records)
    Wanted.push_back(Record->Where.File);
  for (const CountedLine &Line : Measured.Lines)
    if (!Line.File.empty() && (Names.empty() || Names.back() != Line.File))
      Names.push_back(Line.File);
  std::map<std::string, FileMatch> Files = matchFiles(Wanted, Names);
  std::vector<const KernelRecord *> Out;
  for (const KernelRecord *Record : Predicted.Records)
    if (const FileMatch &Match = Files[Record->Where.File];
        !Match.File.empty() || !Match.Candidates.empty())
      Out.push_back(Record);
  return Out.empty() ? Predicted.Records : Out;
}

static void sumTraffic(const MeasuredKernel &Measured, KernelVerdict &Out) {
  static constexpr MemorySpace Spaces[] = {
      MemorySpace::Global, MemorySpace::Shared, MemorySpace::Local,
      MemorySpace::Generic};
  for (std::size_t I = 0; I != 4; ++I) {
    bool IsFirst = true;
    for (const CountedLine &Row : Measured.Lines)
      if (Row.Space == Spaces[I]) {
        if (IsFirst)
          Out.Traffic[I] = Row;
        else
          addCounts(Out.Traffic[I], Row);
        IsFirst = false;
      }
  }
}

static KernelVerdict kernelVerdict(const MeasuredKernel &Measured,
                                   std::span<const KernelRecord *const> Records,
                                   std::optional<int> SMs) {
  KernelVerdict Out;
  Out.Name = Measured.Name;
  Out.WasPredicted = !Records.empty();
  Out.Signature =
      Records.empty() ? demangled(Measured.Name) : Records.front()->Signature;
  Out.Launches = Measured.Launches;
  Out.MeasuredLaunches = Measured.MeasuredLaunches;
  Out.Threads = Measured.Threads;
  Out.MeasuredThreads = Measured.MeasuredThreads;
  Out.Scale = scaleOf(Measured);
  if (!Measured.MeasuredLaunches && Measured.Launches)
    Out.Uncounted = Measured.Uncounted;
  Out.HasLines = Measured.HasLines;
  sumTraffic(Measured, Out);
  Out.Units = checkUnits(Measured);
  judgeLaunches(Records, Measured, SMs, Out);
  return Out;
}

static auto orderKey(const LineVerdict &V) {
  return std::tie(V.Where.File, V.Where.Line, V.Kernel, V.Space, V.Op,
                  V.IsWholeKernel);
}

namespace {
/// What is known of the whole run.
struct RunFacts {
  bool HasCounters = false;
  std::map<std::string, OtherSource> Others = {}; ///< Of the document.
};
} // namespace

/// The first file of another text that a kernel comes, or has accesses, from;
/// or null.
static const OtherSource *
otherSourceOf(std::span<const KernelRecord *const> Records,
              const std::map<std::string, OtherSource> &Others) {
  if (Others.empty())
    return nullptr;
  auto find = [&](const Location &Where) {
    auto Found = Others.find(Where.File);
    return Found == Others.end() ? nullptr : &Found->second;
  };
  for (const KernelRecord *Record : Records) {
    if (const OtherSource *Found = find(Record->Where))
      return Found;
    for (const AccessRecord &Access : Record->Accesses)
      if (const OtherSource *Found = find(Access.Where))
        return Found;
  }
  return nullptr;
}

/// \p Found are the measured kernels that \p Predicted may be.
static void joinKernel(const PredictedKernel &Predicted,
                       const MeasuredGpu &Measured,
                       std::span<const std::size_t> Found, const RunFacts &Run,
                       const Tolerance &Allowed, GpuVerdict &Out) {
  MeasuredKernel Absent = {.Name = Predicted.Name, .Lines = {}, .Launched = {}};
  for (std::size_t I : Found) {
    Absent.Launches += Measured.Kernels[I].Launches;
    Absent.MeasuredLaunches += Measured.Kernels[I].MeasuredLaunches;
    Absent.Threads += Measured.Kernels[I].Threads;
    Absent.MeasuredThreads += Measured.Kernels[I].MeasuredThreads;
  }
  const MeasuredKernel &Kernel =
      Found.size() == 1 ? Measured.Kernels[Found[0]] : Absent;
  PredictedKernel Ran = Predicted;
  Ran.Records = recordsOf(Predicted, Kernel);
  std::vector<LineVerdict> Lines =
      joinLines(Ran, Kernel, Run.HasCounters, Allowed);
  bool LaunchesFromDevice =
      std::ranges::any_of(Measured.Kernels, [](const MeasuredKernel &Each) {
        return Each.Name.starts_with("__cudaCDP2Launch");
      });
  if (Kernel.Launches == 0 && LaunchesFromDevice)
    for (LineVerdict &V : Lines)
      V.Why = "the host did not launch the kernel; where another kernel does, "
              "it is not counted";
  if (Found.size() > 1)
    for (LineVerdict &V : Lines) {
      V.Kind = VerdictKind::Inconclusive;
      V.Rule = "same-kernels";
      V.Why = "several kernels of this name ran, in files that cannot be told "
              "apart";
    }
  KernelVerdict Verdict = kernelVerdict(Kernel, Ran.Records, Measured.SMs);
  if (const OtherSource *Other = otherSourceOf(Ran.Records, Run.Others)) {
    for (LineVerdict &V : Lines)
      takeBack(*Other, V);
    takeBack(*Other, Verdict);
  }
  Out.Lines.insert(Out.Lines.end(), Lines.begin(), Lines.end());
  Out.Kernels.push_back(std::move(Verdict));
}

/// Static kernels of several units have one name for nvcc, and are measured
/// together: what was predicted for them is joined together.
static void joinKernels(const Document &Doc, const MeasuredGpu &Measured,
                        std::span<const std::string> Names,
                        std::set<std::size_t> &Taken, const RunFacts &Run,
                        const Tolerance &Allowed, GpuVerdict &Out) {
  std::vector<PredictedKernel> Kernels = predictedKernels(Doc);
  std::vector<std::vector<std::size_t>> Found;
  std::map<std::size_t, std::size_t> First; // the kernel that takes the others
  for (std::size_t I = 0; I != Kernels.size(); ++I) {
    Found.push_back(ranAs(Kernels[I], Measured, Names));
    Taken.insert(Found[I].begin(), Found[I].end());
    if (Found[I].size() != 1)
      continue;
    auto [Entry, IsNew] = First.try_emplace(Found[I][0], I);
    if (IsNew)
      continue;
    std::vector<const KernelRecord *> &To = Kernels[Entry->second].Records;
    To.insert(To.end(), Kernels[I].Records.begin(), Kernels[I].Records.end());
    Kernels[I].Records.clear();
  }
  for (std::size_t I = 0; I != Kernels.size(); ++I)
    if (!Kernels[I].Records.empty())
      joinKernel(Kernels[I], Measured, Found[I], Run, Allowed, Out);
}

static void joinGpu(const Document *Doc, const MeasuredGpu &Measured,
                    const RunFacts &Run, const Tolerance &Allowed,
                    GpuVerdict &Out) {
  std::vector<std::string> Names;
  for (const MeasuredKernel &Kernel : Measured.Kernels)
    Names.push_back(Kernel.Name);
  std::set<std::size_t> Taken;
  if (Doc)
    joinKernels(*Doc, Measured, Names, Taken, Run, Allowed, Out);
  for (std::size_t I = 0; I != Measured.Kernels.size(); ++I)
    if (!Taken.contains(I))
      Out.Kernels.push_back(
          kernelVerdict(Measured.Kernels[I], {}, Measured.SMs));
  std::ranges::stable_sort(Out.Lines,
                           [](const LineVerdict &A, const LineVerdict &B) {
                             return orderKey(A) < orderKey(B);
                           });
  for (const LineVerdict &V : Out.Lines) {
    Out.LineCounts.add(V.Kind);
    Out.SumCounts.add(V.Sums);
  }
  for (const KernelVerdict &Kernel : Out.Kernels) {
    if (!Kernel.WasPredicted)
      continue;
    if (Kernel.Launches != 0)
      Out.RegisterCounts.add(Kernel.Registers);
    for (const CheckedLaunch &Launch : Kernel.Launched)
      Out.LaunchCounts.add(Launch.Kind);
  }
}

//===----------------------------------------------------------------------===//
// GPUs
//===----------------------------------------------------------------------===//

JoinResult join(std::span<const Document> Predictions,
                const Measurement &Measured, const Tolerance &Allowed,
                const SourceLookup &Look) {
  JoinResult Out;
  Out.Problems = Measured.Problems;
  Out.HasCounters = Measured.HasCounters;
  for (const MeasuredGpu &Gpu : Measured.Gpus) {
    // A host has GPUs that the program does not use.
    if (Gpu.Kernels.empty() && Measured.Gpus.size() > 1)
      continue;
    const Document *Doc = documentFor(Predictions, Gpu);
    if (!Doc)
      Out.Notes.push_back(noDocument(Predictions, Gpu));
    GpuVerdict Verdict;
    Verdict.Name = Gpu.Name;
    Verdict.ComputeCapability = Gpu.ComputeCapability;
    Verdict.SMs = Gpu.SMs;
    Verdict.Devices = Gpu.Devices;
    Verdict.Parts = Gpu.Parts;
    Verdict.TargetName = Doc ? Doc->Target.Name : std::string();
    RunFacts Run = {.HasCounters = Measured.HasCounters};
    if (Doc)
      Run.Others = otherSources(*Doc, Measured, Look);
    addProblems(Run.Others, "its kernels are not judged", Out.Problems);
    joinGpu(Doc, Gpu, Run, Allowed, Verdict);
    Out.Gpus.push_back(std::move(Verdict));
  }
  return Out;
}

static void addVerdicts(VerdictCounts &To, const VerdictCounts &From) {
  To.Confirmed += From.Confirmed;
  To.Refuted += From.Refuted;
  To.Inconclusive += From.Inconclusive;
  To.NotMeasured += From.NotMeasured;
  To.Missed += From.Missed;
  To.MeasuredOnly += From.MeasuredOnly;
}

JoinResult::Coverage JoinResult::coverage() const {
  Coverage Out;
  for (const GpuVerdict &Gpu : Gpus)
    for (const LineVerdict &V : Gpu.Lines)
      if (V.Accesses != 0 && V.WantsCount) {
        ++Out.Wanted;
        Out.Counted += V.hasCount();
      }
  return Out;
}

VerdictCounts JoinResult::lineCounts() const {
  VerdictCounts Out;
  for (const GpuVerdict &Gpu : Gpus)
    addVerdicts(Out, Gpu.LineCounts);
  return Out;
}

unsigned JoinResult::refuted() const {
  unsigned Out = 0;
  for (const GpuVerdict &Gpu : Gpus)
    Out += Gpu.LineCounts.Refuted + Gpu.LaunchCounts.Refuted +
           Gpu.RegisterCounts.Refuted;
  return Out;
}

} // namespace cudalint
