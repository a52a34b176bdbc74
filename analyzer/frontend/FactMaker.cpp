//===- analyzer/frontend/FactMaker.cpp - From an lvalue to a fact ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/FactMaker.h"

#include "analyzer/frontend/IntegerConstants.h"
#include "analyzer/frontend/LvalueParts.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecordLayout.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace cudalint {

/// Longer lvalues are cut in the middle of nowhere useful to a message.
static constexpr std::size_t LongestText = 60;

FactMaker::FactMaker(ASTContext &Context)
    : Context(Context), Sources(Context.getSourceManager()), Places(Context),
      Uses(Context), Fixed(Context), Tables(Context) {}

EditPoint FactMaker::editPoint(SourceLocation Where) const {
  const std::optional<Edit> Here = insertionAt(Context, Where, "");
  return Here ? EditPoint{.File = Here->File, .Offset = Here->Offset}
              : EditPoint();
}

std::string FactMaker::textOf(const Expr *E) const {
  CharSourceRange Range = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(E->getSourceRange()), Sources,
      Context.getLangOpts());
  std::string Raw;
  if (Range.isValid()) {
    Raw = Lexer::getSourceText(Range, Sources, Context.getLangOpts()).str();
  } else {
    llvm::raw_string_ostream Stream(Raw);
    E->printPretty(Stream, nullptr, Context.getPrintingPolicy());
  }
  std::string Text;
  for (char C : Raw) {
    bool Space = isWhitespace(C);
    if (!Space || (!Text.empty() && Text.back() != ' '))
      Text += Space ? ' ' : C;
  }
  if (Text.size() > LongestText) {
    Text.resize(LongestText - 3);
    Text += "...";
  }
  return Text;
}

/// What the definition of a macro may have written of \p E: the operators of
/// the chain, and its base. Of `p[(i) * 2]`, both `p` and `i` may be arguments.
static void addParts(const Expr *E, SmallVectorImpl<SourceLocation> &Parts) {
  for (; E; E = innerOperand(E)) {
    E = E->IgnoreParenImpCasts();
    if (const auto *S = dyn_cast<ArraySubscriptExpr>(E))
      Parts.push_back(S->getRBracketLoc());
    else if (const auto *M = dyn_cast<MemberExpr>(E))
      Parts.append({M->getOperatorLoc(), M->getMemberLoc()});
    else
      Parts.push_back(E->getExprLoc());
  }
}

EditPoint FactMaker::alignPoint(const RecordDecl *Record) const {
  // An alignment of the user's own choice, or a layout that must not change.
  if (Record->hasAttr<AlignedAttr>() || Record->hasAttr<PackedAttr>() ||
      Record->isUnion() || Record->getQualifier())
    return {};
  // `struct vec3d {`: in front of the name; `typedef struct {`: of the brace.
  SourceLocation Where = Record->getIdentifier()
                             ? Record->getLocation()
                             : Record->getBraceRange().getBegin();
  // `struct{`: what is put in front of the brace would be one word with it.
  if (!Record->getIdentifier() && Where.isFileID() &&
      Sources.getFileOffset(Where) != 0 &&
      !isWhitespace(Sources.getCharacterData(Where)[-1]))
    return {};
  return editPoint(Where);
}

static bool copiesItself(QualType Type) {
  const CXXRecordDecl *Class = Type->getAsCXXRecordDecl();
  return Class && Class->hasDefinition() &&
         (Class->hasNonTrivialCopyAssignment() ||
          Class->hasNonTrivialCopyConstructor());
}

FieldFact FactMaker::describeStruct(const RecordDecl &Record,
                                    const Expr &Base) const {
  const QualType Type = Context.getCanonicalTagType(&Record);
  FieldFact Fact;
  if (const TypedefNameDecl *Name = Record.getTypedefNameForAnonDecl())
    Fact.Struct = Name->getNameAsString();
  else
    Fact.Struct = Record.getNameAsString();
  Fact.StructBytes = Context.getTypeSizeInChars(Type).getQuantity();
  Fact.StructAlign = Context.getTypeAlignInChars(Type).getQuantity();
  Fact.StructWhere = Places.locate(Record.getLocation());
  Fact.IsOfSystem = Sources.isInSystemHeader(Record.getLocation());
  Fact.IsFixed = Fixed.contains(Record) || areMadeOfBytes(Base);
  if (!Fact.IsFixed)
    Fact.AlignPoint = alignPoint(&Record);
  return Fact;
}

