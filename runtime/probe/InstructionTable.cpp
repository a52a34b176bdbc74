//===- runtime/probe/InstructionTable.cpp - Instructions to lines ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/InstructionTable.h"

#include <algorithm>
#include <tuple>

namespace cudalint::probe {

const char *metricName(Metric M) {
  switch (M) {
  case Metric::Instructions:
    return "smsp__sass_inst_executed";
  case Metric::Lanes:
    return "smsp__sass_thread_inst_executed_pred_on";
  // The next four leave out a warp whose lanes are all predicated off, unlike
  // `inst_executed`: they are the requests.
  case Metric::GlobalRequests:
    return "smsp__sass_inst_executed_op_global";
  case Metric::SharedRequests:
    return "smsp__sass_inst_executed_op_shared";
  case Metric::LocalRequests:
    return "smsp__sass_inst_executed_op_local";
  case Metric::AsyncCopyRequests:
    return "smsp__sass_inst_executed_op_ldgsts";
  case Metric::GlobalSectors:
    return "smsp__sass_sectors_mem_global";
  case Metric::IdealGlobalSectors:
    return "smsp__sass_sectors_mem_global_ideal";
  case Metric::SharedWavefronts:
    return "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared";
  case Metric::IdealSharedWavefronts:
    return "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal";
  case Metric::LocalSectors:
    return "smsp__sass_sectors_mem_local";
  case Metric::DivergentThreads:
    return "smsp__sass_branch_targets_threads_divergent";
  case Metric::BulkCopies:
    return "smsp__sass_inst_executed_op_tma";
  case Metric::GlobalLanes:
    return "smsp__sass_thread_inst_executed_op_global_pred_on";
  case Metric::SharedLanes:
    return "smsp__sass_thread_inst_executed_op_shared_pred_on";
  case Metric::AsyncCopyLanes:
    return "smsp__sass_thread_inst_executed_op_ldgsts_pred_on";
  case Metric::GenericLoads:
    return "smsp__sass_inst_executed_op_ld";
  case Metric::GenericStores:
    return "smsp__sass_inst_executed_op_st";
  case Metric::GenericAtomics:
    return "smsp__sass_inst_executed_op_atom";
  }
  return "";
}

namespace {
/// One instruction's sums, as far as they were counted.
class Counted {
public:
  Counted(const InstructionTable::Entry &E, const MetricSet &Available)
      : E(E), Available(Available) {}

  std::optional<std::uint64_t> operator[](Metric M) const {
    auto Index = static_cast<std::size_t>(M);
    if (!Available[Index])
      return std::nullopt;
    return E.Sums[Index];
  }

