//===- analyzer/checks/SharedArray.cpp - One array, all its accesses ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/SharedArray.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

namespace cudalint {

/// `tile[a][b]` names every dimension: where the element is, the declaration
/// says. A cast or a flat pointer does not.
static bool namesEveryDimension(const Access &A) {
  return A.Source.Array && !A.Source.Array->Dimensions.empty() &&
         A.Source.Subscripts == A.Source.Array->Dimensions.size();
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

namespace {
class ArrayBuilder {
public:
  ArrayBuilder(const KernelModel &K, const Access &A) : K(K), A(A) {
    Result.Name = A.Source.Object;
    Result.Declared = A.Source.Array;
    Variables.insert(A.Variable);
  }

  SharedArray build();

private:
  std::vector<const KernelModel *> kernels() const;
  bool isMeant(const Access &B) const;
  void addKernel(const KernelModel &Kernel);
  void addAccess(const KernelModel &Kernel, const Access &B);
  void block(std::string Why) {
    if (Result.Obstacle.empty())
      Result.Obstacle = std::move(Why);
  }

  const KernelModel &K;
  const Access &A;
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
         (!Result.IsDynamic || B.Source.Object == A.Source.Object);
}

void ArrayBuilder::addAccess(const KernelModel &Kernel, const Access &B) {
  const bool IsNamed = namesEveryDimension(B);
  Result.IsNamedInFull &= IsNamed;
  // `float *f = (float *)buffer`: new places for floats are none for doubles.
  if (B.Source.Object != A.Source.Object) {
    if (B.Source.Object.empty())
      block("an access reaches it by its address alone");
    if (B.Bytes != A.Bytes)
      block("'" + B.Source.Object + "' is another view of it");
    if (std::ranges::find(Result.OtherNames, B.Source.Object) ==
        Result.OtherNames.end())
      Result.OtherNames.push_back(B.Source.Object);
  }
  if (!Result.Declared)
    Result.Declared = B.Source.Array;
  if (!B.Predicted || B.Samples.empty() || B.Stride) {
    // Its cost stays as it is, but its index must still be right.
    if (!IsNamed)
      block("not all addresses of it are known");
    return;
  }
  for (SharedArray::User &Each : Result.Users)
    if (Each.Kernel == &Kernel && isSameShape(*Each.Accesses.front(), B)) {
      Each.Accesses.push_back(&B);
      return;
    }
  Result.Users.push_back({&Kernel, bytesOf(Kernel, B.Variable), {&B}});
}

void ArrayBuilder::addKernel(const KernelModel &Kernel) {
  for (const SharedVariable &Each : Kernel.Shared)
    if (Variables.contains(Each.Name)) {
      Result.Widest = std::max<std::int64_t>(Result.Widest, Each.Widest);
      Result.IsNamedInFull &= !Each.HasUnreached;
      if (!Each.Unseen.empty())
        block(Each.Unseen);
    }
  for (const Access &B : Kernel.Accesses) {
    if (B.Space != MemorySpace::Shared)
      continue;
    if (Variables.contains(B.Variable))
      Result.Widest = std::max<std::int64_t>(Result.Widest, B.Bytes);
    if (isMeant(B))
      addAccess(Kernel, B);
  }
}

SharedArray ArrayBuilder::build() {
  if (A.Variable.empty())
    block("its accesses may be to one of several arrays");
  for (const KernelModel *Kernel : kernels())
    for (const Access &B : Kernel->Accesses)
      if (A.Source.Array && B.Source.Array &&
          A.Source.Array->Where == B.Source.Array->Where && !B.Variable.empty())
        Variables.insert(B.Variable);
  for (const SharedVariable &Each : K.Shared)
    Result.IsDynamic |= Each.Bytes == 0 && Variables.contains(Each.Name);
  // The user that is asked about comes first.
  Result.Users.push_back({&K, bytesOf(K, A.Variable), {&A}});
  for (const KernelModel *Kernel : kernels())
    addKernel(*Kernel);
  std::vector<const Access *> &Own = Result.Users.front().Accesses;
  std::erase(Own, &A);
  Own.insert(Own.begin(), &A);
  Result.Widest = std::min<std::int64_t>(Result.Widest, 16);
  return std::move(Result);
}

SharedArray sharedArrayOf(const KernelModel &K, const Access &A) {
  return ArrayBuilder(K, A).build();
}

/// The lanes of the request have other distances within an access, or are less
/// aligned, than they were.
static bool breaks(const Access &A, const Layout &New) {
  const auto Width =
      static_cast<std::int64_t>(std::bit_floor(std::clamp(A.Bytes, 1u, 16u)));
  for (const RequestSample &S : A.Samples)
    for (unsigned Lane = 0; Lane < WarpSize; ++Lane) {
      if (!(S.ActiveMask >> Lane & 1))
        continue;
      const std::int64_t Old = S.Offset[Lane], Then = New(Old);
      if ((Old % Width == 0 && Then % Width != 0) ||
          New(Old + A.Bytes - 1) - Then != A.Bytes - 1)
        return true;
    }
  return false;
}

std::optional<ArrayCost> costOf(const SharedArray::User &User,
                                const LayoutFor &New) {
  const Architecture &Arch = *User.Kernel->Gpu.Arch;
  ArrayCost Cost;
  Cost.IsOfBlock = std::ranges::all_of(User.Accesses, [](const Access *Each) {
    return Each->Executions.has_value();
  });
  for (const Access *Each : User.Accesses) {
    const Layout Its = New ? New(User, *Each) : nullptr;
    if (Its && breaks(*Each, Its))
      return std::nullopt;
    const auto [X, Y, Z] = Each->Block;
    const double Times =
        Cost.IsOfBlock
            ? *Each->Executions *
                  std::ceil(static_cast<double>(X * Y * Z) / WarpSize)
            : std::max(1.0, Each->Predicted->Requests);
    const MeanTraffic Traffic = meanShared(Arch, *Each, Its);
    Cost.Wavefronts += Times * Traffic.Transactions;
    Cost.Ideal += Times * Traffic.Ideal;
  }
  return Cost;
}

} // namespace cudalint
