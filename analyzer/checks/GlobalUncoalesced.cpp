//===- analyzer/checks/GlobalUncoalesced.cpp - Scattered global requests -===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"
#include "analyzer/frontend/SystemHeaders.h"
#include "analyzer/model/AccessWords.h"
#include "analyzer/model/LanePattern.h"
#include "analyzer/model/LittleCost.h"
#include "analyzer/model/RequestPicture.h"
#include "analyzer/model/Thresholds.h"
#include "analyzer/remedy/FieldRemedy.h"
#include "analyzer/remedy/SwappedRoles.h"
#include "analyzer/remedy/VectorRemedy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace cudalint::global_uncoalesced {
static constexpr CheckOption LeastRatio = {
    "global-uncoalesced.LeastRatio", threshold::WorthAnEdit, 1, 32,
    "sectors per request, as a multiple of the ideal, from which on it is "
    "told"};

static constexpr CheckOption Options[] = {LeastRatio};

namespace {

class GlobalUncoalesced : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "global-uncoalesced",
      .Level = Maturity::Stable,
      .Default = Severity::Warning,
      .Summary = "finds warps that fetch more sectors than the bytes they use",
      .Why = R"md(Global memory moves in sectors of 32 bytes. When the 32 lanes
of a warp read 32 neighbouring floats, the request touches 4 sectors and uses
every byte of them. When the lanes are further apart, each sector brings bytes
that this request does not use: a column of a matrix touches 32 sectors for the
same 128 bytes.

Whether those bytes are lost depends on what else the warp reads. The three
fields of a 12-byte struct touch 12 sectors each, but together they use every
byte: with an L1 cache the waste is in requests to L1, not in DRAM traffic.
Accesses that differ by a constant are therefore judged together.

What remedies gained in time on an H200 and an H100
(`docs/validation/remedies-h200.md`; below 1 it is a loss):

| before | after | H200, from DRAM | from L2 | H100, from DRAM | from L2 |
|---|---|--:|--:|--:|--:|
| a transpose that writes columns | a padded tile in shared memory | 6.9 | 6.9 | 6.6 | 6.2 |
| 4 bytes of a 64-byte struct | an array of its own | 4.5 | 1.3 | 5.7 | 1.6 |
| one field of a 12-byte struct | an array of its own | 1.35 | 1.00 | 1.59 | 1.05 |
| all three fields | three arrays | 0.99 | 0.99 | 1.02 | 1.00 |
| all three fields | staged in shared memory | 0.98 | 0.96 | 0.98 | 0.97 |
| all three fields | `__align__(16)` on the struct | 0.85 | 0.94 | 0.84 | 0.66 |

So where a struct is read as a whole, the remedies change what L1 is asked for:
3 requests of 12 sectors each become 3 of 4 sectors by arrays or staging, or 1
of 16 by alignment. They do not shorten one pass over the data, and alignment
adds bytes where DRAM is the limit. A kernel that read the same structs from L1
200 times gained 1.3 by staging them and 1.05 by alignment, and lost by arrays
(0.85). A product of matrices in L2 whose warps each went down a column gained 12
when threadIdx.x and threadIdx.y changed their roles
(`docs/validation/fixes-h200.md`).

Where each block sums up a column, lanes at neighbouring columns leave a 32nd of
the blocks: 768 sums of 8192 values, in blocks of 128, took 348 us for 41; with
the rows split among 32 times the blocks, 17 us. A warp for each row gained up to
16, but lost where a row has 64 elements and comes from a cache: there a tile
gained 2.1 (`docs/validation/applied-remedies-h200.md`).

What a thread takes piece by piece costs more the more it is: on an H100, stores
of 4 floats of a thread gain 1.2 when neighbouring lanes have neighbouring
floats, 8 gain 7.6, in turns of a loop 4 gain 3.7; loads of 12 gain nothing, of
16 gain 1.5, of 32 gain 2.9. On compute capability 1.0 and 1.1, which have no cache, each field costs
16 transactions for each half-warp; by the rules of these GPUs arrays and
staging make one of them, alignment two for all three fields; on 1.2 and 1.3
alignment makes two of six. No such GPU was measured.)md",
      .Bad = R"cuda(__global__ void columns(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i * 32];
}

