//===- analyzer/checks/SharedBoundLoop.cpp - Loads for each FMA -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"
#include "analyzer/model/AccessWords.h"
#include "analyzer/model/Thresholds.h"
#include "hardware/Roofline.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

namespace cudalint::shared_bound_loop {
static constexpr CheckOption LeastRatio = {
    "shared-bound-loop.LeastRatio", 2, 1, 1000,
    "clocks for shared memory, as a multiple of those for the arithmetic, "
    "above which it is told"};

static constexpr CheckOption Options[] = {LeastRatio};

namespace {

class SharedBoundLoop : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "shared-bound-loop",
      .Level = Maturity::Stable,
      .Default = Severity::Note,
      .Summary = "finds loops that load more from shared memory than they "
                 "compute with it",
      .Why =
          R"md(An SM of compute capability 8.0 or 9.0 makes 128 fused
multiply-adds of floats in a clock, those of four warps (CUDA C++ Programming
Guide, "Arithmetic Instructions"). Its shared memory gives 128 bytes in a clock,
one wavefront: what one warp asks for in one load of 4 bytes a lane. A loop that
loads two values from shared memory for each multiply-add, as the plain tiled
product of matrices does, keeps shared memory busy for two clocks and the
arithmetic for a quarter of one: all but an eighth of the peak rate is gone,
however well the loads are laid out.

What helps is to use each loaded value more than once while it is in a register.
A thread that computes 4x4 results loads 8 values for 16 multiply-adds: half a
value each, where one result for each thread takes two.

A tiled product of n x n floats on an H100 (`kernels/costs`); small ones have too
few blocks of 4x4 results for each thread to fill the GPU:

| n | one result, blocks of 16x16 | one, 32x32 | 4x4 results |
|--:|--:|--:|--:|
| 512 | 46 us | 41 us | 44 us |
| 1024 | 284 us | 245 us | 108 us |
| 2048 | 2.1 ms | 1.9 ms | 0.75 ms |
| 4096 | 17 ms | 15 ms | 5.7 ms |)md",
      .Bad = R"cuda(__global__ void product(float *c, const float *a,
                        const float *b, int n) {
  __shared__ float ofA[32][32], ofB[32][32];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * 32 + y, column = blockIdx.x * 32 + x;
  float sum = 0;
  for (int first = 0; first < n; first += 32) {
    ofA[y][x] = a[row * n + first + x];
    ofB[y][x] = b[(first + y) * n + column];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      sum += ofA[y][k] * ofB[k][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

void run(float *c, const float *a, const float *b) {
  product<<<dim3(32, 32), dim3(32, 32)>>>(c, a, b, 1024);
}
)cuda",
      .Good = R"cuda(__global__ void product(float *c, const float *a,
                        const float *b, int n) {
  __shared__ float ofA[16][66], ofB[16][64];
  int t = threadIdx.x, x = t % 16, y = t / 16;
  int row = blockIdx.y * 64, column = blockIdx.x * 64;
  float sum[4][4] = {};
  for (int first = 0; first < n; first += 16) {
    for (int i = t; i < 64 * 16; i += 256) {
      ofA[i % 16][i / 16] = a[(row + i / 16) * n + first + i % 16];
      ofB[i / 64][i % 64] = b[(first + i / 64) * n + column + i % 64];
    }
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          sum[i][j] += ofA[k][y + 16 * i] * ofB[k][x + 16 * j];
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      c[(row + y + 16 * i) * n + column + x + 16 * j] = sum[i][j];
}

void run(float *c, const float *a, const float *b) {
  product<<<dim3(16, 16), 256>>>(c, a, b, 1024);
}
)cuda",
      .Limits = R"md(Speaks of innermost loops that multiply and add floats or
doubles, where all shared memory that a turn accesses is known, bank conflicts
and wider loads of the machine code included, and takes more than twice the
clocks of what is computed, also without bank conflicts; where the machine code is not known, loads of one
value in several turns are taken to be one. Lanes must load the same values, or the threads of a block each value
several times: otherwise there is nothing to use again. Silent about loops that access global
memory or wait for other threads, of less than 16 turns, in kernels that use
tensor cores or have 128 registers or more; of blocks that are not launched or
have one warp, and of grids of fewer blocks than a quarter of the SMs; and
where what the kernel, or a turn of the loop around, asks of global memory takes
longer.)md",
      .ConfirmedBy = Evidence::SharedWavefronts,
      .Options = Options};
  const CheckInfo &info() const override { return Info; }
  void checkKernel(const KernelModel &K, FindingSink &Out) const override;
};

