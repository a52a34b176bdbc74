//===- analyzer/checks/PageableAsyncCopy.cpp - Copies that wait -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"
#include "analyzer/frontend/UserFunctions.h"
#include "analyzer/launch/RuntimeCalls.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSwitch.h"

#include <map>
#include <set>

namespace cudalint {
/// By the Runtime API's "API synchronization behavior", transfers from pageable
/// memory to the GPU of so many bytes do not wait.
static constexpr CheckOption MostBytes = {
    "pageable-async-copy.MostBytes", 64 * 1024, 0, 1e18,
    "bytes of a copy, known, up to which it is not told"};

static constexpr CheckOption Options[] = {MostBytes};

namespace {

class PageableAsyncCopy : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "pageable-async-copy",
      .Level = Maturity::Stable,
      .Default = Severity::Warning,
      .Summary = "finds asynchronous copies of host memory that is not pinned",
      .Why =
          R"md(`cudaMemcpyAsync` is asynchronous only where the host memory is
pinned, as that of `cudaMallocHost` and `cudaHostAlloc`. The copy engine of the
GPU reads physical memory, and what `malloc`, `new` or `std::vector` give may be
paged out. The driver therefore copies such memory in pieces through a pinned
buffer of its own: the call returns late, from the GPU only when all is there,
and neither the host nor other streams do anything meanwhile. The copy takes
longer, too. NVIDIA's CUDA Runtime API has the rules in "API synchronization
behavior", and its CUDA C++ Best Practices Guide says to pin what is copied
often (chapter "Pinned Memory").)md",
      .Bad = R"cuda(__global__ void twice(float *data) {
  data[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}

void run(float *data, cudaStream_t stream) {
  float *input = (float *)malloc(1 << 20);
  for (int i = 0; i < 100; ++i) {
    input[i] = i;
    cudaMemcpyAsync(data, input, 1 << 20, cudaMemcpyHostToDevice, stream);
    twice<<<1024, 256, 0, stream>>>(data);
  }
}
)cuda",
      .Good = R"cuda(__global__ void twice(float *data) {
  data[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}

void run(float *data, cudaStream_t stream) {
  float *input;
  cudaMallocHost(&input, 1 << 20);
  for (int i = 0; i < 100; ++i) {
    input[i] = i;
    cudaMemcpyAsync(data, input, 1 << 20, cudaMemcpyHostToDevice, stream);
    twice<<<1024, 256, 0, stream>>>(data);
  }
}
)cuda",
      .Limits = R"md(Speaks where the direction is a constant and the memory is
an array, a `std::vector`, or a variable of the file that is given nothing but
the results of `malloc` and `new`. Silent about parameters and members, about
files that call `cudaHostRegister`, up to 64 KB, which the driver takes at once
when they go to the GPU, where the next statement waits for the copy anyway, and
where there is nothing that the copy could run beside: outside of loops, before
the first launch of its function.)md",
      .Options = Options};
  const CheckInfo &info() const override { return Info; }
  void checkSource(const clang::ASTContext &Context, const Target &Gpu,
                   FindingSink &Out) const override;
};

/// Where the memory of a variable comes from.
struct Origins {
  std::string Allocator; ///< `malloc`, `new`; empty: none is seen.
  bool HasOthers = false;
};

/// Of all variables of a file that are pointers.
class PointerOrigins {
public:
  Origins &operator[](const clang::VarDecl *V) {
    return Known[V->getCanonicalDecl()];
  }
  bool areFromHeap(const clang::VarDecl &V) const {
    const auto Of = Known.find(V.getCanonicalDecl());
    return Of != Known.end() && !Of->second.HasOthers &&
           !Of->second.Allocator.empty();
  }
  /// Other files do nothing to the variables of this one.
  bool HasMain = false;

private:
  std::map<const clang::VarDecl *, Origins> Known;
};

} // namespace

//===----------------------------------------------------------------------===//
// Where memory comes from
//===----------------------------------------------------------------------===//

