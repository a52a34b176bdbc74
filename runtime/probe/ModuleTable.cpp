//===- runtime/probe/ModuleTable.cpp - Which code is loaded ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/ModuleTable.h"

#include <algorithm>

namespace cudalint::probe {

/// Of all bytes, eight at a time, after FNV-1a: a library of kernels has many
/// megabytes.
static std::uint64_t hashOf(std::string_view Bytes) {
  std::uint64_t Hash = 0xcbf29ce484222325;
  for (std::size_t At = 0; At < Bytes.size(); At += 8) {
    std::uint64_t Word = 0;
    std::memcpy(&Word, Bytes.data() + At,
                std::min<std::size_t>(8, Bytes.size() - At));
    Hash = (Hash ^ Word) * 0x100000001b3;
    Hash ^= Hash >> 29; // the upper bytes count, too
  }
  return Hash;
}

/// The entry of these bytes, which may be new. Another content of equal hash
/// moves it on.
ModuleTable::Modules::iterator ModuleTable::place(std::string_view Bytes) {
  std::uint64_t Hash = hashOf(Bytes);
  for (auto Number = static_cast<std::uint32_t>(Hash ^ (Hash >> 32));;
       ++Number) {
    if (Number == 0)
      continue;
    auto [Entry, New] = All.try_emplace(Number);
    Module &M = Entry->second;
    if (New) {
      M.Hash = Hash;
      M.Size = Bytes.size();
    }
    if (M.Hash == Hash && M.Size == Bytes.size() &&
        (!M.Code || M.Code->bytes() == Bytes))
      return Entry;
  }
}

std::uint32_t ModuleTable::number(std::string_view Bytes) {
  std::lock_guard Lock(Mutex);
  return place(Bytes)->first;
}

void ModuleTable::loaded(std::string_view Bytes,
                         std::optional<std::uint32_t> CuptisNumber) {
  std::lock_guard Lock(Mutex);
  auto Its = place(Bytes);
  Module &M = Its->second;
  if (M.Loads++ == 0 && std::erase(Gone, Its->first) != 0)
    GoneBytes -= M.Size;
  M.CuptisNumber = CuptisNumber;
  if (!M.Code)
    M.Code = std::make_shared<const Cubin>(std::string(Bytes));
}

void ModuleTable::unloaded(std::string_view Bytes, std::size_t KeptBytes) {
  std::lock_guard Lock(Mutex);
  auto Its = place(Bytes);
  if (Its->second.Loads == 0 || --Its->second.Loads != 0)
    return;
  Gone.push_back(Its->first);
  GoneBytes += Its->second.Size;
  while (GoneBytes > KeptBytes) {
    Module &Oldest = All.at(Gone.front());
    Gone.pop_front();
    GoneBytes -= Oldest.Size;
    Oldest.Code.reset();
  }
}

std::optional<bool> ModuleTable::mayWait(std::string_view Function) const {
  std::lock_guard Lock(Mutex);
  std::optional<bool> Out;
  for (const auto &[Number, M] : All)
    if (M.Code && M.Code->has(Function))
      Out = Out.value_or(false) || M.Code->mayWait(Function);
  return Out;
}

std::size_t ModuleTable::codeBytes(std::string_view Function) const {
  std::lock_guard Lock(Mutex);
  std::size_t Out = 0;
  for (const auto &[Number, M] : All)
    if (M.Code)
      Out = std::max(Out, M.Code->codeBytes(Function));
  return Out;
}

std::shared_ptr<const Cubin>
ModuleTable::find(std::uint32_t Number, std::string_view Function) const {
  std::lock_guard Lock(Mutex);
  auto Own = All.find(Number);
  if (Own != All.end() && Own->second.Code && Own->second.Code->has(Function))
    return Own->second.Code;
  std::shared_ptr<const Cubin> Only;
  for (const auto &[Ours, M] : All) {
    if (!M.Code || M.CuptisNumber != Number || !M.Code->has(Function))
      continue;
    if (Only)
      return nullptr;
    Only = M.Code;
  }
  return Only;
}

} // namespace cudalint::probe
