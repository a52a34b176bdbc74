//===- analyzer/checks/NarrowAccess.cpp - Loads that could be one ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"
#include "analyzer/model/AccessWords.h"
#include "analyzer/model/Thresholds.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <tuple>

namespace cudalint::narrow_access {
namespace {

class NarrowAccess : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "narrow-access",
      .Level = Maturity::Stable,
      .Default = Severity::Note,
      .Summary = "finds loads side by side that could be one of 8 or 16 bytes",
      .Why =
          R"md(A lane can load 4, 8 or 16 bytes in one instruction. Four loads
of neighbouring floats are four instructions and four requests to L1, a `float4`
is one of each. nvcc does not make one of them by itself: it must not assume that
a `float *` is aligned to more than 4 bytes, nor a struct of floats. Say so, by a
pointer to `float4`, or by `__align__(16)` on the struct, and the kernel has
fewer instructions to issue. It moves the same bytes: where memory is what the
kernel waits for, it takes as long as before. NVIDIA's tuning guides and its blog
("CUDA Pro Tip: Increase Performance with Vectorized Memory Access") recommend
it.

Sums over 4 floats of each turn of a loop of 1024 turns, on an H100 with 1056
blocks of 256 threads (`kernels/costs`):

| where | four loads | one `float4` |
|---|--:|--:|
| a table of 16 KB, each lane its own place | 547 us | 148 us |
| a table of 1 MB, each lane its own place | 587 us | 182 us |
| a table, all lanes one place | 171 us | 150 us |)md",
      .Bad = R"cuda(struct Body {
  float x, y, z, mass;
};

__global__ void pull(float *out, const Body *bodies) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float at = out[i], sum = 0;
  for (int k = 0; k < 1024; ++k)
    sum += bodies[k].mass * (bodies[k].x - at) * (bodies[k].y + bodies[k].z);
  out[i] = sum;
}

void run(float *out, const Body *bodies) {
  pull<<<1024, 256>>>(out, bodies);
}
)cuda",
      .Good = R"cuda(struct __align__(16) Body {
  float x, y, z, mass;
};

__global__ void pull(float *out, const Body *bodies) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float at = out[i], sum = 0;
  for (int k = 0; k < 1024; ++k) {
    Body b = bodies[k];
    sum += b.mass * (b.x - at) * (b.y + b.z);
  }
  out[i] = sum;
}

void run(float *out, const Body *bodies) {
  pull<<<1024, 256>>>(out, bodies);
}
)cuda",
      .Limits = R"md(Speaks of loads from global memory in loops, with nothing
between them that may write, whose addresses are multiples of the wider size in
all turns and lanes, where the array begins at a multiple of 256 bytes. Where
lanes are so far apart that the single loads waste sectors, `global-uncoalesced`
tells the same. Silent where the machine code is known to have wider loads, about
loads of a loop's different turns, and where the turns are multiples of 256
bytes apart or at one address, from which the compiler may load before the
loop.)md",
      .ConfirmedBy = Evidence::GlobalInstructions};
  const CheckInfo &info() const override { return Info; }
  void checkKernel(const KernelModel &K, FindingSink &Out) const override;
};

/// Loads that a warp makes together, by how far they are behind the first one.
using Neighbours = std::map<std::int64_t, const Access *>;

} // namespace

/// Whether all that is said of the access holds for its addresses as well, and
/// the compiler takes each of its elements by itself.
static bool isPlain(const Access &A) {
  if (A.Space != MemorySpace::Global || A.Op != AccessOp::Load || A.Volatile ||
      A.LoopDepth == 0 || A.GroupKey == 0 || !A.Predicted || A.Stride ||
      A.Bytes > 8 || A.BytesOfWhole != 0 || bytesAsWritten(A) != A.Bytes ||
      A.Predicted->PerRequest >= threshold::WorthAnEdit * A.Predicted->Ideal)
    return false;
  const auto isWider = [&](const MachineInstruction &Each) {
    return Each.Bytes != A.Bytes;
  };
  const auto isDoubtful = [](const Assumption &Each) {
    return Each.Kind != AssumptionKind::Alignment &&
           Each.Kind != AssumptionKind::Compiler &&
           Each.Kind != AssumptionKind::Model;
  };
  const auto isMadeUp = [](const RequestSample &S) {
    return S.MadeUp || S.ActiveMask == 0;
  };
  // What all turns load from one address may be loaded before the loop. Of more
  // requests than there are samples, these are those at the lowest addresses
  // behind a multiple of 256: all alignments are among them.
  return A.Samples.size() > 1 && std::ranges::none_of(A.Samples, isMadeUp) &&
         std::ranges::none_of(A.Instructions, isWider) &&
         std::ranges::none_of(A.Assumptions, isDoubtful);
}

/// How far \p B is behind \p A in all lanes of all requests; empty: it differs.
static std::optional<std::int64_t> distance(const Access &A, const Access &B) {
  if (A.Samples.size() != B.Samples.size())
    return std::nullopt;
  std::optional<std::int64_t> By;
  for (std::size_t I = 0; I != A.Samples.size(); ++I) {
    const RequestSample &X = A.Samples[I], &Y = B.Samples[I];
    if (X.ActiveMask != Y.ActiveMask)
      return std::nullopt;
    for (unsigned Lane = 0; Lane != WarpSize; ++Lane) {
      if (!(X.ActiveMask >> Lane & 1))
        continue;
      const std::int64_t Here = Y.Offset[Lane] - X.Offset[Lane];
      if (By.value_or(Here) != Here)
        return std::nullopt;
      By = Here;
    }
  }
  return By;
}