void run(float *out, const float *in) {
  columns<<<1024, 256>>>(out, in);
}
)cuda",
      .Good = R"cuda(__global__ void rows(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}

void run(float *out, const float *in) {
  rows<<<1024, 256>>>(out, in);
}
)cuda",
      .Limits = R"md(Silent where the address depends on loaded data (a gather),
in code of the toolkit that accesses what is its own, where a struct that a
system header declares is copied as a whole, as the state of a generator of
cuRAND, or given to the toolkit once for each thread,
below 30 % of waste, for loads of up to 48 bytes of a lane that together use
what they fetch, which L1 keeps until then, unless a struct needs no more than
alignment to be loaded at once, and where no more than four lanes take part, unless others take the rest in
branches of their own. A stride that only the run knows is the business of
`runtime-stride`; a contiguous request that merely starts at the wrong place is
`global-misaligned`. Pointers are taken to be aligned to 256 bytes, as cudaMalloc
returns them. What the caches keep between two accesses is told from one warp
alone: other warps may help as well.)md",
      .ConfirmedBy = Evidence::GlobalSectorsPerRequest,
      .Options = Options};
  const CheckInfo &info() const override { return Info; }
  void checkKernel(const KernelModel &K, FindingSink &Out) const override;
};

} // namespace

/// What the request wastes, in the unit of the target.
static Phrase usage(const Architecture &Arch, const Access &A) {
  if (Arch.CC.Major >= 5)
    return {"bytes-used",
            "{bytes_used} of the 32 bytes of each sector are used",
            {{"bytes_used", A.Predicted->BytesUsed / A.Predicted->PerRequest}}};
  const MeanTraffic T = meanGlobal(Arch, A);
  return {"bytes-used",
          "{percent_used} % of the bytes moved are used",
          {{"percent_used",
            T.BytesMoved > 0 ? 100 * T.BytesUsed / T.BytesMoved : 0}}};
}

static Phrase cause(const Architecture &Arch, const Access &A,
                    const LanePattern &P) {
  if (storesVectorsSideBySide(A, P))
    return {"split-vectors",
            "the compiler stores the {vector_bytes byte} of each lane in "
            "pieces of {bytes}",
            {{"vector_bytes", A.Source.Bytes}, {"bytes", A.Bytes}}};
  Phrase Said = describe(P, false);
  if (A.Source.Field &&
      A.Source.Field->StructBytes > A.Source.Field->FieldBytes)
    Said.append(", ", {"field-of-struct",
                       "'{field}' is {field_bytes byte} of the "
                       "{struct_bytes}-byte struct '{struct}'",
                       {{"field", A.Source.Field->Field},
                        {"field_bytes", A.Source.Field->FieldBytes},
                        {"struct_bytes", A.Source.Field->StructBytes},
                        {"struct", A.Source.Field->Struct}}});
  return Said.append(", ", usage(Arch, A));
}

/// True when the waste would go if only each run of bytes began elsewhere:
/// then it is `global-misaligned` that speaks.
static bool isOnlyMisaligned(const Architecture &Arch, const Access &A) {
  const MeanTraffic Aligned = meanGlobalAligned(Arch, A);
  return Aligned.Transactions < threshold::WorthAnEdit * Aligned.Ideal;
}

/// The few lanes of a warp that fetch what lies beside a tile have a sector
/// each, wherever they are. How many are few is chosen: an eighth of the warp.
static bool isAFewLanes(const Traffic &T) {
  return T.Lanes <= threshold::LanesOfHalo &&
         T.PerRequest - T.Ideal < threshold::LanesOfHalo;
}

