//===- tests/differential/RandomKernel.cpp - Draws kernels ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomKernel.h"

#include "RandomExpression.h"
#include "analyzer/ir/AccessMarkers.h"

#include "llvm/IR/Verifier.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace cudalint::differential {

/// Value of the stores that mark the turns of loop 0; loop 1 has the next.
static constexpr std::uint64_t FirstMark = 0x4d41524b;

std::uint64_t Random::next() {
  std::uint64_t Z = State += 0x9e3779b97f4a7c15;
  Z = (Z ^ (Z >> 30)) * 0xbf58476d1ce4e5b9;
  Z = (Z ^ (Z >> 27)) * 0x94d049bb133111eb;
  return Z ^ (Z >> 31);
}

std::optional<unsigned> markedLoop(const Instruction &I) {
  const std::optional<MarkedAccess> Access = markedAccess(I);
  if (!Access || !Access->Volatile || Access->Op != AccessOp::Store)
    return std::nullopt;
  // The store stands behind the marker of its access.
  const Instruction *Next = &I;
  while (Next && !isa<StoreInst>(Next))
    Next = Next->getNextNode();
  auto *Store = dyn_cast_or_null<StoreInst>(Next);
  if (!Store || !Store->isVolatile())
    return std::nullopt;
  auto *Mark = dyn_cast<ConstantInt>(Store->getValueOperand());
  if (!Mark || Mark->getZExtValue() < FirstMark ||
      Mark->getZExtValue() >= FirstMark + MaxLoops)
    return std::nullopt;
  return static_cast<unsigned>(Mark->getZExtValue() - FirstMark);
}

namespace {

class KernelBuilder {
public:
  KernelBuilder(LLVMContext &Context, std::uint64_t Seed)
      : R(Seed), B(Context), E(R, B) {}
  RandomKernel build();

private:
  Random R;
  IRBuilder<> B;
  RandomExpression E;
  RandomKernel Kernel;
  Value *Out = nullptr, *Mark = nullptr;
  GlobalVariable *Shared = nullptr, *Tile = nullptr;
  BasicBlock *Return = nullptr;
  AllocaInst *Private = nullptr;
  unsigned Loops = 0;
  unsigned Budget = 0; ///< Statements that may still be drawn.
  bool AllowLoaded = false;

  /// The loop around what is being drawn, or null.
  struct Enclosing {
    BasicBlock *Exit;
    Enclosing *Outer;
  } *Loop = nullptr;

  void declare();
  BasicBlock *block(const char *Name) {
    return BasicBlock::Create(B.getContext(), Name, Kernel.F);
  }
  void statements(unsigned Depth);
  void statement(unsigned Depth);
  Value *pointer(Type *&Element);
  void access();
  void privateAccess();
  void branch(unsigned Depth);
  void leave(BasicBlock *To);
  void loop(unsigned Depth);
  void switchOver(unsigned Depth);
};

} // namespace

void KernelBuilder::declare() {
  LLVMContext &C = B.getContext();
  Kernel.M = std::make_unique<Module>("kernel", C);
  Kernel.M->setTargetTriple(Triple("nvptx64-nvidia-cuda"));
  Kernel.M->setDataLayout("e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-"
                          "n16:32:64");
  std::vector<Type *> Types = {B.getPtrTy(), B.getPtrTy(), B.getInt32Ty(),
                               B.getInt32Ty()};
  unsigned Extra = static_cast<unsigned>(R.below(3));
  for (unsigned I = 0; I < Extra; ++I)
    Types.push_back(B.getIntNTy(R.pick({8u, 16u, 32u, 64u, 64u})));
  Kernel.F =
      Function::Create(FunctionType::get(B.getVoidTy(), Types, false),
                       GlobalValue::ExternalLinkage, "kernel", *Kernel.M);
  Kernel.F->setCallingConv(CallingConv::PTX_Kernel);
  auto MakeShared = [&](Type *T, const char *Name) {
    return new GlobalVariable(*Kernel.M, T, false, GlobalValue::InternalLinkage,
                              UndefValue::get(T), Name, nullptr,
                              GlobalValue::NotThreadLocal, 3);
  };
  Shared = MakeShared(ArrayType::get(B.getInt8Ty(), 4096), "shared");
  Shared->setAlignment(Align(R.pick({4, 16})));
  Tile = MakeShared(ArrayType::get(ArrayType::get(B.getInt32Ty(), 33), 32),
                    "tile");
  Tile->setAlignment(Align(4));
  for (Argument &A : Kernel.F->args())
    A.setName("p" + std::to_string(A.getArgNo()));
  Out = Kernel.F->getArg(0);
  Mark = Kernel.F->getArg(1);
}

