//===- report/NaturalOrder.cpp - Numbers in names are numbers -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/NaturalOrder.h"

#include "report/Phrase.h"

#include <algorithm>
#include <tuple>

namespace cudalint {

/// Takes the digits that \p Text begins with, without zeros before them.
static std::string_view takeNumber(std::string_view &Text) {
  std::size_t End = 0;
  while (End != Text.size() && isDecimal(Text[End]))
    ++End;
  std::string_view Number = Text.substr(0, End);
  Text.remove_prefix(End);
  Number.remove_prefix(std::min(Number.find_first_not_of('0'), Number.size()));
  return Number;
}

bool isNaturallyLess(std::string_view A, std::string_view B) {
  std::string_view RestA = A, RestB = B;
  while (!RestA.empty() && !RestB.empty()) {
    if (isDecimal(RestA[0]) && isDecimal(RestB[0])) {
      const std::string_view X = takeNumber(RestA), Y = takeNumber(RestB);
      if (X != Y)
        return X.size() != Y.size() ? X.size() < Y.size() : X < Y;
      continue;
    }
    if (RestA[0] != RestB[0])
      return RestA[0] < RestB[0];
    RestA.remove_prefix(1);
    RestB.remove_prefix(1);
  }
  if (RestA.empty() != RestB.empty())
    return RestA.empty();
  return A < B; // k01 and k1
}

bool isNaturallyLess(const Location &A, const Location &B) {
  if (A.File != B.File)
    return isNaturallyLess(A.File, B.File);
  return std::tie(A.Line, A.Column) < std::tie(B.Line, B.Column);
}

} // namespace cudalint
