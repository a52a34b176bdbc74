//===- analyzer/checks/GlobalUncoalesced.cpp - Scattered global requests -===//
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
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace cudalint {
namespace {

class GlobalUncoalesced : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "global-uncoalesced",
      .Level = Trust::Stable,
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
(0.85). On compute capability 1.0 and 1.1, which have no cache, each field costs
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
      .Limits = R"md(Silent where the address depends on loaded data (a gather)
and below 30 % of waste. A stride that only the run knows is the business of
`runtime-stride`; a contiguous request that merely starts at the wrong place is
`global-misaligned`. Pointers are taken to be aligned to 256 bytes, as cudaMalloc
returns them. What the caches keep between two accesses is told from one warp
alone: other warps may help as well.)md",
      .ConfirmedBy = Metric::GlobalSectorsPerRequest};
  const CheckInfo &info() const override { return Info; }
  void checkKernel(const KernelModel &K, FindingSink &Out) const override;
};

/// The accesses of a warp that share lines with one that was found bad.
struct Group {
  std::vector<const Access *> Members; ///< In source order, itself included.
  double UsedShare = 1; ///< Of the bytes that all of them fetch together.

  /// A cache that keeps the lines between the members makes up for the waste.
  bool isAbsorbed() const { return Members.size() > 1 && UsedShare > 0.77; }
};

} // namespace

/// As for the other traffic checks: what costs less is not worth an edit. It
/// is also where the validation against counters calls a line bad.
static constexpr double WorthSaying = 1.3;

/// What accesses of one group have in common.
using GroupId =
    std::tuple<std::uint64_t, AccessOp, std::array<std::int64_t, 3>>;

static void setUsedShare(Group &G) {
  const MeanTraffic T = unionTraffic(G.Members);
  G.UsedShare = T.BytesMoved > 0 ? T.BytesUsed / T.BytesMoved : 1;
}

/// Each worked out once: generated code has thousands of accesses in one.
static std::map<GroupId, Group> groupsOf(const KernelModel &K) {
  std::map<GroupId, Group> Groups;
  for (const Access &A : K.Accesses)
    if (A.Space == MemorySpace::Global && A.GroupKey != 0 && !A.Samples.empty())
      Groups[{A.GroupKey, A.Op, A.Block}].Members.push_back(&A);
  for (auto &[Id, G] : Groups)
    setUsedShare(G);
  return Groups;
}

/// An access without a key is alone.
static Group aloneWith(const Access &A) {
  Group G;
  G.Members.push_back(&A);
  setUsedShare(G);
  return G;
}

//===----------------------------------------------------------------------===//
// Struct of fields
//===----------------------------------------------------------------------===//

/// The share of the struct's bytes that the group touches.
static double coveredShare(const Group &G, const FieldFact &Field) {
  std::set<std::uint64_t> Bytes;
  for (const Access *A : G.Members)
    if (A->Source.Field && A->Source.Field->Struct == Field.Struct)
      for (std::uint64_t I = 0; I < A->Source.Field->FieldBytes; ++I)
        Bytes.insert(A->Source.Field->FieldOffset + I);
  return Field.StructBytes == 0 ? 0
                                : static_cast<double>(Bytes.size()) /
                                      static_cast<double>(Field.StructBytes);
}

/// The alignment that lets the whole struct travel in words of that many
/// bytes; 0 when none would help or it has it already.
static std::uint64_t usefulAlignment(const FieldFact &Field) {
  const std::uint64_t Size = Field.StructBytes;
  const std::uint64_t Align = Size == 12 || Size % 16 == 0 ? 16
                              : Size % 8 == 0              ? 8
                                                           : 0;
  return Align > Field.StructAlign ? Align : 0;
}

static std::uint64_t roundUp(std::uint64_t Value, std::uint64_t Unit) {
  return (Value + Unit - 1) / Unit * Unit;
}

/// Said of accesses whose waste an L1 makes up for. Not more: remedies that
/// save sectors or requests saved no time on an H200.
static std::string absorbedNote(const Group &G, std::string_view Which) {
  return fmt::format("the {} {}s {} use {:.0f} % of the bytes they fetch, so "
                     "with an L1 the waste is L1 requests, not DRAM traffic, "
                     "and mending it may save no time",
                     G.Members.size(), operation(G.Members.front()->Op), Which,
                     100 * G.UsedShare);
}