RandomKernel KernelBuilder::build() {
  declare();
  unsigned Shape = static_cast<unsigned>(R.below(10));
  auto Size = [&](unsigned Max) {
    return static_cast<std::int64_t>(
        R.chance(60) ? std::int64_t(1) << R.below(Log2_32(Max) + 1)
                     : 1 + R.below(Max));
  };
  if (Shape < 5)
    Kernel.Block = {R.chance(70) ? R.pick<std::int64_t>({32, 64, 128, 256})
                                 : Size(512),
                    1, 1};
  else if (Shape < 8)
    Kernel.Block = {Size(32), Size(16), 1};
  else
    Kernel.Block = {Size(16), Size(8), Size(8)};

  BasicBlock *Entry = block("entry");
  Return = block("return");
  B.SetInsertPoint(Return);
  B.CreateRetVoid();
  B.SetInsertPoint(Entry);
  if (R.chance(15)) {
    Private = B.CreateAlloca(ArrayType::get(B.getInt32Ty(), 8));
    Private->setName("private");
  }
  E.seed(*Kernel.F);
  if (Private)
    for (unsigned I = 0; I < 8; ++I) {
      Value *V = E.value(32, 1);
      B.CreateStore(
          V, B.CreateConstGEP2_32(Private->getAllocatedType(), Private, 0, I));
    }
  AllowLoaded = R.chance(15);
  Budget = static_cast<unsigned>(4 + R.below(10));
  statements(0);
  access(); // whatever happened, somebody gets here
  B.CreateBr(Return);
  std::string Why;
  raw_string_ostream Stream(Why);
  if (verifyFunction(*Kernel.F, &Stream))
    report_fatal_error(Twine("drew a kernel that is not valid: ") + Why);
  Kernel.UsesLoaded |= E.HasFractions;
  return std::move(Kernel);
}

void KernelBuilder::statements(unsigned Depth) {
  unsigned Count = static_cast<unsigned>(1 + R.below(Depth ? 3 : 6));
  while (Count-- && Budget) {
    --Budget;
    statement(Depth);
  }
}

void KernelBuilder::statement(unsigned Depth) {
  unsigned Kind = static_cast<unsigned>(R.below(100));
  if (Kind < 40 || Depth > 3)
    access();
  else if (Kind < 52)
    E.keep(E.value(R.pick({8u, 16u, 32u, 32u, 32u, 64u, 64u}),
                   static_cast<unsigned>(1 + R.below(3))));
  else if (Kind < 68)
    branch(Depth);
  else if (Kind < 86)
    loop(Depth);
  else if (Kind < 90)
    switchOver(Depth);
  else if (Kind < 93)
    leave(Return);
  else if (Kind < 97 && Loop)
    leave(Loop->Exit);
  else if (Private)
    privateAccess();
  else
    access();
}

/// The address of a random element of a random array.
Value *KernelBuilder::pointer(Type *&Element) {
  unsigned Depth = static_cast<unsigned>(R.below(4));
  auto Index = [&] {
    return E.value(R.pick({32u, 32u, 32u, 64u, 64u, 16u}), Depth);
  };
  GEPNoWrapFlags Flags =
      R.chance(30) ? GEPNoWrapFlags::inBounds() : GEPNoWrapFlags::none();
  if (R.chance(15)) {
    Element = B.getInt32Ty();
    return B.CreateGEP(Tile->getValueType(), Tile,
                       {B.getInt32(0), Index(), Index()}, "", Flags);
  }
  Value *Base = R.chance(70) ? Out : Shared;
  if (Base == Shared && R.chance(50))
    Base = ConstantExpr::getAddrSpaceCast(Shared, B.getPtrTy());
  Element = B.getIntNTy(R.pick({8u, 16u, 32u, 32u, 32u, 64u}));
  switch (R.below(10)) {
  case 0: {
    StructType *S = StructType::get(
        B.getContext(), {B.getInt32Ty(), B.getInt16Ty(), B.getInt64Ty()});
    unsigned Field = static_cast<unsigned>(R.below(3));
    Element = S->getElementType(Field);
    return B.CreateGEP(S, Base, {Index(), B.getInt32(Field)}, "", Flags);
  }
  case 1:
    return B.CreateGEP(ArrayType::get(Element, 17), Base, {Index(), Index()},
                       "", Flags);
  case 2:
    return B.CreateGEP(B.getInt8Ty(), Base, Index(), "", Flags);
  case 3: // a pointer that was advanced
    Base = B.CreateGEP(Element, Base, Index(), "", Flags);
    [[fallthrough]];
  default:
    return B.CreateGEP(Element, Base, Index(), "", Flags);
  }
}

