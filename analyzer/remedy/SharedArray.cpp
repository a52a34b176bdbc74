//===- analyzer/remedy/SharedArray.cpp - One array, all its accesses ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/remedy/SharedArray.h"
#include "analyzer/model/Thresholds.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

namespace cudalint {

bool SharedArray::hasOneShape() const {
  return std::ranges::all_of(Users, [&](const User &Its) {
    return std::ranges::all_of(Its.Accesses, [&](const Access *Each) {
      return !Each->Source.Array ||
             Each->Source.Array->Dimensions == Declared->Dimensions;
    });
  });
}

bool SharedArray::mergesElements() const {
  return std::ranges::any_of(Users, [](const User &Each) {
    return std::ranges::any_of(Each.Accesses, [](const Access *A) {
      return A->Source.Bytes != 0 && A->Bytes > A->Source.Bytes;
    });
  });
}

/// The quotient of a number that may be negative has to be rounded down, as
/// `x >> 5` is: that is for powers of two.
bool SharedArray::suits(std::uint64_t Run) const {
  if (!Declared || !Declared->Offsets)
    return true;
  const auto isRounded = [&](IndexSign Sign) {
    return Sign == IndexSign::NeverNegative || std::has_single_bit(Run);
  };
  return std::ranges::all_of(*Declared->Offsets,
                             [&](const OffsetText &Each) {
                               return Each.Divisor % Run == 0 &&
                                      isRounded(Each.Sign);
                             }) &&
         std::ranges::all_of(
             *Declared->Subscripts,
             [&](const SubscriptText &Each) { return isRounded(Each.Sign); });
}

const ArrayFact *declarationOf(const Access &A) {
  if (A.Source.Array)
    return &*A.Source.Array;
  return A.Source.CarvedFrom ? &*A.Source.CarvedFrom : nullptr;
}

/// `tile[a][b]`, or what is at its address, of an array of as many dimensions:
/// where it is, the declaration says. A flat pointer does not tell.
static bool isSubscripted(const Access &A,
                          const std::optional<ArrayFact> &Declared) {
  const std::optional<ArrayFact> &Its =
      A.Source.Array ? A.Source.Array : Declared;
  return Its && !Its->Dimensions.empty() &&
         A.Source.Subscripts == Its->Dimensions.size();
}

/// Its last index may run over the rows, and nobody has seen that it does not,
/// in blocks of the program's or in those that the numbers are about.
static bool mayRunOverRows(const Access &A) {
  return A.Source.MayLeaveRow && !A.StaysInRow.value_or(false);
}

static bool isSameShape(const Access &A, const Access &B) {
  return A.Block == B.Block;
}

static std::uint64_t bytesOf(const KernelModel &Kernel,
                             const std::string &Variable) {
  const auto Found =
      std::ranges::find(Kernel.Shared, Variable, &SharedVariable::Name);
  return Found == Kernel.Shared.end() ? 0 : Found->Bytes;
}

/// As its declaration calls it, whatever \p A does. Dynamic memory is of many
/// objects, unless it is all \p Carved.
static std::string nameOf(const KernelModel &Kernel, const Access &A,
                          bool Carved) {
  const auto Found =
      std::ranges::find(Kernel.Shared, A.Variable, &SharedVariable::Name);
  return Found == Kernel.Shared.end() || (Found->Bytes == 0 && !Carved) ||
                 Found->PlainName.empty()
             ? A.Source.Object
             : Found->PlainName;
}

namespace {
class ArrayBuilder {
public:
  /// \p Carved: what all pointers make of the memory; null: it is under one
  /// name.
  ArrayBuilder(const KernelModel &K, const Access &A,
               const ArrayFact *Carved = nullptr)
      : K(K), A(A), Carved(Carved) {
    Result.Name = nameOf(K, A, Carved);
    Result.Declared = A.Source.Array;
    if (Carved)
      Result.Declared = *Carved;
    Variables.insert(A.Variable);
  }

  SharedArray build();

private:
  std::vector<const KernelModel *> kernels() const;
  bool isMeant(const Access &B) const;
  bool isOfOneDeclaration(const Access &B) const;
  void addKernel(const KernelModel &Kernel);
  void addDeclaration(const KernelModel &Kernel, const Access &B);
  void addAccess(const KernelModel &Kernel, const Access &B,
                 std::int64_t Widest);
  void blockIfOutside(const KernelModel &Kernel, const Access &B);
  void addName(const Access &B);
  void addOtherName(const Access &B);
  void block(std::string Why) {
    if (Result.Obstacle.empty())
      Result.Obstacle = std::move(Why);
  }

