//===- analyzer/ir/UnseenCode.cpp - What is not evaluated -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/UnseenCode.h"

#include "analyzer/ir/AccessPlace.h"
#include "analyzer/ir/InlinePtx.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

using namespace llvm;

namespace cudalint {

/// What the CUDA runtime brings along on the device. None of it reads or
/// writes the arrays of a kernel.
static bool isRuntimeFunction(StringRef Name) {
  static constexpr StringRef Names[] = {"vprintf", "printf", "malloc", "free",
                                        "abort"};
  return is_contained(Names, Name) || Name.starts_with("__") ||
         Name.starts_with("cuda");
}

/// `F` and the functions of this module that it leads to by name.
static SmallPtrSet<const Function *, 16> reachableFrom(const Function &F) {
  SmallPtrSet<const Function *, 16> Seen = {&F};
  SmallVector<const Function *> Pending = {&F};
  while (!Pending.empty())
    for (const Instruction &I : instructions(*Pending.pop_back_val())) {
      auto *Call = dyn_cast<CallInst>(&I);
      const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (Callee && !Callee->isDeclaration() && Seen.insert(Callee).second)
        Pending.push_back(Callee);
    }
  return Seen;
}

static bool callsItself(const Function &F) {
  return any_of(reachableFrom(F), [&](const Function *Each) {
    return any_of(instructions(*Each), [&](const Instruction &I) {
      auto *Call = dyn_cast<CallInst>(&I);
      return Call && Call->getCalledFunction() == &F;
    });
  });
}

/// True for a load or store of the function's own variables, too.
static bool staysInside(const Instruction &I) {
  if (!I.mayReadOrWriteMemory() || isa<DbgInfoIntrinsic>(I) ||
      I.isLifetimeStartOrEnd())
    return true;
  if (auto *Call = dyn_cast<CallInst>(&I)) {
    const Function *Callee = Call->getCalledFunction();
    return Callee && (!Callee->isDeclaration() ||
                      isRuntimeFunction(demangle(Callee->getName())) ||
                      Callee->getIntrinsicID() == Intrinsic::assume);
  }
  const Value *Pointer = getLoadStorePointerOperand(&I);
  return Pointer && isa<AllocaInst>(getUnderlyingObject(Pointer));
}

static bool onlyComputes(const Function &F) {
  return all_of(reachableFrom(F), [](const Function *Each) {
    return all_of(instructions(*Each), staysInside);
  });
}

/// Clang names the slot of a virtual function table so.
static bool isVirtual(const CallInst &Call) {
  auto *Target = dyn_cast<LoadInst>(Call.getCalledOperand());
  if (!Target)
    return false;
  const Value *Slot = Target->getPointerOperand();
  return Slot->getName().starts_with("vfn") ||
         Slot->getName().starts_with("vtable");
}

/// Intrinsics that touch memory and that the evaluator runs.
static bool isEvaluated(const IntrinsicInst &I) {
  StringRef Name = I.getCalledFunction()->getName();
  return I.getIntrinsicID() == Intrinsic::masked_load ||
         I.getIntrinsicID() == Intrinsic::masked_store ||
         Name.starts_with("llvm.nvvm.cp.async.ca.shared.global.") ||
         Name.starts_with("llvm.nvvm.cp.async.cg.shared.global.");
}

/// `wmma.load.a` of llvm.nvvm.wmma.m16n16k16.load.a.row.f16.p0; empty for an
/// intrinsic that touches no memory, or none of the kernel's arrays.
static std::string memoryIntrinsic(const IntrinsicInst &I) {
  if (isEvaluated(I) || !I.mayReadOrWriteMemory())
    return {};
  StringRef Name = I.getCalledFunction()->getName();
  if (I.getIntrinsicID() == Intrinsic::memcpy ||
      I.getIntrinsicID() == Intrinsic::memmove)
    return "a copy of many bytes";
  if (I.getIntrinsicID() == Intrinsic::memset)
    return "memset";
  if (!Name.consume_front("llvm.nvvm."))
    return {};
  if (Name.consume_front("wmma.")) {
    const StringRef Operation = Name.split('.').second;
    return Operation.starts_with("load")    ? "wmma.load"
           : Operation.starts_with("store") ? "wmma.store"
                                            : "";
  }
  for (StringRef Known : {"ldmatrix", "stmatrix", "cp.async.bulk", "ldu", "ldg",
                          "atomic", "tex", "tld4", "suld", "sust"})
    if (Name.starts_with(Known))
      return Known.str();
  return {};
}

/// The first instruction of a template that touches memory and that the
/// evaluator does not run: `ld.global.b32`; empty if there is none.
static std::string memoryPtx(const InlineAsm &Asm) {
  StringRef Rest = Asm.getAsmString();
  // The size of a copy may be an operand, of which any will do here.
  if (!parseInlinePtx(Rest.str(), 16).empty())
    return {};
  while (!Rest.empty()) {
    auto [Statement, After] = Rest.split(';');
    Rest = After;
    Statement = Statement.ltrim(" \t\r\n{");
    const StringRef Word = Statement.take_until(
        [](char C) { return StringRef(" \t\r\n").contains(C); });
    const StringRef Name = Word.split('.').first;
    static constexpr StringRef Names[] = {"ld",   "ldu",      "st",  "red",
                                          "atom", "ldmatrix", "tex", "stmatrix",
                                          "suld", "sust",     "wmma"};
    const bool Touches =
        is_contained(Names, Name) || Word.starts_with("cp.async.ca") ||
        Word.starts_with("cp.async.cg") || Word.starts_with("cp.async.bulk.te");
    if (Touches && !Word.contains(".param") && !Word.contains(".mma."))
      return Word.str();
  }
  return {};
}

static std::string nameOf(const Function &F) {
  return demangle(F.getName().str());
}

/// Whether `Call` is of a kind to tell of; fills in what and whom it calls.
static bool isUnseen(const CallInst &Call, UnseenCode &Out) {
  using enum UnseenCode::Kind;
  if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call)) {
    Out.What = Instruction;
    Out.Name = memoryIntrinsic(*Intrinsic);
    return !Out.Name.empty();
  }
  if (auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand())) {
    Out.What = Instruction;
    Out.Name = memoryPtx(*Asm);
    return !Out.Name.empty();
  }
  const Function *F = Call.getCalledFunction();
  if (!F) {
    Out.What = isVirtual(Call) ? Virtual : Pointer;
    return true;
  }
  Out.Name = nameOf(*F);
  if (F->isDeclaration()) {
    Out.What = Elsewhere;
    return !isRuntimeFunction(Out.Name);
  }
  const bool Computes = onlyComputes(*F);
  // What the toolkit computes by recursion is its own business.
  const DISubprogram *Written = F->getSubprogram();
  if (Computes && Written && isSystemHeader(Written->getFilename()))
    return false;
  Out.What = !callsItself(*F) ? NotInlined : Computes ? Computation : Recursion;
  return true;
}