  std::uint64_t orZero(Metric M) const { return (*this)[M].value_or(0); }

private:
  const InstructionTable::Entry &E;
  const MetricSet &Available;
};
} // namespace

/// Absent stays absent: all instructions of a GPU have the same metrics.
static void add(std::optional<std::uint64_t> &To,
                std::optional<std::uint64_t> Value) {
  if (Value)
    To = To.value_or(0) + *Value;
}

/// How many warps had a lane that touched memory. A generic access counts in
/// each space that its lanes touch, hence the bound.
static std::optional<std::uint64_t> requests(const Counted &Counts, Space In,
                                             bool IsAsyncCopy) {
  if (IsAsyncCopy)
    return Counts[Metric::AsyncCopyRequests];
  switch (In) {
  case Space::Global:
    return Counts[Metric::GlobalRequests];
  case Space::Shared:
    return Counts[Metric::SharedRequests];
  case Space::Local:
    return Counts[Metric::LocalRequests];
  case Space::Generic:
    break;
  }
  std::optional<std::uint64_t> Sum;
  for (Metric M :
       {Metric::GlobalRequests, Metric::SharedRequests, Metric::LocalRequests})
    add(Sum, Counts[M]);
  std::optional<std::uint64_t> Most = Counts[Metric::Instructions];
  if (!Most)
    for (Metric M :
         {Metric::GenericLoads, Metric::GenericStores, Metric::GenericAtomics})
      add(Most, Counts[M]);
  if (Sum && Most)
    Sum = std::min(*Sum, *Most);
  return Sum;
}

/// Those of local memory have no count of their own.
static std::optional<std::uint64_t> lanes(const Counted &Counts, Space In,
                                          bool IsAsyncCopy) {
  if (auto All = Counts[Metric::Lanes])
    return All;
  if (IsAsyncCopy)
    return Counts[Metric::AsyncCopyLanes];
  switch (In) {
  case Space::Global:
    return Counts[Metric::GlobalLanes];
  case Space::Shared:
    return Counts[Metric::SharedLanes];
  case Space::Local:
    return std::nullopt;
  case Space::Generic:
    break;
  }
  std::optional<std::uint64_t> Sum = Counts[Metric::GlobalLanes];
  add(Sum, Counts[Metric::SharedLanes]);
  return Sum;
}

static void addAccess(const Counted &Counts, Space In, bool IsAsyncCopy,
                      LineCounts &Line) {
  add(Line.Instructions, Counts[Metric::Instructions]);
  add(Line.Requests, requests(Counts, In, IsAsyncCopy));
  add(Line.Lanes, lanes(Counts, In, IsAsyncCopy));
  if (In == Space::Local)
    add(Line.Sectors, Counts[Metric::LocalSectors]);
  if (In == Space::Global || In == Space::Generic) {
    add(Line.Sectors, Counts[Metric::GlobalSectors]);
    add(Line.IdealSectors, Counts[Metric::IdealGlobalSectors]);
  }
  if (In == Space::Shared || In == Space::Generic) {
    add(Line.Wavefronts, Counts[Metric::SharedWavefronts]);
    add(Line.IdealWavefronts, Counts[Metric::IdealSharedWavefronts]);
  }
}

static std::string inWords(const std::string &Function,
                           const SourceLine &Where) {
  std::string Text = Function;
  if (Where.File)
    Text += " at " + *Where.File + ":" + std::to_string(Where.Line);
  return Text;
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

/// Of any architecture: see cubin::accessesOf.
static std::vector<cubin::MemoryAccess>
accessesOf(std::optional<std::uint64_t> Word) {
  if (!Word)
    return {};
  return cubin::accessesOf({*Word, 0}, 90);
}

Place InstructionTable::place(const cubin::Frame &At) {
  auto Found = FileNumbers.find(At.File);
  if (Found == FileNumbers.end()) {
    Found = FileNumbers
                .emplace(std::string(At.File),
                         static_cast<std::uint32_t>(Files.size()))
                .first;
    Files.emplace_back(At.File);
  }
  if (At.Version != cubin::FileVersion() && Sources.size() < MostSources)
    Sources.insert({Found->second, At.Version});
  return {Found->second, At.Line};
}

void InstructionTable::setCode(
    Function &F, const std::optional<cubin::FunctionAccesses> &Accesses) {
  if (!Accesses)
    return;
  F.HasCode = true;
  F.CallsOthers = Accesses->CallsOthers;
  RowCount += Accesses->Accesses.size();
  for (const cubin::CodeAccess &Each : Accesses->Accesses) {
    InstructionRow &Row = F.Rows.emplace_back();
    Row.Offset = Each.Offset;
    Row.Opcode = Each.Opcode;
    Row.Bytes = Each.Access.Bytes;
    Row.In = Each.Access.In;
    Row.What = Each.Access.What;
    if (Each.Shown)
      Row.Where = place(*Each.Shown);
    for (const cubin::Frame &Frame : Each.Frames)
      Row.Frames.push_back(place(Frame));
  }
}

void InstructionTable::summarizeCode(const FunctionKey &Key, const Function &F,
                                     const MetricSet &Available,
                                     Profile &Out) const {
  if (!F.HasCode)
    return;
  FunctionRows &To = Out.Code.emplace_back();
  To.Kernel = Key.Name;
  To.Device = Key.Device;
  To.CallsOthers = F.CallsOthers;
  To.Rows = F.Rows;
  for (InstructionRow &Row : To.Rows)
    if (auto Found = F.Entries.find(Row.Offset); Found != F.Entries.end())
      addAccess(Counted(Found->second, Available), Row.In,
                accessesOf(Found->second.Info.Word).size() > 1, Row.Counts);
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

/// What \p E makes of its line.
static void summarizeLine(const std::string &Function, unsigned Device,
                          const InstructionTable::Entry &E,
                          const MetricSet &Available, Profile &Out) {
  Counted Counts(E, Available);
  std::optional<bool> &HasLines = Out.Kernels[{Function, Device}].HasLines;
  // Of code that was not found, nothing is known.
  if (E.Info.Word)
    HasLines = HasLines.value_or(false) || E.Info.Where.File.has_value();

  std::vector<cubin::MemoryAccess> Accesses = accessesOf(E.Info.Word);
  for (const cubin::MemoryAccess &Access : Accesses)
    addAccess(
        Counts, Access.In, Accesses.size() > 1,
        Out.Lines[{Function, Device, E.Info.Where, Access.In, Access.What}]);

  // Only branches have this count: none means that it is no branch, or one
  // that never parted.
  if (Counts.orZero(Metric::DivergentThreads)) {
    BranchCounts &Branch = Out.Branches[{Function, Device, E.Info.Where}];
    add(Branch.Instructions, Counts[Metric::Instructions]);
    add(Branch.ThreadsDivergent, Counts[Metric::DivergentThreads]);
  }

  if (Counts.orZero(Metric::BulkCopies))
    Out.Problems.push_back(
        {"bulk-copy",
         "bulk copies are not measured: " + inWords(Function, E.Info.Where) +
             "; read their traffic in Nsight Compute"});
  std::uint64_t Requests = Counts.orZero(Metric::GlobalRequests) +
                           Counts.orZero(Metric::SharedRequests) +
                           Counts.orZero(Metric::LocalRequests);
  if (!E.Info.Word && Requests)
    Out.Problems.push_back(
        loss("code-not-found", "the code of " + Function +
                                   " was not found, so its lines are not "
                                   "known; please report it"));
  else if (Accesses.empty() && Requests && !Counts.orZero(Metric::BulkCopies))
    Out.Problems.push_back(
        loss("unknown-instruction",
             "an instruction that touches memory is not known (opcode " +
                 std::to_string(*E.Info.Word & 0xfff) +
                 "): " + inWords(Function, E.Info.Where) +
                 "; its line lacks these requests, please report it"));
}

bool InstructionTable::anyExecuted() const {
  auto Ran = [](const auto &Each) {
    const auto &Sums = Each.second.Sums;
    return std::any_of(Sums.begin(), Sums.end(),
                       [](std::uint64_t Sum) { return Sum != 0; });
  };
  return std::any_of(Functions.begin(), Functions.end(), [&](const auto &Each) {
    const auto &Entries = Each.second.Entries;
    return std::any_of(Entries.begin(), Entries.end(), Ran);
  });
}

void InstructionTable::summarize(const MetricSet &Available,
                                 Profile &Out) const {
  Out.Files = Files;
  Out.Sources = Sources;
  for (const auto &[Key, F] : Functions) {
    summarizeCode(Key, F, Available, Out);
    for (const auto &[Offset, E] : F.Entries)
      summarizeLine(Key.Name, Key.Device, E, Available, Out);
  }
  std::stable_sort(Out.Code.begin(), Out.Code.end(),
                   [](const FunctionRows &A, const FunctionRows &B) {
                     return std::tie(A.Kernel, A.Device) <
                            std::tie(B.Kernel, B.Device);
                   });
}

} // namespace cudalint::probe