std::optional<FieldFact> FactMaker::describeField(const Expr *LValue) const {
  // From the accessed value outwards to the struct that the array consists of.
  std::vector<const FieldDecl *> Path;
  const Expr *E = LValue->IgnoreParenImpCasts();
  const RecordDecl *Record = nullptr;
  for (;;) {
    if (const auto *M = dyn_cast<MemberExpr>(E)) {
      const auto *F = dyn_cast<FieldDecl>(M->getMemberDecl());
      if (!F)
        return std::nullopt;
      Path.insert(Path.begin(), F);
      Record = F->getParent();
      if (M->isArrow())
        break;
      E = M->getBase()->IgnoreParenImpCasts();
    } else if (const auto *S = dyn_cast<ArraySubscriptExpr>(E)) {
      const Expr *Base = S->getBase()->IgnoreParenImpCasts();
      const auto *M = dyn_cast<MemberExpr>(Base);
      // `data[i].a[k]` is inside the struct, `data[i].p[k]` is elsewhere.
      if (!M || !M->getType()->isArrayType())
        break;
      E = Base;
    } else {
      break;
    }
  }
  if (!Record || Record->isInvalidDecl() || Record->isDependentType())
    return std::nullopt;
  // A plain variable: `s.x` is no element of an array.
  if (isa<DeclRefExpr>(E) &&
      !cast<DeclRefExpr>(E)->getType()->isReferenceType())
    if (const auto *V = dyn_cast<VarDecl>(cast<DeclRefExpr>(E)->getDecl());
        V && !V->getType()->isReferenceType())
      return std::nullopt;

  FieldFact Fact = describeStruct(*Record->getDefinition(), *E);
  for (const FieldDecl *F : Path) {
    if (!Fact.Field.empty() && !F->getName().empty())
      Fact.Field += '.';
    Fact.Field += F->getName();
    Fact.FieldOffset += Context.getFieldOffset(F) / Context.getCharWidth();
    Fact.CopiesItself |= copiesItself(Context.getBaseElementType(F->getType()));
  }
  Fact.FieldBytes =
      Context.getTypeSizeInChars(Path.back()->getType()).getQuantity();
  return Fact;
}

