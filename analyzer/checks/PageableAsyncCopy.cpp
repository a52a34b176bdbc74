//===- analyzer/checks/PageableAsyncCopy.cpp - Copies that wait -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"
#include "analyzer/frontend/IntegerConstants.h"
#include "analyzer/frontend/UserFunctions.h"
#include "analyzer/launch/PageableMemory.h"
#include "analyzer/launch/RuntimeCalls.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

#include <set>

namespace cudalint::pageable_async_copy {
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

} // namespace

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

static void checkCopy(const clang::ASTContext &Context,
                      const clang::FunctionDecl &F, const PageableMemory &All,
                      const clang::CallExpr &Call, FindingSink &Out) {
  const llvm::StringRef Direction = copyDirection(Call, 3);
  const bool FromHost = Direction == "cudaMemcpyHostToDevice";
  if (!FromHost && Direction != "cudaMemcpyDeviceToHost")
    return;
  const std::optional<CopiedMemory> Host =
      All.of(*Call.getArg(FromHost ? 1 : 0));
  const std::optional<std::int64_t> Bytes =
      int64Constant(Context, *Call.getArg(2));
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
  const PageableMemory All(Context, Functions);
  for (const Copy &Each : Copies)
    checkCopy(Context, *Each.In, All, *Each.Call, Out);
}

CUDA_LINT_REGISTER_CHECK(PageableAsyncCopy)

} // namespace cudalint::pageable_async_copy
