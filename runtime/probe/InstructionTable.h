//===- runtime/probe/InstructionTable.h - Instructions to lines -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// CUPTI counts for each machine instruction; people read lines. An instruction
/// of the generic space can touch any of the three: its line has sectors and
/// wavefronts both.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_INSTRUCTIONTABLE_H
#define CUDA_LINT_RUNTIME_PROBE_INSTRUCTIONTABLE_H

#include "cubin/Cubin.h"
#include "runtime/probe/Profile.h"

#include <array>
#include <cstddef>

namespace cudalint::probe {

/// What is counted at an instruction.
enum class Metric : std::uint8_t {
  Instructions,
  Lanes,
  GlobalRequests,
  SharedRequests,
  LocalRequests,
  AsyncCopyRequests, // of LDGSTS
  GlobalSectors,
  IdealGlobalSectors,
  SharedWavefronts,
  IdealSharedWavefronts,
  LocalSectors,
  DivergentThreads,
  BulkCopies, // of the tensor memory accelerator: named, not measured
  // Lanes of memory instructions alone: to count those of all instructions
  // makes a kernel that computes up to 400 times slower.
  GlobalLanes,
  SharedLanes,
  AsyncCopyLanes,
  // Instructions that take any pointer.
  GenericLoads,
  GenericStores,
  GenericAtomics,
};
inline constexpr std::size_t MetricCount = 19;

/// The name that CUPTI gives to \p M. Architectures differ in which they have.
const char *metricName(Metric M);

/// What the code says of one instruction.
struct InstructionInfo {
  SourceLine Where;
  std::optional<std::uint64_t> Word; // its first eight bytes
};

/// Which metrics this GPU counts.
using MetricSet = std::array<bool, MetricCount>;

/// Where an instruction stands. `Module` is its number in
/// CUPTI's records, `Offset` is in
/// bytes from the start of the function.
struct InstructionKey {
  unsigned Device = 0;
  std::uint32_t Module = 0;
  std::string Function;
  std::uint64_t Offset = 0;

  auto operator<=>(const InstructionKey &) const = default;
};

/// The sums of every instruction that ran, what they make of each line, and the
/// instructions of these functions that touch memory, whether they ran or not.
/// Grows with the code that runs, not with its launches.
class InstructionTable {
public:
  struct Entry {
    InstructionInfo Info;
    std::array<std::uint64_t, MetricCount> Sums = {};
  };

  /// Of all functions together; a function that does not fit in has none. With
  /// its frames, a row takes some hundred bytes.
  static constexpr std::size_t MostRows = std::size_t{1} << 16;
  static constexpr std::size_t MostSources = std::size_t{1} << 14;

  /// The entry of \p Key; \p Describe tells about a new one.
  template <class Callable>
  Entry &at(const InstructionKey &Key, Callable Describe) {
    auto [Place, New] = function(Key).Entries.try_emplace(Key.Offset);
    if (New)
      Place->second.Info = Describe();
    return Place->second;
  }

  /// Once for each function, asks \p Read for its accesses, with how many of
  /// them there may be.
  template <class Callable>
  void readCode(const InstructionKey &Key, Callable Read) {
    Function &F = function(Key);
    if (!F.IsRead)
      setCode(F, Read(MostRows - RowCount));
    F.IsRead = true;
  }

  /// Adds lines, code, branches, and whether kernels have lines to \p Out,
  /// which holds none yet. Instructions that touch memory in a way that is not
  /// measured become problems.
  void summarize(const MetricSet &Available, Profile &Out) const;

  /// Whether any instruction was counted at all.
  bool anyExecuted() const;

private:
  struct FunctionKey {
    unsigned Device = 0;
    std::uint32_t Module = 0;
    std::string Name;

    auto operator<=>(const FunctionKey &) const = default;
  };
  struct Function {
    std::map<std::uint64_t, Entry> Entries; // by offset
    bool IsRead = false;
    bool HasCode = false;
    bool CallsOthers = false;
    std::vector<InstructionRow> Rows; // without counts
  };

  Function &function(const InstructionKey &Key) {
    return Functions[{Key.Device, Key.Module, Key.Function}];
  }
  void setCode(Function &F,
               const std::optional<cubin::FunctionAccesses> &Accesses);
  Place place(const cubin::Frame &At);
  void summarizeCode(const FunctionKey &Key, const Function &F,
                     const MetricSet &Available, Profile &Out) const;

  std::map<FunctionKey, Function> Functions;
  std::size_t RowCount = 0; // of all functions
  std::map<std::string, std::uint32_t, std::less<>> FileNumbers;
  std::vector<std::string> Files;
  std::set<SourceStamp> Sources;
};

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_INSTRUCTIONTABLE_H
