//===- analyzer/resources/PtxasLog.h - Reads ptxas -v -----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reads what `nvcc -Xptxas -v` and `-Xnvlink -v` print, in the wordings of
/// CUDA 9 to 13 and between any other lines of a build.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_RESOURCES_PTXASLOG_H
#define CUDA_LINT_ANALYZER_RESOURCES_PTXASLOG_H

#include "hardware/Architecture.h"
#include "report/Document.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cudalint {

/// What a log says of one kernel in one place.
struct PtxasEntry {
  std::string Kernel; ///< As the log spells it, mangled or not.
  std::optional<ComputeCapability> CC;
  bool Specific = false; ///< `sm_90a`: code that runs on no later GPU.
  /// From nvlink, which knows all that a kernel calls: counts instead of what
  /// ptxas says of the same kernel.
  bool Linked = false;
  /// The log ends inside the line of its registers: what would follow there is
  /// not known.
  bool IsCut = false;
  /// No Source. Without registers the log breaks off within this kernel, or
  /// mixes the lines of several compilations.
  ResourceRecord Record;
  std::string File;       ///< Of the source, where that can be told; no folder.
  std::uint64_t Line = 0; ///< Of the log, of the first such entry.
};

/// A line of a log, as far as it can be shown.
struct LogLine {
  std::uint64_t Number = 0; ///< From 1.
  std::string Text;
};

/// A log, read in pieces of any size. Holds what differs, not what it read.
class PtxasLog {
public:
  void read(std::string_view Bytes);
  /// To be called after the last piece, before the entries are asked for.
  void finish();

  /// All that is said of \p Kernel, in the order of the log. Names of a static
  /// kernel or of one in an unnamed namespace match although nvcc and Clang
  /// spell them differently.
  std::vector<const PtxasEntry *> entriesOf(std::string_view Kernel) const;
  std::vector<const PtxasEntry *> entries() const;

  /// There was at least one line of ptxas or nvlink.
  bool hasOutput() const { return HasOutput; }

  /// True when commands of the log name sources, and none of them \p File,
  /// which has no folder. False where that cannot be told.
  bool leavesOut(std::string_view File) const;

  /// The first line that may tell of a kernel and whose wording is not known.
  const std::optional<LogLine> &firstStrange() const { return Strange; }

private:
  void readLine(std::string_view Line);
  // False when they do not understand it.
  bool readPtxas(std::string_view Text);
  bool readNvlink(std::string_view Text);
  bool readUsed(std::string_view Text);
  void noteSource(std::string_view Line);
  void noteStrange(std::string_view Line);
  void begin(std::string_view Kernel, std::string_view Arch, bool Linked);
  void readFrame(std::string_view Line);
  void close();
  void add(PtxasEntry Entry);
  void flush();
  void settleLinked();

  std::string Partial;      ///< A line whose end has not been read.
  bool IsUnended = false;   ///< Nothing ends the line that is read.
  bool SkipsLine = false;   ///< The rest of an overlong one.
  std::uint64_t Number = 0; ///< Of the line.
  bool HasOutput = false;
  std::optional<LogLine> Strange;

  std::optional<PtxasEntry> Open; ///< Its registers are still to come.
  std::string PropertiesOf;       ///< The function that the next frame is of.
  /// Entries since one was cut off by the beginning of another: a later line
  /// without a kernel would show that they were mixed up.
  std::vector<PtxasEntry> Doubtful;

  /// All that were named, but for those that messages are about.
  std::set<std::string, std::less<>> Sources;
  std::string Source; ///< The last that was named; may be empty.
  bool SourceHasOutput = true;
  bool SourcesAreMixed = false; ///< Two compilations ran at a time.

  /// By comparable name; each figure of each source once.
  std::map<std::string, std::vector<PtxasEntry>, std::less<>> ByKernel;
};

/// A name to compare by: equal for the name that nvcc and the name that Clang
/// gives the same kernel, also where it has internal linkage.
std::string comparableKernelName(std::string_view LinkageName);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_RESOURCES_PTXASLOG_H
