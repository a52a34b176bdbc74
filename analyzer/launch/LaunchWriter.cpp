//===- analyzer/launch/LaunchWriter.cpp - Visits as launches --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/LaunchWriter.h"

#include "analyzer/frontend/SourcePlaces.h"
#include "analyzer/launch/GridQuotient.h"
#include "analyzer/launch/LargeSizes.h"
#include "analyzer/launch/LaunchEdits.h"
#include "analyzer/launch/OwnAllocations.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecordLayout.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace cudalint {

/// Bytes of shared memory that a block may have on every GPU without asking.
static constexpr std::int64_t SharedBytesForAll = 48 * 1024;

const FunctionDecl &definitionOf(const FunctionDecl &Kernel) {
  const FunctionDecl *Definition = Kernel.getDefinition();
  return Definition ? *Definition : Kernel;
}

/// What is left of a number of bytes when all that is not known in it is a
/// multiple of many of them.
static std::uint64_t constantPart(Value V) {
  if (V->isInteger())
    return V->Bits;
  if (V->Tag != ValueNode::Operation)
    return 0;
  switch (V->Code) {
  case Operator::Convert:
    return constantPart(V->Operands[0]);
  case Operator::Add:
    return constantPart(V->Operands[0]) + constantPart(V->Operands[1]);
  case Operator::Subtract:
    return constantPart(V->Operands[0]) - constantPart(V->Operands[1]);
  case Operator::Multiply:
    return constantPart(V->Operands[0]) * constantPart(V->Operands[1]);
  default:
    return 0;
  }
}

/// How far a pointer is behind what is aligned; 0: not, or not known.
static std::uint64_t offsetOf(Value V) {
  if (V->isInteger())
    return V->Bits % 256;
  const bool IsMoved =
      V->Tag == ValueNode::Operation && !V->Type &&
      (V->Code == Operator::Add || V->Code == Operator::Subtract);
  return IsMoved ? constantPart(V) % 256 : 0;
}

/// A size_t beyond int64 is no memory that exists: it was below 0 before it
/// was converted. Empty for every other value.
static std::optional<std::int64_t> negativeSize(Value V) {
  if (!V->isInteger() || V->Type.Signed ||
      static_cast<std::int64_t>(V->Bits) >= 0)
    return std::nullopt;
  return static_cast<std::int64_t>(V->Bits);
}

static std::optional<std::int64_t> read(Value V, const std::string &What,
                                        Launch &Into) {
  std::optional<std::int64_t> Number = integerOf(V);
  if (!Number)
    Into.Unknown.push_back(What + " depends on " + describeUnknown(V));
  return Number;
}

std::optional<LaunchSizes>
LaunchWriter::usualSizes(const LaunchVisit &Visit) const {
  auto numberOf = [&](Value V) {
    return integerOf(Values.resolve(V, Visit.Usual));
  };
  LaunchSizes Result;
  std::int64_t Threads = 1;
  for (unsigned I = 0; I < 3; ++I) {
    Result.Block[I] = numberOf(Visit.Block[I]);
    Result.Grid[I] = numberOf(Visit.Grid[I]);
    // Zeros that a library call was to overwrite are no shape.
    if (!Result.Block[I] || *Result.Block[I] < 1 || *Result.Block[I] > 1024)
      return std::nullopt;
    Threads *= *Result.Block[I];
  }
  // Nor is what a loop counts up from.
  if (Threads < 32 || Threads > 1024)
    return std::nullopt;
  Result.DynamicSharedBytes = numberOf(Visit.SharedBytes);
  for (Value Each : Visit.Arguments)
    Result.Arguments.push_back(numberOf(Each));
  return Result;
}

std::optional<Extent> LaunchWriter::usualGrid(const LaunchVisit &Visit) const {
  Extent Result;
  for (unsigned I = 0; I < 3; ++I) {
    Result[I] = integerOf(Values.resolve(Visit.Grid[I], Visit.UsualOfGrid));
    if (!Result[I] || *Result[I] < 1)
      return std::nullopt;
  }
  return Result;
}

/// Without conversions that keep a size.
static Value sizeIn(Value V) {
  constexpr unsigned BitsOfSize = 32;
  while (V->Tag == ValueNode::Operation && V->Code == Operator::Convert &&
         V->Type.Kind == NumberType::Integer &&
         V->From.Kind == NumberType::Integer && V->Type.Width >= BitsOfSize &&
         V->From.Width >= BitsOfSize)
    V = V->Operands[0];
  return V;
}

