//===- cubin/Cubin.cpp - Finds an instruction in a cubin ------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cubin/Cubin.h"

namespace cudalint::cubin {

const Cubin::Contents &Cubin::contents() const {
  if (!Read)
    Read.emplace(Bytes);
  return *Read;
}

static std::optional<std::uint32_t> findCode(const ElfFile &File,
                                             std::string_view Function) {
  return File.find(".text." + std::string(Function));
}

bool Cubin::has(std::string_view Function) const {
  return findCode(contents().File, Function).has_value();
}

std::optional<std::uint64_t> Cubin::word(std::string_view Function,
                                         std::uint64_t Offset) const {
  const Contents &C = contents();
  auto Section = findCode(C.File, Function);
  if (!Section)
    return std::nullopt;
  return readAt<std::uint64_t>(C.File.sections()[*Section].Bytes, Offset);
}

std::optional<Frame> Cubin::line(std::string_view Function,
                                 std::uint64_t Offset) const {
  const Contents &C = contents();
  auto Section = findCode(C.File, Function);
  if (!Section)
    return std::nullopt;
  return C.Lines.find(*Section, Offset);
}

} // namespace cudalint::cubin