/// Nobody asks for the byte of `a[i] & 255` alone: as good as the whole of the
/// numbers is good.
static bool isWellForItsElements(const Access &A) {
  constexpr double SectorBytes = 32;
  return A.BytesOfWhole != 0 &&
         A.Predicted->PerRequest <=
             threshold::WorthAnEdit *
                 std::ceil(A.Predicted->Lanes * A.BytesOfWhole / SectorBytes);
}

static constexpr std::uint64_t WidestVector = 16; // In bytes.

/// A function of a library takes what it is given the address of in pieces, as
/// curand_normal() the state: where these are, no user can say. Larger than a
/// vector, it is a struct.
static bool isPieceForLibrary(const Access &A) {
  return A.IsInLibrary && !A.Source.Field &&
         A.Source.Bytes > std::max<std::uint64_t>(A.Bytes, WidestVector);
}

/// Whether no two lanes have any byte of what they give the library in common:
/// a copy of what others change is another thing.
static bool isOneForEachLane(const Access &A) {
  const RequestSample &S = A.Samples.front();
  std::vector<std::int64_t> Starts;
  for (unsigned Lane = 0; Lane != WarpSize; ++Lane)
    if (S.ActiveMask >> Lane & 1)
      Starts.push_back(S.Offset[Lane]);
  std::ranges::sort(Starts);
  return std::ranges::adjacent_find(Starts, [&](auto Left, auto Right) {
           return Right - Left < static_cast<std::int64_t>(A.Source.Bytes);
         }) == Starts.end();
}

/// Loads and stores of registers in its place.
static Phrase localCopy(const Access &A) {
  if (!isOneForEachLane(A))
    return {};
  return {"work-on-local-copy",
          "copy it to a local variable, give the library that, and store it "
          "once when all is done",
          {}};
}

/// A struct of a library, as the state of a generator of cuRAND, is laid out as
/// it is. CUDA's own vectors are what the user has chosen.
static bool isOfLibrary(const Access &A) {
  if (A.IsInLibrary && A.Source.Object.empty())
    return true; // What it is of is the library's own.
  // Its own loops and conditions decide which lanes come, as in curand_init():
  // how many do is then supposed.
  constexpr double AllLanes = WarpSize;
  if (isPieceForLibrary(A) && !A.Executions && A.Predicted->Lanes < AllLanes)
    return true;
  // Used once, it is loaded and stored once as well.
  if (isPieceForLibrary(A) && A.LoopDepth == 0)
    return true;
  // Copied as a whole.
  if (A.Source.IsOfSystem && A.Source.Bytes > WidestVector)
    return true;
  if (!A.Source.Field)
    return false;
  return A.Source.Field->IsOfSystem &&
         baseName(A.Source.Field->StructWhere.File) != "vector_types.h" &&
         !isOneVector(*A.Source.Field);
}

/// Only blocks that are known to be square, all of them: in others it would be
/// another computation. Who launches it, here or elsewhere, has to keep to
/// that. Of a kernel in a header, each file has launches of its own.
static std::optional<Fix> swapFix(const KernelModel &K) {
  const std::vector<Edit> &Edits = K.Declaration.SwapsIndices;
  if (Edits.empty() || K.Launches.empty() || K.Declaration.IsUsedOtherwise ||
      !K.Declaration.Origin.IncludedFrom.empty())
    return std::nullopt;
  for (const Launch &Each : K.Launches)
    if (Each.Source != LaunchSource::Launch || !Each.Block[0] ||
        Each.Block[0] != Each.Block[1])
      return std::nullopt;
  return Fix{.Description =
                 "swap the roles of threadIdx.x and threadIdx.y, for "
                 "launches of square blocks alone",
             .Safety = FixSafety::Layout,
             .Edits = Edits};
}