/// How many times the size of a block is \p V: once, or `n` of `n / 2` twice;
/// 0: it has nothing to do with it.
static std::uint64_t timesOfSize(Value V, Value Size) {
  V = sizeIn(V), Size = sizeIn(Size);
  if (V == Size)
    return 1;
  if (Size->Tag != ValueNode::Operation || Size->Code != Operator::Divide ||
      Size->Type.Kind != NumberType::Integer || sizeIn(Size->Operands[0]) != V)
    return 0;
  const std::int64_t By = integerOf(Size->Operands[1]).value_or(0);
  return By >= 2 && By <= static_cast<std::int64_t>(MostTimesOfBlockSize)
             ? static_cast<std::uint64_t>(By)
             : 0;
}

/// What \p V never exceeds: 26 of `min(n, 26)`. Empty where that is not seen.
static std::optional<std::int64_t> mostOf(Value V) {
  V = sizeIn(V);
  if (V->isNumber() || !V->isExtremum())
    return integerOf(V);
  const std::optional<std::int64_t> Left = mostOf(V->Operands[0]),
                                    Right = mostOf(V->Operands[1]);
  if (Left && Right)
    return V->Code == Operator::Minimum ? std::min(*Left, *Right)
                                        : std::max(*Left, *Right);
  return V->Code == Operator::Maximum ? std::nullopt : Left ? Left : Right;
}

/// Whether no size is ever larger than in \p Usual.
static bool isMostOf(const std::array<Value, 3> &Sizes, const Extent &Usual) {
  for (unsigned I = 0; I < 3; ++I)
    if (mostOf(Sizes[I]) != Usual[I])
      return false;
  return true;
}

/// What the launch is if what bounds its block is large.
void LaunchWriter::assumeLarge(const LaunchVisit &Visit, Launch &Into) const {
  LargeSizes Large(Values);
  LaunchSizes Sizes;
  std::int64_t Threads = 1;
  for (unsigned I = 0; I < 3; ++I) {
    Sizes.Block[I] = integerOf(Large.of(Visit.Block[I]));
    if (!Sizes.Block[I] || *Sizes.Block[I] < 1 || *Sizes.Block[I] > 1024)
      return;
    Threads *= *Sizes.Block[I];
  }
  if (Threads > 1024 || Large.names().empty())
    return;
  Into.LargeName = llvm::join(Large.names(), " and ");
  for (unsigned I = 0; I < 3; ++I)
    Sizes.Grid[I] = integerOf(Visit.Grid[I]);
  Sizes.DynamicSharedBytes = integerOf(Large.of(Visit.SharedBytes));
  for (Value Each : Visit.Arguments)
    Sizes.Arguments.push_back(integerOf(Each));
  Into.IfLarge = std::move(Sizes);
}

/// `C / n` and n, of which C is a number that a block can have.
static std::optional<PairedSizes>
pairedSizes(const std::array<Value, 3> &Block) {
  constexpr std::int64_t Most = 1024;
  for (unsigned Q = 0; Q < 3; ++Q) {
    const Value V = sizeIn(Block[Q]);
    if (V->Tag != ValueNode::Operation || V->Code != Operator::Divide ||
        V->Type.Kind != NumberType::Integer)
      continue;
    const std::optional<std::int64_t> Of = integerOf(V->Operands[0]);
    const Value By = sizeIn(V->Operands[1]);
    for (unsigned D = 0; D < 3; ++D) {
      if (D == Q || By != sizeIn(Block[D]) || By->isNumber())
        continue;
      const std::int64_t Third = integerOf(Block[3 - Q - D]).value_or(0);
      if (Of && *Of >= 1 && *Of <= Most && Third >= 1 && *Of * Third <= Most)
        return PairedSizes{*Of, Q, D};
    }
  }
  return std::nullopt;
}

/// Where a pointer is, the argument \p Position, \p Type.
void LaunchWriter::notePointer(Value Argument, QualType Type, unsigned Position,
                               Launch &Into) const {
  // Elements are where they may be.
  if (Values.isMisplaced(Argument) &&
      !Type->getPointeeType()->isIncompleteType())
    Into.Alignments[Position] = static_cast<std::uint64_t>(
        Context.getTypeAlignInChars(Type->getPointeeType()).getQuantity());
  if (Argument->isZero())
    Into.Nulls.insert(Position);
  else if (const std::uint64_t Offset = offsetOf(Argument))
    Into.Offsets[Position] = Offset;
}