void KernelBuilder::access() {
  Type *Element = nullptr;
  Value *P = pointer(Element);
  unsigned Bits = Element->getIntegerBitWidth();
  if (R.chance(50)) {
    Value *V = B.CreateLoad(Element, P);
    if (AllowLoaded && R.chance(50)) {
      E.keep(V);
      Kernel.UsesLoaded = true;
    } else {
      // Used, so that it stays.
      B.CreateStore(V, B.CreateConstGEP1_32(B.getInt64Ty(), P, 1));
    }
  } else if (Bits >= 32 && R.chance(10)) {
    B.CreateAtomicRMW(AtomicRMWInst::Add, P, ConstantInt::get(Element, 1),
                      MaybeAlign(), AtomicOrdering::Monotonic);
  } else {
    B.CreateStore(R.chance(50) ? E.value(Bits, 0)
                               : ConstantInt::get(Element, R.below(99)),
                  P);
  }
}

void KernelBuilder::privateAccess() {
  auto Slot = [&] {
    Value *Index = R.chance(60) ? B.getInt32(static_cast<unsigned>(R.below(8)))
                                : B.CreateAnd(E.value(32, 1), 7);
    return B.CreateGEP(Private->getAllocatedType(), Private,
                       {B.getInt32(0), Index});
  };
  if (R.chance(50)) {
    Value *V = E.value(32, 1);
    B.CreateStore(V, Slot());
  }
  E.keep(B.CreateLoad(B.getInt32Ty(), Slot()));
}

void KernelBuilder::branch(unsigned Depth) {
  BasicBlock *Then = block("then"), *Join = block("join");
  bool HasElse = R.chance(40);
  BasicBlock *Else = HasElse ? block("else") : nullptr;
  BasicBlock *From = B.GetInsertBlock();
  unsigned Bits = R.pick({32u, 32u, 64u, 16u});
  Value *Before = E.value(Bits, 1);
  B.CreateCondBr(E.condition(), Then, HasElse ? Else : Join);

  auto Arm = [&](BasicBlock *Start) {
    B.SetInsertPoint(Start);
    auto Scope = E.enter();
    statements(Depth + 1);
    Value *V = E.value(Bits, 1);
    E.leave(Scope);
    BasicBlock *End = B.GetInsertBlock();
    B.CreateBr(Join);
    return std::pair(V, End);
  };
  auto [A, EndA] = Arm(Then);
  auto [C, EndC] = HasElse ? Arm(Else) : std::pair(Before, From);
  B.SetInsertPoint(Join);
  if (R.chance(60)) {
    PHINode *Phi = B.CreatePHI(B.getIntNTy(Bits), 2);
    Phi->addIncoming(A, EndA);
    Phi->addIncoming(C, EndC);
    E.keep(Phi);
  }
}

/// `if (condition) goto To`.
void KernelBuilder::leave(BasicBlock *To) {
  BasicBlock *Stay = block("stay");
  B.CreateCondBr(E.condition(), To, Stay);
  B.SetInsertPoint(Stay);
}

void KernelBuilder::switchOver(unsigned Depth) {
  Value *V = E.value(32, 1);
  if (R.chance(60))
    V = B.CreateAnd(V, 3);
  BasicBlock *Join = block("join"), *Default = block("default");
  unsigned Cases = static_cast<unsigned>(1 + R.below(3));
  SwitchInst *Switch = B.CreateSwitch(V, Default, Cases);
  for (unsigned I = 0; I <= Cases; ++I) {
    BasicBlock *Start = I == Cases ? Default : block("case");
    if (I < Cases)
      Switch->addCase(B.getInt32(I), Start);
    B.SetInsertPoint(Start);
    auto Scope = E.enter();
    statements(Depth + 1);
    E.leave(Scope);
    B.CreateBr(Join);
  }
  B.SetInsertPoint(Join);
}

