//===- analyzer/checks/SharedBankConflict.cpp - Conflicts between banks --===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"
#include "analyzer/model/AccessWords.h"
#include "analyzer/model/LanePattern.h"
#include "analyzer/model/LittleCost.h"
#include "analyzer/model/RequestPicture.h"
#include "analyzer/model/Thresholds.h"
#include "analyzer/remedy/BankRemedy.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>

namespace cudalint::shared_bank_conflict {
/// Below this the padding's address arithmetic can cost as much as it saves,
/// and a conflict of a few edge warps is not worth an edit.
static constexpr CheckOption LeastRatio = {
    "shared-bank-conflict.LeastRatio", threshold::WorthAnEdit, 1, 32,
    "wavefronts per request, as a multiple of the ideal, from which on it is "
    "told"};

static constexpr CheckOption Options[] = {LeastRatio};

namespace {

class SharedBankConflict : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "shared-bank-conflict",
      .Level = Maturity::Stable,
      .Default = Severity::Warning,
      .Summary = "finds shared memory requests whose lanes queue for one bank",
      .Why = R"md(Shared memory has 32 banks of 4 bytes. In one wavefront each
bank serves one word; lanes that read the same word share it for free. When the
lanes of a warp need N different words of one bank, the request takes N
wavefronts, and the memory pipe is busy for all of them. The classic case is a
column of a tile whose rows are a multiple of 32 words long: all 32 lanes need
one bank.

A `float4` request always takes 4 wavefronts of 8 lanes, a `double` one takes 2
of 16: that is the minimum for their size, and no conflict.

Lanes of an atomic that update one word take turns as well. From compute
capability 8.0 on there is an exception: adding the constant 1 to an `int` or
`unsigned` whose old value nobody uses is an instruction that counts the lanes
of a word together.

These remedies pay. Gains in time on an H200 and an H100
(`docs/validation/remedies-h200.md`):

| before | after | H200 | H100 |
|---|---|--:|--:|
| rows of 32 words, shared memory alone | rows of 33 | 28.4 | 28.1 |
| rows of 16 words, shared memory alone | rows of 17 | 14.2 | 14.0 |
| a transpose through DRAM by a tile of rows of 32 | rows of 33, or a swizzle | 2.2 | 1.7 |
| interleaved sums | sequential | 1.3 | 1.3 |

Applied to public programs, fixes of conflicts of 8 ways and more saved 0 to 62 %
of the time of a kernel, those of 2 ways 25 to 36 % where shared memory was the
limit and nothing where DRAM was (`docs/validation/fixes-h200.md`).)md",
      .Bad = R"cuda(__global__ void transpose(float *out, const float *in) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

void run(float *out, const float *in) {
  transpose<<<1024, dim3(32, 32)>>>(out, in);
}
)cuda",
      .Good = R"cuda(__global__ void transpose(float *out, const float *in) {
  __shared__ float tile[32][32 + 1];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

void run(float *out, const float *in) {
  transpose<<<1024, dim3(32, 32)>>>(out, in);
}
)cuda",
      .Limits = R"md(Silent where the address depends on loaded data, and where
conflicts cost less than 30 % over the minimum. Silent also where only the
counters of a line see one: of 16-byte loads in which lanes pair up, they report
up to twice what the hardware takes; and where the machine code does not tell
whether neighbouring turns of a loop are one access, or is not known and such an
access would have no conflict. A pitch that only the run knows
is the business of `runtime-stride`. A note where the wavefronts too many take
less than a tenth of the time in which the warp issues what it computes on the
shortest way through the access: by that, loops beside it that turn nobody knows
how often turn a hundred times where a parameter of the kernel decides, else
twice, and those around other loops once. On compute capability 7.0 to 7.5 some 64- and 128-bit reads need fewer wavefronts than is said here. On Kepler the banks
are taken to be in their default 4-byte mode.)md",
      .ConfirmedBy = Evidence::SharedWavefrontsPerRequest,
      .Options = Options};
  const CheckInfo &info() const override { return Info; }
  void checkKernel(const KernelModel &K, FindingSink &Out) const override;
};

} // namespace

/// What the hardware takes for a request, a mean. Of wide loads in which lanes
/// pair up, counters report more than that, by line of the source.
static double served(const Architecture &Arch, const Access &A) {
  double Sum = 0, Weight = 0;
  for (const RequestSample &S : A.Samples) {
    Sum += S.Weight * sharedTraffic(Arch, toRequest(A, S)).Served;
    Weight += S.Weight;
  }
  return Weight > 0 ? Sum / Weight : A.Predicted->PerRequest;
}

