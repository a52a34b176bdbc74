//===- cubin/Cubin.h - Finds an instruction in a cubin ----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_CUBIN_CUBIN_H
#define CUDA_LINT_CUBIN_CUBIN_H

#include "cubin/ElfFile.h"
#include "cubin/LineTable.h"

#include <string>

namespace cudalint::cubin {

/// The machine code of one loaded module: an ELF file of 64 bits. The bytes
/// come from the program that is measured, and nothing in them is trusted.
class Cubin {
public:
  explicit Cubin(std::string Bytes) : Bytes(std::move(Bytes)) {}
  Cubin(const Cubin &) = delete;
  Cubin &operator=(const Cubin &) = delete;

  const std::string &bytes() const { return Bytes; }

  /// The first eight bytes of the instruction at \p Offset bytes from the start
  /// of \p Function, if the file has it.
  std::optional<std::uint64_t> word(std::string_view Function,
                                    std::uint64_t Offset) const;

  /// The place of that instruction, as profilers show it.
  std::optional<Frame> line(std::string_view Function,
                            std::uint64_t Offset) const;

  /// Whether \p Function has a loop that loads what others may write
  /// meanwhile, `volatile` or with an order among threads, or that has an
  /// atomic with a result. False also where its code is not known.
  bool mayWait(std::string_view Function) const;

  /// Whether the file has code of that name.
  bool has(std::string_view Function) const;

  /// Whether it has lines that were not understood. As far as it was read.
  bool hasUnknownLines() const { return Read && Read->Lines.hasUnknown(); }

private:
  struct Contents {
    explicit Contents(std::string_view Bytes) : File(Bytes), Lines(File) {}

    ElfFile File;
    LineTable Lines;
  };
  const Contents &contents() const;

  std::string Bytes;
  // Many modules run no kernel: it is read when it is first asked for.
  mutable std::optional<Contents> Read;
};

} // namespace cudalint::cubin

#endif // CUDA_LINT_CUBIN_CUBIN_H
