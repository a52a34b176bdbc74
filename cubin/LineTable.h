//===- cubin/LineTable.h - Code to lines of source --------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What nvcc -lineinfo leaves in a cubin: `.debug_line`, in DWARF 2 to 4, with
/// NVIDIA's own opcodes for calls that were inlined. It is read here and not by
/// CUPTI's cuptiGetSassToSourceCorrelation, which finds nothing or crashes when
/// it is asked again after another module was loaded (seen with 13.0).
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_CUBIN_LINETABLE_H
#define CUDA_LINT_CUBIN_LINETABLE_H

#include "cubin/ElfFile.h"

#include <deque>
#include <memory>
#include <span>
#include <string>

namespace cudalint::cubin {

/// Text that stays where it is: what views point into.
using Strings = std::deque<std::string>;

/// The file that the compiler read; both 0 where the table does not tell.
struct FileVersion {
  std::uint64_t Bytes = 0;
  std::uint64_t Modified = 0; ///< In seconds since 1970.

  auto operator<=>(const FileVersion &) const = default;
};

/// A place in the source. The views live as long as the Strings of the table.
struct Frame {
  std::string_view File;
  unsigned Line = 0;   ///< From 1.
  unsigned Column = 0; ///< From 1; 0: not known. ptxas 13.0 writes none.
  /// The function that was inlined and has this line, as the linker sees it;
  /// empty in the outermost frame, and where the table does not tell.
  std::string_view Function;
  FileVersion Version = {};

  bool operator==(const Frame &) const = default;
};

/// Addresses are of a section and the bytes from its start. Nothing in the file
/// is trusted: the table ends where it cannot be understood.
class LineTable {
public:
  explicit LineTable(const ElfFile &File);

  /// Whether some of it is written in a way that is not known.
  bool hasUnknown() const { return Unknown; }

  /// The place that profilers show for the instruction at \p Offset: of the
  /// rows that begin where the last one before it does, the first. Where a
  /// function was inlined, that is the call, for the first instructions of each
  /// part of it; for others, the innermost place.
  std::optional<Frame> find(std::uint32_t Section, std::uint64_t Offset) const;

  /// Its innermost place, the call that was inlined there, and so on to the
  /// function whose code it is; at most MostFrames, the outermost left out.
  std::vector<Frame> frames(std::uint32_t Section, std::uint64_t Offset) const;
  static constexpr std::size_t MostFrames = 256;

  /// What the views in frames point into.
  std::shared_ptr<const Strings> strings() const { return Text; }

private:
  static constexpr std::uint32_t None = ~std::uint32_t{0};
  struct Place {
    std::uint32_t File; // in Files; None ends what is before it
    std::uint32_t Line, Column;
    std::uint32_t Call;     // in Calls, where it was inlined, or None
    std::uint32_t Function; // in Functions, or None
  };
  struct Row {
    std::uint64_t Address;
    Place At;
  };
  class Program;

  /// The rows that begin where the last one at or before \p Offset does.
  std::span<const Row> rowsAt(std::uint32_t Section,
                              std::uint64_t Offset) const;
  Frame frame(const Place &At) const;

  std::shared_ptr<Strings> Text = std::make_shared<Strings>();
  std::size_t TextBytes = 0; ///< Of all of them.
  std::size_t RowCount = 0;  ///< Of all sections.
  std::vector<std::string_view> Files, Functions;
  std::vector<FileVersion> Versions;                 // of Files
  std::map<std::uint64_t, std::uint32_t> FunctionAt; // by place in .debug_str
  /// Each names only calls before it.
  std::vector<Place> Calls;
  std::map<std::uint32_t, std::vector<Row>> Rows; // by section, by address
  bool Unknown = false;
};

} // namespace cudalint::cubin

#endif // CUDA_LINT_CUBIN_LINETABLE_H