/// Bytes that the aligned struct takes for each that it takes now.
static double growth(const FieldFact &Field, std::uint64_t Align) {
  return static_cast<double>(roundUp(Field.StructBytes, Align)) /
         static_cast<double>(Field.StructBytes);
}

static std::string alignmentEffect(const FieldFact &Field, std::uint64_t Align,
                                   std::size_t Requests) {
  const std::uint64_t NewSize = roundUp(Field.StructBytes, Align);
  const std::uint64_t NewRequests = NewSize / Align;
  const std::string Trade = NewSize == Field.StructBytes
                                ? std::string("at the same size")
                                : fmt::format("but moves {:.0f} % more bytes",
                                              100 * growth(Field, Align) - 100);
  return fmt::format("'__align__({})' on '{}' makes {} of the {}, {}", Align,
                     Field.Struct, counted(NewRequests, "request"), Requests,
                     Trade);
}

static std::optional<Fix> alignFix(const Architecture &Arch,
                                   const FieldFact &Field,
                                   std::uint64_t Align) {
  if (Field.AlignPoint.File.empty())
    return std::nullopt;
  const std::uint64_t NewSize = roundUp(Field.StructBytes, Align);
  const std::string Change =
      NewSize == Field.StructBytes
          ? fmt::format("its size stays {} bytes, but every array of it must "
                        "then start on a multiple of {}",
                        NewSize, Align)
          : fmt::format("this changes its layout, it grows from {} to {} bytes "
                        "on the host as well{}",
                        Field.StructBytes, NewSize,
                        Arch.CC.Major < 2
                            ? ""
                            : ", and where DRAM was the limit it took longer "
                              "on an H200");
  return Fix{
      fmt::format("align '{}' to {} bytes; {}", Field.Struct, Align, Change),
      {{Field.AlignPoint.File, Field.AlignPoint.Offset, 0,
        fmt::format("__align__({}) ", Align)}}};
}

static std::string fieldRemedy(const KernelModel &K, const Group &G,
                               const FieldFact &Field) {
  const double Covered = coveredShare(G, Field);
  const std::uint64_t Align = Covered < 0.75 ? 0 : usefulAlignment(Field);
  const std::string Vector =
      Align == 0 ? std::string()
                 : alignmentEffect(Field, Align, G.Members.size());
  if (K.Gpu.Arch->CC.Major < 2) // No cache: every transaction goes to DRAM.
    return fmt::format("no cache keeps the rest: {}{}separate arrays for the "
                       "fields coalesce, and so does copying the structs "
                       "through shared memory as plain words",
                       Vector, Vector.empty() ? "" : "; ");
  if (!G.isAbsorbed() || Covered < 0.75)
    return fmt::format("the kernel uses {:.0f} % of '{}' here: keep what it "
                       "needs in arrays of their own",
                       100 * Covered, Field.Struct);
  const std::string Remedy =
      Vector.empty() ? std::string("separate arrays for the fields avoid it")
      : growth(Field, Align) > 1
          ? Vector + "; separate arrays for the fields avoid both"
          : Vector;
  return fmt::format("{}: {}", absorbedNote(G, "of this struct together"),
                     Remedy);
}

//===----------------------------------------------------------------------===//
// Strides
//===----------------------------------------------------------------------===//

static std::string strideRemedy(const Access &A, const Group &G,
                                const LanePattern &P) {
  if (G.isAbsorbed())
    return fmt::format(
        "{}: use a vector type, or copy through shared memory with "
        "neighbouring lanes on neighbouring elements",
        absorbedNote(G, "that differ from it by a constant together"));
  if (P.Kind == LanePattern::Same) // Only before 1.2 is that a fault.
    return "keep it in constant memory, or let one lane fetch it";
  // Neither loops nor threadIdx place lanes that choose an array or an index.
  if (P.Kind == LanePattern::Scattered ||
      (P.StrideMadeUp.Is && P.Symbol.empty()))
    return "let neighbouring lanes take neighbouring elements";
  // A warp that reads a row's width per lane walks down a column.
  const bool IsColumn =
      (A.Source.Array && A.Source.Array->Dimensions.size() >= 2) ||
      A.Block[1] > 1 || std::abs(P.Stride) >= 128;
  if (P.Kind == LanePattern::Rows && std::abs(P.Stride) <= A.Bytes)
    return "make the block wider in x, so that a row of lanes fills whole "
           "sectors";
  if (IsColumn)
    return "swap the roles of threadIdx.x and threadIdx.y, or of the loops, so "
           "that neighbouring lanes are in one row, or go through a tile in "
           "shared memory";
  if (A.LoopDepth > 0)
    return "let the lanes take neighbouring elements and each turn of the loop "
           "step over all of them";
  return "let neighbouring lanes take neighbouring elements, or copy through "
         "shared memory";
}

