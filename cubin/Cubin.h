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
#include "cubin/Instruction.h"
#include "cubin/LineTable.h"

#include <string>

namespace cudalint::cubin {

/// One access of one instruction of a function. LDGSTS, which loads from global
/// and stores to shared memory, makes two. The views live as long as the Cubin.
struct CodeAccess {
  std::uint64_t Offset = 0; ///< Bytes from the start of the function's section.
  MemoryAccess Access;
  std::string_view Opcode;    ///< As nvdisasm names it, without modifiers: LDG.
  std::optional<Frame> Shown; ///< The place that profilers show, or none.
  /// Innermost first, then the call that was inlined there, and so on; empty:
  /// not known. Of many, the outermost are left out.
  std::vector<Frame> Frames;
  static constexpr std::size_t MostFrames = 16;
};

/// What the section of a function has of them, which are those of the function
/// and of those that ptxas put beside it.
struct FunctionAccesses {
  std::vector<CodeAccess> Accesses; ///< By offset.
  /// It may call code in another section, or does so through a pointer.
  bool CallsOthers = false;
};

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

  /// The instructions of \p Function that touch memory and may be executed, of
  /// which there are \p Most at most. Nothing where there are more, no such
  /// function, or code that is not known.
  std::optional<FunctionAccesses> accesses(std::string_view Function,
                                           std::size_t Most) const;

  /// Whether \p Function has a loop that loads what others may write
  /// meanwhile, `volatile` or with an order among threads, or that has an
  /// atomic with a result. False also where its code is not known.
  bool mayWait(std::string_view Function) const;

  /// Bytes of the code that may run with \p Function: its own and, where it
  /// calls through a pointer or into another section, that of all functions of
  /// the file that are no kernels. 0: there is no such function.
  std::size_t codeBytes(std::string_view Function) const;

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