  const KernelModel &K;
  const Access &A;
  const ArrayFact *Carved;
  /// Linkage names: the instances of a template have one each.
  std::set<std::string> Variables;
  SharedArray Result;
};
} // namespace

/// The one that is asked about first.
std::vector<const KernelModel *> ArrayBuilder::kernels() const {
  std::vector<const KernelModel *> All = {&K};
  for (const KernelModel *Each : K.Unit)
    if (Each != &K)
      All.push_back(Each);
  return All;
}

bool ArrayBuilder::isMeant(const Access &B) const {
  return B.Space == MemorySpace::Shared && Variables.contains(B.Variable) &&
         (!Result.IsDynamic || Carved || B.Source.Object == A.Source.Object);
}

/// Where it is then, no layout decides.
void ArrayBuilder::blockIfOutside(const KernelModel &Kernel, const Access &B) {
  const auto Bytes = static_cast<std::int64_t>(bytesOf(Kernel, B.Variable));
  if (!B.Reach || Bytes == 0 || !isLaunched(B.BlockSource))
    return;
  if (B.Reach->End > Bytes)
    block(fmt::format("'{}' goes beyond the {} that it has", B.Source.Text,
                      countOf(Bytes, "byte")));
  else if (B.Reach->Begin < 0)
    block(fmt::format("'{}' begins before it", B.Source.Text));
}

void ArrayBuilder::addAccess(const KernelModel &Kernel, const Access &B,
                             std::int64_t Widest) {
  blockIfOutside(Kernel, B);
  const bool IsSubscripted = isSubscripted(B, Result.Declared);
  const bool IsAtItsIndices = IsSubscripted && !mayRunOverRows(B);
  Result.IsIndexedByRows &= IsAtItsIndices;
  Result.RestsOnBlock |=
      IsAtItsIndices && B.Source.MayLeaveRow && !isLaunched(B.BlockSource);
  if (IsSubscripted && !IsAtItsIndices && Result.OverRows.empty())
    Result.OverRows = B.Source.Text;
  Result.IsNamedInFull &=
      IsAtItsIndices && (B.Source.Array || (Carved && declarationOf(B)));
  if (Carved)
    addName(B);
  else
    addOtherName(B);
  if (!B.Predicted || B.Samples.empty() || B.Stride) {
    // Its cost stays as it is, but its index must still be right.
    if (!IsAtItsIndices)
      block("not all addresses of it are known");
    Result.HasUnknown = true;
    return;
  }
  for (SharedArray::User &Each : Result.Users)
    if (Each.Kernel == &Kernel && isSameShape(*Each.Accesses.front(), B)) {
      Each.Accesses.push_back(&B);
      return;
    }
  Result.Users.push_back({&Kernel, bytesOf(Kernel, B.Variable), Widest, {&B}});
}

/// Of memory that is carved up: whatever is not seen to be a part of it may be
/// anywhere in it.
void ArrayBuilder::addName(const Access &B) {
  const ArrayFact *Its = declarationOf(B);
  if (!Its || Its->Where != Carved->Where || B.Source.Subscripts != 1)
    block("an access reaches it in another way");
  if (!B.Source.Array && std::ranges::find(Result.Pointers, B.Source.Object) ==
                             Result.Pointers.end())
    Result.Pointers.push_back(B.Source.Object);
}

void ArrayBuilder::addOtherName(const Access &B) {
  // `float *f = (float *)buffer`: new places for floats are none for doubles.
  const bool HasAnyName = !A.Source.Object.empty() || !Result.Name.empty();
  Result.IsByAddress |= B.Source.Object.empty() && HasAnyName;
  const std::int64_t Its = bytesAsWritten(B), Own = bytesAsWritten(A);
  if (!B.Source.Object.empty() && !A.Source.Object.empty() &&
      B.Source.Object != A.Source.Object && Its != Own)
    block(fmt::format("it is also accessed through '{}', {} {} at a time and "
                      "not {}",
                      B.Source.Object, Its, Its == 1 ? "byte" : "bytes", Own));
  if (B.Source.Object != Result.Name && !B.Source.Object.empty()) {
    std::vector<std::string> &Names =
        B.Source.Array ? Result.OtherDeclarations : Result.OtherNames;
    if (std::ranges::find(Names, B.Source.Object) == Names.end())
      Names.push_back(B.Source.Object);
  }
}

/// Members of a struct or a union share one variable: rows of one of them are
/// none of the others.
void ArrayBuilder::addDeclaration(const KernelModel &Kernel, const Access &B) {
  if (!B.Source.Array) {
    if (!Result.Declared)
      Result.Declared = B.Source.Addressed;
    return;
  }
  if (!Result.Declared)
    Result.Declared = B.Source.Array;
  std::uint64_t Bytes = B.Source.Array->ElementBytes;
  for (const std::uint64_t Size : B.Source.Array->Dimensions)
    Bytes *= Size;
  if (const std::uint64_t All = bytesOf(Kernel, B.Variable);
      All != 0 && Bytes != 0 && Bytes != All)
    block("it is a part of a larger object");
  if (B.Source.Array->Where != Result.Declared->Where)
    block("it is one of several members");
}

void ArrayBuilder::addKernel(const KernelModel &Kernel) {
  std::int64_t Widest = 1;
  for (const SharedVariable &Each : Kernel.Shared)
    if (Variables.contains(Each.Name)) {
      Widest = std::max<std::int64_t>(Widest, std::min(Each.Widest, 16u));
      Result.IsNamedInFull &= !Each.HasUnreached;
      Result.HasMatrices |= Each.HasMatrices;
      if (!Each.Unseen.empty())
        block(Each.Unseen);
    }
  for (const Access &B : Kernel.Accesses)
    if (B.Space == MemorySpace::Shared && Variables.contains(B.Variable))
      Widest = std::max(Widest, std::min<std::int64_t>(bytesAsWritten(B), 16));
  for (const Access &B : Kernel.Accesses)
    if (isMeant(B))
      addDeclaration(Kernel, B);
  for (SharedArray::User &Each : Result.Users)
    if (Each.Kernel == &Kernel)
      Each.Widest = Widest;
  for (const Access &B : Kernel.Accesses)
    if (isMeant(B))
      addAccess(Kernel, B, Widest);
}

/// With A: both name the array, or, where pointers carve it up, lead into it.
bool ArrayBuilder::isOfOneDeclaration(const Access &B) const {
  if (!Carved)
    return A.Source.Array && B.Source.Array &&
           A.Source.Array->Where == B.Source.Array->Where;
  const ArrayFact *Its = declarationOf(B);
  return Its && Its->Where == Carved->Where;
}

SharedArray ArrayBuilder::build() {
  if (A.Variable.empty())
    block("its accesses may be to one of several arrays");
  for (const KernelModel *Kernel : kernels())
    for (const Access &B : Kernel->Accesses)
      if (isOfOneDeclaration(B) && !B.Variable.empty())
        Variables.insert(B.Variable);
  for (const SharedVariable &Each : K.Shared)
    Result.IsDynamic |= Each.Bytes == 0 && Variables.contains(Each.Name);
  // The user that is asked about comes first.
  Result.Users.push_back({&K, bytesOf(K, A.Variable), 1, {&A}});
  // What a launch gives, each kernel carves up as it likes, unless rows are
  // declared for all of them.
  const bool HasRows = A.Source.Array && A.Source.Array->Dimensions.size() > 1;
  for (const KernelModel *Kernel : kernels())
    if (Kernel == &K || !Result.IsDynamic || HasRows)
      addKernel(*Kernel);
  // In the kernel's order, whichever access it is that is asked about.
  std::vector<const Access *> &Own = Result.Users.front().Accesses;
  if (std::ranges::count(Own, &A) > 1)
    Own.erase(Own.begin());
  for (const SharedArray::User &Each : Result.Users)
    Result.Widest = std::max(Result.Widest, Each.Widest);
  Result.IsByAddress &= Result.Obstacle.empty();
  if (Result.IsByAddress)
    block("an access reaches it by its address alone");
  return std::move(Result);
}

SharedArray sharedArrayOf(const KernelModel &K, const Access &A) {
  return ArrayBuilder(K, A).build();
}

std::optional<SharedArray> carvedArrayOf(const KernelModel &K,
                                         const Access &A) {
  const ArrayFact *Carved = declarationOf(A);
  if (!Carved || !Carved->Offsets || A.Variable.empty())
    return std::nullopt;
  SharedArray Result = ArrayBuilder(K, A, Carved).build();
  if (!Result.Obstacle.empty() || Result.Pointers.empty())
    return std::nullopt;
  return Result;
}

/// Whether accesses of \p Width bytes from each \p Width of \p A on are torn
/// apart, or less aligned than they were.
static bool breaks(const Access &A, const Layout &New, std::int64_t Width) {
  const auto Aligned = static_cast<std::int64_t>(std::bit_floor(
      static_cast<std::uint64_t>(std::min<std::int64_t>(Width, 16))));
  for (const RequestSample &S : A.Samples)
    for (unsigned Lane = 0; Lane < WarpSize; ++Lane) {
      if (!(S.ActiveMask >> Lane & 1))
        continue;
      for (std::int64_t From = 0; From < A.Bytes; From += Width) {
        const std::int64_t Old = S.Offset[Lane] + From, Then = New(Old);
        if ((Old % Aligned == 0 && Then % Aligned != 0) ||
            New(Old + Width - 1) - Then != Width - 1)
          return true;
      }
    }
  return false;
}

/// Whether \p New takes apart what the compiler merged, somewhere in an array:
/// the requests that were evaluated need not come to where it does.
static bool tearsMerged(const Access &A, const Layout &New) {
  constexpr std::int64_t Range = 16384; // Longer than any row that is tried.
  const std::int64_t Width = A.Bytes;
  if (bytesAsWritten(A) == Width || !std::has_single_bit(A.Bytes))
    return false;
  for (std::int64_t Old = 0; Old < Range; Old += Width) {
    const std::int64_t Then = New(Old);
    if (Then % Width != 0 || New(Old + Width - 1) - Then != Width - 1)
      return true;
  }
  return false;
}

static bool isTorn(const Access &A, const Layout &New) {
  return New && (breaks(A, New, A.Bytes) || tearsMerged(A, New));
}

/// What \p A costs under \p New. Where it does not stay whole, it is as many
/// accesses as are written. Empty where one of these breaks.
static std::optional<MeanTraffic>
trafficOf(const Architecture &Arch, const Access &A, const Layout &New) {
  if (!isTorn(A, New))
    return meanShared(Arch, A, New);
  const std::int64_t Width = bytesAsWritten(A);
  if (Width == A.Bytes || A.Bytes % Width != 0 || breaks(A, New, Width))
    return std::nullopt;
  Access Piece = A;
  Piece.Bytes = static_cast<unsigned>(Width);
  MeanTraffic Sum;
  for (std::int64_t From = 0; From < A.Bytes; From += Width) {
    const MeanTraffic One = meanShared(
        Arch, Piece, [&](std::int64_t Offset) { return New(Offset + From); });
    Sum.Transactions += One.Transactions;
    Sum.Ideal += One.Ideal;
  }
  return Sum;
}

std::optional<ArrayCost> costOf(const SharedArray::User &User,
                                const LayoutFor &New) {
  const Architecture &Arch = *User.Kernel->Gpu.Arch;
  ArrayCost Cost;
  Cost.IsOfBlock = std::ranges::all_of(User.Accesses, [](const Access *Each) {
    return Each->Executions.has_value();
  });
  for (const Access *Each : User.Accesses) {
    const std::optional<MeanTraffic> Traffic =
        trafficOf(Arch, *Each, New ? New(User, *Each) : nullptr);
    if (!Traffic)
      return std::nullopt;
    const auto [X, Y, Z] = Each->Block;
    const double Times =
        Cost.IsOfBlock
            ? *Each->Executions *
                  std::ceil(static_cast<double>(X * Y * Z) / WarpSize)
            : std::max(1.0, Each->Predicted->Requests);
    const double Turns =
        Cost.IsOfBlock
            ? 1
            : std::pow(threshold::TurnsOfALoop, std::min(Each->LoopDepth, 8u));
    Cost.Each.push_back(Traffic->Transactions);
    Cost.LoopDepths.push_back(Each->LoopDepth);
    Cost.IsTorn |= New && isTorn(*Each, New(User, *Each));
    Cost.Wavefronts += Times * Traffic->Transactions;
    Cost.Weighed += Turns * Times * Traffic->Transactions;
    Cost.Ideal += Times * Traffic->Ideal;
  }
  return Cost;
}

} // namespace cudalint