/// What is known in \p Object, an argument of type \p Type or a part of one,
/// which begins at \p Where.
void LaunchWriter::noteFields(Value Object, QualType Type, PassedField Where,
                              Launch &Into) const {
  // Of long arrays, which are tables rather than sizes, the beginning.
  constexpr unsigned MaxFields = 64, MaxElements = 16;
  if (Into.Fields.size() >= MaxFields)
    return;
  if (const std::optional<std::int64_t> Known = integerOf(Object)) {
    const std::uint64_t Bits = Context.getTypeSize(Type);
    if (Type->isIntegralOrEnumerationType() && Bits <= 64) {
      Where.Bits = static_cast<unsigned>(Bits);
      Where.Value = *Known;
      Into.Fields.push_back(Where);
    }
    return;
  }
  if (Object->Tag != ValueNode::Aggregate)
    return;
  const std::uint64_t Start = Where.Offset;
  if (const auto *Array = Context.getAsConstantArrayType(Type)) {
    const std::uint64_t Count = Array->getSize().getLimitedValue(MaxElements);
    const CharUnits Size = Context.getTypeSizeInChars(Array->getElementType());
    for (std::uint64_t I = 0; I != Count; ++I) {
      Where.Offset = Start + I * static_cast<std::uint64_t>(Size.getQuantity());
      noteFields(Values.part(Object, indexKey(I), "an element"),
                 Array->getElementType(), Where, Into);
    }
    return;
  }
  const RecordDecl *Record = Type->getAsRecordDecl();
  if (!Record || !Record->isCompleteDefinition() || Record->isUnion() ||
      Record->isInvalidDecl())
    return;
  const ASTRecordLayout &Layout = Context.getASTRecordLayout(Record);
  if (const auto *Class = dyn_cast<CXXRecordDecl>(Record)) {
    if (Class->getNumVBases() != 0)
      return;
    for (const CXXBaseSpecifier &Base : Class->bases()) {
      const CXXRecordDecl *Its = Base.getType()->getAsCXXRecordDecl();
      if (!Its)
        return;
      Where.Offset = Start + static_cast<std::uint64_t>(
                                 Layout.getBaseClassOffset(Its).getQuantity());
      // Its fields are parts of the object itself.
      noteFields(Object, Base.getType(), Where, Into);
    }
  }
  for (const FieldDecl *Field : Record->fields()) {
    if (Field->isBitField())
      continue;
    Where.Offset =
        Start + Layout.getFieldOffset(Field->getFieldIndex()) / CHAR_BIT;
    noteFields(
        Values.part(Object, fieldKey(Field->getCanonicalDecl()), "a member"),
        Field->getType(), Where, Into);
  }
}

std::string LaunchWriter::textOf(const Expr &E) const {
  return Lexer::getSourceText(CharSourceRange::getTokenRange(
                                  E.IgnoreParenImpCasts()->getSourceRange()),
                              Context.getSourceManager(), Context.getLangOpts())
      .str();
}

void LaunchWriter::writeKernel(const LaunchVisit &Visit, Launch &Into) const {
  if (const FunctionDecl *Kernel = Visit.Kernel->function()) {
    Kernel = &definitionOf(*Kernel);
    Into.Kernel = Names.nameOf(*Kernel);
    Into.KernelAsWritten = writtenName(*Kernel);
    Into.SharedMemoryOptIn = Raises.has(*Kernel);
    Into.Raised = Raises.raiseOf(*Kernel, Visit);
    Into.HasOwnAllocations = hasOwnAllocations(*Kernel, Visit, Values);
  } else {
    Into.KernelAsWritten = textOf(*Visit.KernelExpr);
    Into.Unknown.push_back("the kernel depends on " +
                           describeUnknown(Visit.Kernel));
  }
}

