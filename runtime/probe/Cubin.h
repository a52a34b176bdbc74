//===- runtime/probe/Cubin.h - Finds an instruction in a cubin --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_CUBIN_H
#define CUDA_LINT_RUNTIME_PROBE_CUBIN_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cudalint::probe {

/// The machine code of one loaded module: an ELF file of 64 bits. The bytes
/// come from the program that is measured, and nothing in them is trusted.
class Cubin {
public:
  explicit Cubin(std::vector<char> Bytes) : Bytes(std::move(Bytes)) {}

  const char *data() const { return Bytes.data(); }
  std::size_t size() const { return Bytes.size(); }

  /// The first eight bytes of the instruction at \p Offset bytes from the
  /// start of \p Function, or nothing where the file has no such place.
  std::optional<std::uint64_t> instruction(std::string_view Function,
                                           std::uint64_t Offset) const;

private:
  struct Code {
    std::uint64_t Offset, Size; // in Bytes
  };
  std::optional<Code> findCode(std::string_view Function) const;

  std::vector<char> Bytes;
  // The last answer: instructions are asked for function by function.
  mutable std::string LastFunction;
  mutable std::optional<Code> LastCode;
};

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_CUBIN_H
