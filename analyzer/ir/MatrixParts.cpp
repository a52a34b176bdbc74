//===- analyzer/ir/MatrixParts.cpp - What lanes load of a matrix ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/MatrixParts.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/NVPTXAddrSpace.h"

#include <algorithm>
#include <optional>

using namespace llvm;

namespace cudalint {

namespace {

/// A matrix in memory: so many lines of so many elements.
struct Shape {
  unsigned Lines = 0, Length = 0;
};

/// Of llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p0.
struct MatrixCall {
  AccessOp Op = AccessOp::Load;
  char Which = 'c'; ///< a, b, or the accumulator.
  bool IsByRows = false;
  unsigned M = 0, N = 0, K = 0;
  StringRef Element;

  unsigned elementBytes() const {
    return Element == "f16" || Element == "bf16" ? 2 : 4;
  }
  Shape shape() const {
    const unsigned Rows = Which == 'b' ? K : M, Columns = Which == 'a' ? K : N;
    return IsByRows ? Shape{Rows, Columns} : Shape{Columns, Rows};
  }
};

} // namespace

static std::optional<MatrixCall> parse(StringRef Name) {
  if (!Name.consume_front("llvm.nvvm.wmma.m"))
    return std::nullopt;
  MatrixCall Out;
  if (Name.consumeInteger(10, Out.M) || !Name.consume_front("n") ||
      Name.consumeInteger(10, Out.N) || !Name.consume_front("k") ||
      Name.consumeInteger(10, Out.K))
    return std::nullopt;
  SmallVector<StringRef> Parts;
  Name.split(Parts, '.', -1, /*KeepEmpty=*/false);
  // load a row stride f16 p0
  if (Parts.size() != 6 || Parts[1].size() != 1 || Parts[3] != "stride")
    return std::nullopt;
  if (Parts[0] != "load" && Parts[0] != "store")
    return std::nullopt;
  Out.Op = Parts[0] == "load" ? AccessOp::Load : AccessOp::Store;
  const char Which = Parts[1].front();
  Out.Which = Which == 'd' ? 'c' : Which;
  Out.IsByRows = Parts[2] == "row";
  Out.Element = Parts[4];
  return Out;
}

/// Nobody writes wmma for anything else than shared and global memory.
static bool isShared(const Value &Pointer) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(&Pointer, Objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  return !Objects.empty() && all_of(Objects, [](const Value *Each) {
    return Each->getType()->isPointerTy() &&
           Each->getType()->getPointerAddressSpace() ==
               NVPTXAS::ADDRESS_SPACE_SHARED;
  });
}

namespace {

class Parts {
public:
  Parts(const CallInst &Call, const MatrixCall &What)
      : What(What), Of(What.shape()) {
    Each.Op = What.Op;
    Each.Pointer = Call.getArgOperand(0);
    Each.Stride = Call.getArgOperand(Call.arg_size() - 1);
    Each.ElementBytes = What.elementBytes();
  }

  SmallVector<MatrixPart, 2> take() { return std::move(Out); }

  /// Rows of 16 bytes of matrices of 8 rows, four at a time.
  void byMatrices() {
    const unsigned Length = 16 / What.elementBytes();
    const unsigned Down = Of.Lines / 8, All = Down * (Of.Length / Length);
    Each.Bytes = 16;
    for (unsigned First = 0; First < All; First += Each.Matrices) {
      Each.Matrices = std::min(4U, All - First);
      add([&](unsigned Lane) {
        const unsigned Matrix = First + std::min(Lane / 8, Each.Matrices - 1);
        return Shape{Matrix % Down * 8 + Lane % 8, Matrix / Down * Length};
      });
    }
  }

  /// Four lanes have \p Count elements each of a line, and the next four of the
  /// next line.
  void alongLines(unsigned Count) {
    Each.Bytes = Count * What.elementBytes();
    for (unsigned At = 0; At < Of.Length; At += 4 * Count)
      for (unsigned Line = 0; Line < Of.Lines; Line += 8)
        add([&](unsigned Lane) {
          return Shape{Line + Lane / 4, At + Lane % 4 * Count};
        });
  }

  /// Four lanes are in lines that are \p Step lines apart, and the next four
  /// one element further: an instruction for each line of a step.
  void acrossLines(unsigned Step) {
    Each.Bytes = What.elementBytes();
    for (unsigned Line = 0; Line < Of.Lines; Line += 4 * Step)
      for (unsigned At = 0; At < Of.Length; At += 8)
        for (unsigned I = 0; I < Step; ++I)
          add([&](unsigned Lane) {
            return Shape{Line + Lane % 4 * Step + I, At + Lane / 4};
          });
  }

private:
  const MatrixCall &What;
  const Shape Of;
  MatrixPart Each;
  SmallVector<MatrixPart, 2> Out;

  template <typename Place> void add(Place PlaceOf) {
    for (unsigned Lane = 0; Lane < Each.Line.size(); ++Lane) {
      const auto [Line, At] = PlaceOf(Lane);
      Each.Line[Lane] = static_cast<std::uint8_t>(Line);
      Each.At[Lane] = static_cast<std::uint8_t>(At);
    }
    Out.push_back(Each);
  }
};

} // namespace

SmallVector<MatrixPart, 2> matrixPartsOf(const CallInst &Call) {
  const Function *Callee = Call.getCalledFunction();
  const std::optional<MatrixCall> What =
      Callee ? parse(Callee->getName()) : std::nullopt;
  if (!What)
    return {};
  Parts Result(Call, *What);
  const bool Is16 = What->M == 16 && What->N == 16;
  if (What->Which != 'c') {
    // The products are of what is along the rows of a and down the columns of
    // b.
    const bool IsAlong = What->IsByRows == (What->Which == 'a');
    if (What->Element == "tf32" && Is16 && What->K == 8) {
      if (IsAlong)
        Result.alongLines(1);
      else
        Result.acrossLines(1);
    } else if (What->elementBytes() == 2 && What->K == 16) {
      // Of bf16, it makes no ldmatrix.
      if (What->Element == "f16" && isShared(*Call.getArgOperand(0)))
        Result.byMatrices();
      else
        Result.alongLines(2);
    }
  } else if (What->K == 16) {
    const bool Is32 = What->Element == "f32" || What->Element == "s32";
    // m8n32k16 is the product of the transposed ones.
    const bool IsAlong = What->IsByRows == (What->M != 8);
    if (What->Element == "f16" && Is16)
      Result.alongLines(2);
    else if (Is32 && IsAlong)
      Result.alongLines(2);
    else if (Is32)
      Result.acrossLines(2);
  } else if (What->K == 8 && What->Element == "f32" && Is16) {
    // Of tf32: the accumulator is that of other elements.
    if (What->IsByRows)
      Result.alongLines(2);
    else
      Result.acrossLines(2);
  }
  return Result.take();
}

LaneValue addressesOf(const MatrixPart &Part, const LaneValue &Start,
                      const LaneValue &Stride, LaneArithmetic &A) {
  const std::int64_t Bytes = Part.ElementBytes;
  std::array<std::int64_t, WarpSize> Lines, At;
  for (unsigned L = 0; L < WarpSize; ++L) {
    Lines[L] = Part.Line[L] * Bytes;
    At[L] = Part.At[L] * Bytes;
  }
  auto Constant = [&](const auto &Values) {
    return LaneValue::constant(Start.Bits, Lanes(Values));
  };
  const LaneValue Length = A.zext(Stride, Start.Bits, /*NonNegative=*/true);
  return A.add(A.add(Start, A.mul(Length, Constant(Lines))), Constant(At));
}

} // namespace cudalint
