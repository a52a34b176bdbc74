//===- analyzer/checks/SharedBankConflict.cpp - Conflicts between banks --===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/AccessWords.h"
#include "analyzer/checks/Check.h"
#include "analyzer/checks/LanePattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace cudalint {
namespace {

class SharedBankConflict : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "shared-bank-conflict",
      .Level = Trust::Stable,
      .Default = Severity::Warning,
      .Summary = "finds shared memory requests whose lanes queue for one bank",
      .Why = R"md(Shared memory has 32 banks of 4 bytes. In one wavefront each
bank serves one word; lanes that read the same word share it for free. When the
lanes of a warp need N different words of one bank, the request takes N
wavefronts, and the memory pipe is busy for all of them. The classic case is a
column of a tile whose rows are a multiple of 32 words long: all 32 lanes need
one bank.

A `float4` request always takes 4 wavefronts of 8 lanes, a `double` one takes 2
of 16: that is the minimum for their size, and no conflict.)md",
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
conflicts cost less than 30 % over the minimum. A pitch that only the run knows
is the business of `runtime-stride`. On compute capability 7.0 to 7.5 some 64-
and 128-bit reads need fewer wavefronts than is said here. On Kepler the banks
are taken to be in their default 4-byte mode.)md",
      .ConfirmedBy = Metric::SharedWavefrontsPerRequest};
  const CheckInfo &info() const override { return Info; }
  void checkKernel(const KernelModel &K, FindingSink &Out) const override;
};

} // namespace

/// Below this the padding's address arithmetic can cost as much as it saves,
/// and a conflict of a few edge warps is not worth an edit.
static constexpr double WorthSaying = 1.3;

//===----------------------------------------------------------------------===//
// Remedies: each is another layout, and is proposed only after all accesses to
// the array have been counted again under it.
//===----------------------------------------------------------------------===//

static std::int64_t floorDivide(std::int64_t A, std::int64_t B) {
  return A / B - (A % B != 0 && (A < 0) != (B < 0));
}

/// Rows of `Pitch` bytes become rows of `NewPitch`.
static Layout padded(std::int64_t Pitch, std::int64_t NewPitch) {
  return [=](std::int64_t Offset) {
    const std::int64_t Row = floorDivide(Offset, Pitch);
    return Row * NewPitch + (Offset - Row * Pitch);
  };
}

/// Column `c` of row `r` moves to column `c ^ (r % Columns)`.
static Layout swizzled(std::int64_t Element, std::int64_t Columns) {
  return [=](std::int64_t Offset) {
    const std::int64_t Index = floorDivide(Offset, Element);
    const std::int64_t Row = floorDivide(Index, Columns);
    const std::int64_t Column = Index - Row * Columns;
    return (Row * Columns + (Column ^ (Row & (Columns - 1)))) * Element +
           (Offset - Index * Element);
  };
}

/// All known accesses of the kernel to the array that `A` touches.
static std::vector<const Access *> sharers(const KernelModel &K,
                                           const Access &A) {
  std::vector<const Access *> Result;
  for (const Access &B : K.Accesses)
    if (B.Space == MemorySpace::Shared && B.Predicted && B.Source.Array &&
        B.Source.Array->Where == A.Source.Array->Where && !B.Stride)
      Result.push_back(&B);
  return Result;
}

/// What all accesses to an array cost under a layout.
struct Cost {
  double Wavefronts = 0;
  double Ideal = 0;

  bool isFree() const { return Wavefronts <= Ideal * 1.0001; }
};

static Cost costOf(const Architecture &Arch,
                   const std::vector<const Access *> &Accesses,
                   const Layout &NewLayout) {
  Cost C;
  for (const Access *A : Accesses) {
    const double Requests = std::max(1.0, A->Predicted->Requests);
    const MeanTraffic New = meanShared(Arch, *A, NewLayout);
    C.Wavefronts += Requests * New.Transactions;
    C.Ideal += Requests * New.Ideal;
  }
  return C;
}

/// `tile[a][b]` names every dimension, so that a longer row changes nothing
/// but the distance of rows; a cast or a flat pointer would break.
static bool namesEveryDimension(const Access &A) {
  const std::string &Text = A.Source.Text;
  const std::string &Object = A.Source.Object;
  if (Object.empty() || Text.compare(0, Object.size(), Object) != 0)
    return false;
  unsigned Subscripts = 0, Depth = 0;
  for (const char C : Text.substr(Object.size())) {
    if (Depth == 0 && C != '[')
      break;
    Subscripts += C == '[' && Depth == 0;
    Depth += C == '[';
    Depth -= C == ']';
  }
  return Depth == 0 && Subscripts == A.Source.Array->Dimensions.size();
}

/// True when every shared access of the kernel is known to name its array in
/// full: then nothing reads this one through a pointer.
static bool isSafeToPad(const KernelModel &K) {
  return std::all_of(K.Accesses.begin(), K.Accesses.end(), [](const Access &A) {
    return A.Space != MemorySpace::Shared ||
           (A.Source.Array && namesEveryDimension(A));
  });
}

