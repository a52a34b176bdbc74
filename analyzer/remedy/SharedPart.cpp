//===- analyzer/remedy/SharedPart.cpp - A part of a static array ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/remedy/SharedArray.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace cudalint {

namespace {
/// What one name of a variable leads to.
struct NamedPart {
  ByteReach Reach;
  std::vector<const Access *> Accesses;
};
} // namespace

static void extend(ByteReach &Of, const ByteReach &By) {
  Of.Begin = std::min(Of.Begin, By.Begin);
  Of.End = std::max(Of.End, By.End);
}

/// By the names that lead into the variable of \p A; empty where some access to
/// it has no name, or not all of its places are known.
static std::map<std::string_view, NamedPart> partsOf(const KernelModel &K,
                                                     const Access &A) {
  std::map<std::string_view, NamedPart> Parts;
  for (const Access &B : K.Accesses) {
    if (B.Space != MemorySpace::Shared || B.Variable != A.Variable)
      continue;
    if (B.Source.Object.empty() || !B.Reach || !B.Predicted ||
        B.Samples.empty() || B.Stride || B.Block != A.Block)
      return {};
    const auto [Part, IsNew] =
        Parts.try_emplace(B.Source.Object, NamedPart{*B.Reach, {}});
    extend(Part->second.Reach, *B.Reach);
    Part->second.Accesses.push_back(&B);
  }
  return Parts;
}

std::optional<SharedArray> sharedPartOf(const KernelModel &K, const Access &A) {
  const auto Variable =
      std::ranges::find(K.Shared, A.Variable, &SharedVariable::Name);
  if (Variable == K.Shared.end() || Variable->Bytes == 0 ||
      !Variable->Unseen.empty() || Variable->HasUnreached ||
      Variable->HasMatrices || !isLaunched(A.BlockSource))
    return std::nullopt;
  const std::map<std::string_view, NamedPart> Parts = partsOf(K, A);
  const auto Own = Parts.find(A.Source.Object);
  // A pointer that steps through it has no index to which gaps are added.
  if (Parts.size() < 2 || Own == Parts.end() ||
      std::ranges::any_of(Own->second.Accesses, [](const Access *Each) {
        return Each->Source.Subscripts != 1;
      }))
    return std::nullopt;
  const ByteReach Its = Own->second.Reach;
  for (const auto &[Name, Other] : Parts)
    if (&Other != &Own->second && Other.Reach.Begin < Its.End &&
        Its.Begin < Other.Reach.End)
      return std::nullopt;
  SharedArray Result;
  Result.Name = A.Source.Object;
  Result.IsPart = true;
  Result.Begin = Its.Begin;
  Result.IsIndexedByRows = Result.IsNamedInFull = false;
  for (const Access *Each : Own->second.Accesses)
    Result.Widest = std::max<std::int64_t>(
        Result.Widest,
        std::max<std::int64_t>(Each->Bytes, bytesAsWritten(*Each)));
  Result.Users.push_back({&K, static_cast<std::uint64_t>(Its.End - Its.Begin),
                          Result.Widest, Own->second.Accesses});
  return Result;
}

} // namespace cudalint