/// Whose pageable memory \p E is; empty: not known to be pageable. Null
/// pointers are "0": they are copied by nobody.
static llvm::StringRef pageableAllocator(const clang::ASTContext &Context,
                                         const clang::Expr *E) {
  E = E->IgnoreParenCasts();
  if (const auto *New = llvm::dyn_cast<clang::CXXNewExpr>(E)) {
    const clang::FunctionDecl *By = New->getOperatorNew();
    return By && By->isReplaceableGlobalAllocationFunction() && !By->isDefined()
               ? "new"
               : "";
  }
  if (E->isNullPointerConstant(const_cast<clang::ASTContext &>(Context),
                               clang::Expr::NPC_ValueDependentIsNotNull))
    return "0";
  const auto *Call = llvm::dyn_cast<clang::CallExpr>(E);
  const clang::FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  if (!Callee || !Callee->getIdentifier() || Callee->hasBody() ||
      !Callee->isExternC())
    return "";
  return llvm::StringSwitch<llvm::StringRef>(Callee->getName())
      .Case("malloc", "malloc")
      .Case("calloc", "calloc")
      .Case("realloc", "realloc")
      .Case("aligned_alloc", "aligned_alloc")
      .Default("");
}

static void noteOrigin(const clang::ASTContext &Context, PointerOrigins &All,
                       const clang::VarDecl *V, const clang::Expr *From) {
  if (!V || !V->getType()->isPointerType())
    return;
  Origins &Of = All[V];
  const llvm::StringRef By = pageableAllocator(Context, From);
  if (By.empty())
    Of.HasOthers = true;
  else if (By != "0")
    Of.Allocator = By.str();
}

/// Everything that is done to variables that are pointers, other than to read
/// them.
static void noteOrigins(const clang::ASTContext &Context, PointerOrigins &All,
                        const clang::Stmt *Body) {
  const auto hasOthers = [&](const clang::Expr *E) {
    if (const clang::VarDecl *V = E ? namedVariable(E) : nullptr)
      All[V].HasOthers = true;
  };
  forEachWithin(Body, [&](const clang::Stmt &S,
                          llvm::ArrayRef<const clang::Stmt *> Around) {
    if (const auto *Declared = llvm::dyn_cast<clang::DeclStmt>(&S)) {
      for (const clang::Decl *D : Declared->decls()) {
        const auto *V = llvm::dyn_cast<clang::VarDecl>(D);
        if (!V || !V->getInit())
          continue;
        if (V->getType()->isReferenceType())
          hasOthers(V->getInit());
        noteOrigin(Context, All, V, V->getInit());
      }
    } else if (const auto *Operator =
                   llvm::dyn_cast<clang::BinaryOperator>(&S)) {
      if (Operator->getOpcode() == clang::BO_Assign)
        noteOrigin(Context, All, namedVariable(Operator->getLHS()),
                   Operator->getRHS());
    } else if (const auto *Unary = llvm::dyn_cast<clang::UnaryOperator>(&S)) {
      if (Unary->getOpcode() == clang::UO_AddrOf)
        hasOthers(Unary->getSubExpr());
    } else if (const auto *Lambda = llvm::dyn_cast<clang::LambdaExpr>(&S)) {
      for (const clang::LambdaCapture &Each : Lambda->captures())
        if (Each.capturesVariable() &&
            Each.getCaptureKind() == clang::LCK_ByRef)
          if (const auto *V =
                  llvm::dyn_cast<clang::VarDecl>(Each.getCapturedVar()))
            All[V].HasOthers = true;
    } else if (const auto *Named = llvm::dyn_cast<clang::DeclRefExpr>(&S)) {
      // Neither read nor the left side of an assignment: bound to a reference.
      const clang::Stmt *Parent = nullptr;
      for (const clang::Stmt *Each : llvm::reverse(Around)) {
        if (llvm::isa<clang::ParenExpr>(Each))
          continue;
        Parent = Each;
        break;
      }
      const auto *Cast = llvm::dyn_cast_or_null<clang::CastExpr>(Parent);
      if (Parent && llvm::isa<clang::CallExpr, clang::CXXConstructExpr>(Parent))
        hasOthers(Named);
      else if (Cast && Cast->getCastKind() != clang::CK_LValueToRValue &&
               Cast->getCastKind() != clang::CK_ArrayToPointerDecay)
        hasOthers(Named);
    }
    return true;
  });
}

