//===- analyzer/checks/GroupRemedy.cpp - Fewer sectors --------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/AccessGroups.h"
#include "analyzer/checks/AccessWords.h"
#include "analyzer/checks/SharedLayout.h"
#include "analyzer/checks/SwappedRoles.h"
#include "report/Names.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

namespace cudalint {

//===----------------------------------------------------------------------===//
// Struct of fields
//===----------------------------------------------------------------------===//

/// Lanes are whole structs of that size apart.
static bool stepsOverStructs(const RequestSample &S, std::int64_t Size) {
  const int First = std::countr_zero(S.ActiveMask);
  for (int Lane = First; Lane < static_cast<int>(WarpSize); ++Lane)
    if (S.ActiveMask >> Lane & 1 &&
        (S.Offset[Lane] - S.Offset[First]) % Size != 0)
      return false;
  return true;
}

/// The share of the struct's bytes that the samples of the group touch: an
/// array in it may be indexed by a loop. 0 where a struct holds this one.
static double touchedShare(const AccessGroup &G, const FieldFact &Field) {
  const auto Size = static_cast<std::int64_t>(Field.StructBytes);
  std::set<std::int64_t> Bytes;
  for (const Access *A : G.Members)
    for (const RequestSample &S : A->Samples) {
      if (!A->Source.Field || A->Source.Field->Struct != Field.Struct ||
          S.ActiveMask == 0)
        continue;
      if (!stepsOverStructs(S, Size))
        return 0;
      const std::int64_t From = S.Offset[std::countr_zero(S.ActiveMask)];
      for (std::int64_t Byte = From; Byte < From + A->Bytes; ++Byte)
        Bytes.insert(Byte - floorDivide(Byte, Size) * Size);
    }
  return static_cast<double>(Bytes.size()) / static_cast<double>(Size);
}

/// The share of the struct's bytes that the group touches.
static double coveredShare(const AccessGroup &G, const FieldFact &Field) {
  std::set<std::uint64_t> Bytes;
  for (const Access *A : G.Members)
    if (A->Source.Field && A->Source.Field->Struct == Field.Struct)
      for (std::uint64_t I = 0; I < A->Source.Field->FieldBytes; ++I)
        Bytes.insert(A->Source.Field->FieldOffset + I);
  if (Field.StructBytes == 0)
    return 0;
  return std::max(touchedShare(G, Field),
                  static_cast<double>(Bytes.size()) /
                      static_cast<double>(Field.StructBytes));
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
static Phrase absorbed(const AccessGroup &G, std::string_view Which,
                       const Phrase &Remedy) {
  Phrase Said{Remedy.Id,
              fmt::format("the {{accesses}} {}s {} use {{percent_used}} % of "
                          "the bytes they fetch, so with an L1 the waste is L1 "
                          "requests, not DRAM traffic, and mending it may save "
                          "no time",
                          nameOf(G.Members.front()->Op), Which),
              {{"accesses", G.Members.size()},
               {"percent_used", std::round(100 * G.UsedShare)}}};
  return Said.append(": ", Remedy);
}

/// Bytes that the aligned struct takes for each that it takes now.
static double growth(const FieldFact &Field, std::uint64_t Align) {
  return static_cast<double>(roundUp(Field.StructBytes, Align)) /
         static_cast<double>(Field.StructBytes);
}

static Phrase alignmentEffect(const FieldFact &Field, std::uint64_t Align,
                              std::size_t Requests, std::size_t Then) {
  const bool IsSameSize =
      roundUp(Field.StructBytes, Align) == Field.StructBytes;
  Phrase Said{"align-struct",
              "'__align__({alignment})' on '{struct}' makes {requests_then "
              "request} of the {requests}, ",
              {{"alignment", Align},
               {"struct", Field.Struct},
               {"requests_then", Then},
               {"requests", Requests}}};
  Said.Text +=
      IsSameSize ? "at the same size" : "but moves {percent_more} % more bytes";
  if (!IsSameSize)
    Said.Values.emplace_back("percent_more",
                             std::round(100 * growth(Field, Align) - 100));
  return Said;
}

//===----------------------------------------------------------------------===//
// Strides
//===----------------------------------------------------------------------===//

/// The widest vector, in bytes, in which a lane can take what the group takes
/// piece by piece; 0 when there is none, as for the three bytes of a uchar3.
static std::int64_t vectorBytes(const AccessGroup &G, const LanePattern &P) {
  const Access &First = *G.Members.front();
  for (std::int64_t Bytes = 16; Bytes > First.Bytes; Bytes /= 2) {
    if (P.Stride == 0 || P.Stride % Bytes != 0)
      continue;
    // A word of that size is taken as a whole where its pieces are.
    std::map<std::int64_t, std::int64_t> Taken;
    bool IsOneLane = true;
    for (const Access *A : G.Members) {
      const RequestSample &S = A->Samples.front();
      IsOneLane &= S.ActiveMask == First.Samples.front().ActiveMask;
      if (S.ActiveMask == 0)
        continue;
      Taken[floorDivide(S.Offset[std::countr_zero(S.ActiveMask)], Bytes)] +=
          A->Bytes;
    }
    if (IsOneLane && std::ranges::all_of(Taken, [&](const auto &Word) {
          return Word.second == Bytes;
        }))
      return Bytes;
  }
  return 0;
}

static Phrase pieceRemedy(const AccessGroup &G, const LanePattern &P) {
  const Phrase Staging{"stage-in-shared",
                       "copy through shared memory with neighbouring lanes on "
                       "neighbouring elements",
                       {}};
  Phrase Said;
  if (const std::int64_t Vector = vectorBytes(G, P))
    Said = {"use-vector",
            "use a vector type of {vector_bytes} bytes",
            {{"vector_bytes", Vector}}};
  return absorbed(G, "that differ from it by a constant together",
                  Said.append(", or ", Staging));
}

/// The lanes that are active have neighbouring elements as far as they are
/// neighbours: `if (tid % 2 == 0) … a[tid]`.
static bool isThinned(const Access &A, const LanePattern &P) {
  if (!P.HasGaps || P.StrideMadeUp.Is)
    return false;
  const RequestSample &S = A.Samples.front();
  const int First = std::countr_zero(S.ActiveMask);
  for (int Lane = First; Lane < static_cast<int>(WarpSize); ++Lane)
    if (S.ActiveMask >> Lane & 1 &&
        S.Offset[Lane] - S.Offset[First] !=
            (Lane - First) * static_cast<std::int64_t>(A.Bytes))
      return false;
  return true;
}

static Phrase strideRemedy(const Access &A, const AccessGroup &G,
                           const LanePattern &P) {
  if (G.isAbsorbed())
    return pieceRemedy(G, P);
  if (P.Kind == LanePattern::Same) // Only before 1.2 is that a fault.
    return {"fetch-once",
            "keep it in constant memory, or let one lane fetch it",
            {}};
  // Neither loops nor threadIdx place lanes that choose an array or an index.
  if (P.Kind == LanePattern::Scattered ||
      (P.StrideMadeUp.Is && P.Symbol.empty()))
    return {"neighbours-side-by-side",
            "let neighbouring lanes take neighbouring elements",
            {}};
  if (isThinned(A, P))
    return {"let-all-lanes-load",
            "the lanes between them are inactive here: let all lanes load, or "
            "let threads that follow each other do the work",
            {}};
  // A warp that reads a row's width per lane walks down a column. Lanes that
  // share sectors are in one row.
  const bool IsColumn =
      std::abs(P.Stride) >= 128 ||
      (std::abs(P.Stride) >= SectorBytes &&
       ((A.Source.Array && A.Source.Array->Dimensions.size() >= 2) ||
        A.Block[1] > 1));
  // The sectors at the ends of rows are for fewer, longer rows to save.
  if (P.Kind == LanePattern::Rows && P.RowStride != 0 && A.Block[1] > 1 &&
      A.Block[0] < WarpSize &&
      std::abs(P.Stride) <= static_cast<std::int64_t>(A.Bytes))
    return {"widen-block",
            P.Stride == 0
                ? "make the block wider in x, so that a warp is in fewer rows"
                : "make the block wider in x, so that a row of lanes fills "
                  "whole sectors",
            {}};
  if (IsColumn && A.Block[1] == 1 && A.Block[2] == 1)
    return {"row-per-warp",
            "let the lanes of a warp take neighbouring elements of one row, or "
            "go through a tile in shared memory",
            {}};
  if (IsColumn)
    return {"neighbours-in-a-row",
            "let neighbouring lanes be in one row, by the order of the loops "
            "or through a tile in shared memory",
            {}};
  if (A.LoopDepth > 0)
    return {"step-over-all-lanes",
            "let the lanes take neighbouring elements and each turn of the "
            "loop step over all of them",
            {}};
  return {"neighbours-side-by-side",
          "let neighbouring lanes take neighbouring elements, or copy through "
          "shared memory",
          {}};
}

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

/// Where `A` lies in its struct, in bytes from its start; empty for a place in
/// another struct.
static std::optional<std::int64_t> placeIn(const Access &A, const Access &First,
                                           const FieldFact &Field) {
  if (A.Source.Field)
    return A.Source.Field->Struct == Field.Struct
               ? std::optional(
                     static_cast<std::int64_t>(A.Source.Field->FieldOffset))
               : std::nullopt;
  // A piece of a copy of the whole struct.
  const RequestSample &S = A.Samples.front();
  const RequestSample &Of = First.Samples.front();
  const std::uint32_t Both = S.ActiveMask & Of.ActiveMask;
  if (Both == 0 || !First.Source.Field)
    return std::nullopt;
  const int Lane = std::countr_zero(Both);
  const auto Size = static_cast<std::int64_t>(Field.StructBytes);
  const std::int64_t From =
      static_cast<std::int64_t>(First.Source.Field->FieldOffset) +
      S.Offset[Lane] - Of.Offset[Lane];
  return From - floorDivide(From, Size) * Size;
}

/// True when a compiler may make one request of two. What is written between
/// two loads may be what the second one loads.
static bool areTogether(const Access &A, const Access &B) {
  return A.Place.Block == B.Place.Block && A.Op == B.Op &&
         (A.Op != AccessOp::Load || A.Place.Stretch == B.Place.Stretch) &&
         A.Samples.front().ActiveMask == B.Samples.front().ActiveMask;
}

/// The requests that are left of the group when its struct is aligned: fields
/// that are loaded side by side come in one. Stores write nothing that is not
/// theirs, so 12 bytes of 16 take two.
static std::size_t alignedRequests(const AccessGroup &G, const FieldFact &Field,
                                   std::uint64_t Align) {
  std::size_t Requests = 0;
  const Access *Last = nullptr;
  std::set<std::int64_t> Words;
  const auto close = [&] {
    Requests += Words.size();
    Words.clear();
  };
  for (const Access *A : G.Members) {
    const std::optional<std::int64_t> Place =
        placeIn(*A, *G.Members.front(), Field);
    const bool IsStore = A->Op != AccessOp::Load;
    if (!Place || !Last || !areTogether(*Last, *A))
      close();
    Last = A;
    const std::int64_t Unit = IsStore && Field.StructBytes % Align != 0
                                  ? static_cast<std::int64_t>(Align) / 2
                                  : static_cast<std::int64_t>(Align);
    Words.insert(Place ? *Place / Unit : -1);
  }
  close();
  return Requests;
}

/// The alignment with which the group takes fewer requests, and how many; 0
/// when none does.
static std::pair<std::uint64_t, std::size_t>
gainfulAlignment(const AccessGroup &G, const FieldFact &Field) {
  const std::uint64_t Align = usefulAlignment(Field);
  // The structs of a library are no user's to align.
  if (Align == 0 || Field.AlignPoint.File.empty() || G.Members.size() < 2 ||
      coveredShare(G, Field) < 0.75)
    return {0, 0};
  const std::size_t Then = alignedRequests(G, Field, Align);
  return Then < G.Members.size() ? std::pair(Align, Then)
                                 : std::pair(std::uint64_t(0), std::size_t(0));
}

/// True when the field alone, in an array of its own, takes much fewer sectors.
static bool gainsAlone(const Architecture &Arch, const Access &A,
                       const FieldFact &Field) {
  const auto Size = static_cast<std::int64_t>(Field.StructBytes);
  for (const RequestSample &S : A.Samples) {
    const LanePattern P = lanePattern(S);
    // A struct inside of another one, which is what lies between the lanes.
    if (P.Kind == LanePattern::Strided && P.Stride % Size != 0)
      return true;
  }
  const MeanTraffic Then = meanGlobal(Arch, A, fieldAlone(Field));
  return Then.Transactions <= A.Predicted->PerRequest / 1.3;
}

static Phrase fieldRemedy(const KernelModel &K, const Access &A,
                          const AccessGroup &G, const FieldFact &Field,
                          const LanePattern &P) {
  const double Covered = coveredShare(G, Field);
  const auto [Align, Requests] = gainfulAlignment(G, Field);
  Phrase Vector;
  if (Align != 0)
    Vector = alignmentEffect(Field, Align, G.Members.size(), Requests);
  if (K.Gpu.Arch->CC.Major < 2) { // No cache: every transaction goes to DRAM.
    Vector.append("; ", {"fields-apart",
                         "separate arrays for the fields coalesce, and so does "
                         "copying the structs through shared memory as plain "
                         "words",
                         {}});
    Vector.Text = "no cache keeps the rest: " + Vector.Text;
    return Vector;
  }
  const bool Alone = gainsAlone(*K.Gpu.Arch, A, Field);
  const bool IsWhole = G.isAbsorbed() && Covered >= 0.75;
  if (!IsWhole && !Alone)
    return strideRemedy(A, G, P);
  if (!IsWhole && Covered >= 0.75)
    return {"field-apart",
            "keep '{field}' in an array of its own",
            {{"field", Field.Field}}};
  if (!IsWhole)
    return {"used-fields-apart",
            "the kernel uses {percent_used} % of '{struct}' here: keep what it "
            "needs in arrays of their own",
            {{"percent_used", std::round(100 * Covered)},
             {"struct", Field.Struct}}};
  if (Vector.isEmpty())
    Vector = Alone ? Phrase{"fields-apart",
                            "separate arrays for the fields avoid it",
                            {}}
                   : Phrase{"stage-in-shared",
                            "copy the structs through shared memory, with "
                            "neighbouring lanes on neighbouring words",
                            {}};
  else if (growth(Field, Align) > 1)
    Vector.Text += "; separate arrays for the fields avoid both";
  return absorbed(G, "of this struct together", Vector);
}

GroupRemedy groupRemedy(const KernelModel &Kernel, const Access &A,
                        const AccessGroup &G, const LanePattern &P) {
  GroupRemedy Result = {.Said =
                            A.Source.Field && A.Source.Field->StructBytes >
                                                  A.Source.Field->FieldBytes
                                ? fieldRemedy(Kernel, A, G, *A.Source.Field, P)
                                : strideRemedy(A, G, P)};
  if (Result.Said.Id != "neighbours-in-a-row")
    return Result;
  Result.Effect = effectOfSwap(Kernel, A.Block);
  if (!Result.Effect)
    return Result;
  // Each block keeps its part of the work.
  const auto [X, Y, Z] = A.Block;
  Result.Said = {"swap-thread-roles",
                 X == Y
                     ? "swap the roles of threadIdx.x and threadIdx.y"
                     : "swap threadIdx.x and blockDim.x with threadIdx.y and "
                       "blockDim.y, and launch blocks of {block}",
                 {}};
  if (X != Y)
    Result.Said.Values.emplace_back("block",
                                    Z == 1 ? fmt::format("{}x{}", Y, X)
                                           : fmt::format("{}x{}x{}", Y, X, Z));
  Result.Said.append(": ", {"fewer-then",
                            "{before} {unit} of a warp become {after}",
                            {{"before", std::round(Result.Effect->Before)},
                             {"unit", globalUnit(*Kernel.Gpu.Arch)},
                             {"after", std::round(Result.Effect->After)}}});
  return Result;
}

std::optional<Fix> alignmentFix(const KernelModel &K, const Access &A,
                                const AccessGroup &G) {
  if (!A.Source.Field || A.Source.Field->StructBytes == 0)
    return std::nullopt;
  const FieldFact &Field = *A.Source.Field;
  const std::uint64_t Align = gainfulAlignment(G, Field).first;
  if (Align == 0)
    return std::nullopt;
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
                        K.Gpu.Arch->CC.Major < 2
                            ? ""
                            : ", and where DRAM was the limit it took longer "
                              "on an H200");
  return Fix{
      fmt::format("align '{}' to {} bytes; {}", Field.Struct, Align, Change),
      FixSafety::Layout,
      {{Field.AlignPoint.File, Field.AlignPoint.Offset, 0,
        fmt::format("__align__({}) ", Align)}}};
}

} // namespace cudalint