/// A counted loop: `for (i = Start; i < Bound; i += Step)` and its kin, with
/// the test at either end.
void KernelBuilder::loop(unsigned Depth) {
  if (Loops == MaxLoops || Depth > 2)
    return access();
  unsigned Id = Loops++;
  BasicBlock *Before = B.GetInsertBlock();
  unsigned Bits = R.pick({32u, 32u, 32u, 64u, 16u, 8u});
  Type *T = B.getIntNTy(Bits);
  auto Constant = [&](std::uint64_t V) { return ConstantInt::get(T, V); };
  LoopDraw D = E.loop(Bits);
  Value *StartAcc = E.value(32, 1);
  BasicBlock *Header = block("loop"), *Body = block("body"),
             *Exit = block("exit");
  B.CreateBr(Header);

  B.SetInsertPoint(Header);
  PHINode *Turns = B.CreatePHI(B.getInt64Ty(), 2, "turns");
  PHINode *I = B.CreatePHI(T, 2, "i");
  PHINode *Acc = R.chance(40) ? B.CreatePHI(B.getInt32Ty(), 2, "acc") : nullptr;
  B.CreateStore(B.getInt32(static_cast<unsigned>(FirstMark + Id)),
                B.CreateGEP(B.getInt64Ty(), Mark, Turns), /*isVolatile=*/true);
  bool TestFirst = R.chance(70);
  if (TestFirst)
    B.CreateCondBr(B.CreateICmp(D.Continue, I, D.Bound), Body, Exit);
  else
    B.CreateBr(Body);

  B.SetInsertPoint(Body);
  auto Scope = E.enter();
  E.keep(I), E.keep(I); // what a body computes with most
  if (Acc)
    E.keep(Acc);
  Enclosing Here{Exit, Loop};
  Loop = &Here;
  statements(Depth + 1);
  Loop = Here.Outer;
  Value *NextAcc = Acc ? E.value(32, 1) : nullptr;
  if (Acc && R.chance(60))
    NextAcc = B.CreateAdd(Acc, R.chance(50) ? NextAcc : B.getInt32(3));
  E.leave(Scope);
  Value *Next = nullptr;
  switch (D.Advance) {
  case Instruction::Add:
    Next = B.CreateAdd(I, D.Step, "", /*HasNUW=*/false, D.NoSignedWrap);
    break;
  case Instruction::Shl:
    Next = B.CreateShl(I, Constant(1));
    break;
  default:
    Next = B.CreateLShr(I, Constant(1));
    break;
  }
  Value *NextTurn = B.CreateAdd(Turns, B.getInt64(1), "", true, true);
  BasicBlock *Latch = B.GetInsertBlock();
  if (TestFirst)
    B.CreateBr(Header);
  else
    B.CreateCondBr(B.CreateICmp(D.Continue, Next, D.Bound), Header, Exit);
  Turns->addIncoming(B.getInt64(0), Before);
  Turns->addIncoming(NextTurn, Latch);
  I->addIncoming(D.Start, Before);
  I->addIncoming(Next, Latch);
  if (Acc) {
    Acc->addIncoming(StartAcc, Before);
    Acc->addIncoming(NextAcc, Latch);
  }
  B.SetInsertPoint(Exit);
  if (R.chance(50))
    E.keep(R.chance(50) || !Acc ? I : Acc);
}

RandomKernel drawKernel(LLVMContext &Context, std::uint64_t Seed) {
  return KernelBuilder(Context, Seed).build();
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

bool RandomLaunch::isKnown() const {
  for (bool K : ArgumentKnown)
    if (!K)
      return false;
  for (unsigned D = 0; D < 3; ++D)
    if (!GridKnown[D] || Grid[D] != 1)
      return false;
  return true;
}

static std::int64_t drawArgument(unsigned Bits, Random &R) {
  std::uint64_t V;
  unsigned Kind = static_cast<unsigned>(R.below(100));
  if (Kind < 35)
    V = R.below(20);
  else if (Kind < 60)
    V = 32 * R.below(20);
  else if (Kind < 80)
    V = R.below(2000);
  else if (Kind < 90)
    V = 0 - R.below(100);
  else
    V = R.next();
  return APInt(Bits, V, false, true).getSExtValue();
}

RandomLaunch drawLaunch(const Function &F,
                        const std::array<std::int64_t, 3> &Block, Random &R) {
  RandomLaunch L;
  bool All = R.chance(30), None = R.chance(50);
  for (const Argument &A : F.args()) {
    bool Integer = A.getType()->isIntegerTy();
    L.Arguments.push_back(
        Integer ? drawArgument(A.getType()->getIntegerBitWidth(), R) : 0);
    L.ArgumentKnown.push_back(!Integer || All || (!None && R.chance(40)));
  }
  for (unsigned D = 0; D < 3; ++D) {
    L.GridKnown[D] = All || R.chance(30);
    L.Grid[D] =
        (All && R.chance(80)) || R.chance(40)
            ? 1
            : static_cast<std::int64_t>(1 + R.below(R.chance(80) ? 16 : 3000));
    L.BlockIndex[D] = static_cast<std::int64_t>(
        R.below(static_cast<std::uint64_t>(L.Grid[D])));
  }
  std::int64_t Warps = (Block[0] * Block[1] * Block[2] + 31) / 32;
  // The last may have fewer threads.
  L.Warp = static_cast<unsigned>(R.chance(30)
                                     ? Warps - 1
                                     : static_cast<std::int64_t>(R.below(
                                           static_cast<std::uint64_t>(Warps))));
  return L;
}

} // namespace cudalint::differential