/// Turns of a loop that are neighbours for each lane, in a kernel whose machine
/// code was read and does not tell which instruction this is: the compiler may
/// well have made one access of several turns, which costs something else.
static bool mayBeMerged(const KernelModel &K, const Access &A) {
  if (!K.HasMachineCode || !A.Instructions.empty() || A.LoopDepth == 0 ||
      A.Bytes >= 16)
    return false;
  const auto areNeighbours = [&](const RequestSample &X,
                                 const RequestSample &Y) {
    if (X.ActiveMask != Y.ActiveMask || X.ActiveMask == 0)
      return false;
    for (unsigned Lane = 0; Lane < WarpSize; ++Lane)
      if (X.ActiveMask >> Lane & 1 &&
          Y.Offset[Lane] - X.Offset[Lane] != A.Bytes)
        return false;
    return true;
  };
  return std::ranges::any_of(A.Samples, [&](const RequestSample &X) {
    return std::ranges::any_of(
        A.Samples, [&](const RequestSample &Y) { return areNeighbours(X, Y); });
  });
}

/// Whether \p A is to a part of an element of which other turns or accesses
/// load the rest, as through `(half2 *)&of_int4[i]`: nvcc makes one load of
/// these.
static bool isPartOfElement(const KernelModel &K, const Access &A) {
  const auto Variable =
      std::ranges::find(K.Shared, A.Variable, &SharedVariable::Name);
  if (A.LoopDepth > 0 && !A.Source.Field && Variable != K.Shared.end() &&
      Variable->Widest > A.Bytes)
    return true;
  const std::optional<FieldFact> &Field = A.Source.Field;
  if (!Field || Field->StructBytes <= A.Bytes || Field->StructBytes > 16 ||
      !std::has_single_bit(Field->StructBytes))
    return false;
  // One behind the other, arrays of whole words begin with one.
  if (Field->StructAlign != Field->StructBytes &&
      !std::ranges::all_of(K.Shared, [&](const SharedVariable &V) {
        return V.Bytes != 0 && V.Bytes % 16 == 0;
      }))
    return false;
  std::set<std::uint64_t> Offsets;
  for (const Access &B : K.Accesses)
    if (B.Op == A.Op && B.Variable == A.Variable && B.Block == A.Block &&
        B.GroupKey == A.GroupKey && B.Source.Field &&
        B.Source.Field->Struct == Field->Struct)
      Offsets.insert(B.Source.Field->FieldOffset);
  return Offsets.size() * A.Bytes >= Field->StructBytes;
}

/// Bytes of the turns of a loop that store side by side for each lane, and that
/// nvcc writes out and makes one store of, as far as its code is not known;
/// else 0. What becomes of loads is known before they are evaluated
/// (expectCompiled).
static unsigned bytesOfTurns(const KernelModel &K, const Access &A) {
  constexpr unsigned MostWrittenOut = 64; // Chosen.
  if (K.HasMachineCode || A.Op != AccessOp::Store || A.Volatile ||
      A.LoopTurns.empty() || A.LoopTurns.front() > MostWrittenOut ||
      A.TurnStep != static_cast<std::int64_t>(A.Bytes))
    return 0;
  return A.LoopTurns.front() * A.Bytes;
}

/// Lanes that have room for a wider access each, as for eight floats in a row,
/// where such accesses conflict less. Turns that cost the same are one sample:
/// where the machine code is known, nothing tells whether they are neighbours.
static bool isFreeIfMerged(const KernelModel &K, const Access &A) {
  const bool IsPart =
      A.Op == AccessOp::Load &&
      (K.HasMachineCode ? A.LoopDepth > 0 : isPartOfElement(K, A));
  const unsigned Widest = IsPart ? 16 : std::min(bytesOfTurns(K, A), 16u);
  if (!A.Instructions.empty())
    return false;
  const RequestSample &S = A.Samples.front();
  for (unsigned Bytes = 2 * A.Bytes; Bytes <= Widest; Bytes *= 2) {
    WarpRequest Wide = toRequest(A, S);
    Wide.BytesPerLane = Bytes;
    const unsigned First =
        static_cast<unsigned>(std::countr_zero(S.ActiveMask));
    const std::uint64_t From = Wide.Address[First] % Bytes;
    bool HaveRoom = true;
    for (unsigned Lane = 0; Lane != WarpSize; ++Lane)
      if (S.ActiveMask >> Lane & 1) {
        HaveRoom &= Wide.Address[Lane] % Bytes == From;
        Wide.Address[Lane] -= From;
      }
    if (!HaveRoom)
      break;
    const SharedTraffic T = sharedTraffic(*K.Gpu.Arch, Wide);
    if (T.Served < threshold::WorthAnEdit * T.Ideal)
      return true;
  }
  return false;
}