/// `std::vector<T>` with the allocator that comes with it.
static bool isPlainVector(clang::QualType Type) {
  const auto *Class =
      llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
          Type.getNonReferenceType()->getAsCXXRecordDecl());
  if (!Class || !Class->isInStdNamespace() || Class->getName() != "vector" ||
      Class->getTemplateArgs().size() < 2)
    return false;
  const clang::TemplateArgument &Second = Class->getTemplateArgs()[1];
  const clang::CXXRecordDecl *Allocator =
      Second.getKind() == clang::TemplateArgument::Type
          ? Second.getAsType()->getAsCXXRecordDecl()
          : nullptr;
  return Allocator && Allocator->isInStdNamespace() &&
         Allocator->getName() == "allocator";
}

/// The vector whose memory `v.data()` or `&v[i]` is; or null.
static const clang::Expr *vectorOf(const clang::Expr *E) {
  if (const auto *Call = llvm::dyn_cast<clang::CXXMemberCallExpr>(E)) {
    const clang::CXXMethodDecl *Method = Call->getMethodDecl();
    const clang::Expr *Object =
        Call->getImplicitObjectArgument()->IgnoreParenImpCasts();
    return Method && Method->getIdentifier() && Method->getName() == "data" &&
                   isPlainVector(Object->getType())
               ? Object
               : nullptr;
  }
  const auto *Address = llvm::dyn_cast<clang::UnaryOperator>(E);
  const auto *Element = Address && Address->getOpcode() == clang::UO_AddrOf
                            ? llvm::dyn_cast<clang::CXXOperatorCallExpr>(
                                  Address->getSubExpr()->IgnoreParenImpCasts())
                            : nullptr;
  if (!Element || Element->getOperator() != clang::OO_Subscript)
    return nullptr;
  const clang::Expr *Object = Element->getArg(0)->IgnoreParenImpCasts();
  return isPlainVector(Object->getType()) ? Object : nullptr;
}

/// What the host side of a copy is called, and whose memory it is.
struct HostMemory {
  std::string Name, From;
};

/// Of `all[i].rows`, `rows`; of `rows[i]`, too.
static std::string firstName(const clang::Expr *E) {
  std::string Name;
  forEachStatement(E, [&](const clang::Stmt &S) {
    const auto *Part = llvm::dyn_cast<clang::Expr>(&S);
    const clang::ValueDecl *Named = Part ? namedObject(Part) : nullptr;
    if (Name.empty() &&
        llvm::isa_and_present<clang::VarDecl, clang::FieldDecl>(Named))
      Name = Named->getNameAsString();
  });
  return Name.empty() ? "a vector" : Name;
}

