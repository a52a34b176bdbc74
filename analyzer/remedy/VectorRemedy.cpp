//===- analyzer/remedy/VectorRemedy.cpp - Pieces of vectors ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/remedy/VectorRemedy.h"

#include "analyzer/model/Thresholds.h"
#include "analyzer/remedy/SharedLayout.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <map>
#include <set>
#include <string_view>

namespace cudalint {

//===----------------------------------------------------------------------===//
// Alignment
//===----------------------------------------------------------------------===//

/// Whether all lanes are multiples of \p Bytes from the first one.
static bool areApartBy(const RequestSample &S, std::int64_t Bytes) {
  const int First = std::countr_zero(S.ActiveMask);
  for (int Lane = First; Lane < static_cast<int>(WarpSize); ++Lane)
    if (S.ActiveMask >> Lane & 1 &&
        (S.Offset[Lane] - S.Offset[First]) % Bytes != 0)
      return false;
  return true;
}

/// Whether where a lane begins rests on a size that is taken to be round, or is
/// that of the launch that is evaluated, or on a distance that was made up.
static bool isAlignedAsAssumed(const AccessGroup &G, const LanePattern &P) {
  return P.StrideMadeUp.Is || P.RowStrideMadeUp.Is ||
         std::ranges::any_of(G.Members, [](const Access *A) {
           return A->IsOfPassedSize ||
                  std::ranges::any_of(A->Assumptions, [](const auto &Each) {
                    return Each.Kind == AssumptionKind::RoundSize ||
                           Each.Kind == AssumptionKind::AnyOffset;
                  });
         });
}

//===----------------------------------------------------------------------===//
// Pieces that several accesses take
//===----------------------------------------------------------------------===//

std::int64_t vectorBytes(const AccessGroup &G, const LanePattern &P) {
  const Access &First = *G.Members.front();
  const RequestSample &Own = First.Samples.front();
  if (Own.ActiveMask == 0 || P.Stride == 0)
    return 0;
  const int Lane = std::countr_zero(Own.ActiveMask);
  for (std::int64_t Bytes = WidestVector; Bytes > First.Bytes; Bytes /= 2) {
    if (P.Stride % Bytes != 0 || !areApartBy(Own, Bytes))
      continue;
    // A word of that size is taken as a whole where its pieces are, however
    // often each of them is.
    std::map<std::int64_t, std::set<std::int64_t>> Taken;
    bool IsOneLane = true;
    for (const Access *A : G.Members) {
      const RequestSample &S = A->Samples.front();
      IsOneLane &= S.ActiveMask == Own.ActiveMask && A->Bytes == First.Bytes;
      Taken[floorDivide(S.Offset[Lane], Bytes)].insert(S.Offset[Lane]);
    }
    // Three colours of a pixel of four: to load the fourth as well is no harm
    // where each lane has a word.
    const bool MayLackOne = First.Op == AccessOp::Load &&
                            Bytes == 4 * std::int64_t(First.Bytes) &&
                            std::abs(P.Stride) == Bytes;
    if (IsOneLane && std::ranges::all_of(Taken, [&](const auto &Word) {
          const std::int64_t Left =
              Bytes -
              static_cast<std::int64_t>(Word.second.size()) * First.Bytes;
          return Left == 0 || (MayLackOne && Left == First.Bytes);
        }))
      return Bytes;
  }
  return 0;
}

static std::string_view verbOf(const Access &A) {
  return A.Op == AccessOp::Load ? "load" : "store";
}

/// What vectors are made of: where the compiler takes what is written in parts,
/// no element of the source.
static std::string_view elementsOf(const Access &A) {
  return A.Source.Bytes == 0 || A.Source.Bytes == A.Bytes
             ? "elements"
             : "pieces of {piece_bytes} bytes";
}

/// In vectors of \p Bytes, of whatever type the elements are.
static Phrase inVectors(const AccessGroup &G, const LanePattern &P,
                        std::int64_t Bytes) {
  const Access &A = *G.Members.front();
  return {"use-vector",
          fmt::format("{} them in vectors of {{vector_elements}} {}{}",
                      verbOf(A), elementsOf(A),
                      isAlignedAsAssumed(G, P)
                          ? ", where the first of each is a multiple of "
                            "{vector_elements}"
                          : ""),
          {{"vector_elements", Bytes / A.Bytes}, {"piece_bytes", A.Bytes}}};
}

/// A vector would be stored where one of its elements is not to be.
static bool hasStoreOnCondition(const AccessGroup &G) {
  const Access &First = *G.Members.front();
  return First.Op == AccessOp::Store &&
         std::ranges::any_of(G.Members, [&](const Access *A) {
           return A->Undecided != First.Undecided;
         });
}

Phrase asVector(const AccessGroup &G, const LanePattern &P) {
  if (G.Members.front()->Op == AccessOp::Atomic || hasStoreOnCondition(G))
    return {};
  const std::int64_t Bytes = vectorBytes(G, P);
  return Bytes ? inVectors(G, P, Bytes) : Phrase();
}

Phrase asVectorOfOthers(const KernelModel &K, const Access &A,
                        const LanePattern &P) {
  if (A.Op == AccessOp::Atomic || A.Source.Object.empty())
    return {};
  std::map<std::uint64_t, AccessGroup> Groups;
  for (const Access &B : K.Accesses)
    if (B.Space == A.Space && B.Op == A.Op && B.Block == A.Block &&
        B.Bytes == A.Bytes && B.Source.Object == A.Source.Object &&
        B.GroupKey != 0 && B.GroupKey != A.GroupKey && !B.Samples.empty())
      Groups[B.GroupKey].Members.push_back(&B);
  for (const auto &[Key, G] : Groups) {
    const LanePattern Its = lanePattern(G.Members.front()->Samples.front());
    // As many bytes as a lane is from the next: A's are among them.
    const std::int64_t Bytes = vectorBytes(G, Its);
    if (Bytes != 0 && std::abs(P.Stride) == Bytes && Its.Stride == P.Stride)
      return inVectors(G, Its, Bytes);
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Pieces that the turns of a loop take
//===----------------------------------------------------------------------===//

/// How many bytes lie side by side from the first offset on.
static std::int64_t runOf(const std::set<std::int64_t> &Offsets,
                          unsigned Bytes) {
  std::int64_t Run = 0;
  for (const std::int64_t Each : Offsets) {
    if (Each != *Offsets.begin() + Run)
      break;
    Run += Bytes;
  }
  return Run;
}

/// Bytes; 0: there is none.
static std::int64_t bytesOfTurns(const AccessGroup &G, const LanePattern &P) {
  const Access &A = *G.Members.front();
  const std::uint32_t Mask = A.Samples.front().ActiveMask;
  if (P.Stride == 0 || Mask == 0)
    return 0;
  const unsigned Lane = static_cast<unsigned>(std::countr_zero(Mask));
  std::set<std::int64_t> Offsets; // Of all its turns that are known.
  for (const Access *Each : G.Members)
    for (const RequestSample &S : samplesOfTurns(*Each))
      if (S.ActiveMask >> Lane & 1)
        Offsets.insert(S.Offset[Lane]);
  if (Offsets.empty())
    return 0;
  const std::int64_t Run = runOf(Offsets, A.Bytes);
  const auto areAligned = [&](std::int64_t Bytes) {
    return *Offsets.begin() % Bytes == 0 && P.Stride % Bytes == 0 &&
           P.RowStride % Bytes == 0;
  };
  for (std::int64_t Bytes = WidestVector; Bytes > A.Bytes; Bytes /= 2)
    if (areAligned(Bytes) && Run >= Bytes)
      return Bytes;
  return 0;
}

/// Whether requests for vectors of \p Bytes, from where \p A begins, use all of
/// the sectors that they touch, but for the first and the last one; \p
/// IsAnywhere: where A begins is not known.
static bool fillSectors(const Architecture &Arch, const Access &A,
                        std::int64_t Bytes, bool IsAnywhere) {
  Access Vector = A;
  Vector.Bytes = static_cast<unsigned>(Bytes);
  Vector.Samples = {A.Samples.front()};
  RequestSample &S = Vector.Samples.front();
  // The remedy is for where it begins with a vector.
  const std::int64_t First =
      IsAnywhere ? S.Offset[std::countr_zero(S.ActiveMask)] : 0;
  for (std::int64_t &Offset : S.Offset)
    Offset = floorDivide(Offset - First, Bytes) * Bytes;
  // Of this request alone: what the others cost is not of vectors.
  Vector.Predicted.reset();
  const MeanTraffic T = meanGlobal(Arch, Vector);
  // A run that begins within a sector has one more.
  return T.Transactions <= T.Ideal + 1;
}

Phrase turnsAsVectors(const Architecture &Arch, const AccessGroup &G,
                      const LanePattern &P) {
  const std::int64_t Bytes = bytesOfTurns(G, P);
  if (Bytes == 0)
    return {};
  const Access &A = *G.Members.front();
  return {"unroll-to-vectors",
          fmt::format("let the lanes take neighbouring elements, or {} what a "
                      "lane has in vectors of {{vector_elements}} {}{}{}",
                      verbOf(A), elementsOf(A),
                      isAlignedAsAssumed(G, P)
                          ? ", where it has as many that begin at a multiple "
                            "of {vector_elements}"
                          : "",
                      fillSectors(Arch, A, Bytes, isAlignedAsAssumed(G, P))
                          ? ""
                          : ", which saves a part of "
                            "it"),
          {{"vector_elements", Bytes / A.Bytes}, {"piece_bytes", A.Bytes}}};
}

Phrase rowAsVectors(const AccessGroup &G, const LanePattern &P) {
  const Access &A = *G.Members.front();
  const std::int64_t Bytes =
      A.Op == AccessOp::Load && A.TurnStep == static_cast<std::int64_t>(A.Bytes)
          ? bytesOfTurns(G, P)
          : 0;
  if (Bytes == 0)
    return {};
  return {"row-in-vectors",
          fmt::format("load {{vector_elements}} {} of a row at once{}",
                      elementsOf(A),
                      isAlignedAsAssumed(G, P)
                          ? ", where it begins at a multiple of that"
                          : ""),
          {{"vector_elements", Bytes / A.Bytes}, {"piece_bytes", A.Bytes}}};
}

bool takesRuns(const Access &A) {
  if (A.Bytes == 0 || A.Bytes >= WidestVector || A.Samples.empty() ||
      A.Samples.front().ActiveMask == 0)
    return false;
  const int Lane = std::countr_zero(A.Samples.front().ActiveMask);
  std::map<std::int64_t, std::set<std::int64_t>> Words;
  for (const RequestSample &S : A.Samples) {
    if (S.ActiveMask != A.Samples.front().ActiveMask ||
        !areApartBy(S, WidestVector))
      return false;
    Words[floorDivide(S.Offset[Lane], WidestVector)].insert(S.Offset[Lane]);
  }
  return std::ranges::any_of(Words, [&](const auto &Word) {
    return static_cast<std::int64_t>(Word.second.size()) * A.Bytes ==
           WidestVector;
  });
}

Phrase runsAsVectors(const Architecture &Arch, const Access &A) {
  const std::int64_t Element = bytesAsWritten(A);
  if (A.Op == AccessOp::Atomic || Element == 0 || !takesRuns(A))
    return {};
  Access Vector = A;
  Vector.Bytes = WidestVector;
  Vector.Predicted.reset();
  for (RequestSample &S : Vector.Samples)
    for (std::int64_t &Offset : S.Offset)
      Offset = floorDivide(Offset, WidestVector) * WidestVector;
  const double Now = meanShared(Arch, A).Transactions * WidestVector / A.Bytes;
  if (meanShared(Arch, Vector).Transactions > Now / threshold::WorthAnEdit)
    return {};
  return {"use-vector",
          fmt::format("{} what a lane has in vectors of {{vector_elements}} "
                      "elements, of an array that is aligned to 16 bytes",
                      verbOf(A)),
          {{"vector_elements", WidestVector / Element}}};
}

//===----------------------------------------------------------------------===//
// Structs that are one vector
//===----------------------------------------------------------------------===//

bool isOneVector(const FieldFact &Field) {
  return std::has_single_bit(Field.StructBytes) &&
         Field.StructBytes <= WidestVector &&
         Field.StructAlign == Field.StructBytes &&
         Field.FieldBytes < Field.StructBytes;
}

/// Whether a kernel of the file loads or stores such a vector at once: what it
/// holds cannot be in arrays of their own.
static bool isTakenWhole(const KernelModel &K, const FieldFact &Field) {
  const auto isWhole = [&](const Access &Each) {
    return !Each.Source.Field && !Each.Source.IsScalar &&
           Each.Source.IsOfSystem && Each.Space == MemorySpace::Global &&
           Each.Source.Bytes == Field.StructBytes &&
           Each.Source.Align == Field.StructAlign;
  };
  return std::ranges::any_of(K.Unit, [&](const KernelModel *Other) {
    return std::ranges::any_of(Other->Accesses, isWhole);
  });
}

std::optional<GroupRemedy>
wholeVectorRemedy(const KernelModel &K, const Access &A, const AccessGroup &G) {
  if (!A.Source.Field || !isOneVector(*A.Source.Field))
    return std::nullopt;
  const FieldFact &Field = *A.Source.Field;
  std::set<std::uint64_t> Fields, Taken; // Taken: bytes.
  for (const Access *Each : G.Members)
    if (Each->Source.Field && Each->Source.Field->Struct == Field.Struct) {
      const FieldFact &Its = *Each->Source.Field;
      Fields.insert(Its.FieldOffset);
      // Elements of a field count as all of it, and what several fields have
      // become begins at a multiple of its size.
      const std::uint64_t From =
          Each->Bytes > Its.FieldBytes
              ? Its.FieldOffset / Each->Bytes * Each->Bytes
              : Its.FieldOffset;
      for (std::uint64_t Byte = 0;
           Byte < std::max<std::uint64_t>(Each->Bytes, Its.FieldBytes); ++Byte)
        Taken.insert(From + Byte);
    }
  const bool IsLoad = A.Op == AccessOp::Load;
  // The compiler has merged fields already: that leaves nothing to merge, or
  // what a store of others is beside.
  if (A.Bytes > Field.FieldBytes && (IsLoad || Taken.size() <= A.Bytes))
    return std::nullopt;
  Phrase Said{
      "take-whole-vector",
      IsLoad ? "load the '{struct}' at once into a variable, and take its "
               "fields from there"
      : Taken.size() >= Field.StructBytes
          ? "compose the '{struct}' in a variable, and store it at once"
          : "compose the '{struct}' in a variable, with what its other fields "
            "hold, and store it at once",
      {{"struct", Field.Struct}}};
  // The user's own may be laid out for what uses it.
  if (Fields.size() == 1 && !Field.IsOfSystem)
    return std::nullopt;
  // Lanes that need one field of what others take whole have no other way.
  if (Fields.size() == 1 && IsLoad && isTakenWhole(K, Field))
    return GroupRemedy{.Said = {}, .MaySaveNothing = true};
  if (Fields.size() == 1)
    Said = {"take-whole-vector",
            fmt::format("{} the '{{struct}}' at once where {}, else keep "
                        "'{{field}}' in an array of its own, if nothing takes "
                        "'{{struct}}' whole",
                        verbOf(A),
                        IsLoad ? "other fields of it are needed as well"
                               : "all fields of it are known"),
            {{"struct", Field.Struct}, {"field", Field.Field}}};
  GroupRemedy R = {.Said = std::move(Said)};
  // What L1 makes up for saved no time where it was measured, nor did what is
  // no wider than a scalar: 253 us became 250 where 3 bytes of a uchar4 were
  // stored (docs/validation/applied-remedies-h200.md).
  R.MaySaveNothing = G.isAbsorbed() || Field.StructBytes <= 4;
  if (Field.StructBytes <= 4)
    R.Said.Text += ", which may save no time";
  return R;
}

} // namespace cudalint