/// The lanes of one request by the phases that serve them.
static std::string phaseTable(const Architecture &Arch, const Access &A) {
  const WarpRequest R = toRequest(A, A.Samples.front());
  const std::vector<LaneBank> Table = bankTable(Arch, R);
  const SharedTraffic T = sharedTraffic(Arch, R);
  std::string Text = fmt::format("costliest request: {}, ideal {}\n",
                                 countOf(T.Wavefronts, "wavefront"), T.Ideal);
  std::set<unsigned> Phases;
  for (const LaneBank &L : Table)
    Phases.insert(L.Phase);
  for (const unsigned Phase : Phases) {
    std::vector<LaneBank> Row;
    for (const LaneBank &L : Table)
      if (L.Phase == Phase)
        Row.push_back(L);
    Text += fmt::format("phase {} of {}: lanes {} to {}\n", Phase + 1,
                        Phases.size(), Row.front().Lane, Row.back().Lane);
    for (std::size_t From = 0; From < Row.size(); From += 16) {
      std::string Lanes = "  lane", Banks = "  bank", Words = "  word";
      for (std::size_t I = From; I < std::min(From + 16, Row.size()); ++I) {
        Lanes += fmt::format(" {:4}", Row[I].Lane);
        Banks += fmt::format(" {:4}", Row[I].Bank);
        Words += fmt::format(" {:4}", Row[I].Word);
      }
      Text += Lanes + "\n" + Banks + "\n" + Words + "\n";
    }
  }
  return Text;
}

/// The conflict in words: the degree, and which lanes meet.
static Phrase cause(const Access &A) {
  if (const unsigned Lanes = lanesThatTakeTurns(A); Lanes > 1)
    return {"lanes-take-turns",
            "up to {lanes} lanes update one word and take turns",
            {{"lanes", Lanes}}};
  const bool Mixed =
      A.Samples.size() > 1 && A.Predicted->PerRequest + 0.5 < A.Predicted->Ways;
  Phrase Lanes = describe(lanePattern(A.Samples.front()), true);
  if (Mixed)
    Lanes.Text += " in the costliest request";
  Phrase Said{Lanes.Id,
              Mixed ? "up to {ways}-way bank conflicts"
                    : "{ways}-way bank conflict",
              {{"ways", A.Predicted->Ways}}};
  return Said.append(", ", Lanes);
}

void SharedBankConflict::checkKernel(const KernelModel &K,
                                     FindingSink &Out) const {
  BankRemedies Remedies(K);
  for (const Access *A : K.judgeable(MemorySpace::Shared)) {
    const Traffic &T = *A->Predicted;
    if (T.Ways < 2 || T.PerRequest < Out.value(LeastRatio) * T.Ideal ||
        served(*K.Gpu.Arch, *A) < Out.value(LeastRatio) * T.Ideal ||
        mayBeMerged(K, *A) || isFreeIfMerged(K, *A))
      continue;
    BankRemedy R = Remedies.find(*A);
    Finding &F =
        Out.report(K, *A,
                   {"wavefronts",
                    "{access} takes {hedge}{wavefronts} wavefronts per "
                    "request, ideal {ideal}{launches}{shape}",
                    {{"access", name(*A)},
                     {"hedge", hedge(*K.Gpu.Arch, *A)},
                     {"wavefronts", T.PerRequest},
                     {"ideal", T.Ideal},
                     {"launches", launchNote(K.costsByLaunch(*A))},
                     {"shape", shapeNote(K.costsByShape(*A), *A)}}});
    F.Cause = cause(*A);
    F.Remedy = std::move(R.Said);
    // The best that there is, and hardly worth an edit; or little to gain, and
    // nobody knows how.
    if (R.Effect ? R.Effect->After > R.Effect->Before / threshold::WorthItInAll
                 : T.PerRequest <= 2 * T.Ideal)
      F.Level = Severity::Note;
    // Where it was measured, half of the wavefronts were worth it.
    if (R.MayCostMore && R.Effect && R.Effect->After > R.Effect->Before / 2)
      F.Level = Severity::Note;
    F.Effect = std::move(R.Effect);
    F.Request = exampleOf(*K.Gpu.Arch, *A, R.New);
    F.Predicted =
        predicted(Info.ConfirmedBy, *K.Gpu.Arch, T.PerRequest, T.Ideal);
    setMostOfKernel(F, mostOfWavefronts(K, *A));
    if (R.Edit)
      F.Fixes.push_back(*R.Edit);
    F.LanePattern = bankPattern(*K.Gpu.Arch, *A);
    F.Detail = phaseTable(*K.Gpu.Arch, *A);
  }
}

CUDA_LINT_REGISTER_CHECK(SharedBankConflict)

} // namespace cudalint::shared_bank_conflict
