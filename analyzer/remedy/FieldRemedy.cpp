//===- analyzer/remedy/FieldRemedy.cpp - Structs in global memory ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/remedy/FieldRemedy.h"

#include "analyzer/model/AccessWords.h"
#include "analyzer/model/Thresholds.h"
#include "analyzer/remedy/FieldEffect.h"
#include "analyzer/remedy/SharedLayout.h"
#include "analyzer/remedy/StructAlignment.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace cudalint {

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

/// The share of the struct's bytes that the accesses touch which have the block
/// of \p A: those of which effectOfArrays() tells.
static double usedShare(const KernelModel &K, const Access &A,
                        const FieldFact &Field) {
  std::set<std::uint64_t> Bytes;
  for (const Access &B : K.Accesses)
    if (B.Space == MemorySpace::Global && B.Block == A.Block &&
        B.Source.Field && isOfSameStruct(*B.Source.Field, Field))
      for (std::uint64_t I = 0; I < B.Source.Field->FieldBytes; ++I)
        Bytes.insert(B.Source.Field->FieldOffset + I);
  return Field.StructBytes == 0 ? 0
                                : static_cast<double>(Bytes.size()) /
                                      static_cast<double>(Field.StructBytes);
}

/// How far \p A is behind the first of the accesses to pieces of its field, as
/// a copy of it is.
static std::int64_t placeInField(const AccessGroup &G, const Access &A,
                                 const FieldFact &Its) {
  const RequestSample &S = A.Samples.front();
  std::int64_t Most = 0;
  if (A.Bytes < Its.FieldBytes && S.ActiveMask != 0)
    for (const Access *B : G.Members) {
      const RequestSample &Of = B->Samples.front();
      const int Lane = std::countr_zero(S.ActiveMask);
      if (B->Source.Field && isOfSameStruct(*B->Source.Field, Its) &&
          B->Source.Field->FieldOffset == Its.FieldOffset &&
          Of.ActiveMask >> Lane & 1)
        Most = std::max(Most, S.Offset[Lane] - Of.Offset[Lane]);
    }
  // Beyond its end it is in another struct, as `p[i + 1].v` is.
  return Most < static_cast<std::int64_t>(Its.FieldBytes) ? Most : 0;
}

