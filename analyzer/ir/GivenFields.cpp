//===- analyzer/ir/GivenFields.cpp - What a launch passes -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/GivenFields.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

#include <limits>

using namespace llvm;

namespace cudalint {

/// On a parameter: the first byte that is written and the one behind the last,
/// of each store, `16 20 36 40`.
static constexpr char ChangedNote[] = "cuda-lint.changed";

namespace {
/// Bytes of a parameter.
using ByteRange = std::pair<std::int64_t, std::int64_t>;

/// What is done with a parameter, by way of pointers into it.
class ParameterWrites {
public:
  explicit ParameterWrites(const Argument &Object)
      : Layout(Object.getParent()->getParent()->getDataLayout()) {
    follow(Object, 0);
  }

  std::vector<ByteRange> Ranges;

private:
  const DataLayout &Layout;

  void follow(const Value &Pointer, std::optional<std::int64_t> Offset);
  void add(std::optional<std::int64_t> Offset, std::uint64_t Bytes);
  void addAll() {
    Ranges.emplace_back(std::numeric_limits<std::int64_t>::min(),
                        std::numeric_limits<std::int64_t>::max());
  }
};
} // namespace

void ParameterWrites::add(std::optional<std::int64_t> Offset,
                          std::uint64_t Bytes) {
  if (Offset)
    Ranges.emplace_back(*Offset, *Offset + static_cast<std::int64_t>(Bytes));
  else
    addAll();
}

/// \p Pointer is \p Offset bytes behind the beginning; empty: somewhere.
void ParameterWrites::follow(const Value &Pointer,
                             std::optional<std::int64_t> Offset) {
  for (const User *U : Pointer.users()) {
    if (const auto *Element = dyn_cast<GEPOperator>(U)) {
      APInt Bytes(Layout.getIndexTypeSizeInBits(Element->getType()), 0);
      const bool IsKnown =
          Offset && Element->accumulateConstantOffset(Layout, Bytes);
      follow(*U, IsKnown ? std::optional(*Offset + Bytes.getSExtValue())
                         : std::nullopt);
    } else if (isa<BitCastOperator, AddrSpaceCastOperator>(U)) {
      follow(*U, Offset);
    } else if (const auto *Store = dyn_cast<StoreInst>(U)) {
      if (Store->getValueOperand() == &Pointer)
        addAll();
      else
        add(Offset, Layout.getTypeStoreSize(Store->getValueOperand()->getType())
                        .getFixedValue());
    } else if (const auto *Copy = dyn_cast<MemTransferInst>(U)) {
      const auto *Bytes = dyn_cast<ConstantInt>(Copy->getLength());
      if (Copy->getRawDest() == &Pointer)
        add(Bytes ? Offset : std::nullopt, Bytes ? Bytes->getZExtValue() : 0);
    } else if (const auto *Call = dyn_cast<CallInst>(U)) {
      // Those of the analysis itself mark what is accessed.
      if (!Call->onlyReadsMemory(static_cast<unsigned>(
              find(Call->args(), &Pointer) - Call->arg_begin())))
        addAll();
    } else if (!isa<LoadInst>(U)) {
      addAll();
    }
  }
}

void noteChangedParameters(Function &Kernel) {
  for (Argument &Object : Kernel.args()) {
    if (!Object.hasByValAttr())
      continue;
    const ParameterWrites Writes(Object);
    if (Writes.Ranges.empty())
      continue;
    std::string Note;
    for (const auto &[First, End] : Writes.Ranges)
      Note += std::to_string(First) + " " + std::to_string(End) + " ";
    Object.addAttr(Attribute::get(Kernel.getContext(), ChangedNote, Note));
  }
}

/// The ranges of such a note.
static std::vector<ByteRange> rangesOf(StringRef Note) {
  std::vector<ByteRange> Result;
  while (!(Note = Note.ltrim()).empty()) {
    ByteRange Each;
    if (Note.consumeInteger(10, Each.first) ||
        (Note = Note.ltrim()).consumeInteger(10, Each.second))
      break;
    Result.push_back(Each);
  }
  return Result;
}

GivenFields::GivenFields(const Function &Kernel,
                         std::span<const PassedField> Known) {
  const AttributeList All = Kernel.getAttributes();
  for (const Argument &Object : Kernel.args()) {
    const unsigned Position = Object.getArgNo();
    if (!Object.hasByValAttr())
      continue;
    if (All.hasParamAttr(Position, ChangedNote))
      Changed[&Object] =
          rangesOf(All.getParamAttr(Position, ChangedNote).getValueAsString());
    for (const PassedField &Each : Known) {
      const auto Offset = static_cast<std::int64_t>(Each.Offset);
      if (Each.Position == Position && !isChanged(&Object, Offset, Each.Bits))
        Values[{&Object, Offset, Each.Bits}] = Each.Value;
    }
  }
}

bool GivenFields::isChanged(const Value *Object,
                            std::optional<std::int64_t> Offset,
                            unsigned Bits) const {
  const auto Its = Changed.find(Object);
  return Its != Changed.end() &&
         any_of(Its->second, [&](const ByteRange &Each) {
           return !Offset || (Each.first < *Offset + (Bits + 7) / 8 &&
                              *Offset < Each.second);
         });
}

std::optional<std::int64_t> GivenFields::find(const Value *Object,
                                              std::int64_t Offset,
                                              unsigned Bits) const {
  const auto Its = Values.find({Object, Offset, Bits});
  return Its == Values.end() ? std::nullopt : std::optional(Its->second);
}

} // namespace cudalint
