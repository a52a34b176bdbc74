//===- analyzer/remedy/FieldEffect.cpp - What arrays of fields save -------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/remedy/FieldEffect.h"

#include "analyzer/model/AccessWords.h"
#include "analyzer/model/LanePattern.h"
#include "analyzer/model/Thresholds.h"
#include "analyzer/remedy/SharedLayout.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace cudalint {

/// Every lane of \p A is in the field itself, which may be an array's element
/// that a loop runs over.
static bool staysInField(const Access &A, const FieldFact &Field) {
  const auto Size = static_cast<std::int64_t>(Field.StructBytes);
  for (const RequestSample &S : A.Samples)
    for (unsigned Lane = 0; Lane < WarpSize; ++Lane) {
      if (!(S.ActiveMask >> Lane & 1))
        continue;
      const std::int64_t From =
          S.Offset[Lane] - static_cast<std::int64_t>(Field.FieldOffset);
      if (From - floorDivide(From, Size) * Size + A.Bytes >
          static_cast<std::int64_t>(Field.FieldBytes))
        return false;
    }
  return true;
}

/// A struct inside of another one, which is what lies between the lanes.
static bool isInALargerStruct(const Access &A, const FieldFact &Field) {
  return std::ranges::any_of(A.Samples, [&](const RequestSample &S) {
    const LanePattern P = lanePattern(S);
    return P.Kind == LanePattern::Strided &&
           P.Stride % static_cast<std::int64_t>(Field.StructBytes) != 0;
  });
}

bool gainsAlone(const Architecture &Arch, const Access &A,
                const FieldFact &Field) {
  if (isInALargerStruct(A, Field))
    return true;
  const MeanTraffic Then = meanGlobal(Arch, A, fieldAlone(Field));
  return Then.Transactions <= A.Predicted->PerRequest / threshold::WorthAnEdit;
}

std::optional<RemedyEffect> effectOfArrays(const KernelModel &K,
                                           const Access &A,
                                           const FieldFact &Field,
                                           const std::string *Only) {
  const Architecture &Arch = *K.Gpu.Arch;
  std::vector<const Access *> Accesses;
  bool IsCounted = true;
  for (const Access &B : K.Accesses) {
    if (B.Space != MemorySpace::Global || B.Block != A.Block)
      continue;
    if (!B.Source.Field || !isOfSameStruct(*B.Source.Field, Field)) {
      if (A.GroupKey != 0 && B.GroupKey == A.GroupKey && !Only)
        return std::nullopt;
      continue;
    }
    const FieldFact &Its = *B.Source.Field;
    if (Only && Its.Field != *Only)
      continue;
    if (!B.Predicted || B.Samples.empty() || B.Stride ||
        !staysInField(B, Its) || isInALargerStruct(B, Its))
      return std::nullopt;
    IsCounted &= B.Executions.has_value();
    Accesses.push_back(&B);
  }
  RemedyEffect Effect{.Object = A.Source.Object,
                      .Unit = std::string(globalUnit(Arch)) + "_per_warp",
                      .BlocksPerSMBefore = std::nullopt,
                      .BlocksPerSMAfter = std::nullopt};
  double All = 0;
  for (const Access *B : Accesses) {
    const double Now = meanGlobal(Arch, *B).Transactions;
    const double Then =
        meanGlobal(Arch, *B, fieldAlone(*B->Source.Field)).Transactions;
    // Of the requests that are kept, by their share of all.
    const double Times =
        IsCounted ? *B->Executions : std::max(1.0, B->Predicted->Requests);
    Effect.Before += Times * B->Predicted->PerRequest;
    Effect.After +=
        Times * B->Predicted->PerRequest * (Now > 0 ? Then / Now : 1);
    All += Times;
  }
  // Not every warp makes each of them once: a mean of their requests.
  if (!IsCounted && All > 0) {
    Effect.Unit = std::string(globalUnit(Arch)) + "_per_request";
    Effect.Before /= All;
    Effect.After /= All;
  }
  return Effect;
}

bool gainsApart(const KernelModel &K, const FieldFact &Field) {
  return std::ranges::all_of(K.Accesses, [&](const Access &B) {
    if (B.Space != MemorySpace::Global || !B.Source.Field ||
        B.Source.Field->StructWhere != Field.StructWhere)
      return true;
    const std::optional<RemedyEffect> Effect =
        effectOfArrays(K, B, *B.Source.Field, nullptr);
    return Effect && Effect->After <= Effect->Before;
  });
}

} // namespace cudalint