void GlobalUncoalesced::checkKernel(const KernelModel &K,
                                    FindingSink &Out) const {
  const Architecture &Arch = *K.Gpu.Arch;
  AccessGroups Groups(K);
  std::map<std::pair<std::uint64_t, AccessOp>, const Access *> Explained;
  std::set<const AccessGroup *> SaveNothing;
  for (const Access *A : K.judgeable(MemorySpace::Global)) {
    const Traffic &T = *A->Predicted;
    if (T.PerRequest < Out.value(LeastRatio) * T.Ideal ||
        isOnlyMisaligned(Arch, *A) || isWellForItsElements(*A) ||
        (isAFewLanes(T) && !isTakenByOthers(K, *A)) || isOfLibrary(*A))
      continue;
    const LanePattern P = lanePattern(A->Samples.front());
    const AccessGroup &G = Groups.of(*A);
    // The remedy is for the group: said once, at its first place.
    const Access *Leader = A;
    if (A->GroupKey != 0)
      Leader = Explained.try_emplace({A->GroupKey, A->Op}, A).first->second;
    // What a cache makes up for is told once.
    const bool IsAbsorbed = G.isAbsorbed() && Arch.CC.Major >= 2;
    // Of loads, the first speaks for all: those of which a cache keeps the rest
    // lose no time, and all that is worth a word is a struct that fewer
    // requests can load.
    const bool IsKept = IsAbsorbed && A->Op == AccessOp::Load;
    if (IsKept && (Leader != A || !alignmentFix(K, *A, G)))
      continue;
    Finding &F = Out.report(
        K, *A,
        {"traffic",
         "{access} touches {hedge}{traffic} {unit} per request, ideal "
         "{ideal}{launches}{shape}",
         {{"access", name(*A)},
          {"hedge", hedge(Arch, *A)},
          {"traffic", T.PerRequest},
          {"unit", globalUnit(Arch)},
          {"ideal", T.Ideal},
          {"launches", launchNote(K.costsByLaunch(*A))},
          {"shape", shapeNote(K.costsByShape(*A), *A)}}});
    F.Cause = cause(Arch, *A, P);
    if (Leader == A) {
      GroupRemedy R = groupRemedy(K, *A, G, P);
      if (R.MaySaveNothing)
        SaveNothing.insert(&G);
      if (auto Edit = apartFix(K, *A, R))
        F.Fixes.push_back(std::move(*Edit));
      F.Remedy = std::move(R.Said);
      F.Effect = std::move(R.Effect);
      if (isPieceForLibrary(*A)) {
        F.Remedy = localCopy(*A);
        F.Effect.reset();
      }
    } else {
      F.Remedy = {
          "as-of-group",
          "see the {leader} at line {line}",
          {{"leader", name(*Leader)}, {"line", Leader->UserWhere.Line}}};
    }
    if (IsKept)
      F.Others = G.Members.size() - 1;
    // One sector that a few lanes could save is no reason to change code, nor
    // is what saved no time where it was measured, or nothing helps.
    if (T.PerRequest - T.Ideal < 2 || IsAbsorbed || SaveNothing.contains(&G) ||
        F.Remedy.isEmpty())
      F.Level = Severity::Note;
    F.Predicted = predicted(Info.ConfirmedBy, Arch, T.PerRequest, T.Ideal);
    setMostOfKernel(F, mostOfSectors(K, *A));
    F.LanePattern = sectorPattern(*A);
    const Access *Swapped =
        F.Remedy.Id == "swap-thread-roles" ? afterSwap(K, *A) : nullptr;
    F.Request = Swapped ? exampleOf(Arch, *A, *Swapped) : exampleOf(Arch, *A);
    if (Leader == A)
      if (auto Edit = alignmentFix(K, *A, G))
        F.Fixes.push_back(*Edit);
    if (Swapped && Leader == A)
      if (auto Edit = swapFix(K))
        F.Fixes.push_back(std::move(*Edit));
  }
}

CUDA_LINT_REGISTER_CHECK(GlobalUncoalesced)

} // namespace cudalint::global_uncoalesced
