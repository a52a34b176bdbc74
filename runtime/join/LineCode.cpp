//===- runtime/join/LineCode.cpp - The instructions of a line -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/join/LineCode.h"

#include <algorithm>
#include <iterator>

namespace cudalint {

std::span<const MemorySpace> measuredAs(MemorySpace Space) {
  using enum MemorySpace;
  static constexpr MemorySpace OfGeneric[] = {Generic, Global, Shared},
                               OfGlobal[] = {Global, Generic},
                               OfShared[] = {Shared, Generic},
                               OfLocal[] = {Local}, OfConstant[] = {Constant};
  switch (Space) {
  case Generic:
    return OfGeneric;
  case Global:
    return OfGlobal;
  case Shared:
    return OfShared;
  case Local:
    return OfLocal;
  case Constant:
    return OfConstant;
  }
  return {};
}

CountedLine sumOf(const Instructions &Of) {
  CountedLine Sum;
  bool IsFirst = true;
  for (const MeasuredInstruction *Each : Of) {
    const CountedLine &Counts = Each->Counts;
    // No record of it at all.
    if (!Counts.Instructions && !Counts.requests())
      continue;
    if (IsFirst)
      Sum = Counts;
    else
      addCounts(Sum, Counts);
    IsFirst = false;
  }
  return Sum;
}

Instructions running(const Instructions &Of) {
  Instructions Out;
  std::ranges::copy_if(Of, std::back_inserter(Out),
                       &MeasuredInstruction::hasRun);
  return Out;
}

LineCode::LineCode(const MeasuredKernel &Kernel) : Kernel(Kernel) {
  if (!Kernel.HasCode)
    return;
  auto addFile = [&](const MeasuredPlace &At) {
    if (!Files.contains(At.File))
      Files.emplace(At.File);
  };
  for (const MeasuredInstruction &Each : Kernel.Instructions) {
    HasFrames |= Each.Frames.size() > 1;
    std::ranges::for_each(Each.Frames, addFile);
    if (!Each.Where)
      continue;
    addFile(*Each.Where);
    Shown[*Each.Where].push_back(&Each);
  }
}

static bool isOfKind(const MeasuredInstruction &Each, MemorySpace Space,
                     AccessOp Op) {
  return Each.Counts.Op == Op &&
         std::ranges::count(measuredAs(Space), Each.Counts.Space) != 0;
}

Instructions LineCode::shownAt(const LineKey &Key) const {
  const auto &[File, Line, Space, Op] = Key;
  Instructions Out;
  if (auto Found = Shown.find({File, Line}); Found != Shown.end())
    for (const MeasuredInstruction *Each : Found->second)
      if (isOfKind(*Each, Space, Op))
        Out.push_back(Each);
  return Out;
}

Instructions LineCode::of(const CountedLine &Row) const {
  Instructions Out;
  if (auto Found = Shown.find({Row.File, Row.Line}); Found != Shown.end())
    for (const MeasuredInstruction *Each : Found->second)
      if (Each->Counts.Space == Row.Space && Each->Counts.Op == Row.Op)
        Out.push_back(Each);
  CountedLine Sum = sumOf(Out);
  if (Sum.requests() != Row.requests() || Sum.Sectors != Row.Sectors ||
      Sum.Wavefronts != Row.Wavefronts)
    return {};
  return Out;
}

std::map<LineKey, Instructions>
LineCode::inlinedAt(const std::set<LineKey> &Keys,
                    const std::set<const MeasuredInstruction *> &Used) const {
  std::map<LineKey, Instructions> Out;
  if (!Kernel.HasCode)
    return Out;
  std::map<MeasuredPlace, std::vector<const LineKey *>> ByPlace;
  for (const LineKey &Key : Keys)
    ByPlace[{std::get<0>(Key), std::get<1>(Key)}].push_back(&Key);
  auto find = [&](const MeasuredInstruction &Each) -> const LineKey * {
    for (const MeasuredPlace &Frame : Each.Frames)
      if (auto Found = ByPlace.find(Frame);
          Found != ByPlace.end() && Frame != Each.Where)
        for (const LineKey *Key : Found->second)
          if (isOfKind(Each, std::get<2>(*Key), std::get<3>(*Key)))
            return Key;
    return nullptr;
  };
  for (const MeasuredInstruction &Each : Kernel.Instructions)
    if (!Used.contains(&Each))
      if (const LineKey *Key = find(Each))
        Out[*Key].push_back(&Each);
  return Out;
}

} // namespace cudalint