/// Where `A` lies in its struct, in bytes from its start; empty for a place in
/// another struct.
static std::optional<std::int64_t>
placeIn(const AccessGroup &G, const Access &A, const FieldFact &Field) {
  if (const std::optional<FieldFact> &Its = A.Source.Field)
    return Its->Struct == Field.Struct
               ? std::optional(static_cast<std::int64_t>(Its->FieldOffset) +
                               placeInField(G, A, *Its))
               : std::nullopt;
  // A piece of a copy of the whole struct.
  const Access &First = *G.Members.front();
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
    const std::optional<std::int64_t> Place = placeIn(G, *A, Field);
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

/// The alignment with which the group takes a third fewer requests, and how
/// many it takes then; 0 when none does.
static std::pair<std::uint64_t, std::size_t>
gainfulAlignment(const AccessGroup &G, const FieldFact &Field) {
  const std::uint64_t Align = usefulAlignment(Field);
  // The structs of a library are no user's to align.
  if (Align == 0 || Field.AlignPoint.File.empty() || G.Members.size() < 2 ||
      coveredShare(G, Field) < 0.75)
    return {0, 0};
  // Measured: docs/validation/applied-remedies-h200.md.
  if (std::ranges::any_of(G.Members, [](const Access *A) {
        return A->Source.Field && A->Source.Field->CopiesItself;
      }))
    return {0, 0};
  const std::size_t Then = alignedRequests(G, Field, Align);
  // Alignment is a promise of the host's, too: for less than a third it is not
  // worth one.
  return 3 * Then <= 2 * G.Members.size()
             ? std::pair(Align, Then)
             : std::pair(std::uint64_t(0), std::size_t(0));
}

/// The vectors of CUDA itself are what other code and libraries take whole.
static std::string_view condition(const FieldFact &Field) {
  return Field.AlignPoint.File.empty() ? ", if nothing takes '{struct}' whole"
                                       : "";
}

/// \p Said, and what it does where that was counted.
static GroupRemedy withEffect(const Architecture &Arch, Phrase Said,
                              std::optional<RemedyEffect> Effect) {
  if (Effect)
    Said.append(": ", {"fewer-then",
                       Effect->Unit.ends_with("_per_request")
                           ? "{before} {unit} of a request become {after}"
                           : "{before} {unit} of a warp become {after}",
                       {{"before", std::round(Effect->Before)},
                        {"unit", globalUnit(Arch)},
                        {"after", std::round(Effect->After)}}});
  return {std::move(Said), std::move(Effect)};
}

/// Of a struct that is used as a whole: alignment, or arrays of its own for
/// each field; and that it may not pay, where a cache makes up for the waste.
static GroupRemedy wholeRemedy(const KernelModel &K, const Access &A,
                               const AccessGroup &G, const FieldFact &Field,
                               bool GainsAlone) {
  const auto [Align, Requests] = gainfulAlignment(G, Field);
  GroupRemedy R;
  if (Align != 0) {
    R.Said = alignmentEffect(Field, Align, G.Members.size(), Requests);
    if (growth(Field, Align) > 1)
      R.Said.Text += " (separate arrays for the fields avoid both)";
    R.Effect = {.Object = A.Source.Object,
                .Unit = "requests_per_warp",
                .Before = static_cast<double>(G.Members.size()),
                .After = static_cast<double>(Requests),
                .BlocksPerSMBefore = std::nullopt,
                .BlocksPerSMAfter = std::nullopt};
  } else if (GainsAlone && !Field.IsFixed) {
    R = withEffect(
        *K.Gpu.Arch,
        {"fields-apart", "separate arrays for the fields avoid it", {}},
        effectOfArrays(K, A, Field, nullptr));
  } else {
    R.Said = {"stage-in-shared",
              "copy the structs through shared memory, with neighbouring lanes "
              "on neighbouring words",
              {}};
  }
  // Whole structs are fetched by somebody anyway, and arrays of their own take
  // registers for their pointers.
  R.MaySaveNothing = G.isAbsorbed() || A.Op == AccessOp::Load;
  if (R.MaySaveNothing)
    R.Said = absorbed(G, "of this struct", std::move(R.Said));
  return R;
}

std::optional<GroupRemedy> fieldRemedy(const KernelModel &K, const Access &A,
                                       const AccessGroup &G) {
  const Architecture &Arch = *K.Gpu.Arch;
  const FieldFact &Field = *A.Source.Field;
  const double Covered = coveredShare(G, Field);
  if (Arch.CC.Major < 2) { // No cache: every transaction goes to DRAM.
    const auto [Align, Requests] = gainfulAlignment(G, Field);
    Phrase Said;
    if (Align != 0)
      Said = alignmentEffect(Field, Align, G.Members.size(), Requests);
    Said.append("; ", {"fields-apart",
                       "separate arrays for the fields coalesce, and so does "
                       "copying the structs through shared memory as plain "
                       "words",
                       {}});
    Said.append(": ", {"no-cache", "no cache keeps the rest", {}});
    return GroupRemedy{std::move(Said)};
  }
  const bool Alone = gainsAlone(Arch, A, Field);
  if (G.isWhole() && Covered >= 0.75)
    return wholeRemedy(K, A, G, Field, Alone);
  if (!Alone)
    return std::nullopt;
  // Nobody can move its fields, nor can lanes have them side by side.
  if (Field.IsFixed)
    return GroupRemedy{.Said = {}, .MaySaveNothing = true};
  const double Used = std::max(Covered, usedShare(K, A, Field));
  const bool AreAll = Used >= 0.75;
  const bool IsField = Covered >= 0.75 && G.Members.size() == 1;
  std::optional<RemedyEffect> Effect =
      effectOfArrays(K, A, Field, IsField ? &Field.Field : nullptr);
  if (Effect && Effect->After > Effect->Before / threshold::WorthAnEdit)
    return std::nullopt;
  return withEffect(
      Arch,
      IsField ? Phrase{"field-apart",
                       fmt::format("keep '{{field}}' in an array of its own, "
                                   "on the host too{}",
                                   condition(Field)),
                       {{"field", Field.Field}, {"struct", Field.Struct}}}
      : AreAll
          ? Phrase{"fields-apart",
                   fmt::format("keep the fields of '{{struct}}' in arrays of "
                               "their own, on the host too{}",
                               condition(Field)),
                   {{"struct", Field.Struct}}}
          : Phrase{"used-fields-apart",
                   fmt::format(
                       "keep the {{percent_used}} % of '{{struct}}' that "
                       "it uses here in arrays of their own, on the "
                       "host too{}",
                       condition(Field)),
                   {{"percent_used", std::round(100 * Used)},
                    {"struct", Field.Struct}}},
      std::move(Effect));
}

std::optional<Fix> alignmentFix(const KernelModel &K, const Access &A,
                                const AccessGroup &G) {
  const bool IsCopy = alignmentOfCopy(A) != 0;
  if (!IsCopy && (!A.Source.Field || A.Source.Field->StructBytes == 0))
    return std::nullopt;
  const FieldFact &Field = IsCopy ? *A.Source.Whole : *A.Source.Field;
  const std::uint64_t Align =
      IsCopy ? alignmentOfCopy(A) : gainfulAlignment(G, Field).first;
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

std::optional<Fix> apartFix(const KernelModel &K, const Access &A,
                            const GroupRemedy &R) {
  static const std::set<std::string_view> Remedies = {
      "field-apart", "fields-apart", "used-fields-apart"};
  if (!A.Source.Field || !A.Source.Field->Apart || R.MaySaveNothing ||
      !Remedies.contains(R.Said.Id))
    return std::nullopt;
  const FieldFact &Field = *A.Source.Field;
  if (!gainsApart(K, Field) ||
      !std::ranges::all_of(K.Unit, [&](const KernelModel *Each) {
        return gainsApart(*Each, Field);
      }))
    return std::nullopt;
  return Fix{fmt::format("keep the fields of '{}' in arrays of their own, in "
                         "the memory that the structs have",
                         Field.Struct),
             FixSafety::Layout, *Field.Apart};
}

} // namespace cudalint
