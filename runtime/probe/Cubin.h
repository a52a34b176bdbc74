//===- runtime/probe/Cubin.h - Finds an instruction in a cubin --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_CUBIN_H
#define CUDA_LINT_RUNTIME_PROBE_CUBIN_H

#include "runtime/probe/ElfFile.h"
#include "runtime/probe/LineTable.h"

#include <string>

namespace cudalint::probe {

/// What a cubin says of one instruction.
struct InstructionInfo {
  SourceLine Where;
  std::optional<std::uint64_t> Word; // its first eight bytes
};

/// The machine code of one loaded module: an ELF file of 64 bits. The bytes
/// come from the program that is measured, and nothing in them is trusted.
class Cubin {
public:
  explicit Cubin(std::string Bytes) : Bytes(std::move(Bytes)) {}
  Cubin(const Cubin &) = delete;
  Cubin &operator=(const Cubin &) = delete;

  const std::string &bytes() const { return Bytes; }

  /// The instruction at \p Offset bytes from the start of \p Function; nothing
  /// is known of one that the file does not have.
  InstructionInfo instruction(std::string_view Function,
                              std::uint64_t Offset) const;

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

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_CUBIN_H
