//===- analyzer/checks/GlobalMisaligned.cpp - Requests that start amiss --===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"
#include "analyzer/model/AccessWords.h"
#include "analyzer/model/LanePattern.h"
#include "analyzer/model/RequestPicture.h"
#include "analyzer/model/Thresholds.h"
#include "analyzer/remedy/SharedLayout.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace cudalint::global_misaligned {
static constexpr CheckOption WarningRatio = {
    "global-misaligned.WarningRatio", threshold::WorthAnEdit, 1, 32,
    "sectors per request, as a multiple of the ideal, from which on it is a "
    "warning"};

static constexpr CheckOption Options[] = {WarningRatio};

namespace {

class GlobalMisaligned : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "global-misaligned",
      .Level = Maturity::Stable,
      .Default = Severity::Note,
      .Summary = "finds contiguous requests that start inside a sector",
      .Why = R"md(Global memory moves in sectors of 32 bytes. A warp that reads
32 neighbouring floats from a multiple of 32 bytes touches 4 sectors; from any
other place it touches 5. The fifth is the one that the next warp begins with,
so the caches keep most of it from DRAM: the price is one more sector in every
request. On compute capability 1.0 and 1.1 such a request falls apart into 16
transactions.)md",
      .Bad = R"cuda(__global__ void shift(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i + 3];
}

void run(float *out, const float *in) {
  shift<<<1024, 256>>>(out, in);
}
)cuda",
      .Good = R"cuda(__global__ void shift(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i + 8];
}

void run(float *out, const float *in) {
  shift<<<1024, 256>>>(out, in);
}
)cuda",
      .Limits = R"md(Silent about stencils: where the same warp also reads the
aligned neighbours of the address, in the same line or in the next turn of a
loop, the extra sector is in the cache already.
Silent where the offset is not known. Pointers are taken to be aligned to 256
bytes, as cudaMalloc returns them, but for members and variables into which the
program stores `p + n`. A warning only from 30 % of waste on: bytes
and shorts, narrow blocks, old GPUs.)md",
      .ConfirmedBy = Evidence::GlobalSectorsPerRequest,
      .Options = Options};
  const CheckInfo &info() const override { return Info; }
  void checkKernel(const KernelModel &K, FindingSink &Out) const override;
};

} // namespace

namespace {

/// Accesses that differ by a constant, `a[i - 1]` beside `a[i]`: they cannot
/// all be aligned and need not be, for one fetches the sectors of the other.
class Stencils {
public:
  explicit Stencils(const KernelModel &K);

  /// True when another access of the same warp touches a sector that `A` does.
  bool isPartOfOne(const Access &A);

private:
  using GroupId =
      std::tuple<std::uint64_t, AccessOp, std::array<std::int64_t, 3>>;
  struct Group {
    std::vector<const Access *> Members;
    /// Who touches each sector, as `placeOf`, and whether another does, too.
    /// Empty until somebody asks.
    std::map<std::int64_t, std::pair<std::int64_t, bool>> Sectors;
  };
  std::map<GroupId, Group> Groups;

  static GroupId groupOf(const Access &A) {
    return {A.GroupKey, A.Op, A.Block};
  }
};

} // namespace

/// Of any warp that was evaluated: not every access has the same ones kept.
static std::set<std::int64_t> sectorsOf(const Access &A) {
  std::set<std::int64_t> Sectors;
  for (const RequestSample &S : A.Samples)
    for (unsigned Lane = 0; Lane < WarpSize; ++Lane)
      if (S.ActiveMask >> Lane & 1)
        for (std::int64_t Byte = S.Offset[Lane];
             Byte < S.Offset[Lane] + A.Bytes; Byte += 4)
          Sectors.insert(Byte >> 5); // by SectorBytes, rounded down
  return Sectors;
}

static std::int64_t firstByte(const RequestSample &S) {
  return S.Offset[std::countr_zero(S.ActiveMask)];
}

/// The same for two accesses of one group only if their addresses are.
static std::int64_t placeOf(const Access &A) {
  return firstByte(A.Samples.front());
}

Stencils::Stencils(const KernelModel &K) {
  for (const Access &A : K.Accesses)
    if (A.Space == MemorySpace::Global && A.GroupKey != 0 &&
        !A.Samples.empty() && A.Samples.front().ActiveMask != 0)
      Groups[groupOf(A)].Members.push_back(&A);
}

