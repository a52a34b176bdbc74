//===- analyzer/ir/LibraryStack.cpp - Stack of CUDA's functions -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/LibraryStack.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <algorithm>

using namespace llvm;

namespace cudalint {

// Large angles are reduced with a table that a variable indexes: 7 words of 4
// bytes, 5 of 8, once for a kernel however many calls there are. Found by
// compiling a kernel for each function of the CUDA math API (nvcc 13.0,
// -Xptxas -v): these have a stack frame, the others have none.
static constexpr std::uint64_t FloatReduction = 7 * 4;
static constexpr std::uint64_t DoubleReduction = 5 * 8;
static constexpr StringLiteral FloatFunctions[] = {
    "sinf", "cosf", "tanf", "sincosf", "j0f",
    "j1f",  "jnf",  "y0f",  "y1f",     "ynf"};
static constexpr StringLiteral DoubleFunctions[] = {
    "sin", "cos", "tan", "sincos", "j0", "j1", "jn", "y0", "y1", "yn"};

/// The arguments of a printf, as the compiler lays them down.
static std::uint64_t printfBytes(const CallInst &Call) {
  if (Call.arg_size() != 2)
    return 0;
  auto *Buffer =
      dyn_cast<AllocaInst>(Call.getArgOperand(1)->stripPointerCasts());
  if (!Buffer)
    return 0;
  std::optional<TypeSize> Size =
      Buffer->getAllocationSize(Call.getModule()->getDataLayout());
  return Size && !Size->isScalable() ? Size->getFixedValue() : 0;
}

LibraryStack libraryStackOf(const Function &Kernel) {
  std::uint64_t Float = 0, Double = 0, Printf = 0;
  for (const Instruction &I : instructions(Kernel)) {
    auto *Call = dyn_cast<CallInst>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee || !Callee->isDeclaration())
      continue;
    StringRef Name = Callee->getName();
    if (Name == "vprintf") {
      Printf = std::max(Printf, printfBytes(*Call));
      continue;
    }
    Name.consume_front("__nv_");
    if (is_contained(FloatFunctions, Name))
      Float = FloatReduction;
    else if (is_contained(DoubleFunctions, Name))
      Double = DoubleReduction;
  }
  return {.Most = Float + Double + Printf,
          .Least = std::max({Float, Double, Printf})};
}

} // namespace cudalint
