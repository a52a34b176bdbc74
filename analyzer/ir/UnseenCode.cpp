//===- analyzer/ir/UnseenCode.cpp - What is not evaluated -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/UnseenCode.h"

#include "analyzer/ir/AccessMarkers.h"
#include "analyzer/ir/AccessPlace.h"
#include "analyzer/ir/InlinePtx.h"
#include "analyzer/ir/MatrixParts.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
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
/// writes the arrays of a kernel. All of it has C linkage, which a function of
/// the user of a like name seldom has: the mangled name of that starts with _Z.
static bool isRuntimeFunction(const Function &F) {
  static constexpr StringRef Names[] = {"vprintf", "printf", "malloc", "free",
                                        "abort"};
  const StringRef Name = F.getName();
  return is_contained(Names, Name) || Name.starts_with("__") ||
         Name.starts_with("cuda");
}

using FunctionSet = SmallPtrSet<const Function *, 16>;

/// `F` and the functions of this module that it leads to by name.
static FunctionSet reachableFrom(const Function &F) {
  FunctionSet Seen = {&F};
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

static bool callsItself(const Function &F, const FunctionSet &Reachable) {
  return any_of(Reachable, [&](const Function *Each) {
    return any_of(instructions(*Each), [&](const Instruction &I) {
      auto *Call = dyn_cast<CallInst>(&I);
      return Call && Call->getCalledFunction() == &F;
    });
  });
}

/// True for a load or store of the function's own variables, too.
static bool staysInside(const Instruction &I) {
  if (markedAccess(I))
    return false;
  if (!I.mayReadOrWriteMemory() || isa<DbgInfoIntrinsic>(I) ||
      I.isLifetimeStartOrEnd())
    return true;
  if (auto *Call = dyn_cast<CallInst>(&I)) {
    const Function *Callee = Call->getCalledFunction();
    return Callee && (!Callee->isDeclaration() || isRuntimeFunction(*Callee) ||
                      Callee->getIntrinsicID() == Intrinsic::assume);
  }
  const Value *Pointer = getLoadStorePointerOperand(&I);
  return Pointer && isa<AllocaInst>(getUnderlyingObject(Pointer));
}

static bool allStayInside(const FunctionSet &Reachable) {
  return all_of(Reachable, [](const Function *Each) {
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
  return Name.starts_with("llvm.nvvm.cp.async.ca.shared.global.") ||
         Name.starts_with("llvm.nvvm.cp.async.cg.shared.global.") ||
         !matrixPartsOf(I).empty();
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
  // `float sums[4][4] = {};` is in registers, or in local memory.
  if (I.getIntrinsicID() == Intrinsic::memset)
    return isa<AllocaInst>(getUnderlyingObject(I.getArgOperand(0))) ? ""
                                                                    : "memset";
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

/// A template without what stands between `/*` and `*/`, or behind `//`.
static std::string withoutComments(StringRef Template) {
  std::string Result;
  while (!Template.empty()) {
    std::size_t Length = 0;
    if (Template.starts_with("//")) {
      Length = Template.find('\n');
    } else if (Template.starts_with("/*")) {
      Length = Template.find("*/", 2);
      Length += Length == StringRef::npos ? 0 : 2;
      Result += ' ';
    } else {
      Result += Template.front();
      Length = 1;
    }
    Template = Template.drop_front(std::min(Length, Template.size()));
  }
  return Result;
}

static bool isWordOfPtx(char C) {
  return isAlnum(C) || StringRef("_$%").contains(C);
}

/// `ld.global` of `{ again: @!p ld.global r, [a]`: without brackets, labels
/// and predicates.
static StringRef mnemonicOf(StringRef Statement) {
  static constexpr StringRef Space = " \t\r\n{}";
  while (true) {
    Statement = Statement.ltrim(Space);
    if (Statement.consume_front("@")) {
      Statement = Statement.ltrim(Space);
      Statement.consume_front("!");
      Statement = Statement.ltrim(Space).drop_while(isWordOfPtx);
      continue;
    }
    StringRef Rest = Statement.drop_while(isWordOfPtx);
    // A number that differs from one inlined copy to the next: `L${:uid}:`.
    Rest.consume_front("{:uid}");
    Rest = Rest.drop_while(isWordOfPtx).ltrim(" \t\r\n");
    if (!Rest.consume_front(":"))
      break;
    Statement = Rest;
  }
  return Statement.take_while(
      [](char C) { return isWordOfPtx(C) || C == '.' || C == ':'; });
}

/// What reads or writes memory, whether the evaluator runs it or not. Groups
/// of copies, barriers and requests to the cache do not.
static bool touchesMemory(StringRef Mnemonic) {
  static constexpr StringRef Names[] = {
      "ld",  "ldu",  "st",   "red",  "atom",  "ldmatrix", "stmatrix",
      "tex", "tld4", "suld", "sust", "sured", "multimem"};
  if (is_contained(Names, Mnemonic.split('.').first))
    return !Mnemonic.contains(".param");
  static constexpr StringRef NotCopies[] = {"commit_group", "wait_group",
                                            "prefetch"};
  auto StartsIn = [&](ArrayRef<StringRef> Starts) {
    return any_of(Starts, [&](StringRef S) { return Mnemonic.starts_with(S); });
  };
  if (Mnemonic.consume_front("cp.async.bulk."))
    return !StartsIn(NotCopies);
  static constexpr StringRef Starts[] = {
      "cp.async.ca.", "cp.async.cg.", "cp.reduce.async.bulk.",
      "wmma.load.",   "wmma.store.",  "wgmma.mma_async.",
      "tcgen05.ld.",  "tcgen05.st.",  "tcgen05.cp.",
      "tcgen05.mma."};
  return StartsIn(Starts);
}

/// The first instruction of a template that touches memory and that the
/// evaluator does not run: `ld.global.b32`; empty if there is none.
static std::string memoryPtx(const InlineAsm &Asm) {
  const std::string Template = Asm.getAsmString().str();
  // The size of a copy may be an operand, of which any will do here.
  if (!parseInlinePtx(Template, [](unsigned) { return 16u; }).empty())
    return {};
  const std::string Code = withoutComments(Template);
  for (StringRef Statement : split(Code, ';')) {
    const StringRef Mnemonic = mnemonicOf(Statement);
    if (touchesMemory(Mnemonic))
      return Mnemonic.str();
  }
  return {};
}

/// What a call of `F` is to be told as; empty where there is nothing to tell.
static std::optional<UnseenCode> unseenCall(const Function &F,
                                            const SourceFacts &Facts) {
  using enum UnseenCode::Kind;
  UnseenCode Result;
  Result.Name = demangle(F.getName().str());
  if (F.isDeclaration()) {
    Result.What = Elsewhere;
    if (isRuntimeFunction(F))
      return std::nullopt;
    return Result;
  }
  const FunctionSet Reachable = reachableFrom(F);
  const bool Computes = allStayInside(Reachable);
  // What the toolkit computes by recursion is its own business.
  const DISubprogram *Written = F.getSubprogram();
  if (Computes && Written && Facts.isSystem(Written->getFilename().str()))
    return std::nullopt;
  Result.What = !callsItself(F, Reachable) ? NotInlined
                : Computes                 ? Computation
                                           : Recursion;
  return Result;
}

namespace {
/// What there is to tell of each function: all that it leads to is read for
/// that, which is too much to do for each of its calls.
class Callees {
public:
  explicit Callees(const SourceFacts &Facts) : Facts(Facts) {}

  const std::optional<UnseenCode> &operator[](const Function &F) {
    auto [It, New] = Known.try_emplace(&F);
    if (New)
      It->second = unseenCall(F, Facts);
    return It->second;
  }

private:
  const SourceFacts &Facts;
  std::map<const Function *, std::optional<UnseenCode>> Known;
};
} // namespace

/// Whether `Call` is of a kind to tell of; fills in what and whom it calls.
static bool isUnseen(const CallInst &Call, Callees &Called, UnseenCode &Out) {
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
  const std::optional<UnseenCode> &Known = Called[*F];
  if (Known)
    Out = *Known;
  return Known.has_value();
}

std::vector<UnseenCode> unseenCodeOf(const Function &Kernel,
                                     const SourceFacts &Facts) {
  std::map<std::pair<UnseenCode::Kind, std::string>, UnseenCode> Found;
  Callees Called(Facts);
  for (const llvm::Instruction &I : instructions(Kernel)) {
    auto *Call = dyn_cast<CallInst>(&I);
    UnseenCode Code;
    if (!Call || !isUnseen(*Call, Called, Code))
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
    Text += fmt::format("and {} more ", MoreKernels);
  Text += Code.What == Instruction ? "use" : "call";
  Text += MoreKernels ? " " : "s ";
  std::string More = Code.Alike
                         ? fmt::format(", here and in {} more place{}",
                                       Code.Alike, Code.Alike == 1 ? "" : "s")
                         : std::string();
  switch (Code.What) {
  case Recursion:
    return Text + fmt::format("'{}'{}, which calls itself: what it reads "
                              "and writes is not evaluated; a loop would be",
                              Code.Name, More);
  case Computation:
    return Text + fmt::format("'{}'{}, which calls itself: its result "
                              "is not known; that of a loop would be",
                              Code.Name, More);
  case NotInlined:
    return Text + fmt::format("'{}'{}, which could not be inlined: what "
                              "it reads and writes is not evaluated",
                              Code.Name, More);
  case Elsewhere:
    return Text + fmt::format("'{}'{}, whose body is not in this file or "
                              "its headers: what it reads and writes is not "
                              "evaluated; define it in a header",
                              Code.Name, More);
  case Pointer:
    return Text + fmt::format("a function through a pointer{}: what it "
                              "reads and writes is not evaluated; a template "
                              "argument or a switch of calls would be",
                              More);
  case Virtual:
    return Text + fmt::format("a virtual function{}: what it reads and "
                              "writes is not evaluated; a template argument or "
                              "a switch of calls would be",
                              More);
  case Instruction:
    return Text + fmt::format("{}{}: what it reads and writes is not "
                              "evaluated",
                              Code.Name, More);
  }
  return Text;
}

} // namespace cudalint