static bool areMultiples(const Access &A, std::int64_t Bytes) {
  return std::ranges::all_of(A.Samples, [&](const RequestSample &S) {
    for (unsigned Lane = 0; Lane != WarpSize; ++Lane)
      if (S.ActiveMask >> Lane & 1 && S.Offset[Lane] % Bytes != 0)
        return false;
    return true;
  });
}

/// The loads that one of \p Bytes from \p First on would be; empty where it
/// could not be one.
static std::vector<const Access *> loadsOf(const Neighbours &Near,
                                           Neighbours::const_iterator First,
                                           std::int64_t Bytes) {
  std::vector<const Access *> Parts;
  if (!areMultiples(*First->second, Bytes))
    return Parts;
  std::int64_t Next = First->first;
  for (auto It = First;
       It != Near.end() && It->first == Next && Next < First->first + Bytes;
       ++It) {
    // The compiler knows of an alignment of that many bytes.
    if (It->second->Source.Field && It->second->Source.Field->StructAlign >=
                                        static_cast<std::uint64_t>(Bytes))
      return {};
    Parts.push_back(It->second);
    Next += It->second->Bytes;
  }
  if (Next != First->first + Bytes || Parts.size() < 2)
    Parts.clear();
  return Parts;
}

/// What to write, so that they are one.
static Phrase remedyFor(const std::vector<const Access *> &Parts,
                        std::int64_t Bytes) {
  const std::optional<FieldFact> &Field = Parts.front()->Source.Field;
  if (!Field || Field->AlignPoint.File.empty() ||
      Field->StructBytes % static_cast<std::uint64_t>(Bytes) != 0)
    return {"use-vector",
            "load them by a pointer to a vector type of {vector_bytes} bytes",
            {{"vector_bytes", Bytes}}};
  return {"align-struct",
          "write '__align__({alignment})' before '{struct}', whose arrays must "
          "then begin at multiples of that, and load it as a whole",
          {{"alignment", Bytes}, {"struct", Field->Struct}}};
}

/// Loads of one loop, each a request, that could be fewer.
struct Savings {
  std::vector<const Access *> Loads; ///< All of them.
  std::vector<const Access *> First; ///< Those of the first wide load.
  std::size_t Wide = 0;              ///< Loads that they could be.
};

/// By what the addresses have in common, the loop, and the width.
using AllSavings =
    std::map<std::tuple<std::uint64_t, unsigned, std::int64_t>, Savings>;

static void report(const KernelModel &K, Savings Of, std::int64_t Bytes,
                   FindingSink &Out) {
  const Phrase Remedy = remedyFor(Of.First, Bytes);
  std::ranges::sort(Of.Loads, {}, [](const Access *A) { return A->UserWhere; });
  const Access &Leader = *Of.Loads.front();
  Finding &F = Out.report(
      K, Leader,
      {"loads-side-by-side",
       "{access} and its neighbours, {requests} requests of each turn, could "
       "be {wide} of {bytes byte}{shape}",
       {{"access", name(Leader)},
        {"bytes", Bytes},
        {"requests", Of.Loads.size()},
        {"wide", Of.Wide},
        {"shape", shapeNote(K.hasSeveralShapes(), Leader)}}});
  F.Cause = {"alignment-unknown",
             "the compiler does not know that the address is a multiple of "
             "{bytes}",
             {{"bytes", Bytes}}};
  F.Remedy = Remedy;
  F.Others = Of.Loads.size() - 1;
}

/// As many bytes as an instruction can load, as often as they are there.
static void addNeighbours(const Neighbours &Near, AllSavings &All) {
  for (auto First = Near.begin(); First != Near.end();) {
    std::vector<const Access *> Parts;
    std::int64_t Bytes = 16;
    Parts = loadsOf(Near, First, Bytes);
    if (Parts.empty())
      Parts = loadsOf(Near, First, Bytes = 8);
    if (Parts.empty()) {
      ++First;
      continue;
    }
    const Access &A = *Parts.front();
    Savings &Of = All[{A.GroupKey, A.Place.Loop, Bytes}];
    Of.Loads.insert(Of.Loads.end(), Parts.begin(), Parts.end());
    if (++Of.Wide == 1)
      Of.First = Parts;
    std::advance(First, static_cast<std::ptrdiff_t>(Parts.size()));
  }
}

void NarrowAccess::checkKernel(const KernelModel &K, FindingSink &Out) const {
  // Those of one address, block of code and stretch are made together.
  using Together = std::tuple<std::uint64_t, BlockPlace>;
  std::map<Together, std::vector<const Access *>> Groups;
  for (const Access &A : K.Accesses)
    // Of several shapes the first one says it all.
    if (isPlain(A) && A.Block == K.Accesses.front().Block)
      Groups[{A.GroupKey, A.Place}].push_back(&A);
  AllSavings All;
  for (const auto &[Key, Members] : Groups) {
    Neighbours Near;
    for (const Access *A : Members)
      if (const auto By = distance(*Members.front(), *A))
        Near.try_emplace(*By, A);
    if (Near.size() > 1)
      addNeighbours(Near, All);
  }
  for (const auto &[Key, Of] : All)
    report(K, Of, std::get<2>(Key), Out);
}

CUDA_LINT_REGISTER_CHECK(NarrowAccess)

} // namespace cudalint::narrow_access