struct Remedy {
  std::string Text; ///< Empty when none is known.
  std::optional<Fix> Edit;
  bool IsComplete = false; ///< No access to the array conflicts then.
};

/// What is left, in words that follow a colon.
static std::string effect(const Cost &Now, const Cost &Then) {
  return Then.isFree()
             ? std::string("no access to it conflicts then")
             : fmt::format("its accesses take {:.0f} % of the wavefronts then",
                           100 * Then.Wavefronts / Now.Wavefronts);
}

static std::string dimensions(const ArrayFact &Array, std::uint64_t Pad) {
  std::string Text;
  for (std::size_t I = 0; I + 1 < Array.Dimensions.size(); ++I)
    Text += fmt::format("[{}]", Array.Dimensions[I]);
  return fmt::format("{}[{} + {}]", Text, Array.Dimensions.back(), Pad);
}

static Remedy padRows(const KernelModel &K, const Access &A) {
  const Architecture &Arch = *K.Gpu.Arch;
  const ArrayFact &Array = *A.Source.Array;
  const std::uint64_t Element = Array.ElementBytes;
  const std::uint64_t Pitch = Array.Dimensions.back() * Element;
  std::uint64_t Rows = 1;
  for (std::size_t I = 0; I + 1 < Array.Dimensions.size(); ++I)
    Rows *= Array.Dimensions[I];
  const std::vector<const Access *> All = sharers(K, A);
  std::uint64_t Widest = 1;
  for (const Access *B : All)
    Widest = std::max<std::uint64_t>(Widest, B->Bytes);

  const Cost Now = costOf(Arch, All, nullptr);
  std::uint64_t Best = 0;
  Cost Least = Now;
  for (std::uint64_t Pad = 1; Pad <= 32; ++Pad) {
    // A wide access must stay aligned in every row, and the block must still
    // start.
    if (Pad * Element % std::min(Widest, std::uint64_t(16)) != 0 &&
        Widest > Element)
      continue;
    if (K.StaticSharedBytes + Pad * Element * Rows > Arch.SharedPerBlock)
      break;
    const Cost C = costOf(Arch, All, padded(Pitch, Pitch + Pad * Element));
    if (C.Wavefronts < Least.Wavefronts * 0.999) {
      Least = C;
      Best = Pad;
    }
    if (C.isFree())
      break;
  }
  // Half a remedy is not worth more shared memory.
  if (Best == 0 || (!Least.isFree() && Least.Wavefronts > Now.Wavefronts / 1.3))
    return {};
  Remedy R;
  R.IsComplete = Least.isFree();
  R.Text = fmt::format("declare '{}{}': {}", A.Source.Object,
                       dimensions(Array, Best), effect(Now, Least));
  if (R.IsComplete && !Array.PadPoint.File.empty() && isSafeToPad(K))
    R.Edit = Fix{fmt::format("pad the rows of '{}' by {}, {} more bytes of "
                             "shared memory per block",
                             A.Source.Object, counted(Best, "element"),
                             Best * Element * Rows),
                 {{Array.PadPoint.File, Array.PadPoint.Offset, 0,
                   fmt::format(" + {}", Best)}}};
  return R;
}

static Remedy swizzleRows(const KernelModel &K, const Access &A) {
  const ArrayFact &Array = *A.Source.Array;
  const std::uint64_t Columns = Array.Dimensions.back();
  if (Columns < 2 || (Columns & (Columns - 1)) != 0)
    return {};
  const std::vector<const Access *> All = sharers(K, A);
  for (const Access *B : All)
    if (B->Bytes > Array.ElementBytes)
      return {}; // A swizzle of elements tears a wider access apart.
  const Architecture &Arch = *K.Gpu.Arch;
  const Cost Now = costOf(Arch, All, nullptr);
  const Cost Then =
      costOf(Arch, All,
             swizzled(static_cast<std::int64_t>(Array.ElementBytes),
                      static_cast<std::int64_t>(Columns)));
  if (Then.Wavefronts > Now.Wavefronts / 1.3)
    return {};
  return {fmt::format("keep element (row, col) of '{}' at column "
                      "col ^ (row % {}): {}",
                      A.Source.Object, Columns, effect(Now, Then)),
          std::nullopt, Then.isFree()};
}

/// A struct of an even number of words in shared memory, read field by field.
static Remedy padStruct(const KernelModel &K, const Access &A) {
  const FieldFact &Field = *A.Source.Field;
  const auto Size = static_cast<std::int64_t>(Field.StructBytes);
  if (Size <= 0)
    return {};
  const double Now = A.Predicted->PerRequest;
  const double Then =
      meanShared(*K.Gpu.Arch, A, padded(Size, Size + 4)).Transactions;
  if (Then > Now / 1.3)
    return {fmt::format("keep the fields of '{}' in arrays of their own",
                        Field.Struct),
            std::nullopt};
  return {fmt::format("keep the fields of '{}' in arrays of their own, or make "
                      "it {} bytes with one more word",
                      Field.Struct, Size + 4),
          std::nullopt};
}