bool Stencils::isPartOfOne(const Access &A) {
  const auto Known = Groups.find(groupOf(A));
  if (A.GroupKey == 0 || Known == Groups.end())
    return false;
  Group &G = Known->second;
  if (G.Sectors.empty())
    for (const Access *B : G.Members)
      for (const std::int64_t Sector : sectorsOf(*B)) {
        const auto [At, New] =
            G.Sectors.try_emplace(Sector, placeOf(*B), false);
        At->second.second |= At->second.first != placeOf(*B);
      }
  const std::set<std::int64_t> Sectors = sectorsOf(A);
  return std::any_of(Sectors.begin(), Sectors.end(), [&](std::int64_t Sector) {
    return G.Sectors.at(Sector).second;
  });
}

/// Whether the turns of a loop slide along as the taps of a filter do: they
/// cannot all be aligned, and one has fetched the sector of the next.
static bool slidesAlong(const Architecture &Arch, const Access &A) {
  const RequestSample &First = A.Samples.front();
  if (First.ActiveMask == 0)
    return false;
  const std::int64_t Last =
      First.Offset[std::bit_width(First.ActiveMask) - 1] + A.Bytes;
  const std::int64_t Span = std::abs(Last - firstByte(First));
  return std::ranges::any_of(A.Samples, [&](const RequestSample &S) {
    return S.ActiveMask != 0 && !S.IsOfOthers &&
           misalignment(Arch, S) != misalignment(Arch, First) &&
           std::abs(firstByte(S) - firstByte(First)) < Span;
  });
}

/// Sizes that only the run knows are taken to be round, or an offset to be of
/// all kinds: then it is not known where a request starts.
static bool restsOnAGuess(const Access &A) {
  return std::ranges::any_of(A.Assumptions, [](const Assumption &Each) {
    return Each.Kind == AssumptionKind::RoundSize ||
           Each.Kind == AssumptionKind::AnyOffset;
  });
}

namespace {
/// Counts what other places of the same rows would cost.
class Shifts {
public:
  Shifts(const Architecture &Arch, const Access &A)
      : Arch(Arch), A(A),
        Enough(meanGlobalAligned(Arch, A).Transactions + 0.05) {}

  bool mendedBy(const Layout &New) const {
    return meanGlobal(Arch, A, New).Transactions <= Enough;
  }

private:
  const Architecture &Arch;
  const Access &A;
  double Enough;
};
} // namespace

static Layout shifted(std::int64_t Bytes) {
  return [=](std::int64_t Offset) { return Offset + Bytes; };
}

/// Rows of `Pitch` bytes begin at the next multiple of `Period`.
static Layout roundedRows(std::int64_t Pitch, std::int64_t Period) {
  const std::int64_t New = (Pitch + Period - 1) / Period * Period;
  return [=](std::int64_t Offset) {
    const std::int64_t Row = floorDivide(Offset, Pitch);
    return Row * New + (Offset - Row * Pitch);
  };
}

namespace {
struct Advice {
  Phrase Cause, Remedy;
  Layout Then = nullptr; ///< Null where it was not tried.
};
} // namespace

