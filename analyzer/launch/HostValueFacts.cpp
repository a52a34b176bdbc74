//===- analyzer/launch/HostValueFacts.cpp - What is known of a value ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/HostValue.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace cudalint {

static void collectNames(Value V, std::vector<std::string> &Names,
                         unsigned &Budget) {
  if (!Budget || Names.size() >= 2)
    return;
  --Budget;
  if (V->isSymbolic() && !V->Name.empty()) {
    if (!llvm::is_contained(Names, V->Name))
      Names.push_back(V->Name);
    return;
  }
  for (Value Each : V->Operands)
    collectNames(Each, Names, Budget);
}

std::string describeUnknown(Value V) {
  std::vector<std::string> Names;
  unsigned Budget = 1000;
  collectNames(V, Names, Budget);
  return Names.empty() ? "a value that cannot be told"
                       : llvm::join(Names, " and ");
}

bool isNewerThan(Value V, std::uint64_t Count) {
  if (V->Tag == ValueNode::Symbol)
    return V->Bits > Count;
  return llvm::all_of(V->Operands,
                      [&](Value Each) { return isNewerThan(Each, Count); });
}

std::optional<std::int64_t> integerOf(Value V) {
  if (!V->isInteger())
    return std::nullopt;
  // An unsigned long beyond int64 is no size of anything here.
  if (!V->Type.Signed && static_cast<std::int64_t>(V->Bits) < 0)
    return std::nullopt;
  return static_cast<std::int64_t>(V->Bits);
}

bool isPowerOfTwo(Value V) {
  if (const std::optional<std::int64_t> Number = integerOf(V))
    return *Number > 0 && llvm::isPowerOf2_64(static_cast<uint64_t>(*Number));
  if (V->Tag != ValueNode::Operation || V->Type.Kind != NumberType::Integer)
    return false;
  const auto &Operands = V->Operands;
  switch (V->Code) {
  case Operator::ShiftLeft:
    return integerOf(Operands[0]) == 1;
  case Operator::Multiply: // of signed numbers: others may wrap to 0
    return V->Type.Signed && isPowerOfTwo(Operands[0]) &&
           isPowerOfTwo(Operands[1]);
  case Operator::Convert:
    return V->Type.Width >= V->From.Width &&
           V->From.Kind == NumberType::Integer && isPowerOfTwo(Operands[0]);
  case Operator::Choose:
    return isPowerOfTwo(Operands[1]) && isPowerOfTwo(Operands[2]);
  case Operator::Minimum:
  case Operator::Maximum:
    return isPowerOfTwo(Operands[0]) && isPowerOfTwo(Operands[1]);
  default:
    return false;
  }
}

bool isNullTest(Value Condition) {
  while (Condition->Tag == ValueNode::Operation &&
         Condition->Code == Operator::LogicalNot)
    Condition = Condition->Operands[0];
  if (Condition->Tag != ValueNode::Operation)
    return false;
  const auto &Operands = Condition->Operands;
  if (Condition->Code == Operator::Convert)
    return Condition->Type == Boolean && Condition->From == PointerBits &&
           Operands[0]->isSymbolic();
  return Condition->Code == Operator::Equal &&
         std::ranges::any_of(Operands, [](Value Each) {
           return Each->isZero() && Each->Type == PointerBits;
         });
}

static Place elementAt(Place Array, std::optional<std::int64_t> Position) {
  if (!Position || *Position < 0)
    Array.Exact = false;
  else
    Array.Path.push_back(indexKey(static_cast<std::uint64_t>(*Position)));
  return Array;
}

Place elementOf(Place Array, Value Index) {
  return elementAt(std::move(Array), integerOf(Index));
}

Place elementBehind(Place First, std::optional<std::int64_t> Distance) {
  if (First.Path.empty() || !isIndex(First.Path.back())) {
    if (Distance != 0)
      First.Exact = false;
    return First;
  }
  const auto At = static_cast<std::int64_t>(First.Path.back() / 2);
  First.Path.pop_back();
  return elementAt(std::move(First),
                   Distance ? llvm::checkedAdd(*Distance, At) : std::nullopt);
}

} // namespace cudalint