/// `s[i]` becomes `s[i + i / 32]`, for flat arrays.
static Remedy padIndex(const KernelModel &K, const Access &A) {
  const std::int64_t Banks = K.Gpu.Arch->CC.Major < 2 ? 16 : 32;
  const std::int64_t Element = A.Bytes;
  const std::int64_t Run = Banks * 4 / Element;
  const MeanTraffic Then = meanShared(
      *K.Gpu.Arch, A, padded(Run * Element, Run * Element + Element));
  if (Then.Transactions > A.Predicted->PerRequest / 1.3)
    return {};
  return {
      fmt::format("leave one element free after every {}, index "
                  "i + i / {} instead of i: {} then",
                  Run, Run,
                  Then.Transactions <= Then.Ideal * 1.0001
                      ? std::string("no conflict")
                      : counted(std::lround(Then.Transactions), "wavefront")),
      std::nullopt};
}

/// A loop whose stride doubles, as in the interleaved reduction.
static bool hasGrowingStride(const Access &A) {
  std::set<std::int64_t> Strides;
  for (const RequestSample &S : A.Samples) {
    const LanePattern P = lanePattern(S);
    if (P.Kind == LanePattern::Strided)
      Strides.insert(std::abs(P.Stride));
  }
  return A.LoopDepth > 0 && Strides.size() >= 3;
}

static Remedy findRemedy(const KernelModel &K, const Access &A) {
  if (hasGrowingStride(A))
    return {"use sequential addressing: halve the stride from turn to turn, "
            "and add element tid + stride to element tid",
            std::nullopt};
  const bool IsTable = A.Source.Array && A.Source.Array->ElementBytes > 0 &&
                       A.Source.Array->Dimensions.size() >= 2 &&
                       A.Source.Array->Dimensions.back() > 0;
  if (IsTable) {
    const Remedy Padding = padRows(K, A);
    if (Padding.IsComplete)
      return Padding;
    // Rows of 16 lanes and a column of a 16x16 tile want different pitches: a
    // swizzle can suit both.
    const Remedy Swizzle = swizzleRows(K, A);
    if (Swizzle.IsComplete)
      return Swizzle;
    if (!Padding.Text.empty())
      return Padding;
    if (!Swizzle.Text.empty())
      return Swizzle;
  }
  if (A.Source.Field && A.Source.Field->StructBytes > A.Bytes)
    return padStruct(K, A);
  if (!IsTable)
    if (Remedy R = padIndex(K, A); !R.Text.empty())
      return R;
  // 1.x serves wide accesses word by word.
  if (K.Gpu.Arch->CC.Major < 2 && A.Bytes > 4)
    return {"keep the words of the vector in arrays of their own",
            std::nullopt};
  return {};
}

//===----------------------------------------------------------------------===//
// The message
//===----------------------------------------------------------------------===//

/// The lanes of one request by the phases that serve them.
static std::string phaseTable(const Architecture &Arch, const Access &A) {
  const RequestSample &S = A.Samples.front();
  const std::vector<LaneBank> Table = bankTable(Arch, toRequest(S, A.Bytes));
  const SharedTraffic T = sharedTraffic(Arch, toRequest(S, A.Bytes));
  std::string Text = fmt::format("costliest request: {}, ideal {}\n",
                                 counted(T.Wavefronts, "wavefront"), T.Ideal);
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
static std::string cause(const Access &A) {
  const bool Mixed =
      A.Samples.size() > 1 && A.Predicted->PerRequest + 0.5 < A.Predicted->Ways;
  return fmt::format("{}{}-way bank conflict{}, {}{}", Mixed ? "up to " : "",
                     A.Predicted->Ways, Mixed ? "s" : "",
                     describe(lanePattern(A.Samples.front()), true),
                     Mixed ? " in the costliest request" : "");
}

void SharedBankConflict::checkKernel(const KernelModel &K,
                                     FindingSink &Out) const {
  for (const Access *A : K.costliestPerPlace(MemorySpace::Shared)) {
    const Traffic &T = *A->Predicted;
    if (A->Stride || A->Samples.empty() || T.Ways < 2 || T.Ideal <= 0 ||
        T.PerRequest < WorthSaying * T.Ideal)
      continue;
    const Remedy R = findRemedy(K, *A);
    Finding &F = Out.report(
        K, *A,
        fmt::format("{} takes {} wavefronts per request, ideal {}{}: {}{}{}",
                    name(*A), number(T.PerRequest), number(T.Ideal),
                    shapeNote(K, *A), cause(*A), R.Text.empty() ? "" : "; ",
                    R.Text));
    F.Predicted = Prediction{"wavefronts_per_request", T.PerRequest, T.Ideal};
    if (R.Edit)
      F.Fixes.push_back(*R.Edit);
    F.LanePattern = bankPattern(*K.Gpu.Arch, *A);
    F.Detail = phaseTable(*K.Gpu.Arch, *A);
  }
}

CUDA_LINT_REGISTER_CHECK(SharedBankConflict)

} // namespace cudalint