/// Where the requests start, and how to make them start elsewhere.
static Advice causeAndRemedy(const Architecture &Arch, const Access &A) {
  const unsigned Period = globalPeriod(Arch);
  const char *const Unit = Arch.CC.Major >= 5 ? "sector" : "segment";
  const LanePattern P = lanePattern(A.Samples.front());
  const Shifts Try(Arch, A);
  std::set<unsigned> Amiss;
  for (const RequestSample &S : A.Samples)
    Amiss.insert(misalignment(Arch, S));
  if (Amiss.size() == 1 && Try.mendedBy(shifted(Period - *Amiss.begin())))
    return {{"starts-behind-boundary",
             P.Kind == LanePattern::Rows && P.RowStride != 0
                 ? "rows of {row_lanes} lanes start {behind byte} behind a "
                   "{boundary}-byte boundary"
                 : "the first lane starts {behind byte} behind a "
                   "{boundary}-byte boundary",
             {{"row_lanes", P.RowLanes},
              {"behind", *Amiss.begin()},
              {"boundary", Period}}},
            {"shift-index",
             "let what the first lane takes begin at a {boundary}-byte "
             "boundary, or the elements before one go first",
             {{"boundary", Period}}},
            shifted(Period - *Amiss.begin())};
  if (P.Kind == LanePattern::Rows && P.RowStride != 0) {
    const Phrase Cause{
        "rows-start-inside",
        "rows of {row_lanes} lanes start inside a "
        "{boundary}-byte {unit}",
        {{"row_lanes", P.RowLanes}, {"boundary", Period}, {"unit", Unit}}};
    const Layout Rounded = roundedRows(std::abs(P.RowStride), Period);
    if (Try.mendedBy(Rounded))
      return {Cause,
              {"pad-rows-to",
               "pad the rows to a multiple of {boundary} bytes",
               {{"boundary", Period}}},
              Rounded};
    for (std::int64_t Bytes = A.Bytes; Bytes < Period; Bytes += A.Bytes) {
      const Layout Moved = [=](std::int64_t Offset) {
        return Rounded(Offset) + Bytes;
      };
      if (Try.mendedBy(Moved))
        return {Cause,
                {"pad-and-shift-rows",
                 "pad the rows to a multiple of {boundary} bytes and shift "
                 "them by {shift byte}",
                 {{"boundary", Period}, {"shift", Bytes}}},
                Moved};
    }
    return {Cause,
            {"align-rows",
             "let each row begin at a multiple of {boundary} bytes",
             {{"boundary", Period}}}};
  }
  return {Amiss.size() > 1 // `blockIdx.x * 673 + threadIdx.x`
              ? Phrase{"starts-vary",
                       "requests start at {places} different places inside a "
                       "{boundary}-byte {unit}",
                       {{"places", Amiss.size()},
                        {"boundary", Period},
                        {"unit", Unit}}}
              : Phrase{"starts-behind-boundary",
                       "requests start {behind byte} behind a {boundary}-byte "
                       "boundary",
                       {{"behind", *Amiss.begin()}, {"boundary", Period}}},
          {"align-blocks",
           "let each block or row begin at a multiple of {boundary} bytes",
           {{"boundary", Period}}}};
}

void GlobalMisaligned::checkKernel(const KernelModel &K,
                                   FindingSink &Out) const {
  const bool SeveralShapes = K.hasSeveralShapes();
  const Architecture &Arch = *K.Gpu.Arch;
  Stencils Around(K);
  for (const Access *A : K.judgeable(MemorySpace::Global)) {
    const Traffic &T = *A->Predicted;
    const MeanTraffic Aligned = meanGlobalAligned(Arch, *A);
    // Half a sector: most requests pay, not only the ones at an edge.
    if (T.PerRequest < Aligned.Transactions + 0.5)
      continue;
    // What alignment cannot mend is for `global-uncoalesced`.
    if (Aligned.Transactions >= threshold::WorthAnEdit * Aligned.Ideal)
      continue;
    if (restsOnAGuess(*A) || Around.isPartOfOne(*A) || slidesAlong(Arch, *A))
      continue;
    Finding &F =
        Out.report(K, *A,
                   {"traffic",
                    "{access} touches {traffic} {unit} per request, aligned "
                    "{aligned}{shape}",
                    {{"access", name(*A)},
                     {"traffic", T.PerRequest},
                     {"unit", globalUnit(Arch)},
                     {"aligned", Aligned.Transactions},
                     {"shape", shapeNote(SeveralShapes, *A)}}});
    Advice Told = causeAndRemedy(Arch, *A);
    F.Cause = std::move(Told.Cause);
    F.Remedy = std::move(Told.Remedy);
    F.Request = exampleOf(Arch, *A, Told.Then);
    // A float that misses by one sector in five pays little, and often cannot
    // help it.
    if (T.PerRequest >= Out.value(WarningRatio) * T.Ideal)
      F.Level = Severity::Warning;
    F.Predicted = predicted(Info.ConfirmedBy, Arch, T.PerRequest, T.Ideal);
    F.LanePattern = sectorPattern(*A);
  }
}

CUDA_LINT_REGISTER_CHECK(GlobalMisaligned)

} // namespace cudalint::global_misaligned
