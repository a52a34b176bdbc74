//===- analyzer/ir/InitialValues.cpp - What a kernel begins with ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/ValueEvaluator.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/NVPTXAddrSpace.h"

#include <tuple>

using namespace llvm;

namespace cudalint {

namespace {
struct WarpThreads {
  std::array<std::array<std::int64_t, WarpSize>, 3> Index = {};
  LaneMask Existing = 0;
};
} // namespace

static WarpThreads threadsOf(const LaunchShape &Shape, unsigned Warp) {
  // Threads are numbered x first, then y, then z.
  WarpThreads R;
  const std::int64_t X = Shape.Block[0], Y = Shape.Block[1], Z = Shape.Block[2];
  for (unsigned L = 0; L < WarpSize; ++L) {
    std::int64_t T = std::int64_t(Warp) * WarpSize + L;
    if (T < X * Y * Z)
      R.Existing |= LaneMask(1) << L;
    else
      T = X * Y * Z - 1; // not a thread; never active
    R.Index[0][L] = Shape.HasSwappedRoles ? T / Y % X : T % X;
    R.Index[1][L] = Shape.HasSwappedRoles ? T % Y : T / X % Y;
    R.Index[2][L] = T / X / Y;
  }
  return R;
}

ValueEvaluator::ValueEvaluator(const KernelStructure &Kernel,
                               const LaunchShape &Shape, Warps Of,
                               LaneArithmetic &Arithmetic)
    : Kernel(Kernel), Shape(Shape),
      Layout(Kernel.function().getParent()->getDataLayout()), A(Arithmetic),
      Fields(Kernel.function(), Shape.Fields),
      Values(Kernel.valueCount(), LaneValue::unknown(32)),
      Fractions(Arithmetic, [this](const Value *V) { return get(V); }),
      Votes(Arithmetic) {
  if (Of.First != Of.Last)
    A.makeWarps(Of.First, Of.Last);
  for (unsigned D = 0; D < 3; ++D) {
    auto InWarp = [&](unsigned Warp) {
      const WarpThreads T = threadsOf(Shape, Warp);
      LaneValue V = LaneValue::constant(32, Lanes(T.Index[D]));
      V.Unknown = ~T.Existing; // never active
      return V;
    };
    ThreadIndex[D] =
        Of.First == Of.Last ? InWarp(Of.First) : A.throughWarps(InWarp);
    ThreadIndex[D].Unknown = 0;
  }
  Existing = threadsOf(Shape, A.areSeveralWarps() ? A.warps().First : Of.First)
                 .Existing;
  static const char *const Names[] = {"x", "y", "z"};
  for (unsigned D = 0; D < 3; ++D) {
    std::optional<std::int64_t> Size = Shape.Grid[D];
    std::int64_t First = 0, Last = Size ? *Size - 1 : NoMax;
    if (Shape.Blocks[D])
      std::tie(First, Last) = *Shape.Blocks[D];
    if (First == Last)
      BlockIndex[D] = LaneValue::constant(32, First);
    else
      BlockIndex[D] = A.fresh(32, {.Kind = SymbolKind::BlockIndex,
                                   .Name = std::string("blockIdx.") + Names[D],
                                   .Min = First,
                                   .Max = Last,
                                   .ByBlock = 1u << D});
    GridSize[D] = Size
                      ? LaneValue::constant(32, *Size)
                      : A.fresh(32, {.Kind = SymbolKind::Parameter,
                                     .Name = std::string("gridDim.") + Names[D],
                                     .Min = 1,
                                     .Max = 0x7fffffff,
                                     .AssumedMultipleOf = RoundSize});
  }
  UniformFloat = A.fresh(64, {.Kind = SymbolKind::Opaque});
  for (const Argument &Arg : Kernel.function().args())
    set(&Arg, argument(Arg));
}

static std::string shortNameOf(const Value &V) {
  StringRef N = V.getName();
  const std::string Full =
      demangle(N.take_until([](char C) { return C == '.'; }));
  // Without the function or class that it is in.
  const std::size_t Last = Full.rfind("::");
  return Last == std::string::npos ? Full : Full.substr(Last + 2);
}

static bool isUsedIn(const Value &V, const Function &F) {
  return llvm::any_of(V.users(), [&](const User *U) {
    auto *I = dyn_cast<Instruction>(U);
    return I ? I->getFunction() == &F : isa<Constant>(U) && isUsedIn(*U, F);
  });
}

bool ValueEvaluator::sharedArraysAreRows() const {
  constexpr std::uint64_t Row = 128; // bytes of all banks
  const Function &F = Kernel.function();
  return llvm::all_of(F.getParent()->globals(), [&](const GlobalVariable &G) {
    // Dynamic ones come behind all others.
    return G.getAddressSpace() != NVPTXAS::ADDRESS_SPACE_SHARED ||
           G.isDeclaration() ||
           Layout.getTypeAllocSize(G.getValueType()) % Row == 0 ||
           !isUsedIn(G, F);
  });
}

LaneValue ValueEvaluator::makeObject(const Value *V, std::string Name,
                                     std::uint64_t Align, MemorySpace Space) {
  LaneValue O =
      A.fresh(64, {.Kind = SymbolKind::Object,
                   .Name = std::move(Name),
                   .Min = 0,
                   .MultipleOf = Align,
                   .AssumedMultipleOf = std::max(Align, AllocationAlign),
                   .Origin = V,
                   .Space = Space,
                   .BeginsInFirstBank = Space == MemorySpace::Shared && V &&
                                        sharedArraysAreRows(),
                   .Fixed = {.By = V}});
  return O;
}

LaneValue ValueEvaluator::objectOf(const Value &V, std::uint64_t Align,
                                   MemorySpace Space) {
  auto [It, New] = Objects.try_emplace(&V);
  if (New)
    It->second = makeObject(&V, shortNameOf(V), Align, Space);
  return It->second;
}

LaneValue ValueEvaluator::argument(const Argument &Arg) {
  Type *T = Arg.getType();
  unsigned Index = Arg.getArgNo();
  if (T->isPointerTy() && Arg.hasByValAttr())
    return makeObject(&Arg, shortNameOf(Arg), AllocationAlign,
                      MemorySpace::Constant);
  if (T->isPointerTy()) {
    LaneValue O = makeObject(&Arg, shortNameOf(Arg), 1, MemorySpace::Global);
    if (auto Its = Shape.Alignments.find(Index); Its != Shape.Alignments.end())
      A.setAlignment(O.Terms[0].S, Its->second);
    if (Shape.Nulls.contains(Index))
      A.setNull(O.Terms[0].S);
    auto Moved = Shape.Offsets.find(Index);
    if (Moved == Shape.Offsets.end())
      return O;
    const auto MovedBy = static_cast<std::int64_t>(Moved->second);
    A.setMovedBy(O.Terms[0].S, MovedBy);
    return A.add(O, LaneValue::constant(64, MovedBy), /*NoWrap=*/true);
  }
  if (T->isIntegerTy() && Index < Shape.Arguments.size() &&
      Shape.Arguments[Index])
    return LaneValue::constant(bitsOf(T), *Shape.Arguments[Index]);
  LaneValue V = uniform(Arg, SymbolKind::Parameter, shortNameOf(Arg),
                        Shape.NotRound.contains(Index) ? 1 : RoundSize);
  if (isTracked(T)) {
    const Symbol S = V.Terms[0].S;
    A.setFixed(S, {.By = &Arg});
    if (auto Its = Shape.Multiples.find(Index); Its != Shape.Multiples.end())
      A.setMultiple(S, Its->second);
    if (auto Its = Shape.Limits.find(Index); Its != Shape.Limits.end())
      A.narrow(S, {NoMin, Its->second});
  }
  if (Shape.SmallElsewhere.contains(Index) && V.Terms.size() == 1)
    A.markMayBeSmall(V.Terms[0].S);
  return V;
}

LaneValue ValueEvaluator::uniform(const Value &V, SymbolKind Kind,
                                  std::string Name, std::uint64_t Multiple) {
  Type *T = V.getType();
  if (T->isPointerTy()) {
    unsigned AS = T->getPointerAddressSpace();
    return makeObject(nullptr, std::move(Name), 1,
                      AS == NVPTXAS::ADDRESS_SPACE_SHARED  ? MemorySpace::Shared
                      : AS == NVPTXAS::ADDRESS_SPACE_LOCAL ? MemorySpace::Local
                      : AS == NVPTXAS::ADDRESS_SPACE_SHARED_CLUSTER
                          ? MemorySpace::Generic
                          : MemorySpace::Global);
  }
  if (!isTracked(T))
    return UniformFloat;
  unsigned Bits = bitsOf(T);
  SymbolInfo Info;
  Info.Kind = Kind;
  Info.Name = std::move(Name);
  if (Kind == SymbolKind::Parameter)
    Info.AssumedMultipleOf = Multiple;
  if (Bits == 1) {
    Info.Min = 0;
    Info.Max = 1;
  } else if (Bits < 64) {
    Info.Min = -(std::int64_t(1) << (Bits - 1));
    Info.Max = (std::int64_t(1) << (Bits - 1)) - 1;
  }
  return A.fresh(Bits, std::move(Info));
}

LaneValue ValueEvaluator::constant(const Value &V) {
  unsigned Bits = bitsOf(V.getType());
  if (auto *C = dyn_cast<ConstantInt>(&V); C && C->getBitWidth() <= 64)
    return LaneValue::constant(Bits,
                               static_cast<std::int64_t>(C->getZExtValue()));
  if (isa<ConstantPointerNull>(V))
    return LaneValue::constant(Bits, 0);
  if (auto *G = dyn_cast<GlobalVariable>(&V)) {
    unsigned AS = G->getAddressSpace();
    return objectOf(*G, G->getAlign().valueOrOne().value(),
                    AS == NVPTXAS::ADDRESS_SPACE_SHARED  ? MemorySpace::Shared
                    : AS == NVPTXAS::ADDRESS_SPACE_CONST ? MemorySpace::Constant
                                                         : MemorySpace::Global);
  }
  if (auto *E = dyn_cast<ConstantExpr>(&V))
    return constantExpression(*E);
  if (isa<Constant>(V) && !isa<UndefValue>(V) && !isTracked(V.getType()))
    return UniformFloat;
  return LaneValue::unknown(Bits);
}

/// What the address of a variable becomes before it is used.
LaneValue ValueEvaluator::constantExpression(const ConstantExpr &E) {
  const unsigned Bits = bitsOf(E.getType());
  switch (E.getOpcode()) {
  case Instruction::AddrSpaceCast:
  case Instruction::IntToPtr:
    return get(E.getOperand(0));
  case Instruction::PtrToInt:
  case Instruction::Trunc: {
    LaneValue V = get(E.getOperand(0));
    return Bits < V.Bits ? A.trunc(V, Bits) : V;
  }
  case Instruction::Add:
    return A.add(get(E.getOperand(0)), get(E.getOperand(1)));
  case Instruction::Sub:
    return A.sub(get(E.getOperand(0)), get(E.getOperand(1)));
  default:
    if (auto *G = dyn_cast<GEPOperator>(&E))
      return address(*G);
    return LaneValue::unknown(Bits);
  }
}

} // namespace cudalint
