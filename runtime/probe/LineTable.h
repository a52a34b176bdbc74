//===- runtime/probe/LineTable.h - Code to lines of source ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What nvcc -lineinfo leaves in a cubin: `.debug_line`, in DWARF 2 to 4. It is
/// read here and not by CUPTI's cuptiGetSassToSourceCorrelation, which finds
/// nothing or crashes when it is asked again after another module was loaded
/// (seen with 13.0).
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_LINETABLE_H
#define CUDA_LINT_RUNTIME_PROBE_LINETABLE_H

#include "runtime/probe/ElfFile.h"
#include "runtime/probe/Profile.h"

#include <string>

namespace cudalint::probe {

/// Addresses are of a section and the bytes from its start. Nothing in the file
/// is trusted: the table ends where it cannot be understood.
class LineTable {
public:
  explicit LineTable(const ElfFile &File);

  /// Whether some of it is written in a way that is not known.
  bool hasUnknown() const { return Unknown; }

  /// The line of the instruction at \p Offset; no file where it has none.
  SourceLine find(std::uint32_t Section, std::uint64_t Offset) const;

private:
  struct Row {
    std::uint64_t Address;
    std::uint32_t File; // in Files; NoFile ends what is before it
    std::uint32_t Line;
  };
  static constexpr std::uint32_t NoFile = ~std::uint32_t{0};
  class Program;

  std::vector<std::string> Files;
  std::size_t PathBytes = 0;                      ///< Of all paths.
  std::map<std::uint32_t, std::vector<Row>> Rows; // by section, by address
  bool Unknown = false;
};

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_LINETABLE_H
