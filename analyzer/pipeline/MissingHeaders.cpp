//===- analyzer/pipeline/MissingHeaders.cpp - Headers that are not there --===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/pipeline/MissingHeaders.h"

#include "report/Phrase.h"

#include <algorithm>
#include <fmt/format.h>

namespace cudalint {

static bool isMissing(const ErrorRecord &Error) {
  return !Error.MissingHeader.empty();
}

bool MissingHeaders::isNews(const ParsedUnit &Unit) {
  bool IsMissing = false, IsNew = false;
  for (const ErrorRecord &Each : Unit.Errors)
    if (isMissing(Each)) {
      IsMissing = true;
      IsNew |= Said.insert(Each.MissingHeader).second;
    }
  if (!IsMissing || IsNew)
    return true;
  Others.insert(Unit.Errors.front().Where.File);
  return false;
}

std::string MissingHeaders::note() const {
  if (Others.empty())
    return {};
  return fmt::format("cuda-lint: note: {} {} headers that are named above",
                     countOf(Others.size(), "more file"),
                     Others.size() == 1 ? "misses" : "miss");
}

bool MissingHeaders::areMeantBy(const std::string &Note,
                                const UnitResult &From) {
  // Of what another compiler says, there is nothing but its words.
  return Note.find("No such file or directory") != Note.npos &&
         std::ranges::any_of(From.Record.Errors, isMissing);
}

bool MissingHeaders::areIn(const Document &Doc) {
  return std::ranges::any_of(Doc.Units, [](const UnitRecord &Unit) {
    return std::ranges::any_of(Unit.Errors, isMissing);
  });
}

} // namespace cudalint