/// What a warp does in each turn of a loop.
struct Turn {
  double Wavefronts = 0;
  double Fma = 0;
  double SharedClocks = 0, ArithmeticClocks = 0;
  double ClocksAtBest = 0; ///< Of shared memory, if its loads had no conflicts.
  const Access *Most = nullptr; ///< That takes the most wavefronts.
};

} // namespace

/// How many different addresses lanes load from, as a share of the lanes.
static double distinctShare(const RequestSample &S) {
  std::set<std::int64_t> Distinct;
  for (unsigned L = 0; L != WarpSize; ++L)
    if (S.ActiveMask >> L & 1)
      Distinct.insert(S.Offset[L]);
  return static_cast<double>(Distinct.size()) /
         std::max(1, std::popcount(S.ActiveMask));
}

/// Whether others of the block load the same, in this turn or another one.
static bool isUsedByOthers(const KernelModel &K, const ArithmeticLoop &L,
                           const Access &A, const TurnAccess &T) {
  if (std::ranges::any_of(A.Samples, [](const RequestSample &S) {
        return distinctShare(S) <= threshold::FewOfLanes;
      }))
    return true;
  const auto Of =
      std::ranges::find(K.Shared, A.Variable, &SharedVariable::Name);
  const auto Threads =
      static_cast<double>(A.Block[0] * A.Block[1] * A.Block[2]);
  return !A.Variable.empty() && Of != K.Shared.end() && Of->Bytes > 0 &&
         Threads * L.Turns * T.PerTurn * T.Bytes >=
             threshold::OftenUsed * static_cast<double>(Of->Bytes);
}

/// Bytes of the widest load, and the wavefronts that it takes at least.
static constexpr double WidestLoad = 16, OfWidestLoad = 2;

/// Whether all lanes load one value, and in other turns the one behind, so that
/// the compiler, of which nothing is known, may load several turns' at once.
static bool mayBeWider(const Access &A) {
  if (!A.Instructions.empty() || A.Bytes >= WidestLoad ||
      std::ranges::any_of(A.Samples, [](const RequestSample &S) {
        return distinctShare(S) * std::popcount(S.ActiveMask) > 1;
      }))
    return false;
  std::set<std::int64_t> At;
  for (const RequestSample &S : A.Samples)
    At.insert(S.Offset[static_cast<unsigned>(std::countr_zero(S.ActiveMask)) %
                       WarpSize]);
  // Of a loop that is not counted, one turn stands for all.
  return At.size() == 1 || std::ranges::any_of(At, [&](std::int64_t Each) {
           return At.contains(Each + static_cast<std::int64_t>(A.Bytes));
         });
}

namespace {
/// Adds up what the accesses of a loop take.
class TurnSum {
public:
  TurnSum(const KernelModel &K, const ArithmeticLoop &L) : K(K), L(L) {}

  /// False where not all is known, or other memory is accessed.
  bool addAll();
  /// Of shared memory, in each turn.
  double wavefronts() const { return with(Loads); }
  /// The same, if loads had no conflicts.
  double wavefrontsAtBest() const { return with(LoadsAtBest); }

  bool HasReuse = false;
  const Access *Most = nullptr; ///< That takes the most wavefronts.

private:
  const KernelModel &K;
  const ArithmeticLoop &L;
  double Stores = 0; ///< Wavefronts.
  double Loads = 0;  ///< Those of all loads that there are.
  double LoadsAtBest = 0;
  double Asked = 0; ///< Bytes that each lane loads, as written.
  double Taken = 0; ///< Those of the loads that there are.
  double MostLoads = 0;
  double Turns = 0;                 ///< Of a warp, by its loads; 0: not known.
  std::vector<const Access *> Kept; ///< Stores that no turn need make.

  double with(double Wavefronts) const {
    // What has no access of its own is a part of one that has.
    return Stores + (Taken > 0 ? Wavefronts * Asked / Taken : 0);
  }
  std::vector<const Access *> accessesAt(const TurnAccess &T) const;
  void addLoad(const TurnAccess &T, const std::vector<const Access *> &At);
};
} // namespace

