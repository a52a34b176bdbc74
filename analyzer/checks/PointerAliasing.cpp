//===- analyzer/checks/PointerAliasing.cpp - For fear of another pointer --===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"
#include "analyzer/model/AccessWords.h"
#include "analyzer/remedy/RestrictedParameters.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace cudalint::pointer_aliasing {
/// Chosen: with less, nobody would see a difference.
static constexpr CheckOption LeastPercent = {
    "pointer-aliasing.LeastPercent", 5, 0, 100,
    "percent of what a warp moves to and from global memory that would be "
    "saved at least, from which on it is told"};

static constexpr CheckOption Options[] = {LeastPercent};

namespace {

class PointerAliasing : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "pointer-aliasing",
      .Level = Maturity::Stable,
      .Default = Severity::Warning,
      .Summary = "finds loads and stores that are made again only because two "
                 "pointers of a kernel might lead to the same memory",
      .Why = R"md(Whatever is stored through one pointer may change what another
one leads to: that is what C++ says, unless the compiler sees that they are
apart. Of the pointers that a kernel is given it sees nothing. So a coefficient
that does not change is loaded again in each turn of a loop that stores results,
a sum that is kept in global memory is stored in each turn, and loads wait for
the stores before them, so that fewer are under way at a time.

`__restrict__` on the pointers of a kernel promises that what is accessed by one
is accessed by no other, if any of them writes it. nvcc then loads once what
stays, keeps sums in registers, puts loads of several turns together, and finds
itself what is never written and may be loaded by the read-only path (CUDA C++
Programming Guide, `__restrict__`). A pointer to `const` promises nothing of the
kind: others may still write there. Registers may be needed for what is kept.)md",
      .Bad =
          R"cuda(__global__ void scale(float *out, float *in, float *factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int row = 0; row < n; ++row)
    out[row * 65536 + i] = in[row * 65536 + i] * factor[i];
}

void run(float *out, float *in, float *factor) {
  scale<<<256, 256>>>(out, in, factor, 100);
}
)cuda",
      .Good =
          R"cuda(__global__ void scale(float *__restrict__ out, float *__restrict__ in,
                      float *__restrict__ factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int row = 0; row < n; ++row)
    out[row * 65536 + i] = in[row * 65536 + i] * factor[i];
}

void run(float *out, float *in, float *factor) {
  scale<<<256, 256>>>(out, in, factor, 100);
}
)cuda",
      .Limits = R"md(Speaks of what happens in each turn of a loop at the same
addresses, and of a load of what the same piece of code without a branch has
loaded or stored before; of pointers that the kernel itself is given, not those
in structs. Silent where a barrier, a call, an atomic or another access comes in
between that would have the same effect, and where it is not known how often the
kernel makes each of its accesses. Where only the run knows how often an inner
loop turns, it is taken to turn twice. A note where it is not known of each launch
that it passes pointers into allocations of their own.)md",
      .ConfirmedBy = Evidence::GlobalSectorsPerWarp,
      .NeedsResources = true,
      .Options = Options};
  const CheckInfo &info() const override { return Info; }
  void checkKernel(const KernelModel &K, FindingSink &Out) const override;
};

/// The instructions that the compiler makes of one access.
struct Repeated {
  const Access *First = nullptr;
  double Times = 0;   ///< That a warp makes it.
  double Sectors = 0; ///< Of all of these.
  bool IsKnown = true;
};

} // namespace

/// The share of its requests that would be left; none where that is not known.
static std::optional<double> leftOf(const Repeated &R) {
  const Access &A = *R.First;
  double Turns = 1;
  for (unsigned L = 0; L != A.Aliased->Loops; ++L)
    Turns *= L < A.LoopTurns.size() ? A.LoopTurns[L] : 0;
  if (A.Aliased->Loops == 0)
    return 0;
  if (Turns > 0)
    return 1 / Turns;
  // In no other loop, it would happen once.
  if (A.Aliased->Loops == A.LoopDepth)
    return std::min(1.0, 1 / R.Times);
  return std::nullopt;
}