static std::optional<HostMemory> pageable(PointerOrigins &All,
                                          const clang::Expr *E) {
  E = E->IgnoreParenCasts();
  if (const clang::Expr *Vector = vectorOf(E)) {
    return HostMemory{firstName(Vector), "a 'std::vector'"};
  }
  // `p + n`, `&p[n]`, `&x`, `array`
  const auto *Sum = llvm::dyn_cast<clang::BinaryOperator>(E);
  if (Sum && Sum->isAdditiveOp() && Sum->getLHS()->getType()->isPointerType())
    E = Sum->getLHS()->IgnoreParenCasts();
  const auto *Address = llvm::dyn_cast<clang::UnaryOperator>(E);
  bool IsAddress = Address && Address->getOpcode() == clang::UO_AddrOf;
  if (IsAddress)
    E = Address->getSubExpr()->IgnoreParenCasts();
  while (const auto *Element = llvm::dyn_cast<clang::ArraySubscriptExpr>(E)) {
    const clang::Expr *Base = Element->getBase()->IgnoreParenImpCasts();
    if (!IsAddress && !Element->getType()->isArrayType())
      return std::nullopt;
    E = Base;
    // `&p[n]` is in what p points to, and p itself is no array.
    if (!Base->getType()->isArrayType()) {
      IsAddress = false;
      break;
    }
  }
  const clang::VarDecl *V = namedVariable(E);
  if (!V || V->hasAttr<clang::CUDADeviceAttr>() ||
      V->hasAttr<clang::CUDAConstantAttr>() ||
      V->getType()->isReferenceType() ||
      (V->isExternallyVisible() && !All.HasMain))
    return std::nullopt;
  if (V->getType()->isArrayType() || IsAddress)
    return llvm::isa<clang::ParmVarDecl>(V) && !IsAddress
               ? std::nullopt
               : std::optional(HostMemory{V->getNameAsString(),
                                          "a variable of the host"});
  if (llvm::isa<clang::ParmVarDecl>(V) || !V->getType()->isPointerType() ||
      V->hasExternalStorage() || !All.areFromHeap(*V))
    return std::nullopt;
  return HostMemory{V->getNameAsString(), "of '" + All[V].Allocator + "'"};
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

enum class Next : std::uint8_t { Waits, Copies, Works };

/// What a statement behind a copy does with the GPU.
static Next nextOf(const clang::Stmt *Statement) {
  Next Does = Next::Works;
  forEachStatement(Statement, [&](const clang::Stmt &S) {
    const auto *Call = llvm::dyn_cast<clang::CallExpr>(&S);
    const llvm::StringRef Name = Call ? runtimeCall(*Call) : llvm::StringRef();
    if (Name.ends_with("Synchronize"))
      Does = Next::Waits;
    else if (Does == Next::Works &&
             (Name == "cudaMemcpyAsync" || Name == "cudaMemsetAsync" ||
              Name == "cudaEventRecord"))
      Does = Next::Copies;
  });
  return Does;
}

/// Whether nothing but more copies comes between \p Call and a call that waits
/// for the GPU.
static bool isWaitedFor(const clang::CallExpr &Call,
                        llvm::ArrayRef<const clang::Stmt *> Around) {
  const clang::Stmt *Child = &Call;
  for (const clang::Stmt *Parent : llvm::reverse(Around)) {
    const auto *Block = llvm::dyn_cast<clang::CompoundStmt>(Parent);
    // A macro's block looks at the error, no more.
    if (Block && !Block->getLBracLoc().isMacroID())
      for (auto At = llvm::find(Block->body(), Child);
           At != Block->body_end() && ++At != Block->body_end();)
        if (const Next Does = nextOf(*At); Does != Next::Copies)
          return Does == Next::Waits;
    // The last of a block: look around it.
    Child = Parent;
  }
  return false;
}

/// Whether the GPU may be at work when \p Call is made: in a loop, or behind a
/// launch of \p F.
static bool mayOverlap(const clang::FunctionDecl &F,
                       const clang::CallExpr &Call,
                       llvm::ArrayRef<const clang::Stmt *> Around) {
  // `do ... while (0)` is what macros are made of.
  if (llvm::any_of(Around, [](const clang::Stmt *S) {
        return llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt,
                         clang::CXXForRangeStmt>(S) &&
               !S->getBeginLoc().isMacroID();
      }))
    return true;
  bool IsBehind = false, IsReached = false;
  forEachStatement(F.getBody(), [&](const clang::Stmt &S) {
    IsReached |= &S == &Call;
    IsBehind |= !IsReached && llvm::isa<clang::CUDAKernelCallExpr>(S);
  });
  return IsBehind;
}

static std::optional<std::uint64_t> sizeOf(const clang::ASTContext &Context,
                                           const clang::Expr *Bytes) {
  clang::Expr::EvalResult Known;
  if (Bytes->isValueDependent() || !Bytes->EvaluateAsInt(Known, Context))
    return std::nullopt;
  return Known.Val.getInt().getZExtValue();
}

static void checkCopy(const clang::ASTContext &Context,
                      const clang::FunctionDecl &F, PointerOrigins &All,
                      const clang::CallExpr &Call, FindingSink &Out) {
  const llvm::StringRef Direction = copyDirection(Call, 3);
  const bool FromHost = Direction == "cudaMemcpyHostToDevice";
  if (!FromHost && Direction != "cudaMemcpyDeviceToHost")
    return;
  const std::optional<HostMemory> Host =
      pageable(All, Call.getArg(FromHost ? 1 : 0));
  const std::optional<std::uint64_t> Bytes = sizeOf(Context, Call.getArg(2));
  if (!Host || (Bytes && static_cast<double>(*Bytes) <= Out.value(MostBytes)))
    return;
  Finding &Found =
      Out.report(placeOf(Context, Call.getSourceRange()),
                 {SubjectKind::Call, plainName(F), Host->Name},
                 {"copy-waits",
                  FromHost ? "an asynchronous copy from '{memory}', which is "
                             "not pinned, makes the host wait"
                           : "an asynchronous copy to '{memory}', which is not "
                             "pinned, makes the host wait",
                  {{"memory", Host->Name}}});
  Found.Cause = {"staged",
                 "it is {origin}, and the driver copies pageable memory in "
                 "pieces through a buffer of its own",
                 {{"origin", Host->From}}};
  Found.Remedy = {"pin-memory",
                  "allocate it with 'cudaMallocHost', or register it once "
                  "with 'cudaHostRegister'",
                  {}};
  if (FromHost && !Bytes) {
    Found.Trust = Certainty::Assumed;
    Found.Assumptions = {"more than 64 KB are copied"};
  }
}

static bool registersMemory(const UserFunctions &Functions) {
  bool Registers = false;
  for (const clang::FunctionDecl *F : Functions.Definitions)
    forEachStatement(F->getBody(), [&](const clang::Stmt &S) {
      const auto *Call = llvm::dyn_cast<clang::CallExpr>(&S);
      Registers =
          Registers || (Call && runtimeCall(*Call) == "cudaHostRegister");
    });
  return Registers;
}

void PageableAsyncCopy::checkSource(const clang::ASTContext &Context,
                                    const Target &, FindingSink &Out) const {
  const UserFunctions Functions = collectUserFunctions(Context);
  struct Copy {
    const clang::FunctionDecl *In;
    const clang::CallExpr *Call;
  };
  std::vector<Copy> Copies;
  std::set<unsigned> Seen; // Instantiations share their places.
  for (const clang::FunctionDecl *F : Functions.Definitions)
    forEachWithin(F->getBody(), [&](const clang::Stmt &S,
                                    llvm::ArrayRef<const clang::Stmt *> Above) {
      const auto *Call = llvm::dyn_cast<clang::CallExpr>(&S);
      if (Call && runtimeCall(*Call) == "cudaMemcpyAsync" &&
          Call->getNumArgs() >= 4 && !isWaitedFor(*Call, Above) &&
          mayOverlap(*F, *Call, Above) &&
          Seen.insert(Call->getBeginLoc().getRawEncoding()).second)
        Copies.push_back({F, Call});
      return true;
    });
  if (Copies.empty() || registersMemory(Functions))
    return;
  PointerOrigins All;
  All.HasMain = llvm::any_of(Functions.Definitions,
                             [](const auto *F) { return F->isMain(); });
  for (const clang::VarDecl *V : Functions.Variables)
    if (V->getInit())
      noteOrigin(Context, All, V, V->getInit());
  for (const clang::FunctionDecl *F : Functions.Definitions)
    noteOrigins(Context, All, F->getBody());
  for (const Copy &Each : Copies)
    checkCopy(Context, *Each.In, All, *Each.Call, Out);
}

CUDA_LINT_REGISTER_CHECK(PageableAsyncCopy)

} // namespace cudalint