//===----------------------------------------------------------------------===//
// The message
//===----------------------------------------------------------------------===//

/// What the request wastes, in the unit of the target.
static std::string usage(const Architecture &Arch, const Access &A) {
  if (Arch.CC.Major >= 5)
    return fmt::format(
        "{} of the 32 bytes of each sector are used",
        number(A.Predicted->BytesUsed / A.Predicted->PerRequest));
  const MeanTraffic T = meanGlobal(Arch, A);
  return fmt::format(
      "{} % of the bytes moved are used",
      number(T.BytesMoved > 0 ? 100 * T.BytesUsed / T.BytesMoved : 0));
}

static std::string cause(const Access &A, const LanePattern &P) {
  std::string Text = describe(P, false);
  if (A.Source.Field && A.Source.Field->StructBytes > 0)
    Text += fmt::format(", '{}' is {} of the {}-byte struct '{}'",
                        A.Source.Field->Field,
                        counted(A.Source.Field->FieldBytes, "byte"),
                        A.Source.Field->StructBytes, A.Source.Field->Struct);
  return Text;
}

/// True when the waste would go if only each run of bytes began elsewhere:
/// then it is `global-misaligned` that speaks.
static bool isOnlyMisaligned(const Architecture &Arch, const Access &A) {
  const MeanTraffic Aligned = meanGlobalAligned(Arch, A);
  return Aligned.Transactions < WorthSaying * Aligned.Ideal;
}

void GlobalUncoalesced::checkKernel(const KernelModel &K,
                                    FindingSink &Out) const {
  const bool SeveralShapes = K.hasSeveralShapes();
  const Architecture &Arch = *K.Gpu.Arch;
  const std::map<GroupId, Group> Groups = groupsOf(K);
  std::set<std::pair<std::uint64_t, AccessOp>> Explained;
  for (const Access *A : K.costliestPerPlace(MemorySpace::Global)) {
    const Traffic &T = *A->Predicted;
    if (A->Stride || A->Samples.empty() || T.Ideal <= 0 ||
        T.PerRequest < WorthSaying * T.Ideal || isOnlyMisaligned(Arch, *A))
      continue;
    const LanePattern P = lanePattern(A->Samples.front());
    const auto Known = Groups.find({A->GroupKey, A->Op, A->Block});
    const Group Alone = Known == Groups.end() ? aloneWith(*A) : Group();
    const Group &G = Known == Groups.end() ? Alone : Known->second;
    const FieldFact *Field = A->Source.Field && A->Source.Field->StructBytes > 0
                                 ? &*A->Source.Field
                                 : nullptr;
    // The remedy is for the group: said once, at its first place.
    const bool First =
        A->GroupKey == 0 || Explained.insert({A->GroupKey, A->Op}).second;
    const Access &Leader = *G.Members.front();
    const std::string Remedy =
        !First  ? fmt::format("see the {} at line {}", name(Leader),
                              Leader.UserWhere.Line)
        : Field ? fieldRemedy(K, G, *Field)
                : strideRemedy(*A, G, P);
    Finding &F = Out.report(
        K, *A,
        fmt::format("{} touches {} {} per request, ideal {}{}: {}, {}; {}",
                    name(*A), number(T.PerRequest), globalUnit(Arch),
                    number(T.Ideal), shapeNote(SeveralShapes, *A), cause(*A, P),
                    usage(Arch, *A), Remedy));
    // One sector that a few lanes could save is no reason to change code.
    if (T.PerRequest - T.Ideal < 2)
      F.Level = Severity::Note;
    F.Predicted = Prediction{fmt::format("{}_per_request", globalUnit(Arch)),
                             T.PerRequest, T.Ideal};
    F.LanePattern = sectorPattern(*A);
    if (!First || !Field || G.Members.size() < 2 ||
        coveredShare(G, *Field) < 0.75)
      continue;
    if (const std::uint64_t Align = usefulAlignment(*Field))
      if (auto Edit = alignFix(Arch, *Field, Align))
        F.Fixes.push_back(*Edit);
  }
}

CUDA_LINT_REGISTER_CHECK(GlobalUncoalesced)

} // namespace cudalint