static std::vector<Repeated> repeatedIn(const KernelModel &K) {
  using Key = std::tuple<Location, AccessOp, std::vector<Location>,
                         std::array<std::int64_t, 3>>;
  std::vector<Repeated> Result;
  std::map<Key, std::size_t> Known;
  for (const Access &A : K.Accesses) {
    if (A.Space != MemorySpace::Global || !A.Aliased)
      continue;
    const auto [At, IsNew] = Known.try_emplace(
        Key(A.UserWhere, A.Op, A.InlinedAt, A.Block), Result.size());
    if (IsNew)
      Result.push_back({.First = &A});
    Repeated &R = Result[At->second];
    R.IsKnown &= A.Executions && A.Predicted && !A.Stride;
    if (!R.IsKnown)
      continue;
    R.Times += *A.Executions;
    R.Sectors += *A.Executions * A.Predicted->PerRequest;
  }
  std::erase_if(Result,
                [](const Repeated &R) { return !R.IsKnown || R.Times == 0; });
  return Result;
}

/// What a warp moves to and from global memory; empty where it is not known.
static std::optional<double> trafficOf(const KernelModel &K,
                                       const std::array<std::int64_t, 3> &Of) {
  for (const WarpTotals &Each : K.Totals)
    for (const SpaceTotals &In : Each.Spaces)
      if (Each.Block == Of && In.Space == MemorySpace::Global)
        return In.Traffic;
  return std::nullopt;
}

static Phrase repeatedInWords(const Repeated &R, const std::string &Shape) {
  const std::string Text = R.First->Aliased->Loops
                               ? "{access} is made again in each turn of a "
                                 "loop that does not change "
                                 "the address, {times time} by a warp{shape}"
                               : "{access} is made again right behind an "
                                 "access of the same address, "
                                 "{times time} by a warp{shape}";
  return {R.First->Aliased->Loops ? "same-in-each-turn" : "same-as-before",
          Text,
          {{"access", name(*R.First)}, {"times", R.Times}, {"shape", Shape}}};
}

void PointerAliasing::checkKernel(const KernelModel &K,
                                  FindingSink &Out) const {
  for (const Repeated &R : repeatedIn(K)) {
    const Access &A = *R.First;
    const std::optional<double> Left = leftOf(R), All = trafficOf(K, A.Block);
    constexpr double OfTwoTurns = 0.5;
    const double Saved = R.Sectors * (1 - Left.value_or(OfTwoTurns));
    const std::vector<KernelParameter> &Given = K.Declaration.Parameters;
    // Once for several lanes of a warp that come there in turn is no
    // repetition.
    if (!All || Saved <= 0 || Saved < Out.value(LeastPercent) / 100 * *All ||
        A.Aliased->Parameter >= Given.size())
      continue;
    Finding &F = Out.report(
        K, A, repeatedInWords(R, shapeNote(K.hasSeveralShapes(), A)));
    F.Cause = {"may-alias",
               "as far as the compiler knows, '{other}' may lead to the same "
               "memory",
               {{"other", Given[A.Aliased->Parameter].Name}}};
    F.Remedy = {"restrict",
                "declare the pointers of the kernel __restrict__ if no two of "
                "them lead to the same memory",
                {}};
    F.Executions = R.Times;
    F.Predicted =
        predicted(Info.ConfirmedBy, *K.Gpu.Arch, R.Sectors,
                  Left ? std::optional(R.Sectors * *Left) : std::nullopt);
    // Launches may pass the same memory twice, which is right as it is then.
    if (!areApart(K))
      F.Level = Severity::Note;
    if (std::optional<Fix> Restricted = withRestrict(K))
      F.Fixes.push_back(std::move(*Restricted));
  }
}

CUDA_LINT_REGISTER_CHECK(PointerAliasing)

} // namespace cudalint::pointer_aliasing
