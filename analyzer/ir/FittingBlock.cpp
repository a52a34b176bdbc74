//===- analyzer/ir/FittingBlock.cpp - Blocks that arrays allow ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/FittingBlock.h"

#include "analyzer/ir/AccessMarkers.h"
#include "analyzer/ir/KernelStructure.h"
#include "analyzer/ir/RegisterReads.h"
#include "analyzer/ir/WarpGroups.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/NVPTXAddrSpace.h"

#include <algorithm>

using namespace llvm;

namespace cudalint {

using Block = std::array<std::int64_t, 3>;

//===----------------------------------------------------------------------===//
// Who takes part
//===----------------------------------------------------------------------===//

namespace {
/// What a condition is made of.
struct Ingredients {
  bool Block = false, Argument = false, Other = false;
};
} // namespace

static void addIngredients(const Value *V, Ingredients &Of, unsigned Depth) {
  if (isa<Constant>(V))
    return;
  if (isa<Argument>(V)) {
    Of.Argument = true;
    return;
  }
  auto *I = dyn_cast<Instruction>(V);
  if (I && readsBlockIndex(*I)) {
    Of.Block = true;
    return;
  }
  const StringRef Register = I ? readRegister(*I) : StringRef();
  if (Register.starts_with("tid.") || Register.starts_with("ntid."))
    return;
  if (!I || !Depth ||
      !isa<BinaryOperator, CastInst, CmpInst, FreezeInst, SelectInst>(I)) {
    Of.Other = true;
    return;
  }
  for (const Value *Each : I->operands())
    addIngredients(Each, Of, Depth - 1);
}

/// Whether \p Condition is about threads alone, or a bound of the whole grid as
/// `blockIdx.x * blockDim.x + threadIdx.x < n` is: within it are all threads of
/// most blocks. Of what is deeper than \p Depth, nothing is known.
static bool isOfGrid(const Value *Condition, unsigned Depth = 8) {
  // `a && b` is `select a, b, false`.
  if (Depth && isa<BinaryOperator, SelectInst>(Condition))
    return llvm::all_of(
        cast<Instruction>(Condition)->operands(), [&](const Value *Each) {
          return isa<Constant>(Each) || isOfGrid(Each, Depth - 1);
        });
  Ingredients Of;
  addIngredients(Condition, Of, Depth);
  return !Of.Other && (Of.Block || !Of.Argument);
}

/// Whether no condition but such decides who comes to \p I.
static bool isBoundByGridAlone(const Instruction &I,
                               const DominatorTree &Tree) {
  const DomTreeNode *Node = Tree.getNode(I.getParent());
  for (; Node && Node->getIDom(); Node = Node->getIDom()) {
    auto *Branch =
        dyn_cast<BranchInst>(Node->getIDom()->getBlock()->getTerminator());
    if (Branch && Branch->isConditional() && !isOfGrid(Branch->getCondition()))
      return false;
  }
  return true;
}

/// The bytes of the array in shared memory that begins where the symbol of
/// \p T is; empty where it is none, or where the launch gives its size.
static std::optional<std::int64_t> sharedBytes(const LaneArithmetic &A,
                                               const Term &T) {
  auto *Array = dyn_cast_or_null<GlobalVariable>(
      static_cast<const Value *>(A.info(T.S).Origin));
  if (!Array || Array->isDeclaration() || T.Coefficient != Lanes(1))
    return std::nullopt;
  const auto Size =
      static_cast<std::int64_t>(Array->getDataLayout()
                                    .getTypeAllocSize(Array->getValueType())
                                    .getFixedValue());
  return Size ? std::optional(Size) : std::nullopt;
}

std::optional<std::int64_t> sharedArrayBytes(const LaneArithmetic &A,
                                             const Request &R) {
  const std::optional<MarkedAccess> Marked =
      R.Inst ? markedAccess(*R.Inst) : std::nullopt;
  const Value *Pointer = Marked   ? Marked->Pointer
                         : R.Inst ? getLoadStorePointerOperand(R.Inst)
                                  : nullptr;
  if (R.Space != MemorySpace::Shared || !Pointer)
    return std::nullopt;
  // Another request of the same access may be to another array.
  const Value *Array = getUnderlyingObject(Pointer, /*MaxLookup=*/0);
  for (const Term &T : R.Address.Terms)
    if (A.info(T.S).Origin == Array)
      return sharedBytes(A, T);
  return std::nullopt;
}

/// Whether one of \p Those lanes accesses an array in shared memory, of known
/// size, outside of it.
static bool leavesArray(const LaneArithmetic &A, const Request &R,
                        LaneMask Those) {
  if (R.Space != MemorySpace::Shared || R.Address.Unknown & R.Active ||
      R.Address.Terms.size() != 1)
    return false;
  const std::optional<std::int64_t> Size = sharedBytes(A, R.Address.Terms[0]);
  if (!Size)
    return false;
  for (unsigned L = 0; L < WarpSize; ++L)
    if (Those >> L & 1 &&
        (R.Address.Constant[L] < 0 || R.Address.Constant[L] > *Size - R.Bytes))
      return true;
  return false;
}

static LaneMask sureLanes(const Request &R) { return R.Active & ~R.Doubtful; }

bool leavesSharedArray(const LaneArithmetic &A, const Request &R) {
  return leavesArray(A, R, sureLanes(R));
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// The dimension of threadIdx that `V` is, and what is added to it.
static std::optional<std::pair<unsigned, std::int64_t>>
threadIndex(const Value *V) {
  std::int64_t Added = 0;
  for (unsigned Depth = 0; Depth < 4; ++Depth) {
    if (auto *Cast = dyn_cast<CastInst>(V);
        Cast && Cast->getOpcode() != Instruction::Trunc) {
      V = Cast->getOperand(0);
      continue;
    }
    auto *Sum = dyn_cast<BinaryOperator>(V);
    auto *Constant = Sum && (Sum->getOpcode() == Instruction::Add ||
                             (Sum->getOpcode() == Instruction::Or &&
                              cast<PossiblyDisjointInst>(Sum)->isDisjoint()))
                         ? dyn_cast<ConstantInt>(Sum->getOperand(1))
                         : nullptr;
    if (!Constant || Constant->getBitWidth() > 64 ||
        !Constant->getValue().isSignedIntN(32))
      break;
    Added += Constant->getSExtValue();
    V = Sum->getOperand(0);
  }
  auto *Call = dyn_cast<IntrinsicInst>(V);
  switch (Call ? Call->getIntrinsicID() : Intrinsic::not_intrinsic) {
  case Intrinsic::nvvm_read_ptx_sreg_tid_x:
    return std::pair(0u, Added);
  case Intrinsic::nvvm_read_ptx_sreg_tid_y:
    return std::pair(1u, Added);
  case Intrinsic::nvvm_read_ptx_sreg_tid_z:
    return std::pair(2u, Added);
  default:
    return std::nullopt;
  }
}

static const GEPOperator *indexOf(const Value *Pointer) {
  while (auto *Cast = dyn_cast<AddrSpaceCastOperator>(Pointer))
    Pointer = Cast->getPointerOperand();
  return dyn_cast<GEPOperator>(Pointer);
}

/// Whether one of \p Those lanes indexes past the end of a row of an array of
/// arrays, where the index is one of threadIdx: it would be in the
/// next row. Nobody means that.
static bool leavesRow(const Request &R, LaneMask Those, const Value *Pointer,
                      const Block &Shape, const DataLayout &Layout) {
  const GEPOperator *Index = indexOf(Pointer);
  for (unsigned Depth = 0; Index && Depth < 8; ++Depth) {
    const GEPOperator *Outer = indexOf(Index->getPointerOperand());
    auto *Row =
        Outer ? dyn_cast<ArrayType>(Outer->getSourceElementType()) : nullptr;
    const auto Element = Index->getNumIndices() == 1
                             ? threadIndex(Index->getOperand(1))
                             : std::nullopt;
    if (Row && Outer->getNumIndices() == 1 && Element &&
        Layout.getTypeAllocSize(Row->getElementType()) ==
            Layout.getTypeAllocSize(Index->getSourceElementType())) {
      const auto Size = static_cast<std::int64_t>(Row->getNumElements());
      for (unsigned L = 0; L < WarpSize; ++L) {
        const std::int64_t Thread = std::int64_t(R.Warp) * WarpSize + L;
        const Block At = {Thread % Shape[0], Thread / Shape[0] % Shape[1],
                          Thread / (Shape[0] * Shape[1])};
        if (Those >> L & 1 && At[Element->first] + Element->second >= Size)
          return true;
      }
    }
    Index = Outer;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// Smaller ones than the assumed block, or of shorter rows, of as many
/// dimensions. Of the same size the one that is nearest to a square comes
/// first, as tiles are.
static std::vector<Block> smallerBlocks(const Block &Shape) {
  if (Shape[2] > 1)
    return {{8, 8, 4}, {8, 8, 2}, {4, 4, 4}, {8, 8, 1}, {4, 4, 2},
            {4, 4, 1}, {2, 2, 2}, {2, 2, 1}, {1, 1, 1}};
  if (Shape[1] > 1)
    return {{16, 16, 1}, {16, 8, 1}, {8, 16, 1}, {32, 4, 1}, {8, 8, 1},
            {16, 4, 1},  {32, 2, 1}, {8, 4, 1},  {16, 2, 1}, {32, 1, 1},
            {4, 4, 1},   {16, 1, 1}, {4, 2, 1},  {8, 1, 1},  {2, 2, 1},
            {4, 1, 1},   {2, 1, 1},  {1, 1, 1}};
  std::vector<Block> Rows;
  for (std::int64_t X : {224, 192, 160, 128, 96, 64, 32, 16, 8, 4, 2, 1})
    if (X < Shape[0])
      Rows.push_back({X, 1, 1});
  return Rows;
}

namespace {

/// What a run of a block is looked at for.
struct BlockLook : WarpSink {
  const KernelStructure &Kernel;
  LaneArithmetic &A;
  const Block &Shape;
  bool &Fits, &Reaches;
  BlockLook(const KernelStructure &Kernel, LaneArithmetic &A,
            const Block &Shape, bool &Fits, bool &Reaches)
      : Kernel(Kernel), A(A), Shape(Shape), Fits(Fits), Reaches(Reaches) {}
  void add(const Request &) override { Reaches = true; }
  void addOfWarps(const Request &R, unsigned First, unsigned Last) override {
    if (R.Space != MemorySpace::Shared)
      return;
    const bool IsBoundByGrid = isBoundByGridAlone(*R.Inst, Kernel.dominators());
    for (unsigned W = First; W <= Last && Fits; ++W) {
      Request Each = R;
      Each.Warp = W;
      Each.Address = A.inWarp(R.Address, W);
      const Value *Pointer = Kernel.accesses(*R.Inst)[R.Part].Pointer;
      const LaneMask Those =
          IsBoundByGrid ? Each.Active & ~Each.DataDriven : sureLanes(Each);
      Fits = !leavesArray(A, Each, Those) &&
             !leavesRow(Each, Those, Pointer, Shape,
                        Kernel.function().getParent()->getDataLayout());
    }
  }
};

} // namespace

static bool fits(const KernelStructure &Structure, const LaunchShape &Shape) {
  const std::int64_t Threads = Shape.Block[0] * Shape.Block[1] * Shape.Block[2];
  bool Fits = true, Reaches = false;
  // Without work, one turn stands for all of a loop: enough for an index that
  // is the thread's own.
  WarpGroups(static_cast<unsigned>((Threads + WarpSize - 1) / WarpSize))
      .run(Structure, Shape, 0, [&](LaneArithmetic &A) {
        return std::make_unique<BlockLook>(Structure, A, Shape.Block, Fits,
                                           Reaches);
      });
  return Fits && Reaches;
}

/// Whether the kernel has something that could make a block impossible: an
/// array in shared memory, or a comparison of blockDim.
static bool mayRefuse(const Function &Kernel) {
  for (const GlobalVariable &G : Kernel.getParent()->globals())
    if (G.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED &&
        !G.isDeclaration())
      return true;
  return llvm::any_of(instructions(Kernel), [](const Instruction &I) {
    auto *Call = dyn_cast<IntrinsicInst>(&I);
    return Call &&
           llvm::is_contained({Intrinsic::nvvm_read_ptx_sreg_ntid_x,
                               Intrinsic::nvvm_read_ptx_sreg_ntid_y,
                               Intrinsic::nvvm_read_ptx_sreg_ntid_z},
                              Call->getIntrinsicID()) &&
           llvm::any_of(Call->users(),
                        [](const User *U) { return isa<CmpInst>(U); });
  });
}

LaunchShape fittedBlock(const Function &Kernel, const LaunchShape &Shape) {
  // A longer kernel takes longer to try than the better guess is worth.
  constexpr std::size_t MostInstructions = 20'000;
  if (!llvm::is_contained(Shape.IsOpen, true) ||
      Kernel.getInstructionCount() > MostInstructions || !mayRefuse(Kernel) ||
      countAccesses(Kernel) == 0)
    return Shape;
  const std::shared_ptr<const KernelStructure> Structure =
      makeKernelStructure(Kernel);
  if (fits(*Structure, Shape))
    return Shape;
  for (const Block &Each : smallerBlocks(Shape.Block)) {
    bool IsPossible = true;
    for (unsigned D = 0; D < 3; ++D)
      IsPossible &= Shape.IsOpen[D] || Each[D] == Shape.Block[D];
    if (!IsPossible)
      continue;
    LaunchShape Smaller = Shape;
    Smaller.Block = Each;
    Smaller.IsLargestFitting = true;
    if (fits(*Structure, Smaller))
      return Smaller;
  }
  return Shape;
}

} // namespace cudalint