std::vector<UnseenCode> unseenCodeOf(const Function &Kernel,
                                     const SourceFacts &Facts) {
  std::map<std::pair<UnseenCode::Kind, std::string>, UnseenCode> Found;
  for (const llvm::Instruction &I : instructions(Kernel)) {
    auto *Call = dyn_cast<CallInst>(&I);
    UnseenCode Code;
    if (!Call || !isUnseen(*Call, Code))
      continue;
    Access Place;
    locate(Place, I, Facts);
    Code.Where = std::move(Place.UserWhere);
    auto [It, New] = Found.try_emplace({Code.What, Code.Name}, Code);
    if (New)
      continue;
    ++It->second.Alike;
    It->second.Where = std::min(It->second.Where, Code.Where);
  }
  std::vector<UnseenCode> Result;
  for (auto &Each : Found)
    Result.push_back(std::move(Each.second));
  std::ranges::stable_sort(Result, {}, &UnseenCode::Where);
  return Result;
}

std::string describe(const UnseenCode &Code, const std::string &Kernel,
                     unsigned MoreKernels) {
  using enum UnseenCode::Kind;
  std::string Text = fmt::format("kernel '{}' ", Kernel);
  if (MoreKernels)
    Text += fmt::format("and {} more: it ", MoreKernels);
  std::string More = Code.Alike
                         ? fmt::format(", here and in {} more place{}",
                                       Code.Alike, Code.Alike == 1 ? "" : "s")
                         : std::string();
  switch (Code.What) {
  case Recursion:
    return Text + fmt::format("calls '{}'{}, which calls itself: what it reads "
                              "and writes is not evaluated; a loop would be",
                              Code.Name, More);
  case Computation:
    return Text + fmt::format("calls '{}'{}, which calls itself: its result "
                              "is not known; that of a loop would be",
                              Code.Name, More);
  case NotInlined:
    return Text + fmt::format("calls '{}'{}, which could not be inlined: what "
                              "it reads and writes is not evaluated",
                              Code.Name, More);
  case Elsewhere:
    return Text + fmt::format("calls '{}'{}, whose body is not in this file or "
                              "its headers: what it reads and writes is not "
                              "evaluated; define it in a header",
                              Code.Name, More);
  case Pointer:
    return Text + fmt::format("calls a function through a pointer{}: what it "
                              "reads and writes is not evaluated; a template "
                              "argument or a switch of calls would be",
                              More);
  case Virtual:
    return Text + fmt::format("calls a virtual function{}: what it reads and "
                              "writes is not evaluated; a template argument or "
                              "a switch of calls would be",
                              More);
  case Instruction:
    return Text + fmt::format("uses {}{}: what it reads and writes is not "
                              "evaluated",
                              Code.Name, More);
  }
  return Text;
}

} // namespace cudalint