/// Whether ` + 1` behind the expression adds to all of it.
static bool bindsTighterThanPlus(const Expr *E) {
  E = E->IgnoreImpCasts();
  if (const auto *S = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return bindsTighterThanPlus(S->getReplacement());
  if (const auto *C = dyn_cast<ConstantExpr>(E))
    return bindsTighterThanPlus(C->getSubExpr());
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return B->isAdditiveOp() || B->isMultiplicativeOp();
  return !isa<AbstractConditionalOperator>(E);
}

/// How \p Variable is written, which is only subscripted.
void FactMaker::describeText(const DeclaratorDecl *Variable,
                             ArrayFact &Fact) const {
  Fact.Subscripts = Uses.subscriptsOf(*Variable);
  Fact.Offsets = Uses.offsetsOf(*Variable);
  const TypeSourceInfo *Info = Variable->getTypeSourceInfo();
  if (!Info)
    return;
  ArrayTypeLoc Innermost;
  for (TypeLoc T = Info->getTypeLoc().getUnqualifiedLoc();;) {
    ArrayTypeLoc Array = T.getAs<ArrayTypeLoc>();
    if (!Array)
      break;
    Innermost = Array;
    T = Array.getElementLoc().getUnqualifiedLoc();
  }
  // A dimension that a typedef brings cannot be padded here.
  if (!Innermost || !Innermost.getSizeExpr() ||
      Innermost.getTypePtr()->getElementType()->isArrayType() ||
      !bindsTighterThanPlus(Innermost.getSizeExpr()))
    return;
  // Behind the expression: what follows it may be a comment.
  const Expr *Size = Innermost.getSizeExpr();
  const SourceLocation End = Size->getEndLoc();
  if (End.isMacroID() &&
      !Lexer::isAtEndOfMacroExpansion(End, Sources, Context.getLangOpts()))
    return;
  const SourceLocation Behind =
      Lexer::getLocForEndOfToken(End, 0, Sources, Context.getLangOpts());
  if (Behind.isInvalid())
    return;
  Fact.PadPoint = editPoint(Behind);
  Fact.Extent = expressionText(Context, *Size);
}

/// Of code that does not compile, types may be anything.
static bool hasSize(QualType Type) {
  return !Type.isNull() && !Type->isDependentType() &&
         !Type->isIncompleteType() && !Type->isUndeducedType() &&
         !Type->containsErrors() && !Type->isPlaceholderType();
}

std::optional<ArrayFact>
FactMaker::describeArray(const DeclaratorDecl *Variable) {
  QualType Type = Variable->getType();
  if (!Type->isArrayType() || Type->isDependentType())
    return std::nullopt;
  ArrayFact Fact;
  while (const ArrayType *Array = Context.getAsArrayType(Type)) {
    const auto *Constant = dyn_cast<ConstantArrayType>(Array);
    Fact.Dimensions.push_back(Constant ? Constant->getSize().getZExtValue()
                                       : 0);
    Type = Array->getElementType();
  }
  if (!hasSize(Type))
    return std::nullopt;
  Fact.ElementBytes = Context.getTypeSizeInChars(Type).getQuantity();
  Fact.Where = Places.locate(Variable->getLocation());
  Fact.IsTable = Tables.has(*Variable, Type);
  if (Uses.isOnlySubscripted(*Variable))
    describeText(Variable, Fact);
  return Fact;
}

/// Which row \p Outer name, the last subscript but one first, of an array of
/// \p Dimensions; empty where one of them is no constant.
static void setFixedRow(AccessFact &Fact, ArrayRef<const Expr *> Outer,
                        ArrayRef<std::uint64_t> Dimensions,
                        const ASTContext &Context) {
  if (Dimensions.size() != Outer.size() + 1)
    return;
  std::int64_t Row = 0, Rows = 1;
  for (std::size_t I = 0; I != Outer.size(); ++I) {
    const std::optional<llvm::APSInt> Value =
        integerConstant(Context, *Outer[I]);
    if (!Value && I != 0)
      break;
    // Within the array, so that no product is too large.
    const std::uint64_t Its = Dimensions[Outer.size() - 1 - I];
    if (!Value || Value->isNegative() || Value->uge(Its))
      return;
    Row += Rows * static_cast<std::int64_t>(Value->getZExtValue());
    Rows *= static_cast<std::int64_t>(Its);
  }
  Fact.FixedRow = Row;
  Fact.RowsOfPlane = Rows;
}

/// Whether \p Index is below \p Bound whatever it is made of: `i & 31`, or
/// `threadIdx.x % 32`.
static bool staysBelow(const Expr *Index, std::uint64_t Bound,
                       const ASTContext &Context) {
  const auto *Of = dyn_cast<BinaryOperator>(Index->IgnoreParenImpCasts());
  if (!Of || Of->isInstantiationDependent())
    return false;
  const bool IsMasked = Of->getOpcode() == BO_And;
  // The remainder of a negative number is one.
  const bool IsRemainder =
      Of->getOpcode() == BO_Rem && Of->getType()->isUnsignedIntegerType();
  if (!IsMasked && !IsRemainder)
    return false;
  const std::optional<llvm::APSInt> By =
      integerConstant(Context, *Of->getRHS());
  return By && !By->isNegative() &&
         (IsMasked ? By->ult(Bound) : By->ule(Bound));
}

/// The constants that are added to what is none in \p Index: 31 of
/// `32 + x - 1`. Of more than \p Depth sums in each other, some are left out.
static std::int64_t addedTo(const Expr *Index, const ASTContext &Context,
                            unsigned Depth = 8) {
  Index = Index->IgnoreParenImpCasts();
  if (const auto Number = integerConstant(Context, *Index))
    return Number->tryExtValue().value_or(0);
  const auto *Of = dyn_cast<BinaryOperator>(Index);
  if (!Depth || !Of || !Of->isAdditiveOp())
    return 0;
  const auto Left =
      static_cast<std::uint64_t>(addedTo(Of->getLHS(), Context, Depth - 1));
  const auto Right =
      static_cast<std::uint64_t>(addedTo(Of->getRHS(), Context, Depth - 1));
  return static_cast<std::int64_t>(Of->getOpcode() == BO_Sub ? Left - Right
                                                             : Left + Right);
}

TextOrigin FactMaker::originOf(const Expr *LValue, SourceLocation Where) {
  SmallVector<SourceLocation, 8> Parts;
  addParts(LValue, Parts);
  Parts.push_back(Where); // The operator or the call that accesses it.
  return {.Extent = Places.extentOf(LValue->getSourceRange()),
          .Macros = Places.macrosOf(Parts),
          .IncludedFrom = Places.includedFrom(Where)};
}

/// What is accessed through \p E. Of a pointer that a call takes, it is the
/// struct that it points to: `states + i`.
static QualType accessedType(const Expr *E) {
  const QualType Type = E->getType();
  if (!Type->isPointerType() || !Type->getPointeeType()->isRecordType() ||
      isa<ArraySubscriptExpr, MemberExpr>(E))
    return Type;
  const auto *U = dyn_cast<UnaryOperator>(E);
  return U && U->getOpcode() == UO_Deref ? Type : Type->getPointeeType();
}

AccessFact FactMaker::describe(const Expr *LValue, SourceLocation Where,
                               const AccessFact *Alike) {
  AccessFact Fact;
  Fact.Text = Alike ? Alike->Text : textOf(LValue);
  Fact.Origin = Alike ? Alike->Origin : originOf(LValue, Where);
  if (const SourceLocation Index = placeOfIndex(LValue);
      Index.isFileID() && Where.isFileID())
    if (const Location Its = Places.locate(Index), Own = Places.locate(Where);
        Its.File == Own.File && Its.Line != Own.Line)
      Fact.IndexLine = Its.Line;
  const Expr *Base = baseOfLvalue(LValue);
  const ValueDecl *Named = nullptr;
  if (const auto *D = dyn_cast<DeclRefExpr>(Base))
    Named = D->getDecl();
  else if (const auto *M = dyn_cast<MemberExpr>(Base))
    Named = M->getMemberDecl();
  if (Named)
    Fact.Object = Named->getNameAsString();
  const SmallVector<const Expr *, 4> Subscripts = lastSubscripts(LValue, Base);
  const auto isConstant = [&](const Expr *Index) {
    return !Index->isInstantiationDependent() &&
           Index->isIntegerConstantExpr(Context);
  };
  Fact.Subscripts = Subscripts.size();
  // In `t[0][k][i]` the row is k: that the plane is a constant says nothing.
  Fact.MayLeaveRow = Subscripts.size() > 1 && !isConstant(Subscripts.front()) &&
                     isConstant(Subscripts[1]);
  if (const QualType Type = accessedType(LValue); hasSize(Type)) {
    Fact.Bytes = Context.getTypeSizeInChars(Type).getQuantity();
    Fact.Align = Context.getTypeAlignInChars(Type).getQuantity();
    Fact.IsScalar = Type->isScalarType();
    const auto *Record = Type->getAsRecordDecl();
    Fact.IsOfSystem = Record && Sources.isInSystemHeader(Record->getLocation());
    if (Record && !Record->isUnion() && Record->getDefinition()) {
      Fact.Whole = describeStruct(*Record->getDefinition(), *Base);
      Fact.Whole->FieldBytes = Fact.Bytes;
      Fact.Whole->CopiesItself = copiesItself(Type);
    }
  }
  Fact.Field = describeField(LValue);
  if (const auto *Array =
          dyn_cast_or_null<DeclaratorDecl>(accessedArray(LValue))) {
    Fact.Array = describeArray(Array);
    if (Fact.Array && Subscripts.size() > 1 &&
        Fact.Array->Dimensions.size() == Subscripts.size()) {
      const std::uint64_t Row = Fact.Array->Dimensions.back();
      Fact.MayLeaveRow &= !staysBelow(Subscripts.front(), Row, Context);
      // Unless what it is added to is negative.
      Fact.MayLeaveRow |= addedTo(Subscripts.front(), Context) >=
                          static_cast<std::int64_t>(Row);
    }
    if (Fact.MayLeaveRow && Fact.Array)
      setFixedRow(Fact, ArrayRef(Subscripts).drop_front(),
                  Fact.Array->Dimensions, Context);
    if (const DeclaratorDecl *Whole = Uses.carvedBy(*Array))
      Fact.CarvedFrom = describeArray(Whole);
  } else if (const auto *Of = dyn_cast_or_null<DeclaratorDecl>(Named);
             Of && !Subscripts.empty() && Of->getType()->isArrayType()) {
    Fact.Addressed = describeArray(Of);
    if (Fact.Addressed &&
        Fact.Addressed->Dimensions.size() != Subscripts.size())
      Fact.Addressed.reset();
  }
  return Fact;
}

} // namespace cudalint