void LaunchWriter::writeArguments(const LaunchVisit &Visit,
                                  Launch &Into) const {
  const FunctionDecl *Kernel = Visit.Kernel->function();
  for (Value Each : Visit.Arguments) {
    const auto Position = static_cast<unsigned>(Into.Arguments.size());
    const QualType Type = Kernel && Position < Kernel->getNumParams()
                              ? Kernel->getParamDecl(Position)->getType()
                              : QualType();
    if (!Type.isNull() && Type->isPointerType()) {
      Into.Arguments.emplace_back();
      notePointer(Each, Type, Position, Into);
      continue;
    }
    Into.Arguments.push_back(integerOf(Each));
    if (Into.Arguments.back())
      continue;
    if (!Type.isNull() && Type->isRecordType()) {
      noteFields(Each, Type, {.Position = Position}, Into);
      continue;
    }
    if (isPowerOfTwo(Each))
      Into.Powers.insert(Position);
    if (Visit.NotRound.contains(Position))
      Into.NotRound.insert(Position);
    if (auto Its = Visit.Limits.find(Position); Its != Visit.Limits.end())
      Into.Limits.insert(*Its);
    if (auto Its = Visit.Multiples.find(Position); Its != Visit.Multiples.end())
      Into.Multiples.insert(*Its);
    // Of two equal ones, other numbers may be assumed.
    std::array<std::uint64_t, 3> Times = {};
    for (unsigned I = 0; I < 3; ++I)
      if (!Into.Block[I])
        Times[I] = timesOfSize(Each, Visit.Block[I]);
    if (std::ranges::count(Times, 0u) != 2)
      continue;
    const auto Its = std::ranges::max_element(Times);
    Into.BlockSizes[Position] =
        static_cast<std::uint64_t>(std::distance(Times.begin(), Its));
    if (*Its > 1)
      Into.TimesOfBlockSize[Position] = *Its;
  }
}

Launch LaunchWriter::write(const LaunchVisit &Visit) const {
  Launch Result;
  SourcePlace Place = placeOf(Context, Visit.Site->getSourceRange());
  Result.Where = std::move(Place.Where);
  Result.Origin = std::move(Place.Origin);
  Result.Cooperative = Visit.Cooperative;
  Result.NeverRuns = Visit.NeverRuns;
  Result.CheckedSizes = Visit.CheckedSizes;
  Result.IsRung = Visit.IsRung;
  if (Visit.CalledAt)
    Result.CalledAt = *Visit.CalledAt;
  writeKernel(Visit, Result);
  const char *Dimensions[] = {".x", ".y", ".z"};
  for (unsigned I = 0; I < 3; ++I)
    Result.Block[I] =
        read(Visit.Block[I], std::string("block") + Dimensions[I], Result);
  if (llvm::is_contained(Result.Block, std::nullopt))
    Result.Usual = usualSizes(Visit);
  if (llvm::is_contained(Result.Block, std::nullopt))
    assumeLarge(Visit, Result);
  if (llvm::is_contained(Result.Block, std::nullopt))
    Result.Paired = pairedSizes(Visit.Block);
  for (unsigned I = 0; I < 3; ++I)
    Result.Grid[I] =
        read(Visit.Grid[I], std::string("grid") + Dimensions[I], Result);
  if ((Result.Usual || !llvm::is_contained(Result.Block, std::nullopt)) &&
      llvm::is_contained(Result.Grid, std::nullopt))
    Result.UsualGrid = usualGrid(Visit);
  Result.UsualGridIsMost =
      Result.UsualGrid && isMostOf(Visit.Grid, *Result.UsualGrid);
  Result.DynamicSharedBytes = negativeSize(Visit.SharedBytes);
  if (!Result.DynamicSharedBytes)
    Result.DynamicSharedBytes =
        read(Visit.SharedBytes, "dynamic shared memory", Result);
  const auto *Launch = dyn_cast<CUDAKernelCallExpr>(Visit.Site);
  for (unsigned I = 0; Launch && I < 3; ++I)
    Result.IsRoundedToNone |= Result.Grid[I] == 0 && isRoundedDown(*Launch, I);
  Result.HasOneOfStreams = Streams.isOneOfSeveral(*Visit.Site);
  if (Launch && Result.DynamicSharedBytes.value_or(0) > SharedBytesForAll)
    Result.OptInCall = optInCall(Context, *Launch);
  if (Launch)
    Result.DynamicSharedText = dynamicSharedText(Context, Steady, *Launch);
  if (const BlockSizeText *Text = Sizes.at(*Visit.Site);
      Text && Text->Threads == Result.Block[0])
    Result.OtherBlocks = *Text;
  writeArguments(Visit, Result);
  return Result;
}

} // namespace cudalint