/// An access of the source may be several of the machine code.
std::vector<const Access *> TurnSum::accessesAt(const TurnAccess &T) const {
  std::vector<const Access *> At;
  for (const Access &A : K.Accesses)
    if (A.UserWhere == T.Where && A.Op == T.Op && A.Executions != 0.0 &&
        A.Block == K.Accesses.front().Block)
      At.push_back(&A);
  return At;
}

void TurnSum::addLoad(const TurnAccess &T,
                      const std::vector<const Access *> &At) {
  double Bytes = 0, Times = 0;
  for (const Access *A : At) {
    Bytes += A->Executions.value_or(1) * A->Bytes;
    Times += A->Executions.value_or(0) * A->Bytes / T.Bytes;
  }
  Turns = std::max(Turns, Times / T.PerTurn);
  for (const Access *A : At) {
    const double Requests =
        T.PerTurn * T.Bytes * A->Executions.value_or(1) / Bytes;
    const double Wavefronts =
        mayBeWider(*A) ? Requests * A->Bytes / WidestLoad * OfWidestLoad
                       : Requests * A->Predicted->PerRequest;
    Loads += Wavefronts;
    LoadsAtBest += std::min(Wavefronts, Requests * A->Predicted->Ideal);
    Taken += Requests * A->Bytes;
    HasReuse |= isUsedByOthers(K, L, *A, T);
    if (Wavefronts > MostLoads) {
      MostLoads = Wavefronts;
      Most = A;
    }
  }
}

/// It is no access of a memory with banks.
static bool isOperand(const Access *A) {
  return A->Space == MemorySpace::Local ||
         (A->Space == MemorySpace::Constant && A->Predicted &&
          A->Predicted->PerRequest <= 1);
}

bool TurnSum::addAll() {
  for (const TurnAccess &T : L.Accesses) {
    const std::vector<const Access *> At = accessesAt(T);
    const auto isUnknown = [](const Access *A) {
      return A->Space != MemorySpace::Shared || !A->Predicted || A->Stride;
    };
    // Constants are operands of instructions, unless lanes ask for several.
    if (!At.empty() && std::ranges::all_of(At, isOperand))
      continue;
    if (std::ranges::any_of(At, isUnknown))
      return false;
    if (T.PerTurn == 0) {
      // Kept in a register from turn to turn, unless it may be another's.
      if (T.Op == AccessOp::Store)
        Kept.insert(Kept.end(), At.begin(), At.end());
      continue;
    }
    if (T.Op != AccessOp::Load) {
      for (const Access *A : At)
        Stores += T.PerTurn * A->Predicted->PerRequest;
      continue;
    }
    if (T.IsShared || !At.empty())
      Asked += T.PerTurn * T.Bytes;
    if (!At.empty())
      addLoad(T, At);
  }
  for (const Access *A : Kept)
    if (Turns > 0)
      Stores += A->Executions.value_or(0) * A->Predicted->PerRequest / Turns;
  return HasReuse && Most;
}

/// Nothing where not all is known.
static std::optional<Turn> turnOf(const KernelModel &K, const ArithmeticLoop &L,
                                  const PeakRates &Peaks) {
  TurnSum Sum(K, L);
  if (!Sum.addAll())
    return std::nullopt;
  Turn Out{.Wavefronts = Sum.wavefronts(),
           .Fma = L.FloatFma + L.DoubleFma,
           .Most = Sum.Most};
  Out.SharedClocks = Out.Wavefronts / *Peaks.Wavefronts;
  Out.ClocksAtBest = Sum.wavefrontsAtBest() / *Peaks.Wavefronts;
  const double Units =
      WarpSize * (L.FloatFma / *Peaks.Float + L.DoubleFma / *Peaks.Double);
  const double Issue = (Out.Fma + L.OtherSlots) / *Peaks.Instructions;
  Out.ArithmeticClocks = std::max(Units, Issue);
  return Out;
}

/// Clocks in which the memory of the GPU gives what is accessed around the
/// loop, for each time that the loop is run; caches are taken to give half.
static double clocksAround(const KernelModel &K, const ArithmeticLoop &L,
                           const PeakRates &Peaks) {
  /// Of an H100: the least of what the products of its time have.
  constexpr double UsualSectors = 0.4, OfCaches = 2;
  double Sectors = 0;
  for (const TurnAccess &T : L.Around) {
    // A warp's worth of bytes, where it is not known to be other memory.
    double Each = T.IsShared ? 0 : T.Bytes;
    for (const Access &A : K.Accesses)
      if (A.UserWhere == T.Where && A.Op == T.Op)
        Each = A.Space != MemorySpace::Global ? 0
               : A.Predicted                  ? A.Predicted->PerRequest
               : A.Expected                   ? A.Expected->PerRequest
                                              : Each;
    Sectors += T.PerTurn * Each;
  }
  return Sectors / (OfCaches * Peaks.DramSectors.value_or(UsualSectors));
}

