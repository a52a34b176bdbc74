//===- analyzer/pipeline/NearestWord.cpp - Misspelt words -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/pipeline/NearestWord.h"

#include "llvm/ADT/StringRef.h"

namespace cudalint {

std::string nearestWord(std::string_view Word,
                        const std::vector<std::string> &Words) {
  std::string Best;
  // A third of the letters wrong is another word.
  auto BestDistance = static_cast<unsigned>(Word.size()) / 3 + 2;
  for (const std::string &Candidate : Words) {
    unsigned Distance = llvm::StringRef(Word).edit_distance(
        Candidate, /*AllowReplacements=*/true, BestDistance);
    if (Distance < BestDistance) {
      BestDistance = Distance;
      Best = Candidate;
    }
  }
  return Best;
}

} // namespace cudalint