/// Clocks of a resource for the whole kernel; 0: not known.
static double clocksOf(const KernelModel &K, Resource What) {
  if (K.Totals.empty())
    return 0;
  for (const ResourceBound &B : K.Totals.front().Bounds)
    if (B.What == What)
      return B.Clocks;
  return 0;
}

/// Whether memory behind shared memory is what the kernel waits for.
static bool waitsForMemory(const KernelModel &K) {
  const double Shared = clocksOf(K, Resource::Shared);
  return Shared > 0 && (clocksOf(K, Resource::Dram) > Shared ||
                        clocksOf(K, Resource::L2) > Shared);
}

/// Whether all is known, and shared memory takes more than twice as long as
/// anything else.
static bool isAllThatMatters(const KernelModel &K) {
  const double Shared = clocksOf(K, Resource::Shared);
  for (const Resource Other : {Resource::Issue, Resource::Dram, Resource::L2})
    if (clocksOf(K, Other) == 0 ||
        threshold::ClearlySlower * clocksOf(K, Other) > Shared)
      return false;
  return true;
}

/// Whether there are enough warps that shared memory is what they wait for, as
/// far as that is known. Of a block that is assumed, it is not.
static bool keepsBusy(const KernelModel &K, const Access &A) {
  if (!isLaunched(A.BlockSource) ||
      A.Block[0] * A.Block[1] * A.Block[2] < threshold::ThreadsOfSharedBound)
    return false;
  const auto Totals = std::ranges::find(K.Totals, A.Block, &WarpTotals::Block);
  if (Totals == K.Totals.end() || !K.Gpu.SMs)
    return true;
  std::int64_t Blocks = 1;
  for (const std::optional<std::int64_t> D : Totals->Grid) {
    if (!D)
      return true;
    Blocks *= *D;
  }
  return 4 * Blocks >= *K.Gpu.SMs;
}

void SharedBoundLoop::checkKernel(const KernelModel &K,
                                  FindingSink &Out) const {
  const PeakRates Peaks = peakRatesOf(K.Gpu);
  if (K.Traits.UsesTensorCores || K.Accesses.empty() || !Peaks.Wavefronts ||
      !Peaks.Float || !Peaks.Double || !Peaks.Instructions ||
      (K.Resources &&
       K.Resources->Registers.value_or(0) >= threshold::RegistersOfSmallTile) ||
      waitsForMemory(K))
    return;
  for (const ArithmeticLoop &L : K.Traits.Loops) {
    if (L.Turns && L.Turns < threshold::FewTurns)
      continue;
    const std::optional<Turn> T = turnOf(K, L, Peaks);
    // Conflicts have findings, and remedies, of their own.
    if (!T || !keepsBusy(K, *T->Most) ||
        T->ClocksAtBest <= Out.value(LeastRatio) * T->ArithmeticClocks ||
        (L.Turns && clocksAround(K, L, Peaks) > L.Turns * T->SharedClocks))
      continue;
    Finding &F = Out.report(
        K, *T->Most,
        {"loads-per-fma",
         "each turn of the loop keeps shared memory busy for {times} times the "
         "clocks of its arithmetic{shape}, with {wavefronts wavefront} for "
         "{fma} FMA",
         {{"times", T->SharedClocks / T->ArithmeticClocks},
          {"shape", shapeNote(K.hasSeveralShapes(), *T->Most)},
          {"wavefronts", T->Wavefronts},
          {"fma", T->Fma}}});
    F.Cause = {"used-once",
               "what is loaded is used once, and then loaded again by others",
               {}};
    F.Remedy = {"register-tile",
                "compute several results in each thread, so that it uses each "
                "loaded value for several of them: of two tiles, 4x4 results "
                "take 8 loads for 16 FMA",
                {}};
    if (isAllThatMatters(K))
      F.Level = Severity::Warning;
  }
}

CUDA_LINT_REGISTER_CHECK(SharedBoundLoop)

} // namespace cudalint::shared_bound_loop
